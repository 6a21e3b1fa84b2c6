"""A position on a page: drawn, and in words for those who do not see the drawing."""

from __future__ import annotations

from html import escape

from docs.making.words import capital
from tkid.games.struggle.board import OPEN, Followers
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.games.struggle.views import View
from tkid.render.struggle import text

NAMES = ("Ann", "Bob", "Cleo", "Dan")
"""The players of examples, in turn order."""


def drawn(game: Struggle, position: Position) -> str:
    """A position as a picture with its description, as a block of HTML: everything is shown, hands too."""
    names = NAMES[: len(position.courts)]
    picture = escape(text.position(game, View(None, position), names).rstrip("\n"))
    label = escape(in_words(game, position), quote=True)
    return f'<pre class="board" role="img" tabindex="0" aria-label="{label}">{picture}</pre>'


def in_words(game: Struggle, position: Position) -> str:
    """What stands where, as sentences."""
    board = game.board
    told = [f"{_due(game, position)}."]
    for region, followers in enumerate(position.regions):
        disc = position.discs[region]
        if disc != OPEN:
            told.append(f"{board.name(region)}: {board.disc(disc)}.")
        elif any(followers):
            told.append(f"{board.name(region)}: {_counted(game, followers)}.")
    told.append(f"Supply: {_counted(game, position.supply)}.")
    told += [f"Court of {name}: {_counted(game, court)}." for name, court in zip(NAMES, position.courts, strict=False)]
    return " ".join(told)


def _counted(game: Struggle, followers: Followers) -> str:
    parts = [f"{n} {f.name}" for f, n in zip(game.board.factions, followers, strict=True) if n]
    return ", ".join(parts) or "nobody"


def _due(game: Struggle, position: Position) -> str:
    """Whose turn it is, and which region is contested."""
    if position.to_act is None:
        return "The last power struggle is resolved"
    due = f"{NAMES[position.to_act]} is {text.TO_DO[position.decision or 'play']}"
    contested = "" if position.contested is None else f"; contested: {game.board.name(position.contested)}"
    return capital(due + contested)
