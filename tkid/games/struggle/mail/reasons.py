"""Why somebody won, in a clause and in figures, by the rule of the comparison that decided the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from attrs import frozen

from tkid.games.struggle.mail.verdict import Verdict
from tkid.games.struggle.rules.endings.measures import NEVER
from tkid.mail.voice import both
from tkid.notation.numbers import counted_in_words, number

EVERY, FIRST_RANK, SECOND_RANK, OTHER_RANKS = slice(None), slice(1), slice(1, 2), slice(1, None)
"""Factions by rank."""


@frozen
class Reason:
    """What decided a game: as clauses, the fullest wording first, and with the figures that were compared.

    `rank` is the rank of the last faction that mattered, from 0.
    """

    clauses: Callable[[Verdict], list[str]]
    figures: Callable[[Verdict], str]
    rank: int = 1


def reason(verdict: Verdict) -> Reason | None:
    """The reason for a victory; None where nobody won, or all that were left share the victory."""
    return REASONS[verdict.rule] if verdict.compared else None


def in_figures(verdict: Verdict) -> str:
    """The figures of the comparison that decided the game, or why nothing decided it."""
    decisive = reason(verdict)
    if decisive:
        return decisive.figures(verdict)
    if not verdict.winners:
        return "no player wins when the invasion comes"
    return f"{verdict.voice.every(verdict.winners)} are tied after every comparison"


# -- clauses ----------------------------------------------------------------------------------------------


def _most(what: Callable[[Verdict], str], verdict: Verdict) -> list[str]:
    """More of something than the others."""
    more = verdict.more(what(verdict))
    told = [f"{more} at court{verdict.than}", f"{more}{verdict.than}", more]
    return [f"{verdict.over}, and {told[0]}", f"{verdict.over}, and {told[1]}", *told]


def _next(what: Callable[[Verdict], str], verdict: Verdict) -> list[str]:
    """More of something, after a tie on the first faction."""
    more = f"{verdict.more(what(verdict))} at court"
    return [f"{verdict.all_tied} tie on {verdict.name(0)}, and {more}", more]


def _tied(what: Callable[[Verdict], str], verdict: Verdict) -> list[str]:
    """Something else than followers, after a tie."""
    return [f"{verdict.were_tied}, and {what(verdict)}", what(verdict)]


def _did(what: str, verdict: Verdict) -> str:
    return f"{verdict.named(verdict.best)} {what}"


def _older(verdict: Verdict) -> str:
    if len(verdict.best) > 1:
        return _did("last played a card earlier", verdict)
    return f"{verdict.voice.whose(verdict.best[0])} latest card is older"


def _plot(verdict: Verdict) -> str:
    return f"{verdict.has(verdict.best)} {verdict.game.plot}"


def _level(verdict: Verdict) -> str:
    return f"{verdict.all_tied} are level, ahead of everybody else"


# -- figures ----------------------------------------------------------------------------------------------


def _counts(what: Callable[[Verdict], str], verdict: Verdict, behind: str = "", ranks: slice = EVERY) -> str:
    """Who has how many of something: `you have five Welsh followers at court, Bob has two and Cal none`.

    `ranks` are those of the factions that are counted.
    """
    assert verdict.compared is not None
    best, *rest = [(side, int(verdict.compared.values[side] or 0)) for side in verdict.tied]
    side, count = best
    told = f"{verdict.has(side)} {counted_in_words(count, what(verdict))}{behind} at court"
    others = [
        f"{verdict.named(side) if index else verdict.has(side)} {number(count) if count else 'none'}"
        for index, (side, count) in enumerate(rest)
    ]
    return f"{told}, {both(others)}{_with_plot(verdict, ranks)}"


def _after_a_tie(counts: Callable[[Verdict], str], verdict: Verdict) -> str:
    """Who has how many of something, after all had as many followers of the first faction."""
    assert verdict.before is not None
    many = int(verdict.before.values[verdict.best] or 0)
    each = "followers each" if many > 1 else "follower each" if many else "followers"
    tie = f"{verdict.all_tied} have {number(many) if many else 'no'} {verdict.name(0)} {each}"
    return f"{tie}{_with_plot(verdict, FIRST_RANK)}; {counts(verdict)}"


def _with_plot(verdict: Verdict, ranks: slice) -> str:
    """That Plot is counted among followers of factions of these ranks."""
    counts_for = verdict.game.end.plot_counts_for(verdict.position)
    counted = counts_for is not None and (ranks == EVERY or counts_for in verdict.ranking[ranks])
    return f", with {verdict.game.plot} counted" if counted else ""


def _turns(what: str, verdict: Verdict) -> str:
    """In which turn each did something: `you last played a card in turn 4, Bob never`."""
    assert verdict.compared is not None
    best, *rest = [(side, _turn(verdict.compared.values[side])) for side in verdict.tied]
    side, turn = best
    told = (
        f"{verdict.named(side)} {what} {turn}" if turn else f"{verdict.named(side)} never {what.removeprefix('last ')}"
    )
    others = both(f"{verdict.named(side)} {turn or 'never'}" for side, turn in rest)
    return f"{told}, {others}"


def _turn(value: float | None) -> str:
    """A measure that is the number of a turn; "" where there was none."""
    return "" if value is None or abs(value) == -NEVER else f"in turn {abs(value):g}"


# -- the reasons ------------------------------------------------------------------------------------------


def _name(rank: int) -> Callable[[Verdict], str]:
    return lambda verdict: verdict.name(rank)


def _follower(rank: int) -> Callable[[Verdict], str]:
    return lambda verdict: f"{verdict.name(rank)} follower"


def _word(word: str) -> Callable[[Verdict], str]:
    return lambda _: word


FIRST = Reason(partial(_most, _name(0)), partial(_counts, _follower(0), ranks=FIRST_RANK), rank=0)
SECOND = Reason(partial(_next, _name(1)), partial(_after_a_tie, partial(_counts, _follower(1), ranks=SECOND_RANK)))
OTHERS = Reason(
    partial(_next, _word("followers of the other factions")),
    partial(_after_a_tie, partial(_counts, _word("follower"), behind=" of the other factions", ranks=OTHER_RANKS)),
)
OLDER = Reason(partial(_tied, _older), partial(_turns, "last played a card"))
LATEST = Reason(partial(_tied, partial(_did, "played the latest card")), partial(_turns, "last played a card"))

REASONS: Mapping[str, Reason] = {
    "ending.coronation.support": FIRST,
    "ending.control.support": FIRST,
    "mordred.ending.support": FIRST,
    "ending.coronation.second": SECOND,
    "ending.control.second": SECOND,
    "mordred.ending.second": SECOND,
    "ruling.second-rank": OTHERS,
    "ending.plot": Reason(partial(_tied, _plot), lambda verdict: f"{_plot(verdict)}, and its owner wins a tie"),
    "team.coronation": Reason(lambda verdict: [_level(verdict)], _level),
    "ending.coronation.emptied": Reason(
        partial(_tied, partial(_did, "ran out of cards first")), partial(_turns, "ran out of cards")
    ),
    "ruling.final-tie": OLDER,
    "ending.control.indecision": OLDER,
    "mordred.ending.indecision": OLDER,
    "mordred.ending.court": Reason(partial(_most, _word("followers")), partial(_counts, _word("follower"))),
    "mordred.ending.latest": LATEST,
    "ending.invasion.sets": Reason(partial(_most, _word("complete sets")), partial(_counts, _word("complete set"))),
    "ending.invasion.latest": LATEST,
}
"""Each reason by the rule (a local id) of its comparison."""
