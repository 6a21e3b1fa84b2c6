"""Draw pictures as pixels: PNG, GIF, and the cards that links show.

`draw_png` draws one picture as a whole. `Tiles` is for many: a host draws the same regions and cards again and again, so it
draws each part once and remembers its tile. Laying down a tile takes a tenth of a millisecond, drawing it some milliseconds.
The pixels are the same whether a tile was remembered or not.

A part is first drawn small, to find out where it is, since the time depends mostly on the size of the sheet. Each is drawn
alone, because other parts on the sheet would move it, and rounding would change the pixels at its edges.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from attrs import define, field, frozen

from tkid.kernel.pickling import PortableError
from tkid.kernel.values import derive
from tkid.notation.names import list_names
from tkid.record.play.replay import Replay, find_shown_position
from tkid.record.play.views import hide_secrets
from tkid.render.frames import draw_pictures, picture_at
from tkid.render.picture import (
    SANS,
    Part,
    Picture,
    Style,
    balance_lines,
    paint,
    truncate_to_room,
    write_css,
    write_element,
    write_groups,
    write_svg_document,
    write_text_element,
)
from tkid.render.plugin import find_render_plugin

if TYPE_CHECKING:
    from PIL.Image import Image

PNG_WIDTH = 640
"""Pixels; a picture has 480 units. A wider PNG would be sharper on some screens, but slow to make."""
PNG_COLOURS = 64
"""Enough for flat colours and the steps between them; with all colours of smooth edges a file is three times as large."""
NEEDED = {"resvg_py": "resvg-py", "PIL": "pillow"}
EFFORT = 4
"""Level of compression, of 9: a higher one takes twice as long for a twelfth less."""
GROUND = "#fff"
FAMILY = "DejaVu Sans"
FONTS = Path(__file__).parent / "fonts"
FILES = [str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


class NoPngError(PortableError, RuntimeError):
    """A picture cannot be drawn as PNG: why, and what to install."""


def draw_png(picture: Picture, *, width: int = PNG_WIDTH, colours: int = PNG_COLOURS) -> bytes:
    """Draw a picture as PNG, on white. `width` is in pixels, and `colours` is the most that it may have. Raises NoPngError."""
    image = draw_svg(write_svg_document(picture, dark=False), width, background=GROUND)
    return encode_png(image.convert("RGB"), colours)


def draw_svg(svg: str, width: int, *, background: str | None = None) -> Image:
    """Draw an SVG document as an image with all its colours, with this width in pixels. Raises NoPngError."""
    require_png()
    from PIL import Image  # noqa: PLC0415 - not in every installation
    from resvg_py import svg_to_bytes  # noqa: PLC0415

    try:
        data = svg_to_bytes(
            svg_string=svg,
            width=width,
            background=background,
            skip_system_fonts=True,
            font_files=FILES,
            font_family=FAMILY,
            serif_family=FAMILY,
            sans_serif_family=FAMILY,
            monospace_family=FAMILY,
        )
    except ValueError as error:
        raise NoPngError(f"The picture cannot be drawn: {error}") from error
    with Image.open(BytesIO(data)) as image:
        image.load()
        return image


def encode_png(image: Image, colours: int = PNG_COLOURS) -> bytes:
    """Write an image as PNG, with at most this number of colours."""
    from PIL import Image  # noqa: PLC0415 - not in every installation

    file = BytesIO()
    few = image.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "PNG", compress_level=EFFORT)
    return file.getvalue()


def require_png() -> None:
    """Raise NoPngError if the libraries that draw are missing."""
    if reason := explain_missing_png():
        raise NoPngError(reason)


def explain_missing_png() -> str:
    """Explain why no PNG can be made here, and what to install; "" if nothing is missing."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if not missing:
        return ""
    are = f"{missing[0]} is" if len(missing) == 1 else f"{' and '.join(missing)} are"
    install = "run pip install '.[pictures]' in a copy of the source"
    return f"Pictures cannot be drawn as PNG, as {are} not installed here: {install}"


