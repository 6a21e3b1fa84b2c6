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
    """How a game may end with the turn that is due.

    Attributes:
        finishes: The winning seats, for each way to end the game with this turn; found as they are asked for.
        others: The legal decisions that do not lead to one of these.
    """

    finishes: Iterable[tuple[int, ...]]
    others: Sequence[Any] = ()


class Judge(Protocol):
    """What is known of one game: which turns look good, what a position is worth, which positions fit a view."""

    def values(self, position: Any) -> tuple[float, ...]:
        """An estimate for each party, in the order of `game.parties`: its chance to win.

        They add up to 1. In a finished position it is what came out: a draw is shared. Computed with nothing but
        `+ - * /`, comparisons and square roots, so that every machine gets the same digits.
        """
        ...

    def ranked(self, position: Any, most: int) -> Sequence[tuple[Turn, Any]]:
        """The turns of the seat to act that look best, with the position after each, best first.

        No two of them lead to the same position. Every position that was worth an estimate counts as a node; `most` is
        both how many are listed at most and a measure of how wide to look.
        """
        ...

    def worlds(self, view: AnyView, most: int, lot: Random) -> Sequence[Any]:
        """Positions without hidden cards that fit a view: all where there are at most so many, else a fair sample.

        If there are fewer than `most`, they are all there are.
        """
        ...

    def soluble(self, position: Any) -> bool:
        """Whether what is left of the game is short enough to be solved to the end."""
        ...

    def essence(self, position: Any) -> Any:
        """What the rest of the game depends on: positions in which it is equal come to the same."""
        ...

    def last(self, position: Any) -> Last | None:
        """How a game may end with this turn, where that is known without playing it out; None elsewhere."""
        ...

    def solve(self, position: Any, most: int) -> Sequence[tuple[Turn, tuple[float, ...]]] | None:
        """A soluble position solved in the game's own way, where that is much faster than the general one.

        Returns:
            Every turn of the seat to act, best first, with what it comes to for each party; none if more than `most`
            positions would have to be looked at, and None where the general solver has to do it.
        """
        ...

    def reason(self, before: Any, turn: Turn, after: Any) -> str:
        """Why a turn is good, in a few words without a full stop, seats as `{0}`: "takes Essex for the Welsh, of whom {0} leads by two"."""
        ...


class BotsPlugin(Protocol):
    """How a game is judged."""

    def judge(self, game: AnyGame, *, ahead: bool = False) -> Judge:
        """What is known of a game; with `ahead` as it is best for a player who looks ahead."""
        ...


def judge(game: AnyGame, *, ahead: bool = False) -> Judge:
    """What is known of a game.

    Args:
        game: the game.
        ahead: whether it is for a player who looks ahead.

    Returns:
        What judges its positions and turns.
    """
    known: BotsPlugin = find_plugin(game.name, "bots")
    return known.judge(game, ahead=ahead)
