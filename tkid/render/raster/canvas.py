"""Draws a part of a picture as a tile: cut to its edges, as it is where the whole picture is drawn at once.

What drawing takes is mostly the size of what is drawn on, so a part is drawn small first, to find out where it is. Each is drawn
alone: what else is on the sheet would move it, and roundings would make other pixels of its edges.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from attrs import frozen

from tkid.render.picture import Part, Picture, css, groups
from tkid.render.png import drawn
from tkid.render.raster.used import used

if TYPE_CHECKING:
    from PIL.Image import Image

ROUGH = 80
"""So many pixels wide a canvas is on which parts are drawn to find out where they are."""
AROUND = 2
"""So many of these pixels are left around a part: curves are drawn a little differently when the points that bend them
are outside what is drawn on."""
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

    Its parts use the styles and shapes of a picture. Pixels are not quite square where the height is no whole number of them:
    resvg draws a picture so, too.
    """

    width: int
    height: int
    scale: tuple[float, float]
    picture: Picture

    @classmethod
    def of(cls, picture: Picture, width: int) -> Canvas:
        """The canvas of a picture."""
        height = ceil(width * picture.height / picture.width)
        scale = (width / picture.width, height / picture.height)
        return cls(width, height, scale, picture)

    @property
    def key(self) -> str:
        """All on which the look of a part depends, besides the part."""
        picture = self.picture
        return f"{self.width} {self.scale} {picture.corner} {css(picture.style, dark=False)} {picture.defs}"

    def tile(self, part: Part) -> Tile:
        """A part drawn: small first, to find out where it is, then that piece of the canvas. Raises NoPngError."""
        smaller = ROUGH / self.width
        edges = _edges(self._drawn(part, (0, 0), (ROUGH, ceil(self.height * smaller)), smaller))
        if edges is None:
            return Tile()
        left, top = (max(0, int((edge - AROUND) / smaller)) for edge in edges[:2])
        right, bottom = (int((edge + AROUND) / smaller) for edge in edges[2:])
        piece = (left, top, min(self.width, right), min(self.height, bottom))
        return self._cut(part, piece) or self._cut(part, (0, 0, self.width, self.height)) or Tile()

    def _cut(self, part: Part, piece: Edges) -> Tile | None:
        """A part on a piece of the canvas, cut to its edges; None if it shows nothing or seems to go on outside."""
        left, top, right, bottom = piece
        image = self._drawn(part, (left, top), (right - left, bottom - top))
        edges = _edges(image)
        if edges is None:
            return None
        begins = (edges[0] or not left) and (edges[1] or not top)
        ends = (edges[2] < image.width or right == self.width) and (edges[3] < image.height or bottom == self.height)
        return Tile(image.crop(edges), (left + edges[0], top + edges[1])) if begins and ends else None

    def _drawn(self, part: Part, at: Place, size: Place, smaller: float = 1) -> Image:
        """A part on a piece of the canvas: its corner, its size, and by how much all is smaller. Raises NoPngError."""
        (across, down), (x, y), svg = self.scale, self.picture.corner, groups([part])
        moved = f"translate({-at[0]} {-at[1]}) scale({across * smaller} {down * smaller}) translate({-x} {-y})"
        ends = f'viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}"'
        shown = f'{used(self.picture, svg)}<g transform="{moved}">{svg}</g>'
        return drawn(f'<svg xmlns="http://www.w3.org/2000/svg" {ends}>{shown}</svg>', size[0])


def _edges(image: Image) -> Edges | None:
    """Where an image shows anything; None if nowhere."""
    return image.getchannel("A").getbbox()
