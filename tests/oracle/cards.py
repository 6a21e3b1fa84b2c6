"""The naive oracle of the basic cards: try everything conceivable, keep what is legal.

Nothing here is clever. For each card every conceivable resolution is written down,
each is tried step by step on copies of the pieces, and those that went furthest are
kept: an action is carried out in full where that is possible anywhere, else as far as
it can be anywhere, else it does nothing.

A position is the position JSON, of which only `regions`, `supply`, `track`, `discards`,
`negotiation_discs`, `banned` and `to_act` are looked at. A region that `regions` does
not name is not on the board.
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
SUPPORTS = {"Scottish Support": "S", "Welsh Support": "W", "English Support": "E"}

Position = Mapping[str, Any]
Borders = Mapping[str, frozenset[str]]
Followers = Mapping[str, int]
Side = tuple[str, str]  # A region and the group of followers that leaves it.
# How fully a resolution was carried out (0: not at all), and its canonical text.
Attempts = list[tuple[int, str]]


def resolutions(position: Position, card: str, borders: Borders, homes: Mapping[str, str]) -> set[str]:
    """Every legal resolution of a card for the seat to act, without the card's name.

    `borders` gives the codes of a region's neighbours, `homes` a faction's home.
    ValueError where the card is not one of the basic game's.
    """
    if card in SUPPORTS:
        faction = SUPPORTS[card]
        return _fullest(_support(position, faction, borders, homes[faction]))
    if card == "Assemble":
        return _fullest(_assemble(position))
    if card == "Negotiate":
        return _fullest(_negotiate(position))
    if card == "Manoeuvre":
        return _fullest(_manoeuvre(position))
    if card == "Outmanoeuvre":
        return _fullest(_outmanoeuvre(position, borders))
    message = f"not a card of the basic game: {card}"
    raise ValueError(message)


def summons(position: Position) -> set[str]:
    """Every follower that may be summoned, as 'W Gwynedd'; empty if there is none."""
    # Any one follower that stands in any region, whether the action touched that region
    # or not; never one from the supply. Equal followers of a region are alike.
    found = set()
    for code, region in position["regions"].items():
        for faction in SINGLES:
            if region["followers"].get(faction, 0) > 0:
                found.add(f"{faction} {NAMES[code]}")
    return found


def struggle(followers: Followers) -> str:
    """Who wins the region in a power struggle: a faction's letter or 'unstable'."""
    # The faction with the most followers there takes control; when the most is shared,
    # or nobody is there at all, the region turns unstable.
    for faction in SINGLES:
        mine = followers.get(faction, 0)
        others = [followers.get(other, 0) for other in SINGLES if other != faction]
        if mine > others[0] and mine > others[1]:
            return faction
    return "unstable"


def _fullest(attempts: Attempts) -> set[str]:
    """Keep the attempts that went furthest, judged over the whole board."""
    # In full if it can be done; otherwise as far as possible; a card that can do
    # nothing may be played all the same.
    furthest = 0
    for fullness, _ in attempts:
        furthest = max(furthest, fullness)
    if furthest == 0:
        return {"nothing"}
    return {text for fullness, text in attempts if fullness == furthest}


def _on_board(position: Position) -> list[str]:
    """List the regions that exist, in canonical order."""
    return [code for code in NAMES if code in position["regions"]]


def _open(position: Position, code: str) -> bool:
    """Tell whether followers may be put into a region."""
    # Followers never enter a region that holds a control or an instability disc.
    return position["regions"][code]["disc"] is None


def _take(followers: dict[str, int], group: str) -> bool:
    """Take a group up, one follower after the other; False if one is missing."""
    for faction in group:
        if followers.get(faction, 0) == 0:
            return False
        followers[faction] -= 1
    return True


def _put(followers: dict[str, int], group: str) -> None:
    """Set a group down."""
    for faction in group:
        followers[faction] = followers.get(faction, 0) + 1


def _near(position: Position, code: str, faction: str, borders: Borders, home: str) -> bool:
    """Tell whether a Support card of the faction reaches a region."""
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


def _support(position: Position, faction: str, borders: Borders, home: str) -> Attempts:
    attempts: Attempts = []
    for code in _on_board(position):
        if not _open(position, code):
            continue
        if not _near(position, code, faction, borders, home):
            continue
        # Two followers, both into this one region; a supply that is short of two gives
        # what it has.
        for group in (faction + faction, faction):
            supply = dict(position["supply"])
            if _take(supply, group):
                attempts.append((len(group), f"{group} {NAMES[code]}"))
    return attempts


