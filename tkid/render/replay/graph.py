"""The values of an annotated game as a graph: a line for each party over the turns, drawn without a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from attrs import frozen

from tkid.record.play.replay import Replay
from tkid.render.replay.values import MARKED, TURNING_POINT, Marked, Point, called, marks, now, points, story
from tkid.render.replay.words import Words

WIDTH, HEIGHT = 400, 160
LEFT, RIGHT, TOP, BOTTOM = 44, 388, 22, 122
LANES = {TURNING_POINT: (9, "!"), "Missed": (136, "?")}
"""How high the marks of a kind stand, and their sign."""
LEVELS = (0.0, 0.5, 1.0)
SMALLEST, LARGEST = 1.6, 4.0
"""Half the width of a point, by the room that a turn has."""
NUMBERED = 10
"""Every so many turns one has its number below the graph."""


def _round(x: float, y: float, r: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>'


def _polygon(*corners: tuple[float, float]) -> Callable[[float, float, float], str]:
    def drawn(x: float, y: float, r: float) -> str:
        places = " ".join(f"{x + right * r:.1f},{y + down * r:.1f}" for right, down in corners)
        return f'<polygon points="{places}"/>'

    return drawn


SHAPES = (
    _round,
    _polygon((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    _polygon((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    _polygon((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
)
"""The points of each party; its line has a style of its own too, `value-line0` and so on in `graph.css`."""


@frozen
class _Axes:
    """Where a moment and a chance are in the drawing."""

    last: int

    @property
    def by(self) -> float:
        """The room of a turn."""
        return (RIGHT - LEFT) / max(1, self.last)

    @property
    def size(self) -> float:
        """Half the width of a point."""
        return min(LARGEST, max(SMALLEST, self.by * 0.3))

    def x(self, step: int) -> float:
        """How far to the right a moment is."""
        return LEFT + step * self.by

    def y(self, share: float) -> float:
        """How far down a chance is."""
        return BOTTOM - share * (BOTTOM - TOP)


def graph(known: Replay, words: Words) -> str:
    """A section of the page; "" for a game without values."""
    found = points(known)
    if not found:
        return ""
    parties, marked, axes = called(known), marks(known), _Axes(len(known.moments) - 1)
    picture = (
        f'<svg id="value-graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(story(found, parties))}"'
        f' data-left="{LEFT}" data-by="{axes.by:.4f}" data-width="{WIDTH}">'
        f"{_frame(known, axes)}"
        f'<clipPath id="value-reached"><rect width="{WIDTH}" height="{HEIGHT}"/></clipPath>'
        f'<line id="value-now" y1="{TOP - 4}" y2="{BOTTOM + 4}" hidden></line>'
        f'<g clip-path="url(#value-reached)">{_lines(found, axes)}</g>'
        f"{''.join(_points(point, parties, axes) for point in found)}"
        f"{''.join(_mark(each, axes) for each in marked)}</svg>"
    )
    return (
        '<section class="values" aria-labelledby="value-heading">\n<h2 id="value-heading">Chance to win</h2>\n'
        f"<figure>{picture}\n<figcaption>{_legend(found, parties, marked, words)}</figcaption></figure>\n</section>\n"
    )


def _frame(known: Replay, axes: _Axes) -> str:
    """The levels with their percentages, and some numbers of turns."""
    levels = "".join(
        f'<path d="M{LEFT} {axes.y(level):.1f}H{RIGHT}"/><text class="value-level" x="{LEFT - 6}" y="{axes.y(level) + 4:.1f}">'
        f"{level * 100:.0f}\u00a0%</text>"
        for level in LEVELS
    )
    numbers = [(step, moment.turn.number) for step, moment in enumerate(known.moments) if moment.turn]
    shown = [(step, number) for step, number in numbers if number % NUMBERED == 0 or number == numbers[0][1]]
    turns = "".join(f'<text x="{axes.x(step):.1f}" y="{HEIGHT - 5}">{number}</text>' for step, number in shown)
    return f'<g class="value-frame">{levels}{turns}</g>'


def _lines(found: Sequence[Point], axes: _Axes) -> str:
    return "".join(
        f'<polyline class="value-line{party}" points="'
        + " ".join(f"{axes.x(point.step):.1f},{axes.y(point.shares[party]):.1f}" for point in found)
        + '"/>'
        for party in range(len(found[0].shares))
    )


def _points(point: Point, parties: Sequence[str], axes: _Axes) -> str:
    """The points of a turn, with what they say for the script."""
    drawn = "".join(
        SHAPES[party](axes.x(point.step), axes.y(share), axes.size) for party, share in enumerate(point.shares)
    )
    said = escape(now(point.shares, parties, proven=point.proven))
    kind = "proven" if point.proven else "estimate"
    return f'<g class="value-{kind}" data-step="{point.step}" data-turn="{point.turn}" data-said="{said}">{drawn}</g>'


def _mark(marked: Marked, axes: _Axes) -> str:
    (y, sign), x = LANES[marked.kind], axes.x(marked.step)
    return (
        f'<g class="value-mark" data-step="{marked.step}">{_round(x, y, 7)}'
        f'<text x="{x:.1f}" y="{y + 4}">{sign}</text></g>'
    )


def _legend(found: Sequence[Point], parties: Sequence[str], marked: Sequence[Marked], words: Words) -> str:
    """What lines, points and marks mean."""
    rows = [
        (
            f'<path class="value-line{place}" d="M0 8H32"/><g class="value-estimate">{SHAPES[place](16, 8, LARGEST)}</g>',
            words.html(party),
        )
        for place, party in enumerate(parties)
    ]
    if any(point.proven for point in found):
        rows.append((f'<g class="value-proven">{_round(16, 8, LARGEST)}</g>', "proven"))
        rows.append((f'<g class="value-estimate">{_round(16, 8, LARGEST)}</g>', "estimated"))
    kinds = {each.kind for each in marked}
    rows += [
        (f'<g class="value-mark">{_round(16, 8, 7)}<text x="16" y="12">{LANES[kind][1]}</text></g>', kind.lower())
        for kind in MARKED
        if kind in kinds
    ]
    return " ".join(
        f'<span><svg viewBox="0 0 32 16" width="32" height="16" aria-hidden="true">{sign}</svg> {text}</span>'
        for sign, text in rows
    )
