"""Legal sets: sequences that are counted and indexed without being built whole."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, product
from math import prod
from typing import Generic, TypeVar, overload

M = TypeVar("M")
A = TypeVar("A")


class _Lazy(Sequence[M]):
    """A sequence known by its length and by `at(index)`."""

    __slots__ = ()

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
        size = len(self)
        if not -size <= index < size:
            raise IndexError(index)
        return self.at(index % size)


Block = tuple[tuple[object, ...], tuple[tuple[object, ...], ...]]
"""Some fixed choices, and behind them the universe of each free choice."""


def _sizes(blocks: Sequence[Block]) -> Sequence[int]:
    """How many combinations each block has. All have as many free choices; most have none, one or two."""
    choices = len(blocks[0][1]) if blocks else 0
    if not choices:
        return [1] * len(blocks)
    if choices == 1:
        return [len(only) for _, (only,) in blocks]
    if choices == 2:
        return [len(one) * len(other) for _, (one, other) in blocks]
    return [prod(map(len, free)) for _, free in blocks]


class Combinations(_Lazy[M]):
    """For each block, every combination of its free choices: `make(*fixed, *free)`. No universe is empty."""

    __slots__ = ("_blocks", "_ends", "_make")

    def __init__(self, make: Callable[..., M], blocks: Sequence[Block]) -> None:
        self._make, self._blocks = make, blocks
        self._ends = list(accumulate(_sizes(blocks)))

    @property
    def blocks(self) -> tuple[Callable[..., M], Sequence[Block]]:
        """What makes the items, and the blocks that it makes them of."""
        return self._make, self._blocks

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, index: int) -> M:
        """The combination at an index."""
        block = bisect_right(self._ends, index)
        index -= self._ends[block - 1] if block else 0
        fixed, free = self._blocks[block]
        chosen: list[object] = []
        for universe in reversed(free):
            index, i = divmod(index, len(universe))
            chosen.append(universe[i])
        return self._make(*fixed, *reversed(chosen))

    def __iter__(self) -> Iterator[M]:
        for fixed, free in self._blocks:
            for chosen in product(*free):
                yield self._make(*fixed, *chosen)


class Each(_Lazy[M], Generic[A, M]):
    """Another sequence with something made of every item."""

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[A], M], items: Sequence[A]) -> None:
        self._make, self._items = make, items

    @property
    def made(self) -> tuple[Callable[[A], M], Sequence[A]]:
        """What makes the items, and the sequence that it makes them of."""
        return self._make, self._items

    def __len__(self) -> int:
        return len(self._items)

    def at(self, index: int) -> M:
        """What is made of the item at an index."""
        return self._make(self._items[index])

    def __iter__(self) -> Iterator[M]:
        return map(self._make, self._items)


class Options(_Lazy[M]):
    """Several sequences one after the other; `admits` answers `in` without a search."""

    __slots__ = ("_admits", "_ends", "_parts")

    def __init__(self, parts: Iterable[Sequence[M]], admits: Callable[[object], bool]) -> None:
        sized = [(part, size) for part in parts if (size := len(part))]
        self._parts = [part for part, _ in sized]
        self._ends = list(accumulate([size for _, size in sized]))
        self._admits = admits

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @property
    def parts(self) -> Sequence[Sequence[M]]:
        """The sequences, none of them empty."""
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
