"""Names of games that gather players: those that are free, and what somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import count

from tkid.club.door.readers import LONGEST_GAME_NAME
from tkid.club.door.visit import ClubState
from tkid.club.results.tournament import KIND as TOURNAMENT
from tkid.club.results.tournament import Tournament
from tkid.rulebook import cites

NAMES = (
    "spring", "summer", "autumn", "winter", "glen", "loch", "moor", "tarn", "heath", "cairn", "fen", "tor", "dale", "firth",
    "haven", "thistle", "rowan", "heather", "bracken", "clover", "harbour", "lantern", "beacon", "causeway",
)  # fmt: skip
"""What games are called for which nobody chooses a name."""
LIKE = 0.6


@cites("club.name")
def free_name(state: ClubState) -> str:
    """A name that no game has."""
    plain = next((name for name in NAMES if not state.is_taken(name)), None)
    return plain or next(name for number in count(1) if not state.is_taken(name := f"game-{number}"))


@cites("club.name")
def next_name(name: str, state: ClubState) -> str:
    """A free name that shows that a game is like another one: `spring-2` for `spring`, `spring-3` for that."""
    stem, _, number = name.lower().rpartition("-")
    stem, number = (stem, number) if stem and number.isdecimal() else (name.lower(), "1")
    first = int(number[:6]) + 1
    names = (f"{stem[: LONGEST_GAME_NAME - 7]}-{each}" for each in count(first))
    return next(each for each in names if not state.is_taken(each))


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that may have been meant, "" for none."""
    return next(iter(get_close_matches(name, list(names), 1, LIKE)), "")


def invited_to(address: str, state: ClubState) -> list[str]:
    """The tournaments that have not begun and to which somebody is invited."""
    every = (Tournament.read(kept.text) for kept in state.documents(TOURNAMENT) if kept.text is not None)
    return [each.name for each in every if not each.begun and each.side_of(address) is not None]
