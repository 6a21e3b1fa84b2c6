"""Damage to texts, from a seed: bytes flipped, pieces left out, doubled, exchanged, or put in from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

PIECES: Sequence[bytes] = (
    *(bytes([byte]) for byte in b"\0\t\n\r\x1b\x7f\x80\xff#;:,.-=<>*{}[]()\"'%?&/\\0123456789SWEX "),
    b"\r\n",
    b"\n\n",
    b"9" * 30,
    b"9" * 5000,
    b"-1",
    b"1e999",
    b"{" * 300,
    b"[" * 3000,
    b"> " * 50,
    b" " * 300,
    b"Setup\n",
    b"Turns\n",
    b"-- ",
    b"# ",
    b" #123456\n",
    b" {undone: all agreed}",
    b" {stands: agreed}",
    b" {at 2026-12-01T24:00Z}",
    b"# resigned: Ann 2026-12-01T09:00Z\n",
    b"\n99. Ann Pass\n",
    b"null",
    b"true",
    "\u00df\u0130\u2028\u202e\ufeff\u200b\u00b2\U0001f44d".encode(),
    b"\xed\xa0\x80",
    b"=?utf-8?q?=00?=",
    b"--x\n",
    b"<s>",
    b"data:text/plain;base64,AAAA",
)
LONGEST_PIECE = 200


def mutate(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """Damage a text in one to five places."""
    for _ in range(random.randint(1, 5)):
        data = _change(data, random, others)
    return data


def _change(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    begin, end = _place(data, random)
    kind = random.randrange(8)
    if kind == 0:
        return data[:begin] + bytes([random.randrange(256)]) + data[begin + 1 :]
    if kind == 1:
        return data[:begin] + random.choice(PIECES) + data[begin:]
    if kind == 2:
        return data[:begin] + data[end:]
    if kind == 3:
        return data[:end] + data[begin:end] * random.choice((1, 1, 2, 20)) + data[end:]
    if kind == 4:
        other = random.choice(others)
        first, last = _place(other, random)
        return data[:begin] + other[first:last] + data[end:]
    lines = data.split(b"\n")
    one, another = random.randrange(len(lines)), random.randrange(len(lines))
    if kind == 5:
        lines[one], lines[another] = lines[another], lines[one]
    elif kind == 6:
        lines.insert(one, lines[another])
    else:
        words, chosen = lines[one].split(b" "), lines[another].split(b" ")
        words[random.randrange(len(words))] = random.choice(chosen)
        lines[one] = b" ".join(words)
    return b"\n".join(lines)


def _place(data: bytes, random: Random) -> tuple[int, int]:
    begin = random.randint(0, len(data))
    return begin, min(len(data), begin + random.choice((1, 4, 20, LONGEST_PIECE)))
