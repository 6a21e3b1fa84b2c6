"""Makes fixtures/games: for each occasion (see `occasions`) the shortest of many games in which it occurs.

Run as `python -m tests.makers.games` after a change of the rules, with the codes of rulesets for these alone; the seeds
are fixed, so the games stay the same.
Beside each record stands the position that it reaches, and for a finished game how it was decided.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

from typer.testing import CliRunner

from tests.games.struggle.shared.dealt_games import dealt, ladders, one_faction_alone
from tests.games.struggle.shared.family import struggles
from tests.games.struggle.shared.first_games import made_by_hand
from tests.games.struggle.shared.tier_positions import by_tier
from tests.shared.lines import Line, random_line
from tests.shared.occasions import occasions
from tkid.cli.app import app
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import Ruleset

FOLDER = Path(__file__).parents[2] / "fixtures" / "games"
MOST = {"second-edition": 3_000, "digest-advanced": 3_000}
"""How many random games are tried; what needs a rarer one is dealt by hand."""
MOST_OTHERWISE = 1_000


def random_lines(ruleset: Ruleset) -> Iterator[Line]:
    """Random games of every size, from full hands played out to nothing but passes."""
    links = {local for _, _, local in (switch.partition(".ruling.") for switch in ruleset.switches)}
    readings: tuple[dict[str, str], ...] = ({}, {}, {"final_tie": "last-card"}, {"second_rank": "none-ranked"})
    if "final-tie" not in links:
        readings = ({},)
    if not ruleset.game().invasion.won:
        readings += ({"invasion": "sets"},) * 3
    ids = {switch.rpartition(".")[2].replace("-", "_") for switch in ruleset.switches}
    readings = tuple(reading for reading in readings if reading.keys() <= ids)
    for seed in range(MOST.get(ruleset.code, MOST_OTHERWISE)):
        rng = Random(seed)
        passing = rng.choice((0.0, 0.1, 0.5, 0.9, 0.97, 1.0))
        yield random_line(ruleset, rng, rng.choice((2, 3, 4)), passing, **rng.choice(readings))


def found(ruleset: Ruleset) -> dict[str, Line]:
    """For each occasion the game dealt for it, or else the shortest, cut after the turn in which it occurs."""
    made = made_by_hand(ruleset) | {"hands-hidden": random_line(ruleset, Random("hidden"), 2, open_hands="hidden")}
    best = dealt(ruleset) | {name: line for name, line in made.items() if name in occasions(ruleset)}
    wanted = {name: occasion for name, occasion in occasions(ruleset).items() if name not in best}
    for line in chain(one_faction_alone(ruleset), random_lines(ruleset)):
        for name, occasion in wanted.items():
            turns = occasion(line.game, line.steps)
            if turns and (name not in best or turns < len(best[name].steps)):
                best[name] = line.cut(turns)
    return best


def main(*codes: str) -> None:
    """Find the games and write them, of these rulesets or of all."""
    for ruleset in (entry for entry in struggles() if not codes or entry.code in codes):
        folder = FOLDER / ruleset.code
        folder.mkdir(parents=True, exist_ok=True)
        best = found(ruleset)
        whole = {f"whole-game-for-{n}": random_line(ruleset, Random(f"whole {n}"), n, 0.25) for n in (2, 3, 4)}
        for name, line in (best | made_by_hand(ruleset) | ladders(ruleset) | by_tier(ruleset) | whole).items():
            write(folder / name, line)
        for name in sorted(occasions(ruleset).keys() - best.keys()):
            print(f"missing: {ruleset.code} {name}")  # noqa: T201 - a tool for people


def write(path: Path, line: Line) -> None:
    """Write a record, the position that it reaches, and how it was decided if it was."""
    record = line.record()
    played = replay(record)
    text = write_record(record, played)
    assert not (problems := [*read_record(text.encode()).problems, *played.problems]), (path, problems)
    path.with_suffix(".tkid").write_text(text, "utf-8")
    end = position_json(record.game, played.position)
    path.with_suffix(".json").write_text(json.dumps(end, indent=1) + "\n", "utf-8")
    if played.position.ending:
        path.with_suffix(".why").write_text(told(path.with_suffix(".tkid")), "utf-8")


def told(path: Path) -> str:
    """What `tkid why` says of a recorded game."""
    return CliRunner().invoke(app, ["why", str(path)]).output


if __name__ == "__main__":
    main(*sys.argv[1:])
