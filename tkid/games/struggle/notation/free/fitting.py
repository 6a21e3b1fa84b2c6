"""Which legal turns have all the facts of a text: resolutions of cards, and the summonses behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from attrs import frozen

from tkid.games.struggle.notation.free.facts import Facts, Item, Summoned
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import (
    Copy,
    Exchange,
    Move,
    NoSummon,
    Play,
    Resolution,
    Shift,
    Summon,
    carried_out,
    transfers,
)
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Flow, Transfer
from tkid.kernel.ladder import Nothing

MOST_TRIED = 40
"""So many resolutions are tried with their summonses; where more fit, the text leaves too much open."""
REMEMBERED = 32
UNSAID, UNSAID_PLACE = 4, 2
"""How much it counts against a resolution that followers, or a place, are not mentioned."""
Turn = tuple[Move, ...]


@frozen(eq=False)
class Option:
    """A legal way to play a card, and the regions and courts that it touches."""

    game: Struggle
    card: str
    resolution: Resolution
    places: frozenset[int]

    @cached_property
    def flow(self) -> tuple[Transfer, ...]:
        """The followers that it moves, those together that go the same way."""
        return Flow.of(transfers(self.resolution), len(self.game.board.factions)).transfers

    @property
    def play(self) -> Play:
        """The move."""
        return Play(self.card, self.resolution)


@lru_cache(REMEMBERED)
def options(game: Struggle, position: Position, card: str) -> tuple[Option, ...]:
    """Every legal way to play a card."""
    return tuple(Option(game, card, resolution, _places(resolution)) for resolution in game.options(position, card))


def _places(resolution: Resolution) -> frozenset[int]:
    """The regions and courts that a resolution touches."""
    done = carried_out(resolution)
    if isinstance(done, Exchange):
        return frozenset({done.first, done.second})
    return frozenset([place for _, *ends in transfers(resolution) for place in ends if place != SUPPLY])


def fitting(game: Struggle, position: Position, card: str, facts: Facts) -> list[Play]:
    """The legal ways to play a card that have all facts of the action, those first that add least.

    Where no card is named, they add nothing.
    """
    said = {item.place for item in facts.items if item.place is not None}
    found: list[tuple[int, int, Play]] = []
    for option in options(game, position, card):
        unsaid = UNSAID_PLACE * len(option.places - said - {COURT})
        if not said <= option.places or (unsaid and not facts.cards) or not _agrees(option, facts):
            continue
        added = _added(option, facts)
        if added is not None and (facts.cards or not added):
            found.append((added + unsaid, len(found), option.play))
    return [play for _, _, play in sorted(found, key=lambda each: each[:2])]


def _agrees(option: Option, facts: Facts) -> bool:
    """Whether what is said beside followers and places agrees."""
    done = carried_out(option.resolution)
    if isinstance(done, Nothing):
        return not facts.items and facts.disc is None
    if facts.nothing or not _is_copied(option, facts) or not _is_all(option, facts):
        return False
    if isinstance(done, Exchange):
        disc = done.disc is None if facts.discless else facts.disc in {None, done.disc}
        return disc and not any(item.group is not None for item in facts.items)
    return facts.disc is None and (not isinstance(done, Shift) or _leads_on(done, facts))


def _is_copied(option: Option, facts: Facts) -> bool:
    """Whether the pile that is copied, and the card on it, are those that are named."""
    resolution = option.resolution
    if not isinstance(resolution, Copy):
        return facts.seat is None
    named = facts.cards[1].cards if len(facts.cards) > 1 else {resolution.card}
    return facts.seat in {None, resolution.seat} and resolution.card in named


def _is_all(option: Option, facts: Facts) -> bool:
    """Whether all followers go where all are said to go."""
    placed = [item.place for item in facts.items if item.group is None]
    return not facts.everything or len(placed) < len(facts.items) or not placed or option.places == {*placed}


def _leads_on(shift: Shift, facts: Facts) -> bool:
    """Whether followers go from the region that is named first to the second, where no word says otherwise."""
    ends = [item.place for item in facts.items if item.group is None and item.place is not None]
    unsaid = not any(item.way for item in facts.items)
    return not unsaid or len(ends) != 2 or ends == [shift.origin, shift.target]


def _added(option: Option, facts: Facts) -> int | None:
    """How much an option adds to the facts; None where a fact does not fit it."""
    if not facts.items or not option.flow:
        return 0
    groups = [item for item in facts.items if item.group is not None]
    places = [item for item in facts.items if item.group is None]
    if not all(any(_is_there(each, item) for each in option.flow) for item in places):
        return None
    left = _assigned(groups, list(option.flow))
    if left is None or (facts.everything and left and groups):
        return None
    return UNSAID * left


def _assigned(items: Sequence[Item], flow: list[Transfer]) -> int | None:
    """How many transfers are left when each item has one of its own; None where that cannot be."""
    if not items:
        return len(flow)
    first, *others = items
    for index, each in enumerate(flow):
        if _is_there(each, first) and _has(each.group, first):
            left = _assigned(others, flow[:index] + flow[index + 1 :])
            if left is not None:
                return left
    return None


def _has(group: Followers, item: Item) -> bool:
    """Whether a group is the item's: the same numbers, or at least them for factions of an open number."""
    assert item.group is not None
    return all(
        n == wanted or (faction in item.open and n > wanted)
        for faction, (n, wanted) in enumerate(zip(group, item.group, strict=True))
    )


