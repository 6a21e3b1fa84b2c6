"""The trick that a recorded turn completed."""

from __future__ import annotations

from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import Trick
from tkid.record.play.replay import Replay


def trick_at(known: Replay, number: int) -> Trick | None:
    """The trick that the turn before a moment completed; None where it completed none."""
    moment = known.moments[number]
    if moment.turn is None or moment.turn.undone or not moment.moves:
        return None
    before = known.moments[number - 1].position
    assert isinstance(before, Position)
    return Trick.of(before, moment.moves[0].card)
