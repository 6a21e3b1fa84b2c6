"""The legends: what the marks of a picture mean, and which card has which emblem, for readers who are new to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from tkid.games.struggle.render.picture import cards, pieces
from tkid.games.struggle.render.picture.layout import WIDTH
from tkid.games.struggle.rules.board import UNSTABLE, Board
from tkid.games.struggle.rules.game import Struggle
from tkid.render.picture import cut, element, text, wide

LEFT, TOP, COLUMN, LINE = 16, 44, 152, 27
SAMPLE = 14
"""From the middle of a sample to its words, less its half."""

Sample = Callable[[Board, float, float], str]


def _arrived(board: Board, x: float, y: float) -> str:
    return pieces.came(x, y) + pieces.follower(board, 1, x, y)


def _tint(_: Board, x: float, y: float) -> str:
    return element("rect", x=x - 10, y=y - 7, width=20, height=14, rx=3, class_="tint1 border")


def _tie(board: Board, x: float, y: float) -> str:
    letters = "".join(faction.letter for faction in board.factions[:2])
    return element("rect", x=x - 10, y=y - 7, width=20, height=14, rx=3, class_="border", fill=f"url(#tie-{letters})")


def _contested(_: Board, x: float, y: float) -> str:
    return pieces.number(x, y, 1, state="contested")


SAMPLES: tuple[tuple[str, Sample], ...] = (
    ("came last turn", _arrived),
    ("left, and where to", lambda board, x, y: pieces.ghost(board, 1, x, y)),
    ("a faction's home", lambda board, x, y: pieces.house(board, 0, x, y + 5)),
    ("leads as it stands", _tint),
    ("tied as it stands", _tie),
    ("contested now", _contested),
    ("won this region", lambda board, x, y: pieces.coin(board, 1, x, y, 10)),
    ("nobody won it", lambda board, x, y: pieces.coin(board, UNSTABLE, x, y, 10)),
    ("{negotiation}", lambda board, x, y: pieces.token(board, x, y, 7)),
)
"""Each mark with its words, in rows of three."""


@lru_cache(64)
def emblems(game: Struggle) -> str:
    """The emblems that do not say by themselves what card they are, with its name, in one line."""
    svg, x = "", LEFT + 0.0
    for name in cards.with_emblems(game):
        svg += element("use", href=f"#emblem-{cards.face(game, name).emblem}-small", x=x + 10, y=13)
        svg += text(x + 24, 16.8, name, class_="dim s")
        x += 24 + wide(name, 10.5) + 16
    return svg


@cache
def legend(board: Board) -> str:
    """All marks with their words, under a line."""
    svg = element("path", d=f"M{LEFT} 0H{WIDTH - LEFT}", class_="rule")
    svg += text(LEFT, 22, "Reading the board", class_="ink b")
    for n, (words, sample) in enumerate(SAMPLES):
        x, y = LEFT + SAMPLE + COLUMN * (n % 3), TOP + LINE * (n // 3)
        svg += sample(board, x, y)
        shown = cut(words.format(negotiation=board.terms.negotiation), COLUMN - 2 * SAMPLE - 4)
        svg += text(x + SAMPLE + 4, y + 4, shown, class_="dim")
    return svg
