"""Fit one parameter of the evaluation by matches: `python -m benchmarks.fit_one second-edition 2 stand --tried 0.6 0.85 1.7 2.4`.

Two players look ahead: one with the value that is tried, one with the value of today. Each deal is played from every side of
the table. The value that wins most plays other deals, twice as many. It is written to the file beside the evaluation where it
surely wins more than its share there: the whole interval lies above it. The log has the seed and every match.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import Pool
from statistics import fmean
from typing import Any

from attrs import evolve

from benchmarks.fit import LOG, SEED, WEIGHTS, logged, write
from benchmarks.ladder import begun, each_side, interval
from tkid.bots.player import Turn
from tkid.bots.search import Search
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots.outlook import (
    NAMES,
    Weights,
    adjust_for_looking_ahead,
    find_struggle_weights,
    name_weights_table,
)
from tkid.kernel.game import AnyView
from tkid.rulebook.rulesets import ruleset

THOUGHT = 200
"""So many positions are looked at for a turn."""
Match = Callable[[float, range], tuple[float, float]]
"""A match with a value on some deals: the share that it wins, and the lower end of the interval."""


def chooser(game: Any, known: Weights) -> Callable[[AnyView], Turn]:
    """How somebody chooses who looks ahead with these parameters."""
    player = Search(game, StruggleJudge(game, adjust_for_looking_ahead(known)))
    return partial(player.choose, thought=THOUGHT)


def pair(code: str, players: int, seed: int, changed: tuple[str, float], number: int) -> float:
    """The share of the games on one deal that a player with a changed parameter wins."""
    game, known = ruleset(code).game(), find_struggle_weights(code, players)
    ours, theirs = (chooser(game, each) for each in (evolve(known, **dict([changed])), known))
    return fmean(each_side(game, begun(game, players, f"{seed};{changed[0]};{code};{players};{number}"), ours, theirs))


def fit(match: Match, tried: Sequence[float], deals: int, equal: float) -> float | None:
    """The best value, where it surely wins more than its share on other deals; else None."""
    shares = {value: match(value, range(deals))[0] for value in tried}
    best = max(tried, key=lambda value: shares[value])
    _, low = match(best, range(deals, 3 * deals))
    return best if low > equal else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, log, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("parameter", choices=NAMES)
    parser.add_argument(
        "--tried", type=float, nargs="+", required=True, help="the values to try, without that of today"
    )
    parser.add_argument("--also", nargs="*", default=[], help="other tables of the file that take the value over")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    code, players, name = asked.ruleset, asked.players, name_weights_table(asked.ruleset, asked.players)
    today, parties = (
        getattr(find_struggle_weights(code, players), asked.parameter),
        len(ruleset(code).game().parties[players]),
    )
    with logged(LOG) as say, Pool(asked.jobs) as pool:
        say(f"\n# {name}: `{asked.parameter}`, seed {asked.seed}, {THOUGHT} positions a turn, against {today} of today")

        def match(value: float, deals: range) -> tuple[float, float]:
            found = pool.map(partial(pair, code, players, asked.seed, (asked.parameter, value)), deals, 1)
            low, high = interval(found, parties)
            share = f"{fmean(found):.1%} ({low:.1%} to {high:.1%})"
            say(f"{asked.parameter} {value} on deals {deals[0]} to {deals[-1]}: wins {share}")
            return fmean(found), low

        best = fit(match, asked.tried, asked.deals, 1 / parties)
        say(f"{asked.parameter} {today} stays" if best is None else f"{asked.parameter} {best} is written")
    if best is not None:
        tables = tomllib.loads(WEIGHTS.read_text("utf-8"))
        write(WEIGHTS, {each: {**tables.get(each, {}), asked.parameter: best} for each in (name, *asked.also)})


if __name__ == "__main__":
    main()
