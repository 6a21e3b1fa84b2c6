"""Draw a region's followers (as counts if they are too many for its land), houses and name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import ceil
from typing import Literal

from attrs import define, evolve, field, frozen

from tkid.games.struggle.render import pieces
from tkid.games.struggle.render.scene import Drawing, Point, Scene, Shape, choose_drawing, choose_low_drawing
from tkid.games.struggle.rules.board import OPEN, Board, Followers
from tkid.games.struggle.rules.moves import COURT
from tkid.render import picture
from tkid.render.picture import REMEMBERED, Box, Part, Style, measure_text, paint, truncate_to_room, write_text_element

PITCH, RINGED = 20.0, 25.0
"""The room of a follower, and of one in a ring."""
HALF, HALF_RINGED = 11.0, 12.5
"""Half the height of a row, and of one with a ring in it."""
BELOW = 4.5
"""From the base line of the name to the first row."""
PAIR = 2
FULL = 96.0
"""The width of a row from which on another one begins, if there is room for it."""
MOST_SINGLE = 12
"""Maximum number of followers and ghosts that are drawn one by one."""
EDGE = 4.0
"""The distance from the outline."""
LINE = 1.6
"""The distance from the outline above and below: half of the heavy one."""
GAPS = 4.0
"""The room before and behind the words beside a piece."""
NUMBER, HOUSE = 20.5, 18.0
"""The room for the number of a struggle before a name, and for a house behind it."""
COIN, AROUND_COIN = 17.0, 2.5
"""The radius of the coin of a resolved region, and how much wider the ring is around one that came in the last turn."""
COIN_GAP = 4.0
"""From a coin to its word."""
GOAL_ROOM = 84.0
"""Room for the place that a follower went to."""


@frozen
class Piece:
    """A follower, or the ghost of one that left, with words to its right; `moved`: it came from a region, `west`: to the west."""

    kind: Literal["follower", "ghost"]
    faction: int
    came: bool = False
    words: str = ""
    west: bool = False
    moved: bool = False
    x: float = 0
    y: float = 0

    @property
    def room(self) -> float:
        pitch = RINGED if self.came else PITCH
        return pitch + (measure_text(self.words, bold=True) + GAPS if self.words else 0)

    @property
    def reach(self) -> float:
        return (RINGED if self.came else PITCH) / 2

    @property
    def half(self) -> float:
        return HALF_RINGED if self.came else HALF

    @property
    def box(self) -> Box:
        left = self.x - self.reach
        return Box(left, self.y - self.half, left + self.room, self.y + self.half)


@frozen
class Crowd:
    """A region's followers, who came, whom a swap brought (from the west?), and the factions that left with words for where."""

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

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The rectangles that are taken: the line with the name, the coin with its word, and each piece."""
        coin: tuple[Box, ...] = ()
        if self.coin:
            x, y = self.coin
            coin = (
                Box(x - COIN, y - COIN, x + COIN, y + COIN),
                *[Box(a, b - 9, a + measure_text(words), b + 3) for words, (a, b) in self.words],
            )
        return (self.line, *coin, *[piece.box for piece in self.pieces])

    @cached_property
    def pair(self) -> tuple[Piece, ...]:
        """Two followers side by side that came together; () without such."""
        moved = tuple([piece for piece in self.pieces if piece.moved])
        beside = len(moved) == PAIR and are_side_by_side(*[(piece.x, piece.y) for piece in moved])
        return moved if beside else ()

    def find_places(self, kind: str, faction: int, *, came: bool = False) -> list[Point]:
        """Return the middles of followers or ghosts of a faction; with `came`, those that came in the last turn."""
        found = [each for each in self.pieces if (each.kind, each.faction, each.came) == (kind, faction, came)]
        return [(each.x, each.y) for each in found]


def are_side_by_side(one: Point, other: Point) -> bool:
    return one[1] == other[1] and abs(one[0] - other[0]) <= RINGED


def pack_region(scene: Scene, index: int) -> Packed:
    disc = scene.shown.discs[index]
    if disc != OPEN:
        return _pack_resolved(choose_drawing(scene.board), index, disc)
    return pack_crowd(scene.board, index, _find_crowd(scene, index), low=scene.low)


def pack_crowd(board: Board, index: int, crowd: Crowd, *, low: bool) -> Packed:
    """Place the name and the followers of an open region."""
    return _pack_open(choose_low_drawing(board) if low else choose_drawing(board), index, crowd)


def _find_crowd(scene: Scene, index: int) -> Crowd:
    followers = scene.shown.regions[index]
    if not scene.moved:
        return Crowd(followers, (0,) * len(followers))
    shapes = choose_drawing(scene.board).shapes
    swapped: list[tuple[int, bool]] = []
    for transfer in scene.moved:
        if transfer.target == index and transfer.between_regions:
            west = shapes[transfer.origin].label[0] < shapes[index].label[0]
            swapped += [(faction, west) for faction in _list_factions(transfer.group)]
    came = tuple(map(min, scene.count_arrivals(index), followers))
    ghosts: list[tuple[int, str]] = []
    for transfer in scene.list_departures(index):
        goal = scene.mover if transfer.target == COURT else scene.board.terms.stock.lower()
        whither = "" if transfer.between_regions else f"\u2192 {goal}"
        ghosts += [(faction, whither) for faction in _list_factions(transfer.group)]
    return Crowd(followers, came, tuple(swapped), tuple(sorted(ghosts, key=lambda ghost: ghost[1])))


def _list_factions(group: Followers) -> list[int]:
    return [faction for faction, n in enumerate(group) for _ in range(n)]


@lru_cache(REMEMBERED)
def _pack_resolved(map_: Drawing, index: int, disc: int) -> Packed:
    """Place a resolved region's name and its coin, whose word is beside it, or below it on narrow land."""
    packed, shape, word = _place_name(map_, index, down=4), map_.shapes[index], map_.board.name_disc(disc)
    y, around = packed.name_at[1] + 26, COIN + AROUND_COIN
    left, right = _find_land(shape, y - around, y + around)
    for lines in ((word,), tuple(word.replace("-", "- ").split())):
        width = around + COIN + COIN_GAP + max(map(measure_text, lines))
        if width <= right - left:
            x = _limit_number(shape.label[0] - width / 2, left, right - width) + around
            first = y + 0.36 * picture.LEAST - 0.6 * picture.LEAST * (len(lines) - 1)
            places = [(line, (x + COIN + COIN_GAP, first + 1.2 * picture.LEAST * n)) for n, line in enumerate(lines)]
            return evolve(packed, coin=(x, y), words=tuple(places))
    y -= 1
    bases = [y + around + picture.LEAST * (1 + 1.1 * n) + 1 for n in range(2)]
    left, right = _find_land(shape, y - around, bases[0] + 3)
    if measure_text(word) <= right - left:
        lines = (word,)
    else:
        left, right = _find_land(shape, y - around, bases[1] + 3)
    lines = tuple([truncate_to_room(line, right - left) for line in lines])
    width = max(2 * around, *map(measure_text, lines))
    x = _limit_number(shape.label[0], left + width / 2, right - width / 2)
    words = [(line, (x - measure_text(line) / 2, base)) for line, base in zip(lines, bases, strict=False)]
    return evolve(packed, coin=(x, y), words=tuple(words))


