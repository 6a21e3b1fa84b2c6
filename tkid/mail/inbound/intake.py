"""The intake: from the bytes of a mail to what they say, or to a refusal. Never an exception."""

from __future__ import annotations

from hashlib import sha256

from tkid.mail.inbound.envelope import (
    UNREADABLE,
    message_ids,
    plus_parts,
    read_mail,
    refuse_automatic,
    refused_or,
    sender,
    subject,
)
from tkid.mail.inbound.mime import text_lines
from tkid.mail.model import Intake, Refusal, RefusedError


def take_in(data: bytes) -> Intake | Refusal:
    """Read a mail. A refusal means that it is filed and not answered."""
    return refused_or(_read, data)


def _read(data: bytes) -> Intake:
    head, body = read_mail(data)
    if not head.fields:
        raise RefusedError(UNREADABLE, "There is no header, so this is no mail")
    refuse_automatic(head)
    address = sender(head)
    answered = message_ids(head.first("in-reply-to"))[:1]
    return Intake(
        sender=address,
        lines=text_lines(head, body),
        message_id=next(iter(message_ids(head.first("message-id"))), ""),
        parents=tuple(dict.fromkeys((*answered, *reversed(message_ids(*head.all("references")))))),
        digest=sha256(data).hexdigest(),
        keys=plus_parts(head),
        subject=subject(head),
    )
