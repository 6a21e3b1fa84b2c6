"""How strong the players are: `python -m benchmarks.ladder --claim two-basic --pairs 200 --jobs 2`.

A match is played in pairs. A pair is one deal, played once for each party at the table: the player of the claim holds that
party's seats, the other player all other seats. So two players (or two teams) swap seats; with three players a pair is three
games, and an equal player wins a third of them. Every pair is a line in the file of results, and a run that was stopped goes
on from there. A run begins with the first pair: lines of players that have played it otherwise do not count. `--print` shows
what the last players in the file have done.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import fmean, pvariance
from time import process_time
from typing import Any

from attrs import asdict, define, evolve, frozen

from tkid.bots.player import Player, Turn
from tkid.bots.roster import player
from tkid.cli.check import find_interval
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import ruleset

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / ".build/ladder.jsonl"
SEED = 20261123
PAIRS = 200


@frozen
class Side:
    """A player by name, and how many nodes it thinks with."""

    name: str
    thought: int = 1

    @property
    def label(self) -> str:
        """Its name in a table."""
        return f"{self.name} {self.thought:,}" if self.thought > 1 else self.name


@frozen
class Claim:
    """A match: what is played, by whom, and the share of games that is wanted of the first player (0: more than its own)."""

    name: str
    ruleset: str
    players: int
    ours: Side
    theirs: Side
    wanted: float = 0

    @property
    def parties(self) -> tuple[tuple[int, ...], ...]:
        """The seats that win together."""
        return tuple(ruleset(self.ruleset).game().parties[self.players])


RANDOM, GREEDY, SEARCH, LONG = Side("random"), Side("greedy", 1_000), Side("search", 1_000), Side("search", 10_000)
BASIC, ADVANCED = "second-edition", "second-edition-advanced"
CLAIMS = (
    Claim("two-basic", BASIC, 2, SEARCH, GREEDY, 0.8),
    Claim("two-basic-greedy", BASIC, 2, GREEDY, RANDOM, 0.95),
    Claim("claim", "claim", 2, SEARCH, GREEDY),
    Claim("two-advanced", ADVANCED, 2, SEARCH, GREEDY),
    Claim("three-basic", BASIC, 3, SEARCH, GREEDY),
    Claim("teams-basic", BASIC, 4, SEARCH, GREEDY),
    Claim("two-mordred", "first-edition-mordred", 2, SEARCH, GREEDY),
    Claim("three-advanced", ADVANCED, 3, SEARCH, GREEDY),
    Claim("teams-advanced", ADVANCED, 4, SEARCH, GREEDY),
    Claim("two-first", "first-edition", 2, SEARCH, GREEDY),
    Claim("two-digest", "digest", 2, SEARCH, GREEDY),
    Claim("two-digest-advanced", "digest-advanced", 2, SEARCH, GREEDY),
    Claim("three-mordred", "first-edition-mordred", 3, SEARCH, GREEDY),
    Claim("teams-mordred", "first-edition-mordred", 4, SEARCH, GREEDY),
    Claim("claim-greedy", "claim", 2, GREEDY, RANDOM),
    Claim("two-basic-long", BASIC, 2, LONG, SEARCH, 0.6),
)
"""Every match of the ladder, the most wanted first."""


# -- playing ----------------------------------------------------------------------------------------------


@frozen
class Pair:
    """What came of one deal.

    Attributes:
        points: The first player's share of each game, by the party it held.
        turns: How many turns the first player chose, in so many `seconds` of processor time.
        played: A digest of all turns of the pair; "" in lines that are older than this.
        players: What `played` is of the first pair: a name for the players as they are.
    """

    claim: str
    seed: int
    pair: int
    points: tuple[float, ...]
    turns: int
    seconds: float
    played: str
    players: str
    thought: int

    @property
    def mean(self) -> float:
        """The share of the pair that the first player won."""
        return fmean(self.points)


Chooser = Callable[[Any], Turn]
"""What chooses a turn, given a view."""


@define
class Clock:
    """A player whose turns are counted, timed, and put down on a list."""

    player: Player
    thought: int
    chosen: list[Turn]
    turns: int = 0
    seconds: float = 0.0

    def __call__(self, view: Any) -> Turn:
        """The turn that the player chooses."""
        began = process_time()
        turn = self.player.choose(view, self.thought)
        self.turns, self.seconds = self.turns + 1, self.seconds + process_time() - began
        self.chosen.append(turn)
        return turn


def begun(game: AnyGame, players: int, seed: str) -> Any:
    """The position after a deal that follows from a text."""
    return game.start(game.table(tuple("abcd"[:players])), game.deal(players, Random(seed).randbytes(32)))


def play_pair(claim: Claim, seed: int, number: int, players: str = "") -> Pair:
    """Play a deal once for each party. Without a name for the players, the pair gives them theirs."""
    game = ruleset(claim.ruleset).game()
    begin = begun(game, claim.players, f"{seed};{claim.ruleset};{claim.players};{number}")
    chosen: list[Turn] = []
    ours, theirs = (Clock(player(game, side.name), side.thought, chosen) for side in (claim.ours, claim.theirs))
    points = each_side(game, begin, ours, theirs)
    played = sha256("\n".join(map(game.words.turn, chosen)).encode()).hexdigest()[:12]
    seconds = round(ours.seconds, 3)
    return Pair(claim.name, seed, number, points, ours.turns, seconds, played, players or played, claim.ours.thought)


def each_side(game: AnyGame, begin: Any, ours: Chooser, theirs: Chooser) -> tuple[float, ...]:
    """What the first of two players has of the games from a position on, one for each party that it holds."""
    points, parties = [], game.parties[len(begin.seats)]
    for party in parties:
        end = play(game, begin, {seat: ours if seat in party else theirs for seat in begin.seats})
        points.append(share(end.winners, party, parties))
    return tuple(points)


def play(game: AnyGame, position: Any, seats: Mapping[int, Chooser]) -> Any:
    """Play to the end. Whoever chooses sees a view. Returns the last position."""
    while (seat := position.to_act) is not None:
        for move in seats[seat](game.view(position, seat)):
            position, _ = game.play(position, move)
    return position


def share(winners: Sequence[int], party: Sequence[int], parties: Sequence[Sequence[int]]) -> float:
    """What a party has of a game: 1 for a win, a part where several win, and an equal part where nobody does."""
    won = [each for each in parties if set(each) & set(winners)] or parties
    return (party in won) / len(won)


# -- counting ---------------------------------------------------------------------------------------------


def interval(means: Sequence[float], games: int) -> tuple[float, float]:
    """Wilson's interval for a share, over pairs: the spread of the pairs says how many games they are worth.

    Args:
        means: the share won of each pair.
        games: how many games a pair has.

    Returns:
        The lower and the upper end of the interval.
    """
    p, n = fmean(means), len(means)
    plain, seen = p * (1 - p), pvariance(means)
    worth = n * (plain / seen if seen else games)
    return find_interval(p, worth)


def summary(claim: Claim, pairs: Sequence[Pair]) -> dict[str, Any]:
    """A match as the pages show it."""
    means = [pair.mean for pair in pairs]
    low, high = interval(means, len(claim.parties))
    turns, seconds = sum(pair.turns for pair in pairs), sum(pair.seconds for pair in pairs)
    return {
        "claim": claim.name,
        "ruleset": claim.ruleset,
        "players": claim.players,
        "first": claim.ours.label,
        "second": claim.theirs.label,
        "pairs": len(pairs),
        "games": len(pairs) * len(claim.parties),
        "share": round(fmean(means), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "equal": round(1 / len(claim.parties), 4),
        "wanted": claim.wanted or None,
        "seconds_a_turn": round(seconds / turns, 4),
        "turns_a_second": round(turns / max(seconds, 1e-9), 1),
        "thought_a_second": round(turns * claim.ours.thought / max(seconds, 1e-9)),
        "seed": pairs[0].seed,
        "made_by": pairs[0].players,
    }


def row(found: dict[str, Any]) -> str:
    """A match as a line of a table."""
    wanted = f"wanted {found['wanted']:.0%}" if found["wanted"] else f"equal {found['equal']:.0%}"
    return (
        f"{found['claim']:<18}{found['first']:>14} - {found['second']:<14}{found['pairs']:5} pairs "
        f"{found['share']:7.1%}  ({found['low']:.1%} to {found['high']:.1%}; {wanted})  "
        f"{found['seconds_a_turn']:.3f} s a turn, {found['thought_a_second']:,} nodes/s at most"
    )


# -- the file of results ----------------------------------------------------------------------------------


def known(path: Path, claim: Claim, seed: int) -> Iterator[Pair]:
    """The pairs of a match in the file that were dealt from this seed."""
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        pair = Pair(**{**(read := json.loads(line)), "points": tuple(read["points"])})
        if (pair.claim, pair.thought, pair.seed) == (claim.name, claim.ours.thought, seed):
            yield pair


def latest(path: Path, claim: Claim, seed: int) -> list[Pair]:
    """The pairs of a match in the file that the last players there have played, in order."""
    played = list(known(path, claim, seed))
    return sorted((pair for pair in played if pair.players == played[-1].players), key=lambda pair: pair.pair)


def run(claims: Sequence[Claim], pairs: int, seed: int, jobs: int, path: Path) -> None:
    """Play what is missing of each match, and add it to the file pair by pair."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Pool(jobs) as pool, path.open("a", encoding="utf-8") as file:
        for claim in claims:
            first = play_pair(claim, seed, 0)
            done = {pair.pair for pair in known(path, claim, seed) if pair.players == first.players}
            missing = [number for number in range(1, pairs) if number not in done]
            others = pool.imap_unordered(partial(play_pair, claim, seed, players=first.players), missing)
            for pair in chain([] if 0 in done else [first], others):
                file.write(f"{json.dumps(asdict(pair))}\n")
                file.flush()
            show([claim], pairs, seed, path)


