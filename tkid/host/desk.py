"""Carry out the owner's orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from hashlib import sha256

from attrs import evolve, field, frozen

from tkid.club import desk_letters, values
from tkid.club.club_state import SEAT_KIND as SEAT
from tkid.club.club_state import Offers
from tkid.club.desk_changes import admit_game, intervene_in_game, list_earlier_notes, place_problem
from tkid.club.desk_letters import (
    Done,
    FiledMail,
    Pending,
    PendingOrders,
    ask_owner,
    write_moved_away,
    write_owner_reply,
)
from tkid.club.desk_orders import ALL, KINDS, DeskOrder, find_own_lines, read_desk_line
from tkid.club.host_time import ABOUT
from tkid.club.names import find_host_seat
from tkid.club.order_reader import locate_problem
from tkid.club.order_reader import read_club_line as read_for_club
from tkid.host.club_letters import (
    ClubMailService,
    Vouched,
    explain_filed,
    find_seats,
    report_failure,
    report_refused,
    report_unreadable,
)
from tkid.host.club_mail import StoredState
from tkid.host.game_letters import list_taken_back
from tkid.host.host_time import accept_machine_clock
from tkid.host.store.connection import DatabaseError
from tkid.host.store.documents import ClubKey, Document, StoredMail
from tkid.host.store.schema import DONE
from tkid.host.store.transaction import Incoming, StoredGame, Transaction
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Blocks
from tkid.mail.enclosure import take_out
from tkid.mail.envelope import find_sender, read_or_refuse, read_subject, read_whole, refuse_unauthenticated
from tkid.mail.game_clock import format_moment
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.mime import take_in, take_in_partly
from tkid.mail.model import IDS, Intake, Line, Refusal
from tkid.mail.order_finder import find_answer, find_free_answer
from tkid.mail.quotation import OwnLetter
from tkid.notation.text import count_noun_in_words
from tkid.record.clock_notes import find_named_seat
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.rulebook import cites

ChangeGame = Callable[[Transaction, str, Outcome], None]
Ordered = Callable[[Transaction, Incoming, Intake, Vouched | None], Refusal | None]


@frozen
class DeskAnswer:
    """The result of an order: a sentence, the rest of the answer, and the reason if it was not done."""

    lead: str
    blocks: Blocks = ()
    problem: Problem | None = None


@frozen
class Desk:
    """The desk of a host. `change_game` keeps a game that was changed, with its letters, and `ordered` carries out a mail."""

    visitors: ClubMailService
    change_game: ChangeGame
    ordered: Ordered
    orders: dict[str, Callable[[Transaction, DeskOrder, datetime], DeskAnswer]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        orders = {
            "desk": self._write_help,
            "games": self._list_games,
            "status": self._describe_status,
            "filed": self._list_filed,
            "show": self._show_mail,
            "process": self._process_mail,
            "confirm clock": self._confirm_clock,
        }
        object.__setattr__(self, "orders", orders)

    def carry_out(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        """Carry out an order. If it is impossible, nothing changes."""
        if (question := self.orders.get(order.kind)) is not None:
            return question(transaction, order, now)
        if order.game == ALL:
            return self._change_all(transaction, order, now)
        return self._change_one(transaction, order, now)

    # -- games --------------------------------------------------------------------------------------------

    def _change_one(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        stored = transaction.get_game(order.game)
        hosted = _read_game(stored)
        if stored is None or hosted is None:
            return _make_refusal(_report_unreadable(order.game))
        result = intervene_in_game(hosted, order, now, self.visitors.club.bots)
        if isinstance(result, Outcome):
            result = self._check_host_address(result)
        if isinstance(result, Problem):
            return _make_refusal(result)
        self._save_change(transaction, stored.id, hosted, result, now)
        if order.kind == "offer":
            _keep_offer(transaction, order.game, hosted, order.text)
        told = f"{KINDS[order.kind].done}, {count_noun_in_words(len(result.letters), 'letter')} to players"
        return DeskAnswer(f"{order.game}: {told}. Now: {desk_letters.describe_state(result.game, now)}.")

    @cites("club.desk.all")
    def _change_all(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        """Change every running game, each once; leave out those that need no change."""
        changed = []
        for name in transaction.list_running():
            hosted = _read_game(transaction.get_game(name))
            result = (
                intervene_in_game(hosted, evolve(order, game=name), now, self.visitors.club.bots) if hosted else None
            )
            if hosted is not None and isinstance(result, Outcome):
                self._save_change(transaction, name, hosted, result, now)
                changed.append(name)
        if not changed:
            return _make_refusal(
                Problem(Kind.ILLEGAL, "club.desk.all", "No game needed this", hint="Nothing was changed.")
            )
        told = f"{KINDS[order.kind].done} in {count_noun_in_words(len(changed), 'game')}"
        return DeskAnswer(f"{told}: {', '.join(changed)}.".capitalize())

    @cites("club.desk.import")
    def take_in(self, transaction: Transaction, name: str, record: bytes, now: datetime) -> DeskAnswer:
        """Take in the record of a game that has begun elsewhere."""
        if not name or StoredState(transaction, now).is_taken(name):
            told = f"There is a game {name} already" if name else "The name of the game is missing"
            hint = "Choose another name." if name else "Give the game a name, such as winter."
            return _make_refusal(Problem(Kind.NAME, "club.desk.import", told, length=max(1, len(name)), hint=hint))
        taken = admit_game(record, now)
        outcome = self._check_host_address(taken) if isinstance(taken, Outcome) else taken[0]
        if isinstance(outcome, Problem):
            return _make_refusal(outcome)
        read = read_record(record).record
        said = list_earlier_notes(replay(read)) if read is not None else ()
        transaction.add_game(StoredGame(name, outcome.game.record_text, outcome.game.memory_text, outcome.due))
        self.change_game(transaction, name, outcome)
        told = f"{name}: imported, {count_noun_in_words(len(outcome.letters), 'letter')} to players"
        return DeskAnswer(f"{told}. Now: {desk_letters.describe_state(outcome.game, now)}.", said)

    @cites("club.new-game")
    def _check_host_address(self, outcome: Outcome) -> Outcome | Problem:
        name = find_host_seat(outcome.game, self.visitors.address)
        hint = "Write the address of a person. To let a program play, name a bot."
        return (
            Problem(Kind.ILLEGAL, "club.new-game", f"{name} has the address of this host", hint=hint)
            if name
            else outcome
        )

    def _save_change(
        self, transaction: Transaction, name: str, before: HostedGame, outcome: Outcome, now: datetime
    ) -> None:
        """Save a changed game and its letters; keys for turns that were taken back become invalid."""
        game = outcome.game
        if back := list_taken_back(before, game):
            transaction.bind_keys(name, min(back))
        self.change_game(transaction, name, outcome)
        moved = [
            seat
            for seat in game.seats
            if game.find_address(seat) != before.find_address(seat) and before.find_address(seat)
        ]
        gone = [seat for seat in moved if game.find_player(seat) == before.find_player(seat)]
        self.visitors.post_letters(transaction, [write_moved_away(before, seat, name, now) for seat in gone])

    def _list_games(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        names = transaction.filed.list_games() if order.game == ALL else transaction.list_running()
        games = [(name, hosted) for name in names if (hosted := _read_game(transaction.get_game(name)))]
        waiting = sum(hosted.to_act is not None for _, hosted in games)
        most = desk_letters.MOST_SHOWN if order.ways.by_mail else None
        lead = f"{count_noun_in_words(len(games), 'game').capitalize()}, {waiting} waiting for a turn."
        return DeskAnswer(lead, desk_letters.list_hosted_games(games, now, most))

    def _describe_status(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        hosted = _read_game(transaction.get_game(order.game))
        if hosted is None:
            return _make_refusal(_report_unreadable(order.game))
        back = transaction.filed.list_returned(
            [hosted.find_address(seat) for seat in hosted.seats if hosted.find_address(seat)]
        )
        return DeskAnswer(
            f"{order.game}: {desk_letters.describe_state(hosted, now)}.", desk_letters.describe_game(hosted, back)
        )

    def _write_help(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        del transaction, order, now
        return DeskAnswer("These are the orders of the desk. Reply with one a line.", desk_letters.list_owner_orders())

    # -- filed mails --------------------------------------------------------------------------------------

    def _list_filed(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        del now
        every = order.game == ALL
        mails = [
            describe_filed(each)
            for each in (transaction.filed.list_latest() if every else transaction.filed.list_unsettled())
        ]
        number = count_noun_in_words(len(mails), "filed mail").capitalize()
        lead = f"{number}." if every else f"{number} {'waits' if len(mails) == 1 else 'wait'} for you."
        return DeskAnswer(lead, desk_letters.list_filed(mails, order.ways, every=every))

    def _show_mail(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        del now
        mail = transaction.filed.get_mail(order.number)
        if mail is None:
            return _make_refusal(_report_no_mail(order))
        seen = take_in_partly(mail.raw) if mail.raw else None
        text = [line.text for line in seen.lines] if seen else mail.raw.decode("utf-8", "replace").splitlines()
        return DeskAnswer(f"This is mail {order.number}.", desk_letters.show_filed_mail(describe_filed(mail), text))

    @cites("club.desk.process")
    def _process_mail(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        mail = transaction.filed.get_mail(order.number)
        if mail is None:
            return _make_refusal(_report_no_mail(order))
        if mail.is_dropped:
            return _make_refusal(_report_dropped(order.number))
        taken = take_in(mail.raw)
        if isinstance(taken, Refusal):
            return _make_refusal(report_unreadable(order, taken))
        seats = find_seats(transaction, taken.sender)
        as_come, vouched = Incoming(mail.number, mail.raw, min(mail.received, now)), Vouched(order.reason, seats, now)
        try:
            with transaction.begin_part():
                refusal = self.ordered(transaction, as_come, taken, vouched)
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours: the mail stays, and the owner hears of it
            return _make_refusal(report_failure(order.number, error))
        filed = explain_filed(order, refusal, seats) if refusal is not None else None
        if problem := filed or report_refused(order.number, vouched.results):
            return _make_refusal(problem)
        return DeskAnswer(f"Mail {order.number} was carried out. Its sender gets an answer.")

    # -- the clock ----------------------------------------------------------------------------------------

    @cites("club.clock-jump")
    def _confirm_clock(self, transaction: Transaction, order: DeskOrder, now: datetime) -> DeskAnswer:
        del order, now
        after = accept_machine_clock(self.visitors, transaction)
        if after is None:
            return _make_refusal(refuse_confirmation())
        return DeskAnswer(answer_confirmed_clock(after.last))


def answer_confirmed_clock(time: datetime) -> str:
    """Return the answer to somebody who confirms the clock."""
    return f"The clock is right: it is {format_moment(time)}. The clocks of all games run again."


@cites("club.clock-jump")
def refuse_confirmation() -> Problem:
    """Return the problem with confirming a clock that the host believes."""
    return Problem(Kind.ILLEGAL, "club.clock-jump", "The host believes the clock", hint="There is nothing to confirm.")


def describe_filed(mail: StoredMail) -> FiledMail:
    """Return a filed mail as a list shows it."""
    if not mail.raw:
        return FiledMail(mail.number, mail.received, "", "", mail.reason, mail.state)

    def read(raw: bytes) -> tuple[str, str]:
        head = read_whole(raw).head
        who = read_or_refuse(lambda _: find_sender(head), raw)
        return ("" if isinstance(who, Refusal) else who), read_subject(head)

    seen = read_or_refuse(read, mail.raw)
    who, about = ("", "") if isinstance(seen, Refusal) else seen
    return FiledMail(mail.number, mail.received, who, about, mail.reason, mail.state)


def _read_game(stored: StoredGame | None) -> HostedGame | None:
    """Return a stored game; None if it is missing or unreadable."""
    if stored is None:
        return None
    try:
        return HostedGame.read_stored(stored.record, stored.memory)
    except (ValueError, KeyError, TypeError):
        return None


@cites("club.desk.offer", "club.seat")
def _keep_offer(transaction: Transaction, name: str, game: HostedGame, text: str) -> None:
    """Offer a player's seat to the first person who writes `take seat`."""
    found = find_named_seat(game.names, text)
    if found is None:
        return
    document = transaction.documents.get_document(SEAT, name)
    offered = values.read_stored_value(document.data, Offers).seats if document else ()
    kept = Offers(tuple(sorted({*offered, found[0]})))
    transaction.documents.store_document(Document(SEAT, name, values.write_stored_value(kept)))


