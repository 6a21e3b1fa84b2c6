"""Lay out and draw the followers, houses and names in a region.

Followers stand one by one in the order of the factions; from a dozen on, or where the land is too narrow, they are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import ceil
from typing import Literal

from attrs import define, evolve, field, frozen

from tkid.games.struggle.render import pieces
from tkid.games.struggle.render.scene import Drawing, Point, Scene, Shape, drawing
from tkid.games.struggle.rules.board import OPEN, Board, Followers
from tkid.games.struggle.rules.moves import COURT
from tkid.render.picture import REMEMBERED, Box, Part, Style, cut, paint, text, wide

PITCH, RINGED = 20.0, 25.0
"""The room of a follower, and of one in a ring."""
HALF, HALF_RINGED = 11.0, 12.5
"""Half the height of a row, and of one with a ring in it."""
BELOW = 4.5
"""From the base line of the name to the first row."""
FULL = 96.0
"""The width of a row from which on another one begins, if there is room for it."""
MOST_SINGLE = 12
"""Maximum number of followers and ghosts that are drawn one by one."""
EDGE = 4.0
"""The distance from the outline."""
LINE = 1.6
"""The distance from the outline above and below: half of the heavy one."""
NAME_SIZE, COUNT_SIZE, WORDS_SIZE, COIN_SIZE = 13, 11.5, 10.5, 12
GAPS = 4.0
"""The room before and behind the words beside a piece."""
NUMBER, HOUSE = 20.0, 18.0
"""The room for the number of a struggle before a name, and for a house behind it."""
COIN, AROUND_COIN = 17.0, 3.5
"""The radius of the coin of a resolved region, and how much wider the ring is around one that came in the last turn."""
COIN_GAP = 7.0
"""From a coin to its word."""
LONGEST = 84.0
"""Room for the place that a follower went to."""


@frozen
class Piece:
    """A follower, or the ghost of one that left: where its middle is, and what is written right of it.

    `key` is its faction. One that came in the last turn has a ring. `west`: it came from a region to the west.
    """

    kind: Literal["follower", "ghost"]
    faction: int
    came: bool = False
    words: str = ""
    west: bool = False
    x: float = 0
    y: float = 0

    @property
    def room(self) -> float:
        """Its width with its words."""
        pitch = RINGED if self.came else PITCH
        size = COUNT_SIZE if self.kind == "follower" else WORDS_SIZE
        return pitch + (wide(self.words, size, bold=True) + GAPS if self.words else 0)

    @property
    def reach(self) -> float:
        """Half its width without its words."""
        return (RINGED if self.came else PITCH) / 2

    @property
    def half(self) -> float:
        """Half its height."""
        return HALF_RINGED if self.came else HALF

    @property
    def box(self) -> Box:
        """The room that it takes on the map."""
        left = self.x - self.reach
        return Box(left, self.y - self.half, left + self.room, self.y + self.half)


@frozen
class Crowd:
    """Contents of a region: followers, those of them that came, those that a swap brought, and those that left.

    `swapped` has the faction of each that a swap brought, and True if it came from the west; `ghosts` has the faction
    of each that left, and the words for its goal.
    """

    followers: Followers
    came: Followers
    swapped: tuple[tuple[int, bool], ...] = ()
    ghosts: tuple[tuple[int, str], ...] = ()


@define(frozen=True, eq=False, slots=False)
class Packed:
    """Places of everything in a region, in units of the map. `number` is the middle of the number of its struggle."""

    name: str
    name_at: Point
    number: Point
    houses: tuple[tuple[int, Point], ...]
    pieces: tuple[Piece, ...] = ()
    coin: Point | None = None
    line: Box = field(default=Box(0, 0, 0, 0), kw_only=True)
    words: tuple[tuple[str, Point], ...] = field(default=(), kw_only=True)
    words_size: float = field(default=COIN_SIZE, kw_only=True)

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The rectangles that are taken: the line with the name, the coin with its word, and each piece."""
        coin: tuple[Box, ...] = ()
        if self.coin:
            x, y = self.coin
            coin = (
                Box(x - COIN, y - COIN, x + COIN, y + COIN),
                *[Box(a, b - 9, a + wide(words, self.words_size), b + 3) for words, (a, b) in self.words],
            )
        return (self.line, *coin, *[piece.box for piece in self.pieces])

    def places(self, kind: str, faction: int, *, came: bool = False) -> list[Point]:
        """Return the middles of followers or ghosts of a faction; with `came`, those that came in the last turn."""
        found = [each for each in self.pieces if (each.kind, each.faction, each.came) == (kind, faction, came)]
        return [(each.x, each.y) for each in found]