COVER_WIDTH, COVER_HEIGHT = 1200, 630
COVER_COLOURS = 128
"""In its PNG: enough for large letters and a map, in less than 60 kB."""
MARGIN = 56
TITLE, HEADLINE, FORECAST, FOOT = 28, 50, 30, 24
"""The sizes of its letters: programs show a card a third as wide."""
MAP_WIDTH = 600
"""The most room for the map or the table, at the right edge."""
BOLD = 1.1
"""Width of bold letters relative to normal ones."""
TOP, AFTER, LINE = 84, 22, 1.25
"""The first base line, the space after a paragraph, and from one line to the next, in sizes of its letters."""
STYLE: Style = {
    ".cover": paint(f"font-family:{SANS}", fill="ink"),
    ".cover-paper": paint(fill="paper"),
    ".cover-dim": paint(f"font-family:{SANS}", fill="dim"),
}


def draw_cover(replay: Replay, index: int = -1) -> Picture:
    known = hide_secrets(replay, None)
    record, position = known.record, find_shown_position(known, index)
    names, plugin = record.names, find_render_plugin(record.game)
    view, shown = record.game.view(position, None), picture_at(known, index, None, layout="alone")
    scale = min(MAP_WIDTH / shown.width, COVER_HEIGHT / shown.height)
    left, height = COVER_WIDTH - shown.width * scale, shown.height * scale
    box = {"x": left, "y": (COVER_HEIGHT - height) / 2, "width": COVER_WIDTH - left, "height": height}
    seen_box = f"{shown.corner[0]} {shown.corner[1]} {shown.width} {shown.height}"
    players = list_names(names, "and")
    time = f"Turn {position.turn + 1}" if position.decision else f"Over after {position.turn} turns"
    words = _draw_words(
        record.title or players,
        plugin.write_headline(record.game, view, names),
        plugin.write_forecast(record.game, view, names),
        [players if record.title else "", record.ruleset.title, time],
        left - 2 * MARGIN,
    )
    parts = (
        Part("paper", write_element("rect", width=COVER_WIDTH, height=COVER_HEIGHT, class_="cover-paper")),
        Part("shown", write_element("svg", write_groups(shown.parts), **box, viewBox=seen_box)),
        Part("words", words),
    )
    style, size = {**shown.style, **STYLE}, (COVER_WIDTH, COVER_HEIGHT)
    return Picture(*size, shown.title, shown.description, style, parts, defs=shown.defs)


def _draw_words(title: str, headline: str, forecast: str, foot: Sequence[str], room: float) -> str:
    svg = write_text_element(MARGIN, TOP, truncate_to_room(title, room, TITLE), class_="cover-dim", font_size=TITLE)
    base = TOP + AFTER
    for words, size, bold, most in ((headline, HEADLINE, BOLD, 4), (forecast, FORECAST, 1.0, 4)):
        for line in balance_lines(words, room, size * bold, most):
            base += round(size * LINE)
            weight = "700" if bold > 1 else None
            svg += write_text_element(MARGIN, base, line, class_="cover", font_size=size, font_weight=weight)
        base += AFTER
    lines = [line for words in foot if words for line in balance_lines(words, room, FOOT, 2)]
    base = COVER_HEIGHT - TOP + FOOT - round(FOOT * LINE) * (len(lines) - 1)
    for row, line in enumerate(lines):
        svg += write_text_element(MARGIN, base + row * round(FOOT * LINE), line, class_="cover-dim", font_size=FOOT)
    return svg


TAG = re.compile(r"<(/?)[^>]*?(/?)>")
ID = re.compile(r' id="([^"]*)"')
USES = re.compile(r'(?:href="|url\()#([^")]*)')
CLASSES = re.compile(r' class="([^"]*)"')
ONE_CLASS = re.compile(r"\.[\w-]+")


def find_used_definitions(picture: Picture, svg: str) -> str:
    """Return the styles and shapes of a picture that a piece of its SVG uses, as SVG."""
    shapes, needed, waiting = _index_shapes(picture.defs), dict[str, str](), USES.findall(svg)
    while waiting:
        name = waiting.pop()
        if name in shapes and name not in needed:
            needed[name] = shapes[name]
            waiting += USES.findall(shapes[name])
    defs = "".join(needed.values())
    classes = {f".{name}" for names in CLASSES.findall(svg + defs) for name in names.split()}
    rules = {key: rule for key, rule in picture.style.items() if key in classes or not ONE_CLASS.fullmatch(key)}
    return f"<style>{write_css(rules, dark=False)}</style><defs>{defs}</defs>"


