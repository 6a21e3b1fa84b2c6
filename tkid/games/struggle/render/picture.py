"""The King is Dead as a picture: the map with its followers and discs, the track, the supply, and the players.

What the last turn did is marked: a plus at followers that came, an outline with where it went for each that left, arrows
between regions, and between region cards that changed places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.render import geography, picture_map, picture_sides, pieces
from tkid.games.struggle.render.description import spoken
from tkid.games.struggle.render.scene import MAP_TOP, WIDTH, Scene
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.views import View
from tkid.render.picture import SANS, Last, Part, Picture, Style, element

SEA = 350
"""The width of the sea around the map."""
BELOW = MAP_TOP + geography.HEIGHT + 8
"""Where the players' parts begin."""

STYLE: Style = {
    "[data-part] text,.next,.halo,.arrow,.tip,.gone": ("pointer-events:none", ""),
    "[data-part]": (f"font-family:{SANS};font-size:11px", ""),
    ".paper": ("fill:#fff", "fill:#14181c"),
    ".sea": ("fill:#dfeaf0", "fill:#1c2830"),
    ".land": ("fill:#f6efdf;stroke:#6b6252;stroke-width:1.3;stroke-linejoin:round", "fill:#3b434b;stroke:#9aa4ad"),
    ".shut": ("fill:#ddd5c5;stroke:#6b6252;stroke-width:1.3;stroke-linejoin:round", "fill:#262c32;stroke:#9aa4ad"),
    ".next": ("fill:none;stroke:#111;stroke-width:3.6;stroke-linejoin:round", "stroke:#fff"),
    ".road": ("stroke:#6b6252;stroke-width:4", "stroke:#9aa4ad"),
    ".card": ("fill:#fff;stroke:#6b6252;stroke-width:1", "fill:#242b31;stroke:#9aa4ad"),
    ".down": ("fill:#eae5da;stroke:#6b6252;stroke-width:1", "fill:#1d2328;stroke:#7b858e"),
    ".up": ("fill:#fff;stroke:#111;stroke-width:2.6", "fill:#242b31;stroke:#fff"),
    ".line": ("stroke:#bbb;stroke-width:1", "stroke:#4a535b"),
    ".dim": ("fill:#4d4d4d", "fill:#bcc4cb"),
    ".up-name": ("font-size:10.5px;font-weight:700;fill:#111", "fill:#eee"),
    ".down-name": ("font-size:10.5px;fill:#4d4d4d", "fill:#bcc4cb"),
    ".h": ("font-size:15px;font-weight:700", ""),
    ".n": ("font-size:12.5px;font-weight:700", ""),
    ".s": ("font-size:10px", ""),
    ".halo": ("stroke:#f6efdf;stroke-width:5.5;stroke-linecap:round;fill:none", "stroke:#14181c"),
    ".arrow": ("stroke:#111;stroke-width:2.4;stroke-linecap:round;fill:none", "stroke:#fff"),
    ".tip": ("fill:#111", "fill:#fff"),
    **pieces.STYLE,
}


def picture(game: Struggle, view: View, names: Sequence[str], last: Last | None = None) -> Picture:
    """All that a seat may know of a position; `last` is the turn that led to it."""
    scene = Scene(game, view.shown, view.seat, names, last)
    height = BELOW + picture_sides.PLAYER * len(view.shown.courts)
    title = picture_sides.headline(scene)
    return Picture(WIDTH, height, title, spoken(game, view, names), STYLE, tuple(_parts(scene, height)))


def _parts(scene: Scene, height: int) -> Iterator[Part]:
    """Everything, from the ground up."""
    paper = element("rect", width=WIDTH, height=height, class_="paper")
    yield Part(
        "ground", paper + element("rect", y=MAP_TOP - 12, width=SEA, height=geography.HEIGHT + 12, rx=8, class_="sea")
    )
    yield Part("head", picture_sides.head(scene))
    drawing = geography.drawing(scene.board)
    yield Part("roads", "".join(picture_map.road(*ends) for ends in drawing.roads))
    codes = [region.code for region in scene.board.regions]
    lines, groups = picture_map.arrows(scene, [shape.middle for shape in drawing.shapes])
    for index, shape in enumerate(drawing.shapes):
        yield Part(f"land-{codes[index]}", picture_map.land(scene, index, shape.outline))
    contested = scene.shown.contested
    yield Part("next", "" if contested is None else picture_map.contested(drawing.shapes[contested].outline))
    yield Part("arrows", lines)
    for index, shape in enumerate(drawing.shapes):
        yield Part(f"region-{codes[index]}", picture_map.region(scene, index, shape))
    yield Part("moved", groups)
    yield from picture_sides.track(scene)
    yield Part("supply", picture_sides.supply(scene))
    yield Part("power", picture_sides.power(scene))
    for seat in scene.shown.seats:
        yield Part(f"seat-{seat}", picture_sides.player(scene, seat, BELOW + picture_sides.PLAYER * seat))
