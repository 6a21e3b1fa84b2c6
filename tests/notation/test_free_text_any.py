"""The second reading of any text: it never raises, and whatever it offers is a legal turn in canonical form."""

from __future__ import annotations

from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from tests.games.claim import shared as claim
from tests.notation.scrambling import NAMES
from tests.shared.strategies import GAMES, games, random_game, seeds
from tkid.games.claim.rules import Position as ClaimPosition
from tkid.games.struggle.rules.board import Position
from tkid.games.struggle.rules.game import Struggle
from tkid.notation.free_text import MOST_CHOICES, understand_turn

WORDS = (
    *(
        "summon",
        "take",
        "disc",
        "no",
        "nothing",
        "from",
        "to",
        "in",
        "and",
        "with",
        "for",
        "place",
        "return",
        "swap",
        "move",
    ),
    *(
        "S",
        "W",
        "E",
        "R",
        "SS",
        "we",
        "2",
        "two",
        "a",
        "both",
        "all",
        "scot",
        "Scots",
        "welsh",
        "English",
        "roman",
        "pass",
        "I",
    ),
    *(
        ",",
        ";",
        ".",
        ":",
        "\n",
        "<>",
        "->",
        "?",
        "!",
        "#ab12cd",
        "1.",
        "(",
        "maybe",
        "Bob",
        "you",
        "court",
        "each",
        "-",
        "'",
    ),
)


def at_random(seed: int, name: str) -> tuple[Struggle, Position, tuple[str, ...]]:
    """A game, a position of it by chance, and the players."""
    rng, game = Random(seed), GAMES[name]
    players = rng.choice((2, 3, 4))
    return game, rng.choice([position for position, _, _ in random_game(rng, players, 0.3, game)]), NAMES[:players]


def words_of(rng: Random, game: Struggle, count: int) -> str:
    """Words of a game without any order."""
    names = [*game.cards, *game.cards, *(region.name for region in game.board.regions)]
    return " ".join(rng.choice((rng.choice(names), rng.choice(WORDS))) for _ in range(count))


@given(seeds, games, st.integers(0, 14))
@example(10, "manual", 6)  # a turn of this ruleset may have no card
def test_words_of_the_game_in_any_order(seed: int, name: str, count: int) -> None:
    game, position, names = at_random(seed, name)
    found = understand_turn(game, names, position, words_of(Random(seed), game, count))
    assert len(found.choices) <= MOST_CHOICES
    assert found.choices == (found.turn,) if found.turn else True
    assert bool(found.problems) != bool(found.turn)
    for turn in found.choices:
        again = understand_turn(game, names, position, turn)
        assert (again.turn, again.certain) == (turn, True), turn


@given(seeds, games, st.text(max_size=80))
def test_any_text(seed: int, name: str, text: str) -> None:
    game, position, names = at_random(seed, name)
    found = understand_turn(game, names, position, text)
    assert bool(found.problems) != bool(found.turn)
    assert all(1 <= problem.col <= len(text) + 1 for problem in found.problems)


WORDS_OF_CLAIM = (
    *("Goblin", "Knight", "Undead", "Dwarf", "Doppelganger", "gob", "G", "K", "goblins", "zombie", "Goblin's"),
    *(
        "5",
        "0",
        "9",
        "12",
        "five",
        "zero",
        "no.",
        "the",
        "my",
        "lowest",
        "highest",
        "what",
        "play",
        "lead",
        "with",
        "one",
    ),
    *(",", ".", ":", "?", "-", "--", "-----", "'", "(", "maybe", "Bob", "you", "Ann", "\n", "not", "pass"),
)


@given(claim.positions(), st.lists(st.sampled_from(WORDS_OF_CLAIM), max_size=8).map(" ".join) | st.text(max_size=80))
@example(claim.start(bytes(32)), "-----")
@example(claim.start(bytes(32)), "0 0")
def test_any_text_of_claim(position: ClaimPosition, text: str) -> None:
    found = understand_turn(claim.CLAIM, claim.PLAYERS, position, text)
    assert len(found.choices) <= MOST_CHOICES
    assert bool(found.problems) != bool(found.turn)
    assert all(1 <= problem.col <= len(text) + 1 for problem in found.problems)
    for turn in found.choices:
        again = understand_turn(claim.CLAIM, claim.PLAYERS, position, turn)
        assert (again.turn, again.certain) == (turn, True), turn
