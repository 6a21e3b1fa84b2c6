"""Decisions word by word: every legal move can be chosen, nothing else can, and a view tells no more than it shows."""

from __future__ import annotations

from random import Random

import pytest

from tests.shared.tables import sample
from tkid.adapters.match import Match, make_full_layout, make_vocabulary
from tkid.rulebook.rulesets import rulesets

SEED = 20261123
TABLES = [(each.code, players) for each in rulesets() for players in each.game().parties]


@pytest.mark.parametrize(("code", "players"), sample(TABLES, 5))
def test_every_legal_move_is_a_row_of_choices_of_its_own(code: str, players: int) -> None:
    """Words lead to exactly one move, no move is the beginning of another, and a game by lot comes to its end."""
    rng = Random(SEED)
    words = make_vocabulary(code, players)
    layout = make_full_layout(words)
    match = Match.deal_game(words, rng.randbytes(32))
    while match.to_act is not None:
        if not match.choosing.chosen:
            rows = [words.split_move(move) for move in words.game.legal(match.position)]
            assert match.legal == tuple(sorted({row[0] for row in rows}))
            assert len(set(rows)) == len(rows)
            beginnings = {row[:length] for row in rows for length in range(1, len(row))}
            assert not beginnings & set(rows), (code, players, SEED)
            assert len(layout.join_values(match.observe(match.to_act))) == layout.size
        match.choose(rng.choice(match.legal))
    assert sum(match.compute_payoffs()) == pytest.approx(0)
    assert match.position.decision is None
    assert match.legal == ()


def test_words_lead_to_the_move_that_they_spell() -> None:
    words = make_vocabulary("second-edition", 2)
    match = Match.deal_game(words, bytes(32))
    move = next(move for move in words.game.legal(match.position) if len(words.split_move(move)) > 3)
    spelt = words.split_move(move)
    while not match.told:
        match.choose(spelt[len(match.choosing.chosen)])
    assert match.told == [words.game.words.write_move(move)]


def test_a_word_that_no_legal_move_has_is_refused() -> None:
    words = make_vocabulary("claim", 2)
    match = Match.deal_game(words, bytes(32))
    wrong = next(index for index in range(len(words.words)) if index not in match.legal)
    with pytest.raises(ValueError, match="cannot be chosen here"):
        match.choose(wrong)


@pytest.mark.parametrize(("code", "players"), [("second-edition", 5), ("claim", 3)])
def test_a_number_of_players_that_there_is_not_is_refused(code: str, players: int) -> None:
    with pytest.raises(LookupError, match=f"{code} is for"):
        make_vocabulary(code, players)


@pytest.mark.parametrize("code", ["second-edition-advanced", "claim"])
def test_what_a_seat_may_not_know_changes_no_number(code: str) -> None:
    """Two deals that differ only in the other's hand look the same, number by number."""
    words = make_vocabulary(code, 2)
    match = Match.deal_game(words, bytes(32))
    position = match.position
    others = [Match.deal_game(words, bytes([number]) * 32).position for number in range(1, 9)]
    changed = [position.replace(hands=(position.hands[0], other.hands[1])) for other in others]
    assert any(each.hands != position.hands for each in changed)
    for each in changed:
        assert Match(words, each).observe(0) == match.observe(0)
        assert each.hands == position.hands or Match(words, each).observe(1) != match.observe(1)
