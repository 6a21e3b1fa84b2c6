"""Hashes that are not whole, and turns in the wrong order: what is said of them, and that nothing else is."""

from __future__ import annotations

import re

import pytest

from tests.cli import RECORD
from tkid.kernel.problems import Kind, Problem
from tkid.mail.timeline import judge_file
from tkid.record.format.reader import read_record

NOTE = "# resigned: Ann 2026-12-01T09:00Z"


def problems_of(text: str) -> list[Problem]:
    """What `tkid check` lists without `--all`."""
    problems, _ = judge_file(read_record(text.encode()))
    return [problem for problem in problems if problem.kind is not Kind.FOLLOW_ON]


FORMS = [
    (" #012d", "The hash #012d is incomplete: it has 4 of 6 digits"),
    (" #0", "The hash #0 is incomplete: it has 1 of 6 digits"),
    (" #", "The hash # is incomplete: it has 0 of 6 digits"),
    (" #ABCDE  ", "The hash #ABCDE is incomplete: it has 5 of 6 digits"),
    (" #012d77a", "The hash #012d77a is too long: it has 7 digits instead of 6"),
    (" #01g2d4", "`#01g2d4` is not a hash: a hash has 6 digits from 0 to 9 and a to f, but this has `g`"),
    ("#1000be", "A space is missing before the hash #1000be"),
]


@pytest.mark.parametrize(("written", "told"), FORMS)
@pytest.mark.parametrize("number", [1, 4, 5])
def test_a_hash_that_is_not_whole_is_the_only_fault(written: str, told: str, number: int) -> None:
    """Not the summons before it; cites: record.turn.hash."""
    text = re.sub(rf"^({number}\. .*?) #[0-9a-f]{{6}}$", rf"\1{written}", RECORD, flags=re.MULTILINE)
    (found,) = problems_of(text)
    line = text.splitlines()[found.line - 1]
    assert (found.rule, found.message) == ("record.turn.hash", told)
    assert line[found.col - 1 :][: found.length] == written.strip()
    assert line.startswith(f"{number}. ")
    assert "Copy the whole line again" in found.hint


@pytest.mark.parametrize(("written", "told"), FORMS[:-1])
@pytest.mark.parametrize(
    "note", [NOTE, "# ended: draw, agreed by Ann and Łukasz 2026-12-01T09:00Z", "# back: 1 2026-12-01T09:00Z"]
)
def test_the_hash_of_a_line_about_the_game(note: str, written: str, told: str) -> None:
    """Cites: record.note.hash."""
    (found,) = problems_of(f"{RECORD}{note}{written}\n")
    assert (found.rule, found.message) == ("record.note.hash", told)
    assert f"{note}{written}"[found.col - 1 :][: found.length] == written.strip()


def test_what_is_no_hash() -> None:
    """A reason may end with a number sign and a number, and so may a comment of one's own."""
    for line in ("# ended: aborted by the host 2026-12-01T09:00Z: see #12", "# a remark #12", "# resigned to it #12d"):
        assert problems_of(f"{RECORD}{line}\n") == []
    (found,) = problems_of(f"{RECORD}# back: Ann #12\n")
    assert found.rule == "post.note.form"


def swapped(text: str, *order: int) -> str:
    """A record whose first turns stand in another order, each with the lines below it."""
    head, turns = text.split("Turns\n")
    blocks = re.split(r"^(?=[0-9]+\. )", turns, flags=re.MULTILINE)[1:]
    return f"{head}Turns\n{''.join(blocks[number - 1] for number in order)}{''.join(blocks[len(order) :])}"


@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize(
    ("order", "told"),
    [
        ((2, 1), "Turn 2 stands before turn 1: these two are swapped"),
        ((1, 3, 2), "Turn 3 stands before turn 2: these two are swapped"),
        ((3, 2, 1), "Turn 3 stands before turn 1: these two are swapped"),
        ((1, 2, 3, 5, 4), "Turn 5 stands before turn 4: these two are swapped"),
        ((2, 3, 1), "Turn 2 stands before turn 1"),
        ((5, 4, 3, 2, 1), "Turn 5 stands before turn 1"),
    ],
)
def test_turns_out_of_order(order: tuple[int, ...], told: str, *, hashed: bool) -> None:
    """One message, at the first of them; cites: record.turn.number."""
    text = RECORD if hashed else re.sub(r" #[0-9a-f]{6}$", "", RECORD, flags=re.MULTILINE)
    text = swapped(text, *order)
    found = [problem for problem in problems_of(text) if problem.rule == "record.turn.number"]
    assert [problem.message for problem in found] == [told]
    assert text.splitlines()[found[0].line - 1].startswith(f"{told.split()[1]}. ")
    assert "in the order of their numbers" in found[0].hint


@pytest.mark.parametrize("numbers", [(1, 3, 4, 5), (1, 2, 2, 3, 4), (1, 1), (2, 3), (1, 2, 4, 3, 3)])
def test_turns_that_are_missing_or_there_twice_are_not_called_swapped(numbers: tuple[int, ...]) -> None:
    """Cites: record.turn.number."""
    head = RECORD.split("Turns\n")[0]
    turns = "".join(f"{number}. {'Łukasz' if at % 2 else 'Ann'} Pass\n" for at, number in enumerate(numbers))
    told = [problem.message for problem in problems_of(f"{head}Turns\n{turns}") if problem.rule == "record.turn.number"]
    assert told
    assert all(message.startswith("This is turn ") for message in told)
