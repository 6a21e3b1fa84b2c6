"""A record as somebody else sent it: what was read of it, how it begins, and whether the text breaks off."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import zip_longest

from attrs import evolve, frozen

from tkid.kernel.problems import Problem
from tkid.notation.text import single_spaced
from tkid.record.format.lines import is_comment, split
from tkid.record.format.model import FORMAT, Outcome, Record, Turn
from tkid.record.format.reader import ReadRecord, read_record
from tkid.record.format.start_text import LABEL, canonical_headers, setup_rows
from tkid.record.format.turn_rows import DASHES, NUMBERED, may_be_turn
from tkid.record.play.replay import Replay, replay
from tkid.record.play.validation import judge
from tkid.record.play.views import seen
from tkid.record.play.writer import outcome_lines
from tkid.record.plugin import record_plugin

FIRST_LINE = f"Tkid-Record: {FORMAT}"
"""What every record begins with."""
ADDRESS = re.compile(r"\s*<[^<>]*>\s*$")
ENTROPY = "seal: entropy"


@frozen
class Row:
    """A line of a header or set-up, what it begins with, and its number in its file (0: it comes from none)."""

    text: str
    label: str = ""
    line: int = 0


@frozen
class Received:
    """A text that should be a record: its lines, what was read, the problems, and the replay if there is one.

    `ended` says that the last line is ended by a line feed, `begun` that the text goes as far as the turns.
    """

    lines: tuple[str, ...]
    read: ReadRecord
    problems: tuple[Problem, ...]
    replay: Replay | None
    ended: bool
    begun: bool

    @cached_property
    def last_line(self) -> int:
        """The number of the last line in which anything stands; 0 where there is none."""
        return max((number for number, line in enumerate(self.lines, 1) if line.strip()), default=0)

    def raw(self, line: int) -> str:
        """A line as it stands there; "" for line 0."""
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def first_problem(self) -> int:
        """The line of the first problem; one past the last line where there is none."""
        return min((problem.line for problem in self.problems), default=len(self.lines) + 1)


def receive(data: bytes) -> Received:
    """Read what came. A character that is cut in two at the very end is dropped."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.end == len(data):
            data = data[: error.start]
    lines = tuple(split(data.decode("utf-8-sig", "replace")))
    read = read_record(data)
    problems, played = judge(read)
    return Received(lines, read, tuple(problems), played, not lines[-1], any(map(_begins_turns, lines)))


def _begins_turns(line: str) -> bool:
    return line.strip().rstrip(":").casefold() == "turns" or NUMBERED.match(line) is not None


# -- how it begins ----------------------------------------------------------------------------------------


def public_rows(record: Record, *, whole: bool = False) -> list[Row]:
    """Header and set-up as everybody may know them, canonical.

    What may differ from file to file is left out, unless the `whole` is asked for: addresses, own headers, the
    entropy. Rulings stand in the order of their names.
    """
    shown = seen(replay(evolve(record, turns=())), None).record
    headers = sorted(shown.headers, key=lambda header: header.value if header.name == "Ruling" else "")
    rows = []
    for header in canonical_headers(evolve(shown, headers=tuple(headers))):
        text = f"{header.name}: {header.value}"
        if whole or is_shared(text):
            rows.append(Row(text if whole else ADDRESS.sub("", text), f"{header.name}:", header.line))
    for label, value in setup_rows(shown) if shown.deal else ():
        place = record.places.get(label)
        rows.append(Row(f"{label:<{LABEL}} {value}", label, place.line if place else 0))
    return rows


def is_shared(text: str) -> bool:
    """Whether a line of a header is one that all players' files have in common."""
    folded = single_spaced(text).casefold()
    return not folded.startswith(("x-", ENTROPY))


def differing(mine: Record, theirs: Record, *, whole: bool = False) -> tuple[Row, Row] | None:
    """The first lines in which two records differ before their turns; None where they agree.

    With `whole`, addresses and own headers count too.
    """
    pairs = zip_longest(public_rows(mine, whole=whole), public_rows(theirs, whole=whole), fillvalue=Row(""))
    return next(((own, other) for own, other in pairs if own.text != other.text), None)


def differing_raw(mine: Record, received: Received) -> tuple[Row, Row] | None:
    """The first whole line before the turns of a text that makes no record which is not a line of mine."""
    own = public_rows(mine)
    known = {"setup", *(_folded(row.text) for row in own)}
    is_secret = record_plugin(mine.game).is_secret
    for row in _raw_rows(received):
        folded = _folded(row.text)
        if folded in known or not is_shared(row.text) or (mine.game.secret and is_secret(folded)):
            continue
        return next((each for each in own if folded.startswith(each.label.casefold())), Row("")), row
    return None


def _raw_rows(received: Received) -> Iterator[Row]:
    """The lines before the turns as they stand there; the last only if something follows."""
    for number, line in enumerate(received.lines, 1):
        if _begins_turns(line) or number == received.last_line:
            return
        if line.strip() and not is_comment(line):
            yield Row(line.strip(), line=number)


def _folded(text: str) -> str:
    return single_spaced(ADDRESS.sub("", text)).casefold().rstrip(": ")


# -- how it ends ------------------------------------------------------------------------------------------


def breaks_off(received: Received) -> bool:
    """Whether the last line is not whole, and nothing is wrong before it.

    It is not whole where its hash does not fit, or where it has none although others have. Where none has one and no line
    feed ends it, it is not whole if it is not understood, or if it is the beginning of its own turn written in full: a name
    that is shortened at the very end is a name that was cut.
    """
    if not received.begun:
        return True
    record, first = received.read.record, received.first_problem()
    if record is None or not record.turns:
        return False
    last = max((n for n, line in enumerate(received.lines, 1) if line.strip() and not is_comment(line)), default=0)
    half = received.raw(last) == "-" and len(record.turns) > 1
    *before, turn = record.turns[:-1] if half else record.turns
    if first < turn.line:
        return False
    if turn.line < last:
        is_outcome = half or DASHES.match(received.raw(last)) is not None
        return is_outcome and (first == last or (first < last and _tells_later(record, before, turn)))
    if not turn.hash:
        is_text = turn.line == last and not may_be_turn(received.raw(last), record.names)
        is_cut = not received.ended and (first == last or _is_shortened(received))
        return not is_text and (any(each.hash for each in before) or is_cut)
    return any(problem.rule == "record.turn.hash" and problem.line == turn.line for problem in received.problems)


def _tells_later(record: Record, before: Sequence[Turn], turn: Turn) -> bool:
    """Whether the lines behind the last turn begin what followed from it, as far as a line below would have told.

    Who held a card that is revealed at the end is told below what else followed. Without that, a record that does not know
    the hands does not know either that the game has ended.
    """
    told = "\n".join(f"-- {outcome.text}" for outcome in turn.outcomes)
    for text in record_plugin(record.game).told_later(record.game, record.names):
        longer = evolve(turn, outcomes=(*turn.outcomes, Outcome(text)))
        played = replay(evolve(record, turns=(*before, longer)))
        if "\n".join(outcome_lines(played.last, record.names)).startswith(told):
            return True
    return False


def _is_shortened(received: Received) -> bool:
    """Whether the last line goes on where its turn is written in full."""
    assert received.replay is not None
    written, full = _folded(received.raw(received.last_line)), _folded(received.replay.moments[-1].line)
    return len(written) < len(full) and full.startswith(written)
