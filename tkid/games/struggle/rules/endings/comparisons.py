"""Comparisons: the links of a chain, each with its rule, that narrow down who wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

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


def pooled(courts: tuple[Followers, ...], side: Side) -> Followers:
    """The courts of a side put together."""
    return tuple([sum(column) for column in zip(*(courts[seat] for seat in side), strict=True)])


class Comparison(Protocol):
    """One link of a chain: which sides remain, and the step for the report; no step where it was not asked.

    `rule` is the register's entry, `label` says in tables and charts what is asked.
    """

    @property
    def rule(self) -> str:
        """The rule by which it is asked."""
        ...

    @property
    def label(self) -> str:
        """What is asked, in a few words."""
        ...

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare the sides that are still tied."""
        ...


@frozen
class Highest:
    """Keep the sides with the highest measure.

    `label` says what the highest means. `measure(count, side)` is compared; `what(count)` says what is compared,
    `shown(measure)` how a value reads.
    """

    rule: str
    label: str
    measure: Callable[[Count, Side], float]
    what: Callable[[Count], str]
    shown: Callable[[float], str] = lambda value: f"{value:g}"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step]:
        """Compare."""
        values = {side: self.measure(count, side) for side in sides}
        best = max(values.values())
        left = tuple(side for side in sides if values[side] == best)
        measured = ", ".join(f"{count.named(side)} {self.shown(value)}" for side, value in values.items())
        verdict = "decides" if len(left) == 1 else "still tied" if len(left) == len(sides) else "narrows it down"
        return left, Step(self.rule, f"{self.what(count)}: {measured} ({verdict})")


@frozen
class Parties:
    """Replace the tied seats with their parties."""

    rule: str
    label: str = "Tied players stand for their teams"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare."""
        tied = {seat for side in sides for seat in side}
        left = tuple(party for party in count.parties if tied & set(party))
        if left == sides:
            return left, None
        teams = "both belong to one team" if len(left) == 1 else "their teams are compared"
        return left, Step(self.rule, f"{' and '.join(map(count.named, sides))} are tied: {teams}")


@frozen
class Plotter:
    """Whoever holds Plot, if still among the tied, wins."""

    rule: str
    label: str = "The owner of Plot is among the tied"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare."""
        left = tuple(side for side in sides if count.plotter in side)
        return (
            (left, Step(self.rule, f"{count.named(left[0])} is among the tied and has Plot (decides)"))
            if left
            else (sides, None)
        )


@frozen
class Remark:
    """A link that compares nothing and only names the rule by which a tie remains."""

    rule: str
    text: str

    @property
    def label(self) -> str:
        """The text."""
        return self.text

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step]:  # noqa: ARG002 - a link
        """Compare."""
        return sides, Step(self.rule, self.text)


@frozen
class Nobody(Remark):
    """The end of a chain where no player wins, whoever is compared."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step]:  # noqa: ARG002 - a link
        """Compare."""
        return (), Step(self.rule, self.text)


@frozen
class If:
    """Another link, asked only where a condition on the count holds, which `when` says in words."""

    when: str
    condition: Callable[[Count], bool]
    then: Comparison

    @property
    def rule(self) -> str:
        """That of the other link."""
        return self.then.rule

    @property
    def label(self) -> str:
        """That of the other link."""
        return self.then.label

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare."""
        return self.then(count, sides) if self.condition(count) else (sides, None)
