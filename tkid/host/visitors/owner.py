"""Mails from the owner of a host: the orders of the desk, who may give them by mail, and what is confirmed first."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from attrs import frozen

from tkid.club.desk.desk_letters import Done, Pending, PendingOrders, answer, confirmation
from tkid.club.desk.downtime_letters import ABOUT
from tkid.club.desk.interventions import placed
from tkid.club.desk.language import DeskOrder, read
from tkid.club.desk.reading import own_lines
from tkid.club.door.language import read as read_for_club
from tkid.club.places import under
from tkid.host.store.documents import ClubKey, Document
from tkid.host.store.schema import DONE
from tkid.host.store.transaction import Incoming, Transaction
from tkid.host.visitors.desk import Desk, DeskAnswer
from tkid.kernel.problems import Kind, Problem
from tkid.mail.inbound.authentication import unauthenticated
from tkid.mail.inbound.enclosure import take_out
from tkid.mail.inbound.quoted.answers import answer_in, free_answer
from tkid.mail.inbound.quoted.own_letters import OwnLetter
from tkid.mail.model import IDS, Intake, Line, Refusal
from tkid.rulebook import cites

KIND, PENDING = "host", "orders"
DUPLICATE, REPEATED = IDS("duplicate"), IDS("repeated")
MOST_ASKED = 10
"""So often on one day the owner is asked whether a mail without a key was theirs."""
DIGITS = 8
LIST = "desk"
"""The order that lists all others: it changes nothing and shows nothing of any game."""
OrderLine = tuple[str, DeskOrder | Problem]
"""A line of the owner's, and what it was read as."""
FOR_THE_CLUB = Problem(
    Kind.ILLEGAL,
    "club.desk.order",
    "This is an order to the club, and the other lines are for the desk",
    hint="Send it in a mail of its own.",
)
WAITS = "This waits until you reply `yes`."


@frozen
class Owner:
    """The owner of a host, who writes from the address `desk.visitors.owner`."""

    desk: Desk

    def reads(self, transaction: Transaction, taken: Intake, words: list[str]) -> OwnersMail | None:
        """A mail as the owner's desk reads it; None where it is not from the owner, or not for the desk.

        Args:
            transaction: the store.
            taken: the mail.
            words: what may be keys in it.
        """
        owner = self.desk.visitors.owner.lower()
        if not owner or taken.sender != owner:
            return None
        games = transaction.filed.games()
        own = own_lines(taken, games, tuple(map(OwnLetter, transaction.letters("", owner, taken.parents, 0))))
        lines = tuple(_orders(own, games))
        if lines:
            lines = tuple(_all_lines(own, games))
        key = transaction.documents.key(words)
        key = key if key is not None and key.address == owner else None
        agrees = (
            key is not None
            and key.about.startswith(f"{ABOUT} ")
            and "yes"
            in {
                answer_in([*map(Line, own)]),
                free_answer(own).answer,
            }
        )
        return OwnersMail(self.desk, taken, lines, agrees, key) if lines or agrees else None


