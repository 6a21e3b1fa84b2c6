"""The solver finds what plain minimax finds, and what it proves comes true against every answer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tkid.bots.player import apply_turn, find_party, find_win_shares
from tkid.bots.plugin import find_judge
from tkid.bots.solver import Solver, solve_position
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import ruleset

SEED = 20261123
FEW = 24
"""No more decisions are legal in a position that plain minimax is asked about."""
PLAIN = 3_000
"""So many positions plain minimax looks at; a position that needs more is passed over."""
BUDGET = 200_000
KINDS = (
    ("second-edition", 2, 1), ("second-edition", 3, 1), ("second-edition", 4, 1), ("first-edition", 2, 1),
    ("first-edition-mordred", 2, 1), ("second-edition-advanced", 2, 1), ("digest", 2, 1), ("claim", 2, 8),
)  # fmt: skip
"""Rulesets, players, and how many cards may be left."""
MOST = {("second-edition", 2), ("claim", 2)}
MANY, FEWER = 200, 40
"""So many positions of the kinds that are tested most, and of the others."""
QUICK = (("second-edition", 2, 1), ("second-edition", 3, 1), ("claim", 2, 6))


class TooLongError(Exception):
    """Plain minimax would have to look at too many positions."""


def plain(game: AnyGame, position: Any, party: int, known: dict[Any, float]) -> float:
    """What a party is sure of, by trying everything."""
    if position.to_act is None:
        return find_win_shares(game, position)[party]
    if position not in known:
        if len(known) > PLAIN:
            raise TooLongError
        found = [plain(game, game.apply(position, move)[0], party, known) for move in game.legal(position)]
        known[position] = max(found) if find_party(game, position) == party else min(found)
    return known[position]


def cards_left(position: Any) -> int:
    """How many cards are in all hands."""
    return sum(map(len, position.hands))


def is_small(position: Any, cards: int) -> bool:
    """Whether little enough is left for plain minimax."""
    if position.to_act is None or position.decision == "summon":
        return False
    phase = getattr(position, "phase", 2)
    return phase == 2 and cards_left(position) <= cards


def small(code: str, players: int, cards: int, number: int) -> Iterator[tuple[AnyGame, Any]]:
    """So many positions near the end of games by lot, each of another game."""
    game, rng = ruleset(code).game(), Random(f"{SEED};{code};{players}")
    while number:
        position = game.start(game.seat_players(tuple("abcd"[:players])), game.deal(players, rng.randbytes(32)))
        while position.to_act is not None and not is_small(position, cards):
            legal = game.legal(position)
            position, _ = game.apply(position, legal[rng.randrange(len(legal))])
        if position.to_act is not None and len(game.legal(position)) <= FEW:
            number -= 1
            yield game, position


def agree(code: str, players: int, cards: int, number: int) -> None:
    """The solver and plain minimax say the same of so many positions, for every party."""
    for game, position in small(code, players, cards, 10 * number):
        parties = range(len(game.parties[players]))
        try:
            expected = [plain(game, position, party, {}) for party in parties]
        except TooLongError:
            continue
        found = [Solver(game, find_judge(game), party, BUDGET).find_share(position) for party in parties]
        assert found == expected, (code, players, SEED, position)
        number -= 1
        if not number:
            return
    raise AssertionError(f"too few positions are small enough in {code}")


@pytest.mark.parametrize(("code", "players", "cards"), QUICK)
def test_it_finds_what_plain_minimax_finds(code: str, players: int, cards: int) -> None:
    agree(code, players, cards, 2)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("code", "players", "cards"), KINDS)
def test_it_finds_what_plain_minimax_finds_in_many_positions(code: str, players: int, cards: int) -> None:
    agree(code, players, cards, MANY if (code, players) in MOST else FEWER)


@pytest.mark.parametrize(
    ("code", "players", "cards", "number"),
    [
        *((*kind, 2) for kind in QUICK),
        *(pytest.param(*kind, FEWER, marks=pytest.mark.exhaustive) for kind in KINDS),
    ],
)
def test_what_is_proven_comes_true(code: str, players: int, cards: int, number: int) -> None:
    """Whoever follows the solver gets at least what it promised, against answers by lot."""
    rng = Random(SEED)
    for game, begin in small(code, players, cards, number):
        position, party = begin, find_party(game, begin)
        promised: float | None = None
        while position.to_act is not None:
            if find_party(game, position) != party:
                legal = game.legal(position)
                position, _ = game.apply(position, legal[rng.randrange(len(legal))])
                continue
            found = solve_position(Solver(game, find_judge(game), find_party(game, position), BUDGET), position)
            assert found is not None
            share, (turn, *_) = found
            promised = share if promised is None else promised
            assert share >= promised
            position = apply_turn(game, position, turn)
        assert promised is not None
        assert find_win_shares(game, position)[party] >= promised


def test_a_budget_that_is_too_small_proves_nothing() -> None:
    ((game, position),) = small("second-edition", 2, 2, 1)
    assert solve_position(Solver(game, find_judge(game), find_party(game, position), 0), position) is None
