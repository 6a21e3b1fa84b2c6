"""Replies as real mail programs send them: each ends as the turn that its writer meant, or as the rule it breaks."""

from __future__ import annotations

import pytest

from tests.post.mails import EXPECTED, FOLDER, game, outcome

MAILS = sorted(EXPECTED)


@pytest.mark.parametrize("name", MAILS)
def test_a_reply_is_understood(name: str) -> None:
    expected = EXPECTED[name]
    assert outcome((FOLDER / name).read_bytes(), game(expected["game"])) == (expected.get("turn") or expected["rule"])


def test_every_mail_has_its_expectation() -> None:
    assert {path.name for path in FOLDER.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 25


@pytest.mark.parametrize("name", MAILS)
def test_other_line_ends_change_nothing(name: str) -> None:
    expected = EXPECTED[name]
    data = (FOLDER / name).read_bytes().replace(b"\r\n", b"\n")
    for eol in (b"\n", b"\r\n"):
        wanted = expected.get("turn") or expected["rule"]
        assert outcome(data.replace(b"\n", eol), game(expected["game"])) == wanted
