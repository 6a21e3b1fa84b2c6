"""Letters as mails: headers, the text in plain and in HTML, the game file; the same bytes for the same letter."""

from __future__ import annotations

from email.utils import format_datetime
from hashlib import sha256

from attrs import evolve

from tkid.mail.inbound.envelope import MOST_IDS, is_address
from tkid.mail.letters.blocks import Board, First, Letter, plain
from tkid.mail.letters.html import AnswerTo, html
from tkid.mail.letters.mime_writer import address_header, header, ids_header, multipart, one_line, readable, text_part
from tkid.mail.letters.pictures import wish
from tkid.mail.marker import marker_line, message_id, short_title
from tkid.mail.model import IDS, Intake, Marker, Refusal
from tkid.record.format.model import Record
from tkid.record.format.start_text import start_text
from tkid.record.play import chain
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.record.play.writer import write_record
from tkid.rulebook import cites

ADDRESS = IDS("address")
ENCLOSED = 'Content-Disposition: attachment; filename="game.tkid"'
DIGITS = 16
LONGEST_TITLE = 40
ASKS = frozenset({"turn", "again"})
"""The kinds of letters to the next player."""


def address_of(record: Record, seat: int) -> str | Refusal:
    """The address that a seat is written to."""
    address = record.seats[seat].address
    if is_address(address):
        return address
    lacking = f"{record.names[seat]} has no address in the game file"
    return Refusal(ADDRESS, f"`{address}` is no address that can be written to" if address else lacking)


@cites("mail.answer")
def compose(  # noqa: PLR0917 - the game, the letter, and what stands in the header
    replay: Replay,
    letter: Letter,
    address: str,
    sender: str,
    answered: Intake | None = None,
    key: str = "",
    name: str = "",
    *,
    pictures: bool = False,
) -> bytes:
    """A letter as a mail to an address that `is_address` accepts, from such a one; with the file that its seat may see.

    With a key of a host it stands in the marker line, and behind a plus in the address for the answer. `name` is that of
    whoever plays the seat, where it is not its player's. With `pictures` a letter that shows the position is to get a
    picture when it goes out (see `tkid.mail.letters.pictures`).
    """
    replay = seen(replay, letter.seat)
    record, domain = replay.record, sender.rpartition("@")[2]
    answering = answered.digest if answered else ""
    text = readable(plain(letter.body))
    named = "\n".join((replay.value.hex(), letter.kind, str(letter.turn), address, answering, text))
    digest = sha256(named.encode()).hexdigest()[:DIGITS]
    bare = Marker(letter.turn, letter.after, record.title)
    without, first = marker_line(bare), marker_line(evolve(bare, key=key))
    body = (First(first) if block == First(without) else block for block in letter.body)
    answers, title = sender.replace("@", f"+{key}@") if key else sender, subject(record, letter)
    page = html(body, AnswerTo(answers, f"Re: {title.removeprefix('Re: ')}"))
    page = page.encode("ascii", "xmlcharrefreplace").decode("ascii")
    texts = (text_part(text.replace(readable(without), readable(first), 1)), text_part(page, "text/html"))
    shows_position = any(isinstance(block, Board) for block in letter.body)
    file = text_part(write_record(record, replay), "text/plain", ENCLOSED)
    return multipart(
        "mixed",
        f"=_tkid_{digest}",
        [multipart("alternative", f"=_tkid_text_{digest}", texts), file],
        address_header("From", ("tkid", sender)),
        address_header("To", (name or record.names[letter.seat], address)),
        *([address_header("Reply-To", ("tkid", answers))] if key else []),
        header("Subject", title),
        f"Date: {format_datetime(letter.time)}",
        ids_header("Message-ID", [message_id(letter.kind, letter.turn, letter.after, digest, domain)]),
        *_thread(record, answered, domain),
        f"Auto-Submitted: {'auto-replied' if answered else 'auto-generated'}",
        "X-Loop: tkid",
        *([wish(letter.seat, to_act=letter.kind in ASKS)] if pictures and shows_position else []),
        "MIME-Version: 1.0",
    ).written()


def subject(record: Record, letter: Letter) -> str:
    """The subject: the same for a turn mail and all answers about that turn, so that mail programs thread them."""
    title = one_line(short_title(record.title, LONGEST_TITLE))
    name = one_line(record.names[letter.seat])
    about = f"[tkid{f' {title}' if title else ''}] turn {letter.about}: "
    if letter.kind in {"news", "words"}:
        return f"{about}{letter.kind} for {name}"
    return f"{'' if letter.kind == 'turn' else 'Re: '}{about}{name} to play"


def _thread(record: Record, answered: Intake | None, domain: str) -> list[str]:
    """The headers that thread a letter: below the mail it answers, or below the root of the game's mails."""
    if answered is None:
        root = chain.first(start_text(record)).hex()[:DIGITS]
        return [ids_header("References", [f"<tkid.game.{root}@{domain}>"])]
    if not answered.message_id:
        return []
    references = (*reversed(answered.parents), answered.message_id)[-MOST_IDS:]
    return [ids_header("In-Reply-To", [answered.message_id]), ids_header("References", references)]
