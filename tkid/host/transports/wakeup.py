"""Wakes whoever waits in one thread for news from another, or from a signal."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress


class Wakeup:
    """Woken by whoever has news. Woken several times before anybody waits, it counts once."""

    def __init__(self) -> None:
        self._receiver, self._sender = socket.socketpair()
        self._receiver.settimeout(0)
        self._sender.settimeout(0)

    def wake(self) -> None:
        """Wake whoever waits, now or next. May be called in any thread and in a signal's handler."""
        with suppress(OSError):  # it was woken already, or nobody is there any more
            self._sender.send(b"!")

    def wait(self, seconds: float) -> bool:
        """Wait until it is woken or the time is over; whether it was woken."""
        return wait_for(seconds, self)

    def fileno(self) -> int:
        """Where the system sees that it was woken."""
        return self._receiver.fileno()

    def clear(self) -> None:
        """Forget that it was woken."""
        with suppress(BlockingIOError):
            while self._receiver.recv(4096):
                pass

    def close(self) -> None:
        """Let go of it."""
        self._receiver.close()
        self._sender.close()


def wait_for(seconds: float, wakeup: Wakeup | None, *sockets: socket.socket) -> bool:
    """Wait until woken, until a socket has something to read, or the time is over; whether one of the first two."""
    with selectors.DefaultSelector() as selector:
        for each in (*sockets, wakeup):
            if each is not None:
                selector.register(each.fileno(), selectors.EVENT_READ)
        ready = bool(selector.select(max(0.0, seconds)))
    if wakeup:
        wakeup.clear()
    return ready
