"""Why a game of Claim was decided as it was: the vote of every faction, each with its rule."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import with_names


def decided(game: Claim, position: Position, names: Sequence[str]) -> list[tuple[str, str]]:
    """How a game that is over was decided, in sentences, each with its rule or ""; [] while the game goes on."""
    ended = game.result(position)
    if ended is None:
        return []
    winners = " and ".join(names[seat] for seat in ended.winners)
    return [
        (f"{ended.ending.capitalize()}, after two phases.", scoring.ENDINGS[ended.ending]),
        *((f"{number}. {with_names(step.text, names)}", step.rule) for number, step in enumerate(ended.chain, 1)),
        (f"The winner is {winners}." if winners else "Nobody wins.", ""),
    ]
