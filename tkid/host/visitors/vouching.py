"""A filed mail that its owner has carried out after all: for which seat it counts, and the line about it in the record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, field, frozen

from tkid.club.desk.language import DeskOrder
from tkid.host.store.transaction import Key, KeyedGame, Transaction
from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk.parting import TOLD
from tkid.mail.desk.receipt import NO_ORDER
from tkid.mail.desk.service import HostedGame
from tkid.mail.game.timeline import next_turn
from tkid.mail.model import IDS, Refusal
from tkid.notation.vocabulary import listed
from tkid.record.clock.interventions import Announced
from tkid.rulebook import cites

RULE = "club.desk.process"
OWN_ORDERS = Refusal(RULE, "It has orders for the desk, and nobody vouches for their own mail")
"""Why a mail of the owner's to the desk stays filed."""

ANSWERED = "Its sender gets an answer that says why."


@frozen
class Vouched:
    """That the owner vouches for a mail: why, the seats that its sender's address has in games that go on, and when.

    `results` has for each order what is wrong with it, or None where it was carried out.
    """

    reason: str
    seats: tuple[Key, ...]
    now: datetime
    results: list[Problem | None] = field(factory=list)

    @cites("club.desk.process")
    def keyed_game(self, transaction: Transaction, words: Sequence[str]) -> KeyedGame | None:
        """The seat for which a mail without a key of a game counts: the only one, if its `words` have no other key."""
        if len(self.seats) != 1 or transaction.documents.key(words) is not None:
            return None
        game = transaction.game(self.seats[0].game)
        return KeyedGame(self.seats[0], game) if game else None

    @cites("club.desk.process", "club.desk.record")
    def noted(self, game: HostedGame, seat: int) -> HostedGame:
        """The game with a line about it."""
        if game.time.over:
            return game
        text = f"The host processed a mail of {game.names[seat]} that had been filed. {self.reason}".strip()
        return game.with_line(Announced(game.moment(self.now), text))


def seats_of(transaction: Transaction, address: str) -> tuple[Key, ...]:
    """The seats that an address has in games that go on."""
    found: list[Key] = []
    for name in transaction.running():
        stored = transaction.game(name)
        if stored is None or address not in stored.record.lower():
            continue
        game = HostedGame.stored(stored.record, stored.memory)
        turn = next_turn(game.replay)
        found += [Key(name, seat, turn) for seat in game.seats if game.address(seat).lower() == address]
    return tuple(found)


@cites("club.desk.process")
def stays_filed(order: DeskOrder, refusal: Refusal, seats: Sequence[Key]) -> Problem:
    """The problem with a mail that cannot be carried out though the owner vouches for it: why, and what to do."""
    if refusal == OWN_ORDERS:
        return Problem(Kind.ILLEGAL, RULE, refusal.reason, hint="Write its orders again, one a line.")
    if refusal.rule == IDS("remark") and len(seats) > 1:
        games = listed(sorted({key.game for key in seats}), "and")
        why = f"Mail {order.number} has no key, and its sender has seats in {games}"
        return Problem(Kind.ILLEGAL, RULE, why, hint="Ask the sender to reply to a mail of the game that is meant.")
    if refusal.rule == IDS("remark"):
        hint = f"To read it, {order.ways.to('show', number=order.number)}. To answer it, write to the sender yourself."
        return Problem(Kind.ILLEGAL, RULE, f"There is no order in mail {order.number}", hint=hint)
    hint = "Ask the sender to reply to the latest mail of the host."
    if refusal.rule == TOLD:
        hint = "Nothing has to be done: whoever plays now has a letter."
    return Problem(Kind.ILLEGAL, refusal.rule, refusal.reason, hint=hint)


@cites("club.desk.process")
def replaced(game: HostedGame, seat: int) -> Refusal:
    """Why a mail of somebody who no longer plays its seat is not carried out."""
    player, name = game.player(seat), game.names[seat]
    now = f"{name} plays again" if player == name else f"{player} plays for {name} now"
    return Refusal(TOLD, f"Whoever wrote it no longer plays: {now}")


@cites("club.desk.process")
def refused_orders(number: int, results: Sequence[Problem | None]) -> Problem | None:
    """The problem with a mail whose orders were refused, all or some; None where nothing is wrong with any."""
    problems = [each for each in results if each is not None]
    if not problems:
        return None
    if all(each.rule == NO_ORDER for each in problems) and len(problems) == len(results):
        return evolve(problems[0], message=f"There is no order in mail {number}", hint=ANSWERED)
    what = f"The order in mail {number} was refused"
    if len(results) > 1:
        what = f"{'All' if len(problems) == len(results) else 'Some'} orders in mail {number} were refused"
    others = "" if len(problems) == len(results) else "The others were carried out. "
    message = f"{what}: {'; '.join(dict.fromkeys(each.message for each in problems))}"
    return Problem(Kind.ILLEGAL, problems[0].rule, message, hint=f"{others}{ANSWERED}")


@cites("club.desk.process")
def cannot_be_read(order: DeskOrder, refusal: Refusal) -> Problem:
    """The problem with a mail that is automatic, or that the host does not read as a whole: why, and what to do."""
    show = order.ways.to("show", number=order.number)
    hint = f"Such a mail is never carried out. To read it, {show}. Ask the sender to write again."
    return Problem(Kind.ILLEGAL, refusal.rule, refusal.reason, hint=hint)


@cites("club.desk.process")
def fails(number: int, error: Exception) -> Problem:
    """The problem with a mail over which the program fails."""
    why = f"The program fails on mail {number}: {type(error).__name__}"
    hint = "Report it to the authors with the text of the mail, and ask the sender to write again in other words."
    return Problem(Kind.ILLEGAL, RULE, why, hint=hint)
