"""The desk: whose mail it is, and what one line of it makes of a game, or why it may not. Pure."""

from __future__ import annotations

from attrs import evolve

from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk.handlers import HANDLERS
from tkid.mail.desk.results import Blocks, Mail, OrderResult, failed, problem, with_ways
from tkid.mail.game.hosted_game import HostedGame, due, hash_before
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Paragraph
from tkid.mail.marker import short_title
from tkid.mail.model import IDS, OrderLine, Refusal
from tkid.orders.kinds import kind_of
from tkid.orders.model import Order
from tkid.record.clock.notes import OUT_OF_TIME
from tkid.record.format.model import Record
from tkid.rulebook import cites

__all__ = ["Mail", "OrderResult", "carry_out", "seat_of"]

SENDER, ONE_SEAT, STALE, HISTORY = IDS("sender"), IDS("one-seat"), IDS("stale"), IDS("history")


def seat_of(record: Record, sender: str) -> int | Refusal:
    """The seat of a sender's address; a refusal for a stranger, and for an address of several seats."""
    seats = [index for index, seat in enumerate(record.seats) if seat.address.lower() == sender.lower()]
    if len(seats) == 1:
        return seats[0]
    if not seats:
        return Refusal(SENDER, f"{sender} is no player of this game")
    names = " and ".join(record.names[seat] for seat in seats)
    return Refusal(ONE_SEAT, f"{sender} is the address of {names}: nobody can tell who orders")


def carry_out(at: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    """Carry out a line, or say why not; the game is as it was, where there are problems."""
    order = line.read.order
    if order is None:
        return _misread(at, line, mail)
    refused = _other_history(at, line, mail) or _not_kept(line, mail, order) or _over(at, line, order)
    refused = refused or _gone(at, line, mail, order) or _late(at, line, mail, order)
    if refused is None:
        return HANDLERS[kind_of(order).order](at, line, mail, order)
    done = failed(at, line, refused)
    return evolve(done, said=(*done.said, *_taken_already(at, mail))) if refused.rule == STALE else done


def _misread(at: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    """A line that was not understood: where it was meant as a turn, with turns to copy."""
    done = failed(at, line, *line.read.problems)
    if line.read.kind not in {"turn", ""} or at.awaited != mail.seat:
        return done
    return with_ways(done, at.known(mail.seat), line.typed)


# -- answers to another turn ------------------------------------------------------------------------------


@cites("mail.history")
def _other_history(at: HostedGame, line: OrderLine, mail: Mail) -> Problem | None:
    """Why a line does not count that answers a mail of another game, or of another course of this one."""
    marker, known = mail.marker, at.known(mail.seat)
    if marker is None or marker.after == hash_before(known, marker.turn):
        return None
    stands = due(known)
    if marker.title and marker.title.casefold() != short_title(stands.title).casefold():
        told = f"Your mail answers turn {marker.turn} of {marker.title}; this is {stands.title or 'another game'}"
    elif marker.turn > stands.turn:
        told = f"Your mail answers turn {marker.turn}; the game stands at turn {stands.turn} only"
    else:
        told = f"Your mail answers turn {marker.turn} after #{marker.after}, which is not how this game went"
    hint = "It belongs to another game, or to another copy of this game's file."
    return problem(line, HISTORY, told, hint, Kind.INTEGRITY)


@cites("mail.stale", "post.order.late")
def _late(at: HostedGame, line: OrderLine, mail: Mail, order: Order) -> Problem | None:
    """Why an order cannot be carried out that answers an older mail."""
    marker, stands, answers = mail.marker, due(at.replay).turn, kind_of(order).answers
    if marker is None or marker.turn == stands or at.time.over:
        return None
    hint = "If you still mean it, answer this mail."
    if answers == "due":
        hint = hint if at.awaited == mail.seat else ""
        told = f"Your mail answers turn {marker.turn}; the game stands at turn {stands}"
        return problem(line, STALE, told, hint, Kind.INTEGRITY)
    if answers == "told" and marker.turn <= at.memory.seats[mail.seat].told:
        told = (
            f"Your mail answers turn {marker.turn}; you have been told more since, and the game stands at turn {stands}"
        )
        return problem(line, "post.order.late", told, hint, Kind.INTEGRITY)
    return None


def _taken_already(at: HostedGame, mail: Mail) -> Blocks:
    """The turn that was taken in place of the one that a mail answers too late."""
    moments = at.known(mail.seat).moments
    for moment in moments:
        if mail.marker and moment.turn and moment.turn.number == mail.marker.turn:
            out = OUT_OF_TIME.why in moment.turn.notes
            return Paragraph("The clock had passed that turn:" if out else "That turn has been played:"), content.turn(
                moment
            )
    return ()


# -- what may not be ordered ------------------------------------------------------------------------------


@cites("post.order.hosted")
def _not_kept(line: OrderLine, mail: Mail, order: Order) -> Problem | None:
    """Why an order cannot be carried out where nobody keeps more than the record."""
    if mail.hosted or not kind_of(order).needs_host(order):
        return None
    hint = "Turns, drafts, questions, `away` and `resign` are carried out."
    return problem(line, "post.order.hosted", "Only a host carries this out; this game is passed on by hand", hint)


@cites("post.order.over")
def _over(at: HostedGame, line: OrderLine, order: Order) -> Problem | None:
    """Why nothing is ordered any more in a game that is over; why no turn is played, is said by the game's own rules."""
    if not at.time.over or kind_of(order).over:
        return None
    return problem(line, "post.order.over", "The game is over: there is nothing to be decided any more")


@cites("post.resign")
def _gone(at: HostedGame, line: OrderLine, mail: Mail, order: Order) -> Problem | None:
    """Why a player who has resigned does not act any more."""
    if at.time.over or at.time.seats[mail.seat].plays or kind_of(order).gone:
        return None
    hint = "You may still write to the others, ask, and choose which mails you get."
    return problem(line, "post.resign", "You have resigned, and do not act any more", hint)
