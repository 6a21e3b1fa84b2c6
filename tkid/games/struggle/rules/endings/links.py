"""Links that the chains of several endings share."""

from __future__ import annotations

from collections.abc import Callable

from tkid.games.struggle.rules.endings.comparisons import Comparison, Count, Highest, If, Remark
from tkid.games.struggle.rules.endings.measures import in_turn, latest, oldest, support
from tkid.rulebook import Ids, cites


def where_several(link: Comparison) -> If:
    """A link for games in which the factions have a first and a second."""
    return If("Two factions or more control regions", lambda count: len(count.ranking) > 1, link)


def where_one(link: Comparison) -> If:
    """A link for games in which there is no second faction."""
    return If("One faction alone controls regions", lambda count: len(count.ranking) == 1, link)


def where_few(link: Comparison) -> If:
    """A link for games in which there is no second faction, and perhaps no first."""
    return If("Fewer than two factions control regions", lambda count: len(count.ranking) < 2, link)


def first(rule: str) -> Highest:
    """Support of the most powerful faction."""
    return Highest(rule, "Most followers of the faction ranked first", support(0), _of_rank(0, "most powerful"))


def second(rule: str) -> Highest:
    """Support of the second most powerful faction."""
    return Highest(rule, "Most followers of the faction ranked second", support(1), _of_rank(1, "second most powerful"))


def _of_rank(rank: int, words: str) -> Callable[[Count], str]:
    return lambda count: f"Followers of the {words} faction ({count.board.factions[count.ranking[rank]].name})"


def skipped(ids: Ids) -> Remark:
    """No second comparison without a second faction."""
    return Remark(ids("ruling.second-rank"), "No other faction controls a region: the second comparison is skipped")


def latest_card(rule: str) -> Highest:
    """The side that played a card last wins."""
    return Highest(rule, "Who played a card last", latest, lambda _: "Latest action card", in_turn)


def older_card(rule: str, what: str) -> Highest:
    """The side that played a card last loses; `what` says so in the game's report."""
    return Highest(rule, "Who played their last card earlier", oldest, lambda _: what, in_turn)


@cites("ruling.indecision")
def indecision(rule: str) -> Highest:
    """The same, as the first edition says it."""
    return older_card(rule, "Of the tied players, the last one to play a card loses")
