"""Every turn of recorded games could have been put together from what is offered, with hidden hands too; nothing long is listed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.shared.tables import each_row
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.game import Position
from tkid.kernel.ladder import Options
from tkid.lsp.open_file import (
    MAX_TURNS,
    MAX_WAYS,
    Choice,
    OpenFile,
    draw_preview,
    get_next_player,
    list_completions,
    read_open_file,
)
from tkid.record.play.replay import Replay

GAMES = sorted((Path(__file__).parents[2] / "fixtures/games").rglob("whole*.tkid"))
EACH = 7
"""One turn of so many is put together."""


def offered(reading: OpenFile, line: int, typed: str) -> list[Choice]:
    """What is offered where a line has been typed so far."""
    lines = [*reading.lines]
    lines[line - 1] = typed
    return list_completions(evolve(reading, lines=lines), line, len(typed), get_next_player)


def put_together(reading: OpenFile, line: int, target: str) -> None:
    """Choose what leads to a turn until it is whole."""
    typed = ""
    while True:
        choices = offered(reading, line, typed)
        assert len(choices) <= MAX_TURNS, typed
        ways = [each for each in choices if f"{target} ".startswith(typed[: each.start] + each.text)]
        assert ways, f"{target}: nothing fits after `{typed}`"
        chosen = max(ways, key=lambda each: len(each.text))
        longer = typed[: chosen.start] + chosen.text
        assert len(longer) > len(typed) or chosen.whole, typed
        typed = longer
        if chosen.whole:
            break
    assert typed == target


@each_row("file", GAMES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_turn_that_was_played_is_offered(file: Path) -> None:
    reading = read_open_file(file.name, file.read_text("utf-8"))
    assert reading.replay is not None
    turns = [moment for moment in reading.replay.moments if moment.turn][::EACH]
    assert turns
    for moment in turns:
        assert moment.turn is not None
        put_together(reading, moment.turn.line, moment.line)


def test_another_player_is_not_shown_the_hand() -> None:
    """Two deals that differ only in Ann's hand look alike to Bob; to Ann they do not."""
    (file,) = [each for each in GAMES if each.parent.name == "claim" and each.stem == "whole-game-for-2"]
    head, _, _ = file.read_text("utf-8").partition("\n1. ")
    reading = read_open_file("x", f"{head}\n")
    assert reading.replay is not None
    first = reading.replay.position.to_act
    assert first is not None

    def other(path: str, replay: Replay, position: Position) -> int | None:  # noqa: ARG001 - a Viewer
        return 1 - first

    own = list_completions(reading, len(reading.lines), 0, get_next_player)
    seen = list_completions(reading, len(reading.lines), 0, other)
    held = {each.text for each in own}
    assert held
    assert {each.text for each in seen} != held
    ours, theirs = (draw_preview(reading, len(reading.lines), viewer) for viewer in (get_next_player, other))
    assert ours is not None
    assert theirs is not None
    assert ours["svg"] != theirs["svg"]


class Long(Sequence[Any]):
    """The ways to play a card again and again, a million times; it counts how many are asked for."""

    def __init__(self, ways: Sequence[Any]) -> None:
        self.ways, self.asked = ways, 0

    def __len__(self) -> int:
        return 1_000_000

    def __getitem__(self, index: Any) -> Any:
        self.asked += 1
        return self.ways[index % len(self.ways)]


def test_long_sets_are_looked_into_and_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    (file,) = [each for each in GAMES if each.parent.name == "second-edition" and each.stem == "whole-game-for-2"]
    head, _, _ = file.read_text("utf-8").partition("\n1. ")
    reading = read_open_file("x", f"{head}\n1. Ann Assemble ")
    assert reading.replay is not None
    position = reading.replay.moments[0].position
    legal = reading.replay.record.game.legal(position)
    assert isinstance(legal, Options)
    (ways,) = [part for part in legal.parts if len(part) > MAX_TURNS and getattr(part[0], "card", "") == "Assemble"]
    many = Long(ways)
    monkeypatch.setattr(Struggle, "legal", lambda game, position: Options([many], lambda move: move in ways))  # noqa: ARG005
    choices = list_completions(reading, len(reading.lines), len(reading.lines[-1]), get_next_player)
    assert 1 < len(choices) <= MAX_TURNS
    assert many.asked <= MAX_WAYS + 10
