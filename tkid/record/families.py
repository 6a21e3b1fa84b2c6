"""The families that have records."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.kernel.game import AnyGame
from tkid.record.family import Recording
from tkid.record.struggle.recording import RECORDING as STRUGGLE
from tkid.record.tricks.recording import RECORDING as TRICKS

FAMILIES: Mapping[str, Recording] = {"struggle": STRUGGLE, "tricks": TRICKS}


def recording(game: AnyGame) -> Recording:
    """How a game is recorded."""
    return FAMILIES[game.family]
