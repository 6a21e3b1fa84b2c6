"""Assemble: one follower of each faction that the supply has, each into any open region."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import Resolution, Spread
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import NOTHING, Condition, Shape, Slot

Seen = tuple[tuple[int, ...], bool]
"""What decides where a faction's follower goes: the discs, and whether the supply has one."""


def assemble(factory: CardFactory, name: str, local: str = "card.assemble") -> Card:
    """A follower of each faction, together or apart; one that the supply lacks, or that stands apart, is left out."""
    board, rule = factory.board, factory.ids(local)
    factions, courtly = range(len(board.factions)), board.courtly
    spread: Shape[Position, Spread] = Shape(
        factory.ids(f"{local}.each"),
        f"one of each faction in the {board.terms.supply}",
        Spread,
        tuple(_follower(factory, local, faction) for faction in factions),
        make=lambda *regions: Spread(regions),
        applies=lambda position: any(position.supply[faction] for faction in courtly),
    )
    return Card(name, rule, "spread", factory.ladder(rule, ((spread,),)), canonical=_written)


def _follower(factory: CardFactory, local: str, faction: int) -> Slot[Seen, int | None]:
    """The slot for the region of one faction's follower; None where none is placed."""
    board, ids = factory.board, factory.ids
    apart = board.factions[faction].apart
    name = board.factions[faction].name
    unresolved = c.unresolved(board, ids("action.resolved"))
    available: Condition[Seen, int | None] = Condition(
        ids("action.supply"),
        lambda seen, region: region is None or seen[1],
        lambda *_: f"the {board.terms.supply} has no {name} follower to place",
    )
    each: Condition[Seen, int | None] = Condition(
        ids(f"{local}.each"),
        lambda seen, region: region is not None or not seen[1],
        lambda *_: f"{name} followers are in the {board.terms.supply}, so one must be placed too",
    )
    placed: Condition[Seen, int | None] = Condition(
        unresolved.rule,
        lambda seen, region: region is None or seen[0][region] == OPEN,
        lambda seen, region: unresolved.says((seen[0], None), region or 0),
    )

    never: Condition[Seen, int | None] = Condition(
        ids(apart or local),
        lambda _, region: region is None,
        lambda *_: f"{name} followers are never placed by a card",
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


def _written(_: Position, resolution: Resolution) -> Resolution:
    """A spread of nothing at all is written `nothing`."""
    empty = isinstance(resolution, Spread) and all(region is None for region in resolution.regions)
    return NOTHING if empty else resolution
