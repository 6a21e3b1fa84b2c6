"""The values that order handlers take and return: club mails, letters, results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from typing import Protocol

from attrs import frozen

from tkid.club import values
from tkid.club.lobby import Table
from tkid.club.members import MEMBER_KIND, Member
from tkid.club.values import ClubTerms
from tkid.kernel.problems import Kind, Problem
from tkid.mail.blocks import Block, Blocks, First, Footer, Lead, Paragraph, Reference
from tkid.mail.envelope import drop_reply_prefix
from tkid.mail.game_service import Outcome
from tkid.mail.hosted_game import HostedGame
from tkid.mail.letter_html import AnswerTo
from tkid.mail.marker import REFERENCE, format_reply_line, shorten_title
from tkid.mail.message import MOST_SUBJECT, add_key, answer_to, write_content, write_mail
from tkid.mail.mime_writer import Part, join_lines
from tkid.mail.model import Intake
from tkid.record.format.model import Record
from tkid.rulebook import cites

GAME = "The King is Dead"
"""Sender of letters that are about no game in particular."""


@frozen
class ClubLetter:
    """A letter to an address, block by block, and when it is written.

    `name` is the reader's name, "" where it is not known. `about` is what its key is for and what its reference names: a
    word, and what it needs, such as "table spring"; a reply to the letter is understood as being about that. `subject` is
    its whole subject; where the letter answers a mail, that mail's subject goes before it. `stop` is the order that a
    mail program's button for unsubscribing sends, "" where a letter has no such button: turns have none. `files` are whole
    parts that are attached.
    """

    address: str
    about: str
    subject: str
    body: Blocks
    time: datetime
    name: str = ""
    stop: str = ""
    files: tuple[Part, ...] = ()


def frame_club_letter(about: str, lead: str, body: Blocks, footer: tuple[str, ...] = ()) -> Blocks:
    """Return the blocks of a letter of the club: the sentence, the marker, the text, the reference, the footer."""
    title = about.partition(" ")[2]
    return (Lead(lead), First(format_reply_line(title)), *body, Reference(""), *([Footer(footer)] if footer else []))


def compose_club_mail(  # noqa: PLR0917 - all that a mail of the club has
    letter: ClubLetter, sender: str, key: str, answered: Intake | None = None, unsubscribe: str = "", club: str = ""
) -> bytes:
    """Compose a letter of the club as a mail from a host's address. The `key` stands in the address for the answer and in the text.

    `unsubscribe` is the address of the club's page for unsubscribing, "" for none; `club` is what the club is called.
    """
    answers = add_key(sender, key)
    about = (word for word in letter.about.split() if "@" not in word)  # no address of anybody gets into a text
    keyed = Reference(" ".join(filter(None, (REFERENCE, *about, key))))
    body = tuple(
        keyed if isinstance(block, Reference) else block for block in _add_club_name(letter.body, join_lines(club))
    )
    title = _write_subject(letter, answered)
    identity = (letter.address, letter.about, format_datetime(letter.time), answered.digest if answered else "")
    digest, content = write_content(body, identity, letter.files, answer_to(answers, title))
    stop = AnswerTo(answers, "stop").make_link(letter.stop) if letter.stop and key else ""
    return write_mail(
        (GAME, sender),
        (letter.name, letter.address),
        answers if key else "",
        title,
        letter.time,
        f"<tkid.club.{digest}@{sender.rpartition('@')[2]}>",
        content,
        answered,
        headers=_write_unsubscribing(stop, unsubscribe, key) if stop else [],
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


DOOR = "door"
"""Subject of letters that are about no game: a reply to one is a mail to the club."""


@frozen
class Visit:
    """A mail to the club that is believed: who wrote it, when it came, and what it answers.

    `sender` is the address in lower case. `about` is what the letter was about that it answers: `table spring`, `game
    winter`, or "" for no letter. `entropy` are 32 random bytes that were drawn for this mail. `host` is the address of the host.
    `name` is the name beside the address in the mail, "" for none.
    """

    sender: str
    time: datetime
    about: str
    entropy: bytes
    club: ClubTerms
    host: str
    owner: bool = False
    name: str = ""

    def find_subject(self, kind: str) -> str:
        """Return the name behind a word in the subject of the mail's letter: of the game, of the lobby; "" for another subject."""
        word, _, name = self.about.partition(" ")
        return name if word == kind else ""


@frozen
class Kept:
    """A document that is to be kept in the place of what was there: its kind, id and text, and when to look at it again.

    Without a text it is dropped. One that `is_new` takes the place of nothing: where its name is taken meanwhile, the order
    is carried out again.
    """

    kind: str
    id: str
    text: str | None
    due: datetime | None = None
    is_new: bool = False


class ClubState(Protocol):
    """Everything that can be looked up while an order is carried out."""

    def find_member(self, address: str) -> Member:
        """Return the member with an address; an unknown one if the club keeps nothing."""

    def is_known(self, address: str) -> bool:
        """Return True if somebody is a member or plays here."""

    def find_lobby(self, name: str) -> Table | None:
        """Return the game that gathers players under a name, also for a while after that."""

    def list_lobbies(self) -> Sequence[Table]:
        """Return all games that gather players, and those that did so not long ago."""

    def list_games_of(self, address: str) -> Sequence[tuple[str, HostedGame]]:
        """Return the hosted games in which somebody has or had a seat, by name."""

    def find_game(self, name: str) -> HostedGame | None:
        """Return a hosted game."""

    def list_running(self) -> Sequence[str]:
        """Return the names of the running hosted games."""

    def is_taken(self, name: str) -> bool:
        """Return True if a game has a name, or one that gathers players."""

    def count_event(self, address: str, what: str) -> int:
        """Count one more of something for an address today; return the count."""

    def get_text(self, kind: str, name: str) -> str | None:
        """Return the text of a document of any kind."""

    def list_documents(self, kind: str) -> Sequence[Kept]:
        """Return all documents of a kind, by id."""


@frozen
class Result:
    """The consequences of an order to the club."""

    lead: str = ""
    body: Blocks = ()
    about: str = DOOR
    problem: Problem | None = None
    wrong: str = ""
    letters: tuple[ClubLetter, ...] = ()
    kept: tuple[Kept, ...] = ()
    begins: tuple[tuple[str, Record], ...] = ()
    changes: tuple[tuple[str, Outcome], ...] = ()


SEAT_KIND = "seat"
"""The kind of documents with seats that the owner offers. Their id is the name of the game."""


@frozen
class Offers:
    """The seats of a game that the owner of the host offers."""

    seats: tuple[int, ...] = ()

    @classmethod
    def read_for_game(cls, state: ClubState, game: str) -> Offers:
        """Read the offers for a game."""
        text = state.get_text(SEAT_KIND, game)
        return values.read_stored_value(text, cls) if text else cls()


def report_done(lead: str, *body: str | Block, kept: tuple[Kept, ...] = ()) -> Result:
    """Return the result of an order that was carried out: a sentence of at most 78 columns, and more text below it."""
    return Result(lead, tuple(Paragraph(each) if isinstance(each, str) else each for each in body), kept=kept)


def refuse_order(rule: str, message: str, hint: str = "", kind: Kind = Kind.ILLEGAL, typed: str = "") -> Result:
    """Refuse an order: give the rule, the reason and a fix; `typed` is the wrong part of the order."""
    return Result(problem=Problem(kind, rule, message, hint=hint), wrong=typed)


def save_member(member: Member) -> Kept:
    """Return the change that saves a member."""
    return Kept(MEMBER_KIND, member.address, member.text)
