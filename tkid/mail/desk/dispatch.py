"""Whose mail it is, and which handler carries out a line of it, or why none may. Pure."""

from __future__ import annotations

from attrs import evolve

from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk.handlers import HANDLERS, not_due
from tkid.mail.desk.results import Mail, OrderResult, failed, problem
from tkid.mail.game.hosted_game import HostedGame, next_marker
from tkid.mail.game.timeline import next_turn
from tkid.mail.letters.blocks import Blocks, Excerpt, Paragraph, Turn
from tkid.mail.letters.content import lower, sentence
from tkid.mail.marker import short_title
from tkid.mail.model import IDS, OrderLine, Refusal
from tkid.orders.kinds import BY_NAME, OrderKind, kind_of
from tkid.orders.model import Order
from tkid.record.clock.notes import OUT_OF_TIME
from tkid.record.format.model import Record
from tkid.rulebook import cites

OTHERS = "post.order", "mail."
"""How the rules begin that are about lines and mails, and not about a turn."""
SENDER, ONE_SEAT, STALE, HISTORY = IDS("sender"), IDS("one-seat"), IDS("stale"), IDS("history")


def seat_of(record: Record, sender: str) -> int | Refusal:
    """The seat of a sender's address; a refusal for a stranger, and for an address of several seats."""
    seats = [index for index, seat in enumerate(record.seats) if seat.address.lower() == sender.lower()]
    if len(seats) == 1:
        return seats[0]
    if not seats:
        return Refusal(SENDER, f"{sender} is not a player in this game")
    names = " and ".join(record.names[seat] for seat in seats)
    return Refusal(ONE_SEAT, f"{sender} is the address of {names}, so it is not clear who wrote")


def carry_out(game: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    """Carry out a line, or say why not; the game is as it was, where there are problems."""
    order = line.read.order
    if order is None:
        if early := _out_of_turn(game, line, mail):
            return early
        if over := _over(game, line, BY_NAME.get(line.read.kind)):
            return failed(game, line, [over])
        result = failed(game, line, line.read.problems)
        shows_turns = line.read.kind in {"turn", ""} and game.awaited == mail.seat
        return result.with_turns(mail.seat, line.typed) if shows_turns else result
    refusal = _other_history(game, line, mail) or _without_host(line, mail, order) or _over(game, line, kind_of(order))
    refusal = refusal or _gone(game, line, mail, order) or _late(game, line, mail, order)
    if refusal is None:
        return HANDLERS[kind_of(order).order](game, line, mail, order)
    result = failed(game, line, [refusal])
    return evolve(result, answer=(*result.answer, *_taken_already(game, mail))) if refusal.rule == STALE else result


@cites("mail.answer.order")
def _out_of_turn(game: HostedGame, line: OrderLine, mail: Mail) -> OrderResult | None:
    """The answer to a turn with an error whose sender may not act now: that comes first, the error second."""
    wrong = line.read.problems[0]
    is_turn = line.read.kind in {"turn", ""} and not wrong.rule.startswith(OTHERS)
    early = not_due(game, line, mail) if is_turn else None
    if early is None:
        return None
    also = " ".join(filter(None, (f"Your line has an error too: {sentence(lower(wrong.message))}", wrong.hint)))
    line = evolve(line, read=evolve(line.read, kind="turn"))
    return OrderResult(line, game, (Excerpt(line.typed, wrong.col, wrong.length), Paragraph(also)), (early,))


# -- answers to another turn ------------------------------------------------------------------------------


@cites("mail.history")
def _other_history(game: HostedGame, line: OrderLine, mail: Mail) -> Problem | None:
    """Why a line does not count that answers a mail of another game, or of another course of this one."""
    marker, known = mail.marker, game.as_told(mail.seat)
    if marker is None or marker.after in game.hashes_before(mail.seat, marker.turn):
        return None
    current = next_marker(known)
    if marker.title and marker.title.casefold() != short_title(current.title).casefold():
        message = (
            f"Your mail answers turn {marker.turn} of {marker.title}, but this is {current.title or 'another game'}"
        )
    elif marker.turn > current.turn:
        message = f"Your mail answers turn {marker.turn}; the game is only at turn {current.turn}"
    else:
        message = f"Your mail answers turn {marker.turn} after #{marker.after}, but this game went differently"
    hint = "It belongs to another game, or to another copy of this game's file."
    return problem(line, HISTORY, message, hint, Kind.INTEGRITY)


@cites("mail.stale", "post.order.late")
def _late(game: HostedGame, line: OrderLine, mail: Mail, order: Order) -> Problem | None:
    """Why an order cannot be carried out that answers an older mail."""
    marker, turn, answers = mail.marker, next_turn(game.replay), kind_of(order).answers
    if marker is None or marker.turn == turn or answers == "any" or (answers == "latest" and not mail.has_host):
        return None
    hint = "If you still mean it, answer this mail."
    if answers == "due":
        if game.time.over:
            return None
        hint = hint if game.awaited == mail.seat else ""
        message = f"Your mail answers turn {marker.turn}, but the game is at turn {turn}"
        return problem(line, STALE, message, hint, Kind.INTEGRITY)
    if marker.turn <= game.memory.seats[mail.seat].told:
        message = f"Your mail answers turn {marker.turn}. You have had news since then: the game is at turn {turn}"
        return problem(line, "post.order.late", message, hint, Kind.INTEGRITY)
    return None


def _taken_already(game: HostedGame, mail: Mail) -> Blocks:
    """The turn that was taken in place of the one that a mail answers too late."""
    for moment in game.known(mail.seat).moments:
        if mail.marker and moment.turn and moment.turn.number == mail.marker.turn:
            out = OUT_OF_TIME.why in moment.turn.notes
            message = "The host passed for you in that turn:" if out else "That turn has been played:"
            return Paragraph(message), Turn(moment.line, moment.hash)
    return ()


# -- what may not be ordered ------------------------------------------------------------------------------


@cites("post.order.hosted")
def _without_host(line: OrderLine, mail: Mail, order: Order) -> Problem | None:
    """Why an order cannot be carried out where nobody keeps more than the record."""
    if mail.has_host or not kind_of(order).needs_host(order):
        return None
    hint = "Without a host you can send turns, drafts, questions, `away` and `resign`."
    return problem(line, "post.order.hosted", "Only a host can do this, and this game has none", hint)


@cites("post.order.over", "post.agree.opened")
def _over(game: HostedGame, line: OrderLine, kind: OrderKind | None) -> Problem | None:
    """Why nothing is ordered any more in a game that is over; why no turn is played, is said by the game's own rules."""
    if not game.time.over or (kind is not None and kind.over):
        return None
    return problem(line, "post.order.over", "The game is over: there is nothing left to decide")


@cites("post.resign")
def _gone(game: HostedGame, line: OrderLine, mail: Mail, order: Order) -> Problem | None:
    """Why a player who has resigned does not act any more."""
    if game.time.over or game.time.seats[mail.seat].plays or kind_of(order).gone:
        return None
    hint = "You may still write to the others, ask, and choose which mails you get."
    return problem(line, "post.resign", "You have resigned, so you cannot do this any more", hint)
