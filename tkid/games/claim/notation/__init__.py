"""Claim's part for the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tkid.games.claim.notation.free_text import FreeReader
from tkid.games.claim.notation.turns import TurnReader
from tkid.notation.plugin import NotationPlugin

if TYPE_CHECKING:
    from tkid.notation.position_codec import PositionCodec


class ClaimNotation(NotationPlugin):
    """The notation of Claim."""

    reader, free_reader, standing = TurnReader, FreeReader, ("lead", "play")

    @property
    def positions(self) -> PositionCodec:
        from tkid.games.claim.notation.positions import CODEC  # noqa: PLC0415 - few files have such a line

        return CODEC


PLUGIN = ClaimNotation()
