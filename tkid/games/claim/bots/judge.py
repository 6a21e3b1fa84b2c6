"""What is known of Claim, for players that are programs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import define, field

from tkid.bots.player import Turn, lot
from tkid.bots.sums import total
from tkid.games.claim.bots.estimate import Estimate
from tkid.games.claim.bots.reasons import reason
from tkid.games.claim.bots.solver import WON, Solver, TooLongError
from tkid.games.claim.bots.tables import Legal
from tkid.games.claim.bots.weights import Weights, weights
from tkid.games.claim.bots.worlds import worlds
from tkid.games.claim.rules.deck import SEATS, VALUES, Card
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play, unseen
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import verdict
from tkid.games.claim.rules.views import View

WORLDS = 12
"""In how many worlds a turn is judged where cards are hidden."""
TRICKS = 4
"""So many tricks that the solver looks at count as one position: they take less time."""
MOST_KNOWN = 20_000
"""So many estimates are remembered: they are asked for again soon or never."""


@define(eq=False)
class ClaimJudge:
    """The judge of Claim; `fixed` are the weights where they are not those of the file."""

    game: Claim
    fixed: Weights | None = None
    _estimate: Estimate = field(init=False)
    _legal: Legal = field(init=False)
    _known: dict[Position, float] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._estimate = Estimate(self.fixed or weights(self.game.code, SEATS))
        self._legal = Legal(self.game)

    def values(self, position: Position) -> tuple[float, ...]:
        """The chances of both seats to win; in a finished position what came out."""
        if position.leader is not None and unseen(position):
            found = self._sample(position)
            chance = total(map(self._chance, found)) / len(found)
        else:
            chance = self._chance(position)
        return chance, 1 - chance

    def ranked(self, position: Position, most: int) -> Sequence[tuple[Turn, Position]]:
        """The cards that look best, with the position after each, best first; judged in some worlds where cards are hidden."""
        seat = position.to_act
        assert seat is not None
        moves = list(self.game.legal(position))
        if len(moves) == 1:
            return [((moves[0],), self.game.apply(position, moves[0])[0])]
        found = self._sample(position) if unseen(position) else (position,)
        rated = []
        for move in moves:
            chance = total(self._chance(self.game.apply(world, move)[0]) for world in found)
            rated.append((-chance if seat == 0 else chance, VALUES[move.card], move))
        rated.sort(key=lambda each: each[:2])
        return [((move,), self.game.apply(position, move)[0]) for _, _, move in rated[:most]]

    def worlds(self, view: View, most: int, lot: Random) -> Sequence[Position]:
        """Positions without hidden cards that fit a view."""
        return worlds(view.shown, most, lot)

    def soluble(self, position: Position) -> bool:
        """Whether it is phase two: every card is known then."""
        return position.prize is None

    def essence(self, position: Position) -> Position:
        """The position itself: `solve` has its own way to tell which are alike."""
        return position

    def last(self, position: Position) -> None:
        """Nothing: `solve` goes to the end."""

    def solve(self, position: Position, most: int) -> Sequence[tuple[Turn, tuple[float, ...]]]:
        """Every card with what it comes to, exactly; none where that is not found in `TRICKS` times `most` tricks."""
        seat = position.to_act
        assert seat is not None
        if not self.soluble(position):
            return ()
        solver = Solver(self.game, self._legal, TRICKS * most)
        try:
            found = [
                ((move,), solver.value(self.game.apply(position, move)[0]) / WON) for move in self.game.legal(position)
            ]
        except TooLongError:
            return ()
        found.sort(key=lambda each: -each[1] if seat == 0 else each[1])
        return [(turn, (value, 1 - value)) for turn, value in found]

    def reason(self, before: Position, turn: Turn, after: Position) -> str:  # noqa: ARG002 - the card says it all
        """Why a card is good, in a few words."""
        return reason(self.game, before, turn[0].card)

    def _sample(self, position: Position) -> Sequence[Position]:
        """Some worlds, the same ones for the same position."""
        return worlds(position, WORLDS, lot(self.game, View(position.to_act, position), "worlds"))

    def _chance(self, position: Position) -> float:
        """The chance of seat 0; where a card is led, with the reply that looks best."""
        if position in self._known:
            return self._known[position]
        if position.led is None:
            chance = self._estimate.chance(position)
        else:
            best = max if position.to_act == 0 else min
            chance = best(self._estimate.chance(self.game.apply(position, move)[0]) for move in self._replies(position))
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[position] = chance
        return chance

    def _replies(self, position: Position) -> list[Play]:
        """The replies worth a look: of the cards of a faction that win, and of those that lose, the lowest."""
        led = position.led
        assert led is not None
        kinds: dict[tuple[str, bool], Play] = {}
        for move in self.game.legal(position):
            card: Card = move.card
            kinds.setdefault((card[0], verdict(led, card).second_wins), move)
        return list(kinds.values())