@lru_cache
def _index_shapes(defs: str) -> Mapping[str, str]:
    return {found[1]: each for each in _split_elements(defs) if (found := ID.search(each))}


def _split_elements(svg: str) -> Iterator[str]:
    depth = begin = 0
    for tag in TAG.finditer(svg):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if not depth:
            yield svg[begin : tag.end()]
            begin = tag.end()


ROUGH = 80
"""Width in pixels of the canvas on which parts are drawn to find their places."""
AROUND = 2
"""Pixels left around a part: curves are drawn a little differently when the points that bend them are outside."""
CHANNELS, OVERHEAD = 4, 500
"""Bytes of a pixel, and approximate extra bytes of a tile."""

Edges = tuple[int, int, int, int]
"""Left, top, right and bottom edge of a piece of a canvas, in pixels."""
Place = tuple[int, int]
"""Pixels from the left and from the top."""


@frozen
class Tile:
    """Drawing of a part, cut to its edges, and the place of its upper left corner; no image if it shows nothing."""

    image: Image | None = None
    corner: Place = (0, 0)

    @property
    def bytes(self) -> int:
        """Approximate size in memory."""
        return OVERHEAD + (CHANNELS * self.image.width * self.image.height if self.image else 0)


@frozen
class Canvas:
    """A surface for parts of a picture, with its corner and scale; pixels aren't quite square if the height is no whole number."""

    picture: Picture
    width: int
    height: int = derive(lambda self: ceil(self.width * self.picture.height / self.picture.width))
    scale: tuple[float, float] = derive(
        lambda self: (self.width / self.picture.width, self.height / self.picture.height)
    )

    @property
    def key(self) -> str:
        """Everything that the look of a part depends on, except the part itself."""
        picture = self.picture
        return f"{self.width} {self.scale} {picture.corner} {write_css(picture.style, dark=False)} {picture.defs}"

    def draw_tile(self, part: Part) -> Tile:
        """Draw a part: small first, to find out where it is, then that piece of the canvas. Raises NoPngError."""
        smaller = ROUGH / self.width
        edges = _find_edges(self._draw_piece(part, (0, 0), (ROUGH, ceil(self.height * smaller)), smaller))
        if edges is None:
            return Tile()
        left, top = (max(0, int((edge - AROUND) / smaller)) for edge in edges[:2])
        right, bottom = (int((edge + AROUND) / smaller) for edge in edges[2:])
        piece = (left, top, min(self.width, right), min(self.height, bottom))
        return self._draw_cut_tile(part, piece) or self._draw_cut_tile(part, (0, 0, self.width, self.height)) or Tile()

    def _draw_cut_tile(self, part: Part, piece: Edges) -> Tile | None:
        """Draw a part on a piece of the canvas, cut to its edges; None if it is empty or seems to extend outside."""
        left, top, right, bottom = piece
        image = self._draw_piece(part, (left, top), (right - left, bottom - top))
        edges = _find_edges(image)
        if edges is None:
            return None
        begins = (edges[0] or not left) and (edges[1] or not top)
        ends = (edges[2] < image.width or right == self.width) and (edges[3] < image.height or bottom == self.height)
        return Tile(image.crop(edges), (left + edges[0], top + edges[1])) if begins and ends else None

    def _draw_piece(self, part: Part, at: Place, size: Place, smaller: float = 1) -> Image:
        """Draw a part on a piece of the canvas with this corner, size and scale. Raises NoPngError."""
        (across, down), (x, y), svg = self.scale, self.picture.corner, write_groups([part])
        moved = f"translate({-at[0]} {-at[1]}) scale({across * smaller} {down * smaller}) translate({-x} {-y})"
        ends = f'viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}"'
        shown = f'{find_used_definitions(self.picture, svg)}<g transform="{moved}">{svg}</g>'
        return draw_svg(f'<svg xmlns="http://www.w3.org/2000/svg" {ends}>{shown}</svg>', size[0])


def _find_edges(image: Image) -> Edges | None:
    return image.getchannel("A").getbbox()


TILE_BYTES, PICTURE_BYTES = 96 << 20, 4 << 20
"""Bytes of remembered tiles, for games of all rulesets at once, and of whole pictures, for several readers."""

