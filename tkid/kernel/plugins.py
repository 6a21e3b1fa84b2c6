"""Finding what each game gives to a layer: every game has one room, and in it one place for each layer."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

ROOMS = "tkid.games"
"""The package that lists the games, each the name of a room beneath it."""


def list_game_names() -> tuple[str, ...]:
    """Return the names of all games, in the order in which people see them listed."""
    names: tuple[str, ...] = import_module(ROOMS).GAMES
    return names


@cache
def find_plugin(game: str, place: str, name: str = "PLUGIN") -> Any:
    """Return what a game gives to a layer: the `PLUGIN` of a part of its room, such as `notation`, or another value there.

    The layer that asks states its protocol. Raises LookupError if no game has this name.
    """
    if game not in list_game_names():
        raise LookupError(f"there is no game {game!r}; known are {', '.join(list_game_names())}")
    return getattr(import_module(f"{ROOMS}.{game}.{place.replace('/', '.')}"), name)


def list_plugins(place: str) -> tuple[Any, ...]:
    """Return the values that all games give to a layer, in the order of the games."""
    return tuple(find_plugin(game, place) for game in list_game_names())
