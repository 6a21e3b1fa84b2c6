"""Letters as mails: headers, text, HTML, game file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from tkid.mail import mime_writer
from tkid.mail.blocks import BOARD, GAME, REPLAY, Blocks, Board, Letter, Reference, format_plain
from tkid.mail.envelope import MOST_IDS, drop_reply_prefix, is_address
from tkid.mail.letter_html import PICTURE, AnswerTo, write_html, write_wish
from tkid.mail.marker import shorten_title, write_reference
from tkid.mail.model import IDS, Intake, Marker, Refusal
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format import seal
from tkid.record.format.model import Record
from tkid.record.format.reader import write_start
from tkid.record.play.replay import Replay
from tkid.record.play.views import hide_secrets, make_public_replay
from tkid.record.play.writer import write_record
from tkid.rulebook import cites

ADDRESS = IDS("address")
ADD_ADDRESS = (
    "Write it in the game file: `Seat: NAME <ADDRESS>`. The hashes behind the turns (`#` and six characters) do not fit any "
    "more then: remove them, and `tkid fmt` writes new ones."
)
"""The command that writes an address into a game file that has turns."""
DIGITS = 16
LONGEST_TITLE = 40
MOST_SUBJECT, SHORTEST_TITLE = 50, 10
"""Characters of a subject, and of the game's name in one that is full."""
YOUR_TURN = "your turn"
ANSWERS = frozenset({"note", "again"})
"""The kinds of letters that answer a mail."""


def find_mail_address(record: Record, seat: int) -> str | Refusal:
    address = record.seats[seat].address
    if is_address(address):
        return address
    lacking = f"{record.names[seat]} has no address in the game file"
    return Refusal(ADDRESS, f"`{address}` is not an address that mail can be sent to" if address else lacking)


@cites("mail.answer")
def compose_mail(  # noqa: PLR0917 - the game, the letter, and the header
    replay: Replay,
    letter: Letter,
    address: str,
    sender: str,
    answered: Intake | None = None,
    key: str = "",
    name: str = "",
    *,
    pictures: bool = False,
    attached: Sequence[mime_writer.Part] = (),
    opened: bool = False,
) -> bytes:
    """Compose a letter as a mail between two addresses that `is_address` accepts, with its files.

    A host's key goes into the line that the host knows the letter by, and behind a plus in the address for the
    answer. `name` is that of a stand-in who plays the seat. With `pictures` a letter that shows the position gets
    a picture when it goes out, and the next player a board to click (see `tkid.mail.letter_html`): for that it
    encloses the game as its seat may see it, and with `opened` with every hand. The files in `attached` come last.
    """
    whole = make_public_replay(replay) if opened else hide_secrets(replay, letter.seat)
    replay = hide_secrets(replay, letter.seat)
    record, domain = replay.record, sender.rpartition("@")[2]
    title, files = write_subject(record, letter, answered), letter.files if pictures else letter.files - {BOARD}
    wanted = files | ({PICTURE} if pictures and any(isinstance(block, Board) for block in letter.body) else set())
    shown = f'Content-Disposition: attachment; filename="{mime_writer.make_file_stem(record)}.tkid"'
    enclosures = [mime_writer.make_text_part(write_record(whole.record, whole), "text/plain", shown)] if wanted else []
    return write_mail(
        (find_mail_plugin(record.game).title, sender),
        (name or record.names[letter.seat], address),
        key,
        title,
        letter.time,
        letter.body,
        write_reference(Marker(letter.turn, letter.after, record.title, key), over=not letter.about),
        f"{letter.kind}.{letter.turn}.{letter.after}",
        (replay.value.hex(), letter.kind, str(letter.turn), address),
        (*enclosures, *attached),
        answered,
        root=f"<tkid.game.{seal.compute_first_hash(write_start(record)).hex()[:DIGITS]}@{domain}>",
        headers=[write_wish(letter.seat, wanted, opened=opened)] if wanted - {GAME} else [],
    )


