"""A bell: whoever waits in one thread for news is woken from another, or by a signal."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress


class Wakeup:
    """Rung by whoever has news. Rung several times before anybody waits, it counts once."""

    def __init__(self) -> None:
        self._rung, self._clapper = socket.socketpair()
        self._rung.settimeout(0)
        self._clapper.settimeout(0)

    def ring(self) -> None:
        """Wake whoever waits, now or next. May be called in any thread and in a signal's handler."""
        with suppress(OSError):  # it rings already, or nobody is there any more
            self._clapper.send(b"!")

    def wait(self, seconds: float) -> bool:
        """Wait until the bell rings or the time is over; whether it rang."""
        return wait_for(seconds, self)

    def fileno(self) -> int:
        """Where the system sees that it rings."""
        return self._rung.fileno()

    def hush(self) -> None:
        """Forget that it rang."""
        with suppress(BlockingIOError):
            while self._rung.recv(4096):
                pass

    def close(self) -> None:
        """Let go of the bell."""
        self._rung.close()
        self._clapper.close()


def wait_for(seconds: float, bell: Wakeup | None, *others: socket.socket) -> bool:
    """Wait until a bell rings or a socket has something to read, or the time is over; whether one of these happened."""
    with selectors.DefaultSelector() as selector:
        for number in (*(each.fileno() for each in others), *([bell.fileno()] if bell else [])):
            selector.register(number, selectors.EVENT_READ)
        heard = bool(selector.select(max(0.0, seconds)))
    if bell:
        bell.hush()
    return heard
