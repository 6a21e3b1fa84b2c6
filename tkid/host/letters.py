"""The letters of the club and of games: their keys, replies to them, reports that one came back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from hmac import compare_digest
from itertools import chain, islice

from attrs import evolve, field, frozen

from tkid.club.club_state import compose_club_mail, write_club_letter
from tkid.club.desk_orders import DeskOrder
from tkid.club.digest import DigestBook
from tkid.club.host_time import ABOUT
from tkid.club.members import DAILY, FORMER, Member
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.host.store.documents import ClubKey
from tkid.host.store.store import MAX_BOUNCES
from tkid.host.store.transaction import Incoming, Key, KeyedGame, Outgoing, Transaction, read_message_id
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Button, Buttons, First, Lead, Letter, Paragraph
from tkid.mail.envelope import Report, Required, is_address, read_report, refuse_unauthenticated
from tkid.mail.game_clock import read_game_clock
from tkid.mail.hosted_game import HostedGame, make_next_marker
from tkid.mail.letter_parts import choose_lead
from tkid.mail.marker import find_keys, make_club_key, make_key
from tkid.mail.mime_writer import Part, make_text_part
from tkid.mail.model import IDS, ClubTerms, Intake, Line, Orders, Refusal
from tkid.mail.order_answers import NO_ORDER
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.order_machine import TOLD, ClubLetter, may_be_former_key
from tkid.mail.order_proposals import find_proposed_offer
from tkid.mail.quotation import OwnLetter
from tkid.mail.timeline import find_next_turn
from tkid.notation.names import list_names
from tkid.record.clock_notes import Announced
from tkid.rulebook import cites

RULE = "club.desk.process"
OWN_ORDERS = Refusal(RULE, "It has orders for the desk, and nobody vouches for their own mail")
"""Reason why a mail of the owner's to the desk stays filed."""

ANSWERED = "Its sender gets an answer that says why."


@frozen
class Vouched:
    """A mail for which the owner vouches: the reason, its sender's seats in running games, and the time.

    `results` has the problem of each order, or None if it was carried out.
    """

    reason: str
    seats: tuple[Key, ...]
    now: datetime
    results: list[Problem | None] = field(factory=list)

    @cites("club.desk.process")
    def find_keyed_game(self, transaction: Transaction, words: Sequence[str]) -> KeyedGame | None:
        """Return the seat for which a mail without a key of a game counts: the only one, if its `words` have no other key."""
        if len(self.seats) != 1 or transaction.documents.find_key(words) is not None:
            return None
        game = transaction.get_game(self.seats[0].game)
        return KeyedGame(self.seats[0], game) if game else None

    @cites("club.desk.process", "club.desk.record")
    def note_in_game(self, game: HostedGame, seat: int) -> HostedGame:
        if game.time.over:
            return game
        text = f"The host processed a mail of {game.names[seat]} that had been filed. {self.reason}".strip()
        return game.with_line(Announced(game.round_moment(self.now), text))


def find_seats(transaction: Transaction, address: str) -> tuple[Key, ...]:
    found: list[Key] = []
    for stored in transaction.list_games_of(address):
        game = stored.read_hosted()
        turn = find_next_turn(game.replay)
        found += [Key(stored.id, seat, turn) for seat in game.seats if game.find_address(seat).lower() == address]
    return tuple(found)


