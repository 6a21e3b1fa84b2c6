"""How well estimates fit what comes out: `python -m benchmarks.estimates second-edition 2`.

Programs that look ahead play each other. What the one to act estimates its chance to be is compared with what it wins in the
end: of turns with an estimate of 70 to 80 %, 70 to 80 % should be won. What is proven does not count, and now and then
somebody plays the second or the third best turn, so that unequal positions come up too. With `--before` a player without the
learned value estimates the same positions.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from math import sqrt
from multiprocessing import Pool
from operator import attrgetter
from random import Random
from statistics import fmean

from attrs import evolve, frozen

from tkid.bots.player import apply_turn, find_party, find_win_shares
from tkid.bots.roster import find_player
from tkid.bots.search import Search
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots.outlook import find_struggle_weights
from tkid.rulebook.rulesets import ruleset

SEED, THOUGHT, ASTRAY = 20261126, 200, 0.15
"""The seed, how many positions are looked at for a turn, and how often one of the next best turns is played."""


@frozen
class Estimate:
    """What somebody estimated before a turn, with what was won: 1, 0 or a share.

    `before` is the estimate without the learned value; `left` is the number of cards that each player has left, rounded down.
    """

    game: int
    left: int
    said: float
    before: float
    won: float


def game_of(code: str, players: int, before: bool, number: int) -> list[Estimate]:  # noqa: FBT001 - given by a pool
    """The estimates of one game."""
    game, chance = ruleset(code).game(), Random(f"{SEED} {code} {players} {number}")
    search, found = find_player(game, "search"), list[tuple[int, Estimate]]()
    usual = Search(game, StruggleJudge(game, find_struggle_weights(code, players, ahead=True))) if before else search
    position = game.start(game.seat_players(tuple("abcd"[:players])), game.deal(players, chance.randbytes(32)))
    while position.to_act is not None:
        view = game.view(position, position.to_act)
        best, *others = search.list_best_turns(view, THOUGHT, 3)
        if not best.proven:
            said = usual.list_best_turns(view, THOUGHT, 1)[0].value if before else best.value
            left = sum(map(len, position.hands)) // players
            found.append((find_party(game, position), Estimate(number, left, best.value, said, 0)))
        astray = others and chance.random() < ASTRAY
        position = apply_turn(game, position, chance.choice(others).turn if astray else best.turn)
    won = find_win_shares(game, position)
    return [evolve(each, won=won[party]) for party, each in found]


def rows(estimates: Sequence[Estimate]) -> Iterator[str]:
    """A line for each tenth, for each number of cards left, and for all."""
    for tenth in range(10):
        if among := [each for each in estimates if min(9, int(each.said * 10)) == tenth]:
            yield f"{10 * tenth:3} to {10 * tenth + 10:3} %: {told(among)}"
    for left in sorted({each.left for each in estimates}):
        yield f"{left} cards each: {told([each for each in estimates if each.left == left])}"
    yield f"all:          {told(estimates)}"


def told(estimates: Sequence[Estimate]) -> str:
    """How many estimates, what they say on average, what was won, and the Brier score with an interval over games."""
    said, won = fmean(each.said for each in estimates), fmean(each.won for each in estimates)
    return f"{len(estimates):5} turns, {said:6.1%} estimated, {won:6.1%} won, Brier {brier(estimates)}"


def brier(estimates: Sequence[Estimate]) -> str:
    """The mean square error, without and with the learned value, and by how much it is less with it."""
    before, after = (
        [(say(each) - each.won) ** 2 for each in estimates] for say in (attrgetter("before"), attrgetter("said"))
    )
    games: dict[int, list[float]] = {}
    for each, one, other in zip(estimates, before, after, strict=True):
        games.setdefault(each.game, []).append(one - other)
    gain = fmean(one - other for one, other in zip(before, after, strict=True))
    off = [sum(each) - gain * len(each) for each in games.values()]
    wide = 1.96 * sqrt(sum(each * each for each in off)) / len(estimates)
    return f"{fmean(before):.4f} before, {fmean(after):.4f} now, less by {gain:.4f} ± {wide:.4f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--before", action="store_true", help="estimate without the learned value too")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    print(f"{asked.ruleset}, {asked.players} players, {asked.games} games, {THOUGHT} positions a turn, seed {SEED}")
    with Pool(asked.jobs) as pool:
        found = pool.imap(partial(game_of, asked.ruleset, asked.players, asked.before), range(asked.games))
        estimates = list(chain.from_iterable(found))
    for row in rows(estimates):
        print(row)


if __name__ == "__main__":
    main()
