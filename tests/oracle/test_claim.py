"""Claim's engine against the naive oracle: every pair of cards in each phase, and the votes."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.claim.shared import CLAIM, cards, made_up, random_game
from tests.oracle import claim as oracle
from tkid.games.claim import rules as claim_rules
from tkid.games.claim.rules import FACTIONS, NAMES, PACK, PLAYS, Cards, Position, sort_cards

PAIRS = [(PACK[a], PACK[b]) for a, b in permutations(range(len(PACK)), 2)]
"""All 52 x 51 ordered pairs of different cards of the pack, led and held."""
phases = pytest.mark.parametrize("phase", [1, 2])


def legal(position: Position) -> set[oracle.Card]:
    """The legal cards, as the oracle writes them; what is enumerated and what is judged agree."""
    options = CLAIM.legal(position)
    found = {move.card for move in options}
    assert len(options) == len(found)
    assert found == {card for card in PLAYS if not CLAIM.check(position, PLAYS[card])}
    return {oracle.card(card) for card in found}


def test_the_pack_is_that_of_the_rules() -> None:
    assert Counter(map(oracle.card, PACK)) == Counter(oracle.PACK)
    assert len(PAIRS) == 52 * 51


@pytest.mark.slow
@phases
def test_what_may_be_played_second_on_every_card(phase: int) -> None:
    """The held card with a partner of each faction, so that the hand can follow and cannot, with a way out or none."""
    seen: set[tuple[str, Cards]] = set()
    kinds: Counter[tuple[bool, bool]] = Counter()
    for led, held in PAIRS:
        for beside in (None, *(faction + "7" for faction in FACTIONS)):
            hand = sort_cards(filter(None, (held, beside)))
            if (led, hand) in seen or Counter((*hand, led)) - Counter(PACK):
                continue
            seen.add((led, hand))
            expected = oracle.playable(map(oracle.card, hand), oracle.card(led))
            position = made_up(hand, led, phase)
            assert {oracle.card(move.card) for move in CLAIM.legal(position)} == expected, (led, hand)
            assert {oracle.card(card) for card in hand if not CLAIM.check(position, PLAYS[card])} == expected
            kinds[any(card[0] == led[0] for card in hand), len(expected) < len(set(hand))] += 1
    assert kinds[False, True] == 0  # who cannot follow is free
    assert min(kinds[True, True], kinds[True, False], kinds[False, False]) > 1000


@given(st.lists(st.sampled_from(range(len(PACK))), min_size=1, max_size=13, unique=True), st.none() | cards)
def test_what_may_be_played_from_any_hand(places: list[int], led: str | None) -> None:
    hand = sort_cards(PACK[place] for place in places)
    expected = oracle.playable(map(oracle.card, hand), oracle.card(led) if led else None)
    assert legal(made_up(hand, led, 1)) == expected


@pytest.mark.slow
@phases
def test_who_wins_the_trick_and_its_cards_for_every_pair(phase: int) -> None:
    for led, second in PAIRS:
        before = made_up((second,), led, phase)
        if phase == 1:
            before = before.replace(prize="D4", deck=("K3",))
        after, events = CLAIM.play(before, PLAYS[second])
        wins = oracle.second_wins(oracle.card(led), oracle.card(second))
        winner, loser = (1, 0) if wins else (0, 1)
        assert f"{{{winner}}} wins the trick" in events[1].text, (led, second)
        split = oracle.recruited if phase == 1 else oracle.gathered
        first, rest = split(oracle.card(led), oracle.card(second))
        assert sorted(map(oracle.card, after.scores[winner])) == sorted(first)
        if phase == 1:
            assert sorted(map(oracle.card, after.discards)) == sorted(rest)
            assert after.scores[loser] == ()
            assert (after.hands[winner], after.hands[loser]) == (("D4",), ("K3",))
            assert after.leader == winner
        else:
            assert sorted(map(oracle.card, after.scores[loser])) == sorted(rest)
            assert after.leader is None


# -- votes ------------------------------------------------------------------------------------------------


def votes_agree(scores: tuple[Cards, ...]) -> set[str]:
    """The votes and the winner are the oracle's; the rules by which votes were found."""
    piles = [list(map(oracle.card, pile)) for pile in scores]
    found = list(claim_rules.list_votes(scores))
    assert [each.seat for each in found] == [oracle.vote(each.faction.name, piles) for each in found]
    assert [each.faction.name for each in found] == list(oracle.FACTIONS)
    result = claim_rules.score_result(scores)
    winner = oracle.winner(piles)
    assert result.winners == (() if winner is None else (winner,))
    assert result.ending == ("drawn" if winner is None else "votes")
    assert [step.rule for step in result.chain[:-1]] == [each.step.rule for each in found]
    return {step.rule for step in result.chain}


@given(st.lists(st.sampled_from((0, 1, None)), min_size=52, max_size=52), st.sets(st.sampled_from(list(FACTIONS))))
def test_the_votes_of_any_piles(owners: list[int | None], left: set[str]) -> None:
    """Every card is in one pile, in the other or in none; some factions altogether in none."""
    dealt = [(card, owner) for card, owner in zip(PACK, owners, strict=True) if card[0] not in left]
    votes_agree(tuple(sort_cards(card for card, owner in dealt if owner == seat) for seat in (0, 1)))


def test_the_votes_of_random_games() -> None:
    rules: set[str] = set()
    for seed in range(60):
        *_, (position, _, _) = random_game(Random(seed))
        rules |= votes_agree(position.scores)
    assert {"claim.vote.most", "claim.vote.highest", "claim.ending.votes"} <= rules


@pytest.mark.parametrize(
    ("first", "second", "winner", "said"),
    [
        ("G0 G0 K9 D9", "G0 G0 K2 D8", None, "both have Goblin 0"),
        ("G0 G0 K9", "G0 G0 D8", None, "nobody has 3"),
        ("", "", None, "nobody's vote"),
        ("G9 K2 K3 D1", "G8 K9 D0", 0, "the highest: {0} 9, {1} 8"),
        ("U0", "G1 K2 X0", 1, "Votes: {0} 1, {1} 3"),
    ],
)
def test_votes_by_hand(first: str, second: str, winner: int | None, said: str) -> None:
    scores = (tuple(first.split()), tuple(second.split()))
    result = claim_rules.score_result(scores)
    assert result.winners == (() if winner is None else (winner,))
    assert said in " / ".join(step.text for step in result.chain)
    votes_agree(scores)


def test_names_are_those_of_the_rules() -> None:
    assert {tuple(NAMES[card].split()) for card in PACK} == {(name, str(value)) for name, value in oracle.PACK}
