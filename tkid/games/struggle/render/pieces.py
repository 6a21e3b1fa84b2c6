"""Draw followers, coins, marks and cards, and the legend that explains them.

The definitions of a picture hold each shape and each emblem once, drawn around the origin; the parts use it by its id:
`piece-S`, `ghost-S`, `house-S` and `coin-S` by the letter of a faction, and `crack` for the coin of an unstable region.

`emblems.json` has one emblem for each effect, under any name of its card; the site draws the same ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from math import cos, pi, sin
from typing import Any

from attrs import frozen

from tkid.games.struggle.rules.board import HIDDEN, UNSTABLE, Board
from tkid.games.struggle.rules.card import Card
from tkid.games.struggle.rules.game import Struggle
from tkid.render import picture
from tkid.render.picture import Box, Style, measure_text, paint, truncate_to_room, write_element, write_text_element

SIDES = ((4, 0.25, 10.96), (6, 0.0, 9.2), (4, 0.0, 9.4), (8, 0.125, 9.0))
"""The shape of each faction's followers: its sides, how far it is turned (in sides), and its radius."""
RING = 11.5
"""The radius of the ring around a follower that came."""
COIN = 17.0
"""The radius of a coin as it is defined."""
NUMBER = 8.8
"""The radius of the ring around the number of a struggle."""
FACTIONS = range(4)

STYLE: Style = {
    **{f".f{f}": paint(fill=f"piece{f}") for f in FACTIONS},
    **{f".l{f}": paint("font-weight:700", fill=f"on{f}") for f in FACTIONS},
    **{f".edge{f}": paint("fill:none;stroke-width:1.5", stroke=f"on{f}") for f in FACTIONS},
    **picture.read_style(__package__, "pieces"),
}


@cache
def build_piece_shapes(board: Board) -> Mapping[str, str]:
    line = write_element("path", d="M-4.3-16.5l7.1 10.5-9.4 6.8 10.2 7.1-3.7 8.5", class_="crack")
    drawn = {"crack": write_element("circle", r=COIN, class_="piece lost") + line}
    for faction in range(len(board.factions)):
        drawn |= _draw_faction_shapes(board, faction)
    return {name: write_element("g", svg, id=name) for name, svg in drawn.items()}


def draw_shape(shape: str, board: Board, faction: int, x: float, y: float, *, key: str = "") -> str:
    """Draw a `piece`, a `ghost` or a `house` of a faction."""
    return _use_shape(f"{shape}-{board.factions[faction].letter}", x, y, key)


def draw_ring(x: float, y: float, radius: float = RING) -> str:
    return write_element("circle", cx=x, cy=y, r=radius, class_="came")


def draw_capsule(left: float, right: float, y: float) -> str:
    """Draw one ring around two followers that came together."""
    across, end = right - left, f"a{RING} {RING} 0 0 1 0"
    return write_element(
        "path", d=f"M{left:g} {y - RING:g}h{across:g}{end} {2 * RING:g}h{-across:g}{end} {-2 * RING:g}Z", class_="came"
    )


def draw_coin(board: Board, kind: int, x: float, y: float, radius: float = COIN) -> str:
    name = "crack" if kind == UNSTABLE else f"coin-{board.factions[kind].letter}"
    if radius == COIN:
        return _use_shape(name, x, y)
    return f'<use href="#{name}" transform="translate({x:g} {y:g}) scale({radius / COIN:.3f})"/>'


def draw_disc_slot(x: float, y: float, radius: float) -> str:
    """Draw a free place for a disc, or a disc that is used up: a dashed circle."""
    return write_element("circle", cx=x, cy=y, r=radius, class_="gone")


def draw_negotiation_disc(board: Board, x: float, y: float, radius: float = 6.5) -> str:
    letter = board.terms.negotiation[0].upper()
    circle = write_element("circle", cx=x, cy=y, r=radius, class_="token")
    return circle + _draw_letter(x, y, letter, "b ink", 1.16 * radius)


