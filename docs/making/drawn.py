"""A position on a page: drawn, in words for those who do not see the drawing, and in one line to copy."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from docs.making.words import capital, folded, path_to
from tkid.games.struggle.board import OPEN, Followers
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.games.struggle.views import View
from tkid.notation.positions import write_position
from tkid.render.picture import document
from tkid.render.struggle import text
from tkid.render.struggle.picture import picture

NAMES = ("Ann", "Bob", "Cleo", "Dan")
"""The players of examples, in turn order."""
FOLDER = "positions"
"""Where the drawings stand on the site."""
DRAWINGS: dict[str, str] = {}
"""The drawings that pages show, as SVG, by their path on the site."""


def drawn(game: Struggle, position: Position, here: str) -> str:
    """A position as a picture with its description, and its line, as Markdown: everything is shown, hands too."""
    shown = judged(game, position)
    path, width, height = drawing(game, shown)
    size = f'width="{width}" height="{height}" loading="lazy"'
    image = f"![{in_words(game, position)}]({path_to(path, here)}){{: .board {size} }}"
    line = folded("line", "This position in one line", [f"```text\n{write_position(game, shown)}\n```"])
    return f"{image}\n\n{line}"


def judged(game: Struggle, position: Position) -> Position:
    """A position after the last power struggle with how it ended, as a position in play would have it."""
    result = game.result(position) if position.decision is None and position.ending is None else None
    return position.but(ending=result.ending, winners=result.winners) if result else position


@cache
def drawing(game: Struggle, position: Position) -> tuple[str, int, int]:
    """The path of a drawing on the site, and how wide and high it is. Its name tells what is in it, so that each is there once."""
    shown = picture(game, View(None, position), NAMES[: len(position.courts)])
    svg = document(shown)
    path = f"{FOLDER}/{sha256(svg.encode()).hexdigest()[:16]}.svg"
    DRAWINGS[path] = svg
    return path, shown.width, shown.height


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
    due = f"{NAMES[position.to_act]} is {text.DUE[position.decision or 'play']}"
    contested = "" if position.contested is None else f"; contested: {game.board.name(position.contested)}"
    return capital(due + contested)
