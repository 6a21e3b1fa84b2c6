"""The chains of comparisons that find the winners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, field, frozen

from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board, Followers, Position, add_followers, replace_item
from tkid.kernel.game import NOBODY, Event, Result, Step
from tkid.kernel.pickling import Portable
from tkid.rulebook import Ids, choose_reading, cites

Side = tuple[int, ...]
"""One seat, or the seats of a party, in a comparison."""


@frozen
class Count:
    """A finished game with its factions by power, courts that count the follower of a revealed Plot, and who holds it."""

    position: Position
    board: Board
    parties: tuple[Side, ...]
    ranking: tuple[int, ...]
    courts: tuple[Followers, ...]
    plotter: int | None = None

    def name_side(self, side: Side) -> str:
        """Name a side for people, with seats as `{0}`."""
        return " and ".join(f"{{{seat}}}" for seat in side)


@frozen
class Compared(Portable):
    """The finding of a comparison: the sides tied before it, each with its measure if any, and those left."""

    values: Mapping[Side, float | None]
    left: tuple[Side, ...]


def _pool_courts(courts: tuple[Followers, ...], side: Side) -> Followers:
    return tuple([sum(column) for column in zip(*(courts[seat] for seat in side), strict=True)])


Narrowed = tuple[tuple[Side, ...], Step | None]
"""The sides that remain, and the step for the report; no step where nothing was asked."""


@frozen
class Where:
    """A condition on the count, which `when` says in words."""

    when: str
    holds: Callable[[Count], bool]


@frozen(eq=False)
class Comparison(ABC):
    """One link of a chain, called with the sides still tied: its rule, and a `label` for tables and charts.

    It is left out if the count doesn't meet `where`.
    """

    rule: str
    label: str
    where: Where | None = field(default=None, kw_only=True)

    @property
    def sentence(self) -> str:
        when = self.where.when if self.where else ""
        return f"If {when[:1].lower()}{when[1:]}: {self.label}" if when else self.label

    @abstractmethod
    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        """Compare the sides, and return those that remain with the step for the report."""


@frozen(eq=False)
class Highest(Comparison):
    """Keep the sides with the highest `measure(count, side)`; `what(count)` says what is compared, `shown` how a value reads.

    With `everybody`, the seats that an earlier comparison has left behind are compared too.
    """

    measure: Callable[[Count, Side], float]
    what: Callable[[Count], str]
    shown: Callable[[float], str] = lambda value: f"{value:g}"
    everybody: bool = False

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        if self.everybody:
            sides = tuple((seat,) for seat in count.position.seats)
        values = {side: self.measure(count, side) for side in sides}
        best = max(values.values())
        left = tuple(side for side in sides if values[side] == best)
        measured = ", ".join(f"{count.name_side(side)} {self.shown(value)}" for side, value in values.items())
        verdict = "decides" if len(left) == 1 else "still tied" if len(left) == len(sides) else "narrows it down"
        return left, Step(self.rule, f"{self.what(count)}: {measured} ({verdict})", Compared(values, left))


@frozen(eq=False)
class Parties(Comparison):
    """Replace the tied seats with their parties."""

    label: str = "In a team game, compare the teams of the tied players"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        tied = {seat for side in sides for seat in side}
        left = tuple(party for party in count.parties if tied & set(party))
        if left == sides:
            return left, None
        teams = "both belong to one team" if len(left) == 1 else "their teams are compared"
        text = f"{' and '.join(map(count.name_side, sides))} are tied: {teams}"
        return left, Step(self.rule, text, Compared(dict.fromkeys(sides), left))


@frozen(eq=False)
class Plotter(Comparison):
    """The owner of Plot wins if still among the tied."""

    label: str = "The owner of Plot, if among the tied"

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:
        left = tuple(side for side in sides if count.plotter in side)
        if not left:
            return sides, None
        text = f"{count.name_side(left[0])} is among the tied and has Plot (decides)"
        return left, Step(self.rule, text, Compared(dict.fromkeys(sides), left))


@frozen(eq=False)
class Remark(Comparison):
    """A link that compares nothing and only names the rule by which a tie remains."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:  # noqa: ARG002 - a link
        return sides, Step(self.rule, self.label)