@lru_cache(REMEMBERED)
def _pack_open(map_: Drawing, index: int, crowd: Crowd) -> Packed:
    packed, shape = _place_name(map_, index), map_.shapes[index]
    for room in (shape, Shape(shape.outline, shape.label)):
        for form in _list_forms(crowd):
            if (pieces := _place_pieces(form, room)) is not None:
                return evolve(packed, pieces=tuple(pieces))
    return packed


@lru_cache(REMEMBERED)
def _place_name(map_: Drawing, index: int, down: float = 0) -> Packed:
    board, shape = map_.board, map_.shapes[index]
    homes = [faction for faction, home in enumerate(board.homes) if home == index]
    (x, y), around = shape.label, NUMBER + HOUSE * len(homes)
    y += down
    left, right = _find_land(shape, y - 12.9, y + 4)
    name = truncate_to_room(board.name_region(index), right - left - around, bold=True)
    width = measure_text(name, bold=True)
    start = _limit_number(x - (around + width) / 2, left, right - around - width)
    ends = start + NUMBER + width
    houses = tuple((faction, (ends + HOUSE * n + 11, y)) for n, faction in enumerate(homes))
    line = Box(start, y - 14, start + around + width, y + 4)
    return Packed(name, (start + NUMBER, y), (start + 8.8, y - 4.9), houses, line=line)


