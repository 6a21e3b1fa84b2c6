"""Assemble: one follower of each faction that the supply has, each into any open region."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.cards.card import Card, CardFactory, rewriting
from tkid.games.struggle.rules.moves import Resolution, Spread
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import NOTHING, Condition, Shape, Slot

Seen = tuple[tuple[int, ...], bool]
"""What decides where a faction's follower goes: the discs, and whether the supply has one."""
Placed = Condition[Seen, int | None]
"""A condition on the region of a faction's follower; None where none is placed."""


def assemble(factory: CardFactory, name: str, local: str = "card.assemble") -> Card:
    """A follower of each faction, together or apart; one that the supply lacks, or that stands apart, is left out."""
    board = factory.board
    spread: Shape[Position, Spread] = Shape(
        factory.ids(f"{local}.each"),
        f"one of each faction in the {board.terms.supply}",
        Spread,
        tuple(_follower(factory, local, faction) for faction in range(len(board.factions))),
        make=lambda *regions: Spread(regions),
        applies=lambda position: any(position.supply[faction] for faction in board.courtly),
    )
    return factory.card(name, local, "spread", ((spread,),), canonical=rewriting(Spread, _written))


def _follower(factory: CardFactory, local: str, faction: int) -> Slot[Seen, int | None]:
    """The slot for the region of one faction's follower."""
    board, ids = factory.board, factory.ids
    apart, name = board.factions[faction].apart, board.factions[faction].name
    unresolved = factory.unresolved
    available = Placed(
        ids("action.supply"),
        lambda seen, region: region is None or seen[1],
        lambda *_: f"the {board.terms.supply} has no {name} follower to place",
    )
    each = Placed(
        ids(f"{local}.each"),
        lambda seen, region: region is not None or not seen[1],
        lambda *_: f"{name} followers are in the {board.terms.supply}, so one must be placed too",
    )
    placed = Placed(
        unresolved.rule,
        lambda seen, region: region is None or seen[0][region] == OPEN,
        lambda seen, region: unresolved.says((seen[0], None), region or 0),
    )
    never = Placed(
        ids(apart or local),
        lambda _, region: region is None,
        lambda *_: f"no card places {name} followers",
    )

    def facet(position: Position, _: tuple[Any, ...]) -> Seen:
        return position.discs, position.supply[faction] > 0

    everywhere = (*range(len(board.regions)), None)
    return Slot(
        f"region of {name}",
        facet,
        lambda _: everywhere,
        (never,) if apart else (available, each, placed),
        value=lambda spread: spread.regions[faction],
    )


def _written(_: Position, spread: Spread) -> Resolution:
    """A spread of nothing at all is written `nothing`."""
    return NOTHING if all(region is None for region in spread.regions) else spread
