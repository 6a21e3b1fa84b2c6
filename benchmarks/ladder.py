"""How strong the players are: `python -m benchmarks.ladder --claim two-basic --pairs 200 --jobs 2`.

A match is played in pairs. A pair is one deal, played once for each party at the table: the player of the claim holds that
party's seats, the other player all other seats. So two players (or two teams) swap seats; with three players a pair is three
games, and an equal player wins a third of them. Every pair is a line in the file of results, and a run that was stopped goes
on from there; lines made by other versions of the players do not count. `--print` shows what the file has.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import fmean, pvariance
from time import process_time
from typing import Any

from attrs import asdict, evolve, frozen

from tkid.bots.player import Player
from tkid.bots.roster import player
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import ruleset

ROOT = Path(__file__).parents[1]
SOURCES = ("tkid/bots", "tkid/games/struggle/bots", "tkid/games/claim/bots")
RESULTS = ROOT / ".build/ladder.jsonl"
SEED = 20261123
PAIRS = 200
Z = 1.96
"""Standard deviations to each side of a mean, for an interval that is right 95 times of 100."""


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
    Claim("three-mordred", "first-edition-mordred", 3, SEARCH, GREEDY),
    Claim("teams-mordred", "first-edition-mordred", 4, SEARCH, GREEDY),
    Claim("claim-greedy", "claim", 2, GREEDY, RANDOM),
    Claim("two-basic-long", BASIC, 2, LONG, SEARCH, 0.6),
)
"""Every match of the ladder, the most wanted first."""


# -- playing ----------------------------------------------------------------------------------------------


@frozen
class Pair:
    """What came of one deal: the first player's share of each game, by the party it held, and what its turns took."""

    claim: str
    seed: int
    pair: int
    points: tuple[float, ...]
    turns: int
    seconds: float
    players: str
    thought: int

    @property
    def mean(self) -> float:
        """The share of the pair that the first player won."""
        return fmean(self.points)


@cache
def version() -> str:
    """A name for the players as they are: a digest of everything they are made of."""
    files = sorted(path for folder in SOURCES for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".toml"})
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def play_pair(claim: Claim, seed: int, number: int) -> Pair:
    """Play a deal once for each party."""
    game = ruleset(claim.ruleset).game()
    entropy = Random(f"{seed};{claim.ruleset};{claim.players};{number}").randbytes(32)
    begin = game.start(game.table(tuple("abcd"[: claim.players])), game.deal(claim.players, entropy))
    points, turns, seconds = [], 0, 0.0
    for party in claim.parties:
        seats = {seat: claim.ours if seat in party else claim.theirs for seat in range(claim.players)}
        clocks = dict.fromkeys(seats.values(), (0, 0.0))
        position = play_game(game, begin, seats, clocks)
        points.append(share(position.winners, party, claim.parties))
        turns, seconds = turns + clocks[claim.ours][0], seconds + clocks[claim.ours][1]
    return Pair(claim.name, seed, number, tuple(points), turns, round(seconds, 3), version(), claim.ours.thought)


def play_game(game: AnyGame, position: Any, seats: dict[int, Side], clocks: dict[Side, tuple[int, float]]) -> Any:
    """Play to the end. Every player sees a view; its turns are counted and timed. Returns the last position."""
    players: dict[Side, Player] = {side: player(game, side.name) for side in clocks}
    while (seat := position.to_act) is not None:
        side = seats[seat]
        began = process_time()
        turn = players[side].choose(game.view(position, seat), side.thought)
        count, spent = clocks[side]
        clocks[side] = count + 1, spent + process_time() - began
        for move in turn:
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
    middle, spread = p + Z * Z / (2 * worth), Z * sqrt(plain / worth + Z * Z / (4 * worth * worth))
    return (middle - spread) / (1 + Z * Z / worth), (middle + spread) / (1 + Z * Z / worth)


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


def known(path: Path, seed: int) -> Iterator[Pair]:
    """The pairs in the file that these players have played with this seed."""
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        pair = Pair(**{**(read := json.loads(line)), "points": tuple(read["points"])})
        if (pair.seed, pair.players) == (seed, version()):
            yield pair


def _task(task: tuple[Claim, int, int]) -> Pair:
    return play_pair(*task)


def run(claims: Sequence[Claim], pairs: int, seed: int, jobs: int, path: Path) -> None:
    """Play what is missing of each match, and add it to the file pair by pair."""
    path.parent.mkdir(parents=True, exist_ok=True)
    done = {(pair.claim, pair.thought, pair.pair) for pair in known(path, seed)}
    for claim in claims:
        missing = [(claim, seed, n) for n in range(pairs) if (claim.name, claim.ours.thought, n) not in done]
        with Pool(jobs) as pool, path.open("a", encoding="utf-8") as file:
            for pair in pool.imap_unordered(_task, missing):
                file.write(f"{json.dumps(asdict(pair))}\n")
                file.flush()
        show([claim], pairs, seed, path)


def show(claims: Sequence[Claim], pairs: int, seed: int, path: Path) -> None:
    """Print each match of which the file has something: a line of a table, then the same as JSON."""
    played = list(known(path, seed))
    for claim in claims:
        mine = [pair for pair in played if (pair.claim, pair.thought) == (claim.name, claim.ours.thought)]
        mine = sorted(mine, key=lambda pair: pair.pair)[:pairs]
        if mine:
            found = summary(claim, mine)
            print(row(found), json.dumps(found), sep="\n", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--claim", action="append", choices=[claim.name for claim in CLAIMS], help="all unless given")
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--thought", type=int, help="nodes of the first player, in place of the claim's")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--print", action="store_true", help="show what the file has, and play nothing")
    asked = parser.parse_args(arguments)
    claims = [claim for claim in CLAIMS if not asked.claim or claim.name in asked.claim]
    if asked.thought:
        claims = [evolve(claim, ours=evolve(claim.ours, thought=asked.thought)) for claim in claims]
    print(f"seed {asked.seed}, players {version()}, a pair is one deal from every side of the table", flush=True)
    if asked.print:
        show(claims, asked.pairs, asked.seed, asked.file)
    else:
        run(claims, asked.pairs, asked.seed, asked.jobs, asked.file)


if __name__ == "__main__":
    main()
