"""Finding the grammar files: each family has its own, by names that begin with it."""

from __future__ import annotations

from pathlib import Path

INSTALLED = Path(__file__).parents[1] / "grammar"
CHECKED_OUT = Path(__file__).parents[2] / "grammar"


def source(name: str) -> str:
    """The text of a grammar: from the wheel, or from the top of a checked-out tree."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKED_OUT
    return (folder / f"{name}.lark").read_text("utf-8")
