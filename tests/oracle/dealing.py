"""From entropy and words to a deal, written from docs/fair-play.md alone: a second pair of hands.

Nothing of tkid is used, and no generator of Python's: only SHA-256.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

REGIONS = ("MOR", "STR", "LAN", "NOR", "GWY", "WAR", "ESS", "DEV")
HOMES = {"MOR": "S", "GWY": "W", "ESS": "E"}
FOLLOWERS_OF_EACH = {2: 16, 3: 18, 4: 18}
CUNNING = (
    *("Spy", "Ambush", "March", "Plot", "Aid", "Influence"),
    *("Dispute", "Edict", "Resist", "Quell", "Suppress", "Muster"),
)


def seal(entropy: bytes) -> bytes:
    """Hash the entropy."""
    return sha256(entropy).digest()


def seed(entropy: bytes, words: Sequence[str]) -> bytes:
    """Mix the entropy with the words of each player in turn order."""
    if all(text == "" for text in words):
        return entropy
    mixed = b"tkid words 1" + entropy
    for text in words:
        utf8 = text.encode("utf-8")
        mixed += len(utf8).to_bytes(4, "big") + utf8
    return sha256(mixed).digest()


class Stream:
    """Numbers from a seed."""

    def __init__(self, seed: bytes) -> None:
        self._numbers = self._unending(seed)
        self.rejected = 0

    def _unending(self, seed: bytes) -> Iterator[int]:
        counter = 0
        while True:
            block = sha256(b"tkid 1" + seed + counter.to_bytes(8, "big")).digest()
            for start in range(0, 32, 4):
                yield int.from_bytes(block[start : start + 4], "big")
            counter += 1

    def below(self, n: int) -> int:
        """Draw a number from 0 to n - 1."""
        # The largest multiple of n that is not above 2**32.
        limit = 2**32 // n * n
        number = next(self._numbers)
        while number >= limit:
            self.rejected += 1
            number = next(self._numbers)
        return number % n

    def shuffle(self, items: Sequence[Any]) -> list[Any]:
        """Shuffle a list."""
        shuffled = list(items)
        place = len(shuffled) - 1
        while place >= 1:
            other = self.below(place + 1)
            kept = shuffled[place]
            shuffled[place] = shuffled[other]
            shuffled[other] = kept
            place -= 1
        return shuffled


def deal(seed: bytes, players: int, *, advanced: bool = False) -> dict[str, Any]:
    """Deal a game, with the keys of the position JSON; `cunning` are the cunning cards by seat."""
    stream = Stream(seed)
    bag: list[str] = []
    for faction in "SWE":
        bag += [faction] * (FOLLOWERS_OF_EACH[players] - 2)
    bag = stream.shuffle(bag)

    def take(count: int) -> list[str]:
        return [bag.pop() for _ in range(count)]

    courts = [take(2) for _ in range(players)]
    regions = {}
    for code in REGIONS:
        if code in HOMES:
            regions[code] = [HOMES[code]] * 2 + take(2)
        else:
            regions[code] = take(4)
    supply = take(len(bag))
    track = stream.shuffle(REGIONS)
    first = stream.below(players)
    dealt = {
        "regions": {code: counted(followers) for code, followers in regions.items()},
        "supply": counted(supply),
        "courts": [counted(court) for court in courts],
        "track": track,
        "first": first,
    }
    if advanced:
        deck = stream.shuffle(CUNNING)
        dealt["cunning"] = [{deck.pop(), deck.pop(), deck.pop()} for _ in range(players)]
    return dealt


def counted(followers: Sequence[str]) -> dict[str, int]:
    """Count followers by faction."""
    return {faction: followers.count(faction) for faction in "SWE"}
