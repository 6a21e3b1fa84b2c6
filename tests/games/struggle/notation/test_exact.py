"""Decisions that are read without the grammar are read as the grammar reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.games.struggle.shared.family import struggles
from tests.shared.strategies import record_of
from tests.shared.tables import each_row, sample
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.plugin import MAX_TURN_LENGTH
from tkid.notation.text import make_plain
from tkid.record.format.reader import read_record
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import Ruleset, ruleset

FIXTURES = Path(__file__).parents[4] / "fixtures"
WRONG = Path(__file__).with_name("wrong_turns.txt")
PARTS = 8
SPOILED = ("{}.", " {}", "{} ", "{},", "{}; ", "{}\N{NO-BREAK SPACE}")


def decisions(lines: Iterator[str]) -> set[str]:
    """The decisions on lines, as they are typed: what stands between semicolons, behind the number and each of the next words."""
    found = set()
    for line in lines:
        text = make_plain(line.split(" #")[0])
        words = text.split(" ")
        for start in range(min(4, len(words))):
            found.update(" ".join(words[start:]).split(";"))
    return found


def of_fixtures(game: Struggle) -> set[str]:
    """What is typed in all fixtures of a ruleset, right or wrong, and in the list of wrong lines; no line too long for a turn."""
    files = [*FIXTURES.rglob("*.tkid"), WRONG]
    texts = [file.read_bytes().decode("utf-8", "replace") for file in files]
    lines = (line for text in texts if game.code in text or "Ruleset:" not in text for line in text.splitlines())
    return decisions(line for line in lines if len(line) <= MAX_TURN_LENGTH)


@pytest.mark.slow
@pytest.mark.parametrize("share", sample(range(PARTS), PARTS))
@each_row("entry", struggles(), ids=lambda entry: entry.code)
def test_the_same_move_at_the_same_places_or_the_grammar(entry: Ruleset, share: int) -> None:
    """For every fixture, every wrong line, and random games; each share has some of them."""
    game, rng = entry.game(), Random(entry.code)
    games = [write_record(record_of(rng, min(game.parties), 0.3, entry)) for _ in range(3)]
    texts = of_fixtures(game) | decisions(line for text in games for line in text.splitlines())
    reader = TurnReader(game, ("Ann", "Bob"))
    exact = 0
    for text in sorted(texts)[share::PARTS]:
        move, parsed = reader.exact.decision(text.strip()), reader.parse_decision(text)
        read = reader.read_turn(text).decisions
        assert move is None or (move, ()) == (parsed.move, parsed.problems), text
        assert len(read) == 1
        assert (read[0].move, read[0].problems, dict(read[0].parts)) == (
            parsed.move,
            parsed.problems,
            dict(parsed.parts),
        ), text
        exact += move is not None
    assert exact > 100 / PARTS, f"{exact} of {len(texts)}"


def test_nothing_else_is_read_without_the_grammar() -> None:
    game = ruleset("second-edition").game()
    reader = TurnReader(game)
    for text in ("Pass", "summon W Gwynedd", "Assemble S Moray, W Moray, E Moray", "Negotiate Moray <> Devon, no disc"):
        assert reader.exact.decision(text) is not None
        for spoiled in SPOILED:
            assert reader.exact.decision(spoiled.format(text)) is None
        assert reader.exact.decision(text.lower().replace("pass", "PASS")) is None


def test_most_of_a_game_file_is_read_without_it() -> None:
    """Otherwise it would not be worth its lines."""
    for code in ("second-edition", "second-edition-advanced", "first-edition"):
        file = write_record(record_of(Random(code), 2, 0.3, ruleset(code)))
        record = read_record(file.encode()).record
        assert record is not None
        reader = TurnReader(ruleset(code).game())
        written = [record.game.words.write_move(move) for turn in record.turns for move in turn.moves]
        assert sum(reader.exact.decision(text) is not None for text in written) >= 0.7 * len(written), code
