"""The map in a picture: regions with their followers and discs, what the last turn changed there, and arrows."""

from __future__ import annotations

from functools import cache
from math import hypot

from attrs import frozen

from tkid.games.struggle.render import pieces
from tkid.games.struggle.render.geography import Line, Point, Shape
from tkid.games.struggle.render.pieces import PITCH
from tkid.games.struggle.render.scene import MAP_TOP, Scene
from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Transfer
from tkid.render.picture import cut, element, text, wide

IN_ROW = 4
"""Followers that stand side by side; where more than two such rows would be needed, they are counted."""
NAME_ROOM = 92
"""The room for a region's name, and what is written below a disc."""
ON = (0.5, 0.4, 0.6, 0.3, 0.7)
"""Where on an arrow those who went may stand."""
DEPARTED = 92
"""The room for those who left a region."""
WEST = 14
"""So far to the left of its place the map is drawn."""
CLEAR, ASIDE = 36, 24
"""How far from the middle of a region an arrow begins and ends at most, and how far to the side of it."""


def land(scene: Scene, index: int, outline: Line) -> str:
    """The ground of a region."""
    code, open_ = scene.board.regions[index].code, scene.shown.discs[index] == OPEN
    return element("path", d=path(outline), class_="land" if open_ else "shut", data_at=f"region/{code}")


def region(scene: Scene, index: int, shape: Shape) -> str:
    """What stands in a region: its name, whose home it is, followers or a disc."""
    drawn = _open if scene.shown.discs[index] == OPEN else _shut
    return drawn(scene, index, placed(shape.middle))


def contested(outline: Line) -> str:
    """The outline of the contested region: heavier than any other."""
    return element("path", d=path(outline), class_="next")


def road(start: Point, end: Point) -> str:
    """A border of a board that is drawn plainly."""
    (a, b), (c, d) = placed(start), placed(end)
    return element("path", d=f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}", class_="road")


def arrows(scene: Scene, middles: list[Point]) -> tuple[str, str]:
    """An arrow for each group that went from one region to another; and the groups, each on its arrow."""
    rooms = [placed(middle) for middle in middles]
    drawn = [_arrow(scene, transfer, rooms) for transfer in scene.moved if transfer.between_regions]
    return "".join(line for line, _ in drawn), "".join(group for _, group in drawn)


def placed(point: Point) -> Point:
    """A point of the map in the picture."""
    return point[0] - WEST, point[1] + MAP_TOP


