"""The King is Dead's part for text."""

from __future__ import annotations

from tkid.games.struggle import voice
from tkid.games.struggle.render import description, text
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.render.plugin import RenderPlugin


class StruggleRender(RenderPlugin):
    """Rendering of The King is Dead."""

    list_blocks = staticmethod(text.list_position_blocks)
    format_board = staticmethod(text.format_board)
    write_legend = staticmethod(text.explain_map)
    write_headline = staticmethod(voice.describe_headline)
    write_forecast = staticmethod(voice.write_forecast)
    describe_last_turn = staticmethod(voice.tell_last_turn)
    tell_event = staticmethod(voice.tell_event)
    tell_turn = staticmethod(voice.tell_last_turn_in_steps)
    list_chapters = staticmethod(description.list_chapters)
    is_quiet = staticmethod(description.is_quiet)
    list_tallies = staticmethod(description.list_tallies)
    list_side_notes = staticmethod(text.list_side_rows)
    describe_position = staticmethod(description.describe_position)
    state_ending = staticmethod(text.state_ending)
    list_legal = staticmethod(text.list_legal_turns)
    describe_due = staticmethod(voice.describe_due)

    def describe_open_decision(self, game: Struggle, position: Position) -> str:
        return f"must say which faction {game.plot} counts for" if position.decision == "plot" else ""


PLUGIN = StruggleRender()
