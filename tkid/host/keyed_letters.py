"""The letters of a game with their keys, and reading a reply against them."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import chain, islice

from attrs import evolve, frozen

from tkid.club.digest import DigestBook
from tkid.club.members import DAILY, FORMER, Member
from tkid.club.members import MEMBER_KIND as MEMBER
from tkid.club.observers import OBSERVER_KIND as OBSERVER
from tkid.club.values import TURNS
from tkid.host.club_letters import ClubMailService
from tkid.host.published_folder import HOOK, Watch
from tkid.host.store.transaction import Key, Outgoing, Transaction, read_message_id
from tkid.mail.blocks import Button, Buttons, First, Lead, Letter
from tkid.mail.game_clock import read_game_clock
from tkid.mail.game_service import Outcome
from tkid.mail.hosted_game import HostedGame, make_next_marker
from tkid.mail.marker import find_keys, find_offer, make_key
from tkid.mail.message import ANSWERS, compose_mail
from tkid.mail.mime_writer import Part, make_text_part
from tkid.mail.model import Intake, Line, Orders
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.order_machine import may_be_former_key
from tkid.mail.order_proposals import find_proposed_offer
from tkid.mail.quotation import OwnLetter
from tkid.rulebook import cites

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
    courses = (find_course(hosted, after) for after in hosted.find_hashes_before(key.seat, key.turn))
    made = (find_offer(key.word, secret, key.game, key.seat, key.turn, each, offers) for each in courses)
    return orders, next((offer for offer in made if offer is not None), None)


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
def keep_for_digest(  # noqa: PLR0917 - the letter, whom it is for, and the game that it is about
    transaction: Transaction, name: str, game: HostedGame, letter: Letter, address: str, now: datetime
) -> bool:
    """Keep a letter of a game for its reader's digest, if it may wait; return whether it was kept."""
    if not letter.may_wait or get_current_member(transaction, address).digest != DAILY:
        return False
    document = transaction.documents.get_document(DigestBook.KIND, address.lower())
    if document is None:
        return False
    book = DigestBook.read_text(document.data)
    clock = read_game_clock(game.time, now)
    late = clock is not None and clock.seat == letter.seat and clock.deadline <= book.find_next_time(now)
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
    from tkid.club.calendar import calendar_of, list_deadlines  # noqa: PLC0415 - few letters need it

    due = list(list_deadlines(name, game))
    if not due:
        return ()
    text = calendar_of(due).decode().replace("\r\n", "\n")
    return (
        make_text_part(text, "text/calendar; method=PUBLISH", f'Content-Disposition: attachment; filename="{NAME}"'),
    )


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


@frozen
class GameLetters:
    """Writes the letters of games, with pictures or without; `watch` notifies others of changes."""

    visitors: ClubMailService
    watch: Watch
    pictures: bool

    @cites("post.end", "post.stand-in.told")
    def post_letters(
        self, transaction: Transaction, name: str, outcome: Outcome, answered: Intake | None = None
    ) -> None:
        """Put the letters into the outgoing mail, make their keys valid, and note that the game has changed.

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
            if not address or (
                not letter.to and keep_for_digest(transaction, name, game, letter, address, letter.time)
            ):
                continue
            written, key, player, files, pictures = letter, "", "", tuple[Part, ...](), self.pictures
            if not letter.to:
                key = make_key(
                    *(visitors.secret, name, letter.seat, letter.turn, find_course(game, letter.after), letter.offer)
                )
                given[key] = Key(name, letter.seat, letter.turn)
                player, pictures = game.find_player(letter.seat), pictures and game.memory.seats[letter.seat].pictures
                files, club = make_calendar_files(transaction, name, game, letter, address), visitors.club
                page = f"{club.web}/g/{key}" if club.web else ""
                if club.turn_pages and (own := find_page_key(visitors.secret, name, game, letter.seat)):
                    given[own], page = Key(name, letter.seat, letter.turn), f"{club.turn_pages}/{TURNS}/{own}.html"
                written = link_page(letter, page) if page and letter.kind in ASKING else letter
            about = answered if letter.kind in ANSWERS else None
            known = (game.public, written, address, visitors.address, about, key, player)
            mail = compose_mail(*known, pictures=pictures, attached=files, opened=game.time.over)
            mails.append(Outgoing(read_message_id(mail), name, address, mail))
        transaction.allow_keys(given)
        transaction.post_letters(mails)