@cites("club.desk.process")
def explain_filed(order: DeskOrder, refusal: Refusal, seats: Sequence[Key]) -> Problem:
    """Return the problem with a mail that cannot be carried out though the owner vouches for it: why, and what to do."""
    if refusal == OWN_ORDERS:
        return Problem(Kind.ILLEGAL, RULE, refusal.reason, hint="Write its orders again, each on a line.")
    if refusal.rule == IDS("remark") and len(seats) > 1:
        games = list_names(sorted({key.game for key in seats}), "and")
        why = f"Mail {order.number} has no key, and its sender has seats in {games}"
        return Problem(Kind.ILLEGAL, RULE, why, hint="Ask the sender to reply to a mail of the game that is meant.")
    if refusal.rule == IDS("remark"):
        hint = f"To read it, {order.ways.explain('show', number=order.number)}. To answer it, write to the sender yourself."
        return Problem(Kind.ILLEGAL, RULE, f"There is no order in mail {order.number}", hint=hint)
    hint = "Ask the sender to reply to the latest mail of the host."
    if refusal.rule == TOLD:
        hint = "Nothing has to be done: the player who has the seat now has a letter."
    return Problem(Kind.ILLEGAL, refusal.rule, refusal.reason, hint=hint)


@cites("club.desk.process")
def explain_replaced(game: HostedGame, seat: int) -> Refusal:
    """Explain why a mail of somebody who no longer plays its seat, or with that player's key, is not carried out."""
    player, name = game.find_player(seat), game.names[seat]
    now = f"{name} plays again" if player == name else f"{player} plays for {name}"
    return Refusal(TOLD, f"The seat has another player now: {now}")


@cites("club.desk.process")
def report_refused(number: int, results: Sequence[Problem | None]) -> Problem | None:
    """Return the problem with a mail whose orders were refused, all or some; None if nothing is wrong with any."""
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
def report_unreadable(order: DeskOrder, refusal: Refusal) -> Problem:
    """Return the problem with a mail that is automatic, or that the host does not read as a whole: why, and what to do."""
    show = order.ways.explain("show", number=order.number)
    hint = f"Such a mail is never carried out. To read it, {show}. Ask the sender to write again."
    return Problem(Kind.ILLEGAL, refusal.rule, refusal.reason, hint=hint)


@cites("club.desk.process")
def report_failure(number: int, error: Exception) -> Problem:
    why = f"The program fails on mail {number}: {type(error).__name__}"
    hint = "Report it to the authors with the text of the mail, and ask the sender to write again in other words."
    return Problem(Kind.ILLEGAL, RULE, why, hint=hint)


KEY_RULE = IDS("key")


@frozen
class ClubMailService:
    """The visitors of a host: its address, the secret of its keys, its owner, what is required of mails, the club's terms."""

    address: str
    secret: bytes
    owner: str
    required: Required | None
    club: ClubTerms

    def refuse_sender(self, mail: Incoming, taken: Intake) -> Refusal | None:
        """Refuse a mail for whose sender no mail server vouches, if one has to."""
        return refuse_unauthenticated(mail.raw, taken.sender, self.required) if self.required else None

    def post_letters(
        self, transaction: Transaction, letters: Iterable[ClubLetter], answered: Intake | None = None
    ) -> None:
        """Put letters of the club into the outgoing mail, each with a key that shows its reader and its subject.

        A letter to the sender of `answered` answers that mail.
        """
        for letter in letters:
            key = make_club_key(self.secret, letter.address, letter.about, letter.time.isoformat())
            about = answered if answered is not None and answered.sender == letter.address.lower() else None
            raw = compose_club_mail(letter, self.address, key, about, self.club.unsubscribe, self.club.name)
            transaction.documents.allow_keys({key: ClubKey(letter.address.lower(), letter.about)})
            transaction.post_letters([Outgoing(read_message_id(raw), "", letter.address, raw)])

    @cites("mail.bounce")
    def read_report(self, transaction: Transaction, raw: bytes, now: datetime) -> bool:
        """Note that a letter came back if a mail reports so and proves it. Return True if it does."""
        bounce = read_report(raw)
        if bounce is None:
            return False
        for letter_id, address in self._list_proven(transaction, bounce):
            self.note_returned(transaction, letter_id, address, bounce.reason, now)
            return True
        return False

    def note_returned(self, transaction: Transaction, letter_id: str, address: str, reason: str, now: datetime) -> None:
        """Note that a letter came back; tell the owner once that a player cannot be reached."""
        owner = self.owner
        if address.lower() == owner.lower() or transaction.note_bounce(letter_id, address, reason, now) != MAX_BOUNCES:
            return
        if is_address(owner):
            what = f"Letters to {address} come back: {reason}"
            first = choose_lead(what, f"Letters to {address} come back.", "Letters to a player come back.")
            body = (*([] if first == what else [Paragraph(what)]), Paragraph(WAYS))
            letter = write_club_letter((owner, ""), ABOUT, "[tkid] letters to a player come back", first, body, now)
            self.post_letters(transaction, [letter])

    def _list_proven(self, transaction: Transaction, bounce: Report) -> list[tuple[str, str]]:
        """List the letters that a report demonstrably concerns, by Message-ID, each with its address."""
        by_address = [each.letter for each in bounce.addresses if each.is_ours(self.secret)]
        letters = {each: transaction.find_letter(each) for each in (*by_address, *bounce.letters)}
        proven = [(each, letter[1]) for each in by_address if (letter := letters[each])]
        key = transaction.find_key(bounce.keys)
        is_named = key is not None and any(each and each[0] == key.game for each in letters.values())
        game = transaction.get_game(key.game) if key and is_named else None
        if key and game:
            address = game.read_hosted().find_address(key.seat)
            named = [(each, letters[each]) for each in bounce.letters]
            proven += [(each, address) for each, letter in named if letter == (key.game, address)]
        return proven


