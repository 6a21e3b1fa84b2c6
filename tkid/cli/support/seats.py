"""The seats of a table by what people type: a name or a number."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.cli.support import fail


def seat_of(names: Sequence[str], wanted: str, hint: str = "") -> int:
    """The seat of a player's name or number; where nobody has it, the end of the command, with a hint or with the names."""
    seats = [seat for seat, name in enumerate(names) if wanted.casefold() in {name.casefold(), str(seat + 1)}]
    if not seats:
        players = f"The players are {', '.join(names)}."
        fail(f"There is no player {wanted}. {hint or players}")
    return seats[0]