def _assemble(position: Position) -> Attempts:
    attempts: Attempts = []
    # One follower of each faction, into the same region or different ones. None stands
    # for leaving that faction's follower out, as must be done when the supply has none.
    choices = [None, *_on_board(position)]
    for scots in choices:
        if not _placeable(position, "S", scots):
            continue
        for welsh in choices:
            if not _placeable(position, "W", welsh):
                continue
            for english in choices:
                if not _placeable(position, "E", english):
                    continue
                placed = []
                if scots is not None:
                    placed.append(f"S {NAMES[scots]}")
                if welsh is not None:
                    placed.append(f"W {NAMES[welsh]}")
                if english is not None:
                    placed.append(f"E {NAMES[english]}")
                attempts.append((len(placed), ", ".join(placed)))
    return attempts


def _placeable(position: Position, faction: str, code: str | None) -> bool:
    if code is None:
        return True
    return position["supply"].get(faction, 0) > 0 and _open(position, code)


def _negotiate(position: Position) -> Attempts:
    attempts: Attempts = []
    track = position["track"]
    disc_left = _has_disc(position)
    for first in range(len(track)):
        for second in range(first + 1, len(track)):
            # A card that lies face down, or that already carries a negotiation disc
            # (whoever laid it), stays where it is.
            if not _movable(track[first]) or not _movable(track[second]):
                continue
            one = NAMES[track[first]["region"]]
            other = NAMES[track[second]["region"]]
            # The swap, and then the disc on either of the two cards.
            if disc_left:
                attempts.append((2, f"{one} <> {other}, disc {one}"))
                attempts.append((2, f"{one} <> {other}, disc {other}"))
            # Without the disc the action is done in part only.
            attempts.append((1, f"{one} <> {other}, no disc"))
    return attempts


def _movable(entry: Mapping[str, Any]) -> bool:
    return entry["face"] == "up" and not entry["negotiated"]


def _has_disc(position: Position) -> bool:
    """Tell whether the seat to act still has its negotiation disc."""
    # Everybody starts with one, and laying it is the one way to part with it.
    seat = position["to_act"]
    discs = position.get("negotiation_discs")
    if discs is not None:
        return bool(discs[seat] != 0)
    return "Negotiate" not in position["discards"][seat]


def _manoeuvre(position: Position) -> Attempts:
    attempts: Attempts = []
    # One follower of any region for one of any other region, near or far, also of the
    # same faction. Either region may be named first, so each pair is written once.
    for here in _on_board(position):
        for there in _on_board(position):
            if not _before(here, there):
                continue
            for give in SINGLES:
                for take in SINGLES:
                    sides = ((here, give), (there, take))
                    if _swappable(position, "Manoeuvre", *sides):
                        text = f"{give} {NAMES[here]} <> {take} {NAMES[there]}"
                        attempts.append((1, text))
    return attempts


def _outmanoeuvre(position: Position, borders: Borders) -> Attempts:
    attempts: Attempts = []
    for here in _on_board(position):
        for there in _on_board(position):
            if there not in borders.get(here, frozenset()):
                continue
            for give in SINGLES:
                # One follower for two of a bordering region. If no place on the board
                # allows that, one for one; that is symmetric, and written once.
                takes = PAIRS + SINGLES if _before(here, there) else PAIRS
                for take in takes:
                    sides = ((here, give), (there, take))
                    if _swappable(position, "Outmanoeuvre", *sides):
                        text = f"{give} {NAMES[here]} <> {take} {NAMES[there]}"
                        attempts.append((len(take), text))
    return attempts


def _before(here: str, there: str) -> bool:
    order = list(NAMES)
    return order.index(here) < order.index(there)


def _swappable(position: Position, card: str, one: Side, other: Side) -> bool:
    """Try a swap of a group of one region for a group of another."""
    here, give = one
    there, take = other
    # Both sides receive followers, so both must still be without a disc.
    if not _open(position, here) or not _open(position, there):
        return False
    # Take up what leaves each region ...
    after_here = dict(position["regions"][here]["followers"])
    after_there = dict(position["regions"][there]["followers"])
    if not _take(after_here, give) or not _take(after_there, take):
        return False
    # ... and set it down in the other one.
    _put(after_here, take)
    _put(after_there, give)
    return not _undoes(position, card, {here: after_here, there: after_there})


def _undoes(position: Position, card: str, after: Mapping[str, Followers]) -> bool:
    """Tell whether a swap is the forbidden undoing of another player's swap."""
    banned = position.get("banned")
    # Only the same card can undo it, and one's own swap may be taken back.
    if banned is None or banned["card"] != card or banned["by"] == position["to_act"]:
        return False
    earlier_did_something = False
    for code in NAMES:
        then = banned["delta"].get(code, {})
        before = position["regions"].get(code, {}).get("followers", {})
        now = after.get(code, before)
        for faction in SINGLES:
            # It is what the two swaps did that counts, not their wording.
            changed = now.get(faction, 0) - before.get(faction, 0)
            if changed != -then.get(faction, 0):
                return False
            if changed != 0:
                earlier_did_something = True
    # Where the earlier swap changed nothing there is nothing to undo.
    return earlier_did_something
