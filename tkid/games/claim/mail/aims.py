"""What players may want in Claim, and what to write for it: the game's own part of `help`."""

from __future__ import annotations

from tkid.games.claim.mail.turn_examples import of
from tkid.games.claim.rules.deck import NAMES
from tkid.kernel.game import HIDDEN
from tkid.record.play.replay import Replay


def aims(known: Replay, seat: int) -> tuple[tuple[str, str], ...]:
    """Each aim with an example."""
    hand = [card for card in of(known)[1].hands[seat] if card != HIDDEN]
    card = NAMES[hand[0]] if hand else "Goblin 5"
    return (
        ("Play a card", card),
        ("Only check a card", f"draft {card}"),
        ("See what you can play", "legal, or legal Goblin"),
        ("Play by a rule", "lead my highest, or play what is forced"),
        ("Make a plan", "if led Goblin: play my lowest"),
    )


def shorthand(_: Replay) -> str:
    """How cards may be shortened."""
    return "Names may be shortened: `gob 5` and `G5` are `Goblin 5`."
