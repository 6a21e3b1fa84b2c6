"""Claim's side of the notation interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tkid.games.claim.notation.free_text import FreeReader
from tkid.games.claim.notation.turns import TurnReader
from tkid.games.claim.rules import Claim, Play

if TYPE_CHECKING:
    from tkid.notation.position_codec import PositionCodec


class ClaimNotation:
    """The notation of Claim."""

    @property
    def positions(self) -> PositionCodec:
        """The codec of positions in one line."""
        from tkid.games.claim.notation.positions import CODEC  # noqa: PLC0415 - few files have such a line

        return CODEC

    def make_reader(self, game: Claim, names: Sequence[str] = ()) -> TurnReader:
        """A reader of turns."""
        return TurnReader(game, names)

    def make_free_reader(self, game: Claim, names: Sequence[str] = ()) -> FreeReader:
        """A reader of what people write who do not know the notation."""
        return FreeReader(game, names)

    def find_part(self, _: Play | None, __: Play, part: str) -> str:
        """The part of a move as it was read: a card is written in one way only."""
        return part

    def write_alternative(self, game: Claim, _: Play, alternative: Play) -> str:
        """A card that could be played in place of another."""
        return game.words.write_move(alternative)


PLUGIN = ClaimNotation()
