"""How each kind of order is carried out, and the table of all kinds. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import evolve

from tkid.kernel.problems import Problem
from tkid.mail.desk import agreements, answers, parting, undo
from tkid.mail.desk.results import Mail, OrderResult, done, failed, problem, refused
from tkid.mail.game.early_ends import early_result
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.game.memory import EVERY_TURN
from tkid.mail.game.plans import Note, all_end, cancel, give, own_turn
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Events, Paragraph, Samples
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.model import OrderLine
from tkid.notation.dates import day_in_words
from tkid.orders.model import (
    NO_PICTURES,
    PICTURES,
    Agree,
    Ask,
    Away,
    Cancel,
    Draft,
    Notify,
    Pause,
    Planned,
    Resign,
    Say,
    Standing,
    Turn,
    Undo,
)
from tkid.record.clock.notes import Away as AwayLine
from tkid.record.clock.notes import Back, Resigned, Resumed
from tkid.record.clock.terms import DEFAULT
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import append
from tkid.record.plugin import record_plugin
from tkid.rulebook import cites

OVER = "The game is over"

# -- turns ------------------------------------------------------------------------------------------------


@cites("post.adjourn", "post.pause.turn")
def _turn(game: HostedGame, line: OrderLine, mail: Mail, order: Turn) -> OrderResult:
    """Play a turn; an adjourned game goes on with it, a pause does not end."""
    if early := not_due(game, line, mail):
        return failed(game, line, [early])
    known = game.known(mail.seat)
    typed = order.text if reader(known.record.game, known.record.names).turn(line.typed).problems else line.typed
    problems = tuple(append(known, typed).problems)
    if problems:
        result = OrderResult(line, game, content.wrong(typed, problems), problems, shown=typed)
        return result.with_turns(mail.seat, typed)
    if game.time.adjourned:
        game = game.with_line(Resumed(game.moment(mail.now)))
    mine = game.memory.seats[mail.seat]
    changed = own_turn(known, mail.seat, mine.plans)
    notes = (*mine.notes, *(note.sentence for note in changed.notes))
    game = game.remembering(game.memory.with_seat(mail.seat, plans=changed.plans, notes=notes))
    return OrderResult(line, game.with_turn(order.text, mail.now))


def not_due(game: HostedGame, line: OrderLine, mail: Mail) -> Problem | None:
    """Why a player may not act now."""
    position, ids = game.replay.position, game.record.game.ids
    rules = record_plugin(game.record.game).rules
    if game.time.over and position.to_act is not None:
        ended = early_result(game.replay, None)[1].removesuffix(".")
        return problem(line, "post.order.over", ended if ended.startswith(OVER) else f"{OVER}. {ended}")
    if position.to_act is None:
        return problem(line, ids(rules.over), f"{OVER}: {position.ending}")
    if position.to_act != mail.seat:
        message = f"It is {game.names[position.to_act]}'s turn, not {game.names[mail.seat]}'s"
        return problem(line, ids(rules.order), message)
    return None


@cites("post.draft")
def _draft(game: HostedGame, line: OrderLine, mail: Mail, order: Draft) -> OrderResult:
    """Check a turn, and tell its sender alone what would follow."""
    if early := not_due(game, line, mail):
        why = "the game is over" if game.time.over else "it is not your turn"
        return _unchecked(game, line, f"Nothing was checked: {why}.", (early,), line.typed)
    turn = order.turn.text
    after = append(game.known(mail.seat), turn)
    if after.problems:
        lead = "This turn would not be legal now. Nothing has been played."
        return _unchecked(game, line, lead, tuple(after.problems), turn).with_turns(mail.seat, turn)
    follows = Events((content.numbered(after, -1, mail.seat),))
    secret = ", as far as you can know" if game.record.game.secret else ""
    lead = "This turn is legal now. Nothing has been played."
    send, would = "To play it, send it without `draft`:", f"What would happen{secret}:"
    return evolve(done(game, line, lead, send, Samples((turn,)), would, follows, rule="post.draft"), shows_turns=True)


def _unchecked(game: HostedGame, line: OrderLine, lead: str, problems: tuple[Problem, ...], typed: str) -> OrderResult:
    """A draft that is no legal turn now."""
    why = Paragraph(content.sentence(content.first_problem(problems).message))
    return OrderResult(line, game, (why, *content.wrong(typed, problems)), problems, lead=lead)


# -- plans ------------------------------------------------------------------------------------------------


def _plan(game: HostedGame, line: OrderLine, mail: Mail, order: Standing | Planned) -> OrderResult:
    """Give a plan: it is looked at as soon as all else in the mail was done."""
    mine = game.memory.seats[mail.seat]
    changed = give(game.known(mail.seat), mail.seat, mine.plans, order, mine.last_plan)
    if changed.problems:
        return refused(game, line, changed.problems)
    last = max(plan.number for plan in changed.plans)
    memory = game.memory.with_seat(mail.seat, plans=changed.plans, last_plan=max(last, mine.last_plan))
    after = game.remembering(evolve(memory, looked=""))
    return done(after, line, "Your plan is saved. Only you can see it.", _events(changed.notes), rule="post.plan")


def _cancel(game: HostedGame, line: OrderLine, mail: Mail, order: Cancel) -> OrderResult:
    if order.what == "away":
        return _back(game, line, mail)
    mine = game.memory.seats[mail.seat]
    changed = cancel(game.known(mail.seat), mail.seat, mine.plans, order)
    if changed.problems:
        return refused(game, line, changed.problems)
    nothing = "There was no such plan to cancel." if mine.plans else "You had no plans to cancel."
    after = game.remembering(game.memory.with_seat(mail.seat, plans=changed.plans))
    notes = [_events(changed.notes)] if changed.notes else []
    return done(after, line, "Your plans are cancelled." if notes else nothing, *notes, rule="post.plan.ends")


def _events(notes: Iterable[Note]) -> Events:
    return Events(tuple(("", note.sentence) for note in notes))


# -- time, wishes, giving up ------------------------------------------------------------------------------


@cites("post.away", "post.away.late", "post.away.most")
def _away(game: HostedGame, line: OrderLine, mail: Mail, order: Away) -> OrderResult:
    """Announce an absence, if there is any new day in it."""
    first, last = day_in_words(order.first), day_in_words(order.last)
    allowed, before = (game.time.clock or DEFAULT).away, set(game.time.seats[mail.seat].pauses)
    after = game.with_line(AwayLine(mail.seat, order.first, order.last, game.moment(mail.now)))
    days, announced = len(set(after.time.seats[mail.seat].pauses) - before), (order.last - order.first).days + 1
    if not days:
        used_up = len(before) >= allowed
        why = (
            f"You have used up your {allowed} days of absence"
            if used_up
            else "You have announced these days already, or they have begun"
        )
        rule, hint = "post.away.most" if used_up else "post.away.late", "An absence can start tomorrow at the earliest."
        return failed(game, line, [problem(line, rule, why, hint)])
    if game.time.clock is None:
        what = "This game has no clock."
    elif days == announced:
        what = f"Your clock stops on {'this day' if days == 1 else f'these {days} days'}."
    else:
        what = (
            f"Your clock stops on {days} of these {announced} days. Days that have begun, that you announced "
            f"before, or that go beyond the {allowed} days of a game do not count."
        )
    lead = f"You are away {f'from {first} to {last}' if first != last else f'on {first}'}."
    return done(after, line, lead, what, rule="post.away")


@cites("post.back")
def _back(game: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    now = game.moment(mail.now)
    if game.time.seats[mail.seat].stand_in is not None:
        why = "You play for somebody else, and only the player can cancel an absence"
        return failed(game, line, [problem(line, "post.back", why, "To give the seat back, send `resign`.")])
    if not any(pause.end > now for pause in game.time.seats[mail.seat].pauses):
        return done(game, line, "You have not announced any days away.", rule="post.back")
    lead = "You are back, and your clock is running again."
    return done(game.with_line(Back(mail.seat, now)), line, lead, rule="post.back")


@cites("post.notify")
def _notify(game: HostedGame, line: OrderLine, mail: Mail, order: Notify) -> OrderResult:
    if order.level in {PICTURES, NO_PICTURES}:
        memory = game.memory.with_seat(mail.seat, pictures=order.level == PICTURES)
        how = "with a picture of the board" if order.level == PICTURES else "without pictures"
        return done(game.remembering(memory), line, f"From now on your mails come {how}.", rule="post.notify")
    memory = game.memory.with_seat(mail.seat, wish=order.level)
    told = f"From now on you get news {answers.wish(game, order.level)}."
    asked = "You still get a mail when it is your turn."
    lead, *more = [told, asked] if order.level == EVERY_TURN else [asked, told]
    lead, more = (told, []) if game.time.over else (lead, more)
    return done(game.remembering(memory), line, lead, *more, rule="post.notify")


@cites("post.resign")
def _resign(game: HostedGame, line: OrderLine, mail: Mail, _: Resign) -> OrderResult:
    if game.time.seats[mail.seat].stand_in is not None:
        return _gives_back(game, line, mail)
    mine, name = game.memory.seats[mail.seat], game.names[mail.seat]
    ended = tuple(note.sentence for note in all_end(mine.plans, "you have resigned", "post.resign"))
    memory = game.memory.with_seat(mail.seat, plans=(), notes=(*mine.notes, *ended))
    after = game.remembering(memory).with_line(Resigned(mail.seat, game.moment(mail.now)))
    passes = () if after.time.winners else ("The host passes for you from now on.",)
    text = f"{name} has resigned"
    gives_up = Announcement(game.others(mail.seat), f"{text}.", tells=after.time.over, rule="post.resign", subject=text)
    settled, also, told = _without(after, mail)
    told = (gives_up, *told)
    return done(settled, line, "You have resigned.", *passes, *also, rule="post.resign", announcements=told)


@cites("post.stand-in.leave")
def _gives_back(game: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    """A stand-in leaves: the game stays the player's, and is resigned by nobody."""
    after, told = parting.given_back(game, mail.seat, mail.now)
    if after.time.seats[mail.seat].gone:
        after, _, also = _without(after, mail)
        told = (*told, *also)
    lead = f"You no longer play for {game.names[mail.seat]}."
    return done(after, line, lead, rule="post.stand-in.leave", announcements=told)


