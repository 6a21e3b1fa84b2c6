"""Show the values of an annotated game as sentences and as a graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from itertools import pairwise

from attrs import define, frozen

from tkid.notation.names import list_names
from tkid.record.format.model import Comments, Value, read_value
from tkid.record.play.replay import Moment, Replay
from tkid.render.picture import truncate_to_room
from tkid.rulebook import is_known_rule, rule

TYPOGRAPHIC = (("<>", "\u21c4"), (" > ", " \u2192 "))
"""Signs of the notation, and how they are shown; they are read so too."""


@define(slots=False)
class GraphWords:
    """Writes sentences in which the names of these players may be."""

    names: Sequence[str]

    @cached_property
    def _name(self) -> re.Pattern[str]:
        longest_first = sorted(self.names, key=len, reverse=True)
        return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")

    def write_html(self, text: str) -> str:
        """Write a text with each name as an element of its own, so that its direction does not turn the rest around."""
        pieces = self._name.split(text)
        marked = (f"<bdi>{escape(piece)}</bdi>" if place % 2 else escape(piece) for place, piece in enumerate(pieces))
        return "".join(marked)

    def write_with_rule(self, text: str, rule_id: str) -> str:
        """Write a sentence with a short link to the page of its rule, or with an unknown rule's id; "" for no rule."""
        link = rule_id
        if is_known_rule(rule_id):
            link = f'<a class="rule-link" href="{rule(rule_id).link}" title="{rule_id}">rule</a>'
        return f"{self.write_html(text)}\u00a0{link}" if link else self.write_html(text)

    def write_turn(self, text: str) -> str:
        """Write a turn in notation, with the signs that print has for it."""
        for typed, shown in TYPOGRAPHIC:
            text = text.replace(typed, shown)
        return self.write_html(text)


def comments_of(moment: Moment) -> Comments:
    """Return all comments on a turn, as they were written."""
    turn = moment.turn
    if turn is None:
        return ()
    return (*turn.comments, *turn.notes, *(each for outcome in turn.outcomes for each in outcome.comments))


TURNING_POINT, MISSED = "Turning point", "Missed"
MARKED = (TURNING_POINT, MISSED)
"""What a comment begins with, before a colon, that is marked in the graph."""


@frozen
class Point:
    """Chances of all parties to win after a turn; `step` is its moment, `turn` its number."""

    step: int
    turn: int
    shares: tuple[float, ...]
    proven: bool

    @property
    def leader(self) -> int | None:
        """The party with the best chance; None if several have it."""
        best = max(self.shares)
        return self.shares.index(best) if self.shares.count(best) == 1 else None


@frozen
class Marked:
    """A comment that the graph marks: its moment, what it begins with, and the whole sentence."""

    step: int
    kind: str
    text: str


def name_parties(known: Replay) -> tuple[str, ...]:
    table = known.record.table
    return tuple(list_names([table.names[seat] for seat in party], "and") for party in table.parties)


def value_of(note: str, known: Replay) -> Value | None:
    """Return the value in an inline comment, or None."""
    return read_value(note, known.record.names, known.record.table.parties)


def list_points(known: Replay) -> tuple[Point, ...]:
    points = []
    for step, turn in enumerate(moment.turn for moment in known.moments):
        values = [value for note in turn.notes if (value := value_of(note, known))] if turn else []
        if turn and values:
            points.append(Point(step, turn.number, values[-1].shares, values[-1].proven))
    return tuple(points)


def list_marks(known: Replay) -> tuple[Marked, ...]:
    marks = []
    for step, moment in enumerate(known.moments):
        texts = [comment.removeprefix("#").strip() for comment in comments_of(moment)]
        begun = ((kind, text) for text in texts for kind in MARKED if text.casefold().startswith(f"{kind.casefold()}:"))
        marks += [Marked(step, kind, text) for kind, text in begun]
    return tuple(marks)


