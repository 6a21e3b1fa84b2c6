"""What a replay needs to know of a whole game: its power struggles, the passes, and what everybody has, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.rules.board import UNSTABLE, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.views import View
from tkid.render.tale import Chapter, Count, Tally

KIND, LOST = "struggle", "\u2715"


def chapters(game: Struggle, positions: Sequence[Position]) -> tuple[Chapter, ...]:
    """The power struggles in the order resolved, the one that goes on, and those to come."""
    return tuple(_chapters(game, positions))


def _chapters(game: Struggle, positions: Sequence[Position]) -> Iterator[Chapter]:
    board, end = game.board, len(positions) - 1
    first, resolved = 1, positions[end].struggles
    for number, region in enumerate(resolved):
        last = next(index for index, position in enumerate(positions) if len(position.struggles) > number)
        disc, names = positions[last].discs[region], _names(game, positions, first - 1, last)
        place = None if disc == UNSTABLE else disc
        sign = LOST if place is None else board.factions[place].letter
        yield Chapter(KIND, names or ((last, board.name(region)),), first, last, board.outcome(disc), sign, place)
        first = last + 1
    running = _names(game, positions, first - 1, end + 1) if positions[end].to_act is not None else ()
    if running:
        yield Chapter(KIND, running, first, end)
    yield from [Chapter(KIND, (), end + 1, end)] * (len(positions[end].track) - len(resolved) - bool(running))


def _names(game: Struggle, positions: Sequence[Position], first: int, end: int) -> tuple[tuple[int, str], ...]:
    """The contested regions from one moment until before another, each with the moment at which it came to be so."""
    regions = [(moment, positions[moment].contested) for moment in range(first, end)]
    return tuple(
        (moment, game.board.name(region))
        for index, (moment, region) in enumerate(regions)
        if region is not None and (not index or regions[index - 1][1] != region)
    )


def quiet(_: Struggle, before: Position, after: Position) -> bool:
    """Whether nobody played a card or summoned a follower between two positions."""
    return (before.last_acted, before.courts) == (after.last_acted, after.courts)


def tallies(game: Struggle, view: View, names: Sequence[str]) -> tuple[Tally, ...]:
    """The courts, and the regions that the factions control."""
    board, shown = game.board, view.shown
    control: Followers = tuple(shown.discs.count(place) for place in range(len(board.factions)))
    courts = zip(names, shown.courts, strict=True)
    lost = Count(shown.unstable, LOST, board.terms.lost)
    return (
        *(Tally(name, tuple(_count(game, court, place) for place in board.courtly)) for name, court in courts),
        Tally("Regions", (*(_count(game, control, place) for place in range(len(board.factions))), lost)),
    )


def _count(game: Struggle, followers: Followers, place: int) -> Count:
    faction = game.board.factions[place]
    return Count(followers[place], faction.letter, faction.name, place)
