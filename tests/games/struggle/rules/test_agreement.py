"""Enumerating and judging agree: exhaustively over every conceivable resolution in some positions, and on random ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given

from tests.shared.examples import examples
from tests.shared.strategies import COPYABLE, CUNNING, GAME, GAMES, MANUAL, OTHERWISE, any_positions, random_game
from tkid.games.struggle.rules.board import Position, list_groups
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    Exchange,
    Place,
    PlaceReturn,
    Play,
    Resolution,
    ReturnPlace,
    Reveal,
    Shift,
    Spread,
    Swap,
)
from tkid.kernel.ladder import NOTHING

REGIONS = range(8)
GROUPS = [group for size in (1, 2, 3) for group in list_groups(size, 3)]
PAIRS = GROUPS[:9]
FEW = [(0, 0, 0), *PAIRS]
RETURNED = [returned for size in range(4) for returned in product(range(3), repeat=size)]
EVERYTHING: dict[str, list[Resolution]] = {
    "place": [Place(group, region) for group in GROUPS for region in REGIONS],
    "apart": [
        *(Place(group, region) for group in GROUPS for region in REGIONS),
        *(Apart(a, b, (c, d)) for a, b in product(REGIONS, repeat=2) for c, d in product(PAIRS, repeat=2)),
    ],
    "spread": [Spread(regions) for regions in product((None, *REGIONS), repeat=3)],
    "exchange": [Exchange(a, b, disc) for a, b in product(REGIONS, repeat=2) for disc in (None, *REGIONS)],
    "swap": [Swap(a, b, c, d) for a, b in product(REGIONS, repeat=2) for c, d in product(PAIRS, repeat=2)],
    "shift": [Shift(group, a, b) for group in GROUPS for a, b in product(REGIONS, repeat=2)],
    "place_return": [PlaceReturn(region, a, b) for region in REGIONS for a, b in product([*FEW, *GROUPS[9:]], FEW)],
    "return_place": [ReturnPlace(region, a, b) for region in REGIONS for a, b in product(RETURNED, FEW)],
}
"""For each form everything that can be written in it, with up to three followers in a group (two in swaps)."""
FOREIGN = 97
"""Every so-manieth resolution of a form that is not the card's own: it fails by its form alone."""


def conceivable(card: Card, position: Position) -> Iterator[Resolution]:
    """Every resolution of the card's form, some of each other, and for a copy those of the copied cards."""
    yield NOTHING
    for form, every in EVERYTHING.items():
        yield from every if form == card.form else every[::FOREIGN]
    tops = {seat: pile[-1] for seat, pile in enumerate(position.discards) if pile}
    for seat, name in product((*position.seats, 3), (*COPYABLE, "Spy", "Plot")):
        inside = EVERYTHING.get(CUNNING.cards[name].form, [])
        yield Copy(seat, name, NOTHING)
        if card.form == "copy":
            yield from (Copy(seat, name, r) for r in (inside if tops.get(seat) == name else inside[::FOREIGN]))
            yield from (Copy(seat, name, every[0]) for every in EVERYTHING.values())
            yield Copy(seat, name, Copy(seat, name, NOTHING))


def check_all(cards: Iterable[Card], positions: Iterable[Position]) -> None:
    """Each of some cards with every conceivable resolution."""
    judged = found = 0
    for position, card in product(positions, cards):
        listed = list(card.ladder.list_options(position))
        legal = set(listed)
        met = set()
        for resolution in conceivable(card, position):
            canonical = card.canonical(position, resolution)
            violations = card.ladder.check(position, canonical)
            assert (canonical in legal) == (violations == ()), (position, card, resolution)
            judged += 1
            if not violations:
                met.add(canonical)
        # Nothing is listed that cannot be written, and nothing twice.
        assert met == legal
        assert len(listed) == len(legal)
        found += len(legal)
    print(f"{judged:,} resolutions judged, {found:,} of them legal")  # noqa: T201 - for people


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2))
def test_every_conceivable_move(seed: int) -> None:
    """In four positions of a game: early, middle, late, and one with a ban if there is one."""
    reached = [p for p, _, _ in random_game(Random(seed), 2, 0.6) if p.decision == "play"]
    banned = [p for p in reached if p.banned and p.banned.by != p.to_act]
    check_all(GAME.cards.values(), [reached[0], reached[len(reached) // 2], reached[-1], *banned[:1]])


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", [CUNNING, OTHERWISE], ids=["default", "otherwise"])
@pytest.mark.parametrize("players", [2, 3])
def test_every_conceivable_move_of_the_advanced_game(players: int, game: Struggle) -> None:
    """In a late position and one with a ban and something to copy; under the other readings what is read otherwise."""
    reached = [p for p, _, _ in random_game(Random(players), players, 0.5, game) if p.decision == "play"]
    assert reached[-1].discards.count(()) == 0
    banned = [p for p in reached if p.banned and p.banned.by != p.to_act]
    cards = [card for name, card in game.cards.items() if game is CUNNING or name in {"Spy", "Suppress"}]
    check_all(cards, [reached[-1], *banned[-1:]] if game is CUNNING else [reached[-len(reached) // 3]])


@pytest.mark.exhaustive
def test_every_conceivable_move_of_the_manual() -> None:
    """Its own cards, in a middle position and in late ones, so that factions control regions."""
    reached = [p for p, _, _ in random_game(Random(2), 2, 0.7, MANUAL) if p.decision == "play"]
    cards = [card for card in MANUAL.cards.values() if card.form in {"apart", "swap"}]
    check_all(cards, [reached[len(reached) // 2], *reached[-30::15]])


@pytest.mark.slow
@given(any_positions())
@examples(40)
def test_indexing_counting_and_iterating_agree(at: tuple[str, Position]) -> None:
    check_options(at)


@pytest.mark.exhaustive
@given(any_positions())
@examples(150)
def test_they_agree_in_many_positions(at: tuple[str, Position]) -> None:
    check_options(at)


def check_options(at: tuple[str, Position]) -> None:
    """Check that what is legal is the same by index, by number and in turn."""
    game, position = GAMES[at[0]], at[1]
    options = game.legal(position)
    listed = list(options)
    assert len(listed) == len(options) == len(set(listed))
    assert [options[i] for i in range(len(options))] == listed
    assert options[-3:] == tuple(listed[-3:])
    for move in listed[:: max(1, len(listed) // 50)]:
        assert move in options
        if isinstance(move, Play):
            assert game.canonical(position, move) == move
            assert move.resolution in game.cards[move.card].ladder.list_options(position)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_plot_is_revealed_when_it_is_asked_for(game: Struggle) -> None:
    """And never before: what is legal then is to name a faction, and nothing else."""
    asked = 0
    for seed in range(40 if game.plot else 3):
        for position, _, _ in random_game(Random(seed), 2, 0.9, game):
            reveals = [Reveal(game.plot, faction) for faction in range(3)] if game.plot else []
            if position.decision == "plot":
                asked += 1
                assert list(game.legal(position)) == reveals
            assert [reveal in game.legal(position) for reveal in reveals] == [
                position.decision == "plot" for _ in reveals
            ]
    assert bool(asked) == bool(game.plot)
