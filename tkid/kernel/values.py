"""Values that are made by the ten thousand: classes that are quick to make, and mappings that are made when asked.

A frozen class sets each attribute through a call, which takes five times as long as in a plain one. `quick_frozen` is
`attrs.frozen` to the type checker, which rejects whatever would change such a value, and a plain class to the interpreter.
`Changeable` copies values that are frozen to the interpreter too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from attrs import fields, make_class

__all__ = ["Changeable", "WhenAsked", "quick_frozen"]

V = TypeVar("V")
Copying = tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int], type[Any]]
"""How the values of a class are read, the index of each by name, and the plain class that takes them all."""

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


class Changeable:
    """A frozen, slotted attrs class without subclasses, of which changed copies are made.

    A copy is made as a plain class with the same slots, and becomes a frozen one when it is whole.
    """

    __slots__ = ("__weakref__",)
    """Here, and not in each class: there it would make the frozen and the plain one differ."""
    _copying: ClassVar[Copying | None] = None
    """What the copies of a class are made with, once one was made."""

    def but(self, **changes: Any) -> Self:
        """The same value with some attributes changed."""
        values_of, index, plain = self._copying or self._prepared()
        values = list(values_of(self))
        for name, value in changes.items():
            values[index[name]] = value
        copy: Self = plain(*values)
        copy.__class__ = type(self)
        return copy

    @classmethod
    def _prepared(cls) -> Copying:
        names = [attribute.name for attribute in fields(cls)]  # type: ignore[arg-type]  # each is an attrs class
        plain = make_class(cls.__name__, names, cls.__bases__, slots=True, eq=False)
        cls._copying = attrgetter(*names), {name: index for index, name in enumerate(names)}, plain
        return cls._copying
