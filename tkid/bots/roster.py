"""The players by name, with the random and the greedy one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from tkid.bots.player import Choice, Player, Turn, add_in_order, apply_turn, check_asked, find_party, lot
from tkid.bots.search import Judging, Search
from tkid.kernel.game import AnyGame, AnyView
from tkid.record.format import model

WORLDS = 12
"""Number of positions looked at if cards are hidden; all fit the view."""
WIDEST = 48
"""Maximum number of turns compared."""


class Greedy(Judging):
    """A player that picks the turn with the best position; hidden cards are averaged over some worlds."""

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        check_asked(view, thought, most)
        worlds = self.judge.worlds(view, WORLDS, lot(self.game, view, "greedy"))
        party = find_party(self.game, view.shown)
        wide = max(1, min(WIDEST, thought // len(worlds)))
        first, *others = worlds
        found = []
        for turn, after in self.judge.ranked(first, wide):
            values = [self.judge.values(after)[party]]
            values += [self.judge.values(apply_turn(self.game, world, turn))[party] for world in others]
            found.append(Choice(turn, add_in_order(values) / len(values)))
        return tuple(sorted(found, key=lambda choice: choice.value, reverse=True)[:most])


@frozen
class RandomPlayer:
    """A player that picks a random legal turn, each decision with the same chance."""

    game: AnyGame

    def choose(self, view: AnyView, thought: int) -> Turn:
        """Pick random decisions until the turn is over."""
        check_asked(view, thought)
        chance, position = lot(self.game, view, "random"), view.shown
        turn: list[Any] = []
        while not turn or self.game.turn_continues(position):
            legal = self.game.legal(position)
            turn.append(legal[chance.randrange(len(legal))])
            position, _ = self.game.apply(position, turn[-1])
        return tuple(turn)

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:  # noqa: ARG002 - one is all it has
        return (Choice(self.choose(view, thought), 1 / len(self.game.parties[len(view.shown.seats)])),)


PLAYERS: Mapping[str, Callable[[AnyGame], Player]] = dict(
    zip(model.PLAYERS, (RandomPlayer, Greedy, Search), strict=True)
)
"""Makers of the players, by name, the weakest first."""


def player(game: AnyGame, name: str) -> Player:
    """Return a player by name.

    Args:
        game: the game that is played.
        name: `random`, `greedy` or `search`.

    Returns:
        The player. It remembers nothing from one turn to the next that changes what it plays.

    Raises:
        LookupError: no player has that name; the message lists the known ones.
    """
    if name not in PLAYERS:
        raise LookupError(f"there is no player {name!r}; known are {', '.join(PLAYERS)}")
    return PLAYERS[name](game)
