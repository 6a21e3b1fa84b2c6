"""What is wrong with a record: the problems of reading it and of playing it through, together."""

from __future__ import annotations

import sys

from attrs import evolve

from tkid.kernel.problems import Kind, Problem
from tkid.record.format.reader import ReadRecord
from tkid.record.play.replay import Replay, replay


def judge(read: ReadRecord) -> tuple[list[Problem], Replay | None]:
    """Judge a record that was read.

    Args:
        read: what came of reading.

    Returns:
        The problems of reading and of replaying together, in the order of the lines, and the replay, if there is one.
        Where something before a hash was not understood, the hash cannot be judged.
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
