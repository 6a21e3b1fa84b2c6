"""The scene of a picture, and the map with its outlines and colours.

A border is one arc that both regions use, so that they touch. `britain.json` has the arcs, made from public-domain data.
Lengths are units of a map of 480 x 620.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import combinations, pairwise
from math import cos, pi, sin, sqrt
from typing import Any

from attrs import Factory, define, evolve, field, frozen

from tkid.games.struggle.render.text import find_britain_regions
from tkid.games.struggle.rules.board import (
    OPEN,
    UNSTABLE,
    Board,
    Followers,
    Position,
    add_followers,
    find_leaders,
    subtract_followers,
)
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import COURT, Exchange, Play, Summon, Transfer, Where, follow_copy, list_transfers
from tkid.games.struggle.rules.struggles import ResolvedRegion
from tkid.render.picture import REMEMBERED, LastTurn, Part, Style, paint, read_style, write_element

WIDTH, HEIGHT = 480, 620
BAND = 2.0
"""Height of the bands in which the room in a region is measured."""
ROOM = (16, 90)
"""Distances above and below the base line of a name that the room for it and the followers extends to."""
PLATE, CORNER = (64.0, 41.0), 8.0
"""Half the width and height of a region on a plain map, and the radius of its corners."""
MIDDLE, COLUMN, TOP, BOTTOM = 198.0, 75.0, 54.0, 576.0
"""The line between the two columns of a plain map, how far they are from it, and where they begin and end."""

Point = tuple[float, float]
Line = tuple[Point, ...]


@define(frozen=True, eq=False, slots=False)
class Shape:
    """A region as it is drawn: its closed outline, and where the middle of its name's base line is."""

    outline: Line
    label: Point

    @cached_property
    def path(self) -> str:
        return _format_outline(self.outline)

    def find_room(self, top: float, bottom: float) -> tuple[float, float] | None:
        """Return the land between two heights, left and right of the label; None if it doesn't reach that far."""
        bands = range(int(top // BAND), int(bottom // BAND) + 1)
        within = [self._bands.get(band) for band in bands]
        ends = [ends for ends in within if ends]
        return (max(left for left, _ in ends), min(right for _, right in ends)) if len(ends) == len(within) else None

    @cached_property
    def _bands(self) -> Mapping[int, tuple[float, float]]:
        """The ends of the land in each band of the room, from the label up and down to where the outline closes it."""
        (middle, base), (above, below) = self.label, ROOM
        lefts: dict[int, float] = {}
        rights: dict[int, float] = {}
        for (a, b), (c, d) in pairwise((*self.outline, self.outline[0])):
            top, bottom = (b, d) if b < d else (d, b)
            if bottom < base - above or top > base + below:
                continue
            left, right = (a, c) if a < c else (c, a)
            for band in range(int(top // BAND), int(bottom // BAND) + 1):
                if left <= middle and right > lefts.get(band, 0):
                    lefts[band] = min(right, middle)
                if right >= middle and left < rights.get(band, WIDTH):
                    rights[band] = max(left, middle)
        low = high = int(base // BAND)
        while _is_band_open(lefts, rights, low - 1, middle):
            low -= 1
        while _is_band_open(lefts, rights, high + 1, middle):
            high += 1
        return {band: (lefts[band], rights[band]) for band in range(low, high + 1)}


ACROSS, LOWEST = 0.88, 0.56
"""The width of the land on a phone, whose names and pieces keep their size, and its least height."""
NAMED, ROWS, BEYOND, DOWN = 13, 49, 12, 8
"""The room above the base line of a name, below it for two rows of followers, how far these may
extend beyond the land, and how far the name may be lowered instead."""


@define(frozen=True, eq=False, slots=False)
class LowShape(Shape):
    """A region in which there is no more room for followers than on a phone, where the land is lower."""

    @cached_property
    def raised(self) -> float:
        """How far the name is raised on a phone, so that two rows of followers fit below it; below 0, it is lowered."""
        above, below = self._extent
        return max(-DOWN, min(ROWS - LOWEST * below, max(0, LOWEST * above - NAMED)))

    @cached_property
    def _extent(self) -> tuple[float, float]:
        """The land above and below the base line of the name."""
        x, y = self.label
        sides = pairwise((*self.outline, self.outline[0]))
        cut = [b + (d - b) * (x - a) / (c - a) for (a, b), (c, d) in sides if (a <= x) != (c <= x)]
        return min(y - each for each in cut if each < y), min(each - y for each in cut if each > y)

    def find_room(self, top: float, bottom: float) -> tuple[float, float] | None:
        lowest = self.label[1] + LOWEST * self._extent[1] + self.raised + BEYOND
        return super().find_room(top, bottom) if bottom <= lowest else None


def _is_band_open(lefts: Mapping[int, float], rights: Mapping[int, float], band: int, middle: float) -> bool:
    return lefts.get(band, middle) < middle < rights.get(band, middle)


@define(frozen=True, eq=False)
class Drawing:
    """A map: a shape for each region in the board's order, isles, and roads for borders whose shapes do not touch."""

    board: Board
    shapes: tuple[Shape, ...]
    isles: tuple[Line, ...] = ()
    roads: tuple[Line, ...] = ()


BRITAIN: Mapping[str, Any] = json.loads(files(__package__).joinpath("britain.json").read_text("utf-8"))
"""Arcs by the regions on their sides, isles, and by code each region's arcs (`-` reverses) and the place of its label."""


def _make_line(points: Sequence[Sequence[float]]) -> Line:
    return tuple([(x, y) for x, y in points])


def _build_shape(region: str, code: str) -> Shape:
    """Build the shape of a region; its label may be that of the same region with another `code`."""
    outline = list[Point]()
    for name in BRITAIN["regions"][region]:
        arc = _make_line(BRITAIN["arcs"][name.removeprefix("-")])
        outline += (arc[::-1] if name.startswith("-") else arc)[:-1]
    x, y = BRITAIN["labels"][code]
    return Shape(tuple(outline), (x, y))


@cache
def list_low_shapes(board: Board) -> tuple[LowShape, ...]:
    return tuple([LowShape(shape.outline, shape.label) for shape in choose_drawing(board).shapes])


@cache
def choose_low_drawing(board: Board) -> Drawing:
    """Return the map with regions whose followers fit a phone too."""
    return evolve(choose_drawing(board), shapes=list_low_shapes(board))


@cache
def choose_drawing(board: Board) -> Drawing:
    borders = {frozenset(name.split("|")) for name in BRITAIN["arcs"] if "|" in name}
    regions = find_britain_regions(board, borders)
    if regions is None:
        return build_plain_map(board)
    shapes = map(_build_shape, regions, [each.code for each in board.regions])
    return Drawing(board, tuple(shapes), tuple(map(_make_line, BRITAIN["isles"].values())))


def build_plain_map(board: Board) -> Drawing:
    """Build a map for any board: regions as plates in two columns, as if around a ring, and borders as roads."""
    many = len(board.regions)
    rows = -(-many // 2)
    step = (BOTTOM - TOP) / max(rows, 1)
    size = min(1.0, step / (2.4 * PLATE[1]))
    middles = [
        (MIDDLE + (COLUMN if n < rows else -COLUMN), TOP + step * ((n if n < rows else 2 * rows - 1 - n) + 0.5))
        for n in range(many)
    ]
    shapes = [Shape(_make_plate(middle, size), (middle[0], middle[1] - 21 * size)) for middle in middles]
    roads = [_make_road(middles[a], middles[b], step) for a, b in sorted(board.borders)]
    return Drawing(board, tuple(shapes), roads=tuple(roads))


def _make_road(start: Point, end: Point, step: float) -> Line:
    past = start[0] == end[0] and abs(start[1] - end[1]) > 1.5 * step
    return (start, (MIDDLE, (start[1] + end[1]) / 2), end) if past else (start, end)


def _make_plate(middle: Point, size: float) -> Line:
    radius = size * CORNER
    wide, high = size * PLATE[0] - radius, size * PLATE[1] - radius
    turns = [(quarter, pi / 2 * (quarter + step / 4)) for quarter in range(4) for step in range(5)]
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return tuple(
        (
            middle[0] + wide * signs[quarter][0] + radius * cos(turn),
            middle[1] + high * signs[quarter][1] + radius * sin(turn),
        )
        for quarter, turn in turns
    )


def _format_outline(outline: Line) -> str:
    points = [(round(10 * x), round(10 * y)) for x, y in outline]
    steps = [f"{_format_tenth(c - a)} {_format_tenth(d - b)}" for (a, b), (c, d) in pairwise(points)]
    return f"M{_format_tenth(points[0][0])} {_format_tenth(points[0][1])}l{' '.join(steps).replace(' -', '-')}Z"


@cache
def _format_tenth(number: int) -> str:
    return f"{number / 10:.1f}".removesuffix(".0").replace("0.", ".", 1) if abs(number) < 10 else f"{number / 10:g}"


@frozen
class Scene:
    """A position to be drawn for a seat (None: a spectator), and the turn that led to it."""

    game: Struggle
    shown: Position
    seat: int | None
    names: Sequence[str]
    last: LastTurn | None
    moved: tuple[Transfer, ...] = field(
        default=Factory(
            lambda self: tuple(transfer for transfer in self._list_transfers() if any(transfer.group)), takes_self=True
        ),
        kw_only=True,
    )
    """The followers that the last turn moved; given, they are marked in its place."""
    low: bool = field(default=False, kw_only=True)
    """True if all that is in a region has to fit a lower map too."""

    def _list_transfers(self) -> Iterator[Transfer]:
        for move in self.last.moves if self.last else ():
            match move:
                case Summon(faction, region):
                    yield Transfer(self.board.make_single(faction), region, COURT)
                case Play(_, resolution):
                    yield from list_transfers(resolution)

    @property
    def board(self) -> Board:
        return self.game.board

    @property
    def mover(self) -> str:
        """The player who made the last turn, or whose turn it is if there was none."""
        seat = self.last.seat if self.last else self.shown.to_act
        return "" if seat is None else self.names[seat]

    @property
    def contested(self) -> int | None:
        return None if self.shown.to_act is None else self.shown.contested

    def is_newly_resolved(self, region: int) -> bool:
        events = [event.about for event in self.last.events] if self.last else []
        return any(isinstance(about, ResolvedRegion) and about.region == region for about in events)

    @property
    def exchanged(self) -> tuple[int, int] | None:
        for move in self.last.moves if self.last else ():
            if isinstance(move, Play) and isinstance(exchange := follow_copy(move.resolution), Exchange):
                return exchange.first, exchange.second
        return None

    def count_arrivals(self, target: Where) -> Followers:
        return self._sum_transfers(transfer for transfer in self.moved if transfer.target == target)

    def list_departures(self, origin: Where) -> list[Transfer]:
        return [transfer for transfer in self.moved if transfer.origin == origin]

    def count_gains(self, place: Where) -> Followers:
        """Return the followers that a place gained in the last turn; lost ones count below zero."""
        return subtract_followers(self.count_arrivals(place), self._sum_transfers(self.list_departures(place)))

    def _sum_transfers(self, moved: Iterable[Transfer]) -> Followers:
        total: Followers = (0,) * len(self.board.factions)
        for transfer in moved:
            total = add_followers(total, transfer.group)
        return total


STRIPE, HATCH = 9, 12
"""The width of the stripes where factions tie, and from one line to the next where a region is unstable."""
SOFT = 0.06
"""The share of a stripe over which its colour goes into the next."""
FACTIONS = range(4)
SHEET = {"width": WIDTH, "height": HEIGHT, "rx": 8}
"""The sheet of the map, which nothing of it leaves."""

STYLE: Style = {
    **read_style(__package__, "map"),
    **{f".tint{f}": paint(fill=f"tint{f}") for f in FACTIONS},
    **{f".stop{f}": paint(stop_color=f"tint{f}") for f in FACTIONS},
    **{f".won{f}": paint(fill=f"won{f}") for f in FACTIONS},
    **read_style(__package__, "ways"),
}


def draw_map_ground(scene: Scene) -> tuple[Part, ...]:
    map_ = choose_drawing(scene.board)
    return (
        Part("sea", _draw_sea(map_)),
        Part("roads", _draw_roads(map_)),
        *[Part(f"land-{region.code}", draw_land(scene, index)) for index, region in enumerate(scene.board.regions)],
        draw_contested_outline(scene),
    )


def draw_contested_outline(scene: Scene) -> Part:
    region = scene.contested
    return Part("next", "" if region is None else draw_heavy_outline(scene.board.regions[region].code))


def draw_land(scene: Scene, index: int) -> str:
    """Draw the ground of a region: the leader's tint, stripes of all who tie, the winner's colour, or lines."""
    shown = scene.shown
    return _draw_land(choose_drawing(scene.board), index, shown.discs[index], find_leaders(shown.regions[index]))


def draw_open_land(board: Board, index: int, followers: Followers) -> str:
    return _draw_land(choose_drawing(board), index, OPEN, find_leaders(followers))


@lru_cache(REMEMBERED)
def _draw_land(map_: Drawing, index: int, disc: int, ahead: Followers) -> str:
    board, code = map_.board, map_.board.regions[index].code
    colour, pattern = "", ""
    if disc == UNSTABLE:
        pattern = "unstable"
    elif disc != OPEN:
        colour = f" won{disc}"
    elif len(ahead) > 1:
        pattern = _make_tie_id(board, ahead)
    else:
        colour = f" tint{ahead[0]}" if ahead else " land"
    fill = f"url(#{pattern})" if pattern else None
    return write_element("use", href=f"#shape-{code}", class_=f"border{colour}", fill=fill, data_at=f"region/{code}")


@cache
def _draw_sea(map_: Drawing) -> str:
    lands = [write_element("use", href=f"#shape-{region.code}") for region in map_.board.regions]
    isles = [write_element("use", href="#isles")] if map_.isles else []
    return (
        write_element("rect", **SHEET, class_="sea")
        + write_element("g", "".join(lands + isles), class_="shoal", clip_path="url(#chart)")
        + "".join(write_element("use", href="#isles", class_="isle") for _ in isles)
        + write_element("g", "".join(lands), class_="coast")
    )


@cache
def _draw_roads(map_: Drawing) -> str:
    lines = "".join(["M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in road) for road in map_.roads])
    return write_element("path", d=lines, class_="road") + write_element("path", d=lines, class_="way") if lines else ""


def draw_heavy_outline(code: str) -> str:
    return "".join([write_element("use", href=f"#shape-{code}", class_=class_) for class_ in ("glow", "next")])


@cache
def build_map_shapes(board: Board) -> Mapping[str, str]:
    map_ = choose_drawing(board)
    lands = {f"shape-{region.code}": shape.path for region, shape in zip(board.regions, map_.shapes, strict=True)}
    isles = {"isles": "".join(map(_format_outline, map_.isles))} if map_.isles else {}
    several = range(2, len(board.factions) + 1)
    ties = [ahead for many in several for ahead in combinations(range(len(board.factions)), many)]
    return {
        **{name: write_element("path", d=line, id=name) for name, line in {**lands, **isles}.items()},
        "chart": write_element("clipPath", write_element("rect", **SHEET), id="chart"),
        "unstable": _draw_hatch(),
        **{_make_tie_id(board, ahead): _draw_stripes(board, ahead) for ahead in ties},
    }


def _make_tie_id(board: Board, ahead: Sequence[int]) -> str:
    return f"tie-{''.join(board.factions[faction].letter for faction in ahead)}"


def _draw_stripes(board: Board, ahead: Sequence[int]) -> str:
    """Draw stripes at 45 degrees as a gradient in steps, quicker than a pattern; soft steps make smooth edges."""
    many = len(ahead)
    stops = [
        write_element("stop", offset=f"{(n + end * (1 - SOFT)) / many:.3f}", class_=f"stop{faction}")
        for n, faction in enumerate(ahead)
        for end in (0, 1)
    ]
    stops.append(write_element("stop", offset=1, class_=f"stop{ahead[0]}"))
    length = STRIPE * many * sqrt(0.5)
    ends = {"x1": 0, "y1": 0, "x2": f"{length:.3f}", "y2": f"{length:.3f}"}
    units = {"gradientUnits": "userSpaceOnUse", "spreadMethod": "repeat"}
    return write_element("linearGradient", "".join(stops), id=_make_tie_id(board, ahead), **ends, **units)


def _draw_hatch() -> str:
    line = write_element("path", d="M0 6h12", class_="hatch")
    lines = write_element("rect", width=HATCH, height=HATCH, class_="land") + line
    units = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return write_element("pattern", lines, id="unstable", width=HATCH, height=HATCH, **units)
