"""Positions of the family as JSON, and what is legal in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cattrs.gen import make_dict_unstructure_fn, override

from tkid.games.struggle.notation import position_data as w
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import with_names
from tkid.kernel.options import Options
from tkid.record.json.objects import JsonError, converter, game_of, shown, structured
from tkid.record.json.positions import GameJson
from tkid.rulebook.rulesets import readings

CONVERTER = converter()
CONVERTER.register_unstructure_hook(
    w.WrittenPosition,
    make_dict_unstructure_fn(
        w.WrittenPosition,
        CONVERTER,
        negotiation_discs=override(omit_if_default=True),
        rulings=override(omit_if_default=True),
        plot=override(omit_if_default=True),
        starter=override(omit_if_default=True),
    ),
)


def position_json(game: Struggle, position: Position) -> dict[str, Any]:
    """A position as the documented JSON object."""
    written: dict[str, Any] = CONVERTER.unstructure(w.write(game, position, readings(game)))
    return written


def read_position_json(value: Any) -> tuple[Struggle, Position]:
    """The game and the position of a JSON object. Raises JsonError with every fault found."""
    written = structured(value, w.WrittenPosition, CONVERTER)
    game = game_of(written.ruleset, written.rulings)
    try:
        return game, w.read(game, written)
    except w.WrittenError as error:
        raise JsonError(*(f"position.{fault}" for fault in error.faults)) from None


def legal_json(game: Struggle, position: Position) -> dict[str, Any]:
    """Whether a pass is legal, and for each card in hand the number of its resolutions.

    Where a follower may be summoned without a card, the number of those too.
    """
    if position.decision != "play" or position.to_act is None:
        return {"pass": False, "cards": {}}
    held = dict.fromkeys(position.hands[position.to_act])
    return {
        "pass": True,
        "cards": {card: len(resolutions(game, position, card)) for card in held if card in game.cards},
        **({"summons": len(game.summons.without_action(position))} if game.summons.alone else {}),
    }


def resolutions(game: Struggle, position: Position, card: str) -> Options[Any]:
    """The legal resolutions of a card for the seat to act, whether it holds the card or not."""
    return game.options(position, card)


def legal_lines(game: Struggle, position: Position, request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of `tkid legal --jsonl`. Raises JsonError."""
    card = request.get("card")
    if card is not None:
        if not isinstance(card, str) or card not in game.cards:
            raise JsonError(f"card: {shown(card)} is no card of {game.code}")
        if position.to_act is None:
            raise JsonError("position: the game is over")
        return {"resolutions": _numbered(game, position, resolutions(game, position, card))}
    if position.decision == "plot":
        return {"plots": [game.words.move(move).removeprefix(f"{game.plot} ") for move in game.legal(position)]}
    if position.decision == "summon":
        return {"summons": _summons(game, game.legal(position))}
    if position.to_act is None:
        return {"pass": False, "cards": {}}
    held = [card for card in dict.fromkeys(position.hands[position.to_act]) if card in game.cards]
    return {
        "pass": True,
        "cards": {card: _numbered(game, position, resolutions(game, position, card)) for card in held},
        **({"summons": _summons(game, game.summons.without_action(position))} if game.summons.alone else {}),
    }


def _summons(game: Struggle, moves: Iterable[Move]) -> list[str]:
    """Who may be summoned, as text; `no summon` for nobody."""
    return [game.words.move(move).removeprefix("summon ") for move in moves]


def _numbered(game: Struggle, position: Position, listed: Iterable[Any]) -> list[str]:
    """Resolutions as text, where no names are known: players by the numbers of their seats, from 1."""
    numbers = [str(seat + 1) for seat in position.seats]
    return [with_names(game.words.resolution(resolution), numbers) for resolution in listed]


def undecided(game: Struggle, position: Position) -> str:
    """Why a position has no result yet."""
    if position.decision == "plot":
        return f"position.plot: the faction that {game.plot} counts for decides, and is missing"
    return "position: the game is not finished"


PLUGIN = GameJson(position_json, read_position_json, legal_json, legal_lines, undecided)