WAYS = (
    "The games continue, and their clocks run. Ask the player in another way, or reply with an order of the desk: `address` for "
    "a new address, `replace` for a new player. Reply `desk` for all of them. As soon as a mail comes from that address, this "
    "is forgotten."
)


REPLY_TO = re.compile(rb"^Reply-To:[^\n]*(?:\n[ \t][^\n]*)*?\+([a-z2-7]{12})@", re.MULTILINE)
MAX_HEADER_BYTES = 16 << 10
"""Number of bytes of our letters within which the header ends."""
MAX_KEYS = 20
"""Maximum number of keys of a mail that are looked at, the first ones."""


@cites("mail.offer.yes")
def read_keyed_mail(
    transaction: Transaction, secret: bytes, hosted: HostedGame, key: Key, taken: Intake
) -> tuple[Orders, str | None]:
    """Read a mail that carries a key; return also the id of the offer in the letter with its key.

    The id is "" if that letter offers nothing, and None if the offer is not known any more.
    """
    letters = transaction.list_quotable_letters(key.game, hosted.find_address(key.seat), taken.parents, key.turn)
    reader = get_order_reader(hosted.record.game, hosted.names, key.seat)
    orders = find_orders(taken, reader, tuple(map(OwnLetter, letters)))
    proposed = find_proposed_offer(hosted, key.seat)
    offers = [offer.id for offer in (*hosted.memory.list_offers(key.seat), *([proposed] if proposed else []))]
    fitting = (
        offer
        for course in (find_course(hosted, after) for after in hosted.find_hashes_before(key.seat, key.turn))
        for offer in ("", *offers)
        if compare_digest(make_key(secret, key.game, key.seat, key.turn, course, offer), key.word)
    )
    return orders, next(fitting, None)


def find_course(game: HostedGame, after: str) -> str:
    """Return the hash before a turn, with the turns that were taken back, so that a key of before is not made again."""
    return " ".join((after, *(f"-{turn.number}" for turn in game.record.turns if turn.undone)))


@cites("mail.key")
def list_taken_back(before: HostedGame, after: HostedGame) -> list[int]:
    """Return the turns that were taken back. Keys that were made after one of them are good for that turn at most."""
    turns = zip(before.record.turns, after.record.turns, strict=False)
    return [was.number for was, turn in turns if turn.undone and not was.undone]


def list_possible_keys(taken: Intake) -> list[str]:
    """Return the possible keys of a mail in its recipients' addresses, subject and lines: each once, the first ones only."""
    in_lines = islice(chain(find_keys([Line(taken.subject)]), find_keys(taken.lines)), MAX_KEYS)
    return list(islice(dict.fromkeys(chain(taken.keys, in_lines)), MAX_KEYS))


