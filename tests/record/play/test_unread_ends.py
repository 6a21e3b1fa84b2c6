"""A line that seems to say who resigned or how a game ended, and cannot be read, is a fault everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import RECORD, tkid
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

BROKEN = (
    "# resigned: Bob 2026-12-01T09:00Z #0798d",
    "# resigned: Łukasz",
    "# resigned: Łukasz 2026-12-01T09:00Z - sorry",
    "# resigned: Łukasz (2026-11-02T08:00Z)",
    "# ended: draw",
    "# ended: Ann won, agreed by Ann and Łukasz 2026-12-01T09:00Z",
)


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_a_problem_of_the_replay(line: str) -> None:
    """Cites: post.note.form."""
    record = read_record(f"{RECORD}{line}\n".encode()).record
    assert record is not None
    (problem,) = replay(record).problems
    assert problem.line == len(RECORD.splitlines()) + 1


@pytest.mark.parametrize("remark", ["# Ann resigned herself to tea", "# we ended late", "# It ended: what a game!"])
def test_a_remark_is_none(remark: str) -> None:
    record = read_record(f"{RECORD}{remark}\n".encode()).record
    assert record is not None
    assert replay(record).problems == []


def test_every_command_refuses_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(f"{RECORD}# ended: draw\n", "utf-8")
    for command in (["check"], ["show"], ["result"], ["verify"], ["fmt"], ["why"], ["play", "Pass"]):
        shown = tkid(command[0], file, *command[1:])
        assert shown.exit_code == 1, (command, shown.output)
        assert "post.note" in shown.output + shown.stderr, command
    assert file.read_text("utf-8") == f"{RECORD}# ended: draw\n"
