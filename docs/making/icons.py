"""Draws the icons of the site: `python -m docs.making.icons`. They are kept in the repository, so a build needs no pictures.

The three pieces lie on paper: square, hexagon and diamond, as everywhere on the site.
"""

from __future__ import annotations

from docs.making.words import ROOT

FOLDER = ROOT / "docs" / "assets" / "icons"
PIECES = """\
<g stroke="#1d1b18" stroke-width="10">
<path d="M76 106h150v150H76Z" fill="#1f5f9e"/>
<path d="M361 94l77 44v87l-77 44-77-44v-87Z" fill="#c4471c"/>
<path d="M256 250l100 100-100 100-100-100Z" fill="#f0c52e"/>
</g>
<g font-family="DejaVu Sans" font-weight="700" font-size="104" text-anchor="middle">
<text x="151" y="219" fill="#fff">S</text><text x="361" y="219" fill="#fff">W</text><text x="256" y="388" fill="#1d1b18">E</text>
</g>"""
SHAPES = {
    "icon": ('rx="104" ', ""),
    "maskable": ("", ' transform="translate(256 262) scale(.74) translate(-256 -268)"'),
}
"""The corners of the paper, and the way to the pieces: a maskable icon may be cut to a circle."""
SIZES = {"icon-192.png": ("icon", 192), "icon-512.png": ("icon", 512), "maskable-512.png": ("maskable", 512)}


def icon(shape: str) -> str:
    """An icon as SVG."""
    corners, place = SHAPES[shape]
    paper = f'<rect width="512" height="512" {corners}fill="#fdfcf9"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">{paper}<g{place}>{PIECES}</g></svg>\n'


def main() -> None:
    """Write the icons."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - only needed to draw them again

    (FOLDER / "icon.svg").write_text(icon("icon"), "utf-8")
    for name, (shape, size) in SIZES.items():
        (FOLDER / name).write_bytes(bytes(svg_to_bytes(svg_string=icon(shape), width=size, height=size)))


if __name__ == "__main__":
    main()