def _find_land(shape: Shape, top: float, bottom: float) -> tuple[float, float]:
    """Return the land between two heights, without its edge; without any land, the end lies before the start."""
    left, right = shape.find_room(top - LINE, bottom + LINE) or (shape.label[0], shape.label[0])
    return left + EDGE, right - EDGE


def _limit_number(number: float, least: float, most: float) -> float:
    return max(least, min(number, most))


def _list_forms(crowd: Crowd) -> Iterator[list[Piece]]:
    """Yield ways to show a crowd, the best first: one by one, without words, counted, without ghosts and rings."""
    ghosts = [Piece("ghost", faction, words=words) for faction, words in crowd.ghosts]
    last = {words: at for at, (_, words) in enumerate(crowd.ghosts)}
    once = [
        evolve(ghost, words=truncate_to_room(ghost.words, GOAL_ROOM, bold=True) if last[ghost.words] == at else "")
        for at, ghost in enumerate(ghosts)
    ]
    bare = [evolve(ghost, words="") for ghost in ghosts]
    counted = [
        Piece("follower", faction, came=crowd.came[faction] > 0, words=f"\u00d7{n}" if n > 1 else "")
        for faction, n in enumerate(crowd.followers)
        if n
    ]
    if sum(crowd.followers) + len(ghosts) <= MOST_SINGLE:
        single, swapped = _list_single_pieces(crowd)
        silent = sum(1 for ghost in ghosts if not ghost.words)
        for gone in (once, bare):
            yield [*single, *gone[:silent], *swapped, *gone[silent:]]
    plain = [evolve(piece, came=False) for piece in counted]
    yield from ([*counted, *once], [*counted, *bare], [*counted, *dict.fromkeys(bare)], counted, plain)


def _list_single_pieces(crowd: Crowd) -> tuple[list[Piece], list[Piece]]:
    """Return the followers by faction, newest last; and those that a swap brought, which an arrow has to reach."""
    kept, swapped = list(crowd.followers), []
    for faction, west in crowd.swapped:
        if kept[faction]:
            kept[faction] -= 1
            swapped.append(Piece("follower", faction, came=True, west=west, moved=True))
    new = [came - sum(1 for piece in swapped if piece.faction == faction) for faction, came in enumerate(crowd.came)]
    pieces = [
        Piece("follower", faction, came=at >= n - new[faction]) for faction, n in enumerate(kept) for at in range(n)
    ]
    return pieces, swapped


def _place_pieces(pieces: Sequence[Piece], shape: Shape) -> list[Piece] | None:
    """Place pieces in as few rows as possible; return None if there is no room for them."""
    if not pieces:
        return []
    usual = ceil(sum(piece.room for piece in pieces) / FULL)
    for rows in (*range(usual, 0, -1), *range(usual + 1, len(pieces) + 1)):
        if placed := _fill_rows(pieces, rows, shape):
            return placed
    return _fill_rows(pieces, len(pieces), shape, even=False)


def _fill_rows(pieces: Sequence[Piece], rows: int, shape: Shape, *, even: bool = True) -> list[Piece] | None:
    """Place pieces in at most `rows` rows, filled evenly or one by one; return None if there is no room."""
    left, y, placed = list(pieces), shape.label[1] + BELOW, list[Piece]()
    for more in range(rows, 0, -1):
        if not left:
            break
        row = _take_row(left, sum(piece.room for piece in left) / more) if even else left[:]
        while row and not _is_narrow_enough(row, _find_row_land(row, shape, y)):
            row.pop()
        if not row:
            break
        if len(row) > 1 and row[-1].moved and any(piece.moved for piece in left[len(row) :]):
            row.pop()  # a pair stays together
        left = left[len(row) :]
        half = max(piece.half for piece in row)
        placed += _place_row(row, _find_row_land(row, shape, y), shape.label[0], y + half)
        y += 2 * half
    return None if left else placed


