"""Set-up: draw a deal, and check that it follows the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import add

from attrs import field, frozen

from tkid.games.struggle.rules.board import (
    HIDDEN,
    Board,
    Followers,
    add_followers,
    count_followers,
    count_people,
    replace_item,
    subtract_followers,
)
from tkid.games.struggle.rules.struggles import Arrivals
from tkid.kernel.chance import Chance
from tkid.kernel.pickling import Portable
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites


@frozen
class Deal(Portable):
    """The results of chance as data: courts and hands by seat, followers by region, the track, who starts."""

    regions: tuple[Followers, ...]
    supply: Followers
    courts: tuple[Followers, ...]
    hands: tuple[tuple[str, ...], ...]
    track: tuple[int, ...]
    first: int


@frozen
class Hands:
    """The cards of each player at the start: the same for all, and perhaps some drawn in secret by `rule` (a local id)."""

    same: tuple[str, ...]
    rule: str
    deck: tuple[str, ...] = ()
    dealt: int = 0

    @property
    def secret(self) -> bool:
        """True if some cards are dealt that the others may not know."""
        return bool(self.deck)

    @property
    def unknown(self) -> tuple[str, ...]:
        """A hand whose size alone is known; a hand that is no secret is known."""
        return (HIDDEN,) * (len(self.same) + self.dealt) if self.secret else self.same

    def draw(self, players: int, chance: Chance) -> tuple[tuple[str, ...], ...]:
        """Deal the hands in turn order, from the end of the shuffled deck; each in the order of the deck."""
        if not self.secret:
            return (self.same,) * players
        left = chance.shuffle(self.deck)
        dealt = ([left.pop() for _ in range(self.dealt)] for _ in range(players))
        return tuple(self.same + tuple(sorted(cards, key=self.deck.index)) for cards in dealt)

    def may_hold(self, card: str, own: Iterable[str], others: Iterable[str]) -> bool:
        """Return True if one of a seat's hidden cards may be this one: the deck has it once, and it is not in `own` or `others`."""
        mine = Counter(own)
        if card in self.deck:
            return card not in mine and card not in others and sum(mine[c] for c in self.deck) < self.dealt
        return mine[card] < self.same.count(card)

    def find_faults(self, ids: Ids, hands: tuple[tuple[str, ...], ...]) -> Iterator[Violation]:
        """Yield the faults of written hands; a hidden card may be any card."""
        size, starts = len(self.same) + self.dealt, f"a hand starts with {', '.join(self.same)}"
        drawn = Counter(card for hand in hands for card in hand if card in self.deck)
        for seat, hand in enumerate(hands):
            if hand == self.same and not self.secret:
                continue
            sentence = ""
            cunning = sum(card in self.deck for card in hand)
            lacking = Counter(self.same) - Counter(hand)
            excess = Counter(card for card in hand if card not in self.deck and card != HIDDEN) - Counter(self.same)
            twice = [card for card in dict.fromkeys(hand) if drawn[card] > 1]
            if not self.secret:
                sentence = "" if Counter(hand) == Counter(self.same) else starts
            elif len(hand) != size:
                sentence = f"a hand starts with {size} cards, not {len(hand)}"
            elif lacking.total() > hand.count(HIDDEN):
                sentence = f"{starts}: {', '.join(lacking.elements())} missing"
            elif cunning > self.dealt:
                sentence = f"{self.dealt} cunning cards are dealt to each, not {cunning}"
            elif excess:
                sentence = f"{starts}: one {next(iter(excess))} too many"
            elif twice:
                sentence = f"{twice[0]} is dealt twice: there is one of each cunning card"
            if sentence:
                yield Violation(ids(self.rule), sentence, f"Hand {seat}")


@frozen(eq=False)
class Setup:
    """The numbers of the set-up: followers of each faction by number of players, and how they are spread.

    `redraw` says for a number of players how many courts of one single faction make their players draw again; for
    other numbers nobody does. `arrivals` are followers that stand apart and are never drawn.
    """

    followers: Mapping[int, int] = field()
    home: int
    region: int
    court: int
    negotiation_discs: int
    redraw: Mapping[int, int] = field(factory=dict)
    arrivals: Arrivals | None = None

    def count_all_followers(self, board: Board, players: int) -> Followers:
        total = (self.followers[players],) * len(board.factions)
        return total if self.arrivals is None else replace_item(total, self.arrivals.faction, self.arrivals.number)

    def find_redrawn_seats(self, courts: Sequence[Followers]) -> tuple[int, ...]:
        """Return the seats that draw their courts again: each holds a single faction, and enough others do."""
        single = tuple(seat for seat, court in enumerate(courts) if max(court) == sum(court))
        enough = self.redraw.get(len(courts), 0)
        return single if 0 < enough <= len(single) else ()


@cache
def get_home_followers(setup: Setup, board: Board) -> tuple[Followers, ...]:
    regions = range(len(board.regions))
    return tuple(tuple(setup.home if home == region else 0 for home in board.homes) for region in regions)


