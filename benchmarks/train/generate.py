"""Play the games that a value is learned from: `python -m benchmarks.train.generate second-edition 2 --games 4000`.

Each game follows from its number, so a run that was stopped goes on where it was. A line has the number of the game, what each
party won, and a position in which a turn was due, or the last one of the game, with all cards. It is JSON, which is read
twenty times as fast as the notation.
Of some turns the lot decides, so that unequal positions come up too. Games are played by the greedy player, or with `--thought`
by one who looks ahead. They judge positions without the learned value; with `--learned` they use it as it is now. `--seed`
gives other games.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from attrs import fields

from tkid.bots.player import apply_turn, find_win_shares
from tkid.bots.search import Search
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots.outlook import find_struggle_weights
from tkid.games.struggle.rules.board import Position
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import ruleset

FOLDER = Path(__file__).parents[2] / ".build/train"
SEED, WIDTH, BY_LOT, LOOSE = 20261129, 8, 0.12, 2
"""The seed; how many turns are listed; how often the lot decides; how much more often on the first turn of each seat."""
NAMES = tuple(each.name for each in fields(Position) if each.name != "banned")


def write_fields(position: Position) -> str:
    """A position as a line of JSON, without a ban."""
    values = [getattr(position, name) for name in NAMES]
    return json.dumps(values, default=sorted, separators=(",", ":"))


def read_fields(line: str) -> Position:
    """The position of such a line."""
    known = dict(zip(NAMES, map(_freeze, json.loads(line)), strict=True))
    return Position(**{**known, "negotiated": frozenset(known["negotiated"])}, banned=None)


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def choose_turn(judge: StruggleJudge, position: Any, chance: Random, thought: int) -> Any:
    """The turn of somebody who sees a view."""
    game: AnyGame = judge.game
    view = game.view(position, position.to_act)
    loose = LOOSE if position.turn <= len(position.seats) else 1
    by_lot = chance.random() < BY_LOT * loose
    if not thought:
        turns = judge.rank_turns(view.shown, WIDTH)
        return (chance.choice(turns) if by_lot else turns[0])[0]
    found = Search(game, judge).list_best_turns(view, thought, WIDTH if by_lot else 1)
    return chance.choice(found).turn


def play_game(judge: StruggleJudge, players: int, number: int, seed: int, thought: int) -> Iterator[str]:
    """The lines of one game."""
    game: AnyGame = judge.game
    chance = Random(f"{seed} {judge.game.code} {players} {number}")
    position, seen = (
        game.start(game.seat_players(tuple("abcd"[:players])), game.deal(players, chance.randbytes(32))),
        [],
    )
    while position.to_act is not None:
        if position.decision == "play":
            seen.append(write_fields(position))
        position = apply_turn(game, position, choose_turn(judge, position, chance, thought))
    seen.append(write_fields(position))
    won = " ".join(f"{each:.4g}" for each in find_win_shares(game, position))
    yield from (f"{number}\t{won}\t{each}\n" for each in seen)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play what is missing of the games."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("players", type=int)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--thought", type=int, default=0, help="nodes a turn of a player who looks ahead")
    parser.add_argument("--learned", action="store_true", help="judge positions by the value learned so far")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    how = f"{asked.thought}{'-learned' if asked.learned else ''}"
    path = FOLDER / f"{asked.ruleset}-{asked.players}-{asked.seed}-{how}.txt"
    game, ahead = ruleset(asked.ruleset).game(), asked.thought > 0
    fixed = None if asked.learned else find_struggle_weights(asked.ruleset, asked.players, ahead=ahead)
    judge = StruggleJudge(game, fixed, ahead)
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    done = int(lines[-1].partition("\t")[0]) if lines else 0
    whole = [line for line in lines if int(line.partition("\t")[0]) < done]
    path.write_text("".join(whole), "utf-8")  # the last game may be cut off, and is played again
    print(f"{path.name}: seed {asked.seed}, from game {done}", flush=True)
    with path.open("a", encoding="utf-8") as file:
        for number in range(done, asked.games):
            file.writelines(play_game(judge, asked.players, number, asked.seed, asked.thought))


if __name__ == "__main__":
    main()
