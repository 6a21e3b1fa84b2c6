"""Speed of players that are programs, in processor time: `python -m benchmarks.players`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

from tkid.bots.plugin import find_judge
from tkid.bots.roster import find_player
from tkid.bots.search import Tree
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import ruleset

SEED = 20261123
THOUGHT = 1_000
TABLES = (("second-edition", 2), ("second-edition-advanced", 2), ("second-edition", 4), ("claim", 2))
TURNS, EVERY = 24, 6
"""How far random games are played, and which positions are taken from them."""


def positions(game: AnyGame, players: int) -> list[Any]:
    """Positions at the beginning of turns, from random games."""
    rng, found = Random(SEED), []
    for _ in range(2):
        position = game.start(game.seat_players(tuple("abcd"[:players])), game.deal(players, rng.randbytes(32)))
        while position.to_act is not None and position.turn < TURNS:
            legal = game.legal(position)
            if not game.turn_continues(position) and position.turn % EVERY == 0:
                found.append(position)
            position, _ = game.apply(position, legal[rng.randrange(len(legal))])
    return found


def search_speed(game: AnyGame, position: Any) -> tuple[float, int]:
    """Seconds and nodes of one search in which every card is seen."""
    tree = Tree(game, find_judge(game), [position], THOUGHT)
    began = process_time()
    tree.run_search()
    return process_time() - began, tree.nodes


def turn_time(game: AnyGame, position: Any) -> float:
    """Seconds that the search player takes for a turn."""
    view = game.view(position, position.to_act)
    chosen = find_player(game, "search")
    began = process_time()
    chosen.choose(view, THOUGHT)
    return process_time() - began


def main(rate: Callable[[Callable[[], int]], float], yardstick: Callable[[], int]) -> None:
    """Nodes a second, against plies a second of random chess, and the time of a turn."""
    plies = rate(yardstick)
    for code, players in TABLES:
        game = ruleset(code).game()
        taken = positions(game, players)
        for position in taken:
            search_speed(game, position)  # what is remembered of slots and tables is there when a game is under way
        found = [search_speed(game, position) for position in taken]
        nodes = sum(nodes for _, nodes in found) / sum(seconds for seconds, _ in found)
        turns = [turn_time(game, position) for position in taken]
        print(
            f"search, {code} for {players}: {nodes:,.0f} nodes/s, ratio {nodes / plies:.3f} to plies of random chess;"
        )
        print(f"  a turn at {THOUGHT:,} nodes {median(turns):.2f} s, the longest {max(turns):.2f} s, wanted: under 2 s")


if __name__ == "__main__":
    from benchmarks import bench

    main(bench.rate, bench.chess_plies)
