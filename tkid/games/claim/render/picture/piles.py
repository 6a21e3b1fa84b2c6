"""The piles: the score piles to both sides of the factions, the votes, and the discards."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture.scene import EDGE, INNER, MIDDLE, Scene, badge, count
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, GOBLIN, KNIGHT, UNDEAD, Card
from tkid.games.claim.rules.moves import Play
from tkid.render.picture import cut, element, text

HALF = 68
"""Half the width of a faction's banner in the middle."""
BESIDE, BEYOND = 90, 104
"""The distances from the middle to the number of cards, and to the first card."""
STEP = c.MINI_WIDTH + 1.2
CELLS = {UNDEAD: (1, 0), GOBLIN: (0, 1), KNIGHT: (1, 1), DWARF: (0, 2), DOPPELGANGER: (1, 2)}
"""Column and row of each faction's discards."""


def votes(scene: Scene) -> str:
    """The players' names and votes, above their score piles."""
    base = scene.piles + 16
    svg = text(MIDDLE, base, "Votes" if scene.over else "Votes so far", class_="c-small c-mid")
    for seat in scene.shown.seats:
        name = cut(scene.names[seat], INNER / 2 - BESIDE - 38, 12, bold=True)
        edge, inward, anchor = (EDGE + INNER, -1, "c-bold c-end") if seat else (EDGE, 1, "c-bold")
        svg += badge(seat, edge + 9 * inward, base - 4) + text(edge + 22 * inward, base, name, class_=anchor)
        svg += count(scene.won(seat), _beside(seat), base - 14, marked=seat in scene.shown.winners)
    return svg


def faction(scene: Scene, vote: scoring.Vote, top: float) -> str:
    """A faction's cards in both score piles, the highest next to its banner, which points to the player with its vote."""
    letter = vote.faction.letter
    svg = (
        c.box(f"c-{letter}", MIDDLE - HALF, top, 2 * HALF, 20, rx=3)
        + c.emblem(letter, MIDDLE - HALF + 6, top + 2.5, 15)
        + text(MIDDLE - HALF + 26, top + 14.5, letter, class_=f"c-bold c-on-{letter}")
        + text(MIDDLE - HALF + 41, top + 14.5, vote.faction.plural, class_=f"c-word c-on-{letter}")
    )
    if vote.seat is not None:
        side = 1 if vote.seat else -1
        tip = f"M{MIDDLE + side * (HALF - 3):g} {top:g}l{13 * side} 10 {-13 * side} 10Z"
        svg += element("path", class_=f"c-{letter}", d=tip)
    for seat in scene.shown.seats:
        cards = [card for card in scene.shown.scores[seat] if card[0] == letter]
        svg += count(len(cards), _beside(seat), top, marked=vote.seat == seat)
        step = _step(len(cards), INNER / 2 - BEYOND) * (1 if seat else -1)
        start = MIDDLE + BEYOND if seat else MIDDLE - BEYOND - c.MINI_WIDTH
        places = [(card, start + step * n) for n, card in enumerate(reversed(cards))]
        svg += _minis(places, top + 1, _last_card(scene, seat))
    return svg


def discards(scene: Scene) -> str:
    """The discarded cards by faction; Undead only if there are any, as they go to a score pile."""
    top, cards = scene.discards, scene.shown.discards
    svg, half = text(EDGE, top + 13, f"Discards {len(cards)}", class_="c-small"), INNER / 2
    for letter, (column, row) in CELLS.items():
        held = [card for card in cards if card[0] == letter]
        x, y = EDGE + column * half, top + row * 22
        left = x + c.CHIP_WIDTH + 4
        step = _step(len(held), half - c.CHIP_WIDTH - 8)
        if held:
            places = [(card, left + step * n) for n, card in enumerate(held)]
            svg += c.placed(c.chip(letter), x, y) + _minis(places, y, _last_card(scene, None))
        elif letter != UNDEAD:
            svg += c.placed(c.chip(letter), x, y) + text(left, y + 13, "none", class_="c-small")
    return svg


def _beside(seat: int) -> float:
    return MIDDLE + (BESIDE if seat else -BESIDE)


def _step(number: int, room: float) -> float:
    """The distance between so many small cards that fit the room."""
    return min(STEP, (room - c.MINI_WIDTH) / max(1, number - 1))


def _minis(places: Sequence[tuple[Card, float]], top: float, marked: Card | None) -> str:
    """Small cards at their places, with a frame around the marked one."""
    minis = "".join(c.placed(c.mini(card), x, top) for card, x in places)
    framed = next((x for card, x in places if card == marked), None)
    return minis + (c.ring(framed, top, c.MINI_WIDTH, c.MINI_HEIGHT, 1.5) if framed is not None else "")


def _last_card(scene: Scene, seat: int | None) -> Card | None:
    """The last card, if its trick put it on the score pile of this seat, or with None, on the discards."""
    shown, last = scene.shown, scene.last
    if last is None or not last.moves or shown.led is not None:
        return None
    (move,) = last.moves
    assert isinstance(move, Play)
    recruited = not scene.over and (shown.phase == 1 or shown.trick == 1)
    if recruited and move.card[0] != UNDEAD:
        return move.card if seat is None else None
    if seat is None:
        return None
    other = 1 - last.seat
    owner = other if move.card in shown.scores[other] else last.seat
    return move.card if seat == owner else None
