"""A position on a page: drawn, and in words for those who do not see the drawing."""

from __future__ import annotations

from html import escape

from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.games.struggle.views import View
from tkid.render.struggle import text
from tkid.render.struggle.spoken import spoken

NAMES = ("Ann", "Bob", "Cleo", "Dan")
"""The players of examples, in turn order."""


def drawn(game: Struggle, position: Position) -> str:
    """A position as a picture with its description, as a block of HTML: everything is shown, hands too."""
    view, names = View(None, position), NAMES[: len(position.courts)]
    picture = escape(text.position(game, view, names).rstrip("\n"))
    label = escape(spoken(game, view, names), quote=True)
    return f'<pre class="board" role="img" tabindex="0" aria-label="{label}">{picture}</pre>'
