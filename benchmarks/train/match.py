"""Whether a learned value wins: `python -m benchmarks.train.match second-edition 2 --thought 200 --pairs 100`.

The player with the network plays one with the weights of the evaluation, each deal from every side of the table. `--theirs`
gives the other one more or fewer nodes: the printed seconds say whether both took the same time. With `--player greedy` both
look no further than their own turn.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from benchmarks.ladder import Clock, begun, each_side, interval
from tkid.bots.roster import PLAYERS
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots.outlook import find_struggle_weights
from tkid.rulebook.rulesets import ruleset

SEED = 20261130
"""Other deals than those of the games that were learned from, and than those of the ladder."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the share after every tenth pair."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("--player", choices=["greedy", "search"], default="search")
    parser.add_argument("--thought", type=int, default=200)
    parser.add_argument("--theirs", type=int, help="nodes of the other player, if not the same")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    game, ahead = ruleset(asked.ruleset).game(), asked.player == "search"
    make: Any = PLAYERS[asked.player]
    weights = find_struggle_weights(asked.ruleset, asked.players, ahead=ahead)
    usual, learned = StruggleJudge(game, weights), StruggleJudge(game, ahead=ahead)
    thoughts = asked.thought, asked.theirs or asked.thought
    ours, theirs = (
        Clock(make(game, judge), thought, []) for judge, thought in zip((learned, usual), thoughts, strict=True)
    )
    means: list[float] = []
    print(f"{asked.ruleset} for {asked.players}, {asked.player}, {thoughts} nodes, seed {asked.seed}", flush=True)
    for number in range(asked.pairs):
        begin = begun(game, asked.players, f"{asked.seed};{asked.ruleset};{asked.players};{number}")
        means.append(fmean(each_side(game, begin, ours, theirs)))
        if number % 10 == 9 or number == asked.pairs - 1:
            low, high = interval(means, len(game.parties[asked.players])) if len(set(means)) > 1 else (0.0, 1.0)
            spent = [each.seconds / each.turns for each in (ours, theirs)]
            print(
                f"{len(means)} pairs: {fmean(means):.1%} ({low:.1%} to {high:.1%}), seconds a turn "
                f"{spent[0]:.3f} and {spent[1]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
