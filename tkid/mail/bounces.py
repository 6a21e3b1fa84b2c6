"""Bounce addresses, and reports that a letter came back.

A report counts if it came to the address that bounces of one letter go to, or if it names a letter by its Message-ID and
holds that letter's key. Nobody knows either but who got the letter or carried it. So nobody can make another player look as
if out of reach.
"""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from itertools import islice

from attrs import frozen

from tkid.mail.envelope import MOST_TEXT, RECIPIENTS, read_mail
from tkid.mail.model import RefusedError
from tkid.rulebook import cites

LENGTH = 12
"""Characters of the proof: 60 bits, as in a key."""
LONGEST_LOCAL = 64
MOST_FOUND = 5
OUR_ID = re.compile(r"<tkid\.([a-z0-9.]{1,60})@([A-Za-z0-9.-]{1,253})>")
BOUNCES = re.compile(rf"\+b-([a-z0-9.]{{1,60}})-([a-z2-7]{{{LENGTH}}})@([A-Za-z0-9.-]{{1,253}})", re.IGNORECASE)


@frozen
class BounceAddress:
    """A bounce address: the Message-ID of a letter, and the proof that the address is ours."""

    letter: str
    proof: str

    def is_ours(self, secret: bytes) -> bool:
        """Return True if this host has made it."""
        return compare_digest(self.proof, _prove(secret, self.letter))


@cites("mail.bounce-address")
def make_bounce_address(secret: bytes, sender: str, message_id: str) -> str:
    """Return the address for bounces of a letter: the host's with the Message-ID and a proof behind a plus.

    Return the host's own address, `sender`, if that would be too long, or if the Message-ID isn't ours.
    """
    named = OUR_ID.fullmatch(message_id)
    local, _, domain = sender.rpartition("@")
    if not named or named[2] != domain:
        return sender
    local = f"{local}+b-{named[1]}-{_prove(secret, message_id)}"
    return f"{local}@{domain}" if len(local) <= LONGEST_LOCAL else sender


def list_bounce_addresses(recipients: Iterable[str]) -> tuple[BounceAddress, ...]:
    """Return possible bounce addresses in the headers that say to whom a mail went, each once, the first ones."""
    found = (match for value in recipients for match in BOUNCES.finditer(value))
    each = (BounceAddress(f"<tkid.{match[1].lower()}@{match[3]}>", match[2].lower()) for match in found)
    return tuple(dict.fromkeys(each))[:MOST_FOUND]


def _prove(secret: bytes, message_id: str) -> str:
    named = f"tkid bounce 1\n{message_id.lower()}".encode()
    return b32encode(hmac(secret, named, sha256).digest()).decode()[:LENGTH].lower()


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
"""Words of mail systems, in no standard form, for a letter that they still try to deliver."""
MOST_WORDS = 2000
"""Bytes at the beginning of a report's text in which that is looked for: behind them may be the letter."""
REASON = re.compile(rb"^diagnostic-code:[ \t]*(?:smtp;)?[ \t]*([!-~ ]{1,200})", re.IGNORECASE | re.MULTILINE)


@frozen
class Report:
    """A report: the Message-IDs of letters of ours that came back, and the reason in the words of a mail server."""

    letters: tuple[str, ...]
    keys: tuple[str, ...]
    reason: str
    addresses: tuple[BounceAddress, ...] = ()


@cites("mail.bounce")
def read_report(data: bytes) -> Report | None:
    """Return the report of a mail about letters of ours that could not be delivered; None for any other mail."""
    try:
        part = read_mail(data[:MOST_TEXT])
    except RefusedError:
        return None
    head, body = part.head, part.body
    kind = head.get_first("content-type").lower()
    is_report = "multipart/report" in kind and "delivery-status" in kind
    if not (is_report or head.get_first("x-failed-recipients") or any(map(SENDERS.search, head.list_values("from")))):
        return None
    actions = {action.lower() for action in FAILED.findall(body)}
    if actions and b"failed" not in actions:
        return None
    words = head.get_first("subject").encode("latin-1") + b"\n" + body[:MOST_WORDS]
    if not actions and not head.get_first("x-failed-recipients") and DELAYED.search(words):
        return None
    letters, diagnosis = _find_named(OURS, body), REASON.search(body)
    reason = diagnosis[1].decode("ascii").strip() if diagnosis else "no reason given"
    addresses = list_bounce_addresses(value for name in RECIPIENTS for value in head.list_values(name))
    return Report(letters, _find_named(KEY, body), reason, addresses) if letters or addresses else None


def _find_named(pattern: re.Pattern[bytes], body: bytes) -> tuple[str, ...]:
    matches = islice(pattern.finditer(body), MOST_NAMED)
    return tuple(dict.fromkeys(match[match.lastindex or 0].decode("ascii") for match in matches))
