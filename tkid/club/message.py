"""Letters of the club as mails: those that go to a member or a visitor, and not to a seat of a game."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from attrs import frozen

from tkid.mail.inbound.envelope import MOST_IDS
from tkid.mail.letters.blocks import Blocks, First, Footer, Lead, Reference, plain
from tkid.mail.letters.html import AnswerTo, html
from tkid.mail.letters.message import DIGITS, MOST_SUBJECT, REPLIED
from tkid.mail.letters.mime_writer import (
    Part,
    address_header,
    header,
    ids_header,
    multipart,
    one_line,
    readable,
    text_part,
)
from tkid.mail.marker import REFERENCE, reply_line, short_title
from tkid.mail.model import Intake
from tkid.rulebook import cites

GAME = "The King is Dead"
"""Whom letters come from that are about no game in particular."""


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


def framed(about: str, lead: str, body: Blocks, footer: tuple[str, ...] = ()) -> Blocks:
    """The blocks of a letter of the club: the sentence, the marker, what it says, the reference, the footer."""
    title = about.partition(" ")[2]
    return (Lead(lead), First(reply_line(title)), *body, Reference(""), *([Footer(footer)] if footer else []))


def compose(  # noqa: PLR0917 - all that a mail of the club has
    letter: ClubLetter, sender: str, key: str, answered: Intake | None = None, unsubscribe: str = "", club: str = ""
) -> bytes:
    """A letter of the club as a mail, from a host's address; `key` stands in the address for the answer and in the text.

    `unsubscribe` is the address of the club's page for unsubscribing, "" for none; `club` is what the club is called.
    """
    domain = sender.rpartition("@")[2]
    answers = sender.replace("@", f"+{key}@") if key else sender
    about = (word for word in letter.about.split() if "@" not in word)  # no address of anybody gets into a text
    keyed = Reference(" ".join(filter(None, (REFERENCE, *about, key))))
    body = tuple(keyed if isinstance(block, Reference) else block for block in _signed(letter.body, one_line(club)))
    title = _subject(letter, answered)
    text = readable(plain(body))
    named = "\n".join(
        (letter.address, letter.about, format_datetime(letter.time), answered.digest if answered else "", text)
    )
    digest = sha256(named.encode("utf-8", "replace")).hexdigest()[:DIGITS]
    page = html(body, AnswerTo(answers, f"Re: {title.removeprefix('Re: ')}"))
    page = page.encode("ascii", "xmlcharrefreplace").decode("ascii")
    content = multipart("alternative", f"=_tkid_text_{digest}", (text_part(text), text_part(page, "text/html")))
    if letter.files:
        content = multipart("mixed", f"=_tkid_{digest}", [content, *letter.files])
    headers = (
        address_header("From", (GAME, sender)),
        address_header("To", (letter.name, letter.address)),
        *([address_header("Reply-To", (GAME, answers))] if key else []),
        header("Subject", title),
        f"Date: {format_datetime(letter.time)}",
        ids_header("Message-ID", [f"<tkid.club.{digest}@{domain}>"]),
        *_thread(answered),
        *(_unsubscribing(AnswerTo(answers, "stop").link(letter.stop), unsubscribe, key) if letter.stop and key else []),
        f"Auto-Submitted: {'auto-replied' if answered else 'auto-generated'}",
        "X-Loop: tkid",
        "MIME-Version: 1.0",
    )
    return Part((*headers, *content.headers), content.body).written()


@cites("club.signed")
def _signed(body: Blocks, club: str) -> Blocks:
    """The blocks of a letter with the name of the club below, if it has one."""
    if not club:
        return body
    footers = [block for block in body if isinstance(block, Footer)]
    lines = tuple(line for footer in footers for line in footer.texts)
    return (*(block for block in body if block not in footers), Footer((*lines, f"This mail is from {club}.")))


def _subject(letter: ClubLetter, answered: Intake | None) -> str:
    """The subject of the mail that is answered, so that mail programs show the two together; else the letter's own."""
    theirs = REPLIED.sub("", answered.subject) if answered is not None else ""
    return f"Re: {theirs}" if theirs else short_title(one_line(letter.subject), MOST_SUBJECT)


def _thread(answered: Intake | None) -> list[str]:
    if answered is None or not answered.message_id:
        return []
    references = (*reversed(answered.parents), answered.message_id)
    return [ids_header("In-Reply-To", [answered.message_id]), ids_header("References", references[-MOST_IDS:])]


@cites("club.stop")
def _unsubscribing(link: str, page: str, key: str) -> list[str]:
    """The headers behind a mail program's button for unsubscribing, as RFC 2369 and RFC 8058 have them."""
    if not page:
        return [f"List-Unsubscribe: <{link}>"]
    return [f"List-Unsubscribe: <{page}?{key}>,\r\n <{link}>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
