"""The table: the deck and the prize, or in phase two the votes; the trick in the middle; how many tricks are played."""

from __future__ import annotations

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture.scene import MARGIN, OWN, TABLE, WIDTH, Scene
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import HAND, NAMES, Card
from tkid.games.claim.rules.position import PHASES
from tkid.kernel.game import HIDDEN
from tkid.render.head import filled
from tkid.render.picture import cut, element, text, wide

TOP, BOTTOM = 18, 138
"""The upper and the lower edge of the cards of the trick; the deck and the prize end there too."""
FIRST, SECOND, THIRD = 156, 172, 188
"""The base lines below the cards."""
DECK, PRIZE, STAKE_END = 39, 107, 134
"""The middle of the deck and of the prize, and the end of what is left of the trick."""
TRICK = (203, 306)
"""The middle of the card that is led, and of the one that follows."""
LABEL, PRIZE_LABEL = 101, 76
"""The room for words below a card of the trick, and below the prize."""
TALLY = 374
DOT, DOTS = 13, 7


def ground() -> str:
    """The table."""
    return c.box("c-table", 0.5, 0.5, WIDTH - 1, TABLE - 1, rx=8)


def ground_alone(width: int, *, own: bool) -> str:
    """The table and below it the place of the viewer's hand, to the edges of the picture."""
    table = element("rect", class_="c-panel", width=width, height=TABLE + (OWN if own else 0))
    return table + (element("path", class_="c-line", d=f"M{MARGIN} {TABLE}H{width - MARGIN}") if own else "")


def deck(scene: Scene) -> str:
    """The face-down deck of phase one."""
    if scene.shown.prize is None:
        return ""
    left, number = DECK - c.STAKE.width / 2, len(scene.shown.deck)
    top = BOTTOM - c.STAKE.height
    stack = "".join(c.back(c.STAKE, left + 2 * n - 2, top - 2 * n) for n in range(min(3, (number + 5) // 6)))
    return (
        text(DECK, 44, "Deck", class_="c-label c-mid")
        + stack
        + text(DECK, FIRST, f"{number} left", class_="c-dim c-mid")
    )


def prize(scene: Scene) -> str:
    """The card that is played for in phase one."""
    card = scene.shown.prize
    if card is None:
        return ""
    left, top = PRIZE - c.STAKE.width / 2, BOTTOM - c.STAKE.height
    svg = c.back(c.STAKE, left, top) if card == HIDDEN else c.placed(c.face(card, c.STAKE), left, top)
    title, name = "Next" if scene.ended else "Prize", "face down" if card == HIDDEN else NAMES[card]
    svg += text(PRIZE, 44, title, class_="c-label c-mid")
    lines = filled(name.split(), PRIZE_LABEL, 12.5, bold=True)
    size = "c-label" if wide(lines[0], 12.5, bold=True) <= PRIZE_LABEL else "c-tight"
    return svg + "".join(
        text(PRIZE, base, line, class_=f"{size} c-mid") for base, line in zip((FIRST, SECOND), lines, strict=False)
    )


def votes(scene: Scene) -> str:
    """Whom the factions vote for as it stands, in phase two."""
    if scene.shown.prize is not None:
        return ""
    svg = text(MARGIN, 32, "Votes" if scene.over else "Votes so far", class_="c-label")
    for seat in scene.shown.seats:
        base = 58 + 52 * seat
        winner = seat in scene.shown.winners
        room = STAKE_END - MARGIN - 20 - 18 * winner
        svg += text(MARGIN + 18 * winner, base, cut(scene.names[seat], room, 12, bold=True), class_="c-label")
        svg += c.crown(MARGIN, base - 11.5, 13) if winner else ""
        svg += text(STAKE_END, base, str(scene.won(seat)), class_="c-count c-end")
        letters = [vote.faction.letter for vote in scene.votes if vote.seat == seat]
        svg += "".join(c.placed(c.crest(letter, 21), MARGIN + 24.5 * n, base + 7) for n, letter in enumerate(letters))
        if not letters:
            svg += text(MARGIN, base + 21, "none", class_="c-dim")
    needed = f"{scoring.NEEDED} of {len(scene.votes)} win"
    return svg + text(MARGIN, FIRST + 16, needed, class_="c-dim")


def trick(scene: Scene) -> str:
    """The card that was led, and the place of the next one; or the trick that has just ended."""
    shown = scene.shown
    if scene.ended:
        return "".join(_played(scene, *each) for each in zip(TRICK, scene.ended, ("led", "played"), strict=True))
    first, second = TRICK
    if shown.leader is None:
        return ""
    leader, other = scene.names[shown.leader], scene.names[1 - shown.leader]
    left = first - c.TRICK.width / 2
    if shown.led is None:
        svg = _slot(first) + _label(first, leader, "to lead")
    else:
        svg = c.placed(c.face(shown.led, c.TRICK), left, TOP) + c.outline("c-led", c.TRICK, left, TOP)
        svg += _label(first, leader, "led") + _name(first, shown.led)
    return svg + _slot(second) + _label(second, other, "to follow" if shown.led is None else "to play")


def _played(scene: Scene, middle: float, played: tuple[int, Card], what: str) -> str:
    """A card of the trick that has just ended, with a ring around the one that won."""
    (seat, card), left = played, middle - c.TRICK.width / 2
    svg = c.placed(c.face(card, c.TRICK), left, TOP)
    svg += _label(middle, scene.names[seat], what) + _name(middle, card)
    if seat != scene.winner:
        return svg
    return (
        svg + c.outline("c-last", c.TRICK, left, TOP, 3) + text(middle, THIRD, "takes the trick", class_="c-new c-mid")
    )


def _label(middle: float, name: str, what: str) -> str:
    """What a player does, below a card."""
    words = f" {what}"
    return text(middle, FIRST, cut(name, LABEL - wide(words, 12), 12) + words, class_="c-dim c-mid")


def _name(middle: float, card: Card) -> str:
    """The name of a card below it."""
    fits = wide(NAMES[card], 12.5, bold=True) <= LABEL
    return text(middle, SECOND, NAMES[card], class_="c-label c-mid" if fits else "c-tight c-mid")


def _slot(middle: float) -> str:
    """The place of a card that is not there."""
    return c.box("c-slot", middle - c.TRICK.width / 2, TOP, c.TRICK.width, c.TRICK.height, rx=c.TRICK.corner)


def tally(scene: Scene) -> str:
    """The tricks of both phases as dots: those played, the one in play, those to come."""
    shown, svg = scene.shown, ""
    played = 2 * HAND if scene.over else HAND * (shown.phase - 1) + shown.trick - 1
    for phase, words in PHASES.items():
        top = 32 + 62 * (phase - 1)
        svg += text(TALLY, top, f"Phase {words}", class_="c-label" if phase == shown.phase or scene.over else "c-dim")
        for n in range(HAND):
            number = HAND * (phase - 1) + n
            kind, radius = (
                ("c-now", 5.5) if number == played else ("c-done", 4.0) if number < played else ("c-left", 4.0)
            )
            x, y = TALLY + 5 + DOT * (n % DOTS), top + 14 + DOT * (n // DOTS)
            svg += element("circle", class_=kind, cx=x, cy=y, r=radius)
    words = f"all {2 * HAND} played" if scene.over else f"trick {shown.trick} of {HAND}"
    return svg + text(TALLY, FIRST, words, class_="c-dim")
