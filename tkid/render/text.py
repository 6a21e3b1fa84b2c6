"""Any game as text: a position in lines, and the reasons for its result."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.game import AnyGame, AnyView, Event, Position
from tkid.render.lines import PLAIN, Pen
from tkid.render.plugin import find_render_plugin


def position(game: AnyGame, view: AnyView, names: Sequence[str], events: Sequence[Event] = (), pen: Pen = PLAIN) -> str:
    """Write all that a seat may know of a position, in ASCII.

    Args:
        game: the game that is played.
        view: the position as the seat may know it.
        names: the players' names, in turn order.
        events: what happened last; it is added at the end.
        pen: writes plain text, or the colours of a terminal.

    Returns:
        Lines of at most 78 columns.
    """
    return find_render_plugin(game).format_position(game, view, names, events, pen)


def explain_game_result(game: AnyGame, position: Position, names: Sequence[str]) -> list[str]:
    """Return the comparisons that decided a game, one a line; [] while the game is being played."""
    chain = find_render_plugin(game).explain_result(game, position, names)
    return [f"{text} [{rule}]" if rule else text for text, rule in chain]
