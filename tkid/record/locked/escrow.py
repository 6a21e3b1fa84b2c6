"""A seed that is sealed to a friend's key: as a text that anybody may see, and only the friend can open."""

from __future__ import annotations

from textwrap import wrap

from tkid.record.locked import group
from tkid.record.locked.group import SIZE, InvalidError
from tkid.record.locked.schedule import digest

FIRST = "Tkid-Escrow: 1"
PLAYER, KEY, CHECK = "Player", "For", "Check"
CHECKED = 4
"""Bytes of the check in a key."""
WIDTH = 64
AROUND = "> \t"
"""What mail programs put around lines."""


def public_key(secret: bytes) -> str:
    """The public key of a friend's secret, as a word to hand out. It has a check, so that a cut one is refused."""
    public, _ = group.box_keys(secret)
    return _word(public)


def sealed(text: str, player: str, key: str) -> str:
    """A text of a player, sealed to a public key. Raises InvalidError if the key is none."""
    box = group.written(group.boxed(text.encode(), _public(key)))
    lines = f"{PLAYER}: {player}", f"{KEY}: {key}", *wrap(box, WIDTH), f"{CHECK}: {_check(player, key, box)}"
    return "".join(f"{line}\n" for line in (FIRST, *lines))


def unsealed(letter: str, secret: bytes) -> str:
    """The text that is sealed in a letter. Raises InvalidError, with the reason, if it cannot be opened."""
    lines = [line.strip(AROUND) for line in letter.splitlines()]
    if FIRST not in lines:
        raise InvalidError(f"has no sealed seed: no line `{FIRST}`")
    fields, box = dict[str, str](), ""
    for line in lines[lines.index(FIRST) + 1 :]:
        label, is_field, value = line.partition(": ")
        if is_field:
            fields[label] = value
        else:
            box += line
        if label == CHECK:
            break
    player, key = fields.get(PLAYER, ""), fields.get(KEY, "")
    if fields.get(CHECK) != _check(player, key, box):
        raise InvalidError("does not have the whole sealed text, or it was changed")
    if key != public_key(secret):
        raise InvalidError("is sealed to another key")
    try:
        return group.unboxed(group.read(box, len(box) * 3 // 4), secret).decode()
    except UnicodeDecodeError:
        raise InvalidError("has no text in it") from None


def _word(public: bytes) -> str:
    return group.written(public + digest("escrow key", public)[:CHECKED])


def _public(key: str) -> bytes:
    """The public key that a word is. Raises InvalidError."""
    public = group.read(key, SIZE + CHECKED)[:SIZE]
    if _word(public) != key:
        raise InvalidError("is not a whole key")
    return public


def _check(*parts: str) -> str:
    return digest("escrow", *parts).hex()[:6]
