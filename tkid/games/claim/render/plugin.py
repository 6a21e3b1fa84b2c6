"""What Claim gives to rendering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tkid.games.claim.render.text.beside import beside
from tkid.games.claim.render.text.chapters import chapters, quiet, tallies
from tkid.games.claim.render.text.description import description
from tkid.games.claim.render.text.legal import legal
from tkid.games.claim.render.text.position import board, due, legend, position
from tkid.games.claim.render.text.result import explain_result
from tkid.games.claim.render.text.telling import forecast, headline, tale, told
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.render.plugin import RenderPlugin

if TYPE_CHECKING:
    from tkid.games.claim.rules.views import View
    from tkid.render.clicks import Choices, Preview
    from tkid.render.picture import LastTurn, Layout, Picture


class ClaimRender:
    """How Claim is shown. What draws is loaded when it is wanted: most uses are for text."""

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

    def picture(
        self, game: Claim, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
    ) -> Picture:
        """A position drawn."""
        from tkid.games.claim.render.picture.picture import picture  # noqa: PLC0415

        return picture(game, view, names, last, layout=layout)

    def choices(self, game: Claim, view: View, names: Sequence[str]) -> Choices:
        """What a seat may click."""
        from tkid.games.claim.render.clicks import choices  # noqa: PLC0415

        return choices(game, view, names)

    def preview(self, game: Claim, view: View, names: Sequence[str], choices: Choices) -> Preview:
        """How the picture looks after each choice."""
        from tkid.games.claim.render.clicks import preview  # noqa: PLC0415

        return preview(game, view, names, choices)

    def due(self, _: Claim, position: Position) -> str:
        """The next decision."""
        return due(position)

    def undecided(self, _: Claim, __: Position) -> str:
        """Nothing: a game that is over is decided."""
        return ""


PLUGIN: RenderPlugin = ClaimRender()
