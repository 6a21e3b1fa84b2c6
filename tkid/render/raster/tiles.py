"""Pictures composed of tiles: each part is drawn once and remembered, and a picture is its tiles laid on each other.

Drawing a part takes some milliseconds, laying down its tile a tenth of one. A host draws the same regions and cards again
and again, so it knows most tiles. A picture is the same whether its tiles were known or not.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field

from tkid.render.picture import Part, Picture, groups
from tkid.render.png import COLOURS, GROUND, WIDTH, require_png, written
from tkid.render.raster.canvas import Canvas, Tile

if TYPE_CHECKING:
    from PIL.Image import Image

TILE_BYTES, PICTURE_BYTES = 96 << 20, 4 << 20
"""So much is remembered of tiles, enough for games of all rulesets at once, and of whole pictures: several readers get the
same one within a short time."""

T = TypeVar("T")


@define
class Remembered(Generic[T]):
    """Values by what they are made of. When they take too many bytes, those go that were not used for longest."""

    most: int
    size: Callable[[T], int]
    total: int = 0
    _values: OrderedDict[bytes, T] = field(factory=OrderedDict)

    def get(self, key: bytes) -> T | None:
        """The value of a key; None if it is not there."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keep(self, key: bytes, value: T) -> T:
        """Remember a value that is not there yet."""
        self._values[key] = value
        self.total += self.size(value)
        while self.total > self.most:
            self.total -= self.size(self._values.popitem(last=False)[1])
        return value


@define
class Tiles:
    """Draws pictures as PNG, and remembers tiles and pictures."""

    tiles: Remembered[Tile] = field(factory=lambda: Remembered(TILE_BYTES, lambda tile: tile.bytes))
    pictures: Remembered[bytes] = field(factory=lambda: Remembered(PICTURE_BYTES, len))

    def png(self, picture: Picture, *, width: int = WIDTH, colours: int = COLOURS) -> bytes:
        """A picture as PNG, on white, so many pixels wide and in so many colours at most. Raises NoPngError."""
        require_png()
        canvas = Canvas.of(picture, width)
        key = _digest(canvas.key, str(colours), groups(picture.parts))
        known = self.pictures.get(key)
        return known or self.pictures.keep(key, written(self._composed(canvas, picture.parts), colours))

    def image(self, picture: Picture, width: int = WIDTH) -> Image:
        """A picture with all its colours, on white, so many pixels wide. Raises NoPngError."""
        require_png()
        return self._composed(Canvas.of(picture, width), picture.parts)

    def _composed(self, canvas: Canvas, parts: Sequence[Part]) -> Image:
        """The tiles of parts, laid on each other."""
        from PIL import Image  # noqa: PLC0415 - not in every installation

        image, key = Image.new("RGB", (canvas.width, canvas.height), GROUND), _digest(canvas.key)
        for part in parts:
            tile = self._tile(canvas, part, key)
            if tile.image:
                image.paste(tile.image, tile.corner, tile.image)
        return image

    def _tile(self, canvas: Canvas, part: Part, common: bytes) -> Tile:
        """The tile of a part, by what all parts have in common."""
        if not part.svg:
            return Tile()
        key = _digest(common.hex(), groups([part]))
        return self.tiles.get(key) or self.tiles.keep(key, canvas.tile(part))


def _digest(*texts: str) -> bytes:
    """A digest of texts."""
    return sha256("\0".join(texts).encode()).digest()
