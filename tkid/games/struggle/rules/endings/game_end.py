"""The end of the game: when an edition's game is over, who wins then, and when Plot has to be named first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Board
from tkid.games.struggle.rules.endings.comparisons import Side
from tkid.games.struggle.rules.endings.ending import Ending
from tkid.games.struggle.rules.position import Position
from tkid.kernel.game import NOBODY, Event, Result, Step
from tkid.rulebook import Ids, cites


@frozen(eq=False)
class GameEnd:
    """How an edition's game ends. The attributes are those of `Struggle`."""

    ids: Ids
    board: Board
    parties: Mapping[int, tuple[Side, ...]]
    invaders: int
    plot: str
    coronation: Ending
    invasion: Ending
    usurpation: Ending | None

    @cites("ending.trigger", "ruling.third-disc")
    def ending(self, position: Position) -> Ending | None:
        """The ending that a position has reached: the invasion comes first."""
        discs = position.discs
        if self.usurpation is not None and any(disc in discs for disc in self.board.apart):
            return self.usurpation
        if discs.count(UNSTABLE) >= self.invaders:
            return self.invasion
        return None if OPEN in discs else self.coronation

    def comes_at_once(self, discs: Sequence[int]) -> bool:
        """Whether the game is over with these discs, even if regions are open."""
        return discs.count(UNSTABLE) >= self.invaders or any(disc in discs for disc in self.board.apart)

    def reveals_plot(self, position: Position) -> bool:
        """Whether the game has ended so that Plot, where it is known, is revealed."""
        ending = self.ending(position)
        return bool(self.plot) and ending is not None and ending.won

    def result(self, position: Position) -> Result | None:
        """How a finished game ended, None before: computed from the position, whatever it says of its winners."""
        ending = self.ending(position)
        if ending is None:
            return None
        plotter = self._plotter(position, ending)
        if plotter is None or position.plot is not None:
            return self._decided(position, ending, plotter)
        return self._whatever_plot_is(position, ending, plotter)

    def close(self, position: Position, ending: Ending) -> tuple[Position, tuple[Event, ...]]:
        """End the game; where the winner depends on Plot, its owner has to name a faction before."""
        result, events = self.result(position), tuple[Event, ...]()
        plotter = self._plotter(position, ending)
        if plotter is not None and position.plot is None:
            line = f"{self.plot}: {{{plotter}}}"
            events = (Event(self.ids("card.plot"), f"{{{plotter}}} reveals {self.plot}", line),)
        if result is None:
            return position.but(decision="plot", to_act=plotter), events
        winners = " and ".join(f"{{{seat}}}" for seat in result.winners) or NOBODY
        line = f"{ending.name.capitalize()}: {winners}"
        over = Event(ending.rule, f"{line} {'win' if len(result.winners) > 1 else 'wins'}", line)
        steps = tuple(Event(step.rule, step.text) for step in result.chain)
        ended = position.but(decision=None, to_act=None, ending=ending.name, winners=result.winners)
        return ended, (*events, *steps, over)

    def plot_counts_for(self, position: Position) -> int | None:
        """The faction of which a revealed Plot counts as a follower in a finished game; None where none is revealed."""
        ending = self.ending(position)
        plotter = self._plotter(position, ending) if ending else None
        if ending is None or plotter is None or position.plot is not None:
            return position.plot
        return ending.plot_as_read(position, self.parties[len(position.courts)], plotter)

    def _plotter(self, position: Position, ending: Ending) -> int | None:
        """The seat that is known to hold Plot, where that counts for the winner."""
        if not self.plot or not ending.won:
            return None
        return next((seat for seat in position.seats if self.plot in position.hands[seat]), None)

    def _decided(self, position: Position, ending: Ending, plotter: int | None) -> Result:
        """The result; with Plot named, the first step says what it counts as."""
        result = ending.decide(position, self.board, self.parties[len(position.courts)], plotter)
        if position.plot is None or plotter is None:
            return result
        return self._with_plot(result, self.ids("card.plot"), plotter, position.plot)

    def _with_plot(self, result: Result, rule: str, plotter: int, faction: int, why: str = "") -> Result:
        """A result whose first step says what Plot counts as."""
        text = f"{{{plotter}}}'s {self.plot} counts as one {self.board.factions[faction].name} follower{why}"
        return evolve(result, chain=(Step(rule, text), *result.chain))

    @cites("ruling.plot")
    def _whatever_plot_is(self, position: Position, ending: Ending, plotter: int) -> Result | None:
        """The result where it is the same whichever faction Plot counts for; else None."""
        kinds = range(len(self.board.factions))
        winners = {self._decided(position.but(plot=faction), ending, plotter).winners for faction in kinds}
        if len(winners) > 1:
            return None
        parties = self.parties[len(position.courts)]
        as_read = ending.plot_as_read(position, parties, plotter)
        result = ending.decide(position.but(plot=as_read), self.board, parties, plotter)
        why = "; with any other faction the same would win"
        return self._with_plot(result, self.ids("ruling.plot"), plotter, as_read, why)
