"""Fit the evaluation's parameters by games: `python -m benchmarks.fit second-edition 2 --games 200 --deals 30`.

First, games are played with the parameters of today and some turns by lot. A coordinate search finds the parameters that
predict best who won them; a penalty keeps it from going far where that gains little. What a card left in hand is worth
cannot be learned from predictions, as players who have fewer cards have done more with them. So it is found by matches: each
worth plays the same deals from every side of the table against the parameters of today. The best plays some other deals at
the end, and is written to the file beside the evaluation if it has won more than its share. The log has the seed, what was
tried, and how many games it took.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import log
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from attrs import asdict, evolve, frozen

from benchmarks.ladder import begun, each_side
from tkid.bots.player import Turn
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots import outlook as shipped
from tkid.games.struggle.bots.outlook import NAMES, USUAL, Weights, name_weights_table
from tkid.rulebook.rulesets import ruleset

ROOT = Path(__file__).parents[1]
WEIGHTS = ROOT / "tkid/games/struggle/bots" / shipped.FILE
LOG = ROOT / "fixtures/bots/fitting.txt"
SEED = 20261123
WIDTH, REPLIES, REPLY_WIDTH = 12, 4, 6
"""How many turns the players of the fit list, how many of those they look at again, and how many replies to each."""
BY_LOT = 0.08
"""How many turns are played by lot in the games that are predicted."""
STEPS = (2.0, 1.5, 1.25, 1.1)
"""By how much a parameter is changed, the large step first."""
STAY = 0.0005
"""What it costs to change a parameter by the first step, as a part of the mean square error."""
WORTHS = (0.7, 1.0, 1.5, 2.2)
"""The worths of a card that are tried, as multiples of the worth that predicts best."""


def choose(judge: StruggleJudge, position: Any, plies: int) -> Any:
    """The best turn, by the evaluation after it or, with two plies, after the reply that the next player likes best."""
    ranked = judge.rank_turns(position, WIDTH)
    if plies == 1 or len(ranked) == 1:
        return ranked[0]
    party = judge.get_outlook(len(position.courts)).find_party(position.to_act)
    return max(ranked[:REPLIES], key=lambda each: judge.estimate_chances(_replied(judge, each[1]))[party])


def _replied(judge: StruggleJudge, position: Any) -> Any:
    return position if position.decision is None else judge.rank_turns(position, REPLY_WIDTH)[0][1]


@frozen
class Arena:
    """Where matches are played: a ruleset, how many players, and how far they look."""

    code: str
    players: int
    plies: int
    seed: int

    def match(self, ours: Weights, others: Weights, deals: range) -> float:
        """The share of games that one side wins, on each deal from every side of the table."""
        game = ruleset(self.code).game()
        mine, theirs = (partial(self._chosen, StruggleJudge(game, weights)) for weights in (ours, others))
        begins = (begun(game, self.players, f"{self.seed};{deal}") for deal in deals)
        return fmean(fmean(each_side(game, begin, mine, theirs)) for begin in begins)

    def _chosen(self, judge: StruggleJudge, view: Any) -> Turn:
        turn: Turn = choose(judge, view.shown, self.plies)[0]
        return turn

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that count in this game."""
        alone = ruleset(self.code).game().summons.alone
        return tuple(name for name in NAMES if name != "ahead" and (alone or name not in {"alone", "fall"}))

    def games(self, deals: int) -> int:
        """How many games a match of so many deals has."""
        return deals * len(ruleset(self.code).game().parties[self.players])

    def positions(self, weights: Weights, games: int) -> list[tuple[Any, tuple[float, ...]]]:
        """The positions of some games, each with what came out."""
        game, lot, found = ruleset(self.code).game(), Random(self.seed), []
        judge = StruggleJudge(game, weights)
        for _ in range(games):
            deal = game.deal(self.players, lot.randbytes(32))
            position, seen = game.start(game.seat_players(tuple("abcd"[: self.players])), deal), []
            while position.decision is not None:
                if position.decision == "play":
                    seen.append(position)
                known = game.view(position, position.to_act).shown
                by_lot = lot.random() < BY_LOT
                turn, _ = lot.choice(judge.rank_turns(known, WIDTH)) if by_lot else choose(judge, known, self.plies)
                for move in turn:
                    position, _ = game.apply(position, move)
            found += [(each, judge.estimate_chances(position)) for each in seen]
        return found

    def error(self, weights: Weights, positions: Sequence[tuple[Any, tuple[float, ...]]]) -> float:
        """The mean square error of the values of positions."""
        judge = StruggleJudge(ruleset(self.code).game(), weights)
        squares = (
            sum((value - won) ** 2 for value, won in zip(judge.estimate_chances(position), outcome, strict=True))
            / len(outcome)
            for position, outcome in positions
        )
        return sum(squares) / len(positions)


