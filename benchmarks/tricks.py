"""Speed of Claim, in processor time: `python -m benchmarks.tricks`."""

from __future__ import annotations

from random import Random
from time import process_time

from tests.games.claim.shared import CLAIM, start

SEED = 20261121
GAMES = 200
ROUNDS = 5


def random_games(count: int = GAMES) -> int:
    """Play whole random games, uniform over the legal cards; the games."""
    rng = Random(SEED)
    for _ in range(count):
        position = start(rng.randbytes(32))
        while position.to_act is not None:
            options = CLAIM.legal(position)
            position, _ = CLAIM.apply(position, options[rng.randrange(len(options))])
    return count


def main() -> None:
    """The best of some rounds."""
    rates = []
    for _ in range(ROUNDS):
        begin = process_time()
        rates.append(random_games() / (process_time() - begin))
    print(f"random games of Claim {max(rates):8,.0f} games/s       wanted: at least 300")


if __name__ == "__main__":
    main()