def packed(scene: Scene, index: int) -> Packed:
    """Return the places of everything in a region of a scene."""
    map_ = drawing(scene.board)
    disc = scene.shown.discs[index]
    return _resolved(map_, index, disc) if disc != OPEN else _open(map_, index, crowd(scene, index))


def crowd(scene: Scene, index: int) -> Crowd:
    """Return the contents of an open region of a scene."""
    followers = scene.shown.regions[index]
    if not scene.moved:
        return Crowd(followers, (0,) * len(followers))
    shapes = drawing(scene.board).shapes
    swapped: list[tuple[int, bool]] = []
    for transfer in scene.moved:
        if transfer.target == index and transfer.between_regions:
            west = shapes[transfer.origin].label[0] < shapes[index].label[0]
            swapped += [(faction, west) for faction in _one_by_one(transfer.group)]
    came = tuple(map(min, scene.came(index), followers))
    ghosts: list[tuple[int, str]] = []
    for transfer in scene.left(index):
        whither = "" if transfer.between_regions else f"\u2192 {_name(scene, transfer.target)}"
        ghosts += [(faction, whither) for faction in _one_by_one(transfer.group)]
    return Crowd(followers, came, tuple(swapped), tuple(sorted(ghosts, key=lambda ghost: ghost[1])))


def _name(scene: Scene, target: int) -> str:
    """Name the goal of a follower that didn't go to a region."""
    return scene.mover if target == COURT else scene.board.terms.stock.lower()


def _one_by_one(group: Followers) -> list[int]:
    return [faction for faction, n in enumerate(group) for _ in range(n)]


@lru_cache(REMEMBERED)
def _resolved(map_: Drawing, index: int, disc: int) -> Packed:
    """Place the name and the coin of a resolved region.

    The coin's word is beside it in a line or two, or below it on narrow land.
    """
    packed, shape, word = _named(map_, index, down=4), map_.shapes[index], map_.board.disc(disc)
    y, around = packed.name_at[1] + 26, COIN + AROUND_COIN
    left, right = _land(shape, y - around, y + around)
    for lines, size in (((word,), COIN_SIZE), (tuple(word.replace("-", "- ").split()), WORDS_SIZE)):
        width = around + COIN + COIN_GAP + max(wide(line, size) for line in lines)
        if width <= right - left:
            x = _between(shape.label[0] - width / 2, left, right - width) + around
            first = y + 0.36 * size - 0.6 * size * (len(lines) - 1)
            places = [(line, (x + COIN + COIN_GAP, first + 1.2 * size * n)) for n, line in enumerate(lines)]
            return evolve(packed, coin=(x, y), words=tuple(places), words_size=size)
    y -= 1
    below = y + around + WORDS_SIZE + 1
    left, right = _land(shape, y - around, below + 3)
    word = cut(word, right - left, WORDS_SIZE)
    width = max(2 * around, wide(word, WORDS_SIZE))
    x = _between(shape.label[0], left + width / 2, right - width / 2)
    start = x - wide(word, WORDS_SIZE) / 2
    return evolve(packed, coin=(x, y), words=((word, (start, below)),), words_size=WORDS_SIZE)


@lru_cache(REMEMBERED)
def _open(map_: Drawing, index: int, within: Crowd) -> Packed:
    """Place the name of an open region and the first form of its crowd that fits."""
    packed, shape = _named(map_, index), map_.shapes[index]
    for form in _forms(within):
        if (pieces := _rows(form, shape)) is not None:
            return evolve(packed, pieces=tuple(pieces))
    return packed


