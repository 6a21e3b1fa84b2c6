"""The interface that every game implements for players that are programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

from attrs import define, frozen

from tkid.bots.player import Turn, find_party, share_win
from tkid.kernel.game import AnyGame, AnyView
from tkid.kernel.pickling import Portable
from tkid.kernel.plugins import find_plugin
from tkid.notation.names import list_names


@frozen
class Last:
    """The ways in which the turn that is due may end the game.

    Attributes:
        finishes: The winning seats, for each way to end the game with this turn; found only when iterated.
        others: The legal decisions that do not lead to one of these.
    """

    finishes: Iterable[tuple[int, ...]]
    others: Sequence[Any] = ()


@define(eq=False, repr=False)
class Judge(Portable):
    """A judge of one game, which values all turns alike by default.

    `fixed` are weights in place of those of the game. `ahead` is for a player who looks ahead. What a judge remembers
    stays behind when it is pickled.
    """

    game: AnyGame
    fixed: Any = None
    ahead: bool = False

    @property
    def _made_of(self) -> tuple[Any, ...]:
        return type(self), self.game, self.ahead, self.fixed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Judge) and self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of[:-1])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.code}>"

    def values(self, position: Any) -> tuple[float, ...]:
        """Estimate each party's chance to win, in the order of `game.parties`.

        The chances add up to 1. A finished position has its result: a draw is shared. Computed with nothing but `+ -
        * /`, comparisons and square roots, so that every machine gets the same digits.
        """
        winners = position.winners if position.to_act is None else ()
        return share_win(self.game.parties[len(position.seats)], winners)

    def ranked(self, position: Any, most: int) -> Sequence[tuple[Turn, Any]]:
        """Return the best turns of the seat to act, best first, with the position after each.

        No two of them lead to the same position. Every position that was worth an estimate counts as a node; `most`
        is both how many are listed at most and a measure of how wide to look.
        """
        party = find_party(self.game, position)
        found = {after: (move,) for move in self.game.legal(position) for after in [self.game.apply(position, move)[0]]}
        ranked = sorted(found, key=lambda after: self.values(after)[party], reverse=True)
        return [(found[after], after) for after in ranked[:most]]

    def worlds(self, view: AnyView, most: int, lot: Random) -> Sequence[Any]:
        """Return positions that fit a view: all if there are at most `most` (fewer are all), else a fair sample."""
        return [view.shown]

    def is_quiet(self, before: Any, after: Any) -> bool:
        """Return True if the turn between two positions changed nothing on the table."""
        return False

    def is_soluble(self, position: Any) -> bool:
        """Return True if the rest of the game is short enough to be solved to the end."""
        return False

    def find_essence(self, position: Any) -> Any:
        """Return what the rest of the game depends on: positions with an equal essence have the same value."""
        return position

    def find_finishes(self, position: Any) -> Last | None:
        """Return how this turn may end the game, if that is known without playing it out; None otherwise."""
        return None

    def solve(self, position: Any, most: int) -> Sequence[tuple[Turn, tuple[float, ...]]] | None:
        """Solve a soluble position in the game's own way, if that is much faster than the general one.

        Returns:
            Every turn of the seat to act, best first, with its value for each party; none if more than `most`
            positions would have to be looked at, and None if the general solver has to do it.
        """
        return None

    def explain_turn(self, before: Any, turn: Turn, after: Any) -> str:
        """Explain in a few words why a turn is good, without a full stop, seats as `{0}`.

        An example is "takes Essex for the Welsh, of whom {0} leads by two".
        """
        if after.to_act is not None:
            return f"plays {self.game.words.turn(turn)}"
        if not after.winners:
            return "draws the game"
        return f"wins the game for {list_names(f'{{{n}}}' for n in after.winners)}"


@cache
def judge(game: AnyGame, *, ahead: bool = False) -> Judge:
    """Return the judge of a game.

    Args:
        game: the game.
        ahead: whether it is for a player who looks ahead.

    Returns:
        The judge of its positions and turns.
    """
    make: Callable[..., Judge] = find_plugin(game.name, "bots", lambda: Judge)
    return make(game, ahead=ahead)
