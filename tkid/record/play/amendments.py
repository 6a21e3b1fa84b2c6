"""What happens to a record besides turns: notes on the last turn, comment lines, a turn taken back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from attrs import evolve

from tkid.kernel.game import with_names
from tkid.record.clock.notes import Line, Marked, Note, Undone, note_reader
from tkid.record.format.turn_rows import reader
from tkid.record.play.note_chain import cut, with_hashes
from tkid.record.play.replay import Replay, replay
from tkid.rulebook import cites


def with_note(played: Replay, *notes: Note) -> Replay:
    """A replay with inline notes on its last turn. Raises ValueError where there is no turn."""
    turn = played.last.turn
    if turn is None:
        raise ValueError("there is no turn that a note could stand on")
    write = note_reader(played.record.names).write_note
    with_notes = evolve(turn, notes=(*turn.notes, *map(write, notes)))
    record = evolve(played.record, turns=(*played.record.turns[:-1], with_notes))
    return evolve(played, record=record, moments=[*played.moments[:-1], evolve(played.last, turn=with_notes)])


def with_comment(played: Replay, *lines: Line) -> Replay:
    """A replay with comment lines at its end: they come before the next turn."""
    write = note_reader(played.record.names).write_line
    return evolve(played, record=evolve(played.record, end=(*played.record.end, *map(write, lines))))


def without_last_turn(played: Replay) -> Replay:
    """The replay before its last turn; comments that stood before that turn stay. Raises ValueError where there is none."""
    if not played.record.turns:
        raise ValueError("there is no turn to be taken out")
    last = played.record.turns[-1]
    return replay(cut(evolve(played.record, end=(*last.comments, *played.record.end)), len(played.record.turns) - 1))


def take_back(played: Replay, agreed: Iterable[int], time: datetime) -> Replay:
    """The replay in which the latest turn that stands was taken back; `agreed` are the seats, all of them.

    Raises ValueError where no turn stands, and where somebody has not agreed.
    """
    seats = tuple(sorted(set(agreed)))
    if seats != tuple(range(len(played.record.seats))):
        raise ValueError("every player agrees before a turn is taken back")
    return _without_latest(played, Undone(seats, time))


@cites("post.undo.host")
def take_back_by_host(played: Replay, time: datetime, reason: str) -> Replay:
    """The replay in which the host took back the latest turn that stands. Raises ValueError where no turn stands."""
    return _without_latest(played, Undone((), time, by_host=True, reason=reason))


def _without_latest(played: Replay, mark: Undone) -> Replay:
    """The replay in which the latest turn that stands has a mark that it was taken back."""
    record = played.record
    index = next((index for index, turn in reversed([*enumerate(record.turns)]) if not turn.undone), None)
    if index is None:
        raise ValueError("there is no turn to be taken back")
    moment = played.moments[index + 1]
    text = with_names(record.game.words.turn(moment.moves), record.names)
    note = note_reader(record.names).write_note(mark)
    record = with_hashes(record, [moment.line for moment in played.moments[1:]])
    turn, read = record.turns[index], reader(record.game, record.names).turn(text)
    undone = evolve(turn, read=read, hash=moment.hash, notes=(*turn.notes, note))
    turns = (*record.turns[:index], undone, *record.turns[index + 1 :])
    return with_comment(replay(evolve(record, turns=turns)), Marked(turn.number, note))
