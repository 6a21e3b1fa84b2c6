"""Handle one mail in one transaction, and limit how often mails are answered.

Without a limit, the host and a program that answers by itself would write to each other for ever. A person still gets an
answer to everything new, and every turn is played, even after many mails.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from attrs import evolve, frozen

from tkid.club.members import FORMER
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.names import find_cast, find_host_seat, find_member, find_person
from tkid.club.observers import OBSERVER_KIND as OBSERVER
from tkid.club.observers import Observers, make_observer_letters
from tkid.club.order_reader import find_orders_to_club as find_club_orders
from tkid.club.values import TURNS
from tkid.host import letters
from tkid.host.club_mail import Arrival, Door
from tkid.host.desk import Desk
from tkid.host.journal import answer_lost, find_lost_letter
from tkid.host.published_folder import HOOK, Watch
from tkid.host.store.schema import FILED, SETTLED, explain_unfit, games
from tkid.host.store.transaction import Incoming, Key, KeyedGame, Outgoing, StoredGame, Transaction, read_message_id
from tkid.mail import game_service, letter_parts
from tkid.mail.blocks import Letter, Paragraph
from tkid.mail.envelope import FROM, TOO_LARGE, cut_beginning_of_mail
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.intent import may_stop
from tkid.mail.letter_parts import Recipient
from tkid.mail.marker import make_key
from tkid.mail.message import ANSWERS, compose_mail, find_mail_address
from tkid.mail.mime import PARTS, take_in, take_in_partly
from tkid.mail.mime_writer import Part
from tkid.mail.model import IDS, Intake, Orders, Refusal
from tkid.mail.order_answers import SOMEBODY_HERE
from tkid.mail.order_finder import REACTED
from tkid.mail.order_machine import TOLD, ClubLetter, has_changed, has_left, may_be_former_key, write_parting
from tkid.mail.order_offers import is_idle_reaction, is_waiting
from tkid.record.format.model import Record, find_bot_seats
from tkid.rulebook import cites

REPEATED = IDS("repeated")
MAX_ANSWERS_WITHOUT_TURN = 20
"""Maximum number of mails of one address on one day that play no turn and are still answered."""
UNPLAYED = "unplayed"
"""Counts mails over that limit with a turn that would be asked about."""
MAX_LINES_OVER_LIMIT = 10
"""Number of lines that are read in a mail of a sender over that limit: a turn is at the top."""
ELSEWHERE = IDS("other-address")
MAX_ASKED = 3
"""Maximum number of questions to a player on one day about mails from another address."""

ANSWERED_BEFORE = Refusal(REPEATED, "The same mail was answered before today")

REPAIRS = {
    TOO_LARGE: "Send your order again without attachments.",
    PARTS: "Send your order again without attachments.",
    FROM: "Send your order again from your own address, with that address alone in the From line.",
}
"""Repairs of a mail that could not be read, by the rule it breaks."""
REPAIR = "Send your order again as plain text."


@cites("mail.repeated", "post.answer.open")
def find_limit(
    arrival: Arrival, key: Key, orders: Orders, before: HostedGame, outcome: Outcome
) -> tuple[Refusal | None, Letter | None]:
    """Return why a mail is only filed: it repeats one that was answered today, or is beyond the day's answers (in UTC).

    The first time, and once for a turn that would be asked about, a letter says so. `before` is the game before the mail, `outcome` the mail's result.
    """
    if outcome.game.turns > before.turns:
        return None, None
    seat, sender = key.seat, before.find_address(key.seat).lower()
    answers = bool(orders.answer) and is_waiting(before, seat, orders)
    if outcome.problems and not outcome.record_changed and not answers:
        uncertain = (*(line.typed for line in orders.proposed), *orders.choices, orders.answer)
        said = (*orders.typed, "", *orders.remark, "", *uncertain)
        facts = (key.game, str(seat), before.turn_id, outcome.problems[0].rule, *said)
        what = sha256("\n".join(facts).encode("utf-8", "replace")).hexdigest()
        if arrival.transaction.count_event(sender, arrival.day, what) > 1:
            return ANSWERED_BEFORE, None
    mails = arrival.transaction.count_event(sender, arrival.day, "")
    if mails <= MAX_ANSWERS_WITHOUT_TURN:
        return None, None
    refusal = Refusal(REPEATED, f"More than {MAX_ANSWERS_WITHOUT_TURN} mails that play no turn came today")
    now, has_turn = arrival.mail.received, any(letter.offer for letter in outcome.letters)
    is_first = mails == MAX_ANSWERS_WITHOUT_TURN + 1
    tells = is_first or (has_turn and arrival.transaction.count_event(sender, arrival.day, UNPLAYED) == 1)
    return refusal, _write_notice(before, seat, now) if tells else None


@cites("mail.other-address")
def is_asked_often(arrival: Arrival, address: str) -> bool:
    """Return True if a player was asked often enough on this day about mails from another address; counts this one."""
    return arrival.transaction.count_event(address, arrival.day, ELSEWHERE) > MAX_ASKED


@cites("mail.unread")
def write_unread_letter(  # noqa: PLR0917 - who, which mail, and what is wrong with it
    transaction: Transaction, hosted: HostedGame, seat: int, seen: Intake, refusal: Refusal, received: datetime
) -> Letter | None:
    """Write the letter about a mail with a player's key that is unreadable: one a day for each reason, none for a copy."""
    address, day = hosted.find_address(seat).lower(), received.date().isoformat()
    if not address:
        return None  # a bot writes no mails
    is_copy = seen.message_id and not transaction.is_first_time(f"unread {address}", seen.message_id, day=day)
    if is_copy or transaction.count_event(address, day, refusal.rule) > 1:
        return None
    recipient = Recipient(hosted, seat, received)
    text = (
        f"{refusal.reason}. {REPAIRS.get(refusal.rule, REPAIR)} You can answer this mail. If you did not write that mail, "
        "you can ignore this."
    )
    lead = "Nothing has been done: a mail with your key could not be read."
    return _write_note(recipient, lead, text, refusal.rule)


