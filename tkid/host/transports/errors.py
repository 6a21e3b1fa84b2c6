"""What carriers raise: something that cannot be done now, and a letter that will never be taken."""

from __future__ import annotations

import ssl

LONGEST_SHOWN = 200


class CarrierError(OSError):
    """A carrier cannot do its work now: what was tried, where, and what came of it. Trying again later may help."""


class RefusedForGoodError(CarrierError):
    """The mail system will not take a letter, however often it is tried: the mailbox does not exist, for example."""


def told(error: Exception) -> str:
    """An error of any protocol in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate cannot be verified: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return "the server does not answer"
    return (error.strerror if isinstance(error, OSError) else None) or shown(str(error)) or type(error).__name__


def shown(said: bytes | str) -> str:
    """What a server said, as far as it can be shown: one line, not too long."""
    text = said.decode("ascii", "replace") if isinstance(said, bytes) else said
    return "".join(c if c.isprintable() else " " for c in text)[:LONGEST_SHOWN].strip()
