"""A year in a minute: many games with players who are late, away, mistaken or not there at all; see `tests.host.year.year`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.year.people import CHARACTERS
from tests.host.year.verified import faults
from tests.host.year.year import Table, year
from tests.shared.tables import sample

MANY = 100
"""So many games are played."""


def played(folder: Path, seeds: range) -> dict[str, str]:
    """Play the games of some seeds; their records.

    Each fault names its game, and `python -m tests.host.year.verified SEED` plays that game alone.
    """
    folder.mkdir(exist_ok=True)
    told = f"games {seeds.start} to {seeds.stop - 1}"
    print(told)  # noqa: T201 - shown with a failure
    with year(folder, seeds) as over:
        assert faults(over) == [], told
        return {game.id: game.record for game in over.host.store.list_games()}


@pytest.mark.slow
@pytest.mark.parametrize("few", sample([2, 6], 2))
def test_some_games_and_one_of_them_alone(tmp_path: Path, first: int, few: int) -> None:
    records = played(tmp_path / "some", range(first, first + few))
    assert len(records) == few
    last = first + few - 1
    alone = played(tmp_path / "one", range(last, first + few))
    assert alone == {f"game-{last}": records[f"game-{last}"]}


@pytest.mark.exhaustive(seconds=100)
def test_a_hundred_games(tmp_path: Path, first: int) -> None:
    assert len(played(tmp_path, range(first, first + MANY))) == MANY


@pytest.mark.slow
def test_whoever_holds_plot_without_a_clock_is_asked_until_the_end(tmp_path: Path) -> None:
    """Only the letter of that last choice has nothing below its choices; a player of code overlooked them there."""
    assert len(played(tmp_path, range(2026112592, 2026112593))) == 1


@pytest.fixture
def first(request: pytest.FixtureRequest) -> int:
    """The first seed: that of hypothesis times a hundred."""
    return MANY * int(request.config.getoption("--hypothesis-seed") or 0)


def test_every_character_plays_in_a_hundred_games_and_every_kind_of_table() -> None:
    tables = [Table.of(seed) for seed in range(MANY)]
    met = {type(person) for table in tables for person in table.people}
    assert met == set(CHARACTERS)
    kinds = {(table.record.ruleset.code, len(table.people)) for table in tables}
    assert len(kinds) == 6, kinds
    assert len({header.value for table in tables for header in table.record.headers if header.name == "X-Clock"}) == 7
    assert any(all(header.name != "X-Clock" for header in table.record.headers) for table in tables)
