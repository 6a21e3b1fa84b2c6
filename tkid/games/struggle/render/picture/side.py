"""The column beside the map: the track, the supply, and the regions that each faction controls."""

from __future__ import annotations

from collections.abc import Iterator

from tkid.games.struggle.render.picture import pieces
from tkid.games.struggle.render.picture.layout import LEFT, MAP_TOP, RIGHT, SPACE_HEIGHT, SUPPLY_TOP
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.rules.board import OPEN, UNSTABLE
from tkid.games.struggle.rules.transfers import SUPPLY
from tkid.render.picture import Part, cut, element, text, wide

SMALL = 10
"""The size of small letters, those of the class `s`."""


def track(scene: Scene) -> Iterator[Part]:
    """The region cards, from the lowest space on."""
    yield Part("track", text(LEFT, MAP_TOP + 4, "Region cards", class_="b ink"))
    for place, region in enumerate(scene.shown.track):
        yield Part(f"space-{place}", _space(scene, place, region))
    negotiation, y = cut(scene.board.terms.negotiation, 94, 10), SUPPLY_TOP - 23
    legend = pieces.token(scene.board, LEFT + 9, y - 4) + text(LEFT + 20, y, negotiation, class_="dim s")
    yield Part("exchange", legend + _exchange(scene))


def _space(scene: Scene, place: int, region: int) -> str:
    """A region card on its space: face down if resolved, in a heavy frame if contested."""
    board, shown = scene.board, scene.shown
    x, y, disc = LEFT + 13, _space_top(place), shown.discs[region]
    contested, resolved = region == shown.contested, disc != OPEN
    state = "down" if resolved else "up" if contested else "card"
    card = element("rect", x=x, y=y, width=RIGHT - x, height=SPACE_HEIGHT - 6, rx=4, class_=state)
    card += _name(board.name(region), x + 6, y + 16.5, RIGHT - _taken(scene, region), resolved=resolved)
    if resolved:
        card += pieces.coin(board, disc, RIGHT - 13, y + 12.5, 9)
    elif region in shown.negotiated:
        card += pieces.token(board, RIGHT - 8.5, y + 12.5)
    pointer = element("path", d=f"M{LEFT - 11} {y + 6}l8 6.5l-8 6.5Z", class_="tip") if contested else ""
    number = text(LEFT, y + 16.5, str(place + 1), class_="b ink" if contested else "dim")
    return pointer + number + element("g", card, data_at=f"space/{board.regions[region].code}")


def _taken(scene: Scene, region: int) -> int:
    """How much of a region card, from its right edge on, a disc takes."""
    if scene.shown.discs[region] != OPEN:
        return 24
    return 17 if region in scene.shown.negotiated else 6


def _name(name: str, x: float, y: float, end: float, *, resolved: bool) -> str:
    """The name on a region card, in smaller letters if it would run under a disc."""
    fits = wide(name, bold=not resolved) <= end - x
    shown = name if fits else cut(name, end - x, SMALL, bold=not resolved)
    return text(x, y, shown, class_=("dim" if resolved else "b ink") + ("" if fits else " s"))


def _space_top(place: int) -> float:
    return MAP_TOP + 14 + SPACE_HEIGHT * place


def _exchange(scene: Scene) -> str:
    """The arrow between two region cards that changed places in the last turn."""
    if scene.exchanged is None:
        return ""
    upper, lower = sorted(_space_top(scene.shown.track.index(region)) + 12.5 for region in scene.exchanged)
    x, bow = RIGHT + 1.0, RIGHT + 10.0
    line = f"M{x:.1f} {upper:.1f}C{bow:.1f} {upper:.1f} {bow:.1f} {lower:.1f} {x:.1f} {lower:.1f}"
    tips = pieces.tip((bow, upper), (x, upper), 6) + pieces.tip((bow, lower), (x, lower), 6)
    return element("path", d=line, class_="arrow") + tips


def supply(scene: Scene) -> str:
    """The followers in the supply, and how the last turn changed their number."""
    board, svg = scene.board, text(LEFT, SUPPLY_TOP, scene.board.terms.stock, class_="b ink")
    changes = scene.change(SUPPLY)
    for f, faction in enumerate(board.factions):
        y = SUPPLY_TOP + 17 + 21 * f
        svg += pieces.follower(board, f, LEFT + 9, y, key=f"supply/{faction.letter}")
        count, change = str(scene.shown.supply[f]), signed(changes[f])
        x = LEFT + 28 + wide(count, 12.5, bold=True)
        svg += text(LEFT + 24, y + 4, count, class_="n ink") + text(x, y + 4, change, class_="dim")
        x += wide(change) + 3 * bool(change)
        svg += text(x, y + 4, cut(faction.name, RIGHT - x, 10), class_="dim s")
    return svg


def signed(change: int) -> str:
    """A change of a number, `(+1)`; "" for none."""
    return f"({change:+d})".replace("-", "\u2212") if change else ""


def control(scene: Scene) -> str:
    """The number of regions that each faction controls, and the unstable ones out of those that end the game."""
    board, shown = scene.board, scene.shown
    y, pitch = SUPPLY_TOP + 22 + 21 * len(board.factions), (RIGHT - LEFT) / max(3, len(board.factions))
    svg, radius = text(LEFT, y, "Control", class_="b ink"), min(8.5, 0.26 * pitch)
    for f in range(len(board.factions)):
        x = LEFT + 9 + pitch * f
        svg += pieces.coin(board, f, x, y + 17, radius)
        svg += text(x + radius + 2, y + 21, str(shown.discs.count(f)), class_="n ink")
    y += 44
    lost = f"{board.terms.lost.capitalize()}: {shown.unstable} of {scene.game.invaders}"
    svg += text(LEFT, y, lost, class_="b ink")
    for n in range(scene.game.invaders):
        x = LEFT + 10 + 23 * n
        empty = element("circle", cx=x, cy=y + 17, r=8.5, class_="gone")
        svg += pieces.coin(board, UNSTABLE, x, y + 17, 8.5) if n < shown.unstable else empty
    return svg
