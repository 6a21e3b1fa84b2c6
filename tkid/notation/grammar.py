"""Finding the grammar files, and parsers made of them: LALR, built once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark

FORMS = (
    "place",
    "apart",
    "spread",
    "exchange",
    "swap",
    "shift",
    "place_return",
    "return_place",
    "place_swap",
    "place_move",
    "court_swap",
    "reveal",
    "summon",
)
INSTALLED = Path(__file__).parents[1] / "grammar"
CHECKED_OUT = Path(__file__).parents[2] / "grammar"


def source(name: str) -> str:
    """The text of a grammar: from the wheel, or from the top of a checked-out tree."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKED_OUT
    return (folder / f"{name}.lark").read_text("utf-8")


@cache
def turn_parser() -> Lark:
    """The parser of resolutions and summonses, started by form."""
    return Lark(source("turn"), parser="lalr", start=list(FORMS), propagate_positions=True, maybe_placeholders=False)


@cache
def position_parser() -> Lark:
    """The parser of the one-line position text."""
    return Lark(source("position"), parser="lalr", start="position", propagate_positions=True)
