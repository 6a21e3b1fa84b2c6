"""Bind what the library returns and raises to one version of the program, when it travels between processes by pickle.

Another version fails to unpickle it, with a message. A value is pickled as the call that makes it again: one that follows
from others, such as a game from its ruleset, is found again at the other end and not copied.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, TypeVar

from tkid import __version__

T = TypeVar("T")


class Portable:
    """An attrs class whose values are pickled as calls with their attributes: smaller and faster than their state."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        names: tuple[str, ...] = type(self).__match_args__  # type: ignore[attr-defined]  # attrs writes it
        return pickle_call(type(self), *[getattr(self, name) for name in names])


class PortableError(Exception):
    """An error of the library. Its text joins those of its arguments."""

    def __str__(self) -> str:
        return "; ".join(map(str, self.args))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.__suppress_context__:
            self.__context__ = None  # hidden by `from None`: tblib would pickle it too, and not each can be unpickled
        made: Any = super().__reduce__()
        return _bind(made[0]), *made[1:]


class _Bound(partial[Any]):
    """A function or class that is pickled with the version of the program."""

    def __reduce__(self) -> tuple[Any, ...]:
        return check_version, (__version__, self.func)


_bind = lru_cache(_Bound)
"""The same value for the same function, so that a pickle has each but once."""


def pickle_call(find: Callable[..., object], *given: object) -> tuple[Any, ...]:
    """Return what `__reduce__` returns for a value that this call makes again, in the same version of the program."""
    return _bind(find), given


def check_version(version: str, find: T) -> T:
    """Return a pickled function. Raises ValueError if another version pickled it."""
    if version != __version__:
        raise ValueError(
            f"this value was pickled by tkid {version}, and this is tkid {__version__}: use the same version at both "
            "ends, or game files and JSON, which every later version reads"
        )
    return find
