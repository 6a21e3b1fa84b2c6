"""Checks game files, in several processes where there are many: what is printed of each, in the order in which they came."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from tkid.cli.checks.archives import Source
from tkid.cli.checks.reports import UNOPENED, Checked, as_annotations, check_json, summary, unproven
from tkid.cli.support import UNREADABLE, WRONG, as_typed, failure_text
from tkid.cli.support.printing import pen, problem_lines
from tkid.kernel.problems import Problem
from tkid.record.format.names import alike_notes
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay
from tkid.record.play.sound import Played, sound
from tkid.record.play.validation import judge
from tkid.render.lines import log_text

if TYPE_CHECKING:
    from tkid.record.fairplay.notes import Said

TOGETHER = 32
"""Game files that are checked together by one process."""
BATCH_BYTES = 4_000_000
"""A batch that is as large as this gets no more files."""
AHEAD = 4
"""So many times as many as are being checked are read, and no more: an archive may be larger than the memory."""


def check_source(source: Source, form: str, *, every: bool) -> Checked:
    """Check a game file. `form` is how it is told: text, json, github or sarif, which is made of all files at the end."""
    if source.error:
        return _unopened(source.name, source.error, form)
    try:
        if found := sound(source.data):
            notes = alike_notes(found.record)
            if form in {"json", "sarif"}:
                lines = (check_json(source.name, found, notes=notes),) if form == "json" else ()
                return Checked(source.name, 0, lines, notes)
            line = f"{log_text(source.name)}: {summary(found)}"
            return Checked(source.name, 0, (line, *_noted(source.name, notes, form)))
        return _judged(source, form, every=every)
    except Exception as error:  # noqa: BLE001 - no file stops the check of the others
        return _unopened(source.name, failure_text(error), form)


def _unopened(name: str, error: str, form: str) -> Checked:
    """The report on a file that could not be read."""
    lines = (UNOPENED[form](name, error),) if form in UNOPENED else ()
    return Checked(name, UNREADABLE, lines, error=error)


def _noted(name: str, notes: Sequence[Problem], form: str) -> list[str]:
    """Return lines about what is no mistake."""
    if form == "github":
        return as_annotations(name, notes, every=True)
    return [f"  {note.message}. [{note.rule}]" for note in notes]


def _judged(source: Source, form: str, *, every: bool) -> Checked:
    """Check a game file in the full way, which tells what is wrong and what is not certain."""
    read = read_record(source.data)
    problems, replay = judge(read)
    outside: list[Said] = []
    needless: list[Problem] = []
    if replay is not None and not replay.record.timeless:
        from tkid.mail.game.timeline import with_notes
        from tkid.record.fairplay.notes import needless_notes, outside_chain

        problems, outside = with_notes(problems, replay), outside_chain(replay.record)
        needless += needless_notes(replay)
    code = UNREADABLE if not read.readable else WRONG if problems else 0
    notes = (*alike_notes(replay.record), *needless) if replay is not None else ()
    if form == "sarif":
        return Checked(source.name, code, (), (*problems, *notes))
    if form == "json":
        found, doubts = (Played.of(replay), replay.unproven) if replay is not None else (None, ())
        return Checked(source.name, code, (check_json(source.name, found, problems, doubts, notes, outside),))
    if form == "github" and problems:
        return Checked(source.name, code, tuple(as_annotations(source.name, problems, every=every)))
    if replay is None or problems:
        return Checked(source.name, code, tuple(problem_lines(source.name, source.data, problems, pen(), every=every)))
    open_questions = [f"  Not certain until hands are opened: {each}. [record.opening]" for each in unproven(replay)]
    if open_questions and source.has_deal:
        open_questions.append(f"  The deal beside it proves more: `tkid verify {as_typed(log_text(source.name))}`.")
    doubted = [f"  The hashes do not cover {each.place}: ask {each.who}. [record.note.hash]" for each in outside]
    line = f"{log_text(source.name)}: {summary(Played.of(replay), _early(replay))}"
    return Checked(source.name, code, (line, *open_questions, *doubted, *_noted(source.name, notes, form)))


def _early(replay: Replay) -> str:
    """How a game ended before its time, in a sentence; "" where it did not."""
    if replay.position.ending is not None or replay.record.timeless:
        return ""
    from tkid.mail.game.early_ends import early_result

    return early_result(replay, None)[1]


def check_all(sources: Iterable[Source], form: str, *, every: bool, jobs: int) -> Iterator[Checked]:
    """Check game files, in as many processes as `jobs` says (0: as the machine has cores); what was found of each, in order."""
    files, check = iter(sources), partial(check_source, form=form, every=every)
    jobs = jobs or available_cores()
    first = _batch(files) if jobs > 1 else []
    if len(first) < TOGETHER:
        yield from map(check, chain(first, files))
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    batches = chain([first], iter(lambda: _batch(files), []))
    with ProcessPoolExecutor(jobs) as pool:
        waiting = deque[Future[list[Checked]]]()
        for batch in batches:
            waiting.append(pool.submit(_check_batch, batch, form, every))
            if len(waiting) > AHEAD * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _batch(files: Iterator[Source]) -> list[Source]:
    """The next files that one process checks: fewer of them if they are large."""
    batch, size = list[Source](), 0
    while len(batch) < TOGETHER and size < BATCH_BYTES and (source := next(files, None)):
        batch.append(source)
        size += len(source.data)
    return batch


def available_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _check_batch(sources: list[Source], form: str, every: bool) -> list[Checked]:
    return [check_source(source, form, every=every) for source in sources]
