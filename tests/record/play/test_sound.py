"""The fast way to find a game file all right and the full way agree: on every file here, on random games, and on wrong lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import struggles
from tests.shared.examples import examples
from tests.shared.strategies import record_of
from tests.shared.tables import each_row, sample
from tkid.kernel.game import HIDDEN
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay
from tkid.record.play.validation import Played, check_canonical, judge_record
from tkid.record.play.writer import write_record

FIXTURES = Path(__file__).parents[3] / "fixtures"
FILES = sorted(FIXTURES.rglob("*.tkid"))
HASHES = re.compile(r" #[0-9a-f]{6}$", re.MULTILINE)
CODES = [ruleset.code for ruleset in struggles()]


def full(data: bytes) -> Replay | None:
    """A replay of a file in which nothing is wrong and nothing uncertain, in the full way."""
    problems, played = judge_record(read_record(data))
    return None if problems or played is None or played.unproven else played


def is_as_written(played: Replay) -> bool:
    """Whether a game is one of those for which the fast way is meant."""
    record = played.record
    return record.timeless and HIDDEN not in write_record(evolve(record, turns=()))


def agree(data: bytes) -> bool:
    """Assert that both ways say the same of a file; whether the fast way found it all right."""
    found, played = check_canonical(data), full(data)
    if found is None:
        assert played is None or not is_as_written(played) or write_record(played.record, played).encode() != data
        return False
    assert played is not None
    assert found == evolve(Played.make_played(played), record=evolve(played.record, turns=(), end=()))
    return True


@each_row("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_file(path: Path) -> None:
    agree(path.read_bytes())


def test_most_recorded_games_are_found_all_right() -> None:
    """So that the others prove something."""
    games = sorted((FIXTURES / "games").rglob("*.tkid"))
    assert sum(check_canonical(path.read_bytes()) is not None for path in games) > len(games) / 2


def damaged(rng: Random, text: str) -> Iterator[str]:
    """A game damaged in one line, once for each: it is missing, doubled, exchanged with the next, or has another character."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        character = rng.choice("SWE 0a#-,<>;.")
        column = rng.randrange(len(line) + 1)
        changed = line[:column] + character + line[column + 1 :]
        damages = (after, [line, line, *after], [*after[:1], line, *after[1:]], [changed, *after])
        yield "\n".join([*before, *rng.choice(damages)])


@pytest.mark.parametrize("hashed", [True, False], ids=["hashed", "from elsewhere"])
@pytest.mark.parametrize("code", sample(CODES, 4))
@examples(3)
@given(st.integers(0, 2**32), st.data())
def test_random_games_whole_and_damaged(code: str, hashed: bool, seed: int, data: st.DataObject) -> None:  # noqa: FBT001 - a case
    rng = Random(seed)
    ruleset = next(each for each in struggles() if each.code == code)
    players = data.draw(st.sampled_from(sorted(ruleset.game().parties)))
    record = record_of(rng, players, 0.3, ruleset)
    text = write_record(record) if hashed else HASHES.sub("", write_record(record))
    assert agree(text.encode())
    found = [agree(wrong.encode()) for wrong in damaged(rng, text)]
    assert not all(found)