@cache
def get_waiting_followers(setup: Setup, board: Board) -> tuple[Followers, ...]:
    """Return the followers that stand apart and are in a region from the start."""
    none = (0,) * len(board.factions)
    if setup.arrivals is None:
        return (none,) * len(board.regions)
    one = board.make_single(setup.arrivals.faction)
    return tuple(one if region in setup.arrivals.waiting else none for region in range(len(board.regions)))


@cites("ruling.start-player", "ruling.redraw")
def draw_struggle_deal(setup: Setup, board: Board, hands: Hands, players: int, chance: Chance) -> Deal:
    """Deal a game: courts in turn order, regions in the order of the list, the track, who starts, and last the hands.

    Where players have to draw their courts again, the followers go back behind those left in the bag, court by court in turn
    order and faction by faction, the whole bag is shuffled, and the same players draw in turn order.
    """
    kinds = range(len(board.factions))
    start = tuple(map(add_followers, get_home_followers(setup, board), get_waiting_followers(setup, board)))
    total = setup.count_all_followers(board, players)
    left = [total[faction] - sum(region[faction] for region in start) for faction in kinds]
    bag = chance.shuffle(faction for faction in board.courtly for _ in range(left[faction]))

    def take(count: int) -> Followers:
        return count_followers([bag.pop() for _ in range(count)], len(kinds))

    courts = [take(setup.court) for _ in range(players)]
    while again := setup.find_redrawn_seats(courts):
        bag = chance.shuffle([*bag, *(f for seat in again for f in kinds for _ in range(courts[seat][f]))])
        for seat in again:
            courts[seat] = take(setup.court)
    regions = tuple(add_followers(home, take(setup.region - sum(home))) for home in start)
    supply = tuple(map(add, take(len(bag)), (0 if f in board.courtly else left[f] for f in kinds)))
    track = tuple(chance.shuffle(range(len(board.regions))))
    first = chance.draw_below(players)
    return Deal(regions, supply, tuple(courts), hands.draw(players, chance), track, first)


@cites("setup.two-players")
def find_struggle_faults(setup: Setup, board: Board, ids: Ids, hands: Hands, deal: Deal) -> Iterator[Violation]:
    """Yield the faults of a written set-up; the part of each violation is the name of the faulty line."""
    yield from _find_region_faults(setup, board, ids, deal)
    yield from _find_court_faults(setup, board, ids, deal)
    expected = setup.count_all_followers(board, len(deal.courts))
    total = tuple(map(sum, zip(deal.supply, *deal.regions, *deal.courts, strict=True)))
    wrong = [count_people(board, i, n) for i, n in enumerate(total) if n != expected[i]]
    if wrong:
        each = " and ".join(f"{n} followers of {who}" for n, who in _count_by_faction(board, expected))
        sentence = f"with {len(deal.courts)} players there are {each}, but here are {', '.join(wrong)}"
        yield Violation(ids("setup.supply"), sentence, "Supply")
    yield from hands.find_faults(ids, deal.hands)


def _find_region_faults(setup: Setup, board: Board, ids: Ids, deal: Deal) -> Iterator[Violation]:
    names = [region.name for region in board.regions]
    alone, waiting = setup.arrivals, get_waiting_followers(setup, board)
    for index, (followers, home) in enumerate(zip(deal.regions, get_home_followers(setup, board), strict=True)):
        if sum(followers) != setup.region:
            sentence = f"{names[index]} starts with {setup.region} followers, not {sum(followers)}"
            yield Violation(ids("setup.regions"), sentence, names[index])
        elif min(subtract_followers(followers, home)) < 0:
            sentence = f"{names[index]} is a home: {board.format_counts(home)} of its followers start there"
            yield Violation(ids("setup.homes"), sentence, names[index])
        elif alone is not None and followers[alone.faction] != waiting[index][alone.faction]:
            here = waiting[index][alone.faction] or "no"
            sentence = f"{names[index]} starts with {here} {board.factions[alone.faction].name} follower"
            yield Violation(ids("mordred.setup"), sentence, names[index])


def _find_court_faults(setup: Setup, board: Board, ids: Ids, deal: Deal) -> Iterator[Violation]:
    for seat, court in enumerate(deal.courts):
        if sum(court) != setup.court:
            sentence = f"a court starts with {setup.court} followers, not {sum(court)}"
            yield Violation(ids("setup.courts"), sentence, f"Court {seat}")
        elif any(board.factions[f].apart and n for f, n in enumerate(court)):
            sentence = f"no court starts with followers that stand apart, but this one has {board.group(court)}"
            yield Violation(ids("mordred.setup"), sentence, f"Court {seat}")
    for seat in setup.find_redrawn_seats(deal.courts):
        others = "" if setup.redraw[len(deal.courts)] == 1 else ", like another court"
        sentence = f"{board.group(deal.courts[seat])} has only one faction{others}, so it must be drawn again"
        yield Violation(ids("setup.redraw"), sentence, f"Court {seat}")


def _count_by_faction(board: Board, total: Followers) -> Iterator[tuple[int, str]]:
    """Yield the number of followers of each faction, once for all that are alike, then for those that stand apart."""
    yield total[board.courtly[0]], "each faction"
    yield from ((n, board.factions[f].name) for f, n in enumerate(total) if f not in board.courtly)
