"""Any game as text: a position in lines, and the reasons for its result."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.game import AnyGame, AnyView, Event, Position
from tkid.render.lines import PLAIN, WIDTH, Pen, event_block, make_printable
from tkid.render.plugin import find_render_plugin, tell_events


def draw_position(
    game: AnyGame, view: AnyView, names: Sequence[str], events: Sequence[Event] = (), pen: Pen = PLAIN
) -> str:
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
    names = list(map(make_printable, names))
    heading, *rest = find_render_plugin(game).list_blocks(game, view, names)
    blocks = [[*heading, "=" * WIDTH], *rest]
    if events:
        blocks.append(event_block(tell_events(game, (event.seen(view.seat) for event in events), names)))
    return pen("\n\n".join(map("\n".join, blocks)) + "\n")


def explain_game_result(game: AnyGame, position: Position, names: Sequence[str]) -> list[str]:
    """Return the comparisons that decided a game, one a line; [] while the game is being played."""
    chain = find_render_plugin(game).explain_result(game, position, names)
    return [f"{text} [{rule}]" if rule else text for text, rule in chain]
