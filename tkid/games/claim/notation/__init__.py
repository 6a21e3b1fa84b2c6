"""Claim's part for the notation."""

from __future__ import annotations

from tkid.games.claim.notation.free_text import FreeReader
from tkid.games.claim.notation.turns import TurnReader
from tkid.notation.plugin import NotationPlugin


class ClaimNotation(NotationPlugin):
    """The notation of Claim."""

    reader, free_reader, standing = TurnReader, FreeReader, ("lead", "play")


PLUGIN = ClaimNotation()