def show(claims: Sequence[Claim], pairs: int, seed: int, path: Path) -> None:
    """Print what the last players have done in each match of the file: a line of a table, then the same as JSON."""
    for claim in claims:
        if mine := latest(path, claim, seed)[:pairs]:
            found = summary(claim, mine)
            print(row(found), json.dumps(found), sep="\n", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--claim", action="append", choices=[claim.name for claim in CLAIMS], help="all unless given")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--thought", type=int, help="nodes of the first player, in place of the claim's")
    parser.add_argument("--first", help='another first player, such as "cmd:./my-engine", in place of the claim\'s')
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--print", action="store_true", help="show what the file has, and play nothing")
    asked = parser.parse_args(arguments)
    claims = [claim for claim in CLAIMS if not asked.claim or claim.name in asked.claim]
    if asked.first:
        claims = [evolve(claim, ours=evolve(claim.ours, name=asked.first)) for claim in claims]
    if asked.thought:
        claims = [evolve(claim, ours=evolve(claim.ours, thought=asked.thought)) for claim in claims]
    print(f"seed {asked.seed}, a pair is one deal from every side of the table", flush=True)
    if asked.print:
        show(claims, asked.pairs, asked.seed, asked.file)
    else:
        run(claims, asked.pairs, asked.seed, asked.jobs, asked.file)


if __name__ == "__main__":
    main()
