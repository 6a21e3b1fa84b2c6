"""How well estimates fit what comes out: `python -m benchmarks.estimates second-edition 2`.

Programs that look ahead play each other. What the one to act estimates its chance to be is compared with what it wins in the
end: of turns with an estimate of 70 to 80 %, 70 to 80 % should be won. What is proven does not count, and now and then
somebody plays the second or the third best turn, so that unequal positions come up too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from multiprocessing import Pool
from random import Random
from statistics import fmean

from tkid.bots.player import apply_turn, find_party, find_win_shares
from tkid.bots.roster import player
from tkid.rulebook.rulesets import ruleset

SEED, THOUGHT, ASTRAY = 20261126, 200, 0.15
"""The seed, how many positions are looked at for a turn, and how often one of the next best turns is played."""
Estimate = tuple[float, float]
"""What somebody estimated before a turn, and what was won: 1, 0 or a share."""


def game_of(code: str, players: int, number: int) -> list[Estimate]:
    """The estimates of one game."""
    game, chance = ruleset(code).game(), Random(f"{SEED} {code} {players} {number}")
    search, told = player(game, "search"), list[tuple[int, float]]()
    position = game.start(game.table(tuple("abcd"[:players])), game.deal(players, chance.randbytes(32)))
    while position.to_act is not None:
        best, *others = search.choices(game.view(position, position.to_act), THOUGHT, 3)
        if not best.proven:
            told.append((find_party(game, position), best.value))
        astray = others and chance.random() < ASTRAY
        position = apply_turn(game, position, chance.choice(others).turn if astray else best.turn)
    won = find_win_shares(game, position)
    return [(value, won[party]) for party, value in told]


def rows(estimates: Sequence[Estimate]) -> Iterator[str]:
    """A line for each tenth, and one for all."""
    for tenth in range(10):
        among = [each for each in estimates if min(9, int(each[0] * 10)) == tenth]
        if among:
            yield f"{10 * tenth:3} to {10 * tenth + 10:3} %: {told(among)}"
    yield f"all:          {told(estimates)}"


def told(estimates: Sequence[Estimate]) -> str:
    """How many estimates, what they say on average, and what was won."""
    said, won = (fmean(column) for column in zip(*estimates, strict=True))
    return f"{len(estimates):5} turns, {said:6.1%} estimated, {won:6.1%} won"


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    print(f"{asked.ruleset}, {asked.players} players, {asked.games} games, {THOUGHT} positions a turn, seed {SEED}")
    with Pool(asked.jobs) as pool:
        found = pool.imap(partial(game_of, asked.ruleset, asked.players), range(asked.games))
        estimates = list(chain.from_iterable(found))
    for row in rows(estimates):
        print(row)


if __name__ == "__main__":
    main()
