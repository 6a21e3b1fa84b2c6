"""Negotiate: two region cards change places, and the player's negotiation disc goes on one of them."""

from __future__ import annotations

from typing import Any

from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.cards.card import Card, CardFactory, rewriting
from tkid.games.struggle.rules.moves import Exchange
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import Condition, Shape, Slot

Ground = tuple[tuple[int, ...], tuple[int, ...], frozenset[int], bool]
"""Track, discs, negotiated, and whether the player has a disc left."""
RegionCards = tuple[tuple[int, ...], tuple[int, ...], frozenset[int], int | None]
"""The region cards as a slot sees them: track, discs, negotiated, and the card already chosen."""
FromTrack = Condition[RegionCards, int]
Chosen = tuple[int, int, bool]
"""What decides where the disc goes: the two cards, and whether the player has a disc left."""
OnCard = Condition[Chosen, int | None]
"""A condition on the card that the disc goes on; None for no disc."""


def negotiate(factory: CardFactory, name: str, local: str = "card.negotiate") -> Card:
    """Two face-up cards without a negotiation disc; without a disc of one's own, the swap alone."""
    ids, region, printed = factory.ids, factory.board.name, factory.board.terms.negotiation
    some = OnCard(
        ids(f"{local}.disc"),
        lambda _, disc: disc is not None,
        lambda *_: f"a {printed} goes on one of the two cards",
    )
    on_one = OnCard(
        ids(f"{local}.disc"),
        lambda chosen, disc: disc is None or disc in chosen[:2],
        lambda chosen, disc: (
            f"the {printed} goes on {region(chosen[0])} or {region(chosen[1])}, not on {region(disc or 0)}"
        ),
    )
    left = OnCard(
        ids(f"{local}.disc-left"),
        lambda chosen, disc: chosen[2] or disc is None,
        lambda *_: f"your {printed} is already on the board: write `no disc`",
    )
    none = OnCard(
        ids(f"{local}.disc-left"),
        lambda _, disc: disc is None,
        lambda *_: f"no {factory.board.terms.disc} is placed here",
    )

    cards = _cards(factory, local)

    def exchanging(label: str, *disc: OnCard) -> Shape[Position, Exchange]:
        slots: tuple[Slot[Any, Any], ...] = (
            *cards,
            Slot("disc", _chosen, lambda chosen: (*chosen[:2], None), disc, bound=True),
        )
        return Shape(ids(local), label, Exchange, slots, ground=_ground)

    tiers = ((exchanging("with the disc", some, on_one, left),), (exchanging("without a disc", none),))
    return factory.card(name, local, "exchange", tiers, canonical=rewriting(Exchange, _track_order))


def _cards(factory: CardFactory, local: str) -> tuple[Slot[RegionCards, int], ...]:
    """The slots for the two cards, in track order."""
    ids, name, printed = factory.ids, factory.board.name, factory.board.terms.negotiation
    conditions = (
        FromTrack(
            ids(f"{local}.face-up"),
            lambda lying, region: lying[1][region] == OPEN,
            lambda _, region: f"the card of {name(region)} is face down",
        ),
        FromTrack(
            ids(f"{local}.no-disc"),
            lambda lying, region: region not in lying[2],
            lambda _, region: f"the card of {name(region)} has a {printed} on it",
        ),
        FromTrack(
            ids(f"{local}.two-cards"),
            lambda lying, region: region != lying[3],
            lambda _, region: f"{name(region)} is named twice: choose two different cards",
        ),
    )
    return tuple(
        Slot(slot, _region_cards, _later, conditions, bound=True, remembered=False) for slot in ("first", "second")
    )


def _ground(position: Position) -> Ground:
    """What decides which cards may change places, and whether the player has a disc left."""
    assert position.to_act is not None
    left = position.negotiation_discs[position.to_act] > 0
    return position.track, position.discs, position.negotiated, left


def _region_cards(ground: Ground, bound: tuple[int, ...]) -> RegionCards:
    return (*ground[:3], bound[-1] if bound else None)


def _later(lying: RegionCards) -> tuple[int, ...]:
    """The cards to choose from: all of the track, or those behind the one already chosen."""
    track, *_, first = lying
    return track if first is None else track[track.index(first) + 1 :]


def _chosen(ground: Ground, bound: tuple[int, ...]) -> Chosen:
    first, second = bound
    return first, second, ground[3]


def _track_order(position: Position, exchange: Exchange) -> Exchange:
    """The card on the lower space comes first."""
    index = position.track.index
    in_order = index(exchange.first) <= index(exchange.second)
    return exchange if in_order else Exchange(exchange.second, exchange.first, exchange.disc)
