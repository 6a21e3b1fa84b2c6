"""What a replay needs to know of a whole game: its power struggles, the passes, and what everybody has, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.rules.board import UNSTABLE, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.views import View
from tkid.render.tale import Chapter, Count, Tally

KIND = "struggle"


def chapters(game: Struggle, positions: Sequence[Position]) -> tuple[Chapter, ...]:
    """The power struggles in the order resolved, the one that goes on, and those to come."""
    return tuple(_chapters(game, positions))


def _chapters(game: Struggle, positions: Sequence[Position]) -> Iterator[Chapter]:
    board, end = game.board, len(positions) - 1
    first, resolved = 1, positions[end].struggles
    for number, region in enumerate(resolved):
        last = next(index for index, position in enumerate(positions) if len(position.struggles) > number)
        disc, named = positions[last].discs[region], _named(positions, region, last - 1)
        place = None if disc == UNSTABLE else disc
        sign = "" if place is None else board.factions[place].letter
        yield Chapter(KIND, board.name(region), first, last, named, board.outcome(disc), sign, place)
        first = last + 1
    region = positions[end].contested
    running = [] if region is None or positions[end].to_act is None else [region]
    for region in running:
        yield Chapter(KIND, board.name(region), first, end, _named(positions, region, end))
    yield from [Chapter(KIND, "", end + 1, end)] * (len(positions[end].track) - len(resolved) - len(running))


def _named(positions: Sequence[Position], region: int, last: int) -> int:
    """Since when a region has been contested that is so at a moment."""
    while last > 0 and positions[last - 1].contested == region:
        last -= 1
    return max(last, 0)


def quiet(_: Struggle, before: Position, after: Position) -> bool:
    """Whether nobody played a card between two positions."""
    return before.last_acted == after.last_acted


def tallies(game: Struggle, view: View, names: Sequence[str]) -> tuple[Tally, ...]:
    """The courts, and the regions that the factions control."""
    board, shown = game.board, view.shown
    control: Followers = tuple(shown.discs.count(place) for place in range(len(board.factions)))
    courts = zip(names, shown.courts, strict=True)
    lost = Count(shown.unstable, "", board.terms.lost)
    return (
        *(Tally(name, tuple(_count(game, court, place) for place in board.courtly)) for name, court in courts),
        Tally("Regions", (*(_count(game, control, place) for place in range(len(board.factions))), lost)),
    )


def _count(game: Struggle, followers: Followers, place: int) -> Count:
    faction = game.board.factions[place]
    return Count(followers[place], faction.letter, faction.name, place)
