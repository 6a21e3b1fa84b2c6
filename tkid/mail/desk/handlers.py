"""How each kind of order is carried out: absences, wishes, words, questions, giving up; and the table of all. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tkid.mail.desk import answers, undo
from tkid.mail.desk.results import (
    Mail,
    OrderResult,
    about_line,
    check_draft,
    failed,
    give_plan,
    play_turn,
    problem,
    said_of,
    told_events,
)
from tkid.mail.desk.undo import Undoing
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.game.plans import all_end, cancel
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.model import OrderLine
from tkid.orders.model import (
    NO_PICTURES,
    PICTURES,
    Ask,
    Away,
    Cancel,
    Draft,
    Notify,
    Planned,
    Resign,
    Say,
    Standing,
    Undo,
)
from tkid.orders.model import Turn as TurnOrder
from tkid.record.clock.notes import Away as AwayLine
from tkid.record.clock.notes import Back, Resigned
from tkid.record.clock.terms import DEFAULT
from tkid.rulebook import cites

# -- plans and time ---------------------------------------------------------------------------------------


def _cancel(at: HostedGame, line: OrderLine, mail: Mail, order: Cancel) -> OrderResult:
    """End plans, or an absence."""
    if order.what == "away":
        return _back(at, line, mail)
    mine = at.memory.seats[mail.seat]
    changed = cancel(at.known(mail.seat), mail.seat, mine.plans, order)
    if changed.problems:
        return failed(at, line, *about_line(changed.problems, line))
    after = at.remembering(at.memory.with_seat(mail.seat, plans=changed.plans))
    nothing = "There was no such plan to cancel." if mine.plans else "You had no plans."
    return OrderResult(
        line, after, said_of(line, told_events(changed.notes) if changed.notes else f"{nothing} [post.plan.ends]")
    )


@cites("post.away", "post.away.late", "post.away.most")
def _away(at: HostedGame, line: OrderLine, mail: Mail, order: Away) -> OrderResult:
    """Announce an absence, if there is any new day in it."""
    first, last = order.first.isoformat(), order.last.isoformat()
    allowed, before = (at.time.clock or DEFAULT).away, set(at.time.seats[mail.seat].pauses)
    after = at.with_line(AwayLine(mail.seat, order.first, order.last, at.moment(mail.now)))
    days, announced = len(set(after.time.seats[mail.seat].pauses) - before), (order.last - order.first).days + 1
    if not days:
        used_up = len(before) >= allowed
        why = f"Your {allowed} days of absence are used up" if used_up else "No new day is among these"
        rule, hint = "post.away.most" if used_up else "post.away.late", "Days count from tomorrow on, each once."
        return failed(at, line, problem(line, rule, why, hint))
    told = f"You are away {f'from {first} to {last}' if first != last else f'on {first}'}."
    if at.time.clock is None:
        return OrderResult(line, after, said_of(line, f"{told} This game has no clock. [post.away]"))
    if days == announced:
        told += f" Your clock stands still on {'this day' if days == 1 else f'these {days} days'}."
    else:
        told += (
            f" Your clock stands still on {days} of these {announced} days: those that have begun, that you announced "
            f"before, or that go beyond the {allowed} days of a game do not count."
        )
    return OrderResult(line, after, said_of(line, f"{told} [post.away]"))


@cites("post.back")
def _back(at: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    """End an absence."""
    now = at.moment(mail.now)
    if not any(pause.end > now for pause in at.time.seats[mail.seat].pauses):
        return OrderResult(line, at, said_of(line, "You have announced no absence that is still to come. [post.back]"))
    told = "You are back: your clock runs, and the absence that you announced is over. [post.back]"
    return OrderResult(line, at.with_line(Back(mail.seat, now)), said_of(line, told))


@cites("post.notify")
def _notify(at: HostedGame, line: OrderLine, mail: Mail, order: Notify) -> OrderResult:
    """Keep a wish about news, or about pictures."""
    if order.level in {PICTURES, NO_PICTURES}:
        wanted = order.level == PICTURES
        told = f"From now on your mails show the position {'as a picture too' if wanted else 'in text alone'}. [post.notify]"
        return OrderResult(line, at.remembering(at.memory.with_seat(mail.seat, pictures=wanted)), said_of(line, told))
    told = f"From now on you get news {answers.wish(at, order.level)}. You are asked for your turns in any case. [post.notify]"
    return OrderResult(line, at.remembering(at.memory.with_seat(mail.seat, wish=order.level)), said_of(line, told))


@cites("post.resign")
def _resign(at: HostedGame, line: OrderLine, mail: Mail, _: Resign) -> OrderResult:
    """Give up."""
    mine, others = at.memory.seats[mail.seat], tuple(seat for seat in range(len(at.names)) if seat != mail.seat)
    ended = tuple(map(str, all_end(mine.plans, "you have resigned", "post.resign")))
    memory = at.memory.with_seat(mail.seat, plans=(), notes=(*mine.notes, *ended))
    after = at.remembering(memory).with_line(Resigned(mail.seat, at.moment(mail.now)))
    told = "You have resigned." if after.time.winners else "You have resigned: your seat passes from now on."
    undone = undo.without(after, mail.seat, mail.now)
    words = (
        Announcement(others, f"{at.names[mail.seat]} gives up. [post.resign]", tells=after.time.over),
        *undone.words,
    )
    said = said_of(line, f"{told} [post.resign]", *([f"{undone.told} [post.undo]"] if undone.told else []))
    return OrderResult(line, undone.at, said, words=words)


# -- words and questions ----------------------------------------------------------------------------------


@cites("post.say")
def _say(at: HostedGame, line: OrderLine, mail: Mail, order: Say) -> OrderResult:
    """Send words to others."""
    everybody = order.to == "all"
    seats = tuple(seat for seat in range(len(at.names)) if seat != mail.seat and (everybody or seat == order.to))
    told = f"Sent to {'all' if everybody else at.names[seats[0]]}. [post.say]"
    return OrderResult(line, at, said_of(line, told), words=(Announcement(seats, order.text, mail.seat, everybody),))


def _undo(at: HostedGame, line: OrderLine, mail: Mail, order: Undo) -> OrderResult:
    """Ask for a turn to be taken back, agree, or refuse."""
    result: Undoing
    match order.consent:
        case "ask":
            result = undo.propose(at, mail.seat, mail.now)
        case "agree":
            result = undo.agree(at, mail.seat, mail.now)
        case "refuse":
            result = undo.refuse(at, mail.seat)
    if result.problem:
        return failed(at, line, *about_line([result.problem], line))
    return OrderResult(line, result.at, said_of(line, f"{result.told} [post.undo]"), words=result.words)


def _ask(at: HostedGame, line: OrderLine, mail: Mail, order: Ask) -> OrderResult:
    """Answer a question."""
    to = Recipient.of(at, mail.seat, mail.now)
    said = said_of(line, *answers.answer(to, order, hosted=mail.hosted))
    return OrderResult(line, at, said, ways=order.kind == "legal" and to.may_act)


HANDLERS: dict[type, Callable[[HostedGame, OrderLine, Mail, Any], OrderResult]] = {
    TurnOrder: play_turn,
    Draft: check_draft,
    Standing: give_plan,
    Planned: give_plan,
    Cancel: _cancel,
    Away: _away,
    Notify: _notify,
    Resign: _resign,
    Say: _say,
    Undo: _undo,
    Ask: _ask,
}
"""How each kind of order is carried out, by its class in the table of kinds."""
