"""A pipe as a transport: a mail delivery agent runs the program for each mail, with the mail on standard input."""

from __future__ import annotations

from typing import BinaryIO

from tkid.host.transports.protocols import Keep
from tkid.mail.inbound.envelope import MOST_BYTES
from tkid.rulebook import cites

KEPT, NO_MAIL, TRY_AGAIN = 0, 66, 75
"""Exit codes as mail delivery agents know them: done; there was no mail; keep it and try again later."""
CHUNK = 1 << 16


@cites("mail.kept")
def take_piped(source: BinaryIO, keep: Keep) -> int:
    """Keep the mail that comes through a pipe, as much of it as is needed to judge it; the exit code for its sender.

    Where it cannot be kept the mail is not lost: the exit code asks for another try.
    """
    try:
        raw = source.read(MOST_BYTES + 1)
        while source.read(CHUNK):
            pass  # whoever writes would break off otherwise, and call that a failure
    except OSError:
        return TRY_AGAIN
    if not raw:
        return NO_MAIL
    try:
        keep(raw)
    except Exception:  # noqa: BLE001 - a database has errors of many kinds; none of them may lose the mail
        return TRY_AGAIN
    return KEPT
