"""The game's side of the rendering interface."""

from __future__ import annotations

from tkid.games.struggle.render.description import chapters, description, quiet, tallies
from tkid.games.struggle.render.telling import describe_due, forecast, headline, tale, told
from tkid.games.struggle.render.text import beside, board, explain_result, legal, legend, position
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.render.plugin import DrawnLater, RenderPlugin


class StruggleRender(DrawnLater):
    """Rendering of The King is Dead."""

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
    due = staticmethod(describe_due)

    def undecided(self, game: Struggle, position: Position) -> str:
        """Describe the decision that keeps a finished game open, to follow a player's name; "" if nothing is open."""
        return f"must say which faction {game.plot} counts for" if position.decision == "plot" else ""


PLUGIN: RenderPlugin = StruggleRender()
