"""Who wins: chains of comparisons as values, each with its rule, asked in order until one party is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from attrs import frozen

from tkid.games.struggle.rules.board import Board, Followers, plus
from tkid.games.struggle.rules.position import Position, put
from tkid.kernel.game import Result, Step
from tkid.rulebook import Ids, cites

Side = tuple[int, ...]
"""Who is compared: one seat, or the seats of a party."""


@frozen
class Count:
    """A finished game as the comparisons see it: the final position, its board and parties, the factions by power.

    `ranking` lists the factions that control regions, most powerful first. `courts` are those of the position,
    with the follower as which a revealed Plot counts; `plotter` is the seat that holds it, None where none is known.
    """

    position: Position
    board: Board
    parties: tuple[Side, ...]
    ranking: tuple[int, ...]
    courts: tuple[Followers, ...]
    plotter: int | None = None

    def named(self, side: Side) -> str:
        """A side for people: seats as `{0}`."""
        return " and ".join(f"{{{seat}}}" for seat in side)


class Comparison(Protocol):
    """One link of a chain: which sides remain, and what to tell; no step where it was not asked.

    `rule` is the register's entry, `label` says in tables and charts what is asked.
    """

    @property
    def rule(self) -> str:
        """The rule by which it is asked."""
        ...

    @property
    def label(self) -> str:
        """What is asked, in a few words."""
        ...

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare the sides that are still tied."""
        ...


@frozen
class Highest:
    """Keep the sides with the highest measure.

    `label` says what the highest means. `measure(count, side)` is compared; `what(count)` says what is compared,
    `shown(measure)` how a value reads.
    """

    rule: str
    label: str
    measure: Callable[[Count, Side], float]
    what: Callable[[Count], str]
    shown: Callable[[float], str] = lambda value: f"{value:g}"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step]:
        """Compare."""
        values = {side: self.measure(count, side) for side in sides}
        best = max(values.values())
        left = tuple(side for side in sides if values[side] == best)
        told = ", ".join(f"{count.named(side)} {self.shown(value)}" for side, value in values.items())
        verdict = "decides" if len(left) == 1 else "still tied" if len(left) == len(sides) else "narrows it down"
        return left, Step(self.rule, f"{self.what(count)}: {told} ({verdict})")


@frozen
class Parties:
    """Let the parties of the tied seats stand in their place."""

    rule: str
    label: str = "Tied players stand for their teams"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare."""
        tied = {seat for side in sides for seat in side}
        left = tuple(party for party in count.parties if tied & set(party))
        if left == sides:
            return left, None
        told = "both belong to one team" if len(left) == 1 else "their teams are compared"
        return left, Step(self.rule, f"{' and '.join(map(count.named, sides))} are tied: {told}")


@frozen
class Plotter:
    """Whoever holds Plot, if still among the tied, wins."""

    rule: str
    label: str = "The owner of Plot is among the tied"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare."""
        left = tuple(side for side in sides if count.plotter in side)
        return (
            (left, Step(self.rule, f"{count.named(left[0])} is among the tied and has Plot (decides)"))
            if left
            else (sides, None)
        )


@frozen
class Told:
    """A link that compares nothing and only says by which rule the tie stands."""

    rule: str
    text: str

    @property
    def label(self) -> str:
        """The text."""
        return self.text

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step]:  # noqa: ARG002 - a link
        """Compare."""
        return sides, Step(self.rule, self.text)


