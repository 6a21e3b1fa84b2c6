"""The first edition and Mordred against their naive oracle: cards, summonses, struggles with arrivals, endings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from tests.games.struggle.rules.test_endings_oracle import plays
from tests.oracle import first as oracle
from tests.oracle import first_endings as endings
from tests.shared.strategies import FIRST, GAMES, MORDRED, UNDOING, random_game, start
from tests.shared.tables import sample
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Position, list_groups
from tkid.games.struggle.rules.endings import rank_factions
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.record.json.positions import position_json

PLAIN, NO_UNDOING, BLACK = FIRST.game(), FIRST.game(UNDOING), MORDRED.game()
ALL_COURTS = MORDRED.game({"first.ruling.mordred-court": "everybody"})
ENDING = pytest.mark.parametrize("game", [PLAIN, BLACK, ALL_COURTS], ids=["first edition", "Mordred", "all courts"])
OURS = {name: game for name, game in GAMES.items() if game.ids.prefix == "first"}
every_game = pytest.mark.parametrize("game", OURS.values(), ids=OURS)
CODES = [region.code for region in PLAIN.board.regions]
SEED = 20261121
OUTCOMES = {0: "S", 1: "W", 2: "R", 3: "M", UNSTABLE: "unstable"}


def written(game: Struggle, position: Position) -> dict[str, Any]:
    """A position as the oracle sees it."""
    return {**position_json(game, position), "negotiation_discs": list(position.negotiation_discs)}


def agree(game: Struggle, position: Position, seen: dict[str, Any], card: str) -> int:
    """One question to the engine and the oracle; how many answers it has."""
    found = [game.words.resolution(r) for r in game.cards[card].ladder.list_options(position)]
    wanted = oracle.resolutions(seen, card, game.readings)
    assert set(found) == wanted, (seen, card, game.readings)
    assert len(found) == len(wanted), ("a resolution is listed twice", seen, card)
    return len(found)


def test_the_board_is_the_oracles() -> None:
    board = PLAIN.board
    assert {region.code: region.name for region in board.regions} == oracle.NAMES
    for at, code in enumerate(CODES):
        assert {CODES[n] for n in board.neighbours[at]} == set(oracle.NEIGHBOURS[code].split())
    assert {f.letter: CODES[home] for f, home in zip(board.factions, board.homes, strict=True)} == oracle.HOMES


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("players", [2, 3, 4])
def test_on_random_positions(game: Struggle, players: int) -> None:
    rng, asked = Random(f"{SEED} {game.code} {players}"), 0
    for passing in (0.05, 0.6, 0.9):
        for position, _, _ in random_game(rng, players, passing, game):
            if position.decision != "play" or rng.random() < 0.6:
                continue
            asked += 1
            seen = written(game, position)
            for card in game.cards:
                agree(game, position, seen, card)
    assert asked > 15


@every_game
def test_summonses(game: Struggle) -> None:
    """All of them where the rule of the last card does not speak, and some of them where it does."""
    rng, summoned = Random(f"{SEED} summons"), 0
    for players in (2, 3, 4):
        for position, _, _ in random_game(rng, players, 0.5, game):
            if position.decision == "summon":
                summoned += 1
                legal = {game.words.write_move(move).removeprefix("summon ") for move in game.legal(position)}
                wanted = oracle.summons(written(game, position)) or {"no summon"}
                assert legal == wanted or (players == 3 and not any(position.hands) and legal < wanted)
    assert summoned > 20


def small(game: Struggle, open_regions: tuple[str, ...], discs: dict[str, int]) -> Position:
    """A position with only these regions open, all of them empty; seat 0 is to play."""
    whole = tuple(OPEN if code in open_regions else discs.get(code, UNSTABLE) for code in CODES)
    empty = ((0,) * len(game.board.factions),) * len(CODES)
    return start(2, b"small", game).replace(regions=empty, discs=whole, to_act=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "most", "card"),
    sample([(PLAIN, 2, "Ambassador"), (PLAIN, 2, "Garrison"), (BLACK, 1, "Garrison"), (BLACK, 1, "Ambassador")], 3),
)
def test_swaps_exhaustively_on_small_boards(game: Struggle, most: int, card: str) -> None:
    """Every content of three open regions up to a number of followers: two that border each other, and one apart or not.

    With Mordred one follower, or a black pair.
    """
    contents = [group for size in range(most + 1) for group in list_groups(size, len(game.board.factions))]
    contents += [(0, 0, 0, 2)] if game is BLACK else []
    answers = 0
    triples = (("CAL", "DIN", "LON"), ("DVA", "CAE", "RAT"))
    for open_regions in triples if game is PLAIN else triples[:1]:
        base, at = small(game, open_regions, {"EBO": 1}), [CODES.index(code) for code in open_regions]
        seen = written(game, base)
        for chosen in product(contents, repeat=3):
            regions = list(base.regions)
            for index, code, followers in zip(at, open_regions, chosen, strict=True):
                regions[index] = followers
                seen["regions"][code]["followers"] = dict(zip("SWRM", followers, strict=False))
            answers += agree(game, base.replace(regions=tuple(regions)), seen, card)
    assert answers > len(contents) ** 3


@pytest.mark.slow
@pytest.mark.parametrize("card", sample(["Scots", "Welsh", "Romano-British"], 3))
def test_faction_cards_exhaustively_over_the_discs(card: str) -> None:
    """Every assignment of open, Saxon and two factions to the regions, 4^8 sampled by a prime, with full and low pools."""
    base, faction = start(2, b"discs", PLAIN), list(PLAIN.cards).index(card)
    seen, other = written(PLAIN, base), (list(PLAIN.cards).index(card) + 1) % 3
    letters = {OPEN: None, UNSTABLE: "unstable", faction: "SWR"[faction], other: "SWR"[other]}
    for number, discs in enumerate(product(letters, repeat=len(CODES))):
        if number % 13:
            continue
        for code, disc in zip(CODES, discs, strict=True):
            seen["regions"][code]["disc"] = letters[disc]
        for supply in ((2, 2, 2), (1, 1, 1), (0, 0, 0)):
            seen["supply"] = dict(zip("SWR", supply, strict=True))
            agree(PLAIN, base.replace(discs=discs, supply=supply), seen, card)


def test_settlement_over_all_pools() -> None:
    for game in (PLAIN, BLACK):
        base = small(game, ("CAL", "DVA", "AQU"), {})
        seen = written(game, base)
        for pool in product(range(2), repeat=len(game.board.factions)):
            seen["supply"] = dict(zip("SWRM", pool, strict=False))
            agree(game, base.replace(supply=pool), seen, "Settlement")


@every_game
def test_struggles_and_who_comes_after_them(game: Struggle) -> None:
    rng, struggles, came = Random(f"{SEED} struggles"), 0, 0
    for players in (2, 3, 4):
        for passing in (0.9, 0.95, 1.0):
            before: Position | None = None
            for position, move, _ in random_game(rng, players, passing, game):
                if before is not None and move == PASS and len(position.struggles) == len(before.struggles) + 1:
                    after, now = oracle.after_struggle(written(game, before)), written(game, position)
                    assert (now["regions"], now["supply"]) == (after["regions"], after["supply"])
                    struggles += 1
                    came += sum(position.supply[3:]) < sum(before.supply[3:])
                before = position
    assert struggles > 20
    assert bool(came) == (game is BLACK)


# -- endings ----------------------------------------------------------------------------------------------

RANKINGS = [
    *([a] * 4 + [b] * 3 + [c] for a, b, c in permutations((0, 1, 2))),
    *([a] * 3 + [b] * 3 + [UNSTABLE] * 2 for a, b in permutations((0, 1, 2), 2)),
    *([a] * 5 + [UNSTABLE] * 3 for a in range(3)),
]
INVASIONS = [[0, 1, 2, *[UNSTABLE] * 4], [*[UNSTABLE] * 4]]
USURPED = [[3], [UNSTABLE, 3], [0, 3], [1, 1, 3], [0, 1, 3], [0, 1, 1, 3], [2, 0, 1, 2, 3], [0, 1, 2, UNSTABLE, 3]]
FEW = [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1)]


def finished(game: Struggle, players: int, struggles: list[int]) -> tuple[Position, dict[str, Any]]:
    """A position in which these struggles are resolved, and what the oracle sees of it."""
    discs = (*struggles, *[OPEN] * (8 - len(struggles)))
    position = start(players, b"end", game).replace(discs=discs, struggles=tuple(range(len(struggles))))
    return position, {"struggles": [{"outcome": OUTCOMES[disc]} for disc in struggles]}


def endings_of(game: Struggle) -> list[list[int]]:
    """Struggles after which the game is over."""
    return [*RANKINGS, *INVASIONS, *(USURPED if game.setup.arrivals else [])]


def ends_alike(game: Struggle, position: Position, seen: dict[str, Any]) -> None:
    """One comparison with the oracle."""
    seen["courts"] = [dict(zip("SWRM", court, strict=False)) for court in position.courts]
    seen["last_acted"] = position.last_acted
    result = game.result(position)
    assert result is not None
    assert (result.ending, frozenset(result.winners)) == endings.result(seen, game.readings), seen


def courts(game: Struggle, players: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Courts that differ little, so that many are tied."""
    black = (0,) * (len(game.board.factions) - 3)
    for chosen in product(FEW[: 6 - players // 2], repeat=players):
        yield tuple((*court, *black) for court in chosen)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players"), sample(product([PLAIN, BLACK, ALL_COURTS], [2, 3, 4]), 7))
def test_endings_with_small_courts(game: Struggle, players: int) -> None:
    """Every ranking and every kind of end, courts that differ little, and every order of plays in turn."""
    orders, judged = list(plays(players)), 0
    stride = {2: 1, 3: 23, 4: 397}[players]
    for struggles in endings_of(game):
        base, seen = finished(game, players, struggles)
        for at, chosen in enumerate(courts(game, players)):
            if players == 4 and at % 3:
                continue
            for last, _ in orders[at % stride :: stride]:
                ends_alike(game, base.replace(courts=chosen, last_acted=last), seen)
                judged += 1
    print(f"{judged:,} endings judged")  # noqa: T201 - for people
    assert judged > 1_500


@ENDING
def test_endings_of_random_courts(game: Struggle) -> None:
    """Courts of all sizes: 300 finished positions for each number of players."""
    for players in (2, 3, 4):
        rng, orders = Random(f"{SEED} ends {players}"), list(plays(players))
        for _ in range(300):
            base, seen = finished(game, players, rng.choice(endings_of(game)))
            black = (0,) * (len(game.board.factions) - 3)
            most = rng.choice((1, 2, 4))
            chosen = tuple((*(rng.randint(0, most) for _ in range(3)), *black) for _ in range(players))
            ends_alike(game, base.replace(courts=chosen, last_acted=rng.choice(orders)[0]), seen)


def test_the_ranking_over_sequences_of_outcomes() -> None:
    """All sequences of six struggles, Mordred's among them as the last."""
    base, order = start(2, b"end", BLACK), tuple(range(6))
    for five in product((0, 1, 2, UNSTABLE), repeat=5):
        for last in OUTCOMES:
            struggles = (*five, last)
            found = rank_factions(base.replace(discs=(*struggles, OPEN, OPEN), struggles=order), BLACK.board.apart)
            assert ["SWR"[f] for f in found] == endings.power([OUTCOMES[disc] for disc in struggles])
