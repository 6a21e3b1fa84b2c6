"""Positions and replays as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import cattrs
from cattrs.gen import make_dict_unstructure_fn, override
from cattrs.strategies import configure_union_passthrough

from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.kernel.options import Options
from tkid.kernel.problems import Kind, Problem
from tkid.notation import written as w
from tkid.record.model import Record
from tkid.record.replay import Moment
from tkid.rulebook import rule
from tkid.rulesets import UnknownRulesetError, readings, ruleset

RULE = "notation.json"


class JsonError(ValueError):
    """A JSON text describes no position: the problems."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.problems = tuple(Problem(Kind.SYNTAX, RULE, fault) for fault in faults)


def _converter() -> cattrs.Converter:
    """A converter that takes no type for another, and leaves out the two optional attributes that say nothing."""
    converter = cattrs.Converter(forbid_extra_keys=False)
    configure_union_passthrough(int | str | bool | None, converter)
    converter.register_structure_hook(int, _strictly(int))
    converter.register_structure_hook(str, _strictly(str))
    converter.register_structure_hook(bool, _strictly(bool))
    converter.register_unstructure_hook(
        w.WrittenPosition,
        make_dict_unstructure_fn(
            w.WrittenPosition,
            converter,
            negotiation_discs=override(omit_if_default=True),
            rulings=override(omit_if_default=True),
        ),
    )
    return converter


def _strictly(kind: type) -> Any:
    """A hook that takes a value of a type and makes no other into one."""

    def hook(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{json.dumps(value)[:40]} is no {kind.__name__}")
        return value

    return hook


CONVERTER = _converter()


def position_json(game: Struggle, position: Position) -> dict[str, Any]:
    """A position as the documented JSON object."""
    written: dict[str, Any] = CONVERTER.unstructure(w.write(game, position, readings(game)))
    return written


def read_position_json(value: Any) -> tuple[Struggle, Position]:
    """The game and the position of a JSON object. Raises JsonError with every fault found."""
    if not isinstance(value, dict):
        raise JsonError("A position is a JSON object")
    try:
        written = CONVERTER.structure(value, w.WrittenPosition)
    except cattrs.BaseValidationError as error:
        raise JsonError(*cattrs.transform_error(error, path="position", format_exception=_told)) from None
    except (TypeError, ValueError, KeyError) as error:
        raise JsonError(_told(error, None)) from None
    try:
        entry = ruleset(written.ruleset)
    except UnknownRulesetError as error:
        raise JsonError(str(error)) from None
    for ruling, option in written.rulings.items():
        if ruling not in entry.switches or option not in rule(ruling).options:
            raise JsonError(f"rulings: {ruling} {option} is no reading of {entry.code}")
    game = entry.game(written.rulings)
    try:
        return game, w.read(game, written)
    except w.WrittenError as error:
        raise JsonError(*error.faults) from None


def _told(error: BaseException, _: type | None) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def moment_json(record: Record, moment: Moment, *, legal: bool = False) -> dict[str, Any]:
    """A line of a replay: the turn, what followed, and the position after it."""
    turn, game = moment.turn, record.game
    line: dict[str, Any] = {"turn": 0}
    if turn is not None:
        line = {
            "turn": turn.number,
            "seat": turn.seat,
            "move": game.words.turn(moment.moves),
            "hash": moment.hash,
            "events": [{"rule": event.rule, "text": event.read(record.names)} for event in moment.events],
        }
    line["position"] = position_json(game, moment.position)
    return line | ({"legal": legal_json(game, moment.position)} if legal else {})


def legal_json(game: Struggle, position: Position) -> dict[str, Any]:
    """Whether a pass is legal, and for each card in hand the number of its resolutions."""
    if position.decision != "play" or position.to_act is None:
        return {"pass": False, "cards": {}}
    held = dict.fromkeys(position.hands[position.to_act])
    return {
        "pass": True,
        "cards": {card: len(resolutions(game, position, card)) for card in held if card in game.cards},
    }


def resolutions(game: Struggle, position: Position, card: str) -> Options[Any]:
    """The legal resolutions of a card for the seat to act, whether it holds the card or not."""
    return game.cards[card].ladder.options(position)


def legal_lines(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of `tkid legal --jsonl`. Raises JsonError."""
    game, position = read_position_json(request.get("position"))
    write = game.words.resolution
    card = request.get("card")
    if card is not None:
        if card not in game.cards:
            raise JsonError(f"card: {card} is no card of {game.code}")
        if position.to_act is None:
            raise JsonError("position: the game is over")
        return {"resolutions": list(map(write, resolutions(game, position, card)))}
    if position.decision == "summon":
        return {"summons": [game.words.move(move).removeprefix("summon ") for move in game.legal(position)]}
    if position.to_act is None:
        return {"pass": False, "cards": {}}
    held = [card for card in dict.fromkeys(position.hands[position.to_act]) if card in game.cards]
    return {"pass": True, "cards": {card: list(map(write, resolutions(game, position, card))) for card in held}}


def result_json(game: Struggle, position: Position) -> dict[str, Any]:
    """The answer to one line of `tkid result --jsonl`: how a finished game ended. Raises JsonError."""
    result = game.result(position)
    if result is None:
        raise JsonError("position: the game is not finished")
    chain = [{"rule": step.rule, "text": _seats(step.text, len(position.courts))} for step in result.chain]
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
