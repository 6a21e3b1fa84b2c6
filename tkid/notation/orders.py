"""Orders as values: what a player may ask for in one line, and the plans for turns to come.

Orders are written and read like turns, with a grammar, so they live beside them; what is done about an order is the
business of the post. Seats, regions and factions are indices, as in moves.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from attrs import field, frozen

from tkid.notation.turns import ReadTurn

Who = int | Literal["anyone", "everyone"]
"""A seat, any other player, or all of them."""
ANYONE: Literal["anyone"] = "anyone"
EVERYONE: Literal["everyone"] = "everyone"


@frozen
class Turn:
    """A turn: its text as it is written, and how it was read."""

    text: str
    read: ReadTurn = field(eq=False, repr=False)


@frozen
class Draft:
    """A turn that is checked and answered, never played."""

    turn: Turn


# -- plans ------------------------------------------------------------------------------------------------


@frozen
class Standing:
    """Passing turn after turn: until a power struggle, until `who` acts, until `region` is contested, or always."""

    kind: Literal["struggle", "acts", "contested", "always"]
    region: int | None = None
    who: Who | None = None


@frozen
class Passes:
    """A condition: a player passes."""

    who: Who


@frozen
class Plays:
    """A condition: a player plays a card; "" is any card."""

    who: Who
    card: str = ""


@frozen
class Contested:
    """A condition: the next power struggle is in this region."""

    region: int


@frozen
class Struggle:
    """A condition: a power struggle is resolved."""


@frozen
class Outcome:
    """A condition: the region's power struggle ended with this disc, a faction or UNSTABLE."""

    region: int
    disc: int


Condition = Passes | Plays | Contested | Struggle | Outcome


@frozen
class Stop:
    """A step of a plan: play nothing, ask the player."""


@frozen
class If:
    """A step of a plan that depends: on all `conditions` or, where `every` is false, on any; `otherwise` may be None."""

    conditions: tuple[Condition, ...]
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] | None = None
    every: bool = True


Step = Turn | Stop | If
Steps = tuple[Step, ...]


@frozen
class Planned:
    """A plan: steps for the player's next turns, one for each; a conditional order is one of a single `If`."""

    steps: Steps


# -- everything else --------------------------------------------------------------------------------------


@frozen
class Cancel:
    """End plans: all, the standing or the conditional ones, one by its number; or an absence."""

    what: Literal["all", "standing", "conditional", "away"] | int


@frozen
class Say:
    """Press: words to all or to one seat."""

    to: int | Literal["all"]
    text: str


@frozen
class Ask:
    """A question; `argument` is a card for `legal`, a rule's id or words for `rules`, an order for `help`, or ""."""

    kind: Literal["status", "legal", "rules", "why", "history", "help"]
    argument: str = ""


@frozen
class Away:
    """An absence, first and last day."""

    first: date
    last: date


@frozen
class Undo:
    """Taking a turn back: asked for, agreed to, or refused."""

    consent: Literal["ask", "agree", "refuse"]


@frozen
class Resign:
    """Giving up the game."""


@frozen
class Notify:
    """Which mails a player wants."""

    level: Literal["every turn", "my turns", "struggles"]


Plan = Standing | Planned
Order = Turn | Draft | Plan | Cancel | Say | Ask | Away | Undo | Resign | Notify
