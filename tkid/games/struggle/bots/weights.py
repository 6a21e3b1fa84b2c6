"""The parameters of the evaluation, read from a file that games are played to write (`python -m benchmarks.fit`)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from attrs import evolve, fields, frozen

FILE = "weights.toml"
USUAL = "usual"
"""The table in the file for games that have none of their own."""


@frozen
class Weights:
    """How much each thing counts.

    Followers are the unit at court: `card` is the worth of a card in hand in followers of the leading faction, `spare`
    how fast that falls when there are more cards than regions, `second` the worth of a follower of the second faction,
    `move` that of being the next to act. `court` and `court_cards` say how far a lead at court is from certain, without
    cards and for each card that the players have left. In the regions `region` is how unsure a lead in followers is for
    each card to come, `later` how much less sure it is for each region that is resolved earlier, `passed` what is left of
    that in the contested region after a pass, `tie` how likely ties are. `power` is how unsure the order of the factions is.
    `part` is the worth of a begun set, in sets. `alone` is how many cards a follower on the board stands for, where a turn
    may be a summons alone, and `fall` how likely the regions are then emptied until the invasion comes.
    `stand` says how much counts what comes out if everybody passes from now on: so much to one for each card that is left.
    `early` is the worth of having played all cards before anybody else, in followers. `ahead` is how many times as much
    a card in hand is worth to a player who looks ahead: it sees what it will be used for, and what it may be needed for.
    """

    card: float
    spare: float
    second: float
    move: float
    court: float
    court_cards: float
    region: float
    later: float
    passed: float
    tie: float
    power: float
    part: float
    alone: float
    fall: float
    stand: float
    early: float
    ahead: float


NAMES = tuple(each.name for each in fields(Weights))


def as_it_stands(weights: Weights) -> Weights:
    """Parameters by which nothing changes any more: everybody passes, and leads last."""
    stays = dict.fromkeys(("card", "spare", "move", "court_cards", "region", "power", "part", "stand"), 0.0)
    return evolve(weights, **stays, court=0.02, second=0.05, early=0.02)


def kind(code: str, players: int) -> str:
    """The name of the table for a ruleset with so many players."""
    return f"{code}-{players}"


@cache
def tables() -> dict[str, Weights]:
    """All tables of the file; one that leaves something out has the usual value there."""
    read = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    usual = read[USUAL]
    return {name: Weights(**{**usual, **table}) for name, table in read.items()}


def weights(code: str, players: int, *, ahead: bool = False) -> Weights:
    """The parameters for a ruleset with so many players, and for players who look ahead or do not."""
    known = tables()
    found = known.get(kind(code, players)) or known.get(str(players)) or known[USUAL]
    return looking_ahead(found) if ahead else found


def looking_ahead(known: Weights) -> Weights:
    """The parameters for a player who looks ahead."""
    return evolve(known, card=known.card * known.ahead)
