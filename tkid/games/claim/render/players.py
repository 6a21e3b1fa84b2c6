"""The players in Claim's picture: their names, and their hands and follower piles, open as far as they are known."""

from __future__ import annotations

from tkid.games.claim.render import cards as c
from tkid.games.claim.render.scene import EDGE, INNER, Scene, badge, pill, pill_width
from tkid.games.claim.render.text import due
from tkid.games.claim.rules.deck import Card, Cards
from tkid.kernel.game import HIDDEN
from tkid.render.picture import cut, text

RAISED = 7
"""By how much the cards that may be played stand out of a hand with others."""
RIGHT = EDGE + INNER
SMALL_STEP = c.PILE.width + 2


def player(scene: Scene, seat: int, top: float) -> str:
    """Name and number of a player, how many cards lie where, and the factions shown not to be in hand."""
    shown = scene.shown
    state = "wins" if seat in shown.winners else f"to {due(shown)}" if seat == shown.to_act else ""
    room = INNER - 24 - (pill_width(state) + 10 if state else 0)
    drawn = badge(seat, EDGE + 9, top + 10)
    drawn += text(EDGE + 24, top + 15, cut(scene.names[seat], room, 15, bold=True), class_="c-name")
    drawn += pill(state, RIGHT, top + 1) if state else ""
    told = f"Votes {scene.won(seat)}" if scene.over else f"Hand {len(shown.hands[seat])}"
    drawn += text(EDGE, top + 33, told, class_="c-small")
    if shown.phase == 1:
        drawn += text(RIGHT, top + 33, f"Followers {len(shown.followers[seat])}", class_="c-small c-end")
    if shown.lacks[seat] and not scene.over:
        drawn += text(EDGE + 62, top + 33, "shown: no", class_="c-small")
        chips = (
            c.chip(each, EDGE + 132 + n * (c.CHIP_WIDTH + 4), top + 20) for n, each in enumerate(shown.lacks[seat])
        )
        drawn += "".join(chips)
    return drawn


def hand(scene: Scene, seat: int, top: float) -> str:
    """A player's hand; when all is over, the factions whose votes the player has."""
    if scene.over:
        return _won(scene, seat, top + 5)
    cards = scene.shown.hands[seat]
    if seat != scene.seat:
        step = 15 if _unknown(cards) else SMALL_STEP
        return _row(cards, EDGE, top + 5, step)
    playable = _playable(scene, seat)
    drawn = []
    for n, card in enumerate(cards):
        x, y = EDGE + (c.HAND.width + 2.2) * n, top + 6 + RAISED
        if card == HIDDEN:
            drawn.append(c.back(c.HAND, x, y))
        elif playable and card not in playable:
            drawn.append(c.face(card, c.HAND, x, y, aside=True, at=f"card/{card}"))
        else:
            drawn.append(c.face(card, c.HAND, x, y - RAISED * (card in playable), at=f"card/{card}"))
    return "".join(drawn)


def _playable(scene: Scene, seat: int) -> frozenset[Card]:
    """The cards of the viewer's hand that may be played; none where all may, or nothing is due from the viewer."""
    if scene.shown.to_act != seat:
        return frozenset()
    may = frozenset(move.card for move in scene.game.legal(scene.shown))
    return frozenset() if may.issuperset(set(scene.shown.hands[seat]) - {HIDDEN}) else may


def _won(scene: Scene, seat: int, top: float) -> str:
    """The factions whose votes a player has in the end."""
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
    """Whether not one of these cards is known: backs need less room."""
    return all(card == HIDDEN for card in cards)


def _row(cards: Cards, left: float, top: float, step: float) -> str:
    """Small cards beside one another, face up as far as they are known."""
    return "".join(
        c.back(c.PILE, left + step * n, top) if card == HIDDEN else c.face(card, c.PILE, left + step * n, top)
        for n, card in enumerate(cards)
    )
