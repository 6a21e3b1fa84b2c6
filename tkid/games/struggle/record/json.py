"""Positions of The King is Dead as JSON, and what is legal in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tkid.games.struggle.notation import position_data as w
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import with_names
from tkid.record.json.plugin import GameJson, unknown


class StruggleJson(GameJson):
    """Positions of The King is Dead as JSON."""

    def legal_json(self, game: Struggle, position: Position) -> dict[str, Any]:
        """Whether a pass is legal, and for each card in hand the number of its resolutions.

        Where a follower may be summoned without a card, the number of those too.
        """
        if position.decision != "play" or position.to_act is None:
            return {"pass": False, "cards": {}}
        return {
            "pass": True,
            "cards": {card: len(game.options(position, card)) for card in _held(game, position)},
            **unknown(position),
            **({"summons": len(game.summons.without_action(position))} if game.summons.alone else {}),
        }

    def legal_texts(self, game: Struggle, position: Position) -> dict[str, Any]:
        """What is legal in a position, as texts."""
        if position.decision == "plot":
            return {"plots": [game.words.move(move).removeprefix(f"{game.plot} ") for move in game.legal(position)]}
        if position.decision == "summon":
            return {"summons": _summons(game, game.legal(position))}
        if position.to_act is None:
            return {"pass": False, "cards": {}}
        return {
            "pass": True,
            "cards": {card: self.resolutions(game, position, card) for card in _held(game, position)},
            **unknown(position),
            **({"summons": _summons(game, game.summons.without_action(position))} if game.summons.alone else {}),
        }

    def card(self, game: Struggle, typed: str) -> str | None:
        """The card of a name."""
        return typed if typed in game.cards else None

    def resolutions(self, game: Struggle, position: Position, card: str) -> list[str]:
        """The legal resolutions of a card, with players by the numbers of their seats, from 1: there are no names."""
        numbers = [str(seat + 1) for seat in position.seats]
        return [with_names(game.words.resolution(each), numbers) for each in game.options(position, card)]

    def undecided(self, game: Struggle, position: Position) -> str:
        """Why a position has no result yet."""
        if position.decision == "plot":
            return f"position.plot: the faction that {game.plot} counts for decides, and is missing"
        return super().undecided(game, position)


def _held(game: Struggle, position: Position) -> list[str]:
    """The cards of the seat to act, each once."""
    assert position.to_act is not None
    return [card for card in dict.fromkeys(position.hands[position.to_act]) if card in game.cards]


def _summons(game: Struggle, moves: Iterable[Move]) -> list[str]:
    """Who may be summoned, as text; `no summon` for nobody."""
    return [game.words.move(move).removeprefix("summon ") for move in moves]


PLUGIN = StruggleJson(w.PositionData, w.write, w.read, ("negotiation_discs", "rulings", "plot", "starter"))
read_position_json = PLUGIN.read_position_json
