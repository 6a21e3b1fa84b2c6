"""Write a record in canonical form, add notes, and take turns back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from attrs import evolve

from tkid.kernel.game import fill_names
from tkid.kernel.values import check_kind
from tkid.notation.plugin import find_turn_reader
from tkid.record.clock_notes import Line, Marked, Note, Undone, make_note_reader
from tkid.record.format.model import BEFORE_TURNS, Record
from tkid.record.format.reader import write_start_lines
from tkid.record.play.note_chain import add_note_hashes, keep_first_turns
from tkid.record.play.replay import Moment, Replay, replay
from tkid.rulebook import cites


def with_note(played: Replay, *notes: Note) -> Replay:
    """Return a replay with inline notes on its last turn. Raises ValueError where there is no turn."""
    turn = played.last.turn
    if turn is None:
        raise ValueError("there is no turn for the note")
    write = make_note_reader(played.record.names).write_note
    with_notes = evolve(turn, notes=(*turn.notes, *map(write, notes)))
    record = evolve(played.record, turns=(*played.record.turns[:-1], with_notes))
    return evolve(played, record=record, moments=[*played.moments[:-1], evolve(played.last, turn=with_notes)])


def add_comments(played: Replay, *lines: Line) -> Replay:
    write = make_note_reader(played.record.names).write_line
    return evolve(played, record=evolve(played.record, end=(*played.record.end, *map(write, lines))))


def remove_last_turn(played: Replay) -> Replay:
    """Remove the last turn; the comments before it stay. Raises ValueError if there is no turn."""
    if not played.record.turns:
        raise ValueError("there is no turn to be taken out")
    last = played.record.turns[-1]
    shorter = evolve(played.record, end=(*last.comments, *played.record.end))
    return replay(keep_first_turns(shorter, len(played.record.turns) - 1))


def take_back_turn(played: Replay, agreed: Iterable[int], time: datetime) -> Replay:
    """Take back the latest turn that stands. Raises ValueError if none does, or unless all seats have `agreed`."""
    seats = tuple(sorted(set(agreed)))
    if seats != tuple(range(len(played.record.seats))):
        raise ValueError("every player agrees before a turn is taken back")
    return _mark_undone(played, Undone(seats, time))


@cites("post.undo.host")
def take_back_by_host(played: Replay, time: datetime, reason: str) -> Replay:
    """Take back the latest turn that stands, for the host. Raises ValueError if no turn stands."""
    return _mark_undone(played, Undone((), time, by_host=True, reason=reason))


def _mark_undone(played: Replay, mark: Undone) -> Replay:
    record = played.record
    index = next((index for index, turn in reversed([*enumerate(record.turns)]) if not turn.undone), None)
    if index is None:
        raise ValueError("there is no turn to be taken back")
    moment = played.moments[index + 1]
    text = fill_names(record.game.words.write_turn(moment.moves), record.names)
    note = make_note_reader(record.names).write_note(mark)
    record = add_note_hashes(record, [moment.line for moment in played.moments[1:]])
    turn, read = record.turns[index], find_turn_reader(record.game, record.names).read_turn(text)
    undone = evolve(turn, read=read, hash=moment.hash, notes=(*turn.notes, note))
    turns = (*record.turns[:index], undone, *record.turns[index + 1 :])
    return add_comments(replay(evolve(record, turns=turns)), Marked(turn.number, note))


def write_record(record: Record, played: Replay | None = None) -> str:
    """Write a record in canonical form.

    Args:
        record: a record without problems.
        played: its replay, if at hand.

    Returns:
        The text, with hashes and outcomes.

    Raises:
        ValueError: the replay is that of another record.
        TypeError: it is no record.
    """
    check_kind(record, Record, "is not a record; that of a game is `game.record`")
    if played is not None and played.record.turns != record.turns:
        raise ValueError("this is the replay of another record; leave it out, and the record is played through")
    lines = [*write_start_lines(record, comments=True), "", *record.row_comments.get(BEFORE_TURNS, ()), "Turns"]
    played = evolve(played, record=record) if played is not None else replay(record)
    if next(record.list_remarks(), None) is not None:
        played = add_hashes(played)
    for moment in played.moments[1:]:
        lines += write_turn_lines(record, moment)
    record = played.record
    return "".join(f"{line}\n" for line in [*lines, *record.end])


def add_hashes(played: Replay) -> Replay:
    moments, record = played.moments[1:], played.record
    if next(record.list_remarks(), None) is not None:
        record = add_note_hashes(record, [moment.line for moment in moments])
    turns = tuple(evolve(turn, hash=moment.hash) for turn, moment in zip(record.turns, moments, strict=True))
    told = [evolve(moment, turn=turn) for moment, turn in zip(moments, turns, strict=True)]
    return evolve(played, record=evolve(record, turns=turns), moments=[played.moments[0], *told])


def write_turn_lines(record: Record, moment: Moment) -> Iterator[str]:
    turn = moment.turn
    assert turn is not None
    yield from turn.comments
    notes = "".join(f" {{{note}}}" for note in turn.notes)
    yield f"{moment.line}{notes} #{moment.hash}"
    waiting = list(turn.outcomes)
    for outcome in write_outcome_lines(moment, record.names):
        yield from waiting.pop(0).comments if waiting else ()
        yield outcome
    for left in waiting:
        yield from left.comments


def write_outcome_lines(moment: Moment, names: tuple[str, ...]) -> list[str]:
    return [f"-- {fill_names(event.line, names)}" for event in moment.events if event.line]
