"""Reading a picture back: its elements with where they stand, for tests that ask what somebody would see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

from attrs import frozen

from tkid.render.picture import Picture, document, wide

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
SIZES = {"h": 15.0, "n": 12.5, "up-name": 10.5, "down-name": 10.5, "s": 10.0}
"""The sizes of text by class; all other text has 11 units or says its own."""


@frozen
class Box:
    """A piece of text or a follower: the part it is in, what it says, and the room it takes."""

    part: str
    says: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box, by: float = 0.5) -> bool:
        """Whether two boxes have more than a sliver in common."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > by
            and min(self.bottom, other.bottom) - max(self.top, other.top) > by
        )


def parsed(picture: Picture) -> ET.Element:
    """A picture's document, which has to be well-formed."""
    return ET.fromstring(document(picture))  # noqa: S314 - written by ourselves


def at(root: ET.Element) -> list[str]:
    """Everything that may be pointed at, in the order of drawing."""
    return [each.attrib["data-at"] for each in root.iter() if "data-at" in each.attrib]


def texts(root: ET.Element) -> list[str]:
    """Every piece of text."""
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def outline(root: ET.Element, code: str) -> list[Point]:
    """The corners of a region as it is drawn."""
    region = next(each for each in root.iter(f"{SVG}path") if each.get("data-at") == f"region/{code}")
    numbers = list(map(float, re.findall(r"-?\d+\.?\d*", region.attrib["d"])))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def boxes(root: ET.Element) -> Iterator[Box]:
    """The words and the followers of a picture; a follower's letter is no word of its own."""
    for part in root.iter(f"{SVG}g"):
        if "data-part" in part.attrib:
            yield from _boxes(part, part.attrib["data-part"])


def _boxes(element: ET.Element, part: str) -> Iterator[Box]:
    for each in element:
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)", each.get("transform", ""))
        if moved:
            x, y = float(moved[1]), float(moved[2])
            yield Box(part, each.get("data-at", "follower"), x - 8, y - 8, x + 8, y + 8)
        elif each.tag == f"{SVG}text":
            yield from _text(each, part)
        else:
            yield from _boxes(each, part)


def _text(element: ET.Element, part: str) -> Iterator[Box]:
    words, classes = element.text or "", element.get("class", "").split()
    size = float(element.get("font-size", 0)) or next((SIZES[name] for name in classes if name in SIZES), 11.0)
    if len(words) < 2:
        return
    x, y = float(element.attrib["x"]), float(element.attrib["y"])
    room = wide(words, size, bold=bool({"h", "n", "b", "up-name"} & set(classes)))
    left = x - room * {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", ""), 0.0)
    yield Box(part, words, left, y - 0.75 * size, left + room, y + 0.2 * size)


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
