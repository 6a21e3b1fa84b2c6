"""What the tests share: games in play, random positions, hypothesis strategies."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    Move,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    Play,
    Resolution,
    ReturnPlace,
    Reveal,
    Shift,
    Spread,
    Summon,
    Swap,
)
from tkid.games.struggle.rules.struggles import NO_SUMMON
from tkid.kernel.game import Event, fill_names
from tkid.kernel.ladder import NOTHING
from tkid.notation.plugin import find_turn_reader
from tkid.record.format.model import Header, Record, Seat, Turn
from tkid.rulebook.rulesets import Ruleset, state_ruleset
from tkid.rulebook.rulesets import ruleset as by_code

NAMES = ("Ann", "Bob", "Cal", "Dee")
NUMBERS = ("1", "2", "3", "4")
"""Names for seats that are known by number, as outside tools know them."""
SECOND = by_code("second-edition")
ADVANCED = by_code("second-edition-advanced")
GAME = SECOND.game()
READER = TurnReader(GAME)
CUNNING = ADVANCED.game()
"""The advanced game as it is read by default."""
OTHERWISE = ADVANCED.game(
    {
        "second.ruling.spy-pile": "resolvable",
        "second.ruling.suppress-second": "english",
        "second.ruling.plot-hand": "counts-as-empty",
    }
)
"""The advanced game with the other reading of each of its own switches."""
FIRST = by_code("first-edition")
MORDRED = by_code("first-edition-mordred")
UNDOING = {"first.ruling.undo": "as-second"}
DIGEST = by_code("digest-advanced").game()
MANUAL = by_code("manual").game()
GAMES = {
    "basic": GAME,
    "advanced": CUNNING,
    "advanced, read otherwise": OTHERWISE,
    "first edition": FIRST.game(),
    "first edition, no undoing": FIRST.game(UNDOING),
    "Mordred": MORDRED.game(),
    "digest": DIGEST,
    "manual": MANUAL,
}
"""Every game, and the readings; by a name, as what is drawn may be printed."""
COPYABLE = tuple(card.name for card in CUNNING.cards.values() if card.form not in {"copy", "reveal"})
"""The cards that Spy may copy."""


def start(players: int, entropy: bytes, game: Struggle = GAME) -> Position:
    """The first position of a game dealt from entropy."""
    return game.start(game.seat_players(NAMES[:players]), game.deal(players, entropy))


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


def record_of(rng: Random, players: int, passing: float = 0.3, ruleset: Ruleset = SECOND, **readings: str) -> Record:
    """A whole random game as a record; `readings` by the names of their rulings, with underscores."""
    ids = ruleset.game().ids
    chosen = {ids(f"ruling.{name.replace('_', '-')}"): option for name, option in readings.items()}
    game = ruleset.game(chosen)
    names = NAMES[:players]
    deal = game.deal(players, rng.randbytes(32))
    headers = [Header("Tkid-Record", "1"), Header("Ruleset", state_ruleset(ruleset.code))]
    headers += [Header("Seat", name) for name in names]
    headers += [Header("Ruling", f"{ruling} {option}") for ruling, option in chosen.items()]
    record = Record(ruleset, tuple(map(Seat, names)), tuple(headers), chosen, deal)
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
            text = fill_names(game.words.write_turn(tuple(decisions)), names)
            turns.append(Turn(len(turns) + 1, seat, find_turn_reader(game, names).read_turn(text)))
            decisions = []
    return Record(ruleset, record.seats, record.headers, chosen, deal, turns=tuple(turns))


seeds = st.integers(0, 2**32 - 1)
players = st.sampled_from((2, 3, 4))
passings = st.sampled_from((0.0, 0.2, 0.5, 0.8, 0.95))
games = st.sampled_from(list(GAMES))


@st.composite
def positions(draw: st.DrawFn, game: Struggle = GAME) -> Position:
    """A position reached by random play; also of its end."""
    rng = Random(draw(seeds))
    reached = [position for position, _, _ in random_game(rng, draw(players), draw(passings), game)]
    return reached[draw(st.integers(0, len(reached) - 1))]


@st.composite
def any_positions(draw: st.DrawFn) -> tuple[str, Position]:
    """A position of any game, under either reading of what is read in two ways; with its game's name."""
    name = draw(games)
    return name, draw(positions(GAMES[name]))


regions = st.integers(0, 7)


def uncopied_of(kinds: int) -> st.SearchStrategy[Resolution]:
    """Resolutions of every form but copies with so many factions, most of them wrong."""
    any_groups = st.tuples(*[st.integers(0, 2)] * kinds)
    small_groups = any_groups.filter(any)
    return st.one_of(
        st.just(NOTHING),
        st.builds(Place, small_groups, regions),
        st.builds(Apart, regions, regions, st.tuples(any_groups, any_groups)),
        st.builds(Spread, st.tuples(*[st.none() | regions] * kinds)),
        st.builds(Exchange, regions, regions, st.none() | regions),
        st.builds(Swap, regions, regions, small_groups, any_groups),
        st.builds(Shift, small_groups, regions, regions),
        st.builds(PlaceReturn, regions, any_groups, any_groups),
        st.builds(ReturnPlace, regions, st.lists(st.integers(0, kinds - 1), max_size=3).map(tuple), any_groups),
        st.builds(PlaceSwap, regions, any_groups, st.none() | regions, any_groups, any_groups),
        st.builds(PlaceMove, regions, any_groups, st.lists(st.tuples(small_groups, regions), max_size=2).map(tuple)),
        st.builds(CourtSwap, regions, small_groups, small_groups),
    )


uncopied = uncopied_of(3)
cards = st.sampled_from([*CUNNING.cards, *DIGEST.cards])
resolutions = st.one_of(
    uncopied, st.builds(Copy, st.integers(0, 3), cards, uncopied | st.builds(Copy, st.integers(0, 3), cards, uncopied))
)
"""Resolutions of every form, most of them wrong."""


def moves_of(game: Struggle) -> st.SearchStrategy[Move]:
    """Moves of every kind with the cards of a game, most of them wrong."""
    factions = st.integers(0, len(game.board.factions) - 1)
    done = resolutions if game.names_players else uncopied_of(len(game.board.factions))
    kinds: list[st.SearchStrategy[Move]] = [
        st.just(PASS),
        st.just(NO_SUMMON),
        st.builds(Summon, factions, regions),
        st.builds(Play, st.sampled_from(list(game.cards)), done),
    ]
    return st.one_of(*kinds, *([st.builds(Reveal, st.just(game.plot), factions)] if game.plot else []))


moves = moves_of(GAME)
"""Moves of the basic game."""
