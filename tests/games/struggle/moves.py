"""Moves of The King is Dead as JSON, as a conformance case has them."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.record.json import make_resolution_json
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, NoSummon, Pass, Play, Reveal, Summon


def make_move_json(game: Struggle, move: Move) -> dict[str, Any]:
    board = game.board
    match move:
        case Pass():
            return {"move": "pass"}
        case Play(card, resolution):
            return {"move": "play", "card": card, "resolution": make_resolution_json(game, resolution)}
        case Summon(faction, region):
            return {"move": "summon", "faction": board.factions[faction].letter, "region": board.regions[region].code}
        case NoSummon():
            return {"move": "no summon"}
        case Reveal(_, faction):
            return {"move": "plot", "faction": board.factions[faction].letter}
