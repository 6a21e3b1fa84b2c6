"""Small pictures of what a move changes at The King is Dead: the regions, courts and region cards, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import ceil

from attrs import evolve, field, frozen

from docs.making.changes import Change
from docs.making.drawn import NAMES
from tkid.games.struggle.render import arrows, pieces, regions
from tkid.games.struggle.render import scene as map_scene
from tkid.games.struggle.render.arrows import find_route
from tkid.games.struggle.render.regions import pack_region
from tkid.games.struggle.render.scene import Point, Scene, choose_drawing
from tkid.games.struggle.rules.board import OPEN, Board, Position
from tkid.games.struggle.rules.moves import Copy, Exchange, Play, Summon, Transfer, follow_copy, list_transfers
from tkid.render.picture import SANS, LastTurn, Style, measure_text, paint, write_css, write_element, write_text_element

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
SCALE = 0.8
"""The size of the map in a panel, compared with the board's."""
STYLE: Style = {
    "svg": (f"font-family:{SANS};font-size:11px", ""),
    **map_scene.STYLE,
    **pieces.STYLE,
    **regions.STYLE,
    ".card": paint("stroke-width:1", fill="card", stroke="border"),
    ".down": paint(fill="back"),
    **arrows.STYLE,
    ".pen": paint("fill:none;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round", stroke="ink"),
    ".barred .arrow,.barred .copied": ("stroke-dasharray:5 5", ""),
    ".barred .tip": ("display:none", ""),
    ".bar-halo": paint("fill:none;stroke-width:7;stroke-linecap:round", stroke="sea"),
    ".bar": paint("fill:none;stroke-width:3;stroke-linecap:round", stroke="ink"),
    ".copied": paint("fill:none;stroke-width:2", stroke="last"),
}
CLASSES = re.compile(r'class="([^"]+)"')
NAMES_IN = re.compile(r"\.([\w-]+)")
USED = re.compile(r'#([\w-]+)[")]')
PILE, PILE_LEFT, PILE_WORDS = 54, 72, 104
"""The height of a discard pile with its words, and where the top card and the words begin."""
WORDLESS: Style = {".name,.whither,.coin-word,.ring,.solid,.on-solid,text.ink": ("display:none", "")}
"""What a very small picture leaves out."""


@frozen
class Seen:
    """What a picture shows: regions, the courts of seats, the spaces of region cards, and who controls what."""

    regions: tuple[int, ...] = ()
    courts: tuple[int, ...] = ()
    spaces: tuple[int, ...] = ()
    power: bool = False
    piles: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.regions or self.courts or self.spaces or self.power or self.piles)


def seen(change: Change) -> Seen:
    """What there is to see of a move: what it changes, or what it would move if it were allowed."""
    if change.broken:
        return _tried(change)
    return evolve(_changed(change), piles=_piles(change))


def _changed(change: Change) -> Seen:
    if change.write_move is None:
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


def _piles(change: Change) -> tuple[int, ...]:
    """The seats whose discard piles a copy may be from: those of the others, and the one that it names."""
    match change.write_move:
        case Play(_, Copy(named)):
            piles = change.before.discards
            return tuple(seat for seat in change.before.seats if piles[seat] and (seat != change.seat or seat == named))
    return ()


def _copied_seats(change: Change) -> frozenset[int]:
    """The seats whose piles the card may copy from."""
    ways = change.game.list_options(change.before, change.write_move.card)
    return frozenset(way.seat for way in ways if isinstance(way, Copy))


def _is_top(change: Change, copy: Copy) -> bool:
    """Whether a copy is of the card on top of a pile that the card may copy from."""
    return copy.seat in _copied_seats(change) and change.before.discards[copy.seat][-1] == copy.card


def _tried(change: Change) -> Seen:
    """The places that a move names which is not allowed; where it names none, the regions that have followers."""
    match change.write_move:
        case Summon(_, region):
            return Seen((region,), (change.seat,))
        case Play(_, Copy() as copy) if not _is_top(change, copy):
            return Seen(piles=_piles(change))
        case Play(_, resolution):
            its = follow_copy(resolution)
            if isinstance(its, Exchange):
                return Seen(spaces=tuple(sorted(map(change.before.track.index, (its.first, its.second)))))
            ends = [end for transfer in list_transfers(resolution) for end in transfer.ends]
            regions = tuple(sorted({end for end in ends if end >= 0}))
            open_ = [region for region, disc in enumerate(change.before.discs) if disc == OPEN]
            held = tuple(region for region in open_ if any(change.before.regions[region]))
            return Seen(regions or held[:FEW])
    return Seen()


