"""Learning curves: the share of wins after more and more games, drawn from a file of JSON lines when the site is built."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tkid.cli.check import find_interval
from tkid.render.picture import write_element, write_text_element

PLACE = re.compile(r"<!-- curve: (\S+) -->")
"""The comment that a curve replaces: it names the file, in which a line has `games` so far, games `of` the point, and how many were `won`."""
DOCS = Path(__file__).parents[1]
WIDTH, HEIGHT, LEFT, FOOT = 640, 240, 48, 32
"""The size of the picture, and the room for words at its left and at its foot, in pixels."""


def draw_curve(file: Path) -> str:
    """Return the curve as SVG: a dot for each point with its interval, and a line at a half."""
    points = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    most = points[-1]["games"]

    def across(games: int) -> float:
        return round(LEFT + (WIDTH - LEFT - 16) * games / most, 1)

    def down(share: float) -> float:
        return round(12 + (HEIGHT - FOOT - 12) * (1 - share), 1)

    drawn = ""
    for share in (0, 0.25, 0.5, 0.75, 1):
        dashes = None if share == 0.5 else "2 4"
        drawn += write_element(
            "path", d=f"M{LEFT} {down(share)}H{WIDTH}", stroke="currentColor", stroke_dasharray=dashes
        )
        drawn += write_text_element(LEFT - 6, down(share) + 4, f"{share:.0%}", text_anchor="end")
    for point in points:
        x, (low, high) = across(point["games"]), find_interval(point["won"] / point["of"], point["of"])
        drawn += write_element("path", d=f"M{x} {down(low)}V{down(high)}", stroke="currentColor")
        drawn += write_element("circle", cx=x, cy=down(point["won"] / point["of"]), r=3.5)
    drawn += write_text_element(WIDTH, HEIGHT - 8, f"{most:,} games", text_anchor="end")
    last = points[-1]
    label = (
        f"Share of wins by games played. In the last {last['of']} of {most:,} games: {last['won'] / last['of']:.1%}."
    )
    return write_element(
        "svg", drawn, role="img", aria_label=label, viewBox=f"0 0 {WIDTH} {HEIGHT}", fill="currentColor",
        style="font: 13px sans-serif; width: 100%; max-width: 40rem",
    )  # fmt: skip


def fill_curves(markdown: str) -> str:
    """Return a page with its curves drawn."""
    return PLACE.sub(lambda found: draw_curve(DOCS / found[1]), markdown)
