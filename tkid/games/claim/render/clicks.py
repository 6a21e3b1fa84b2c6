"""The clicks of Claim: the cards that the next player may play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.rules.deck import FACTIONS, NAMES
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import PLAYS
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN, with_names
from tkid.render.clicks import Choices, Preview, Refusal, Spot, Step, Way, idle

POWERS = {
    "G": "power.goblins",
    "K": "power.knights",
    "D": "power.dwarves",
    "U": "power.undead",
    "X": "power.doppelgangers",
}
"""The rules of the factions' powers, by letter."""


def choices(game: Claim, view: View, names: Sequence[str]) -> Choices:
    """All that a seat may click; nothing where it is not its turn."""
    if nothing := idle(view, names):
        return nothing
    position = view.shown
    due = "Choose a card to lead." if position.led is None else f"Choose a card to play on {NAMES[position.led]}."
    cards = [move.card for move in game.legal(position)]
    return Choices(
        due=due,
        ways=tuple(Way(NAMES[card], (Step(due, (f"card/{card}",)),)) for card in cards),
        spots={f"card/{card}": Spot(NAMES[card], FACTIONS[card[0]].plural, NAMES[card]) for card in cards},
        rules={f"card/{card}": game.ids(POWERS[card[0]]) for card in cards},
        barred=dict(_barred(game, position, names)),
    )


def preview(game: Claim, view: View, names: Sequence[str], choices: Choices) -> Preview:
    return Preview()


def _barred(game: Claim, position: Position, names: Sequence[str]) -> Iterator[tuple[str, Refusal]]:
    """Why cards in hand may not be played."""
    hand = position.hands[position.to_act or 0]
    for card in dict.fromkeys(card for card in hand if card != HIDDEN):
        for violation in game.check(position, PLAYS[card]):
            yield f"card/{card}", Refusal(f"{NAMES[card]}: {with_names(violation.sentence, names)}.", violation.rule)