def describe_value(note: str, known: Replay) -> str:
    """Return an inline comment as a sentence if it is a value; otherwise unchanged."""
    value = value_of(note, known)
    if value is None:
        return note
    said = describe_chances(value.shares, name_parties(known), proven=value.proven)
    return f"It is proven that {said}." if value.proven else f"Chance to win after this turn: {said}."


def describe_chances(found: Sequence[float], parties: Sequence[str], *, proven: bool) -> str:
    if proven and 1 in found:
        winner = parties[found.index(1)]
        return f"{winner} {'win' if ' and ' in winner else 'wins'}"
    if proven and min(found) == max(found):
        return "the game is drawn"
    return ", ".join(f"{party} {share * 100:.0f}\u00a0%" for party, share in zip(parties, found, strict=True))


def describe_course(found: Sequence[Point], parties: Sequence[str]) -> str:

    def at(point: Point) -> str:
        said = describe_chances(point.shares, parties, proven=point.proven)
        if point.proven:
            return f"it was proven after turn {point.turn} that {said}"
        return f"after turn {point.turn} it was {said}"

    first, last = found[0], found[-1]
    if first == last:
        return f"The chance to win: {at(first)}."
    leads = [point for point in found if point.leader is not None]
    changes = [after.turn for before, after in pairwise(leads) if before.leader != after.leader]
    times = "once," if len(changes) == 1 else f"{len(changes)} times, last"
    change = f"the lead changed {times} at turn {changes[-1]}" if changes else "the lead never changed"
    return f"The chance to win: {at(first)}, {change}, and {at(last)}."


WIDTH, HEIGHT = 400, 160
LEFT, RIGHT, TOP, BOTTOM = 44, 330, 22, 122
LANES = {TURNING_POINT: (9, "!"), "Missed": (136, "?")}
"""How high the marks of a kind stand, and their sign."""
NAME_ROOM = WIDTH - RIGHT - 10
"""Room for a name behind its line."""
LEVELS = (0.0, 0.5, 1.0)
SMALLEST, LARGEST = 1.6, 4.0
"""Half the width of a point, by the room that a turn has."""
NUMBERED = 10
"""Interval between numbered turns below the graph."""


