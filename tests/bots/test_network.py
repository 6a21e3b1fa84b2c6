"""A learned value on trial: its whole numbers are those of plain sums, and no faction is special."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from struct import pack
from typing import Any
from zlib import compress

import pytest

from benchmarks.train import network
from benchmarks.train.network import FACTION_INPUTS, HEADS, ONE, UNITS, WIDE, Features, Network, read_network
from tests.shared.tables import sample
from tkid.rulebook.rulesets import ruleset, rulesets

TABLES = [(each.code, number) for each in rulesets() if each.code != "claim" for number in each.game().parties]
SEED = 20261129


def through_games(code: str, players: int, games: int) -> Iterator[Any]:
    """The positions of games by lot in which a turn is due."""
    game: Any = ruleset(code).game()
    for number in range(games):
        lot = Random(f"{SEED} {code} {players} {number}")
        position = game.start(game.table(tuple("abcd"[:players])), game.deal(players, lot.randbytes(32)))
        while position.to_act is not None:
            if position.decision == "play":
                yield position
            legal = game.legal(position)
            position, _ = game.apply(position, legal[lot.randrange(len(legal))])


def by_lot(code: str, players: int) -> Network:
    """A network with weights by lot."""
    features, lot = Features(ruleset(code).game(), players), Random(SEED)
    small = [lot.randrange(-40, 41) for _ in range((features.whole + 2 * FACTION_INPUTS) * UNITS)]
    large = [lot.randrange(-2000, 2001) for _ in range((UNITS + 1) * HEADS)]
    return read_network(features, compress(pack(f"<{len(small)}b{len(large)}h", *small, *large)))


def spread(packed: int) -> list[int]:
    """The numbers of a row that is packed in lanes: a lane less than 0 has borrowed from the next."""
    shifted = packed + network.MIDDLE
    return [(shifted >> WIDE * lane & (1 << WIDE) - 1) - (1 << WIDE - 1) for lane in range(HEADS)]


def plain_heads(known: Network, position: Any, seat: int) -> list[tuple[int, int]]:
    """What a network finds, number by number."""
    features = known.features
    courtly = features.game.board.courtly
    inputs = [each for part in features.list_parts(position, seat) for each in features.list_inputs(part)]
    found, fall, left = [], known.constants[2], known.constants[3]
    for faction in courtly:
        units = [0] * UNITS
        for of, index in inputs:
            rows = [known.of_whole[index]] if of < 0 else [known.of_all[index]]
            rows += [known.of_own[index]] if of == faction else []
            units = [sum(each) for each in zip(units, *rows, strict=True)]
        shown = [max(0, min(ONE, unit)) for unit in units]
        heads = [spread(row) for row in known.heads]
        one, two, three, four = (
            sum(unit * head[n] for unit, head in zip(shown, heads, strict=True)) for n in range(HEADS)
        )
        found.append((known.constants[0] + one, known.constants[1] + two))
        fall, left = fall + three, left + four
    return [*found, (fall, left)]


@pytest.mark.parametrize(
    ("code", "players"), [("second-edition", 2), ("second-edition-advanced", 3), ("second-edition", 4)]
)
def test_lanes_add_up_as_plain_numbers_do(code: str, players: int) -> None:
    known = by_lot(code, players)
    positions = list(through_games(code, players, 2))[::3]
    assert len(positions) >= 10
    for position in positions:
        for seat in position.seats:
            assert known.list_heads(position, seat) == plain_heads(known, position, seat)
        values = known.evaluate(position)
        assert all(0 < value < 1 for value in values)
        assert abs(sum(values) - 1) < 1e-9


@pytest.mark.parametrize(("code", "players"), sample(TABLES, 6))
def test_every_input_is_one_of_its_kind(code: str, players: int) -> None:
    """In every ruleset, also where a fourth faction stands apart."""
    features = Features(ruleset(code).game(), players)
    kinds = {-1: features.whole} | dict.fromkeys(features.game.board.courtly, FACTION_INPUTS)
    seen = 0
    for position in through_games(code, players, 1):
        for seat in position.seats:
            for part in features.list_parts(position, seat):
                for of, index in features.list_inputs(part):
                    assert 0 <= index < kinds[of]
                    seen += 1
    assert seen > 1000


@pytest.mark.parametrize(
    ("code", "players"), [("second-edition", 2), ("second-edition-advanced", 3), ("second-edition", 4)]
)
def test_no_value_hangs_on_which_faction_is_which(code: str, players: int) -> None:
    """If two factions change places everywhere, so do their numbers; only cards in hand are named after one."""
    known = by_lot(code, players)
    for position in list(through_games(code, players, 1))[::4]:
        before = position.replace(hands=((),) * players)
        after = before.replace(
            regions=tuple((b, a, *rest) for a, b, *rest in before.regions),
            courts=tuple((b, a, *rest) for a, b, *rest in before.courts),
            supply=(before.supply[1], before.supply[0], *before.supply[2:]),
            discs=tuple({0: 1, 1: 0}.get(disc, disc) for disc in before.discs),
        )
        one, two, *rest = known.list_heads(before, 0)
        assert known.list_heads(after, 0) == [two, one, *rest]
