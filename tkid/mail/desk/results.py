"""How each kind of order is carried out: the game after it, what is said to its sender, and to others. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk import answers, undo
from tkid.mail.desk.undo import Undoing
from tkid.mail.game.hosted_game import Hosted
from tkid.mail.game.plans import all_end, cancel, give, own_turn
from tkid.mail.inbound.order_lines import Line
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Copies, Events, Paragraph, Quote, shortened
from tkid.mail.letters.content import Reader, Words
from tkid.mail.model import Marker
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
from tkid.record.clock.notes import Back, Resigned, Resumed
from tkid.record.clock.terms import DEFAULT
from tkid.record.play.replay import Replay, append, reader
from tkid.record.plugin import recording
from tkid.rulebook import cites

Blocks = tuple[Block, ...]


@frozen
class Mail:
    """The mail that a line stood in: whose it is, when it came, which of our mails it answers.

    `hosted` tells whether somebody keeps plans and wishes: without a host only the record is kept.
    """

    seat: int
    now: datetime
    marker: Marker | None = None
    hosted: bool = True


@frozen
class Done:
    """What came of a line: the game after it, what is said to its sender, and to others; what was wrong with it.

    `ways` tells whether what was said names turns to copy.
    """

    line: Line
    at: Hosted
    said: Blocks = ()
    problems: tuple[Problem, ...] = ()
    words: tuple[Words, ...] = ()
    ways: bool = False

    @property
    def played(self) -> bool:
        """Whether it is a turn that was played."""
        return not self.problems and isinstance(self.line.read.order, TurnOrder)

    @property
    def failed(self) -> bool:
        """Whether it was not done. A draft of a turn that breaks a rule was checked, and that is what was asked."""
        return bool(self.problems) and not isinstance(self.line.read.order, Draft)

    @property
    def asked(self) -> bool:
        """Whether it is a question that was answered."""
        return isinstance(self.line.read.order, Ask) and not self.problems

    @property
    def is_turn(self) -> bool:
        """Whether it was meant as a turn."""
        return self.line.read.kind == "turn"


def failed(at: Hosted, line: Line, *problems: Problem) -> Done:
    """A line that was not carried out. Problems with the whole line have no place in it."""
    return Done(line, at, content.wrong(line.typed, problems), problems)


def problem(line: Line, rule: str, told: str, hint: str = "", kind: Kind = Kind.ILLEGAL) -> Problem:
    """A problem with a whole line."""
    return Problem(kind, rule, told, length=max(1, len(line.typed)), hint=hint)


def with_ways(done: Done, known: Replay, typed: str) -> Done:
    """A turn that was not understood, or not legal, with legal ones to copy."""
    way = content.instead(known, typed, done.problems)
    return evolve(done, said=(*done.said, *way), ways=bool(way))


def _said(line: Line, *what: str | Block) -> Blocks:
    """What is said of a line that was carried out."""
    return (Quote(shortened(line.typed)), *(Paragraph(each) if isinstance(each, str) else each for each in what))


def _whole(problems: Iterable[Problem], line: Line) -> tuple[Problem, ...]:
    """Problems with a whole line."""
    return tuple(evolve(found, col=1, length=max(1, len(line.typed))) for found in problems)


# -- turns ------------------------------------------------------------------------------------------------


def _turn(at: Hosted, line: Line, mail: Mail, order: TurnOrder) -> Done:
    """Play a turn; an adjourned game goes on with it."""
    refused = _not_due(at, line, mail)
    if refused:
        return failed(at, line, refused)
    known = at.known(mail.seat)
    typed = order.text if reader(known.record.game, known.record.names).turn(line.typed).problems else line.typed
    problems = tuple(append(known, typed).problems)
    if problems:
        return with_ways(Done(line, at, content.wrong(typed, problems), problems), known, typed)
    if at.time.adjourned:
        at = at.with_line(Resumed(at.moment(mail.now)))
    mine = at.memory.seats[mail.seat]
    changed = own_turn(known, mail.seat, mine.plans)
    notes = (*mine.notes, *map(str, changed.notes))
    at = at.remembering(at.memory.with_seat(mail.seat, plans=changed.plans, notes=notes))
    return Done(line, at.played(order.text, mail.now))


def _not_due(at: Hosted, line: Line, mail: Mail) -> Problem | None:
    """Why a player may not act now."""
    game, names, due_seat = at.record.game, at.names, at.replay.position.to_act
    if at.time.winners:
        return problem(line, "post.order.over", "The game is over, as nobody else plays any more")
    if due_seat is None:
        return problem(line, game.ids(recording(game).rules.over), f"The game is over ({at.replay.position.ending})")
    if due_seat != mail.seat:
        return problem(
            line, game.ids(recording(game).rules.order), f"It is {names[due_seat]}'s turn, not {names[mail.seat]}'s"
        )
    return None


@cites("post.draft")
def _draft(at: Hosted, line: Line, mail: Mail, order: Draft) -> Done:
    """Check a turn, and tell its sender alone what would follow."""
    refused = _not_due(at, line, mail)
    known, turn = at.known(mail.seat), order.turn.text
    problems = (refused,) if refused else tuple(append(known, turn).problems)
    if refused:
        wrong = content.wrong(line.typed, problems)
        return Done(line, at, _said(line, "This draft cannot be checked now:", *wrong), problems)
    if problems:
        wrong = content.wrong(turn, problems)
        return with_ways(Done(line, at, _said(line, "This would not be legal now:", *wrong), problems), known, turn)
    follows = Events(tuple(content.numbered(append(known, turn).last, at.names)))
    legal = "This is legal now. It was not played; to play it, copy it to the top of your answer:"
    secret = ", as far as you can know" if at.record.game.secret else ""
    said = _said(line, legal, Copies((turn,)), f"What would follow{secret}:", follows)
    return Done(line, at, said, ways=True)


# -- plans ------------------------------------------------------------------------------------------------


def _plan(at: Hosted, line: Line, mail: Mail, order: Standing | Planned) -> Done:
    """Give a plan: it is looked at as soon as all else in the mail was done."""
    mine = at.memory.seats[mail.seat]
    changed = give(at.known(mail.seat), mail.seat, mine.plans, order, mine.last_plan)
    if changed.problems:
        return failed(at, line, *_whole(changed.problems, line))
    last = max(plan.number for plan in changed.plans)
    memory = at.memory.with_seat(mail.seat, plans=changed.plans, last_plan=max(last, mine.last_plan))
    at, told = at.remembering(evolve(memory, looked="")), _notes(changed.notes)
    return Done(line, at, (told,) if line.typed == changed.notes[0].text else _said(line, told))


def _cancel(at: Hosted, line: Line, mail: Mail, order: Cancel) -> Done:
    """End plans, or an absence."""
    if order.what == "away":
        return _back(at, line, mail)
    mine = at.memory.seats[mail.seat]
    changed = cancel(at.known(mail.seat), mail.seat, mine.plans, order)
    if changed.problems:
        return failed(at, line, *_whole(changed.problems, line))
    after = at.remembering(at.memory.with_seat(mail.seat, plans=changed.plans))
    nothing = "There was no such plan to cancel." if mine.plans else "You had no plans."
    return Done(line, after, _said(line, _notes(changed.notes) if changed.notes else f"{nothing} [post.plan.ends]"))


def _notes(notes: Iterable[object]) -> Events:
    return Events(tuple(("", str(note)) for note in notes))


# -- time -------------------------------------------------------------------------------------------------


@cites("post.away", "post.away.late", "post.away.most")
def _away(at: Hosted, line: Line, mail: Mail, order: Away) -> Done:
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
        return Done(line, after, _said(line, f"{told} This game has no clock. [post.away]"))
    if days == announced:
        told += f" Your clock stands still on {'this day' if days == 1 else f'these {days} days'}."
    else:
        told += (
            f" Your clock stands still on {days} of these {announced} days: those that have begun, that you announced "
            f"before, or that go beyond the {allowed} days of a game do not count."
        )
    return Done(line, after, _said(line, f"{told} [post.away]"))


@cites("post.back")
def _back(at: Hosted, line: Line, mail: Mail) -> Done:
    """End an absence."""
    now = at.moment(mail.now)
    if not any(pause.end > now for pause in at.time.seats[mail.seat].pauses):
        return Done(line, at, _said(line, "You have announced no absence that is still to come. [post.back]"))
    told = "You are back: your clock runs, and the absence that you announced is over. [post.back]"
    return Done(line, at.with_line(Back(mail.seat, now)), _said(line, told))


@cites("post.notify")
def _notify(at: Hosted, line: Line, mail: Mail, order: Notify) -> Done:
    """Keep a wish about news, or about pictures."""
    if order.level in {PICTURES, NO_PICTURES}:
        wanted = order.level == PICTURES
        told = f"From now on your mails show the position {'as a picture too' if wanted else 'in text alone'}. [post.notify]"
        return Done(line, at.remembering(at.memory.with_seat(mail.seat, pictures=wanted)), _said(line, told))
    told = f"From now on you get news {answers.wish(at, order.level)}. You are asked for your turns in any case. [post.notify]"
    return Done(line, at.remembering(at.memory.with_seat(mail.seat, wish=order.level)), _said(line, told))


@cites("post.resign")
def _resign(at: Hosted, line: Line, mail: Mail, _: Resign) -> Done:
    """Give up."""
    mine, others = at.memory.seats[mail.seat], tuple(seat for seat in range(len(at.names)) if seat != mail.seat)
    ended = tuple(map(str, all_end(mine.plans, "you have resigned", "post.resign")))
    memory = at.memory.with_seat(mail.seat, plans=(), notes=(*mine.notes, *ended))
    after = at.remembering(memory).with_line(Resigned(mail.seat, at.moment(mail.now)))
    told = "You have resigned." if after.time.winners else "You have resigned: your seat passes from now on."
    undone = undo.without(after, mail.seat, mail.now)
    words = (Words(others, f"{at.names[mail.seat]} gives up. [post.resign]", tells=after.time.over), *undone.words)
    said = _said(line, f"{told} [post.resign]", *([f"{undone.told} [post.undo]"] if undone.told else []))
    return Done(line, undone.at, said, words=words)


# -- words and questions ----------------------------------------------------------------------------------


@cites("post.say")
def _say(at: Hosted, line: Line, mail: Mail, order: Say) -> Done:
    """Send words to others."""
    everybody = order.to == "all"
    seats = tuple(seat for seat in range(len(at.names)) if seat != mail.seat and (everybody or seat == order.to))
    told = f"Sent to {'all' if everybody else at.names[seats[0]]}. [post.say]"
    return Done(line, at, _said(line, told), words=(Words(seats, order.text, mail.seat, everybody),))


def _undo(at: Hosted, line: Line, mail: Mail, order: Undo) -> Done:
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
        return failed(at, line, *_whole([result.problem], line))
    return Done(line, result.at, _said(line, f"{result.told} [post.undo]"), words=result.words)


def _ask(at: Hosted, line: Line, mail: Mail, order: Ask) -> Done:
    """Answer a question."""
    to = Reader.of(at, mail.seat, mail.now)
    said = _said(line, *answers.answer(to, order, hosted=mail.hosted))
    return Done(line, at, said, ways=order.kind == "legal" and to.may_act)


CARRY_OUT: dict[type, Callable[[Hosted, Line, Mail, Any], Done]] = {
    TurnOrder: _turn,
    Draft: _draft,
    Standing: _plan,
    Planned: _plan,
    Cancel: _cancel,
    Away: _away,
    Notify: _notify,
    Resign: _resign,
    Say: _say,
    Undo: _undo,
    Ask: _ask,
}
"""How each kind of order is carried out."""
