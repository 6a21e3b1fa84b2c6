"""Positions and replays as JSON, whatever is played: the ruleset's code tells the family that says the rest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from tkid.kernel.game import AnyGame, Position, with_names
from tkid.record.model import Record
from tkid.record.replay import Moment
from tkid.record.structured import JsonError
from tkid.record.struggle import json as struggle
from tkid.record.tricks import json as tricks
from tkid.rulesets import UnknownRulesetError, ruleset

__all__ = [
    "JsonError",
    "legal_json",
    "legal_lines",
    "lines",
    "moment_json",
    "position_json",
    "read_position_json",
    "result_json",
]


class Json(Protocol):
    """What a family says in JSON: a module or value with these functions."""

    def position_json(self, game: Any, position: Any) -> dict[str, Any]:
        """A position as the documented JSON object; `ruleset` is its code."""
        ...

    def read_position_json(self, value: Any) -> tuple[Any, Any]:
        """The game and the position of a JSON object. Raises JsonError with every fault found."""
        ...

    def legal_json(self, game: Any, position: Any) -> dict[str, Any]:
        """Whether a pass is legal, and for each card in hand the number of its resolutions."""
        ...

    def legal_lines(self, game: Any, position: Any, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one line of `tkid legal --jsonl` about a position. Raises JsonError."""
        ...

    def undecided(self, game: Any, position: Any) -> str:
        """Why a position has no result yet."""
        ...


FAMILIES: Mapping[str, Json] = {"struggle": struggle, "tricks": tricks}


def _of(value: Any) -> Json:
    """The family that a JSON object is about; one that names no ruleset is left to the first, which says what is wrong."""
    code = value.get("ruleset") if isinstance(value, dict) else None
    try:
        return FAMILIES[ruleset(code).game().family] if isinstance(code, str) else struggle
    except UnknownRulesetError:
        return struggle


def position_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """A position as the documented JSON object."""
    return FAMILIES[game.family].position_json(game, position)


def read_position_json(value: Any) -> tuple[AnyGame, Any]:
    """The game and the position of a JSON object. Raises JsonError with every fault found."""
    return _of(value).read_position_json(value)


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
    return FAMILIES[game.family].legal_json(game, position)


def legal_lines(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of `tkid legal --jsonl`. Raises JsonError."""
    game, position = read_position_json(request.get("position"))
    return FAMILIES[game.family].legal_lines(game, position, request)


def result_json(game: AnyGame, position: Position) -> dict[str, Any]:
    """The answer to one line of `tkid result --jsonl`: how a finished game ended. Raises JsonError."""
    result = game.result(position)
    if result is None:
        raise JsonError(FAMILIES[game.family].undecided(game, position))
    chain = [{"rule": step.rule, "text": _seats(step.text, len(position.seats))} for step in result.chain]
    return {"ending": result.ending, "winners": list(result.winners), "chain": chain}


def _seats(text: str, seats: int) -> str:
    """A text with seats by number where no names are known."""
    for seat in range(seats):
        text = text.replace(f"{{{seat}}}", f"seat {seat}")
    return text


def lines(record: Record, moments: list[Moment], *, legal: bool) -> Iterator[str]:
    """The lines of `tkid replay --json`."""
    for moment in moments:
        yield json.dumps(moment_json(record, moment, legal=legal), ensure_ascii=False)
