"""The examples in hints: each card shows its own, which reads, with followers that it may take."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.strategies import CUNNING, DIGEST, GAME, NAMES, start
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.moves import Play
from tkid.kernel.game import with_names
from tkid.kernel.ladder import NOTHING
from tkid.notation.struggle.turns import TurnReader
from tkid.rulesets import ruleset

CARDS = [(game, name) for game in (GAME, CUNNING, ruleset("digest").game(), DIGEST) for name in game.cards]
PLACES = re.compile("|".join(region.name for region in GAME.board.regions))


def shown(game: Struggle, name: str) -> str:
    """The example that the hint on a card without its resolution shows."""
    (problem,) = TurnReader(game, NAMES).turn(name).problems
    found = re.search(r"`([^`]+)`", problem.hint)
    assert found
    return found[1]


def sorted_groups(turn: str) -> str:
    """A turn in which followers stand in one order: some cards write the one first that the rules name first."""
    return re.sub(r"\b[SWE]{2}\b", lambda group: "".join(sorted(group[0])), turn)


@pytest.mark.parametrize(("game", "name"), CARDS, ids=lambda each: each if isinstance(each, str) else "")
def test_the_example_of_a_card_reads_as_it_is_written(game: Struggle, name: str) -> None:
    example = shown(game, name).replace("NAME", "Bob")
    read = TurnReader(game, NAMES).turn(example)
    assert not read.problems
    assert sorted_groups(with_names(game.words.turn(read.moves), NAMES)) == sorted_groups(example)
    assert example.startswith(f"{name} ")


@pytest.mark.parametrize(
    ("game", "name"),
    [(game, name) for game, name in CARDS if game.cards[name].form not in {"copy", "reveal"}],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_the_example_of_a_card_takes_followers_that_it_may(game: Struggle, name: str) -> None:
    """Wherever: the same with other regions was legal in the first position of some game, or with Moray Scottish."""
    rng = Random(f"examples {name}")
    seen = set()
    for _ in range(30):
        first = start(2, rng.randbytes(32), game)
        ladder = game.cards[name].ladder
        options = ladder.options(first.but(discs=(0, *first.discs[1:])) if ladder.admits(first, NOTHING) else first)
        for _ in range(60):
            seen.add(PLACES.sub("X", game.words.move(Play(name, options[rng.randrange(len(options))]))))
    assert PLACES.sub("X", shown(game, name)) in seen


def test_spy_names_nobody_as_it_may_be_oneself() -> None:
    assert shown(CUNNING, "Spy") == "Spy NAME: March SW Essex > Warwick"
    assert shown(DIGEST, "Spy") == "Spy NAME: Military March SW Essex > Warwick"
