"""The ground of the map: the sea, the coast, and each region in the colour of who leads it or won it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import sqrt
from types import MappingProxyType

from tkid.games.struggle.render.picture.outlines import HEIGHT, WIDTH, Drawing, drawing, path
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.rules.turns.struggles import leaders
from tkid.render.palette import paint
from tkid.render.picture import REMEMBERED, Part, Style, element

STRIPE, HATCH = 9, 12
"""The width of the stripes where factions tie, and from one line to the next where a region is unstable."""
SOFT = 0.06
"""The share of a stripe over which its colour goes into the next."""
FACTIONS = range(4)
SHEET = {"width": WIDTH, "height": HEIGHT, "rx": 8}
"""The sheet of the map, which nothing of it leaves."""

STYLE: Style = {
    ".sea": paint(fill="sea"),
    ".shoal": paint("fill:none;stroke-width:15;stroke-linejoin:round", stroke="shoal"),
    ".isle": paint("stroke-width:.8;stroke-linejoin:round", fill="isle", stroke="coast"),
    ".coast": paint("fill:none;stroke-width:2.6;stroke-linejoin:round", stroke="coast"),
    ".land": paint(fill="land"),
    **{f".tint{f}": paint(fill=f"tint{f}") for f in FACTIONS},
    **{f".stop{f}": paint(stop_color=f"tint{f}") for f in FACTIONS},
    **{f".won{f}": paint(fill=f"won{f}") for f in FACTIONS},
    ".border": paint("stroke-width:1;stroke-linejoin:round", stroke="border"),
    ".hatch": paint("fill:none;stroke-width:1.6;opacity:.7", stroke="border"),
    ".road": paint("fill:none;stroke-width:7", stroke="border"),
    ".way": paint("fill:none;stroke-width:4.5", stroke="land"),
    ".glow": paint("fill:none;stroke-width:7;stroke-linejoin:round;opacity:.9", stroke="paper"),
    ".next": paint("fill:none;stroke-width:3.2;stroke-linejoin:round", stroke="ink"),
}


def defs(board: Board) -> str:
    """The shapes of the regions and isles, and the patterns of ties and of unstable regions."""
    return "".join(shapes(board).values())


def shapes(board: Board) -> Mapping[str, str]:
    """The definitions by their ids."""
    return _shapes(drawing(board))


def ground(scene: Scene) -> tuple[Part, ...]:
    """The sea with the coast, roads, the land of each region, and the heavy outline of the contested one."""
    map_, shown = drawing(scene.board), scene.shown
    codes = [region.code for region in scene.board.regions]
    return (
        Part("sea", _sea(map_)),
        Part("roads", _roads(map_)),
        *[
            Part(f"land-{code}", _land(map_, index, shown.discs[index], leaders(shown.regions[index])))
            for index, code in enumerate(codes)
        ],
        outline(scene),
    )


def outline(scene: Scene) -> Part:
    """The heavy outline of the contested region."""
    region = scene.contested
    return Part("next", "" if region is None else contested(scene.board.regions[region].code))


def land(scene: Scene, index: int) -> str:
    """The ground of a region: the tint of who leads, stripes of all who tie, the colour of who won it, or lines."""
    shown = scene.shown
    return _land(drawing(scene.board), index, shown.discs[index], leaders(shown.regions[index]))


@lru_cache(REMEMBERED)
def _land(map_: Drawing, index: int, disc: int, ahead: Followers) -> str:
    board, code = map_.board, map_.board.regions[index].code
    colour, pattern = "", ""
    if disc == UNSTABLE:
        pattern = "unstable"
    elif disc != OPEN:
        colour = f" won{disc}"
    elif len(ahead) > 1:
        pattern = _tie(board, ahead)
    else:
        colour = f" tint{ahead[0]}" if ahead else " land"
    fill = f"url(#{pattern})" if pattern else None
    return element("use", href=f"#shape-{code}", class_=f"border{colour}", fill=fill, data_at=f"region/{code}")


@cache
def _sea(map_: Drawing) -> str:
    lands = [element("use", href=f"#shape-{region.code}") for region in map_.board.regions]
    isles = [element("use", href="#isles")] if map_.isles else []
    return (
        element("rect", **SHEET, class_="sea")
        + element("g", "".join(lands + isles), class_="shoal", clip_path="url(#chart)")
        + "".join(element("use", href="#isles", class_="isle") for _ in isles)
        + element("g", "".join(lands), class_="coast")
    )


@cache
def _roads(map_: Drawing) -> str:
    lines = "".join(["M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in road) for road in map_.roads])
    return element("path", d=lines, class_="road") + element("path", d=lines, class_="way") if lines else ""


def contested(code: str) -> str:
    """The heavy outline of the contested region, on a glow that sets it off from every ground."""
    return "".join([element("use", href=f"#shape-{code}", class_=class_) for class_ in ("glow", "next")])


# -- definitions ------------------------------------------------------------------------------------------


@cache
def _shapes(map_: Drawing) -> Mapping[str, str]:
    board = map_.board
    lands = {f"shape-{region.code}": shape.path for region, shape in zip(board.regions, map_.shapes, strict=True)}
    isles = {"isles": "".join(map(path, map_.isles))} if map_.isles else {}
    several = range(2, len(board.factions) + 1)
    ties = [ahead for many in several for ahead in combinations(range(len(board.factions)), many)]
    return MappingProxyType(
        {
            **{name: element("path", d=line, id=name) for name, line in {**lands, **isles}.items()},
            "chart": element("clipPath", element("rect", **SHEET), id="chart"),
            "unstable": _hatch(),
            **{_tie(board, ahead): _stripes(board, ahead) for ahead in ties},
        }
    )


def _tie(board: Board, ahead: Sequence[int]) -> str:
    """The id of the stripes of factions that tie."""
    return f"tie-{''.join(board.factions[faction].letter for faction in ahead)}"


def _stripes(board: Board, ahead: Sequence[int]) -> str:
    """Stripes at 45 degrees, as a gradient in steps: quicker to draw than a pattern, and without seams.

    From one stripe to the next the colour changes over half a unit, which makes the edges smooth.
    """
    many = len(ahead)
    stops = [
        element("stop", offset=f"{(n + end * (1 - SOFT)) / many:.3f}", class_=f"stop{faction}")
        for n, faction in enumerate(ahead)
        for end in (0, 1)
    ]
    stops.append(element("stop", offset=1, class_=f"stop{ahead[0]}"))
    length = STRIPE * many * sqrt(0.5)
    ends = {"x1": 0, "y1": 0, "x2": f"{length:.3f}", "y2": f"{length:.3f}"}
    units = {"gradientUnits": "userSpaceOnUse", "spreadMethod": "repeat"}
    return element("linearGradient", "".join(stops), id=_tie(board, ahead), **ends, **units)


def _hatch() -> str:
    lines = element("rect", width=HATCH, height=HATCH, class_="land") + element("path", d="M0 6h12", class_="hatch")
    return _pattern("unstable", lines, HATCH, HATCH)


def _pattern(name: str, svg: str, width: int, height: int) -> str:
    units = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    return element("pattern", svg, id=name, width=width, height=height, **units)
