"""Why a game ended as it did: the vote of every faction, each with its rule."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import with_names


def explain_result(game: Claim, position: Position, names: Sequence[str]) -> list[tuple[str, str]]:
    """The votes that decided a game, each with its rule or ""; [] while the game goes on."""
    result = game.result(position)
    if result is None:
        return []
    winners = " and ".join(names[seat] for seat in result.winners)
    return [
        (f"{result.ending.capitalize()}, after two phases.", scoring.ENDINGS[result.ending]),
        *((f"{number}. {with_names(step.text, names)}", step.rule) for number, step in enumerate(result.chain, 1)),
        (f"The winner is {winners}." if winners else "Nobody wins.", ""),
    ]
