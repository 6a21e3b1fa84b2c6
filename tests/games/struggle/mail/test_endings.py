"""How mails say who won The King is Dead and why: an example for every ending and for everything that breaks a tie."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from tests.games.struggle.mail.test_sentences import known
from tests.games.struggle.shared.family import struggle, struggles
from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.games.struggle.rules.endings import Remark
from tkid.games.struggle.verdict import REASONS
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay

ENDINGS = Path(__file__).with_name("endings_in_words.txt")
SCARCE = "second-edition/whole-game-for-2"


def in_words() -> Iterator[tuple[str, str, str, str, list[str]]]:
    """The rows of the table: a recorded game and the reader, then what the last mail says."""
    for block in ENDINGS.read_text("utf-8").strip().split("\n\n"):
        head, subject, sentence, *decided = block.splitlines()
        path, _, name = head.strip("[]").rpartition(" ")
        yield path, name, subject, sentence, [line.strip() for line in decided]


@each_row("path, name, subject, sentence, decided", in_words)
def test_who_won_and_why(path: str, name: str, subject: str, sentence: str, decided: list[str]) -> None:
    seat = known(path, None).record.names.index(name)
    at = known(path, seat)
    plugin = find_mail_plugin(at.record.game)
    assert plugin.describe_result(at, seat) == (subject, sentence)
    assert plugin.describe_decision(at, seat) == decided


def test_every_comparison_has_its_reason() -> None:
    """Those that compare: what only names the rule of a tie that remains needs none."""
    rules = {
        link.rule.rpartition(".")[2]
        for ruleset in struggles()
        for ending in struggle(ruleset.game()).endings
        for link in ending.chain
        if not isinstance(link, Remark)
    }
    assert rules <= REASONS.keys()


# -- resignation ------------------------------------------------------------------------------------------


def resigned(*gone: str, game: str = SCARCE) -> Replay:
    """A game in which players gave up before the first turn."""
    text = (FOLDER / f"{game}.tkid").read_text("utf-8").partition("Turns\n")[0]
    lines = "".join(f"# resigned: {name} 2026-12-01T09:0{n}Z\n" for n, name in enumerate(gone))
    record = read_record(f"{text}Turns\n{lines}".encode()).record
    assert record is not None
    return replay(record)


RESIGNED = [
    (resigned("Bob"), 0, "you won", "You won: Bob has resigned.", "Bob has resigned."),
    (resigned("Bob"), 1, "Ann won", "Ann won: you have resigned.", "You have resigned."),
    (
        resigned("Bob", "Cal", game="second-edition/whole-game-for-3"),
        0,
        "you won",
        "You won: Bob and Cal have resigned.",
        "Bob and Cal have resigned.",
    ),
    (
        resigned("Ann", "Cal", game="second-edition/whole-game-for-4"),
        1,
        "you and Dee won",
        "You and Dee won: Ann and Cal have resigned.",
        "Ann and Cal have resigned.",
    ),
]


@pytest.mark.parametrize(("game", "seat", "subject", "sentence", "decided"), RESIGNED)
def test_who_is_left_wins(game: Replay, seat: int, subject: str, sentence: str, decided: str) -> None:
    plugin = find_mail_plugin(game.record.game)
    assert plugin.describe_result(game, seat) == (subject, sentence)
    assert plugin.describe_decision(game, seat) == [decided]


def test_a_game_that_goes_on_has_no_result() -> None:
    at = known(SCARCE, 0, 3)
    plugin = find_mail_plugin(at.record.game)
    assert plugin.describe_result(at, 0) == ("", "")
    assert plugin.describe_decision(at, 0) == []


# -- long names -------------------------------------------------------------------------------------------

LONG = tuple(f"{first:x<32}" for first in ("Ann", "Bob", "Cal", "Dee"))


@each_row("path", [*sorted({path for path, *_ in in_words()})])
def test_long_names_find_room(path: str) -> None:
    """The longest names that there may be: the sentences lose reasons and places, and the subject its names."""
    at = known(path, 0)
    names = LONG[: len(at.record.names)]
    seats = tuple(evolve(seat, name=name) for seat, name in zip(at.record.seats, names, strict=True))
    long = Replay(evolve(at.record, seats=seats), at.moments, [], at.value)
    plugin = find_mail_plugin(at.record.game)
    for seat in range(len(names)):
        subject, sentence = plugin.describe_result(long, seat)
        assert len(sentence) <= 78
        assert len(subject) <= 36
        for number in range(1, len(long.moments)):
            assert len(plugin.shorten_turn(long, number, seat)) <= 78
            assert len(plugin.write_headline(long, number)) <= 30
