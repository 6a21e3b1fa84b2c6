"""Positions of the family as JSON, and what is legal in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cattrs.gen import make_dict_unstructure_fn, override

from tkid.games.claim.notation import position_data as w
from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.game import Tricks
from tkid.games.claim.rules.position import Position
from tkid.record.json.objects import JsonError, converter, game_of, shown, structured
from tkid.record.json.positions import GameJson
from tkid.rulebook.rulesets import readings

CONVERTER = converter()
CONVERTER.register_unstructure_hook(
    w.WrittenPosition,
    make_dict_unstructure_fn(w.WrittenPosition, CONVERTER, rulings=override(omit_if_default=True)),
)


def position_json(game: Tricks, position: Position) -> dict[str, Any]:
    """A position as the documented JSON object."""
    written: dict[str, Any] = CONVERTER.unstructure(w.write(game, position, readings(game)))
    return written


def read_position_json(value: Any) -> tuple[Tricks, Position]:
    """The game and the position of a JSON object. Raises JsonError with every fault found."""
    written = structured(value, w.WrittenPosition, CONVERTER)
    game = game_of(written.ruleset, written.rulings)
    try:
        return game, w.read(written)
    except w.WrittenError as error:
        raise JsonError(*(f"position.{fault}" for fault in error.faults)) from None


def legal_json(game: Tricks, position: Position) -> dict[str, Any]:
    """That nobody can pass, and the cards that may be played, each in one way."""
    return {"pass": False, "cards": {game.words.move(move): 1 for move in game.legal(position)}}


def legal_lines(game: Tricks, position: Position, request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of `tkid legal --jsonl`. Raises JsonError."""
    card = request.get("card")
    if card is None:
        return {"pass": False, "cards": {game.words.move(move): [""] for move in game.legal(position)}}
    moves = TurnReader(game).turn(card).moves if isinstance(card, str) else ()
    if not moves:
        raise JsonError(f"card: {shown(card)} is no card of {game.code}")
    if position.to_act is None:
        raise JsonError("position: the game is over")
    return {"resolutions": [""] if moves[0] in game.legal(position) else []}


def undecided(_: Tricks, __: Position) -> str:
    """Why a position has no result yet."""
    return "position: the game is not finished"


PLUGIN = GameJson(position_json, read_position_json, legal_json, legal_lines, undecided)
