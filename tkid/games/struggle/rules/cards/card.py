"""What a card is, and what cards are made with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from attrs import frozen

from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.moves import Resolution
from tkid.games.struggle.rules.position import Ban, Position
from tkid.games.struggle.rules.words import Words
from tkid.kernel.ladder import Gate, Ladder, Shape
from tkid.kernel.options import Options
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

Tiers = tuple[tuple[Shape[Position, Any], ...], ...]


class Resolving(Protocol):
    """What may be done with a card: a ladder, or what answers like one."""

    def options(self, position: Position, /) -> Options[Any]:
        """The legal resolutions."""
        ...

    def admits(self, position: Position, resolution: object, /) -> bool:
        """Whether a resolution is legal."""
        ...

    def check(self, position: Position, resolution: Any, /) -> tuple[Violation, ...]:
        """Every rule that a resolution breaks."""
        ...


Canonical = Callable[[Position, Any], Resolution]


def as_written(_: Position, resolution: Resolution) -> Resolution:
    """The canonical form of a resolution that can be written in one way only."""
    return resolution


def no_ban(_: Resolution, __: int) -> Ban | None:
    """What a card leaves behind that may be undone at once."""
    return None


@frozen(eq=False)
class Card:
    """An action card: printed name, the register's entry, the form its resolution is written in, its ladder.

    `canonical` rewrites a resolution to the one form that is written down. `ban(resolution, seat)` is the ban on
    undoing that the action leaves behind; `undo` is the rule of that ban, "" where there is none; `binds_all` where
    its own player is bound by it too.
    """

    name: str
    rule: str
    form: str
    ladder: Resolving
    canonical: Canonical = as_written
    ban: Callable[[Any, int], Ban | None] = no_ban
    undo: str = ""
    binds_all: bool = False


@frozen(eq=False)
class CardFactory:
    """What cards are made with: the board, and the ids of the edition's rules."""

    board: Board
    ids: Ids

    @cites("ruling.ladder-scope")
    def ladder(self, rule: str, tiers: Tiers, gate: Gate[Position] | None = None) -> Ladder[Position, Resolution]:
        """A ladder of these tiers for the card that a rule describes; behind a closed gate it may not be played."""
        return Ladder(tiers, self.ids("partial.in-full"), rule, Words(self.board).resolution, gate)
