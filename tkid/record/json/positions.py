"""Positions and replays as JSON, whatever is played: each game says its own part in `record/json.py` of its room."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tkid.kernel.game import AnyGame, Position, with_names
from tkid.kernel.plugins import games, plugin
from tkid.record.format.model import Record
from tkid.record.json.objects import JsonError
from tkid.record.json.plugin import GameJson
from tkid.record.play.replay import Moment
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset


def _json(game: str) -> GameJson:
    found: GameJson = plugin(game, "record/json")
    return found


def position_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """Write a position as the documented JSON object.

    Args:
        game: the game.
        position: the position.

    Returns:
        The object, with the ruleset and the readings of the game.
    """
    return _json(game.name).position_json(game, position)


def read_position_json(value: Any) -> tuple[AnyGame, Any]:
    """Read a position from a JSON object.

    Args:
        value: the object; one that names no known ruleset is left to the first game, which says what is wrong.

    Returns:
        The game and the position.

    Raises:
        JsonError: the object describes no position; the problems name every fault.
    """
    code = value.get("ruleset") if isinstance(value, dict) else None
    try:
        name = ruleset(code).game_name if isinstance(code, str) else games()[0]
    except UnknownRulesetError:
        name = games()[0]
    return _json(name).read_position_json(value)


def moment_json(record: Record, moment: Moment, *, legal: bool = False) -> dict[str, Any]:
    """A line of a replay: the turn, what followed, and the position after it."""
    turn, game = moment.turn, record.game
    line: dict[str, Any] = {"turn": 0}
    if turn is not None:
        line = {
            "turn": turn.number,
            "seat": turn.seat,
            "move": with_names(game.words.turn(moment.moves), record.names),
            "hash": moment.hash,
            "events": [{"rule": event.rule, "text": event.read(record.names)} for event in moment.events],
        }
    line["position"] = position_json(game, moment.position)
    return line | ({"legal": legal_json(game, moment.position)} if legal else {})


def legal_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """Whether a pass is legal, and for each card in hand the number of its resolutions."""
    return _json(game.name).legal_json(game, position)


def asked_position(request: Mapping[str, Any]) -> tuple[AnyGame, Position]:
    """The position of a request, which may be the position alone. Raises JsonError."""
    if "position" in request or "ruleset" in request:
        return read_position_json(request.get("position", request))
    raise JsonError('There is no `position`. Write {"position": {...}}, or the position alone')


def legal_lines(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of `tkid legal --jsonl`. Raises JsonError."""
    game, position = asked_position(request)
    return _json(game.name).legal_lines(game, position, request)


def result_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """The answer to one line of `tkid result --jsonl`: how a finished game ended. Raises JsonError."""
    result = game.result(position)
    if result is None:
        raise JsonError(_json(game.name).undecided(game, position))
    seats = [f"seat {seat}" for seat in position.seats]
    chain = [{"rule": step.rule, "text": with_names(step.text, seats)} for step in result.chain]
    return {"ending": result.ending, "winners": list(result.winners), "chain": chain}


def lines(record: Record, moments: list[Moment], *, legal: bool) -> Iterator[str]:
    """The lines of `tkid replay --json`."""
    for moment in moments:
        yield json.dumps(moment_json(record, moment, legal=legal), ensure_ascii=False)
