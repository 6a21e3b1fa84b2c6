"""Fit the evaluation of Claim by games: `python -m benchmarks.fit_tricks --games 400`.

Games are played by the greedy player, against itself and against one that often takes any card; the last nine tricks are solved exactly. The
parameters are those with which the estimates of all positions on the way come closest to what came out (the mean of the
squared differences), found by a plain coordinate search. Then the new parameters play the old ones on other deals, and are
written to the file beside the evaluation only if they do not lose. The log has the seed and every step.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from attrs import asdict, evolve

from benchmarks.fit import ROOT, SEED, logged, write
from tkid.games.claim.bots import ClaimJudge
from tkid.games.claim.bots.evaluation import FILE, Estimate, Weights, name_claim_table, read_claim_weights
from tkid.games.claim.rules import Position
from tkid.rulebook.rulesets import ruleset

GAME: Any = ruleset("claim").game()
TABLE = GAME.seat_players(("Ann", "Bob"))
NAME = name_claim_table("claim", 2)
LOG = ROOT / "fixtures/bots/fitting-claim.txt"
ODD = (0.0, 0.15, 0.5)
"""How often a card is any legal card, from game to game."""
SOLVED, NODES = 9, 5_000
"""From how many cards in each hand on it is tried to solve a position, and how many tricks may be looked at."""
STEPS = (2.0, 1.5, 1.25, 1.1, 1.05)
"""By how much a parameter is changed, the largest step first."""
Sample = tuple[Position, float]
"""A position in which no card is led, and what came out for seat 0."""


def samples(judge: ClaimJudge, games: int, seed: int) -> Iterator[Sample]:
    """Positions of games of the greedy player."""
    for number in range(games):
        lot = Random(f"{seed};fit;{number}")
        position, seen = GAME.start(TABLE, GAME.deal(2, lot.randbytes(32))), []
        value = None
        while value is None and position.to_act is not None:
            if position.led is None:
                seen.append(position)
            position = _next(judge, position, lot, ODD[number % len(ODD)])
            if position.led is None and max(map(len, position.hands)) <= SOLVED and position.prize is None:
                value = _solved(judge, position)
        came_out = judge.estimate_chances(position)[0] if value is None else value
        yield from ((each, came_out) for each in seen)
        while value is not None and position.to_act is not None:
            if position.led is None:
                yield position, value
            position = _next(judge, position, lot, ODD[number % len(ODD)])
            value = _solved(judge, position)


def _next(judge: ClaimJudge, position: Position, lot: Random, odd: float) -> Position:
    """The position after a greedy card or, so often, after any."""
    if lot.random() < odd:
        legal = GAME.legal(position)
        move = legal[lot.randrange(len(legal))]
    else:
        ((move,), _), *_ = judge.rank_turns(GAME.view(position, position.to_act).shown, 1)
    after: Position = GAME.apply(position, move)[0]
    return after


def _solved(judge: ClaimJudge, position: Position) -> float | None:
    if position.to_act is None:
        return judge.estimate_chances(position)[0]
    found = judge.solve(position, NODES)
    return found[0][1][0] if found else None


def error(candidate: Weights, known: Sequence[Sample]) -> float:
    """How far the estimates are from what came out."""
    estimate = Estimate(candidate)
    return sum((estimate.estimate_chance(position) - value) ** 2 for position, value in known) / len(known)


def fit(start: Weights, known: Sequence[Sample], say: Callable[[str], None]) -> Weights:
    """The parameters with the smallest error, one after another and with smaller and smaller steps."""
    best, least = start, error(start, known)
    say(f"# {len(known)} positions, error {least:.5f}")
    for step in STEPS:
        better = True
        while better:
            better = False
            for name in asdict(start):
                for factor in (step, 1 / step):
                    candidate = evolve(best, **{name: float(f"{getattr(best, name) * factor:.3g}")})
                    found = error(candidate, known)
                    if found < least - 1e-6:
                        say(f"{name} {getattr(best, name)} -> {getattr(candidate, name)}: {found:.5f}")
                        best, least, better = candidate, found, True
                        break
    return best


def match(new: Weights, old: Weights, deals: int, seed: int) -> float:
    """The share of games that one greedy player wins against another, each deal from both seats."""
    judges, points = (ClaimJudge(GAME, new), ClaimJudge(GAME, old)), 0.0
    for number in range(deals):
        begin = GAME.start(TABLE, GAME.deal(2, Random(f"{seed};match;{number}").randbytes(32)))
        for ours in begin.seats:
            position = begin
            while position.to_act is not None:
                ((move,), _), *_ = judges[position.to_act != ours].rank_turns(
                    GAME.view(position, position.to_act).shown, 1
                )
                position, _ = GAME.apply(position, move)
            points += judges[0].estimate_chances(position)[ours]
    return points / deals / len(judges)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, fit, compare, log, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--deals", type=int, default=100, help="deals on which the new parameters play the old ones")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    with logged(LOG) as say:
        say(f"\n# {NAME}: seed {asked.seed}, {asked.games} games")
        old = read_claim_weights("claim", 2)
        known = list(samples(ClaimJudge(GAME), asked.games, asked.seed))
        new = fit(old, known, say)
        share = match(new, old, asked.deals, asked.seed)
        say(f"# new against old on {asked.deals} other deals: {100 * share:.1f} %")
        say(f"# {asdict(new)}")
    if share >= 0.5:
        write(ROOT / "tkid/games/claim/bots" / FILE, {NAME: asdict(new)})


if __name__ == "__main__":
    main()
