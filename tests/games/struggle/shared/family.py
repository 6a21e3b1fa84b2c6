"""Games and positions of the family of The King is Dead, for tests that look at more than every game has."""

from __future__ import annotations

from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel import game as kernel
from tkid.rulebook.rulesets import Ruleset, rulesets


def struggle(game: kernel.AnyGame) -> Struggle:
    """A game, which is one of the family."""
    assert isinstance(game, Struggle)
    return game


def board(position: kernel.Position) -> Position:
    """A position, which is one of the family."""
    assert isinstance(position, Position)
    return position


def struggles() -> tuple[Ruleset, ...]:
    """The rulesets of the family."""
    return tuple(ruleset for ruleset in rulesets() if ruleset.game_name == Struggle.name)
