"""What rendering asks of a game. Each game answers in its own room, in `render/plugin.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tkid.kernel.game import AnyGame, Event
from tkid.kernel.plugins import plugin
from tkid.render.clicks import Choices
from tkid.render.marks import Pen
from tkid.render.picture import Last, Picture


class RenderPlugin(Protocol):
    """How the games of a family are shown; what is hidden from a seat is hidden already in its view."""

    def position(self, game: Any, view: Any, names: Sequence[str], last: Sequence[Event], pen: Pen) -> str:
        """All that a seat may know of a position, in lines of at most 78 columns; `last` is told at the end."""
        ...

    def picture(self, game: Any, view: Any, names: Sequence[str], last: Last | None = None) -> Picture:
        """All that a seat may know of a position, drawn; `last` is the turn that led to it, marked in the picture."""
        ...

    def choices(self, game: Any, view: Any, names: Sequence[str]) -> Choices:
        """All that a seat may click to put its turn together; nothing where it is not its turn."""
        ...

    def spoken(self, game: Any, view: Any, names: Sequence[str]) -> str:
        """All that a seat may know of a position, in sentences of about a thousand characters, for whoever does not see it."""
        ...

    def decided(self, game: Any, position: Any, names: Sequence[str]) -> list[tuple[str, str]]:
        """The chain of comparisons of a game that is over, each with its rule or ""; [] while the game goes on."""
        ...

    def legal(self, game: Any, position: Any, names: Sequence[str], card: str, *, every: bool) -> list[str]:
        """What may be played by whoever is to act, in lines: with one card, or with "" all; `every` way, or examples.

        Raises UnknownCardError.
        """
        ...

    def due(self, game: Any, position: Any) -> str:
        """What whoever is to act has to do, behind `to`: `play`, `summon`."""
        ...

    def undecided(self, game: Any, position: Any) -> str:
        """Behind the name of whoever is to act: what is missing where a game is over and not decided; "" where it goes on."""
        ...


def render_plugin(game: AnyGame) -> RenderPlugin:
    """How a game is shown."""
    found: RenderPlugin = plugin(game.name, "render/plugin")
    return found
