"""The search: how it meets hidden hands, what it says of the end of a game, and what it plays when it has lost."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from attrs import evolve

from tests.bots.test_solver import SEED, plain, small
from tests.shared.tables import each_row
from tkid.bots.player import apply_turn, find_party, find_win_shares
from tkid.bots.plugin import find_judge
from tkid.bots.roster import Greedy
from tkid.bots.search import COMMON, WORLDS, Search, Tree
from tkid.games.struggle.bots import StruggleJudge
from tkid.games.struggle.bots.outlook import find_struggle_weights
from tkid.games.struggle.rules.board import Position
from tkid.notation.positions import read_position
from tkid.rulebook.rulesets import ruleset

THOUGHT = 200
FITS_NONE = (
    "second-edition-advanced; MOR =W, STR =W, LAN =E, NOR =E, GWY =S, WAR =unstable, ESS SSWWEE, DEV =S; "
    "supply 9S 8W 3E; track STR DEV LAN NOR MOR WAR GWY ESS*; 1 court SSSWWWEEEE; 1 hand -; 1 played ?, "
    "?, ?, ?, ?, ?, ?, Quell; 1 acted 49; 1 emptied 49; 2 court SSWWEEEEE; 2 hand Negotiate; 2 played "
    "Outmanoeuvre, March, Manoeuvre, Muster, Assemble, Dispute, Assemble; 2 acted 44; 3 court SSWWWEEEE; "
    "3 hand ?; 3 played ?, ?, ?, ?, ?, ?, Negotiate; 3 acted 45; passes 2; to play 1"
)
"""A position that does not follow from a game."""

FIVE_CARDS = (
    "second-edition; MOR =S, STR SWEE, LAN S, NOR SSWWEE, GWY WWWWE, WAR SSWWWW, ESS =E, DEV SSEEE; supply 5S 1E; "
    "track MOR ESS DEV GWY NOR STR LAN* WAR; 1 court SWWWEEE; 1 hand Scottish Support, English Support, Negotiate; "
    "1 played Outmanoeuvre, Manoeuvre, Welsh Support, Assemble, Assemble; 1 acted 14; 2 court SSWWEEEE; 2 hand "
    "Scottish Support, Welsh Support; 2 played Manoeuvre, Negotiate, Assemble, Outmanoeuvre, Assemble, English "
    "Support; 2 acted 17; to play 1"
)
"""An ending that is won, though no turn looks so."""


def test_an_ending_with_five_cards_is_proven() -> None:
    game, position = read_position(FIVE_CARDS)
    (best,) = Search(game).list_best_turns(game.view(position, 0), 1000, 1)
    assert best.proven
    assert best.value == 1


@pytest.mark.parametrize(("code", "cards"), [("second-edition", 1), ("claim", 8)])
def test_a_proven_turn_comes_with_the_rest_of_the_game(code: str, cards: int) -> None:
    """Its line leads to the end, and to the value that was said. The list begins with the turn that is played."""
    proven = 0
    for game, position in small(code, 2, cards, 6):
        seat, search = position.to_act, Search(game)
        view, party = game.view(position, seat), find_party(game, position)
        best, *_ = listed = search.list_best_turns(view, THOUGHT, 3)
        assert best.turn == search.choose(view, THOUGHT), (SEED, position)
        for each in listed:
            if each.proven:
                expected = plain(game, apply_turn(game, position, each.turn), party, {})
                assert each.value == expected, (SEED, position)
        if best.proven and best.value > 0:
            proven += 1
            end = apply_turn(game, position, best.turn)
            for turn in best.line:
                end = apply_turn(game, end, turn)
            assert find_win_shares(game, end)[party] == best.value, (SEED, position)
    assert proven


def test_of_three_parties_only_a_win_is_proven() -> None:
    """What one is sure of against all others may be less than what one gets. A turn that ends the game leaves nothing open."""
    goes_on, ends = set(), set()
    for cards in (1, 2):
        for game, position in small("second-edition", 3, cards, 6):
            for choice in Search(game).list_best_turns(game.view(position, position.to_act), THOUGHT, 6):
                after = apply_turn(game, position, choice.turn)
                if after.to_act is None:
                    assert choice.proven
                    assert choice.value == find_win_shares(game, after)[find_party(game, position)]
                    ends.add(choice.value)
                elif choice.proven:
                    goes_on.add(choice.value)
    assert goes_on == {1.0}
    assert 0.0 in ends


def test_who_has_lost_plays_on_as_if_it_did_not_know() -> None:
    lost = 0
    for game, position in small("second-edition", 2, 2, 6):
        listed = Search(game).list_best_turns(game.view(position, position.to_act), THOUGHT, 3)
        if listed[0].value == 0:
            lost += 1
            worlds, party = [position], find_party(game, position)
            looked = Search(game)._search_turns(worlds, party, THOUGHT, 3)  # noqa: SLF001 - what it would have played
            assert [choice.turn for choice in listed] == [choice.turn for choice in looked]
            assert all(choice.proven for choice in listed)
    assert lost


def test_each_turn_meets_the_same_worlds_and_the_root_is_listed_once() -> None:
    game = ruleset("second-edition-advanced").game()
    begin = game.start(game.seat_players(("a", "b")), game.deal(2, bytes(32)))
    known = find_judge(game, ahead=True)
    worlds = known.sample_positions(game.view(begin, begin.to_act), WORLDS, Random(SEED))
    tree = Tree(game, known, worlds, THOUGHT)
    tree.run_search()
    assert list(tree.root.listed) == [0]
    assert len(tree.root.after) <= COMMON
    met = [set(node.listed) for node in tree.root.after.values()]
    assert all(each == set(range(len(each))) for each in met)
    assert max(map(len, met)) > 1


def test_a_card_is_worth_more_to_who_looks_ahead() -> None:
    usual, ahead = (find_struggle_weights("second-edition-advanced", 2, ahead=each) for each in (False, True))
    assert ahead.card == usual.card * usual.ahead > usual.card
    assert find_struggle_weights("second-edition", 2, ahead=True) == find_struggle_weights("second-edition", 2)


def test_what_fits_no_game_is_told_and_soon() -> None:
    """The last lines of a player's file were cut: its position fits none of millions of deals."""
    game, position = read_position(FITS_NONE)
    view = game.view(position, position.to_act)
    for player in (Search(game), Greedy(game)):
        with pytest.raises(ValueError, match="no hidden cards fit the known facts"):
            player.choose(view, THOUGHT)


