"""What each choice of a turn does to the places of the picture: followers come and leave, cards are played or change places.

What happens at a place is a row of numbers. At a region, the supply or a court it is a faction, and CAME or where its
follower has gone. The look of a place depends on nothing else (see `looks`).
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, Pass, Summon
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Transfer, Where
from tkid.render.clicks import Change

CAME, ELSEWHERE = 1, 0
"""A follower came to the place, or it has gone to another region; one that went to a court or the supply has COURT or SUPPLY."""
SPENT, PASSED = -1, 1
"""A negotiation disc has left its owner; the turn was a pass."""
TRACK, TURN = "track", "turn"
"""The places of region cards that change places, and of all that a pass changes."""


@frozen
class Changes:
    """The changes of the next player's choices in a position."""

    game: Struggle
    position: Position

    def place(self, where: Where) -> str:
        """The name of a region, of the supply or of the court of the seat to act."""
        beyond = {SUPPLY: "supply", COURT: f"court-{self.position.to_act}"}
        return beyond.get(where) or self.game.board.regions[where].code

    def moved(self, *moving: Transfer) -> tuple[Change, ...]:
        """Followers who go."""
        return tuple(change for transfer in moving for change in self._each(transfer))

    def _each(self, transfer: Transfer) -> Iterator[Change]:
        for faction, number in enumerate(transfer.group):
            for _ in range(number):
                yield Change(self.place(transfer.origin), (faction, min(transfer.target, ELSEWHERE)))
                yield Change(self.place(transfer.target), (faction, CAME))

    def card(self, card: str) -> tuple[Change, ...]:
        """A card that leaves the hand for the pile."""
        seat = self.position.to_act
        return Change(f"hand-{seat}", (card,)), Change(f"pile-{seat}", (card,))

    def cards(self, first: int, second: int) -> tuple[Change, ...]:
        """Two region cards that change places."""
        return (Change(TRACK, (first, second)),)

    def negotiated(self, disc: int | None) -> tuple[Change, ...]:
        """A negotiation disc that goes on a region card."""
        if disc is None:
            return ()
        return Change(TRACK, (disc,)), Change(self.place(COURT), (SPENT,))

    def single(self, move: Move) -> tuple[Change, ...]:
        """A turn that is one move without a card."""
        return (Change(TURN, (PASSED,)),) if isinstance(move, Pass) else self.summons(move)

    def summons(self, move: Move) -> tuple[Change, ...]:
        """A follower that is summoned; nothing for other moves."""
        if not isinstance(move, Summon):
            return ()
        return self.moved(Transfer(self.game.board.one(move.faction), move.region, COURT))
