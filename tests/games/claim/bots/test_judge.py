"""What a position of Claim is worth, which cards look good, and why, in words that read well."""

from __future__ import annotations

from random import Random

from hypothesis import given

from tests.games.claim.shared import CLAIM, positions, reached, seeds, twin
from tests.shared.examples import examples
from tests.shared.tables import each_row
from tkid.bots.plugin import find_judge
from tkid.games.claim.bots import ClaimJudge
from tkid.games.claim.rules import PLAYS, Position, sort_cards
from tkid.kernel.game import fill_names

JUDGE = ClaimJudge(CLAIM)
EXACT = 1e-12


def test_the_plugin_has_one_judge_for_a_game() -> None:
    assert find_judge(CLAIM) is find_judge(CLAIM)
    assert isinstance(find_judge(CLAIM), ClaimJudge)


@examples(60)
@given(positions())
def test_values_are_chances_that_add_up_to_one(position: Position) -> None:
    found = JUDGE.estimate_chances(position)
    assert len(found) == 2
    assert abs(sum(found) - 1) < EXACT
    assert all(0 <= value <= 1 for value in found)
    if position.to_act is None:
        assert found == (0.5, 0.5) if not position.winners else found[position.winners[0]] == 1


@examples(40)
@given(positions(over=False))
def test_values_are_the_same_from_the_other_side(position: Position) -> None:
    """Whoever sits where, a position is worth the same."""
    assert position.leader is not None
    turned = position.replace(
        leader=1 - position.leader,
        **{name: getattr(position, name)[::-1] for name in ("hands", "followers", "scores", "lacks")},
    )
    first, second = JUDGE.estimate_chances(position)
    assert abs(JUDGE.estimate_chances(turned)[0] - second) < 1e-9
    assert abs(JUDGE.estimate_chances(turned)[1] - first) < 1e-9


@examples(40)
@given(positions(over=False))
def test_ranked_cards_are_legal_and_lead_where_they_say(position: Position) -> None:
    legal = set(CLAIM.legal(position))
    found = JUDGE.rank_turns(position, 5)
    assert len(found) == min(5, len(legal))
    assert len({turn for turn, _ in found}) == len(found)
    for (move,), after in found:
        assert move in legal
        assert after == CLAIM.play(position, move)[0]


@examples(25)
@given(positions(over=False), seeds)
def test_a_view_is_ranked_alike_whatever_it_hides(position: Position, seed: int) -> None:
    seat = position.to_act
    other = twin(Random(seed), position, seat)
    first, second = (CLAIM.view(each, seat).shown for each in (position, other))
    assert first == second
    assert JUDGE.rank_turns(first, 13) == JUDGE.rank_turns(second, 13)
    assert JUDGE.estimate_chances(first) == JUDGE.estimate_chances(second)


def test_better_followers_are_worth_more() -> None:
    """The lowest Undead of a pile for the highest of the other's: the chance never goes down, and mostly up."""
    gains = []
    for seed in range(40):
        position = reached(Random(seed), 12)
        undead = [[card for card in pile if card[0] == "U"] for pile in position.followers]
        if all(undead) and undead[0][0] < undead[1][-1]:
            low, high = undead[0][0], undead[1][-1]
            first = sort_cards(high if card == low else card for card in position.followers[0])
            second = sort_cards(low if card == high else card for card in position.followers[1])
            gains.append(
                JUDGE.estimate_chances(position.replace(followers=(first, second)))[0]
                - JUDGE.estimate_chances(position)[0]
            )
    assert min(gains) >= 0
    assert sum(gain > 0 for gain in gains) > len(gains) / 2


def test_a_game_that_is_decided_is_certain() -> None:
    """Three votes that nobody can take away are worth 1, though cards are left."""
    seen = set()
    for seed in range(60):
        position = reached(Random(seed), 50)
        solved = JUDGE.solve(position, 1000)[0][1]
        value = JUDGE.estimate_chances(position)[0]
        if value in {0.0, 1.0}:
            seen.add(value)
            assert solved[0] == value
    assert seen == {0.0, 1.0}


