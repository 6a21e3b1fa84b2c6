"""The engine's endings with Plot agree with a literal oracle, exhaustively within the bounds that each test states.

Each test prints how many endings it compared (`pytest -rA` shows it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice, product
from random import Random
from typing import Any

import pytest

from tests.games.struggle.rules.test_endings_oracle import INVASION, LETTERS, OUTCOMES, RANKINGS, SEED, letters, plays
from tests.oracle import endings as oracle
from tests.shared.strategies import ADVANCED, CUNNING, OTHERWISE, random_game, start
from tests.shared.tables import sample
from tkid.games.struggle.rules.board import Followers, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Reveal
from tkid.record.json.positions import position_json

Courts = tuple[Followers, ...]
Order = tuple[tuple[int | None, ...], tuple[int | None, ...]]
"""When each seat last played, and when its hand ran out."""
Hands = tuple[tuple[str, ...], ...]

PLOT_HAND, FINAL_TIE, SECOND_RANK = (f"second.ruling.{name}" for name in ("plot-hand", "final-tie", "second-rank"))
READINGS: tuple[dict[str, str], ...] = (
    {},
    {PLOT_HAND: "counts-as-empty"},
    {PLOT_HAND: "counts-as-empty", FINAL_TIE: "last-card", SECOND_RANK: "none-ranked"},
    {FINAL_TIE: "last-card", SECOND_RANK: "none-ranked"},
)
KINDS = (RANKINGS[0], RANKINGS[9], RANKINGS[14], INVASION)
"""A ranking of three factions, of two and of one; and an invasion."""
FEW = ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2))
"""Courts that differ by one follower, which is as much as Plot can make up for."""
UNPLAYED = "Assemble"


def finished(players: int, struggles: list[int]) -> tuple[Position, dict[str, Any]]:
    """A position in which these struggles are resolved, and what the oracle sees of it."""
    resolved = tuple(range(len(struggles)))
    position = start(players, b"end", CUNNING).replace(
        discs=(*struggles, *[-1] * (8 - len(struggles))), struggles=resolved
    )
    return position, {"struggles": [{"outcome": OUTCOMES[disc]} for disc in struggles]}


def hands(order: Order, owner: int, *, alone: bool) -> Hands:
    """What everybody is left with: the owner Plot, `alone` or not; the others a card, unless their hand ran out."""
    plot = ("Plot",) if alone else ("Plot", UNPLAYED)
    return tuple(
        plot if seat == owner else () if emptied is not None else (UNPLAYED,) for seat, emptied in enumerate(order[1])
    )


def orders(players: int, owner: int) -> list[Order]:
    """Every order of last plays and emptied hands, the owner of Plot never having emptied its own."""
    return [order for order in plays(players) if order[1][owner] is None]


def agree(game: Struggle, position: Position, seen: dict[str, Any], readings: Mapping[str, str]) -> int:
    """Nothing named, and each faction: the same winners, or the same question; how many comparisons that were."""
    seen["last_acted"], seen["emptied"], seen["hands"] = position.last_acted, position.emptied, position.hands
    for named in (None, 0, 1, 2):
        seen["plot"] = None if named is None else LETTERS[named]
        result = game.result(position.replace(plot=named))
        found = None if result is None else (result.ending, frozenset(result.winners))
        assert found == oracle.result(seen, readings), (seen, readings)
        assert named is not None or (result is None) == oracle.plot_matters(seen, readings)
    return 4


def compare(
    readings: Mapping[str, str], players: int, rankings: Iterable[list[int]], courts: Sequence[Courts], each: int
) -> int:
    """Courts with every owner, Plot alone in hand and not; `each` with so many orders, which take turns."""
    game, compared = ADVANCED.game(readings), 0
    turns = [cycle(orders(players, owner)) for owner in range(players)]
    for struggles in rankings:
        base, seen = finished(players, struggles)
        for chosen, owner, alone in product(courts, range(players), (True, False)):
            seen["courts"] = letters(chosen)
            for order in islice(turns[owner], each):
                held = hands(order, owner, alone=alone)
                position = base.replace(courts=chosen, last_acted=order[0], emptied=order[1], hands=held)
                compared += agree(game, position, seen, readings)
    return compared


def told(what: str, compared: int) -> None:
    """Print a figure."""
    print(f"{what}: {compared:,} endings")  # noqa: T201 - for people, see the module


@pytest.mark.slow
@pytest.mark.parametrize("readings", sample(READINGS, 8), ids=lambda r: "+".join(r.values()) or "default")
@pytest.mark.parametrize("players", [2, 3])
def test_courts_that_differ_by_one(players: int, readings: dict[str, str]) -> None:
    """The quick one: one ranking of each kind, and an invasion."""
    told("quick", compare(readings, players, KINDS, list(product(FEW, repeat=players)), each=3))


@pytest.mark.slow
@pytest.mark.parametrize("struggles", sample([*RANKINGS, INVASION], 20), ids=str)
def test_two_players_all_courts(struggles: list[int]) -> None:
    """All courts of up to two of each faction, for every ranking; the orders take turns."""
    courts = list(product(product(range(3), repeat=3), repeat=2))
    told("two players", compare({}, 2, [struggles], courts, each=1))


@pytest.mark.slow
@pytest.mark.parametrize("readings", sample(READINGS, 2), ids=lambda r: "+".join(r.values()) or "default")
@pytest.mark.parametrize("players", [2, 3])
def test_players_many_orders(players: int, readings: dict[str, str]) -> None:
    """Courts that differ by one, a ranking of each kind; of the orders of last plays every twentieth, in turn."""
    each = max(1, len(orders(players, 0)) // 20)
    told("many orders", compare(readings, players, KINDS, list(product(FEW, repeat=players))[:: players - 1], each))


@pytest.mark.slow
@pytest.mark.parametrize("readings", sample(READINGS, 8), ids=lambda r: "+".join(r.values()) or "default")
def test_teams_every_ranking(readings: dict[str, str]) -> None:
    """Four players in two teams: every ranking, owner and faction; every ninth of the courts that differ by one."""
    courts = list(product(FEW, repeat=4))[::9]
    told("teams", compare(readings, 4, [*RANKINGS, INVASION], courts, each=1))


@pytest.mark.slow
@pytest.mark.parametrize("readings", sample(READINGS[::-1], 2), ids=lambda r: "+".join(r.values()) or "default")
def test_teams_many_orders(readings: dict[str, str]) -> None:
    """Where the teams are tied or Plot can make them so; of the orders every twenty-fifth, in turn."""
    courts = [(FEW[0],) * 4, *((FEW[0],) * at + (FEW[1],) + (FEW[0],) * (3 - at) for at in range(4))]
    told("teams, many orders", compare(readings, 4, KINDS, courts, each=len(orders(4, 0)) // 25))


def ends(rng: Random, game: Struggle, games: int) -> Iterator[Position]:
    """Where random games end, and where they wait for Plot."""
    for number in range(games):
        for position, _, _ in random_game(rng, 2 + number % 3, rng.choice((0.4, 0.85, 0.97)), game):
            if position.decision in {"plot", None}:
                yield position


@pytest.mark.slow
@pytest.mark.parametrize("game", [CUNNING, OTHERWISE], ids=["default", "otherwise"])
def test_where_games_end(game: Struggle) -> None:
    """Whether Plot is asked for, what comes of each answer, and who has won."""
    asked = over = 0
    for position in ends(Random(f"{SEED} plot"), game, 90):
        seen = position_json(game, position)
        matters = oracle.plot_matters(seen, game.readings)
        if position.decision == "plot":
            asked += 1
            assert matters
            assert position.hands[position.to_act or 0].count("Plot") == 1
            for faction, letter in enumerate(LETTERS):
                after, _ = game.play(position, Reveal("Plot", faction))
                wanted = oracle.result(seen | {"plot": letter}, game.readings)
                assert (after.ending, frozenset(after.winners)) == wanted
        else:
            over += 1
            assert matters == (position.plot is not None)
            assert (position.ending, frozenset(position.winners)) == oracle.result(seen, game.readings)
    assert over == 90
    assert asked > 5
    told(f"{asked} of them asked for", over)
