"""The intake: from the bytes of a mail to what they say, or to a refusal. Never an exception."""

from __future__ import annotations

from hashlib import sha256

from attrs import evolve

from tkid.mail.inbound.envelope import (
    Head,
    message_ids,
    plus_parts,
    read_mail,
    read_whole,
    refuse_automatic,
    refused_or,
    sender,
    sender_name,
    subject,
)
from tkid.mail.inbound.mime import MailText, raw_lines, read_text
from tkid.mail.inbound.no_text import find_reason
from tkid.mail.inbound.unseen import without_struck
from tkid.mail.model import Intake, Line, Refusal
from tkid.rulebook import cites


def take_in(data: bytes) -> Intake | Refusal:
    """Read a mail. A refusal means that it is filed, and not carried out."""
    return refused_or(_read, data)


def take_in_partly(data: bytes) -> Intake | None:
    """What can be seen of a mail that was refused: its keys and its thread, but no sender. None for automatic mail."""
    seen = refused_or(_read_partly, data)
    return None if isinstance(seen, Refusal) else seen


def _read(data: bytes) -> Intake:
    mail = read_mail(data)
    refuse_automatic(mail.head)
    address = sender(mail.head)
    text = read_text(mail, cut=True)
    return evolve(_intake(data, mail.head, address, text), unread=find_reason(mail, text.lines))


def _read_partly(data: bytes) -> Intake:
    mail = read_whole(data)
    refuse_automatic(mail.head)
    try:
        text = read_text(mail, cut=True)
    except Exception:  # noqa: BLE001 - whatever a parser does to a hostile mail
        text = MailText(raw_lines(mail))
    return _intake(data, mail.head, "", text)


def _intake(data: bytes, head: Head, address: str, text: MailText) -> Intake:
    answered = message_ids(head.first("in-reply-to"))[:1]
    return Intake(
        sender=address,
        lines=_without_struck(text.lines),
        message_id=next(iter(message_ids(head.first("message-id"))), ""),
        parents=tuple(dict.fromkeys((*answered, *reversed(message_ids(*head.all("references")))))),
        digest=sha256(data).hexdigest(),
        keys=plus_parts(head),
        subject=subject(head),
        name=sender_name(head) if address else "",
        html=lambda: _without_struck(text.html()),
    )


@cites("mail.struck")
def _without_struck(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Lines without what their writer struck out with signs of plain text; quotations as they are."""
    return tuple(line if line.quoted else evolve(line, text=without_struck(line.text)) for line in lines)