def _make_refusal(problem: Problem) -> DeskAnswer:
    return DeskAnswer(f"{problem.message}.", problem=problem)


def _report_unreadable(game: str) -> Problem:
    hint = "`tkid host doctor` says what is wrong with it."
    return Problem(Kind.FILE, "club.desk.game", f"The game {game} cannot be read", hint=hint)


@cites("club.desk.process")
def _report_no_mail(order: DeskOrder) -> Problem:
    message = f"There is no filed mail {order.number}"
    hint = f"For a list of the mails with their numbers, {order.ways.explain('filed')}."
    return Problem(Kind.NAME, "club.desk.process", message, hint=hint)


@cites("club.desk.process")
def _report_dropped(number: int) -> Problem:
    message = f"The host has dropped the text of mail {number} to keep room, so it cannot be carried out"
    return Problem(Kind.ILLEGAL, "club.desk.process", message, hint="Ask the sender to write again.")


KIND, PENDING = "host", "orders"
DUPLICATE, REPEATED = IDS("duplicate"), IDS("repeated")
MAX_OWNER_ASKED = 10
"""Maximum number of questions to the owner on one day whether a mail without a key was theirs."""
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

    def read_mail(self, transaction: Transaction, taken: Intake, words: list[str]) -> OwnersMail | None:
        """Return a mail as the owner's desk reads it; None if it is not from the owner, or not for the desk.

        Args:
            transaction: the store.
            taken: the mail.
            words: the words in it that may be keys.
        """
        owner = self.desk.visitors.owner.lower()
        if not owner or taken.sender != owner:
            return None
        games = transaction.filed.list_games()
        own = find_own_lines(
            taken, games, tuple(map(OwnLetter, transaction.list_quotable_letters("", owner, taken.parents, 0)))
        )
        lines = tuple(_list_orders(own, games))
        if lines:
            lines = tuple(_list_lines(own, games))
        key = transaction.documents.find_key(words)
        key = key if key is not None and key.address == owner else None
        agrees = (
            key is not None
            and key.about.startswith(f"{ABOUT} ")
            and "yes"
            in {
                find_answer([*map(Line, own)]),
                find_free_answer(own).answer,
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
    def receive(self, transaction: Transaction, mail: Incoming) -> Refusal | None:
        """Carry out a mail of the owner's; why it is only filed, if it is.

        The owner can do much, so the sender's address alone is never enough: a mail server has to vouch for it, or the
        mail carries the key of a letter that went to the owner.
        """
        visitors, taken = self.desk.visitors, self.taken
        if visitors.required and (refusal := refuse_unauthenticated(mail.raw, taken.sender, visitors.required)):
            return refusal
        day = mail.received.date().isoformat()
        if taken.message_id and not transaction.is_first_time(taken.sender, taken.message_id, day=day):
            return Refusal(DUPLICATE, "The mail came before")
        if not (visitors.required or self.key):
            return self._ask_owner(transaction, mail)
        done, doubtful = list[Done](), list[str]()
        if self.agrees and self.key is not None:
            done += self._carry_out_confirmed(transaction, mail, self.key.about.removeprefix(f"{ABOUT} "))
        for line, order in self.lines:
            if isinstance(order, DeskOrder) and order.is_doubtful:
                doubtful.append(order.line)
                done.append(Done(line, WAITS, waits=True))
            else:
                done.append(self._carry_out_order(transaction, mail, line, order))
        pending = self._keep_orders(transaction, mail, doubtful) if doubtful else None
        visitors.post_letters(transaction, [write_owner_reply(visitors.owner, done, pending, mail.received)], taken)
        transaction.finish_mail(mail.id, DONE)
        return None

    def _ask_owner(self, transaction: Transaction, mail: Incoming) -> Refusal | None:
        """Ask the owner whether a mail without a key was theirs, not too often on one day."""
        owner = self.desk.visitors.owner
        if transaction.count_event(owner.lower(), mail.received.date().isoformat(), ABOUT) > MAX_OWNER_ASKED:
            return Refusal(
                REPEATED, f"More than {MAX_OWNER_ASKED} mails without a key came from the owner's address today"
            )
        orders = [line for line, order in self.lines if isinstance(order, DeskOrder) and order.kind != LIST]
        at_once = [
            self._carry_out_order(transaction, mail, line, order)
            for line, order in self.lines
            if isinstance(order, Problem) or order.kind == LIST
        ]
        if orders:
            pending = self._keep_orders(transaction, mail, orders)
            letter = ask_owner(owner, pending, at_once, mail.received)
        else:
            letter = write_owner_reply(owner, at_once, None, mail.received)
        self.desk.visitors.post_letters(transaction, [letter], self.taken)
        transaction.finish_mail(mail.id, DONE)
        return None

    @cites("club.desk.confirm")
    def _carry_out_confirmed(self, transaction: Transaction, mail: Incoming, name: str) -> Iterator[Done]:
        """Carry out the orders that a letter asked about."""
        found, left = self._find_pending(transaction).split_off(name)
        if found is None:
            yield Done("yes", "There is nothing left to confirm.")
            return
        transaction.documents.store_document(Document(KIND, PENDING, left.text))
        games = transaction.filed.list_games()
        for line in found.lines:
            if (order := read_desk_line(line, games)) is not None:
                yield self._carry_out_order(transaction, mail, line, order)

    def _carry_out_order(self, transaction: Transaction, mail: Incoming, line: str, order: DeskOrder | Problem) -> Done:
        if isinstance(order, Problem):
            return Done(line, f"Not done: {order.message}.", problem=order)
        if order.kind == "import":
            became = self._import_game(transaction, mail, order)
        else:
            became = self.desk.carry_out(transaction, order, mail.received)
        if became.problem is None:
            return Done(line, became.lead, became.blocks)
        return Done(line, f"Not done: {became.lead}", became.blocks, place_problem(became.problem, line, order))

    def _import_game(self, transaction: Transaction, mail: Incoming, order: DeskOrder) -> DeskAnswer:
        enclosed = take_out(mail.raw)
        if isinstance(enclosed, Refusal):
            hint = "Attach the game file to the mail with the order."
            problem = Problem(Kind.FILE, enclosed.rule, enclosed.reason, hint=hint)
            return DeskAnswer(f"{problem.message}.", problem=problem)
        return self.desk.take_in(transaction, order.text, enclosed.text, mail.received)

    def _keep_orders(self, transaction: Transaction, mail: Incoming, lines: list[str]) -> Pending:
        """Keep orders until they are confirmed."""
        named = "\n".join((str(mail.id), mail.received.isoformat(), *lines))
        name = sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]
        pending = Pending(name, tuple(lines), mail.received.isoformat())
        kept = self._find_pending(transaction).add_one(pending)
        transaction.documents.store_document(Document(KIND, PENDING, kept.text))
        return pending

    @staticmethod
    def _find_pending(transaction: Transaction) -> PendingOrders:
        document = transaction.documents.get_document(KIND, PENDING)
        return PendingOrders.read(document.data) if document else PendingOrders()


def _list_orders(own: list[str], games: list[str]) -> Iterator[OrderLine]:
    for line in own:
        if (order := read_desk_line(line, games)) is not None:
            yield line, order


def _list_lines(own: list[str], games: list[str]) -> Iterator[OrderLine]:
    """List the orders in a mail to the desk: those for the desk, and why others are not carried out."""
    for line in own:
        if (order := read_desk_line(line, games)) is not None:
            yield line, order
        elif (other := read_for_club(line)) is not None:
            yield line, other if isinstance(other, Problem) else locate_problem(FOR_THE_CLUB, line)
