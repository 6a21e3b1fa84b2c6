"""The page on the clock: its terms, times, lines and its record are read, and say what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tkid.kernel.problems import Problem
from tkid.mail.game_clock import describe_deadline, read_game_clock
from tkid.mail.timeline import read_timeline
from tkid.record.clock import parse_moment, read_clock, write_clock
from tkid.record.clock_notes import make_note_reader
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "clock.md").read_text("utf-8")


def block(name: str, page: str = PAGE) -> list[str]:
    """The lines of the fenced block that is marked with a name."""
    (found,) = re.findall(rf"^```{name}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return str(found).splitlines()


def record(text: str) -> Record:
    """A record without problems."""
    found = read_record(text.encode())
    assert found.record is not None
    assert found.problems == ()
    return found.record


def canonical(typed: str) -> str:
    """Terms as they are written."""
    clock = read_clock(typed).clock
    assert clock is not None, read_clock(typed).problems
    return write_clock(clock)


def test_the_whole_terms_are_canonical() -> None:
    (whole,) = block("clock")
    assert canonical(whole) == whole


@pytest.mark.parametrize("pair", block("clock-loose"))
def test_terms_may_be_typed_otherwise(pair: str) -> None:
    typed, written = pair.split(" => ")
    assert canonical(typed) == written


def test_each_part_of_the_table_is_read() -> None:
    parts = [
        part for row in re.findall(r"^\| (`.+?) \| ", PAGE, re.MULTILINE) for part in re.findall(r"`([^`{]+)`", row)
    ]
    assert len(parts) > 10
    for part in parts:
        read = read_clock(part if " turn" in part else f"5 days a turn, {part}")
        assert read.problems == (), part


@pytest.mark.parametrize("line", block("words"))
def test_what_stands_in_mails(line: str) -> None:
    began, terms, now, told = line.split(" | ")
    head = "\n".join(block("tkid")).partition("\n1. ")[0]
    head = re.sub("^X-Clock: .*$", f"X-Clock: {terms}", head, flags=re.MULTILINE)
    at = read_timeline(replay(record(re.sub("^X-Started: .*$", f"X-Started: {began}", head, flags=re.MULTILINE))))
    moment = parse_moment(now)
    assert moment is not None
    clock = read_game_clock(at, moment)
    assert clock is not None
    assert describe_deadline(clock) == told


def test_the_record_is_canonical_and_says_what_is_told_of_it() -> None:
    text = "".join(f"{line}\n" for line in block("tkid"))
    played = replay(record(text))
    assert played.problems == []
    assert write_record(played.record, played) == text
    at = read_timeline(played)
    assert at.problems == ()
    assert [(seat.bank, seat.misses, len(seat.pauses)) for seat in at.seats] == [(0, 1, 9), (9, 0, 0)]
    shorter = read_timeline(replay(record(text.partition("4. Ann")[0])))
    assert shorter.seats[0].bank == 8
    moment = parse_moment("2026-12-01T10:00Z")
    assert moment is not None
    clock = read_game_clock(shorter, moment)
    assert clock is not None
    assert clock.end == parse_moment("2026-12-05T10:00Z")


@pytest.mark.parametrize("line", block("lines"))
def test_a_line_is_canonical(line: str) -> None:
    assert make_note_reader(("Ann", "Bob")).write_public_line(line) == line


def test_the_notes_of_the_table_are_canonical() -> None:
    notes = re.findall(r"^\| `\{(.+)\}` \| ", PAGE, re.MULTILINE)
    assert len(notes) == 6
    reader = make_note_reader(("Ann", "Bob"))
    assert [reader.write_public_note(note) for note in notes] == notes
    assert not isinstance(reader.read_note(notes[0]), Problem)


def test_the_turn_that_was_taken_back_in_the_notation() -> None:
    """The example goes on from the head of the page's whole game."""
    page = (DOCS / "game-file.md").read_text("utf-8")
    head = "\n".join(block("tkid", page)).partition("1. Ann")[0]
    text = head + "".join(f"{line}\n" for line in block("undone", page))
    played = replay(record(text))
    assert played.problems == []
    assert write_record(played.record, played) == text
    assert played.record.turns[0].undone
