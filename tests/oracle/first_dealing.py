"""From a seed to a deal of the first edition, written from docs/fair-play.md alone, like `dealing`."""

from typing import Any

from tests.oracle.dealing import Stream
from tests.oracle.first import HOMES, NAMES

FOLLOWERS_OF_EACH = {2: 16, 3: 18, 4: 18}
BLACK_FROM_THE_START = ("DIN", "AQU")


def deal(seed: bytes, players: int, *, mordred: bool = False) -> dict[str, Any]:
    """Deal a game, with the keys of the position JSON; `redrawn` tells how often courts were drawn again."""
    stream = Stream(seed)
    bag: list[str] = []
    for faction in "SWR":
        bag += [faction] * (FOLLOWERS_OF_EACH[players] - 2)
    bag = stream.shuffle(bag)
    courts = [[bag.pop(), bag.pop()] for _ in range(players)]
    redrawn = 0
    while len(alike(courts)) >= 2:
        # They go back behind what is left, the whole bag is shuffled, and the same players draw again.
        again = alike(courts)
        for seat in again:
            bag += courts[seat]
        bag = stream.shuffle(bag)
        for seat in again:
            courts[seat] = [bag.pop(), bag.pop()]
        redrawn += 1
    homes = {code: faction for faction, code in HOMES.items()}
    regions = {}
    for code in NAMES:
        standing = [homes[code]] * 2 if code in homes else []
        if mordred and code in BLACK_FROM_THE_START:
            standing = ["M"]
        while len(standing) < 4:
            standing.append(bag.pop())
        regions[code] = standing
    track = stream.shuffle(list(NAMES))
    letters = "SWRM" if mordred else "SWR"
    if mordred:
        bag += ["M"] * 7

    def count(followers: list[str]) -> dict[str, int]:
        return {letter: followers.count(letter) for letter in letters}

    return {
        "regions": {code: count(followers) for code, followers in regions.items()},
        "supply": count(bag),
        "courts": [count(court) for court in courts],
        "track": track,
        "first": stream.below(players),
        "redrawn": redrawn,
    }


def alike(courts: list[list[str]]) -> list[int]:
    """Find the players who hold two of one faction."""
    return [seat for seat, (one, other) in enumerate(courts) if one == other]
