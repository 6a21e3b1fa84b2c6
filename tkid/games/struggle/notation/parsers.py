"""The parsers of turns and positions: LALR, built once."""

from __future__ import annotations

from functools import cache

from lark import Lark

from tkid.notation.grammar_files import source

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


@cache
def turn_parser() -> Lark:
    """The parser of resolutions and summonses, started by form."""
    return Lark(
        source("struggle_turn"), parser="lalr", start=list(FORMS), propagate_positions=True, maybe_placeholders=False
    )


@cache
def position_parser() -> Lark:
    """The parser of the one-line position text."""
    return Lark(source("struggle_position"), parser="lalr", start="position", propagate_positions=True)
