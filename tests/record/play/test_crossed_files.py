"""Game files with lines of other rulesets' files in them: each is told of, and none breaks the program."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from tests.shared.examples import examples
from tests.shared.strategies import seeds
from tkid.record.format.reader import read_record
from tkid.record.play.validation import check_canonical, judge_record

FILES = [
    path.read_text("utf-8").split("\n")
    for path in sorted((Path(__file__).parents[3] / "fixtures" / "games").glob("*/*.tkid"))
]
HEADS = sorted({line for lines in FILES for line in lines[: lines.index("Turns")]})
"""Lines of headers and set-ups: of all files, each once."""
BARE = (
    *("Ruling: x", "Ruling: second.ruling.final-tie", "Ruling:", "Seat:", "Seat: <a@b.example>", "Seal:", "Position:"),
    *("Position: claim", "Hand Ann", "Court", "Deck", "Track", "First", "First Zed", "Supply", "Entropy:", "X-A: b"),
    *("Setup", "Turns", "Plans", "1.", "1. Ann", "1. Ann Pass", "-- ", "{", "}", "Tkid-Record: 1"),
)
"""Lines that lack something."""


def crossed(rng: Random) -> bytes:
    """A game file in which up to three lines are those of others, come on top, are missing, or end as others do."""
    lines = list(rng.choice(FILES))
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(lines)), rng.choice(rng.choice((HEADS, HEADS, BARE, rng.choice(FILES))))
        cut, rest = rng.randint(0, len(lines[at])), rng.randint(0, len(other))
        lines[at : at + 1] = rng.choice(([other], [other, lines[at]], [], [lines[at][:cut] + other[rest:]]))
    return "\n".join(lines).encode()


@pytest.mark.slow
@given(seeds)
@examples(200)
def test_the_fast_way_and_the_full_way_agree(seed: int) -> None:
    data = crossed(Random(seed))
    played, (problems, replay) = check_canonical(data), judge_record(read_record(data))
    assert all(str(problem) and problem.line >= 1 and problem.col >= 1 for problem in problems)
    if played is not None:
        assert problems == []
        assert replay is not None
        assert played.position == replay.position
