"""Whether a written position is one of a game: the engine says what follows, and the line has to say the same."""

from __future__ import annotations

import re
from typing import Any

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.notation.positions import write_position
from tkid.record.plugin import record_plugin
from tkid.rulebook import cites

RULE = "record.position"
DECISION = re.compile(r"(?<=;)\s*((?:to|ended)\s[^;]*?)\s*(?=;|$)", re.IGNORECASE)
"""The clause with the next decision, or with the ending and the winners."""


@cites("record.position")
def contradiction(game: AnyGame, position: Any, line: str) -> Problem | None:
    """What in a written position contradicts the rest of it.

    Args:
        game: the game, under the readings of the record.
        position: the position that the line states.
        line: the line.

    Returns:
        The problem, with its column in the line; None where the engine comes to the same decision, ending and winners.
    """
    settled = record_plugin(game).settled(game, position)
    if settled == position:
        return None
    stated, follows = (write_position(game, each).rpartition("; ") for each in (position, settled))
    clause = DECISION.search(line)
    start, end = clause.span(1) if clause else (0, len(line))
    message = f"`{stated[2]}` contradicts the rest of the position"
    same = stated[0] == follows[0]
    hint = f"Write `{follows[2]}`." if same else f"From here the game comes to: {''.join(follows)}"
    fixes = (Fix(follows[2], Scope.PLACE),) if same else ()
    return Problem(Kind.ILLEGAL, RULE, message, col=start + 1, length=max(1, end - start), hint=hint, fixes=fixes)
