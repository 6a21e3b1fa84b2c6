"""Find the part that a game gives to a layer, by the package of the game and the name of the layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

T = TypeVar("T")


def find_rooms() -> Mapping[str, str]:
    """Return the package of each game by its name, in the order in which people see them listed."""
    rooms: Mapping[str, str] = import_module("tkid.games").GAMES
    return rooms


def list_game_names() -> tuple[str, ...]:
    return tuple(find_rooms())


def find_value(game: str, place: str) -> Any:
    """Return a value in a game's room by its place, `MODULE:NAME`. Raises LookupError if no game has this name."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"{_find_room(game)}.{module}"), name)


def find_plugin(game: str, layer: str, default: Callable[[], T]) -> T:
    """Return the `PLUGIN` of a part of a game's room, such as `notation`, or `default`. Raises LookupError without the game."""
    found: T = _find_plugin(_find_room(game), layer, default)
    return found


@cache
def _find_plugin(room: str, layer: str, default: Callable[[], T]) -> T:
    place = f"{room}.{layer.replace('/', '.')}"
    try:
        plugin: T = import_module(place).PLUGIN
    except ModuleNotFoundError as error:
        if error.name is None or not f"{place}.".startswith(f"{error.name}."):
            raise
        return default()
    return plugin


def _find_room(game: str) -> str:
    rooms = find_rooms()
    if game not in rooms:
        raise LookupError(f"there is no game {game!r}; known are {', '.join(rooms)}")
    return rooms[game]
