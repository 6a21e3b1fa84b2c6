"""Enumerating and judging agree: exhaustively over every conceivable move in some positions, and on random ones."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings

from tests.strategies import GAME, positions, random_game
from tkid.games.struggle.board import groups
from tkid.games.struggle.moves import Exchange, Place, Play, Spread, Swap
from tkid.games.struggle.position import Position
from tkid.kernel.ladder import NOTHING

REGIONS = range(8)
GROUPS = [group for size in (1, 2, 3) for group in groups(size, 3)]
EVERYTHING = [
    NOTHING,
    *(Place(group, region) for group in GROUPS for region in REGIONS),
    *(Spread(regions) for regions in product((None, *REGIONS), repeat=3)),
    *(Exchange(a, b, disc) for a, b in product(REGIONS, repeat=2) for disc in (None, *REGIONS)),
    *(Swap(a, b, c, d) for a, b in product(REGIONS, repeat=2) for c, d in product(GROUPS[:9], repeat=2)),
]


def check_all(position: Position) -> None:
    """Every card with every resolution of every form."""
    for card in GAME.cards.values():
        legal = set(card.ladder.options(position))
        for resolution in EVERYTHING:
            canonical = card.canonical(position, resolution)
            assert (canonical in legal) == (card.ladder.check(position, canonical) == ()), (position, card, resolution)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_every_conceivable_move(seed: int) -> None:
    """In four positions of a game: early, middle, late, and one with a ban if there is one."""
    reached = [p for p, _, _ in random_game(Random(seed), 2, 0.6) if p.decision == "play"]
    banned = [p for p in reached if p.banned and p.banned.by != p.to_act]
    for position in [reached[0], reached[len(reached) // 2], reached[-1], *banned[:1]]:
        check_all(position)


@given(positions())
@settings(max_examples=150, deadline=None)
def test_indexing_counting_and_iterating_agree(position: Position) -> None:
    options = GAME.legal(position)
    listed = list(options)
    assert len(listed) == len(options) == len(set(listed))
    assert [options[i] for i in range(len(options))] == listed
    assert options[-3:] == tuple(listed[-3:])
    for move in listed[:: max(1, len(listed) // 50)]:
        assert move in options
        if isinstance(move, Play):
            assert GAME.canonical(position, move) == move
            assert move.resolution in GAME.cards[move.card].ladder.options(position)
