"""Letters that came back: which letters of ours a report of failed delivery names, and what it says. Pure.

A report counts if it came to the address that bounces of one letter go to, or if it names a letter by its Message-ID and
holds that letter's key. Nobody knows either but who got the letter or carried it. So nobody can make another player look as
if out of reach.
"""

from __future__ import annotations

import re
from itertools import islice

from attrs import frozen

from tkid.mail.bounce_address import BounceAddress, bounce_addresses
from tkid.mail.inbound.envelope import MOST_TEXT, RECIPIENTS, read_mail
from tkid.mail.model import RefusedError
from tkid.rulebook import cites

OURS = re.compile(rb"<tkid\.[a-z]+\.[0-9]{1,9}\.[0-9a-f]{6}\.[0-9a-f]{16}@[A-Za-z0-9.-]{1,253}>")
KEY = re.compile(rb"\+([a-z2-7]{12})@|, key ([a-z2-7]{12})\b")
MOST_NAMED = 5
SENDERS = re.compile(r"(?:mailer-daemon|postmaster)@", re.IGNORECASE)
FAILED = re.compile(rb"^action:[ \t]*(failed|delayed|delivered|relayed|expanded)", re.IGNORECASE | re.MULTILINE)
DELAYED = re.compile(
    rb"still being retried|will be retried|will (?:keep|continue) (?:trying|to try)|warning message only|do not need to resend"
    rb"|not yet been delivered|delivery (?:has been |is |was )?delayed|delayed for|delayed \d+ hours|delay(?:ed)? notification"
    rb"|status notification \(delay\)|could not send message for past|no action is required on your part",
    re.IGNORECASE,
)
"""What mail systems write, in no standard form, of a letter that they go on trying to deliver."""
MOST_WORDS = 2000
"""Bytes at the beginning of a report's text in which that is looked for: behind them may be the letter."""
REASON = re.compile(rb"^diagnostic-code:[ \t]*(?:smtp;)?[ \t]*([!-~ ]{1,200})", re.IGNORECASE | re.MULTILINE)


@frozen
class Report:
    """What a report says: the Message-IDs of letters of ours that came back, and why, in the words of a mail server.

    `keys` is what may be a key in the letters that the report encloses, `addresses` the bounce addresses it came to.
    """

    letters: tuple[str, ...]
    keys: tuple[str, ...]
    reason: str
    addresses: tuple[BounceAddress, ...] = ()


@cites("mail.bounce")
def report(mail: bytes) -> Report | None:
    """What a mail reports of letters of ours that could not be delivered; None for any other mail."""
    try:
        part = read_mail(mail[:MOST_TEXT])
    except RefusedError:
        return None
    head, body = part.head, part.body
    kind = head.first("content-type").lower()
    is_report = "multipart/report" in kind and "delivery-status" in kind
    if not (is_report or head.first("x-failed-recipients") or any(map(SENDERS.search, head.all("from")))):
        return None
    actions = {action.lower() for action in FAILED.findall(body)}
    if actions and b"failed" not in actions:
        return None
    words = head.first("subject").encode("latin-1") + b"\n" + body[:MOST_WORDS]
    if not actions and not head.first("x-failed-recipients") and DELAYED.search(words):
        return None
    letters, diagnosis = _named(OURS, body), REASON.search(body)
    reason = diagnosis[1].decode("ascii").strip() if diagnosis else "no reason given"
    addresses = bounce_addresses(value for name in RECIPIENTS for value in head.all(name))
    return Report(letters, _named(KEY, body), reason, addresses) if letters or addresses else None


def _named(pattern: re.Pattern[bytes], body: bytes) -> tuple[str, ...]:
    """What fits a pattern, each once, the first ones."""
    matches = islice(pattern.finditer(body), MOST_NAMED)
    return tuple(dict.fromkeys(match[match.lastindex or 0].decode("ascii") for match in matches))
