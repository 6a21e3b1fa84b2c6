"""What The King is Dead gives to rendering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tkid.games.struggle.render.text.beside import beside
from tkid.games.struggle.render.text.chapters import chapters, quiet, tallies
from tkid.games.struggle.render.text.description import description
from tkid.games.struggle.render.text.legal import legal
from tkid.games.struggle.render.text.phrases import due
from tkid.games.struggle.render.text.position import board, legend, position
from tkid.games.struggle.render.text.result import explain_result
from tkid.games.struggle.render.text.telling import forecast, headline, tale, told
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.render.plugin import RenderPlugin

if TYPE_CHECKING:
    from tkid.games.struggle.rules.views import View
    from tkid.render.clicks import Choices, Preview
    from tkid.render.picture import LastTurn, Layout, Picture


class StruggleRender:
    """How The King is Dead is shown. What draws is loaded when it is wanted: most uses are for text."""

    position = staticmethod(position)
    board = staticmethod(board)
    legend = staticmethod(legend)
    headline = staticmethod(headline)
    forecast = staticmethod(forecast)
    told = staticmethod(told)
    tale = staticmethod(tale)
    chapters = staticmethod(chapters)
    quiet = staticmethod(quiet)
    tallies = staticmethod(tallies)
    beside = staticmethod(beside)
    description = staticmethod(description)
    explain_result = staticmethod(explain_result)
    legal = staticmethod(legal)
    due = staticmethod(due)

    def picture(
        self, game: Struggle, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
    ) -> Picture:
        """A position drawn."""
        from tkid.games.struggle.render.picture.picture import picture  # noqa: PLC0415

        return picture(game, view, names, last, layout=layout)

    def choices(self, game: Struggle, view: View, names: Sequence[str]) -> Choices:
        """What a seat may click."""
        from tkid.games.struggle.render.clicks import choices  # noqa: PLC0415

        return choices(game, view, names)

    def preview(self, game: Struggle, view: View, names: Sequence[str], choices: Choices) -> Preview:
        """How the picture looks after each choice."""
        from tkid.games.struggle.render.preview import preview  # noqa: PLC0415

        return preview(game, view, names, choices)

    def undecided(self, game: Struggle, position: Position) -> str:
        """Who names a faction yet, for the card that was revealed."""
        return f"must say which faction {game.plot} counts for" if position.decision == "plot" else ""


PLUGIN: RenderPlugin = StruggleRender()
