"""Why a mail has no text that can be read: encrypted, packed, only attachments, or empty. Opens nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.message import Message

from tkid.mail.inbound.envelope import Part
from tkid.mail.inbound.mime import PartCounter, described, is_game_file, parts_within
from tkid.mail.model import Line
from tkid.rulebook import cites

PGP = "It is encrypted with PGP, and the host has no key to read it."
ENCRYPTED = "It is encrypted with S/MIME, and the host has no key to read it."
OPAQUE = "It is signed with S/MIME in a form that hides its text. Send it without a signature."
PACKED = "Outlook has packed its text into `winmail.dat`, which only Outlook can open. Send it as plain text or HTML."
EMPTY = "It is empty."
ARMOUR = ("-----BEGIN PGP MESSAGE", "-----BEGIN PKCS7", "-----BEGIN CMS")
"""How an encrypted text begins that stands in a mail."""
CALENDAR = "It has only a calendar entry."
MAIL = "It has only another mail attached, and the host reads no orders in attached mails."
GAME_FILE = "It has only a game file attached, and the host reads no orders in game files."
SEVERAL = "It has no text of its own, only texts attached."
SEEN = {"image": "a picture", "audio": "a sound", "video": "a video"}
LONGEST_KIND = 60


@cites("mail.no-text")
def find_reason(mail: Part, lines: Sequence[Line]) -> str:
    """Return why a mail has no text that can be read, as a sentence; "" where it has some."""
    own = (line.text.strip() for line in lines if not line.quoted)
    if armour := next((text for text in own if text.startswith(ARMOUR)), ""):
        return PGP if "PGP" in armour else ENCRYPTED
    if any(line.text.strip() for line in lines):
        return ""
    parts = list(_leaves(mail, 0, PartCounter()))
    reasons = [reason for about, part in parts if (reason := _closed(about, part))]
    return next(iter(reasons), "") or _attached(parts)


def _leaves(part: Part, depth: int, counter: PartCounter) -> Iterator[tuple[Message, Part]]:
    """Yield the parts of a mail that hold no others."""
    counter.enter(depth)
    about = described(part.head)
    if about.get_content_maintype() != "multipart":
        yield about, part
        return
    for inner in parts_within(about, part):
        yield from _leaves(inner, depth + 1, counter)


def _closed(about: Message, part: Part) -> str:
    """Return why the text in a part cannot be read, "" for a part that holds no text of the mail."""
    kind, name = about.get_content_type(), str(about.get_filename() or "").lower()
    if kind == "application/pgp-encrypted":
        return PGP
    if kind in {"application/pkcs7-mime", "application/x-pkcs7-mime"} or name.endswith(".p7m"):
        return OPAQUE if str(about.get_param("smime-type", "")).lower() == "signed-data" else ENCRYPTED
    if kind in {"application/ms-tnef", "application/vnd.ms-tnef"} or name == "winmail.dat":
        return PACKED
    return PGP if part.data.find(b"-----BEGIN PGP MESSAGE", part.begin, part.end) >= 0 else ""


def _attached(parts: Sequence[tuple[Message, Part]]) -> str:
    """Say what a mail has that has no text, and nothing in place of it."""
    kinds = [about.get_content_type() for about, _ in parts]
    files = [kind for about, kind in zip((about for about, _ in parts), kinds, strict=True) if _is_file(about)]
    if any(is_game_file(about, part.body) for about, part in parts):
        return GAME_FILE
    if "text/calendar" in kinds:
        return CALENDAR
    if "message/rfc822" in kinds:
        return MAIL
    if sum(kind.startswith("text/") for kind in files) > 1:
        return SEVERAL
    if not files:
        return EMPTY
    what = SEEN.get(files[0].partition("/")[0], f"an attachment (`{files[0][:LONGEST_KIND]}`)")
    return f"It has no text, only {what}, and the host opens no attachments."


def _is_file(about: Message) -> bool:
    """Return True if a part is a file, and no text that stands in the mail."""
    return about.get_content_type() not in {"text/plain", "text/html"} or bool(about.get_filename())
