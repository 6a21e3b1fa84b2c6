"""Names of players: which may stand in a record, and what to say where nobody has a name that was typed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import composed, folded
from tkid.notation.vocabulary import Vocabulary, listed
from tkid.record.format.model import Record
from tkid.rulebook import cites

LONGEST_NAME = 32
FORBIDDEN = "<>:;{}#"
"""What may not stand in a name."""
NAMES_REMEMBERED = 1 << 10
OTHERWISE = "Add something to the name, or choose another."


def player_hint(typed: str, names: Sequence[str]) -> str:
    """The way out where none of the players has a name that was typed."""
    found = Vocabulary(dict.fromkeys(names), {}).find(typed)
    hint = f"Did you mean {found}?" if isinstance(found, str) else found.hint()
    return hint or f"The players are {listed(names, 'and')}."


def name_faults(name: str, others: Sequence[str], words: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a player's name: rule, message and hint; `words` are those that a turn begins with."""
    hint = f"A name has 1 to {LONGEST_NAME} characters, and none of `{' '.join(FORBIDDEN)}`."
    strange = [character for character in dict.fromkeys(name) if character in FORBIDDEN or not character.isprintable()]
    if not name:
        yield "record.seat.name", "The name is missing", hint
    elif strange:
        message = f"`{name}` cannot be a name: {listed(map(_visible, strange), 'and')} may not be in it"
        address = " Write an address after the name: `Ann <ann@example.org>`." if {"<", ">"} & {*strange} else ""
        yield "record.seat.name", message, hint + address
    elif len(name) > LONGEST_NAME:
        yield "record.seat.name", f"This name has {len(name)} characters", hint
    same = next((other for other in others if folded(other) == folded(name)), None)
    if name and same is not None:
        differ = "capitals" if composed(same) != composed(name) else "how their accents are written"
        message = f"Two seats are called {name}" if same == name else f"{name} and {same} differ only in {differ}"
        yield "record.seat.unique", message, "Every player needs a name of their own."
    if name.isdecimal():
        yield "record.seat.like-card", f"`{name}` is a number, and would be read as a seat number", OTHERWISE
    elif meaning := _word_begun(name, words):
        yield "record.seat.like-card", f"`{name}` would be read as the start of {meaning}", OTHERWISE
    for other in others:
        short, long = sorted((other, name), key=len)
        rest = composed(long)[len(composed(short)) :] if folded(long).startswith(f"{folded(short)} ") else ""
        if meaning := _word_begun(rest.strip(), words):
            message = f"`{long}` would be read as {short} with the start of {meaning}"
            yield "record.seat.like-card", message, OTHERWISE


@cites("record.seat.alike")
def alike_notes(record: Record) -> tuple[Problem, ...]:
    """Return what to say about players of an existing record whose names look alike: it is no fault of the record."""
    lines = [header.line for header in record.headers if header.name == "Seat"]
    pairs = ((seat, other) for seat in range(len(record.names)) for other in range(seat))
    found = ((seat, say_alike(record.names[other], record.names[seat])) for seat, other in pairs)
    return tuple(
        Problem(Kind.FOLLOW_ON, "record.seat.alike", reason, lines[seat] if seat < len(lines) else 0, hint=OTHERWISE)
        for seat, reason in found
        if reason
    )


def say_alike(one: str, other: str) -> str:
    """Say that two names look alike, in a clause; "" where they do not."""
    from tkid.notation.lookalikes import look_alike  # noqa: PLC0415 - needed where names are compared, not where they are read

    if not look_alike(one, other):
        return ""
    return f"`{one}` and `{other}` look alike: nobody could tell them apart{_difference(one, other)}"


@lru_cache(NAMES_REMEMBERED)
def _word_begun(text: str, words: tuple[str, ...]) -> str:
    """The card, or whatever else a turn may begin with, that a text is a start of."""
    return next((word for word in words if text and word.casefold().startswith(text.casefold())), "")


def _visible(character: str) -> str:
    return f"`{character}`" if character.isprintable() else f"character {ord(character):#x}"


def _difference(one: str, other: str) -> str:
    """What distinguishes two names that look alike, in a clause: the first character outside ASCII where they differ."""
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    odd = next((c for pair in pairs for c in pair if not c.isascii()), "")
    return f" (one has a {unicodedata.name(odd, 'strange character').lower()})" if odd else ""
