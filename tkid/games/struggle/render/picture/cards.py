"""Action cards: whole ones with band, emblem and name, small ones with band and emblem, and backs.

Each emblem is drawn once, around the origin, and used from there; the small one is the same, scaled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from attrs import frozen

from tkid.games.struggle.render.picture import pieces
from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.cards.card import Card
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN
from tkid.render.picture import cut, element, text, wide


@frozen
class Size:
    """The measures of a card: how round its corners are, how far a second one is behind it, and the number on a back."""

    width: int
    height: int
    radius: int
    shift: int
    letters: float


WHOLE, SMALL = Size(58, 66, 5, 3, 16), Size(23, 28, 3, 2, 11.5)
NAME_SIZE = 8.6
NAME_ROOM = WHOLE.width - 1
SHRUNK = 0.64
"""The size of a small card's emblem to that of a whole one."""
OTHER_WAY = "M-6 -2.6H5m-3.4-2.8l3.6 2.8-3.6 2.8M6 2.6H-5m3.4-2.8l-3.6 2.8 3.6 2.8"
"""Two arrows, one below the other, that point to the right and to the left."""
TURN = "M-2.5-7Q7.5-9 8.5-4M5.9-5.4L8.5-3.6 9.9-6.4M2.5 7Q-7.5 9-8.5 4M-5.9 5.4L-8.5 3.6-9.9 6.4"
"""Two arrows that go round from one card to another and back."""
HYPHENS: Mapping[str, str] = MappingProxyType(
    {
        "Outmanoeuvre": "Out- manoeuvre",
        "Ambassador": "Ambas- sador",
        "Negotiation": "Negotia- tion",
        "Suppression": "Suppres- sion",
        "Assassination": "Assassi- nation",
        "Reinforcement": "Reinforce- ment",
    }
)
"""Names of one word that need two lines, with a blank where they are divided."""


@frozen
class Face:
    """What the front of a card shows: its name, the class of its band, and its emblem."""

    name: str
    band: str
    emblem: str


@lru_cache(512)
def face(game: Struggle, name: str) -> Face:
    """The front of a card; of a hidden one, nothing but that it is a card."""
    if name == HIDDEN:
        return Face(HIDDEN, "down", "")
    card = game.cards[name]
    return Face(name, "down" if card.faction is None else f"f{card.faction}", _emblem(game.board, card))


def with_emblems(game: Struggle) -> list[str]:
    """The cards with an emblem that is neither pieces of one faction nor letters."""
    return [card.name for card in game.cards.values() if _emblem(game.board, card) in KINDS.values()]


def defs(game: Struggle) -> str:
    """The emblems of the cards of a game, whole and small, and the weave of a back."""
    drawn = {_emblem(game.board, card): card for card in game.cards.values()}
    return "".join(_defined(emblem, _drawing(game.board, card)) for emblem, card in drawn.items()) + WEAVE


WEAVE = element(
    "pattern",
    element("path", d="M0 0H7M0 0V7", class_="weave"),
    id="weave",
    width=7,
    height=7,
    patternUnits="userSpaceOnUse",
    patternTransform="rotate(45)",
)
"""The pattern of a card's back."""


def _defined(emblem: str, drawing: str) -> str:
    small = element("use", href=f"#emblem-{emblem}", transform=f"scale({SHRUNK})")
    return element("g", drawing, id=f"emblem-{emblem}") + element("g", small, id=f"emblem-{emblem}-small")


# -- emblems ----------------------------------------------------------------------------------------------


def _emblem(board: Board, card: Card) -> str:
    """The emblem of a card: by its rule if it is one of those that everybody has, or else by its name."""
    local = card.rule.rpartition(".")[2]
    if local == "support" and card.faction is not None:
        return board.factions[card.faction].letter
    words = card.name.split()
    return KINDS.get(local) or ("".join([word[0] for word in words]) if len(words) > 1 else card.name[:2])


BEHIND = "translate(-5.5 -3)"
"""Where the second piece of a Support is."""
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "assemble": "one-of-each",
        "settlement": "one-of-each",
        "negotiate": "turn",
        "crown": "turn",
        "manoeuvre": "one-for-one",
        "ambassador": "one-for-one",
        "outmanoeuvre": "one-for-two",
        "garrison": "one-for-two",
    }
)
"""The emblems of the cards that everybody has in every edition, by their rules."""


def _drawing(board: Board, card: Card) -> str:
    """What an emblem looks like."""
    emblem = _emblem(board, card)
    if emblem in DRAWINGS:
        return DRAWINGS[emblem]
    if emblem == "one-of-each":
        return "".join(_of_each(board))
    if card.faction is not None and emblem == board.factions[card.faction].letter:
        sides, turn, radius = pieces.SIDES[card.faction % len(pieces.SIDES)]
        behind = element(
            "path", d=pieces.polygon(sides, turn, 0.85 * radius), class_=f"piece f{card.faction}", transform=BEHIND
        )
        return behind + _piece(emblem, 4, 2, 1)
    return text(0, 6.5, emblem, class_="ink b", font_size=18, text_anchor="middle")


def _of_each(board: Board) -> Iterator[str]:
    """A piece of each of the first three factions, as a triangle."""
    for faction, (x, y) in zip(board.courtly, ((-9, 5), (0, -7), (9, 5)), strict=False):
        yield _piece(board.factions[faction].letter, x, y, 0.75)


