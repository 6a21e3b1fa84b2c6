"""Find out who sent a mail to the club, and carry out its orders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from attrs import define, evolve, field, frozen

from tkid.club import gathering, order_answers, order_reader
from tkid.club.club_state import ClubState
from tkid.club.desk_orders import DeskOrder, find_desk_lines, list_desk_lines
from tkid.club.digest import DIGEST_KIND as DIGEST
from tkid.club.digest import DigestBook
from tkid.club.host_time import ABOUT as DESK
from tkid.club.lobby import TABLE_KIND as TABLE
from tkid.club.lobby import Table
from tkid.club.member_orders import ASKED, WAITS, find_proposal
from tkid.club.member_orders import MOVE_ABOUT as ADDRESS
from tkid.club.members import FORMER, Member, list_games_of_member
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.observers import list_observed
from tkid.club.order_handlers import attach_words, carry_out_line, has_to_be_confirmed
from tkid.club.order_values import STOP
from tkid.club.tournament import TOURNAMENT_KIND as TOURNAMENT
from tkid.host.letters import KEY_RULE, OWN_ORDERS, ClubMailService, Vouched, find_letter_key
from tkid.host.store.documents import ClubKey, TakenError
from tkid.host.store.schema import DONE
from tkid.host.store.transaction import Incoming, Key, Transaction
from tkid.mail.blocks import Blocks, Paragraph, quote_lines
from tkid.mail.game_service import Outcome
from tkid.mail.hosted_game import HostedGame, Proposal
from tkid.mail.model import IDS, Document, Intake, Line, OrderLine, Orders, Refusal
from tkid.mail.order_finder import (
    REACTED,
    OrderReader,
    find_free_answer,
    get_order_reader,
    is_acknowledgement,
    is_reaction,
)
from tkid.mail.order_machine import ClubLetter, Mail, OrderResult, Role, Sender
from tkid.mail.quotation import OwnLetter, drop_introduction
from tkid.orders.order_reader import ReadOrder
from tkid.record.format.model import Record
from tkid.rulebook import cites


@define
class StoredState(ClubState):
    """The state of a club within a transaction. Games that were read are remembered until something changes them."""

    transaction: Transaction
    now: datetime
    _games: dict[str, list[tuple[str, HostedGame]]] = field(factory=dict)

    def forget_cache(self) -> None:
        self._games.clear()

    @cites("club.observe.known")
    def is_known(self, address: str) -> bool:
        return self._is_listed(address) or any(
            game.find_address(seat).lower() == address for _, game in self.list_games_of(address) for seat in game.seats
        )

    @cites("club.stranger")
    def is_confirmed(self, address: str) -> bool:
        """Return True if somebody has answered a letter of this host: as a member, as an observer, or with a turn."""
        return self._is_listed(address) or any(
            game.find_address(turn.seat).lower() == address and not turn.notes
            for _, game in self.list_games_of(address)
            for turn in game.replay.record.turns
        )

    def _is_listed(self, address: str) -> bool:
        return self.get_text(MEMBER, address) is not None or any(list_observed(address, self))

    def list_games_of(self, address: str) -> Sequence[tuple[str, HostedGame]]:
        if address not in self._games:
            games = self.transaction.list_all_games_of(address)
            self._games[address] = [(game.id, game.read_hosted()) for game in games]
        return self._games[address]

    def find_game(self, name: str) -> HostedGame | None:
        stored = self.transaction.get_game(name)
        return stored.read_hosted() if stored else None

    def list_running(self) -> Sequence[str]:
        return self.transaction.list_running()

    def is_taken(self, name: str) -> bool:
        return self.transaction.is_name_taken(name) or self.get_text(TABLE, name) is not None

    def count_event(self, address: str, what: str) -> int:
        return self.transaction.count_event(address, self.now.date().isoformat(), what)

    def get_text(self, kind: str, name: str) -> str | None:
        return self.transaction.documents.get_text(kind, name)

    def list_documents(self, kind: str) -> Sequence[Document]:
        return self.transaction.documents.list_documents(kind)


@frozen
class Arrival:
    """A mail at work: the transaction that carries it out, and how it was read.

    If the owner of the host has `vouched` for the sender of a filed mail, the sender is trusted, and no letter is written
    if there is nothing to do.
    """

    transaction: Transaction
    mail: Incoming
    taken: Intake
    vouched: Vouched | None = None
    state: StoredState = field(init=False, eq=False)

    @state.default
    def _(self) -> StoredState:
        return StoredState(self.transaction, self.mail.received)

    @property
    def sender(self) -> str:
        return self.taken.sender

    @property
    def day(self) -> str:
        """The day in UTC on which the mail came."""
        return self.mail.received.date().isoformat()

    def with_taken(self, **changes: Any) -> Arrival:
        """Return the same mail, read in another way."""
        return evolve(self, taken=evolve(self.taken, **changes))

    def is_copy(self, game: str = "") -> bool:
        """Return True if the mail, about a game or "" for none, came before; it is known from now on."""
        message_id = self.taken.message_id
        return bool(message_id) and not self.transaction.is_first_time(self.sender, message_id, game, self.day)

    def list_quotable_letters(self, game: str = "", turn: int = 0) -> tuple[OwnLetter, ...]:
        """List our letters about a game, or "" for none, that the mail may quote."""
        letters = self.transaction.list_quotable_letters(game, self.sender, self.taken.parents, turn)
        return tuple(map(OwnLetter, letters))

    def finish(self, game: str | None = None) -> None:
        self.transaction.finish_mail(self.mail.id, DONE, game=game)


Play = Callable[[Arrival, Key, HostedGame], Refusal | None]
"""Carries out the orders for a game in a mail that is believed; why they are not, if they are not."""


@cites("club.digest.order")
def _play_lines_of_game(arrival: Arrival, word: str, play: Play) -> Refusal | None:
    """Carry out the lines for a game as the player to whom its key was sent, if they still play that seat."""
    keyed = arrival.transaction.get_keyed_game([word], arrival.sender)
    if keyed is None:
        return Refusal(KEY_RULE, "The game is not here any more")
    hosted = keyed.game.read_hosted()
    if hosted.find_address(keyed.key.seat).lower() != arrival.sender:
        return Refusal(SENDER, f"{arrival.sender} does not play this seat any more")
    return play(arrival, keyed.key, hosted)


WRONG_KEY = Refusal(KEY_RULE, "The key in the mail is not from a mail of this host")
SENDER, DUPLICATE, REPEATED, REMARK = IDS("sender"), IDS("duplicate"), IDS("repeated"), IDS("remark")
MAX_CLUB_ANSWERS = 20
"""Maximum number of mails to the club from one address that are answered on one day."""
MAX_CONFIRMED = 3
"""Maximum number of letters to a person on one day that ask about a mail without a key, or report its errors."""
MAX_OWNER_ASKED = 10
"""The same for the owner of the host."""
MAX_STRANGERS = 100
"""Maximum number of strangers answered on one day, all together."""
EVERYBODY = "strangers"
"""Stands for an address, where all strangers are counted."""
ANSWERED, CONFIRMED, EXPLAINED = "club", "club asked", "club explained"
HELPED, WELCOMED = "club help", "club welcome"
"""Counts for an address on a day."""

ASKING = frozenset({ASKED, TABLE, TOURNAMENT, ADDRESS})
"""Subjects of letters that ask something."""


@frozen
class Door:
    """The front door of a host.

    `open_game` begins a game within a transaction, `change_game` saves a changed one and writes its letters, and
    `play` carries out orders for a game. `draw` draws the host's half of a deal, and `order_desk` carries out an order of the owner.
    """

    visitors: ClubMailService
    open_game: Callable[[Transaction, str, Record, datetime], None]
    change_game: Callable[[Transaction, str, Outcome], None]
    play: Play
    draw: Callable[[], bytes]
    order_desk: Callable[[OrderLine, Mail, Transaction], OrderResult]

    @cites("club.welcome", "club.vouched", "club.stranger")
    def receive(self, arrival: Arrival, words: Sequence[str]) -> Refusal | None:  # noqa: PLR0911 - one reason after the other
        """Carry out a mail without a key of a game; return why it is only filed. `words` are its possible keys."""
        key = arrival.transaction.documents.find_key(words)
        if (key is None or key.address != arrival.sender) and self.list_desk_lines(arrival):
            key, words = None, ()  # the owner is asked: the desk shows mails with the keys of others
        is_known = key is not None or self._is_known(arrival)
        refusal = self._refuse_sender(arrival, key, words)
        if refusal == WRONG_KEY and is_known:
            self._explain_wrong_key(arrival)
        if refusal := refusal or self._find_unwelcome(arrival, key, is_known=is_known):
            return refusal
        if arrival.is_copy():
            return Refusal(DUPLICATE, "The mail came before")
        if key is not None:
            return self._carry_out_reply(arrival, key.about)
        asked = self._read_mail(arrival)
        if is_reaction(asked.own):
            return REACTED
        if not is_known:
            return self._answer_stranger(arrival, asked)
        about = self._find_threaded(arrival)
        if self.visitors.required is not None and (asked.lines or about.partition(" ")[0] != DIGEST):
            return self._carry_out_believed(arrival, about, asked)
        return self._ask_sender(arrival, asked, about)

    @cites("club.desk.process")
    def receive_vouched(self, arrival: Arrival, words: Sequence[str]) -> Refusal | None:
        """Carry out a mail that the owner vouches for: it counts for the address of its key, else for its sender's."""
        key = arrival.transaction.documents.find_key(words)
        if arrival.sender == self.visitors.address.lower():
            return Refusal(SENDER, "The mail says that this host has written it")
        if self.list_desk_lines(arrival):
            return OWN_ORDERS
        if key is not None:
            if key.address != arrival.sender:
                arrival = arrival.with_taken(sender=key.address, message_id="", subject="")
            return self._carry_out_reply(arrival, key.about)
        if arrival.state.find_member(arrival.sender).blocked:
            return Refusal(KEY_RULE, "Its sender wants no mails of the club")
        return self._carry_out_believed(arrival, "", self._read_mail(arrival))

    def _read_mail(self, arrival: Arrival, keys: Collection[str] = ()) -> Orders:
        """Read a mail to the club; `keys` are the games of a digest that it answers, if it answers one."""
        state, letters = arrival.state, arrival.list_quotable_letters()
        asked = order_reader.find_orders_to_club(arrival.taken, letters, keys)
        if lines := self.list_desk_lines(arrival):
            return evolve(asked, lines=tuple(lines), doubt=())
        may_name = not keys and any(":" in text for text in asked.own)
        may_name = may_name and self._find_threaded(arrival).partition(" ")[0] != DIGEST
        games = [name for name, game in state.list_games_of(arrival.sender) if not game.time.over] if may_name else []
        misplaced = order_reader.find_misplaced_orders(asked.own, games, _make_order_test(state, games))
        return evolve(asked, lines=(*asked.lines, *misplaced))

    @cites("club.desk.key")
    def list_desk_lines(self, arrival: Arrival) -> list[OrderLine]:
        """List the orders for the desk in a mail of the owner's; none in one of somebody else, or for the club.

        The owner can do much, so the sender's address alone is never enough: a mail server has to vouch for it, or the
        mail carries the key of a letter that went to the owner.
        """
        if not self._is_owner(arrival):
            return []
        return find_desk_lines(arrival.taken, arrival.transaction.filed.list_games(), arrival.list_quotable_letters())

    @staticmethod
    @cites("mail.key-lost")
    def _find_threaded(arrival: Arrival) -> str:
        """Return the subject of the club's letter that a mail without a key answers by its headers, "" for none."""
        letter = arrival.transaction.find_answered_letter(arrival.taken.parents, arrival.sender)
        key = arrival.transaction.documents.find_key(find_letter_key(letter))
        return key.about if key and key.address == arrival.sender else ""

    @cites("mail.key")
    def _refuse_sender(self, arrival: Arrival, key: ClubKey | None, words: Sequence[str]) -> Refusal | None:
        if key is not None and key.address != arrival.sender:
            return Refusal(SENDER, f"{arrival.sender} is not the address that the key was sent to")
        if arrival.sender == self.visitors.address.lower():
            return Refusal(SENDER, "The mail says that this host has written it")
        if self.visitors.required:
            return self.visitors.refuse_sender(arrival.mail, arrival.taken)
        return WRONG_KEY if words and key is None else None

    @cites("mail.key")
    def _explain_wrong_key(self, arrival: Arrival) -> None:
        """Answer somebody whom the club knows and whose mail has an unknown key, without a word of that mail."""
        state, taken, sender = arrival.state, arrival.taken, arrival.sender
        member = state.find_member(sender)
        explained = f"{EXPLAINED} {taken.message_id}"  # the same mail may come once more with the right key
        is_new = not taken.message_id or arrival.transaction.is_first_time(sender, explained, day=arrival.day)
        if member.blocked or not is_new or state.count_event(sender, EXPLAINED) > MAX_CONFIRMED:
            return
        games = list_games_of_member(state.list_games_of(sender), sender, arrival.mail.received)
        running = [each for each in games if not each.over]
        letter = order_answers.explain_wrong_key(self._make_visit(arrival, ""), member.name, running)
        self.visitors.post_letters(arrival.transaction, [letter], evolve(taken, subject=""))

    @cites("club.block")
    def _find_unwelcome(self, arrival: Arrival, key: ClubKey | None, *, is_known: bool) -> Refusal | None:
        if not is_known and self.visitors.club.welcome != "everybody":
            return Refusal(KEY_RULE, "The mail has no key from a mail of this host")
        if key is None and not self._is_owner(arrival) and arrival.state.find_member(arrival.sender).blocked:
            return Refusal(KEY_RULE, "The mail has no key, and its sender wants no mails of the club")
        return None

    @cites("club.welcome")
    def _is_known(self, arrival: Arrival) -> bool:
        """Return True for the owner, for members and players, and for people who are invited."""
        if self._is_owner(arrival) or arrival.state.is_known(arrival.sender):
            return True
        return any(order_answers.list_open_invitations(self._make_visit(arrival, ""), arrival.state))

    @staticmethod
    @cites("club.vouched")
    def _remember_address(state: StoredState, address: str) -> None:
        """Keep the address of somebody who answers a letter of the host: they may write to its plain address from now on."""
        if not state.is_known(address) and state.get_text(FORMER, address) is None:
            state.transaction.documents.store_document(Member.make_new(address).document)

    def _make_visit(self, arrival: Arrival, about: str, *, is_trusted: bool = True) -> Mail:
        role: Role = "owner" if self._is_owner(arrival) else "member"
        sender = Sender(-1, role, arrival.sender, arrival.taken.name, is_trusted=is_trusted)
        now, visitors = arrival.mail.received, self.visitors
        return Mail(sender, now, about=about, terms=visitors.club, host=visitors.address, raw=arrival.mail.raw)

    def _is_owner(self, arrival: Arrival) -> bool:
        return arrival.sender == self.visitors.owner.lower()

    def _answer_stranger(self, arrival: Arrival, asked: Orders) -> Refusal | None:
        """Answer an unknown sender: once a day, up to a daily limit for all; nothing that binds is done before the reply."""
        state, refusal = arrival.state, Refusal(KEY_RULE, "The mail is from somebody unknown")
        if state.count_event(arrival.sender, WELCOMED) > 1:
            return refusal
        if state.count_event(EVERYBODY, WELCOMED) > MAX_STRANGERS:
            return Refusal(REPEATED, f"More than {MAX_STRANGERS} strangers were answered today")
        visit = self._make_visit(arrival, "", is_trusted=False)
        at_once, typed = _split_lines(asked, visit, state)
        done = [order_answers.drop_text(carry_out_line(line, visit, state)) for line in at_once]
        waits = _keep_lines(state, visit, typed)
        asks = waits and _write_answer(state, visit, done, waits, confirmed=False)
        letter = asks or order_answers.write_to_stranger(visit, done, asked.unread)
        self._answer_mail(arrival.with_taken(subject=""), letter)
        return None

    @cites("club.vouched", "club.order")
    def _ask_sender(self, arrival: Arrival, asked: Orders, about: str) -> Refusal | None:
        """Ask a player whose mail shows nothing but an address whether it was theirs; without orders, send the help.

        What is wrong with a line changes nothing, and neither do some questions: that is answered at once.
        """
        state, sender = arrival.state, arrival.sender
        if not asked.lines:
            told = arrival if state.is_confirmed(sender) else arrival.with_taken(subject="")
            refusal = Refusal(KEY_RULE, "The mail has no key from a mail of this host")
            return self._send_help(told, refusal, asked, about)
        visit = self._make_visit(arrival, _find_about("", asked.lines), is_trusted=False)
        at_once, changes = _split_lines(asked, visit, state)
        is_owner = self._is_owner(arrival)
        most = MAX_OWNER_ASKED if is_owner else MAX_CONFIRMED
        count = state.count_event(sender, CONFIRMED if changes else EXPLAINED)
        if count > most:
            return Refusal(REPEATED, f"More than {most} mails without a key came from this address today")
        done = [self._carry_out_line(line, visit, state) for line in at_once]
        last = (Paragraph(order_answers.LAST),) if count == most else ()
        confirmed = is_owner or state.is_confirmed(sender)
        if not confirmed:
            arrival, done = arrival.with_taken(subject=""), list(map(order_answers.drop_text, done))
        waits = _keep_lines(state, visit, changes)
        self._answer_mail(arrival, _write_answer(state, visit, done, waits, last, confirmed=confirmed))
        return None

    def _answer_mail(self, arrival: Arrival, letter: ClubLetter | None) -> None:
        self.visitors.post_letters(arrival.transaction, [letter] if letter else [], arrival.taken)
        arrival.finish()

    @cites("club.answer", "club.help")
    def _send_help(self, arrival: Arrival, refusal: Refusal, asked: Orders, about: str = "") -> Refusal | None:
        """Answer a player whose mail has no order to the club: repeat open questions, or send the help once a day, and for each order of a game."""
        if arrival.vouched:
            return refusal
        is_idle = is_acknowledgement if about and about.partition(" ")[0] != DIGEST else is_reaction
        if about.partition(" ")[0] not in ASKING and is_idle(asked.own):
            return REACTED
        state, sender = arrival.state, arrival.sender
        visit, name = self._make_visit(arrival, about), state.find_member(sender).name
        word, confirmed = about.partition(" ")[0], bool(about) or state.is_confirmed(sender)
        is_answer = asked.answer or word in ASKING
        again = order_answers.remind_of_waiting(visit, state, confirmed=confirmed) if is_answer else None
        if again is None and word == DIGEST and refusal.rule == KEY_RULE and asked.own:
            again = order_answers.ask_again(visit, asked.own, name)
        counted, most = (ANSWERED, MAX_CLUB_ANSWERS) if about else (EXPLAINED, MAX_CONFIRMED)
        if again is None and not asked.answer:
            games = list_games_of_member(state.list_games_of(sender), sender, arrival.mail.received)
            is_order = _make_order_test(state, [each.id for each in games if not each.over])
            if state.count_event(sender, HELPED) == 1 or (
                any(map(is_order, asked.own)) and state.count_event(sender, counted) <= most
            ):
                waits = [each.id for each in games if each.mine and not each.over]
                letter = order_answers.write_help(visit, name, asked.unread, waits, asked.own)
                self.visitors.post_letters(arrival.transaction, [letter], arrival.taken)
            return refusal
        if state.count_event(sender, counted) > most:
            return Refusal(REPEATED, "Mails without an order came from this address often enough today")
        self._answer_mail(arrival, again or order_answers.answer_nothing_open(visit, name))
        return None

    @cites("club.digest.order")
    def _carry_out_reply(self, arrival: Arrival, about: str) -> Refusal | None:
        """Carry out a reply to a letter about something; lines that name a game of a digest are carried out there."""
        state = arrival.state
        arrival.transaction.note_reached(arrival.sender)
        word, _, day = about.partition(" ")
        book = arrival.transaction.documents.see_text(DIGEST, arrival.sender) if word == DIGEST else None
        keys = DigestBook.read_text(book.data).list_keys(day) if book else {}
        asked = self._read_mail(arrival, keys)
        if word in ASKING:
            free = "" if _has_order(asked) else find_free_answer(drop_introduction(list(asked.own))).answer
            asked = evolve(asked, answer=("" if asked.doubt else asked.answer) or free)
        if word != ADDRESS and (asked.lines or asked.answer) and not self._is_owner(arrival):
            self._remember_address(state, arrival.sender)
        found, wrong = order_reader.find_digest_orders(asked.own, keys, _make_order_test(state, tuple(keys)))
        parts = {name: arrival.with_taken(lines=tuple(map(Line, lines))) for name, lines in sorted(found.items())}
        played = [_play_lines_of_game(part, keys[name], self.play) for name, part in parts.items()]
        state.forget_cache()
        if not played or asked.lines or wrong:
            asked = evolve(asked, lines=(*asked.lines, *wrong))
            return self._carry_out_believed(arrival, about, asked)
        if all(played):
            return played[0]
        arrival.finish()
        return None

    def _carry_out_believed(self, arrival: Arrival, about: str, asked: Orders) -> Refusal | None:
        """Carry out a mail as its From line says; `about` is the subject of the letter that it answers."""
        arrival, about, lines = self._apply_answers(arrival, about, asked)
        if not lines:
            return self._send_help(arrival, Refusal(REMARK, "There is no order in the mail"), asked, about)
        is_free = arrival.vouched or self._is_owner(arrival)
        if not is_free and arrival.state.count_event(arrival.sender, ANSWERED) > MAX_CLUB_ANSWERS:
            return Refusal(REPEATED, f"More than {MAX_CLUB_ANSWERS} mails to the club came from this address today")
        self._carry_out_lines(arrival, about, lines, asked)
        arrival.finish()
        return None

    def _apply_answers(self, arrival: Arrival, about: str, asked: Orders) -> tuple[Arrival, str, tuple[OrderLine, ...]]:
        """Return a mail (with the sender's name in the mail it confirms), its subject, and its lines; those it answers for come first."""
        proposal = find_proposal(about, arrival.sender, arrival.state) if asked.answer in {"yes", "no"} else None
        is_mail = proposal is not None and proposal.kind == "mail"
        if proposal is None or (_has_order(asked) and not is_mail):
            return arrival, about, asked.lines
        picked = proposal.pick_lines(asked.answer)
        if is_mail:
            arrival.transaction.documents.store_document(proposal.dropped)
        if is_mail and picked:
            arrival, about = arrival.with_taken(name=proposal.name or arrival.taken.name), proposal.about or about
        if about == DESK:
            return arrival, about, (*list_desk_lines(picked, arrival.transaction.filed.list_games()), *asked.lines)
        return arrival, about, (*order_reader.find_in_lines(picked), *asked.lines)

    @cites("mail.doubt")
    def _carry_out_lines(self, arrival: Arrival, about: str, lines: Sequence[OrderLine], asked: Orders) -> None:
        """Carry out lines one after the other, each on what the last one left, and answer them in one letter.

        If other words of the mail cast doubt on orders that bind, ask about these.
        """
        state, visit = arrival.state, self._make_visit(arrival, _find_about(about, lines))
        doubted = order_reader.list_doubted(line for line in lines if line in asked.lines) if asked.doubt else []
        rest = (line for line in lines if line not in doubted and not (doubted and line.read.order == STOP))
        grave = [line for line in asked.lines if line in lines and has_to_be_confirmed(line, visit, state)]
        lines = attach_words(tuple(line for line in rest if line not in grave))
        done = [self._carry_out_line(line, evolve(visit, entropy=self.draw()), state) for line in lines]
        if arrival.vouched is not None:
            arrival.vouched.results.extend(result.problem for result in done)
        doubt, typed = quote_lines(asked.doubt) if doubted else "", _list_typed([*doubted, *grave])
        letter = _write_answer(state, visit, done, _keep_lines(state, visit, typed, doubt))
        self.visitors.post_letters(arrival.transaction, [letter] if letter else [], arrival.taken)

    def _carry_out_line(self, line: OrderLine, visit: Mail, state: StoredState) -> OrderResult:
        """Carry out a line, and once more if another worker takes the name of a new game meanwhile."""
        while True:
            if isinstance(line.read.order, DeskOrder):
                result = self.order_desk(line, visit, state.transaction)
            else:
                result = carry_out_line(line, visit, state)
            try:
                with state.transaction.begin_part():
                    self.write_result(state, result)
            except TakenError:
                state.forget_cache()
            else:
                return result

    def write_result(self, state: StoredState, result: OrderResult) -> None:
        """Write the result of an order. Raises TakenError if the name of something new is taken."""
        if result.problem is not None:
            return
        for document in result.kept:
            state.transaction.documents.store_document(document)
        for name, record in result.begins:
            self.open_game(state.transaction, name, record, state.now)
        for name, outcome in result.changes:
            self.change_game(state.transaction, name, outcome)
        self.visitors.post_letters(state.transaction, result.letters)
        state.forget_cache()

    @cites("club.order")
    def carry_out_within(self, arrival: Arrival, key: Key, orders: Orders, *, may_stop: bool) -> Orders | None:
        """Carry out the lines of a reply about a game that are orders to the club, and no orders of the game.

        Return the part of the mail for the game, or None. `may_stop` says whether a `stop` is about the game.
        """
        if not order_reader.may_have_orders(arrival.taken):
            return orders
        letters = arrival.list_quotable_letters(key.game, key.turn)
        understood = [line.typed for line in orders.lines if line.read.order is not None]
        asked = order_reader.find_orders_to_club(arrival.taken, letters, (), understood)
        of_game = [line for line in asked.lines if may_stop and _is_stop(line.read)]
        others = (line for line in asked.lines if line not in of_game)
        lines = tuple(line for line in others if not any(line.typed in typed for typed in understood))
        if not lines:
            return orders
        if arrival.state.count_event(arrival.sender, ANSWERED) <= MAX_CLUB_ANSWERS:
            self._carry_out_lines(arrival, f"game {key.game}", lines, asked)
        typed = {line.typed for line in lines}
        rest = evolve(
            orders,
            lines=tuple(line for line in orders.lines if line.typed not in typed),
            remark=tuple(line for line in orders.remark if line not in typed),
        )
        return rest if rest.lines or rest.proposed or rest.choices or rest.answer else None

    @cites("club.expire")
    def end_overdue(self, transaction: Transaction, now: datetime) -> int:
        """Do the due work: end gatherings that found no players, and forget questions without an answer."""
        tables = transaction.documents.list_due(TABLE, now)
        visit = Mail(Sender(), now, terms=self.visitors.club, host=self.visitors.address)
        state = StoredState(transaction, now)
        for document in tables:
            self.write_result(state, gathering.end_lobby(Table.read_text(document.data), visit, state))
        unanswered = transaction.documents.list_due(Proposal.KIND, now)
        for document in unanswered:
            transaction.documents.drop_document(Proposal.KIND, document.id)
        return len(tables) + len(unanswered)


