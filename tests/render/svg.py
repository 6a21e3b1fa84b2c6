"""Reading a picture back: what can be clicked, and its shapes with their room and their style in both schemes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

from attrs import evolve, frozen

from tkid.render import picture
from tkid.render.picture import Picture, Style, measure_text, write_svg_document

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Looks = Mapping[str, Mapping[str, str]]
"""The CSS of an element, by scheme."""
SCHEMES = ("light", "dark")
ASCENT, DESCENT = 0.75, 0.2
"""How far letters reach above and below the base line, in sizes of the font; figures and capitals do not reach below."""
PIECE = 8
"""Half the room of a piece that is moved to its place."""
LEAST = 10
"""The smallest letters of words on a phone, in px."""
LANDS = ("shape-", "isles")
"""How the ids of land begin."""
TRANSFORM = re.compile(r"(translate|scale)\(([^)]*)\)")
COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


@frozen
class Box(picture.Box):
    """A rectangle."""

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
    """An element of a picture: the part it is in, its kind, its box, style, and text or key.

    A piece is of the kind `g`, whether it is moved to its place or defined and used there; land that is used is `land`.
    """

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
    return ET.fromstring(write_svg_document(picture))  # noqa: S314 - written by ourselves


def keys(root: ET.Element) -> list[str]:
    """The keys of everything that can be clicked, in the order of drawing."""
    return [each.attrib["data-at"] for each in root.iter() if "data-at" in each.attrib]


def texts(root: ET.Element) -> list[str]:
    """Every piece of text."""
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def outline(root: ET.Element, code: str) -> list[Point]:
    """The corners of a region as it is drawn."""
    defined = _defined(root)
    return next(
        [move(*point) for point in path_points(defined.get(_href(node), node).attrib["d"])]
        for node, move in _placed(root, _Move())
        if node.get("data-at") == f"region/{code}"
    )


def shapes(picture: Picture) -> list[Shape]:
    """The texts, rectangles, circles, emblems, pieces and lands of a picture, in the order of drawing."""
    root = parsed(picture)
    reader = _Reader(_Css(picture.style), _defined(root))
    return list(reader.shapes(root, "", _Move(), {scheme: {} for scheme in SCHEMES}))


def list_small(shown: Picture) -> list[str]:
    """The words and numbers smaller than 10 px on a page of 390 px with margins of 8; letters on pieces and cards may be."""
    scale = min(1, (390 - 2 * 8) / shown.width)
    read = [each for each in shapes(shown) if each.kind == "text" and not re.fullmatch("[A-Z]", each.words)]
    return [f"{each.words}: {each.size * scale:.1f}" for each in read if each.size * scale < LEAST]


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


@frozen
class _Move:
    """Where a point of an element is in the picture."""

    dx: float = 0
    dy: float = 0
    scale: float = 1

    def __call__(self, x: float, y: float) -> Point:
        return self.dx + self.scale * x, self.dy + self.scale * y

    def within(self, node: ET.Element) -> _Move:
        """The same for the elements within one."""
        move = self
        for name, numbers in TRANSFORM.findall(node.get("transform", "")):
            first, second = (list(map(float, numbers.replace(",", " ").split())) * 2)[:2]
            move = (
                _Move(*move(first, second), move.scale)
                if name == "translate"
                else evolve(move, scale=move.scale * first)
            )
        if node.tag == f"{SVG}use" and "width" not in node.attrib:
            move = _Move(*move(float(node.get("x", 0)), float(node.get("y", 0))), move.scale)
        return move

    def box(self, corners: Sequence[Point], stroke: float = 0) -> Box:
        """The rectangle around points, with half of the line that is drawn through them."""
        placed, edge = [self(*corner) for corner in corners], stroke * self.scale / 2
        xs, ys = [x for x, _ in placed], [y for _, y in placed]
        return Box(min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge)


@frozen
class _Reader:
    """Reads the shapes of a document."""

    css: _Css
    defined: Mapping[str, ET.Element]

    def shapes(self, node: ET.Element, part: str, outer: _Move, inherited: Looks) -> Iterator[Shape]:
        """The shapes of an element and of those within it."""
        kind, part = node.tag.removeprefix(SVG), node.get("data-part", part)
        if kind in {"defs", "style", "title", "desc"}:
            return
        looks, move = self.css.of(node, inherited), outer.within(node)
        kind, box = self.room(node, kind, move, looks)
        if box:
            words = node.text or "" if kind == "text" else node.get("data-at", "")
            looks = (
                {scheme: {**css, "font-size": _px(css, move)} for scheme, css in looks.items()}
                if kind == "text"
                else looks
            )
            yield Shape(part, kind, box, looks, frozenset(node.get("class", "").split()), words)
        for child in node:
            yield from self.shapes(child, part, move, looks)

    def room(self, node: ET.Element, kind: str, move: _Move, looks: Looks) -> tuple[str, Box | None]:
        """The kind of an element, and its rectangle; None if it has none of its own."""
        number = {name: float(node.get(name, 0)) for name in ("x", "y", "width", "height", "cx", "cy", "r")}
        stroke = float(looks["light"].get("stroke-width", 0)) if "stroke" in looks["light"] else 0
        if kind == "use" and "width" not in node.attrib:
            name = _href(node)
            return "land" if name.startswith(LANDS) else "g", self.used(self.defined[name], move, looks)
        if kind in {"rect", "use"}:
            x, y = number["x"], number["y"]
            return kind, move.box([(x, y), (x + number["width"], y + number["height"])])
        if kind == "circle":
            x, y, r = number["cx"], number["cy"], number["r"]
            return kind, move.box([(x - r, y - r), (x + r, y + r)], stroke)
        if kind == "text":
            return kind, _line_of_text(node, move, looks)
        if (
            kind == "g"
            and "transform" in node.attrib
            and "data-part" not in node.attrib
            and "scale" not in node.attrib["transform"]
        ):
            return kind, Box(move.dx - PIECE, move.dy - PIECE, move.dx + PIECE, move.dy + PIECE)
        return kind, None

    def used(self, node: ET.Element, move: _Move, inherited: Looks) -> Box | None:
        """The rectangle around what is defined, where it is used."""
        looks, move = self.css.of(node, inherited), move.within(node)
        if node.tag == f"{SVG}path":
            stroke = float(looks["light"].get("stroke-width", 0)) if "stroke" in looks["light"] else 0
            return move.box(path_points(node.attrib["d"]), stroke)
        if node.tag != f"{SVG}g":
            return self.room(node, node.tag.removeprefix(SVG), move, looks)[1]
        boxes = [box for child in node if (box := self.used(child, move, looks))]
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )


def _placed(node: ET.Element, outer: _Move) -> Iterator[tuple[ET.Element, _Move]]:
    """An element and those within it, with where they are."""
    move = outer.within(node)
    yield node, move
    for child in node:
        yield from _placed(child, move)


def _defined(root: ET.Element) -> dict[str, ET.Element]:
    return {node.attrib["id"]: node for defs in root.iter(f"{SVG}defs") for node in defs}


def _href(node: ET.Element) -> str:
    return node.get("href", "").removeprefix("#")


def _px(css: Mapping[str, str], move: _Move) -> str:
    return f"{float(css['font-size'].removesuffix('px')) * move.scale:g}px"


def _line_of_text(node: ET.Element, move: _Move, looks: Looks) -> Box:
    plain, words = looks["light"], node.text or ""
    size, (x, y) = float(plain["font-size"].removesuffix("px")), (float(node.get("x", 0)), float(node.get("y", 0)))
    room = measure_text(words, size, bold=plain.get("font-weight") == "700")
    left = x - room * {"middle": 0.5, "end": 1.0}.get(plain.get("text-anchor", ""), 0.0)
    return move.box([(left, y - ASCENT * size), (left + room, y + (0 if _stays_above(words) else DESCENT * size))])


def _stays_above(words: str) -> bool:
    return words.isdigit() or words.isupper()


# -- lines ------------------------------------------------------------------------------------------------


def shared(one: list[Point], other: list[Point]) -> float:
    """How long two outlines run together, in edges that both have, to a tenth of a unit."""
    common = _edges(one).keys() & _edges(other).keys()
    return sum(_edges(one)[edge] for edge in common)


def _edges(ring: list[Point]) -> dict[frozenset[Point], float]:
    """The edges of an outline with their lengths."""
    corners = [(round(x, 1), round(y, 1)) for x, y in ring]
    return {frozenset((a, b)): _length(a, b) for a, b in pairwise([*corners, corners[0]])}


def distance(point: Point, ring: list[Point]) -> float:
    """How far a point is from an outline."""
    return min(_apart(point, a, b) for a, b in pairwise([*ring, ring[0]]))


def path_points(data: str) -> list[Point]:
    """The corners of a path of straight lines."""
    x, y, found = 0.0, 0.0, list[Point]()
    for command, numbers in COMMAND.findall(data):
        values, relative = list(map(float, NUMBER.findall(numbers))), command.islower()
        pairs = list(zip(values[::2], values[1::2], strict=False))
        if command in "Hh":
            pairs = [(value, 0.0 if relative else y) for value in values]
        elif command in "Vv":
            pairs = [(0.0 if relative else x, value) for value in values]
        for dx, dy in pairs:
            x, y = (x + dx, y + dy) if relative else (dx, dy)
            found.append((x, y))
    return found


def inside(point: Point, ring: list[Point]) -> bool:
    """Whether a point lies within an outline."""
    (x, y), within = point, False
    for (a, b), (c, d) in pairwise([*ring, ring[0]]):
        if (b > y) != (d > y) and x < (c - a) * (y - b) / (d - b) + a:
            within = not within
    return within


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
