"""The partial-action ladder, and legal sets that are counted without being built.

A ladder is a row of tiers, best first. A tier holds alternative shapes. A shape is a row of slots, each
with a universe of values and the cited conditions on them. The legal resolutions are those of the first
tier that has any. Enumerating and judging both read these conditions and nothing else.

The conditions of a slot look at one *facet* of the position: a small hashable value. The ladder remembers the values that
satisfy them for each facet, so that a legal set costs a few look-ups. To judge a single resolution it tries only that
resolution's own values.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate, chain, compress, islice, product
from operator import attrgetter, itemgetter, mul
from typing import Any, Generic, TypeVar, overload

from attrs import Factory, define, evolve, field, frozen

from tkid.kernel.pickling import Portable, pickle_call
from tkid.kernel.problems import Violation
from tkid.kernel.values import derive

M = TypeVar("M")
A = TypeVar("A")


class _Lazy(Sequence[M]):
    """A sequence known by its length, which is its `size`, and by `at(index)`."""

    __slots__ = ("size",)
    size: int

    def __len__(self) -> int:
        return self.size

    @abstractmethod
    def get_at(self, index: int) -> M:
        """Return the item at an index from 0 to len-1."""

    @overload
    def __getitem__(self, index: int) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[M, ...]: ...
    def __getitem__(self, index: int | slice) -> M | tuple[M, ...]:
        if isinstance(index, slice):
            return tuple(self.get_at(i) for i in range(*index.indices(len(self))))
        size = self.size
        if not -size <= index < size:
            raise IndexError(index)
        return self.get_at(index if index >= 0 else index + size)


Universe = tuple[object, ...]
"""Possible values of a free choice."""
Block = tuple[tuple[object, ...], tuple[Universe, ...]]
"""Some fixed choices, and behind them the universe of each free choice."""
Choice = tuple[Callable[[Sequence[Any]], Sequence[Any]], Sequence[Universe]]
"""A table of universes for a free choice, and a function that picks the entry of each row of fixed choices."""


class Combinations(_Lazy[M]):
    """For each row of fixed choices, every combination of its free ones, none with an empty universe: `make(*row, *free)`."""

    __slots__ = ("_ends", "_free", "_make", "_rows", "_sizes")

    def __init__(self, make: Callable[..., M], rows: Sequence[tuple[object, ...]], free: Sequence[Choice]) -> None:
        self._make, self._rows, self._free = make, rows, free
        self._ends: list[int] = []
        sizes: Sequence[int] = ()
        for pick, table in free:
            counted = pick(list(map(len, table)))
            sizes = list(map(mul, sizes, counted)) if sizes else counted
        self._sizes = sizes or [1] * len(rows)
        self.size = sum(self._sizes)

    @property
    def blocks(self) -> tuple[Callable[..., M], Sequence[Block]]:
        """The function that makes the items, and its blocks: rows with their universes, which are never empty."""
        columns = [pick(table) for pick, table in self._free]
        universes = zip(*columns, strict=True) if columns else [()] * len(self._rows)
        return self._make, list(compress(zip(self._rows, universes, strict=True), self._sizes))

    def keep_rows(self, wanted: Callable[[tuple[object, ...]], bool]) -> Combinations[M]:
        chosen = list(map(wanted, self._rows))
        free: list[Choice] = [(tuple, list(compress(pick(table), chosen))) for pick, table in self._free]
        return Combinations(self._make, list(compress(self._rows, chosen)), free)

    def get_at(self, index: int) -> M:
        ends = self._ends = self._ends or list(accumulate(self._sizes))
        row = bisect_right(ends, index)
        index -= ends[row - 1] if row else 0
        chosen: list[object] = []
        for pick, table in reversed(self._free):
            universe = pick(table)[row]
            index, i = divmod(index, len(universe))
            chosen.append(universe[i])
        return self._make(*self._rows[row], *reversed(chosen))

    def __iter__(self) -> Iterator[M]:
        make, blocks = self.blocks
        for fixed, free in blocks:
            for chosen in product(*free):
                yield make(*fixed, *chosen)


class Each(_Lazy[M], Generic[A, M]):
    """Another sequence, with a function applied to every item."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[A], M], items: Sequence[A]) -> None:
        self._make, self._items, self.size = make, items, len(items)

    @property
    def made(self) -> tuple[Callable[[A], M], Sequence[A]]:
        """The function that makes the items, and the sequence that it makes them of."""
        return self._make, self._items

    def get_at(self, index: int) -> M:
        return self._make(self._items[index])

    def __iter__(self) -> Iterator[M]:
        return map(self._make, self._items)


