"""What a card would bring, before it is sent: only where it decides the trick, so that it is certain."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.render.text.telling import ending
from tkid.games.claim.rules.deck import DWARF, NAMES, UNDEAD
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import Trick
from tkid.kernel.game import HIDDEN
from tkid.notation.vocabulary import listed


def consequence(game: Claim, position: Position, move: Play, names: Sequence[str]) -> str:
    """What a legal card would bring, without a full stop: `You take the trick and Goblin 5`; "" for a card that is led.

    `position` is as its player may know it, who is addressed as "you".
    """
    trick = Trick.of(position, move.card)
    if trick is None:
        return ""
    you = position.to_act
    after, _ = game.apply(position, move)
    taken = _taken(trick, "you" if trick.winner == you else names[trick.winner], trick.winner == you, names)
    taken = f"{taken[:1].upper()}{taken[1:]}"
    return taken if after.to_act is not None else f"{taken}; {ending(after, names, you)}"


def _taken(trick: Trick, winner: str, yours: bool, names: Sequence[str]) -> str:  # noqa: FBT001 - one of two words
    """Who takes the trick, and what goes where."""
    take, loser = f"{winner} take{'s' * (not yours)} the trick", names[1 - trick.winner] if yours else "you"
    if trick.before.phase == 1:
        prize = trick.before.prize
        undead = trick.of_kind(UNDEAD)
        gained = ["the prize" if prize in {None, HIDDEN} else NAMES[prize], *(NAMES[card] for card in undead)]
        return f"{take} and {listed(gained, 'and')}" if len(gained) == 1 else f"{take}, {listed(gained, 'and')}"
    dwarves = trick.of_kind(DWARF)
    if len(dwarves) > 1:
        return f"{take}, but both Dwarves go to {loser}"
    return f"{take}, but {NAMES[dwarves[0]]} goes to {loser}" if dwarves else f"{take} and both cards"