def _write_note(recipient: Recipient, lead: str, text: str, rule: str) -> Letter:
    return letter_parts.compose_letter(recipient, "note", lead, (Paragraph(text),), (letter_parts.cite_rule(rule),))


def _write_notice(hosted: HostedGame, seat: int, now: datetime) -> Letter:
    recipient = Recipient(hosted, seat, now)
    text = (
        f"{MAX_ANSWERS_WITHOUT_TURN} of your mails of today played no turn, and were answered. This one was not read, and neither will "
        "others be until tomorrow (UTC): perhaps a program answers our mails for you, and the two would write to each other for ever. "
        "When it is your turn you can still play it: send the turn alone, as our letters write it."
    )
    return _write_note(recipient, "No more of your mails are answered today, unless they play a turn.", text, REPEATED)


@cites("club.observe")
def write_observer_letters(transaction: Transaction, name: str, outcome: Outcome, least: int) -> tuple[ClubLetter, ...]:
    """Write to a changed game's observers, who are `least` turns late or more, and remember that this was done."""
    is_observed = transaction.documents.see_text(Observers.KIND, name) is not None
    observers = transaction.documents.find_value(Observers, name) if is_observed else None
    if observers is None or not observers.watching:
        return ()
    game = outcome.game
    times = (*(letter.time for letter in outcome.letters), *filter(None, (game.time.latest,)))
    if not times:
        return ()
    cast = find_cast(game, lambda address: find_member(transaction.documents.get_text, address))
    letters, after = make_observer_letters(observers, game, cast, max(times), least)
    if letters:
        transaction.documents.store_document(after.document)
    return letters


SENDER, DUPLICATE, KEY_LOST = IDS("sender"), IDS("duplicate"), IDS("key-lost")


