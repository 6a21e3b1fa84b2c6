"""Tidying a game file in an editor: as `tkid fmt` does, as changes of whole lines, so that the cursor stays where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from attrs import frozen

from tkid.lsp.reading import Reading
from tkid.record.format.lines import split
from tkid.record.play.writer import write_record


@frozen
class Lines:
    """New lines in place of the lines from `first` up to, not including, `stop`; they count from 0."""

    first: int
    stop: int
    text: str


def tidied(reading: Reading) -> str | None:
    """The file in canonical form; None while it has mistakes."""
    if reading.replay is None or reading.problems:
        return None
    return write_record(reading.replay.record, reading.replay)


def changes(reading: Reading, tidy: str) -> Iterator[Lines]:
    """What differs between the file and its canonical form, from the top down."""
    before, after = _with_ends(reading.lines), _with_ends(split(tidy))
    for kind, first, stop, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Lines(first, stop, "".join(after[start:end]))


def _with_ends(lines: Sequence[str]) -> list[str]:
    """Lines with their ends; what stands behind the last end is a line only where something does."""
    return [*(f"{line}\n" for line in lines[:-1]), *filter(None, lines[-1:])]
