"""The partial-action ladder: in full if that can be done, else as far as possible.

A ladder is a row of tiers, best first. A tier holds alternative shapes. A shape is a row of slots, each
with a universe of values and the cited conditions on them. The legal resolutions are those of the first
tier that has any. Enumerating and judging both read these conditions and nothing else.

The conditions of a slot look at one *facet* of the position: a small hashable value. The values that
satisfy them are remembered for each facet, so that a legal set costs a few look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Generic, TypeVar

from attrs import define, field, frozen

from tkid.kernel.options import Options, Product
from tkid.kernel.problems import Violation

P = TypeVar("P")  # a position
R = TypeVar("R")  # a resolution
F = TypeVar("F")  # a facet of a position
V = TypeVar("V")  # a value of a slot

FACETS_REMEMBERED = 1 << 16
NEAREST = 3


@frozen
class Condition(Generic[F, V]):
    """A cited requirement on the value of a slot: `holds(facet, value)`; `says` tells why it fails."""

    rule: str
    holds: Callable[[F, V], bool]
    says: Callable[[F, V], str]


@define(eq=False)
class Slot(Generic[P, F, V]):
    """One choice within a resolution.

    `facet(position, bound)` is what the conditions look at, where `bound` holds the values of the bound
    slots before this one. `domain(facet)` lists the values to try, in canonical order. A *bound* slot is
    one whose value later facets look at; bound slots come first. `value` reads the slot from a resolution.
    """

    name: str
    facet: Callable[[P, tuple[Any, ...]], F]
    domain: Callable[[F], Iterable[V]]
    conditions: tuple[Condition[F, V], ...]
    bound: bool = False
    value: Callable[[Any], V] = field()
    universe: Callable[[F], tuple[V, ...]] = field(init=False)

    @value.default
    def _(self) -> Callable[[Any], V]:
        return attrgetter(self.name)

    @universe.default
    def _(self) -> Callable[[F], tuple[V, ...]]:
        return lru_cache(FACETS_REMEMBERED)(self._admitted)

    def _admitted(self, facet: F) -> tuple[V, ...]:
        return tuple(v for v in self.domain(facet) if all(c.holds(facet, v) for c in self.conditions))


@frozen
class Bar(Generic[P, R]):
    """A cited ban on whole resolutions: asked only where `active(position)`; `strikes(position, resolution)`."""

    rule: str
    active: Callable[[P], bool]
    strikes: Callable[[P, R], bool]
    says: Callable[[P, R], str]


@define(eq=False)
class Shape(Generic[P, R]):
    """One way to carry out an action: its slots, and how a resolution is made of their values.

    `rule` is the register's entry that describes it, `label` its short name in tables. `form` is the class
    of the resolutions. `applies` is false where the shape is out of the question in a position.
    """

    rule: str
    label: str
    form: type[R]
    slots: tuple[Slot[P, Any, Any], ...]
    bars: tuple[Bar[P, R], ...] = ()
    make: Callable[..., R] = field()
    applies: Callable[[P], bool] = field(default=lambda _: True)
    _bound: tuple[Slot[P, Any, Any], ...] = field(init=False)
    _free: tuple[Slot[P, Any, Any], ...] = field(init=False)

    @make.default
    def _(self) -> Callable[..., R]:
        return self.form

    def __attrs_post_init__(self) -> None:
        self._bound = tuple(slot for slot in self.slots if slot.bound)
        self._free = tuple(slot for slot in self.slots if not slot.bound)
        if self.slots != self._bound + self._free:
            raise TypeError(f"{self.label}: bound slots come first")

    def blocks(self, position: P) -> Iterator[Sequence[R]]:
        """The resolutions of this shape, in blocks; no block is empty."""
        if not self.applies(position):
            return
        bars = [bar for bar in self.bars if bar.active(position)]
        for fixed in self._fixed(position, ()):
            free = tuple([slot.universe(slot.facet(position, fixed)) for slot in self._free])
            if not all(free):
                continue
            block: Sequence[R] = Product(self.make, fixed, free)
            if bars:
                block = tuple(r for r in block if not any(bar.strikes(position, r) for bar in bars))
            if block:
                yield block

    def _fixed(self, position: P, fixed: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if len(fixed) == len(self._bound):
            yield fixed
            return
        slot = self._bound[len(fixed)]
        for value in slot.universe(slot.facet(position, fixed)):
            yield from self._fixed(position, (*fixed, value))

    def admits(self, position: P, resolution: object) -> bool:
        """Whether a resolution is one of this shape that satisfies every condition."""
        if type(resolution) is not self.form or not self.applies(position):
            return False
        fixed: tuple[Any, ...] = ()
        for slot in self.slots:
            value = slot.value(resolution)
            if value not in slot.universe(slot.facet(position, fixed)):
                return False
            if slot.bound:
                fixed = (*fixed, value)
        return not any(bar.active(position) and bar.strikes(position, resolution) for bar in self.bars)

    def violations(self, position: P, resolution: R) -> tuple[Violation, ...]:
        """Every condition that a resolution of this form fails."""
        found: list[Violation] = []
        fixed: tuple[Any, ...] = ()
        for slot in self.slots:
            value = slot.value(resolution)
            facet = slot.facet(position, fixed)
            found += [
                Violation(c.rule, c.says(facet, value), slot.name) for c in slot.conditions if not c.holds(facet, value)
            ]
            if slot.bound:
                fixed = (*fixed, value)
        found += [
            Violation(bar.rule, bar.says(position, resolution))
            for bar in self.bars
            if bar.active(position) and bar.strikes(position, resolution)
        ]
        return tuple(found)


@frozen
class Nothing:
    """The resolution without any effect: the last resort of every ladder."""


NOTHING = Nothing()


@define(eq=False)
class Ladder(Generic[P, R]):
    """The tiers of an action, best first; below the last one stands `Nothing`.

    `in_full` is the rule that asks for the fullest resolution, `wrong_form` the rule that says what an
    action of this kind consists of. `words` writes a resolution for messages.
    """

    tiers: tuple[tuple[Shape[P, Any], ...], ...]
    in_full: str
    wrong_form: str
    words: Callable[[Any], str]

    def tier(self, position: P) -> tuple[int, list[Sequence[R]]]:
        """The index of the first tier that has a resolution, and its blocks (number of tiers and [] for none)."""
        for index, shapes in enumerate(self.tiers):
            blocks = [block for shape in shapes for block in shape.blocks(position)]
            if blocks:
                return index, blocks
        return len(self.tiers), []

    def options(self, position: P) -> Options[R | Nothing]:
        """The legal resolutions."""
        _, blocks = self.tier(position)
        parts: list[Sequence[R | Nothing]] = [*blocks] or [(NOTHING,)]
        return Options(parts, lambda item: self.admits(position, item))

    def admits(self, position: P, resolution: object) -> bool:
        """Whether a resolution is legal."""
        for shapes in self.tiers:
            if any(shape.admits(position, resolution) for shape in shapes):
                return True
            if any(block for shape in shapes for block in shape.blocks(position)):
                return False
        return resolution == NOTHING

    def check(self, position: P, resolution: R | Nothing) -> tuple[Violation, ...]:
        """Every rule that a resolution breaks, with what would be legal instead; empty for a legal one."""
        if self.admits(position, resolution):
            return ()
        best, blocks = self.tier(position)
        tier, found = self._closest(position, resolution)
        if tier > best:
            fuller = nearest(resolution, (r for block in blocks for r in block))
            found += (
                Violation(
                    self.in_full,
                    "More of the action could be carried out: " + self.words(fuller[0]) + " is possible",
                    alternatives=fuller,
                ),
            )
        else:
            legal = nearest(resolution, (r for block in blocks for r in block)) or (NOTHING,)
            found = tuple(Violation(v.rule, v.sentence, v.part, legal) for v in found)
        return found

    def _closest(self, position: P, resolution: R | Nothing) -> tuple[int, tuple[Violation, ...]]:
        """The tier that a resolution comes closest to, and what it fails there."""
        if resolution == NOTHING:
            return len(self.tiers), ()
        attempts = [
            (index, shape.violations(position, resolution))
            for index, shapes in enumerate(self.tiers)
            for shape in shapes
            if isinstance(resolution, shape.form)
        ]
        if not attempts:
            return 0, (Violation(self.wrong_form, f"{self.words(resolution)} is not what this card does"),)
        return min(attempts, key=lambda attempt: len(attempt[1]))


def nearest(wanted: object, candidates: Iterable[R], most: int = NEAREST) -> tuple[R, ...]:
    """The candidates that share most with what was wanted: same class and most equal attributes first."""

    def likeness(candidate: object) -> int:
        names = getattr(type(candidate), "__match_args__", ())
        return sum(getattr(wanted, name, None) == getattr(candidate, name) for name in names)

    return tuple(sorted(candidates, key=likeness, reverse=True)[:most])
