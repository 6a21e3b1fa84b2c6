"""What a player needs to know of a game; each has it in `bots/plugin.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Protocol

from attrs import frozen

from tkid.bots.player import Turn
from tkid.kernel.game import AnyGame, AnyView
from tkid.kernel.plugins import find_plugin


@frozen
class Last:
    """The ways in which the turn that is due may end the game.

    Attributes:
        finishes: The winning seats, for each way to end the game with this turn; found only when iterated.
        others: The legal decisions that do not lead to one of these.
    """

    finishes: Iterable[tuple[int, ...]]
    others: Sequence[Any] = ()


class Judge(Protocol):
    """A judge of one game: it values positions, ranks turns, and finds positions that fit a view."""

    def values(self, position: Any) -> tuple[float, ...]:
        """Estimate each party's chance to win, in the order of `game.parties`.

        The chances add up to 1. A finished position has its result: a draw is shared. Computed with nothing but `+ -
        * /`, comparisons and square roots, so that every machine gets the same digits.
        """

    def ranked(self, position: Any, most: int) -> Sequence[tuple[Turn, Any]]:
        """Return the best turns of the seat to act, best first, with the position after each.

        No two of them lead to the same position. Every position that was worth an estimate counts as a node; `most`
        is both how many are listed at most and a measure of how wide to look.
        """

    def worlds(self, view: AnyView, most: int, lot: Random) -> Sequence[Any]:
        """Return positions without hidden cards that fit a view: all if there are at most `most`, else a fair sample.

        If there are fewer than `most`, they are all there are.
        """

    def is_soluble(self, position: Any) -> bool:
        """Return True if the rest of the game is short enough to be solved to the end."""

    def find_essence(self, position: Any) -> Any:
        """Return what the rest of the game depends on: positions with an equal essence have the same value."""

    def find_finishes(self, position: Any) -> Last | None:
        """Return how this turn may end the game, if that is known without playing it out; None otherwise."""

    def solve(self, position: Any, most: int) -> Sequence[tuple[Turn, tuple[float, ...]]] | None:
        """Solve a soluble position in the game's own way, if that is much faster than the general one.

        Returns:
            Every turn of the seat to act, best first, with its value for each party; none if more than `most`
            positions would have to be looked at, and None if the general solver has to do it.
        """

    def explain_turn(self, before: Any, turn: Turn, after: Any) -> str:
        """Explain in a few words why a turn is good, without a full stop, seats as `{0}`.

        An example: "takes Essex for the Welsh, of whom {0} leads by two".
        """


class BotsPlugin(Protocol):
    """A game's judges."""

    def judge(self, game: AnyGame, *, ahead: bool = False) -> Judge:
        """Return the judge of a game; with `ahead` the one for a player who looks ahead."""


def judge(game: AnyGame, *, ahead: bool = False) -> Judge:
    """Return the judge of a game.

    Args:
        game: the game.
        ahead: whether it is for a player who looks ahead.

    Returns:
        The judge of its positions and turns.
    """
    known: BotsPlugin = find_plugin(game.name, "bots")
    return known.judge(game, ahead=ahead)