@frozen
class Mails:
    """The work on mails for a host.

    `watch` notifies others of changes, with `pictures` letters may have some, and `draw` draws the bytes that a new
    game is dealt from. `hold` is the time that a turn waits if the mail also has
    unknown words.
    """

    visitors: letters.ClubMailService
    watch: Watch
    pictures: bool
    draw: Callable[[], bytes]
    hold: timedelta

    @property
    def desk(self) -> Desk:
        return Desk(self.visitors, self.save_change, self.carry_out_mail)

    @property
    def door(self) -> Door:
        order_desk = self.desk.carry_out_line
        return Door(self.visitors, self.admit_game, self.save_change, self.carry_out_for_game, self.draw, order_desk)

    def admit_game(self, transaction: Transaction, game: str, record: Record, now: datetime) -> None:
        """Take in a new game within a transaction. Raises ValueError if the game cannot be hosted."""
        if fault := explain_unfit(games.c.id, game):
            raise ValueError(fault)
        people = [seat for seat in range(len(record.seats)) if seat not in find_bot_seats(record)]
        refused = [str(r) for seat in people if isinstance(r := find_mail_address(record, seat), Refusal)]
        if refused:
            raise ValueError("; ".join(refused))
        outcome = game_service.begin_game(record, now)
        if name := find_host_seat(outcome.game, self.visitors.address):
            raise ValueError(f"{name} has the address of this host, which plays no game")
        kept = open_stored(game, outcome)
        kept.read_hosted()  # raises where a mail could not read it again
        transaction.add_game(kept)
        self.post_letters(transaction, game, outcome)

    def save_change(
        self,
        transaction: Transaction,
        game: str,
        outcome: Outcome,
        before: HostedGame | None = None,
        answered: Intake | None = None,
    ) -> None:
        """Save a changed game and its letters; keys for turns that were taken back since `before` become invalid."""
        transaction.save_game(open_stored(game, outcome))
        if before is not None and (back := letters.list_taken_back(before, outcome.game)):
            transaction.bind_keys(game, min(back))
        self.post_letters(transaction, game, outcome, answered)

    @cites("mail.beginning")
    def carry_out(self, transaction: Transaction, mail: Incoming, now: datetime) -> None:
        """Carry out a mail. If the sender has written too much today, read only its beginning."""
        brief, posted = mail.in_vain > MAX_ANSWERS_WITHOUT_TURN, transaction.posted
        taken = take_in(cut_beginning_of_mail(mail.raw) if brief else mail.raw)
        if isinstance(taken, Refusal):
            is_noted = self.visitors.read_report(transaction, mail.raw, now)
            self._report_unread(transaction, mail, taken)
            _file_mail(transaction, mail, taken, is_settled=is_noted or transaction.posted > posted)
            return
        most_lines = MAX_LINES_OVER_LIMIT if brief else None
        refusal = self.carry_out_mail(Arrival(transaction, mail, taken), most_lines=most_lines)
        if refusal is not None:
            is_done = refusal.rule in {DUPLICATE, REACTED.rule} or refusal == ANSWERED_BEFORE
            _file_mail(transaction, mail, refusal, is_settled=is_done or transaction.posted > posted)

    def carry_out_mail(self, arrival: Arrival, *, most_lines: int | None = None) -> Refusal | None:
        """Carry out the orders of a mail that was read, or its first lines; return the reason if it is only filed."""
        vouched, taken = arrival.vouched, arrival.taken
        words = letters.list_possible_keys(taken)
        keyed = _find_keyed_game(arrival.transaction, words, taken.sender)
        if keyed is None and vouched:
            keyed = vouched.find_keyed_game(arrival.transaction, words)
        if keyed is None:
            return self._carry_out_without_key(arrival, words)
        key, hosted = keyed.key, keyed.game.read_hosted()
        if vouched is None:
            refusal = self._refuse_mail(arrival, keyed, hosted)
        elif has_changed(hosted, key.seat, arrival.mail.received) or _is_of_former_player(arrival, hosted, key):
            refusal = letters.explain_replaced(hosted, key.seat)
        else:
            refusal, hosted = None, vouched.note_in_game(hosted, key.seat)
        if refusal is not None:
            return refusal
        if keyed.came_back:
            arrival.transaction.note_reached(taken.sender)
        read = arrival.with_taken(lines=taken.lines[:most_lines], html=lambda: taken.html()[:most_lines])
        refusal = self.carry_out_for_game(read, key, hosted)
        if refusal is None:
            arrival.finish(keyed.game.id)
        return refusal

    def _carry_out_without_key(self, arrival: Arrival, words: list[str]) -> Refusal | None:
        """Carry out a mail without a key of a game; return the reason if it is only filed."""
        visit = self.door.receive_vouched if arrival.vouched else self.door.receive
        if self.door.list_desk_lines(arrival):
            return visit(arrival, words)
        if arrival.vouched is None and (threaded := self._find_threaded_game(arrival, words)):
            return self._ask_about_lost_key(arrival, threaded)
        return self._answer_lost_letter(arrival, words) or visit(arrival, words)

    def _refuse_mail(self, arrival: Arrival, keyed: KeyedGame, hosted: HostedGame) -> Refusal | None:
        if hosted.find_address(keyed.key.seat).lower() != arrival.sender:
            return self._ask_about_sender(arrival, keyed, hosted)
        if refusal := self.visitors.refuse_sender(arrival.mail, arrival.taken):
            return refusal
        return Refusal(DUPLICATE, "The mail came before") if arrival.is_copy(keyed.game.id) else None

    def carry_out_for_game(self, arrival: Arrival, key: Key, hosted: HostedGame) -> Refusal | None:
        """Carry out the orders for a game in a mail, for the player to whom a key was sent; return the reason if they are not.

        If the owner has vouched for the mail, their results are noted there, and there is no limit.
        """
        transaction, received, vouched = arrival.transaction, arrival.mail.received, arrival.vouched
        asked, offer = letters.read_keyed_mail(arrival.transaction, self.visitors.secret, hosted, key, arrival.taken)
        if vouched is None and is_idle_reaction(hosted, key.seat, asked, key.turn, offer):
            return REACTED
        stops = may_stop(hosted, key.seat, asked, offer)
        orders = self.door.carry_out_within(arrival, key, asked, may_stop=stops)
        if orders is None:
            return None
        until = find_earlier(received, arrival.mail.oldest)
        outcome = game_service.receive_mail(
            hosted, key.seat, orders, received, key.turn, offer, until=until, hold=self.hold
        )
        refusal, notice = find_limit(arrival, key, orders, hosted, outcome)
        if vouched is None and refusal is not None:
            if notice is not None:
                noticed = evolve(outcome, game=hosted, letters=(notice,))
                self.post_letters(transaction, key.game, noticed, arrival.taken)
            return refusal
        if vouched is not None:
            is_done = outcome.record_changed or len(outcome.problems) < max(1, len(orders.lines))
            vouched.results.extend((*outcome.problems, *((None,) if is_done else ())))
        self.save_change(transaction, key.game, outcome, hosted, arrival.taken)
        return None

    def _answer_lost_letter(self, arrival: Arrival, words: list[str]) -> Refusal | None:
        """Show the game as it is to a player who answers a letter that the host lost when it was restored."""
        transaction, taken = arrival.transaction, arrival.taken
        lost = find_lost_letter(transaction, self.visitors.secret, taken, words)
        if lost is None or self.visitors.refuse_sender(arrival.mail, taken):
            return None
        refusal, outcome = answer_lost(transaction, *lost, taken, arrival.mail.received)
        if outcome is not None:
            self.save_change(transaction, lost[0].game, outcome)
        return refusal

    @staticmethod
    @cites("mail.key-lost")
    def _find_threaded_game(arrival: Arrival, words: list[str]) -> KeyedGame | None:
        """Return the game and key of the letter that a mail without a key answers by its headers, if its reader wrote it.

        A wrong key is not a lost one.
        """
        if words:
            return None
        letter = arrival.transaction.find_answered_letter(arrival.taken.parents, arrival.sender)
        keyed = arrival.transaction.get_keyed_game(letters.find_letter_key(letter), arrival.sender)
        if keyed is None:
            return None
        hosted = keyed.game.read_hosted()
        return keyed if hosted.find_address(keyed.key.seat).lower() == arrival.sender else None

    @cites("mail.key-lost")
    def _ask_about_lost_key(self, arrival: Arrival, keyed: KeyedGame) -> Refusal | None:
        """Ask a player whether a mail is theirs that answers a letter by its headers, and has lost the key.

        The same kind of mail with a `yes` to that question counts: only its reader can know the question's Message-ID.
        """
        key, hosted = keyed.key, keyed.game.read_hosted()
        orders, offer = letters.read_keyed_mail(arrival.transaction, self.visitors.secret, hosted, key, arrival.taken)
        is_empty = not (orders.lines or orders.answer or orders.choices or orders.proposed)
        if is_empty and find_club_orders(arrival.taken).lines:
            return self.door.receive(arrival, ())
        if refusal := self._refuse_mail(arrival, keyed, hosted):
            return refusal
        asked = hosted.memory.find_proposal("elsewhere", key.seat)
        if orders.answer and asked is not None and offer == asked.id:
            refusal = self.carry_out_for_game(arrival, key, hosted)
        elif arrival.transaction.count_event(arrival.sender, arrival.day, KEY_LOST) > MAX_ANSWERS_WITHOUT_TURN:
            refusal = Refusal(REPEATED, f"More than {MAX_ANSWERS_WITHOUT_TURN} mails that lost their key came today")
        else:
            self._ask_sender(arrival, keyed, hosted, "", arrival.taken)
        if refusal is None:
            arrival.finish(keyed.game.id)
        return refusal

    @cites("mail.other-address", "mail.private-address")
    def _ask_about_sender(self, arrival: Arrival, keyed: KeyedGame, hosted: HostedGame) -> Refusal:
        """Ask the player whose key a mail carries whether it is theirs. Nothing is played, and the sender gets no answer."""
        key, sender = keyed.key, arrival.sender
        if has_left(hosted, key.seat, sender):
            return self._answer_former_player(arrival, hosted, key)
        refusal = Refusal(SENDER, f"{sender} is not the address that the key was sent to")
        address = hosted.find_address(key.seat).lower()
        if not address or arrival.is_copy(key.game) or is_asked_often(arrival, address):
            return refusal
        person = find_person(arrival.state)
        is_somebody = person(sender) != person(address) and arrival.state.is_known(sender)
        shown = SOMEBODY_HERE if is_somebody else sender  # nobody hears the address of another player
        self._ask_sender(arrival, keyed, hosted, shown, letters.drop_thread(arrival.taken))
        return refusal

    def _ask_sender(
        self, arrival: Arrival, keyed: KeyedGame, hosted: HostedGame, sender: str, answered: Intake
    ) -> None:
        """Ask whether a mail is its reader's: it came from a `sender`, or from the reader without a key (""); keep the question."""
        transaction, key = arrival.transaction, keyed.key
        orders, offer = letters.read_keyed_mail(arrival.transaction, self.visitors.secret, hosted, key, arrival.taken)
        outcome = game_service.ask_sender(hosted, key.seat, orders, sender, arrival.mail.received, key.turn, offer)
        transaction.save_game(evolve(keyed.game, memory=outcome.game.memory_text))
        self.post_letters(transaction, key.game, outcome, answered)

    @cites("post.stand-in.told")
    def _answer_former_player(self, arrival: Arrival, hosted: HostedGame, key: Key) -> Refusal:
        """Tell somebody who writes about a seat that somebody else plays now that nothing was done."""
        if refusal := self.visitors.refuse_sender(arrival.mail, arrival.taken):
            return refusal
        if not arrival.is_copy(key.game) and not is_asked_often(arrival, arrival.sender):
            letter = write_parting(hosted, key.seat, arrival.sender, arrival.mail.received, ())
            self.post_letters(arrival.transaction, key.game, Outcome(hosted, (letter,)), arrival.taken)
        return Refusal(TOLD, f"{arrival.sender} no longer plays the seat of the key")

    @cites("mail.unread")
    def _report_unread(self, transaction: Transaction, mail: Incoming, refusal: Refusal) -> None:
        """Tell the player whose key a mail carries that it could not be read. Nobody else is written to."""
        seen = take_in_partly(mail.raw)
        keyed = _find_keyed_game(transaction, letters.list_possible_keys(seen), seen.sender) if seen else None
        if seen and keyed:
            allowed, game = keyed.key, keyed.game
            hosted = game.read_hosted()
            notice = write_unread_letter(transaction, hosted, allowed.seat, seen, refusal, mail.received)
            if notice is not None:
                own = hosted.find_address(allowed.seat).lower() == seen.sender
                about = seen if own else letters.drop_thread(seen)
                self.post_letters(transaction, game.id, Outcome(hosted, (notice,)), about)

    @cites("post.end", "post.stand-in.told")
    def post_letters(
        self, transaction: Transaction, name: str, outcome: Outcome, answered: Intake | None = None
    ) -> None:
        """Put the letters about a game into the outgoing mail, make their keys valid, and note that the game has changed.

        A letter to a player whose seat somebody else plays now has no key.
        """
        game, visitors = outcome.game, self.visitors
        addresses = {game.find_address(seat).lower() for seat in game.seats}
        transaction.documents.look_up(
            [(kind, each) for each in sorted(addresses) for kind in (MEMBER, FORMER)]
            + [(HOOK, f"url {name}"), (OBSERVER, name)]
        )
        self.watch.note_changed(transaction, name)
        given: dict[str, Key] = {}
        mails = []
        for letter in outcome.letters:
            address = letter.to or game.find_address(letter.seat)  # a bot has none, and reads no letters
            if not address or (not letter.to and letters.keep_for_digest(transaction, name, game, letter, address)):
                continue
            written, key, player, files, pictures = letter, "", "", tuple[Part, ...](), self.pictures
            if not letter.to:
                course = letters.find_course(game, letter.after)
                key = make_key(visitors.secret, name, letter.seat, letter.turn, course, letter.offer)
                given[key] = Key(name, letter.seat, letter.turn)
                player, pictures = game.find_player(letter.seat), pictures and game.memory.seats[letter.seat].pictures
                files, club = letters.make_calendar_files(transaction, name, game, letter, address), visitors.club
                page = f"{club.web}/g/{key}" if club.web else ""
                if club.turn_pages and (own := letters.find_page_key(visitors.secret, name, game, letter.seat)):
                    given[own], page = Key(name, letter.seat, letter.turn), f"{club.turn_pages}/{TURNS}/{own}.html"
                written = letters.link_page(letter, page) if page and letter.kind in letters.ASKING else letter
            is_answer = letter.kind in ANSWERS and letter is outcome.letters[0]  # others may be told of a held turn
            about = answered if is_answer else None
            known = (game.public, written, address, visitors.address, about, key, player)
            mail = compose_mail(*known, pictures=pictures, attached=files, opened=game.time.over)
            mails.append(Outgoing(read_message_id(mail), name, address, mail))
        transaction.allow_keys(given)
        transaction.post_letters(mails)
        to_observers = write_observer_letters(transaction, name, outcome, visitors.club.delay)
        visitors.post_letters(transaction, to_observers)


