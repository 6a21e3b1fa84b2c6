"""Comparisons: the links of a chain, each with its rule, that narrow down who wins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from attrs import frozen

from tkid.games.struggle.rules.board import Board, Followers
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import Step

Side = tuple[int, ...]
"""Who is compared: one seat, or the seats of a party."""


@frozen
class Count:
    """A finished game as the comparisons see it: the final position, its board and parties, the factions by power.

    `ranking` lists the factions that control regions, most powerful first. `courts` are those of the position,
    with the follower as which a revealed Plot counts; `plotter` is the seat that holds it, None where none is known.
    """

    position: Position
    board: Board
    parties: tuple[Side, ...]
    ranking: tuple[int, ...]
    courts: tuple[Followers, ...]
    plotter: int | None = None

    def named(self, side: Side) -> str:
        """A side for people: seats as `{0}`."""
        return " and ".join(f"{{{seat}}}" for seat in side)


@frozen
class Compared:
    """What a comparison found: the sides that were tied before it, each with its measure if any, and those that are left."""

    values: Mapping[Side, float | None]
    left: tuple[Side, ...]


def pooled(courts: tuple[Followers, ...], side: Side) -> Followers:
    """The courts of a side put together."""
    return tuple([sum(column) for column in zip(*(courts[seat] for seat in side), strict=True)])


Narrowed = tuple[tuple[Side, ...], Step | None]
"""The sides that remain, and the step for the report; no step where nothing was asked."""


@frozen(eq=False)
class Comparison(ABC):
    """One link of a chain, called with the sides that are still tied.

    `rule` is the register's entry, `label` says in tables and charts what is asked.
    """

    rule: str
    label: str

    @abstractmethod
    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        """Compare."""


@frozen(eq=False)
class Highest(Comparison):
    """Keep the sides with the highest measure.

    `measure(count, side)` is compared; `what(count)` says what is compared,
    `shown(measure)` how a value reads.
    """

    measure: Callable[[Count, Side], float]
    what: Callable[[Count], str]
    shown: Callable[[float], str] = lambda value: f"{value:g}"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        """Compare."""
        values = {side: self.measure(count, side) for side in sides}
        best = max(values.values())
        left = tuple(side for side in sides if values[side] == best)
        measured = ", ".join(f"{count.named(side)} {self.shown(value)}" for side, value in values.items())
        verdict = "decides" if len(left) == 1 else "still tied" if len(left) == len(sides) else "narrows it down"
        return left, Step(self.rule, f"{self.what(count)}: {measured} ({verdict})", Compared(values, left))


@frozen(eq=False)
class HighestOfAll(Highest):
    """Keep the seats with the highest measure, those included that an earlier comparison has left behind."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:  # noqa: ARG002 - a link
        """Compare."""
        return super().__call__(count, tuple([(seat,) for seat in count.position.seats]))


@frozen(eq=False)
class Parties(Comparison):
    """Replace the tied seats with their parties."""

    label: str = "In a team game, compare the teams of the tied players"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        """Compare."""
        tied = {seat for side in sides for seat in side}
        left = tuple(party for party in count.parties if tied & set(party))
        if left == sides:
            return left, None
        teams = "both belong to one team" if len(left) == 1 else "their teams are compared"
        text = f"{' and '.join(map(count.named, sides))} are tied: {teams}"
        return left, Step(self.rule, text, Compared(dict.fromkeys(sides), left))


@frozen(eq=False)
class Plotter(Comparison):
    """The owner of Plot wins if still among the tied."""

    label: str = "The owner of Plot, if among the tied"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        """Compare."""
        left = tuple(side for side in sides if count.plotter in side)
        if not left:
            return sides, None
        text = f"{count.named(left[0])} is among the tied and has Plot (decides)"
        return left, Step(self.rule, text, Compared(dict.fromkeys(sides), left))


@frozen(eq=False)
class Remark(Comparison):
    """A link that compares nothing and only names the rule by which a tie remains."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:  # noqa: ARG002 - a link
        """Compare."""
        return sides, Step(self.rule, self.label)


@frozen(eq=False)
class Nobody(Remark):
    """The end of a chain in which no player wins."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:  # noqa: ARG002 - a link
        """Compare."""
        return (), Step(self.rule, self.label)


@frozen(eq=False)
class If:
    """A link that is asked only where a condition on the count holds, which `when` says in words."""

    when: str
    condition: Callable[[Count], bool]
    then: Comparison

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        """Compare."""
        return self.then(count, sides) if self.condition(count) else (sides, None)


Link = Comparison | If
"""What chains consist of."""
