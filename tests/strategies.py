"""What the tests share: games in play, random positions, hypothesis strategies."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from tkid.games.struggle.game import NO_SUMMON, PASS, Struggle
from tkid.games.struggle.moves import Exchange, Move, Place, Play, Spread, Summon, Swap
from tkid.games.struggle.position import Position
from tkid.kernel.game import Event
from tkid.kernel.ladder import NOTHING
from tkid.notation.turns import TurnReader
from tkid.record.model import Header, Record, Seat, Turn
from tkid.rulesets import ruleset

NAMES = ("Ann", "Bob", "Cal", "Dee")
SECOND = ruleset("second-edition")
GAME = SECOND.game()
READER = TurnReader(GAME)


def start(players: int, entropy: bytes, game: Struggle = GAME) -> Position:
    """The first position of a game dealt from entropy."""
    return game.start(game.table(NAMES[:players]), game.deal(players, entropy))


def random_game(
    rng: Random, players: int, passing: float = 0.3, game: Struggle = GAME
) -> Iterator[tuple[Position, Move | None, tuple[Event, ...]]]:
    """A whole random game: each position with the move and the events that led to it (None and () at the start).

    `passing` is the chance of a pass where a card could be played.
    """
    position = start(players, rng.randbytes(32), game)
    yield position, None, ()
    while position.to_act is not None:
        options = game.legal(position)
        pass_now = position.decision == "play" and rng.random() < passing
        move = options[0] if pass_now else options[rng.randrange(len(options))]
        position, events = game.play(position, move)
        yield position, move, events


def record_of(rng: Random, players: int, passing: float = 0.3, **readings: str) -> Record:
    """A whole random game as a record."""
    chosen = {f"second.ruling.{name.replace('_', '-')}": option for name, option in readings.items()}
    game = SECOND.game(chosen)
    names = NAMES[:players]
    deal = game.deal(players, rng.randbytes(32))
    headers = [Header("Tkid-Record", "1"), Header("Ruleset", SECOND.code)]
    headers += [Header("Seat", name) for name in names]
    headers += [Header("Ruling", f"{ruling} {option}") for ruling, option in chosen.items()]
    record = Record(SECOND, tuple(map(Seat, names)), tuple(headers), chosen, deal)
    position = record.start()
    turns: list[Turn] = []
    decisions: list[Move] = []
    while position.to_act is not None:
        seat, options = position.to_act, game.legal(position)
        pass_now = position.decision == "play" and rng.random() < passing
        move = options[0] if pass_now else options[rng.randrange(len(options))]
        decisions.append(move)
        position, _ = game.play(position, move)
        if position.decision != "summon":
            turns.append(Turn(len(turns) + 1, seat, READER.turn(game.words.turn(tuple(decisions)))))
            decisions = []
    return Record(SECOND, record.seats, record.headers, chosen, deal, turns=tuple(turns))


seeds = st.integers(0, 2**32 - 1)
players = st.sampled_from((2, 3, 4))
passings = st.sampled_from((0.0, 0.2, 0.5, 0.8, 0.95))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position reached by random play; also of its end."""
    rng = Random(draw(seeds))
    reached = [position for position, _, _ in random_game(rng, draw(players), draw(passings))]
    return reached[draw(st.integers(0, len(reached) - 1))]


regions = st.integers(0, 7)
small_groups = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)).filter(any)
resolutions = st.one_of(
    st.just(NOTHING),
    st.builds(Place, small_groups, regions),
    st.builds(Spread, st.tuples(*[st.none() | regions] * 3)),
    st.builds(Exchange, regions, regions, st.none() | regions),
    st.builds(Swap, regions, regions, small_groups, small_groups),
)
"""Resolutions of every form, most of them wrong."""
moves = st.one_of(
    st.just(PASS),
    st.just(NO_SUMMON),
    st.builds(Summon, st.integers(0, 2), regions),
    st.builds(Play, st.sampled_from(list(GAME.cards)), resolutions),
)
"""Moves of every kind, most of them wrong."""