@frozen
class Nobody(Told):
    """The end of a chain where no player wins, whoever is compared."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step]:  # noqa: ARG002 - a link
        """Compare."""
        return (), Step(self.rule, self.text)


@frozen
class If:
    """Another link, asked only where a condition on the count holds, which `when` says in words."""

    when: str
    condition: Callable[[Count], bool]
    then: Comparison

    @property
    def rule(self) -> str:
        """That of the other link."""
        return self.then.rule

    @property
    def label(self) -> str:
        """That of the other link."""
        return self.then.label

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> tuple[tuple[Side, ...], Step | None]:
        """Compare."""
        return self.then(count, sides) if self.condition(count) else (sides, None)


@frozen(eq=False)
class Ending:
    """A way to end: its name, the rule by which it comes, who is compared at first, and the chain."""

    name: str
    rule: str
    seats: bool
    ranked: bool
    chain: tuple[Comparison, ...]
    by_power: str = ""
    by_last: str = ""

    @property
    def won(self) -> bool:
        """Whether any player wins, so that courts are counted and what counts with them is revealed."""
        return not any(isinstance(link, Nobody) for link in self.chain)

    def decide(self, position: Position, board: Board, parties: tuple[Side, ...], plotter: int | None = None) -> Result:
        """The winners of a finished game, and how they were found; `plotter` holds Plot and has named a faction."""
        order = ranking(position, board.apart) if self.ranked else ()
        courts = position.courts
        if plotter is not None and position.plot is not None:
            courts = put(courts, plotter, plus(courts[plotter], board.one(position.plot)))
        count = Count(position, board, parties, order, courts, plotter)
        sides = tuple((seat,) for seat in position.seats) if self.seats else parties
        steps = list(_ranked(count, self.by_power, self.by_last)) if self.ranked else []
        for comparison in self.chain:
            if len(sides) == 1:
                break
            sides, step = comparison(count, sides)
            steps += [step] if step else []
        winners = sorted({seat for party in parties for seat in party if any(set(side) & set(party) for side in sides)})
        return Result(self.name, tuple(winners), tuple(steps))

    def plot_as_read(self, position: Position, parties: tuple[Side, ...], plotter: int) -> int:
        """The faction that Plot counts for where that makes no difference: the most powerful one.

        Where the ending has no ranking, it is the one of which the plotter's side has fewest.
        """
        if self.ranked:
            return ranking(position)[0]
        side = next(party for party in parties if plotter in party)
        pooled = [sum(column) for column in zip(*(position.courts[seat] for seat in side), strict=True)]
        return pooled.index(min(pooled))


def ranking(position: Position, apart: Sequence[int] = ()) -> tuple[int, ...]:
    """The factions that control regions: most regions first, among equals the one that last won a struggle.

    Those that stand apart are not ranked.
    """
    won = [position.discs[region] for region in position.struggles]
    last = {disc: order for order, disc in enumerate(won) if disc >= 0 and disc not in apart}
    return tuple(sorted(last, key=lambda faction: (won.count(faction), last[faction]), reverse=True))


def _ranked(count: Count, by_power: str, by_last: str) -> list[Step]:
    """What the ranking of the factions found."""
    discs = count.position.discs
    regions = {faction: discs.count(faction) for faction in range(len(count.board.factions))}
    name = {faction: f.name for faction, f in enumerate(count.board.factions)}
    shown = ", ".join(f"{name[f]} {regions[f]}" for f in (*count.ranking, *(f for f in regions if not regions[f])))
    steps = [Step(by_power, f"Regions controlled: {shown}")]
    for higher, lower in zip(count.ranking, count.ranking[1:], strict=False):
        if regions[higher] == regions[lower]:
            told = f"{name[higher]} and {name[lower]} control equally many: the {name[higher]} won the later struggle"
            steps.append(Step(by_last, told))
    return steps


NEVER = float("-inf")


def _support(rank: int) -> Callable[[Count, Side], float]:
    return lambda count, side: sum(count.courts[seat][count.ranking[rank]] for seat in side)


def _unranked(count: Count, side: Side) -> float:
    return sum(sum(n for faction, n in enumerate(count.courts[seat]) if faction not in count.ranking) for seat in side)


def _sets(count: Count, side: Side) -> float:
    pooled = [sum(column) for column in zip(*(count.courts[seat] for seat in side), strict=True)]
    return float(min(pooled[faction] for faction in count.board.courtly))


def _everybody(count: Count, side: Side) -> float:
    return sum(sum(count.courts[seat]) for seat in side)


def _latest(count: Count, side: Side) -> float:
    times = [count.position.last_acted[seat] for seat in side]
    return max((t for t in times if t is not None), default=NEVER)


@cites("ruling.team-emptied")
def _emptied(count: Count, side: Side) -> float:
    """When a side had played all its cards, the later of its seats; earlier is better, so with the sign turned."""
    return _later([count.position.emptied[seat] for seat in side])


def _emptied_but_for_plot(count: Count, side: Side) -> float:
    """The same, where a hand that holds nothing but Plot counts as empty since its owner's last card."""
    position = count.position
    alone = {seat for seat in side if seat == count.plotter and len(position.hands[seat]) == 1}
    return _later([(position.last_acted if seat in alone else position.emptied)[seat] for seat in side])


def _later(times: list[int | None]) -> float:
    played = [t for t in times if t is not None]
    return -max(played) if len(played) == len(times) else NEVER


def _in_turn(value: float) -> str:
    return "never" if abs(value) == -NEVER else f"in turn {abs(value):g}"


def _in_power(rank: int, words: str) -> Callable[[Count], str]:
    return lambda count: f"Followers of the {words} faction ({count.board.factions[count.ranking[rank]].name})"


def coronation(ids: Ids, readings: Mapping[str, str], *, plot: bool = False) -> Ending:
    """All struggles resolved: support of the most powerful faction, then of the second, then whose hand ran out first.

    With `plot`, whoever has that card comes before the last of these.
    """
    second_ranks: dict[str, Comparison] = {
        "skip": _skipped(ids),
        "none-ranked": Highest(
            ids("ruling.second-rank"),
            "Most followers of the two factions that share the second place",
            _unranked,
            lambda _: "Followers of the two factions that share the second place",
        ),
    }
    final_ties: dict[str, Comparison] = {
        "shared": Told(ids("ruling.final-tie"), "Nothing more is compared: the tied share the throne"),
        "last-card": Highest(
            ids("ruling.final-tie"),
            "Latest card is older",
            lambda count, side: -_latest(count, side),
            lambda _: "Whose latest card is older",
            _in_turn,
        ),
    }
    emptied: dict[str, Callable[[Count, Side], float]] = {"literal": _emptied, "counts-as-empty": _emptied_but_for_plot}
    return Ending(
        name="coronation",
        rule=ids("ending.coronation"),
        seats=True,
        ranked=True,
        by_power=ids("ending.power"),
        by_last=ids("ending.power-tie"),
        chain=(
            _first(ids("ending.coronation.support")),
            _where_several(_second(ids("ending.coronation.second"))),
            _where_one(second_ranks[readings[ids("ruling.second-rank")]]),
            *((Plotter(ids("ending.plot")),) if plot else ()),
            Parties(ids("team.coronation")),
            Highest(
                ids("ending.coronation.emptied"),
                "Played all cards first",
                emptied[readings[ids("ruling.plot-hand")] if plot else "literal"],
                lambda _: "Who first played all cards",
                _in_turn,
            ),
            final_ties[readings[ids("ruling.final-tie")]],
        ),
    )


