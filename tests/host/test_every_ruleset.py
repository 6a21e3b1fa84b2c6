"""Every ruleset by mail from end to end: a host with Maildirs, and players who copy what its letters offer."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.host.year.players import NAMES, TIME, address, game, host, letter, play
from tests.mail.mails import body
from tests.shared.editions import foreign
from tests.shared.tables import sample
from tkid.record.clock_notes import NOTHING_TO_PLAY
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.rulebook.rulesets import Ruleset, rulesets

FEW, MANY = 0.2, 0.5
"""How likely somebody passes at least: with many passes games are short, and still see cards played."""


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sample(rulesets(), 4), ids=lambda ruleset: ruleset.code)
def test_a_random_game_by_mail(ruleset: Ruleset, tmp_path: Path, seed: int) -> None:
    _by_mail(ruleset, tmp_path, seed, 2, MANY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "players"),
    sample([(ruleset.code, players) for ruleset in rulesets() for players in ruleset.game().parties], 23),
)
def test_random_games_of_every_size_by_mail(code: str, players: int, tmp_path: Path, seed: int) -> None:
    _by_mail(next(each for each in rulesets() if each.code == code), tmp_path, seed, players, FEW)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """That of hypothesis, so that a run has games of its own and can be repeated."""
    return int(request.config.getoption("--hypothesis-seed") or 0)


def _by_mail(ruleset: Ruleset, folder: Path, seed: int, players: int, passing: float) -> None:
    """Play a game to its end: whatever a letter offers is taken, and everybody hears of the end."""
    print(f"{ruleset.code}, {players} players, seed {seed}")  # noqa: T201 - shown with a failure
    with host(folder) as at:
        at.open_game("game", game(seed, players, ruleset.code), TIME)
        at.send_letters(TIME)
        mails = play(folder, at, Random(seed), passing=passing)
        stored, counts = at.store.get_game("game"), at.store.count_mails()
    assert stored is not None
    assert stored.over
    found = read_record(stored.record.encode())
    assert found.record is not None
    assert [*found.problems, *replay(found.record).problems] == []
    turns = [turn for turn in found.record.turns if NOTHING_TO_PLAY.why not in turn.notes]
    assert (mails, counts["done"], counts["unsent"]) == (len(turns), len(turns), 0), "no offer was refused"
    for name in NAMES[:players]:
        box = folder / "out" / address(name) / "cur"
        said = [body(letter(file.read_bytes())) for file in box.iterdir()]
        assert any("HOW IT WAS DECIDED" in text for text in said), name
        paragraphs = dict.fromkeys(" ".join(part.split()) for text in said for part in text.split("\n\n"))
        assert [part for part in paragraphs if foreign(ruleset.code, part)] == []
