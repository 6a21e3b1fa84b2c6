"""Whether what is printed is in colour: what was asked for, what the environment wants, what the terminal can."""

from __future__ import annotations

import os
import sys
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tkid.render.markup import Pen


class Colour(Enum):
    """When to print in colour; `auto`: to a terminal."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


ColourOption = Annotated[
    Colour, typer.Option("--color", help="In colour; auto: in a terminal, unless NO_COLOR is set.")
]


def pen(wanted: Colour = Colour.AUTO, *, err: bool = False) -> Pen:
    """The pen for standard output, or for standard error; print with `color=True`, so that what it writes stays in.

    What was asked for goes before the environment: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then TERM.
    """
    from tkid.render.markup import PLAIN, TERMINAL

    return TERMINAL if wanted is Colour.ALWAYS or (wanted is Colour.AUTO and _fits(err=err)) else PLAIN


def _fits(*, err: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return os.environ.get("TERM") != "dumb" and (sys.stderr if err else sys.stdout).isatty()
