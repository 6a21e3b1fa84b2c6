"""Speed of the arrows of the last turn, for `python -m benchmarks.pictures`: searched for, and remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tkid.games.struggle.render.arrows import draw_arrows, find_route
from tkid.games.struggle.render.scene import Scene
from tkid.record.play.replay import Replay
from tkid.render.frames import last_turn


def arrows_report(replay: Replay, best: Callable[[Callable[[], object]], float], yardstick: float) -> str:
    """What an arrow of a game costs in milliseconds, new and known, and how many turns have no room for theirs."""
    game: Any = replay.record.game
    moments: list[Any] = list(replay.moments)
    scenes = [
        Scene(game, moment.position, None, replay.record.names, last_turn(replay, index, None))
        for index, moment in enumerate(moments)
    ]
    moving = [scene for scene in scenes if any(transfer.between_regions for transfer in scene.moved)]
    if not moving:
        return "no turn of this game has one"
    new, known = best(partial(_draw, moving, forget=True)), best(partial(_draw, moving))
    missing = sum(not draw_arrows(scene).svg for scene in moving)
    each = new / len(moving)
    return (
        f"{each:9.2f} ms a new one, {known / len(moving):.2f} a known one, wanted: under 5; ratio {yardstick / each:.2f}; "
        f"{missing} of {len(moving)} without room"
    )


def _draw(scenes: list[Scene], *, forget: bool = False) -> None:
    if forget:
        find_route.cache_clear()
    for scene in scenes:
        draw_arrows(scene)