def _piece(letter: str, x: float, y: float, size: float) -> str:
    return element("use", href=f"#piece-{letter}", transform=f"translate({x} {y}) scale({size})")


def _dots(*places: tuple[float, float]) -> str:
    return "".join(element("circle", cx=x, cy=y, r=2.9, class_="ink") for x, y in places)


def _two_cards(*places: tuple[float, float]) -> str:
    return "".join(
        element("rect", x=x, y=y, width=9, height=12, rx=1.5, class_="card", stroke_width=1.1) for x, y in places
    )


DRAWINGS: Mapping[str, str] = MappingProxyType(
    {
        "turn": _two_cards((-13.5, -10.5), (4.5, -1.5)) + element("path", d=TURN, class_="pen"),
        "one-for-one": _dots((-11, 0), (11, 0)) + element("path", d=OTHER_WAY, class_="pen"),
        "one-for-two": _dots((-11, 0), (11, -4.6), (11, 4.6)) + element("path", d=OTHER_WAY, class_="pen"),
    }
)


# -- cards ------------------------------------------------------------------------------------------------


@lru_cache(2048)
def whole(shown: Face, x: float, y: float, count: int = 1, key: str | None = None) -> str:
    """A card with its name; with two or more there is a second edge, and their number. A hidden one is a back."""
    if shown.name == HIDDEN:
        return _back(WHOLE, x, y, count)
    right, middle = WHOLE.width - 9, x + WHOLE.width / 2
    band = f"M{x + 0.5:g} {y + 6:g}v-1.5a4 4 0 0 1 4-4h{right}a4 4 0 0 1 4 4v1.5Z"
    emblem = element("use", href=f"#emblem-{shown.emblem}", x=middle, y=y + 26)
    lines = _lines(shown.name)
    first = y + (54 if len(lines) == 1 else 49)
    names = "".join(
        text(middle, first + 10 * n, line, class_="ink b", font_size=NAME_SIZE, text_anchor="middle")
        for n, line in enumerate(lines)
    )
    front = _cards(WHOLE, x, y, count, "card") + element("path", d=band, class_=shown.band) + emblem + names
    return element("g", front + _times(x + WHOLE.width - 2, y + 1, 7.5, count), data_at=key)


@lru_cache(2048)
def small(shown: Face, x: float, y: float, count: int = 1, key: str | None = None) -> str:
    """A card as band and emblem; its name is there for those who point at it."""
    if shown.name == HIDDEN:
        return element("g", _back(SMALL, x, y, count), data_at=key)
    band = element("rect", x=x + 1.5, y=y + 1.5, width=SMALL.width - 3, height=3.4, rx=1, class_=shown.band)
    emblem = element("use", href=f"#emblem-{shown.emblem}-small", x=x + SMALL.width / 2, y=y + 16.5)
    front = element("title", shown.name) + _cards(SMALL, x, y, count, "card") + band + emblem
    return element("g", front + _times(x + SMALL.width - 2, y + 2, 6.5, count), data_at=key)


def heap(x: float, y: float) -> str:
    """The edges of the cards below the top of a pile of small cards."""
    return "".join(_rect(SMALL, x - shift, y + shift / 2, class_="down", opacity=0.55) for shift in (5, 2.5))


def slot(x: float, y: float) -> str:
    """A place for small cards where there are none."""
    return _rect(SMALL, x, y, class_="gone")


def _cards(size: Size, x: float, y: float, count: int, class_: str) -> str:
    """A card, and the edge of a second one behind it if there are more."""
    behind = _rect(size, x + size.shift, y - size.shift, class_=class_) if count > 1 else ""
    return behind + _rect(size, x, y, class_=class_)


def _times(x: float, y: float, radius: float, count: int) -> str:
    """How many cards there are, if more than one."""
    if count < 2:
        return ""
    size = 1.2 * radius
    number = text(x, y + 0.36 * size, f"\u00d7{count}", class_="on-solid b", font_size=size, text_anchor="middle")
    return element("circle", cx=x, cy=y, r=radius, class_="solid") + number


def _back(size: Size, x: float, y: float, count: int) -> str:
    """Cards face down, with their number."""
    letters, middle = size.letters, (x + size.width / 2, y + size.height / 2)
    half = wide(str(count), letters, bold=True) / 2 + 3
    left, top = middle[0] - half, middle[1] - 0.7 * letters
    plate = element("rect", x=left, y=top, width=2 * half, height=1.4 * letters, rx=3, class_="down")
    look = {"class_": "on-down b", "font_size": letters, "text_anchor": "middle"}
    number = text(middle[0], middle[1] + 0.36 * letters, str(count), **look)
    return _cards(size, x, y, count, "down edged") + _rect(size, x, y, fill="url(#weave)") + plate + number


def _rect(size: Size, x: float, y: float, **look: object) -> str:
    return element("rect", x=x, y=y, width=size.width, height=size.height, rx=size.radius, **look)


@lru_cache(256)
def _lines(name: str) -> tuple[str, ...]:
    """A name in one line or two, none wider than the card."""
    if wide(name, NAME_SIZE, bold=True) <= NAME_ROOM:
        return (name,)
    first, _, rest = HYPHENS.get(name, name).replace("-", "- ").replace("-  ", "- ").partition(" ")
    return tuple(cut(line, NAME_ROOM, NAME_SIZE, bold=True) for line in (first, rest) if line)
