"""The players: their names, hands and follower piles, open as far as they are known."""

from __future__ import annotations

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture.scene import EDGE, INNER, Scene, badge, pill, pill_width
from tkid.games.claim.render.text.position import due
from tkid.games.claim.rules.deck import Card, Cards
from tkid.kernel.game import HIDDEN
from tkid.render.picture import cut, text

RAISED = 7
"""The height by which playable cards stand out of a hand with others."""
RIGHT = EDGE + INNER
SMALL_STEP = c.PILE.width + 2


def player(scene: Scene, seat: int, top: float) -> str:
    """A player's name and number, the sizes of hand and piles, and the factions shown not to be in hand."""
    shown = scene.shown
    state = "wins" if seat in shown.winners else f"to {due(shown)}" if seat == shown.to_act else ""
    room = INNER - 24 - (pill_width(state) + 10 if state else 0)
    svg = badge(seat, EDGE + 9, top + 10)
    svg += text(EDGE + 24, top + 15, cut(scene.names[seat], room, 15, bold=True), class_="c-name")
    svg += pill(state, RIGHT, top + 1) if state else ""
    summary = f"Votes {scene.won(seat)}" if scene.over else f"Hand {len(shown.hands[seat])}"
    svg += text(EDGE, top + 33, summary, class_="c-small")
    if shown.phase == 1:
        svg += text(RIGHT, top + 33, f"Followers {len(shown.followers[seat])}", class_="c-small c-end")
    if shown.lacks[seat] and not scene.over:
        svg += text(EDGE + 62, top + 33, "shown: no", class_="c-small")
        for n, letter in enumerate(shown.lacks[seat]):
            svg += c.placed(c.chip(letter), EDGE + 132 + n * (c.CHIP_WIDTH + 4), top + 20)
    return svg


def hand(scene: Scene, seat: int, top: float) -> str:
    """A player's hand; after the game, the factions whose votes the player has."""
    if scene.over:
        return _won(scene, seat, top + 5)
    cards = scene.shown.hands[seat]
    if seat != scene.seat:
        step = 15 if _unknown(cards) else SMALL_STEP
        return _row(cards, EDGE, top + 5, step)
    playable, svg = _playable(scene, seat), ""
    for n, card in enumerate(cards):
        x, y = EDGE + (c.HAND.width + 2.2) * n, top + 6 + RAISED * (card not in playable)
        if card == HIDDEN:
            svg += c.placed(c.back(c.HAND), x, y)
        else:
            aside = bool(playable) and card not in playable
            svg += c.placed(c.face(card, c.HAND, aside=aside), x, y, f"card/{card}")
    return svg


def _playable(scene: Scene, seat: int) -> frozenset[Card]:
    """The cards of the viewer's hand that may be played; none if all may, or it is not the viewer's turn."""
    if scene.shown.to_act != seat:
        return frozenset()
    may = frozenset(move.card for move in scene.game.legal(scene.shown))
    return frozenset() if may.issuperset(set(scene.shown.hands[seat]) - {HIDDEN}) else may


def _won(scene: Scene, seat: int, top: float) -> str:
    """The factions whose votes a player has after the game."""
    letters = [vote.faction.letter for vote in scene.votes if vote.seat == seat]
    return "".join(
        c.box(f"c-{letter} c-edge", EDGE + n * 48, top, 42, 36, rx=5) + c.emblem(letter, EDGE + n * 48 + 8, top + 5, 26)
        for n, letter in enumerate(letters)
    )


def followers(scene: Scene, seat: int, top: float) -> str:
    """A player's follower pile."""
    cards = scene.shown.followers[seat]
    if _unknown(cards) and seat != scene.seat:
        return _row(cards, RIGHT - c.PILE.width - 9 * (len(cards) - 1), top + 5, 9)
    if not cards:
        return ""
    left, y = RIGHT - SMALL_STEP * len(cards) - 2, top + (24 if seat == scene.seat else 5)
    tray = c.box("c-tray", left - 4, y - 4, RIGHT - left + 4, c.PILE.height + 8, rx=5)
    return tray + _row(cards, left, y, SMALL_STEP)


def _unknown(cards: Cards) -> bool:
    """Whether no card is known: backs need less room."""
    return all(card == HIDDEN for card in cards)


def _row(cards: Cards, left: float, top: float, step: float) -> str:
    """Small cards beside one another, face up as far as they are known."""
    return "".join(
        c.placed(c.back(c.PILE) if card == HIDDEN else c.face(card, c.PILE), left + step * n, top)
        for n, card in enumerate(cards)
    )
