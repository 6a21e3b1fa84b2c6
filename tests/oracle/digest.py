"""The naive oracle of the digest: the second edition's under other names, and what the digest does otherwise.

How much of a card is done is how many followers take part in it, counted over the whole
action: every one who is placed, returned, given, taken or moved on.
"""

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any

from tests.oracle import cards as second
from tests.oracle import endings
from tests.oracle.cards import NO_READINGS
from tests.oracle.pieces import (
    NAMES,
    PAIRS,
    SINGLES,
    Attempts,
    Borders,
    Position,
    fullest,
    is_open,
    near,
    on_board,
    put,
    swap,
    take,
)

# What the second edition calls the cards that the digest took over as they are.
TAKEN_OVER = {
    "Scottish Forces": "Scottish Support",
    "Welsh Forces": "Welsh Support",
    "English Forces": "English Support",
    "Assembly": "Assemble",
    "Negotiation": "Negotiate",
    "Maneuver": "Manoeuvre",
    "Defeat": "Outmanoeuvre",
    "Surprise Attack": "Ambush",
    "Military March": "March",
    "Aid": "Aid",
    "Clash": "Dispute",
    "Decree": "Edict",
    "Opposition": "Resist",
    "Suppression": "Quell",
    "Gathering": "Muster",
}
# One or two, and which groups of that size there are.
ANY = (*PAIRS, *SINGLES)
NOBODY_NEAR_HOME = "nowhere"


def resolutions(
    position: Position,
    card: str,
    borders: Borders,
    homes: Mapping[str, str],
    readings: Mapping[str, str] = NO_READINGS,
) -> set[str]:
    """Every legal resolution of a card for the seat to act, without the card's name."""
    if card == "Assassination":
        return set()
    if card == "Spy":
        return _spy(position, borders, homes, readings)
    reading = readings.get("digest.ruling.no-effect", "as-worded")
    if card in {"Suppression", "Gathering"} and reading == "in-full":
        faction = {"Suppression": "W", "Gathering": "S"}[card]
        return fullest(two_or_nothing(position, faction, borders, homes[faction]))
    if card in TAKEN_OVER:
        return second.resolutions(_renamed(position), TAKEN_OVER[card], borders, homes)
    tries: dict[str, Callable[[], Attempts]] = {
        "Influence": lambda: influence(position, less=reading == "as-far-as-possible"),
        "Repression": lambda: repression(position, borders, homes["E"]),
        "Conquest": lambda: conquest(position, borders, homes["S"]),
        "Swift Strike": lambda: swift_strike(position, borders, homes["W"]),
        "Invasion": lambda: invasion(position, borders, homes["E"]),
        "Reinforcement": lambda: reinforcement(position, borders),
        "Attack": lambda: attack(position, borders, homes["W"]),
        "Command": command,
        "Betrayal": lambda: betrayal(position),
    }
    return fullest(tries[card]())


def result(position: Any, readings: Mapping[str, str] = NO_READINGS) -> endings.Outcome | Any:
    """Tell how a finished game ended, and who won it; None as in the second edition."""
    outcomes = [entry["outcome"] for entry in position["struggles"]]
    if readings.get("digest.ruling.invasion", "sets") == "nobody" and outcomes.count("unstable") >= 3:
        # France wins, and nobody need be told who holds Assassination.
        return "invasion", frozenset[int]()
    hands = [["Plot" if card == "Assassination" else card for card in hand] for hand in position.get("hands", ())]
    return endings.result({**position, "hands": hands}, readings)


def influence(position: Position, *, less: bool = False) -> Attempts:
    """Swap an English follower for two others of any other region; for one if `less` is allowed too."""
    attempts: Attempts = []
    for here in on_board(position):
        for there in on_board(position):
            if here == there:
                continue
            for get in ("SS", "SW", "WW", "S", "W") if less else ("SS", "SW", "WW"):
                if swap(position, (here, "E"), (there, get)) is not None:
                    attempts.append((1 + len(get), f"E {NAMES[here]} <> {get} {NAMES[there]}"))
    return attempts


def two_or_nothing(position: Position, faction: str, borders: Borders, home: str) -> Attempts:
    """Return one of the faction, or nobody; then place two, never one."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, faction, borders, home):
            continue
        for returned in (faction, ""):
            for placed in PAIRS:
                supply = dict(position["supply"])
                if not take(dict(position["regions"][code]["followers"]), returned):
                    continue
                put(supply, returned)
                if not take(supply, placed):
                    continue
                went = f" return {returned}" if returned else ""
                attempts.append((len(returned) + 2, f"{NAMES[code]}{went} place {placed}"))
    return attempts


def repression(position: Position, borders: Borders, home: str) -> Attempts:
    """Return an Englishman and another follower of a region, then place one there."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, "E", borders, home):
            continue
        # Both; if that can be done nowhere, either of them, whoever it is; or nobody.
        for returned in ("ES", "EW", "EE", "S", "W", "E", ""):
            for placed in SINGLES:
                supply = dict(position["supply"])
                followers = dict(position["regions"][code]["followers"])
                if not take(followers, returned):
                    continue
                put(supply, returned)
                if not take(supply, placed):
                    continue
                went = f" return {returned}" if returned else ""
                attempts.append((len(returned) + 1, f"{NAMES[code]}{went} place {placed}"))
    return attempts


def conquest(position: Position, borders: Borders, home: str) -> Attempts:
    """Place any two in one region near the Scots."""
    attempts: Attempts = []
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, "S", borders, home):
            continue
        for group in ANY:
            if take(dict(position["supply"]), group):
                attempts.append((len(group), f"{group} {NAMES[code]}"))
    return attempts


