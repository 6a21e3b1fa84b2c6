"""What stands around the map in a picture: the headline, the track, the supply, and the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tkid.games.struggle.render import pieces
from tkid.games.struggle.render.scene import MAP_TOP, WIDTH, Scene
from tkid.games.struggle.render.text import due, next_starter, team, who_won
from tkid.games.struggle.render.traces import exchanged
from tkid.games.struggle.rules.board import OPEN, UNSTABLE
from tkid.games.struggle.rules.position import HIDDEN
from tkid.games.struggle.rules.transfers import COURT, SUPPLY
from tkid.kernel.game import with_names
from tkid.render.picture import Part, cut, element, text, wide

LEFT, RIGHT = 360, 471
"""Where the column beside the map begins and ends."""
SPACE = 31
"""From one space of the track to the next."""
STOCK = MAP_TOP + 14 + 8 * SPACE + 40
PLAYER = 92
"""The height of a player's part."""
COURTS = 158
"""Where a player's court begins."""
CHIP = 20
"""The height of a card in a hand."""


def headline(scene: Scene) -> str:
    """Whose turn it is, or how the game ended."""
    shown = scene.shown
    if shown.to_act is not None:
        return f"Turn {shown.turn + 1}: {scene.names[shown.to_act]} to {due(scene.game, shown)}"
    return f"{who_won(shown, scene.names)} after turn {shown.turn}: {shown.ending or 'ended'}"


def head(scene: Scene) -> str:
    """The headline, how close the next power struggle is, and the last turn."""
    shown, facts = scene.shown, []
    if shown.to_act is not None:
        if shown.contested is not None:
            facts.append(f"contested: {scene.board.name(shown.contested)}")
        facts.append(f"passes in a row: {shown.passes} of {len(shown.courts)}")
        facts += next_starter(shown, [cut(name, 80) for name in scene.names])
    drawn = text(10, 21, cut(headline(scene), WIDTH - 20, 15, bold=True), class_="h ink") + text(
        10, 38, " \u00b7 ".join(facts), class_="ink"
    )
    if scene.last is None:
        return drawn
    told = with_names(scene.game.words.turn(scene.last.moves), [cut(name, 80) for name in scene.names])
    return drawn + text(10, 54, cut(f"{cut(scene.names[scene.last.seat], 90)}: {told}", WIDTH - 20), class_="dim")


def track(scene: Scene) -> Iterator[Part]:
    """The region cards from the lowest space on: face down where resolved, in a heavy frame where contested."""
    yield Part("track", text(LEFT, MAP_TOP + 4, "Region cards", class_="b ink"))
    for at, region in enumerate(scene.shown.track):
        yield Part(f"space-{at}", _space(scene, at, region))
    terms, y = scene.board.terms, STOCK - 23
    legend = pieces.token(scene.board, LEFT + 9, y - 4) + text(
        LEFT + 20, y, cut(terms.negotiation, 94, 10), class_="dim s"
    )
    yield Part("exchange", legend + _exchange(scene))


def _space(scene: Scene, at: int, region: int) -> str:
    """A region card on its space, with what lies on it."""
    board, shown = scene.board, scene.shown
    x, y, disc = LEFT + 13, _space_top(at), shown.discs[region]
    state = "down" if disc != OPEN else "up" if region == shown.contested else "card"
    card = element("rect", x=x, y=y, width=RIGHT - x, height=SPACE - 6, rx=4, class_=state)
    inner = card + text(
        x + 6, y + 16.5, cut(board.name(region), 82, bold=True), class_="dim" if disc != OPEN else "b ink"
    )
    if disc != OPEN:
        inner += pieces.disc(board, disc, RIGHT - 13, y + 12.5, 9)
    elif region in shown.negotiated:
        inner += pieces.token(board, RIGHT - 8.5, y + 12.5)
    number = text(LEFT, y + 16.5, str(at + 1), class_="b ink" if region == shown.contested else "dim")
    pointer = ""
    if region == shown.contested:
        pointer = element("path", d=f"M{LEFT - 11} {y + 6}l8 6.5l-8 6.5Z", class_="tip")
    return pointer + number + element("g", inner, data_at=f"space/{board.regions[region].code}")


def _space_top(at: int) -> float:
    return MAP_TOP + 14 + SPACE * at


def _exchange(scene: Scene) -> str:
    """The arrow between two region cards that changed places in the last turn."""
    regions = exchanged(scene.last.moves) if scene.last else None
    if regions is None:
        return ""
    upper, lower = sorted(_space_top(scene.shown.track.index(region)) + 12.5 for region in regions)
    x, bow = RIGHT + 1.0, RIGHT + 10.0
    line = f"M{x:.1f} {upper:.1f}C{bow:.1f} {upper:.1f} {bow:.1f} {lower:.1f} {x:.1f} {lower:.1f}"
    tips = pieces.tip((bow, upper), (x, upper), 6) + pieces.tip((bow, lower), (x, lower), 6)
    return element("path", d=line, class_="arrow") + tips


