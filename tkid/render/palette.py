"""The colours of every picture and page, by their role, for light and for dark screens: no colour is used outside its role.

A faction has four: its piece or card, what is written on it, the tint of what it leads or of a vote as it stands, and the
stronger one of what is settled. Whatever a colour says, a shape, a letter or a word says too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ROLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "paper": ("#fdfcf9", "#171614"),
        "ink": ("#1d1b18", "#f2ede2"),
        "dim": ("#5d574d", "#b3aa9a"),
        "panel": ("#f6f2e9", "#211f1b"),
        "rule": ("#d8d1c3", "#3d3831"),
        "sea": ("#dbe6ea", "#1b2a31"),
        "shoal": ("#e8f0f2", "#213640"),
        "land": ("#f3ecdd", "#3a352d"),
        "isle": ("#e9e3d5", "#2f2b25"),
        "coast": ("#5a5346", "#9a9080"),
        "border": ("#6f6557", "#b5aa97"),
        "edge": ("#1d1b18", "#0e0d0c"),
        "last": ("#5a3d8f", "#cbb2ff"),
        "chosen": ("#b0135f", "#f29ad6"),
        "card": ("#fffdf8", "#26231f"),
        "back": ("#6f6656", "#5f584b"),
        "on-back": ("#f3ecdd", "#d8d0bf"),
        "lost": ("#4f4a43", "#6b655b"),
        "on-lost": ("#ffffff", "#ffffff"),
        "piece0": ("#1f5f9e", "#5b9fdc"),
        "on0": ("#ffffff", "#0d1116"),
        "tint0": ("#c5d7ea", "#26405a"),
        "won0": ("#8fb1d3", "#315d87"),
        "piece1": ("#c4471c", "#e8703f"),
        "on1": ("#ffffff", "#14100c"),
        "tint1": ("#f0c2ab", "#532617"),
        "won1": ("#dfa085", "#8a4629"),
        "piece2": ("#f0c52e", "#f4d35a"),
        "on2": ("#1d1b18", "#14120c"),
        "tint2": ("#f7e8ac", "#63561d"),
        "won2": ("#e6cc66", "#7d6720"),
        "piece3": ("#222222", "#0d0c0b"),
        "on3": ("#ffffff", "#f2ede2"),
        "tint3": ("#d5cfc4", "#45413b"),
        "won3": ("#aaa397", "#5f584b"),
        "goblins": ("#63b485", "#86d6a0"),
        "on-goblins": ("#12180f", "#0d1116"),
        "tint-goblins": ("#d3eadc", "#254635"),
        "won-goblins": ("#a5d6b9", "#2f5f46"),
        "knights": ("#1f5f9e", "#4686ca"),
        "on-knights": ("#ffffff", "#0d1116"),
        "tint-knights": ("#c5d7ea", "#26405a"),
        "won-knights": ("#8fb1d3", "#315d87"),
        "dwarves": ("#c4471c", "#e2622f"),
        "on-dwarves": ("#ffffff", "#14100c"),
        "tint-dwarves": ("#f0c2ab", "#532617"),
        "won-dwarves": ("#dfa085", "#8a4629"),
        "undead": ("#46414c", "#6a6375"),
        "on-undead": ("#ffffff", "#ffffff"),
        "tint-undead": ("#d9d5dc", "#3f3b46"),
        "won-undead": ("#b6b0bb", "#57515f"),
        "doppelgangers": ("#f4d35a", "#f4d35a"),
        "on-doppelgangers": ("#1d1b18", "#14120c"),
        "tint-doppelgangers": ("#f7e8ac", "#63561d"),
        "won-doppelgangers": ("#e6cc66", "#76611e"),
    }
)
"""Light and dark, by role; the factions of The King is Dead by their place, as `Board.factions` has them, those of Claim
by name."""
LIGHT, DARK = 0, 1


def paint(rest: str = "", **roles: str) -> tuple[str, str]:
    """The declarations of a class of SVG, as `tkid.render.picture.Style` has them: those that always hold, and for the dark.

    `fill="sea"`, `stroke="ink"` and `stop_color="land"` name roles; `stroke-width` and the like belong in `rest`, as CSS.
    """
    light, dark = (
        [f"{name.replace('_', '-')}:{ROLES[role][scheme]}" for name, role in roles.items()] for scheme in (LIGHT, DARK)
    )
    return ";".join([*light, *filter(None, [rest])]), ";".join(dark)


def variables() -> str:
    """The roles as variables of CSS, for pages: `var(--sea)`."""
    light, dark = ("".join(f"--{role}:{pair[side]};" for role, pair in ROLES.items()) for side in (LIGHT, DARK))
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
