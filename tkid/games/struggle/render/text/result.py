"""Why a game ended as it did: every comparison in order, each with its rule."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import NOBODY, with_names


def explain_result(game: Struggle, position: Position, names: Sequence[str]) -> list[tuple[str, str]]:
    """The comparisons that decided a game, each with its rule or ""; [] while the game goes on."""
    result, board = game.result(position), game.board
    if result is None:
        return []
    ending = next(each for each in game.endings if each.name == result.ending)
    winners = " and ".join(names[seat] for seat in result.winners) or NOBODY
    struggles = ", ".join(f"{board.name(each)} {board.disc(position.discs[each])}" for each in position.struggles)
    return [
        (f"{result.ending.capitalize()}, after the power struggles: {struggles}.", ending.rule),
        *((f"{number}. {with_names(step.text, names)}", step.rule) for number, step in enumerate(result.chain, 1)),
        (f"The winner{'s are' if len(result.winners) > 1 else ' is'} {winners}.", ""),
    ]