def _draw_circle(x: float, y: float, r: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>'


def _make_polygon(*corners: tuple[float, float]) -> Callable[[float, float, float], str]:
    def drawn(x: float, y: float, r: float) -> str:
        places = " ".join(f"{x + right * r:.1f},{y + down * r:.1f}" for right, down in corners)
        return f'<polygon points="{places}"/>'

    return drawn


SHAPES = (
    _draw_circle,
    _make_polygon((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    _make_polygon((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    _make_polygon((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
)
"""The points of each party; its line has a style of its own too, `value-line0` and so on in `graph.css`."""


@frozen
class _Axes:
    last: int

    @property
    def by(self) -> float:
        """The room of a turn."""
        return (RIGHT - LEFT) / max(1, self.last)

    @property
    def size(self) -> float:
        """Half the width of a point."""
        return min(LARGEST, max(SMALLEST, self.by * 0.3))

    def find_x(self, step: int) -> float:
        return LEFT + step * self.by

    def find_y(self, share: float) -> float:
        return BOTTOM - share * (BOTTOM - TOP)


def draw_value_graph(known: Replay, words: GraphWords) -> str:
    """Draw the graph as a section of the page; "" for a game without values."""
    found = list_points(known)
    if not found:
        return ""
    parties, marked, axes = name_parties(known), list_marks(known), _Axes(len(known.moments) - 1)
    picture = (
        f'<svg id="value-graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(describe_course(found, parties))}"'
        f' data-left="{LEFT}" data-by="{axes.by:.4f}" data-width="{WIDTH}">'
        f"{_draw_frame(known, axes)}"
        f'<clipPath id="value-reached"><rect width="{WIDTH}" height="{HEIGHT}"/></clipPath>'
        f'<line id="value-now" y1="{TOP - 4}" y2="{BOTTOM + 4}" hidden></line>'
        f'<g clip-path="url(#value-reached)">{_draw_lines(found, axes)}</g>'
        f"{''.join(_draw_points(point, parties, axes) for point in found)}{''.join(map(_draw_name, parties))}"
        f"{''.join(_mark(each, axes) for each in marked)}</svg>"
    )
    return (
        '<section class="values" aria-labelledby="value-heading">\n<h2 id="value-heading">Chance to win</h2>\n'
        f"<figure>{picture}\n<figcaption>{_write_legend(found, parties, marked, words)}</figcaption></figure>\n</section>\n"
    )


def _draw_frame(known: Replay, axes: _Axes) -> str:
    levels = "".join(
        f'<path d="M{LEFT} {axes.find_y(level):.1f}H{RIGHT}"/><text class="value-level" x="{LEFT - 6}" y="{axes.find_y(level) + 4:.1f}">'
        f"{level * 100:.0f}\u00a0%</text>"
        for level in LEVELS
    )
    numbers = [(step, moment.turn.number) for step, moment in enumerate(known.moments) if moment.turn]
    shown = [(step, number) for step, number in numbers if number % NUMBERED == 0 or number == numbers[0][1]]
    turns = "".join(f'<text x="{axes.find_x(step):.1f}" y="{HEIGHT - 5}">{number}</text>' for step, number in shown)
    return f'<g class="value-frame">{levels}{turns}</g>'


def _draw_lines(found: Sequence[Point], axes: _Axes) -> str:
    return "".join(
        f'<polyline class="value-line{party}" points="'
        + " ".join(f"{axes.find_x(point.step):.1f},{axes.find_y(point.shares[party]):.1f}" for point in found)
        + '"/>'
        for party in range(len(found[0].shares))
    )


def _draw_name(party: str) -> str:
    """Draw the name that the script of the page puts behind the line of a party, as far as that is shown."""
    return f'<text class="value-name" hidden>{escape(truncate_to_room(party, NAME_ROOM, 11))}</text>'


def _draw_points(point: Point, parties: Sequence[str], axes: _Axes) -> str:
    drawn = "".join(
        SHAPES[party](axes.find_x(point.step), axes.find_y(share), axes.size)
        for party, share in enumerate(point.shares)
    )
    said = escape(describe_chances(point.shares, parties, proven=point.proven))
    kind = "proven" if point.proven else "estimate"
    return f'<g class="value-{kind}" data-step="{point.step}" data-turn="{point.turn}" data-said="{said}">{drawn}</g>'


def _mark(marked: Marked, axes: _Axes) -> str:
    (y, sign), x = LANES[marked.kind], axes.find_x(marked.step)
    return (
        f'<g class="value-mark" data-step="{marked.step}">{_draw_circle(x, y, 7)}'
        f'<text x="{x:.1f}" y="{y + 4}">{sign}</text></g>'
    )


def _write_legend(found: Sequence[Point], parties: Sequence[str], marked: Sequence[Marked], words: GraphWords) -> str:
    rows = [
        (
            f'<path class="value-line{place}" d="M0 8H32"/><g class="value-estimate">{SHAPES[place](16, 8, LARGEST)}</g>',
            words.write_html(party),
        )
        for place, party in enumerate(parties)
    ]
    if any(point.proven for point in found):
        rows.append((f'<g class="value-proven">{_draw_circle(16, 8, LARGEST)}</g>', "proven"))
        rows.append((f'<g class="value-estimate">{_draw_circle(16, 8, LARGEST)}</g>', "estimated"))
    kinds = {each.kind for each in marked}
    rows += [
        (f'<g class="value-mark">{_draw_circle(16, 8, 7)}<text x="16" y="12">{LANES[kind][1]}</text></g>', kind.lower())
        for kind in MARKED
        if kind in kinds
    ]
    return " ".join(
        f'<span><svg viewBox="0 0 32 16" width="32" height="16" aria-hidden="true">{sign}</svg> {text}</span>'
        for sign, text in rows
    )
