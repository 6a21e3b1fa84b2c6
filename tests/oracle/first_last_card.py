"""The naive oracle of the very last card of three players: play it, summon, resolve all that is left, see who wins."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from tests.oracle import first
from tests.oracle.first import NAMES, NO_READINGS
from tests.oracle.first_endings import result
from tests.oracle.pieces import Position

PLAYERS = 3
AFTER_ALL_TURNS = 10_000
CODES = {name: code for code, name in NAMES.items()}


def resolutions(position: Position, card: str, readings: Mapping[str, str] = NO_READINGS) -> set[str]:
    """Every legal resolution of a card; of the very last one only those that can win."""
    possible = first.resolutions(position, card, readings)
    if not _is_last(position, 1) or position["hands"][position["to_act"]] != [card]:
        return possible
    return {text for text in possible if _winning(_done(position, text))}


def summons(position: Position) -> set[str]:
    """Everybody who may be summoned; after the very last card only those with whom it wins."""
    possible = first.summons(position)
    return _winning(position) if possible and _is_last(position, 0) else possible


def _is_last(position: Position, cards_left: int) -> bool:
    return len(position["courts"]) == PLAYERS and sum(map(len, position["hands"])) == cards_left


def _winning(position: Position) -> set[str]:
    """With whom the seat to act would win alone, if all that is left were resolved then."""
    seat = position["to_act"]
    found = set()
    for chosen in first.summons(position) or {""}:
        after = deepcopy(dict(position))
        after["last_acted"][seat] = AFTER_ALL_TURNS
        if chosen:
            faction, _, name = chosen.partition(" ")
            after["regions"][CODES[name]]["followers"][faction] -= 1
            after["courts"][seat][faction] += 1
        if _resolved(after) == {seat}:
            found.add(chosen)
    return found


def _resolved(position: dict[str, Any]) -> frozenset[int]:
    """Who wins if nobody plays any more."""
    outcomes = [entry["outcome"] for entry in position["struggles"]]
    for entry in position["track"]:
        if entry["face"] == "down" or outcomes.count("unstable") == 4 or "M" in outcomes:
            continue
        position |= first.after_struggle(position)
        entry["face"] = "down"
        outcomes.append(position["regions"][entry["region"]]["disc"])
        position["struggles"].append({"region": entry["region"], "outcome": outcomes[-1]})
    return result(position)[1]


def _done(position: Position, text: str) -> dict[str, Any]:
    """What a resolution, as it is written, does to the pieces."""
    after = deepcopy(dict(position))
    if text == "nothing":
        return after
    if "disc" in text:
        one, other = (CODES[name] for name in text.partition(", ")[0].split(" <> "))
        entries = {entry["region"]: at for at, entry in enumerate(after["track"])}
        track = after["track"]
        track[entries[one]], track[entries[other]] = track[entries[other]], track[entries[one]]
    elif " <> " in text:
        one, other = text.split(" <> ")
        _move(after, one.partition(" ")[0], CODES[one.partition(" ")[2]], CODES[other.partition(" ")[2]])
        _move(after, other.partition(" ")[0], CODES[other.partition(" ")[2]], CODES[one.partition(" ")[2]])
    else:
        for part in text.split(", "):
            group, _, name = part.partition(" ")
            _move(after, group, None, CODES[name])
    return after


def _move(position: dict[str, Any], group: str, origin: str | None, target: str) -> None:
    """Move a group of followers; out of the pool where they come from no region."""
    source = position["supply"] if origin is None else position["regions"][origin]["followers"]
    for faction in group.replace("-", ""):
        source[faction] -= 1
        position["regions"][target]["followers"][faction] += 1
