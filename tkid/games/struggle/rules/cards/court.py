"""Betrayal: a follower of the player's own court for one of a region."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import CourtSwap
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import WHERE, Shape


def court_swap(factory: CardFactory, name: str, local: str) -> Card:
    """One follower of one's court for one of any open region, of the same faction too."""
    board, ids = factory.board, factory.ids
    rule, inside = ids(local), ids("action.region")
    number = c.number(board, ids(f"{local}.number"), 1, f"{name} swaps one follower for one")
    slots = (
        c.region_slot("region", board, (c.unresolved(board, ids("action.resolved")),)),
        c.group_slot("give", board, _own_court, 1, (number, c.available(board, inside, "the court"))),
        c.inside_slot("take", board, 0, 1, (number, c.available(board, inside, WHERE))),
    )
    swapping: Shape[Position, CourtSwap] = Shape(
        ids(f"{local}.number"), "one for one", CourtSwap, slots, ground=c.discs
    )
    return Card(name, rule, "court_swap", factory.ladder(rule, ((swapping,),)))


def _own_court(position: Position, _: tuple[Any, ...]) -> Followers:
    assert position.to_act is not None
    return position.courts[position.to_act]
