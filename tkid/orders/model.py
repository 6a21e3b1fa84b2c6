"""Orders as values: what a player may ask for in one line, and the plans for turns to come.

Each game has its own standing orders and conditions. The mail layer carries orders out. Seats are indices, as in moves.
"""

from __future__ import annotations

from datetime import date
from typing import Literal

from attrs import field, frozen

from tkid.notation.turns import ReadTurn


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


class Standing:
    """An order that holds turn after turn until something ends it; each game has its own."""

    __slots__ = ()


class Condition:
    """What a plan may depend on; each game has its own."""

    __slots__ = ()


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


Question = Literal["status", "legal", "rules", "why", "history", "help"]


@frozen
class Ask:
    """A question; `argument` is a card for `legal`, a rule's id or words for `rules`, an order for `help`, or ""."""

    kind: Question
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
class Agree:
    """An end by agreement: a draw or a game without a result, proposed or agreed to; or a proposal that is refused."""

    to: Literal["draw", "abandon", "refuse"]


@frozen
class Pause:
    """A pause by agreement, proposed or agreed to: no clock runs until a day begins."""

    until: date


@frozen
class Resign:
    """Giving up the game."""


PICTURES, NO_PICTURES = "pictures", "no pictures"


@frozen
class Notify:
    """Which mails a player wants: of `every turn`, only of `my turns`, or by the game's word of what is decided.

    Or, whatever else is wanted, whether with `PICTURES` or with `NO_PICTURES`.
    """

    level: str


Plan = Standing | Planned
Order = Turn | Draft | Plan | Cancel | Say | Ask | Away | Undo | Agree | Pause | Resign | Notify