def _without(game: HostedGame, mail: Mail) -> tuple[HostedGame, tuple[str, ...], tuple[Announcement, ...]]:
    """The game after what waited for a seat alone that nobody plays any more, what is answered, and what others are told."""
    agreed = undo.after_resignation(game, mail.seat, mail.now)
    settled = agreements.after_resignation(agreed.game, mail.seat, mail.now)
    also = tuple(filter(None, (agreed.answer, settled.answer)))
    return settled.game, also, (*agreed.announcements, *settled.announcements)


# -- words and questions ----------------------------------------------------------------------------------


@cites("post.say")
def _say(game: HostedGame, line: OrderLine, mail: Mail, order: Say) -> OrderResult:
    everybody = order.to == "all"
    seats = tuple(seat for seat in game.others(mail.seat) if everybody or seat == order.to)
    whom = "everybody" if everybody and len(seats) > 1 else game.names[seats[0]]
    told = (Announcement(seats, order.text, mail.seat, everybody),)
    return done(game, line, f"Your message went to {whom}.", rule="post.say", announcements=told)


def _undo(game: HostedGame, line: OrderLine, mail: Mail, order: Undo) -> OrderResult:
    result = undo.CONSENTS[order.consent](game, mail.seat, mail.now)
    if result.problem:
        return refused(game, line, [result.problem])
    return done(result.game, line, result.answer, *result.more, rule="post.undo", announcements=result.announcements)


def _agreement(game: HostedGame, line: OrderLine, mail: Mail, order: Agree | Pause) -> OrderResult:
    result = agreements.carry_out(game, mail.seat, order, mail.now)
    if result.problem:
        return refused(game, line, [result.problem])
    return done(result.game, line, result.answer, rule=result.rule, announcements=result.announcements)


def _ask(game: HostedGame, line: OrderLine, mail: Mail, order: Ask) -> OrderResult:
    recipient = Recipient.of(game, mail.seat, mail.now)
    lead, blocks = answers.answer(recipient, order, has_host=mail.has_host)
    return evolve(done(game, line, lead, *blocks), shows_turns=order.kind == "legal" and recipient.may_act)


HANDLERS: dict[type, Callable[[HostedGame, OrderLine, Mail, Any], OrderResult]] = {
    Turn: _turn,
    Draft: _draft,
    Standing: _plan,
    Planned: _plan,
    Cancel: _cancel,
    Away: _away,
    Notify: _notify,
    Resign: _resign,
    Say: _say,
    Undo: _undo,
    Agree: _agreement,
    Pause: _agreement,
    Ask: _ask,
}
"""How each kind of order is carried out, by its class in the table of kinds."""
