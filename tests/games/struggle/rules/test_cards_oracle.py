"""The ladders of the basic game's cards agree with the naive oracle: exhaustively on small boards, and on random positions."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.games.struggle.rules.boards import (
    CODES,
    CONTENTS,
    SEED,
    SUPPLIES,
    agree,
    counts,
    small,
    with_contents,
)
from tests.oracle import cards as oracle
from tests.shared.strategies import GAME, random_game, start
from tests.shared.tables import sample
from tkid.games.struggle.rules.board import OPEN, UNSTABLE
from tkid.record.json.positions import position_json

# Three neighbouring open regions, and the discs of the others in the order of the list: a row with a home in
# it, a triangle, and a row around Essex whose surroundings nobody controls but one region.
BOARDS = {
    "Moray-Strathclyde-Lancaster": (("MOR", "STR", "LAN"), {"NOR": 2, "GWY": 1, "WAR": 0, "ESS": UNSTABLE, "DEV": 1}),
    "Lancaster-Gwynedd-Warwick": (("LAN", "GWY", "WAR"), {"MOR": UNSTABLE, "STR": 0, "NOR": 2, "ESS": 1, "DEV": 0}),
    "Northumbria-Essex-Devon": (("NOR", "ESS", "DEV"), {"MOR": 0, "STR": 1, "LAN": UNSTABLE, "GWY": 2, "WAR": 1}),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("card", GAME.cards)
@pytest.mark.parametrize("board", BOARDS)
def test_exhaustively_on_small_boards(board: str, card: str) -> None:
    open_regions, discs = BOARDS[board]
    base = small(open_regions, discs)
    judged = 0
    for contents in product(CONTENTS, repeat=len(open_regions)):
        position = with_contents(base, open_regions, contents)
        written = position_json(GAME, position)
        for supply in SUPPLIES:
            written["supply"] = counts(supply)
            agree(position.replace(supply=supply), written, card)
            judged += 1
    assert judged == len(CONTENTS) ** 3 * len(SUPPLIES)


@pytest.mark.exhaustive
@pytest.mark.parametrize("card", ["Negotiate", "Scottish Support", "Welsh Support", "English Support"])
def test_exhaustively_over_the_discs(card: str) -> None:
    """Near and face-up depend on the discs alone: every assignment of open, unstable and the factions, 5^8."""
    supplies = ((2, 2, 2), (1, 1, 1), (0, 0, 0)) if card != "Negotiate" else ((0, 0, 0),)
    base = start(2, b"discs")
    written = position_json(GAME, base)
    letters = {OPEN: None, UNSTABLE: "unstable", 0: "S", 1: "W", 2: "E"}
    for discs in product(letters, repeat=len(CODES)):
        for code, disc in zip(CODES, discs, strict=True):
            written["regions"][code]["disc"] = letters[disc]
        for entry in written["track"]:
            entry["face"] = "up" if written["regions"][entry["region"]]["disc"] is None else "down"
        for supply in supplies:
            written["supply"] = counts(supply)
            agree(base.replace(discs=discs, supply=supply), written, card)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_on_some_random_positions(players: int) -> None:
    """The quick one: every card in a few games."""
    rng = Random(f"{SEED} some {players}")
    for passing in (0.1, 0.6, 0.9):
        for position, _, _ in random_game(rng, players, passing):
            if position.decision == "play":
                written = position_json(GAME, position)
                for card in GAME.cards:
                    agree(position, written, card)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "passing"), sample(product((3, 2, 4), (0.4, 0.05, 0.85)), 9))
def test_on_random_positions(players: int, passing: float) -> None:
    """Every card in every position of random games, sparse late positions included; with the summonses."""
    rng = Random(f"{SEED} {players} {passing}")
    judged = 0
    while judged < 250:
        for position, _, _ in random_game(rng, players, passing):
            if position.to_act is None:
                break
            written = position_json(GAME, position)
            if position.decision == "summon":
                summons = {GAME.words.write_move(move).removeprefix("summon ") for move in GAME.legal(position)}
                assert summons - {"no summon"} == oracle.summons(written)
                continue
            judged += 1
            for card in GAME.cards:
                agree(position, written, card)


def test_the_winner_of_a_struggle() -> None:
    from tkid.games.struggle.rules.struggles import find_struggle_outcome  # noqa: PLC0415 - one test only

    for followers in product(range(5), repeat=3):
        disc, _ = find_struggle_outcome(followers)
        wanted = oracle.struggle(counts(followers))
        assert {0: "S", 1: "W", 2: "E", UNSTABLE: "unstable"}[disc] == wanted
