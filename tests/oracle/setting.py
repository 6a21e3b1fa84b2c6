"""How the oracle's cases are written down and tried.

Most stand in tables, one case a line: a region's followers or, after '=', its disc ('?'
is unstable); '-' for nobody; '.' for never; ' / ' between the resolutions expected.
"""

import re
from collections.abc import Mapping
from typing import Any

from tests.oracle.cards import resolutions
from tests.oracle.endings import result

# Each region, then its neighbours.
MAP = """
MOR STR | STR MOR LAN NOR | LAN STR NOR GWY WAR | NOR STR LAN WAR ESS
GWY LAN WAR DEV | WAR LAN NOR GWY ESS DEV | ESS NOR WAR DEV | DEV GWY WAR ESS
"""
BORDERS = {m[:3]: frozenset(m[4:].split()) for m in re.findall(r"[A-Z][A-Z ]+[A-Z]", MAP)}
HOMES = {"S": "MOR", "W": "GWY", "E": "ESS"}
UNSTABLE = "unstable"
NOTHING = {"nothing"}


def table(text: str) -> list[list[str]]:
    """Split a table into rows of cells; a line that begins with '#' is a remark."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return [[cell.strip() for cell in line.split("|")] for line in lines if line[0] != "#"]


def pile(letters: str) -> dict[str, int]:
    """Count followers: 'SSW', or '-' for none."""
    return {faction: letters.count(faction) for faction in "SWE"}


def board(regions: str, supply: str = "SSWWEE", **more: object) -> dict[str, Any]:
    """Set up 'MOR SSW, STR -, LAN =E, NOR =?'."""
    found = {}
    for line in regions.split(", "):
        code, what = line.split()
        disc = what[1:].replace("?", UNSTABLE) if what[0] == "=" else None
        followers = pile("" if disc else what)
        found[code] = {"followers": followers, "disc": disc}
    position = {"regions": found, "supply": pile(supply), "track": [], "to_act": 0}
    return position | {"discards": [[], [], [], []], "banned": None} | more


def rulings(chosen: Mapping[str, str]) -> dict[str, str]:
    """Write the readings chosen in full: {'spy_pile': 'resolvable'}."""
    return {f"second.ruling.{name.replace('_', '-')}": option for name, option in chosen.items()}


def play(card: str, regions: str, supply: str = "SSWWEE", **more: object) -> set[str]:
    """List what a card may do, with `readings` such as 'spy_pile=resolvable'."""
    readings = str(more.pop("readings", ""))
    chosen = rulings(dict(reading.split("=") for reading in readings.split()))
    return resolutions(board(regions, supply, **more), card, BORDERS, HOMES, chosen)


def outcomes(letters: str) -> list[str]:
    """Spell outcomes out: 'SWE?'."""
    return [UNSTABLE if letter == "?" else letter for letter in letters]


def finished(struggles: str, courts: str, emptied: str, last: str, **more: object) -> dict[str, Any]:
    """Set up a finished game: 'SSSWWEEE', 'ES EWWW', '. 5', '8 5'."""
    done, acted = ([None if turn == "." else int(turn) for turn in turns.split()] for turns in (emptied, last))
    resolved = zip(BORDERS, outcomes(struggles), strict=False)
    position = {
        "struggles": [{"region": code, "outcome": won} for code, won in resolved],
        "courts": [pile(court) for court in courts.split()],
        "emptied": done,
        "last_acted": acted,
    }
    return position | more


def end(struggles: str, courts: str, emptied: str, last: str, **chosen: str) -> str:
    """Finish a game; 'coronation: 0 1' tells how it ended and who won."""
    ending, winners = result(finished(struggles, courts, emptied, last), rulings(chosen))
    return f"{ending}: {' '.join(map(str, sorted(winners)))}"
