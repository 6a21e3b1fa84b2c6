"""Files that contradict themselves: every command that reads one sees it, and none changes it or overwrites a fuller one."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli import complaint, said, tkid
from tests.cli.letters import AT
from tests.shared.tables import each_row

READING = ("check", "fmt", "show", "legal", "replay", "view", "verify", "result", "why", "me", "undo", "play")
HASH = re.compile(r" #[0-9a-f]{6}$", re.MULTILINE)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game of three after one turn."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "Cal", "--first", "Ann")
    said("play", file, "Pass")
    return file


def same_in_all(file: Path, rule: str) -> None:
    """Every command reports the rule, and changes nothing."""
    before = file.read_bytes()
    for command in READING:
        found = tkid(command, file, *(("Pass",) if command == "play" else ()))
        assert found.exit_code == 1, (command, found.output)
        assert f"[{rule}]" in found.output, (command, found.output)
        assert file.read_bytes() == before, command


@each_row(
    "line, rule",
    [
        ("# ended: draw, agreed by Ann 2026-11-21T10:00Z", "post.agree.all"),
        ("# ended: abandoned, agreed by Ann and Cal 2026-11-21T10:00Z", "post.agree.all"),
        ("# away: Bob until tomorrow", "post.date.calendar"),
        ("# paused: maybe", "post.note.form"),
        ("# back: Dave 2026-11-21T10:00Z", "post.note.player"),
        ("# resigned: Bog 2026-11-21T10:00Z", "post.note.player"),
    ],
)
def test_a_wrong_line_about_the_game(line: str, rule: str, game: Path) -> None:
    text = game.read_text("utf-8")
    game.write_text(f"{text}{line}\n", "utf-8")
    same_in_all(game, rule)
    game.write_text(text, "utf-8")


@each_row(
    "marks, rule",
    [
        ("{undone: Ann, Bob, Cal agreed} {undone by the host at 2026-11-21T10:00Z: a test}", "record.turn.undone"),
        ("{at 2026-11-21T10:00Z} {undone: Ann, Bob, Cal agreed at 2026-11-20T10:00Z}", "record.turn.undone"),
        ("{out of time} {resigned}", "post.note.form"),
        ("{at 2026-11-21T10:00Z} {at 2026-11-22T10:00Z}", "post.note.form"),
    ],
)
def test_marks_that_contradict_each_other(marks: str, rule: str, game: Path) -> None:
    text = game.read_text("utf-8")
    game.write_text(HASH.sub(f" {marks}", text), "utf-8")
    same_in_all(game, rule)
    game.write_text(text, "utf-8")


@each_row("header", ["Game: a\nGame: b", "Ruleset: second-edition", "X-Clock: 3 days\nx-clock: 5 days"])
def test_two_lines_that_say_the_same_thing_differently(header: str, game: Path) -> None:
    """Cites: record.header.twice."""
    text = game.read_text("utf-8")
    game.write_text(text.replace("Seat: Ann", f"{header}\nSeat: Ann"), "utf-8")
    same_in_all(game, "record.header.twice")
    game.write_text(text, "utf-8")


def test_a_mark_of_a_pass_on_another_turn(game: Path) -> None:
    """Cites: post.note.form."""
    card = next(line.strip() for line in said("legal", game, "--card", "Manoeuvre").split("\n") if " <> " in line)
    said("play", game, card)
    game.write_text(HASH.sub("", game.read_text("utf-8")).rstrip() + " {out of time}\n", "utf-8")
    same_in_all(game, "post.note.form")


@each_row(
    "names",
    [("Ann, Bob", "Cal"), ("Ann", "Bob", "Ann, Bob"), ("Ann and Bob", "Bob"), ("Ann", "Ann, Bob", "Bob")],
)
def test_names_with_commas_agree_to_take_a_turn_back(names: tuple[str, ...], tmp_path: Path) -> None:
    """Cites: record.turn.undone."""
    file = tmp_path / f"{len(names)}{len(names[0])}{len(names[1])}.tkid"
    said("new", file, *names)
    said("play", file, "Pass")
    said("undo", file, "--agreed")
    assert "all right, 1 turn" in said("check", file)


def test_who_has_resigned_takes_nothing_back(game: Path) -> None:
    """With `--agreed`, the passes for the player go with the turn before; cites: post.resign.final, record.turn.undone."""
    said("resign", game, "--for", "Bob", "--yes", "--at", AT)
    before = game.read_bytes()
    assert "[post.resign.final]" in complaint("undo", game, "--for", "Bob", code=1)
    assert game.read_bytes() == before
    told = said("undo", game, "--agreed")
    assert "1. Ann Pass" in told
    assert "It is Ann's turn." in told
    assert "all right, 2 turns, Ann to play" in said("check", game)


def test_a_resigned_game_has_an_ending_in_every_output(tmp_path: Path) -> None:
    """Cites: post.resign."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--first", "Ann")
    said("play", file, "Pass")
    said("resign", file, "--for", "Bob", "--yes", "--at", AT)
    checked = json.loads(said("check", file, "--format", "json"))
    last = json.loads(said("replay", file, "--json").splitlines()[-1])
    assert (checked["ending"], checked["winners"]) == (last["ending"], last["winners"]) == ("Resignation", [0])
    assert said("replay", file).endswith("The game is over. Bob has resigned. The winner is Ann.\n")


