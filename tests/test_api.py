"""The public names of the library stay as they are listed, and are typed for programs that use them."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.makers.api import LIST, ROOT, api, public_names

ADVICE = """\
The public names of the library, or their signatures, are not those of fixtures/api.txt. Programs of other people use them.
If the change is meant, run `python -m tests.makers.api`, and name the change in docs/changelog.md."""


def changes(listed: str, now: str) -> str:
    """What has changed, line by line, with advice; empty if nothing has."""
    lines = list(unified_diff(listed.splitlines(), now.splitlines(), "fixtures/api.txt", "tkid", n=8, lineterm=""))
    return "\n".join([ADVICE, *lines]) if lines else ""


@pytest.mark.guard
def test_public_names_are_as_they_are_listed() -> None:
    if found := changes(LIST.read_text("utf-8"), api()):
        pytest.fail(found, pytrace=False)


def test_a_change_is_shown_with_advice() -> None:
    listed = LIST.read_text("utf-8")
    before, after = "read_record(data: bytes)", "read_record(data: bytes, strict: bool)"
    found = changes(listed, listed.replace(before, after)).splitlines()
    assert [line[:1] for line in found if before in line or after in line] == ["-", "+"]
    assert "python -m tests.makers.api" in found[1]


def test_the_list_has_the_names_of_the_reference_and_no_others() -> None:
    listed = [
        line.removeprefix("class ")
        for line in LIST.read_text("utf-8").splitlines()
        if line.startswith(("tkid", "class"))
    ]
    assert [line.partition("(")[0] for line in listed] == public_names()


def test_types_are_there_for_programs_that_use_the_library() -> None:
    """Without this file, type checkers take nothing from an installed package."""
    assert (ROOT / "tkid" / "py.typed").is_file()
