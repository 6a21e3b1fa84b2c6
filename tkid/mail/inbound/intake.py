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
from tkid.mail.inbound.mime import raw_lines, text_lines
from tkid.mail.inbound.no_text import find_reason
from tkid.mail.model import Intake, Line, Refusal


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
    lines = text_lines(mail, cut=True)
    return evolve(_intake(data, mail.head, address, lines), unread=find_reason(mail, lines))


def _read_partly(data: bytes) -> Intake:
    mail = read_whole(data)
    refuse_automatic(mail.head)
    try:
        lines = text_lines(mail, cut=True)
    except Exception:  # noqa: BLE001 - whatever a parser does to a hostile mail
        lines = raw_lines(mail)
    return _intake(data, mail.head, "", lines)


def _intake(data: bytes, head: Head, address: str, lines: tuple[Line, ...]) -> Intake:
    answered = message_ids(head.first("in-reply-to"))[:1]
    return Intake(
        sender=address,
        lines=lines,
        message_id=next(iter(message_ids(head.first("message-id"))), ""),
        parents=tuple(dict.fromkeys((*answered, *reversed(message_ids(*head.all("references")))))),
        digest=sha256(data).hexdigest(),
        keys=plus_parts(head),
        subject=subject(head),
        name=sender_name(head) if address else "",
    )