def swift_strike(position: Position, borders: Borders, home: str) -> Attempts:
    """Two Welshmen near the Welsh, then one of that region for two of a bordering one."""
    attempts: Attempts = []
    for code, placed, landed in _landings(position, "W", borders, home):
        attempts += _swaps(landed, code, placed, borders, ("W",), ANY)
    return attempts


def invasion(position: Position, borders: Borders, home: str) -> Attempts:
    """Two Englishmen near the English, then one of that region for one of a bordering one."""
    attempts: Attempts = []
    for code, placed, landed in _landings(position, "E", borders, home):
        attempts += _swaps(landed, code, placed, borders, SINGLES, SINGLES)
    return attempts


def reinforcement(position: Position, borders: Borders) -> Attempts:
    """Two Scots beside Scottish land, then those for two of a bordering region."""
    attempts: Attempts = []
    # Their home does not count unless they control it.
    for code, placed, landed in _landings(position, "S", borders, NOBODY_NEAR_HOME):
        # Any of those who have been placed may go, but nobody else.
        going = [placed[:number] for number in range(1, len(placed) + 1)]
        attempts += _swaps(landed, code, placed, borders, going, ANY)
    return attempts


def attack(position: Position, borders: Borders, home: str) -> Attempts:
    """Two Welshmen near the Welsh, then two of that region go on, each to a bordering one."""
    attempts: Attempts = []
    for code, placed, landed in _landings(position, "W", borders, home):
        attempts.append(_told(code, placed))
        ways = [
            (faction, there)
            for there in on_board(landed)
            if there in borders.get(code, frozenset()) and is_open(landed, there)
            for faction in SINGLES
        ]
        for number in (2, 1):
            for going in combinations_with_replacement(ways, number):
                followers = dict(landed["regions"][code]["followers"])
                if not take(followers, "".join(faction for faction, _ in going)):
                    continue
                # Who goes to one region is named together, in the order of the factions.
                targets = dict.fromkeys(there for _, there in going)
                moved = [
                    "".join(sorted((f for f, t in going if t == there), key="SWE".index)) + f" > {NAMES[there]}"
                    for there in sorted(targets, key=list(NAMES).index)
                ]
                attempts.append(_told(code, placed, f"move {', '.join(moved)}", number))
    return attempts


def command() -> Attempts:
    """Swap Scots of Scottish land: nobody is there, and nobody may go there."""
    return []


def betrayal(position: Position) -> Attempts:
    """One of one's own court for one of any region."""
    attempts: Attempts = []
    court = position["courts"][position["to_act"]]
    for code in on_board(position):
        if not is_open(position, code):
            continue
        for give in SINGLES:
            for get in SINGLES:
                if take(dict(court), give) and take(dict(position["regions"][code]["followers"]), get):
                    attempts.append((2, f"{give} <> {get} {NAMES[code]}"))
    return attempts


def _landings(position: Position, faction: str, borders: Borders, home: str) -> list[tuple[str, str, Position]]:
    """List where two, one or none of a faction can be placed, and what is on the table then."""
    landings: list[tuple[str, str, Position]] = []
    for code in on_board(position):
        if not is_open(position, code) or not near(position, code, faction, borders, home):
            continue
        for placed in (faction * 2, faction, ""):
            supply = dict(position["supply"])
            followers = dict(position["regions"][code]["followers"])
            if not take(supply, placed):
                continue
            put(followers, placed)
            regions = dict(position["regions"])
            regions[code] = {**regions[code], "followers": followers}
            landings.append((code, placed, {**position, "supply": supply, "regions": regions}))
    return landings


def _swaps(  # noqa: PLR0917 - what, then how far
    landed: Position, code: str, placed: str, borders: Borders, gives: Any, gets: Any
) -> Attempts:
    """Leave it at what was placed, or swap some of that region for some of a bordering one."""
    attempts = [_told(code, placed)]
    for there in on_board(landed):
        if there not in borders.get(code, frozenset()):
            continue
        for give in gives:
            for get in gets:
                if swap(landed, (code, give), (there, get)) is not None:
                    what = f"swap {give} <> {get} {NAMES[there]}"
                    attempts.append(_told(code, placed, what, len(give) + len(get)))
    return attempts


def _told(code: str, placed: str, then: str = "", took_part: int = 0) -> tuple[int, str]:
    """Put into words what was done, with how many took part in it."""
    parts = [NAMES[code], f"place {placed}" if placed else "", then]
    return len(placed) + took_part, " ".join(part for part in parts if part)


def _spy(position: Position, borders: Borders, homes: Mapping[str, str], readings: Mapping[str, str]) -> set[str]:
    """Resolve the top card of another player's pile, as if it were one's own."""
    copies = {}
    for seat, discards in enumerate(position["discards"]):
        if seat == position["to_act"] or not discards or discards[-1] == "Spy":
            continue
        copies[seat, discards[-1]] = resolutions(position, discards[-1], borders, homes, readings)
    if readings.get("second.ruling.spy-pile") == "resolvable":
        copies = {chosen: texts for chosen, texts in copies.items() if texts != {"nothing"}} or copies
    found = {f"{seat + 1}: {card} {text}" for (seat, card), texts in copies.items() for text in texts}
    return found or {"nothing"}


def _renamed(position: Position) -> Position:
    """The position with the second edition's names for the cards on the table."""
    names = TAKEN_OVER | {"Spy": "Spy"}
    discards = [[names.get(card, "March") for card in pile] for pile in position["discards"]]
    banned = position["banned"]
    renamed = banned and {**banned, "card": TAKEN_OVER[banned["card"]]}
    return {**position, "discards": discards, "banned": renamed}