@frozen(eq=False)
class Nobody(Remark):
    """The end of a chain in which no player wins."""

    def __call__(self, count: Count, sides: tuple[Side, ...]) -> Narrowed:  # noqa: ARG002 - a link
        return (), Step(self.rule, self.label)


@frozen(eq=False)
class Ending:
    """A way to end: its name, the rule by which it comes, and the chain.

    Where factions are ranked, by the rules `by_power` and `by_last`, seats are compared at first, otherwise parties.
    """

    name: str
    rule: str
    chain: tuple[Comparison, ...]
    by_power: str = ""
    by_last: str = ""

    @property
    def ranked(self) -> bool:
        return bool(self.by_power)

    @property
    def won(self) -> bool:
        """True if some player wins, so that courts are counted and the cards that count with them are revealed."""
        return not any(isinstance(link, Nobody) for link in self.chain)

    def decide(self, position: Position, board: Board, parties: tuple[Side, ...], plotter: int | None = None) -> Result:
        """Find the winners of a finished game step by step; `plotter` holds Plot and has named a faction."""
        order = rank_factions(position, board.apart) if self.ranked else ()
        courts = position.courts
        if plotter is not None and position.plot is not None:
            courts = replace_item(courts, plotter, add_followers(courts[plotter], board.make_single(position.plot)))
        count = Count(position, board, parties, order, courts, plotter)
        sides = tuple((seat,) for seat in position.seats) if self.ranked else parties
        steps = _explain_ranking(count, self.by_power, self.by_last) if self.ranked else []
        for comparison in self.chain:
            if len(sides) == 1:
                break
            if comparison.where is None or comparison.where.holds(count):
                sides, step = comparison(count, sides)
                steps += [step] if step else []
        winners = sorted({seat for party in parties for seat in party if any(set(side) & set(party) for side in sides)})
        return Result(self.name, tuple(winners), tuple(steps))

    def choose_plot_faction(self, position: Position, parties: tuple[Side, ...], plotter: int) -> int:
        """Return the faction for Plot where the choice is free: the most powerful, or the rarest at the plotter's courts."""
        if self.ranked:
            return rank_factions(position)[0]
        side = next(party for party in parties if plotter in party)
        court = _pool_courts(position.courts, side)
        return court.index(min(court))


def rank_factions(position: Position, apart: Sequence[int] = ()) -> tuple[int, ...]:
    """Rank the factions with regions, but not those that stand apart: most regions first, then the latest struggle won."""
    won = [position.discs[region] for region in position.struggles]
    last = {disc: order for order, disc in enumerate(won) if disc >= 0 and disc not in apart}
    return tuple(sorted(last, key=lambda faction: (won.count(faction), last[faction]), reverse=True))


def _explain_ranking(count: Count, by_power: str, by_last: str) -> list[Step]:
    discs = count.position.discs
    regions = {faction: discs.count(faction) for faction in range(len(count.board.factions))}
    name = {faction: f.people for faction, f in enumerate(count.board.factions)}
    shown = ", ".join(f"{name[f]} {regions[f]}" for f in (*count.ranking, *(f for f in regions if not regions[f])))
    steps = [Step(by_power, f"Regions controlled: {shown}")]
    for higher, lower in zip(count.ranking, count.ranking[1:], strict=False):
        if regions[higher] == regions[lower]:
            text = f"{name[higher]} and {name[lower]} control equally many: the {name[higher]} won the later struggle"
            steps.append(Step(by_last, text))
    return steps


