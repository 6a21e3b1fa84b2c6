"""A learned value on trial: small networks of whole numbers, which give the same value on every machine.

A position, as one seat looks at it, consists of parts: each open region, the courts of each faction, the hand of each seat, and
so on. A part switches on inputs, of a faction or of the whole. Every input has a row of weights, and the rows are added up.
Each faction has the same units, which see its own inputs, the sum of all factions' inputs, and those of the whole. So nothing
but the cards in hand depends on which faction is which. From its units follow how likely a faction is to be first, and how
likely the seat's party is to lead at court then; from all units together the same for an invasion. The value is the mean of these chances.

Numbers stand in lanes of one large whole number, so that one addition adds a whole row. Nothing but Python is needed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import sqrt
from operator import mul
from typing import Any
from zlib import decompress

from attrs import define, field, fields, frozen

from tkid.bots.player import add_in_order
from tkid.games.struggle.bots.outlook import Outlook, estimate_lasting
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Position
from tkid.games.struggle.rules.game import Struggle

UNITS, HEADS = 32, 4
"""Number of units for each faction, and of what follows from them: first and lead of a faction, and of an invasion."""
ONE = 127
"""The whole number that stands for 1 in the first layer."""
FINE = 1 << 10
"""The whole number that stands for 1 in the weights of what follows from them."""
LANE, WIDE = 16, 32
"""Bits of a lane in the first layer, and of one that adds up what follows."""
SHARE = 0.5
"""The share of a network in the value, unless another one is asked for."""
REMEMBERED = 1 << 15
PARTS_OF_FACTION = {
    "count": 8 * 6, "lead": 8 * 7, "passed": 7, "discs": 7, "ahead": 7, "latest": 4, "court": 4 * 9, "best": 13, "supply": 10,
    "support": 4 * 3,
}  # fmt: skip
PARTS_OF_WHOLE = {
    "one": 1, "margin": 8 * 4, "apart": 8 * 3, "sets": 7, "own": 5, "need": 2 * 4, "fallen": 5 * 9, "cards": 3 * 100,
    "open": 4 * 90, "passes": 4, "turn": 4, "acted": 5, "emptied": 5, "starter": 5, "stays": 4 * 4,
}  # fmt: skip
"""Numbers of inputs by kind; those of the cards in hand come last."""
MOMENT = ("passes", "turn", "acted", "emptied", "starter")
MOST_EQUAL = 2
"""Number of equal cards in a hand that count, at most."""

Part = tuple[Any, ...]
Input = tuple[int, int]
"""A faction, or -1 for the whole, and the index among its inputs."""


def _find_starts(kinds: dict[str, int]) -> dict[str, int]:
    return dict(zip(kinds, accumulate(kinds.values(), initial=0), strict=False))


OF_FACTION, OF_WHOLE = _find_starts(PARTS_OF_FACTION), _find_starts(PARTS_OF_WHOLE)
FACTION_INPUTS, WHOLE_INPUTS = sum(PARTS_OF_FACTION.values()), sum(PARTS_OF_WHOLE.values())


def _clip(value: int, most: int) -> int:
    return max(-most, min(most, value)) + most


@frozen
class Features:
    """The inputs of one game."""

    game: Struggle
    players: int
    cards: dict[str, int] = field(init=False)
    """The index of each card's name."""
    supports: dict[str, int] = field(init=False)
    """The faction of each card that is named after one."""

    @cards.default
    def _(self) -> dict[str, int]:
        names = dict.fromkeys([*self.game.hands.same, *self.game.hands.deck])
        return {card: index for index, card in enumerate(names)}

    @supports.default
    def _(self) -> dict[str, int]:
        named = enumerate(self.game.board.factions)
        return {card: f for f, each in named for card in self.cards if card.startswith((each.name, each.people))}

    @property
    def whole(self) -> int:
        """Count the inputs of the whole."""
        return WHOLE_INPUTS + 4 * MOST_EQUAL * len(self.cards)

    def list_parts(self, position: Position, seat: int) -> list[Part]:
        """List the parts of a position as a seat looks at it; each determines its inputs."""
        discs, players, courtly = position.discs, self.players, self.game.board.courtly
        turned = [*range(seat, players), *range(seat)]
        order = [region for region in position.track if discs[region] == OPEN]
        passed = position.passes > 0
        parts: list[Part] = [
            ("region", space, position.regions[region], passed and not space) for space, region in enumerate(order)
        ]
        courts = [position.courts[each] for each in turned]
        parts += [("court", faction, tuple([court[faction] for court in courts])) for faction in courtly]
        hands = [position.hands[each] for each in turned]
        parts += [("hand", space, hand) for space, hand in enumerate(hands)]
        won = tuple([discs.count(faction) for faction in courtly])
        latest = tuple(dict.fromkeys([discs[region] for region in reversed(position.struggles)]))
        parts.append(("sets", tuple(courts)))
        parts.append(("discs", won, latest))
        parts.append(("supply", position.supply))
        parts.append(("tempo", tuple(map(len, hands)), len(order), self.game.invaders - discs.count(UNSTABLE)))
        acted, emptied = (
            _find_turned(turned, times, last=last) for times, last in ((position.last_acted, 1), (position.emptied, 0))
        )
        starter = players if position.starter is None else turned.index(position.starter)
        stays = tuple([position.negotiation_discs[each] for each in turned]) if position.negotiation_discs else ()
        moves = turned.index(position.to_act) if position.to_act is not None else 0
        parts.append(("rest", (min(position.passes, 3), moves, acted, emptied, starter), stays))
        return parts

    def list_inputs(self, part: Part) -> Iterator[Input]:
        """The inputs that a part switches on."""
        found: Iterator[Input] = getattr(self, f"_list_{part[0]}")(*part[1:])
        return found

    def _list_region(self, space: int, followers: Sequence[int], passed: bool) -> Iterator[Input]:  # noqa: FBT001 - one of a part
        for faction in self.game.board.courtly:
            count = followers[faction]
            lead = _clip(count - max([*followers[:faction], *followers[faction + 1 :]]), 3)
            yield faction, OF_FACTION["count"] + 6 * space + min(count, 5)
            yield faction, OF_FACTION["lead"] + 7 * space + lead
            if passed:
                yield faction, OF_FACTION["passed"] + lead
        most, second = sorted(followers, reverse=True)[:2]
        yield -1, OF_WHOLE["margin"] + 4 * space + min(most - second, 3)
        for faction in self.game.board.apart:
            yield -1, OF_WHOLE["apart"] + 3 * space + min(followers[faction], 2)

    def _list_court(self, faction: int, counts: Sequence[int]) -> Iterator[Input]:
        for space, count in enumerate(counts):
            yield faction, OF_FACTION["court"] + 9 * space + min(count, 8)
        ours, theirs = self._part_seats(counts)
        yield faction, OF_FACTION["best"] + _clip(max(ours) - max(theirs), 6)

    def _part_seats(self, each: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        """Part what belongs to seats into that of the seat's own party, and that of the others."""
        return (each[::2], each[1::2]) if self.players == 4 else (each[:1], each[1:])

    def _list_hand(self, space: int, hand: Sequence[str]) -> Iterator[Input]:
        for card, index in self.cards.items():
            if count := min(hand.count(card), MOST_EQUAL):
                yield -1, WHOLE_INPUTS + MOST_EQUAL * (len(self.cards) * space + index) + count - 1
        for faction in self.game.board.courtly:
            held = sum(self.supports.get(card) == faction for card in hand)
            yield faction, OF_FACTION["support"] + 3 * space + min(held, 2)

    def _list_sets(self, courts: Sequence[Sequence[int]]) -> Iterator[Input]:
        ours, theirs = self._part_seats(courts)
        united = self.players == 4
        sides = [_add_courts(ours), *([_add_courts(theirs)] if united else theirs)]
        sets = [min(side[faction] for faction in self.game.board.courtly) for side in sides]
        best = max(range(1, len(sides)), key=lambda index: sets[index])
        yield -1, OF_WHOLE["one"]
        yield -1, OF_WHOLE["sets"] + _clip(sets[0] - sets[best], 3)
        yield -1, OF_WHOLE["own"] + min(sets[0], 4)
        for space, index in enumerate((0, best)):
            lacks = sum(sides[index][faction] == sets[index] for faction in self.game.board.courtly)
            yield -1, OF_WHOLE["need"] + 4 * space + lacks

    def _list_discs(self, won: Sequence[int], latest: Sequence[int]) -> Iterator[Input]:
        courtly = self.game.board.courtly
        ranked = [faction for faction in latest if faction in courtly]
        for index, faction in enumerate(courtly):
            yield faction, OF_FACTION["discs"] + min(won[index], 6)
            yield faction, OF_FACTION["ahead"] + _clip(won[index] - max([*won[:index], *won[index + 1 :]]), 3)
            yield faction, OF_FACTION["latest"] + (ranked.index(faction) if faction in ranked else 3)

    def _list_supply(self, supply: Sequence[int]) -> Iterator[Input]:
        for faction in self.game.board.courtly:
            yield faction, OF_FACTION["supply"] + min(supply[faction] // 2, 9)

    def _list_tempo(self, cards: Sequence[int], left: int, falls: int) -> Iterator[Input]:
        held = [min(each, 9) for each in cards]
        for space, other in enumerate(held[1:]):
            yield -1, OF_WHOLE["cards"] + 100 * space + 10 * held[0] + other
        for space, each in enumerate(held):
            yield -1, OF_WHOLE["open"] + 90 * space + 10 * left + each
        yield -1, OF_WHOLE["fallen"] + 9 * max(falls, 0) + left

    def _list_rest(self, moment: Sequence[int], stays: Sequence[int]) -> Iterator[Input]:
        yield from ((-1, OF_WHOLE[kind] + index) for kind, index in zip(MOMENT, moment, strict=True))
        yield from ((-1, OF_WHOLE["stays"] + 4 * space + min(each, 3)) for space, each in enumerate(stays))


def _find_turned(turned: Sequence[int], times: Sequence[int | None], *, last: int) -> int:
    """Return which seat did something last, or first; the number of seats if none did."""
    known = [(time, turned.index(seat)) for seat, time in enumerate(times) if time is not None]
    return (max(known) if last else min(known))[1] if known else len(turned)


def _add_courts(courts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*courts, strict=True)))


