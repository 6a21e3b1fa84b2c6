"""A game file as it is open in an editor: read, judged and played through, with what is on each of its lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from attrs import frozen

from tkid.kernel.game import Position
from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.timeline import with_notes
from tkid.record.format.lines import split
from tkid.record.format.model import Turn
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay
from tkid.record.play.validation import judge

Viewer = Callable[[str, Replay, Position], int | None]
"""Whose view of a position somebody gets who has a game file open: of its path, its replay and the position."""
Span = tuple[int, int]
"""A stretch of a line: the columns of its start and its end, from 0."""


def next_player(path: str, replay: Replay, position: Position) -> int | None:  # noqa: ARG001 - a Viewer
    """The view of the next player, for files of which nobody knows whose they are."""
    return position.to_act


@frozen(eq=False)
class Reading:
    """A game file as it stands in an editor; lines count from 1.

    Attributes:
        path: Where the file is, as the editor says.
        text: What is in it.
        lines: Its lines, without their ends.
        problems: What is wrong with it, as `tkid check` says.
        replay: The game, None where the text makes none.
    """

    path: str
    text: str
    lines: Sequence[str]
    problems: Sequence[Problem]
    replay: Replay | None

    @property
    def turns(self) -> Sequence[Turn]:
        """The turns of the game, in the order of their lines."""
        return self.replay.record.turns if self.replay else ()

    def turns_before(self, line: int) -> int:
        """How many turns are on the lines above a line: the number of the moment before it."""
        return bisect_right(self.turns, line - 1, key=lambda turn: turn.line)

    def turn_on(self, line: int) -> Turn | None:
        """The turn that is written on a line."""
        before = self.turns_before(line)
        turn = self.turns[before] if before < len(self.turns) else None
        return turn if turn and turn.line == line else None

    def text_span(self, turn: Turn) -> Span:
        """Where the text of a turn is on its line, without comments and hash."""
        line = self.lines[turn.line - 1]
        ends = [column for column in (turn.hash_col, *turn.note_cols) if column > turn.col]
        return turn.col, turn.col + len(line[turn.col : min(ends, default=len(line))].rstrip())

    def decision_on(self, turn: Turn, column: int) -> int:
        """Which decision of a turn a column of its line belongs to."""
        return max(bisect_right(turn.read.columns, column - turn.col) - 1, 0)

    def decision_span(self, turn: Turn, index: int) -> Span:
        """Where a decision of a turn is on its line."""
        start, end = self.text_span(turn)
        columns = [start + column for column in turn.read.columns] or [start]
        stop = min(end, columns[index + 1] - 1) if index + 1 < len(columns) else end
        written = self.lines[turn.line - 1][columns[index] : stop]
        return columns[index] + len(written) - len(written.lstrip()), columns[index] + len(written.rstrip())


def read_text(path: str, text: str) -> Reading:
    """Read a game file from its text. Half characters, which an editor may send, are a problem like bytes that are no text."""
    lines = split(text)
    try:
        problems, replay = judge(read_record(text.encode("utf-8", "surrogatepass")))
        return Reading(path, text, lines, with_notes(problems, replay), replay)
    except Exception as error:  # noqa: BLE001 - the editor keeps its other files
        message = f"tkid failed at this file ({type(error).__name__}: {error}). Please report it with the file"
        return Reading(path, text, lines, [Problem(Kind.FILE, "", message, 1, 1, 1)], None)
