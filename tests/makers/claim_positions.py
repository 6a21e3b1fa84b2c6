"""Makes fixtures/positions/claim.txt: positions of random games of Claim, with their legal cards and two-card perft.

Run as `python -m tests.makers.claim_positions`. A line is a position in one line, then tab-separated: the cards that may
be played, each with its number of ways, and how many rows of two cards there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.games.claim.shared import CLAIM, TRICKS, reached
from tkid.games.claim.notation.positions import write_position
from tkid.games.claim.rules import Position

FILE = Path(__file__).parents[2] / "fixtures" / "positions" / "claim.txt"
GAMES = 18


def counted(position: Position) -> str:
    """What may be played: `Goblin 5 1, Knight 9 1`."""
    return ", ".join(f"{CLAIM.words.write_move(move)} 1" for move in CLAIM.legal(position))


def perft(position: Position, cards: int = 2) -> int:
    """How many rows of so many cards can follow."""
    if cards == 1 or position.to_act is None:
        return len(CLAIM.legal(position))
    return sum(perft(CLAIM.apply(position, move)[0], cards - 1) for move in CLAIM.legal(position))


def chosen() -> Iterator[Position]:
    """Positions of both phases, with and without a card led; known as a whole, and as the players know them."""
    for seed in range(GAMES):
        position = reached(Random(f"claim positions {seed}"), seed * 4 * TRICKS // GAMES)
        yield position
        assert position.to_act is not None
        yield CLAIM.view(position, position.to_act if seed % 2 else 1 - position.to_act).shown


def lines() -> Iterator[str]:
    """The lines of the file."""
    for position in dict.fromkeys(chosen()):
        yield f"{write_position(CLAIM, position)}\t{counted(position)}\t{perft(position)}"


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for line in lines()), "utf-8")
