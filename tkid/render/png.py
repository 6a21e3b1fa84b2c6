"""A picture as PNG, the same on every machine: with fonts that are shipped, and in few colours, so that it is small."""

from __future__ import annotations

from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from tkid.render.errors import NoPngError
from tkid.render.picture import Picture, document

WIDTH = 640
"""Pixels; a picture has 480 units. Sharp screens show more pixels than that, but a wider one is slow to make."""
COLOURS = 64
"""Flat colours and the steps between them; with all that smooth edges have, a file would be three times as large."""
NEEDED = {"resvg_py": "resvg-py", "PIL": "pillow"}
"""The modules that draw, and the packages that they come with."""
FAMILY = "DejaVu Sans"
FONTS = Path(__file__).parent / "fonts"
FILES = [str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def png(picture: Picture, *, width: int = WIDTH) -> bytes:
    """A picture as PNG, in light colours and so many pixels wide. Raises NoPngError."""
    wanting = no_png()
    if wanting:
        raise NoPngError(wanting)
    from PIL import Image  # noqa: PLC0415 - neither is there in every installation
    from resvg_py import svg_to_bytes  # noqa: PLC0415

    try:
        smooth = svg_to_bytes(
            svg_string=document(picture, dark=False),
            width=width,
            background="#fff",
            skip_system_fonts=True,
            font_files=FILES,
            font_family=FAMILY,
            serif_family=FAMILY,
            sans_serif_family=FAMILY,
            monospace_family=FAMILY,
        )
    except ValueError as error:
        raise NoPngError(f"The picture cannot be drawn: {error}") from error
    written = BytesIO()
    with Image.open(BytesIO(smooth)) as image:
        flat = image.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        flat.save(written, "PNG")
    return written.getvalue()


def no_png() -> str:
    """Why no PNG can be made here, and the way out; "" where nothing is missing."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if not missing:
        return ""
    are = f"{missing[0]} is" if len(missing) == 1 else f"{' and '.join(missing)} are"
    return f"Pictures cannot be drawn as PNG, as {are} not installed here: pip install 'tkid[pictures]'"
