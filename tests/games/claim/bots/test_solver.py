"""Phase two solved exactly: what plain minimax finds in many small positions; tricks and following as the game has them."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.claim.shared import CLAIM, reached
from tests.shared.tables import each_row
from tkid.games.claim.bots import ClaimJudge
from tkid.games.claim.bots.evaluation import (
    BEATEN_BY,
    FACTION,
    FIRST,
    Solver,
    TooLongError,
    cards_of,
    collect_trick,
    find_legal_cards,
    make_masks,
)
from tkid.games.claim.rules import COPIES, PACK, PLAYS, Position

POSITIONS = 280
SMALLEST, KINDS = 2, 7
"""So many cards are left in both hands together, and up to so many more."""
MOST = 100_000
JUDGE = ClaimJudge(CLAIM)
BEGIN = reached(Random(5), 26)


def plain(position: Position, known: dict[Position, float]) -> float:
    """The value for seat 0, by trying everything with the game's own rules."""
    if position.to_act is None:
        return 1.0 if 0 in position.winners else 0.0 if 1 in position.winners else 0.5
    if position not in known:
        found = [plain(CLAIM.apply(position, move)[0], known) for move in CLAIM.legal(position)]
        known[position] = max(found) if position.to_act == 0 else min(found)
    return known[position]


def small(seed: int) -> Position:
    """A position near the end of a game by lot."""
    return reached(Random(seed), 52 - SMALLEST - seed % KINDS)


@each_row("seed", range(POSITIONS))
def test_the_solver_finds_what_plain_minimax_finds(seed: int) -> None:
    position, known = small(seed), {}  # type: ignore[var-annotated]
    seat = position.to_act
    assert seat is not None
    found = JUDGE.solve(position, MOST)
    expected = {move: plain(CLAIM.apply(position, move)[0], known) for move in CLAIM.legal(position)}
    assert {move: values[0] for (move,), values in found} == expected
    assert found[0][1][seat] == max(values[seat] for _, values in found)
    assert all(sum(values) == 1 for _, values in found)


def test_positions_of_every_outcome_are_solved() -> None:
    """The table above has wins, losses and positions in which cards differ."""
    spreads = [{values[0] for _, values in JUDGE.solve(small(seed), MOST)} for seed in range(POSITIONS)]
    assert {0.0} in spreads
    assert {1.0} in spreads
    assert {0.0, 1.0} in spreads


def test_what_is_proven_comes_true() -> None:
    """Whoever follows the solver gets what it promised, whatever the other plays."""
    for seed in range(30):
        lot = Random(seed)
        position = reached(lot, 36)
        ours = position.to_act
        assert ours is not None
        promised = JUDGE.solve(position, MOST)[0][1][ours]
        while (seat := position.to_act) is not None:
            legal = CLAIM.legal(position)
            move = legal[lot.randrange(len(legal))]
            if seat == ours:
                (((move,), values), *_) = JUDGE.solve(position, MOST)
                assert values[ours] >= promised
                promised = values[ours]
            position, _ = CLAIM.apply(position, move)
        assert JUDGE.estimate_chances(position)[ours] == promised


def test_it_stops_where_it_may_look_no_further() -> None:
    position = reached(Random(3), 26)
    with pytest.raises(TooLongError):
        Solver(CLAIM, 3).find_value(position)
    assert JUDGE.solve(position, 3) == ()
    assert JUDGE.solve(reached(Random(3), 5), MOST) == ()


@each_row("led", COPIES)
def test_tricks_are_those_of_the_game(led: str) -> None:
    """What the solver remembers of a trick is what the game did with it in a whole position."""
    for second in COPIES:
        if led == second and COPIES[led] == 1:
            continue
        bit, (_, other) = FIRST[led], make_masks((led,), (second,))
        wins, mine, others = collect_trick(CLAIM, bit, other.bit_length() - 1)
        after = BEGIN.replace(leader=0, hands=((led,), (second, second)), scores=((), ()))
        for card in (led, second):
            after, _ = CLAIM.apply(after, PLAYS[card])
        assert after.leader == (1 if wins else 0)
        assert wins == bool(BEATEN_BY[bit] & other)
        assert tuple(sorted(cards_of(mine)) + sorted(cards_of(others))) == tuple(
            sorted(after.scores[0]) + sorted(after.scores[1])
        )
        assert len(after.scores[0]) == mine.bit_count()


def test_legal_cards_are_those_of_the_game() -> None:
    for seed in range(120):
        position = reached(Random(seed), 27 + 2 * (seed % 12))
        if position.led is None or position.to_act is None:
            continue
        hand, led = make_masks(position.hands[position.to_act], (position.led,))
        legal = find_legal_cards(CLAIM, hand, FACTION[led.bit_length() - 1])
        expected = sorted(move.card for move in CLAIM.legal(position))
        assert sorted(PACK[bit] for bit in range(len(PACK)) if legal >> bit & 1) == expected
