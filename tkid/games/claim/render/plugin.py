"""What Claim gives to rendering."""

from __future__ import annotations

from tkid.games.claim.render.text.beside import beside
from tkid.games.claim.render.text.chapters import chapters, quiet, tallies
from tkid.games.claim.render.text.description import description
from tkid.games.claim.render.text.legal import legal
from tkid.games.claim.render.text.position import board, due, legend, position
from tkid.games.claim.render.text.result import explain_result
from tkid.games.claim.render.text.telling import forecast, headline, tale, told
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.render.plugin import DrawnLater, RenderPlugin


class ClaimRender(DrawnLater):
    """How Claim is shown."""

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

    def due(self, _: Claim, position: Position) -> str:
        """The next decision."""
        return due(position)

    def undecided(self, _: Claim, __: Position) -> str:
        """Nothing: a game that is over is decided."""
        return ""


PLUGIN: RenderPlugin = ClaimRender()
