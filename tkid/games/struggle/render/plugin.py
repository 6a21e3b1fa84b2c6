"""What The King is Dead gives to rendering."""

from __future__ import annotations

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
from tkid.render.plugin import DrawnLater, RenderPlugin


class StruggleRender(DrawnLater):
    """How The King is Dead is shown."""

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

    def undecided(self, game: Struggle, position: Position) -> str:
        """Who names a faction yet, for the card that was revealed."""
        return f"must say which faction {game.plot} counts for" if position.decision == "plot" else ""


PLUGIN: RenderPlugin = StruggleRender()
