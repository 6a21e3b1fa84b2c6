"""The families that have a notation."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.kernel.game import AnyGame
from tkid.notation.family import Notation
from tkid.notation.struggle.notation import NOTATION as STRUGGLE

FAMILIES: Mapping[str, Notation] = {"struggle": STRUGGLE}


def notation(game: AnyGame) -> Notation:
    """How a game is written."""
    return FAMILIES[game.family]
