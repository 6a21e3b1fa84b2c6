"""The players there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tkid.bots.greedy import Greedy
from tkid.bots.lots import ByLot
from tkid.bots.player import Player
from tkid.bots.search import Search
from tkid.kernel.game import AnyGame
from tkid.record.format import bot_seats

PLAYERS: Mapping[str, Callable[[AnyGame], Player]] = MappingProxyType(
    dict(zip(bot_seats.PLAYERS, (ByLot, Greedy, Search), strict=True))
)
"""How each player is made for a game, the weakest first."""


def player(game: AnyGame, name: str) -> Player:
    """A player by name.

    Args:
        game: the game that is played.
        name: `random`, `greedy` or `search`.

    Returns:
        The player. It remembers nothing from one turn to the next that changes what it plays.

    Raises:
        LookupError: there is no player with that name; the message lists those there are.
    """
    if name not in PLAYERS:
        raise LookupError(f"there is no player {name!r}; known are {', '.join(PLAYERS)}")
    return PLAYERS[name](game)
