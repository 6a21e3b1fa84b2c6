"""Random whole games as a hypothesis state machine: what holds in every position, whatever is played."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.strategies import GAME, moves, players, start
from tkid.games.struggle.board import OPEN, plus
from tkid.games.struggle.game import IllegalMoveError
from tkid.games.struggle.moves import Move
from tkid.notation.positions import read_position, write_position
from tkid.record.json import position_json, read_position_json

LONGEST = 400
"""No game takes more decisions: 32 cards with their summonses, and eight struggles with passes between."""


class WholeGame(RuleBasedStateMachine):
    """A game in which anything is tried and what is legal is played."""

    @initialize(seats=players, entropy=st.binary(min_size=1, max_size=8))
    def deal(self, seats: int, entropy: bytes) -> None:
        self.position = start(seats, entropy)
        self.followers = 48 if seats == 2 else 54
        self.played = 0

    @precondition(lambda self: self.position.to_act is not None)
    @rule(choice=st.floats(0, 1, exclude_max=True))
    def play_legal(self, choice: float) -> None:
        options = GAME.legal(self.position)
        assert len(options) > 0
        move = options[int(choice * len(options))]
        assert move in options
        assert GAME.check(self.position, move) == ()
        assert GAME.canonical(self.position, move) == move
        before = self.position
        self.position, events = GAME.play(before, move)
        assert events
        assert hash(before) != hash(self.position)
        self.played += 1
        for old, new, disc in zip(before.regions, self.position.regions, before.discs, strict=True):
            assert disc == OPEN or (old == new and not any(new)), "something entered a region with a disc"

    @rule(move=moves)
    def try_anything(self, move: Move) -> None:
        options = GAME.legal(self.position)
        canonical = GAME.canonical(self.position, move)
        listed = any(option == canonical for option in options)
        violations = GAME.check(self.position, move)
        assert listed == (violations == ()) == (move in options)
        for violation in violations:
            assert violation.sentence
            assert not violation.sentence.endswith(".")
        if violations:
            try:
                GAME.play(self.position, move)
            except IllegalMoveError:
                return
            raise AssertionError("an illegal move was played")

    @invariant()
    def followers_are_conserved(self) -> None:
        total = self.position.supply
        for group in (*self.position.regions, *self.position.courts):
            total = plus(total, group)
            assert min(group) >= 0
        assert min(self.position.supply) >= 0
        assert total == (self.followers // 3,) * 3

    @invariant()
    def written_and_read_back(self) -> None:
        game, position = read_position(write_position(GAME, self.position))
        assert (game, position) == (GAME, self.position)
        game, position = read_position_json(position_json(GAME, self.position))
        assert (game, position) == (GAME, self.position)

    @invariant()
    def it_ends(self) -> None:
        assert self.played <= LONGEST
        assert (self.position.to_act is None) == (self.position.ending is not None) == bool(self.position.winners)
        result = GAME.result(self.position)
        assert (result.winners if result else ()) == self.position.winners

    @invariant()
    def the_tracks_resolved_cards_come_first(self) -> None:
        resolved = len(self.position.struggles)
        assert self.position.track[:resolved] == self.position.struggles
        assert [disc != OPEN for disc in (self.position.discs[r] for r in self.position.track)] == [
            space < resolved for space in range(8)
        ]


WholeGame.TestCase.settings = settings(max_examples=60, stateful_step_count=80, deadline=None)
TestWholeGame = pytest.mark.slow(WholeGame.TestCase)
