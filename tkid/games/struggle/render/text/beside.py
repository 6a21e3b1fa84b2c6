"""What belongs to the map and is not on it, in short rows: the track, the supply, the factions' regions, the passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.rules.board import OPEN, Board, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.views import View
from tkid.render.lines import printable


def beside(game: Struggle, view: View, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Rows of a label and a text; a row that has nothing to say is left out."""
    return tuple((label, ", ".join(items)) for label, items in _rows(game, view, list(map(printable, names))) if items)


def _rows(game: Struggle, view: View, names: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    board, shown = game.board, view.shown
    control: Followers = tuple(shown.discs.count(disc) for disc in range(len(board.factions)))
    waiting = [region for region in shown.track if shown.discs[region] == OPEN]
    settled = [region for region in shown.track if shown.discs[region] != OPEN]
    negotiated = [" (negotiated)" if region in shown.negotiated else "" for region in waiting]
    lost = [f"{board.terms.lost} {shown.unstable} of {game.invaders}"]
    if shown.to_act is not None:
        passes = f"{shown.passes} of {len(shown.courts)} in a row"
        yield "Next", [board.name(region) + mark for region, mark in zip(waiting, negotiated, strict=True)]
        yield "Passes", [*([passes] if shown.passes else []), *phrases.next_starter(shown, names)]
        yield "Note", [ban] if (ban := phrases.ban(game, shown, names, view.seat)) else []
    yield "Settled", [f"{board.name(region)} {board.disc(shown.discs[region])}" for region in settled]
    yield board.terms.stock, [] if shown.to_act is None else [_counted(board, shown.supply)]
    yield "Control", [_counted(board, control), *lost]


def _counted(board: Board, followers: Followers) -> str:
    """Numbers with the letters of the factions, zeros too: `4S 0W 3E`."""
    return " ".join(f"{n}{faction.letter}" for n, faction in zip(followers, board.factions, strict=True))
