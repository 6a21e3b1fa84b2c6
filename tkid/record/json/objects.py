"""Convert JSON objects to values strictly, and report every fault with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin

import attrs
import cattrs
from cattrs.cols import list_structure_factory, mapping_structure_factory
from cattrs.gen import make_dict_structure_fn
from cattrs.strategies import configure_union_passthrough

from tkid.kernel.pickling import PortableError
from tkid.kernel.problems import Kind, Problem
from tkid.rulebook import rule
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

T = TypeVar("T")
RULE = "notation.json"
BRACKETED = re.compile(r"\[(?:'([^']*)'|([0-9]+))\]")
"""A key or an index in the paths of cattrs."""
LONGEST_SHOWN = 40


class JsonError(PortableError, ValueError):
    """A JSON text that describes no position: the problems."""

    def __init__(self, *faults: str) -> None:
        super().__init__(*faults)
        self.problems = tuple(Problem(Kind.SYNTAX, RULE, fault) for fault in faults)


def make_converter() -> cattrs.Converter:
    """Return a converter that is strict about types, and leaves out optional attributes without information."""
    made = cattrs.Converter(forbid_extra_keys=False)
    configure_union_passthrough(int | str | bool | None, made)
    made.register_structure_hook(int, _make_strict_hook(int, "an integer"))
    made.register_structure_hook(str, _make_strict_hook(str, "a string"))
    made.register_structure_hook(bool, _make_strict_hook(bool, "true or false"))
    made.register_structure_hook_func(_make_type_test(Literal), _check_literal)
    for holds, kind, name, make in (
        (_make_type_test(list), list, "a list", list_structure_factory),
        (_make_type_test(dict), dict, "an object", mapping_structure_factory),
        (attrs.has, dict, "an object", make_dict_structure_fn),
    ):
        made.register_structure_hook_factory(holds, _make_hook_factory(kind, name, make))
    return made


def _make_strict_hook(kind: type, name: str) -> Any:
    """Return a hook that accepts only values of a type; `name` is the everyday name of the type."""

    def hook(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise TypeError(f"{truncate_value(value)} is not {name}")
        return value

    return hook


def _make_type_test(origin: Any) -> Callable[[Any], bool]:
    return lambda kind: get_origin(kind) is origin


def _make_hook_factory(kind: type, name: str, make: Any) -> Any:
    """Return a factory of hooks like those of `make`, which accept only values of a type."""
    check = _make_strict_hook(kind, name)

    def factory(wanted: Any, converter: cattrs.Converter) -> Any:
        structure = make(wanted, converter)
        return lambda value, _: structure(check(value, None), wanted)

    return factory


def _check_literal(value: Any, kind: Any) -> Any:
    if value not in get_args(kind):
        raise TypeError(f"{truncate_value(value)} is not one of {', '.join(get_args(kind))}")
    return value


def truncate_value(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def convert_json(value: Any, kind: type[T], using: cattrs.Converter) -> T:
    """Convert a JSON object that describes a position to a value of a type. Raises JsonError with every fault found."""
    if not isinstance(value, dict):
        raise JsonError("A position is a JSON object")
    try:
        return using.structure(value, kind)
    except cattrs.BaseValidationError as error:
        faults = cattrs.transform_error(error, path="position", format_exception=_format_error)
        raise JsonError(*map(_format_fault, faults)) from None
    except (TypeError, ValueError, KeyError) as error:
        raise JsonError(_format_error(error, None)) from None


def find_position_game(code: str, rulings: Mapping[str, str]) -> Any:
    """Find the game of a position's ruleset under its readings. Raises JsonError."""
    try:
        entry = ruleset(code)
    except UnknownRulesetError as error:
        raise JsonError(f"position.ruleset: {error}") from None
    for ruling, option in rulings.items():
        if ruling not in entry.switches or option not in rule(ruling).options:
            raise JsonError(f"position.rulings: {ruling} {option} is not a ruling of {entry.code}")
    return entry.game(rulings)


def _format_error(error: BaseException, _: type | None) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def _format_fault(fault: str) -> str:
    """Put the place before a fault: `position.regions.MOR.followers.S: "two" is not an integer`."""
    message, _, place = fault.rpartition(" @ ")
    path = BRACKETED.sub(r".\1\2", place)
    return f"{path}: {message}"