class Options(_Lazy[M]):
    """Several sequences one after the other; `admits` answers `in` without a search."""

    __slots__ = ("_admits", "_ends", "_parts")

    def __init__(self, parts: Sequence[Sequence[M]], admits: Callable[[object], bool]) -> None:
        self._parts, self._admits = parts, admits
        self._ends = list(accumulate(map(len, parts)))
        self.size = self._ends[-1] if parts else 0

    @property
    def parts(self) -> Sequence[Sequence[M]]:
        return self._parts

    def __contains__(self, item: object) -> bool:
        return self._admits(item)

    def get_at(self, index: int) -> M:
        part = bisect_right(self._ends, index)
        return self._parts[part][index - (self._ends[part - 1] if part else 0)]

    def __iter__(self) -> Iterator[M]:
        for part in self._parts:
            yield from part


class LegalMoves(Options[M]):
    """The legal moves of a position: compared and pickled as the position, and the function that lists them."""

    __slots__ = ("_find", "_position")

    def __init__(
        self,
        find: Callable[[Any], LegalMoves[M]],
        position: object,
        parts: Sequence[Sequence[M]],
        admits: Callable[[object], bool],
    ) -> None:
        super().__init__(parts, admits)
        self._find, self._position = find, position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalMoves):
            return NotImplemented
        return self._find == other._find and bool(self._position == other._position)

    def __hash__(self) -> int:
        return hash((self._find, self._position))

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(self._find, self._position)

    def __repr__(self) -> str:
        first = ", ".join(map(repr, islice(self, MOST_SHOWN)))
        return f"<{len(self)} legal moves: {first}{', …' if len(self) > MOST_SHOWN else ''}>"


P = TypeVar("P")  # a position
R = TypeVar("R")  # a resolution
F = TypeVar("F")  # a facet of a position
V = TypeVar("V")  # a value of a slot

FACETS_REMEMBERED = 1 << 14
GROUNDS_REMEMBERED = 1 << 8
SETS_REMEMBERED = 1 << 7
Rows = tuple[tuple[tuple[Any, ...], ...], tuple[Callable[[Sequence[Any]], Sequence[Any]], ...]]
"""Combinations of the values of bound slots; and for each slot a function that picks by these values from a table."""
NEAREST = 3
MOST_SHOWN = 3
"""Legal moves that are written out where a program shows a set of them."""
WHERE = "{where}"
"""In a condition's sentence: the place that its slot is about, if the facet alone does not name it."""


@frozen(eq=False)
class Condition(Generic[F, V]):
    """A cited requirement on the value of a slot: `holds(facet, value)`; `says` explains why it fails."""

    rule: str
    holds: Callable[[F, V], bool]
    says: Callable[[F, V], str]

    def of(self, part: Callable[[A], V]) -> Condition[F, A]:
        """Return the same requirement on what a function makes of the value of another slot."""
        holds, says = self.holds, self.says
        return Condition(
            self.rule, lambda seen, value: holds(seen, part(value)), lambda seen, value: says(seen, part(value))
        )


@frozen(eq=False)
class Part(Generic[P, F]):
    """The facet of a free slot: one of the parts `among(position)`, by the slot `within` as index, or the only one (None)."""

    among: Callable[[P], Sequence[F]]
    within: int | None = None

    def __call__(self, position: P, bound: tuple[Any, ...]) -> F:
        """Return the part that a slot looks at."""
        return self.among(position)[0 if self.within is None else bound[self.within]]


