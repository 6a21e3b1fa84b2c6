"""What a card is, and what cards are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from attrs import frozen

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Board, Followers
from tkid.games.struggle.rules.moves import Resolution
from tkid.games.struggle.rules.position import Ban, Position
from tkid.games.struggle.rules.words import Words
from tkid.kernel.ladder import WHERE, Gate, Ladder, Shape, Slot
from tkid.kernel.options import Options
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

R = TypeVar("R")
Tiers = tuple[tuple[Shape[Position, Any], ...], ...]
Canonical = Callable[[Position, Any], Resolution]


class Resolving(Protocol):
    """What may be done with a card: a ladder, or what answers like one."""

    def ways(self, position: Position, /) -> Sequence[Any]:
        """The legal resolutions, in the simplest form."""
        ...

    def options(self, position: Position, /) -> Options[Any]:
        """The legal resolutions, which can be asked whether they have one."""
        ...

    def admits(self, position: Position, resolution: object, /) -> bool:
        """Whether a resolution is legal."""
        ...

    def check(self, position: Position, resolution: Any, /) -> tuple[Violation, ...]:
        """Every rule that a resolution breaks."""
        ...


def as_written(_: Position, resolution: Resolution) -> Resolution:
    """The canonical form of a resolution that can be written in one way only."""
    return resolution


@frozen(eq=False)
class Card:
    """An action card: printed name, the register's entry, the form its resolution is written in, its ladder.

    `canonical` rewrites a resolution to the one form that is written down. `ban(resolution, seat)` is the ban on
    undoing that the action leaves behind; `undo` is the rule of that ban, "" where there is none; `binds_all` where
    its own player is bound by it too. `faction` is the one printed on it, None for none.
    """

    name: str
    rule: str
    form: str
    ladder: Resolving
    canonical: Canonical = as_written
    ban: Callable[[Any, int], Ban | None] = lambda *_: None
    undo: str = ""
    binds_all: bool = False
    faction: int | None = None


def rewriting(form: type[R], rewrite: Callable[[Position, R], Resolution]) -> Canonical:
    """Rewrites resolutions of one form; `nothing`, and what another card would do, stays as it is."""
    return lambda position, resolution: rewrite(position, resolution) if isinstance(resolution, form) else resolution


@frozen(eq=False)
class CardFactory:
    """What cards are made with: the board, and the ids of the edition's rules."""

    board: Board
    ids: Ids

    @cites("ruling.ladder-scope")
    def card(
        self,
        name: str,
        local: str,
        form: str,
        tiers: Tiers,
        *,
        gate: Gate[Position] | None = None,
        canonical: Canonical = as_written,
    ) -> Card:
        """The card that a rule (local id) describes, with a ladder of these tiers; it may not be played if the gate is closed."""
        rule = self.ids(local)
        ladder: Ladder[Position, Any] = Ladder(
            tiers, self.ids("partial.in-full"), rule, Words(self.board).resolution, gate
        )
        return Card(name, rule, form, ladder, canonical)

    @property
    def unresolved(self) -> c.Wanted:
        """The condition that a region has no disc."""
        return c.unresolved(self.board, self.ids("action.resolved"))

    def supplied(self, where: str = "the supply") -> c.Taken:
        """The condition that followers are in the supply."""
        return c.available(self.board, self.ids("action.supply"), where)

    def region(self, name: str, *conditions: c.Wanted, in_order: bool = False) -> Slot[c.Ground, int]:
        """A bound slot for an open region."""
        return c.region_slot(name, self.board, (self.unresolved, *conditions), in_order=in_order)

    def inside(
        self, name: str, index: int, size: int, *conditions: c.Taken, more: Followers = ()
    ) -> Slot[Followers, Followers]:
        """A slot for followers of the region that is the bound value of this index; `more` are there by then."""
        available = c.available(self.board, self.ids("action.region"), WHERE, more)
        where = c.region_at(self.board, index)
        return c.group_slot(name, self.board, c.contents(index), size, (*conditions, available), where)
