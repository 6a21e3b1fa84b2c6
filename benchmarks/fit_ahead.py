"""Fit what a card in hand is worth to who looks ahead: `python -m benchmarks.fit_ahead second-edition-advanced 3`.

The player that looks ahead plays the greedy one, each deal from every side of the table, once with each worth that is tried.
The two best play on other deals, and the better one is written to the file beside the evaluation. The log has the seed and
every match.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import Pool
from statistics import fmean

from attrs import asdict, evolve

from benchmarks.fit import LOG, SEED, WEIGHTS, logged, write
from benchmarks.ladder import begun, each_side, interval
from tkid.bots.greedy import Greedy
from tkid.bots.search import Search
from tkid.games.struggle.bots.judge import StruggleJudge
from tkid.games.struggle.bots.weights import kind, weights
from tkid.rulebook.rulesets import ruleset

TRIED = (1.0, 1.3, 1.7, 2.2)
"""The values that are tried."""
THOUGHT = 400
"""So many positions are looked at for a turn."""


def pair(code: str, players: int, seed: int, ahead: float, number: int) -> float:
    """The share of the games on one deal that a player with this worth wins."""
    game = ruleset(code).game()
    known = weights(code, players)
    ours = Search(game, StruggleJudge(game, evolve(known, card=known.card * ahead)))
    choose, reply = partial(ours.choose, thought=THOUGHT), partial(Greedy(game).choose, thought=THOUGHT)
    return fmean(each_side(game, begun(game, players, f"{seed};ahead;{code};{players};{number}"), choose, reply))


def fit(match: Callable[[float, range], float], deals: int) -> float:
    """The best value: all are tried on the same deals, the two best on other deals."""
    shares = {ahead: match(ahead, range(deals)) for ahead in TRIED}
    best = sorted(TRIED, key=lambda ahead: shares[ahead])[-2:]
    return max(best, key=lambda ahead: shares[ahead] + 2 * match(ahead, range(deals, 3 * deals)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, log, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    name = kind(asked.ruleset, asked.players)
    with logged(LOG) as say, Pool(asked.jobs) as pool:
        say(f"\n# {name}: `ahead`, seed {asked.seed}, {THOUGHT} positions a turn against the greedy player")

        def match(ahead: float, deals: range) -> float:
            found = pool.map(partial(pair, asked.ruleset, asked.players, asked.seed, ahead), deals, 1)
            low, high = interval(found, len(ruleset(asked.ruleset).game().parties[asked.players]))
            say(f"ahead {ahead} on deals {deals[0]} to {deals[-1]}: wins {fmean(found):.1%} ({low:.1%} to {high:.1%})")
            return fmean(found)

        best = fit(match, asked.deals)
        say(f"ahead {best} is written")
    write(WEIGHTS, {name: {**asdict(weights(asked.ruleset, asked.players)), "ahead": best}})


if __name__ == "__main__":
    main()
