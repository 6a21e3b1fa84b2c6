"""March: two followers of one region move to a bordering one; one where two can nowhere."""

from __future__ import annotations

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import Shift
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import WHERE, Shape

SIZES = {2: "two followers to a bordering region", 1: "one follower to a bordering region"}


def march(factory: CardFactory, name: str) -> Card:
    """Two followers together from an open region into a bordering open one, or else one."""
    board, ids = factory.board, factory.ids
    rule, two = ids("card.march"), ids("card.march.two")
    unresolved = c.unresolved(board, ids("action.resolved"))
    bordering = c.bordering(board, ids("card.march.border"))
    printed = f"{name} moves two followers, or one if two can move nowhere"

    def moving(size: int) -> Shape[Position, Shift]:
        number = c.number(board, two, size, printed)
        slots = (
            c.region_slot("origin", board, (unresolved,)),
            c.region_slot("target", board, (unresolved, bordering)),
            c.inside_slot("group", board, 0, size, (number, c.available(board, ids("action.region"), WHERE))),
        )

        def make(origin: int, target: int, group: tuple[int, ...]) -> Shift:
            return Shift(group, origin, target)

        return Shape(two, SIZES[size], Shift, slots, ground=c.discs, make=make)

    return Card(name, rule, "shift", factory.ladder(rule, ((moving(2),), (moving(1),))))
