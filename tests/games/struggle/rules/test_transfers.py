"""Transfers: nobody is made or lost, every resolution can be told from its transfers, and nobody goes nowhere."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.struggle.shared.family import struggles
from tests.shared.strategies import random_game
from tkid.games.struggle.rules.board import Position, count_followers
from tkid.games.struggle.rules.moves import (
    FORMS,
    SUPPLY,
    Copy,
    Exchange,
    Flow,
    NoSuchResolutionError,
    ReturnPlace,
    Transfer,
    find_changes,
    find_resolution,
    list_transfers,
)
from tkid.kernel.ladder import Nothing
from tkid.rulebook.rulesets import Ruleset

ONE = (1, 0, 0)


def _count(position: Position) -> list[int]:
    """The followers of each faction, wherever they are."""
    return [sum(faction) for faction in zip(*position.regions, *position.courts, position.supply, strict=True)]


@pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
def test_every_resolution_follows_from_its_transfers(ruleset: Ruleset) -> None:
    """What is legal keeps the followers' number, and its flow leads back to it."""
    game, moved = ruleset.game(), 0
    kinds = len(game.board.factions)
    for position, _, _ in random_game(Random(13), min(game.parties), game=game):
        if position.decision != "play" or position.to_act is None:
            continue
        for card in game.list_held(position, position.to_act):
            for resolution in list(game.list_options(position, card))[::9]:
                assert _count(position.replace(**find_changes(position, resolution))) == _count(position)
                if isinstance(resolution, Copy | Exchange | Nothing):
                    continue
                moved += 1
                back = find_resolution(game.cards[card].form, Flow.from_transfers(list_transfers(resolution), kinds))
                if isinstance(back, ReturnPlace):
                    assert isinstance(resolution, ReturnPlace)
                    assert count_followers(back.returned, kinds) == count_followers(resolution.returned, kinds)
                else:
                    assert back == resolution
    assert moved > 20


@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"shift", "swap", "place_move"}))
@pytest.mark.parametrize("place", [SUPPLY, 0])
def test_nobody_goes_from_a_place_to_itself(form: str, place: int) -> None:
    """A transfer that leads nowhere is none of a form's, beside others or alone."""
    nowhere = Transfer(ONE, place, place)
    for others in ((), (Transfer(ONE, SUPPLY, 0),), (Transfer(ONE, SUPPLY, 0), Transfer(ONE, 0, SUPPLY))):
        with pytest.raises(NoSuchResolutionError):
            find_resolution(form, Flow.from_transfers((*others, nowhere), len(ONE)))


def test_a_flow_of_nobody_has_no_resolution() -> None:
    """Where nobody moves, only a card that places one of each faction could have been carried out."""
    for form in FORMS.keys() - {"spread"}:
        with pytest.raises(NoSuchResolutionError):
            find_resolution(form, Flow.from_transfers((), len(ONE)))


def test_a_copy_moves_what_it_copies() -> None:
    """A copy moves what the copied card moves."""
    for form in ("place", "place_return"):
        flow = Flow.from_transfers((Transfer(ONE, SUPPLY, 3),), len(ONE))
        resolution = find_resolution(form, flow)
        assert list_transfers(Copy(1, "Spied", resolution)) == list_transfers(resolution)


def test_plays_without_followers_move_nobody() -> None:
    """Region cards that change places are no followers, and nothing moves nobody."""
    assert list_transfers(Exchange(0, 1, None)) == list_transfers(Nothing()) == ()
