"""A position in ASCII text, plain or in the colours of a terminal, whatever is played."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.game import AnyGame, AnyView, Event
from tkid.render.marks import PLAIN, Pen
from tkid.render.plugin import render_plugin


def position(game: AnyGame, view: AnyView, names: Sequence[str], last: Sequence[Event] = (), pen: Pen = PLAIN) -> str:
    """All that a seat may know of a position, in lines of at most 78 columns; `last` is told at the end."""
    return render_plugin(game).position(game, view, names, last, pen)
