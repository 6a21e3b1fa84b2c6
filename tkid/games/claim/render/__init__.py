"""Claim's side of the rendering interface."""

from __future__ import annotations

from tkid.games.claim.render import text
from tkid.render.plugin import RenderPlugin


class ClaimRender(RenderPlugin):
    """Claim as text and pictures."""

    format_position = staticmethod(text.format_claim_position)
    format_board = staticmethod(text.format_claim_board)
    write_headline = staticmethod(text.write_claim_headline)
    write_forecast = staticmethod(text.write_claim_forecast)
    describe_last_turn = staticmethod(text.tell_claim_turn)
    tell_turn = staticmethod(text.tell_claim_turn_in_steps)
    list_chapters = staticmethod(text.list_claim_chapters)
    list_tallies = staticmethod(text.list_claim_tallies)
    list_side_notes = staticmethod(text.list_claim_side_rows)
    describe_position = staticmethod(text.describe_claim_position)
    explain_result = staticmethod(text.explain_claim_result)
    list_legal = staticmethod(text.list_claim_plays)
    describe_due = staticmethod(text.name_decision)


PLUGIN = ClaimRender()
