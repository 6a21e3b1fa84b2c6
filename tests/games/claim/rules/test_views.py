"""What a seat may know of a game of Claim: positions that look alike to it are alike in all that it is told."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, heard, plays, positions, random_game, seeds, twin
from tests.shared.examples import examples
from tkid.games.claim.rules import PACK, PLAYS, Cards, Play, Position, count_unseen, reveal_deck_cards, sort_cards
from tkid.kernel.game import HIDDEN

seats = st.sampled_from((0, 1, None))


@pytest.mark.slow
@given(positions(), seats, seeds, st.lists(plays, max_size=6))
@examples(150)
def test_two_positions_with_the_same_view_are_told_alike(
    position: Position, seat: int | None, seed: int, tried: list[Play]
) -> None:
    other = twin(Random(seed), position, seat)
    view, same = CLAIM.view(position, seat), CLAIM.view(other, seat)
    assert (view, repr(view)) == (same, repr(same))
    one, two = view.shown, same.shown
    assert list(CLAIM.legal(one)) == list(CLAIM.legal(two))
    for move in tried:
        assert CLAIM.check(one, move) == CLAIM.check(two, move)
    assert CLAIM.result(one) == CLAIM.result(two)
    if position.to_act == seat and seat is not None:
        # To whom it is to act everything that decides is known: the view is judged as the position is.
        assert list(CLAIM.legal(one)) == list(CLAIM.legal(position)) == list(CLAIM.legal(other))
        for move in tried:
            assert CLAIM.check(one, move) == CLAIM.check(position, move) == CLAIM.check(other, move)


@pytest.mark.slow
@given(positions(over=False), seats, seeds)
@examples(100)
def test_a_card_that_is_played_tells_the_same_to_whoever_cannot_tell_the_positions_apart(
    position: Position, seat: int | None, seed: int
) -> None:
    """As long as the next two cards of the deck are the same: one is drawn, the other turned up."""
    other = twin(Random(seed), position, seat)
    common = [move for move in CLAIM.legal(position) if move in CLAIM.legal(other)]
    assume(common)
    told = []
    for each in (position, other):
        after, events = CLAIM.play(each.replace(deck=position.deck[:2] + each.deck[2:]), common[0])
        told.append((CLAIM.view(after, seat), heard(events, seat)))
    assert told[0] == told[1]


@given(positions(), seats)
def test_a_view_hides_what_lies_face_down_and_nothing_else(position: Position, seat: int | None) -> None:
    shown = CLAIM.view(position, seat).shown
    for owner in position.seats:
        for all_of, seen in ((position.hands, shown.hands), (position.followers, shown.followers)):
            assert seen[owner] == (all_of[owner] if owner == seat else (HIDDEN,) * len(all_of[owner]))
    assert set(shown.deck) <= {HIDDEN}
    assert shown.replace(hands=position.hands, followers=position.followers, deck=position.deck) == position
    assert CLAIM.view(shown, seat).shown == shown


def test_drawn_cards_are_told_to_whoever_drew_them_alone() -> None:
    for seed in range(20):
        for _, _, events in random_game(Random(seed)):
            for event in events:
                assert (event.only is None) == (" draws the " in event.text or " draws " not in event.text)
                assert event.only is None or event.line.startswith(f"{{{event.only}}} draws ")
                for seat in {0, 1, None} - {event.only}:
                    assert not re.search(
                        r" draws (?!the next card)", f"{event.seen(seat).text} {event.seen(seat).line}"
                    )


@pytest.mark.slow
@given(seeds, st.integers(0, 1))
@examples(15)
def test_a_game_that_is_partly_known_goes_on_as_the_whole_one(seed: int, seat: int) -> None:
    """What a seat knows is played along with every card: it finds each one possible, and ends alike."""
    game = list(random_game(Random(seed)))
    known = CLAIM.view(game[0][0], seat).shown
    for (before, _, _), (after, move, events) in pairwise(game):
        assert move is not None
        assert not CLAIM.check(known, move)
        if before.led is not None and before.phase == 1:
            loser = next(event.only for event in events if event.only is not None)
            drawn = before.deck[0] if loser == seat else HIDDEN
            known = reveal_deck_cards(known, drawn, after.prize or HIDDEN)
        known, told = CLAIM.play(known, move)
        assert told == heard(events, seat)
        assert CLAIM.view(known, seat) == CLAIM.view(after, seat)
    assert CLAIM.result(known) == CLAIM.result(game[-1][0])


# -- hidden hands -----------------------------------------------------------------------------------------


def possible(position: Position) -> set[str]:
    """By trying every hand that the hidden cards may be: the cards that are legal in one of them."""
    seat = position.to_act
    assert seat is not None
    hand = position.hands[seat]
    pool = [card for card in count_unseen(position).elements() if card[0] not in position.lacks[seat]]
    known = tuple(card for card in hand if card != HIDDEN)
    found: set[str] = set()
    for drawn in set(combinations(sorted(pool), hand.count(HIDDEN))):
        whole = (*position.hands[:seat], sort_cards((*known, *drawn)), *position.hands[seat + 1 :])
        found |= {move.card for move in CLAIM.legal(position.replace(hands=whole))}
    return found


@pytest.mark.slow
@given(seeds, st.integers(1, 3), st.integers(0, 3), st.sampled_from(("", "G", "K", "UX")))
@examples(50)
def test_what_a_hidden_hand_may_play_is_what_some_hand_may(seed: int, hidden: int, more: int, lacks: str) -> None:
    rng = Random(seed)
    pack = list(PACK)
    rng.shuffle(pack)
    led, *pack = pack
    known, pack = pack[: rng.randrange(3)], pack[2:]
    left = [card for card in pack if card[0] not in lacks]
    pool, seen = left[: hidden + more], [*left[hidden + more :], *(card for card in pack if card[0] in lacks)]
    assume(len(pool) >= hidden)
    hand: Cards = sort_cards([*known, *[HIDDEN] * hidden])
    position = Position(
        leader=0, led=led, hands=((), hand), followers=((), ()), scores=((), ()), discards=sort_cards(seen), deck=(),
        prize=None, lacks=("", lacks),
    )  # fmt: skip
    expected = possible(position)
    options = CLAIM.legal(position)
    assert {move.card for move in options} == expected
    assert Counter(options) == Counter(set(options))
    for card in rng.sample(list(PLAYS), 8):
        assert (not CLAIM.check(position, PLAYS[card])) == (card in expected)


def test_who_did_not_follow_cannot_hold_the_faction() -> None:
    """A revoke shows in a file with hidden hands, too."""
    position = Position(
        leader=0, led="G5", hands=(("K2", "X1"), ("?", "?")), followers=((), ()), scores=((), ()), discards=(),
        deck=(), prize=None, lacks=("", ""),
    )  # fmt: skip
    after, _ = CLAIM.play(position, PLAYS["D3"])
    assert after.lacks == ("", "G")
    after = after.replace(leader=0, led="K2", hands=(("X1",), ("?",)))
    (violation,) = CLAIM.check(after, PLAYS["G7"])
    assert violation.rule == "claim.trick.hand"
    assert violation.sentence == "{1} cannot have Goblin 7 after failing to follow Goblins"
    assert CLAIM.play(position, PLAYS["X3"])[0].lacks == ("", "")