@frozen
class Panel:
    """A picture of a position, cut down to what is seen: width, height, its SVG without a head, and the shapes it uses."""

    width: int
    height: int
    svg: str
    defs: str = ""

    def document(self, label: str, *, small: bool = False) -> str:
        """The picture as a file of its own; a `small` one has no words."""
        style = write_css(_used({**STYLE, **(WORDLESS if small else {})}, self.defs + self.svg))
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label)}">'
        return f"{head}<style>{style}</style><defs>{self.defs}</defs>{self.svg}</svg>\n"


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
        over = self.position is self.change.after and not self.change.broken and self.change.write_move is not None
        return Scene(self.change.game, self.position, None, NAMES, self._last() if over else None)

    def _last(self) -> LastTurn:
        return LastTurn(self.change.seat, (self.change.write_move,), self.change.events)

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
                svg += write_element("g", tile.svg, transform=f"translate({left} {top})")
                left += tile.width
            top += max(tile.height for tile in line)
        rows = [*self._rows()]
        room = max([room, *(row.width for row in rows)])
        for row in rows:
            svg += write_element("g", row.svg, transform=f"translate({(room - row.width) // 2} {top})")
            top += row.height
        shapes = {**map_scene.build_map_shapes(self._board), **pieces.build_piece_shapes(self._board)}
        used = dict.fromkeys(USED.findall(svg))
        cards = self.change.game.cards.values() if self.shown.piles else ()
        emblems = dict.fromkeys(each for card in cards if f"emblem-{(each := pieces.find_emblem(card))}-small" in used)
        shapes |= {f"emblem-{each}-small": pieces.define_emblem(each) for each in emblems}
        return Panel(room, top, svg, "".join(shapes[name] for name in used))

    # -- the map ------------------------------------------------------------------------------------------

    def _groups(self) -> Iterator[tuple[int, ...]]:
        """The regions that are drawn as one piece of the map: those between which followers move, if they are close."""
        joined = {end for transfer in self._between() for end in transfer.ends}
        together = tuple(region for region in self.shown.regions if region in joined)
        _, _, width, height = self._box(together) if together else (0, 0, 0, 0)
        close = together if width <= MOST and height <= TALL else ()
        if close:
            yield close
        yield from ((region,) for region in self.shown.regions if region not in close)

    def _between(self) -> list[Transfer]:
        """The followers that the move takes from region to region, whether or not it is allowed."""
        moving = self.scene
        if self.change.write_move is not None:
            moving = Scene(moving.game, moving.shown, moving.seat, moving.names, self._last())
        return [transfer for transfer in moving.moved if transfer.between_regions]

    def _tile(self, together: tuple[int, ...]) -> Panel:
        left, top, width, height = self._box(together)
        svg = "".join(map_scene.draw_land(self.scene, region) for region in together)
        if self.position.contested in together:
            svg += map_scene.draw_heavy_outline(self._board.regions[self.position.contested].code)
        if len(together) > 1 and (self.scene.last or self.change.broken):
            svg += self._arrows()
        for region in together:
            svg += regions.draw_region_contents(self.scene, region) + regions.draw_region_number(self.scene, region)
        return Panel(width, height, write_element("g", svg, transform=f"scale({SCALE}) translate({-left} {-top})"))

    def _box(self, together: Sequence[int]) -> tuple[int, int, int, int]:
        """Left and top on the map of what holds some regions, and its width and height in a panel."""
        shapes = choose_drawing(self._board).shapes
        points = [point for region in together for point in shapes[region].outline]
        left, right = min(x for x, _ in points) - MARGIN, max(x for x, _ in points) + MARGIN
        top, bottom = min(y for _, y in points) - MARGIN, max(y for _, y in points) + MARGIN
        return int(left), int(top), ceil(SCALE * (right - left)), ceil(SCALE * (bottom - top))

    def _arrows(self) -> str:
        """The lines of the last turn, or of what somebody tries: one for each two regions, with two heads for a swap."""
        if self.scene.last:
            return arrows.draw_arrows(self.scene).svg
        boxes = tuple(
            box for region in range(len(self._board.regions)) for box in pack_region(self.scene, region).boxes
        )
        moving, svg = self._between(), ""
        for at, transfer in enumerate(moving):
            back = [each for each in moving if each.ends == transfer.ends[::-1]]
            if not back or back[0] not in moving[:at]:
                start, end = (self._stand(region, transfer) for region in transfer.ends)
                svg += arrows.draw_route(find_route((start,), (end,), boxes), both=bool(back))
                svg += _cross(end)
        return write_element("g", svg, class_="barred")

    def _stand(self, region: int, transfer: Transfer) -> Point:
        """Where a line begins or ends in a region: at a piece that would move, or else in the middle."""
        places = pack_region(self.scene, region)
        found = [
            point for faction, n in enumerate(transfer.group) if n for point in places.find_places("follower", faction)
        ]
        x, y = choose_drawing(self._board).shapes[region].label
        return found[-1] if found else (x, y + 16)

    # -- beside the map -----------------------------------------------------------------------------------

    def _rows(self) -> Iterator[Panel]:
        for seat in self.shown.courts:
            gained = self.scene.last and self.change.before.courts[seat]
            label = f"{NAMES[seat]}\u2019s court"
            counts = [
                (f, self.position.courts[seat][f], (gained or self.position.courts[seat])[f]) for f in self._courtly
            ]
            yield _counted(label, counts, lambda f, x: pieces.draw_shape("piece", self._board, f, x, 13))
        if self.shown.power:
            discs = self.position.discs
            counts = [(f, discs.count(f), discs.count(f)) for f in range(len(self._board.factions))]
            yield _counted("Regions", counts, lambda f, x: pieces.draw_coin(self._board, f, x, 13, 9.5))
        for space in self.shown.spaces:
            yield self._space(space)
        if self.shown.piles and self.position is self.change.before:
            yield self._piles()

    @property
    def _courtly(self) -> tuple[int, ...]:
        return self._board.courtly

    def _piles(self) -> Panel:
        """The card that copies, the discard piles with their top cards, and which of them it may copy.

        It is too wide to stand next to another picture on a phone, where its words would be too small to read.
        """
        game, move = self.change.game, self.change.write_move
        svg, width, high = "", BESIDE + 1, PILE * len(self.shown.piles)
        spy = (10.0, (high - pieces.SMALL.height) / 2)
        for n, seat in enumerate(self.shown.piles):
            x, y, pile = PILE_LEFT, PILE * n + 13, self.change.before.discards[seat]
            over = pieces.draw_heap(x, y) if len(pile) > 1 else ""
            drawn = over + pieces.draw_small_card(pieces.make_face(game, pile[-1]), x, y)
            verdict, line = self._judge_pile(seat)
            if seat == move.resolution.seat:
                start, end = (
                    (spy[0] + pieces.SMALL.width + 3, high / 2),
                    (x - 6 if line == "copied" else x - 12, y + pieces.SMALL.height / 2),
                )
                svg += _line(start, end, allowed=line == "copied")
            if line == "copied":
                frame = write_element("rect", x=x - 3, y=y - 3, width=29, height=34, rx=6, class_="copied")
                svg += drawn + frame
            elif line == "bar":
                across = f"M{x - 2} {y + pieces.SMALL.height + 2}L{x + pieces.SMALL.width + 2} {y - 2}"
                svg += write_element("g", drawn, opacity=0.55) + _bar(across)
            else:
                svg += drawn
            words = f"{NAMES[seat]}\u2019s pile", f"{pile[-1]} on top", verdict
            for row, (said, look) in enumerate(
                zip(words, ("ink b", "ink", "last b" if line == "copied" else "ink"), strict=True)
            ):
                svg += write_text_element(PILE_WORDS, y + 2 + 14 * row, said, class_=look)
                width = max(width, PILE_WORDS + ceil(measure_text(said, bold=True)) + 6)
        svg += pieces.draw_small_card(pieces.make_face(game, move.card), *spy)
        return Panel(width, high, svg)

    def _judge_pile(self, seat: int) -> tuple[str, str]:
        """What the card may do with the top of a pile, in words, and how that is drawn: `copied`, `bar` or plain."""
        card, copy = self.change.write_move.card, self.change.write_move.resolution
        if seat not in _copied_seats(self.change):
            return "not allowed", "bar"
        if seat != copy.seat:
            return f"{card} may copy it", ""
        if copy.card != self.change.before.discards[seat][-1]:
            return f"not {copy.card} below it", ""
        return f"{card} copies it", "copied"

    def _space(self, space: int) -> Panel:
        """A region card on its space; in violet if another one was there."""
        region, old = self.position.track[space], self.change.before.track[space]
        name = self._board.name_region(region)
        svg = write_text_element(8, 18, str(space + 1), class_="b ink")
        svg += write_element("rect", x=20, y=2, width=LEAST - 26, height=CARD - 5, rx=4, class_="card")
        svg += write_text_element(28, 18, name, class_="b last" if region != old else "b ink")
        if region in self.position.negotiated:
            svg += pieces.draw_negotiation_disc(self._board, LEAST - 18, 13.5)
        return Panel(LEAST, CARD, svg)