def lost(ids: Ids, told: str) -> Ending:
    """Too many instability discs, and no player wins; `told` says who does."""
    return Ending(
        name="invasion",
        rule=ids("ending.invasion"),
        seats=False,
        ranked=False,
        chain=(Nobody(ids("ruling.invasion"), told),),
    )


def invasion(ids: Ids) -> Ending:
    """Too many instability discs: most complete sets, then who acted last."""
    return Ending(
        name="invasion",
        rule=ids("ending.invasion"),
        seats=False,
        ranked=False,
        chain=(
            If(
                "Teams play",
                lambda count: any(len(party) > 1 for party in count.parties),
                Told(ids("team.invasion"), "Team-mates put their courts together"),
            ),
            Highest(
                ids("ending.invasion.sets"),
                "Most complete sets of followers",
                _sets,
                lambda _: "Complete sets of followers",
            ),
            Highest(
                ids("ending.invasion.latest"),
                "Played the latest card",
                _latest,
                lambda _: "Latest action card",
                _in_turn,
            ),
            Told(ids("ruling.invasion-tie"), "Nobody among the tied has played a card: they share the victory"),
        ),
    )


def control(ids: Ids) -> Ending:
    """All struggles resolved: support of the most powerful faction, then of the second, then who acted last loses."""
    return Ending(
        name="control",
        rule=ids("ending.control"),
        seats=True,
        ranked=True,
        by_power=ids("ending.power"),
        by_last=ids("ending.power-tie"),
        chain=(
            _first(ids("ending.control.support")),
            _where_several(_second(ids("ending.control.second"))),
            _where_one(_skipped(ids)),
            _indecision(ids("ending.control.indecision")),
            Told(ids("ruling.indecision-tie"), "Nobody among the tied has played a card: they rule together"),
        ),
    )


@cites("ruling.mordred-scoring", "ruling.mordred-teams")
def usurpation(ids: Ids, name: str) -> Ending:
    """A faction that stands apart has won a struggle: as control, unless too few struggles were won to tell.

    Then the largest court wins, and after that who acted last.
    """
    return Ending(
        name=name,
        rule=ids("mordred.ending"),
        seats=True,
        ranked=True,
        by_power=ids("ending.power"),
        by_last=ids("ending.power-tie"),
        chain=(
            If("A faction controls a region", lambda count: bool(count.ranking), _first(ids("mordred.ending.support"))),
            _where_several(_second(ids("mordred.ending.second"))),
            _where_several(_indecision(ids("mordred.ending.indecision"))),
            _where_few(
                Highest(
                    ids("mordred.ending.court"),
                    "Most followers at court in all",
                    _everybody,
                    lambda _: "Followers at court in all",
                )
            ),
            _where_few(
                Highest(
                    ids("mordred.ending.latest"),
                    "Played the latest card",
                    _latest,
                    lambda _: "Latest action card",
                    _in_turn,
                )
            ),
            Told(ids("ruling.mordred-tie"), "Nobody among the tied has played a card: they share the victory"),
        ),
    )


def _where_several(link: Comparison) -> If:
    return If("Two factions or more control regions", lambda count: len(count.ranking) > 1, link)


def _where_one(link: Comparison) -> If:
    return If("One faction alone controls regions", lambda count: len(count.ranking) == 1, link)


def _where_few(link: Comparison) -> If:
    return If("Fewer than two factions control regions", lambda count: len(count.ranking) < 2, link)


def _skipped(ids: Ids) -> Told:
    return Told(ids("ruling.second-rank"), "No other faction controls a region: the second comparison is skipped")


def _first(rule: str) -> Highest:
    return Highest(rule, "Most followers of the faction ranked first", _support(0), _in_power(0, "most powerful"))


def _second(rule: str) -> Highest:
    return Highest(
        rule, "Most followers of the faction ranked second", _support(1), _in_power(1, "second most powerful")
    )


@cites("ruling.indecision")
def _indecision(rule: str) -> Highest:
    return Highest(
        rule,
        "Latest card is older",
        lambda count, side: -_latest(count, side),
        lambda _: "Whoever among the tied played a card last loses",
        _in_turn,
    )
