"""Small pictures of what a move changes at The King is Dead: the regions, courts and region cards, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from xml.sax.saxutils import escape

from attrs import evolve, field, frozen

from docs.making.changes import Change
from docs.making.drawn import NAMES
from tkid.games.struggle.render.picture import board_map
from tkid.games.struggle.render.picture import old_pieces as pieces
from tkid.games.struggle.render.picture.outlines import Shape, drawing
from tkid.games.struggle.render.picture.picture import STYLE as BOARD
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board
from tkid.games.struggle.rules.moves import Exchange, Play, Summon, carried_out, transfers
from tkid.games.struggle.rules.position import Position
from tkid.render.picture import QUOTES, LastTurn, Style, css, element, text, wide

LEAST, MOST = 170, 350
"""The width of a panel."""
BESIDE = 230
"""So wide a panel may be to stand next to another one on a phone."""
MARGIN = 7
ROW, CARD = 26, 28
"""The heights of a court and of a region card."""
TALL = 260
"""So high a piece of the map may be before its regions are drawn one by one."""
FEW = 2
"""So many regions are drawn of a move that names none."""
MANY = 4
"""So many regions a picture has at most."""
TINTS = (("#c5d7ea", "#26405a"), ("#f0c2ab", "#532617"), ("#f7e8ac", "#63561d"), ("#d5cfc4", "#45413b"))
"""The ground of a region in which a faction has the most followers, light and dark."""
WON = (("#8fb1d3", "#315d87"), ("#dfa085", "#8a4629"), ("#e6cc66", "#7d6720"), ("#aaa397", "#5f584b"))
"""The ground of a region that a faction controls."""
STYLE: Style = {
    **BOARD,
    "svg": ("font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:11px", ""),
    ".land": ("fill:#f3ecdd;stroke:#6f6557;stroke-width:1.2;stroke-linejoin:round", "fill:#3a352d;stroke:#b5aa97"),
    ".next": ("fill:none;stroke:#1d1b18;stroke-width:3.2;stroke-linejoin:round", "stroke:#f2ede2"),
    ".hatch": ("stroke:#6f6557;stroke-width:.9;opacity:.55", "stroke:#b5aa97"),
    ".card": ("fill:#fffdf8;stroke:#6f6557;stroke-width:1", "fill:#26231f;stroke:#b5aa97"),
    ".dim": ("fill:#5d574d", "fill:#b3aa9a"),
    ".ink": ("fill:#1d1b18", "fill:#f2ede2"),
    ".f0": ("fill:#1f5f9e", "fill:#5b9fdc"),
    ".f1": ("fill:#c4471c", "fill:#e8703f"),
    ".f2": ("fill:#f0c52e", "fill:#f4d35a"),
    ".f3": ("fill:#222", "fill:#0d0c0b"),
    ".l0,.l3": ("fill:#fff", "fill:#0d1116"),
    ".l1": ("fill:#fff", "fill:#14100c"),
    ".l2": ("fill:#1d1b18", "fill:#14120c"),
    ".l3": ("fill:#fff", "fill:#f2ede2"),
    ".piece": ("stroke:#1d1b18;stroke-width:1", "stroke:#0e0d0c"),
    ".edge0,.edge1,.edge3": ("stroke:#fff", ""),
    ".edge2": ("stroke:#1d1b18", ""),
    ".halo": ("stroke:#fdfcf9;stroke-width:5.5;stroke-linecap:round;fill:none", "stroke:#171614"),
    ".arrow": ("stroke:#5a3d8f;stroke-width:2.6;stroke-linecap:round;fill:none", "stroke:#cbb2ff"),
    ".tip,.new": ("fill:#5a3d8f", "fill:#cbb2ff"),
    ".gone": ("fill:none;stroke:#5a3d8f;stroke-width:1.4;stroke-dasharray:2.6 2", "stroke:#cbb2ff"),
    ".badge": ("fill:#5a3d8f;stroke:#fff;stroke-width:1", "fill:#cbb2ff;stroke:#171614"),
    ".on-badge": ("fill:none;stroke:#fff;stroke-width:1.8", "stroke:#171614"),
    **{f".t{n}": (f"fill:{day}", f"fill:{night}") for n, (day, night) in enumerate(TINTS)},
    **{f".x{n}": (f"fill:{day}", f"fill:{night}") for n, (day, night) in enumerate(WON)},
}
"""The board's colours, with violet for what has changed."""
CLASSES = re.compile(r'class="([^"]+)"')
NAMES_IN = re.compile(r"\.([\w-]+)")
WORDLESS: Style = {".n,.dim,text.ink": ("display:none", "")}
"""What a very small picture leaves out."""


@frozen
class Seen:
    """What a picture shows: regions, the courts of seats, the spaces of region cards, and who controls what."""

    regions: tuple[int, ...] = ()
    courts: tuple[int, ...] = ()
    spaces: tuple[int, ...] = ()
    power: bool = False

    def __bool__(self) -> bool:
        return bool(self.regions or self.courts or self.spaces or self.power)


