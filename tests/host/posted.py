"""What the post brings to one seat, as whole mails: the bytes that are sent when a game begins, and after a mail."""

from __future__ import annotations

from tests.mail.mails import ANN, TIME, orders_of
from tkid.kernel.problems import Problem
from tkid.mail import game_service
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.hosted_game import Memory
from tkid.mail.message import compose_mail
from tkid.record.format.model import Record
from tkid.record.play.replay import Replay

SENDER, KEY = "tkid@localhost", "0123456789abcdef"


def to_seat(outcome: Outcome, seat: int) -> list[bytes]:
    """The mails to a seat."""
    at = outcome.game.replay
    opened = outcome.game.opened
    return [
        compose_mail(at, letter, ANN, SENDER, key=KEY, opened=opened)
        for letter in outcome.letters
        if letter.seat == seat
    ]


def begun(record: Record, seat: int) -> list[bytes]:
    """What a seat gets when a game begins; nothing of one that begins with its end, as nothing is hidden then."""
    outcome = game_service.begin_game(record, TIME)
    return [] if outcome.game.opened else to_seat(outcome, seat)


def asked(played: Replay, seat: int) -> list[bytes]:
    """What a seat gets that is asked for a turn, without a host."""
    letter = game_service.ask_for_turn(played, TIME)
    return [compose_mail(played, letter, ANN, SENDER)] if letter is not None and letter.seat == seat else []


def by_hand(played: Replay, seat: int, text: str) -> Outcome:
    """What comes of a seat's mail without a host."""
    at = game_service.open_without_host(played, seat)
    return game_service.receive_mail(at, seat, orders_of(text, played, seat), TIME)


def at_host(played: Replay, seat: int, text: str) -> Outcome:
    """What comes of a seat's mail at a host, of which everybody is told every turn from the beginning."""
    memory = Memory.make_new(len(played.record.seats), "struggles")
    for each in range(len(played.record.seats)):
        memory = memory.with_seat(each, wish="every turn")
    at = HostedGame(played, memory)
    return game_service.receive_mail(at, seat, orders_of(text, played, seat), TIME)


def answered(played: Replay, seat: int, text: str) -> tuple[tuple[Problem, ...], list[bytes], list[bytes]]:
    """The problems and the mails that a seat's own mail brings back: without a host, and from one.

    None from a host that has opened all hands, because the game is over.
    """
    alone, hosted = by_hand(played, seat, text), at_host(played, seat, text)
    return alone.problems, to_seat(alone, seat), [] if hosted.game.opened else to_seat(hosted, seat)
