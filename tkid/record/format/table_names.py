"""Names that cannot sit at one table when a game begins. Records that exist are read whatever their players are called."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind, Problem
from tkid.notation.lookalikes import letters, look_alike
from tkid.notation.people import ANY_WORDS, EVERY_WORDS, single
from tkid.notation.vocabulary import listed
from tkid.orders.kinds import FIRST_WORDS
from tkid.orders.plugin import order_language
from tkid.record.format.model import Record, Seat
from tkid.record.format.names import OTHERWISE
from tkid.rulebook import cites

ANSWERS = frozenset(
    {"yes", "y", "no", "n", "ok", "okay", "ja", "nein", "oui", "non", "pass", "stop", "nobody", "me", "i"}
)
"""What people answer or order with a single word, besides the first words of orders."""


def new_table_faults(game: AnyGame, names: Sequence[str]) -> list[str]:
    """Why these players cannot begin a game: sentences with the rule and the way out."""
    return [fault for seat, name in enumerate(names) for fault in newcomer_faults(game, name, names[:seat])]


@cites("record.seat.word", "record.seat.unique", "record.seat.alike")
def newcomer_faults(game: AnyGame, name: str, others: Sequence[str]) -> Iterator[str]:
    """Why somebody cannot sit down under a name, beside others: sentences with the rule and the way out."""
    if letters(name) in {*ANSWERS, *ANY_WORDS, *EVERY_WORDS, *FIRST_WORDS, *order_language(game).topics}:
        reason = "in a mail, this word would be read as an order or an answer"
        yield f"`{name}` cannot be a player's name: {reason} [record.seat.word]. {OTHERWISE}"
    for other in others:
        if single(name) == single(other):
            yield f"Another player is called {other} [record.seat.unique]. {OTHERWISE}"
        elif reason := _alike(other, name):
            yield f"{reason} [record.seat.alike]. {OTHERWISE}"


@cites("record.seat.alike")
def alike_notes(record: Record) -> tuple[Problem, ...]:
    """Return what to say about players of an existing record whose names look alike: it is no fault of the record."""
    lines = [header.line for header in record.headers if header.name == "Seat"]
    pairs = ((seat, other) for seat in range(len(record.names)) for other in range(seat))
    found = ((seat, _alike(record.names[other], record.names[seat])) for seat, other in pairs)
    return tuple(
        Problem(Kind.FOLLOW_ON, "record.seat.alike", reason, lines[seat] if seat < len(lines) else 0, hint=OTHERWISE)
        for seat, reason in found
        if reason
    )


def _alike(one: str, other: str) -> str:
    """Say that two names look alike, in a clause; "" where they do not."""
    if not look_alike(one, other):
        return ""
    return f"`{one}` and `{other}` look alike: nobody could tell them apart{_difference(one, other)}"


@cites("mail.one-address")
def shared_address(seats: Sequence[Seat]) -> str:
    """Who has one address, in a clause; "" where everybody has another."""
    names: dict[str, list[str]] = {}
    for seat in seats:
        names.setdefault(seat.address.casefold(), []).append(seat.name)
    shared = {address: who for address, who in names.items() if address and len(who) > 1}
    return "; ".join(f"{listed(who, 'and')} have the same address, {address}" for address, who in shared.items())


def _difference(one: str, other: str) -> str:
    """What distinguishes two names that look alike, in a clause: the first character outside ASCII where they differ."""
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    odd = next((c for pair in pairs for c in pair if not c.isascii()), "")
    return f" (one has a {unicodedata.name(odd, 'strange character').lower()})" if odd else ""
