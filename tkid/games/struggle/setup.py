"""Set-up: what is dealt before the game, how it is drawn, and whether it is as the rules ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import field, frozen

from tkid.games.struggle.board import Board, Followers, minus, plus
from tkid.kernel.chance import Chance
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites


@frozen
class Deal:
    """All that chance decides, as data: courts and hands by seat, followers by region, the track, who starts."""

    regions: tuple[Followers, ...]
    supply: Followers
    courts: tuple[Followers, ...]
    hands: tuple[tuple[str, ...], ...]
    track: tuple[int, ...]
    first: int


@frozen
class Setup:
    """The numbers of the set-up: followers of each faction by number of players, and how they are spread."""

    followers: Mapping[int, int] = field()
    home: int
    region: int
    court: int
    negotiation_discs: int

    def homes(self, board: Board) -> tuple[Followers, ...]:
        """The followers that stand in their homes before anything is drawn."""
        count = range(len(board.factions))
        return tuple(
            tuple(self.home if board.homes[faction] == region else 0 for faction in count)
            for region in range(len(board.regions))
        )


@cites("ruling.start-player")
def draw(setup: Setup, board: Board, hand: tuple[str, ...], players: int, chance: Chance) -> Deal:
    """Deal a game: courts in turn order, then regions in the order of the list, then the track, then who starts."""
    kinds = range(len(board.factions))
    start = setup.homes(board)
    left = [setup.followers[players] - sum(region[faction] for region in start) for faction in kinds]
    bag = chance.shuffled(faction for faction in kinds for _ in range(left[faction]))

    def take(count: int) -> Followers:
        drawn = [bag.pop() for _ in range(count)]
        return tuple(drawn.count(faction) for faction in kinds)

    courts = tuple(take(setup.court) for _ in range(players))
    regions = tuple(plus(home, take(setup.region - sum(home))) for home in start)
    supply = take(len(bag))
    track = tuple(chance.shuffled(range(len(board.regions))))
    return Deal(regions, supply, courts, (hand,) * players, track, chance.below(players))


@cites("setup.two-players")
def faults(setup: Setup, board: Board, ids: Ids, hand: tuple[str, ...], deal: Deal) -> Iterator[Violation]:
    """What is not as the set-up asks; the part of each violation is the name of the line that is at fault."""
    names = [region.name for region in board.regions]
    for index, (followers, home) in enumerate(zip(deal.regions, setup.homes(board), strict=True)):
        if sum(followers) != setup.region:
            told = f"{names[index]} starts with {setup.region} followers, not {sum(followers)}"
            yield Violation(ids("setup.regions"), told, names[index])
        elif min(minus(followers, home)) < 0:
            told = f"{names[index]} is a home: {board.counted(home)} of its followers stand there from the start"
            yield Violation(ids("setup.homes"), told, names[index])
    for seat, court in enumerate(deal.courts):
        if sum(court) != setup.court:
            told = f"a court starts with {setup.court} followers, not {sum(court)}"
            yield Violation(ids("setup.courts"), told, f"Court {seat}")
    expected = setup.followers[len(deal.courts)]
    total = deal.supply
    for group in (*deal.regions, *deal.courts):
        total = plus(total, group)
    wrong = [f"{n} {board.factions[i].name}" for i, n in enumerate(total) if n != expected]
    if wrong:
        told = f"with {len(deal.courts)} players there are {expected} followers of each faction; here are {', '.join(wrong)}"
        yield Violation(ids("setup.supply"), told, "Supply")
    for seat, cards in enumerate(deal.hands):
        if sorted(cards) != sorted(hand):
            yield Violation(ids("setup.hands"), f"a hand starts with {', '.join(hand)}", f"Hand {seat}")
