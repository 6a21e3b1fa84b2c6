"""The examples in hints: each card shows its own, which reads, with followers that it may take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

from tests.games.struggle.shared.family import struggle
from tests.shared.strategies import CUNNING, DIGEST, GAME, NAMES, start
from tests.shared.tables import each_row
from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.board import OPEN, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play, Resolution
from tkid.kernel.game import fill_names
from tkid.kernel.ladder import NOTHING
from tkid.rulebook.rulesets import ruleset

OTHERS = [struggle(ruleset(code).game()) for code in ("digest", "first-edition", "first-edition-mordred", "manual")]
CARDS = [(game, name) for game in (GAME, CUNNING, DIGEST, *OTHERS) for name in game.cards]


def shown(game: Struggle, name: str) -> str:
    """The example that the hint on a card without its resolution shows."""
    (problem,) = TurnReader(game, NAMES).read_turn(name).problems
    found = re.search(r"`([^`]+)`", problem.hint)
    assert found
    return found[1]


def sorted_groups(turn: str) -> str:
    """A turn in which followers stand in one order: some cards write the one first that the rules name first."""
    return re.sub(r"\b[SWER]{2}\b", lambda group: "".join(sorted(group[0])), turn)


@each_row(("game", "name"), CARDS, ids=lambda each: each if isinstance(each, str) else "")
def test_the_example_of_a_card_reads_as_it_is_written(game: Struggle, name: str) -> None:
    example = shown(game, name).replace("NAME", "Bob")
    read = TurnReader(game, NAMES).read_turn(example)
    assert not read.problems
    assert sorted_groups(fill_names(game.words.write_turn(read.moves), NAMES)) == sorted_groups(example)
    assert example.startswith(f"{name} ")


def ways(game: Struggle, name: str, first: Position) -> Sequence[Resolution]:
    """The resolutions of a card, with a region in the middle under some faction where it else has no effect."""
    ladder = game.cards[name].ladder
    found: Sequence[Resolution] = ()
    middle = max(range(len(first.discs)), key=lambda region: len(game.board.neighbours[region]))
    for disc in (OPEN, *game.board.courtly):
        position = first.replace(discs=(*first.discs[:middle], disc, *first.discs[middle + 1 :]))
        found = ladder.list_options(position)
        if found and not ladder.is_legal(position, NOTHING):
            break
    return found


@pytest.mark.slow
@each_row(
    ("game", "name"),
    [(game, name) for game, name in CARDS if game.cards[name].form not in {"copy", "reveal"}],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_the_example_of_a_card_takes_followers_that_it_may(game: Struggle, name: str) -> None:
    """Wherever: the same with other regions was legal in the first position of some game, or with one region resolved."""
    rng = Random(f"examples {name}")
    places = re.compile("|".join(region.name for region in game.board.regions))
    seen = set()
    for _ in range(30):
        first = start(2, rng.randbytes(32), game)
        options = ways(game, name, first)
        for _ in range(60):
            seen.add(places.sub("X", game.words.write_move(Play(name, options[rng.randrange(len(options))]))))
    assert places.sub("X", shown(game, name)) in seen


def test_spy_names_nobody_as_it_may_be_oneself() -> None:
    assert shown(CUNNING, "Spy") == "Spy NAME: March SW Essex > Warwick"
    assert shown(DIGEST, "Spy") == "Spy NAME: Military March SW Essex > Warwick"


@pytest.mark.parametrize("game", OTHERS, ids=lambda game: game.code)
def test_examples_of_no_card_name_what_is_on_the_board(game: Struggle) -> None:
    reader = TurnReader(game, NAMES)
    for typed in ("summon", "Pass;"):
        (found,) = re.findall(r"`(summon [^`]+)`", reader.read_turn(typed).problems[0].hint)
        assert not reader.read_turn(found).problems
    assert (
        reader.read_turn("summon").problems[0].hint
        == f"The form is `summon W {game.board.name_region(game.board.homes[1])}`."
    )