def seen(change: Change) -> Seen:
    """What there is to see of a move: what it changes, or what it would move if it were allowed."""
    if change.broken:
        return _tried(change)
    if change.move is None:
        return Seen(courts=tuple(change.before.seats), power=True)
    before, after = change.before, change.after
    regions = range(len(before.regions))
    carded = [
        space
        for space, (one, other) in enumerate(zip(before.track, after.track, strict=True))
        if one != other or (one in before.negotiated) != (other in after.negotiated)
    ]
    return Seen(
        tuple(
            region
            for region in regions
            if (before.regions[region], before.discs[region]) != (after.regions[region], after.discs[region])
        ),
        tuple(seat for seat in before.seats if before.courts[seat] != after.courts[seat]),
        tuple(carded),
    )


def _tried(change: Change) -> Seen:
    """The places that a move names which is not allowed; where it names none, the regions that have followers."""
    match change.move:
        case Summon(_, region):
            return Seen((region,), (change.seat,))
        case Play(_, resolution):
            its = carried_out(resolution)
            if isinstance(its, Exchange):
                return Seen(spaces=tuple(sorted(map(change.before.track.index, (its.first, its.second)))))
            ends = [end for transfer in transfers(resolution) for end in transfer.ends]
            regions = tuple(sorted({end for end in ends if end >= 0}))
            open_ = [region for region, disc in enumerate(change.before.discs) if disc == OPEN]
            held = tuple(region for region in open_ if any(change.before.regions[region]))
            return Seen(regions or held[:FEW])
    return Seen()


@frozen
class Panel:
    """A picture of a position, cut down to what is seen: width, height, and its SVG without a head."""

    width: int
    height: int
    svg: str

    def document(self, label: str, *, small: bool = False) -> str:
        """The picture as a file of its own; a `small` one has no words."""
        style = css(_used({**STYLE, **(WORDLESS if small else {})}, self.svg))
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label, QUOTES)}">'
        return f"{head}<style>{style}</style>{self.svg}</svg>\n"


def _used(style: Style, svg: str) -> Style:
    """The part of a style that a drawing uses."""
    classes = {name for names in CLASSES.findall(svg) for name in names.split()}
    return {
        selector: declarations
        for selector, declarations in style.items()
        if selector == "svg" or classes & set(NAMES_IN.findall(selector))
    }


def panel(change: Change, position: Position, shown: Seen) -> Panel:
    """A position of a move: the one before it, or the one after it, in which what has changed is marked."""
    return _Drawn(change, position, shown).panel()