def _is_there(each: Transfer, item: Item) -> bool:
    """Whether a transfer is where an item is, and of its kind."""
    if item.verb == "place" and each.origin != SUPPLY and item.group is not None and each.target == SUPPLY:
        return False
    if item.verb == "return" and each.target != SUPPLY:
        return False
    if item.place is None:
        return True
    if item.group is None:
        ends = {"from": (each.origin,), "to": (each.target,)}.get(item.way, each.ends)
        return item.place in ends
    if item.way:
        return item.place == (each.origin if item.way == "from" else each.target)
    natural = each.target if each.origin == SUPPLY else each.origin
    return item.place == natural or (each.between_regions and item.verb == "move" and item.place == each.target)


# -- whole turns ------------------------------------------------------------------------------------------


def turns(game: Struggle, position: Position, plays: Sequence[Play], summoned: Summoned | None) -> Iterator[Turn]:
    """The whole legal turns with some ways to play a card and what is said of the summons."""
    after = ((play, game.apply(position, play)[0]) for play in plays)
    for play, then in islice(after, MOST_TRIED):
        if then.decision != "summon":
            if summoned is None:
                yield (play,)
            continue
        yield from ((play, summons) for summons in summonses(game, then, summoned))


def summonses(game: Struggle, position: Position, summoned: Summoned | None) -> Iterable[Move]:
    """The legal summonses that are as they are said to be."""
    legal = game.legal(position)
    if summoned is None:
        return spread(legal)
    return [move for move in legal if is_summoned(move, summoned)]


def is_summoned(move: Move, summoned: Summoned) -> bool:
    """Whether a summons is as it is said to be."""
    if isinstance(move, NoSummon):
        return summoned.nobody or (summoned.faction is None and summoned.region is None)
    if not isinstance(move, Summon) or summoned.nobody:
        return False
    return summoned.faction in {None, move.faction} and summoned.region in {None, move.region}


def spread(legal: Iterable[Move]) -> list[Move]:
    """Summonses in an order in which the first ones differ: one of each faction, then the others."""
    first: Mapping[int, Move] = {}
    rest = []
    for move in legal:
        if isinstance(move, Summon) and move.faction not in first:
            first = {**first, move.faction: move}
        else:
            rest.append(move)
    return [*first.values(), *rest]
