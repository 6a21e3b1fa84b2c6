"""What came of an order: the game after it, what is said to its sender and to others. Turns, drafts and plans. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.game.plans import give, own_turn
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Copies, Events, Paragraph, Quote, shortened
from tkid.mail.letters.content import Announcement
from tkid.mail.model import Marker, OrderLine
from tkid.orders.model import Ask, Draft, Planned, Standing
from tkid.orders.model import Turn as TurnOrder
from tkid.record.clock.notes import Resumed
from tkid.record.format.turn_rows import reader
from tkid.record.play.replay import Replay, append
from tkid.record.plugin import record_plugin
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
class OrderResult:
    """What came of a line: the game after it, what is said to its sender, and to others; what was wrong with it.

    `ways` tells whether what was said names turns to copy.
    """

    line: OrderLine
    at: HostedGame
    said: Blocks = ()
    problems: tuple[Problem, ...] = ()
    words: tuple[Announcement, ...] = ()
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


def failed(at: HostedGame, line: OrderLine, *problems: Problem) -> OrderResult:
    """A line that was not carried out. Problems with the whole line have no place in it."""
    return OrderResult(line, at, content.wrong(line.typed, problems), problems)


def problem(line: OrderLine, rule: str, told: str, hint: str = "", kind: Kind = Kind.ILLEGAL) -> Problem:
    """A problem with a whole line."""
    return Problem(kind, rule, told, length=max(1, len(line.typed)), hint=hint)


def with_ways(done: OrderResult, known: Replay, typed: str) -> OrderResult:
    """A turn that was not understood, or not legal, with legal ones to copy."""
    way = content.instead(known, typed, done.problems)
    return evolve(done, said=(*done.said, *way), ways=bool(way))


def said_of(line: OrderLine, *what: str | Block) -> Blocks:
    """What is said of a line that was carried out."""
    return (Quote(shortened(line.typed)), *(Paragraph(each) if isinstance(each, str) else each for each in what))


def about_line(problems: Iterable[Problem], line: OrderLine) -> tuple[Problem, ...]:
    """Problems with a whole line."""
    return tuple(evolve(found, col=1, length=max(1, len(line.typed))) for found in problems)


# -- turns ------------------------------------------------------------------------------------------------


def play_turn(at: HostedGame, line: OrderLine, mail: Mail, order: TurnOrder) -> OrderResult:
    """Play a turn; an adjourned game goes on with it."""
    refused = _not_due(at, line, mail)
    if refused:
        return failed(at, line, refused)
    known = at.known(mail.seat)
    typed = order.text if reader(known.record.game, known.record.names).turn(line.typed).problems else line.typed
    problems = tuple(append(known, typed).problems)
    if problems:
        return with_ways(OrderResult(line, at, content.wrong(typed, problems), problems), known, typed)
    if at.time.adjourned:
        at = at.with_line(Resumed(at.moment(mail.now)))
    mine = at.memory.seats[mail.seat]
    changed = own_turn(known, mail.seat, mine.plans)
    notes = (*mine.notes, *map(str, changed.notes))
    at = at.remembering(at.memory.with_seat(mail.seat, plans=changed.plans, notes=notes))
    return OrderResult(line, at.played(order.text, mail.now))


def _not_due(at: HostedGame, line: OrderLine, mail: Mail) -> Problem | None:
    """Why a player may not act now."""
    game, names, due_seat = at.record.game, at.names, at.replay.position.to_act
    if at.time.winners:
        return problem(line, "post.order.over", "The game is over, as nobody else plays any more")
    if due_seat is None:
        return problem(
            line, game.ids(record_plugin(game).rules.over), f"The game is over ({at.replay.position.ending})"
        )
    if due_seat != mail.seat:
        return problem(
            line, game.ids(record_plugin(game).rules.order), f"It is {names[due_seat]}'s turn, not {names[mail.seat]}'s"
        )
    return None


@cites("post.draft")
def check_draft(at: HostedGame, line: OrderLine, mail: Mail, order: Draft) -> OrderResult:
    """Check a turn, and tell its sender alone what would follow."""
    refused = _not_due(at, line, mail)
    known, turn = at.known(mail.seat), order.turn.text
    problems = (refused,) if refused else tuple(append(known, turn).problems)
    if refused:
        wrong = content.wrong(line.typed, problems)
        return OrderResult(line, at, said_of(line, "This draft cannot be checked now:", *wrong), problems)
    if problems:
        wrong = content.wrong(turn, problems)
        return with_ways(
            OrderResult(line, at, said_of(line, "This would not be legal now:", *wrong), problems), known, turn
        )
    follows = Events(tuple(content.numbered(append(known, turn).last, at.names)))
    legal = "This is legal now. It was not played; to play it, copy it to the top of your answer:"
    secret = ", as far as you can know" if at.record.game.secret else ""
    said = said_of(line, legal, Copies((turn,)), f"What would follow{secret}:", follows)
    return OrderResult(line, at, said, ways=True)


# -- plans ------------------------------------------------------------------------------------------------


def give_plan(at: HostedGame, line: OrderLine, mail: Mail, order: Standing | Planned) -> OrderResult:
    """Give a plan: it is looked at as soon as all else in the mail was done."""
    mine = at.memory.seats[mail.seat]
    changed = give(at.known(mail.seat), mail.seat, mine.plans, order, mine.last_plan)
    if changed.problems:
        return failed(at, line, *about_line(changed.problems, line))
    last = max(plan.number for plan in changed.plans)
    memory = at.memory.with_seat(mail.seat, plans=changed.plans, last_plan=max(last, mine.last_plan))
    at, told = at.remembering(evolve(memory, looked="")), told_events(changed.notes)
    return OrderResult(line, at, (told,) if line.typed == changed.notes[0].text else said_of(line, told))


def told_events(notes: Iterable[object]) -> Events:
    """What became of plans."""
    return Events(tuple(("", str(note)) for note in notes))
