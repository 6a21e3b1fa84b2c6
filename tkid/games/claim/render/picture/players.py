"""The players: their names, score piles and votes, hands and follower piles, open as far as they are known."""

from __future__ import annotations

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture import piles
from tkid.games.claim.render.picture.scene import COLUMN, HANDS, LEFT, MARGIN, WIDTH, Scene
from tkid.games.claim.render.text.position import due
from tkid.games.claim.rules.deck import Card, Cards
from tkid.kernel.game import HIDDEN
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.render.head import balanced
from tkid.render.picture import cut, element, text, wide

RIGHT = WIDTH - MARGIN
RAISED = 6
"""The height by which playable cards stand out of a hand with others."""
OWN_STEP, SMALL_STEP, BACK_STEP = 35, 26, 9
"""How far cards in the viewer's hand, small ones and backs are apart."""


def panel(scene: Scene, seat: int) -> str:
    """The ground of a player's row: for the next player, and for the winner, a panel with a bar."""
    height = scene.row(seat)
    if seat == scene.shown.to_act or seat in scene.shown.winners:
        bar = element("path", class_="c-bar", d=f"M8 1.5H4V{height - 1.5:g}H8Z")
        return c.box("c-panel", 4, 1.5, WIDTH - 8, height - 3, rx=6) + bar
    return ""


def player(scene: Scene, seat: int) -> str:
    """A player's name, what is due, and the score pile with its votes."""
    shown, votes = scene.shown, scene.won(seat)
    state = " \u00b7 wins" if seat in shown.winners else f" \u00b7 to {due(shown)}" if seat == shown.to_act else ""
    svg = text(LEFT, piles.BASE, cut(scene.names[seat], COLUMN - LEFT - 8, 14, bold=True), class_="c-name")
    svg += text(LEFT, piles.BASE + 16, f"seat {seat + 1}{state}", class_="c-small")
    svg += text(LEFT, piles.BASE + 33, counted(votes, "vote", "no"), class_="c-label" if votes else "c-dim")
    return svg + piles.score(scene, seat)


def hand(scene: Scene, seat: int) -> str:
    """A player's hand, and what is known of it; after the game, whose votes the player has."""
    if scene.over:
        return _voters(scene, seat)
    cards, own = scene.shown.hands[seat], seat == scene.seat
    svg = _own(scene, seat) if own else _row(cards, LEFT, HANDS)
    base = scene.row(seat) - 8
    words = f"{counted(len(cards), 'card', 'no')} in hand"
    if scene.shown.lacks[seat]:
        words = f"{words}, but no"
        left = LEFT + wide(words, 11) + 4
        for n, letter in enumerate(scene.shown.lacks[seat]):
            svg += c.placed(c.chip(letter), left + n * (c.CHIP + 4), base - 13.5)
    return svg + text(LEFT, base, words, class_="c-small")


def own_hand_small(scene: Scene, seat: int, top: float, width: int) -> str:
    """The viewer's hand in small cards, in the middle below the table."""
    cards, playable = scene.shown.hands[seat], _playable(scene, seat)
    left, svg = (width - SMALL_STEP * len(cards) + 2) / 2, ""
    for n, card in enumerate(cards):
        x, y = left + SMALL_STEP * n, top + RAISED * (card not in playable)
        svg += _card(card, c.SMALL, x, y, aside=bool(playable) and card not in playable)
    return svg


def _own(scene: Scene, seat: int) -> str:
    """The viewer's hand: cards that may not be played step back."""
    playable, svg = _playable(scene, seat), ""
    for n, card in enumerate(scene.shown.hands[seat]):
        x, y = LEFT + OWN_STEP * n, HANDS + RAISED * (card not in playable)
        svg += _card(card, c.HAND, x, y, aside=bool(playable) and card not in playable)
    return svg


def _card(card: Card, size: c.Size, x: float, y: float, *, aside: bool) -> str:
    """A card of the viewer's hand, to be clicked."""
    return c.back(size, x, y) if card == HIDDEN else c.placed(c.face(card, size, aside=aside), x, y, f"card/{card}")


def _playable(scene: Scene, seat: int) -> frozenset[Card]:
    """The cards of the viewer's hand that may be played; none if all may, or it is not the viewer's turn."""
    if scene.shown.to_act != seat:
        return frozenset()
    may = frozenset(move.card for move in scene.game.legal(scene.shown))
    return frozenset() if may.issuperset(set(scene.shown.hands[seat]) - {HIDDEN}) else may


def _voters(scene: Scene, seat: int) -> str:
    """The factions that vote for a player after the game, in words."""
    factions = [vote.faction.plural for vote in scene.votes if vote.seat == seat]
    if not factions:
        return text(LEFT, HANDS + 22, "No faction votes for this player.", class_="c-dim")
    votes = f"The {listed(factions, 'and')} vote for {scene.names[seat]}."
    lines = balanced(votes, RIGHT - LEFT, 12, 2)
    return "".join(text(LEFT, HANDS + 22 + 16 * n, line, class_="c-dim") for n, line in enumerate(lines))


def followers(scene: Scene, seat: int) -> str:
    """A player's follower pile in phase one; what the last trick brought has a ring where it is known."""
    cards, own = scene.shown.followers[seat], seat == scene.seat
    if not cards:
        return ""
    step = _step(cards)
    left = RIGHT - c.SMALL.width - step * (len(cards) - 1)
    top = HANDS + (c.HAND.height - c.SMALL.height + RAISED if own else 0)
    svg, before = _row(cards, left, top), scene.before
    old = before.followers[seat] if before else cards
    came = scene.came(cards, old)
    svg += "".join(
        c.outline("c-last", c.SMALL, left + step * cards.index(card), top, 0.5) for card in came if card != HIDDEN
    )
    label = counted(len(cards), "follower")
    base = scene.row(seat) - 8
    svg += text(RIGHT, base, label, class_="c-small c-end")
    if len(cards) > len(old):
        new = f"+{len(cards) - len(old)}"
        svg += text(RIGHT - wide(label, 11) - 4, base, new, class_="c-new c-end")
    return svg


def _step(cards: Cards) -> int:
    """How far small cards are apart: backs need less room."""
    return BACK_STEP if all(card == HIDDEN for card in cards) else SMALL_STEP


def _row(cards: Cards, left: float, top: float) -> str:
    """Small cards beside one another, face up as far as they are known."""
    step = _step(cards)
    return "".join(
        c.back(c.SMALL, left + step * n, top)
        if card == HIDDEN
        else c.placed(c.face(card, c.SMALL), left + step * n, top)
        for n, card in enumerate(cards)
    )
