"""A whole game as a picture that moves: a GIF with a frame for each turn."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

from tkid.record.play.replay import Replay
from tkid.render.frames import pictures
from tkid.render.png import require_png
from tkid.render.raster.tiles import Tiles

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 480
COLOURS = 160
"""A GIF has at most 256, the same in all frames here, so that what does not move stays exactly as it is."""
EACH, LAST = 1200, 6000
"""Milliseconds for which a turn is shown, and the end."""
UNCHANGED = 255
"""The number of the colour that lets the frame before show."""
SAMPLES = 6
"""So many frames, and the last, say which colours there are."""


def gif(replay: Replay, seat: int | None = None) -> bytes:
    """A game as a GIF, as a seat may know it; without a seat, as a spectator may. Raises NoPngError."""
    require_png()
    from PIL import Image  # noqa: PLC0415 - not in every installation

    tiles, (_, drawn) = Tiles(), pictures(replay, seat)
    images = [tiles.image(picture, WIDTH) for picture in drawn]
    palette = _sampled([*images[:: max(1, len(images) // SAMPLES)], images[-1]]).quantize(
        COLOURS, Image.Quantize.FASTOCTREE
    )
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    changes = [_changed(*two) for two in pairwise(frames)]
    file, times = BytesIO(), [EACH] * len(changes) + [LAST]
    kept = {"optimize": False, "disposal": 1, "transparency": UNCHANGED}
    frames[0].save(file, "GIF", save_all=True, append_images=changes, duration=times, loop=0, **kept)
    return file.getvalue()


def _changed(before: Image, after: Image) -> Image:
    """A frame in which only what has changed is drawn: such a file is less than half as large."""
    from PIL import Image, ImageChops  # noqa: PLC0415 - not in every installation

    one, other = (Image.frombytes("L", frame.size, frame.tobytes()) for frame in (before, after))
    changed = after.copy()
    changed.paste(UNCHANGED, mask=ImageChops.difference(one, other).point(lambda step: 0 if step else 255))
    return changed


def _sampled(images: Sequence[Image]) -> Image:
    """Images beside each other."""
    from PIL import Image  # noqa: PLC0415 - not in every installation

    width, height = images[0].size
    sheet = Image.new("RGB", (width * len(images), height))
    for place, image in enumerate(images):
        sheet.paste(image, (width * place, 0))
    return sheet