@frozen(eq=False)
class GameEnd:
    """The end of an edition's games. The attributes are those of `Struggle`."""

    ids: Ids
    board: Board
    parties: Mapping[int, tuple[Side, ...]]
    invaders: int
    plot: str
    coronation: Ending
    invasion: Ending
    usurpation: Ending | None

    @cites("ending.trigger", "ruling.third-disc")
    def find_ending(self, position: Position) -> Ending | None:
        """Return the ending that a position has reached, or None; the invasion comes first."""
        discs = position.discs
        if self.usurpation is not None and any(disc in discs for disc in self.board.apart):
            return self.usurpation
        if discs.count(UNSTABLE) >= self.invaders:
            return self.invasion
        return None if OPEN in discs else self.coronation

    def is_over_with(self, discs: Sequence[int]) -> bool:
        """Return True if the game is over with these discs, even if regions are open."""
        return discs.count(UNSTABLE) >= self.invaders or any(disc in discs for disc in self.board.apart)

    def reveals_plot(self, position: Position) -> bool:
        ending = self.find_ending(position)
        return bool(self.plot) and ending is not None and ending.won

    def find_result(self, position: Position) -> Result | None:
        """Compute how a finished game ended, from the position without its stated winners; None before the end."""
        ending = self.find_ending(position)
        if ending is None:
            return None
        plotter = self._find_plotter(position, ending)
        if plotter is None or position.plot is not None:
            return self._decide(position, ending, plotter)
        return self._decide_for_any_plot(position, ending, plotter)

    def close(self, position: Position, ending: Ending) -> tuple[Position, tuple[Event, ...]]:
        """End the game; if the winner depends on Plot, ask its owner to name a faction first."""
        result, events = self.find_result(position), tuple[Event, ...]()
        plotter = self._find_plotter(position, ending)
        if plotter is not None and position.plot is None:
            line = f"{self.plot}: {{{plotter}}}"
            events = (Event(self.ids("card.plot"), f"{{{plotter}}} reveals {self.plot}", line),)
        if result is None:
            return position.replace(decision="plot", to_act=plotter), events
        winners = " and ".join(f"{{{seat}}}" for seat in result.winners) or NOBODY
        line = f"{ending.name.capitalize()}: {winners}"
        over = Event(ending.rule, f"{line} {'win' if len(result.winners) > 1 else 'wins'}", line)
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        ended = position.replace(decision=None, to_act=None, ending=ending.name, winners=result.winners)
        return ended, (*events, *steps, over)

    def plot_counts_for(self, position: Position) -> int | None:
        """Return the faction for which a revealed Plot counts in a finished game; None if Plot isn't revealed."""
        ending = self.find_ending(position)
        plotter = self._find_plotter(position, ending) if ending else None
        if ending is None or plotter is None or position.plot is not None:
            return position.plot
        return ending.choose_plot_faction(position, self.parties[len(position.courts)], plotter)

    def _find_plotter(self, position: Position, ending: Ending) -> int | None:
        if not self.plot or not ending.won:
            return None
        return next((seat for seat in position.seats if self.plot in position.hands[seat]), None)

    def _decide(
        self, position: Position, ending: Ending, plotter: int | None, rule: str = "card.plot", why: str = ""
    ) -> Result:
        result = ending.decide(position, self.board, self.parties[len(position.courts)], plotter)
        if position.plot is None or plotter is None:
            return result
        text = f"{{{plotter}}}'s {self.plot} counts as one {self.board.factions[position.plot].name} follower{why}"
        return evolve(result, chain=(Step(self.ids(rule), text), *result.chain))

    @cites("ruling.plot")
    def _decide_for_any_plot(self, position: Position, ending: Ending, plotter: int) -> Result | None:
        """Return the result if it is the same for every faction that Plot may count for, else None."""
        kinds = range(len(self.board.factions))
        winners = {self._decide(position.replace(plot=faction), ending, plotter).winners for faction in kinds}
        if len(winners) > 1:
            return None
        as_read = ending.choose_plot_faction(position, self.parties[len(position.courts)], plotter)
        why = "; with any other faction the same would win"
        return self._decide(position.replace(plot=as_read), ending, plotter, "ruling.plot", why)


