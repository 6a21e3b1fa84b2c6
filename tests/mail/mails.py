"""What the tests of the post share: the fixtures, mails made of a text, and a whole run from bytes to answer."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email import message_from_bytes
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import default
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hypothesis import settings

from tkid.kernel.game import fill_names
from tkid.mail import game_service, order_handlers
from tkid.mail.blocks import format_plain
from tkid.mail.game_service import Outcome
from tkid.mail.marker import PHRASE, shorten_title
from tkid.mail.message import compose_mail
from tkid.mail.mime import take_in
from tkid.mail.model import Intake, Line, Marker, Orders, Refusal
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay

FOLDER = Path(__file__).parents[2] / "fixtures" / "mail"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text("utf-8"))
TIME = datetime(2026, 11, 21, 10, tzinfo=UTC)
MARKER = "--- write your order above this line (winter-2026, turn 1, #c3aea4) ---"
ANN, BOB = "ann@example.org", "bob@example.org"
AS_READ = default.clone(header_factory=lru_cache(maxsize=10_000)(HeaderRegistry()))
"""How the standard library reads a mail; a header is read once, where it would be whenever somebody looks at it."""
UNTIMED = settings(deadline=None)
"""No time decides a test."""
LEGAL = "Manoeuvre E Lancaster <> S Northumbria; summon E Northumbria"


@cache
def game(name: str = "game.tkid") -> Replay:
    """A game of the fixtures, played through."""
    record = read_record((FOLDER / name).read_bytes()).record
    assert record is not None
    return replay(record)


GAME = game()
MIDGAME = game("midgame.tkid")


def played(*turns: str, of: Replay = GAME) -> Replay:
    """A game with more turns."""
    for turn in turns:
        of = append(of, turn)
        assert not of.problems, turn
    return of


def mail(text: str = "Pass", *headers: str, sender: str = "Ann <ann@example.org>") -> bytes:
    """The bytes of a simple mail."""
    return "\r\n".join((f"From: {sender}", *headers, "", text)).encode()


def orders_of(text: str, of: Replay = GAME, seat: int | None = None) -> Orders:
    """What the lines of a mail ask for; those that begin with `>` are quoted."""
    lines = tuple(Line(line, line.startswith(">")) for line in text.split("\n"))
    record = of.record
    return find_orders(Intake(ANN, lines, "", (), ""), get_order_reader(record.game, record.names, seat))


def answered(text: str, of: Replay = GAME, seat: int = 0) -> Outcome:
    """What comes of the lines of a mail, without a host."""
    return game_service.receive_mail(game_service.open_without_host(of, seat), seat, orders_of(text, of, seat), TIME)


def said(outcome: Outcome) -> str:
    """The text of the answer."""
    return format_plain(outcome.letters[0].body)


def run(data: bytes, of: Replay = GAME) -> Outcome | Refusal:
    """From the bytes of a mail to what comes of it, or to the refusal of one that is not answered."""
    taken = take_in(data)
    if isinstance(taken, Refusal):
        return taken
    seat = order_handlers.find_sender_seat(of.record, taken.sender)
    if isinstance(seat, Refusal):
        return seat
    record = of.record
    orders = find_orders(taken, get_order_reader(record.game, record.names, seat))
    return game_service.receive_mail(game_service.open_without_host(of, seat), seat, orders, TIME)


def outcome(data: bytes, of: Replay = GAME) -> str:
    """What comes of a mail: the turn that is played, the rule that is named, or the answer to a question."""
    result = run(data, of)
    if isinstance(result, Refusal):
        return result.rule
    if not result.record_changed:
        return result.problems[0].rule if result.problems else said(result)
    return fill_names(of.record.game.words.write_turn(result.game.replay.last.moves), of.record.names) or said(result)


def composed(of: Outcome, parent: Intake | None = None, to: str = ANN) -> EmailMessage:
    """An answer as a mail, read back by the standard library."""
    return parsed(compose_mail(of.game.replay, of.letters[0], to, "tkid@localhost", parent))


def parsed(data: bytes) -> EmailMessage:
    """A mail of ours as the standard library reads it."""
    message: Any = message_from_bytes(data, policy=AS_READ)
    assert isinstance(message, EmailMessage)
    return message


def body(message: EmailMessage) -> str:
    """The text of a mail of ours."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def write_marker(marker: Marker) -> str:
    """The line that letters had before there were references. With a key the game's name is left out: the line is full."""
    if marker.key:
        return f"--- {PHRASE} (turn {marker.turn}, #{marker.after}, key {marker.key}) ---"
    title = shorten_title(marker.title)
    return f"--- {PHRASE} ({f'{title}, ' if title else ''}turn {marker.turn}, #{marker.after}) ---"
