"""Measures: what the comparisons count of a side, and how people read it."""

from __future__ import annotations

from collections.abc import Callable

from tkid.games.struggle.rules.endings.comparisons import Count, Side, pooled
from tkid.rulebook import cites

NEVER = float("-inf")


def support(rank: int) -> Callable[[Count, Side], float]:
    """The followers at court of the faction of a rank, counted from 0."""
    return lambda count, side: sum(count.courts[seat][count.ranking[rank]] for seat in side)


def unranked(count: Count, side: Side) -> float:
    """The followers at court of the factions that control no region."""
    return sum(sum(n for faction, n in enumerate(count.courts[seat]) if faction not in count.ranking) for seat in side)


def sets(count: Count, side: Side) -> float:
    """The complete sets in the courts of a side, put together."""
    court = pooled(count.courts, side)
    return float(min(court[faction] for faction in count.board.courtly))


def everybody(count: Count, side: Side) -> float:
    """All followers at court."""
    return sum(sum(count.courts[seat]) for seat in side)


def latest(count: Count, side: Side) -> float:
    """The turn in which a side last played a card."""
    turns = [count.position.last_acted[seat] for seat in side]
    return max((turn for turn in turns if turn is not None), default=NEVER)


def oldest(count: Count, side: Side) -> float:
    """The same for comparisons in which the older card wins: with the sign turned."""
    return -latest(count, side)


@cites("ruling.team-emptied")
def emptied(count: Count, side: Side) -> float:
    """When a side had played all its cards, the later of its seats; earlier is better, so with the sign turned."""
    return _later([count.position.emptied[seat] for seat in side])


def emptied_but_for_plot(count: Count, side: Side) -> float:
    """The same, where a hand that holds nothing but Plot counts as empty since its owner's last card."""
    position = count.position
    alone = {seat for seat in side if seat == count.plotter and len(position.hands[seat]) == 1}
    return _later([(position.last_acted if seat in alone else position.emptied)[seat] for seat in side])


def _later(turns: list[int | None]) -> float:
    known = [turn for turn in turns if turn is not None]
    return -max(known) if len(known) == len(turns) else NEVER


def in_turn(value: float) -> str:
    """A measure that is the number of a turn, in words."""
    return "never" if abs(value) == -NEVER else f"in turn {abs(value):g}"