NEVER, NEVER_TOLD = float("-inf"), "never"


def _measure_latest_card(count: Count, side: Side) -> float:
    turns = [count.position.last_acted[seat] for seat in side]
    return max((turn for turn in turns if turn is not None), default=NEVER)


@cites("ruling.team-emptied")
def measure_emptied(count: Count, side: Side) -> float:
    """Return the turn in which a side (its later seat) had played all cards, negated as earlier is better."""
    return _measure_later([count.position.emptied[seat] for seat in side])


def measure_emptied_but_for_plot(count: Count, side: Side) -> float:
    """Measure like `measure_emptied`, but a hand of only Plot counts as empty since its owner's last card."""
    position = count.position
    alone = {seat for seat in side if seat == count.plotter and len(position.hands[seat]) == 1}
    return _measure_later([(position.last_acted if seat in alone else position.emptied)[seat] for seat in side])


def _measure_later(turns: list[int | None]) -> float:
    known = [turn for turn in turns if turn is not None]
    return -max(known) if len(known) == len(turns) else NEVER


def format_turn_measure(value: float) -> str:
    return NEVER_TOLD if abs(value) == -NEVER else f"in turn {abs(value):g}"


SEVERAL = Where("Two factions or more control regions", lambda count: len(count.ranking) > 1)
ONE = Where("One faction alone controls regions", lambda count: len(count.ranking) == 1)
FEW = Where("Fewer than two factions control regions", lambda count: len(count.ranking) < 2)
ANY = Where("A faction controls a region", lambda count: bool(count.ranking))
TEAMS = Where("Teams play", lambda count: any(len(party) > 1 for party in count.parties))


def compare_ranked_faction(rule: str, rank: int, where: Where | None = None) -> Highest:
    """Compare the support of the faction with a rank: 0 is the most powerful one, 1 the second."""
    place, words = (("first", "most powerful"), ("second", "second most powerful"))[rank]
    return Highest(
        rule,
        f"Most followers of the faction ranked {place}",
        lambda count, side: sum(count.courts[seat][count.ranking[rank]] for seat in side),
        lambda count: f"Followers of the {words} faction ({count.board.factions[count.ranking[rank]].people})",
        where=where,
    )


def _skip_second_faction(ids: Ids) -> Remark:
    text = "No other faction controls a region: the second comparison is skipped"
    return Remark(ids("ruling.second-rank"), text, where=ONE)


def _compare_latest_card(rule: str) -> Highest:
    return Highest(
        rule, "Who played a card last", _measure_latest_card, lambda _: "Latest action card", format_turn_measure
    )


def compare_older_card(rule: str, what: str) -> Highest:
    """Let the side lose that played a card last; `what` says so in the game's report."""
    return Highest(
        rule,
        "Who played their last card earlier",
        lambda count, side: -_measure_latest_card(count, side),
        lambda _: what,
        format_turn_measure,
    )


@cites("ruling.indecision")
def compare_indecision(rule: str) -> Highest:
    """Let the side lose that played a card last, in the words of the first edition."""
    return compare_older_card(rule, "Of the tied players, the last one to play a card loses")


