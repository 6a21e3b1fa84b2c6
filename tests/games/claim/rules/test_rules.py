"""Every rule of Claim is at work: it is emitted by a card that breaks it, or occurs in a game."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from types import FrameType

import pytest
from hypothesis import given

from tests.games.claim.shared import CLAIM, positions, random_game, reached
from tkid.games.claim.rules import PLAYS, Deal, Position
from tkid.kernel.game import HIDDEN
from tkid.rulebook import all_rules, is_known_rule
from tkid.rulebook.register import CITATIONS

RULES = {rule.id: rule for rule in all_rules() if rule.prefix == "claim"}
ORDINARY, DRAWN = 8, 545
"""Random games: one that is won, and one that is drawn because votes went to nobody."""


def played(seed: int) -> Iterator[str]:
    """The rules of the events of a random game."""
    for _, _, events in random_game(Random(seed)):
        yield from (event.rule for event in events)


@pytest.fixture(scope="module")
def happened() -> set[str]:
    """The rules that occurred: in events, and as citations of functions that ran."""
    ran: set[object] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran.add(frame.f_code)

    sys.setprofile(note)
    try:
        seen = {rule for seed in (ORDINARY, DRAWN) for rule in played(seed)}
        CLAIM.view(reached(Random(ORDINARY), 3), 0)
    finally:
        sys.setprofile(None)
    return seen | {rule for code, rules in CITATIONS.items() if code in ran for rule in rules}


def test_every_procedure_ending_and_ruling_occurs(happened: set[str]) -> None:
    wanted = {rule.id for rule in RULES.values() if rule.kind in {"procedure", "ending", "ruling"}}
    assert wanted - happened == set()


def test_the_games_are_of_both_endings() -> None:
    assert {"claim.ending.votes", "claim.vote.highest"} <= set(played(ORDINARY))
    assert {"claim.ruling.drawn", "claim.ruling.vote-tie"} <= set(played(DRAWN))


def test_every_constraint_is_emitted() -> None:
    hidden = (HIDDEN,) * 13
    deals = [Deal((hidden[1:], hidden), hidden * 2, 0), Deal((hidden, hidden), hidden, 0)]
    deals.append(Deal((("K9", "K9", *hidden[2:]), hidden), hidden * 2, 0))
    said = {violation.rule for deal in deals for violation in CLAIM.find_faults(deal)}
    for turns in range(0, 53, 4):
        position = reached(Random(turns), turns)
        for tried in (position, *([CLAIM.apply(position, CLAIM.legal(position)[0])[0]] if turns < 52 else [])):
            said |= {violation.rule for move in PLAYS.values() for violation in CLAIM.check(tried, move)}
    constraints = {rule.id for rule in RULES.values() if rule.kind == "constraint"}
    assert constraints - said == {"claim.trick.order"}, "that one is broken by records alone"


@given(positions(over=False))
def test_every_rule_of_an_event_is_registered(position: Position) -> None:
    for move in CLAIM.legal(position):
        _, events = CLAIM.play(position, move)
        assert all(is_known_rule(event.rule) and event.text.strip() for event in events)
