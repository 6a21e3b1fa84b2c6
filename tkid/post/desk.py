"""The desk: from a game and what a player's mail asks for to the game played on, and the letter that answers. Pure."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from tkid.kernel.problems import Kind, Problem
from tkid.post import texts
from tkid.post.marker import short_title
from tkid.post.model import IDS, Letter, Marker, Orders, Refusal
from tkid.record.model import Record
from tkid.record.replay import Replay, append
from tkid.record.seen import seen

SENDER, ONE_SEAT, NO_ORDER = IDS("sender"), IDS("one-seat"), IDS("no-order")
ONE_TURN, STALE, HISTORY = IDS("one-turn"), IDS("stale"), IDS("history")
MOST_NAMED = 3


@frozen
class Answer:
    """What came of a mail: the letter, the game with the turn (None where nothing was played), the problems."""

    letter: Letter
    replay: Replay | None = None
    problems: tuple[Problem, ...] = ()


def seat_of(record: Record, sender: str) -> int | Refusal:
    """The seat of a sender's address; a refusal for a stranger, and for an address of several seats."""
    seats = [index for index, seat in enumerate(record.seats) if seat.address.lower() == sender.lower()]
    if len(seats) == 1:
        return seats[0]
    if not seats:
        return Refusal(SENDER, f"{sender} is no player of this game")
    names = " and ".join(record.names[seat] for seat in seats)
    return Refusal(ONE_SEAT, f"{sender} is the address of {names}: nobody can tell who orders")


def ask(replay: Replay, time: datetime) -> Letter | None:
    """The turn mail to the player who is to act; None when the game is over."""
    seat = replay.position.to_act
    if seat is None:
        return None
    replay = seen(replay, seat)
    due = texts.due(replay)
    return Letter("turn", seat, due.turn, due.after, due.turn, texts.turn_mail(replay, seat), time)


def answer(replay: Replay, seat: int, orders: Orders, time: datetime) -> Answer:
    """Carry out what a player's mail asks for, or say why not: judged and told by what the player may know."""
    known = seen(replay, seat)
    if not orders.turn:
        problem = Problem(Kind.SYNTAX, NO_ORDER, "No order was found")
        return _refused(known, seat, orders, time, texts.no_order(known, seat, orders, NO_ORDER), (problem,))
    misplaced = _misplaced(known, orders.marker)
    if misplaced is not None:
        return _refused(known, seat, orders, time, texts.stale(known, seat, orders, misplaced), (misplaced,))
    problems = _not_due(known, seat, orders) or orders.problems or tuple(append(known, orders.turn).problems)
    if problems:
        return _refused(known, seat, orders, time, texts.wrong(known, seat, orders.turn, problems), problems)
    played = append(replay, orders.turn)
    notes = _left_out(orders)
    known = seen(played, seat)
    due = texts.due(known)
    text = texts.receipt(known, seat, notes)
    return Answer(Letter("note", seat, due.turn, due.after, due.turn - 1, text, time), played, notes)


def _refused(  # noqa: PLR0917 - the game, the mail, and the letter
    replay: Replay, seat: int, orders: Orders, time: datetime, text: str, problems: tuple[Problem, ...]
) -> Answer:
    due = texts.due(replay)
    kind = "again" if replay.position.to_act == seat else "note"
    about = orders.marker.turn if orders.marker else due.turn
    return Answer(Letter(kind, seat, due.turn, due.after, about, text, time), None, problems)


def _misplaced(replay: Replay, marker: Marker | None) -> Problem | None:
    """Why a mail that answers another turn than the one due cannot be carried out."""
    due = texts.due(replay)
    if marker is None or (marker.turn, marker.after) == (due.turn, due.after):
        return None
    if marker.after == texts.hash_before(replay, marker.turn):
        told = f"Your mail answers turn {marker.turn}; the game stands at turn {due.turn}"
        return Problem(Kind.INTEGRITY, STALE, told)
    if marker.title and marker.title.casefold() != short_title(due.title).casefold():
        told = f"Your mail answers turn {marker.turn} of {marker.title}; this is {due.title or 'another game'}"
    elif marker.turn > due.turn:
        told = f"Your mail answers turn {marker.turn}; the game stands at turn {due.turn} only"
    else:
        told = f"Your mail answers turn {marker.turn} after #{marker.after}, which is not how this game went"
    hint = "It belongs to another game, or to another copy of this game's file."
    return Problem(Kind.INTEGRITY, HISTORY, told, hint=hint)


def _not_due(replay: Replay, seat: int, orders: Orders) -> tuple[Problem, ...]:
    """Why a player may not act now."""
    position, game, names = replay.position, replay.record.game, replay.record.names
    if position.to_act == seat:
        return ()
    if position.to_act is None:
        rule_id, told = game.ids("ending.over"), f"The game is over ({position.ending})"
    else:
        rule_id, told = game.ids("turn.order"), f"It is {names[position.to_act]}'s turn, not {names[seat]}'s"
    return (Problem(Kind.ILLEGAL, rule_id, told, length=len(orders.turn)),)


def _left_out(orders: Orders) -> tuple[Problem, ...]:
    """The note on orders that were not carried out."""
    if not orders.others:
        return ()
    named = ", ".join(f"`{order[:80]}`" for order in orders.others[:MOST_NAMED])
    more = len(orders.others) - MOST_NAMED
    told = f"Not carried out, as one mail gives one turn: {named}{f' and {more} more' if more > 0 else ''}"
    return (Problem(Kind.ILLEGAL, ONE_TURN, told),)