def make_coronation(ids: Ids, readings: Mapping[str, str], *, plot: bool = False) -> Ending:
    """Make the ending of resolved regions: support of first and second faction, the owner of `plot`, the first empty hand."""
    second_rank, final_tie = ids("ruling.second-rank"), ids("ruling.final-tie")
    second_ranks: dict[str, Comparison] = {
        "skip": _skip_second_faction(ids),
        "none-ranked": Highest(
            second_rank,
            "Most followers of the two factions that share the second place",
            lambda count, side: sum(
                n for seat in side for faction, n in enumerate(count.courts[seat]) if faction not in count.ranking
            ),
            lambda _: "Followers of the two factions that share the second place",
            where=ONE,
        ),
    }
    final_ties: dict[str, Comparison] = {
        "shared": Remark(final_tie, "No more comparisons: the tied players share the throne"),
        "last-card": compare_older_card(final_tie, "Whose latest card is older"),
    }
    plot_hands = {"literal": measure_emptied, "counts-as-empty": measure_emptied_but_for_plot}
    return _make_support_ending(
        "coronation",
        ids,
        ids("ending.coronation"),
        compare_ranked_faction(ids("ending.coronation.support"), 0),
        compare_ranked_faction(ids("ending.coronation.second"), 1, SEVERAL),
        choose_reading(readings, second_rank, second_ranks),
        *((Plotter(ids("ending.plot")),) if plot else ()),
        Parties(ids("team.coronation")),
        Highest(
            ids("ending.coronation.emptied"),
            "Who played all cards first",
            choose_reading(readings, ids("ruling.plot-hand"), plot_hands) if plot else measure_emptied,
            lambda _: "First to play all cards",
            format_turn_measure,
        ),
        choose_reading(readings, final_tie, final_ties),
    )


def make_control(ids: Ids) -> Ending:
    """Make the ending for resolved regions: support of the first faction, of the second, then who acted last loses."""
    return _make_support_ending(
        "control",
        ids,
        ids("ending.control"),
        compare_ranked_faction(ids("ending.control.support"), 0),
        compare_ranked_faction(ids("ending.control.second"), 1, SEVERAL),
        _skip_second_faction(ids),
        compare_indecision(ids("ending.control.indecision")),
        Remark(ids("ruling.indecision-tie"), "Nobody among the tied has played a card: they rule together"),
    )


@cites("ruling.mordred-scoring", "ruling.mordred-teams")
def make_usurpation(ids: Ids, readings: Mapping[str, str], name: str) -> Ending:
    """Make the ending for a faction apart that wins: like control, else the largest court and then the last to act."""
    largest_court = Highest(
        ids("mordred.ending.court"),
        "Most followers at court in all",
        lambda count, side: sum(sum(count.courts[seat]) for seat in side),
        lambda _: "Followers at court in all",
        everybody=choose_reading(readings, ids("ruling.mordred-court"), {"tied": False, "everybody": True}),
        where=FEW,
    )
    return _make_support_ending(
        name,
        ids,
        ids("mordred.ending"),
        compare_ranked_faction(ids("mordred.ending.support"), 0, ANY),
        compare_ranked_faction(ids("mordred.ending.second"), 1, SEVERAL),
        evolve(compare_indecision(ids("mordred.ending.indecision")), where=SEVERAL),
        largest_court,
        evolve(_compare_latest_card(ids("mordred.ending.latest")), where=FEW),
        Remark(ids("ruling.mordred-tie"), "Nobody among the tied has played a card: they share the victory"),
    )


def _make_support_ending(name: str, ids: Ids, rule: str, *chain: Comparison) -> Ending:
    return Ending(name, rule, chain, ids("ending.power"), ids("ending.power-tie"))


def make_invasion(ids: Ids) -> Ending:
    """Make the ending for too many instability discs: most complete sets, then who acted last."""
    chain = (
        Remark(ids("team.invasion"), "Team-mates put their courts together", where=TEAMS),
        Highest(
            ids("ending.invasion.sets"),
            "Most complete sets of followers",
            lambda count, side: min(_pool_courts(count.courts, side)[faction] for faction in count.board.courtly),
            lambda _: "Complete sets of followers",
        ),
        _compare_latest_card(ids("ending.invasion.latest")),
        Remark(ids("ruling.invasion-tie"), "Nobody among the tied has played a card: they share the victory"),
    )
    return Ending("invasion", ids("ending.invasion"), chain)


def make_lost_invasion(ids: Ids, text: str) -> Ending:
    """Make the ending for too many instability discs in which no player wins; `text` says who does."""
    return Ending("invasion", ids("ending.invasion"), (Nobody(ids("ruling.invasion"), text),))