def predict(arena: Arena, start: Weights, games: int, say: Callable[[str], None]) -> Weights:
    """The parameters that predict best."""
    positions = arena.positions(start, games)
    known, others = positions[: len(positions) * 3 // 4], positions[len(positions) * 3 // 4 :]

    def loss(weights: Weights) -> float:
        changes = (log(getattr(weights, name) / getattr(start, name)) / log(STEPS[0]) for name in NAMES)
        return arena.error(weights, known) + STAY * sum(change * change for change in changes)

    best, least = start, loss(start)
    for step in STEPS:
        for name in arena.names:
            for factor in (step, 1 / step):
                while True:
                    tried = evolve(best, **{name: _rounded(getattr(best, name) * factor)})
                    lost = loss(tried)
                    if lost >= least:
                        break
                    best, least = tried, lost
    before, after = (100 * arena.error(each, others) for each in (start, best))
    say(f"{len(positions)} positions of {games} games; error on other games {before:.2f} %, then {after:.2f} %")
    return best


def fit(arena: Arena, start: Weights, games: int, deals: int, say: Callable[[str], None]) -> Weights:
    """The best parameters that were found; those of the start if no others win more."""
    predicted = predict(arena, start, games, say)
    results = []
    for worth in WORTHS:
        tried = evolve(predicted, card=_rounded(predicted.card * worth))
        result = arena.match(tried, start, range(deals))
        say(f"card {tried.card}: wins {100 * result:.1f} % of {arena.games(deals)} games")
        results.append((result, tried))
    _, best = max(results, key=lambda each: each[0])
    confirmed = arena.match(best, start, range(deals, 3 * deals))
    say(f"card {best.card} on other deals: {100 * confirmed:.1f} % of {arena.games(2 * deals)} games")
    say(f"{asdict(best)}")
    equal = 1 / len(ruleset(arena.code).game().parties[arena.players])
    say("written" if confirmed > equal else "not written")
    return best if confirmed > equal else start


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


@contextmanager
def logged(path: Path) -> Iterator[Callable[[str], None]]:
    """What prints a line and adds it to a log."""
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as log:

        def say(line: str) -> None:
            print(line, flush=True)
            log.write(f"{line}\n")
            log.flush()

        yield say


def write(path: Path, fitted: Mapping[str, Mapping[str, float]]) -> None:
    """Put tables of parameters into a file, in place of those that have their names."""
    tables = {**tomllib.loads(path.read_text("utf-8")), **fitted}
    blocks = [
        "\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in table.items())])
        for name, table in tables.items()
    ]
    path.write_text("\n\n".join(blocks) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, log, and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--deals", type=int, default=30)
    parser.add_argument("--plies", type=int, choices=(1, 2), default=2)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--usual", action="store_true", help="write what is found as the usual parameters too")
    asked = parser.parse_args(arguments)
    name = name_weights_table(asked.ruleset, asked.players)
    arena = Arena(asked.ruleset, asked.players, asked.plies, asked.seed)
    with logged(LOG) as say:
        say(f"\n# {name}: seed {asked.seed}, players who look {asked.plies} turns ahead")
        start = shipped.find_struggle_weights(asked.ruleset, asked.players)
        champion = fit(arena, start, asked.games, asked.deals, say)
    write(WEIGHTS, dict.fromkeys([name, *([USUAL] if asked.usual else [])], asdict(champion)))


if __name__ == "__main__":
    main()
