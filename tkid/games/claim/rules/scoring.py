"""Who wins: the votes of the five factions, each with what it was decided by."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tkid.games.claim.rules.deck import FACTIONS, VALUES, Cards, Faction
from tkid.kernel.game import Result, Step
from tkid.rulebook import cites

NEEDED = 3
"""The votes of so many factions win the game."""
VOTES, DRAWN = "votes", "drawn"
"""The ways to end."""
ENDINGS = {VOTES: "claim.ending.votes", DRAWN: "claim.ruling.drawn"}


@frozen
class Vote:
    """The vote of a faction: the seat that gets it, None for nobody; and how that was found."""

    faction: Faction
    seat: int | None
    step: Step


@cites("claim.vote.most", "claim.vote.highest")
def vote(faction: Faction, scores: tuple[Cards, ...]) -> Vote:
    """A faction's vote: most cards of it in a score pile, then the highest single card."""
    held = [[VALUES[card] for card in pile if card[0] == faction.letter] for pile in scores]
    counts = [len(values) for values in held]
    text = f"{faction.plural}: " + ", ".join(f"{{{seat}}} {count}" for seat, count in enumerate(counts))
    if counts[0] != counts[1]:
        return _won(faction, counts, "claim.vote.most", text)
    best = [max(values, default=-1) for values in held]
    if best[0] != best[1]:
        text += "; the highest: " + ", ".join(f"{{{seat}}} {value}" for seat, value in enumerate(best))
        return _won(faction, best, "claim.vote.highest", text)
    text += f"; both have {faction.name} {best[0]} as the highest" if counts[0] else ""
    return Vote(faction, None, Step("claim.ruling.vote-tie", f"{text} (nobody's vote)"))


def _won(faction: Faction, measure: list[int], rule: str, text: str) -> Vote:
    seat = measure.index(max(measure))
    return Vote(faction, seat, Step(rule, f"{text} (the vote of {{{seat}}})"))


def votes(scores: tuple[Cards, ...]) -> Iterator[Vote]:
    """The vote of every faction."""
    for faction in FACTIONS.values():
        yield vote(faction, scores)


def result(scores: tuple[Cards, ...]) -> Result:
    """How a game ends with these score piles: every vote, and last the count of votes."""
    cast = tuple(votes(scores))
    counts = [sum(each.seat == seat for each in cast) for seat in range(len(scores))]
    winners = tuple(seat for seat, count in enumerate(counts) if count >= NEEDED)
    ending = VOTES if winners else DRAWN
    text = "Votes: " + ", ".join(f"{{{seat}}} {count}" for seat, count in enumerate(counts))
    text += f" ({NEEDED} win)" if winners else f" (nobody has {NEEDED}: the game is drawn)"
    return Result(ending, winners, (*(each.step for each in cast), Step(ENDINGS[ending], text)))