def test_who_does_not_know_its_own_cards_is_not_asked() -> None:
    game = ruleset("second-edition-advanced").game()
    position = game.start(game.seat_players(("a", "b", "c")), game.deal(3, bytes(32)))
    seat = position.to_act
    assert seat is not None
    others = game.view(position, (seat + 1) % 3).shown
    for player in (Search(game), Greedy(game)):
        with pytest.raises(ValueError, match=f"seat {seat} does not know its own cards here"):
            player.choose(evolve(game.view(position, seat), shown=others), THOUGHT)


class Hopeful(StruggleJudge):
    """A judge for whom the seat to act wins with this chance."""

    chance = 0.5

    def evaluate(self, position: Position) -> tuple[float, ...]:
        """The chances of two seats."""
        if position.to_act is None:
            return super().evaluate(position)
        return (self.chance, 1 - self.chance)[:: -1 if position.to_act else 1]


@each_row("chance, unsure", [(0.5, False), (0.6, False), (0.95, True)])
def test_a_value_that_looking_ahead_changes_much_is_unsure(chance: float, unsure: bool) -> None:  # noqa: FBT001 - a row
    """After a turn and its answers the other seat is no longer the one to act."""
    game: Any = ruleset("second-edition").game()
    position = game.start(2, game.deal(2, bytes(32)))
    hopeful = Hopeful(game)
    hopeful.chance = chance
    best, *_ = Search(game, hopeful).list_best_turns(game.view(position, position.to_act), THOUGHT, 1)
    assert best.unsure == unsure
