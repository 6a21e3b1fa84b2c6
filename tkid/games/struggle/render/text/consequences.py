"""What a finished turn would bring, before it is sent: asked of the engine, and said only as far as it is certain."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.games.struggle.render.text.standings import outcome
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.struggles import leaders


@frozen
class Consequence:
    """What a turn would bring: a line without a full stop, what belongs to it in smaller print ("" for nothing).

    `factions` are those whose tint the line has: the winner, all who tie, () for nobody.
    """

    text: str
    detail: str = ""
    factions: tuple[int, ...] = ()


def consequence(game: Struggle, position: Position, moves: Sequence[Move], names: Sequence[str]) -> Consequence:
    """What the moves of a whole turn by the seat to act would bring.

    Args:
        game: the game.
        position: the position as the seat to act may know it; it is addressed as "you".
        moves: the decisions of the turn, legal and in their canonical form.
        names: the players' names, in turn order.
    """
    _ = names
    after = position
    for move in moves:
        after, _events = game.apply(after, move)
    region = after.contested
    if region is None:
        return Consequence("This ends the game")
    followers = after.regions[region]
    return Consequence(f"{game.board.name(region)}: {outcome(game.board, followers)}", "", leaders(followers))
