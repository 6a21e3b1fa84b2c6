"""Random whole games as a hypothesis state machine: what holds in every position, whatever is played."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.shared.examples import examples
from tests.shared.strategies import GAMES, games, moves_of, players, start
from tkid.games.struggle.rules.board import OPEN, add_followers
from tkid.games.struggle.rules.moves import Reveal
from tkid.kernel.game import IllegalMoveError
from tkid.notation.positions import read_position, write_position
from tkid.record.json.positions import position_json, read_position_json

LONGEST = 400
"""No game takes more decisions: 32 cards with their summonses, eight struggles with passes between, and Plot."""
MOVES = {game.code: moves_of(game) for game in GAMES.values()}


class WholeGame(RuleBasedStateMachine):
    """A game in which anything is tried and what is legal is played: each game, under each of the readings."""

    @initialize(name=games, seats=players, entropy=st.binary(min_size=1, max_size=8), passing=st.booleans())
    def deal(self, name: str, seats: int, entropy: bytes, passing: bool) -> None:  # noqa: FBT001 - drawn
        self.game = GAMES[name]
        self.position = start(seats, entropy, self.game)
        self.passing = passing
        self.followers = (16 if seats == 2 else 18,) * 3 + ((9,) if name == "Mordred" else ())
        self.cards = [Counter(hand) for hand in self.position.hands]
        self.played = 0

    @precondition(lambda self: self.position.to_act is not None)
    @rule(choice=st.floats(0, 1, exclude_max=True))
    def play_legal(self, choice: float) -> None:
        options = self.game.legal(self.position)
        assert len(options) > 0
        # Where nobody plays much the game comes to its end within the steps that there are.
        early = self.passing and self.position.decision == "play" and choice < 0.9
        move = options[0] if early else options[int(choice * len(options))]
        assert move in options
        assert self.game.check(self.position, move) == ()
        assert self.game.canonical(self.position, move) == move
        before = self.position
        self.position, events = self.game.play(before, move)
        assert events
        assert hash(before) != hash(self.position)
        self.played += 1
        for old, new, disc in zip(before.regions, self.position.regions, before.discs, strict=True):
            assert disc == OPEN or (old == new and not any(new)), "something entered a region with a disc"

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        move = data.draw(MOVES[self.game.code])
        options = self.game.legal(self.position)
        canonical = self.game.canonical(self.position, move)
        listed = any(option == canonical for option in options)
        violations = self.game.check(self.position, move)
        assert listed == (violations == ()) == (move in options)
        for violation in violations:
            assert violation.sentence
            assert not violation.sentence.endswith(".")
        if violations:
            try:
                self.game.play(self.position, move)
            except IllegalMoveError:
                return
            raise AssertionError("an illegal move was played")

    @invariant()
    def followers_are_conserved(self) -> None:
        total = self.position.supply
        for group in (*self.position.regions, *self.position.courts):
            total = add_followers(total, group)
            assert min(group) >= 0
        assert min(self.position.supply) >= 0
        assert total == self.followers

    @invariant()
    def cards_are_conserved(self) -> None:
        """Every seat has in its hand and on its pile what it was dealt, and Plot in its hand."""
        for hand, pile, dealt in zip(self.position.hands, self.position.discards, self.cards, strict=True):
            assert Counter(hand) + Counter(pile) == dealt
            assert self.game.plot not in pile
        for seat, emptied in enumerate(self.position.emptied):
            assert (emptied is None) == bool(self.position.hands[seat])

    @invariant()
    def written_and_read_back(self) -> None:
        """As it is, and as somebody may know it, by turns."""
        somebody = (None, *self.position.seats)[self.played // 2 % (len(self.position.seats) + 1)]
        shown = self.game.view(self.position, somebody).shown if self.played % 2 else self.position
        game, position = read_position(write_position(self.game, shown))
        assert (game.code, position) == (self.game.code, shown)  # the line does not tell the readings
        assert read_position_json(json.loads(json.dumps(position_json(self.game, shown)))) == (self.game, shown)

    @invariant()
    def it_ends(self) -> None:
        assert self.played <= LONGEST
        over = self.position.to_act is None
        assert over == (self.position.ending is not None)
        result = self.game.result(self.position)
        lost = self.position.ending == self.game.invasion.name and not self.game.invasion.won
        assert bool(self.position.winners) == (over and not lost)
        assert (result.winners if result else ()) == self.position.winners

    @invariant()
    def plot_is_asked_for_at_the_end_alone(self) -> None:
        """When nothing is left to resolve, of whoever holds it, and only where it makes a difference."""
        holders = [seat for seat, hand in enumerate(self.position.hands) if self.game.plot in hand]
        if self.position.decision == "plot":
            assert [self.position.to_act] == holders
            assert self.position.plot is None
            ends = {self.game.play(self.position, Reveal(self.game.plot, faction))[0].winners for faction in range(3)}
            assert len(ends) > 1
            assert self.game.result(self.position) is None
        if self.position.decision == "play":
            cards = any(card != self.game.plot for hand in self.position.hands for card in hand)
            assert cards or self.game.summons.list_without_action(self.position)
        assert self.position.plot is None or holders

    @invariant()
    def the_tracks_resolved_cards_come_first(self) -> None:
        resolved = len(self.position.struggles)
        assert self.position.track[:resolved] == self.position.struggles
        assert [disc != OPEN for disc in (self.position.discs[r] for r in self.position.track)] == [
            space < resolved for space in range(8)
        ]


class ManyGames(WholeGame):
    """The same, many times."""


WholeGame.TestCase.settings = examples(4, stateful_step_count=80)
ManyGames.TestCase.settings = examples(60, stateful_step_count=80)
TestWholeGame = pytest.mark.slow(WholeGame.TestCase)
TestManyGames = pytest.mark.exhaustive(ManyGames.TestCase)
