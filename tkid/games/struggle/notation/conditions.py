"""What a player may wait for: standing orders that pass, and the conditions of plans. Regions and factions are indices."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from tkid.notation.people import Who
from tkid.orders import model


@frozen
class Standing(model.Standing):
    """Passing turn after turn: until a power struggle, until `who` acts, until `region` is contested, or always."""

    kind: Literal["struggle", "acts", "contested", "always"]
    region: int | None = None
    who: Who | None = None


@frozen
class Passes(model.Condition):
    """A condition: a player passes."""

    who: Who


@frozen
class Plays(model.Condition):
    """A condition: a player plays a card; "" is any card."""

    who: Who
    card: str = ""


@frozen
class Contested(model.Condition):
    """A condition: the next power struggle is in this region."""

    region: int


@frozen
class Struggle(model.Condition):
    """A condition: a power struggle is resolved."""


@frozen
class Outcome(model.Condition):
    """A condition: the region's power struggle ended with this disc, a faction or UNSTABLE."""

    region: int
    disc: int


Condition = Passes | Plays | Contested | Struggle | Outcome
