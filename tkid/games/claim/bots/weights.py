"""The parameters of the evaluation, read from a file that games are played to write (`python -m benchmarks.fit`)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from attrs import fields, frozen

FILE = "weights.toml"


@frozen
class Weights:
    """How much each thing counts.

    Whether a card goes to its owner: `keep` for any card, `beats` for each card of its faction that the other side has and
    it beats, `beaten` for each that beats it, `wild` for each Doppelganger that beats it, `knight` for each Knight that
    beats a Goblin, `value` for the number on it. A Dwarf goes the other way, `dwarf` times as surely. `unknown` is what a
    card of the deck counts of one that the other side has. For a vote: `noise` is how unsure a lead is, `doubt` how unsure
    each card of the deck makes it, `tip` what the highest card adds. In tricks to come: `lead` is the worth of the lead,
    `hand` of a strong hand while followers are recruited, where a Doppelganger counts `hand_wild` more, a Knight
    `hand_knight`, and an Undead `hand_undead` less, as it is better won than played.
    """

    keep: float
    beats: float
    beaten: float
    wild: float
    knight: float
    value: float
    dwarf: float
    unknown: float
    noise: float
    doubt: float
    tip: float
    lead: float
    hand: float
    hand_wild: float
    hand_knight: float
    hand_undead: float


NAMES = tuple(each.name for each in fields(Weights))


def kind(code: str, players: int) -> str:
    """The name of the table for a ruleset with so many players."""
    return f"{code}-{players}"


@cache
def weights(code: str, players: int) -> Weights:
    """The parameters for a ruleset with so many players."""
    read = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return Weights(**read[kind(code, players)])
