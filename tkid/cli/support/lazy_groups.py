"""Groups of commands that are loaded when one of their commands is wanted: most calls of the program are for others."""

from __future__ import annotations

from collections.abc import MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group


class LazyGroup(TyperGroup):
    """A group whose commands are those of the `app` of a module."""

    module = ""
    _loaded: MutableMapping[str, Any] | None = None

    @property
    def commands(self) -> MutableMapping[str, Any]:
        """The commands by their names."""
        if self._loaded is None:
            app: typer.Typer = import_module(self.module).app
            app.rich_markup_mode = self.rich_markup_mode  # so that its help looks like that of the others
            self._loaded = get_group(app).commands
        return self._loaded

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        """What the group is made with: nothing."""
        assert not commands


def lazy_group(module: str, about: str, example: str = "") -> typer.Typer:
    """The group of a module's commands, with its help, which ends in an example."""
    return typer.Typer(
        cls=type("Group", (LazyGroup,), {"module": module}), help=about, epilog=example or None, no_args_is_help=True
    )
