"""The seats of a table by what people type: a name or a number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.cli.support import as_typed, fail
from tkid.notation.text import folded

BARE = r"[(\[]?([^\s<>@()\[\]]+@[^\s<>@()\[\]]+\.[^\s<>@()\[\]]+)[)\]]?"
"""An address, wherever it stands, with other brackets or with none; compiled when a game begins."""


def check_players(players: Sequence[str]) -> None:
    """Stop where a player of a new game has an address without its brackets: it would be a part of the name."""
    for typed in players:
        if "<" not in typed and (found := re.search(BARE, typed)):
            name = " ".join((typed[: found.start()] + typed[found.end() :]).split()) or "NAME"
            way = as_typed(f"{name} <{found[1]}>")
            fail(f"`{typed}` has an address without its brackets. Write {way}. Nothing was written.")


def seat_of(names: Sequence[str], wanted: str, hint: str = "") -> int:
    """The seat of a player's name or number; where nobody has it, the end of the command, with a hint or with the names."""
    seats = [seat for seat, name in enumerate(names) if folded(wanted) in {folded(name), str(seat + 1)}]
    if not seats:
        from tkid.notation.vocabulary import listed

        players = f"The players are {listed(names, 'and')}."
        fail(f"There is no player {wanted}. {hint or players}")
    return seats[0]
