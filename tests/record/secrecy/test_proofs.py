"""The proofs of a third player carry nothing about the hand: somebody without the key writes the same bytes, for any hand."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeVar

import pytest

from tests.record.second_deal.curve import BASE_TABLE, L, RefusedError, encode_all
from tests.record.second_deal.text import Deal, check, hand, write
from tests.shared.tables import sample

from .coalition import SEATS, TEXT, Held, before_the_end, held, player_of, whole
from .simulated import Oracle, without_key

LAST = SEATS[-1]
Value = TypeVar("Value")
thirds = pytest.mark.parametrize("third", sample(reversed(SEATS), len(SEATS)))


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> Oracle:
    """A hash that is free to choose, in the second implementation."""
    return Oracle().installed(monkeypatch)


def lines(text: str) -> list[str]:
    """The lines of a text, without the blanks that are for the eye."""
    return [" ".join(line.split()) for line in text.splitlines()]


def sections(deal: Deal) -> dict[str, list[str]]:
    """The lines of a text by section."""
    blocks = [block.split("\n") for block in write(deal).rstrip("\n").split("\n\n")]
    return {heading: rows for heading, *rows in blocks}


def hands(deal: Deal) -> list[list[str]]:
    """The hands that the three players find with their seeds."""
    return [hand(deal, name, seed) for name, seed in zip(deal.names, whole().seeds, strict=True)]


def cards_by_slot(third: int) -> dict[int, int]:
    """Which card each slot has in truth: what only the third player's seed tells."""
    deal, cards = before_the_end(), list(range(len(before_the_end().cards)))
    for seat in range(third + 1):
        order = player_of(deal, seat, whole().seeds[seat]).order
        cards = [cards[place] for place in order]
    return dict(enumerate(cards))


def turned(values: Mapping[int, Value], slots: tuple[int, ...]) -> dict[int, Value]:
    """Values by slot, where some slots have each the next one's."""
    return {**values, **{slot: values[other] for slot, other in zip(slots, (*slots[1:], slots[0]), strict=True)}}


@pytest.mark.slow
@thirds
def test_all_that_the_third_player_wrote_is_made_again_without_the_key(third: int, oracle: Oracle) -> None:
    """The whole text comes out byte for byte from locked points, known cards, the others' seeds, and numbers."""
    seen = held(third)
    assert not set(seen.hidden) & set(seen.shown)
    deal = without_key(seen, seen.points, seen.shown, oracle)
    seeds = len(SEATS) + 2  # with their heading, and the empty line before it
    assert lines(write(deal)) == lines(TEXT.decode())[:-seeds]


@pytest.mark.exhaustive(seconds=3)
def test_the_same_proofs_prove_another_hand(oracle: Oracle) -> None:
    """With the hidden cards exchanged, Cal's numbers stay the same bytes; only the locked points themselves are others."""
    seen, cards = held(LAST), cards_by_slot(LAST)
    points = turned(dict(enumerate(seen.points)), seen.hidden)
    deal = without_key(seen, [points[slot] for slot in range(12)], seen.shown, oracle)
    check(deal)
    first, second = sections(before_the_end()), sections(deal)
    changed = {
        heading: [row for row, pair in enumerate(zip(rows, second[heading], strict=True)) if len(set(pair)) > 1]
        for heading, rows in first.items()
    }
    assert changed.pop("Deck Cal") == list(seen.hidden)
    assert {deal.unlocks[row].name for row in changed.pop("Unlocks")} == {"Ann", "Bob"}
    assert not any(changed.values())
    real, other = hands(before_the_end()), hands(deal)
    assert real[:LAST] == other[:LAST]
    assert real[LAST] != other[LAST]
    assert other[LAST] == [deal.cards[turned(cards, seen.hidden)[seen.slot(place)]] for place in seen.hand]


@pytest.mark.exhaustive(seconds=4)
@thirds
def test_the_same_proofs_prove_points_that_no_key_has_locked(
    third: int, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random points in place of the locked ones pass every check. So whoever finds the hand tells these from locked points."""
    seen, chance = held(third), Random(third)
    points = encode_all([BASE_TABLE.times(chance.randrange(1, L)) for _ in range(12)])
    deal = without_key(seen, points, cards_by_slot(third), oracle)
    check(deal)
    again = Held(deal, third, seen.seeds)
    assert again.points == tuple(points)
    assert len(again.shown) == len(seen.shown)
    assert deal.proofs[third] == seen.deal.proofs[third]
    monkeypatch.undo()
    with pytest.raises(RefusedError, match="does not come out"):
        check(deal)
