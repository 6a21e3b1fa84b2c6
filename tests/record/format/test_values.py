"""Values of positions as inline comments: what is written is read back, and other comments are no values."""

from __future__ import annotations

from tests.shared.tables import each_row
from tkid.record.format.model import Value, read_value, write_value

NAMES = ("Ann", "Bob", "Cal", "Dee")
TWO, THREE, TEAMS = ((0,), (1,)), ((0,), (1,), (2,)), ((0, 2), (1, 3))
WRITTEN = [
    (Value((0.62, 0.38)), TWO, "value: Ann 62 %"),
    (Value((0.4, 0.35, 0.25)), THREE, "value: Ann 40 %, Bob 35 %, Cal 25 %"),
    (Value((0.3, 0.7)), TEAMS, "value: Ann 30 %"),
    (Value((0.0, 1.0), proven=True), TWO, "value: Bob wins, proven"),
    (Value((0.5, 0.5), proven=True), TWO, "value: drawn, proven"),
]
READ = [
    (Value((0.375, 0.625)), TWO, "Value:  bob 62.5%"),
    (Value((1.0, 0.0), proven=True), TEAMS, "value: Cal wins, proven"),
]
NEVER_QUITE = [(Value((0.999, 0.001)), TWO, "value: Ann 99 %"), (Value((0.0, 1.0)), TWO, "value: Ann 1 %")]
NONE = [
    "A bold plan!",
    "value: Zoe 62 %",
    "value: Ann 162 %",
    "value: good",
    "value: Ann 40 %, Bob 30 %",
    "value: Ann 62",
    "Ann 62 %",
]


@each_row("value, parties, text", WRITTEN)
def test_what_is_written_is_read_back(value: Value, parties: tuple[tuple[int, ...], ...], text: str) -> None:
    assert write_value(value, NAMES, parties) == text
    assert read_value(text, NAMES, parties) == value


@each_row("value, parties, text", READ)
def test_what_people_write_is_read_too(value: Value, parties: tuple[tuple[int, ...], ...], text: str) -> None:
    assert read_value(text, NAMES, parties) == value


@each_row("value, parties, text", NEVER_QUITE)
def test_an_estimate_is_never_quite_certain(value: Value, parties: tuple[tuple[int, ...], ...], text: str) -> None:
    assert write_value(value, NAMES, parties) == text


@each_row("note", NONE)
def test_other_comments_are_no_values(note: str) -> None:
    assert read_value(note, NAMES, THREE) is None
