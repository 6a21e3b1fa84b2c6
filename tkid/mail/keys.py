"""Keys: what a mail of a host carries so that only its reader can answer it, and only for that seat and turn."""

from __future__ import annotations

from base64 import b32encode
from hashlib import sha256
from hmac import new as hmac

LENGTH = 12
"""Characters of a key: 60 bits, far more than anybody could try by mail."""


def key_for(secret: bytes, game: str, seat: int, turn: int, after: str) -> str:
    """The key for a seat of a game at a turn, after the hash of what came before; lower-case letters and 2 to 7."""
    named = "\n".join(("tkid key 1", game, str(seat), str(turn), after)).encode()
    return b32encode(hmac(secret, named, sha256).digest()).decode()[:LENGTH].lower()
