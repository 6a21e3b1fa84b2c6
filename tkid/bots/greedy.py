"""The player that takes the turn after which the position looks best, without a thought about the answer."""

from __future__ import annotations

from tkid.bots.judging import Judging
from tkid.bots.player import Choice, check_asked, lot
from tkid.bots.sums import total
from tkid.bots.turns import party_of, played
from tkid.kernel.game import AnyView

WORLDS = 12
"""So many positions that fit a view are looked at where cards are hidden."""
WIDEST = 48
"""No more turns are compared."""


class Greedy(Judging):
    """The turn whose position is worth most; where cards are hidden, on average over positions that fit the view."""

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """Turns by their values, best first."""
        check_asked(view, thought, most)
        worlds = self.judge.worlds(view, WORLDS, lot(self.game, view, "greedy"))
        party = party_of(self.game, view.shown)
        wide = max(1, min(WIDEST, thought // len(worlds)))
        first, *others = worlds
        found = []
        for turn, after in self.judge.ranked(first, wide):
            values = [self.judge.values(after)[party]]
            values += [self.judge.values(played(self.game, world, turn))[party] for world in others]
            found.append(Choice(turn, total(values) / len(values)))
        return tuple(sorted(found, key=lambda choice: choice.value, reverse=True)[:most])
