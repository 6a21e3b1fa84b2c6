"""Game files that go on while the owner of Plot has to name a faction: a fault of the file, in every ruleset with Plot."""

from __future__ import annotations

from random import Random

import pytest

from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record, write_start
from tkid.record.play.validation import judge_record
from tkid.rulebook.rulesets import rulesets

NAMES = ("Ann", "Bob", "Cal", "Dee")
CODES = [entry.code for entry in rulesets() if getattr(entry.game(), "plot", "")]
OTHERS = ("Pass", "Plot S", "Manoeuvre S Moray <> E Devon; summon W Gwynedd", "Spy SS; summon S Moray", "nonsense", "")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_follows_is_a_fault_of_the_file(code: str, players: int) -> None:
    random, due = Random(f"{code} {players}"), 0
    for _ in range(12):
        record = new_record(code, NAMES[:players], random.randbytes(32))
        begins = f"{write_start(record).rstrip()}\n\nTurns\n"
        order = [(record.deal.first + number) % players for number in range(60)]
        passes = [f"{number}. {NAMES[seat]} Pass" for number, seat in enumerate(order, 1)]
        wild = [
            *passes[:30],
            *(f"{n}. {random.choice(NAMES[:players])} {random.choice(OTHERS)}" for n in range(31, 90)),
        ]
        for lines in (passes, wild):
            problems, replay = judge_record(read_record(f"{begins}{chr(10).join(lines)}\n".encode()))
            assert replay is not None
            assert problems
        plot = [
            problem
            for problem in judge_record(read_record(f"{begins}{chr(10).join(passes)}\n".encode()))[0]
            if problem.rule.endswith("plot.name")
        ]
        due += bool(plot)
        for problem in plot[:1]:
            assert problem.line > begins.count("\n")
            assert "must name the faction" in problem.message
    assert due


def test_there_are_rulesets_with_plot() -> None:
    assert len(CODES) > 1
