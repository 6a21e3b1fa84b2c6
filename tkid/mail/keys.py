"""Keys: what a mail of a host carries so that only its reader can answer it, and only for that seat, turn and offer."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac

LENGTH = 12
"""Characters of a key: 60 bits, far more than anybody could try by mail."""


def key_for(secret: bytes, game: str, seat: int, turn: int, after: str, offer: str = "") -> str:  # noqa: PLR0917 - what a key is for
    """The key for a seat of a game at a turn, after the hash of what came before; lower-case letters and 2 to 7.

    A letter that offers something has a key of its own: `offer` is the offer's id, "" where there is none.
    """
    named = "\n".join(("tkid key 1", game, str(seat), str(turn), after, *([offer] if offer else []))).encode()
    return b32encode(hmac(secret, named, sha256).digest()).decode()[:LENGTH].lower()


def offer_of(  # noqa: PLR0917 - what a key is for
    key: str, secret: bytes, game: str, seat: int, turn: int, after: str, offers: Iterable[str]
) -> str | None:
    """Which offer a key was made for, out of the ids of some: "" for a letter without one, None for none of these."""
    made = (offer for offer in ("", *offers) if compare_digest(key_for(secret, game, seat, turn, after, offer), key))
    return next(made, None)
