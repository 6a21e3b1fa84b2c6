"""Commands that are loaded when they are wanted: most calls of the program want one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup
from typer.main import get_group

Places = Mapping[str, Sequence[str]]
"""The names of commands by the modules that have them: each has an `app`."""


def commands_of(module: str, markup: Any) -> MutableMapping[str, Any]:
    """The commands of a module by their names, with help that looks like that of the others."""
    app: typer.Typer = import_module(module).app
    app.rich_markup_mode = markup
    return get_group(app).commands


class LazyCommands(MutableMapping[str, Any]):
    """Commands by their names, of which a module is loaded when one of its commands is asked for."""

    def __init__(self, places: Places, markup: Any) -> None:
        self._modules = {name: module for module, names in places.items() for name in names}
        self._markup = markup
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded.update(commands_of(self._modules[name], self._markup))
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._modules, **self._loaded})

    def __len__(self) -> int:
        return len({**self._modules, **self._loaded})


class LazyGroup(TyperGroup):
    """A group whose commands are found when one of them is wanted; `found` finds them, for how the group writes its help."""

    found: ClassVar[Callable[[Any], MutableMapping[str, Any]]]
    _commands: MutableMapping[str, Any] | None = None

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """The commands by their names."""
        if self._commands is None:
            self._commands = type(self).found(self.rich_markup_mode)
            self._commands.update(self._made_with)
        return self._commands

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        """Keep those that the group is made with: how it writes its help may not be known yet."""
        self._made_with = commands


def lazy_program(places: Places) -> type[TyperGroup]:
    """The class of a program with these commands, each loaded with its module."""
    return type("Program", (LazyGroup,), {"found": partial(LazyCommands, places)})


def lazy_group(module: str, about: str, example: str = "") -> typer.Typer:
    """The group of a module's commands, with its help, which ends in an example."""
    group = type("Group", (LazyGroup,), {"found": partial(commands_of, module)})
    return typer.Typer(cls=group, help=about, epilog=example or None, no_args_is_help=True)
