"""What comes of an order: the game after it, the answer to its sender, announcements to others. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Blocks, Paragraph
from tkid.mail.letters.content import Announcement
from tkid.mail.model import Marker, OrderLine
from tkid.orders.model import Ask, Draft, Turn


@frozen
class Mail:
    """The mail that a line is in: whose it is, when it came, which of our mails it answers.

    `has_host` says whether a host keeps plans and wishes: without one only the record is kept.
    """

    seat: int
    now: datetime
    marker: Marker | None = None
    has_host: bool = True


@frozen
class OrderResult:
    """The result of a line: the game after it, the answer to its sender, announcements to others; what was wrong with it.

    `lead` says in a sentence what was done, or why it was not: a sentence that everybody at the table may read. `answer`
    follows it. `shows_turns` says whether the answer has turns to send, `rule` what it rests on. `shown` is the
    text that the columns of problems count in, where it is not the line as it was typed.
    """

    line: OrderLine
    game: HostedGame
    answer: Blocks = ()
    problems: tuple[Problem, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    shows_turns: bool = False
    lead: str = ""
    rule: str = ""
    shown: str = ""

    @property
    def played(self) -> bool:
        """Whether it is a turn that was played."""
        return not self.problems and isinstance(self.line.read.order, Turn)

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

    def with_turns(self, seat: int, typed: str) -> OrderResult:
        """A turn that was not understood, or not legal, with legal ones to copy."""
        turns = content.instead(self.game.known(seat), typed, self.problems)
        return evolve(self, answer=(*self.answer, *turns), shows_turns=bool(turns))


def done(
    game: HostedGame,
    line: OrderLine,
    lead: str,
    *answer: str | Block,
    rule: str = "",
    announcements: tuple[Announcement, ...] = (),
) -> OrderResult:
    """A line that was carried out: what was done in a sentence, and what else there is to say."""
    blocks = tuple(Paragraph(each) if isinstance(each, str) else each for each in answer)
    return OrderResult(line, game, blocks, announcements=announcements, lead=lead, rule=rule)


def failed(game: HostedGame, line: OrderLine, problems: Iterable[Problem]) -> OrderResult:
    """A line that was not carried out, for these problems: its answer shows where, and the way out."""
    problems = tuple(problems)
    return OrderResult(line, game, content.wrong(line.typed, problems), problems)


def refused(game: HostedGame, line: OrderLine, problems: Iterable[Problem]) -> OrderResult:
    """A line that was not carried out, for problems with the whole line."""
    return failed(game, line, [evolve(problem, col=1, length=max(1, len(line.typed))) for problem in problems])


def problem(line: OrderLine, rule: str, message: str, hint: str = "", kind: Kind = Kind.ILLEGAL) -> Problem:
    """A problem with a whole line."""
    return Problem(kind, rule, message, length=max(1, len(line.typed)), hint=hint)
