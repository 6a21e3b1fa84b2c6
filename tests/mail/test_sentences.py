"""What mails say about games: in every recorded game, to every reader, of every moment."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.mail.said import Said, about_next, about_now, about_turns, cut
from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.kernel.game import HIDDEN
from tkid.mail.model import Intake, Line
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets

GAMES = sorted(FOLDER.rglob("*.tkid"))
WHOLE = [path for path in GAMES if path.stem.startswith("whole-game-for-")]
ROOM = {"short": 60, "headline": 30, "subject": 30, "result": 78}
"""The most columns of each text, with names of usual length."""
SENTENCES = {"short", "since", "outlook", "result", "decided"}
UNTIDY = re.compile(r"  |\.\.|,,|;;|[,;:]\.| [,.;:]|^\s|\s$|\{|None")


def named(path: Path) -> str:
    """What a recorded game is called."""
    return f"{path.parent.name}/{path.stem}"


every_game = each_row("path", GAMES, ids=named)
whole_games = each_row("path", WHOLE, ids=named)
some_games = each_row("path", GAMES, ids=named, parts=3, sampled=True)
some_whole_games = each_row("path", WHOLE, ids=named, parts=3, sampled=True)
"""Those in make test and the others."""


@cache
def played(path: Path) -> Replay:
    """A recorded game, played through."""
    record = read_record(path.read_bytes()).record
    assert record is not None
    return replay(record)


def readers(path: Path) -> Iterator[tuple[int, Replay]]:
    """Each seat of a game, with the game as it may know it."""
    game = played(path)
    return ((seat, hide_secrets(game, seat)) for seat in range(len(game.record.names)))


def mine(known: Replay, reader: int) -> bool:
    """Whether it is the reader's turn, and the reader's cards are known."""
    return known.position.to_act == reader and HIDDEN not in known.position.hands[reader]


def positions(known: Replay) -> Iterator[Replay]:
    """A game at its end and after every third of its turns."""
    last = len(known.moments) - 1
    return (cut(known, turns) for turns in dict.fromkeys([*range(0, last, 3), last]))


@pytest.mark.slow
@some_games
def test_every_turn_is_told_to_everybody(path: Path) -> None:
    for reader, known in (*readers(path), (None, hide_secrets(played(path), None))):
        said = list(about_turns(known, reader))
        assert all(text for _, text in said)
        assert [method for method, _ in said].count("short") == len(known.moments) - 1
        check(said)


@whole_games
def test_first_sentences_hold_nothing_private(path: Path) -> None:
    """They are what somebody who only watches reads, but for the name of the reader."""
    public = hide_secrets(played(path), None)
    plugin = find_mail_plugin(public.record.game)
    for _, known in readers(path):
        for number in range(len(public.moments)):
            assert plugin.shorten_turn(known, number, None) == plugin.shorten_turn(public, number, None)
            assert plugin.write_headline(known, number) == plugin.write_headline(public, number)


@pytest.mark.slow
@some_games
def test_every_position_is_told_to_everybody(path: Path) -> None:
    for reader, known in readers(path):
        for now in positions(known):
            said = list(about_now(now, reader))
            check([each for each in said if each[1]])
            told = {method for method, text in said if text}
            over = now.position.to_act is None
            assert ("result" in told, "subject" in told, "decided" in told) == (over,) * 3
            assert [method for method, _ in said].count("decided") <= 3
            rows = find_mail_plugin(now.record.game).list_facts(now, reader)
            assert [row[0] for row in rows] == [
                "You" if name == known.record.names[reader] else name for name in known.record.names
            ]


def check(said: list[Said]) -> None:
    """Each text is tidy, as long as it may be and, where it is a sentence, begins and ends like one."""
    for method, text in said:
        assert len(text) <= ROOM.get(method, 400), (method, text)
        assert method == "facts" or not UNTIDY.search(text), text
        assert method not in SENTENCES or re.fullmatch(r"[A-Z].*\.", text), text


@every_game
def test_turns_are_told_before_they_are_played(path: Path) -> None:
    game = played(path)
    for number, moment in enumerate(game.moments):
        if (
            moment.turn
            and moment.moves
            and not moment.turn.undone
            and game.moments[number - 1].position.to_act is not None
        ):
            text = about_next(hide_secrets(game, moment.turn.seat), number)
            assert text.startswith("You "), text
            assert not UNTIDY.search(text), text


@pytest.mark.slow
@some_whole_games
def test_samples_are_accepted_as_they_are(path: Path) -> None:
    """Each is a whole turn in canonical form; there are at most three, of different cards, and some whenever it is a turn."""
    for reader, known in readers(path):
        plugin = find_mail_plugin(known.record.game)
        for now in positions(known):
            samples = plugin.list_samples(now)
            assert len(samples) <= 3
            assert len(set(samples)) == len(samples)
            if mine(now, reader):
                assert bool(samples) is any(
                    turn != plugin.passing for turn in plugin.list_playable(now, now.position.to_act or 0, "")[1]
                )
            for sample in samples:
                after = append(now, sample)
                assert after.problems == [], sample
                assert after.last.line.endswith(f" {sample}")


def orders_in(lines: list[str], known: Replay, reader: int) -> list[str]:
    """The lines that are found to be orders, or to be meant as orders, in a mail."""
    mail = Intake("ann@example.org", tuple(map(Line, lines)), "<x@example.org>", (), "")
    return [
        line.typed for line in find_orders(mail, get_order_reader(known.record.game, known.record.names, reader)).lines
    ]


@pytest.mark.slow
@some_whole_games
def test_no_sentence_reads_as_an_order(path: Path) -> None:
    """Nor does the line of a number and the sentence, as a mail has it."""
    for reader, known in readers(path):
        said = {text for _, text in about_turns(known, reader)}
        said.update(text for now in positions(known) for method, text in about_now(now, reader) if method != "facts")
        own = (n for n, each in enumerate(known.moments) if each.turn and each.turn.seat == reader)
        said.update(about_next(known, number) for number in own)
        for text in filter(None, said):
            assert orders_in([text], known, reader) == []
            assert orders_in([f"17  {text}"], known, reader) == []


@pytest.mark.slow
@some_whole_games
def test_no_piece_of_a_sentence_is_a_turn(path: Path) -> None:
    """Wherever a mail program breaks the lines: a piece may look like a turn with an error, but none can be played."""
    for reader, known in readers(path):
        read = get_order_reader(known.record.game, known.record.names, reader).read_line
        pieces = {
            piece
            for method, text in (*about_turns(known, reader), *about_now(known, reader))
            if method != "facts"
            for width in (40, 60, 72, 76, 78)
            for piece in textwrap.wrap(f"17  {text}", width)
        }
        assert [piece for piece in pieces if read(piece).order is not None] == []
