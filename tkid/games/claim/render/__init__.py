"""Claim's side of the rendering interface."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.render.text import (
    describe_claim_position,
    explain_claim_board,
    explain_claim_result,
    format_claim_board,
    format_claim_position,
    is_claim_quiet,
    list_claim_chapters,
    list_claim_plays,
    list_claim_side_rows,
    list_claim_tallies,
    name_decision,
    tell_claim_turn,
    tell_claim_turn_in_steps,
    write_claim_forecast,
    write_claim_headline,
)
from tkid.games.claim.rules import Claim, Position
from tkid.kernel.game import Event
from tkid.render.plugin import LazyDrawing, RenderPlugin, TaleSentence


class ClaimRender(LazyDrawing):
    """Claim as text and pictures."""

    format_position = staticmethod(format_claim_position)
    format_board = staticmethod(format_claim_board)
    write_legend = staticmethod(explain_claim_board)
    write_headline = staticmethod(write_claim_headline)
    write_forecast = staticmethod(write_claim_forecast)
    describe_last_turn = staticmethod(tell_claim_turn)
    tell_turn = staticmethod(tell_claim_turn_in_steps)
    list_chapters = staticmethod(list_claim_chapters)
    is_quiet = staticmethod(is_claim_quiet)
    list_tallies = staticmethod(list_claim_tallies)
    list_side_notes = staticmethod(list_claim_side_rows)
    describe_position = staticmethod(describe_claim_position)
    explain_result = staticmethod(explain_claim_result)
    list_legal = staticmethod(list_claim_plays)

    def tell_event(self, _: Claim, event: Event, names: Sequence[str]) -> tuple[TaleSentence, ...]:
        """Tell an event."""
        return (TaleSentence(event.read(names), event.rule),)

    def describe_due(self, _: Claim, position: Position) -> str:
        """Return the next decision."""
        return name_decision(position)

    def describe_open_decision(self, _: Claim, __: Position) -> str:
        """Return "": a game that is over is decided."""
        return ""


PLUGIN: RenderPlugin = ClaimRender()
