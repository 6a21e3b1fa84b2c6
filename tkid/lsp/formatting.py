"""Tidying a game file in an editor: as `tkid fmt` does, as changes of whole lines, so that the cursor stays where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from attrs import frozen

from tkid.lsp.reading import Reading
from tkid.record.format.lines import split
from tkid.record.play.writer import write_record

MOST_COMPARED = 100
"""Where more lines than these differ, they are all replaced: to compare them takes the square of their number."""


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
    same = _count_same(before, after)
    before, after = before[same:], after[same:]
    tail = _count_same(reversed(before), reversed(after))
    before, after = before[: len(before) - tail], after[: len(after) - tail]
    if max(len(before), len(after)) > MOST_COMPARED:
        yield Lines(same, same + len(before), "".join(after))
        return
    for kind, first, stop, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Lines(same + first, same + stop, "".join(after[start:end]))


def _count_same(one: Iterable[str], other: Iterable[str]) -> int:
    """Count the lines with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _with_ends(lines: Sequence[str]) -> list[str]:
    """Lines with their ends; what stands behind the last end is a line only where something does."""
    return [*(f"{line}\n" for line in lines[:-1]), *filter(None, lines[-1:])]
