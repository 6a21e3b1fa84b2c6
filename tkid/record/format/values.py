"""What a program thinks of a position: the inline comment `{value: Ann 62 %}` after a turn, read and written.

It tells the chance to win after the turn. With two parties one chance is enough; with more each is named, a team by the name of its
first seat. What is certain is written as `value: Ann wins, proven` or `value: drawn, proven`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from tkid.kernel.game import Parties
from tkid.notation.text import composed, folded

MARK = "value:"
DRAWN = "drawn, proven"
TWO, CERTAIN = 2, 100


@frozen
class Value:
    """The share of the win that each party may expect, in the order of the game's parties; and whether that is certain."""

    shares: tuple[float, ...]
    proven: bool = False


def is_value(note: str) -> bool:
    """Whether an inline comment is one about a value."""
    return note.casefold().startswith(MARK)


def write_value(value: Value, names: Sequence[str], parties: Parties) -> str:
    """A value as an inline comment, without its braces; an estimate is never quite certain."""
    leaders = [names[party[0]] for party in parties]
    if value.proven and max(value.shares) == 1:
        return f"{MARK} {leaders[value.shares.index(1)]} wins, proven"
    if value.proven and len(set(value.shares)) == 1:
        return f"{MARK} {DRAWN}"
    percents = [min(CERTAIN - 1, max(1, round(share * CERTAIN))) for share in value.shares]
    told = [f"{name} {percent} %" for name, percent in zip(leaders, percents, strict=True)]
    return f"{MARK} {', '.join(told[:1] if len(parties) == TWO else told)}"


def read_value(note: str, names: Sequence[str], parties: Parties) -> Value | None:
    """The value that an inline comment states; None for any other comment, and for one that cannot be read."""
    if not is_value(note):
        return None
    text, everybody = " ".join(composed(note[len(MARK) :]).split()), range(len(parties))
    if text.casefold() == DRAWN:
        return Value((1 / len(parties),) * len(parties), proven=True)
    of = {folded(names[seat]): party for party in everybody for seat in parties[party]}
    one = "|".join(re.escape(name) for name in sorted(map(composed, names), key=len, reverse=True))
    if won := re.fullmatch(rf"({one}) wins, proven", text, re.IGNORECASE):
        return Value(tuple([float(party == of[folded(won[1])]) for party in everybody]), proven=True)
    share = rf"({one}) ([0-9]{{1,3}}(?:\.[0-9]+)?) ?%"
    if not re.fullmatch(rf"{share}(?:, {share})*", text, re.IGNORECASE):
        return None
    told = {of[folded(name)]: float(percent) / CERTAIN for name, percent in re.findall(share, text, re.IGNORECASE)}
    if len(parties) == TWO and len(told) == 1:
        ((party, first),) = told.items()
        told[1 - party] = 1 - first
    if len(told) < len(parties) or not all(0 <= each <= 1 for each in told.values()):
        return None
    return Value(tuple([told[party] for party in everybody]))
