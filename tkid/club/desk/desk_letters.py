"""The letters of the desk: answers to the owner of a host, and to a player whose address was changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from tkid.club.desk.downtime_letters import ABOUT
from tkid.club.door.answer import became
from tkid.club.message import ClubLetter, framed
from tkid.club.values import Stored
from tkid.kernel.problems import Problem
from tkid.mail.desk.service import HostedGame
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Blocks, Button, Buttons, Excerpt, Paragraph, Quote, Rule
from tkid.rulebook import cites

HELP = "Reply `desk` for all orders of the desk."
MOST_PENDING = 20


@frozen
class Done:
    """What became of a line of the owner's: the line, a sentence, what else there is to say, why it was not done.

    One that `waits` is done when the owner replies `yes`.
    """

    line: str
    lead: str
    blocks: Blocks = ()
    problem: Problem | None = None
    waits: bool = False


@frozen
class Pending:
    """Orders that wait for a `yes`: the name of the letter that asks, the lines, and when they came."""

    name: str
    lines: tuple[str, ...]
    time: str


@frozen
class PendingOrders(Stored):
    """All orders that wait for a `yes`, the oldest first."""

    pending: tuple[Pending, ...] = ()

    def with_one(self, one: Pending) -> PendingOrders:
        """With one more; of very many the oldest are forgotten."""
        return PendingOrders((*self.pending, one)[-MOST_PENDING:])

    def without(self, name: str) -> tuple[Pending | None, PendingOrders]:
        """Those that a letter asks about, and all others."""
        found = next((each for each in self.pending if each.name == name), None)
        return found, PendingOrders(tuple(each for each in self.pending if each.name != name))


@cites("club.desk.order")
def answer(owner: str, done: Sequence[Done], pending: Pending | None, now: datetime) -> ClubLetter:
    """The answer to the owner: what became of each line, in the order of the lines, and what waits for a `yes`."""
    blocks: Blocks = ()
    if len(done) == 1:
        first = done[0].lead
        lead = content.lead(first, "This is what became of your order.")
        blocks = _one(done[0], said=lead == first)
    else:
        waits = any(each.waits for each in done)
        lead = "Some orders wait for your `yes`. The answers are below." if waits else became(_were_done(done))
        blocks = each_line(done)
    if pending is not None:
        blocks += _question(pending)
    about = f"{ABOUT} {pending.name}" if pending else ABOUT
    return ClubLetter(owner, about, "[tkid] the desk", framed(ABOUT, lead, blocks, (HELP,)), now)


def _were_done(done: Sequence[Done]) -> list[bool]:
    return [each.problem is None for each in done]


def each_line(done: Sequence[Done]) -> Blocks:
    """What became of each line: the line, with the place of what is wrong in it, and the answer to it."""
    return tuple(
        block for each in done for block in (*(() if each.problem else (Quote(each.line),)), *_one(each, said=False))
    )


def _one(each: Done, *, said: bool) -> Blocks:
    """What became of one line; where the first sentence has `said` it, only the rest. One that is wrong is shown."""
    lead = "" if said else each.lead
    if each.problem is None:
        return (*((Paragraph(lead),) if lead else ()), *each.blocks)
    place = Excerpt(each.line, each.problem.col, each.problem.length)
    why = " ".join(filter(None, (lead, each.problem.hint)))
    return (place, *((Paragraph(why),) if why else ()), Rule(each.problem.rule), *each.blocks)


@cites("club.desk.confirm", "club.desk.key")
def confirmation(owner: str, pending: Pending, done: Sequence[Done], now: datetime) -> ClubLetter:
    """The letter that asks the owner whether a mail without a key was theirs; `done` are its other lines."""
    lead = "Did you send these orders? Nothing has been done yet."
    why = (
        "A mail came from your address, but without a key of a letter of this host, and anybody can forge an address. "
        "If it was not yours, you need not do anything."
    )
    body = (*_question(pending), Paragraph(why), *each_line(done))
    subject = "[tkid] please confirm your orders"
    return ClubLetter(owner, f"{ABOUT} {pending.name}", subject, framed(ABOUT, lead, body, (HELP,)), now)


def _question(pending: Pending) -> Blocks:
    """The orders that wait, and how to confirm them."""
    return (
        Paragraph("To carry this out, reply `yes`:"),
        *map(Quote, pending.lines),
        Buttons((Button("Yes, do it", "yes"),)),
    )


@cites("club.desk.address")
def moved_away(game: HostedGame, seat: int, name: str, now: datetime) -> ClubLetter:
    """The letter to a player's old address: mails go to another one from now on."""
    text = "You do not get mails about it here any more. If you did not ask for this, write to the person who runs the host."
    lead = f"The host writes to another address about {name} from now on."
    blocks = framed("game", content.lead(lead, "The host writes to another address from now on."), (Paragraph(text),))
    return ClubLetter(game.address(seat), "game", f"[{name}] your address was changed", blocks, now, game.player(seat))
