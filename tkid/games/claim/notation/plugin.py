"""The notation of the family, put together."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.notation.position_line import read_position, write_position
from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.game import Tricks
from tkid.games.claim.rules.moves import Play
from tkid.games.claim.rules.position import Position


class TricksNotation:
    """How the games of the family are written."""

    def reader(self, game: Tricks, names: Sequence[str] = ()) -> TurnReader:
        """A reader of turns."""
        return TurnReader(game, names)

    def write_position(self, game: Tricks, position: Position) -> str:
        """A position in one line."""
        return write_position(game, position)

    def read_position(self, game: Tricks, text: str) -> Position:
        """The position of a line. Raises PositionError."""
        return read_position(game, text)

    def part(self, _: Play | None, __: Play, part: str) -> str:
        """The part of a move as it was read: a card is written in one way only."""
        return part

    def instead(self, game: Tricks, _: Play, alternative: Play) -> str:
        """A card that could be played in place of another."""
        return game.words.move(alternative)


PLUGIN = TricksNotation()
