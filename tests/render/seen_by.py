"""How colours are seen: contrast as WCAG counts it, difference as CIE76, and what is left without cones of one kind.

The matrices are those of Machado, Oliveira and Fernandes (2009) for the whole loss, in linear light.
"""

from __future__ import annotations

Colour = tuple[float, float, float]
NO_RED = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
NO_GREEN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
NO_BLUE = ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def linear(colour: str) -> Colour:
    """Light from `#rgb` or `#rrggbb`."""
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return _light(red), _light(green), _light(blue)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    dark, light = sorted(_times(TO_XYZ, linear(colour))[1] for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def deuteranopia(colour: str) -> str:
    """A colour as it looks without the green cones."""
    return without(NO_GREEN, colour)


def without(cones: tuple[Colour, Colour, Colour], colour: str) -> str:
    """A colour as it looks without cones of one kind."""
    return "#" + "".join(
        f"{round(255 * _shown(min(1.0, max(0.0, part)))):02x}" for part in _times(cones, linear(colour))
    )


def differ(one: str, other: str) -> float:
    """How far two colours are apart; from about 2 on people see it side by side, from 20 on at a glance."""
    a, b = _lab(linear(one)), _lab(linear(other))
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)


def _light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _shown(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


def _times(matrix: tuple[Colour, Colour, Colour], colour: Colour) -> Colour:
    x, y, z = (sum(m * c for m, c in zip(row, colour, strict=True)) for row in matrix)
    return x, y, z


def _lab(colour: Colour) -> Colour:
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (value / white for value, white in zip(_times(TO_XYZ, colour), WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