@define(eq=False)
class Slot(Generic[F, V]):
    """One choice within a resolution.

    A *bound* slot is one whose value later slots look at; bound slots come first. `facet(seen, bound)` is what the
    conditions look at: `bound` holds the values of the bound slots before this one; `seen` is the ground of the shape
    for a bound slot, the position for a free one. `domain(facet)` lists the values to try, in canonical order. `value`
    reads the slot from a resolution. `where(bound)` names the place that the slot is about, for sentences of its
    conditions that hold WHERE. What is admitted is `remembered` for each facet, unless a facet is as good as never the
    same. If the facet of a free slot is a `Part`, it is not computed again for each combination of bound values.
    """

    name: str
    facet: Callable[[Any, tuple[Any, ...]], F]
    domain: Callable[[F], Iterable[V]]
    conditions: tuple[Condition[F, V], ...]
    bound: bool = False
    remembered: bool = True
    where: Callable[[tuple[Any, ...]], str] = field(default=lambda _: "")
    value: Callable[[Any], V] = field(default=Factory(lambda self: attrgetter(self.name), takes_self=True))
    universe: Callable[[F], tuple[V, ...]] = field(init=False)

    @universe.default
    def _(self) -> Callable[[F], tuple[V, ...]]:
        if isinstance(self.facet, Part):
            return cache(self._list_admitted)  # such parts are small numbers of followers or cards
        return lru_cache(FACETS_REMEMBERED)(self._list_admitted) if self.remembered else self._list_admitted

    @property
    def tried(self) -> tuple[Callable[[F], Iterable[V]], tuple[Callable[[F, V], bool], ...]]:
        """The domains of a single value, and the conditions that it must meet."""
        if isinstance(self.facet, Part):
            return self.universe, ()
        return self.domain, tuple(each.holds for each in self.conditions)

    def _list_admitted(self, facet: F) -> tuple[V, ...]:
        values = self.domain(facet)
        for condition in self.conditions:
            holds = condition.holds
            values = [value for value in values if holds(facet, value)]
        return tuple(values)


@frozen(eq=False)
class Bar(Generic[P, R]):
    """A cited ban on whole resolutions, asked only where `active(position)`.

    `touched(position)` are values of the bound slots: no resolution with others can be struck; `strikes(position, resolution)` decides for one resolution.
    """

    rule: str
    active: Callable[[P], bool]
    touched: Callable[[P], Container[tuple[Any, ...]]]
    strikes: Callable[[P, R], bool]
    says: Callable[[P, R], str]


@frozen(eq=False)
class Gate(Generic[P]):
    """A cited condition on the position, with a short `label`, without which an action is not even taken in vain."""

    rule: str
    label: str
    holds: Callable[[P], bool]
    says: Callable[[P], str]
    hint: str