@frozen
class OwnersMail:
    """A mail from the owner's address that is for the desk: its lines, whether it says yes, and what its key shows."""

    desk: Desk
    taken: Intake
    lines: tuple[OrderLine, ...]
    agrees: bool
    key: ClubKey | None

    @cites("club.desk.key")
    def visit(self, transaction: Transaction, mail: Incoming) -> Refusal | None:
        """Carry out a mail of the owner's; why it is only filed, if it is.

        The owner can do much, so the sender's address alone is never enough: a mail server has to vouch for it, or the
        mail carries the key of a letter that went to the owner.
        """
        visitors, taken = self.desk.visitors, self.taken
        if visitors.required and (refusal := unauthenticated(mail.raw, taken.sender, visitors.required)):
            return refusal
        day = mail.received.date().isoformat()
        if taken.message_id and not transaction.first_time(taken.sender, taken.message_id, day=day):
            return Refusal(DUPLICATE, "The mail came before")
        if not (visitors.required or self.key):
            return self._asked(transaction, mail)
        done, doubtful = list[Done](), list[str]()
        if self.agrees and self.key is not None:
            done += self._confirmed(transaction, mail, self.key.about.removeprefix(f"{ABOUT} "))
        for line, order in self.lines:
            if isinstance(order, DeskOrder) and order.is_doubtful:
                doubtful.append(order.line)
                done.append(Done(line, WAITS, waits=True))
            else:
                done.append(self._done(transaction, mail, line, order))
        pending = self._kept(transaction, mail, doubtful) if doubtful else None
        visitors.post(transaction, [answer(visitors.owner, done, pending, mail.received)], taken)
        transaction.finish(mail.id, DONE)
        return None

    def _asked(self, transaction: Transaction, mail: Incoming) -> Refusal | None:
        """Ask the owner whether a mail without a key was theirs, not too often on one day."""
        owner = self.desk.visitors.owner
        if transaction.counted(owner.lower(), mail.received.date().isoformat(), ABOUT) > MOST_ASKED:
            return Refusal(REPEATED, f"More than {MOST_ASKED} mails without a key came from the owner's address today")
        orders = [line for line, order in self.lines if isinstance(order, DeskOrder) and order.kind != LIST]
        at_once = [
            self._done(transaction, mail, line, order)
            for line, order in self.lines
            if isinstance(order, Problem) or order.kind == LIST
        ]
        if orders:
            pending = self._kept(transaction, mail, orders)
            letter = confirmation(owner, pending, at_once, mail.received)
        else:
            letter = answer(owner, at_once, None, mail.received)
        self.desk.visitors.post(transaction, [letter], self.taken)
        transaction.finish(mail.id, DONE)
        return None

    @cites("club.desk.confirm")
    def _confirmed(self, transaction: Transaction, mail: Incoming, name: str) -> Iterator[Done]:
        """Carry out the orders that a letter asked about."""
        found, left = self._pending(transaction).without(name)
        if found is None:
            yield Done("yes", "There is nothing left to confirm.")
            return
        transaction.documents.put(Document(KIND, PENDING, left.text))
        games = transaction.filed.games()
        for line in found.lines:
            if (order := read(line, games)) is not None:
                yield self._done(transaction, mail, line, order)

    def _done(self, transaction: Transaction, mail: Incoming, line: str, order: DeskOrder | Problem) -> Done:
        """Carry out one order."""
        if isinstance(order, Problem):
            return Done(line, f"Not done: {order.message}.", problem=order)
        if order.kind == "import":
            became = self._imported(transaction, mail, order)
        else:
            became = self.desk.carry_out(transaction, order, mail.received)
        if became.problem is None:
            return Done(line, became.lead, became.blocks)
        return Done(line, f"Not done: {became.lead}", became.blocks, placed(became.problem, line, order))

    def _imported(self, transaction: Transaction, mail: Incoming, order: DeskOrder) -> DeskAnswer:
        """Take in the game file that is attached to the mail."""
        enclosed = take_out(mail.raw)
        if isinstance(enclosed, Refusal):
            hint = "Attach the game file to the mail with the order."
            problem = Problem(Kind.FILE, enclosed.rule, enclosed.reason, hint=hint)
            return DeskAnswer(f"{problem.message}.", problem=problem)
        return self.desk.take_in(transaction, order.text, enclosed.text, mail.received)

    def _kept(self, transaction: Transaction, mail: Incoming, lines: list[str]) -> Pending:
        """Keep orders until they are confirmed."""
        named = "\n".join((str(mail.id), mail.received.isoformat(), *lines))
        name = sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]
        pending = Pending(name, tuple(lines), mail.received.isoformat())
        kept = self._pending(transaction).with_one(pending)
        transaction.documents.put(Document(KIND, PENDING, kept.text))
        return pending

    @staticmethod
    def _pending(transaction: Transaction) -> PendingOrders:
        document = transaction.documents.get(KIND, PENDING)
        return PendingOrders.read(document.data) if document else PendingOrders()


def _orders(own: list[str], games: list[str]) -> Iterator[OrderLine]:
    """The lines that are orders of the desk, or were meant as such."""
    for line in own:
        if (order := read(line, games)) is not None:
            yield line, order


def _all_lines(own: list[str], games: list[str]) -> Iterator[OrderLine]:
    """The lines of a mail to the desk that ask for something: those for the desk, and why others are not carried out."""
    for line in own:
        if (order := read(line, games)) is not None:
            yield line, order
        elif (other := read_for_club(line)) is not None:
            yield line, other if isinstance(other, Problem) else under(FOR_THE_CLUB, line)
