"""The families that have a notation."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.kernel.game import AnyGame
from tkid.notation.family import Notation
from tkid.notation.struggle.notation import NOTATION as STRUGGLE
from tkid.notation.tricks.notation import NOTATION as TRICKS

FAMILIES: Mapping[str, Notation] = {
    "struggle": STRUGGLE,
    "tricks": TRICKS,
}


def notation(game: AnyGame) -> Notation:
    """How a game is written."""
    return FAMILIES[game.family]
