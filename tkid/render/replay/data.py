"""What the script of a replay is given: the pictures by what changes in them, and what it shows of each moment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import define, evolve, field

from tkid.notation.positions import write_position
from tkid.record.clock.terms import public_header
from tkid.record.format.model import Header, Record, Seat
from tkid.record.play import chain
from tkid.record.play.note_chain import values, without_hashes
from tkid.record.play.outcome import outcome
from tkid.record.play.replay import Replay
from tkid.record.play.writer import write_record
from tkid.render.html import Table
from tkid.render.picture import Part
from tkid.render.plugin import render_plugin
from tkid.render.replay.shown import Frame, Shown
from tkid.render.tale import Chapter

TAGS = re.compile("(?=<)")
SENTENCES = ". "
"""Between the sentences of a description; those that several turns have in common are kept once."""
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
"""Runs of characters that names of files do without."""


@define
class _Drawn:
    """Pictures as what changes from one to the next; what they have in common is kept once, and numbered."""

    pieces: Table[str] = field(factory=Table)
    tags: Table[str] = field(factory=Table)
    sentences: Table[str] = field(factory=Table)

    def changes(self, before: Sequence[Part], after: Sequence[Part]) -> list[list[int]]:
        """For each part that changed its place, its piece, and where that is moved if it is not at home."""
        return [
            [place, self.pieces.number(part.svg), *(part.at if part.at != (0, 0) else ())]
            for place, part in enumerate(after)
            if not before or before[place] != part
        ]

    def words(self, text: str) -> list[int]:
        """A text by its sentences."""
        return [self.sentences.number(each) for each in text.split(SENTENCES)]


def page_data(shown: Shown, chapters: Sequence[Chapter]) -> dict[str, Any]:
    """All of it, for JSON."""
    known, frames, drawn = shown.known, shown.frames, _Drawn()
    render, game, names = render_plugin(known.record.game), known.record.game, known.record.names

    def counts(frame: Frame) -> list[int]:
        return [count.number for tally in render.tallies(game, frame.view, names) for count in tally.counts]

    parts = [(), *(frame.picture.parts for frame in frames)]
    positions = [each.moment.position for each in frames]
    pictures = {
        "changes": [drawn.changes(before, after) for before, after in pairwise(parts)],
        "titles": [frame.picture.title for frame in frames],
        "told": [drawn.words(frame.picture.description) for frame in frames],
        "branches": [
            {
                "start": branch.start,
                "home": min(branch.start + 1, len(frames) - 1),
                "changes": drawn.changes(frames[branch.start].picture.parts, branch.frame.picture.parts),
                "title": branch.frame.picture.title,
                "told": drawn.words(branch.frame.picture.description),
                "counts": counts(branch.frame),
                "position": _line(known, branch.frame),
            }
            for branch in shown.branches
        ],
    }
    return pictures | {
        "turns": [frame.moment.turn.number if frame.moment.turn else 0 for frame in frames],
        "seats": [frame.moment.turn.seat if frame.moment.turn else -1 for frame in frames],
        "quiet": [
            index for index in range(1, len(frames)) if render.quiet(game, positions[index - 1], positions[index])
        ],
        "over": known.position.decision is None or outcome(known) is not None,
        "names": names,
        "chapters": [
            [each.kind, each.names, each.first, each.last, each.result, each.sign, each.place] for each in chapters
        ],
        "tallies": [
            [tally.label, [[count.sign, count.name, count.place] for count in tally.counts]]
            for tally in render.tallies(game, frames[0].view, names)
        ],
        "counts": [counts(frame) for frame in frames],
        "positions": [_line(known, frame) for frame in frames],
        "size": (*frames[0].picture.corner, frames[0].picture.width, frames[0].picture.height),
        "rows": frames[0].picture.rows,
        "file": "-".join(filter(None, NOT_IN_NAMES.split(known.record.title)))[:40] or "game",
        "record": public_record(known),
        "pieces": [[drawn.tags.number(tag) for tag in TAGS.split(piece)] for piece in drawn.pieces],
        "sentences": list(drawn.sentences),
        "tags": list(drawn.tags),
    }


def _line(known: Replay, frame: Frame) -> str:
    """A position in one line, as the reader may know it."""
    return write_position(known.record.game, frame.view.shown)


def public_record(known: Replay) -> str:
    """The record as its reader may pass it on: without addresses and headers of hosts; its hashes are its own."""
    record = known.record
    start = write_position(record.game, known.moments[0].position)
    shown: Record = evolve(
        without_hashes(record),
        seats=tuple(Seat(seat.name) for seat in record.seats),
        headers=tuple(each for header in record.headers if (each := _header(header, start)) is not None),
    )
    moments, lines = known.moments[:1], [moment.line for moment in known.moments[1:]]
    for moment, turn, value in zip(known.moments[1:], shown.turns, values(shown, lines), strict=True):
        moments.append(evolve(moment, turn=turn, hash=chain.shown(value)))
    return write_record(shown, evolve(known, record=shown, moments=moments))


def _header(header: Header, start: str) -> Header | None:
    """A header as anybody may have it; None for one that not everybody may read. `start` is the first position."""
    if header.name.casefold().startswith("x-"):
        return public_header(header)
    if header.name == "Position":
        return evolve(header, value=start)
    return evolve(header, value=header.value.partition("<")[0].strip()) if header.name == "Seat" else header
