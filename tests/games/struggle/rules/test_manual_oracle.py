"""The reference manual's deviations agree with their naive oracle: within a bounded universe, and in random games."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.oracle import manual as oracle
from tests.shared.strategies import random_game, start
from tests.shared.tables import sample
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Ban, Position, list_groups
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Summon
from tkid.record.json.positions import position_json
from tkid.rulebook.rulesets import ruleset

SEED = 20261121
GAME: Struggle = ruleset("manual").game()
CODES = [region.code for region in GAME.board.regions]
SOME = [group for size in (0, 1, 2) for group in list_groups(size, 3)]


def agree(position: Position, card: str) -> int:
    """One question to the engine and the oracle; how many answers it has."""
    found = [GAME.words.resolution(resolution) for resolution in GAME.list_options(position, card)]
    written = position_json(GAME, position) | {"negotiation_discs": list(position.negotiation_discs)}
    assert set(found) == oracle.resolutions(written, card), (position, card)
    assert len(found) == len(set(found)), "a resolution is listed twice"
    return len(found)


def bare(discs: dict[str, int]) -> Position:
    """A position with empty regions, those that are not named Saxon."""
    whole = tuple(discs.get(code, UNSTABLE) for code in CODES)
    resolved = tuple(region for region, disc in enumerate(whole) if disc != OPEN)
    track = (*resolved, *(region for region, disc in enumerate(whole) if disc == OPEN))
    return start(2, b"bare", GAME).replace(
        regions=((0, 0, 0),) * len(CODES), discs=whole, track=track, struggles=resolved, to_act=0
    )


@pytest.mark.slow
def test_faction_cards_whatever_is_controlled() -> None:
    """Who controls five regions in the middle, home and border among them, with a full and a scarce pool."""
    asked = answers = 0
    for discs in product((OPEN, UNSTABLE, 0, 1), repeat=5):
        position = bare(dict(zip(("CAL", "DIN", "DVA", "CAE", "RAT"), discs, strict=True)))
        for supply, card in product(((2, 2, 0), (1, 0, 3), (0, 1, 0)), oracle.CARDS):
            answers += agree(position.replace(supply=supply), card)
            asked += 1
    print(f"{asked:,} questions, {answers:,} answers")  # noqa: T201 - for people
    assert answers > asked / 2


@pytest.mark.slow
@pytest.mark.parametrize("card", sample(oracle.SWAPS, 2))
def test_swaps_between_three_regions(card: str) -> None:
    """Up to two followers in each, whatever they are; with every swap that one of them can undo."""
    base = bare(dict.fromkeys(("CAL", "DIN", "DVA"), OPEN))
    three = [CODES.index(code) for code in ("CAL", "DIN", "DVA")]
    rng, barred = Random(SEED), 0
    for contents in product(SOME, repeat=3):
        regions = list(base.regions)
        for region, followers in zip(three, contents, strict=True):
            regions[region] = followers
        position = base.replace(regions=tuple(regions))
        free = agree(position, card)
        undone = GAME.list_options(position, card)[rng.randrange(free)]
        left = GAME.cards[card].ban(undone, rng.randrange(2))
        if left is not None:
            back = tuple((region, tuple(-n for n in change)) for region, change in left.delta)
            banned = position.replace(banned=Ban(card, left.by, back))
            agree(banned, card)
            assert undone not in GAME.list_options(banned, card)
            barred += 1
    assert barred > 100


@pytest.mark.slow
@pytest.mark.parametrize("players", sample([3, 2, 4], 3))
def test_random_games(players: int) -> None:
    """Cards, followers with and without a card, and who starts each power struggle."""
    rng = Random(f"{SEED} manual {players}")
    first = struggles = taken = 0
    before: Position | None = None
    for passing in (0.2, 0.6, 0.9):
        for position, move, _ in random_game(rng, players, passing, GAME):
            if move is None:
                first, struggles = position.to_act or 0, 0
            elif position.to_act is not None and len(position.struggles) > struggles:
                struggles = len(position.struggles)
                assert position.to_act == position.starter == oracle.starters(first, players, struggles)
            if isinstance(move, Summon) and before is not None and before.decision == "play":
                wanted = oracle.next_position(
                    position_json(GAME, before), GAME.words.write_summon(move.faction, move.region)
                )
                assert position_json(GAME, position) == wanted
                taken += 1
            before = position
            _followers(position)
            if position.decision == "play":
                for card in GAME.cards:
                    agree(position, card)
    assert taken


def _followers(position: Position) -> None:
    """Who may be taken, in the position as it is."""
    written = position_json(GAME, position)
    moves = [GAME.words.write_move(move).removeprefix("summon ") for move in GAME.legal(position)]
    if position.decision == "summon":
        assert set(moves) == oracle.after_card(written)
    elif position.decision == "play":
        alone = [move for move in GAME.legal(position) if isinstance(move, Summon)]
        assert {GAME.words.write_summon(move.faction, move.region) for move in alone} == oracle.followers(written)
        assert PASS in GAME.legal(position)
