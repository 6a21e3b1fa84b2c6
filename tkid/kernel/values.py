"""Classes for values that are made by the ten thousand, and mappings that are computed on demand.

A frozen class sets each attribute through a call, which takes five times as long as in a plain one. `quick_frozen` is
`attrs.frozen` to the type checker, which rejects code that would change such a value, and a plain class to the interpreter.
`Changeable` copies values that are frozen to the interpreter too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from attrs import Factory, field, fields, make_class

from tkid.kernel.pickling import Portable

__all__ = ["Changeable", "LazyMapping", "check_kind", "derive", "quick_frozen"]

V = TypeVar("V")

if TYPE_CHECKING:
    from attrs import frozen as quick_frozen
else:
    from functools import partial

    from attrs import define

    quick_frozen = partial(define, unsafe_hash=True)


def derive(make: Callable[[Any], Any], **how: Any) -> Any:
    """Return a field of an attrs class that no caller gives: it is made of the object, whose fields above it are set."""
    return field(init=False, default=Factory(make, takes_self=True), **how)


def check_kind(value: object, kind: type | UnionType, advice: str) -> None:
    """Raise TypeError for a value of another kind: the name of its type and `advice`, such as `is not a record`."""
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} {advice}")


class LazyMapping(Mapping[str, V]):
    """A mapping that is computed when it is first read: for most games and turns it never is."""

    def __init__(self, find: Callable[[], Mapping[str, V]]) -> None:
        self._find = find
        self._found: Mapping[str, V] | None = None

    def _get_all(self) -> Mapping[str, V]:
        if self._found is None:
            self._found = self._find()
        return self._found

    def __getitem__(self, key: str) -> V:
        return self._get_all()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._get_all())

    def __len__(self) -> int:
        return len(self._get_all())

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self._get_all()),)


class Changeable(Portable):
    """A frozen, slotted attrs class without subclasses that makes changed copies quickly."""

    __slots__ = ("__weakref__",)
    """Here, and not in each class: there it would make the frozen and the plain one differ."""
    _thawed: ClassVar[staticmethod[[Any], Any] | None] = None
    """A function that makes a plain copy of a value of a class, kept once it was made."""

    def replace(self, **changes: Any) -> Self:
        """Return the same value with some attributes changed. Raises AttributeError for one that it does not have."""
        copy: Self = (self._thawed or self._make_initializer())(self)
        for name, value in changes.items():
            setattr(copy, name, value)
        copy.__class__ = type(self)
        return copy

    def _repr_html_(self) -> str:
        """Return a table of the attributes, which notebooks show. Several items are numbered from 0, as indices are."""
        from html import escape  # noqa: PLC0415 - it has all entities, and only notebooks need it

        rows = []
        for attribute in fields(type(self)):  # type: ignore[arg-type]  # each is an attrs class
            value = getattr(self, attribute.name)
            is_several = isinstance(value, tuple) and any(isinstance(item, tuple) for item in value)
            items = [f"{at}: {item}" for at, item in enumerate(value)] if is_several else [str(value)]
            rows.append(f"<tr><th>{attribute.name}</th><td>{'<br>'.join(map(escape, items))}</td></tr>")
        return f"<table>{''.join(rows)}</table>"

    @classmethod
    def _make_initializer(cls) -> staticmethod[[Any], Any]:
        """Make a function that copies each attribute in a line of its own: nothing is faster."""
        names = [attribute.name for attribute in fields(cls)]  # type: ignore[arg-type]  # each is an attrs class
        plain = make_class(cls.__name__, names, cls.__bases__, slots=True, eq=False)
        made: dict[str, Any] = {"new": object.__new__, "plain": plain}
        lines = ["copy = new(plain)", *(f"copy.{name} = value.{name}" for name in names), "return copy"]
        exec("\n    ".join(["def thawed(value):", *lines]), made)  # noqa: S102 - it has the names of attributes, and nothing else
        cls._thawed = staticmethod(made["thawed"])
        return cls._thawed
