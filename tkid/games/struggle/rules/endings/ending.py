"""An ending: a way to end the game, and the chain of comparisons that finds the winners."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.games.struggle.rules.board import Board, plus
from tkid.games.struggle.rules.endings.comparisons import Count, Link, Nobody, Side, pooled
from tkid.games.struggle.rules.position import Position, put
from tkid.kernel.game import Result, Step


@frozen(eq=False)
class Ending:
    """A way to end: its name, the rule by which it comes, who is compared at first, and the chain."""

    name: str
    rule: str
    seats: bool
    ranked: bool
    chain: tuple[Link, ...]
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
        court = pooled(position.courts, side)
        return court.index(min(court))


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
            text = f"{name[higher]} and {name[lower]} control equally many: the {name[higher]} won the later struggle"
            steps.append(Step(by_last, text))
    return steps
