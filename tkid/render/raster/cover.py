"""A card for links, 1200 by 630: what is played, how it stands or ended, and the map or the table beside it."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.game import Position
from tkid.notation.vocabulary import listed
from tkid.record.play.outcome import shown_position
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.render.frames import picture_at
from tkid.render.head import balanced
from tkid.render.palette import paint
from tkid.render.picture import SANS, Part, Picture, Style, cut, element, groups, text
from tkid.render.plugin import render_plugin

WIDTH, HEIGHT = 1200, 630
COLOURS = 128
"""In its PNG: enough for large letters and a map, in less than 60 kB."""
MARGIN = 56
TITLE, HEADLINE, FORECAST, FOOT = 28, 50, 30, 24
"""The sizes of its letters: programs show a card a third as wide."""
MAP_WIDTH = 600
"""The most room for the map or the table, at the right edge."""
BOLD = 1.1
"""So much wider bold letters are."""
TOP, AFTER, LINE = 84, 22, 1.25
"""The first base line, the space after a paragraph, and from one line to the next, in sizes of its letters."""
STYLE: Style = {
    ".cover": paint(f"font-family:{SANS}", fill="ink"),
    ".cover-paper": paint(fill="paper"),
    ".cover-dim": paint(f"font-family:{SANS}", fill="dim"),
}


def cover(replay: Replay, index: int = -1) -> Picture:
    """The card of a game after a turn, as a spectator may know it."""
    known = seen(replay, None)
    record, position = known.record, shown_position(known, index)
    names, plugin = record.names, render_plugin(record.game)
    view, shown = record.game.view(position, None), picture_at(known, index, None, layout="alone")
    scale = min(MAP_WIDTH / shown.width, HEIGHT / shown.height)
    left = WIDTH - shown.width * scale
    box = {"x": left, "y": (HEIGHT - shown.height * scale) / 2, "width": WIDTH - left, "height": shown.height * scale}
    seen_box = f"{shown.corner[0]} {shown.corner[1]} {shown.width} {shown.height}"
    players = listed(names, "and")
    words = _words(
        record.title or players,
        plugin.headline(record.game, view, names),
        plugin.forecast(record.game, view, names),
        [players if record.title else "", record.ruleset.title, _time(position)],
        left - 2 * MARGIN,
    )
    parts = (
        Part("paper", element("rect", width=WIDTH, height=HEIGHT, class_="cover-paper")),
        Part("shown", element("svg", groups(shown.parts), **box, viewBox=seen_box)),
        Part("words", words),
    )
    return Picture(WIDTH, HEIGHT, shown.title, shown.description, {**shown.style, **STYLE}, parts, defs=shown.defs)


def _words(title: str, headline: str, forecast: str, foot: Sequence[str], room: float) -> str:
    """What is written beside the map: from the top what it is, how it stands and how it would end; the rest at the bottom."""
    svg, base = text(MARGIN, TOP, cut(title, room, TITLE), class_="cover-dim", font_size=TITLE), TOP + AFTER
    for words, size, bold, most in ((headline, HEADLINE, BOLD, 4), (forecast, FORECAST, 1.0, 4)):
        for line in balanced(words, room, size * bold, most):
            base += round(size * LINE)
            weight = "700" if bold > 1 else None
            svg += text(MARGIN, base, line, class_="cover", font_size=size, font_weight=weight)
        base += AFTER
    lines = [line for words in foot if words for line in balanced(words, room, FOOT, 2)]
    base = HEIGHT - TOP + FOOT - round(FOOT * LINE) * (len(lines) - 1)
    for row, line in enumerate(lines):
        svg += text(MARGIN, base + row * round(FOOT * LINE), line, class_="cover-dim", font_size=FOOT)
    return svg


def _time(position: Position) -> str:
    """How long the game has gone on."""
    return f"Turn {position.turn + 1}" if position.decision else f"Over after {position.turn} turns"
