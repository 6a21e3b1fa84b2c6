"""Legal sets: sequences that are counted and indexed without being built whole."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, compress, product
from operator import mul
from typing import Any, Generic, TypeVar, overload

M = TypeVar("M")
A = TypeVar("A")


class _Lazy(Sequence[M]):
    """A sequence known by its length, which is its `size`, and by `at(index)`."""

    __slots__ = ("size",)
    size: int

    def __len__(self) -> int:
        return self.size

    @abstractmethod
    def at(self, index: int) -> M:
        """Return the item at an index from 0 to len-1."""

    @overload
    def __getitem__(self, index: int) -> M: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[M, ...]: ...
    def __getitem__(self, index: int | slice) -> M | tuple[M, ...]:
        if isinstance(index, slice):
            return tuple(self.at(i) for i in range(*index.indices(len(self))))
        size = self.size
        if not -size <= index < size:
            raise IndexError(index)
        return self.at(index if index >= 0 else index + size)


Universe = tuple[object, ...]
"""What a free choice can be."""
Block = tuple[tuple[object, ...], tuple[Universe, ...]]
"""Some fixed choices, and behind them the universe of each free choice."""
Choice = tuple[Callable[[Sequence[Any]], Sequence[Any]], Sequence[Universe]]
"""A table of universes for a free choice, and what picks from any such table the entry of each row of fixed choices."""


class Combinations(_Lazy[M]):
    """For each row of fixed choices, every combination of its free ones: `make(*row, *free)`.

    A row for which a free choice has an empty universe has no combination.
    """

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
        """What makes the items, and the blocks that it makes them of: rows with their universes, none of which is empty."""
        columns = [pick(table) for pick, table in self._free]
        universes = zip(*columns, strict=True) if columns else [()] * len(self._rows)
        return self._make, list(compress(zip(self._rows, universes, strict=True), self._sizes))

    def only(self, wanted: Callable[[tuple[object, ...]], bool]) -> Combinations[M]:
        """The combinations of the rows that are wanted."""
        chosen = list(map(wanted, self._rows))
        free: list[Choice] = [(tuple, list(compress(pick(table), chosen))) for pick, table in self._free]
        return Combinations(self._make, list(compress(self._rows, chosen)), free)

    def at(self, index: int) -> M:
        """The combination at an index."""
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
    """Another sequence with something made of every item."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[A], M], items: Sequence[A]) -> None:
        self._make, self._items, self.size = make, items, len(items)

    @property
    def made(self) -> tuple[Callable[[A], M], Sequence[A]]:
        """What makes the items, and the sequence that it makes them of."""
        return self._make, self._items

    def at(self, index: int) -> M:
        """What is made of the item at an index."""
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
        """The sequences."""
        return self._parts

    def __contains__(self, item: object) -> bool:
        return self._admits(item)

    def at(self, index: int) -> M:
        """The item at an index of the whole."""
        part = bisect_right(self._ends, index)
        return self._parts[part][index - (self._ends[part - 1] if part else 0)]

    def __iter__(self) -> Iterator[M]:
        for part in self._parts:
            yield from part