@define(eq=False)
class Shape(Generic[P, R]):
    """One way to carry out an action: its slots, and how a resolution is made of their values.

    `rule` is the register's entry that describes it, `label` its short name in tables. `form` is the class of the
    resolutions. `ground(position)` is all that the bound slots look at: a hashable value, for which their combinations
    are `remembered`, unless it is as good as never the same. `applies` is false where the shape is out of the question.
    """

    rule: str
    label: str
    form: type[R]
    slots: tuple[Slot[Any, Any], ...]
    ground: Callable[[P], Any] = field(default=lambda _: None)
    remembered: bool = True
    bar: Bar[P, R] | None = None
    make: Callable[..., R] = field(default=Factory(lambda self: self.form, takes_self=True))
    applies: Callable[[P], bool] | None = None
    _bound: tuple[tuple[Any, Any], ...] = field(init=False)
    _free: tuple[tuple[Any, Any], ...] = field(init=False)
    _tried: tuple[tuple[bool, Any, Any, Any, tuple[Any, ...]], ...] = field(init=False)
    """The judges of each slot's value: whether it is bound, how to read it, its facet, domain and conditions."""
    _rows: Callable[[Any], Rows] = field(init=False)
    _alone: Callable[..., Combinations[R] | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        count = sum(slot.bound for slot in self.slots)
        if not all(slot.bound for slot in self.slots[:count]):
            raise TypeError(f"{self.label}: bound slots come first")
        parts = tuple((slot.facet, slot.universe) for slot in self.slots)
        remembered = [slot.remembered for slot in self.slots]
        self._bound, self._free = parts[:count], parts[count:]
        self._tried = tuple((slot.bound, slot.value, slot.facet, *slot.tried) for slot in self.slots)
        self._rows = lru_cache(GROUNDS_REMEMBERED)(self._combine_rows) if self.remembered else self._combine_rows
        combine = self._combine_free_slots
        self._alone = lru_cache(SETS_REMEMBERED)(combine) if all(remembered) else combine

    def _combine_rows(self, ground: Any) -> Rows:
        combined: list[tuple[Any, ...]] = [()]
        for facet, universe in self._bound:
            combined = [(*bound, value) for bound in combined for value in universe(facet(ground, bound))]
        return tuple(combined), tuple(map(_make_picker, zip(*combined, strict=True)))

    def _find_combinations(self, position: P) -> Combinations[R] | None:
        if self.applies is not None and not self.applies(position):
            return None
        if not self._bound:
            return self._alone(*[facet(position, ()) for facet, _ in self._free])
        rows, pickers = self._rows(self.ground(position))
        if not rows:
            return None
        free: list[Choice] = []
        for facet, universe in self._free:
            choice: Choice
            if type(facet) is not Part:
                choice = tuple, [universe(facet(position, row)) for row in rows]
            elif facet.within is None:
                choice = partial(mul, len(rows)), [universe(facet(position, ()))]
            else:
                choice = pickers[facet.within], list(map(universe, facet.among(position)))
            if not any(choice[1]):
                return None
            free.append(choice)
        combinations = Combinations(self.make, rows, free)
        return combinations if combinations.size else None

    def _combine_free_slots(self, *facets: Any) -> Combinations[R] | None:
        pairs = zip(facets, self._free, strict=True)
        free: list[Choice] = [(tuple, (universe(facet),)) for facet, (_, universe) in pairs]
        combinations = Combinations(self.make, ((),), free)
        return combinations if combinations.size else None

    def list_parts(self, position: P) -> list[Sequence[R]]:
        """List the resolutions of this shape, in sequences that are never empty."""
        combinations, bar = self._find_combinations(position), self.bar
        if combinations is None:
            return []
        if bar is None or not bar.active(position):
            return [combinations]
        touched = bar.touched(position)
        spared = [r for r in combinations.keep_rows(lambda row: row in touched) if not bar.strikes(position, r)]
        parts: list[Sequence[R]] = [combinations.keep_rows(lambda row: row not in touched), spared]
        return [part for part in parts if part]

    def is_admitted(self, position: P, resolution: object) -> bool:
        """Return True if a resolution has this shape and meets every condition."""
        if type(resolution) is not self.form or (self.applies is not None and not self.applies(position)):
            return False
        ground, fixed = self.ground(position), tuple[Any, ...]()
        for bound, value_of, facet, domain, conditions in self._tried:
            value = value_of(resolution)
            if type(facet) is Part:  # as a call it would take three times as long
                seen = facet.among(position)[0 if facet.within is None else fixed[facet.within]]
            else:
                seen = facet(ground if bound else position, fixed)
            if value not in domain(seen):
                return False
            for holds in conditions:
                if not holds(seen, value):
                    return False
            if bound:
                fixed = (*fixed, value)
        return self.bar is None or not self._is_barred(position, resolution)

    def _is_barred(self, position: P, resolution: R) -> bool:
        bar = self.bar
        return bar is not None and bar.active(position) and bar.strikes(position, resolution)

    def find_violations(self, position: P, resolution: R) -> tuple[Violation, ...]:
        """Return a violation for each condition that a resolution of this form fails."""
        violations: list[Violation] = []
        ground, fixed = self.ground(position), tuple[Any, ...]()
        for slot in self.slots:
            value = slot.value(resolution)
            facet = slot.facet(ground if slot.bound else position, fixed)
            violations += [
                Violation(condition.rule, condition.says(facet, value).replace(WHERE, slot.where(fixed)), slot.name)
                for condition in slot.conditions
                if not condition.holds(facet, value)
            ]
            fixed = (*fixed, value) if slot.bound else fixed
        if self.bar is not None and self._is_barred(position, resolution):
            violations.append(Violation(self.bar.rule, self.bar.says(position, resolution)))
        return tuple(violations)


def _make_picker(values: tuple[Any, ...]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    return itemgetter(*values) if len(values) > 1 else lambda table: [table[value] for value in values]


@frozen
class Nothing(Portable):
    """The resolution without any effect: the last resort of every ladder."""


NOTHING = Nothing()


@define(eq=False)
class Ladder(Generic[P, R]):
    """The tiers of an action, best first; below the last one is `Nothing`.

    `in_full` is the rule that asks for the fullest resolution, `wrong_form` the rule that says what an action of this
    kind consists of. `words` writes a resolution for messages. `falls_short(position, fuller)` says what is wrong with
    a resolution of a lower tier than one that is possible. Behind a closed `gate` nothing is legal.
    """

    tiers: tuple[tuple[Shape[P, Any], ...], ...]
    in_full: str
    wrong_form: str
    words: Callable[[Any], str]
    gate: Gate[P] | None = None
    falls_short: Callable[[P, str], str] = lambda _, fuller: f"You can do more of the card: {fuller} is possible"
    _numbered: tuple[tuple[int, tuple[Shape[P, Any], ...]], ...] = derive(lambda self: tuple(enumerate(self.tiers)))

    def find_tier(self, position: P) -> tuple[int, list[Sequence[R]]]:
        """Return the index of the first tier that has a resolution, and its parts (number of tiers and [] for none)."""
        parts: list[Sequence[R]] = []
        for index, shapes in self._numbered:
            for shape in shapes:
                parts += shape.list_parts(position)
            if parts:
                return index, parts
        return len(self.tiers), parts

    def list_ways(self, position: P) -> Sequence[R | Nothing]:
        """List the legal resolutions, in the simplest form."""
        if self.gate is not None and not self.gate.holds(position):
            return ()
        parts: Sequence[Sequence[R | Nothing]] = self.find_tier(position)[1] or [(NOTHING,)]
        return parts[0] if len(parts) == 1 else Options(parts, partial(self.is_legal, position))

    def list_options(self, position: P) -> Options[R | Nothing]:
        """List the legal resolutions; `in` asks the list without a search."""
        return Options([self.list_ways(position)], partial(self.is_legal, position))

    def is_legal(self, position: P, resolution: object) -> bool:
        if self.gate is not None and not self.gate.holds(position):
            return False
        for shapes in self.tiers:
            for shape in shapes:
                if shape.is_admitted(position, resolution):
                    return True
            for shape in shapes:
                if shape.list_parts(position):
                    return False
        return resolution == NOTHING

    def check(self, position: P, resolution: R | Nothing) -> tuple[Violation, ...]:
        """Return a violation for each rule that a resolution breaks, with legal alternatives; none for a legal one."""
        if self.gate is not None and not self.gate.holds(position):
            return (Violation(self.gate.rule, self.gate.says(position), "card", hint=self.gate.hint),)
        if self.is_legal(position, resolution):
            return ()
        best, parts = self.find_tier(position)
        tier, violations = self._find_closest_tier(position, resolution)
        if tier > best:
            fuller = find_nearest(resolution, chain.from_iterable(parts))
            sentence = self.falls_short(position, self.words(fuller[0]))
            return (*violations, Violation(self.in_full, sentence, alternatives=fuller))
        legal: tuple[object, ...] = find_nearest(resolution, chain.from_iterable(parts)) or (NOTHING,)
        return tuple(evolve(violation, alternatives=legal) for violation in violations)

    def _find_closest_tier(self, position: P, resolution: R | Nothing) -> tuple[int, tuple[Violation, ...]]:
        if resolution == NOTHING:
            return len(self.tiers), ()
        attempts = [
            (index, shape.find_violations(position, resolution))
            for index, shapes in enumerate(self.tiers)
            for shape in shapes
            if isinstance(resolution, shape.form)
        ]
        if not attempts:
            return 0, (Violation(self.wrong_form, f"{self.words(resolution)} is not what this card does"),)
        return min(attempts, key=lambda attempt: len(attempt[1]))


def find_nearest(wanted: object, candidates: Iterable[R], most: int = NEAREST) -> tuple[R, ...]:
    """Return the candidates that share most with a wish: same class and most equal attributes first."""

    def likeness(candidate: object) -> int:
        names = getattr(type(candidate), "__match_args__", ())
        return sum(getattr(wanted, name, None) == getattr(candidate, name) for name in names)

    return tuple(sorted(candidates, key=likeness, reverse=True)[:most])
