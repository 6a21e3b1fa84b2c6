"""The turns that look best: cards by what they change, then summonses for the best of them, then the positions themselves.

What a change is worth is estimated from slopes. Only the turns that look best by that are played with the engine, and
evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import nlargest
from operator import itemgetter
from typing import Any

from attrs import frozen

from tkid.bots.player import Turn
from tkid.games.struggle.bots.changes import ways
from tkid.games.struggle.bots.outlook import Outlook
from tkid.games.struggle.bots.slopes import Slopes
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import Exchange, Move, Play, carried_out
from tkid.games.struggle.rules.position import Position

OF_EACH_CARD = 1
"""So many ways to play each card are looked at at least."""
SUMMONS = 3
"""So many summonses are looked at after each way to play a card."""

by_estimate = itemgetter(0)


@frozen
class Sketch:
    """A turn that is played up to its last move: its first moves, where they lead, and that last move."""

    moves: Turn
    position: Position
    move: Move


Ranked = tuple[Turn, Position, tuple[float, ...]]
"""A turn, the position after it, and what that is worth for each party."""


def ranked(outlook: Outlook, position: Position, most: int) -> list[Ranked]:
    """The turns that look best, best first; a pass is always among them where more than one is asked for."""
    party = outlook.party(position.to_act)
    found: dict[Position, Ranked] = {}
    for sketch in _sketches(outlook, position, most):
        after, _ = outlook.game.apply(sketch.position, sketch.move)
        if after not in found:
            found[after] = (*sketch.moves, sketch.move), after, outlook.values(after)
    best = sorted(found.values(), key=lambda each: each[2][party], reverse=True)
    passed = [each for each in best[most:] if each[0] == (PASS,)] if most > 1 else []
    return [*best[: most - len(passed)], *passed]


def _sketches(outlook: Outlook, position: Position, most: int) -> list[Sketch]:
    """The turns to look at, as many as are asked for."""
    game = outlook.game
    if position.decision == "plot":
        return [Sketch((), position, move) for move in game.legal(position)]
    slopes = Slopes(outlook, position)
    if position.decision == "summon":
        return [sketch for _, sketch in _summonses(slopes, (), position, game.legal(position), most=most)]
    alone = _summonses(slopes, (), position, game.summons.without_action(position))
    found = [*alone, *_actions(slopes, position, most)]
    return [Sketch((), position, PASS), *[sketch for _, sketch in nlargest(most, found, key=by_estimate)]]


def _actions(slopes: Slopes, position: Position, most: int) -> Iterator[tuple[float, Sketch]]:
    """Turns with a card, each with its estimate."""
    game = slopes.outlook.game
    assert position.to_act is not None
    best: list[tuple[float, Play]] = []
    others: list[tuple[float, Play]] = []
    for card in game.held(position, position.to_act):
        first = nlargest(most, _estimated(slopes, game.options(position, card)), key=by_estimate)
        plays = [(gain, Play(card, resolution)) for gain, resolution in first]
        best += plays[:OF_EACH_CARD]
        others += plays[OF_EACH_CARD:]
    for gain, play in [*best, *nlargest(most * 2 // 3 - len(best), others, key=by_estimate)]:
        after, _ = game.apply(position, play)
        yield from _summonses(slopes, (play,), after, game.legal(after), gain, SUMMONS)


def _estimated(slopes: Slopes, options: Any) -> list[tuple[float, Any]]:
    """Every way to play a card, with its estimate."""
    gain = slopes.gain
    return [
        (gain(change) if change else _unmoved(slopes, resolution), resolution)
        for group in ways(options)
        for resolution, change in group
    ]


def _unmoved(slopes: Slopes, resolution: Any) -> float:
    """What it is worth to play a card that moves no follower."""
    done = carried_out(resolution)
    return slopes.exchanged(done) if isinstance(done, Exchange) else 0.0


def _summonses(  # noqa: PLR0917 - the turn so far, and what may follow
    slopes: Slopes,
    moves: Turn,
    position: Position,
    legal: Iterable[Move],
    gain: float = 0.0,
    most: int | None = None,
) -> list[tuple[float, Sketch]]:
    """The summonses that may follow, the best first and not more than `most`, each with the estimate of the whole turn."""
    estimated = [(gain + slopes.summoned(position, move), move) for move in legal]
    estimated.sort(key=by_estimate, reverse=True)
    return [(estimate, Sketch(moves, position, move)) for estimate, move in estimated[:most]]
