"""Whole games with a locked deal, played at random."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from attrs import evolve

from tests.record.locked_vectors import closed, opened, seeds
from tkid.record import locked_deal
from tkid.record import locked_deal as deals
from tkid.record.locked_deal import LockedDeal, find_known_cards, find_locked_plugin
from tkid.record.play.replay import Replay, append, replay


def begun(table: str) -> Replay:
    """The game of a table with every card, before the first turn."""
    deal = closed(table)
    record = locked_deal.make_locked_record(deal, 0, seeds(table)[0])
    cards = find_known_cards(opened(table), opened(table).open_seeds)
    return replay(evolve(record, deal=find_locked_plugin(record.game).fill_deal(record.game, record.deal, cards)))


def at_random(played: Replay, chance: Random) -> Replay:
    """A game with one more turn by lot."""
    game, position = played.record.game, played.position
    moves: list[Any] = []
    while not moves or game.turn_continues(position):
        moves.append(chance.choice(list(game.legal(position))))
        position, _ = game.apply(position, moves[-1])
    after = append(played, moves)
    assert not after.problems
    return after


@cache
def whole(table: str, seed: int) -> Replay:
    """A game of a table, played to its end by lot."""
    chance, played = Random(seed), begun(table)
    while played.position.to_act is not None:
        played = at_random(played, chance)
    return played


def shown(table: str, played: Replay) -> LockedDeal:
    """The deal with all that the turns ask to be unlocked, and all seeds."""
    deal = closed(table)
    for _ in range(2):
        for seat, seed in enumerate(seeds(table)):
            deal = locked_deal.unlock_due_places(played, deal, seat, seed)
    for seat, seed in enumerate(seeds(table)):
        deal = deals.open_seed(deal, seat, seed)
    return deal
