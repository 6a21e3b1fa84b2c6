"""The engine's endings agree with a literal oracle, exhaustively within the bounds that each test states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from tests.oracle import endings as oracle
from tests.shared.strategies import SECOND, start
from tests.shared.tables import each_row, sample
from tkid.games.struggle.rules.board import UNSTABLE, Followers, Position
from tkid.games.struggle.rules.endings import rank_factions
from tkid.games.struggle.rules.game import Struggle

LETTERS = "SWE"
OUTCOMES = {0: "S", 1: "W", 2: "E", UNSTABLE: "unstable"}
READINGS = [
    {},
    {"second.ruling.final-tie": "last-card"},
    {"second.ruling.second-rank": "none-ranked"},
    {"second.ruling.final-tie": "last-card", "second.ruling.second-rank": "none-ranked"},
]
COURTS = list(product(range(4), repeat=3))
# One sequence of struggles for each ranking of the factions, and an invasion.
RANKINGS = [
    *([a] * 4 + [b] * 3 + [c] for a, b, c in permutations((0, 1, 2))),
    *([a] * 5 + [b] * 3 for a, b in permutations((0, 1, 2), 2)),
    *([a] * 6 + [UNSTABLE] * 2 for a in (0, 1, 2)),
]
INVASION = [0, 1, 2, 2, 0, UNSTABLE, UNSTABLE, UNSTABLE]
SEED = 20261121


def plays(players: int) -> Iterator[tuple[tuple[int | None, ...], tuple[int | None, ...]]]:
    """Every order of last plays and emptied hands: each player has never acted, has acted, or has played all."""
    for states in product(("never", "acted", "emptied"), repeat=players):
        acted = [seat for seat, state in enumerate(states) if state != "never"]
        for order in permutations(acted):
            turn = {seat: 10 + at for at, seat in enumerate(order)}
            last = tuple(turn.get(seat) for seat in range(players))
            yield last, tuple(turn.get(seat) if states[seat] == "emptied" else None for seat in range(players))


def finished(players: int, struggles: list[int]) -> tuple[Position, dict[str, Any]]:
    """A position in which these struggles are resolved, and what the oracle sees of it."""
    resolved = tuple(range(len(struggles)))
    position = start(players, b"end").replace(discs=(*struggles, *[-1] * (8 - len(struggles))), struggles=resolved)
    return position, {"struggles": [{"outcome": OUTCOMES[disc]} for disc in struggles]}


def agree(game: Struggle, position: Position, seen: dict[str, Any], readings: Mapping[str, str]) -> None:
    """One comparison with the oracle."""
    seen["last_acted"], seen["emptied"] = position.last_acted, position.emptied
    result = game.result(position)
    assert result is not None
    assert (result.ending, frozenset(result.winners)) == oracle.result(seen, readings), (seen, readings)


def letters(courts: tuple[Followers, ...]) -> list[dict[str, int]]:
    """Courts as the oracle sees them."""
    return [dict(zip(LETTERS, court, strict=True)) for court in courts]


@pytest.mark.slow
def test_the_ranking_over_all_sequences_of_outcomes() -> None:
    """All 4^8 sequences."""
    base = start(2, b"end")
    order = tuple(range(8))
    for struggles in product(OUTCOMES, repeat=8):
        found = rank_factions(base.replace(discs=struggles, struggles=order))
        assert [LETTERS[f] for f in found] == oracle.ranking([OUTCOMES[disc] for disc in struggles])


@pytest.mark.exhaustive
@each_row("readings", READINGS, ids=lambda r: "+".join(r.values()) or "default")
@each_row("players", [2, 3, 4])
def test_small_courts(players: int, readings: dict[str, str]) -> None:
    """The quick one: courts that differ by one follower at most, every order of plays in turn."""
    game = SECOND.game(readings)
    orders = list(plays(players))
    few = [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)][: 5 - players // 2]
    for struggles in [*RANKINGS, INVASION]:
        base, seen = finished(players, struggles)
        for at, courts in enumerate(product(few, repeat=players)):
            seen["courts"] = letters(courts)
            for last, emptied in orders[at % 7 :: 7 if players < 4 else 97]:
                agree(game, base.replace(courts=courts, last_acted=last, emptied=emptied), seen, readings)


@pytest.mark.slow
@pytest.mark.parametrize("struggles", sample([*RANKINGS, INVASION], 20), ids=str)
def test_two_players(struggles: list[int]) -> None:
    """All courts of up to three of each faction, with every order of last plays and emptied hands."""
    game = SECOND.game({})
    base, seen = finished(2, struggles)
    orders = list(plays(2))
    for courts in product(COURTS, repeat=2):
        seen["courts"] = letters(courts)
        for last, emptied in orders:
            agree(game, base.replace(courts=courts, last_acted=last, emptied=emptied), seen, {})


@pytest.mark.slow
@pytest.mark.parametrize("readings", sample(READINGS[1:], 6), ids=lambda r: "+".join(r.values()))
def test_two_players_under_other_readings(readings: dict[str, str]) -> None:
    """Courts of up to two of each faction, every order; rankings of three, two and one faction."""
    game = SECOND.game(readings)
    for struggles in (RANKINGS[0], RANKINGS[8], RANKINGS[12], RANKINGS[13], RANKINGS[14]):
        base, seen = finished(2, struggles)
        for courts in product(product(range(3), repeat=3), repeat=2):
            seen["courts"] = letters(courts)
            for last, emptied in plays(2):
                agree(game, base.replace(courts=courts, last_acted=last, emptied=emptied), seen, readings)


@pytest.mark.exhaustive
@pytest.mark.parametrize("struggles", [RANKINGS[0], RANKINGS[9], RANKINGS[14], INVASION], ids=str)
def test_three_players_all_courts(struggles: list[int]) -> None:
    """All courts of up to three of each faction for a ranking of each kind; nobody has ever acted, so ties stay."""
    game = SECOND.game({})
    base, seen = finished(3, struggles)
    for courts in product(COURTS, repeat=3):
        seen["courts"] = letters(courts)
        agree(game, base.replace(courts=courts), seen, {})


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", [0, 1, 2, 3])
def test_three_players_all_orders(kind: int) -> None:
    """Every order of last plays and emptied hands, over all that courts of up to three can differ in.

    A ranking (kind 0: three factions, 1: two, 2: one) compares two counts of each court at most, so the
    courts run over all pairs of counts; the rankings of the kind take turns. An invasion (3) compares sets.
    """
    game = SECOND.game({})
    rankings = [RANKINGS[:6], RANKINGS[6:12], RANKINGS[12:], [INVASION]][kind]
    bases = [finished(3, struggles) for struggles in rankings]
    orders = list(plays(3))
    counts = [(n,) for n in range(4)] if kind == 3 else list(product(range(4), repeat=2))
    for at, chosen in enumerate(product(counts, repeat=3)):
        base, seen = bases[at % len(bases)]
        ranked = rank_factions(base)
        courts = tuple(_court(ranked, count, third=at % 4) for count in chosen)
        seen["courts"] = letters(courts)
        for last, emptied in orders:
            agree(game, base.replace(courts=courts, last_acted=last, emptied=emptied), seen, {})


def _court(ranked: tuple[int, ...], count: tuple[int, ...], third: int) -> Followers:
    """A court with these counts of the first two factions by power; with a single count, as many sets."""
    if len(count) == 1:
        return (count[0], 3, 3)
    order = (*ranked, *(f for f in range(3) if f not in ranked))
    followers = {order[0]: count[0], order[1]: count[1], order[2]: third}
    return (followers[0], followers[1], followers[2])


@pytest.mark.slow
@pytest.mark.parametrize(("readings", "part"), sample(product(READINGS, range(4)), 16))
def test_teams_sampled(readings: dict[str, str], part: int) -> None:
    """Four players in two teams: four times 5,000 random finished positions for each reading, rich in ties."""
    game = SECOND.game(readings)
    rng = Random(f"{SEED} {readings} {part}")
    orders = list(plays(4))
    for _ in range(5_000):
        base, seen = finished(4, rng.choice([*RANKINGS, INVASION, INVASION]))
        most = rng.choice((1, 2, 3))
        courts = tuple(tuple(rng.randint(0, most) for _ in range(3)) for _ in range(4))
        seen["courts"] = letters(courts)
        last, emptied = rng.choice(orders)
        agree(game, base.replace(courts=courts, last_acted=last, emptied=emptied), seen, readings)