@frozen
class _Drawn:
    """Draws what is seen of a position."""

    change: Change
    position: Position
    shown: Seen
    scene: Scene = field(init=False)

    @scene.default
    def _(self) -> Scene:
        over = self.position is self.change.after and not self.change.broken and self.change.move is not None
        return Scene(self.change.game, self.position, None, NAMES, self._last() if over else None)

    def _last(self) -> LastTurn:
        return LastTurn(self.change.seat, (self.change.move,), self.change.events)

    @property
    def _board(self) -> Board:
        board: Board = self.change.game.board
        return board

    def panel(self) -> Panel:
        """The pieces of the map side by side, and the rest in rows below."""
        tiles = [self._tile(group) for group in self._groups()]
        svg, top, room = "", 0, max([LEAST, *(tile.width for tile in tiles)])
        room = max(room, min(MOST, sum(tile.width for tile in tiles)))
        for line in _lines(tiles, room):
            left = (room - sum(tile.width for tile in line)) // 2
            for tile in line:
                svg += element("g", tile.svg, transform=f"translate({left} {top})")
                left += tile.width
            top += max(tile.height for tile in line)
        rows = [*self._rows()]
        room = max([room, *(row.width for row in rows)])
        for row in rows:
            svg += element("g", row.svg, transform=f"translate({(room - row.width) // 2} {top})")
            top += row.height
        return Panel(room, top, svg)

    # -- the map ------------------------------------------------------------------------------------------

    def _groups(self) -> Iterator[tuple[int, ...]]:
        """The regions that are drawn as one piece of the map: those between which followers move, if they are close."""
        moved = self._moving().moved
        joined = {end for transfer in moved if transfer.between_regions for end in transfer.ends}
        together = tuple(region for region in self.shown.regions if region in joined)
        _, _, width, height = _box([drawing(self._board).shapes[region] for region in together] or [_NOWHERE])
        close = together if width <= MOST and height <= TALL else ()
        if close:
            yield close
        yield from ((region,) for region in self.shown.regions if region not in close)

    def _moving(self) -> Scene:
        """The scene with the move, whether or not it is allowed."""
        return evolve(self.scene, last=self._last() if self.change.move is not None else None)

    def _tile(self, regions: tuple[int, ...]) -> Panel:
        shapes = [drawing(self._board).shapes[region] for region in regions]
        left, top, width, height = _box(shapes)
        svg = "".join(self._ground(region, shape) for region, shape in zip(regions, shapes, strict=True))
        if self.position.contested in regions:
            svg += board_map.contested(drawing(self._board).shapes[self.position.contested].outline)
        svg += "".join(board_map.region(self.scene, *each) for each in zip(regions, shapes, strict=True))
        if len(regions) > 1 and (self.scene.last or self.change.broken):
            middles = [shape.middle for shape in drawing(self._board).shapes]
            svg += board_map.arrows(self._moving(), middles)[0]
        return Panel(width, height, element("g", svg, transform=f"translate({-left} {-top})"))

    def _ground(self, region: int, shape: Shape) -> str:
        """A region's ground: the tint of whoever has the most followers, stripes for a tie, hatching for an unstable one."""
        disc, outline = self.position.discs[region], board_map.path(shape.outline)
        land = element("path", d=outline, class_="land")
        if disc == UNSTABLE:
            return land + _pattern(("hatch",)) + element("path", d=outline, fill="url(#hatch)")
        followers = self.position.regions[region]
        most = [f"t{f}" for f, n in enumerate(followers) if n and n == max(followers)] if disc == OPEN else [f"x{disc}"]
        if len(most) == 1:
            return element("path", d=outline, class_=f"land {most[0]}")
        stripes = f"url(#{''.join(most)})" if most else "none"
        return land + _pattern(tuple(most)) + element("path", d=outline, fill=stripes)

    # -- beside the map -----------------------------------------------------------------------------------

    def _rows(self) -> Iterator[Panel]:
        for seat in self.shown.courts:
            gained = self.scene.last and self.change.before.courts[seat]
            label = f"{NAMES[seat]}\u2019s court"
            counts = [
                (f, self.position.courts[seat][f], (gained or self.position.courts[seat])[f]) for f in self._courtly
            ]
            yield _counted(label, counts, lambda f, x: pieces.follower(self._board, f, x, 13))
        if self.shown.power:
            discs = self.position.discs
            counts = [(f, discs.count(f), discs.count(f)) for f in range(len(self._board.factions))]
            yield _counted("Regions", counts, lambda f, x: pieces.disc(self._board, f, x, 13, 9.5))
        for space in self.shown.spaces:
            yield self._space(space)

    @property
    def _courtly(self) -> tuple[int, ...]:
        return self._board.courtly

    def _space(self, space: int) -> Panel:
        """A region card on its space; in violet if another one was there."""
        region, old = self.position.track[space], self.change.before.track[space]
        name = self._board.name(region)
        svg = text(8, 18, str(space + 1), class_="b ink")
        svg += element("rect", x=20, y=2, width=LEAST - 26, height=CARD - 5, rx=4, class_="card")
        svg += text(28, 18, name, class_="b new" if region != old else "b ink")
        if region in self.position.negotiated:
            svg += pieces.token(self._board, LEAST - 18, 13.5)
        return Panel(LEAST, CARD, svg)


_NOWHERE = Shape(((0.0, 0.0),), (0.0, 0.0))


def _box(shapes: Sequence[Shape]) -> tuple[int, int, int, int]:
    """Left, top, width and height of what holds some shapes."""
    points = [board_map.placed(point) for shape in shapes for point in shape.outline]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    width, height = int(right - left) + 2 * MARGIN, int(bottom - top) + 2 * MARGIN
    return int(left) - MARGIN, int(top) - MARGIN, width, height


def _lines(tiles: Sequence[Panel], room: int) -> Iterator[list[Panel]]:
    """Tiles in lines that are no wider than the room."""
    line: list[Panel] = []
    for tile in tiles:
        if line and sum(each.width for each in line) + tile.width > room:
            yield line
            line = []
        line.append(tile)
    if line:
        yield line


@cache
def _pattern(classes: tuple[str, ...]) -> str:
    """Stripes of several grounds, or hatching."""
    if not classes:
        return ""
    step = 6 if classes == ("hatch",) else 9
    drawn = (
        element("path", d="M0 0V6", class_="hatch")
        if classes == ("hatch",)
        else "".join(element("rect", x=9 * n, width=9, height=9, class_=each) for n, each in enumerate(classes))
    )
    return element(
        "pattern",
        drawn,
        id="".join(classes),
        width=step * len(classes),
        height=step,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(45)",
    )


def _counted(label: str, counts: Iterable[tuple[int, int, int]], mark: Callable[[int, float], str]) -> Panel:
    """A row of counts behind a label; a count that has changed is violet."""
    svg, x = text(8, 17, label, class_="b ink"), wide(label, bold=True) + 28
    for faction, now, before in counts:
        svg += mark(faction, x) + text(x + 13, 17.5, str(now), class_="b new" if now != before else "b ink")
        x += 40
    return Panel(int(x), ROW, svg)