def _find_about(about: str, lines: Iterable[OrderLine]) -> str:
    """Return the subject of a mail with these lines, by that of the letter that it answers."""
    return DESK if any(isinstance(line.read.order, DeskOrder) for line in lines) else about


def _has_order(asked: Orders) -> bool:
    return any(line.read.order is not None for line in asked.lines)


def _split_lines(asked: Orders, visit: Mail, state: StoredState) -> tuple[list[OrderLine], tuple[str, ...]]:
    """Return the lines of a mail that can be carried out at once, and those, as typed, that have to be confirmed."""
    at_once = [line for line in asked.lines if not has_to_be_confirmed(line, visit, state)]
    return at_once, _list_typed(line for line in asked.lines if line not in at_once)


def _list_typed(lines: Iterable[OrderLine]) -> tuple[str, ...]:
    """Return lines as they were typed; one of the desk that left out the game names it."""
    orders = ((line, line.read.order) for line in lines)
    return tuple(order.line if isinstance(order, DeskOrder) else line.typed for line, order in orders)


@cites("club.vouched")
def _keep_lines(state: StoredState, visit: Mail, typed: tuple[str, ...], doubt: str = "") -> Proposal | None:
    """Keep the lines of a mail, as `typed`, until the sender says `yes` to them; return None if there are none."""
    if not typed:
        return None
    until, people, name = visit.now + WAITS, (visit.address,), visit.sender.name
    waits = Proposal("mail", lines=typed, until=until, people=people, about=visit.about, doubt=doubt, name=name)
    state.transaction.documents.store_document(waits.document)
    return waits


