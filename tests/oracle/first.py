"""The naive oracle of the first edition's cards, written from its text: try everything, keep what went furthest.

A position is the position JSON. `mordred` games have a fourth letter, M, whose followers
no card places and nobody summons.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tests.oracle.pieces import Attempts, Followers, Position, Side, fullest, put, take

# The regions, in the order in which a symmetric swap names them.
NAMES = {
    "CAL": "Caledonia",
    "DIN": "Din Eidyn",
    "EBO": "Eboracum",
    "DVA": "Deva",
    "RAT": "Ratae",
    "CAE": "Caerleon",
    "LON": "Londinium",
    "AQU": "Aquae Sulis",
}
NEIGHBOURS = {
    "CAL": "DIN",
    "DIN": "CAL DVA EBO",
    "DVA": "DIN EBO CAE RAT",
    "EBO": "DIN DVA RAT LON",
    "CAE": "DVA RAT AQU",
    "RAT": "DVA EBO CAE LON AQU",
    "LON": "EBO RAT AQU",
    "AQU": "CAE RAT LON",
}
HOMES = {"S": "CAL", "W": "CAE", "R": "LON"}
FACTION_CARDS = {"Scots": "S", "Welsh": "W", "Romano-British": "R"}
SINGLES = ("S", "W", "R", "M")
PAIRS = ("SS", "SW", "SR", "SM", "WW", "WR", "WM", "RR", "RM", "MM")
NO_READINGS: Mapping[str, str] = MappingProxyType({})
# Who comes where once a region is resolved.
COMES_TO = {
    **dict.fromkeys(("CAL", "DIN", "RAT", "DVA"), "AQU"),
    **dict.fromkeys(("CAE", "EBO", "LON", "AQU"), "DIN"),
}


def resolutions(position: Position, card: str, readings: Mapping[str, str] = NO_READINGS) -> set[str]:
    """Every legal resolution of a card for the seat to act, without the card's name.

    The rule of the very last card is not asked here.
    """
    undo = readings.get("first.ruling.undo") == "as-second"
    if card in FACTION_CARDS:
        return fullest(_faction_card(position, FACTION_CARDS[card]))
    tries = {
        "Settlement": lambda: _settlement(position),
        "Crown": lambda: _crown(position),
        "Ambassador": lambda: _ambassador(position, undo=undo),
        "Garrison": lambda: _garrison(position, undo=undo),
    }
    return fullest(tries[card]())


def summons(position: Position) -> set[str]:
    """Every follower that may be summoned, as 'W Deva'; never a black one."""
    found = set()
    for code, region in position["regions"].items():
        for faction in ("S", "W", "R"):
            if region["followers"].get(faction, 0) > 0:
                found.add(f"{faction} {NAMES[code]}")
    return found


def struggle(followers: Followers) -> str:
    """Who wins a region: a letter, or 'unstable' where the Saxons take it."""
    # The most followers win; a tie for the most, or nobody there, lets the Saxons in.
    # Mordred's count like a faction's.
    for faction in SINGLES:
        mine = followers.get(faction, 0)
        others = [followers.get(other, 0) for other in SINGLES if other != faction]
        if mine > max(others):
            return faction
    return "unstable"


def after_struggle(position: Position) -> dict[str, Any]:
    """Resolve the contested region: what `regions` and `supply` are then, a follower of Mordred's come included."""
    regions = {code: {"followers": dict(r["followers"]), "disc": r["disc"]} for code, r in position["regions"].items()}
    supply = dict(position["supply"])
    contested = next(entry["region"] for entry in position["track"] if entry["face"] == "up")
    here = regions[contested]
    here["disc"] = struggle(here["followers"])
    # Everybody goes back to the pool; the black ones to their stock, which is written there too.
    for faction, number in here["followers"].items():
        supply[faction] += number
        here["followers"][faction] = 0
    discs = [region["disc"] for region in regions.values()]
    over = "M" in discs or discs.count("unstable") >= 4 or None not in discs
    if "M" in supply and not over:
        target = regions[COMES_TO[contested]]
        if target["disc"] is None and supply["M"] > 0:
            supply["M"] -= 1
            target["followers"]["M"] += 1
    return {"regions": regions, "supply": supply}


def _open(position: Position, code: str) -> bool:
    return position["regions"][code]["disc"] is None


