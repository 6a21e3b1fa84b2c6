"""Why a game was decided as it was: every comparison in order, each with its rule; or what it has come to so far."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import NOBODY, with_names


def decided(game: Struggle, position: Position, names: Sequence[str]) -> list[tuple[str, str]]:
    """The chain of comparisons of a game that is over, each with its rule or ""; [] while the game goes on."""
    ended = game.result(position)
    if ended is None:
        return []
    ending = next(each for each in game.endings if each.name == ended.ending)
    winners = " and ".join(names[seat] for seat in ended.winners) or NOBODY
    struggles = ", ".join(discs(game, position))
    return [
        (f"{ended.ending.capitalize()}, after the power struggles: {struggles}.", ending.rule),
        *((f"{number}. {with_names(step.text, names)}", step.rule) for number, step in enumerate(ended.chain, 1)),
        (f"The winner{'s are' if len(ended.winners) > 1 else ' is'} {winners}.", ""),
    ]


def discs(game: Struggle, position: Position) -> list[str]:
    """How each power struggle ended that was resolved: `Moray Scottish`."""
    return [f"{game.board.name(region)} {game.board.disc(position.discs[region])}" for region in position.struggles]
