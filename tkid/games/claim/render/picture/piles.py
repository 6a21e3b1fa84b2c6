"""The piles in columns, a faction each: how many cards, their values, and who has the vote of the faction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture.scene import COLUMN, LEFT, PITCH, Scene
from tkid.games.claim.rules.deck import FACTIONS, Card, Cards
from tkid.notation.numbers import counted
from tkid.render.picture import element, text

TOP, BASE = 8, 22
"""The top of the chips and the base line of what is beside them."""
LINES = (41, 55)
STEP, MOST = 9.0, 7
"""How far the values are apart, and how many fit on a line: a pile has at most 14 cards of a faction."""
CELL, CELL_HEIGHT = 70, 56


def score(scene: Scene, seat: int) -> str:
    """A player's score pile; a faction that votes for the player has its tint, and a crown."""
    before = scene.before
    came = scene.came(scene.shown.scores[seat], before.scores[seat] if before else None)
    led = frozenset(vote.faction.letter for vote in scene.votes if vote.seat == seat)
    return _columns(scene, scene.shown.scores[seat], came, led)


def discards(scene: Scene) -> str:
    """The discarded cards."""
    cards, before = scene.shown.discards, scene.before
    svg = text(LEFT, BASE, "Discards", class_="c-name")
    svg += text(LEFT, BASE + 16, counted(len(cards), "card", "no"), class_="c-small")
    return svg + _columns(scene, cards, scene.came(cards, before.discards if before else None), frozenset())


def _columns(scene: Scene, pile: Cards, came: Mapping[Card, int], led: frozenset[str]) -> str:
    """A pile by faction: emblem and letter, how many cards, and their values from the highest on."""
    svg, ground = "", "c-won" if scene.over else "c-tint"
    for place, letter in enumerate(FACTIONS):
        left, held = COLUMN + PITCH * place, [card for card in reversed(pile) if card[0] == letter]
        if letter in led:
            svg += c.box(f"{ground}-{letter}", left - 4, TOP - 4, CELL, CELL_HEIGHT, rx=5)
            svg += c.crown(left + 53, TOP + 3, 11)
        svg += c.placed(c.chip(letter), left, TOP)
        svg += text(left + c.CHIP + 4, BASE, str(len(held)), class_="c-count" if held else "c-none")
        svg += _values(held, left, came)
    return svg


def _values(held: Sequence[Card], left: float, came: Mapping[Card, int]) -> str:
    """The values of some cards; what the last turn brought is underlined."""
    svg, new = "", dict(came)
    per = len(held) if len(held) <= MOST else -(-len(held) // 2)
    for n, card in enumerate(held):
        x, base = left + 4 + STEP * (n % per), LINES[n // per]
        fresh = new.get(card, 0) > 0
        if fresh:
            new[card] -= 1
            svg += element("path", class_="c-under", d=f"M{x - 3.8:g} {base + 2.5:g}h7.6")
        svg += text(x, base, card[1:], class_="c-digit c-fresh" if fresh else "c-digit")
    return svg