def _faction_card(position: Position, faction: str) -> Attempts:
    """Two of the faction into one region beside its land; its home is its land while that is open."""
    attempts: Attempts = []
    for code, name in NAMES.items():
        if not _open(position, code):
            continue
        near = False
        for neighbour in NEIGHBOURS[code].split():
            if position["regions"][neighbour]["disc"] == faction:
                near = True
            if neighbour == HOMES[faction] and _open(position, neighbour):
                near = True
        if not near:
            continue
        for group in (faction * 2, faction):
            if take(dict(position["supply"]), group):
                attempts.append((len(group), f"{group} {name}"))
    return attempts


def _settlement(position: Position) -> Attempts:
    """One of each of the three factions, wherever it is open; who is not in the pool stays out."""
    attempts: Attempts = []
    places = [None, *(code for code in NAMES if _open(position, code))]
    for scots in places:
        for welsh in places:
            for romans in places:
                chosen = {"S": scots, "W": welsh, "R": romans}
                placed = [f"{faction} {NAMES[code]}" for faction, code in chosen.items() if code is not None]
                group = "".join(faction for faction, code in chosen.items() if code is not None)
                if take(dict(position["supply"]), group):
                    attempts.append((len(placed), ", ".join(placed)))
    return attempts


def _crown(position: Position) -> Attempts:
    """Two region cards that lie face up and bear no token change places; then one's own token on either."""
    attempts: Attempts = []
    seat, track = position["to_act"], position["track"]
    has_token = position["negotiation_discs"][seat] > 0
    for at, first in enumerate(track):
        for second in track[at + 1 :]:
            if "down" in {first["face"], second["face"]} or first["negotiated"] or second["negotiated"]:
                continue
            one, other = NAMES[first["region"]], NAMES[second["region"]]
            attempts.append((1, f"{one} <> {other}, no disc"))
            if has_token:
                attempts.append((2, f"{one} <> {other}, disc {one}"))
                attempts.append((2, f"{one} <> {other}, disc {other}"))
    return attempts


def _ambassador(position: Position, *, undo: bool) -> Attempts:
    """One for one between any two open regions; failing that everywhere, one for nothing."""
    attempts: Attempts = []
    for here in NAMES:
        for there in NAMES:
            if here == there:
                continue
            for give in SINGLES:
                for get in (*SINGLES, ""):
                    # One for one may be told from either end, and is written once.
                    if get and list(NAMES).index(here) > list(NAMES).index(there):
                        continue
                    _try(attempts, position, "Ambassador", (here, give), (there, get), undo=undo)
    return attempts


def _garrison(position: Position, *, undo: bool) -> Attempts:
    """Two for one between neighbours; else two who move in all; else one who moves alone."""
    attempts: Attempts = []
    for here in NAMES:
        for there in NEIGHBOURS[here].split():
            for give in (*PAIRS, *SINGLES):
                for get in (*SINGLES, ""):
                    if len(give) == len(get) and list(NAMES).index(here) > list(NAMES).index(there):
                        continue
                    _try(attempts, position, "Garrison", (here, give), (there, get), undo=undo)
    return attempts


def _try(attempts: Attempts, position: Position, card: str, one: Side, other: Side, *, undo: bool) -> None:
    """Try a swap, and note how many followers it moves."""
    (here, give), (there, get) = one, other
    if not _open(position, here) or not _open(position, there):
        return
    after_here = dict(position["regions"][here]["followers"])
    after_there = dict(position["regions"][there]["followers"])
    if not take(after_here, give) or not take(after_there, get):
        return
    put(after_here, get)
    put(after_there, give)
    if undo and _reverses(position, card, {here: after_here, there: after_there}):
        return
    attempts.append((len(give) + len(get), f"{give} {NAMES[here]} <> {get or '-'} {NAMES[there]}"))


def _reverses(position: Position, card: str, after: Mapping[str, Followers]) -> bool:
    """Tell whether a swap takes back exactly what another player's same card has just done."""
    banned = position["banned"]
    if banned is None or banned["card"] != card or banned["by"] == position["to_act"]:
        return False
    for code in NAMES:
        stood = position["regions"][code]["followers"]
        now = after.get(code, stood)
        for faction in SINGLES:
            change = now.get(faction, 0) - stood.get(faction, 0)
            if change != -banned["delta"].get(code, {}).get(faction, 0):
                return False
    return True