def find_letter_key(letter: bytes) -> list[str]:
    """Return the key of a letter of ours, from the address for its answer; an empty list where it has none."""
    match = REPLY_TO.search(letter[:MAX_HEADER_BYTES])
    return [match[1].decode()] if match else []


def drop_thread(taken: Intake) -> Intake:
    """Return a mail from another address than its player's without its headers: nothing of them gets into the answer."""
    return evolve(taken, message_id="", parents=(), subject="")


def get_current_member(transaction: Transaction, address: str) -> Member:
    """Return a member as it is now, also by a former address; or an unknown one."""
    document = transaction.documents.see_text(MEMBER, address.lower())
    if document is None and (moved := transaction.documents.see_text(FORMER, address.lower())):
        document = transaction.documents.see_text(MEMBER, moved.data)
    return Member.read_text(document.data) if document else Member.make_new(address)


@cites("club.digest")
def keep_for_digest(transaction: Transaction, name: str, game: HostedGame, letter: Letter, address: str) -> bool:
    """Keep a letter of a game for its reader's digest, if it may wait; return whether it was kept."""
    if not letter.may_wait or get_current_member(transaction, address).digest != DAILY:
        return False
    document = transaction.documents.get_document(DigestBook.KIND, address.lower())
    if document is None:
        return False
    book = DigestBook.read_text(document.data)
    clock = read_game_clock(game.time, letter.time)
    late = clock is not None and clock.seat == letter.seat and clock.deadline <= book.find_next_time(letter.time)
    if late and letter.kind == "turn":
        book = evolve(book, told={**book.told, name: game.turns})
    else:
        book = book.keep_letter(name, letter, game.turns)
        late = False
    transaction.documents.store_document(evolve(document, data=book.text))
    return not late


NAME = "deadline.ics"


@cites("club.calendar")
def make_calendar_files(
    transaction: Transaction, name: str, game: HostedGame, letter: Letter, address: str
) -> tuple[Part, ...]:
    """Return the deadline of the turn that a letter asks for, as a file for its reader's calendar."""
    if letter.kind != "turn" or game.awaited != letter.seat or not get_current_member(transaction, address).calendar:
        return ()
    from tkid.club.calendar import calendar_of, find_deadline  # noqa: PLC0415 - few letters need it

    due = find_deadline(name, game)
    if due is None:
        return ()
    text = calendar_of([due]).replace("\r\n", "\n")
    attached = f'Content-Disposition: attachment; filename="{NAME}"'
    return (make_text_part(text, "text/calendar; method=PUBLISH", attached),)


ASKING = frozenset({"turn", "again"})
"""The kinds of letters that ask for a turn."""


def link_page(letter: Letter, link: str) -> Letter:
    """Return a letter with a button that leads to its page; before its other buttons, unless those answer a question."""
    button, body = Button("Open the board", link=link), letter.body
    for place, block in enumerate(body):
        if isinstance(block, Buttons):
            buttons = (button, *block.buttons) if letter.kind == "turn" else (*block.buttons, button)
            return evolve(letter, body=(*body[:place], Buttons(buttons), *body[place + 1 :]))
    top = sum(isinstance(block, Lead | First) for block in body)
    return evolve(letter, body=(*body[:top], Buttons((button,)), *body[top:]))


OVER = "This turn is over. Your newest letter has the link to the board when it is your turn again."


def find_page_key(secret: bytes, game: str, hosted: HostedGame, seat: int) -> str:
    """Return the key of the published page for a seat's turn; "" if it is not its turn, or another player may have the key."""
    if hosted.awaited != seat or not hosted.find_address(seat):
        return ""
    marker = make_next_marker(hosted.view_as_told(seat))
    if may_be_former_key(hosted, seat, marker.turn):
        return ""
    return make_key(secret, game, seat, marker.turn, find_course(hosted, marker.after))
