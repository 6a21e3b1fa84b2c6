"""Makes fixtures/positions: positions of random games, with their counts of legal resolutions and two-decision perft.

Run as `python -m tests.make_positions`. A line is a position in one line, then tab-separated: what may be done
(cards with their numbers of resolutions, or `summon` with its number), and how many rows of two decisions there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.strategies import GAME, random_game
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.notation.positions import write_position
from tkid.record.json import legal_json

FILE = Path(__file__).parents[1] / "fixtures" / "positions" / "second-edition.txt"


def counted(game: Struggle, position: Position) -> str:
    """What may be done, with numbers: `Pass 1, Assemble 512` or `summon 24`."""
    if position.decision == "summon":
        return f"summon {len(game.legal(position))}"
    return ", ".join(f"{card} {n}" for card, n in {"Pass": 1, **legal_json(game, position)["cards"]}.items())


def perft(game: Struggle, position: Position, decisions: int = 2) -> int:
    """How many rows of so many decisions can follow."""
    if decisions == 1 or position.to_act is None:
        return len(game.legal(position))
    return sum(perft(game, game.stand(position, move)[0], decisions - 1) for move in game.legal(position))


def chosen() -> Iterator[Position]:
    """Positions early, late and in between, with summonses due, bans, tight supplies and nothing left to do."""
    for seed in range(40):
        rng = Random(f"positions {seed}")
        reached = [
            p
            for p, _, _ in random_game(rng, rng.choice((2, 3, 4)), rng.choice((0.1, 0.5, 0.8)))
            if p.to_act is not None
        ]
        yield reached[len(reached) * (seed % 8) // 8]
        banned = [p for p in reached if p.banned and p.decision == "play" and p.banned.card in p.hands[p.to_act or 0]]
        yield from banned[:1] if seed % 4 == 0 else ()
        yield reached[-1]


def main() -> None:
    """Write the file."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    positions = dict.fromkeys(chosen())
    lines = [f"{write_position(GAME, p)}\t{counted(GAME, p)}\t{perft(GAME, p)}\n" for p in positions]
    FILE.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
