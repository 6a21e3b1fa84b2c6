"""The judge of The King is Dead: what positions are worth, which turns are listed, and which positions fit a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from attrs import evolve

from tests.games.struggle.shared.family import struggles
from tests.shared.strategies import CUNNING, GAME, random_game, start
from tests.shared.tables import each_row
from tkid.bots.plugin import find_judge
from tkid.bots.roster import RandomPlayer
from tkid.games.struggle.bots.outlook import NAMES, USUAL, read_weights_tables
from tkid.games.struggle.rules.board import HIDDEN, Position
from tkid.games.struggle.rules.game import PASS, Struggle

SEED = 20261123
TABLES = [(ruleset.code, ruleset.game(), players) for ruleset in struggles() for players in (2, 3, 4)]
called = lambda value: value if isinstance(value, str | int) else ""  # noqa: E731 - a game has no short name


def reached(game: Struggle, players: int, every: int = 7) -> Iterator[Position]:
    """Some positions of a random game, and its last."""
    positions = [position for position, _, _ in random_game(Random(SEED + players), players, 0.3, game)]
    yield from positions[::every]
    yield positions[-1]


@each_row("code, game, players", TABLES, ids=called)
def test_values_are_chances(code: str, game: Struggle, players: int) -> None:
    known = find_judge(game)
    for position in reached(game, players):
        values = known.estimate_chances(position)
        assert len(values) == len(game.parties[players]), code
        assert sum(values) == pytest.approx(1)
        assert all(0 <= value <= 1 for value in values)


@each_row("code, game, players", TABLES, ids=called)
def test_finished_positions_are_exact(code: str, game: Struggle, players: int) -> None:
    *_, last = reached(game, players)
    won = [set(party) <= set(last.winners) or not last.winners for party in game.parties[players]]
    assert find_judge(game).estimate_chances(last) == tuple(each / sum(won) for each in won), code


def test_shared_and_missing_victories() -> None:
    *_, last = reached(GAME, 3)
    assert find_judge(GAME).estimate_chances(last.replace(winners=(0, 2))) == (0.5, 0, 0.5)
    assert find_judge(GAME).estimate_chances(last.replace(winners=())) == (1 / 3, 1 / 3, 1 / 3)


@each_row("code, game", [(code, game) for code, game, players in TABLES if players == 2], ids=called)
def test_values_do_not_know_who_sits_where(code: str, game: Struggle) -> None:
    for position in reached(game, 2):
        if position.decision is not None:
            assert find_judge(game).estimate_chances(mirrored(position)) == pytest.approx(
                find_judge(game).estimate_chances(position)[::-1]
            ), code


def mirrored(position: Position) -> Position:
    """The same position with the seats of two players changed."""
    other: dict[Any, Any] = {0: 1, 1: 0, None: None}
    banned = position.banned and evolve(position.banned, by=other[position.banned.by])
    by_seat = ("courts", "hands", "discards", "negotiation_discs", "last_acted", "emptied")
    changed: dict[str, Any] = {name: getattr(position, name)[::-1] for name in by_seat}
    return position.replace(**changed, to_act=other[position.to_act], starter=other[position.starter], banned=banned)


@each_row("code, game, players", TABLES, ids=called)
def test_ranked_turns_are_legal_and_lead_to_different_positions(code: str, game: Struggle, players: int) -> None:
    for position in reached(game, players, 19):
        if position.decision is None:
            continue
        listed = find_judge(game).rank_turns(position, 10)
        assert 1 <= len(listed) <= 10
        for turn, after in listed:
            assert played(game, position, turn) == after
            assert not game.turn_continues(after)
        assert len({after for _, after in listed}) == len(listed), code
        if position.decision == "play":
            assert (PASS,) in [turn for turn, _ in listed]
        values = [find_judge(game).estimate_chances(after)[party_of(game, position)] for _, after in listed]
        assert values[:-1] == sorted(values[:-1], reverse=True)


def played(game: Struggle, position: Position, turn: tuple[Any, ...]) -> Position:
    """The position after a turn; every move of it is checked."""
    for move in turn:
        assert move in game.legal(position)
        position, _ = game.play(position, move)
    return position


def party_of(game: Struggle, position: Position) -> int:
    """The party of the seat to act."""
    return next(n for n, party in enumerate(game.parties[len(position.courts)]) if position.to_act in party)


@each_row("most", [1, 2, 5, 40])
def test_no_more_turns_than_asked_for(most: int) -> None:
    listed = find_judge(GAME).rank_turns(start(2, bytes(32)), most)
    assert len(listed) == most


def test_where_plot_is_named_its_best_faction_comes_first() -> None:
    rng, seen = Random(SEED), 0
    while not seen:
        for position, _, _ in random_game(rng, 2, 0.6, CUNNING):
            if position.decision == "plot":
                listed = find_judge(CUNNING).rank_turns(position, 5)
                assert [len(turn) for turn, _ in listed] == [1] * len(listed)
                assert find_judge(CUNNING).estimate_chances(position) == find_judge(CUNNING).estimate_chances(
                    listed[0][1]
                )
                seen += 1


# -- worlds -----------------------------------------------------------------------------------------------


def test_a_hand_of_cunning_cards_is_one_of_84() -> None:
    view = CUNNING.view(start(2, bytes(32), CUNNING), 0)
    worlds = find_judge(CUNNING).sample_positions(view, 100, Random(SEED))
    assert len(worlds) == 84
    assert len({world.hands[1] for world in worlds}) == 84


def test_a_cunning_card_that_is_seen_leaves_28() -> None:
    position = start(2, bytes(32), CUNNING)
    seen = next(card for card in position.hands[1] if card in CUNNING.hands.deck and card != CUNNING.plot)
    hand = tuple(card for card in position.hands[1] if card != seen)
    view = CUNNING.view(position.replace(hands=(position.hands[0], hand), discards=((), (seen,))), 0)
    assert len(find_judge(CUNNING).sample_positions(view, 100, Random(SEED))) == 28


def test_a_sample_is_fair() -> None:
    view = CUNNING.view(start(2, bytes(32), CUNNING), 0)
    lot, counts = Random(SEED), Counter[str]()
    for _ in range(100):
        worlds = find_judge(CUNNING).sample_positions(view, 12, lot)
        assert len(set(worlds)) == 12
        counts.update(card for world in worlds for card in world.hands[1] if card in CUNNING.hands.deck)
    assert set(counts) == set(CUNNING.hands.deck) - set(view.shown.hands[0])
    assert all(300 < count < 500 for count in counts.values()), f"{counts}, expected 400 each, seed {SEED}"


@each_row("code, game, players", TABLES, ids=called)
def test_worlds_fit_the_view(code: str, game: Struggle, players: int) -> None:
    for position in reached(game, players, 25):
        for seat in (0, players - 1):
            view = game.view(position, seat)
            worlds = find_judge(game).sample_positions(view, 20, Random(SEED))
            assert 1 <= len(worlds) <= 20
            for world in worlds:
                assert game.view(world, seat) == view, code
                assert HIDDEN not in {card for cards in (*world.hands, *world.discards) for card in cards}


@each_row("code, game, players", TABLES, ids=called)
def test_what_is_true_is_one_of_all_worlds(code: str, game: Struggle, players: int) -> None:
    *_, last = (p for p in reached(game, players) if p.decision == "play")
    worlds = find_judge(game).sample_positions(game.view(last, 0), 400, Random(SEED))
    if len(worlds) < 400:
        assert sorted_cards(last) in [sorted_cards(world) for world in worlds], code


def sorted_cards(position: Position) -> list[list[str]]:
    """The cards of every hand and pile, whatever their order."""
    return [sorted(cards) for cards in (*position.hands, *position.discards)]


# -- strength ---------------------------------------------------------------------------------------------


@pytest.mark.exhaustive(seconds=2)
@each_row("code, game", [(code, game) for code, game, players in TABLES if players == 2], ids=called)
def test_the_best_turn_beats_turns_by_lot(code: str, game: Struggle) -> None:
    won = 0.0
    for deal in range(6):
        position = start(2, Random(SEED + deal).randbytes(32), game)
        while position.decision is not None:
            view = game.view(position, position.to_act)
            ours = position.to_act == deal % 2
            turn = find_judge(game).rank_turns(view.shown, 8)[0][0] if ours else RandomPlayer(game).choose(view, 1)
            for move in turn:
                position, _ = game.apply(position, move)
        won += find_judge(game).estimate_chances(position)[deal % 2]
    assert won >= 4, f"{code}: {won} of 6, seed {SEED}"


def test_the_file_of_weights_is_complete() -> None:
    assert read_weights_tables()[USUAL]
    assert {name for name in read_weights_tables() if name != USUAL} <= {
        f"{code}-{players}" for code, _, players in TABLES
    }
    assert all(getattr(table, name) > 0 for table in read_weights_tables().values() for name in NAMES)
