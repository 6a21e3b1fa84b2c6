"""Reading a picture back with its style: texts, rectangles and emblems with what lies below them, in both schemes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree as ET

from attrs import frozen

from tests.render.drawn import SVG, parsed
from tkid.render.picture import Picture, Style, wide

Looks = Mapping[str, Mapping[str, str]]
"""The CSS that holds for an element, by scheme."""
SCHEMES = ("light", "dark")
ASCENT, DESCENT = 0.75, 0.2
"""How far letters reach above and below the base line, as parts of the size of the font; figures and capitals not below."""


@frozen
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies within."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def meets(self, other: Box) -> bool:
        """Whether another rectangle overlaps this one."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0 and min(self.bottom, other.bottom) > max(self.top, other.top)

    @property
    def middle(self) -> tuple[float, float]:
        """The point in the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@frozen
class Shape:
    """An element of a picture: its kind, its box, the CSS that holds for it in each scheme, and its text."""

    kind: str
    box: Box
    css: Looks
    classes: frozenset[str]
    words: str = ""

    @property
    def size(self) -> float:
        """The size of its font."""
        return float(self.css["light"]["font-size"].removesuffix("px"))


def shapes(picture: Picture) -> list[Shape]:
    """The texts, rectangles and emblems of a picture as they are drawn, one upon the other."""
    return list(_walk(_Css(picture.style), parsed(picture), 0, 0, {scheme: {} for scheme in SCHEMES}))


class _Css:
    """A style by selector, in the order in which it is declared."""

    def __init__(self, style: Style) -> None:
        self.rules = {
            selector.strip("[]."): tuple(dict(each.split(":", 1) for each in part.split(";") if each) for part in parts)
            for selector, parts in style.items()
        }
        self.order = {name: place for place, name in enumerate(self.rules)}

    def of(self, names: list[str], inherited: Looks) -> Looks:
        """What holds for an element with these classes."""
        found = sorted((name for name in names if name in self.rules), key=self.order.__getitem__)
        usual = {key: value for name in found for key, value in self.rules[name][0].items()}
        other = {key: value for name in found for key, value in self.rules[name][1].items()}
        return {"light": {**inherited["light"], **usual}, "dark": {**inherited["dark"], **usual, **other}}


def _walk(css: _Css, node: ET.Element, dx: float, dy: float, inherited: Looks) -> Iterator[Shape]:
    kind, classes = node.tag.removeprefix(SVG), node.get("class", "").split()
    if kind in {"defs", "style", "title", "desc"}:
        return
    looks = css.of([*(["data-part"] if "data-part" in node.attrib else []), *classes], inherited)
    moved = re.fullmatch(r"translate\((\S+) (\S+)\)", node.get("transform", ""))
    if moved:
        dx, dy = dx + float(moved[1]), dy + float(moved[2])
    x, y = dx + float(node.get("x", 0)), dy + float(node.get("y", 0))
    if kind in {"rect", "use"}:
        box = Box(x, y, x + float(node.get("width", 0)), y + float(node.get("height", 0)))
        yield Shape(kind, box, looks, frozenset(classes))
    if kind == "text":
        plain, words = looks["light"], node.text or ""
        size = float(plain["font-size"].removesuffix("px"))
        room = wide(words, size, bold=plain.get("font-weight") == "700")
        left = x - room * {"middle": 0.5, "end": 1.0}.get(plain.get("text-anchor", ""), 0.0)
        below = 0 if words.isdigit() or words.isupper() else DESCENT
        box = Box(left, y - ASCENT * size, left + room, y + below * size)
        yield Shape(kind, box, looks, frozenset(classes), words)
    for child in node:
        yield from _walk(css, child, dx, dy, looks)


def ground(shape: Shape, drawn: list[Shape]) -> Shape:
    """The rectangle on which a shape lies."""
    below = drawn[: drawn.index(shape)]
    return next(
        each
        for each in reversed(below)
        if each.kind == "rect" and each.css["light"]["fill"] != "none" and each.box.holds(*shape.box.middle)
    )