@cites("mail.key")
def _find_keyed_game(transaction: Transaction, words: list[str], sender: str) -> KeyedGame | None:
    """Return the right that a mail's first key gives in a game; None if a club key to its sender comes before.

    An answer to a letter of the club may quote a game's key: the owner's desk shows filed mails, with all that
    they quote.
    """
    keyed = transaction.get_keyed_game(words, sender)
    club = transaction.documents.find_key(words[: words.index(keyed.key.word)]) if keyed else None
    return None if club and club.address == sender else keyed


@cites("club.desk.process")
def _is_of_former_player(arrival: Arrival, hosted: HostedGame, key: Key) -> bool:
    """Return True if a mail may have its key from the time before somebody else took over the seat.

    It has not if it comes from the present player's address, or answers a letter to it.
    """
    address = hosted.find_address(key.seat).lower()
    if arrival.sender == address or not may_be_former_key(hosted, key.seat, key.turn):
        return has_left(hosted, key.seat, arrival.sender)
    return not arrival.transaction.find_answered_letter(arrival.taken.parents, address)


@cites("club.desk.filed")
def _file_mail(transaction: Transaction, mail: Incoming, refusal: Refusal, *, is_settled: bool) -> None:
    transaction.finish_mail(mail.id, SETTLED if is_settled else FILED, str(refusal))


def find_earlier(now: datetime, other: datetime | None) -> datetime:
    """Return the earlier of two moments; one may be missing."""
    return min(now, other) if other else now


def open_stored(game: str, outcome: Outcome) -> StoredGame:
    hosted = outcome.game
    return StoredGame(game, hosted.record_text, hosted.memory_text, outcome.due, hosted.time.over)