@lru_cache(REMEMBERED)
def _named(map_: Drawing, index: int, down: float = 0) -> Packed:
    """Place a region's name, with the number of its struggle and the houses of those at home here."""
    board, shape = map_.board, map_.shapes[index]
    homes = [faction for faction, home in enumerate(board.homes) if home == index]
    (x, y), around = shape.label, NUMBER + HOUSE * len(homes)
    y += down
    left, right = _land(shape, y - 12.5, y + 4)
    name = cut(board.name(index), right - left - around, NAME_SIZE, bold=True)
    width = wide(name, NAME_SIZE, bold=True)
    start = _between(x - (around + width) / 2, left, right - around - width)
    ends = start + NUMBER + width
    houses = tuple((faction, (ends + HOUSE * n + 11, y)) for n, faction in enumerate(homes))
    line = Box(start, y - 13, start + around + width, y + 4)
    return Packed(name, (start + NUMBER, y), (start + 8, y - 4), houses, line=line)


def _land(shape: Shape, top: float, bottom: float) -> tuple[float, float]:
    """Return the land between two heights, without its edge; without any land, the end lies before the start."""
    left, right = shape.room(top - LINE, bottom + LINE) or (shape.label[0], shape.label[0])
    return left + EDGE, right - EDGE


def _between(number: float, least: float, most: float) -> float:
    return max(least, min(number, most))


# -- rows -------------------------------------------------------------------------------------------------


def _forms(within: Crowd) -> Iterator[list[Piece]]:
    """Yield ways to show a crowd, the best first: one by one, without words, counted, without ghosts and rings."""
    ghosts = [Piece("ghost", faction, words=words) for faction, words in within.ghosts]
    last = {words: at for at, (_, words) in enumerate(within.ghosts)}
    once = [
        evolve(ghost, words=cut(ghost.words, LONGEST, WORDS_SIZE, bold=True) if last[ghost.words] == at else "")
        for at, ghost in enumerate(ghosts)
    ]
    bare = [evolve(ghost, words="") for ghost in ghosts]
    counted = _counted(within)
    if sum(within.followers) + len(ghosts) <= MOST_SINGLE:
        single, swapped = _single(within)
        silent = sum(1 for ghost in ghosts if not ghost.words)
        for gone in (once, bare):
            yield [*single, *gone[:silent], *swapped, *gone[silent:]]
    plain = [evolve(piece, came=False) for piece in counted]
    yield from ([*counted, *once], [*counted, *bare], [*counted, *dict.fromkeys(bare)], counted, plain)


def _single(within: Crowd) -> tuple[list[Piece], list[Piece]]:
    """Return followers by faction, in each those that came last; and separately those that a swap brought.

    Behind these is no ghost of those that they were swapped for, so that an arrow can come to them.
    """
    kept, swapped = list(within.followers), []
    for faction, west in within.swapped:
        if kept[faction]:
            kept[faction] -= 1
            swapped.append(Piece("follower", faction, came=True, west=west))
    new = [came - sum(1 for piece in swapped if piece.faction == faction) for faction, came in enumerate(within.came)]
    pieces = [
        Piece("follower", faction, came=at >= n - new[faction]) for faction, n in enumerate(kept) for at in range(n)
    ]
    return pieces, swapped


def _counted(within: Crowd) -> list[Piece]:
    """Return one piece and a number for each faction."""
    return [
        Piece("follower", faction, came=within.came[faction] > 0, words=f"\u00d7{n}" if n > 1 else "")
        for faction, n in enumerate(within.followers)
        if n
    ]


def _rows(pieces: Sequence[Piece], shape: Shape) -> list[Piece] | None:
    """Place pieces in as few rows as possible; return None if there is no room for them."""
    if not pieces:
        return []
    usual = ceil(sum(piece.room for piece in pieces) / FULL)
    for rows in (*range(usual, 0, -1), *range(usual + 1, len(pieces) + 1)):
        if placed := _in_rows(pieces, rows, shape):
            return placed
    return _in_rows(pieces, len(pieces), shape, even=False)


