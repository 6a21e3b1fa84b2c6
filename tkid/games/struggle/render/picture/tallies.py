"""The tallies on the sea of the map: the track, regions won, the supply, passes in a row, and instability."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from tkid.games.struggle.render.picture import pieces
from tkid.games.struggle.render.picture.layout import EDGE, LOST, PASSES, SUPPLY, TRACK, WON, spaces
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.rules.transfers import SUPPLY as STOCK
from tkid.render.picture import REMEMBERED, Box, Part, cut, element, text, wide

USUAL, NARROW = 11.5, 10.4
"""The sizes of the names on region cards."""
DISC = 8.5
"""The radius of a small disc."""
ROW = 22
"""From one faction to the next in the supply."""
PASS = 5.5
"""The radius of the mark of a pass."""
INVASION, PITCH = 10, 26
"""The radius of a disc of instability, and from one to the next."""


def tallies(scene: Scene) -> Iterator[Part]:
    """What stands on the sea, as parts."""
    board, shown = scene.board, scene.shown
    yield Part("track", text(spaces(len(shown.track))[0].left - 21, 22, "Struggles", class_="ink b", font_size=12))
    for place, region in enumerate(shown.track):
        yield Part(f"space-{place}", _space(scene, place, region))
    yield Part("exchange", _exchange(scene))
    yield Part("won", _won(board, tuple([shown.discs.count(faction) for faction in range(len(board.factions))])))
    yield Part("supply", _supply(board, shown.supply, scene.change(STOCK)))
    yield Part("passes", _passes(shown.turn, shown.passes, len(shown.courts)))
    yield Part("lost", _lost(board, shown.unstable, scene.game.invaders))


# -- discs ------------------------------------------------------------------------------------------------


@cache
def defs(board: Board) -> str:
    """The small discs of control: a larger letter and shape than a large one would have, made smaller."""
    return "".join([_small_disc(board, faction) for faction in range(len(board.factions))])


def _small_disc(board: Board, faction: int) -> str:
    letter, (sides, turn, _) = board.factions[faction].letter, pieces.SIDES[faction % len(pieces.SIDES)]
    shape = pieces.polygon(sides, turn, 0.88 * DISC)
    svg = element("circle", r=DISC, class_=f"piece f{faction}") + element("path", d=shape, class_=f"edge{faction} fine")
    letter_ = text(0, 2.9, letter, class_=f"l{faction}", font_size=8, text_anchor="middle")
    return element("g", svg + letter_, id=f"disc-{letter}")


def _disc(board: Board, kind: int, x: float, y: float) -> str:
    """A small disc of control or instability."""
    if kind == UNSTABLE:
        return pieces.coin(board, kind, x, y, DISC)
    return element("use", href=f"#disc-{board.factions[kind].letter}", x=x, y=y)


# -- the track --------------------------------------------------------------------------------------------


def _space(scene: Scene, place: int, region: int) -> str:
    shown = scene.shown
    state = "contested" if region == scene.contested else "open"
    disc = shown.discs[region]
    return _region_card(scene.board, place, region, disc, state, negotiated=region in shown.negotiated)


@lru_cache(REMEMBERED)
def _region_card(board: Board, place: int, region: int, disc: int, state: str, *, negotiated: bool) -> str:
    """A region card on its space with its number: a card's back with a disc if resolved, in a heavy frame if contested."""
    box, name, resolved = spaces(len(board.regions))[place], board.name(region), disc != OPEN
    middle = (box.top + box.bottom) / 2
    svg = _frame(box, class_="down" if resolved else "up" if state == "contested" else "card")
    taken = 2 * DISC + 5 if resolved else 19 if negotiated else 4
    room, bold = box.right - box.left - 6 - taken, not resolved
    size = USUAL if wide(name, USUAL, bold=bold) <= room else NARROW
    shown = cut(name, room, size, bold=bold)
    if resolved:
        svg += _frame(box, fill="url(#weave)") + element(
            "rect", x=box.left + 3, y=middle - 8, width=wide(shown, size) + 6, height=16, rx=3, class_="down"
        )
    ink = "on-down" if resolved else "ink b"
    svg += text(box.left + 6, middle + 4.1, shown, class_=ink, font_size=size)
    if resolved:
        svg += _disc(board, disc, box.right - DISC - 3, middle)
    elif negotiated:
        svg += pieces.token(board, box.right - 10, middle)
    number = pieces.number(box.left - 13, middle, place + 1, state="resolved" if resolved else state)
    return number + element("g", svg, data_at=f"space/{board.regions[region].code}")


