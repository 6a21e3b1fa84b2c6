"""Pictures composed of tiles: each part is drawn once and remembered, and a picture is its tiles laid on each other.

Drawing a part takes some milliseconds, laying down its tile a tenth of one. A host draws the same regions and cards again
and again, so it knows most tiles. A picture is the same whether its tiles were known or not.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from math import ceil
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field, frozen

from tkid.render.picture import Part, Picture, css, definitions, groups
from tkid.render.png import COLOURS, GROUND, WIDTH, NoPngError, drawn, no_png, written

if TYPE_CHECKING:
    from PIL.Image import Image

TILE_BYTES, PICTURE_BYTES = 32 << 20, 4 << 20
"""So much is remembered of tiles, and of whole pictures: several readers get the same one within a short time."""
ROUGH = 120
"""So many pixels wide a part is drawn to find out where it is; a canvas of full size takes longer than what is on it."""
AROUND = 6
"""So many of these pixels are left around a part: curves are drawn a little differently when the points that bend them
are not on the canvas."""
CHANNELS, OVERHEAD = 4, 500
"""Bytes of a pixel, and what a tile takes besides, about."""

Edges = tuple[int, int, int, int]
"""Left, top, right and bottom edge of a piece of a canvas, in pixels."""
T = TypeVar("T")


@define
class Remembered(Generic[T]):
    """Values by what they are made of. When they take too many bytes, those go that were not used for longest."""

    most: int
    size: Callable[[T], int]
    total: int = 0
    _values: OrderedDict[bytes, T] = field(factory=OrderedDict)

    def get(self, key: bytes, make: Callable[[], T]) -> T:
        """The value of a key, made if it is not there."""
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        value = self._values[key] = make()
        self.total += self.size(value)
        while self.total > self.most:
            self.total -= self.size(self._values.popitem(last=False)[1])
        return value


@frozen
class Tile:
    """What a part looks like, cut to its edges, and where its upper left corner is; no image if it shows nothing."""

    image: Image | None = None
    corner: tuple[int, int] = (0, 0)

    @property
    def bytes(self) -> int:
        """How much room it takes, about."""
        return OVERHEAD + (CHANNELS * self.image.width * self.image.height if self.image else 0)


@define
class Tiles:
    """Draws pictures as PNG, and remembers tiles and pictures."""

    tiles: Remembered[Tile] = field(factory=lambda: Remembered(TILE_BYTES, lambda tile: tile.bytes))
    pictures: Remembered[bytes] = field(factory=lambda: Remembered(PICTURE_BYTES, len))

    def png(self, picture: Picture, *, width: int = WIDTH, colours: int = COLOURS) -> bytes:
        """A picture as PNG, on white, so many pixels wide and in so many colours at most. Raises NoPngError."""
        canvas = _Canvas.of(picture, width)
        key = _digest(canvas.svg, str(colours), groups(picture.parts))
        return self.pictures.get(key, lambda: written(self._composed(canvas, picture.parts), colours))

    def image(self, picture: Picture, width: int = WIDTH) -> Image:
        """A picture with all its colours, on white, so many pixels wide. Raises NoPngError."""
        return self._composed(_Canvas.of(picture, width), picture.parts)

    def _composed(self, canvas: _Canvas, parts: Sequence[Part]) -> Image:
        """The tiles of parts, laid on each other."""
        if reason := no_png():
            raise NoPngError(reason)
        from PIL import Image  # noqa: PLC0415 - not in every installation

        image = Image.new("RGB", (canvas.width, canvas.height), GROUND)
        for part in filter(lambda part: part.svg, parts):
            tile = self.tiles.get(_digest(canvas.svg, groups([part])), partial(canvas.tile, part))
            if tile.image:
                image.paste(tile.image, tile.corner, tile.image)
        return image


@frozen
class _Canvas:
    """Where the parts of a picture are drawn: its size in pixels, how many of them a unit has, and its upper left corner.

    `common` are the styles and shapes that the parts use. Pixels are not quite square where the height is no whole number of
    them: resvg draws a picture so, too.
    """

    width: int
    height: int
    scale: tuple[float, float]
    corner: tuple[int, int]
    common: str

    @classmethod
    def of(cls, picture: Picture, width: int) -> _Canvas:
        """The canvas of a picture."""
        height = ceil(width * picture.height / picture.width)
        scale = (width / picture.width, height / picture.height)
        common = f"<style>{css(picture.style, dark=False)}</style>{definitions(picture)}"
        return cls(width, height, scale, picture.corner, common)

    @property
    def svg(self) -> str:
        """All that is the same for each part on it."""
        return f"{self.width} {self.scale} {self.corner} {self.common}"

    def tile(self, part: Part) -> Tile:
        """A part drawn: roughly first, to find out where it is, then that piece of the canvas. Raises NoPngError."""
        rough = ROUGH / self.width
        low = ceil(self.height * rough)
        edges = _edges(self._drawn(part, (0, 0), (ROUGH, low), rough))
        if edges is None:
            return Tile()
        left, top = (max(0, int((edge - AROUND) / rough)) for edge in edges[:2])
        right, bottom = (int((edge + AROUND) / rough) for edge in edges[2:])
        piece = (left, top, min(self.width, right), min(self.height, bottom))
        return self._cut(part, piece) or self._cut(part, (0, 0, self.width, self.height)) or Tile()

    def _cut(self, part: Part, piece: Edges) -> Tile | None:
        """A part on a piece of the canvas, cut to its edges; None if it shows nothing or seems to go on outside."""
        left, top, right, bottom = piece
        image = self._drawn(part, (left, top), (right - left, bottom - top))
        edges = _edges(image)
        if edges is None:
            return None
        inner = (edges[0] or not left) and (edges[1] or not top)
        outer = (edges[2] < image.width or right == self.width) and (edges[3] < image.height or bottom == self.height)
        return Tile(image.crop(edges), (left + edges[0], top + edges[1])) if inner and outer else None

    def _drawn(self, part: Part, at: tuple[int, int], size: tuple[int, int], smaller: float = 1) -> Image:
        """A part on a piece of the canvas of some size in pixels, whose corner is at a place; all of it so much smaller."""
        (across, down), (x, y) = self.scale, self.corner
        moved = f"translate({-at[0]} {-at[1]}) scale({across * smaller} {down * smaller}) translate({-x} {-y})"
        ends = f'viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}"'
        drawing = f'{self.common}<g transform="{moved}">{groups([part])}</g>'
        return drawn(f'<svg xmlns="http://www.w3.org/2000/svg" {ends}>{drawing}</svg>', size[0])


def _edges(image: Image) -> Edges | None:
    """Where an image shows anything; None if nowhere."""
    return image.getchannel("A").getbbox()


def _digest(*texts: str) -> bytes:
    """A digest of texts."""
    return sha256("\0".join(texts).encode()).digest()