def draw_struggle_number(x: float, y: float, place: int, *, state: str) -> str:
    """Draw the number of a struggle: `contested` on solid ink, `resolved` without a ring, or `open`."""
    if state == "resolved":
        return _draw_letter(x, y, str(place), "ink", picture.LEAST)
    solid = state == "contested"
    ring = write_element("circle", cx=x, cy=y, r=NUMBER, class_="solid" if solid else "ring")
    return ring + _draw_letter(x, y, str(place), "b on-solid" if solid else "b ink", picture.LEAST)


def _use_shape(name: str, x: float, y: float, key: str = "") -> str:
    data_at = f' data-at="{key}"' if key else ""
    return f'<use href="#{name}" x="{_format_tenths(x)}" y="{_format_tenths(y)}"{data_at}/>'


def _format_tenths(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _draw_faction_shapes(board: Board, faction: int) -> dict[str, str]:
    letter, (sides, turn, radius) = board.factions[faction].letter, SIDES[faction % len(SIDES)]
    shape, look = make_polygon_path(sides, turn, radius), f"piece f{faction}"
    on, house_ = f"l{faction}", "M-7-5.5L0-12L7-5.5V2H-7Z"
    edge = make_polygon_path(sides, turn, 0.72 * COIN)
    disc = write_element("circle", r=COIN, class_=look) + write_element("path", d=edge, class_=f"edge{faction}")
    return {
        f"piece-{letter}": write_element("path", d=shape, class_=look) + _draw_letter(0, 0, letter, on, 10),
        f"ghost-{letter}": write_element("path", d=shape, class_="ghost") + _draw_letter(0, 0, letter, "b last", 9.5),
        f"house-{letter}": write_element("path", d=house_, class_=look) + _draw_letter(0, -2.9, letter, on, 8.5),
        f"coin-{letter}": disc + _draw_letter(0, 0, letter, on, 11.9),
    }


def _draw_letter(x: float, y: float, letter: str, class_: str, size: float) -> str:
    return write_text_element(x, y + 0.36 * size, letter, class_=class_, font_size=size, text_anchor="middle")


@cache
def make_polygon_path(sides: int, turn: float, radius: float) -> str:
    """Return a regular polygon around the origin; with a turn of 0, one corner is on top."""
    corners = [
        (radius * sin(2 * pi * (n / sides + turn / 2)), -radius * cos(2 * pi * (n / sides + turn / 2)))
        for n in range(sides)
    ]
    return "M" + "L".join(f"{_format_tenths(a)} {_format_tenths(b)}" for a, b in corners) + "Z"


@frozen
class Size:
    """The measures of a card.

    `radius` is that of its corners, `shift` how far a second one is behind it, `letters` the size of the number on a back, `name`
    that of its name, `row` the height that whole cards add to the row of a player, `emblem` how far down the middle of its emblem is, and
    `badge` the radius of the number of cards.
    """

    width: int
    height: int
    radius: int
    shift: int
    letters: float
    name: float = 0
    row: int = 0
    emblem: float = 0
    badge: float = 7.5


WHOLE, LARGE, SMALL = (
    Size(58, 60, 5, 3, 16, 8.6, 63, 22),
    Size(86, 82, 5, 3, 18, picture.LEAST, 174, 32.52, 9.5),
    Size(23, 28, 3, 2, picture.LEAST),
)
"""Cards on wide screens; with legible names on a phone, where they may take two rows; with an emblem only."""
SHRUNK = 0.64
"""The size of a small card's emblem to that of a whole one."""
HYPHENS: Mapping[str, str] = {
    "Outmanoeuvre": "Out- manoeuvre", "Ambassador": "Ambas- sador", "Negotiation": "Negotia- tion",
    "Suppression": "Suppres- sion", "Assassination": "Assassi- nation", "Reinforcement": "Reinforce- ment",
}  # fmt: skip
"""Names of one word that need two lines, with a blank where they are divided."""


@frozen
class Face:
    """Front of a card: its name, the class of its band, and its emblem."""

    name: str
    band: str
    emblem: str


@lru_cache(512)
def make_face(game: Struggle, name: str) -> Face:
    if name == HIDDEN:
        return Face(HIDDEN, "down", "")
    card = game.cards[name]
    return Face(name, "down" if card.faction is None else f"f{card.faction}", find_emblem(card))


def define_cards(game: Struggle) -> str:
    emblems = dict.fromkeys(find_emblem(card) for card in game.cards.values())
    return "".join(map(define_emblem, emblems)) + WEAVE


WEAVE = write_element(
    "pattern",
    write_element("path", d="M0 0H7M0 0V7", class_="weave"),
    id="weave",
    width=7,
    height=7,
    patternUnits="userSpaceOnUse",
    patternTransform="rotate(45)",
)


def define_emblem(emblem: str) -> str:
    pen = {"class_": "pen", "transform": "translate(-16 -16)"}
    drawing = write_element("g", read_emblems()[emblem]["drawing"], id=f"emblem-{emblem}", **pen)
    small = write_element("use", href=f"#emblem-{emblem}", transform=f"scale({SHRUNK})")
    return drawing + write_element("g", small, id=f"emblem-{emblem}-small")


@cache
def read_emblems() -> Mapping[str, Any]:
    """Read the emblems: what each says, the rules of its cards, and its drawing in a square of 32."""
    emblems: Mapping[str, Any] = json.loads(files(__package__).joinpath("emblems.json").read_text("utf-8"))
    return emblems


@cache
def _list_emblems_by_rule() -> Mapping[str, str]:
    return {rule: name for name, emblem in read_emblems().items() for rule in emblem["rules"]}


def find_emblem(card: Card) -> str:
    """Return the name of a card's emblem; the place of its faction picks one of several cards that share a rule."""
    by_rule = _list_emblems_by_rule()
    return by_rule.get(card.rule) or by_rule[f"{card.rule}/{card.faction}"]


@lru_cache(2048)
def draw_whole_card(size: Size, face: Face, x: float, y: float, count: int = 1, key: str | None = None) -> str:  # noqa: PLR0917 - a key of the cache
    """Draw a card with its name; several have a second edge and their number. A hidden one is a back."""
    if face.name == HIDDEN:
        return _draw_back(size, x, y, count)
    right, middle = size.width - 9, x + size.width / 2
    band = f"M{x + 0.5:g} {y + 6:g}v-1.5a4 4 0 0 1 4-4h{right}a4 4 0 0 1 4 4v1.5Z"
    lines, pitch = _split_name(face.name, size), 1.1 * size.name
    emblem = write_element("use", href=f"#emblem-{face.emblem}", x=middle, y=y + size.emblem)
    first = y + size.height - 0.6 * size.name - (pitch if len(lines) > 1 else pitch / 2)
    look = {"class_": "ink b", "font_size": size.name, "text_anchor": "middle"}
    names = "".join([write_text_element(middle, first + pitch * n, line, **look) for n, line in enumerate(lines)])
    front = _draw_stack(size, x, y, count, "card") + write_element("path", d=band, class_=face.band) + emblem + names
    return write_element("g", front + _draw_count(x + size.width - 2, y + 1, size.badge, count), data_at=key)


@lru_cache(2048)
def draw_small_card(face: Face, x: float, y: float, count: int = 1, key: str | None = None) -> str:
    """Draw a card as band and emblem; its name appears when a reader points at it."""
    if face.name == HIDDEN:
        return write_element("g", _draw_back(SMALL, x, y, count), data_at=key)
    band = write_element("rect", x=x + 1.5, y=y + 1.5, width=SMALL.width - 3, height=3.4, rx=1, class_=face.band)
    emblem = write_element("use", href=f"#emblem-{face.emblem}-small", x=x + SMALL.width / 2, y=y + 16.5)
    front = write_element("title", face.name) + _draw_stack(SMALL, x, y, count, "card") + band + emblem
    return write_element("g", front + _draw_count(x + SMALL.width - 5, y + 4, SMALL.badge, count, ""), data_at=key)


def draw_heap(x: float, y: float) -> str:
    return "".join(_draw_rectangle(SMALL, x - shift, y + shift / 2, class_="down", opacity=0.55) for shift in (5, 2.5))


def draw_card_slot(x: float, y: float) -> str:
    return _draw_rectangle(SMALL, x, y, class_="gone")


def _draw_stack(size: Size, x: float, y: float, count: int, class_: str) -> str:
    behind = _draw_rectangle(size, x + size.shift, y - size.shift, class_=class_) if count > 1 else ""
    return behind + _draw_rectangle(size, x, y, class_=class_)


def _draw_count(x: float, y: float, radius: float, count: int, sign: str = "\u00d7") -> str:
    if count < 2:
        return ""
    size = max(1.36 * radius, 0 if sign else picture.LEAST)
    look = {"class_": "on-solid b", "font_size": size, "text_anchor": "middle"}
    number = write_text_element(x, y + 0.36 * size, f"{sign}{count}", **look)
    return write_element("circle", cx=x, cy=y, r=radius, class_="solid") + number


def _draw_back(size: Size, x: float, y: float, count: int) -> str:
    letters, middle = size.letters, (x + size.width / 2, y + size.height / 2)
    half = measure_text(str(count), letters, bold=True) / 2 + 3
    left, top = middle[0] - half, middle[1] - 0.7 * letters
    plate = write_element("rect", x=left, y=top, width=2 * half, height=1.4 * letters, rx=3, class_="down")
    look = {"class_": "on-down b", "font_size": letters, "text_anchor": "middle"}
    number = write_text_element(middle[0], middle[1] + 0.36 * letters, str(count), **look)
    stack = _draw_stack(size, x, y, count, "down edged")
    return stack + _draw_rectangle(size, x, y, fill="url(#weave)") + plate + number


def _draw_rectangle(size: Size, x: float, y: float, **look: object) -> str:
    return write_element("rect", x=x, y=y, width=size.width, height=size.height, rx=size.radius, **look)


@lru_cache(256)
def _split_name(name: str, size: Size) -> tuple[str, ...]:
    if measure_text(name, size.name, bold=True) <= size.width - 1:
        return (name,)
    first, _, rest = HYPHENS.get(name, name).replace("-", "- ").replace("-  ", "- ").partition(" ")
    return tuple(truncate_to_room(line, size.width - 1, size.name, bold=True) for line in (first, rest) if line)


WIDTH, BROAD = 480, 960
"""The width of a picture in one column, and in two."""
MAP_HEIGHT = 620
EDGE = 12
"""From the edge of the picture to its text."""
BELOW_MAP = 627
"""From the top of the map to the players."""
ROW, LARGE_PITCH = 63, 88
"""The height of a player's row without whole cards; from one row of large cards to the next."""
FOOT = 3
"""The paper below the last row."""
LEGEND, EMBLEMS = 114, 24
"""The height of the legend in two columns, and of a line of emblems in one."""

TRACK = Box(341, 9, 480, 244)
"""The region cards with their numbers, in the North Sea."""
WON = Box(360, 260, 476, 300)
"""Place of the number of regions that each faction has won."""
SUPPLY = Box(10, 254, 79, 366)
"""The supply, in the Irish Sea."""
PASSES = Box(10, 5, 110, 51)
"""The number of the last turn, and the passes in a row, in the Atlantic."""
LOST = Box(188, 582, 472, 614)
"""The instability discs, in the Channel."""
TALLIES: tuple[Box, ...] = (TRACK, WON, SUPPLY, PASSES, LOST)
"""Places on the sea that arrows go round."""

SPACES_TOP, SPACE, CARD_HEIGHT = 31, 27, 23
"""The top of the first region card, from one to the next, and their height."""
IN_COLUMN = 9
"""Maximum number of region cards in one column; more are in two columns of narrower cards."""


@cache
def list_spaces(number: int) -> tuple[Box, ...]:
    """Return the places of the region cards on a track; each has the number of its struggle to its left."""
    if number <= IN_COLUMN:
        return tuple([_make_space(365, 472, place) for place in range(number)])
    rows = -(-number // 2)
    columns = ((315, 381), (404, 470))
    return tuple([_make_space(*columns[place // rows], place % rows) for place in range(number)])


def _make_space(left: float, right: float, row: int) -> Box:
    top = SPACES_TOP + SPACE * row
    return Box(left, top, right, top + CARD_HEIGHT)


LEFT, TOP, COLUMN, LINE = 16, 44, 152, 27
SAMPLE = 14
"""From the middle of a sample to its words, less its half."""

Sample = Callable[[Board, float, float], str]


def _draw_land_sample(x: float, y: float, **look: str) -> str:
    return write_element("rect", x=x - 10, y=y - 7, width=20, height=14, rx=3, **look)


def _draw_tie_sample(board: Board, x: float, y: float) -> str:
    letters = "".join(faction.letter for faction in board.factions[:2])
    return _draw_land_sample(x, y, class_="border", fill=f"url(#tie-{letters})")


SAMPLES: tuple[tuple[str, Sample], ...] = (
    ("came last turn", lambda board, x, y: draw_ring(x, y) + draw_shape("piece", board, 1, x, y)),
    ("left, and where to", lambda board, x, y: draw_shape("ghost", board, 1, x, y)),
    ("a faction's home", lambda board, x, y: draw_shape("house", board, 0, x, y + 5)),
    ("leads now", lambda _, x, y: _draw_land_sample(x, y, class_="tint1 border")),
    ("tied now", _draw_tie_sample),
    ("contested now", lambda _, x, y: draw_struggle_number(x, y, 1, state="contested")),
    ("won this region", lambda board, x, y: draw_coin(board, 1, x, y, 10)),
    ("nobody won it", lambda board, x, y: draw_coin(board, UNSTABLE, x, y, 10)),
    ("{negotiation}", lambda board, x, y: draw_negotiation_disc(board, x, y, 7)),
)


@lru_cache(64)
def draw_emblems(game: Struggle) -> tuple[str, int]:
    """Draw the line or lines that name the emblems of a game's cards, and return their height."""
    svg, x, y = "", LEFT + 0.0, 0
    for name, card in game.cards.items():
        emblem, wide = find_emblem(card), 24 + measure_text(name)
        if x + wide > WIDTH:
            x, y = LEFT + 0.0, y + EMBLEMS
        svg += write_element("use", href=f"#emblem-{emblem}-small", x=x + 10, y=y + 13)
        svg += write_text_element(x + 24, y + 16.8, name, class_="dim")
        x += wide + 16
    return svg, y + EMBLEMS


@cache
def draw_board_legend(board: Board) -> str:
    svg = write_element("path", d=f"M{LEFT} 0H{WIDTH - LEFT}", class_="rule")
    svg += write_text_element(LEFT, 22, "Reading the board", class_="ink b")
    for n, (words, sample) in enumerate(SAMPLES):
        x, y = LEFT + SAMPLE + COLUMN * (n % 3), TOP + LINE * (n // 3)
        svg += sample(board, x, y)
        shown = truncate_to_room(words.format(negotiation=board.terms.negotiation), COLUMN - 2 * SAMPLE - 4)
        svg += write_text_element(x + SAMPLE + 4, y + 4, shown, class_="dim")
    return svg
