"""The naive oracle of set-ups: whether what lies on the table before the first turn could have been dealt."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from tests.oracle import claim

BASIC = ("Scottish Support", "Welsh Support", "English Support")
COMMON = ("Assemble", "Assemble", "Negotiate", "Manoeuvre", "Outmanoeuvre")
CUNNING = (
    *(
        "Spy",
        "Ambush",
        "March",
        "Plot",
        "Aid",
        "Influence",
        "Dispute",
        "Edict",
        "Resist",
        "Quell",
        "Suppress",
        "Muster",
    ),
)
FIRST = ("Scots", "Welsh", "Romano-British", "Settlement", "Settlement", "Crown", "Ambassador", "Garrison")
FORCES = ("Scottish Forces", "Welsh Forces", "English Forces")
DIGEST = ("Assembly", "Assembly", "Negotiation", "Maneuver", "Defeat")
SPECIAL = (
    *("Spy", "Surprise Attack", "Military March", "Assassination", "Aid", "Influence", "Clash", "Decree", "Opposition"),
    *("Suppression", "Repression", "Gathering", "Conquest", "Swift Strike", "Invasion", "Reinforcement", "Attack"),
    *("Command", "Betrayal"),
)
HOMES = {"MOR": "S", "GWY": "W", "ESS": "E"}
FIRST_HOMES = {"CAL": "S", "CAE": "W", "LON": "R"}


@frozen
class SetUp:
    """What a set-up has to be: the homes, the cards that all hold, those drawn from, and where black followers stand.

    `alike` is the number of courts of a single faction that is too many, by number of players.
    """

    homes: Mapping[str, str]
    hand: Sequence[str]
    drawn: Sequence[str] = ()
    black: Sequence[str] = ()
    alike: Mapping[int, int] = field(factory=dict)


TWO = {2: 2, 3: 2, 4: 2}
SET_UPS = {
    "second-edition": SetUp(HOMES, (*BASIC, *COMMON)),
    "second-edition-advanced": SetUp(HOMES, COMMON, CUNNING),
    "digest": SetUp(HOMES, (*FORCES, *DIGEST)),
    "digest-advanced": SetUp(HOMES, DIGEST, SPECIAL),
    "first-edition": SetUp(FIRST_HOMES, FIRST, alike=TWO),
    "first-edition-mordred": SetUp(FIRST_HOMES, FIRST, black=("DIN", "AQU"), alike=TWO),
    "manual": SetUp(FIRST_HOMES, FIRST, alike={**TWO, 2: 1}),
}
BLACK = 9
DRAWN = 3


def proper(position: Mapping[str, Any]) -> bool:
    """Whether a position of The King is Dead could have been dealt."""
    needed = SET_UPS[position["ruleset"]]
    return (
        all(_region_is_proper(code, region, needed) for code, region in position["regions"].items())
        and _courts_are_proper(position["courts"], needed)
        and _nobody_is_missing(position)
        and _hands_are_proper(position["hands"], needed)
    )


def _region_is_proper(code: str, region: Mapping[str, Any], needed: SetUp) -> bool:
    there = region["followers"]
    if region["disc"] is not None or sum(there.values()) != 4:
        return False
    if code in needed.homes and there[needed.homes[code]] < 2:
        return False
    return bool(there.get("M", 0) == (1 if code in needed.black else 0))


def _courts_are_proper(courts: Sequence[Mapping[str, int]], needed: SetUp) -> bool:
    if any(sum(court.values()) != 2 or court.get("M", 0) for court in courts):
        return False
    single = sum(1 for court in courts if 2 in court.values())
    return not needed.alike or single < needed.alike[len(courts)]


def _nobody_is_missing(position: Mapping[str, Any]) -> bool:
    courts, supply = position["courts"], position["supply"]
    everywhere = [*(region["followers"] for region in position["regions"].values()), *courts, supply]
    for faction in supply:
        expected = BLACK if faction == "M" else 16 if len(courts) == 2 else 18
        if sum(place[faction] for place in everywhere) != expected:
            return False
    return True


def _hands_are_proper(hands: Sequence[Sequence[str]], needed: SetUp) -> bool:
    dealt: list[str] = []
    for hand in hands:
        left = list(hand)
        for card in needed.hand:
            if card not in left:
                return False
            left.remove(card)
        if len(left) != (DRAWN if needed.drawn else 0):
            return False
        dealt += left
    return len(set(dealt)) == len(dealt) and set(dealt) <= set(needed.drawn)


def proper_claim(position: Mapping[str, Any]) -> bool:
    """Whether a position of Claim could have been dealt."""
    hands = position["hands"]
    if any(len(hand) != 13 for hand in hands) or len(position["deck"]) != 25:
        return False
    everything = [*hands[0], *hands[1], *position["deck"], position["prize"]]
    return sorted(everything) == sorted(f"{name} {value}" for name, value in claim.PACK)
