"""Letters of the club, filed mails, notices and returned letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import evolve, field, frozen

from tkid.club.club_state import compose_club_mail, write_club_letter
from tkid.club.desk_orders import DeskOrder
from tkid.club.host_time import ABOUT
from tkid.host.store.documents import ClubKey
from tkid.host.store.store import MAX_BOUNCES
from tkid.host.store.transaction import Incoming, Key, KeyedGame, Outgoing, Transaction, read_message_id
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Paragraph
from tkid.mail.envelope import Report, Required, is_address, read_report, refuse_unauthenticated
from tkid.mail.game_service import HostedGame
from tkid.mail.letter_parts import choose_lead
from tkid.mail.marker import make_club_key
from tkid.mail.model import IDS, ClubTerms, Intake, Refusal
from tkid.mail.order_answers import NO_ORDER
from tkid.mail.order_machine import TOLD, ClubLetter
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
    """That the owner vouches for a mail: why, the seats that its sender's address has in games that go on, and when.

    `results` has for each order what is wrong with it, or None where it was carried out.
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
    """Return the seats that an address has in running games."""
    found: list[Key] = []
    for name in transaction.list_running():
        stored = transaction.get_game(name)
        if stored is None or address not in stored.record.lower():
            continue
        game = stored.read_hosted()
        turn = find_next_turn(game.replay)
        found += [Key(name, seat, turn) for seat in game.seats if game.find_address(seat).lower() == address]
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
        """Note a letter of ours that a mail reports as not delivered, if it shows that the report is true; whether it does."""
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