T = TypeVar("T")


@define
class Remembered(Generic[T]):
    """Values by what they are made of. When they take too many bytes, those go that were not used for longest."""

    most: int
    size: Callable[[T], int]
    total: int = 0
    _values: OrderedDict[bytes, T] = field(factory=OrderedDict)

    def get(self, key: bytes) -> T | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def keep(self, key: bytes, value: T) -> T:
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

    def draw_png(self, picture: Picture, *, width: int = PNG_WIDTH, colours: int = PNG_COLOURS) -> bytes:
        """Draw a picture as PNG, on white. `width` is in pixels, and `colours` is the most that it may have. Raises NoPngError."""
        require_png()
        canvas = Canvas(picture, width)
        key = _hash_texts(canvas.key, str(colours), write_groups(picture.parts))
        known = self.pictures.get(key)
        return known or self.pictures.keep(key, encode_png(self._compose_tiles(canvas, picture.parts), colours))

    def draw_image(self, picture: Picture, width: int = PNG_WIDTH) -> Image:
        """Draw a picture with all its colours, on white, with this width in pixels. Raises NoPngError."""
        require_png()
        return self._compose_tiles(Canvas(picture, width), picture.parts)

    def _compose_tiles(self, canvas: Canvas, parts: Sequence[Part]) -> Image:
        from PIL import Image  # noqa: PLC0415 - not in every installation

        image, key = Image.new("RGB", (canvas.width, canvas.height), GROUND), _hash_texts(canvas.key)
        for part in parts:
            tile = self._get_tile(canvas, part, key)
            if tile.image:
                image.paste(tile.image, tile.corner, tile.image)
        return image

    def _get_tile(self, canvas: Canvas, part: Part, common: bytes) -> Tile:
        if not part.svg:
            return Tile()
        key = _hash_texts(common.hex(), write_groups([part]))
        return self.tiles.get(key) or self.tiles.keep(key, canvas.draw_tile(part))


def _hash_texts(*texts: str) -> bytes:
    return sha256("\0".join(texts).encode()).digest()


GIF_WIDTH = 480
GIF_COLOURS = 160
"""A GIF has at most 256, the same in all frames here, so that what does not move stays exactly as it is."""
EACH, LAST = 1200, 6000
"""Milliseconds for which a turn is shown, and the end."""
UNCHANGED = 255
"""The number of the colour that lets the frame before show."""
SAMPLES = 6
"""Number of frames that, with the last, determine the colours."""


def draw_gif(replay: Replay, seat: int | None = None) -> bytes:
    """Draw a game as a GIF, as a seat may know it; without a seat, as a spectator may. Raises NoPngError."""
    require_png()
    from PIL import Image  # noqa: PLC0415 - not in every installation

    tiles, (_, drawn) = Tiles(), draw_pictures(replay, seat, layout="page")
    images = [tiles.draw_image(picture, GIF_WIDTH) for picture in drawn]
    sheet = _join_images([*images[:: max(1, len(images) // SAMPLES)], images[-1]])
    palette = sheet.quantize(GIF_COLOURS, Image.Quantize.FASTOCTREE)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    changes = [_clear_unchanged(*two) for two in pairwise(frames)]
    file, times = BytesIO(), [EACH] * len(changes) + [LAST]
    kept = {"optimize": False, "disposal": 1, "transparency": UNCHANGED}
    frames[0].save(file, "GIF", save_all=True, append_images=changes, duration=times, loop=0, **kept)
    return file.getvalue()


def _clear_unchanged(before: Image, after: Image) -> Image:
    """Return a frame in which only the changes are drawn: such a file is less than half as large."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - not in every installation

    one, other = (Image.frombytes("L", frame.size, frame.tobytes()) for frame in (before, after))
    changed = after.copy()
    changed.paste(UNCHANGED, mask=ImageChops.difference(one, other).point(lambda step: 0 if step else 255))
    return changed


def _join_images(images: Sequence[Image]) -> Image:
    from PIL import Image  # noqa: PLC0415 - not in every installation

    width, height = images[0].size
    sheet = Image.new("RGB", (width * len(images), height))
    for place, image in enumerate(images):
        sheet.paste(image, (width * place, 0))
    return sheet
