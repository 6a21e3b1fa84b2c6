"""A picture as PNG: in the fonts that are shipped, so that it is the same everywhere, and in few colours, so that it is small.

This draws a whole picture at once. Whoever draws many uses `tkid.render.raster.tiles`, which draws only what is new.
"""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.render.picture import Picture, document

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 640
"""Pixels; a picture has 480 units. A wider PNG would be sharper on some screens, but slow to make."""
COLOURS = 64
"""Enough for flat colours and the steps between them; with all colours of smooth edges a file is three times as large."""
NEEDED = {"resvg_py": "resvg-py", "PIL": "pillow"}
"""The modules that draw, with the packages to install."""
EFFORT = 4
"""How hard the file is made smaller, of 9: more than this takes twice as long for a twelfth less."""
GROUND = "#fff"
"""The colour behind a picture."""
FAMILY = "DejaVu Sans"
FONTS = Path(__file__).parent / "fonts"
FILES = [str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


class NoPngError(RuntimeError):
    """A picture cannot be drawn as PNG: why, and what to install."""


def png(picture: Picture, *, width: int = WIDTH, colours: int = COLOURS) -> bytes:
    """A picture as PNG, on white, so many pixels wide and in so many colours at most. Raises NoPngError."""
    return written(drawn(document(picture, dark=False), width, background=GROUND).convert("RGB"), colours)


def drawn(svg: str, width: int, *, background: str | None = None) -> Image:
    """An SVG document as an image with all its colours, so many pixels wide. Raises NoPngError."""
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


def written(image: Image, colours: int = COLOURS) -> bytes:
    """An image as PNG, in so many colours at most."""
    from PIL import Image  # noqa: PLC0415 - not in every installation

    file = BytesIO()
    few = image.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "PNG", compress_level=EFFORT)
    return file.getvalue()


def require_png() -> None:
    """Raises NoPngError where what draws is missing."""
    if reason := no_png():
        raise NoPngError(reason)


def no_png() -> str:
    """Why no PNG can be made here, and what to install; "" where nothing is missing."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if not missing:
        return ""
    are = f"{missing[0]} is" if len(missing) == 1 else f"{' and '.join(missing)} are"
    install = "run pip install '.[pictures]' in a copy of the source"
    return f"Pictures cannot be drawn as PNG, as {are} not installed here: {install}"
