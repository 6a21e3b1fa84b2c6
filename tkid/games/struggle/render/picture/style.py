"""How the head, the tallies, the cards and the players look, in the colours of the palette."""

from __future__ import annotations

from tkid.render.palette import paint
from tkid.render.picture import SANS, Style

LIGHT_INK, DARK_INK = paint(fill="ink")
STYLE: Style = {
    "[data-part] text": ("pointer-events:none;forced-color-adjust:none", ""),
    "[data-part]": (f"font-family:{SANS};font-size:11px", ""),
    ".paper": paint(fill="paper"),
    ".dim": paint(fill="dim"),
    ".h": ("font-size:18px", ""),
    ".n": ("font-size:13px;font-variant-numeric:tabular-nums", ""),
    ".s": ("font-size:10.5px", ""),
    ".panel": paint(fill="panel"),
    ".rule": paint(stroke="rule"),
    ".card": paint("stroke-width:1", fill="card", stroke="coast"),
    ".up": paint("stroke-width:2.4", fill="card", stroke="ink"),
    ".down": paint(fill="back"),
    ".on-down": paint(fill="on-back"),
    ".weave": paint("fill:none;stroke-width:.7;stroke-opacity:.5", stroke="on-back"),
    ".pen": paint("fill:none;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round", stroke="ink"),
    ".crown": paint("stroke-width:1;stroke-linejoin:round", fill="piece2", stroke="edge"),
    ".swap": paint("fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round", stroke="last"),
    "@media print": (".sea,.shoal{fill:#fff}", ""),
    "@media (prefers-contrast:more)": (f"[data-part] .dim{{{LIGHT_INK}}}", ""),
    "@media (prefers-contrast:more) and (prefers-color-scheme:dark)": (f"[data-part] .dim{{{DARK_INK}}}", ""),
}
