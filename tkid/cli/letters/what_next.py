"""What comes next after a turn or a letter: whose turn it is, what a card that is revealed at the end asks, or who has won."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tkid.cli.support.own_files import whose
from tkid.cli.support.printing import print_doubt
from tkid.kernel.game import HIDDEN, NOBODY, with_names
from tkid.notation.vocabulary import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tkid.kernel.game import Position
    from tkid.record.play.replay import Replay


def tell_next(game: Path, played: Replay) -> None:
    """Print whose turn it is, or how the game ended; to whom a revealed card is, what each choice leads to."""
    from tkid.record.play.outcome import outcome, summed_up

    names, position = played.record.names, played.position
    if (early := outcome(played)) is not None:
        typer.echo(summed_up(early, names))
    elif position.to_act is not None:
        typer.echo(f"It is {names[position.to_act]}'s turn.")
        _tell_choices(game, played)
    else:
        typer.echo(f"The game is over: {_won(position, names)} ({position.ending}).")
        print_doubt(played)


def _won(position: Position, names: Sequence[str]) -> str:
    """Who wins a game that is over."""
    winners = [names[seat] for seat in position.winners]
    who = listed(winners, "and") if winners else NOBODY
    return f"{who} {'win' if len(winners) > 1 else 'wins'}"


def _knows(position: Position) -> bool:
    """Whether nothing is hidden of the next player's hand."""
    return position.to_act is not None and HIDDEN not in position.hands[position.to_act]


def _tell_choices(game: Path, played: Replay) -> None:
    """Print the command for each choice of a card that is revealed at the end, unless the file is another player's."""
    from tkid.record.plugin import record_plugin
    from tkid.render.plugin import render_plugin

    rules, position, names = played.record.game, played.position, played.record.names
    first = next(iter(rules.legal(position)), None)
    if first is None or not record_plugin(rules).tells_late(first):
        return
    if (mine := whose(game, played.record)) != position.to_act and (mine is not None or not _knows(position)):
        return
    typer.echo(render_plugin(rules).legal(rules, position, names, "", every=False)[0])
    for move in rules.legal(position):
        after, _ = rules.apply(position, move)
        turn = with_names(rules.words.turn((move,)), names)
        typer.echo(f'  tkid play {game} "{turn}"   {_won(after, names)}')
