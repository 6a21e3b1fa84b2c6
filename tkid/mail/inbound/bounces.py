"""Letters that came back: which letters of ours a report of failed delivery names, and what it says. Pure.

A report counts only if it names a letter by its Message-ID and holds that letter's key, which nobody knows but who got the
letter or carried it. So nobody can make another player look as if out of reach.
"""

from __future__ import annotations

import re
from itertools import islice

from attrs import frozen

from tkid.mail.inbound.envelope import MOST_BYTES, read_head
from tkid.mail.model import RefusedError
from tkid.rulebook import cites

OURS = re.compile(rb"<tkid\.[a-z]+\.[0-9]{1,9}\.[0-9a-f]{6}\.[0-9a-f]{16}@[A-Za-z0-9.-]{1,253}>")
KEY = re.compile(rb"\+([a-z2-7]{12})@|, key ([a-z2-7]{12})\b")
MOST_NAMED = 5
SENDERS = re.compile(r"(?:mailer-daemon|postmaster)@", re.IGNORECASE)
FAILED = re.compile(rb"^action:[ \t]*(failed|delayed|delivered|relayed|expanded)", re.IGNORECASE | re.MULTILINE)
REASON = re.compile(rb"^diagnostic-code:[ \t]*(?:smtp;)?[ \t]*([!-~ ]{1,200})", re.IGNORECASE | re.MULTILINE)


@frozen
class Report:
    """What a report says: the Message-IDs of letters of ours that came back, and why, in the words of a mail server.

    `keys` is what may be a key in the letters that the report encloses.
    """

    letters: tuple[str, ...]
    keys: tuple[str, ...]
    reason: str


@cites("mail.bounce")
def report(mail: bytes) -> Report | None:
    """What a mail reports of letters of ours that could not be delivered; None for any other mail."""
    mail = mail[:MOST_BYTES]
    try:
        head, body = read_head(mail, strict=True)
    except RefusedError:
        return None
    kind = head.first("content-type").lower()
    says = "multipart/report" in kind and "delivery-status" in kind
    if not (says or head.first("x-failed-recipients") or any(map(SENDERS.search, head.all("from")))):
        return None
    actions = {found.lower() for found in FAILED.findall(body)}
    if actions and b"failed" not in actions:
        return None
    letters = _named(OURS, body)
    reason = REASON.search(body)
    told = reason[1].decode("ascii").strip() if reason else "no reason given"
    return Report(letters, _named(KEY, body), told) if letters else None


def _named(pattern: re.Pattern[bytes], body: bytes) -> tuple[str, ...]:
    """What fits a pattern, each once, the first ones."""
    found = (match[match.lastindex or 0] for match in islice(pattern.finditer(body), MOST_NAMED))
    return tuple(dict.fromkeys(each.decode("ascii") for each in found))
