"""The end of a game in a few words: who is crowned or wins, and by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tkid.games.struggle.render.text.people import capital, people, verb
from tkid.games.struggle.rules.endings.ending import ranking
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import NOBODY, Result, Step
from tkid.notation.numbers import counted_in_words
from tkid.notation.vocabulary import listed

FIRST, SECOND = "by followers of {first}", "by followers of {second}, after a tie on {first}"
OLDER, LATEST = "with the older last card", "by playing a card last"

REASONS: Mapping[str, str] = {
    "ending.coronation.support": FIRST,
    "ending.control.support": FIRST,
    "mordred.ending.support": FIRST,
    "ending.coronation.second": SECOND,
    "ending.control.second": SECOND,
    "mordred.ending.second": SECOND,
    "ruling.second-rank": "by followers of the other factions, after a tie on {first}",
    "ending.plot": "with {plot}, which breaks the tie",
    "team.coronation": "as a team",
    "ending.coronation.emptied": "by running out of cards first",
    "ruling.final-tie": OLDER,
    "ending.control.indecision": OLDER,
    "mordred.ending.indecision": OLDER,
    "mordred.ending.court": "with the largest court",
    "mordred.ending.latest": LATEST,
    "ending.invasion.sets": "with the most complete sets",
    "ending.invasion.latest": LATEST,
}
"""What decided a game, to go behind `wins`, by the rule (a local id) of the comparison that found the winner."""


def over(game: Struggle, position: Position, names: Sequence[str]) -> str:
    """How a game ended, as a headline: `Ann is crowned: the English hold four regions`, `The French invade: nobody wins`."""
    board, winners = game.board, position.winners
    if position.ending == game.coronation.name and winners:
        return f"{crowned(game, winners, names)}: {_rule(game, position)}"
    if position.ending == game.invasion.name:
        return f"{capital(board.terms.invaders)} invade: {won(game, position, names)}"
    if game.usurpation is not None and position.ending == game.usurpation.name:
        region = next(region for region, disc in enumerate(position.discs) if disc in board.apart)
        usurper = people(board, [position.discs[region]])
        return f"{usurper} holds {board.name(region)}: {won(game, position, names)}"
    return "Every region is settled" if position.decision is None else "The rules did not decide it"


def crowned(game: Struggle, winners: Sequence[int], names: Sequence[str], you: int | None = None) -> str:
    """Who is crowned; team-mates win together, and others share the throne."""
    who = players(winners, names, you)
    if len(winners) == 1:
        return f"{who} {'are' if you in winners else 'is'} crowned"
    parties = game.parties[len(names)]
    return f"{who} win" if tuple(winners) in parties else f"{who} share the throne"


def won(game: Struggle, position: Position, names: Sequence[str], you: int | None = None) -> str:
    """Who wins, and by what: `Ann wins by followers of the Welsh`, `nobody wins`."""
    winners = position.winners
    if not winners:
        return f"{NOBODY} wins"
    who, step = players(winners, names, you), deciding(game, position)
    if step is None:
        return f"{who} share the victory" if len(winners) > 1 else f"{who} {_wins(winners, you)}"
    return f"{who} {_wins(winners, you)} {_reason(game, position, step)}"


def deciding(game: Struggle, position: Position) -> Step | None:
    """The comparison that decided a finished game, as far as a position shows it; None where none did."""
    result = game.result(position)
    return decisive(result) if result and result.winners == position.winners else None


def decisive(result: Result) -> Step | None:
    """The comparison that found the one side that wins; None where several share the victory, or nobody wins."""
    narrowed = [step for step in result.chain if step.about and len(step.about.left) < len(step.about.values)]
    return narrowed[-1] if narrowed and len(narrowed[-1].about.left) == 1 else None


def players(seats: Sequence[int], names: Sequence[str], you: int | None = None) -> str:
    """Some players as a list, the reader first: `you and Bob`."""
    ordered = sorted(seats, key=lambda seat: (seat != you, seat))
    return listed(["you" if seat == you else names[seat] for seat in ordered], "and")


def _wins(winners: Sequence[int], you: int | None) -> str:
    return "wins" if len(winners) == 1 and you not in winners else "win"


def _reason(game: Struggle, position: Position, step: Step) -> str:
    """What decided a game, with the factions of the first two ranks."""
    _, _, rule = step.rule.partition(".")
    ranks = [people(game.board, [faction]) for faction in ranking(position, game.board.apart)]
    first, second, *_ = [*ranks, "", ""]
    return REASONS[rule].format(first=first, second=second, plot=game.plot)


def _rule(game: Struggle, position: Position) -> str:
    """The most powerful faction, and how many regions it controls: `the English hold four regions`."""
    ruler = ranking(position, game.board.apart)[0]
    count = position.discs.count(ruler)
    regions = counted_in_words(count, "region")
    return f"{people(game.board, [ruler])} {verb(game.board, [ruler], 'holds', 'hold')} {regions}"