def write_content(
    body: Blocks, identity: Sequence[str], files: Sequence[mime_writer.Part], answer: AnswerTo | None = None
) -> tuple[str, mime_writer.Part]:
    """Return the digest of a letter's text and `identity`, and its content: plain text, the same as HTML, files."""
    text = mime_writer.clean_text(format_plain(body))
    digest = sha256("\n".join((*identity, text)).encode("utf-8", "replace")).hexdigest()[:DIGITS]
    page = write_html(body, answer).encode("ascii", "xmlcharrefreplace").decode("ascii")
    texts = (mime_writer.make_text_part(text), mime_writer.make_text_part(page, "text/html"))
    content = mime_writer.make_multipart("alternative", f"=_tkid_text_{digest}", texts)
    return digest, mime_writer.make_multipart("mixed", f"=_tkid_{digest}", [content, *files]) if files else content


def write_mail(  # noqa: PLR0917 - what every mail has
    sender: tuple[str, str],
    to: tuple[str, str],
    key: str,
    title: str,
    time: datetime,
    body: Blocks,
    reference: str,
    kind: str,
    identity: Sequence[str],
    files: Sequence[mime_writer.Part],
    answered: Intake | None,
    *,
    root: str = "",
    headers: Sequence[str] = (),
) -> bytes:
    """Write a mail of a host. Its Message-ID begins with the `kind`, and `root` is that of the first mail of the thread.

    The `reference` has the `key`, which also goes into the address for replies. The `identity` tells the mail from others with the same text.
    """
    answers = add_key(sender[1], key)
    keyed = tuple(Reference(reference) if isinstance(block, Reference) else block for block in body)
    identity = (*identity, answered.digest if answered else "")
    digest, content = write_content(keyed, identity, files, AnswerTo(answers, f"Re: {title.removeprefix('Re: ')}"))
    lines = (
        mime_writer.write_address_header("From", sender),
        mime_writer.write_address_header("To", to),
        *([mime_writer.write_address_header("Reply-To", (sender[0], answers))] if key else []),
        mime_writer.write_header("Subject", title),
        f"Date: {format_datetime(time)}",
        mime_writer.write_ids_header("Message-ID", [f"<tkid.{kind}.{digest}@{sender[1].rpartition('@')[2]}>"]),
        *_write_thread(answered, root),
        f"Auto-Submitted: {'auto-replied' if answered else 'auto-generated'}",
        "X-Loop: tkid",
        *headers,
        "MIME-Version: 1.0",
    )
    return mime_writer.Part((*lines, *content.headers), content.body).write_part()


def add_key(address: str, key: str) -> str:
    return address.replace("@", f"+{key}@") if key else address


def write_subject(record: Record, letter: Letter, answered: Intake | None = None) -> str:
    """Write the subject: the game's name, the turn that a letter is about, and the kind of letter.

    An answer has the subject of its mail, so that mail programs show both together; the last letter has its own.
    """
    theirs = drop_reply_prefix(answered.subject) if answered is not None and REPLAY not in letter.files else ""
    if theirs:
        return f"Re: {theirs}"
    about = f"{f'Turn {letter.about}: ' if letter.about else ''}{letter.subject or YOUR_TURN}"
    title = mime_writer.join_lines(record.title or find_mail_plugin(record.game).title)
    cut = shorten_title(title, max(SHORTEST_TITLE, MOST_SUBJECT - len(f"[] {about}")))
    reply = "Re: " if letter.kind in ANSWERS and letter.about else ""
    return f"{reply}{shorten_title(mime_writer.join_lines(f'[{cut}] {about}'), MOST_SUBJECT)}"


def _write_thread(answered: Intake | None, root: str) -> list[str]:
    """Return the headers that thread a letter: below the root of the game's mails, and below the mail that it answers."""
    roots = [root] if root else []
    if answered is None or not answered.message_id:
        return [mime_writer.write_ids_header("References", roots)] if roots else []
    others = [each for each in (*reversed(answered.parents), answered.message_id) if each != root]
    references = (*roots, *others[len(roots) - MOST_IDS :])
    return [
        mime_writer.write_ids_header("In-Reply-To", [answered.message_id]),
        mime_writer.write_ids_header("References", references),
    ]
