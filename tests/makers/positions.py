"""Makes fixtures/positions: positions of random games, with their counts of legal resolutions and two-decision perft.

Run as `python -m tests.makers.positions`, with the codes of rulesets for these alone. A line is a position in one line, then tab-separated: what may be done
(cards with their numbers of resolutions, or `summon` or `plot` with its number), and how many rows of two decisions
there are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import chain, count, islice
from pathlib import Path
from random import Random

from tests.games.struggle.shared.family import struggles
from tests.shared.strategies import random_game
from tkid.games.struggle.rules.board import OPEN, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.positions import write_position
from tkid.record.json.positions import legal_json
from tkid.rulebook.rulesets import Ruleset

FOLDER = Path(__file__).parents[2] / "fixtures" / "positions"


def counted(game: Struggle, position: Position) -> str:
    """What may be done, with numbers: `Pass 1, Assemble 512`, where a follower may be taken so `alone 24`; `summon 24`."""
    if position.decision != "play":
        return f"{position.decision} {len(game.legal(position))}"
    legal = legal_json(game, position)
    alone = {"alone": legal["summons"]} if "summons" in legal else {}
    return ", ".join(f"{what} {n}" for what, n in {"Pass": 1, **legal["cards"], **alone}.items())


def perft(game: Struggle, position: Position, decisions: int = 2) -> int:
    """How many rows of so many decisions can follow."""
    if decisions == 1 or position.to_act is None:
        return len(game.legal(position))
    return sum(perft(game, game.apply(position, move)[0], decisions - 1) for move in game.legal(position))


def reached(game: Struggle, rng: Random, players: int, passing: float) -> list[Position]:
    """The positions of a random game in which somebody decides."""
    return [p for p, _, _ in random_game(rng, players, passing, game) if p.to_act is not None]


def chosen(game: Struggle, games: int = 40) -> Iterator[Position]:
    """Positions early, late and in between, with summonses due, bans, tight supplies and nothing left to do."""
    for seed in range(games):
        rng = Random(f"positions {seed}")
        positions = reached(game, rng, rng.choice((2, 3, 4)), rng.choice((0.1, 0.5, 0.8)))
        yield positions[len(positions) * (seed % 8) // 8]
        banned = [p for p in positions if p.banned and p.banned.card in playable(p)]
        yield from banned[:1] if seed % 4 == 0 else ()
        yield positions[-1]


def playable(position: Position) -> tuple[str, ...]:
    """The cards of the seat that may play one now."""
    return position.hands[position.to_act or 0] if position.decision == "play" else ()


def cunning(game: Struggle) -> Iterator[Position]:
    """Positions with the cunning cards: Spy before several piles, few followers left, Plot to be named."""

    def spying(position: Position) -> bool:
        return "Spy" in playable(position) and sum(map(bool, others(position))) > 1

    def others(position: Position) -> Iterator[tuple[str, ...]]:
        return (pile for seat, pile in enumerate(position.discards) if seat != position.to_act)

    def sparse(position: Position) -> bool:
        drawn = [card for card in playable(position) if card in game.hands.deck]
        return len(drawn) > 1 and position.discs.count(OPEN) <= 2

    def plotting(position: Position) -> bool:
        return position.decision == "plot"

    return chain(
        islice(_first_of_each_game(game, "spying", spying), 10),
        islice(_first_of_each_game(game, "sparse", sparse), 16),
        islice(_first_of_each_game(game, "plotting", plotting), 10),
    )


def _first_of_each_game(game: Struggle, name: str, of_interest: Callable[[Position], bool]) -> Iterator[Position]:
    """Positions of interest, one of each random game that comes to any."""
    for seed in count():
        rng = Random(f"{name} {seed}")
        positions = reached(game, rng, rng.choice((2, 3, 4)), rng.choice((0.3, 0.8, 0.93)))
        yield from islice(filter(of_interest, positions), 1)


def positions_of(ruleset: Ruleset) -> Iterator[Position]:
    """The positions for a ruleset."""
    game = ruleset.game()
    return chain(chosen(game, 25), cunning(game)) if game.hands.deck else chosen(game)


def main(*codes: str) -> None:
    """Write the files, of these rulesets or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for ruleset in (entry for entry in struggles() if not codes or entry.code in codes):
        game, positions = ruleset.game(), dict.fromkeys(positions_of(ruleset))
        lines = [f"{write_position(game, p)}\t{counted(game, p)}\t{perft(game, p)}\n" for p in positions]
        (FOLDER / f"{ruleset.code}.txt").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
