"""Letters as mails: headers, text and the game file, byte for byte the same for the same letter."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime
from hashlib import sha256
from typing import Any

from attrs import evolve

from tkid.post.envelope import MOST_IDS, is_address
from tkid.post.marker import marker_line, message_id, short_title
from tkid.post.model import IDS, Intake, Letter, Marker, Refusal
from tkid.record import chain
from tkid.record.model import Record
from tkid.record.replay import Replay
from tkid.record.seen import seen
from tkid.record.start import start_text
from tkid.record.write import write_record
from tkid.rulebook import cites

ADDRESS = IDS("address")
DIGITS = 16
LONGEST_TITLE = 40
THREADING = frozenset({"message-id", "in-reply-to", "references"})


class Policy(EmailPolicy):
    """The policy for mails to be sent, with Message-IDs left whole: each stands on a line of its own."""

    def fold(self, name: str, value: Any) -> str:
        """A header as text."""
        if name.lower() in THREADING:
            return f"{name}: " + f"{self.linesep} ".join(str(value).split()) + self.linesep
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """A header as bytes."""
        return (
            self.fold(name, value).encode("ascii", "replace")
            if name.lower() in THREADING
            else super().fold_binary(name, value)
        )


POLICY = Policy(linesep="\r\n")


def address_of(record: Record, seat: int) -> str | Refusal:
    """The address that a seat is written to."""
    address = record.seats[seat].address
    if is_address(address):
        return address
    name = record.names[seat]
    told = f"`{address}` is no address that can be written to" if address else f"{name} has no address in the game file"
    return Refusal(ADDRESS, told)


@cites("mail.answer")
def compose(  # noqa: PLR0917 - the game, the letter, and what stands in the header
    replay: Replay, letter: Letter, address: str, sender: str, answered: Intake | None = None, key: str = ""
) -> bytes:
    """A letter as a mail to an address that `is_address` accepts, from such a one; with the file that its seat may see.

    With a key of a host it stands in the marker line, and behind a plus in the address for the answer.
    """
    replay = seen(replay, letter.seat)
    text = _with_key(replay, letter, key)
    record, domain = replay.record, sender.rpartition("@")[2]
    answering = answered.digest if answered else ""
    named = "\n".join((replay.value.hex(), letter.kind, str(letter.turn), address, answering, letter.text))
    digest = sha256(named.encode()).hexdigest()[:DIGITS]
    mail = EmailMessage(policy=POLICY)
    mail["From"] = _address("tkid", sender)
    mail["To"] = _address(record.names[letter.seat], address)
    if key:
        mail["Reply-To"] = _address("tkid", sender.replace("@", f"+{key}@"))
    mail["Subject"] = subject(record, letter)
    mail["Date"] = format_datetime(letter.time)
    mail["Message-ID"] = message_id(letter.kind, letter.turn, letter.after, digest, domain)
    for name, value in _thread(record, answered, domain):
        mail[name] = value
    mail["Auto-Submitted"] = "auto-replied" if answered else "auto-generated"
    mail["X-Loop"] = "tkid"
    mail.set_content(text, cte=_encoding(text))
    file = write_record(record, replay)
    mail.add_attachment(file, cte=_encoding(file), filename="game.tkid")
    mail.set_boundary(f"=_tkid_{digest}")
    return mail.as_bytes()


def _with_key(replay: Replay, letter: Letter, key: str) -> str:
    """A letter's text with the key in its marker line."""
    bare = Marker(letter.turn, letter.after, replay.record.title)
    return letter.text.replace(marker_line(bare), marker_line(evolve(bare, key=key)), 1) if key else letter.text


def subject(record: Record, letter: Letter) -> str:
    """The subject: the same for a turn mail and all answers about that turn, so that mail programs thread them."""
    title = _plain(short_title(record.title, LONGEST_TITLE))
    name = _plain(record.names[letter.seat])
    told = f"[tkid{f' {title}' if title else ''}] turn {letter.about}: "
    if letter.kind == "news":
        return f"{told}news for {name}"
    return f"{'' if letter.kind == 'turn' else 'Re: '}{told}{name} to play"


def _address(name: str, address: str) -> Address:
    """An address with a name in letters, digits, blanks, `-` and `'`.

    Anything else would have to be quoted, and the standard library forgets the quotes where it folds a line.
    """
    local, _, domain = address.rpartition("@")
    shown = "".join(c if c.isalnum() or c in "-'" else " " for c in name)
    return Address(" ".join(shown.split()), local, domain)


def _plain(text: str) -> str:
    """A text that may stand in a header.

    The standard library decodes encoded words in what it is given, line ends in them too: `=?` is taken apart.
    """
    return "".join(c if c.isprintable() else " " for c in text).replace("=?", "= ?")


def _encoding(text: str) -> str:
    return "7bit" if text.isascii() else "quoted-printable"


def _thread(record: Record, answered: Intake | None, domain: str) -> list[tuple[str, str]]:
    """The headers that thread a letter: below the mail it answers, or below the root of the game's mails."""
    if answered is None:
        root = chain.first(start_text(record)).hex()[:DIGITS]
        return [("References", f"<tkid.game.{root}@{domain}>")]
    if not answered.message_id:
        return []
    references = (*reversed(answered.parents), answered.message_id)[-MOST_IDS:]
    return [("In-Reply-To", answered.message_id), ("References", " ".join(references))]
