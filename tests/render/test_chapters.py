"""What a replay knows of a whole game: its chapters, the passes, and what everybody has, for every recorded game."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.makers.games import FOLDER
from tests.shared.tables import each_row
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.frames import make_views
from tkid.render.plugin import find_render_plugin

WHOLE = sorted(FOLDER.glob("*/whole-game-for-?.tkid"))


@cache
def played(name: str) -> Replay:
    found = read_record((FOLDER / name).read_bytes()).record
    assert found is not None
    return replay(found)


def position(at: Replay, index: int) -> Any:
    return at.moments[index].position


@each_row("name", [file.relative_to(FOLDER).as_posix() for file in WHOLE])
def test_chapters_divide_the_turns_and_say_no_more_than_has_happened(name: str) -> None:
    at = played(name)
    positions = [moment.position for moment in at.moments]
    plugin, game, end = find_render_plugin(at.record.game), at.record.game, len(positions) - 1
    whole = plugin.list_chapters(game, positions)
    assert [turn for each in whole for turn in range(each.first, each.last + 1)] == list(range(1, end + 1))
    for until in range(end + 1):
        found = plugin.list_chapters(game, positions[: until + 1])
        assert len(found) == len(whole)
        for part, chapter in zip(found, whole, strict=True):
            ended = bool(part.result)
            assert ended == (bool(chapter.result) and chapter.last <= until)
            assert part == chapter if ended else part.last == until
            assert all(since <= until for since, _ in part.names)


@each_row("name", [file.relative_to(FOLDER).as_posix() for file in WHOLE if file.parent.name != "claim"])
def test_each_power_struggle_is_a_chapter_with_its_outcome(name: str) -> None:
    at = played(name)
    game: Any = at.record.game
    whole = find_render_plugin(game).list_chapters(game, [moment.position for moment in at.moments])
    lines = [
        (index, event.line.partition(" (")[0])
        for index, moment in enumerate(at.moments)
        for event in moment.events
        if event.rule.rpartition(".")[2] in {"majority", "tie", "empty"} and ".struggle." in event.rule
    ]
    assert [(each.last, f"{each.names[-1][1]}: {each.result}") for each in whole if each.result] == lines
    for chapter in whole:
        for index in range(chapter.first - 1, chapter.last if chapter.result else chapter.first - 1):
            named = [text for since, text in chapter.names if since <= index][-1:]
            assert named == [game.board.name_region(position(at, index).contested)] or index >= chapter.last
    assert len(whole) == len(position(at, 0).track)


@each_row("name", [file.relative_to(FOLDER).as_posix() for file in WHOLE])
def test_a_turn_is_quiet_if_it_was_a_pass(name: str) -> None:
    at = played(name)
    plugin, game = find_render_plugin(at.record.game), at.record.game
    for index, moment in enumerate(at.moments[1:], 1):
        assert plugin.is_quiet(game, position(at, index - 1), position(at, index)) == moment.line.endswith(" Pass")


@each_row("name", [file.relative_to(FOLDER).as_posix() for file in WHOLE])
def test_rows_of_numbers_are_the_same_in_every_position(name: str) -> None:
    at = played(name)
    plugin, game, names = find_render_plugin(at.record.game), at.record.game, at.record.names
    known, seen_by = make_views(at)
    rows = [plugin.list_tallies(game, view, names) for view in seen_by]
    shapes = {tuple((row.label, *((each.sign, each.place) for each in row.counts)) for row in each) for each in rows}
    assert len(shapes) == 1
    assert [row.label for row in rows[0]][: len(names)] == list(names)
    if hasattr(known.position, "courts"):
        last: Any = known.position
        courtly: Any = [[court[place] for place in game.board.courtly] for court in last.courts]  # type: ignore[attr-defined]
        assert [[each.number for each in row.counts] for row in rows[-1]][: len(names)] == courtly
        assert sum(each.number for each in rows[-1][-1].counts) == len(last.struggles)
