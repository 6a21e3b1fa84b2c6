"""The table: the deck, the prize, the trick, and what happened last."""

from __future__ import annotations

import re

from tkid.games.claim.render.picture import cards as c
from tkid.games.claim.render.picture.scene import EDGE, FELT, INNER, MIDDLE, WIDTH, Scene
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import DOPPELGANGER, FACTIONS, NAMES, Card
from tkid.kernel.game import HIDDEN
from tkid.render.picture import cut, element, text, wide

TOP = Scene.felt + 14
LABEL_ROOM = 112
SEEN = frozenset({"claim.recruit.reveal", "claim.gather.hands"})
"""The rules of events that the picture shows anyway."""
CROWN = "M1 4.5 5.5 10 10 1.5 14.5 10 19 4.5 17 17H3Z"
RECRUITING = "The winner of the trick takes the prize as a follower, the other the next card of the deck."
GATHERING = "The winner of the trick takes both cards into the score pile, but Dwarves go to the other."


def ground(scene: Scene) -> str:
    """The paper and the table on it."""
    plain = element("rect", class_="c-ground", width=WIDTH, height=scene.height)
    return plain + c.box("c-felt", EDGE, scene.felt, INNER, FELT, rx=10)


def deck(scene: Scene) -> str:
    """The face-down deck of phase one."""
    if scene.shown.prize is None:
        return ""
    left, number = EDGE + 22.0, len(scene.shown.deck)
    stack = "".join(c.placed(c.back(c.TABLE), left + 2.5 * n, TOP - 2.5 * n) for n in range(min(3, (number + 5) // 6)))
    return stack + _label(left + c.TABLE.width / 2, "Deck", f"{number} card{'s' * (number != 1)}")


def prize(scene: Scene) -> str:
    """The card that is played for in phase one."""
    card = scene.shown.prize
    if card is None:
        return ""
    left, hidden = EDGE + 122.0, card == HIDDEN
    svg = c.placed(c.back(c.TABLE) if hidden else c.face(card, c.TABLE), left, TOP)
    title, name = "Next prize" if scene.ended else "Prize", "face down" if hidden else NAMES[card]
    line = element("path", class_="c-line", d=f"M{EDGE + 212} {TOP + 2}v110")
    return svg + _label(left + c.TABLE.width / 2, title, name) + line


def trick(scene: Scene) -> str:
    """The card that was led, and the place of the next one; or the trick that has just ended, or the end of the game."""
    shown = scene.shown
    if shown.leader is None:
        return _outcome(scene)
    first, second = (MIDDLE - 58, MIDDLE + 58) if shown.prize is None else (EDGE + 278.0, EDGE + 394.0)
    left = first - c.TABLE.width / 2
    if scene.ended:
        cards = zip((first, second), scene.ended, ("led", "played"), strict=True)
        return "".join(_played(scene, middle, seat, card, what) for middle, (seat, card), what in cards)
    leader, other = scene.names[shown.leader], scene.names[1 - shown.leader]
    if shown.led is None:
        svg = _slot(left) + _label(first, _of(leader, "to lead"))
    else:
        svg = c.placed(c.face(shown.led, c.TABLE), left, TOP)
        svg += c.ring(left, TOP, c.TABLE.width, c.TABLE.height) if scene.last else ""
        svg += _label(first, _of(leader, "led"), NAMES[shown.led])
    due = "to follow" if shown.led is None else "to play"
    return svg + _slot(second - c.TABLE.width / 2) + _label(second, _of(other, due))


def _played(scene: Scene, middle: float, seat: int, card: Card, what: str) -> str:
    """A card of the trick that has just ended."""
    face = c.placed(c.face(card, c.TABLE), middle - c.TABLE.width / 2, TOP)
    return face + _label(middle, _of(scene.names[seat], what), NAMES[card])


def _outcome(scene: Scene) -> str:
    """How the game ended."""
    top, winners = scene.felt, scene.shown.winners
    if not winners:
        return _lines(top + 68, "Drawn", f"Nobody has {scoring.NEEDED} votes")
    (winner,) = winners
    crown = element("path", d=CROWN, class_="c-dark", transform=f"translate({MIDDLE - 22:g} {top + 20}) scale(2.2)")
    name = cut(scene.names[winner], INNER - 90, 24, bold=True)
    return crown + _lines(top + 90, f"{name} wins", f"{scene.won(winner)} votes to {scene.won(1 - winner)}")


def _lines(base: float, first: str, second: str) -> str:
    return text(MIDDLE, base, first, class_="c-big c-mid") + text(MIDDLE, base + 24, second, class_="c-due c-mid")


def news(scene: Scene) -> str:
    """What happened in the last turn, and how to follow the led card; or else what the tricks of this phase are for."""
    top = scene.felt + 140
    sentences = re.sub(r" (?=\d)", "\u00a0", " ".join(_news(scene)))
    svg = element("path", class_="c-line", d=f"M{EDGE + 12} {top}H{EDGE + INNER - 12}")
    for n, line in enumerate(_broken(sentences, INNER - 24, 3) if sentences else ()):
        svg += text(EDGE + 12, top + 18 + 15 * n, line, class_="c-word")
    return svg


def _news(scene: Scene) -> list[str]:
    shown = scene.shown
    events = scene.last.events if scene.last else ()
    if scene.over:
        events = events[: -1 - len(scoring.result(shown.scores).chain)]
    sentences = [f"{event.seen(scene.seat).read(scene.names)}." for event in events if event.rule not in SEEN]
    if shown.led is not None and shown.to_act is not None:
        faction, wild = shown.led[0], "" if shown.led[0] == DOPPELGANGER else ", or plays a Doppelganger"
        sentences.append(f"{scene.names[shown.to_act]} has to follow with {FACTIONS[faction].plural} if able{wild}.")
    if not sentences and not scene.over:
        sentences.append(RECRUITING if shown.phase == 1 else GATHERING)
    return sentences


def _broken(words: str, room: float, most: int) -> list[str]:
    """Words broken into at most so many lines that fit the room; the rest is cut off."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == most or wide(longer, 12) <= room):
            lines[-1] = longer
        else:
            lines.append(word)
    return [cut(line, room, 12) for line in lines]


def _of(name: str, what: str) -> str:
    """A player's name, cut to the room below a card, and what that player does."""
    return f"{cut(name, LABEL_ROOM - wide(f' {what}', 12), 12)} {what}"


def _label(middle: float, first: str, second: str = "") -> str:
    """Two lines below a card."""
    base = TOP + c.TABLE.height + 18
    label = text(middle, base, first, class_="c-small c-mid")
    return label + (text(middle, base + 15, second, class_="c-bold c-mid") if second else "")


def _slot(left: float) -> str:
    """The place of a card that is not there."""
    return c.box("c-slot", left, TOP, c.TABLE.width, c.TABLE.height, rx=6)
