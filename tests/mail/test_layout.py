"""What every letter keeps to: the news first, few lines, a true subject, and nothing of ours that reads as an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve

from tests.mail.hall import ANN, BOB, DAY, START, Hall
from tests.shared.tables import each_row
from tkid.mail import game_letters
from tkid.mail.blocks import Excerpt, First, Footer, Lead, Letter, Reference, Samples, format_plain
from tkid.mail.game_service import HostedGame
from tkid.mail.hosted_game import Memory
from tkid.mail.letter_parts import Announcement, Recipient
from tkid.mail.message import MOST_SUBJECT, write_subject
from tkid.mail.order_finder import get_order_reader
from tkid.orders.order_values import find_order_language
from tkid.record.clock import CLOCK, STARTED, write_time
from tkid.record.format.model import Header, Record, Seat
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.lines import count_columns

GAMES = sorted((Path(__file__).parents[2] / "fixtures" / "games").glob("*/whole-game-for-?.tkid"))
TERMS = "5 days a turn, 1 day grace, remind after 4 days"
STEP = 17
"""Every so many turns of a recorded game a letter is looked at."""
MOST, SHORT, HELP = 52, 24, 30
"""Lines of a letter with the board, of one without, and of the help."""
LONG = ("Maximiliane", "Bartholomew", "Konstantina", "Ferdinando")
"""Long names as people have them."""


@cache
def recorded(path: Path, names: tuple[str, ...] = ()) -> Record:
    """A recorded game with a clock, and with other names."""
    record = read_record(path.read_bytes()).record
    assert record is not None
    clock = (Header(CLOCK, TERMS), Header(STARTED, write_time(START)))
    others = (header for header in record.headers if header.name not in {CLOCK, STARTED})
    seats = tuple(Seat(name, "a@example.org") for name in names[: len(record.seats)]) or record.seats
    return evolve(record, headers=(*others, *clock), seats=seats, end=())


def hosted(path: Path, names: tuple[str, ...] = ()) -> Iterator[HostedGame]:
    """A recorded game at a host, after some of its turns, and when it is over."""
    record = recorded(path, names)
    whole = len(record.turns)
    for turns in sorted({*range(1, whole, STEP), whole}):
        at = replay(evolve(record, turns=record.turns[:turns]))
        yield HostedGame(at, Memory.make_new(len(record.seats), find_order_language(record.game).level))


def letters(game: HostedGame) -> list[Letter]:
    """The letters that a moment of a game can bring, each seat having heard of all but the last round."""
    found = []
    for seat in game.seats:
        told = max(0, game.turns - len(game.names))
        recipient = Recipient(game.with_memory(game.memory.with_seat(seat, told=told)), seat, START + DAY)
        if game.to_act == seat:
            found += [game_letters.write_turn_letter(recipient), game_letters.write_reminder(recipient, ())]
        else:
            found.append(game_letters.write_news_letter(recipient))
        found.append(
            game_letters.write_words_only(recipient, (Announcement((seat,), "Hello!", (seat + 1) % len(game.names)),))
        )
    return found


def height(letter: Letter) -> int:
    """How many lines the text of a letter has."""
    return format_plain(letter.body).count("\n")


def prose(letter: Letter) -> list[str]:
    """The lines of a letter that are ours: no turns to send, and no line of the reader's own."""
    return format_plain(block for block in letter.body if not isinstance(block, Samples | Excerpt)).split("\n")


def holds(letter: Letter, of: Replay) -> None:
    """What is true of every letter."""
    lead, first, *middle = letter.body
    assert isinstance(lead, Lead)
    assert count_columns(lead.text) <= 78, lead.text
    assert isinstance(first, First)
    lines = format_plain(letter.body).split("\n")
    assert (lines[0], lines[1], lines[2]) == (lead.text, "", first.line)
    ends = [block for block in middle if isinstance(block, Reference | Footer)]
    assert ends == middle[-len(ends) :]
    assert isinstance(ends[0], Reference)
    assert all(count_columns(line) <= 78 or "://" in line or line.startswith("    ") for line in lines)
    assert len(write_subject(of.record, letter)) <= MOST_SUBJECT
    reader = get_order_reader(of.record.game, of.record.names, letter.seat)
    for line in prose(letter):
        assert reader.read_line(line).order is None, line
        assert reader.read_line(line.strip()).order is None, line


