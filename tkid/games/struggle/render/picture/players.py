"""The players below the map: name, court, negotiation discs, discard pile and hand."""

from __future__ import annotations

from collections import Counter

from tkid.games.struggle.render.picture import pieces
from tkid.games.struggle.render.picture.layout import MARGIN, PLAYER_HEIGHT, PLAYERS_TOP, WIDTH
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.render.picture.side import signed
from tkid.games.struggle.render.text.phrases import team
from tkid.games.struggle.rules.position import HIDDEN
from tkid.games.struggle.rules.transfers import COURT
from tkid.render.picture import cut, element, text, wide

NAME_LEFT = 23
COURT_LEFT = 158
CHIP = 20
"""The height of a card in a hand."""


def player(scene: Scene, seat: int) -> str:
    """A player's part, from a line above it."""
    shown, board, top = scene.shown, scene.board, PLAYERS_TOP + PLAYER_HEIGHT * seat
    svg, y = element("path", d=f"M{MARGIN} {top}H{WIDTH - MARGIN}", class_="line"), top + 21
    if seat == shown.to_act:
        svg += element("path", d=f"M{MARGIN} {y - 10}l9 6l-9 6Z", class_="tip")
    wins = ["WINS"] if seat in shown.winners else []
    about = " \u00b7 ".join([f"seat {seat + 1}", *team(scene.game, shown, seat), *wins])
    svg += text(NAME_LEFT, y, cut(scene.names[seat], COURT_LEFT - 28, 12.5, bold=True), class_="n ink")
    svg += text(NAME_LEFT, y + 14, about, class_="dim")
    svg += text(COURT_LEFT, y, "Court", class_="dim")
    gained = scene.change(COURT) if scene.last and scene.last.seat == seat else [0] * len(board.factions)
    for place, f in enumerate(board.courtly):
        x, count = COURT_LEFT + 48 + 58 * place, str(shown.courts[seat][f])
        svg += pieces.follower(board, f, x, y - 4, key=f"court/{seat}/{board.factions[f].letter}")
        svg += text(x + 12, y, count, class_="n ink")
        svg += text(x + 14 + wide(count, 12.5, bold=True), y, signed(gained[f]), class_="dim")
    for n in range(shown.negotiation_discs[seat]):
        svg += pieces.token(board, 390 - 15 * n, y - 4)
    return svg + _pile(scene, seat, y) + _hand(scene, seat, y + 25)


def _pile(scene: Scene, seat: int, y: float) -> str:
    """The discard pile: the number of cards, and the one on top."""
    pile, right = scene.shown.discards[seat], WIDTH - MARGIN
    if not pile:
        return text(right, y, "no discards", class_="dim", text_anchor="end")
    room = wide(pile[-1]) + 12
    chip = _chip(right - room, y + 4.0, room, pile[-1], "down")
    count = text(right, y, f"discards: {len(pile)}", class_="dim", text_anchor="end")
    return count + element("g", chip, data_at=f"pile/{seat}")


def _hand(scene: Scene, seat: int, top: float) -> str:
    """The cards in a hand, side by side in two rows; hidden ones as a number."""
    hand, own = scene.shown.hands[seat], scene.seat == seat
    if not hand:
        return text(NAME_LEFT, top + 14, "no cards in hand", class_="dim")
    x, y, svg = float(NAME_LEFT), top, ""
    for card, count in Counter(hand).items():
        label = f"{count} hidden" if card == HIDDEN else f"{card} \u00d7{count}" if count > 1 else card
        room = wide(label) + 12
        if x + room > WIDTH - MARGIN:
            x, y = float(NAME_LEFT), y + CHIP + 3
        key = f"card/{card}" if own and card != HIDDEN else None
        svg += element("g", _chip(x, y, room, label, "down" if card == HIDDEN else "card"), data_at=key)
        x += room + 5
    return svg


def _chip(x: float, y: float, room: float, label: str, state: str) -> str:
    """A card as a small box with its name."""
    box = element("rect", x=x, y=y, width=room, height=CHIP, rx=4, class_=state)
    return box + text(x + 6, y + 14, label, class_="dim" if state == "down" else "ink")
