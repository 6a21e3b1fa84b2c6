"""Reading a picture back: what can be clicked, and its shapes with their room and their style in both schemes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from xml.etree import ElementTree as ET

from attrs import evolve, frozen

from tkid.render.picture import Picture, Style, document, wide

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Looks = Mapping[str, Mapping[str, str]]
"""The CSS of an element, by scheme."""
SCHEMES = ("light", "dark")
ASCENT, DESCENT = 0.75, 0.2
"""How far letters reach above and below the base line, in sizes of the font; figures and capitals do not reach below."""
PIECE = 8
"""Half the room of a piece that is moved to its place."""


@frozen
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def overlaps(self, other: Box, by: float = 0) -> bool:
        """Whether two rectangles overlap, by more than a sliver."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > by
            and min(self.bottom, other.bottom) - max(self.top, other.top) > by
        )

    @property
    def middle(self) -> Point:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@frozen
class Shape:
    """An element of a picture: the part it is in, its kind (`g`: a piece that was moved), its box, style and text or key."""

    part: str
    kind: str
    box: Box
    css: Looks
    classes: frozenset[str]
    words: str = ""

    @property
    def size(self) -> float:
        """The size of its font."""
        return float(self.css["light"]["font-size"].removesuffix("px"))

    @property
    def room(self) -> Box:
        """Its box, with room below the base line for any text."""
        above = self.kind == "text" and _stays_above(self.words)
        return evolve(self.box, bottom=self.box.bottom + DESCENT * self.size) if above else self.box


def parsed(picture: Picture) -> ET.Element:
    """A picture's document, which has to be well-formed."""
    return ET.fromstring(document(picture))  # noqa: S314 - written by ourselves


def keys(root: ET.Element) -> list[str]:
    """The keys of everything that can be clicked, in the order of drawing."""
    return [each.attrib["data-at"] for each in root.iter() if "data-at" in each.attrib]


def texts(root: ET.Element) -> list[str]:
    """Every piece of text."""
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def outline(root: ET.Element, code: str) -> list[Point]:
    """The corners of a region as it is drawn."""
    region = next(each for each in root.iter(f"{SVG}path") if each.get("data-at") == f"region/{code}")
    numbers = list(map(float, re.findall(r"-?\d+\.?\d*", region.attrib["d"])))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def shapes(picture: Picture) -> list[Shape]:
    """The texts, rectangles, emblems and moved pieces of a picture, in the order of drawing."""
    return list(_shapes(_Css(picture.style), parsed(picture), "", (0, 0), {scheme: {} for scheme in SCHEMES}))


def ground(shape: Shape, drawn: list[Shape]) -> Shape:
    """The rectangle below a shape."""
    below = drawn[: drawn.index(shape)]
    return next(
        each
        for each in reversed(below)
        if each.kind == "rect" and each.css["light"]["fill"] != "none" and each.box.holds(*shape.box.middle)
    )


class _Css:
    """A style by class, in the order in which it is declared."""

    def __init__(self, style: Style) -> None:
        self.rules = [
            (selector.strip("[]."), _declared(usual), _declared(dark))
            for selectors, (usual, dark) in style.items()
            for selector in selectors.split(",")
        ]

    def of(self, element: ET.Element, inherited: Looks) -> Looks:
        """The style of an element; its own attributes are weaker than its classes."""
        names = {*element.get("class", "").split(), *(["data-part"] if "data-part" in element.attrib else [])}
        usual = {name: value for name, value in element.attrib.items() if name in {"font-size", "text-anchor"}}
        other: dict[str, str] = {}
        for selector, always, dark in self.rules:
            if selector in names:
                usual |= always
                other |= dark
        return {"light": {**inherited["light"], **usual}, "dark": {**inherited["dark"], **usual, **other}}


def _declared(css: str) -> dict[str, str]:
    return dict(each.split(":", 1) for each in css.split(";") if each)


def _shapes(css: _Css, node: ET.Element, part: str, corner: Point, inherited: Looks) -> Iterator[Shape]:
    kind, part = node.tag.removeprefix(SVG), node.get("data-part", part)
    if kind in {"defs", "style", "title", "desc"}:
        return
    looks, (dx, dy) = css.of(node, inherited), corner
    box, words = None, node.get("data-at", "")
    if moved := re.fullmatch(r"translate\((\S+) (\S+)\)", node.get("transform", "")):
        dx, dy = dx + float(moved[1]), dy + float(moved[2])
        box = Box(dx - PIECE, dy - PIECE, dx + PIECE, dy + PIECE)
    x, y = dx + float(node.get("x", 0)), dy + float(node.get("y", 0))
    if kind in {"rect", "use"}:
        box = Box(x, y, x + float(node.get("width", 0)), y + float(node.get("height", 0)))
    if kind == "text":
        plain, words = looks["light"], node.text or ""
        size = float(plain["font-size"].removesuffix("px"))
        room = wide(words, size, bold=plain.get("font-weight") == "700")
        left = x - room * {"middle": 0.5, "end": 1.0}.get(plain.get("text-anchor", ""), 0.0)
        box = Box(left, y - ASCENT * size, left + room, y + (0 if _stays_above(words) else DESCENT * size))
    if box:
        yield Shape(part, kind, box, looks, frozenset(node.get("class", "").split()), words)
    for child in node:
        yield from _shapes(css, child, part, (dx, dy), looks)


def _stays_above(words: str) -> bool:
    return words.isdigit() or words.isupper()


# -- lines ------------------------------------------------------------------------------------------------


def shared(one: list[Point], other: list[Point]) -> float:
    """How long two outlines run together: the length of the one's edges whose middle lies on the other."""
    edges = list(pairwise([*one, one[0]]))
    others = list(pairwise([*other, other[0]]))
    return sum(_length(a, b) for a, b in edges if any(_apart(_middle(a, b), c, d) < 0.3 for c, d in others))


def inside(point: Point, ring: list[Point]) -> bool:
    """Whether a point lies within an outline."""
    (x, y), within = point, False
    for (a, b), (c, d) in pairwise([*ring, ring[0]]):
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            within = not within
    return within


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _length(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _apart(point: Point, a: Point, b: Point) -> float:
    """How far a point is from a stretch of a line."""
    along = _length(a, b)
    if along == 0:
        return _length(point, a)
    share = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / along**2
    share = min(1.0, max(0.0, share))
    return _length(point, (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
