"""Why a game was decided as it was, whatever is played."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.game import AnyGame, Position
from tkid.render.plugin import render_plugin


def decided(game: AnyGame, position: Position, names: Sequence[str]) -> list[str]:
    """The chain of comparisons of a game that is over, sentence by sentence; [] while it goes on."""
    return [f"{text} [{rule}]" if rule else text for text, rule in render_plugin(game).decided(game, position, names)]
