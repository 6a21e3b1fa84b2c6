"""A letter from hand to hand, without a host: what it says, as the blocks of a host's letters, and the mail that it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from attrs import frozen

from tkid.mail.inbound.envelope import is_address
from tkid.mail.letters.blocks import BOARD, GAME, Blocks, plain
from tkid.mail.letters.html import html
from tkid.mail.letters.message import DIGITS, LONGEST_TITLE
from tkid.mail.letters.mime_writer import address_header, header, ids_header, multipart, one_line, readable, text_part
from tkid.mail.letters.pictures import PICTURE, finished, wish
from tkid.mail.marker import short_title
from tkid.record.format.model import Record, Seat


@frozen
class DealPart:
    """What goes with a letter of the deal that the players made together.

    `text` is that of the deal; `owing` are the seats that have to unlock the next card, `closed` those who still have to open
    their seeds now that the game is over. `news` says whether the letter is the first to unlock or open something. `opened` says
    whether the writer's seed is open, and `word` names the cards that the writer cannot prove because it is lost.
    """

    text: str
    owing: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()
    news: bool = False
    opened: bool = False
    word: tuple[str, ...] = ()


@frozen
class PeerLetter:
    """A letter: to whom and from whom (an address each, or none), subject, what it says, and the file that it encloses.

    `deal` is the text of the deal that goes with the game, "" where there is none.
    With `viewer` it gets a picture of the position as that seat sees it, where one can be drawn; with `click` also the
    page on which that seat clicks its turn together.
    """

    to: tuple[Seat, ...]
    sender: Seat | None
    subject: str
    body: Blocks
    name: str
    file: str
    time: datetime
    viewer: int | None = None
    click: bool = False
    deal: str = ""

    @property
    def text(self) -> str:
        """What it says, in plain text."""
        return readable(plain(self.body))


def mail(letter: PeerLetter, *, draft: bool = True) -> bytes:
    """A letter as a mail: to be opened in a mail program, or to be sent. Whoever has no address is left out.

    From and To are put before the mail when it is finished otherwise: the page to click would send a turn to whoever wrote
    the letter, but a turn is played into a file here, and goes on in the next letter.
    """
    files = [
        (letter.name, letter.file),
        *([(f"{letter.name.partition('.')[0]}.deal", letter.deal)] if letter.deal else []),
    ]
    named = "\n".join((letter.subject, letter.text, letter.file, str(letter.to), format_datetime(letter.time)))
    digest = sha256(named.encode()).hexdigest()[:DIGITS]
    people: list[str] = []
    if letter.sender and is_address(letter.sender.address):
        people.append(address_header("From", (letter.sender.name, letter.sender.address)))
        domain = letter.sender.address.rpartition("@")[2]
        people.append(ids_header("Message-ID", [f"<tkid.letter.{digest}@{domain}>"]))
    to = [(seat.name, seat.address) for seat in letter.to if is_address(seat.address)]
    people += [address_header("To", *to)] if to else []
    headers = [header("Subject", one_line(letter.subject)), f"Date: {format_datetime(letter.time)}"]
    if draft:
        headers.append("X-Unsent: 1")  # so that some mail programs open it as a draft
    if letter.viewer is not None:
        headers.append(wish(letter.viewer, {GAME, PICTURE, *([BOARD] if letter.click else [])}))
    page = html(letter.body).encode("ascii", "xmlcharrefreplace").decode("ascii")
    texts = multipart("alternative", f"=_tkid_text_{digest}", (text_part(letter.text), text_part(page, "text/html")))
    enclosed = [
        text_part(text, "text/plain", f'Content-Disposition: attachment; filename="{name}"') for name, text in files
    ]
    whole = multipart("mixed", f"=_tkid_{digest}", [texts, *enclosed], *headers, "MIME-Version: 1.0")
    return "".join(f"{line}\r\n" for line in people).encode("ascii") + finished(whole.written()).mail


def tagged(record: Record, subject: str) -> str:
    """A subject behind the name of the game."""
    return f"[{short_title(record.title, LONGEST_TITLE) or 'tkid'}] {subject}"


def seats_of(record: Record, seats: Sequence[int]) -> tuple[Seat, ...]:
    """The players of some seats, by number."""
    return tuple(record.seats[seat] for seat in seats)