def supply(scene: Scene) -> str:
    """How many followers of each faction are left to place, and what the last turn changed there."""
    board, drawn = scene.board, text(LEFT, STOCK, scene.board.terms.stock, class_="b ink")
    change = scene.change(SUPPLY)
    for f, faction in enumerate(board.factions):
        y = STOCK + 17 + 21 * f
        drawn += pieces.follower(board, f, LEFT + 9, y, at=f"supply/{faction.letter}")
        many, more = str(scene.shown.supply[f]), _signed(change[f])
        name = LEFT + 28 + wide(many, 12.5, bold=True)
        drawn += text(LEFT + 24, y + 4, many, class_="n ink") + text(name, y + 4, more, class_="dim")
        name += wide(more) + 3 * bool(more)
        drawn += text(name, y + 4, cut(faction.name, RIGHT - name, 10), class_="dim s")
    return drawn


def power(scene: Scene) -> str:
    """How many regions each faction controls, and how many nobody won, up to the end of the game."""
    board, discs = scene.board, scene.shown.discs
    y, side = STOCK + 22 + 21 * len(board.factions), (RIGHT - LEFT) / max(3, len(board.factions))
    drawn, radius = text(LEFT, y, "Control", class_="b ink"), min(8.5, 0.26 * side)
    for f in range(len(board.factions)):
        x = LEFT + 9 + side * f
        drawn += pieces.disc(board, f, x, y + 17, radius)
        drawn += text(x + radius + 2, y + 21, str(discs.count(f)), class_="n ink")
    y += 44
    drawn += text(
        LEFT, y, f"{board.terms.lost.capitalize()}: {scene.shown.unstable} of {scene.game.invaders}", class_="b ink"
    )
    for at in range(scene.game.invaders):
        x = LEFT + 10 + 23 * at
        if at < scene.shown.unstable:
            drawn += pieces.disc(board, UNSTABLE, x, y + 17, 8.5)
        else:
            drawn += element("circle", cx=x, cy=y + 17, r=8.5, class_="gone")
    return drawn


def player(scene: Scene, seat: int, top: float) -> str:
    """A player: name, court, negotiation disc, top discard, hand."""
    shown, board = scene.shown, scene.board
    drawn = element("path", d=f"M10 {top}H{WIDTH - 10}", class_="line")
    y = top + 21
    if seat == shown.to_act:
        drawn += element("path", d=f"M10 {y - 10}l9 6l-9 6Z", class_="tip")
    name = cut(scene.names[seat], COURTS - 28, 12.5, bold=True)
    drawn += text(23, y, name, class_="n ink")
    drawn += text(23, y + 14, " \u00b7 ".join(_about(scene, seat)), class_="dim")
    drawn += text(COURTS, y, "Court", class_="dim")
    for at, f in enumerate(board.courtly):
        x, many = COURTS + 48 + 58 * at, str(shown.courts[seat][f])
        drawn += pieces.follower(board, f, x, y - 4, at=f"court/{seat}/{board.factions[f].letter}")
        drawn += text(x + 12, y, many, class_="n ink")
        drawn += text(x + 14 + wide(many, 12.5, bold=True), y, _gained(scene, seat, f), class_="dim")
    for at in range(shown.negotiation_discs[seat]):
        drawn += pieces.token(board, 390 - 15 * at, y - 4)
    drawn += _pile(scene, seat, y)
    return drawn + _hand(scene, seat, y + 25)


def _about(scene: Scene, seat: int) -> list[str]:
    """Seat, team, victory."""
    wins = ["WINS"] if seat in scene.shown.winners else []
    return [f"seat {seat + 1}", *team(scene.game, scene.shown, seat), *wins]


def _gained(scene: Scene, seat: int, faction: int) -> str:
    """What the last turn changed at a court."""
    if scene.last is None or scene.last.seat != seat:
        return ""
    return _signed(scene.change(COURT)[faction])


def _signed(change: int) -> str:
    """A change of a number, `(+1)`; nothing where there is none."""
    return f"({change:+d})".replace("-", "\u2212") if change else ""


def _pile(scene: Scene, seat: int, y: float) -> str:
    """The discard pile: how many cards, and the one on top."""
    pile = scene.shown.discards[seat]
    if not pile:
        return text(WIDTH - 10, y, "no discards", class_="dim", text_anchor="end")
    room = wide(pile[-1]) + 12
    chip = _chip(WIDTH - 10 - room, y + 4.0, room, pile[-1], "down")
    many = text(WIDTH - 10, y, f"discards: {len(pile)}", class_="dim", text_anchor="end")
    return many + element("g", chip, data_at=f"pile/{seat}")


def _hand(scene: Scene, seat: int, top: float) -> str:
    """The cards in a hand, side by side in two rows; hidden ones as their number."""
    hand, own = scene.shown.hands[seat], scene.seat == seat
    if not hand:
        return text(23, top + 14, "no cards in hand", class_="dim")
    x, y, drawn = 23.0, top, ""
    for card, many in Counter(hand).items():
        label = f"{many} hidden" if card == HIDDEN else f"{card} \u00d7{many}" if many > 1 else card
        room = wide(label) + 12
        if x + room > WIDTH - 10:
            x, y = 23.0, y + CHIP + 3
        at = f"card/{card}" if own and card != HIDDEN else None
        drawn += element("g", _chip(x, y, room, label, "down" if card == HIDDEN else "card"), data_at=at)
        x += room + 5
    return drawn


def _chip(x: float, y: float, room: float, label: str, state: str) -> str:
    """A card as a small box with its name."""
    box = element("rect", x=x, y=y, width=room, height=CHIP, rx=4, class_=state)
    return box + text(x + 6, y + 14, label, class_="dim" if state == "down" else "ink")
