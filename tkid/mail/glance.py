"""A first look at a mail, of its beginning only: whom it seems to be from, and what may be keys. Pure, and cheap."""

from __future__ import annotations

from itertools import islice

from attrs import frozen

from tkid.mail.inbound.envelope import Part, plus_parts, read_part, sender
from tkid.mail.keys import keys_in
from tkid.mail.model import Line, RefusedError

MOST_HEADER = 32 << 10
"""Bytes of a header that are looked at."""
MOST_BODY = 8 << 10
"""Bytes behind the header that are looked at."""
MOST_KEYS = 20


@frozen
class Glance:
    """What the beginning of a mail says: the address in its From line ("" where none is clear), and what may be keys."""

    sender: str
    keys: tuple[str, ...]


def glance(data: bytes) -> Glance:
    """Look at a mail, whatever it holds; nothing is decoded. A key that stands further down is not seen."""
    head = _headed(data)
    text = data[head.begin : head.begin + MOST_BODY].decode("latin-1").replace("\r\n", "\n").replace("=\n", "")
    lines = [Line(line) for line in text.split("\n")]
    try:
        address = sender(head.head)
    except RefusedError:
        address = ""
    keys = dict.fromkeys((*plus_parts(head.head), *islice(keys_in(lines), MOST_KEYS)))
    return Glance(address, tuple(islice(keys, MOST_KEYS)))


def beginning(data: bytes) -> bytes:
    """The beginning of a mail: its header, and as much of what follows as is looked at."""
    return data[: _headed(data).begin + MOST_BODY]


def _headed(data: bytes) -> Part:
    return read_part(data[:MOST_HEADER], 0, min(len(data), MOST_HEADER), is_part=False)
