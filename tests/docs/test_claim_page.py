"""The page about writing Claim down: every example reads, and what the page says of it holds."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.games.claim.shared import CLAIM, PLAYERS, random_game
from tkid.games.claim.notation.positions import read_position, write_position
from tkid.games.claim.notation.turns import TurnReader
from tkid.games.claim.record import PLUGIN, SetupReader
from tkid.games.claim.record import PLUGIN as RECORDING
from tkid.kernel.game import fill_names

PAGE = (Path(__file__).parents[2] / "docs" / "claim.md").read_text("utf-8")


def blocks(name: str) -> list[str]:
    """The fenced blocks of a name."""
    found = re.findall(rf"^```{name}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found


@pytest.mark.parametrize("line", blocks("claim-turn")[0].splitlines())
def test_turns(line: str) -> None:
    typed, _, written = line.partition(" => ")
    assert CLAIM.words.write_turn(TurnReader(CLAIM).read_turn(typed).moves) == written


@pytest.mark.parametrize("line", blocks("claim-position")[0].splitlines())
def test_positions(line: str) -> None:
    assert write_position(CLAIM, read_position(CLAIM, line)) == line


def test_set_ups() -> None:
    whole, hidden = (
        SetupReader(CLAIM, PLAYERS, rows.splitlines()).read(list(enumerate(rows.splitlines(), 1)), [], 1)
        for rows in blocks("claim-setup")
    )
    assert whole is not None
    assert [f"{label:<12} {value}" for label, value in PLUGIN.list_setup_rows(CLAIM, whole, PLAYERS)] == blocks(
        "claim-setup"
    )[0].splitlines()
    assert RECORDING.hide_deal(CLAIM, whole, 0) == hidden


def test_outcomes() -> None:
    """The lines of the table are those that games have, and there are no others."""
    shown = {
        re.sub(r"\d+", "N", re.sub(r"\b(Ann|Bob)\b", "NAME", line))
        for line in re.findall(r"^\| `-- (.+?)`", PAGE, re.MULTILINE)
    }
    card = re.compile(r"\b(Goblin|Knight|Dwarf|Undead|Doppelganger) N")
    said = set()
    for seed in range(12):
        for _, _, events in random_game(Random(seed)):
            said |= {re.sub(r"\d+", "N", fill_names(event.line, ("NAME", "NAME"))) for event in events if event.line}
    assert {card.sub("CARD", line) for line in said} | {"Drawn"} == {card.sub("CARD", line) for line in shown}
