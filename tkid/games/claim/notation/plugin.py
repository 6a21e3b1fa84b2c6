"""The notation of Claim, put together."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.notation.free_text import FreeReader
from tkid.games.claim.notation.position_line import CODEC
from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play


class ClaimNotation:
    """How Claim is written."""

    positions = CODEC

    def reader(self, game: Claim, names: Sequence[str] = ()) -> TurnReader:
        """A reader of turns."""
        return TurnReader(game, names)

    def free_reader(self, game: Claim, names: Sequence[str] = ()) -> FreeReader:
        """A reader of what people write who do not know the notation."""
        return FreeReader(game, names)

    def part(self, _: Play | None, __: Play, part: str) -> str:
        """The part of a move as it was read: a card is written in one way only."""
        return part

    def instead(self, game: Claim, _: Play, alternative: Play) -> str:
        """A card that could be played in place of another."""
        return game.words.move(alternative)


PLUGIN = ClaimNotation()