def _frame(box: Box, **look: str) -> str:
    """The outline of a region card."""
    width, height = box.right - box.left, box.bottom - box.top
    return element("rect", x=box.left, y=box.top, width=width, height=height, rx=4, **look)


def _exchange(scene: Scene) -> str:
    """The arrow between two region cards that changed places in the last turn."""
    if scene.exchanged is None:
        return ""
    boxes = spaces(len(scene.board.regions))
    first, second = sorted(scene.shown.track.index(region) for region in scene.exchanged)
    one, other = boxes[first], boxes[second]
    upper, lower, right, out = one.top + 11.5, other.top + 11.5, one.right + 2, max(one.right, other.right) + 7
    line = f"M{right:g} {upper:g}H{out - 3:g}q3 0 3 3V{lower - 3:g}q0 3-3 3H{other.right + 2:g}"
    heads = "".join(f"M{x + 4:g} {y - 4:g}l-4 4 4 4" for x, y in ((right, upper), (other.right + 2, lower)))
    return element("path", d=line + heads, class_="swap")


# -- tallies ----------------------------------------------------------------------------------------------


@lru_cache(256)
def _won(board: Board, won: Followers) -> str:
    """How many regions each faction has won."""
    below = max(0, spaces(len(board.regions))[-1].bottom - TRACK.bottom + 1)
    many = len(won)
    left, pitch = (WON.left + 23, 34.0) if many <= 3 else (WON.left + 9, (WON.right - WON.left) / many)
    y = WON.top + 29 + below
    svg = text(left - DISC, y - 17, "Regions won", class_="ink b")
    for faction, n in enumerate(won):
        x = left + pitch * faction
        svg += _disc(board, faction, x, y)
        svg += _count(x + DISC + (2.5 if many <= 3 else 1), y + 4.5, n, "n" if many <= 3 else "")
    return svg


@lru_cache(1024)
def _supply(board: Board, supply: Followers, changes: Followers) -> str:
    """The followers in the supply, and how the last turn changed their number."""
    top = SUPPLY.bottom - 19 - ROW * (len(supply) - 1)
    svg = text(EDGE, top - 17, cut(board.terms.stock, SUPPLY.right - EDGE, bold=True), class_="ink b")
    for faction, n in enumerate(supply):
        y, letter = top + ROW * faction, board.factions[faction].letter
        svg += pieces.follower(board, faction, EDGE + 10, y, key=f"supply/{letter}")
        svg += _count(EDGE + 25, y + 4.5, n)
        svg += gain(EDGE + 28 + wide(str(n), 13, bold=True), y + 4.5, changes[faction])
    return svg


@lru_cache(1024)
def _passes(turn: int, passes: int, players: int) -> str:
    """The number of the last turn, and a mark for each player, filled for those who passed in a row."""
    svg = text(EDGE, 16, f"After turn {turn}", class_="dim s") if turn else ""
    svg += text(EDGE, 30, "Passes in a row", class_="ink b")
    for n in range(players):
        x, y = EDGE + PASS + 0.5 + 17 * n, PASSES.bottom - 7
        svg += element("circle", cx=x, cy=y, r=PASS, class_="ink") if n < passes else pieces.slot(x, y, PASS)
    return svg


@lru_cache(256)
def _lost(board: Board, unstable: int, invaders: int) -> str:
    """The instability discs out of those that end the game."""
    terms, y = board.terms, 599
    left = LOST.right - 16 - PITCH * (invaders - 1)
    who, words = terms.invaders[0].upper() + terms.invaders[1:], f"invade at {invaders} {terms.lost} regions"
    start = left - 20 - max(wide(words, 10.5), wide(who, bold=True))
    svg = text(start, y - 4, who, class_="ink b") + text(start, y + 10, words, class_="dim s")
    for n in range(invaders):
        x = left + PITCH * n
        if n < unstable:
            svg += pieces.coin(board, UNSTABLE, x, y, INVASION)
        else:
            number = text(x, y + 3.8, str(n + 1), class_="dim s", text_anchor="middle")
            svg += pieces.slot(x, y, INVASION) + number
    return svg


def _count(x: float, y: float, n: int, size: str = "n") -> str:
    return text(x, y, str(n), class_=f"{'ink' if n else 'dim'} b {size}".rstrip())


def gain(x: float, y: float, change: int) -> str:
    """A change of a number by the last turn, `+1`; nothing for none."""
    return text(x, y, f"{change:+d}".replace("-", "\u2212"), class_="last b") if change else ""
