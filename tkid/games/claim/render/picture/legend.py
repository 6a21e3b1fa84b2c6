"""What the factions can do, and what the marks mean, beside a wide picture."""

from __future__ import annotations

from functools import cache

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture.scene import MARGIN
from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, FACTIONS, GOBLIN, KNIGHT, UNDEAD
from tkid.render.picture import text

POWERS = {
    GOBLIN: "no power; five cards of value 0",
    KNIGHT: "beat any Goblin that was led",
    DWARF: "go to the loser of the trick in phase two",
    UNDEAD: "go to the winner\u2019s score pile in phase one",
    DOPPELGANGER: "may be played on any faction",
}
"""What each faction can do, in a few words."""


@cache
def legend() -> str:
    """The factions with their powers."""
    svg = ""
    for n, (letter, power) in enumerate(POWERS.items()):
        top = 14 + 20 * n
        svg += c.placed(c.chip(letter), MARGIN, top)
        svg += text(MARGIN + 40, top + 13, FACTIONS[letter].plural, class_="c-label")
        svg += text(MARGIN + 164, top + 13, power, class_="c-dim")
    return svg
