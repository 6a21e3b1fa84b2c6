"""Claim's side of the rendering interface."""

from __future__ import annotations

from tkid.games.claim.render.text import (
    beside,
    board,
    chapters,
    description,
    due,
    explain_result,
    forecast,
    headline,
    legal,
    legend,
    position,
    quiet,
    tale,
    tallies,
    told,
)
from tkid.games.claim.rules import Claim, Position
from tkid.render.plugin import DrawnLater, RenderPlugin


class ClaimRender(DrawnLater):
    """Claim as text and pictures."""

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
        """Return the next decision."""
        return due(position)

    def undecided(self, _: Claim, __: Position) -> str:
        """Return "": a game that is over is decided."""
        return ""


PLUGIN: RenderPlugin = ClaimRender()
