"""Find the errors in a record, and compare readings of a ruling.

`check_canonical` is the quick check. It accepts only records written exactly as the program writes them, with nothing hidden
and no comments among the turns. For any other record it says nothing, and `judge_record` does the full check.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.game import HIDDEN, NOBODY, fill_names
from tkid.kernel.problems import Kind, Problem
from tkid.notation.plugin import find_turn_reader
from tkid.record.format import seal
from tkid.record.format.model import Record
from tkid.record.format.reader import ReadRecord, read_start, write_start
from tkid.record.format.turn_rows import CANONICAL, UNHASHED
from tkid.record.play.replay import Replay, replay, take_legal_turn


@frozen
class Played:
    """The extent of a record: the record, with or without its turns, the number of turns, and the last position."""

    record: Record
    turns: int
    position: Any

    @classmethod
    def make_played(cls, played: Replay) -> Played:
        return cls(played.record, len(played.record.turns), played.position)


def check_canonical(data: bytes) -> Played | None:
    """Check quickly that a game file is in order; None if it has a fault, or needs the full check.

    Its turns have to be written as the program writes them, all with hashes or all without.
    """
    start = read_start(data)
    record = start.record
    if record is None or start.problems or not record.timeless:
        return None
    begins = write_start(record)
    return None if HIDDEN in begins else _check_lines(record, begins, [line for _, line in start.turns])


def _check_lines(record: Record, begins: str, lines: Sequence[str]) -> Played | None:
    game, names, turns = record.game, record.names, find_turn_reader(record.game, record.names)
    begun = [f"{name} " for name in names]
    """How the turns of each seat begin, behind their numbers."""
    position, value, number = record.start(), seal.compute_first_hash(begins), 0
    following: list[str] = []
    """The lines about what followed from the turn, which may all be left out."""
    stated = 0
    form = CANONICAL if lines and CANONICAL.fullmatch(lines[0]) else UNHASHED
    for line in lines:
        if stated < len(following) and line == following[stated]:
            stated += 1
            continue
        written, seat = form.fullmatch(line), position.to_act
        if written is None or seat is None or stated not in {0, len(following)}:
            return None
        number += 1
        shown, played, comments, chain_hash = written.groups()
        if comments or shown != str(number) or not played.startswith(begun[seat]):
            return None
        text = played[len(begun[seat]) :]
        exact = turns.read_canonical(text)
        after = take_legal_turn(game, position, exact or turns.read_turn(text).moves)
        if after is None:
            return None
        position, events, moves = after
        if moves != exact and fill_names(game.words.write_turn(moves), names) != text:
            return None
        if form is CANONICAL:
            value = seal.link_hash(value, line[: written.start(4) - 2])
            if seal.shorten_hash(value) != chain_hash:
                return None
        following, stated = [f"-- {fill_names(event.line, names)}" for event in events if event.line], 0
    return Played(record, number, position) if stated in {0, len(following)} else None


@frozen
class Change:
    """A difference of a turn as played and otherwise ("" where a side says nothing), its rule, and its line in the file."""

    turn: int
    as_played: str
    otherwise: str
    rule: str
    line: int = 0


def find_impact(played: Replay, readings: Mapping[str, str]) -> list[Change]:
    """Find what changes with other options of rulings; a turn no longer legal is carried out as far as possible."""
    from tkid.record.play.note_chain import remove_hashes  # noqa: PLC0415 - the short check needs none

    record = remove_hashes(played.record)
    turns = tuple(evolve(turn, outcomes=()) for turn in record.turns)
    other = replay(evolve(record, turns=turns, readings={**record.readings, **readings}))
    numbers = {turn.line: turn.number for turn in other.record.turns}
    illegal = [Change(numbers.get(each.line, 0), "", each.message, each.rule, each.line) for each in other.problems]
    changes = _merge_changes([*illegal, *_iter_different_outcomes(record, played, other)])
    return sorted(changes, key=lambda change: change.turn) + _compare_results(played, other, readings)


def _merge_changes(changes: list[Change]) -> list[Change]:
    found: dict[tuple[int, str], Change] = {}
    for change in changes:
        first = found.get((change.turn, change.rule), evolve(change, as_played="", otherwise=""))
        as_played = "; ".join(filter(None, (first.as_played, change.as_played)))
        otherwise = "; ".join(filter(None, (first.otherwise, change.otherwise)))
        found[change.turn, change.rule] = evolve(first, as_played=as_played, otherwise=otherwise)
    return list(found.values())


def _iter_different_outcomes(record: Record, played: Replay, other: Replay) -> Iterator[Change]:
    for before, after in zip(played.moments[1:], other.moments[1:], strict=True):
        left, right = ({event.read(record.names): event.rule for event in each.events} for each in (before, after))
        assert before.turn is not None
        number, line = before.turn.number, before.turn.line
        yield from (Change(number, text, "", rule, line) for text, rule in left.items() if text not in right)
        yield from (Change(number, "", text, rule, line) for text, rule in right.items() if text not in left)


def _compare_results(played: Replay, other: Replay, readings: Mapping[str, str]) -> list[Change]:
    left, right = _describe_end(played), _describe_end(other)
    if left == right:
        return []
    last = played.last.turn
    return [Change(last.number if last else 0, left, right, next(iter(readings)), last.line if last else 0)]


def _describe_end(played: Replay) -> str:
    position, names = played.position, played.record.names
    if position.ending is None:
        due = f"{names[position.to_act]} to {position.decision}" if position.to_act is not None else ""
        return f"the game goes on, {due}"
    return f"{position.ending}: {' and '.join(names[seat] for seat in position.winners) or NOBODY}"


def judge_record(read: ReadRecord) -> tuple[list[Problem], Replay | None]:
    """Judge a record that was read.

    Args:
        read: the result of reading.

    Returns:
        The problems of reading and of replaying together, in the order of the lines, and the replay, if there is one.
        A hash below unreadable text cannot be judged.
    """
    problems = list(read.problems)
    played = replay(read.record) if read.record is not None else None
    known = {(problem.line, problem.col, problem.rule) for problem in problems}
    first = min((problem.line for problem in problems), default=sys.maxsize)
    for problem in played.problems if played else ():
        if problem.rule == "record.turn.hash" and first <= problem.line:
            problems.append(evolve(problem, kind=Kind.FOLLOW_ON))
        elif (problem.line, problem.col, problem.rule) not in known:
            problems.append(problem)
    return sorted(problems, key=lambda problem: (problem.line, problem.col)), played
