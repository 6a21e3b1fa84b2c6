"""The map: regions with their followers and discs, the marks of the last turn, and arrows."""

from __future__ import annotations

from functools import cache
from math import hypot

from attrs import frozen

from tkid.games.struggle.render.picture import old_pieces as pieces
from tkid.games.struggle.render.picture.old_pieces import PITCH
from tkid.games.struggle.render.picture.outlines import Line, Point, Shape
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import OPEN, Followers
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Transfer
from tkid.render.picture import cut, element, text, wide

IN_ROW = 4
"""The most followers in a row; if two rows are not enough, they are counted."""
ROOM = 92
"""The room for a line in a region."""
ON_ARROW = (0.5, 0.4, 0.6, 0.3, 0.7)
"""The places on an arrow for the followers that moved, the best first."""
CLEAR, ASIDE = 36, 24
"""The distance of an arrow's ends from the middle of a region, at most, and to the side of it."""


def land(scene: Scene, index: int, outline: Line) -> str:
    """The ground of a region."""
    code, open_ = scene.board.regions[index].code, scene.shown.discs[index] == OPEN
    return element("path", d=path(outline), class_="land" if open_ else "shut", data_at=f"region/{code}")


def region(scene: Scene, index: int, shape: Shape) -> str:
    """What is in a region: its name, whose home it is, followers or a disc."""
    draw = _open if scene.shown.discs[index] == OPEN else _shut
    return draw(scene, index, placed(shape.middle))


def contested(outline: Line) -> str:
    """The heavy outline of the contested region."""
    return element("path", d=path(outline), class_="next")


def road(start: Point, end: Point) -> str:
    """A border on a plain map."""
    (a, b), (c, d) = placed(start), placed(end)
    return element("path", d=f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}", class_="road")


def arrows(scene: Scene, middles: list[Point]) -> tuple[str, str]:
    """The arrows for followers that moved between regions, and those followers on their arrows."""
    rooms = [placed(middle) for middle in middles]
    drawn = [_arrow(scene, transfer, rooms) for transfer in scene.moved if transfer.between_regions]
    return "".join(arrow for arrow, _ in drawn), "".join(group for _, group in drawn)


def placed(point: Point) -> Point:
    """A point of the map in the picture."""
    return point


