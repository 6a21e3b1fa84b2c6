"""Positions and replays as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import attrs
import cattrs
from cattrs.cols import list_structure_factory, mapping_structure_factory
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.strategies import configure_union_passthrough

from tkid.games.struggle.game import Struggle
from tkid.games.struggle.moves import Move
from tkid.games.struggle.position import Position
from tkid.kernel.game import with_names
from tkid.kernel.options import Options
from tkid.kernel.problems import Kind, Problem
from tkid.notation import written as w
from tkid.record.model import Record
from tkid.record.replay import Moment
from tkid.rulebook import rule
from tkid.rulesets import UnknownRulesetError, readings, ruleset

RULE = "notation.json"
BRACKETED = re.compile(r"\[(?:'([^']*)'|([0-9]+))\]")
"""A key or an index in the paths of cattrs."""
LONGEST_SHOWN = 40


class JsonError(ValueError):
    """A JSON text describes no position: the problems."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.problems = tuple(Problem(Kind.SYNTAX, RULE, fault) for fault in faults)


def _converter() -> cattrs.Converter:
    """A converter that takes no type for another, and leaves out the optional attributes that say nothing."""
    converter = cattrs.Converter(forbid_extra_keys=False)
    configure_union_passthrough(int | str | bool | None, converter)
    converter.register_structure_hook(int, _strictly(int, "integer"))
    converter.register_structure_hook(str, _strictly(str, "string"))
    converter.register_structure_hook(bool, _strictly(bool, "true or false"))
    converter.register_structure_hook_func(_made_of(Literal), _one_of)
    for holds, kind, name, make in (
        (_made_of(list), list, "list", list_structure_factory),
        (_made_of(dict), dict, "object", mapping_structure_factory),
        (attrs.has, dict, "object", make_dict_structure_fn),
    ):
        converter.register_structure_hook_factory(holds, _only(kind, name, make))
    converter.register_unstructure_hook(
        w.WrittenPosition,
        make_dict_unstructure_fn(
            w.WrittenPosition,
            converter,
            negotiation_discs=override(omit_if_default=True),
            rulings=override(omit_if_default=True),
            plot=override(omit_if_default=True),
            starter=override(omit_if_default=True),
        ),
    )
    return converter


def _strictly(kind: type, name: str) -> Any:
    """A hook that takes a value of a type and makes no other into one; `name` is how people call the type."""

    def hook(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{_shown(value)} is no {name}")
        return value

    return hook


def _made_of(origin: Any) -> Callable[[Any], bool]:
    """Whether a type is one of lists, of dicts, of literals."""
    return lambda kind: get_origin(kind) is origin


def _only(kind: type, name: str, make: Any) -> Any:
    """A factory of hooks like those of `make`, which take nothing but a value of a type."""

    def factory(wanted: Any, converter: cattrs.Converter) -> Any:
        structure = make(wanted, converter)

        def hook(value: Any, _: Any) -> Any:
            if type(value) is not kind:
                raise TypeError(f"{_shown(value)} is no {name}")
            return structure(value, wanted)

        return hook

    return factory


def _one_of(value: Any, kind: Any) -> Any:
    """A value out of a few."""
    if value not in get_args(kind):
        raise TypeError(f"{_shown(value)} is none of {', '.join(get_args(kind))}")
    return value


def _shown(value: Any) -> str:
    """A value in a message."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


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
        found = cattrs.transform_error(error, path="position", format_exception=_told)
        raise JsonError(*map(_placed, found)) from None
    except (TypeError, ValueError, KeyError) as error:
        raise JsonError(_told(error, None)) from None
    try:
        entry = ruleset(written.ruleset)
    except UnknownRulesetError as error:
        raise JsonError(f"position.ruleset: {error}") from None
    for ruling, option in written.rulings.items():
        if ruling not in entry.switches or option not in rule(ruling).options:
            raise JsonError(f"position.rulings: {ruling} {option} is no reading of {entry.code}")
    game = entry.game(written.rulings)
    try:
        return game, w.read(game, written)
    except w.WrittenError as error:
        raise JsonError(*(f"position.{fault}" for fault in error.faults)) from None


def _told(error: BaseException, _: type | None) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def _placed(fault: str) -> str:
    """A fault with its place before it: `position.regions.MOR.followers.S: "two" is no integer`."""
    told, _, place = fault.rpartition(" @ ")
    path = BRACKETED.sub(r".\1\2", place)
    return f"{path}: {told}"


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


def legal_lines(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of `tkid legal --jsonl`. Raises JsonError."""
    game, position = read_position_json(request.get("position"))
    card = request.get("card")
    if card is not None:
        if not isinstance(card, str) or card not in game.cards:
            raise JsonError(f"card: {_shown(card)} is no card of {game.code}")
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


def result_json(game: Struggle, position: Position) -> dict[str, Any]:
    """The answer to one line of `tkid result --jsonl`: how a finished game ended. Raises JsonError."""
    result = game.result(position)
    if result is None and position.decision == "plot":
        raise JsonError(f"position.plot: the faction that {game.plot} counts for decides, and is missing")
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
