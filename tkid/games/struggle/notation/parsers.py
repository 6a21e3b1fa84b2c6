"""The parser of turns: LALR, built once."""

from __future__ import annotations

from functools import cache

from lark import Lark

from tkid.games.struggle.rules.moves import FORMS
from tkid.notation.grammar_files import source

STARTS = (*FORMS, "exchange", "reveal", "summon")
"""What a line may be parsed as: a rule of the grammar for each form of card, and for the summons."""


@cache
def turn_parser() -> Lark:
    """The parser of resolutions and summonses, started by form."""
    return Lark(
        source("struggle_turn"), parser="lalr", start=list(STARTS), propagate_positions=True, maybe_placeholders=False
    )
