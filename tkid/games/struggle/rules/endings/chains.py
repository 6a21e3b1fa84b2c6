"""The chains of the editions: how each ending finds its winners."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.games.struggle.rules.endings.comparisons import (
    Comparison,
    Highest,
    HighestOfAll,
    If,
    Link,
    Nobody,
    Parties,
    Plotter,
    Remark,
)
from tkid.games.struggle.rules.endings.ending import Ending
from tkid.games.struggle.rules.endings.links import (
    first,
    indecision,
    latest_card,
    older_card,
    second,
    skipped,
    where_few,
    where_one,
    where_several,
)
from tkid.games.struggle.rules.endings.measures import emptied, emptied_but_for_plot, everybody, in_turn, sets, unranked
from tkid.rulebook import Ids, choose, cites


def coronation(ids: Ids, readings: Mapping[str, str], *, plot: bool = False) -> Ending:
    """All struggles resolved: support of the most powerful faction, then of the second, then whose hand ran out first.

    With `plot`, whoever has that card comes before the last of these.
    """
    second_rank, final_tie = ids("ruling.second-rank"), ids("ruling.final-tie")
    second_ranks: dict[str, Comparison] = {
        "skip": skipped(ids),
        "none-ranked": Highest(
            second_rank,
            "Most followers of the two factions that share the second place",
            unranked,
            lambda _: "Followers of the two factions that share the second place",
        ),
    }
    final_ties: dict[str, Comparison] = {
        "shared": Remark(final_tie, "No more comparisons: the tied players share the throne"),
        "last-card": older_card(final_tie, "Whose latest card is older"),
    }
    plot_hands = {"literal": emptied, "counts-as-empty": emptied_but_for_plot}
    return _by_support(
        "coronation",
        ids,
        ids("ending.coronation"),
        first(ids("ending.coronation.support")),
        where_several(second(ids("ending.coronation.second"))),
        where_one(choose(readings, second_rank, second_ranks)),
        *((Plotter(ids("ending.plot")),) if plot else ()),
        Parties(ids("team.coronation")),
        Highest(
            ids("ending.coronation.emptied"),
            "Who played all cards first",
            choose(readings, ids("ruling.plot-hand"), plot_hands) if plot else emptied,
            lambda _: "First to play all cards",
            in_turn,
        ),
        choose(readings, final_tie, final_ties),
    )


def control(ids: Ids) -> Ending:
    """All struggles resolved: support of the most powerful faction, then of the second, then who acted last loses."""
    return _by_support(
        "control",
        ids,
        ids("ending.control"),
        first(ids("ending.control.support")),
        where_several(second(ids("ending.control.second"))),
        where_one(skipped(ids)),
        indecision(ids("ending.control.indecision")),
        Remark(ids("ruling.indecision-tie"), "Nobody among the tied has played a card: they rule together"),
    )


@cites("ruling.mordred-scoring", "ruling.mordred-teams")
def usurpation(ids: Ids, readings: Mapping[str, str], name: str) -> Ending:
    """A faction that stands apart has won a struggle: as control, unless too few struggles were won to tell.

    Then the largest court wins, and after that who acted last.
    """
    compared = choose(readings, ids("ruling.mordred-court"), {"tied": Highest, "everybody": HighestOfAll})
    largest_court = compared(
        ids("mordred.ending.court"),
        "Most followers at court in all",
        everybody,
        lambda _: "Followers at court in all",
    )
    return _by_support(
        name,
        ids,
        ids("mordred.ending"),
        If("A faction controls a region", lambda count: bool(count.ranking), first(ids("mordred.ending.support"))),
        where_several(second(ids("mordred.ending.second"))),
        where_several(indecision(ids("mordred.ending.indecision"))),
        where_few(largest_court),
        where_few(latest_card(ids("mordred.ending.latest"))),
        Remark(ids("ruling.mordred-tie"), "Nobody among the tied has played a card: they share the victory"),
    )


def _by_support(name: str, ids: Ids, rule: str, *chain: Link) -> Ending:
    """An ending that ranks the factions and compares seat with seat."""
    by_power, by_last = ids("ending.power"), ids("ending.power-tie")
    return Ending(name, rule, seats=True, ranked=True, chain=chain, by_power=by_power, by_last=by_last)


def invasion(ids: Ids) -> Ending:
    """Too many instability discs: most complete sets, then who acted last."""
    return _by_instability(
        ids,
        If(
            "Teams play",
            lambda count: any(len(party) > 1 for party in count.parties),
            Remark(ids("team.invasion"), "Team-mates put their courts together"),
        ),
        Highest(
            ids("ending.invasion.sets"),
            "Most complete sets of followers",
            sets,
            lambda _: "Complete sets of followers",
        ),
        latest_card(ids("ending.invasion.latest")),
        Remark(ids("ruling.invasion-tie"), "Nobody among the tied has played a card: they share the victory"),
    )


def lost(ids: Ids, text: str) -> Ending:
    """Too many instability discs, and no player wins; `text` says who does."""
    return _by_instability(ids, Nobody(ids("ruling.invasion"), text))


def _by_instability(ids: Ids, *chain: Link) -> Ending:
    """An ending that compares the parties and ranks nothing."""
    return Ending("invasion", ids("ending.invasion"), seats=False, ranked=False, chain=chain)
