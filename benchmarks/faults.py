"""A club on two machines that are killed, stopped and cut off, whose disks are full and mail servers hang up: `python -m benchmarks.faults 200`, with a seed behind it or without.

Nothing may be lost or doubled. It prints how many turns were played, and how many faults were survived.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.host.machines import club, play_rounds


def main(rounds: int, seed: int) -> None:
    """Disturb a club in each round, and print the figures."""
    with tempfile.TemporaryDirectory() as name, club(Path(name), seed) as at:
        play_rounds(at, rounds, lambda: print(".", end="", flush=True))
        seconds, words = at.longest
        print(f"\n{rounds} rounds, {at.mails} turns in {len(at.turns)} games; longest wait {seconds:.1f} s, {words}")
        print(f"letters sent: {sum(1 for _ in at.read_letters())}, {at.repeated} of them twice with one Message-ID")
        for kind, times in at.faults.items():
            print(f"  {times:4} times: {kind}")


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("200", "1")[len(sys.argv) - 1 :])))
