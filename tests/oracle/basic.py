"""The cards of the basic game: try everything conceivable, keep what is legal."""

from collections.abc import Mapping
from typing import Any

from tests.oracle.pieces import (
    NAMES,
    PAIRS,
    SINGLES,
    Attempts,
    Borders,
    Followers,
    Position,
    Side,
    before,
    is_open,
    near,
    on_board,
    swap,
    take,
)


def support(position: Position, faction: str, borders: Borders, home: str) -> Attempts:
    """Scottish, Welsh and English Support."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code):
            continue
        if not near(position, code, faction, borders, home):
            continue
        # Two followers, both into this one region; a supply that is short of two gives
        # what it has.
        for group in (faction + faction, faction):
            supply = dict(position["supply"])
            if take(supply, group):
                attempts.append((len(group), f"{group} {NAMES[code]}"))
    return attempts


def assemble(position: Position) -> Attempts:
    """Place one follower of each faction that the supply has."""
    attempts: Attempts = []
    # One follower of each faction, into the same region or different ones. None stands
    # for leaving that faction's follower out, as must be done when the supply has none.
    choices = [None, *on_board(position)]
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
    return position["supply"].get(faction, 0) > 0 and is_open(position, code)


def negotiate(position: Position) -> Attempts:
    """Swap two region cards and lay a negotiation disc on one."""
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
    mine = position["discards"][seat]
    if "Negotiate" in mine:
        return False
    # A Spy may have laid it as well, which the piles do not tell.
    others = [pile for other, pile in enumerate(position["discards"]) if other != seat]
    if "Spy" in mine and any("Negotiate" in pile for pile in others):
        message = "negotiation_discs must say whether the Spy laid the disc"
        raise ValueError(message)
    return True


def manoeuvre(position: Position) -> Attempts:
    """Swap one follower for one of any other region."""
    attempts: Attempts = []
    # One follower of any region for one of any other region, near or far, also of the
    # same faction. Either region may be named first, so each pair is written once.
    for here in on_board(position):
        for there in on_board(position):
            if not before(here, there):
                continue
            for give in SINGLES:
                for get in SINGLES:
                    sides = ((here, give), (there, get))
                    if _swappable(position, "Manoeuvre", *sides):
                        text = f"{give} {NAMES[here]} <> {get} {NAMES[there]}"
                        attempts.append((1, text))
    return attempts


def outmanoeuvre(position: Position, borders: Borders) -> Attempts:
    """Swap one follower for two of a bordering region."""
    attempts: Attempts = []
    for here in on_board(position):
        for there in on_board(position):
            if there not in borders.get(here, frozenset()):
                continue
            for give in SINGLES:
                # One follower for two of a bordering region. If no place on the board
                # allows that, one for one; that is symmetric, and written once.
                gets = PAIRS + SINGLES if before(here, there) else PAIRS
                for get in gets:
                    sides = ((here, give), (there, get))
                    if _swappable(position, "Outmanoeuvre", *sides):
                        text = f"{give} {NAMES[here]} <> {get} {NAMES[there]}"
                        attempts.append((len(get), text))
    return attempts


def _swappable(position: Position, card: str, one: Side, other: Side) -> bool:
    """Try a swap, which must not undo another player's."""
    after = swap(position, one, other)
    return after is not None and not _undoes(position, card, after)


def _undoes(position: Position, card: str, after: Mapping[str, Followers]) -> bool:
    """Tell whether a swap is the forbidden undoing of another player's swap."""
    banned = position.get("banned")
    # Only the same card can undo it, and one's own swap may be taken back.
    if banned is None or banned["card"] != card or banned["by"] == position["to_act"]:
        return False
    earlier_did_something = False
    for code in NAMES:
        then = banned["delta"].get(code, {})
        stood = position["regions"].get(code, {}).get("followers", {})
        now = after.get(code, stood)
        for faction in SINGLES:
            # It is what the two swaps did that counts, not their wording.
            changed = now.get(faction, 0) - stood.get(faction, 0)
            if changed != -then.get(faction, 0):
                return False
            if changed != 0:
                earlier_did_something = True
    # Where the earlier swap changed nothing there is nothing to undo.
    return earlier_did_something
