"""March: two followers of one region move to a bordering one; one where two can nowhere."""

from __future__ import annotations

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import Shift
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import Shape

SIZES = {2: "two followers to a bordering region", 1: "one follower to a bordering region"}


def march(factory: CardFactory, name: str) -> Card:
    """Two followers together from an open region into a bordering open one, or else one."""
    board, two = factory.board, factory.ids("card.march.two")
    bordering = c.bordering(board, factory.ids("card.march.border"))
    printed = f"{name} moves two followers, or one if two can move nowhere"

    def moving(size: int) -> Shape[Position, Shift]:
        slots = (
            factory.region("origin"),
            factory.region("target", bordering),
            factory.inside("group", 0, size, c.number(board, two, size, printed)),
        )

        def make(origin: int, target: int, group: tuple[int, ...]) -> Shift:
            return Shift(group, origin, target)

        return Shape(two, SIZES[size], Shift, slots, ground=c.discs, make=make)

    return factory.card(name, "card.march", "shift", tuple((moving(size),) for size in SIZES))
