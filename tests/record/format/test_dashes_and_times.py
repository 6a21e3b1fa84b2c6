"""What phones and people make of `--` and of times: the dashes are read, and a time that cannot be is named for what it is."""

from __future__ import annotations

from pathlib import Path

from tests.cli import RECORD, complaint, record_in, said, tkid
from tests.shared.tables import each_row
from tkid.record.clock import find_time_fault, parse_moment

STATED = "-- Strathclyde: unstable (2S 2W)"
DASHES = ["— ", "—", " -- ", "  --", "– ", "–– ", "―", "−− ", "--- ", "\t-- ", "--\u00a0", "‑‑ ", "——"]


@each_row("dashes", DASHES)
def test_a_dash_made_by_a_phone_is_read(tmp_path: Path, dashes: str) -> None:
    file = record_in(tmp_path, RECORD.replace("-- ", dashes))
    assert said("check", file) == f"{file}: all right, 5 turns, Łukasz to play\n"
    assert said("fmt", file) == f"{file}: changed\n"
    assert file.read_text("utf-8") == RECORD


@each_row("dashes", ["- ", "• ", "* ", "~ ", "> "])
def test_other_marks_are_no_such_line(tmp_path: Path, dashes: str) -> None:
    file = record_in(tmp_path, RECORD.replace("-- ", dashes))
    assert "[record.turn.form]" in complaint("show", file, code=1)


def test_what_did_not_follow_is_still_wrong(tmp_path: Path) -> None:
    file = record_in(tmp_path, RECORD.replace("-- Strathclyde", "— Moray"))
    assert "[record.outcome]" in complaint("show", file, code=1)


def test_a_letter_with_such_a_dash_is_read_and_a_signature_is_none(tmp_path: Path) -> None:
    file, mail = record_in(tmp_path), tmp_path / "from-ann.eml"
    for dash in ("— ", "-- "):
        text = RECORD.replace("-- ", dash)
        mail.write_text(f"From: ann@example.org\nTo: l@example.org\n\nHi\n\n{text}\n— Ann\n", "utf-8")
        assert "has all of this already" in said("letter", "read", file, mail)


TIMES = [
    ("2026-11-21T24:00Z", "The hours of a day are 00 to 23: midnight is 00:00 on the next day"),
    ("2026-11-21T25:00Z", "The hours of a day are 00 to 23"),
    ("2026-11-21T10:60Z", "Minutes go from 00 to 59"),
    ("2026-11-21T10:04:60Z", "Seconds go from 00 to 59"),
    ("2026-11-21 10:99 UTC", "Minutes go from 00 to 59"),
    ("9999-12-31T23:59Z", "The year 9999 is not between 2000 and 2999"),
    ("0000-12-31T23:59Z", "The year 0000 is not between 2000 and 2999"),
    ("1999-12-31T23:59+01:00", "The year 1999 is not between 2000 and 2999"),
    ("2026-02-30T10:04Z", "The calendar has no day 2026-02-30"),
    ("2026-13-01T10:04Z", "The calendar has no day 2026-13-01"),
    ("2026-00-00T10:04Z", "The calendar has no day 2026-00-00"),
]
NOTES = [
    "5. Ann Pass {at %s}",
    "# resigned: Ann %s",
    "# back: Ann %s",
    "# adjourned: %s",
    "# away: Ann 2026-12-20 to 2026-12-28, said %s",
    "# stand-in: Ann is played by bot Merlin %s",
    "# paused: by the host %s: a storm",
    "5. Ann Pass {undone: Ann, Łukasz agreed at %s}",
    "5. Ann Pass {undone by the host at %s: a slip}",
]


@each_row("time, why", TIMES)
def test_a_time_that_cannot_be_is_named_for_what_it_is(tmp_path: Path, time: str, why: str) -> None:
    assert parse_moment(time) is None
    assert find_time_fault(f"at {time}") == why
    head = RECORD[: RECORD.index("5. Ann")]
    for note in NOTES:
        told = tkid("check", record_in(tmp_path, f"{head}{note % time}\n")).output
        assert why in told, (note, told)
        assert "is missing" not in told, (note, told)


@each_row("time", ["2026-11-21T10:04Z", "2026-11-21T23:59:59Z", "2028-02-29 00:00", "2026-11-21T10:04+02:00"])
def test_a_time_that_can_be_has_no_fault(time: str) -> None:
    assert parse_moment(time) is not None
    assert find_time_fault(time) == ""
