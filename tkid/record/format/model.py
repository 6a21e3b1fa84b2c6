"""A record in memory: headers, start, turns, and the comments that people put between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from attrs import field, frozen

from tkid.kernel.game import AnyGame, Position, Table
from tkid.kernel.values import quick_frozen
from tkid.notation.turns import ReadTurn
from tkid.rulebook import cites
from tkid.rulebook.rulesets import Ruleset

FORMAT = "1"
STANDS = "stands:"
UNDONE, UNDONE_BY_HOST = "undone:", "undone by the host"
TAKEN_BACK = (UNDONE, UNDONE_BY_HOST)
"""What an inline comment begins with on a turn that was taken back: by everybody, or by the host."""
BEFORE_TURNS = "Turns"
"""The label under which the comments before the line `Turns` are kept."""
Comments = tuple[str, ...]
"""Whole comment lines, as they were written."""


@frozen
class Place:
    """Where something stands in a file: line and column from 1, and how long it is."""

    line: int = 1
    col: int = 1
    length: int = 1


@frozen
class Seat:
    """A player: name, and address if there is one."""

    name: str
    address: str = ""

    def __str__(self) -> str:
        return f"{self.name} <{self.address}>" if self.address else self.name


@frozen
class Header:
    """A line of the header, with the comments before it."""

    name: str
    value: str
    comments: Comments = ()
    line: int = 0


@quick_frozen
class Outcome:
    """A `--` line as it was written, with the comments before it."""

    text: str
    comments: Comments = ()
    line: int = 0


@quick_frozen
class Turn:
    """A turn line: number, seat, what was read, the hash that stands there, inline comments.

    `line` and `col` tell where the turn's text begins in the file (0 for a turn that comes from no file),
    `name_col` and `hash_col` where the player's name and the hash stand on that line, and `note_cols` where each
    inline comment does; columns from 0.
    """

    number: int
    seat: int
    read: ReadTurn
    hash: str = ""
    notes: tuple[str, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    comments: Comments = ()
    line: int = 0
    col: int = 0
    name_col: int = 0
    hash_col: int = 0
    note_cols: tuple[int, ...] = ()

    @property
    @cites("record.turn.stands")
    def stands(self) -> bool:
        """Whether the turn is marked as one that really stood although it broke a rule."""
        return any(note.casefold().startswith(STANDS) for note in self.notes)

    @property
    @cites("record.turn.undone", "post.undo.host")
    def undone(self) -> bool:
        """Whether the turn is marked as one that was taken back."""
        return bool(self.notes) and any(note.casefold().startswith(TAKEN_BACK) for note in self.notes)

    @property
    def moves(self) -> tuple[Any, ...]:
        """The moves of the turn, as read."""
        return self.read.moves


@frozen
class Record:
    """A game file.

    Either `deal` (from the set-up) or `position` (from the header of a record that begins in the middle) is
    given. `row_comments` are the comments before a line of the set-up, by its label; `places` tell where each of these
    lines stands, if they were read from a file; `end` are the comments after the last turn.
    """

    ruleset: Ruleset
    seats: tuple[Seat, ...]
    headers: tuple[Header, ...]
    readings: Mapping[str, str] = field(factory=dict)
    deal: Any = None
    position: Position | None = None
    row_comments: Mapping[str, Comments] = field(factory=dict)
    places: Mapping[str, Place] = field(factory=dict)
    turns: tuple[Turn, ...] = ()
    end: Comments = ()
    above: tuple[tuple[int, str], ...] = field(default=(), eq=False, repr=False)
    """The comment lines before the turns, each with the number of its line, as they were read from a file."""
    remark_lines: tuple[int, ...] = field(default=(), eq=False, repr=False)
    """The numbers of the lines of `remarks`, as they were read from a file."""

    @cached_property
    def game(self) -> AnyGame:
        """The game under the record's readings."""
        game: AnyGame = self.ruleset.game(self.readings)
        return game

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names in turn order."""
        return tuple(seat.name for seat in self.seats)

    @property
    def table(self) -> Table:
        """The table."""
        return self.game.table(self.names)

    @property
    def title(self) -> str:
        """The game's name, "" where it has none."""
        return next((header.value for header in self.headers if header.name == "Game"), "")

    def remarks(self) -> Iterator[str]:
        """The comment lines from the first turn on, in their order."""
        for turn in self.turns:
            yield from turn.comments
            for followed in turn.outcomes:
                yield from followed.comments
        yield from self.end

    def numbered_remarks(self) -> list[int]:
        """The numbers of the lines of `remarks`; in a record that was changed, those without empty lines between them."""
        numbers, line = list[int](), 0
        rows = list[Turn | Outcome]()
        for turn in self.turns:
            rows += (turn, *turn.outcomes)
        for each in rows:
            numbers += range(each.line - len(each.comments), each.line)
            line = each.line + 1
        numbers += range(line, line + len(self.end))
        return list(self.remark_lines) if len(self.remark_lines) == len(numbers) else numbers

    @property
    def timeless(self) -> bool:
        """Whether it cannot say anything about time: there is no note, no comment, and no header that begins with X-."""
        noted = bool(self.above) or any(turn.notes for turn in self.turns) or any(True for _ in self.remarks())
        return not noted and not any(header.name.casefold().startswith("x-") for header in self.headers)

    def start(self) -> Position:
        """The position before the first turn."""
        if self.position is not None:
            return self.position
        assert self.deal is not None
        start: Position = self.game.start(self.table, self.deal)
        return start