def _take_row(pieces: Sequence[Piece], aim: float) -> list[Piece]:
    row, width = list[Piece](), 0.0
    for piece in pieces:
        if row and width + piece.room / 2 > aim:
            break
        row.append(piece)
        width += piece.room
    return row


def _find_row_land(row: Sequence[Piece], shape: Shape, top: float) -> tuple[float, float]:
    return _find_land(shape, top, top + 2 * max(piece.half for piece in row))


def _is_narrow_enough(row: Sequence[Piece], ends: tuple[float, float]) -> bool:
    return sum(piece.room for piece in row) <= ends[1] - ends[0]


def _place_row(row: Sequence[Piece], ends: tuple[float, float], middle: float, y: float) -> list[Piece]:
    width = sum(piece.room for piece in row)
    x, placed = _limit_number(middle - width / 2, ends[0], ends[1] - width), list[Piece]()
    for piece in sorted(row, key=lambda piece: not piece.west):
        placed.append(evolve(piece, x=x + piece.reach, y=y))
        x += piece.room
    return placed


STYLE: Style = {
    ".name": paint("font-weight:700", fill="ink"),
    ".count": paint("font-weight:700;font-variant-numeric:tabular-nums", fill="ink"),
    ".whither": paint("font-weight:700", fill="last"),
    ".coin-word": paint(fill="ink"),
}


def draw_regions(scene: Scene) -> tuple[Part, ...]:
    codes = [each.code for each in scene.board.regions]
    return (
        *[Part(f"region-{code}", draw_region_contents(scene, index)) for index, code in enumerate(codes)],
        *[Part(f"order-{code}", draw_region_number(scene, index)) for index, code in enumerate(codes)],
    )


def draw_region_contents(scene: Scene, index: int) -> str:
    shown = scene.shown
    packed, is_new = pack_region(scene, index), scene.is_newly_resolved(index)
    return _draw_region(packed, scene.board, index, shown.discs[index], is_new)


def draw_open_region(board: Board, index: int, places: Packed) -> str:
    return _draw_region(places, board, index, OPEN, new=False)


def draw_region_number(scene: Scene, index: int) -> str:
    shown = scene.shown
    resolved = shown.discs[index] != OPEN
    state = "resolved" if resolved else "contested" if index == scene.contested else "open"
    return pieces.draw_struggle_number(*pack_region(scene, index).number, shown.track.index(index) + 1, state=state)


@lru_cache(REMEMBERED)
def _draw_region(places: Packed, board: Board, index: int, disc: int, new: bool) -> str:  # noqa: FBT001 - a key of the cache
    svg = write_text_element(*places.name_at, places.name, class_="name")
    svg += "".join([pieces.draw_shape("house", board, faction, *at) for faction, at in places.houses])
    if places.coin:
        x, y = places.coin
        svg += pieces.draw_coin(board, disc, x, y)
        svg += pieces.draw_ring(x, y, COIN + AROUND_COIN) if new else ""
        for words, at in places.words:
            svg += write_text_element(*at, words, class_="coin-word")
    code = board.regions[index].code
    if places.pair:
        left, right = sorted(piece.x for piece in places.pair)
        svg += pieces.draw_capsule(left, right, places.pair[0].y)
    for piece in places.pieces:
        if piece.kind == "ghost":
            svg += pieces.draw_shape("ghost", board, piece.faction, piece.x, piece.y)
        else:
            svg += pieces.draw_ring(piece.x, piece.y) if piece.came and piece not in places.pair else ""
            key = f"follower/{code}/{board.factions[piece.faction].letter}"
            svg += pieces.draw_shape("piece", board, piece.faction, piece.x, piece.y, key=key)
        if piece.words:
            x, class_ = piece.x + piece.reach + 2, "count" if piece.kind == "follower" else "whither"
            svg += write_text_element(x, piece.y + 4, piece.words, class_=class_)
    return svg