def _write_answer(
    state: StoredState,
    visit: Mail,
    done: Sequence[OrderResult],
    waits: Proposal | None,
    more: Blocks = (),
    *,
    confirmed: bool = True,
) -> ClubLetter | None:
    """Answer the lines of a mail that were done, and ask about those that wait for a `yes`."""
    if waits is None:
        return order_answers.write_club_reply(done, visit, state.find_member(visit.address).name, more)
    return order_answers.ask_player(waits, visit, (*order_answers.list_line_results(done), *more), confirmed=confirmed)


def _is_stop(read: ReadOrder) -> bool:
    """Return True if a line is a `stop`, perhaps with a slip."""
    fixes = (fix.text.casefold() for problem in read.problems for fix in problem.fixes)
    return read.order == STOP or "stop" in fixes


def _make_order_test(state: StoredState, games: Sequence[str]) -> Callable[[str], bool]:
    """Return a function that says whether a text is an order, perhaps with an error, of one of some games."""

    @cache
    def list_readers() -> list[OrderReader]:
        hosted = filter(None, map(state.find_game, games))
        return [get_order_reader(game.record.game, game.names) for game in hosted]

    def is_order(text: str) -> bool:
        reads = (reader.read_line(text) for reader in list_readers() if reader.intent.may_be_order(text))
        return any(read.order is not None or read.meant for read in reads)

    return is_order
