"""The game's side of the rendering interface."""

from __future__ import annotations

from tkid.games.struggle.render.description import describe_position, is_quiet, list_chapters, list_tallies
from tkid.games.struggle.render.text import (
    explain_map,
    explain_result,
    format_board,
    list_legal_turns,
    list_side_rows,
    position,
)
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.voice import (
    describe_due,
    describe_headline,
    tell_event,
    tell_last_turn,
    tell_last_turn_in_steps,
    write_forecast,
)
from tkid.render.plugin import LazyDrawing, RenderPlugin


class StruggleRender(LazyDrawing):
    """Rendering of The King is Dead."""

    format_position = staticmethod(position)
    format_board = staticmethod(format_board)
    write_legend = staticmethod(explain_map)
    write_headline = staticmethod(describe_headline)
    write_forecast = staticmethod(write_forecast)
    describe_last_turn = staticmethod(tell_last_turn)
    tell_event = staticmethod(tell_event)
    tell_turn = staticmethod(tell_last_turn_in_steps)
    list_chapters = staticmethod(list_chapters)
    is_quiet = staticmethod(is_quiet)
    list_tallies = staticmethod(list_tallies)
    list_side_notes = staticmethod(list_side_rows)
    describe_position = staticmethod(describe_position)
    explain_result = staticmethod(explain_result)
    list_legal = staticmethod(list_legal_turns)
    describe_due = staticmethod(describe_due)

    def describe_open_decision(self, game: Struggle, position: Position) -> str:
        """Describe the decision that keeps a finished game open, to follow a player's name; "" if nothing is open."""
        return f"must say which faction {game.plot} counts for" if position.decision == "plot" else ""


PLUGIN: RenderPlugin = StruggleRender()
