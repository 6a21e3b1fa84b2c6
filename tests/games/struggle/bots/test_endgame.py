"""How last cards come out is what playing them out gives; positions that are as good as the same stay so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.games.struggle.shared.family import struggle
from tests.shared.strategies import random_game
from tests.shared.tables import sample
from tkid.bots.plugin import find_judge
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.rulebook.rulesets import rulesets

SEED = 20261124
GAMES = [struggle(entry.game()) for entry in rulesets() if entry.game().name == "struggle"]
KINDS = [(game, players) for game in GAMES for players in (2, 3, 4)]
every_kind = pytest.mark.parametrize(
    ("game", "players"), sample(KINDS, 2), ids=lambda value: getattr(value, "code", str(value))
)
MOST = 3_000
"""A last card that can be played in more ways, each with its summonses, is passed over."""
ENOUGH = 8
LATER = 5


def late(game: Struggle, players: int, cards: int, seeds: range) -> Iterator[Position]:
    """Positions of random games with so many cards left, one of each game at most, where a turn is due."""
    for seed in seeds:
        rng = Random(f"{SEED} {game.code} {players} {seed}")
        for position, _, _ in random_game(rng, players, rng.choice((0.3, 0.5)), game):
            due = position.decision == "play" and any(position.hands[position.to_act or 0])
            if due and sum(map(len, position.hands)) == cards and rng.random() < 0.5:
                yield position
                break


def played_out(game: Struggle, position: Position) -> Counter[tuple[int, ...]]:
    """Who wins, for each way to play a card and each summons after it."""
    found: Counter[tuple[int, ...]] = Counter()
    for move in game.legal(position):
        if isinstance(move, Play):
            after, _ = game.apply(position, move)
            found.update(game.apply(after, summons)[0].winners for summons in game.legal(after))
    return found


def told_by_playing(game: Struggle, players: int) -> bool:
    """Whether no last card is known without playing it: the game goes on, a rule restricts it, or Plot may always be held."""
    restricted = game.last_card is not None and game.last_card.players == players
    return bool(game.summons.alone) or restricted or (players == max(game.parties) and bool(game.plot))


@every_kind
def test_last_cards_come_out_as_they_do_when_they_are_played(game: Struggle, players: int) -> None:
    known, seen = find_judge(game), 0
    for position in late(game, players, 1, range(40)):
        last = known.find_finishes(position)
        if last is None:
            assert told_by_playing(game, players) or game.plot in position.hands[position.to_act or 0]
            continue
        if len(game.legal(position)) * 20 > MOST:
            continue
        seen += 1
        expected = played_out(game, position)
        assert Counter(last.finishes) == expected, position
        assert [move for move in game.legal(position) if not isinstance(move, Play)] == list(last.others)
        play = next(move for move in game.legal(position) if isinstance(move, Play))
        after, _ = game.apply(position, play)
        summoning = known.find_finishes(after)
        assert summoning is not None
        assert Counter(summoning.finishes) == Counter(game.apply(after, move)[0].winners for move in game.legal(after))
        assert not summoning.others
        if seen == ENOUGH:
            break
    assert seen or told_by_playing(game, players)


def nearby(game: Struggle, position: Position, rng: Random, most: int) -> list[Position]:
    """Positions that follow from one, by decisions of which some are taken by lot."""
    found, begun = [position], [position]
    while begun and len(found) < most:
        reached = begun.pop(0)
        legal = list(game.legal(reached)) if reached.to_act is not None else []
        for move in [*legal[:1], *rng.sample(legal[1:], min(4, len(legal) - 1))] if legal else []:
            after, _ = game.apply(reached, move)
            found.append(after)
            begun.append(after)
    return found


def counted_later(position: Position) -> Position:
    """The same position where more turns had gone before."""
    later: dict[int | None, int | None] = {None: None, **{turn: turn + LATER for turn in range(position.turn + 1)}}
    acted, emptied = ([later[turn] for turn in turns] for turns in (position.last_acted, position.emptied))
    return position.replace(last_acted=tuple(acted), emptied=tuple(emptied), turn=position.turn + LATER)


def same_game(game: Struggle, one: Position, other: Position) -> None:
    """Two positions with the same essence: the same decisions are legal, and lead to the same essence."""
    known: Any = find_judge(game)
    assert (one.to_act, one.winners, one.ending) == (other.to_act, other.winners, other.ending)
    if one.to_act is None:
        return
    legal = list(game.legal(one))
    assert legal == list(game.legal(other))
    for move in legal[:: 1 + len(legal) // 20]:
        after, then = game.apply(one, move)[0], game.apply(other, move)[0]
        assert known.find_essence(after) == known.find_essence(then), (one, other, move)


@every_kind
def test_positions_that_are_as_good_as_the_same_stay_so(game: Struggle, players: int) -> None:
    """The decisions before them are taken in another order, or later; turns are counted from somewhere else."""
    known = find_judge(game)
    rng = Random(f"{SEED} {game.code} {players} essence")
    for position in late(game, players, 2, range(6)):
        groups: dict[Any, set[Position]] = {}
        for each in nearby(game, position, rng, 300):
            groups.setdefault(known.find_essence(each), set()).add(each)
        same_game(game, position, counted_later(position))
        for one, *others in groups.values():
            for other in others[:3]:
                same_game(game, one, other)
