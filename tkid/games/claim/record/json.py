"""Positions of Claim as JSON, and what is legal in them."""

from __future__ import annotations

from typing import Any

from tkid.games.claim.notation import position_data as w
from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play
from tkid.games.claim.rules.position import Position
from tkid.record.json.plugin import GameJson, unknown


class ClaimJson(GameJson):
    """Positions of Claim as JSON."""

    def legal_json(self, game: Claim, position: Position) -> dict[str, Any]:
        """That nobody can pass, and the cards that may be played, each in one way."""
        return {"pass": False, "cards": {game.words.move(move): 1 for move in game.legal(position)}} | unknown(position)

    def legal_texts(self, game: Claim, position: Position) -> dict[str, Any]:
        """What is legal in a position, as texts: a card needs no more words."""
        return {"pass": False, "cards": {game.words.move(move): [""] for move in game.legal(position)}} | unknown(
            position
        )

    def card(self, game: Claim, typed: str) -> Play | None:
        """The card of a name, as it is played."""
        return next(iter(TurnReader(game).turn(typed).moves), None)

    def resolutions(self, game: Claim, position: Position, card: Play) -> list[str]:
        """The one resolution of a card that may be played."""
        return [""] if card in game.legal(position) else []


PLUGIN = ClaimJson(w.PositionData, w.write, w.read, ("rulings",))
read_position_json = PLUGIN.read_position_json
