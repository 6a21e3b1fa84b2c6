"""The seats of a table by what people type: a name or a number."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.cli.support import fail


def seat_of(names: Sequence[str], wanted: str) -> int:
    """The seat of a player's name or number."""
    seats = [seat for seat, name in enumerate(names) if wanted.casefold() in {name.casefold(), str(seat + 1)}]
    if not seats:
        fail(f"There is no player {wanted}. The players are {', '.join(names)}.")
    return seats[0]
