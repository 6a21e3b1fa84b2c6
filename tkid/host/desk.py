"""Carry out the owner's orders, from the terminal or by mail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from attrs import evolve, frozen

from tkid.club import desk_letters
from tkid.club.club_state import Offers
from tkid.club.desk_changes import INTERVENTIONS, admit_game, list_earlier_notes, place_problem
from tkid.club.desk_orders import ALL, KINDS, DeskOrder
from tkid.club.host_time import ABOUT
from tkid.club.names import find_host_seat
from tkid.host import letters
from tkid.host.club_mail import Arrival, StoredState
from tkid.host.host_time import accept_machine_clock
from tkid.host.store.connection import DatabaseError
from tkid.host.store.documents import StoredMail
from tkid.host.store.transaction import Incoming, StoredGame, Transaction
from tkid.kernel.problems import Kind, Problem
from tkid.mail.enclosure import take_out
from tkid.mail.envelope import find_sender, read_or_refuse, read_subject, read_whole
from tkid.mail.game_clock import format_moment
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.mime import take_in, take_in_partly
from tkid.mail.model import OrderLine, Refusal
from tkid.mail.order_machine import (
    Handler,
    Mail,
    OrderRefusedError,
    OrderResult,
    Request,
    Sender,
    carry_out,
    refuse_order,
    report_done,
)
from tkid.notation.text import count_noun_in_words
from tkid.record.clock_notes import find_named_seat
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.rulebook import cites

ChangeGame = Callable[[Transaction, str, Outcome, HostedGame | None], None]
Ordered = Callable[[Arrival], Refusal | None]


@frozen
class Desk:
    """The desk of a host. `change_game` keeps a game that was changed, with its letters, and `ordered` carries out a mail."""

    visitors: letters.ClubMailService
    change_game: ChangeGame
    ordered: Ordered

    def make_mail(self, now: datetime) -> Mail:
        """Return the equivalent of a mail from the owner for an order at the terminal."""
        sender = Sender(-1, "owner", self.visitors.owner.lower())
        return Mail(sender, now, about=ABOUT, terms=self.visitors.club, host=self.visitors.address)

    def carry_out(self, transaction: Transaction, order: DeskOrder, mail: Mail) -> OrderResult:
        """Carry out an order. If it is impossible, nothing changes."""
        handlers: Mapping[str, Handler] = {
            "desk": self._write_help,
            "games": self._list_games,
            "status": self._describe_status,
            "filed": self._list_filed,
            "show": self._show_mail,
            "process": self._process_mail,
            "confirm clock": self._confirm_clock,
            "import": self._import_game,
            **dict.fromkeys(INTERVENTIONS, self._change_games),
        }
        return carry_out(Request(order, KINDS[order.kind], mail), transaction, handlers)

    def carry_out_line(self, line: OrderLine, mail: Mail, transaction: Transaction) -> OrderResult:
        """Carry out an order of a mail; its problem has its place in the line."""
        order = line.read.order
        assert isinstance(order, DeskOrder)
        result = self.carry_out(transaction, order, mail)
        problems = tuple(place_problem(each, line.typed, order) for each in result.problems[:1])
        return evolve(result, line=line, problems=problems)

    @cites("club.desk.all")
    def _change_games(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        """Change a game; or every running game, each once, but for those that need no change."""
        if request.order.game != ALL:
            return self._change_game(request, transaction)
        each = {
            name: self._change_game(request.with_order(evolve(request.order, game=name)), transaction)
            for name in transaction.list_running()
        }
        changed = [name for name, result in each.items() if result.problem is None]
        if not changed:
            raise refuse_order("club.desk.all", "No game needed this", "Nothing was changed.")
        told = f"{request.row.done} in {count_noun_in_words(len(changed), 'game')}"
        return report_done(f"{told}: {', '.join(changed)}.".capitalize())

    def _change_game(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        name = request.order.game
        hosted = _get_game(transaction, name)
        result = carry_out(request, hosted, INTERVENTIONS, hosted)
        for _, outcome in result.changes:
            if problem := self._check_host_address(outcome):
                return OrderResult(problems=(problem,))
            self._save_change(transaction, name, hosted, outcome, request.now)
            told = f"{request.row.done}, {count_noun_in_words(len(outcome.letters), 'letter')} to players"
            result = report_done(f"{name}: {told}. Now: {desk_letters.describe_state(outcome.game, request.now)}.")
            if request.row.name == "offer":
                _keep_offer(transaction, name, hosted, request.order.text)
        return result

    @cites("club.desk.import")
    def take_in(self, transaction: Transaction, name: str, record: bytes, now: datetime) -> OrderResult:
        """Take in the record of a game that has begun elsewhere."""
        if not name or StoredState(transaction, now).is_taken(name):
            told = f"There is a game {name} already" if name else "The name of the game is missing"
            hint = "Choose another name." if name else "Give the game a name, such as winter."
            problem = Problem(Kind.NAME, "club.desk.import", told, length=max(1, len(name)), hint=hint)
            return OrderResult(problems=(problem,))
        taken = admit_game(record, now)
        if isinstance(taken, list):
            return OrderResult(problems=tuple(taken[:1]))
        if fault := self._check_host_address(taken):
            return OrderResult(problems=(fault,))
        outcome, read = taken, read_record(record).record
        said = list_earlier_notes(replay(read)) if read is not None else ()
        transaction.add_game(StoredGame(name, outcome.game.record_text, outcome.game.memory_text, outcome.due))
        self.change_game(transaction, name, outcome, None)
        told = f"{name}: imported, {count_noun_in_words(len(outcome.letters), 'letter')} to players"
        return report_done(f"{told}. Now: {desk_letters.describe_state(outcome.game, now)}.", *said)

    def _import_game(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        enclosed = take_out(request.mail.raw)
        if isinstance(enclosed, Refusal):
            hint = "Attach the game file to the mail with the order."
            raise refuse_order(enclosed.rule, enclosed.reason, hint, kind=Kind.FILE)
        return self.take_in(transaction, request.order.text, enclosed.text, request.now)

    @cites("club.new-game")
    def _check_host_address(self, outcome: Outcome) -> Problem | None:
        name = find_host_seat(outcome.game, self.visitors.address)
        if not name:
            return None
        hint = "Write the address of a person. To let a program play, name a bot."
        return Problem(Kind.ILLEGAL, "club.new-game", f"{name} has the address of this host", hint=hint)

    def _save_change(
        self, transaction: Transaction, name: str, before: HostedGame, outcome: Outcome, now: datetime
    ) -> None:
        game = outcome.game
        self.change_game(transaction, name, outcome, before)
        moved = [
            seat
            for seat in game.seats
            if game.find_address(seat) != before.find_address(seat) and before.find_address(seat)
        ]
        gone = [seat for seat in moved if game.find_player(seat) == before.find_player(seat)]
        written = [desk_letters.write_moved_away(before, seat, name, now) for seat in gone]
        self.visitors.post_letters(transaction, written)

    def _list_games(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        order, now = request.order, request.now
        names = transaction.filed.list_games() if order.game == ALL else transaction.list_running()
        games, waiting = [], 0
        for name in names:
            if hosted := _read_game(transaction, name):
                games.append(desk_letters.make_game_line(name, hosted, now))
                waiting += hosted.to_act is not None
        most = desk_letters.MOST_SHOWN if order.ways.by_mail else None
        lead = f"{count_noun_in_words(len(games), 'game').capitalize()}, {waiting} waiting for a turn."
        return report_done(lead, *desk_letters.list_hosted_games(games, most))

    def _describe_status(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        order, now = request.order, request.now
        hosted = _get_game(transaction, order.game)
        back = transaction.filed.list_returned(list(filter(None, map(hosted.find_address, hosted.seats))))
        lead = f"{order.game}: {desk_letters.describe_state(hosted, now)}."
        return report_done(lead, *desk_letters.describe_game(hosted, back))

    def _write_help(self, _: Request[DeskOrder], __: Transaction) -> OrderResult:
        lead = "These are the orders of the desk. Write one on each line."
        return report_done(lead, *desk_letters.list_owner_orders())

    def _list_filed(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        order = request.order
        every = order.game == ALL
        mails = list(map(_describe_filed, transaction.filed.list_latest(settled=every)))
        number = count_noun_in_words(len(mails), "filed mail").capitalize()
        lead = f"{number}." if every else f"{number} {'waits' if len(mails) == 1 else 'wait'} for you."
        return report_done(lead, *desk_letters.list_filed(mails, order.ways, every=every))

    def _show_mail(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        order = request.order
        mail = _get_mail(transaction, order)
        seen = take_in_partly(mail.raw) if mail.raw else None
        text = [line.text for line in seen.lines] if seen else mail.raw.decode("utf-8", "replace").splitlines()
        return report_done(f"This is mail {order.number}.", *desk_letters.show_filed_mail(_describe_filed(mail), text))

    @cites("club.desk.process")
    def _process_mail(self, request: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        order, now = request.order, request.now
        mail = _get_mail(transaction, order)
        if mail.is_dropped:
            why = f"The host has dropped the text of mail {order.number} to keep room, so it cannot be carried out"
            raise refuse_order("club.desk.process", why, "Ask the sender to write again.")
        taken = take_in(mail.raw)
        if isinstance(taken, Refusal):
            return OrderResult(problems=(letters.report_unreadable(order, taken),))
        seats = letters.find_seats(transaction, taken.sender)
        as_come = Incoming(mail.number, mail.raw, min(mail.received, now))
        vouched = letters.Vouched(order.reason, seats, now)
        try:
            with transaction.begin_part():
                refusal = self.ordered(Arrival(transaction, as_come, taken, vouched))
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of ours: the mail stays, and the owner hears of it
            return OrderResult(problems=(letters.report_failure(order.number, error),))
        filed = letters.explain_filed(order, refusal, seats) if refusal is not None else None
        if problem := filed or letters.report_refused(order.number, vouched.results):
            return OrderResult(problems=(problem,))
        return report_done(f"Mail {order.number} was carried out. Its sender gets an answer.")

    @cites("club.clock-jump")
    def _confirm_clock(self, _: Request[DeskOrder], transaction: Transaction) -> OrderResult:
        after = accept_machine_clock(self.visitors, transaction)
        if after is None:
            raise refuse_confirmation()
        return report_done(answer_confirmed_clock(after.last))


def answer_confirmed_clock(time: datetime) -> str:
    return f"The clock is right: it is {format_moment(time)}. The clocks of all games run again."


@cites("club.clock-jump")
def refuse_confirmation() -> OrderRefusedError:
    return refuse_order("club.clock-jump", "The host already accepts the clock", "There is nothing to confirm.")


def _describe_filed(mail: StoredMail) -> tuple[str, str]:
    """Return the number of a filed mail; and when it came, who it says it is from, its subject, and why it was filed."""

    def read(raw: bytes) -> tuple[str, str]:
        head = read_whole(raw).head
        who = read_or_refuse(lambda _: find_sender(head), raw)
        return ("" if isinstance(who, Refusal) else who), read_subject(head)

    seen = read_or_refuse(read, mail.raw) if mail.raw else ("", "")
    who, about = ("", "") if isinstance(seen, Refusal) else seen
    subject = f", “{about}”" if about else ""
    sender, why = who or "an unknown sender", mail.reason or mail.state
    return str(mail.number), f"{mail.received:%Y-%m-%d %H:%M}, {sender}{subject}: {why}"


def _read_game(transaction: Transaction, name: str) -> HostedGame | None:
    """Return a game; None if it is missing or unreadable."""
    stored = transaction.get_game(name)
    return stored.find_readable() if stored else None


@cites("club.desk.offer", "club.seat")
def _keep_offer(transaction: Transaction, name: str, game: HostedGame, text: str) -> None:
    """Offer a player's seat to the first person who writes `take seat`."""
    found = find_named_seat(game.names, text)
    if found is None:
        return
    offers = transaction.documents.find_value(Offers, name) or Offers()
    transaction.documents.store_document(offers.with_seat(found[0]).store_for_game(name))


def _get_game(transaction: Transaction, name: str) -> HostedGame:
    """Return a game. Raises OrderRefusedError if it is missing or unreadable."""
    if hosted := _read_game(transaction, name):
        return hosted
    hint = "`tkid host doctor` says what is wrong with it."
    raise refuse_order("club.desk.game", f"The game {name} cannot be read", hint, kind=Kind.FILE)


@cites("club.desk.process")
def _get_mail(transaction: Transaction, order: DeskOrder) -> StoredMail:
    """Return the filed mail that an order names. Raises OrderRefusedError if no mail has that number."""
    if mail := transaction.filed.get_mail(order.number):
        return mail
    hint = f"For a list of the mails with their numbers, {order.ways.explain('filed')}."
    raise refuse_order("club.desk.process", f"There is no filed mail {order.number}", hint, kind=Kind.NAME)
