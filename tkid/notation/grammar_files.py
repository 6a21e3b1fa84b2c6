"""Finding the grammar files: each family has its own, by names that begin with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark

INSTALLED = Path(__file__).parents[1] / "grammar"
CHECKED_OUT = Path(__file__).parents[2] / "grammar"


def source(name: str) -> str:
    """The text of a grammar: from the wheel, or from the top of a checked-out tree."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKED_OUT
    return (folder / f"{name}.lark").read_text("utf-8")


@cache
def position_parser(name: str) -> Lark:
    """The parser of positions in one line by the grammar of this name: LALR, built once."""
    return Lark(source(name), parser="lalr", start="position")
