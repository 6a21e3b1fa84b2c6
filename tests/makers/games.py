"""Makes fixtures/games: for each occasion (see `occasions`) the shortest of many games in which it occurs.

Run as `python -m tests.makers.games` after a change of the rules, with the codes of rulesets for these alone; the seeds
are fixed, so the games stay the same. What follows from a record is the position that it reaches as JSON, and for a finished
game how it was decided. A checksum of each is in `checksums.txt` in the folder, and one of ten is there as a file, to be read. After
a change of these alone run `python -m tests.makers.games checksums`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random
from zlib import crc32

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
from tkid.record.play.replay import Replay, replay
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
        write_checksums(folder)
        for name in sorted(occasions(ruleset).keys() - best.keys()):
            print(f"missing: {ruleset.code} {name}")  # noqa: T201 - a tool for people


def write(path: Path, line: Line) -> None:
    """Write a record."""
    record = line.record()
    played = replay(record)
    text = write_record(record, played)
    assert not (problems := [*read_record(text.encode()).problems, *played.problems]), (path, problems)
    path.with_suffix(".tkid").write_text(text, "utf-8")


def derive(path: Path, played: Replay) -> dict[str, str]:
    """Make what follows from a recorded game: a text by the suffix that its file has."""
    end = position_json(played.record.game, played.position)
    found = {".json": json.dumps(end, indent=1) + "\n"}
    return found | ({".why": told(path)} if played.position.ending else {})


def checksums(texts: dict[str, str]) -> str:
    """Name what follows from a recorded game, with a checksum of each text."""
    return " ".join(f"{suffix} {sha256(text.encode()).hexdigest()[:8]}" for suffix, text in texts.items())


def is_kept(path: Path) -> bool:
    """Whether what follows from a recorded game is kept as files: about one game of ten, and one of each ruleset."""
    return path.stem == "whole-game-for-2" or crc32(f"{path.parent.name}/{path.stem}".encode()) % 14 == 0


def read_checksums(folder: Path) -> dict[str, str]:
    """Read the checksums of a folder, by the names of its games."""
    lines = (folder / "checksums.txt").read_text("utf-8").splitlines()
    return {name: rest for name, _, rest in (line.partition(": ") for line in lines)}


def write_checksums(folder: Path) -> None:
    """Derive what follows from the games in a folder, and keep the checksums of all and the files of some."""
    lines = []
    for path in sorted(folder.glob("*.tkid")):
        record = read_record(path.read_bytes()).record
        assert record
        texts = derive(path, replay(record))
        lines.append(f"{path.stem}: {checksums(texts)}\n")
        for suffix in (".json", ".why"):
            path.with_suffix(suffix).unlink(missing_ok=True)
            if is_kept(path) and suffix in texts:
                path.with_suffix(suffix).write_text(texts[suffix], "utf-8")
    (folder / "checksums.txt").write_text("".join(lines), "utf-8")


def told(path: Path) -> str:
    """What `tkid why` says of a recorded game."""
    return CliRunner().invoke(app, ["why", str(path)]).output


if __name__ == "__main__":
    if sys.argv[1:] == ["checksums"]:
        for folder in FOLDER.iterdir():
            write_checksums(folder)
    else:
        main(*sys.argv[1:])
