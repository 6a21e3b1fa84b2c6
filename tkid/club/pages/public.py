"""The record of a game as a club publishes it: without addresses and press, under the names that players agreed to.

A record's names are part of its chain of hashes. So where a player stays anonymous, what is published is a copy: it has
other names, hashes of its own, no seal, and a header that says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import evolve, field, fields_dict, frozen

from tkid.kernel.problems import Problem
from tkid.record.clock.interventions import Announced
from tkid.record.clock.notes import NoteReader, note_reader
from tkid.record.clock.terms import public_header
from tkid.record.format.model import STANDS, Comments, Header, Outcome, Record, Seat, Turn
from tkid.record.format.reader import read_record
from tkid.record.format.seal import HEADER as SEAL
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import seen
from tkid.record.play.writer import write_record
from tkid.rulebook import cites

COPY = "X-Copy"
COPIED = "A player stays anonymous, so names were changed. The hashes are those of this copy, and it has no seal."


@frozen
class Cast:
    """Who plays a game, as it is published.

    `names` are the names by seat. `hidden` are the names that nobody may read, because their owners stay anonymous.
    `stand_ins` are the published names of stand-ins, by their names in the record.
    """

    names: tuple[str, ...]
    hidden: frozenset[str] = frozenset()
    stand_ins: Mapping[str, str] = field(factory=dict)

    @property
    def is_copy(self) -> bool:
        """Whether somebody stays anonymous, so that only a copy is published."""
        return bool(self.hidden)

    def names_hidden(self, text: str) -> bool:
        """Whether a text has a name, or a part of one, that nobody may read."""
        words = {word.casefold() for name in self.hidden for word in (name, *re.findall(r"\w{2,}", name))}
        folded = text.casefold()
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded) for word in words)

    def title(self, title: str) -> str:
        """The title of the game, "" where it names somebody who stays anonymous."""
        return "" if self.names_hidden(title) else title


@cites("club.pages.names", "club.pages.press")
def published(record: Record, cast: Cast) -> Record:
    """A record with these names; no address, no comment of anybody, and no word that the host wrote."""
    anew = _Anew(record, cast)
    text = write_record(anew.record())
    read = read_record(text.encode())
    if read.record is None or read.problems:
        raise ValueError("; ".join(map(str, read.problems)))
    return read.record


@cites("club.pages.secrets", "club.pages.delay")
def spectated(played: Replay, cast: Cast, delay: int = 0) -> Replay:
    """A game that goes on, as it is published: what a spectator may know, so many turns late."""
    record = _Anew(played.record, cast).record()
    shown = len(record.turns)
    late = delay
    while late and shown:
        shown -= 1
        late -= not record.turns[shown].undone
    if shown < len(record.turns):
        record = evolve(record, turns=record.turns[:shown], end=())
    return seen(replay(record), None)


@frozen
class _Anew:
    """Writes a record anew from what was understood of it."""

    of: Record
    cast: Cast

    def record(self) -> Record:
        """The record under the names of the cast."""
        reader, writer = note_reader(self.of.names), note_reader(self.cast.names)
        return evolve(
            self.of,
            seats=tuple(map(Seat, self.cast.names)),
            headers=tuple(self._headers()),
            row_comments={},
            places={},
            turns=tuple(self._turn(turn, reader, writer) for turn in self.of.turns),
            end=self._lines(self.of.end, reader, writer),
        )

    def _headers(self) -> list[Header]:
        names, headers = iter(self.cast.names), list[Header]()
        for header in self.of.headers:
            match header.name:
                case "Seat":
                    headers.append(Header("Seat", next(names)))
                case "Game":
                    title = self.cast.title(header.value)
                    headers += [Header("Game", title)] if title else []
                case name if name == SEAL:
                    headers += [] if self.cast.is_copy else [Header(SEAL, header.value)]
                case name if name.casefold().startswith("x-"):
                    headers += filter(None, [public_header(header)])
                case name:
                    headers.append(Header(name, header.value))
        return [*headers, *([Header(COPY, COPIED)] if self.cast.is_copy else [])]

    def _turn(self, turn: Turn, reader: NoteReader, writer: NoteReader) -> Turn:
        return evolve(
            turn,
            hash="",
            notes=tuple(filter(None, (self._note(note, reader, writer) for note in turn.notes))),
            note_cols=(),
            outcomes=tuple(self._outcome(outcome, reader, writer) for outcome in turn.outcomes),
            comments=self._lines(turn.comments, reader, writer),
        )

    def _outcome(self, outcome: Outcome, reader: NoteReader, writer: NoteReader) -> Outcome:
        """An outcome is written from the game; only where it stands matters, and what lines are before it."""
        return Outcome("", self._lines(outcome.comments, reader, writer))

    def _note(self, text: str, reader: NoteReader, writer: NoteReader) -> str:
        if text.casefold().startswith(STANDS):
            return STANDS
        note = reader.note(text)
        return "" if note is None or isinstance(note, Problem) else writer.write_note(self._bare(note))

    def _lines(self, comments: Comments, reader: NoteReader, writer: NoteReader) -> Comments:
        lines = (reader.line(text) for text in comments)
        known = [line for line in lines if line is not None and not isinstance(line, Problem)]
        return tuple(writer.write_line(self._bare(line)) for line in known if not isinstance(line, Announced))

    def _bare(self, line: Any) -> Any:
        """A line or a note without addresses, and without what the host wrote in its own words."""
        known = fields_dict(type(line))
        changes: dict[str, Any] = {"address": ""} if "address" in known else {}
        changes |= {"reason": ""} if "reason" in known else {}
        if "bot" in known and not line.bot:
            changes["name"] = self.cast.stand_ins.get(line.name, line.name)
        return evolve(line, **changes) if changes else line
