"""The address that bounces of one letter go to: it says which letter came back, and only this host can have made it."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac

from attrs import frozen

from tkid.rulebook import cites

LENGTH = 12
"""Characters of the proof: 60 bits, as in a key."""
LONGEST_LOCAL = 64
MOST_FOUND = 5
OUR_ID = re.compile(r"<tkid\.([a-z0-9.]{1,60})@([A-Za-z0-9.-]{1,253})>")
BOUNCES = re.compile(rf"\+b-([a-z0-9.]{{1,60}})-([a-z2-7]{{{LENGTH}}})@([A-Za-z0-9.-]{{1,253}})", re.IGNORECASE)


@frozen
class BounceAddress:
    """What a bounce address says: the Message-ID of a letter, and the proof that the address is ours."""

    letter: str
    proof: str

    def is_ours(self, secret: bytes) -> bool:
        """Whether this host has made it."""
        return compare_digest(self.proof, _proof(secret, self.letter))


@cites("mail.bounce-address")
def bounce_address(secret: bytes, sender: str, message_id: str) -> str:
    """Where bounces of a letter go: the host's address with the letter's Message-ID and a proof behind a plus.

    The host's own address, `sender`, where that would be too long, or where the Message-ID is none of ours.
    """
    named = OUR_ID.fullmatch(message_id)
    local, _, domain = sender.rpartition("@")
    if not named or named[2] != domain:
        return sender
    local = f"{local}+b-{named[1]}-{_proof(secret, message_id)}"
    return f"{local}@{domain}" if len(local) <= LONGEST_LOCAL else sender


def bounce_addresses(recipients: Iterable[str]) -> tuple[BounceAddress, ...]:
    """What looks like bounce addresses in the headers that say whom a mail went to, each once, the first ones."""
    found = (match for value in recipients for match in BOUNCES.finditer(value))
    each = (BounceAddress(f"<tkid.{match[1].lower()}@{match[3]}>", match[2].lower()) for match in found)
    return tuple(dict.fromkeys(each))[:MOST_FOUND]


def _proof(secret: bytes, message_id: str) -> str:
    named = f"tkid bounce 1\n{message_id.lower()}".encode()
    return b32encode(hmac(secret, named, sha256).digest()).decode()[:LENGTH].lower()
