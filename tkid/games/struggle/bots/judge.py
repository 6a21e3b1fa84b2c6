"""What is known of The King is Dead, for players that are programs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from attrs import define, field

from tkid.bots.player import Turn
from tkid.bots.plugin import Last
from tkid.games.struggle.bots.endgame import essence, last
from tkid.games.struggle.bots.outlook import Outlook
from tkid.games.struggle.bots.ranking import ranked
from tkid.games.struggle.bots.reasons import reason
from tkid.games.struggle.bots.weights import Weights, weights
from tkid.games.struggle.bots.worlds import worlds
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.views import View

SOLUBLE = {2: 4, 3: 2, 4: 2}
"""How many cards may be left in all hands for a game to be solved, by the number of players.

Where a turn may be a summons alone, followers in the regions count like cards.
"""


@define(eq=False)
class StruggleJudge:
    """The judge of one game; `fixed` are the weights where they are not those of the file, `ahead` says for whom they are."""

    game: Struggle
    fixed: Weights | None = None
    ahead: bool = False
    _outlooks: dict[int, Outlook] = field(init=False, factory=dict)
    _valued: dict[int, tuple[Position, tuple[float, ...]]] = field(init=False, factory=dict)
    """The values of the positions that were listed last, by identity: who asks for them has just seen them listed."""

    def outlook(self, players: int) -> Outlook:
        """The evaluation for so many players."""
        if players not in self._outlooks:
            chosen = self.fixed or weights(self.game.code, players, ahead=self.ahead)
            self._outlooks[players] = Outlook.of(self.game, players, chosen)
        return self._outlooks[players]

    def values(self, position: Position) -> tuple[float, ...]:
        """An estimate for each party, its chance to win; in a finished position what came out."""
        known, values = self._valued.get(id(position), (None, ()))
        if known is position:
            return values
        return self.outlook(len(position.courts)).values(position)

    def ranked(self, position: Position, most: int) -> Sequence[tuple[Turn, Position]]:
        """The turns that look best, with the position after each, best first."""
        best = ranked(self.outlook(len(position.courts)), position, most)
        self._valued = {id(after): (after, values) for _, after, values in best}
        return [(turn, after) for turn, after, _ in best]

    def worlds(self, view: View, most: int, lot: Random) -> Sequence[Position]:
        """Positions without hidden cards that fit a view."""
        return worlds(self.game, view, most, lot)

    def soluble(self, position: Position) -> bool:
        """Whether what is left of the game is short enough to be solved to the end."""
        cards = sum(card != self.game.plot for hand in position.hands for card in hand)
        if self.game.summons.alone:
            cards += sum(map(sum, position.regions))
        return cards <= SOLUBLE[len(position.courts)]

    def essence(self, position: Position) -> Position:
        """The position without what makes no difference any more."""
        return essence(self.game, position)

    def last(self, position: Position) -> Last | None:
        """How the last card comes out, where it is to be played or its follower to be summoned."""
        return last(self.game, position)

    def solve(self, position: Position, most: int) -> None:
        """The general solver has to do it."""

    def reason(self, before: Position, turn: Turn, after: Position) -> str:
        """Why a turn is good, in a few words."""
        return reason(self.outlook(len(before.courts)), before, turn, after)
