"""The naive oracle of the reference manual, where it differs: its cards, taking followers, and who starts next.

Written from the manual and our rulings on it, for positions in JSON. As in the other oracles everything
conceivable is tried on copies of the pieces; what went furthest is kept.
"""

from itertools import product
from typing import Any

from tests.oracle import first
from tests.oracle.first import NAMES, NEIGHBOURS
from tests.oracle.pieces import Borders, Followers, Position, fullest, is_open, put, take

FACTIONS = "SWR"
CARDS = {"Scots": "S", "Welsh": "W", "Romano-British": "R"}
SWAPS = {"Ambassador": ((1, 1),), "Garrison": ((2, 1), (1, 1))}
BORDERS: Borders = {code: frozenset(codes.split()) for code, codes in NEIGHBOURS.items()}


def resolutions(position: Position, card: str) -> set[str]:
    """Every legal resolution of a card, without its name; empty where it may not be played."""
    if card in CARDS:
        return _faction_card(position, CARDS[card])
    if card in SWAPS:
        return _swaps(position, card)
    return first.resolutions(position, card)


def _faction_card(position: Position, faction: str) -> set[str]:
    controlled = [code for code, region in position["regions"].items() if region["disc"] == faction]
    if not controlled:
        return set()  # Not even in vain.
    reach = [code for code in NAMES if is_open(position, code) and any(code in BORDERS[disc] for disc in controlled)]
    attempts = []
    # Both into one region, or each into its own; a pool that is short of two gives one.
    for here, there in product(reach, reach):
        if position["supply"].get(faction, 0) >= 2:
            if here == there:
                attempts.append((2, f"{faction}{faction} {NAMES[here]}"))
            elif _comes_first(here, there):
                attempts.append((2, f"{faction} {NAMES[here]}, {faction} {NAMES[there]}"))
    if position["supply"].get(faction, 0) >= 1:
        attempts += [(1, f"{faction} {NAMES[here]}") for here in reach]
    return fullest(attempts)


def _swaps(position: Position, card: str) -> set[str]:
    attempts = []
    for here, there in product(NAMES, NAMES):
        if here == there or (card == "Garrison" and there not in BORDERS[here]):
            continue
        for give_size, get_size in SWAPS[card]:
            # One for one reads the same from both sides and is written once.
            if give_size == get_size and not _comes_first(here, there):
                continue
            for give, get in product(_groups(give_size), _groups(get_size)):
                after = _swapped(position, (here, give), (there, get))
                if after is not None and not _reverses(position, card, after):
                    attempts.append((give_size + get_size, f"{give} {NAMES[here]} <> {get} {NAMES[there]}"))
    return fullest(attempts)


def _groups(size: int) -> list[str]:
    return list(
        dict.fromkeys("".join(sorted(letters, key=FACTIONS.index)) for letters in product(FACTIONS, repeat=size))
    )


def _comes_first(here: str, there: str) -> bool:
    order = list(NAMES)
    return order.index(here) < order.index(there)


def _swapped(position: Position, one: tuple[str, str], other: tuple[str, str]) -> dict[str, Followers] | None:
    """What stands in both regions after a swap; None where it cannot be made."""
    (here, give), (there, get) = one, other
    if not is_open(position, here) or not is_open(position, there):
        return None
    left, right = (dict(position["regions"][code]["followers"]) for code in (here, there))
    if not take(left, give) or not take(right, get):
        return None
    put(left, get)
    put(right, give)
    return {here: left, there: right}


def _reverses(position: Position, card: str, after: dict[str, Followers]) -> bool:
    """Tell whether a swap restores what the last action, with the same card, has changed; by whom is all the same."""
    banned = position.get("banned")
    if banned is None or banned["card"] != card:
        return False
    for code in NAMES:
        stood = position["regions"][code]["followers"]
        now = after.get(code, stood)
        for faction in FACTIONS:
            back = -banned["delta"].get(code, {}).get(faction, 0)
            if now.get(faction, 0) - stood.get(faction, 0) != back:
                return False
    return True


def followers(position: Position) -> set[str]:
    """Everybody who may be taken, after a card or without one."""
    return {
        f"{faction} {NAMES[code]}"
        for code, region in position["regions"].items()
        for faction in FACTIONS
        if region["followers"].get(faction, 0) > 0
    }


def after_card(position: Position) -> set[str]:
    """What may stand behind a card."""
    return {*followers(position), "no summon"}


def starters(first: int, players: int, struggles: int) -> int:
    """Who starts after so many power struggles."""
    seat = first
    for _ in range(struggles):
        seat = (seat + 1) % players
    return seat


def next_position(position: dict[str, Any], taken: str) -> dict[str, Any]:
    """What changes when the seat to act takes a follower and plays no card."""
    faction, _, name = taken.partition(" ")
    code = next(code for code, full in NAMES.items() if full == name)
    regions = {key: {**region, "followers": dict(region["followers"])} for key, region in position["regions"].items()}
    regions[code]["followers"][faction] -= 1
    courts = [dict(court) for court in position["courts"]]
    courts[position["to_act"]][faction] += 1
    following = (position["to_act"] + 1) % len(courts)
    return {**position, "regions": regions, "courts": courts, "passes": 0, "banned": None, "to_act": following}
