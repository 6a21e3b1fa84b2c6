"""The vectors follow from their seeds, and the hands are those that the orders make."""

from __future__ import annotations

import json

import pytest

from tests.makers import deals
from tests.record.locked_vectors import FOLDER, closed, opened, secrets, seeds
from tests.shared.tables import sample
from tkid.record import locked_deal
from tkid.record.locked_audit import find_broken_parts
from tkid.record.locked_deal import find_known_cards
from tkid.record.locked_text import find_deal_faults, write_deal

tables = pytest.mark.parametrize("table", list(deals.TABLES))


@tables
def test_text_comes_back_byte_for_byte(table: str) -> None:
    assert write_deal(opened(table)) == (FOLDER / f"{table}.deal").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("table", sample(deals.TABLES, 3))
def test_vectors_follow_from_their_seeds(table: str) -> None:
    made = deals.opened(table)
    assert write_deal(made) == (FOLDER / f"{table}.deal").read_text("utf-8")
    assert deals.vectors(table) == json.loads((FOLDER / f"{table}.json").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("table", sample(["three", "claim"], 2))
def test_nothing_contradicts_itself(table: str) -> None:
    assert find_deal_faults(opened(table)) == []
    assert [list(find_broken_parts(opened(table), seat, seed)) for seat, seed in enumerate(seeds(table))] == [
        [] for _ in seeds(table)
    ]


@tables
def test_cards_are_those_that_the_orders_make(table: str) -> None:
    deal = closed(table)
    places = list(range(len(deal.deck.cards)))
    for seat in reversed(range(len(deal.names))):
        order = secrets(table, seat).order
        places = [order[place] for place in places]
    cards = {place: deal.deck.cards[card] for place, card in enumerate(places)}
    assert find_known_cards(opened(table), opened(table).open_seeds) == cards
    for seat, hand in enumerate(deal.deck.hands):
        assert find_known_cards(deal, {seat: seeds(table)[seat]}) == {
            p: cards[p] for p in sorted((*hand, *deal.deck.shown))
        }
    assert find_known_cards(deal) == {place: cards[place] for place in deal.deck.shown}


@tables
def test_every_player_gets_the_same_game_and_the_own_hand(table: str) -> None:
    deal = closed(table)
    records = [locked_deal.make_locked_record(deal, seat, seed) for seat, seed in enumerate(seeds(table))]
    seen = {(record.game.code, record.deal.first, getattr(record.deal, "track", ())) for record in records}
    assert len(seen) == 1
    for seat, record in enumerate(records):
        assert [seat for seat, hand in enumerate(record.deal.hands) if "?" not in hand] == [seat]
        assert not record.game.find_faults(record.deal)
