"""The ladder: what a pair is, how sure a share is, and that a run goes on where it stopped."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from attrs import evolve

from benchmarks.ladder import CLAIMS, RANDOM, SEED, Claim, interval, latest, main, play_pair, share, summary
from tests.shared.tables import each_row
from tkid.rulebook.rulesets import ruleset

LOTS = Claim("claim-greedy", "claim", 2, RANDOM, evolve(RANDOM, thought=2))
SOLO, TEAMS = ((0,), (1,), (2,)), ((0, 2), (1, 3))


@each_row(
    "winners, party, parties, part",
    [
        ((1,), (1,), SOLO, 1),
        ((1,), (0,), SOLO, 0),
        ((0, 1), (0,), SOLO, 0.5),
        ((), (2,), SOLO, 1 / 3),
        ((1, 3), (1, 3), TEAMS, 1),
        ((1, 3), (0, 2), TEAMS, 0),
        ((), (0, 2), TEAMS, 0.5),
    ],
)
def test_what_a_party_has_of_a_game(
    winners: tuple[int, ...], party: tuple[int, ...], parties: tuple[tuple[int, ...], ...], part: float
) -> None:
    assert share(winners, party, parties) == part


@each_row(
    "means, low, high",
    [
        ([1.0] * 200, 0.98, 1.0),
        ([0.5] * 200, 0.45, 0.55),  # every pair is split: worth its games, and no more
        ([1.0, 0.0] * 100, 0.43, 0.57),  # whoever has the better deal wins both games: worth its pairs
        ([1.0, 0.5, 1.0, 0.5] * 50, 0.71, 0.79),
    ],
    ids=["all won", "all split", "by the deal", "mixed"],
)
def test_an_interval_hangs_on_pairs(means: list[float], low: float, high: float) -> None:
    below, above = interval(means, 2)
    assert low <= below < sum(means) / len(means) <= above + 1e-9
    assert above <= high + 1e-9


def test_a_pair_is_a_game_for_each_party() -> None:
    for players, games in {2: 2, 3: 3, 4: 2}.items():
        claim = Claim("lots", "second-edition", players, RANDOM, evolve(RANDOM, thought=2))
        pair = play_pair(claim, 1, 0)
        assert len(pair.points) == games
        assert evolve(pair, seconds=0) == evolve(play_pair(claim, 1, 0), seconds=0)


def test_a_run_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.ladder.CLAIMS", (LOTS,))
    file = tmp_path / "results.jsonl"
    for pairs, seed in ((2, 5), (3, 5), (1, 6)):
        main(["--pairs", str(pairs), "--seed", str(seed), "--file", str(file)])
        assert f"seed {seed}" in capsys.readouterr().out
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [(row["seed"], row["pair"]) for row in rows] == [(5, 0), (5, 1), (5, 2), (6, 0)]
    main(["--seed", "5", "--file", str(file), "--print"])
    shown = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (shown["pairs"], shown["games"], shown["equal"]) == (3, 6, 0.5)


def test_every_claim_can_be_played() -> None:
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert claim.players in ruleset(claim.ruleset).game().parties


def test_the_page_says_what_the_file_has() -> None:
    """Each match of the file is a row of the table, with its figures, and no row has others."""
    root = Path(__file__).parents[2]
    lines = (root / "docs/opponents.md").read_text("utf-8").splitlines()
    rows = [line for line in lines if " % to " in line and line.endswith(" % |")]
    figures = []
    for claim in CLAIMS:
        if played := latest(root / "fixtures/bots/ladder.jsonl", claim, SEED):
            found = summary(claim, played)
            low, share, high, equal = (f"{100 * found[name]:.1f} %" for name in ("low", "share", "high", "equal"))
            figures.append(f"| {found['pairs']} | {share} | {low} to {high} | {equal.partition('.')[0]} % |")
    assert len(figures) >= 10
    assert sorted(row[row.index("|", 1) :] for row in rows) == sorted(figures)


def test_another_program_may_be_the_first_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = shlex.join([sys.executable, "-m", "tkid", "engine", "--player", "random"])
    file = str(tmp_path / "ladder.jsonl")
    main(["--claim", LOTS.name, "--first", f"cmd:{program}", "--pairs", "1", "--file", file, "--thought", "1"])
    assert f"cmd:{program}" in capsys.readouterr().out
