"""Draws parts of a picture as tiles: each cut to its edges, as it is where the whole picture is drawn at once.

What drawing takes is mostly the size of what is drawn on, so parts are drawn small first, to find out where they are, and then
together on one sheet without the empty space between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import TYPE_CHECKING

from attrs import frozen

from tkid.render.picture import Part, Picture, css, definitions, groups
from tkid.render.png import drawn

if TYPE_CHECKING:
    from PIL.Image import Image

ROUGH = 80
"""So many pixels wide a canvas is on which parts are drawn to find out where they are."""
AROUND = 2
"""So many of these pixels are left around a part: curves are drawn a little differently when the points that bend them
are not on the sheet."""
CHANNELS, OVERHEAD = 4, 500
"""Bytes of a pixel, and what a tile takes besides, about."""

Edges = tuple[int, int, int, int]
"""Left, top, right and bottom edge of a piece of a canvas, in pixels."""
Place = tuple[int, int]
"""So many pixels from the left and from the top."""


@frozen
class Tile:
    """What a part looks like, cut to its edges, and where its upper left corner is; no image if it shows nothing."""

    image: Image | None = None
    corner: Place = (0, 0)

    @property
    def bytes(self) -> int:
        """How much room it takes, about."""
        return OVERHEAD + (CHANNELS * self.image.width * self.image.height if self.image else 0)


@frozen
class Canvas:
    """Where the parts of a picture are drawn: its size in pixels, how many of them a unit has, and its upper left corner.

    `common` are the styles and shapes that the parts use. Pixels are not quite square where the height is no whole number of
    them: resvg draws a picture so, too.
    """

    width: int
    height: int
    scale: tuple[float, float]
    corner: Place
    common: str

    @classmethod
    def of(cls, picture: Picture, width: int) -> Canvas:
        """The canvas of a picture."""
        height = ceil(width * picture.height / picture.width)
        scale = (width / picture.width, height / picture.height)
        common = f"<style>{css(picture.style, dark=False)}</style>{definitions(picture)}"
        return cls(width, height, scale, picture.corner, common)

    @property
    def key(self) -> str:
        """All on which the look of a part depends, besides the part."""
        return f"{self.width} {self.scale} {self.corner} {self.common}"

    def tiles(self, parts: Sequence[Part]) -> list[Tile]:
        """Parts drawn. Raises NoPngError."""
        found = list(zip(parts, self._pieces(parts), strict=True)) if parts else []
        inside = [(part, piece) for part, piece in found if piece and self._is_inside(piece)]
        tiles = dict(zip(inside, self._sheet(inside), strict=True))
        return [tiles.get((part, piece)) or self._alone(part, piece) if piece else Tile() for part, piece in found]

    def _pieces(self, parts: Sequence[Part]) -> list[Edges | None]:
        """The piece of the canvas that each part is on, with some room around it; None where it shows nothing."""
        smaller = ROUGH / self.width
        height = ceil(self.height * smaller)
        tops = range(0, height * len(parts), height)
        rough = self._drawn(zip(parts, ((0, top) for top in tops), strict=True), (ROUGH, tops.stop), smaller)
        return [self._around(_edges(rough.crop((0, top, ROUGH, top + height))), smaller) for top in tops]

    def _around(self, edges: Edges | None, smaller: float) -> Edges | None:
        """The piece of the canvas around what was found on a smaller one."""
        if edges is None:
            return None
        left, top = (max(0, int((edge - AROUND) / smaller)) for edge in edges[:2])
        right, bottom = (int((edge + AROUND) / smaller) for edge in edges[2:])
        return left, top, min(self.width, right), min(self.height, bottom)

    def _is_inside(self, piece: Edges) -> bool:
        """Whether nothing of a part on this piece can be outside the canvas, where it would lie on other tiles of a sheet."""
        return piece[0] > 0 and piece[1] > 0 and piece[2] < self.width and piece[3] < self.height

    def _sheet(self, pieces: Sequence[tuple[Part, Edges]]) -> list[Tile | None]:
        """Parts drawn together, each on its piece; None for one that seems to go on outside."""
        if not pieces:
            return []
        places, size = _packed([(right - left, bottom - top) for _, (left, top, right, bottom) in pieces], self.width)
        moved = [(x - left, y - top) for (x, y), (_, (left, top, _, _)) in zip(places, pieces, strict=True)]
        sheet = self._drawn(zip((part for part, _ in pieces), moved, strict=True), size)
        return [
            self._cut(sheet.crop((left + x, top + y, right + x, bottom + y)), (left, top, right, bottom))
            for (x, y), (_, (left, top, right, bottom)) in zip(moved, pieces, strict=True)
        ]

    def _alone(self, part: Part, piece: Edges) -> Tile:
        """A part drawn on a piece of the canvas, or on all of it where it goes on outside."""
        whole = (0, 0, self.width, self.height)
        for left, top, right, bottom in (piece, whole):
            image = self._drawn([(part, (-left, -top))], (right - left, bottom - top))
            if tile := self._cut(image, (left, top, right, bottom)):
                return tile
        return Tile()

    def _cut(self, image: Image, piece: Edges) -> Tile | None:
        """A part that was drawn on a piece, cut to its edges; None if it shows nothing or seems to go on outside."""
        left, top, right, bottom = piece
        edges = _edges(image)
        if edges is None:
            return None
        begins = (edges[0] or not left) and (edges[1] or not top)
        ends = (edges[2] < image.width or right == self.width) and (edges[3] < image.height or bottom == self.height)
        return Tile(image.crop(edges), (left + edges[0], top + edges[1])) if begins and ends else None

    def _drawn(self, parts: Iterable[tuple[Part, Place]], size: Place, smaller: float = 1) -> Image:
        """Parts on something of a size, each with the canvas moved to a place, and so much smaller. Raises NoPngError."""
        (across, down), (x, y) = self.scale, self.corner
        scaled = f"scale({across * smaller} {down * smaller}) translate({-x} {-y})"
        shown = "".join(
            f'<g transform="translate({left} {top}) {scaled}">{groups([part])}</g>' for part, (left, top) in parts
        )
        ends = f'viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}"'
        return drawn(f'<svg xmlns="http://www.w3.org/2000/svg" {ends}>{self.common}{shown}</svg>', size[0])


def _packed(sizes: Sequence[Place], room: int) -> tuple[list[Place], Place]:
    """Places for pieces of some sizes in rows, the high ones first, and the size of all of it."""
    places: dict[int, Place] = {}
    x = y = row = widest = 0
    for at in sorted(range(len(sizes)), key=lambda at: -sizes[at][1]):
        width, height = sizes[at]
        if x and x + width > room:
            x, y, row = 0, y + row, 0
        places[at] = (x, y)
        x, row = x + width, max(row, height)
        widest = max(widest, x)
    return [places[at] for at in range(len(sizes))], (widest, y + row)


def _edges(image: Image) -> Edges | None:
    """Where an image shows anything; None if nowhere."""
    return image.getchannel("A").getbbox()