def _line(start: Point, end: Point, *, allowed: bool) -> str:
    """A line from left to right with a head, or a dashed one that ends in a cross."""
    middle = (start[0] + end[0]) / 2
    way = write_element("path", d=f"M{start[0]:g} {start[1]:g}H{middle:g}V{end[1]:g}H{end[0]:g}", class_="copied")
    if allowed:
        return way + write_element("path", d=f"M{end[0] - 5:g} {end[1] - 4:g}l5 4l-5 4", class_="copied")
    return write_element("g", way + _cross(end), class_="barred")


def _cross(at: Point) -> str:
    """The end of a line that may not be followed."""
    x, y = at
    return _bar(f"M{x - 5:g} {y - 5:g}l10 10m0-10l-10 10")


def _bar(path: str) -> str:
    return write_element("path", d=path, class_="bar-halo") + write_element("path", d=path, class_="bar")


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


def _counted(label: str, counts: Iterable[tuple[int, int, int]], mark: Callable[[int, float], str]) -> Panel:
    """A row of counts behind a label; a count that has changed is violet."""
    svg, x = write_text_element(8, 17, label, class_="b ink"), measure_text(label, bold=True) + 28
    for faction, now, before in counts:
        svg += mark(faction, x) + write_text_element(
            x + 13, 17.5, str(now), class_="b last" if now != before else "b ink"
        )
        x += 40
    return Panel(int(x), ROW, svg)
