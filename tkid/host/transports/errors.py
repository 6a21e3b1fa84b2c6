"""What transports raise: something that cannot be done now, and a letter that will never be taken."""

from __future__ import annotations

import ssl

LONGEST_SHOWN = 200


class TransportError(OSError):
    """A transport cannot do its work now: what was tried, where, and why it failed. Trying again later may help."""


class RefusedForGoodError(TransportError):
    """The mail system will not take a letter, however often it is tried: the mailbox does not exist, for example."""


class NoRoomError(OSError):
    """A mail cannot be kept now for want of room. Whoever brings it keeps it, and tries again later."""


def error_text(error: Exception) -> str:
    """An error of any protocol in words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate cannot be verified: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return "the server does not answer"
    return (error.strerror if isinstance(error, OSError) else None) or shown(str(error)) or type(error).__name__


def shown(answer: bytes | str) -> str:
    """A server's answer, as far as it can be shown: one line, not too long."""
    text = answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer
    return "".join(c if c.isprintable() else " " for c in text)[:LONGEST_SHOWN].strip()
