"""What a replay needs to know of a whole game: its phases, and what both players have, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.views import View
from tkid.render.tale import Chapter, Count, Tally

KIND, DONE = "phase", "\u2713"


def chapters(_: Claim, positions: Sequence[Position]) -> tuple[Chapter, ...]:
    """The two phases."""
    return tuple(_chapters(positions))


def _chapters(positions: Sequence[Position]) -> Iterator[Chapter]:
    end = len(positions) - 1
    second = next((index for index, position in enumerate(positions) if position.phase > 1), end + 1)
    last, over = min(second, end), positions[end].to_act is None
    done = "followers recruited" if second <= end else ""
    yield Chapter(KIND, ((0, "recruiting followers"),), 1, last, done, DONE)
    names = ((second, "gathering supporters"),) if second <= end else ()
    yield Chapter(KIND, names, last + 1, end, "votes counted" if over else "", DONE)


def quiet(_: Claim, __: Position, ___: Position) -> bool:
    """Never: nobody passes."""
    return False


def tallies(_: Claim, view: View, names: Sequence[str]) -> tuple[Tally, ...]:
    """The votes, the followers and the score piles."""
    shown = view.shown
    votes = [vote.seat for vote in scoring.votes(shown.scores)]
    return tuple(
        Tally(
            names[seat],
            (
                Count(votes.count(seat), "votes", "votes"),
                Count(len(shown.followers[seat]), "followers", "followers"),
                Count(len(shown.scores[seat]), "score", "cards in the score pile"),
            ),
        )
        for seat in shown.seats
    )
