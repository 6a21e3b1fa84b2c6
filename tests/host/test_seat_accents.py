"""A seat is offered and taken by its player's name, however the accents are written: composed, or as letter and accent apart."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest

from tests.host.small_club import Club, club, text_of
from tests.host.test_digests import of
from tests.mail.mails import body
from tkid.record.format.reader import read_record
from tkid.record.play.writer import write_record

C = "Zoë Ångström"
D = normalize("NFD", C)
BOTH = ((C, D), (D, C))


@pytest.mark.parametrize(("head", "typed"), BOTH)
def test_a_seat_is_taken_by_its_name_in_both_ways(tmp_path: Path, head: str, typed: str) -> None:
    with club(tmp_path) as at:
        record = of("Ann", "Bob", seed=4)
        text = write_record(record).replace("Seat: Ann ", f"Seat: {head} ").replace("Court Ann", f"Court {head}")
        changed = read_record(text.replace("First        Ann", f"First        {head}").encode()).record
        assert changed is not None
        at.at.open_game("winter", changed, at.now)
        at.at.owner = "ann@example.org"
        at.work()
        (letter, *_) = at.mails("Ann")
        offered = at.replies(letter, "Ann", f"offer seat {typed} of winter")
        assert any(body(mail).startswith(f"{head}'s seat in winter is offered.") for mail in offered)
        assert taken(at, typed)


def taken(at: Club, name: str) -> bool:
    """Whether somebody else can take the seat of a player."""
    (got, *_) = at.replies(at.key("Eve"), "Eve", f"take seat {name} of winter")
    return "You play for" in text_of(got)


def test_the_name_that_looks_like_another_is_marked_in_the_order(tmp_path: Path) -> None:
    """The marks stand below the newcomer's name, the reason before them with a full stop, and the fix behind them."""
    with club(tmp_path) as at:
        key = at.key("Ann")
        at.replies(key, "Ann", "new game second-edition for 3, with Bob <bob@example.org>, called spring")
        (refused,) = at.replies(at.key("Cal"), "Cal", "join spring as B\N{GREEK SMALL LETTER OMICRON}b")
        line, marks = next(
            pair
            for pair in zip(body(refused).split("\n"), body(refused).split("\n")[1:], strict=False)
            if "^" in pair[1]
        )
        assert line[marks.index("^") : marks.rindex("^") + 1] == "B\N{GREEK SMALL LETTER OMICRON}b"
        assert "(one has a greek small letter omicron). join spring as" in text_of(refused)
        assert "^ Add something to the name" in text_of(refused)
