"""What a player may order for tricks to come: standing orders that choose a card, and the conditions of plans.

Factions are letters, as in cards.
"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from tkid.orders import model


@frozen
class Standing(model.Standing):
    """Playing card after card: on a card of the other player's, when leading, in either case, or whatever is forced.

    `led` is the faction that has to be led for a card to `follow`, "" for any; `prize` what has to be played for, a
    faction or a card, "" for anything. `which` is the card chosen among those that may be played, of `faction` alone
    where that is not "". `phase` tells that the order ends with the phase.
    """

    kind: Literal["follow", "lead", "either", "forced"]
    which: Literal["lowest", "highest", ""] = ""
    faction: str = ""
    led: str = ""
    prize: str = ""
    phase: bool = False


@frozen
class Led(model.Condition):
    """A condition: the other player has led a card of this faction; "" is any card."""

    faction: str = ""


@frozen
class NothingLed(model.Condition):
    """A condition: the owner leads."""


@frozen
class Prize(model.Condition):
    """A condition: a card of this faction is played for, or this very card."""

    of: str


@frozen
class PhaseTwo(model.Condition):
    """A condition: phase two has begun."""


Condition = Led | NothingLed | Prize | PhaseTwo