@pytest.mark.slow
@each_row("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem[-1]}", parts=6, sampled=True)
def test_letters_of_recorded_games(path: Path) -> None:
    for game in hosted(path):
        for letter in letters(game):
            holds(letter, game.replay)


@pytest.mark.slow
def test_an_ordinary_turn_has_few_lines() -> None:
    """The heights are told (`pytest -rP`): the most are of four players with long names and a full round of cards."""
    heights: Counter[int] = Counter()
    for path in GAMES:
        for game in hosted(path):
            heights.update(height(each) for each in letters(game) if each.kind == "turn")
    print(sorted(heights.items()))  # noqa: T201
    assert sum(count for lines, count in heights.items() if lines <= MOST) >= 0.9 * heights.total()
    assert max(heights) <= MOST + 6


@pytest.mark.slow
def test_of_two_players_every_turn_has_few_lines() -> None:
    for path in GAMES:
        if path.stem.endswith("2"):
            tall = [each for game in hosted(path) for each in letters(game) if height(each) > MOST]
            assert not tall, (path, format_plain(tall[0].body))


@pytest.mark.slow
@each_row("path", GAMES, parts=3, sampled=True)
def test_long_names_make_a_letter_little_longer(path: Path) -> None:
    for game in hosted(path, LONG):
        for letter in letters(game):
            holds(letter, game.replay)
            assert height(letter) <= MOST + 10


def test_what_asks_and_what_helps_is_short() -> None:
    for code in ("second-edition", "second-edition-advanced", "first-edition", "claim"):
        hall = Hall.of(2, TERMS, code)
        hall.mail(ANN, "help")
        assert height(hall.last(ANN)) <= HELP, hall.told(ANN)
        holds(hall.last(ANN), hall.at.replay)
        hall.mail(ANN, "Goblin 4" if code == "claim" else "Pass")
        hall.mail(ANN, "undo?")
        assert height(hall.last(BOB)) <= SHORT
        holds(hall.last(BOB), hall.at.replay)


ASKED = (
    "status", "legal", "history", "why", "help away", "help turn", "rules summon", "rules second.turn.pass", "undo?",
    "notify every turn", "cancel all", "away 2026-12-20 to 2026-12-27", "say to all: Good luck!", "pass until struggle",
    "draft Pass", "if Bob passes: Pass; else stop", "resign", "statsu", "xyzzy", "Welsh Support WWW Warwick; summon W Devon",
)  # fmt: skip


@each_row("line", ASKED)
def test_answers_begin_with_what_was_done(line: str) -> None:
    for players in (2, 3):
        hall = Hall.of(players, TERMS)
        hall.turns("Pass")
        hall.mail(BOB, line)
        for letter in hall.outcome.letters:
            holds(letter, hall.at.replay)


def test_after_a_game_nothing_asks_for_a_turn() -> None:
    hall = Hall.of(2)
    hall.mail(BOB, "resign")
    for order in ("status", "say to all: Well played!", "Pass", "hello", "undo?"):
        hall.mail(ANN, order)
        for letter in hall.outcome.letters:
            said = f"{write_subject(hall.at.record, letter)} {' '.join(format_plain(letter.body).split())}".casefold()
            assert "your turn" not in said
            assert "is next" not in said


def test_a_subject_says_what_a_letter_is() -> None:
    hall = Hall.of(2, TERMS)
    assert hall.subjects == {ANN: "Turn 1: your turn in a new game with Bob", BOB: "Turn 1: a new game with Ann"}
    hall.turns("Pass")
    assert hall.subjects == {ANN: "Turn 1: your turn was played", BOB: "Turn 2: your turn"}
    hall.mail(ANN, "undo?")
    assert hall.subjects == {ANN: "Turn 2: your mail", BOB: "Turn 1: Ann asks to take it back"}
    hall.mail(BOB, "undo no")
    assert hall.subjects == {BOB: "Turn 2: your turn", ANN: "Turn 1: it is kept"}
    hall.mail(BOB, "say to Ann: Hello!")
    assert hall.subjects[ANN] == "Turn 2: Bob writes"
    hall.tick(4 * DAY)
    assert hall.subjects == {BOB: "Turn 2: 23 hours left"}
    hall.mail(BOB, "resign")
    assert hall.subjects == {BOB: "Game over: Ann won", ANN: "Game over: you won"}
