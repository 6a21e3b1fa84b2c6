"""Values that are made by the ten thousand: classes that are quick to make, and mappings that are made when asked.

`quick_frozen` is `attrs.frozen` to the type checker, which rejects whatever would change such a value, and a plain class
to the interpreter: a frozen one sets each attribute through a call, which takes five times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

__all__ = ["WhenAsked", "quick_frozen"]

V = TypeVar("V")

if TYPE_CHECKING:
    from attrs import frozen as quick_frozen
else:
    from functools import partial

    from attrs import define

    quick_frozen = partial(define, unsafe_hash=True)


class WhenAsked(Mapping[str, V]):
    """A mapping that is found out when somebody asks: of most games and turns nobody does."""

    def __init__(self, find: Callable[[], Mapping[str, V]]) -> None:
        self._find = find
        self._found: Mapping[str, V] | None = None

    def _all(self) -> Mapping[str, V]:
        if self._found is None:
            self._found = self._find()
        return self._found

    def __getitem__(self, key: str) -> V:
        return self._all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