@cache
def path(outline: Line) -> str:
    """A closed line as the data of a path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in map(placed, outline)) + "Z"


def _shut(scene: Scene, index: int, middle: Point) -> str:
    """A resolved region: its disc, and the disc in words."""
    (x, y), board, disc = middle, scene.board, scene.shown.discs[index]
    new = scene.last is not None and any(board.name(index) in event.line for event in scene.last.events)
    return (
        pieces.disc(board, disc, x, y - 13, 18)
        + (pieces.added(x + 15, y - 26) if new else "")
        + text(x, y + 18, cut(board.name(index), ROOM, 12.5, bold=True), class_="n ink", text_anchor="middle")
        + text(x, y + 30, cut(board.disc(disc), ROOM), class_="dim", text_anchor="middle")
    )


def _open(scene: Scene, index: int, middle: Point) -> str:
    """An open region: its name, homes, followers, and the followers that left it for no other region."""
    (x, y), board, rows = middle, scene.board, _rows(scene, index)
    left = [transfer for transfer in scene.left(index) if not transfer.between_regions]
    top = y - 7 - PITCH * (len(rows) + bool(left) - 1) / 2
    name = cut(board.name(index), ROOM, 12.5, bold=True)
    homes = [faction for faction, home in enumerate(board.homes) if home == index]
    half = (wide(name, 12.5, bold=True) + 18 * len(homes)) / 2
    svg = text(x - half, top, name, class_="n ink")
    for n, faction in enumerate(homes):
        svg += pieces.home(board, faction, x + half - 7 - 18 * n, top - 3)
    for n, row in enumerate(rows):
        svg += _row(scene, index, row, (x, top + 15 + PITCH * n))
    return svg + (_departed(scene, left, (x, top + 15 + PITCH * len(rows))) if left else "")


@frozen
class _Piece:
    """Followers of a faction drawn as one piece with a count behind it; `new` if any came in the last turn."""

    faction: int
    count: str
    new: bool

    @property
    def room(self) -> float:
        """Its width."""
        return PITCH + (wide(self.count) + 5 if self.count else 0)


def _rows(scene: Scene, index: int) -> list[list[_Piece]]:
    """The followers in a region, in rows: one by one if they are few, or else counted."""
    followers, came = scene.shown.regions[index], scene.came(index)
    total = sum(followers)
    if total > 2 * IN_ROW:
        row = 2
        counts = [f"\u00d7{n}" if n > 1 else "" for n in followers]
        drawn = [_Piece(f, counts[f], came[f] > 0) for f, n in enumerate(followers) if n]
    else:
        row = -(-total // -(-total // IN_ROW)) if total else 1
        drawn = [_Piece(f, "", at >= n - came[f]) for f, n in enumerate(followers) for at in range(n)]
    return [drawn[start : start + row] for start in range(0, len(drawn), row)]


def _row(scene: Scene, index: int, row: list[_Piece], middle: Point) -> str:
    """Followers side by side around a point."""
    (x, y), code, svg = middle, scene.board.regions[index].code, ""
    x -= sum(piece.room for piece in row) / 2
    for piece in row:
        key = f"follower/{code}/{scene.board.factions[piece.faction].letter}"
        svg += pieces.follower(scene.board, piece.faction, x + PITCH / 2, y, key=key)
        svg += pieces.added(x + PITCH / 2 + 7, y - 7) if piece.new else ""
        svg += text(x + PITCH + 1, y + 4, piece.count, class_="ink") if piece.count else ""
        x += piece.room
    return svg


def _departed(scene: Scene, left: list[Transfer], middle: Point) -> str:
    """The followers that left a region for a court or the supply, as outlines, and where they went."""
    assert scene.last is not None
    factions: dict[int, list[int]] = {}
    for transfer in left:
        factions.setdefault(transfer.target, []).extend(_one_by_one(transfer.group))
    total = sum(map(len, factions.values()))
    room = max(12.0, (ROOM - PITCH * total) / len(factions) - 5)
    where = {COURT: scene.names[scene.last.seat], SUPPLY: scene.board.terms.stock}
    words = {target: cut(f"\u2192 {where[target]}", room) for target in factions}
    (x, y), svg = middle, ""
    x -= (PITCH * total + sum(wide(word) + 5 for word in words.values())) / 2
    for target, group in factions.items():
        for faction in group:
            svg += pieces.follower(scene.board, faction, x + PITCH / 2, y, gone=True)
            x += PITCH
        svg += text(x + 1, y + 4, words[target], class_="ink")
        x += wide(words[target]) + 5
    return svg


def _one_by_one(followers: Followers) -> list[int]:
    """The faction of each follower."""
    return [faction for faction, n in enumerate(followers) for _ in range(n)]


def _arrow(scene: Scene, transfer: Transfer, rooms: list[Point]) -> tuple[str, str]:
    """A curved arrow between two regions, and the followers on it, as far from the rooms of regions as possible."""
    (a, b), (c, d) = rooms[transfer.origin], rooms[transfer.target]
    length = max(1.0, hypot(c - a, d - b))
    along, across = ((c - a) / length, (d - b) / length), ((b - d) / length, (c - a) / length)
    clear, bow = min(CLEAR, 0.3 * length), ASIDE + 0.1 * length
    start = (a + clear * along[0] + ASIDE * across[0], b + clear * along[1] + ASIDE * across[1])
    end = (c - clear * along[0] + ASIDE * across[0], d - clear * along[1] + ASIDE * across[1])
    bend = ((a + c) / 2 + bow * across[0], (b + d) / 2 + bow * across[1])
    line = f"M{start[0]:.1f} {start[1]:.1f}Q{bend[0]:.1f} {bend[1]:.1f} {end[0]:.1f} {end[1]:.1f}"
    arrow = element("path", d=line, class_="halo") + element("path", d=line, class_="arrow") + pieces.tip(bend, end)
    group = _one_by_one(transfer.group)
    places = (_on_curve(start, bend, end, t) for t in ON_ARROW)
    x, y = max(places, key=lambda place: min(_distance(place, room) for room in rooms))
    x -= PITCH * (len(group) - 1) / 2
    return arrow, "".join(pieces.follower(scene.board, f, x + PITCH * n, y) for n, f in enumerate(group))


def _on_curve(start: Point, bend: Point, end: Point, t: float) -> Point:
    """A point on a curve, from 0 at its start to 1 at its end."""
    u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return u * start[0] + v * bend[0] + w * end[0], u * start[1] + v * bend[1] + w * end[1]


def _distance(point: Point, room: Point) -> float:
    """The distance from the room of a region, which is wider than high."""
    return hypot((point[0] - room[0]) / 1.4, point[1] - room[1])
