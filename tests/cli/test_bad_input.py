"""Bad input: each a clear problem with its place and rule, the documented exit code, and nothing written."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli import POSITION, RECORD, complaint, tkid
from tests.shared.tables import each_row
from tkid.kernel.problems import Kind
from tkid.record.format.reader import read_record
from tkid.record.play.validation import judge_record

BYTES = RECORD.encode()
LAST = "5. Ann Outmanoeuvre S Lancaster <> WW Gwynedd; summon S Northumbria #99e84a\n"


def changed(*pairs: tuple[str, str]) -> bytes:
    """The record with some texts replaced, each the first time that it stands there."""
    text = RECORD
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text.encode()


def renamed(old: str, new: str) -> bytes:
    """The record with another name for a player."""
    return RECORD.replace(old, new).encode()


def unhashed(data: bytes) -> bytes:
    """A record without its hashes."""
    return re.sub(rb" #[0-9a-f]{6}\n", b"\n", data)


def with_header(*headers: str) -> bytes:
    """The record with more headers."""
    return changed(("\nSetup", "".join(f"{header}\n" for header in headers) + "\nSetup"))


def at(text: str) -> int:
    """The line of the record that begins with a text."""
    return next(n for n, line in enumerate(RECORD.splitlines(), 1) if line.startswith(text))


class Case(NamedTuple):
    """A wrong file: its bytes; line, column and rule of the only root problem, words of it, and the exit code."""

    data: bytes
    line: int
    col: int
    rule: str
    says: str
    code: int = 1


def unreadable(data: bytes, line: int, col: int, rule: str, says: str) -> Case:
    """A file that is no record at all."""
    return Case(data, line, col, rule, says, 2)


FINAL_TIE = "Ruling: second.ruling.final-tie"
FIVE = "Seat: Łukasz\nSeat: Cal\nSeat: Dee\nSeat: Eva\n"
STANDS = b"6. 2 Manoeuvre E Northumbria <> S Moray; summon W Devon {stands: so be it}\n"

WRONG = {
    "not UTF-8": unreadable(RECORD.encode("iso-8859-2"), 5, 7, "record.encoding", "Byte 0xa3 is not UTF-8"),
    "UTF-16": unreadable(RECORD.encode("utf-16"), 1, 1, "record.encoding", "Byte 0xff is not UTF-8"),
    "a NUL byte": unreadable(
        changed(("winter", "win\0ter")), 3, 10, "record.encoding", "There is a control character here (0x00)"
    ),
    "an escape": unreadable(
        changed(("winter", "\x1b[31m")), 3, 7, "record.encoding", "There is a control character here (0x1b)"
    ),
    "an empty file": unreadable(b"", 1, 1, "record.first-line", "The file is empty"),
    "only a comment": unreadable(b"# hello\n", 1, 1, "record.first-line", "only comments here"),
    "no record": unreadable(b"\nDear Ann,\n", 2, 1, "record.first-line", "This is not a game file: it begins with"),
    "a later format": unreadable(changed(("Record: 1", "Record: 2")), 1, 1, "record.first-line", "format 2, which"),
    "a line of 10 MB": unreadable(BYTES + b"x" * 10_000_000, 30, 4001, "record.size", "This line has 10000000 char"),
    "17 MB": unreadable(BYTES + b"# and so on\n" * 1_500_000, 1, 1, "record.size", "A game file has at most 16777216"),
    "an unknown header": Case(changed(("Game", "Gmae")), 3, 1, "record.header.unknown", "There is no header `Gmae`"),
    "a needed header misspelled": Case(
        changed(("Ruleset", "Rulset")), 2, 1, "record.header.unknown", "no header `Rulset`"
    ),
    "no set-up": Case(
        BYTES[: BYTES.index(b"\nSetup")], 5, 1, "record.header.missing", "The set-up after the header is missing"
    ),
    "no seats": Case(
        b"Tkid-Record: 1\nRuleset: second-edition\n", 1, 1, "record.header.missing", "The seats are missing"
    ),
    "a single seat": Case(changed(("Seat: Łukasz\n", "")), 4, 1, "record.seats", "1 seat; the game is for 2, 3 or 4"),
    "five seats": Case(changed(("Seat: Łukasz\n", FIVE)), 8, 1, "record.seats", "5 seats; the game is for 2, 3 or 4"),
    "a name twice": Case(changed(("Seat: Łukasz", "Seat: ann")), 5, 7, "record.seat.unique", "ann and Ann differ"),
    "a name like a card": Case(
        renamed("Ann", "assem"), 4, 7, "record.seat.like-card", "be read as Assemble, which begins a turn"
    ),
    "a name and a card": Case(
        renamed("Łukasz", "Ann Pass"), 5, 7, "record.seat.like-card", "as the player Ann and Pass"
    ),
    "a long name": Case(renamed("Łukasz", "u" * 33), 5, 7, "record.seat.name", "has 33 characters"),
    "an unknown ruleset": Case(changed(("second-", "third-")), 2, 10, "record.ruleset", "no ruleset 'third-edition'"),
    "an unknown version": Case(
        changed(("edition", "edition 7")), 2, 10, "record.ruleset", "has version 1 in this program, not 7"
    ),
    "an unknown ruling": Case(
        with_header("Ruling: second.ruling.undo no"), 6, 9, "record.ruling", "is not a ruling that"
    ),
    "an unknown option": Case(
        with_header(f"{FINAL_TIE} duel"), 6, 9, "record.ruling", "`duel` is not an option of second"
    ),
    "no option": Case(
        with_header(FINAL_TIE), 6, 9, "record.ruling", "The option of second.ruling.final-tie is missing"
    ),
    "two options": Case(
        with_header(f"{FINAL_TIE} shared", f"{FINAL_TIE} shared"), 7, 9, "record.ruling", "chosen already"
    ),
    "a position and a set-up": Case(
        with_header(f"Position: {POSITION}"), at("Setup") + 1, 1, "record.header.missing", "but the header has"
    ),
    "followers that do not add up": Case(
        changed(("5W 2E", "5W 3E")),
        at("Supply"),
        1,
        "second.setup.supply",
        "16 followers of each faction, but here are 17",
    ),
    "a count without its letter": Case(
        changed(("5W 2E", "5 2E")), at("Supply"), 14, "notation.faction", "`5S 5 2E` is not a group of followers"
    ),
    "a track with a region twice": Case(
        changed(("Gwynedd, L", "Essex, L")),
        at("Track"),
        14,
        "second.setup.track",
        "Essex more than once and no Gwynedd",
    ),
    "no line `Turns`": Case(
        changed(("\nTurns\n", "")), at("1.") - 2, 1, "record.setup.row", "The line `Turns` is missing"
    ),
    "turns out of order": Case(
        unhashed(changed(("3. Ann", "3. Łukasz"), ("4. Łukasz", "4. Ann"))),
        at("3."),
        4,
        "second.turn.order",
        "Ann's turn",
    ),
    "a line lost": Case(changed(("3. Ann Pass #32ee44\n", "")), at("3."), 1, "record.turn.number", "turn 3, not 4"),
    "a line twice": Case(changed(("4. Ł", "3. Ann Pass\n4. Ł")), at("4."), 1, "record.turn.number", "turn 4, not 3"),
    "a wrong hash": Case(changed(("#32ee44", "#32ee45")), at("3."), 13, "record.turn.hash", "this turn has #32ee44"),
    "what did not follow": Case(
        changed(("unst", "inst")), at("--"), 1, "record.outcome", "did not follow: Strathclyde"
    ),
    "what followed from nothing": Case(
        changed(("Turns\n", "Turns\n-- Essex: Welsh (1W)\n")), at("1."), 1, "record.outcome", "There is no turn yet"
    ),
    "a comment that never ends": Case(changed(("ird}", "ird")), at("2."), 64, "record.turn.comment", "is not closed"),
    "what cannot stand": Case(BYTES + STANDS, at("5.") + 1, 16, "second.action.region", "so you cannot take E"),
    "a turn without its number": Case(changed(("3. Ann", "Ann")), at("3."), 1, "record.turn.form", "not a turn line"),
    "a seat in superscript": Case(changed(("3. Ann", "3. \u00b2")), at("3."), 4, "record.turn.player", "not a player"),
}


@pytest.mark.parametrize(("first", "what"), [("Tkid-Deal: 1", "a deal"), ("Tkid-Draw: 1", "a draw")])
def test_a_deal_in_the_place_of_its_game(first: str, what: str, tmp_path: Path) -> None:
    """Whoever names the file beside the game learns where the game is."""
    (tmp_path / "winter.deal").write_text(f"{first}\n", "utf-8")
    told = complaint("show", tmp_path / "winter.deal", code=2)
    assert f"This is {what}, not a game file" in told
    assert "`tkid letter new` continues it, and writes the game to a file that ends in .tkid." in told


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n == "17 MB" else []) for n in WRONG])
def test_a_wrong_record(name: str, tmp_path: Path) -> None:
    data, line, col, rule, says, code = WRONG[name]
    file = tmp_path / "game.tkid"
    file.write_bytes(data)
    result = tkid("check", file)
    assert result.exit_code == code
    found = [text for text in result.stdout.splitlines() if text.startswith(f"{file}:{line}:{col}: ")]
    assert len(found) == 1, result.stdout
    assert says in found[0]
    assert found[0].endswith(f"[{rule}]")
    assert result.stdout.count(f"\n{file}:") == result.stdout.count("may only follow"), "no other root cause"
    for command in (
        ("show",),
        ("legal",),
        ("play", "Pass"),
        ("fmt",),
        ("replay", "--json"),
        ("why",),
        ("why-not", "Pass"),
    ):
        again = tkid(command[0], file, *command[1:])
        assert again.exit_code == code, command
        assert f"[{rule}]" in again.stderr
        assert again.stdout == ""
    assert file.read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["game.tkid"]


@pytest.mark.parametrize("name", ["a directory", "a missing file", "no permission"])
def test_a_file_that_cannot_be_opened(name: str, tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    if name == "a directory":
        file.mkdir()
    elif name == "no permission":
        if not hasattr(os, "geteuid") or os.geteuid() == 0:
            pytest.skip("root may read everything, and on Windows every owner")
        file.write_text(RECORD)
        file.chmod(0)
    for command in (("check",), ("show",), ("legal",), ("play", "Pass"), ("fmt",), ("replay",), ("why",), ("result",)):
        result = tkid(command[0], file, *command[1:])
        assert result.exit_code == 2, command
        assert result.stdout == ""
        assert str(file) in result.stderr
        assert len(result.stderr.splitlines()) == 1
    report = json.loads(tkid("check", file, "--format", "json").stdout)
    assert (report["ok"], report["problems"][0]["kind"]) == (False, "file")


def test_a_record_that_ended_by_resignation_asks_for_no_turn(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_bytes(BYTES + b"# resigned: Ann 2026-12-01T09:00Z\n")
    told = tkid("check", file).stdout
    assert told.startswith(f"{file}: all right, 5 turns. Łukasz won: Ann has resigned.\n")
    assert "The hashes do not cover line" in told


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf" + BYTES, BYTES.replace(b"\n", b"\r\n"), BYTES.replace(b"\n", b"\r")])
def test_a_byte_order_mark_and_other_line_ends_are_tolerated(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_bytes(data)
    assert tkid("check", file).exit_code == 0
    assert tkid("fmt", "--check", file).exit_code == 1
    assert file.read_bytes() == data
    assert tkid("fmt", file).exit_code == 0
    assert file.read_bytes() == BYTES


def test_what_is_tolerated_is_made_canonical(tmp_path: Path) -> None:
    typed = (
        ("Łukasz Negotiate", "  łukasz   negotiate"),
        ("Setup\n", "SETUP:\n"),
        ("Supply       5S 5W 2E", "supply 5S5W 2e"),
        ("Court Ann    SE", "court 1 E S"),
        ("#5816d5", "#5816D5"),
        (" {so that Devon comes third}", ""),
        ("2. ", "2.{so that Devon comes third}"),
    )
    file = tmp_path / "game.tkid"
    file.write_bytes(changed(*typed))
    assert tkid("fmt", file).exit_code == 0
    assert file.read_bytes() == BYTES


def test_every_root_cause_is_told_and_what_follows_is_only_counted(tmp_path: Path) -> None:
    """Two typing errors in one line, others in other lines: each is a problem; the rest may only follow."""
    file = tmp_path / "game.tkid"
    wrong = changed(
        ("Game:", "Gmae:"),
        ("Moray <> Devon, disc Devon; summon E Essex", "Mory <> Devn, disc Devon; summon X Essex"),
        ("WW Gwynedd; summon S Northumbria", "WW Gwynedd; summon S Northumbira"),
    )
    file.write_bytes(wrong)
    told = tkid("check", file).stdout
    places = [line.split(":")[1:3] for line in told.splitlines() if line.endswith("]")]
    second, fifth = str(at("2.")), str(at("5."))
    assert places == [["3", "1"], [second, "21"], [second, "29"], [second, "54"], [fifth, "57"]]
    assert told.splitlines()[-1] == f"{file}: 1 more that may only follow from these (`tkid check --all` lists it)"
    every = json.loads(tkid("check", file, "--format", "json").stdout)["problems"]
    assert [p["kind"] for p in every].count("follow-on") == 1
    assert tkid("check", "--all", file).stdout.count(f"{file}:") == len(every) == 6


def test_two_names_wrong_on_the_track_are_both_told(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_bytes(changed(("Essex, Moray", "Esex, Mory"), ("Warwick      WWEE\n", "")))
    report = json.loads(tkid("check", file, "--format", "json").stdout)
    assert [p["rule"] for p in report["problems"]] == ["record.setup.missing", "notation.region", "notation.region"]


def test_an_illegal_action_is_told_though_its_summons_is_misspelled() -> None:
    found = read_record(BYTES + "6. Łukasz Manoeuvre S Moray <> S Moray; summon E Esex\n".encode())
    assert [p.rule for p in judge_record(found)[0]] == ["second.card.manoeuvre.another", "notation.region"]


def test_a_line_that_is_not_understood_hides_no_later_number() -> None:
    """A line without a number may have been a turn or not: the numbers after it may go on in both ways."""
    for wrong in (("3. Ann Pass", "3 Ann Pass"), ("3. Ann Pass", "#a note\n3. Ann Pass")):
        roots = [p for p in judge_record(read_record(changed(wrong)))[0] if p.kind is not Kind.FOLLOW_ON]
        assert [p.rule for p in roots] == ["record.turn.form"]


def test_names_whose_capitals_are_longer() -> None:
    text = RECORD.replace("Łukasz", "Groß").replace("Court Groß ", "Court Groß   ")
    assert judge_record(read_record(unhashed(text.encode())))[0] == []


def test_names_that_begin_alike() -> None:
    """In a set-up the spaces between a name and its followers are no part of a longer name."""
    text = RECORD.replace("Łukasz", "Ann S").replace("Court Ann S ", "Court Ann S  ").replace("SE\n", "S E\n")
    assert {p.rule for p in judge_record(read_record(unhashed(text.encode())))[0]} == {"record.seat.like-card"}


POSITIONS = (
    "second-edition; MOR S²",
    "second-edition; 0 court SW",
    "second-edition; 999999999 court S",
    "second-edition; supply 1S; supply 2S",
    "second-edition; MOR S, MOR W",
    f"second-edition; 1 acted {'9' * 5000}",
    "second-edition; supply 999999999S",
    "second-edition; to play 1; ended coronation 1",
    "second-edition; ended tea 1",
    ";",
    "; ; ;" * 200,
)


@each_row("line", POSITIONS, ids=lambda line: line[:40])
def test_a_wrong_position(line: str) -> None:
    for command in (("show",), ("legal",), ("why",), ("result",)):
        result = tkid(command[0], line, *command[1:])
        assert (result.exit_code, result.stdout) == (1, "")
        assert "[notation.position]" in result.stderr


def test_a_turn_may_stand_where_the_pieces_allow_it() -> None:
    twice = "6. Łukasz Manoeuvre S Moray <> E Moray; summon W Warwick"
    disc = "6. Łukasz Negotiate Essex <> Gwynedd, disc Gwynedd; summon W Warwick"
    for turn, rules in (
        (twice, {"second.card.manoeuvre.another"}),
        (f"{twice} {{Stands: nobody saw it}}", set()),
        (f"{twice} {{stands no more}}", {"second.card.manoeuvre.another"}),
        (f"{disc} {{stands: he had no disc to place}}", {"second.turn.hand", "second.card.negotiate.disc-left"}),
        ("6. Ann Pass {stands: Łukasz was away}", set()),
    ):
        assert {p.rule for p in judge_record(read_record(BYTES + f"{turn}\n".encode()))[0]} == rules, turn


def test_a_turn_without_a_player_is_not_taken_for_a_typing_error(tmp_path: Path) -> None:
    (tmp_path / "game.tkid").write_text(f"{RECORD}6. \n", "utf-8")
    told = tkid("check", tmp_path / "game.tkid").output
    assert "The player and the turn are missing" in told
    assert "The players are Ann and Łukasz." in told
