"""The arrows of the last turn: one line for followers that went from region to region, with two heads for a swap.

Support, Assemble and followers that went to a court have no line; rings and ghosts show them. So it is where no line has room.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tkid.games.struggle.render.picture.layout import TALLIES
from tkid.games.struggle.render.picture.outlines import Line, Point, drawing
from tkid.games.struggle.render.picture.packing import Packed, packed
from tkid.games.struggle.render.picture.routes.ground import STOP, head
from tkid.games.struggle.render.picture.routes.route import Route, routes
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.transfers import Transfer
from tkid.render.palette import paint
from tkid.render.picture import Box, Part, Style, element

STYLE: Style = {
    ".halo": paint("fill:none;stroke-width:5.5;stroke-linejoin:round;opacity:.85", stroke="paper"),
    ".arrow": paint("fill:none;stroke-width:2.2", stroke="last"),
    ".tip": paint(fill="last"),
}
UNDER_HEAD = STOP + 6
"""A line ends so far from the middle of a piece, under its head."""


def arrows(scene: Scene) -> Part:
    """The lines of the last turn on the map."""
    return Part("arrows", "".join(_arrow(scene, *each) for each in _journeys(scene)))


def _journeys(scene: Scene) -> Iterator[tuple[Transfer, Transfer | None]]:
    """The followers that went from region to region, and those that came the other way for them."""
    between = [transfer for transfer in scene.moved if transfer.between_regions]
    while between:
        there = between.pop(0)
        back = next((each for each in between if each.ends == there.ends[::-1]), None)
        if back:
            between.remove(back)
        yield there, back


def _arrow(scene: Scene, there: Transfer, back: Transfer | None) -> str:
    """The line for followers that went from region to region, and for those that came back; "" where there is no room."""
    places = [packed(scene, index) for index in range(len(scene.board.regions))]
    origin, target = places[there.origin], places[there.target]
    starts = _arrivals(origin, back.group) if back else _tail(origin, there.group)
    ends = _arrivals(target, there.group)
    if not starts or not ends:
        return ""
    boxes = tuple(box for each in places for box in _boxes(each)) + TALLIES
    contested = scene.shown.contested
    avoid = () if contested in {None, *there.ends} else drawing(scene.board).shapes[contested or 0].outline
    return drawn(routes(starts, ends, boxes, avoid), both=back is not None)


def _arrivals(places: Packed, group: Followers) -> Line:
    """Where followers are that came to a region; of those that left it at once, their ghosts."""
    came = [
        point for faction, n in enumerate(group) if n for point in places.places("follower", faction, came=True)[-n:]
    ]
    gone = [point for faction, n in enumerate(group) if n for point in places.places("ghost", faction)[-1:]]
    return tuple(came or gone[-1:])


def _tail(places: Packed, group: Followers) -> Line:
    """Where followers were that left a region; in a crowd without ghosts, next to whom."""
    return tuple(_ghosts(places, group)) or tuple((piece.x, piece.y) for piece in places.pieces[-1:])


def _ghosts(places: Packed, group: Followers) -> list[Point]:
    return [point for faction, n in enumerate(group) for point in places.places("ghost", faction)[:n]]


@lru_cache(1024)
def _boxes(places: Packed) -> tuple[Box, ...]:
    """What an arrow goes round in a region; what is written beside a piece is a box of its own."""
    whole = places.boxes[: len(places.boxes) - len(places.pieces)]
    pieces = []
    for piece in places.pieces:
        box, right = piece.box, piece.x + piece.reach
        pieces.append(Box(box.left, box.top, right, box.bottom))
        if piece.words:
            pieces.append(Box(right, piece.y - 7, box.right, piece.y + 7))
    return (*whole, *pieces)


@lru_cache(1024)
def drawn(lines: tuple[Route, ...], *, both: bool) -> str:
    """Lines with heads at their ends, or with heads at `both` ends, over a halo."""
    if not lines:
        return ""
    path = "".join(line.path(before=UNDER_HEAD if both else STOP, after=UNDER_HEAD) for line in lines)
    ends = [(line.corners[-2], line.corners[-1]) for line in lines]
    starts = [(line.corners[1], line.corners[0]) for line in lines if both]
    tips = "".join(_triangle(head(*end)) for end in dict.fromkeys([*ends, *starts]))
    return (
        element("path", d=path + tips, class_="halo")
        + element("path", d=path, class_="arrow")
        + element("path", d=tips, class_="tip")
    )


def _triangle(corners: Line) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"
