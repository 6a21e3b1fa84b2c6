"""The intake: from the bytes of a mail to what they say, or to a refusal. Never an exception."""

from __future__ import annotations

from hashlib import sha256

from tkid.mail.inbound.envelope import (
    MOST_BYTES,
    TOO_LARGE,
    UNREADABLE,
    message_ids,
    plus_parts,
    read_head,
    refuse_automatic,
    sender,
)
from tkid.mail.inbound.mime import text_lines
from tkid.mail.model import Intake, Refusal, RefusedError


def take_in(data: bytes) -> Intake | Refusal:
    """Read a mail. A refusal means that it is filed and not answered."""
    try:
        return _read(data)
    except RefusedError as refused:
        return refused.refusal
    except Exception as error:  # noqa: BLE001 - whatever a parser does to a hostile mail, the mail is refused
        return Refusal(UNREADABLE, f"The mail cannot be read ({type(error).__name__})")


def _read(data: bytes) -> Intake:
    if len(data) > MOST_BYTES:
        raise RefusedError(TOO_LARGE, f"The mail is larger than {MOST_BYTES >> 20} MB")
    head, body = read_head(data, strict=True)
    if not head.fields:
        raise RefusedError(UNREADABLE, "There is no header, so this is no mail")
    refuse_automatic(head)
    address = sender(head)
    answered = message_ids(head.first("in-reply-to"))[:1]
    parents = dict.fromkeys((*answered, *reversed(message_ids(*head.all("references")))))
    return Intake(
        sender=address,
        lines=text_lines(head, body),
        message_id=next(iter(message_ids(head.first("message-id"))), ""),
        parents=tuple(parents),
        digest=sha256(data).hexdigest(),
        keys=plus_parts(head),
    )