def _in_rows(pieces: Sequence[Piece], rows: int, shape: Shape, *, even: bool = True) -> list[Piece] | None:
    """Place pieces in at most `rows` rows, filled evenly or one by one; return None if there is no room."""
    left, y, placed = list(pieces), shape.label[1] + BELOW, list[Piece]()
    for more in range(rows, 0, -1):
        if not left:
            break
        row = _row(left, sum(piece.room for piece in left) / more) if even else left[:]
        while row and not _fits(row, _floor(row, shape, y)):
            row.pop()
        if not row:
            break
        left = left[len(row) :]
        half = max(piece.half for piece in row)
        placed += _in_a_row(row, _floor(row, shape, y), shape.label[0], y + half)
        y += 2 * half
    return None if left else placed


def _row(pieces: Sequence[Piece], aim: float) -> list[Piece]:
    """Return the first pieces, as many as come closest to a width."""
    row, width = list[Piece](), 0.0
    for piece in pieces:
        if row and width + piece.room / 2 > aim:
            break
        row.append(piece)
        width += piece.room
    return row


def _floor(row: Sequence[Piece], shape: Shape, top: float) -> tuple[float, float]:
    return _land(shape, top, top + 2 * max(piece.half for piece in row))


def _fits(row: Sequence[Piece], ends: tuple[float, float]) -> bool:
    return sum(piece.room for piece in row) <= ends[1] - ends[0]


def _in_a_row(row: Sequence[Piece], ends: tuple[float, float], middle: float, y: float) -> list[Piece]:
    """Place pieces side by side around a middle, as far as the land allows; those from the west first."""
    width = sum(piece.room for piece in row)
    x, placed = _between(middle - width / 2, ends[0], ends[1] - width), list[Piece]()
    for piece in sorted(row, key=lambda piece: not piece.west):
        placed.append(evolve(piece, x=x + piece.reach, y=y))
        x += piece.room
    return placed


STYLE: Style = {
    ".name": paint("font-size:13px;font-weight:700", fill="ink"),
    ".count": paint("font-size:11.5px;font-weight:700;font-variant-numeric:tabular-nums", fill="ink"),
    ".whither": paint("font-size:10.5px;font-weight:700", fill="last"),
    ".coin-word": paint(fill="ink"),
}


def regions(scene: Scene) -> tuple[Part, ...]:
    """Draw the contents of each region, and the number of its struggle, as parts."""
    codes = [each.code for each in scene.board.regions]
    return (
        *[Part(f"region-{code}", region(scene, index)) for index, code in enumerate(codes)],
        *[Part(f"order-{code}", order(scene, index)) for index, code in enumerate(codes)],
    )


def region(scene: Scene, index: int) -> str:
    """Draw the contents of a region: its name, the houses of those at home, and its followers or its coin."""
    shown = scene.shown
    return _region(packed(scene, index), scene.board, index, shown.discs[index], scene.resolved(index))


def order(scene: Scene, index: int) -> str:
    """Draw the number of a region's struggle, before its name."""
    shown = scene.shown
    resolved = shown.discs[index] != OPEN
    state = "resolved" if resolved else "contested" if index == scene.contested else "open"
    return pieces.number(*packed(scene, index).number, shown.track.index(index) + 1, state=state)


@lru_cache(REMEMBERED)
def _region(places: Packed, board: Board, index: int, disc: int, new: bool) -> str:  # noqa: FBT001 - a key of the cache
    svg = text(*places.name_at, places.name, class_="name")
    svg += "".join([pieces.house(board, faction, *at) for faction, at in places.houses])
    if places.coin:
        x, y = places.coin
        svg += pieces.coin(board, disc, x, y)
        svg += pieces.came(x, y, COIN + AROUND_COIN) if new else ""
        for words, at in places.words:
            svg += text(*at, words, class_="coin-word", font_size=places.words_size)
    code = board.regions[index].code
    for piece in places.pieces:
        if piece.kind == "ghost":
            svg += pieces.ghost(board, piece.faction, piece.x, piece.y)
        else:
            svg += pieces.came(piece.x, piece.y) if piece.came else ""
            key = f"follower/{code}/{board.factions[piece.faction].letter}"
            svg += pieces.follower(board, piece.faction, piece.x, piece.y, key=key)
        if piece.words:
            x, class_ = piece.x + piece.reach + 2, "count" if piece.kind == "follower" else "whither"
            svg += text(x, piece.y + 4, piece.words, class_=class_)
    return svg
