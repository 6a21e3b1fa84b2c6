"""A value learned from games: a small network of whole numbers, which gives the same chance on every machine.

It judges what one seat sees. Its inputs are whole numbers: what the evaluation expects of regions, factions and courts, the
cards, and the moment. One large number holds the weights of an input in lanes, so that one multiplication serves all
units. `benchmarks/train` makes the weights.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import sqrt
from operator import mul

from attrs import define, field, frozen

from tkid.bots.player import add_in_order
from tkid.games.struggle.bots.outlook import (
    Expectation,
    Outlook,
    estimate_lasting,
    find_struggle_weights,
    name_weights_table,
)
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.values import derive

UNITS = 32
LIMIT = 127
"""Greatest weight in the first layer."""
LANE = 32
"""Bits of a lane."""
HALF = 1 << LANE - 1
FINE = 1 << 22
"""The output's unit: 1.0 as a whole number."""
FOLDER = "networks"
"""The folder with the files of weights."""
SLOTS = 8
"""Number of regions on the track."""
REMEMBERED = 1 << 14


def list_inputs(outlook: Outlook, position: Position, seats: Sequence[int]) -> list[list[int]]:
    """List what a network sees of a position from each of these seats."""
    expected = outlook.expect(position)
    standing = outlook.standing.estimate(position) if outlook.standing else expected.chances
    return [_Scene(outlook, position, expected, standing, seat).list_inputs() for seat in seats]


@define(eq=False)
class _Scene:
    """A position as a seat sees it; `parties` begins with the seat's own, `order` with the faction that is likely to rule."""

    outlook: Outlook
    position: Position
    expected: Expectation
    standing: Sequence[float]
    seat: int
    mine: int = derive(lambda self: self.outlook.find_party(self.seat))
    parties: Sequence[tuple[int, ...]] = derive(
        lambda self: (*self.outlook.parties[self.mine :], *self.outlook.parties[: self.mine])
    )
    order: list[int] = field(init=False)

    @order.default
    def _(self) -> list[int]:
        first, court = self.expected.first, self.position.courts[self.seat]
        return sorted(self.outlook.game.board.courtly, key=lambda faction: (-first[faction], -court[faction], faction))

    def list_inputs(self) -> list[int]:
        chances = self.expected.chances[self.mine], self.standing[self.mine]
        return [64, *map(_stretch, chances), *self._list_factions(), *self._list_regions(), *self._list_moment()]

    def _list_factions(self) -> Iterator[int]:
        first, leads, regions = self.expected.first, self.expected.leads, self.expected.prospect.regions
        courts, discs = self.position.courts, self.position.discs
        for faction in self.order:
            lead = leads[faction][self.mine]
            yield round(64 * first[faction])
            yield round(20 * regions[faction])
            yield 20 * discs.count(faction)
            yield round(64 * lead)
            yield round(64 * lead * first[faction])
            own = 0
            for index, party in enumerate(self.parties):
                counts = [courts[seat][faction] for seat in party]
                most = max(counts)
                if index:
                    yield 20 * (own - most)
                else:
                    own = most
                yield 10 * most
                if len(counts) > 1:
                    yield 10 * min(counts)

    def _list_regions(self) -> list[int]:
        position, (one, two, three) = self.position, self.order
        regions = [position.regions[region] for region in position.track if position.discs[region] == OPEN]
        found: list[int] = []
        for followers in regions:
            leads = _measure_leads(followers)
            found += leads[one], leads[two], leads[three]
        found += [0] * (3 * (SLOTS - len(regions)))
        return [*found, *(found[:3] if position.passes else (0, 0, 0)), 10 * len(regions)]

    def _list_moment(self) -> Iterator[int]:
        position, courtly, seat = self.position, self.outlook.game.board.courtly, self.seat
        courts, hands, prospect = position.courts, position.hands, self.expected.prospect
        yield 40 * position.passes
        yield round(100 * prospect.lost)
        yield round(100 * prospect.near)
        yield 30 * position.discs.count(UNSTABLE)
        for each in (*range(seat, len(courts)), *range(seat)):
            yield 12 * len(hands[each])
            yield 40 * (position.to_act == each)
        latest = max([turn for turn in position.last_acted if turn is not None], default=-1)
        earliest = min([turn for turn in position.emptied if turn is not None], default=-1)
        own, names = 0, _list_names(self.outlook.game, tuple(self.order))
        for index, party in enumerate(self.parties):
            united = [sum([courts[each][faction] for each in party]) for faction in courtly]
            sets = min(united)
            yield 20 * sets
            yield 20 * united.count(sets)
            yield 60 * any(position.last_acted[each] == latest for each in party)
            yield 60 * any(position.emptied[each] == earliest for each in party)
            cards = [card for each in party for card in hands[each]]
            if index:
                yield 12 * (len(cards) - own)
            else:
                own = len(cards)
            for alike in names:
                yield 20 * sum(map(cards.count, alike))
        for name in self.outlook.game.hands.deck:
            yield 60 * (name in hands[seat])