@cache
def path(outline: Line) -> str:
    """A closed line as the data of a path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in map(placed, outline)) + "Z"


def _shut(scene: Scene, index: int, middle: Point) -> str:
    """A region whose power struggle is resolved: its disc, and in words what the disc says."""
    (x, y), board, disc = middle, scene.board, scene.shown.discs[index]
    fresh = scene.last is not None and any(board.name(index) in event.line for event in scene.last.events)
    return (
        pieces.disc(board, disc, x, y - 13, 18)
        + (pieces.added(x + 15, y - 26) if fresh else "")
        + text(x, y + 18, cut(board.name(index), NAME_ROOM, 12.5, bold=True), class_="n ink", text_anchor="middle")
        + text(x, y + 30, cut(board.disc(disc), NAME_ROOM), class_="dim", text_anchor="middle")
    )


def _open(scene: Scene, index: int, middle: Point) -> str:
    """A region that is still open: its name, homes, followers, and who left it in the last turn."""
    (x, y), board = middle, scene.board
    left = [transfer for transfer in scene.left(index) if not transfer.between_regions]
    rows = _rows(scene, index)
    top = y - 7 - PITCH * (len(rows) + bool(left) - 1) / 2
    name = cut(board.name(index), NAME_ROOM, 12.5, bold=True)
    homes = [faction for faction, home in enumerate(board.homes) if home == index]
    half = (wide(name, 12.5, bold=True) + 18 * len(homes)) / 2
    drawn = text(x - half, top, name, class_="n ink")
    for at, faction in enumerate(homes):
        drawn += pieces.home(board, faction, x + half - 7 - 18 * at, top - 3)
    for at, row in enumerate(rows):
        drawn += _row(scene, index, row, (x, top + 15 + PITCH * at))
    if left:
        drawn += _departed(scene, left, (x, top + 15 + PITCH * len(rows)))
    return drawn


@frozen
class _Standing:
    """Followers of a faction drawn as one piece: `many` of them as a number behind it; `new` came in the last turn."""

    faction: int
    many: int
    new: int

    @property
    def wide(self) -> float:
        """How much room it takes."""
        return PITCH + (wide(self.told) + 5 if self.told else 0)

    @property
    def told(self) -> str:
        """What is written behind it."""
        return f"\u00d7{self.many}" if self.many > 1 else ""


def _rows(scene: Scene, index: int) -> list[list[_Standing]]:
    """Who stands in a region, in rows: one by one where they are few, else counted."""
    standing, came = scene.shown.regions[index], scene.came(index)
    total = sum(standing)
    new = [min(n, of) for n, of in zip(standing, came, strict=True)]
    if total > 2 * IN_ROW:
        counted = [_Standing(f, n, new[f]) for f, n in enumerate(standing) if n]
        return [counted[at : at + 2] for at in range(0, len(counted), 2)]
    single = [_Standing(f, 1, int(at >= n - new[f])) for f, n in enumerate(standing) for at in range(n)]
    side = -(-total // -(-total // IN_ROW)) if total else 1
    return [single[at : at + side] for at in range(0, total, side)]


def _row(scene: Scene, index: int, row: list[_Standing], middle: Point) -> str:
    """Followers side by side around a point."""
    (x, y), code, drawn = middle, scene.board.regions[index].code, ""
    x -= sum(each.wide for each in row) / 2
    for each in row:
        at = f"follower/{code}/{scene.board.factions[each.faction].letter}"
        drawn += pieces.follower(scene.board, each.faction, x + PITCH / 2, y, at=at)
        if each.new:
            drawn += pieces.added(x + PITCH / 2 + 7, y - 7)
        drawn += text(x + PITCH + 1, y + 4, each.told, class_="ink") if each.told else ""
        x += each.wide
    return drawn


def _departed(scene: Scene, left: list[Transfer], middle: Point) -> str:
    """Who left a region for a court or for the supply in the last turn, as outlines, and where to."""
    assert scene.last is not None
    groups = [(f, transfer.target) for transfer in left for f, n in enumerate(transfer.group) for _ in range(n)]
    targets = list(dict.fromkeys(target for _, target in groups))
    room = max(12.0, (DEPARTED - PITCH * len(groups)) / len(targets) - 5)
    where = {COURT: scene.names[scene.last.seat], SUPPLY: scene.board.terms.stock}
    words = {target: cut(f"\u2192 {where[target]}", room) for target in targets}
    (x, y), drawn = middle, ""
    x -= (PITCH * len(groups) + sum(wide(word) + 5 for word in words.values())) / 2
    for target in targets:
        for faction, _ in (group for group in groups if group[1] == target):
            drawn += pieces.follower(scene.board, faction, x + PITCH / 2, y, gone=True)
            x += PITCH
        drawn += text(x + 1, y + 4, words[target], class_="ink")
        x += wide(words[target]) + 5
    return drawn


def _arrow(scene: Scene, transfer: Transfer, rooms: list[Point]) -> tuple[str, str]:
    """A bowed arrow between two regions, and those who went on it, as far from what stands in regions as may be."""
    (a, b), (c, d) = rooms[transfer.origin], rooms[transfer.target]
    far = max(1.0, hypot(c - a, d - b))
    along, across = ((c - a) / far, (d - b) / far), ((b - d) / far, (c - a) / far)
    clear, bow = min(CLEAR, 0.3 * far), ASIDE + 0.1 * far
    p = (a + clear * along[0] + ASIDE * across[0], b + clear * along[1] + ASIDE * across[1])
    q = (c - clear * along[0] + ASIDE * across[0], d - clear * along[1] + ASIDE * across[1])
    m = ((a + c) / 2 + bow * across[0], (b + d) / 2 + bow * across[1])
    line = f"M{p[0]:.1f} {p[1]:.1f}Q{m[0]:.1f} {m[1]:.1f} {q[0]:.1f} {q[1]:.1f}"
    arrow = element("path", d=line, class_="halo") + element("path", d=line, class_="arrow") + pieces.tip(m, q)
    group = [faction for faction, n in enumerate(transfer.group) for _ in range(n)]
    x, y = max((_bent(p, m, q, t) for t in ON), key=lambda at: min(_spread(at, room) for room in rooms))
    x -= PITCH * (len(group) - 1) / 2
    return arrow, "".join(pieces.follower(scene.board, f, x + PITCH * at, y) for at, f in enumerate(group))


def _bent(start: Point, bend: Point, end: Point, t: float) -> Point:
    """A point on a bowed line, from 0 at its start to 1 at its end."""
    u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return u * start[0] + v * bend[0] + w * end[0], u * start[1] + v * bend[1] + w * end[1]


def _spread(point: Point, room: Point) -> float:
    """How far a point is from what stands in a region, which is wider than high."""
    return hypot((point[0] - room[0]) / 1.4, point[1] - room[1])
