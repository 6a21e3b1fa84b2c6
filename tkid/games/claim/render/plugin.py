"""What Claim gives to rendering."""

from __future__ import annotations

from tkid.games.claim.render.clicks import choices, preview
from tkid.games.claim.render.picture.picture import picture
from tkid.games.claim.render.text.beside import beside
from tkid.games.claim.render.text.description import description
from tkid.games.claim.render.text.legal import legal
from tkid.games.claim.render.text.position import board, due, legend, position
from tkid.games.claim.render.text.result import explain_result
from tkid.games.claim.render.text.telling import forecast, headline, tale, told
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.render.plugin import RenderPlugin


class ClaimRender:
    """How Claim is shown."""

    position = staticmethod(position)
    board = staticmethod(board)
    legend = staticmethod(legend)
    picture = staticmethod(picture)
    headline = staticmethod(headline)
    forecast = staticmethod(forecast)
    told = staticmethod(told)
    tale = staticmethod(tale)
    beside = staticmethod(beside)
    choices = staticmethod(choices)
    preview = staticmethod(preview)
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
