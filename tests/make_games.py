"""Makes fixtures/games: for each way that a game can end, the shortest of many random games that ends so.

Run as `python -m tests.make_games` after a change of the rules; the seeds are fixed, so the games stay the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from attrs import evolve
from typer.testing import CliRunner

from tests.endings_of import LAST_STRUGGLE, way, ways
from tests.strategies import record_of
from tkid.cli.app import app
from tkid.games.struggle.position import Position
from tkid.games.struggle.setup import Deal
from tkid.record.json import position_json
from tkid.record.model import Record
from tkid.record.replay import append, replay
from tkid.record.write import write_record
from tkid.rulesets import rulesets

FOLDER = Path(__file__).parents[1] / "fixtures" / "games"
MOST = 3_000
"""How many random games are tried; the ways that need a rarer one are dealt by hand below."""


def random_records() -> Iterator[Record]:
    """Random games of every size, from full hands played out to nothing but passes."""
    readings: tuple[dict[str, str], ...] = ({}, {}, {"final_tie": "last-card"}, {"second_rank": "none-ranked"})
    for seed in range(MOST):
        rng = Random(seed)
        passing = rng.choice((0.0, 0.1, 0.5, 0.9, 0.97, 1.0))
        yield record_of(rng, rng.choice((2, 3, 4)), passing, **rng.choice(readings))


def one_faction(courts: tuple[str, ...], turns: tuple[str, ...], **readings: str) -> Record:
    """A game dealt by hand in which only the Scottish win regions: six for them, two tied, if nobody interferes."""
    seats = len(courts)
    template = record_of(Random(1), seats, 1.0, **readings)
    regions = [(2, 1, 1)] * 8
    regions[4], regions[6] = (2, 2, 0), (2, 0, 2)
    each = 16 if seats == 2 else 18
    count = [tuple(court.count(letter) for letter in "SWE") for court in courts]
    placed = [sum(column) for column in zip(*regions, *count, strict=True)]
    supply = tuple(each - n for n in placed)
    hand = template.game.hand
    deal = Deal(tuple(regions), supply, tuple(count), (hand,) * seats, (0, 1, 2, 3, 5, 7, 4, 6), 0)
    played = replay(evolve(template, deal=deal, turns=()))
    for turn in turns:
        played = append(played, turn)
        assert not played.problems, played.problems
    while played.position.to_act is not None:
        played = append(played, "Pass")
    return played.record


def hand_dealt() -> Iterator[Record]:
    """Games for the ways that random play hardly finds."""
    yield one_faction(("WE", "WE"), ())
    yield one_faction(("WE", "WE", "WE", "WE"), ())
    yield one_faction(("WE", "WE"), ("Manoeuvre S Moray <> S Strathclyde; summon W Moray",), second_rank="none-ranked")
    yield one_faction(
        ("WE", "WE", "WE", "WE"), ("Manoeuvre S Moray <> S Strathclyde; summon W Moray",), second_rank="none-ranked"
    )


def main() -> None:
    """Find the games and write them."""
    wanted = ways(rulesets()[0]) | {LAST_STRUGGLE}
    best: dict[str, Record] = {}
    for record in (*hand_dealt(), *random_records()):
        position = replay(record).position
        found = [way(record.game, position)] if decided(record, position) else []
        if position.ending == "invasion" and len(position.struggles) == 8:
            found.append(LAST_STRUGGLE)
        for name in found:
            if name not in best or len(record.turns) < len(best[name].turns):
                best[name] = record
    folder = FOLDER / rulesets()[0].code
    folder.mkdir(parents=True, exist_ok=True)
    for name, record in best.items():
        write(folder / stem(name), record)
    for seats in (2, 3, 4):
        write(folder / f"whole-game-for-{seats}", record_of(Random(f"whole {seats}"), seats, 0.25))
    print(*(f"missing: {name}" for name in sorted(wanted - best.keys())), sep="\n")  # noqa: T201 - a tool for people


def decided(record: Record, position: Position) -> bool:
    """Whether the last comparison that was asked told the tied apart, or was none."""
    result = record.game.result(position)
    return result is not None and "(still tied)" not in result.chain[-1].text


def stem(name: str) -> str:
    """A file's name for a way to end: `coronation-support-players`, `invasion-latest-teams`."""
    ending, *rest = name.split()
    if not rest:
        return name
    rule, *others = rest
    last = "one-team" if rule.endswith("team.coronation") else rule.rpartition(".")[2]
    return "-".join((ending, last, *others))


def write(path: Path, record: Record) -> None:
    """Write a record, the position that it reaches, and how it was decided."""
    path.with_suffix(".tkid").write_text(write_record(record), "utf-8")
    end = position_json(record.game, replay(record).position)
    path.with_suffix(".json").write_text(json.dumps(end, indent=1) + "\n", "utf-8")
    path.with_suffix(".why").write_text(told(path.with_suffix(".tkid")), "utf-8")


def told(path: Path) -> str:
    """What `tkid why` says of a recorded game."""
    return CliRunner().invoke(app, ["why", str(path)]).output


if __name__ == "__main__":
    main()