def pack_lanes(numbers: Sequence[int], bits: int) -> int:
    """Numbers side by side in one, each in so many bits."""
    return sum([number << bits * lane for lane, number in enumerate(numbers)])


MIDDLE = pack_lanes([1 << WIDE - 1] * HEADS, WIDE)
"""What is added to a row of sums, so that no lane is less than 0."""


@define(eq=False)
class Network:
    """The weights of one game for a number of players, `rows` of each input for the first layer.

    `of_whole` are the rows of the whole, `of_all` those of each faction's inputs for all factions' units, and `of_own` for
    its own; `heads` are the rows of units for what follows from them, with their `constants`.
    """

    features: Features
    of_whole: Sequence[Sequence[int]]
    of_all: Sequence[Sequence[int]]
    of_own: Sequence[Sequence[int]]
    heads: Sequence[int]
    constants: Sequence[int]
    _sums: dict[Part, int] = field(init=False, factory=dict)
    _middle: int = field(init=False)
    _clipped: bytes = field(init=False)

    @_middle.default
    def _(self) -> int:
        return pack_lanes([1 << LANE - 1] * (UNITS * len(self.features.game.board.courtly)), LANE)

    @_clipped.default
    def _(self) -> bytes:
        half = 1 << LANE - 1
        return bytes(half) + bytes(range(ONE)) + bytes([ONE]) * (half - ONE)

    def list_heads(self, position: Position, seat: int) -> list[tuple[int, int]]:
        """List for each faction, and at the end for an invasion, how likely it comes first and the seat's party leads, as whole numbers."""
        sums, whole = self._sums, self._middle
        for part in self.features.list_parts(position, seat):
            found = sums.get(part)
            if found is None:
                found = self._remember(part)
            whole += found
        clipped, heads, half = self._clipped, self.heads, 1 << WIDE - 1
        count = UNITS * len(self.features.game.board.courtly)
        units = [clipped[lane] for lane in struct.unpack(f"<{count}H", whole.to_bytes(2 * count, "little"))]
        first, lead, fall, left = self.constants
        scores = []
        for at in range(0, count, UNITS):
            total = sum(map(mul, units[at : at + UNITS], heads)) + MIDDLE
            one, two, three, four = struct.unpack("<4I", total.to_bytes(4 * HEADS, "little"))
            scores.append((first + one - half, lead + two - half))
            fall, left = fall + three - half, left + four - half
        return [*scores, (fall, left)]

    def estimate(self, position: Position, seat: int) -> float:
        """Estimate the chance of a seat's party."""
        total = good = 0.0
        for first, lead in self.list_heads(position, seat):
            x, y = first / (ONE * FINE), lead / (ONE * FINE)
            rise = x + sqrt(1 + x * x)
            total += rise * rise
            good += rise * rise * estimate_lasting(y, 1.0)
        return good / total

    def _remember(self, part: Part) -> int:
        """Add up the rows of a part's inputs, the lanes of one faction's units after those of another."""
        if len(self._sums) >= REMEMBERED:
            self._sums.clear()
        courtly = self.features.game.board.courtly
        lanes = [[0] * UNITS for _ in courtly]
        for faction, index in self.features.list_inputs(part):
            for each, units in zip(courtly, lanes, strict=True):
                rows = [self.of_whole[index]] if faction < 0 else [self.of_all[index]]
                if each == faction:
                    rows.append(self.of_own[index])
                for row in rows:
                    units[:] = map(int.__add__, units, row)
        found = self._sums[part] = pack_lanes([unit for units in lanes for unit in units], LANE)
        return found

    def evaluate(self, position: Position) -> tuple[float, ...]:
        """Estimate the chance of each party in a position in which a turn is due."""
        seat, parties = position.to_act, self.features.game.parties[self.features.players]
        assert seat is not None
        if len(parties) == 2:
            mine = self.estimate(position, seat)
            return (mine, 1 - mine) if seat in parties[0] else (1 - mine, mine)
        found = [self.estimate(position, party[0]) for party in parties]
        whole = add_in_order(found)
        return tuple([each / whole for each in found])


