"""Read and write the position of any game in one line, whose first word names the ruleset."""

from __future__ import annotations

import re

from tkid.kernel.game import AnyGame, Position
from tkid.notation.plugin import find_notation_plugin
from tkid.notation.position_errors import PositionError, make_position_problem, report_unexpected
from tkid.notation.text import make_plain
from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

__all__ = ["PositionError", "read_position", "write_position"]

CODE = re.compile(r"\s*[^\W\d_]+(?:\s*-\s*[^\W\d_]+)*\s*")


def write_position(game: AnyGame, position: Position) -> str:
    """Write a position in one line of text.

    Args:
        game: the game that is played.
        position: any position of it.

    Returns:
        The line; `read_position` reads it back.
    """
    return str(find_notation_plugin(game).positions.write_line(game, position))


def read_position(text: str) -> tuple[AnyGame, Position]:
    """Read the position in a line of text.

    Args:
        text: a position in one line, which begins with the code of a ruleset.

    Returns:
        The game and the position.

    Raises:
        PositionError: the text is no position; its `problems` have the columns.
    """
    typed = make_plain(text)
    code = CODE.match(typed)
    end = code.end() if code else 0
    if code is None or typed[end : end + 1] not in {"", ";"}:
        raise report_unexpected(text, end + len(typed[end:]) - len(typed[end:].lstrip()))
    name = "".join(code[0].split())
    try:
        game = ruleset(name).game()
    except UnknownRulesetError as error:
        raise PositionError(make_position_problem(str(error), 0, len(name))) from None
    return game, find_notation_plugin(game).positions.read_line(game, text)