@pytest.fixture
def fuller(game: Path) -> Path:
    """A copy of the game with another turn."""
    copy = game.with_name("fuller.tkid")
    shutil.copy(game, copy)
    said("play", copy, "Pass")
    return copy


GREETED, CUT, RESIGNED = "Hello Bob,\n\n{}", "{}3. Cal Suport XX\n", "{}# resigned: Cal 2026-11-21T10:00Z\n"


@each_row("form", ["{}", GREETED, CUT, RESIGNED, "\ufeff{}", "{}\x01"])
@pytest.mark.parametrize("command", ["view", "annotate", "mail write", "letter write", "render"])
def test_no_command_writes_over_what_its_text_does_not_have(command: str, form: str, game: Path, fuller: Path) -> None:
    more = {"annotate": ("--alone", "--thought", "1"), "letter write": ("--me", "Ann"), "render": ("--format", "svg")}
    text = fuller.read_text("utf-8")
    fuller.write_text(form.format(text), "utf-8")
    before = fuller.read_bytes()
    told = tkid(*command.split(), game, *more.get(command, ()), "-o", fuller)
    assert told.exit_code == 2, told.output
    assert f"{fuller} " in told.output
    assert "Nothing was written." in told.output
    assert fuller.read_bytes() == before
    fuller.write_text(text, "utf-8")


def test_a_copy_with_less_is_overwritten(game: Path, fuller: Path) -> None:
    said("view", fuller, "-o", game)
    assert game.read_bytes() == fuller.read_bytes()
    said("view", fuller, "-o", game)


def test_hands_are_not_overwritten_by_a_file_that_hides_them(tmp_path: Path) -> None:
    whole, copy = tmp_path / "whole.tkid", tmp_path / "copy.tkid"
    said("new", whole, "Ann", "Bob", "--ruleset", "second-edition-advanced")
    shutil.copy(whole, copy)
    assert "has cards of this game that are hidden here" in complaint("view", whole, "-o", copy, code=2)
    said("view", whole, "--seat", "Ann", "-o", tmp_path / "ann.tkid")
    assert "hidden here" in complaint("view", whole, "-o", tmp_path / "ann.tkid", code=2)
    said("view", whole, "--seat", "Ann", "-o", tmp_path / "ann.tkid")


def test_what_is_no_notes_is_not_transcribed(game: Path, tmp_path: Path) -> None:
    output, picture = tmp_path / "read.tkid", tmp_path / "board.svg"
    said("render", game, "-o", picture)
    expected = {
        game: f"is a game file already, not notes. `tkid check {game}`",
        picture: "is a picture (SVG), not notes.",
    }
    for file, reason in expected.items():
        assert reason in complaint("transcribe", file, "-o", output, code=1)
        assert not output.exists()
