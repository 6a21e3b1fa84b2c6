"""Whether a game file is all right, in the fewest steps: most files are, and of these nobody asks for more.

Only what stands as the program writes it, with nothing hidden and no comments among the turns, is found to be all right
here, by the rules of the engine. Of anything else nothing is said, and the full way decides (`validation.judge`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from tkid.kernel.game import HIDDEN, with_names
from tkid.record.format.model import Record
from tkid.record.format.reader import read_start
from tkid.record.format.start_text import start_text
from tkid.record.format.turn_rows import CANONICAL, reader
from tkid.record.play import chain
from tkid.record.play.replay import Replay, taken


@frozen
class Played:
    """How far a record goes: the record, with or without its turns, how many these are, and the last position."""

    record: Record
    turns: int
    position: Any

    @classmethod
    def of(cls, played: Replay) -> Played:
        """How far a replay goes."""
        return cls(played.record, len(played.record.turns), played.position)


def sound(data: bytes) -> Played | None:
    """Whether a game file is all right.

    Args:
        data: the bytes of the file.

    Returns:
        What is reported of a file in which nothing is wrong; None where something is, or where it takes more to tell.
    """
    start = read_start(data)
    record = start.record
    if record is None or start.problems or not record.timeless:
        return None
    begins = start_text(record)
    return None if HIDDEN in begins else _played(record, begins, [line for _, line in start.turns])


def _played(record: Record, begins: str, lines: Sequence[str]) -> Played | None:
    """The same of a record that begins with a text, and of the lines of its turns."""
    game, names, turns = record.game, record.names, reader(record.game, record.names)
    begun = [f"{name} " for name in names]
    """How the turns of each seat begin, behind their numbers."""
    position, value, number = record.start(), chain.first(begins), 0
    following: list[str] = []
    """The lines about what followed from the turn, which may all be left out."""
    stated = 0
    for line in lines:
        if stated < len(following) and line == following[stated]:
            stated += 1
            continue
        written, seat = CANONICAL.fullmatch(line), position.to_act
        if written is None or seat is None or stated not in {0, len(following)}:
            return None
        number += 1
        shown, played, comments, chain_hash = written.groups()
        if comments or shown != str(number) or not played.startswith(begun[seat]):
            return None
        text = played[len(begun[seat]) :]
        exact = turns.written(text)
        after = taken(game, position, exact or turns.turn(text).moves)
        if after is None:
            return None
        position, events, moves = after
        if moves != exact and with_names(game.words.turn(moves), names) != text:
            return None
        value = chain.link(value, line[: written.start(4) - 2])
        if chain.shown(value) != chain_hash:
            return None
        following, stated = [f"-- {with_names(event.line, names)}" for event in events if event.line], 0
    return Played(record, number, position) if stated in {0, len(following)} else None