def read_network(features: Features, packed: bytes) -> Network:
    """Read weights: those of units have one byte, those of what follows from them two."""
    read, at = decompress(packed), 0

    def take(number: int, width: int, kind: str) -> list[tuple[int, ...]]:
        nonlocal at
        size = struct.calcsize(kind) * width * number
        at += size
        return list(struct.iter_unpack(f"<{width}{kind}", read[at - size : at]))

    whole, alike, own = (take(number, UNITS, "b") for number in (features.whole, FACTION_INPUTS, FACTION_INPUTS))
    heads = [pack_lanes(row, WIDE) for row in take(UNITS, HEADS, "h")]
    (constants,) = take(1, HEADS, "h")
    return Network(features, whole, alike, own, heads, [ONE * each for each in constants])


@frozen(kw_only=True)
class LearnedOutlook(Outlook):
    """An evaluation in whose value a network has a share."""

    learned: Network
    share: float

    def evaluate(self, position: Position) -> tuple[float, ...]:
        """The chance of each party."""
        usual = super().evaluate(position)
        if position.decision in {None, "plot"}:
            return usual
        learned = self.learned.evaluate(position)
        return tuple([a + (b - a) * self.share for a, b in zip(usual, learned, strict=True)])


def add_network(outlook: Outlook, packed: bytes, share: float) -> LearnedOutlook:
    """The same evaluation with a network that has a share in its value."""
    players = sum(map(len, outlook.parties))
    network = read_network(Features(outlook.game, players), packed)
    known = {each.name: getattr(outlook, each.name) for each in fields(Outlook)}
    return LearnedOutlook(**known, learned=network, share=share)