def test_phase_two_is_soluble_and_phase_one_is_not() -> None:
    assert [JUDGE.is_soluble(reached(Random(1), turns)) for turns in (0, 25, 26, 40)] == [False, False, True, True]


@each_row(
    "seed, turns, card, expected",
    [
        (3, 21, "G0", "cannot win Goblin 2, so gives away Goblin 0"),
        (7, 49, "G1", "gives away Goblin 1 in a trick that goes to {0}"),
        (37, 51, "U6", "plays the last card"),
        (0, 0, "G0", "leads Goblin 0 and saves higher cards for later prizes"),
        (0, 0, "U9", "leads Undead 9 for Dwarf 7: no card that {1} may hold beats it"),
        (0, 0, "G9", "leads Goblin 9 for Dwarf 7: of the 38 cards that {0} has not seen, seven beat it"),
        (16, 8, "X5", "leads Doppelganger 5 for Undead 0: of the 30 cards that {0} has not seen, one beats it"),
        (4, 28, "D7", "leads Dwarf 7 to keep the lead"),
        (4, 28, "K2", "leads Knight 2, which {0} can beat with four cards"),
        (4, 28, "G5", "leads Goblin 5, which {0} can only beat with Doppelganger 7"),
        (12, 32, "G3", "leads Goblin 3, which {0} can only beat with Doppelganger 4 or Doppelganger 6"),
        (4, 28, "G9", "leads Goblin 9, which {0} cannot beat"),
        (4, 28, "X0", "leads Doppelganger 0, which {0} has to beat"),
        (34, 30, "D0", "leads Dwarf 0, which {1} has to beat: the Dwarf goes to {0}"),
        (1, 7, "G0", "leaves Doppelganger 9 to {0} and draws a follower from the deck"),
        (13, 39, "D4", "loses the trick and scores Dwarf 4"),
        (49, 31, "D1", "loses the trick and scores Dwarf 1 and Dwarf 8"),
        (73, 43, "X1", "makes the vote of the Doppelgangers certain"),
        (29, 47, "D5", "makes the vote of the Dwarves certain"),
        (29, 47, "X5", "makes the vote of the Goblins certain"),
        (5, 35, "U2", "makes the vote of the Undead certain"),
        (43, 41, "K8", "makes the votes of the Goblins and the Knights certain"),
        (1, 7, "X6", "wins Doppelganger 9 as a follower"),
        (23, 5, "X8", "wins Knight 9 as a follower and scores Undead 7"),
        (25, 19, "U9", "wins Goblin 0 as a follower and scores Undead 7 and Undead 9"),
        (27, 33, "X4", "wins the trick and scores Doppelganger 4"),
        (19, 29, "X2", "wins the trick and scores Doppelganger 0 and Doppelganger 2"),
        (27, 33, "D3", "wins the trick and the lead, and the Dwarves go to {0}"),
    ],
)
def test_a_reason_reads_well(seed: int, turns: int, card: str, expected: str) -> None:
    position = reached(Random(seed), turns)
    turn = (PLAYS[card],)
    assert JUDGE.explain_turn(position, turn, CLAIM.play(position, turn[0])[0]) == expected


def test_every_card_has_a_reason_that_hangs_on_what_its_player_sees() -> None:
    for seed in range(80):
        position = reached(Random(seed), (seed * 7) % 52)
        seat = position.to_act
        shown = CLAIM.view(position, seat).shown
        for move in CLAIM.legal(position):
            reason = JUDGE.explain_turn(position, (move,), CLAIM.apply(position, move)[0])
            assert reason == JUDGE.explain_turn(shown, (move,), CLAIM.apply(shown, move)[0])
            told = fill_names(reason, ("Ann", "Bob"))
            assert "{" not in told
            assert told[0].islower()
            assert not told.endswith(".")
