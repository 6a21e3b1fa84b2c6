"""Crosses as text."""

from __future__ import annotations

from collections.abc import Sequence

from tests.games.crosses.rules import Crosses
from tkid.kernel.game import AnyView
from tkid.render.plugin import RenderPlugin


# --8<-- [start:render]
class CrossesRender(RenderPlugin):
    """The board in letters; pictures, replays and clicks follow."""

    def format_board(self, game: Crosses, view: AnyView, names: Sequence[str]) -> list[str]:
        board = view.shown.board
        return ["   a b c", *(f"{row + 1}  {' '.join(board[3 * row : 3 * row + 3])}" for row in range(3))]


PLUGIN = CrossesRender()
# --8<-- [end:render]
