"""`ClubState`, everything that order handlers may look up; and the letters of the club."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from typing import Protocol

from attrs import frozen

from tkid.club.members import Member
from tkid.mail.blocks import Blocks, First, Footer, Lead, Reference
from tkid.mail.envelope import drop_reply_prefix
from tkid.mail.hosted_game import HostedGame
from tkid.mail.letter_html import AnswerTo
from tkid.mail.marker import REFERENCE, format_reply_line, shorten_title
from tkid.mail.message import MOST_SUBJECT, add_key, write_mail
from tkid.mail.mime_writer import join_lines
from tkid.mail.model import Document, Intake, S, Stored
from tkid.mail.order_machine import ClubLetter
from tkid.rulebook import cites

GAME = "The King is Dead"
"""Sender of letters that are about no game in particular."""


def write_club_letter(  # noqa: PLR0917 - all that a letter of the club has
    to: tuple[str, str],
    about: str,
    subject: str,
    lead: str,
    body: Blocks,
    now: datetime,
    *footer: str,
    stop: str = "",
    shown: str = "",
) -> ClubLetter:
    """Write a letter of the club to somebody (address and name): the sentence, the marker, the text, the reference, the footer.

    The marker shows what it is `about`, or something else that is `shown`.
    """
    title = (shown or about).partition(" ")[2]
    blocks = (Lead(lead), First(format_reply_line(title)), *body, Reference(""), *([Footer(footer)] if footer else []))
    return ClubLetter(to[0], about, subject, blocks, now, to[1], stop)


def compose_club_mail(  # noqa: PLR0917 - all that a mail of the club has
    letter: ClubLetter, sender: str, key: str, answered: Intake | None = None, unsubscribe: str = "", club: str = ""
) -> bytes:
    """Compose a letter as a mail with the `key`; `unsubscribe` is a page, "" for none, `club` what it is called."""
    about = (word for word in letter.about.split() if "@" not in word)  # no address of anybody gets into a text
    ref, body = " ".join(filter(None, (REFERENCE, *about, key))), _add_club_name(letter.body, join_lines(club))
    title, named = _write_subject(letter, answered), (letter.address, letter.about, format_datetime(letter.time))
    stop = AnswerTo(add_key(sender, key), "stop").make_link(letter.stop) if letter.stop and key else ""
    more, to = _write_unsubscribing(stop, unsubscribe, key) if stop else [], (letter.name, letter.address)
    return write_mail(
        (GAME, sender), to, key, title, letter.time, body, ref, "club", named, letter.files, answered, headers=more
    )


@cites("club.signed")
def _add_club_name(body: Blocks, club: str) -> Blocks:
    if not club:
        return body
    footers = [block for block in body if isinstance(block, Footer)]
    lines = tuple(line for footer in footers for line in footer.texts)
    return (*(block for block in body if block not in footers), Footer((*lines, f"This mail is from {club}.")))


def _write_subject(letter: ClubLetter, answered: Intake | None) -> str:
    """Return the subject of the mail that is answered, which keeps the two together; else the letter's own."""
    theirs = drop_reply_prefix(answered.subject) if answered is not None else ""
    return f"Re: {theirs}" if theirs else shorten_title(join_lines(letter.subject), MOST_SUBJECT)


@cites("club.stop")
def _write_unsubscribing(link: str, page: str, key: str) -> list[str]:
    """Return the headers for a mail program's button for unsubscribing (RFC 2369 and RFC 8058)."""
    if not page:
        return [f"List-Unsubscribe: <{link}>"]
    return [f"List-Unsubscribe: <{page}?{key}>,\r\n <{link}>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]


class ClubState(Protocol):
    """Everything that can be looked up while an order is carried out.

    Somebody `is_known` who is a member, plays here, or observes a game. `list_games_of` returns the hosted games in which somebody
    has or had a seat, by name, `list_running` the names of the running ones. A name `is_taken` if a game has it, or one that gathers
    players. `count_event` counts one more of something for an address today, and returns the count. `get_text` returns the text of
    a document, `list_documents` all documents of a kind, by id.
    """

    def is_known(self, address: str) -> bool: ...
    def list_games_of(self, address: str) -> Sequence[tuple[str, HostedGame]]: ...
    def find_game(self, name: str) -> HostedGame | None: ...
    def list_running(self) -> Sequence[str]: ...
    def is_taken(self, name: str) -> bool: ...
    def count_event(self, address: str, what: str) -> int: ...
    def get_text(self, kind: str, name: str) -> str | None: ...
    def list_documents(self, kind: str) -> Sequence[Document]: ...

    def find_value(self, of: type[S], name: str) -> S | None:
        text = self.get_text(of.KIND, name)
        return of.read_text(text) if text else None

    def list_values(self, of: type[S]) -> list[S]:
        return [of.read_text(each.data) for each in self.list_documents(of.KIND)]

    def find_member(self, address: str) -> Member:
        """Return the member with an address; an unknown one if the club keeps nothing."""
        return self.find_value(Member, address.lower()) or Member.make_new(address)


@frozen
class Offers(Stored):
    """The seats of a game that the owner of the host offers. The id of the document is the name of the game."""

    KIND = "seat"
    seats: tuple[int, ...] = ()

    def with_seat(self, seat: int) -> Offers:
        return Offers(tuple(sorted({*self.seats, seat})))

    def store_for_game(self, game: str) -> Document:
        return Document(self.KIND, game, self.text, how="put" if self.seats else "drop")
