"""Keys: what a mail of a host carries so that only its reader can answer it, and only for that seat, turn and offer."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac

from tkid.mail.marker import REFERS, unbroken
from tkid.mail.model import Line

LENGTH = 12
"""Characters of a key: 60 bits, far more than anybody could try by mail."""
IN_TEXT = re.compile(
    rf"\b[0-9a-f]{{6}}\b,?\s+(?:key\s+)?([a-z2-7]{{{LENGTH}}})\b|(?:\+|%2b)([a-z2-7]{{{LENGTH}}})\"?(?:@|%40)",
    re.IGNORECASE,
)
"""A key behind a hash, as our letters name it, or behind a plus in an address, also in one of a link."""
WORD = re.compile(rf"(?<!\S)[a-z2-7]{{{LENGTH}}}(?!\S)")
QUOTING = "> |]\t"
LOOK = 400
"""Characters of a line in which a key is looked for."""


def key_for(secret: bytes, game: str, seat: int, turn: int, after: str, offer: str = "") -> str:  # noqa: PLR0917 - what a key is for
    """The key for a seat of a game at a turn, after the hash of what came before; lower-case letters and 2 to 7.

    A letter that offers something has a key of its own: `offer` is the offer's id, "" where there is none.
    """
    named = "\n".join(("tkid key 1", game, str(seat), str(turn), after, *([offer] if offer else []))).encode()
    return b32encode(hmac(secret, named, sha256).digest()).decode()[:LENGTH].lower()


def club_key_for(secret: bytes, address: str, about: str, issued: str) -> str:
    """The key of a letter of the club to an address; `issued` tells letters about the same thing apart."""
    named = f"tkid club key 1\n{address.lower()}\n{about}\n{issued}".encode("utf-8", "replace")
    return b32encode(hmac(secret, named, sha256).digest()).decode()[:LENGTH].lower()


def offer_of(  # noqa: PLR0917 - what a key is for
    key: str, secret: bytes, game: str, seat: int, turn: int, after: str, offers: Iterable[str]
) -> str | None:
    """Which offer a key was made for, out of the ids of some: "" for a letter without one, None for none of these."""
    made = (offer for offer in ("", *offers) if compare_digest(key_for(secret, game, seat, turn, after, offer), key))
    return next(made, None)


def keys_in(lines: Sequence[Line]) -> Iterator[str]:
    """What may be keys in the lines of a mail, also where a mail program has broken or quoted the line with one.

    First those behind a hash or a plus, then those in references that name no hash, as letters of a club have them.
    """
    text = " ".join(line.text[:LOOK].strip().lstrip(QUOTING) for line in lines)
    for match in IN_TEXT.finditer(text):
        yield (match[1] or match[2]).lower()
    for index, line in enumerate(lines):
        if REFERS.match(line.text[:LOOK]):
            yield from WORD.findall(unbroken(lines, index))
