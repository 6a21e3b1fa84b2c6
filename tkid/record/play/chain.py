"""The chain hash: each turn bound to everything before it.

The chain starts with SHA-256 of the canonical header and set-up (comments left out, every line ended by a
line feed, one empty line before `Setup`). Each turn's value is SHA-256 of the value before it followed by the
turn's canonical line, number and name included, without its hash and comments. A line shows the first 24 bits.
"""

from __future__ import annotations

from hashlib import sha256

SHOWN = 6


def first(start: str) -> bytes:
    """The value before the first turn."""
    return sha256(start.encode()).digest()


def link(before: bytes, line: str) -> bytes:
    """The value after a turn."""
    return sha256(before + line.encode()).digest()


def shown(value: bytes) -> str:
    """What a line shows of a value."""
    return value[:3].hex()
