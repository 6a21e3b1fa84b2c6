"""Worlds fit the view and what hands have shown to lack; all are listed where they are few; a sample is fair."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.games.claim.shared import CLAIM, everything, reached
from tests.shared.tables import each_row
from tkid.games.claim.bots.evaluation import find_claim_worlds
from tkid.games.claim.rules import PACK, Position, sort_cards
from tkid.kernel.game import HIDDEN

SEED = 20261123


def late(seed: int) -> Position:
    """A position of the last trick of phase one, in which only a hand, a follower pile and the deck's last card are hidden."""
    return reached(Random(f"{SEED};{seed}"), 24)


@each_row("seed, turns, seat", [(seed, turns, seed % 2) for seed in range(4) for turns in range(0, 52, 3)])
def test_worlds_fit_the_view_and_what_hands_lack(seed: int, turns: int, seat: int) -> None:
    position = reached(Random(seed), turns)
    view = CLAIM.view(position, seat)
    found = find_claim_worlds(view.shown, 5, Random(SEED))
    assert found
    for world in found:
        assert CLAIM.view(world, seat) == view
        assert everything(world) == sort_cards(PACK)
        for hand, lacks in zip(world.hands, world.lacks, strict=True):
            assert not {card[0] for card in hand} & set(lacks)


@each_row("seed", range(20))
def test_in_phase_two_the_other_hand_is_what_is_left_of_the_pack(seed: int) -> None:
    position = reached(Random(seed), 26 + seed)
    for seat in position.seats:
        assert list(find_claim_worlds(CLAIM.view(position, seat).shown, 5, Random(SEED))) == [position]


def test_a_spectator_sees_neither_hand() -> None:
    position = reached(Random(SEED), 7)
    for world in find_claim_worlds(CLAIM.view(position, None).shown, 20, Random(SEED)):
        assert CLAIM.view(world, None) == CLAIM.view(position, None)


def test_a_prize_that_is_not_known_is_in_the_world_too() -> None:
    shown = CLAIM.view(late(1), 0).shown.replace(prize=HIDDEN)
    for world in find_claim_worlds(shown, 20, Random(SEED)):
        assert everything(world) == sort_cards(PACK)


@each_row("seed", range(6))
def test_all_worlds_are_listed_where_they_are_few(seed: int) -> None:
    """Two cards of the other hand and pile are hidden beside the last card of the deck: so many ways, and no more."""
    position = late(seed)
    seat = position.to_act
    assert seat is not None
    shown = CLAIM.view(position, seat).shown
    other = 1 - seat
    hidden = (*position.hands[other], *position.followers[other], *position.deck)
    able = [card for card in hidden if card[0] not in position.lacks[other]]
    found = find_claim_worlds(shown, 100_000, Random(SEED))
    assert len(found) == len(able) * (len(hidden) - 1)
    assert position in found
    assert all(CLAIM.view(world, seat) == CLAIM.view(position, seat) for world in found)


def test_a_sample_is_fair() -> None:
    """Each card that may be in the other hand is there about as often."""
    position = reached(Random(SEED), 10)
    seat, other = 0, 1
    shown = CLAIM.view(position, seat).shown
    found = find_claim_worlds(shown, 3000, Random(SEED))
    counts = Counter(card for world in found for card in world.hands[other])
    able = [card for card in everything(position) if card[0] not in position.lacks[other] and card != "G0"]
    seen = Counter(everything(shown))
    hidden = [card for card in able if card not in seen]
    assert len(hidden) > 15
    assert max(counts[card] for card in hidden) < 1.35 * min(counts[card] for card in hidden), SEED


def test_the_same_lot_gives_the_same_worlds() -> None:
    shown = CLAIM.view(reached(Random(3), 5), 0).shown
    assert (
        find_claim_worlds(shown, 8, Random(1))
        == find_claim_worlds(shown, 8, Random(1))
        != find_claim_worlds(shown, 8, Random(2))
    )