@cache
def _list_names(game: Struggle, order: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    """List the cards that everybody has: for each faction in order those named after it, then the names of the others."""
    named = [game.board.factions[faction] for faction in order]
    cards = tuple(dict.fromkeys(game.hands.same))
    alike = tuple(tuple(card for card in cards if card.startswith((each.name, each.people))) for each in named)
    return (*filter(None, alike), *((card,) for card in cards if not any(card in each for each in alike)))


@lru_cache(REMEMBERED)
def _measure_leads(followers: Followers) -> tuple[int, ...]:
    first, second = sorted(followers, reverse=True)[:2]
    return tuple([16 * (count - (second if count == first else first)) for count in followers])


def _stretch(chance: float) -> int:
    """Return a number that grows as a chance comes near 1."""
    sure = max(0.01, min(0.99, chance))
    return round(32 * (sure - 0.5) / sqrt(sure * (1 - sure)))


@frozen
class Network:
    """The weights of one game for a number of players: a row for each input, and what each unit counts."""

    rows: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def read(cls, packed: bytes) -> Network:
        """Read weights: those of rows have one byte, those of units two."""
        (*rows,) = struct.iter_unpack(f"{UNITS}b", packed[: -2 * UNITS])
        return cls(tuple(map(_pack_lanes, rows)), struct.unpack(f"<{UNITS}h", packed[-2 * UNITS :]))

    def estimate(self, inputs: Sequence[int]) -> float:
        """Estimate a lead; 0 is an even chance."""
        total = sum(map(mul, inputs, self.rows), MIDDLE)
        lanes = struct.unpack(f"<{UNITS}I", total.to_bytes(LANE // 8 * UNITS, "little"))
        units = [lane - HALF if lane > HALF else 0 for lane in lanes]
        return float(sum(map(mul, units, self.counts))) / FINE


def _pack_lanes(numbers: Sequence[int]) -> int:
    return sum([number << LANE * lane for lane, number in enumerate(numbers)])


MIDDLE = _pack_lanes([HALF] * UNITS)
"""What is added to the lanes, so that none is less than 0."""


def estimate_odds(leads: Sequence[float]) -> tuple[float, ...]:
    """Return the chances that follow from leads: of one party against another, or of each of more."""
    if len(leads) == 1:
        return (estimate_lasting(leads[0], 1.0),)
    odds = [(lead + sqrt(1 + lead * lead)) ** 2 for lead in leads]
    whole = add_in_order(odds)
    return tuple([each / whole for each in odds])


@frozen
class Learned:
    """The value of a game for a number of players: a network, and the evaluation from which its inputs come."""

    outlook: Outlook
    network: Network

    @classmethod
    def find(cls, game: Struggle, players: int) -> Learned | None:
        """Return the value that was learned for a ruleset and a number of players, if there is one."""
        file = files(__package__) / FOLDER / f"{name_weights_table(game.code, players)}.bin"
        if not file.is_file():
            return None
        outlook = Outlook.build(game, players, find_struggle_weights(game.code, players))
        return cls(outlook, Network.read(file.read_bytes()))

    def evaluate(self, position: Position) -> tuple[float, ...]:
        """Estimate the chance of each party from what the seat to act sees."""
        seat, parties = position.to_act, self.outlook.parties
        assert seat is not None
        shown = self.outlook.game.view(position, seat).shown
        seats = [seat] if len(parties) == 2 else [party[0] for party in parties]
        found = estimate_odds([self.network.estimate(inputs) for inputs in list_inputs(self.outlook, shown, seats)])
        if len(parties) > 2:
            return found
        return (found[0], 1 - found[0]) if seat in parties[0] else (1 - found[0], found[0])
