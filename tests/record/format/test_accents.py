"""A name is one name, however its accents are written: composed as in most keyboards, or as letter and accent apart."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

import pytest

from tests.cli import complaint, said
from tests.shared.tables import each_row
from tkid.mail.order_finder import get_order_reader
from tkid.notation.names import find_people
from tkid.notation.text import compose_accents, fold_name, measure_name
from tkid.orders.order_values import Say
from tkid.record.clock_notes import find_named_seat
from tkid.record.format.model import Value, read_value
from tkid.record.format.reader import read_record
from tkid.record.play.replay import append, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.writer import write_record

C = "Zoë Ångström"
D = normalize("NFD", C)
BOTH = ((C, D), (D, C))
GAME = Path(__file__).parents[3] / "fixtures/games/second-edition/coronation-support-players.tkid"


def test_a_text_begins_with_a_name_in_both_ways() -> None:
    assert measure_name(C, f"{D} Pass") == len(D)
    assert measure_name(D, f"{C} Pass") == len(C)
    assert measure_name(C, f"{C}x") == len(C)
    assert measure_name(C, "Zoe Pass") is None


def test_an_accent_is_part_of_the_name() -> None:
    assert (
        find_people(("Zoe", "Bob")).mask_names(f"if {normalize('NFD', 'Zoë')} passes")
        == f"if {normalize('NFD', 'Zoë')} passes"
    )


def test_there_are_two_ways_to_write_it() -> None:
    assert C != D
    assert fold_name(C.upper()) == fold_name(D) == fold_name(C)
    assert compose_accents(D) == C


def test_a_whole_record_may_name_a_player_in_both_ways() -> None:
    """Set-up, turns, and what followed from them; the chain is that of the name in the header."""
    record = read_record(GAME.read_bytes()).record
    assert record is not None
    first, *_ = record.names
    for head, rest in BOTH:
        text = GAME.read_text("utf-8").replace(first, rest).replace(f"Seat: {rest}", f"Seat: {head}")
        text = "\n".join(line.partition(" #")[0] if line[:1].isdecimal() else line for line in text.split("\n"))
        assert text.count(rest) > 5
        assert f"Court {rest}" in text
        problems, played = judge_record(read_record(text.encode()))
        assert len(problems) == 0
        assert played is not None
        assert rest not in write_record(played.record, played)
        same = judge_record(read_record(text.replace(rest, head).encode()))[1]
        assert same is not None
        assert same.value == played.value


def test_two_seats_cannot_differ_in_that_alone() -> None:
    text = GAME.read_text("utf-8")
    seats = [line for line in text.split("\n") if line.startswith("Seat: ")]
    read = read_record(text.replace(seats[0], f"Seat: {C}").replace(seats[1], f"Seat: {D}").encode())
    assert ("record.seat.unique", f"{D} and {C} differ only in how their accents are written") in [
        (problem.rule, problem.message) for problem in read.problems
    ]


@each_row("head, typed", BOTH)
def test_orders_name_players_in_both_ways(head: str, typed: str) -> None:
    record = read_record(GAME.read_bytes()).record
    assert record is not None
    names = (head, "Bob")
    reader = get_order_reader(record.game, names, 1)
    assert reader.read_line(f"say to {typed}: Hello").order == Say(0, "Hello")
    assert reader.read_line(f"pass until {typed} acts").problems == ()
    assert reader.read_line(f"if {typed.upper()} passes: Pass; else stop").problems == ()
    assert find_people(names).mask_names(f"if {typed} passes") == f"if {chr(0xE000) * len(typed)} passes"


@each_row("head, typed", BOTH)
def test_notes_and_values_name_players_in_both_ways(head: str, typed: str) -> None:
    names = (head, "Bob")
    assert find_named_seat(names, f"{typed} 2026-12-01") == (0, "2026-12-01")
    assert find_named_seat(names, f"{typed}, Bob") == (0, ", Bob")
    value = read_value(f"value: {typed} wins, proven", names, ((0,), (1,)))
    assert value == read_value(f"value: {head} wins, proven", names, ((0,), (1,)))


@pytest.mark.parametrize(("head", "typed"), BOTH)
def test_commands_name_players_in_both_ways(tmp_path: Path, head: str, typed: str) -> None:
    file = tmp_path / "game.tkid"
    said("new", file, head, "Bob", "--first", typed, "--word", f"{typed}=a fox in the glen")
    assert f"Seat: {head}" in file.read_text("utf-8")
    record = read_record(file.read_bytes()).record
    assert record is not None
    assert record.deal.first == 0
    assert "a fox in the glen" in file.read_text("utf-8")
    said("view", file, "--seat", typed, "-o", tmp_path / "view.tkid")
    said("me", file, typed)
    said("play", file, "--for", typed, "--yes", "Pass")
    played = replay(read_record(file.read_bytes()).record)  # type: ignore[arg-type]
    assert not append(played, "Pass").problems
    assert "no player" in complaint("view", file, "--seat", f"{typed}x", code=2)


@pytest.mark.parametrize(("head", "typed"), BOTH)
def test_seals_and_draws_name_players_in_both_ways(tmp_path: Path, head: str, typed: str) -> None:
    file, draw = tmp_path / "game.tkid", tmp_path / "ann.draw"
    said("new", file, head, "Bob", "--word", f"{head}=a fox in the glen")
    file.write_text(file.read_text("utf-8").replace(f"Seal: {head}", f"Seal: {typed}"), "utf-8")
    assert json.loads(said("check", "--format", "json", file))["problems"] == []
    said("letter", "new", draw, "--me", typed, "--seat", head, "--seat", "Bob")
    text = draw.read_text("utf-8")
    begin = text.index("Commitments")
    draw.write_text(text[:begin] + text[begin:].replace(head, typed), "utf-8")
    said("letter", "new", tmp_path / "bob.draw", draw, "--me", "Bob")


ALIKE = ("Ann", "Аnn")


@pytest.mark.parametrize("played", [False, True])
def test_check_names_seats_that_look_alike(tmp_path: Path, played: bool) -> None:  # noqa: FBT001 - a row
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Bob", "--first", "1")
    text = file.read_text("utf-8")
    for before in ("Seat: ", "Court ", "First        "):
        text = text.replace(f"{before}Bob", f"{before}{ALIKE[1]}")
    file.write_text(text + ("1. Ann Pass\n" if played else ""), "utf-8")
    told = said("check", file)
    assert "all right" in told
    assert "  `Ann` and `Аnn` look alike: nobody could tell them apart (one has a cyrillic capital letter a)." in told
    assert "[record.seat.alike]" in told
    report = json.loads(said("check", "--format", "json", file))
    assert (report["ok"], report["problems"]) == (True, [])
    (note,) = report["notes"]
    assert (note["rule"], text.split("\n")[note["line"] - 1]) == ("record.seat.alike", f"Seat: {ALIKE[1]}")
    assert said("check", "--format", "github", file).count("::notice") == 1
    (result,) = json.loads(said("check", "--format", "sarif", file))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("record.seat.alike", "note")


def test_check_says_nothing_of_names_that_can_be_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    said("new", file, "Ann", "Anne")
    assert "alike" not in said("check", file)
    assert "notes" not in json.loads(said("check", "--format", "json", file))


def test_a_value_is_read() -> None:
    assert isinstance(read_value("value: Bob wins, proven", ("Ann", "Bob"), ((0,), (1,))), Value)
