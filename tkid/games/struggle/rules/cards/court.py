"""Betrayal: a follower of the player's own court for one of a region."""

from __future__ import annotations

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import CourtSwap
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import Part, Shape


def court_swap(factory: CardFactory, name: str, local: str) -> Card:
    """One follower of one's court for one of any open region, of the same faction too."""
    board, rule = factory.board, factory.ids(f"{local}.number")
    number = c.number(board, rule, 1, f"{name} swaps one follower for one")
    available = c.available(board, factory.ids(local), "the court")
    slots = (
        factory.region("region"),
        c.group_slot("give", board, Part(_own_court), 1, (number, available)),
        factory.inside("take", 0, 1, number),
    )
    swapping = Shape[Position, CourtSwap](rule, "one for one", CourtSwap, slots, ground=c.discs)
    return factory.card(name, local, "court_swap", ((swapping,),))


def _own_court(position: Position) -> tuple[Followers]:
    assert position.to_act is not None
    return (position.courts[position.to_act],)
