"""The pieces on the table, and what every card of the oracle does with them.

A position is the position JSON, of which the cards look only at `regions`, `supply`,
`track`, `discards`, `negotiation_discs`, `banned` and `to_act`. A region that `regions`
does not name is not on the board.
"""

from collections.abc import Mapping
from typing import Any

# The regions, in the order in which a symmetric swap names them.
NAMES = {
    "MOR": "Moray",
    "STR": "Strathclyde",
    "LAN": "Lancaster",
    "NOR": "Northumbria",
    "GWY": "Gwynedd",
    "WAR": "Warwick",
    "ESS": "Essex",
    "DEV": "Devon",
}
SINGLES = ("S", "W", "E")
PAIRS = ("SS", "SW", "SE", "WW", "WE", "EE")

Position = Mapping[str, Any]
Borders = Mapping[str, frozenset[str]]
Followers = Mapping[str, int]
Side = tuple[str, str]  # A region and the group of followers that leaves it.
# How fully a resolution was carried out (0: not at all), and its canonical text.
Attempts = list[tuple[int, str]]


def fullest(attempts: Attempts) -> set[str]:
    """Keep the attempts that went furthest, judged over the whole board."""
    # In full if it can be done; otherwise as far as possible; a card that can do
    # nothing may be played all the same.
    furthest = 0
    for fullness, _ in attempts:
        furthest = max(furthest, fullness)
    if furthest == 0:
        return {"nothing"}
    return {text for fullness, text in attempts if fullness == furthest}


def on_board(position: Position) -> list[str]:
    """List the regions that exist, in canonical order."""
    return [code for code in NAMES if code in position["regions"]]


def is_open(position: Position, code: str) -> bool:
    """Tell whether followers may be put into a region."""
    # Followers never enter a region that holds a control or an instability disc.
    return position["regions"][code]["disc"] is None


def take(followers: dict[str, int], group: str) -> bool:
    """Take a group up, one follower after the other; False if one is missing."""
    for faction in group:
        if followers.get(faction, 0) == 0:
            return False
        followers[faction] -= 1
    return True


def put(followers: dict[str, int], group: str) -> None:
    """Set a group down."""
    for faction in group:
        followers[faction] = followers.get(faction, 0) + 1


def near(position: Position, code: str, faction: str, borders: Borders, home: str) -> bool:
    """Tell whether a card that acts near a faction's land reaches a region."""
    regions = position["regions"]
    for neighbour in borders.get(code, frozenset()):
        if neighbour not in regions:
            continue
        # Beside a region that the faction controls.
        if regions[neighbour]["disc"] == faction:
            return True
        # Or beside the faction's home, while that holds no disc of any kind.
        if neighbour == home and regions[neighbour]["disc"] is None:
            return True
    return False


def before(here: str, there: str) -> bool:
    """Tell whether one region comes before another in canonical order."""
    order = list(NAMES)
    return order.index(here) < order.index(there)


def swap(position: Position, one: Side, other: Side) -> dict[str, Followers] | None:
    """Try a swap of two groups: what stands in both regions then; None if it cannot be."""
    here, give = one
    there, get = other
    # Both sides receive followers, so both must still be without a disc.
    if not is_open(position, here) or not is_open(position, there):
        return None
    # Take up what leaves each region ...
    after_here = dict(position["regions"][here]["followers"])
    after_there = dict(position["regions"][there]["followers"])
    if not take(after_here, give) or not take(after_there, get):
        return None
    # ... and set it down in the other one.
    put(after_here, get)
    put(after_there, give)
    return {here: after_here, there: after_there}
