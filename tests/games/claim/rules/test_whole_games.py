"""Random whole games of Claim: what holds in every position, whatever is played."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from tests.games.claim.shared import CLAIM, PLAYERS, TRICKS, everything, plays, positions, random_game, seeds, start
from tests.shared.examples import examples
from tkid.games.claim.rules import HAND, PACK, PLAYS, Deal, Play, Position, sort_cards
from tkid.kernel.chance import Chance
from tkid.kernel.game import HIDDEN, Event, IllegalMoveError
from tkid.rulebook import is_known_rule


@pytest.mark.slow
@given(seeds)
@examples(40)
def test_a_game_has_two_phases_of_thirteen_tricks_and_loses_no_card(seed: int) -> None:
    game = list(random_game(Random(seed)))
    assert len(game) == 1 + 4 * TRICKS
    won: list[str] = []
    for turn, (position, _, events) in enumerate(game):
        assert position.turn == turn
        assert everything(position) == PACK
        assert all(pile == sort_cards(pile) for pile in (*position.hands, *position.followers, *position.scores))
        assert position.phase == (1 if turn < 2 * TRICKS else 2)
        assert position.trick == min(turn // 2 % TRICKS + 1 + (turn == 4 * TRICKS) * TRICKS, TRICKS)
        assert (position.decision, position.to_act) != ("play", None)
        assert hash(position) == hash(position.replace())
        won += [event.line.partition(":")[0] for event in events if event.line.startswith("Trick")]
    assert won == [f"Trick {number}" for _ in (1, 2) for number in range(1, TRICKS + 1)]
    end, middle = game[-1][0], game[2 * TRICKS][0]
    assert [len(hand) for hand in middle.hands] == [HAND, HAND]
    assert (end.to_act, end.decision, end.hands) == (None, None, ((), ()))
    result = CLAIM.result(end)
    assert result is not None
    assert (result.ending, result.winners) == (end.ending, end.winners)
    assert sum(map(len, end.scores)) == 2 * TRICKS + sum(
        move.card[0] == "U" for _, move, _ in game[: 2 * TRICKS + 1] if move
    )


@given(seeds)
@examples(20)
def test_the_deck_is_taken_in_pairs_a_prize_and_a_draw(seed: int) -> None:
    """Whoever wins, the odd cards of the deck are the prizes and the even ones are drawn by the losers."""
    rng = Random(seed)
    deal = CLAIM.deal(2, Random(seed).randbytes(32))
    for position, _, events in random_game(rng):
        if position.phase == 1:
            assert position.prize == deal.deck[2 * (position.trick - 1)]
        trick = position.turn // 2 - 1
        for event in events:
            if event.line.endswith(tuple(f"draws {CLAIM.words.write_move(PLAYS[card])}" for card in (deal.deck[1::2]))):
                assert event.line.endswith(CLAIM.words.write_move(PLAYS[deal.deck[2 * trick + 1]]))


@pytest.mark.slow
@given(positions())
@examples(60)
def test_legal_is_what_breaks_no_rule(position: Position) -> None:
    options = CLAIM.legal(position)
    listed = list(options)
    assert len(options) == len(listed) == len(set(listed))
    assert [options[index] for index in range(len(options))] == listed
    assert (not listed) == (position.to_act is None)
    for move in PLAYS.values():
        violations = CLAIM.check(position, move)
        assert (move in options) == (move in listed) == (not violations)
        assert all(is_known_rule(violation.rule) and violation.sentence for violation in violations)


@given(positions(), plays)
def test_an_illegal_card_is_refused_and_changes_nothing(position: Position, move: Play) -> None:
    violations = CLAIM.check(position, move)
    if violations:
        with pytest.raises(IllegalMoveError, match=violations[0].rule):
            CLAIM.play(position, move)
    else:
        after, events = CLAIM.play(position, move)
        assert (after, events) == CLAIM.apply(position, move)
        assert events
        assert all(is_known_rule(event.rule) for event in events)


def test_what_is_said_of_wrong_cards() -> None:
    position = start(bytes(32)).replace(
        leader=0, led="G5", hands=(("K2",), ("G0", "G0", "K9", "X3")), followers=((), ()), scores=((), ())
    )
    (off,) = CLAIM.check(position, Play("K9"))
    assert (off.rule, off.hint) == ("claim.trick.follow", "Legal cards: Goblin 0, Doppelganger 3")
    assert off.sentence == "{1} has Goblins and must follow: Goblin 0 is possible"
    (missing,) = CLAIM.check(position, Play("G7"))
    assert (missing.rule, missing.sentence) == ("claim.trick.hand", "{1} has no Goblin 7 in hand")
    assert [v.rule for v in CLAIM.check(position, Play("U7"))] == ["claim.trick.hand", "claim.trick.follow"]
    assert not CLAIM.check(position, Play("X3"))
    over = position.replace(leader=None, led=None, hands=((), ()), prize=None)
    assert [v.rule for v in CLAIM.check(over, Play("G0"))] == ["claim.ending.over"]


# -- the deal ---------------------------------------------------------------------------------------------


def test_the_deal_follows_the_documented_order() -> None:
    """From the end of the shuffled pack: thirteen for the first seat, thirteen for the second, the deck; then who leads."""
    entropy = b"some entropy"
    chance = Chance(entropy)
    left = chance.shuffle(PACK)
    deal = CLAIM.deal(2, entropy)
    assert deal.hands == (sort_cards(left[-13:]), sort_cards(left[-26:-13]))
    assert deal.deck == tuple(left[25::-1])
    assert deal.first == chance.draw_below(2)
    assert not CLAIM.find_faults(deal)
    position = CLAIM.start(CLAIM.seat_players(PLAYERS), deal)
    assert (position.prize, position.deck) == (deal.deck[0], deal.deck[1:])
    with pytest.raises(ValueError, match="for 2 players"):
        CLAIM.deal(3, entropy)


@given(seeds)
@examples(30)
def test_every_deal_is_right_hidden_or_not(seed: int) -> None:
    deal = CLAIM.deal(2, Random(seed).randbytes(32))
    assert Counter((*deal.hands[0], *deal.hands[1], *deal.deck)) == Counter(PACK)
    assert not CLAIM.find_faults(deal)
    assert not CLAIM.find_faults(Deal((deal.hands[0], (HIDDEN,) * 13), (deal.deck[0], *(HIDDEN,) * 25), deal.first))


def test_what_is_said_of_a_wrong_deal() -> None:
    deal = CLAIM.deal(2, bytes(32))
    mine, theirs = deal.hands
    short = CLAIM.find_faults(Deal((mine[1:], theirs), deal.deck[:20], 0))
    assert [(v.rule, v.part) for v in short] == [("claim.setup.hands", "Hand 0"), ("claim.setup.deck", "Deck")]
    (twice,) = CLAIM.find_faults(Deal(((*mine[:-1], "K9"), (*theirs[:-1], "K9")), ("?",) * 26, 0))
    assert (twice.rule, twice.part) == ("claim.setup.pack", "Hand 1")
    assert twice.sentence == "Knight 9 is dealt 2 times: there is one of it"
    (many,) = CLAIM.find_faults(Deal((("G0",) * 6 + ("?",) * 7, ("?",) * 13), ("?",) * 26, 0))
    assert "there are 5 of it" in many.sentence


def test_who_may_know_of_an_event() -> None:
    events = (Event("a", "all"), Event("b", "first", "line", only=0, others=("somebody", "")))
    assert [event.seen(0).text for event in events] == ["all", "first"]
    for seat in (1, None):
        assert [(event.seen(seat).text, event.seen(seat).line) for event in events] == [("all", ""), ("somebody", "")]
