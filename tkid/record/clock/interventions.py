"""Lines about agreed ends and pauses, and about what the host did: values, how they are read, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from attrs import frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.dates import NoDay, read_day
from tkid.notation.text import plain
from tkid.notation.vocabulary import listed
from tkid.record.clock.parts import ENDS_WITH_TIME, all_named, hash_of, malformed, named, no_time, nobody
from tkid.record.clock.terms import AMOUNT, LONGEST, SPAN, UNITS, span
from tkid.record.clock.times import TIME, YEARS, read_time, write_time
from tkid.rulebook import cites

How = Literal["draw", "abandoned", "aborted"]
LONGEST_REASON = 1000
"""Characters of a reason or an announcement that are written."""


@frozen
class Ended:
    """`ended: draw, agreed by NAMES TIME`, `ended: abandoned, …` or `ended: aborted by the host TIME: REASON`.

    `agreed` are the seats that agreed, in turn order; nobody where the host aborted the game.
    """

    how: How
    time: datetime
    agreed: tuple[int, ...] = ()
    reason: str = ""


@frozen
class Paused:
    """`paused: until DAY, agreed by NAMES TIME`, or `paused: by the host TIME: REASON`: no clock runs.

    Clocks run again when the day `until` begins, in UTC; None where somebody has to resume the game.
    """

    time: datetime
    until: date | None = None
    agreed: tuple[int, ...] = ()
    reason: str = ""


@frozen
class Extended:
    """`extended: NAME 2 days by the host TIME: REASON`: more time for the current turn."""

    seat: int
    time: datetime
    by: timedelta
    reason: str = ""


@frozen
class Deadline:
    """`deadline: NAME UNTIL by the host TIME: REASON`: the moment when the time for the current turn is out."""

    seat: int
    time: datetime
    until: datetime
    reason: str = ""


@frozen
class StoodStill:
    """`stood still: TIME to TIME: REASON`: no clock ran meanwhile."""

    first: datetime
    last: datetime
    reason: str = ""

    @property
    def time(self) -> datetime:
        """When the clocks ran again."""
        return self.last


@frozen
class Moved:
    """`moved: NAME <ADDRESS> TIME`: a player's address is another one from now on; "" where it is not public."""

    seat: int
    time: datetime
    address: str = ""


@frozen
class Announced:
    """`host: TIME: TEXT`: what the host told everybody."""

    time: datetime
    text: str


Intervention = Ended | Paused | Extended | Deadline | StoodStill | Moved | Announced
Agreed = Ended | Paused
"""Lines that players may have agreed on."""

FORMS = {
    "ended": "# ended: draw, agreed by Ann and Bob 2026-12-01T09:00Z",
    "paused": "# paused: until 2026-12-20, agreed by Ann and Bob 2026-12-01T09:00Z",
    "extended": "# extended: Ann 2 days by the host 2026-12-01T09:00Z: her train was late",
    "deadline": "# deadline: Ann 2026-12-20T18:00Z by the host 2026-12-01T09:00Z: the tournament ends then",
    "stood still": "# stood still: 2026-12-01T09:00Z to 2026-12-03T09:00Z: the host was away",
    "moved": "# moved: Ann <ann@example.org> 2026-12-01T09:00Z",
    "host": "# host: 2026-12-01T09:00Z: A happy new year to everybody!",
}
"""How each line is written."""

_AT = rf"(?P<time>{TIME})"
_WHY = r"(?:\s*:\s*(?P<reason>\S.*?)?)?\s*"
PATTERNS = {
    word: re.compile(pattern, re.IGNORECASE)
    for word, pattern in {
        "agreed": r"(?P<what>draw|abandoned|until\s+(?P<day>[^,]+?))\s*,?\s*agreed\s+by\s+(?P<names>.+)",
        "ended": rf"aborted\s+by\s+the\s+host\s+{_AT}{_WHY}",
        "paused": rf"by\s+the\s+host\s+{_AT}{_WHY}",
        "extended": rf"(?P<by>{SPAN})\s+by\s+the\s+host\s+{_AT}{_WHY}",
        "deadline": rf"(?P<until>{TIME})\s+by\s+the\s+host\s+{_AT}{_WHY}",
        "stood still": rf"(?P<first>{TIME})\s+to\s+(?P<last>{TIME}){_WHY}",
        "moved": rf"(?:<(?P<address>[^<>\s]+)>\s+)?{_AT}[\s.]*",
        "host": rf"{_AT}\s*:\s*(?P<text>\S.*?)\s*",
    }.items()
}
MOMENTS = frozenset({"time", "until", "first", "last"})
"""The groups of these patterns that are moments."""
NO_TIME = datetime.min.replace(tzinfo=UTC)
"""In place of a moment that could not be read."""


# -- reading ----------------------------------------------------------------------------------------------


@cites("post.note.form")
def read_intervention(names: Sequence[str], word: str, text: str, rest: str) -> Intervention | Problem:
    """A line about an end, a pause or the host.

    Args:
        names: the players, in turn order.
        word: what the line begins with, one of `FORMS`.
        text: the whole line.
        rest: what stands behind the word and its colon.

    Returns:
        The line, or what is wrong with it.
    """
    if word in {"ended", "paused"} and (agreed := PATTERNS["agreed"].fullmatch(rest)):
        return _agreed(names, word, text, agreed)
    seat, behind = 0, rest
    if word in {"extended", "deadline", "moved"}:
        player = named(names, rest)
        if player is None:
            return nobody(names, text, rest)
        seat, behind = player
    match = PATTERNS[word].fullmatch(behind)
    if match is None and re.search(TIME, rest, re.IGNORECASE):
        return malformed(word, text, FORMS[word])
    groups = match.groupdict().items() if match else ()
    if match is None or None in {read_time(typed) for group, typed in groups if group in MOMENTS}:
        return no_time(word, text)
    line = READ[word](seat, match)
    return line if _can_be(line) else malformed(word, text, FORMS[word])


def _can_be(line: Intervention) -> bool:
    """Whether a line's times can be right."""
    match line:
        case Extended(by=by):
            return timedelta() < by <= LONGEST
        case StoodStill(first, last):
            return first <= last
        case _:
            return True


def _agreed(names: Sequence[str], word: str, text: str, match: re.Match[str]) -> Intervention | Problem:
    """An end or a pause that players agreed on."""
    ends = ENDS_WITH_TIME.search(match["names"])
    time = read_time(ends["time"]) if ends else None
    agreed, behind = all_named(names, match["names"][: ends.start()].strip(" ,") if ends else "")
    if time is None or behind or not agreed:
        return no_time(word, text) if time is None else nobody(names, text, behind)
    day = match["day"]
    if day is None and word == "ended":
        return Ended("draw" if match["what"].casefold() == "draw" else "abandoned", time, agreed)
    until = read_day(day) if day and word == "paused" else None
    if isinstance(until, NoDay):
        return Problem(Kind.SYNTAX, until.rule, until.message, length=len(text), hint=until.hint)
    return Paused(time, until, agreed) if until and until.year in YEARS else malformed(word, text, FORMS[word])


def _moment(match: re.Match[str], group: str = "time") -> datetime:
    """A moment that was matched; `NO_TIME` for one that is not in the calendar."""
    return read_time(match[group]) or NO_TIME


def _reason(match: re.Match[str]) -> str:
    return " ".join((match["reason"] or "").split())


def _by(match: re.Match[str]) -> timedelta:
    amount = AMOUNT.match(match["by"].casefold())
    assert amount is not None
    return int(amount[1]) * UNITS[amount[2]]


READ: dict[str, Callable[[int, re.Match[str]], Intervention]] = {
    "ended": lambda _, match: Ended("aborted", _moment(match), (), _reason(match)),
    "paused": lambda _, match: Paused(_moment(match), None, (), _reason(match)),
    "extended": lambda seat, match: Extended(seat, _moment(match), _by(match), _reason(match)),
    "deadline": lambda seat, match: Deadline(seat, _moment(match), _moment(match, "until"), _reason(match)),
    "stood still": lambda _, match: StoodStill(_moment(match, "first"), _moment(match, "last"), _reason(match)),
    "moved": lambda seat, match: Moved(seat, _moment(match), match["address"] or ""),
    "host": lambda _, match: Announced(_moment(match), " ".join(match["text"].split())),
}
"""How each line that players did not agree on is made from what was matched."""


# -- writing ----------------------------------------------------------------------------------------------


def write_intervention(names: Sequence[str], line: Intervention) -> str:
    """A line as it is written, with its `#`."""
    return f"# {WRITE[type(line)](names, line)}"


def _ended(names: Sequence[str], line: Ended) -> str:
    if line.how == "aborted":
        return f"ended: aborted {_by_host(line)}"
    return f"ended: {line.how}, {_agreed_by(names, line.agreed)} {write_time(line.time)}"


def _paused(names: Sequence[str], line: Paused) -> str:
    if line.until is None:
        return f"paused: {_by_host(line)}"
    return f"paused: until {line.until.isoformat()}, {_agreed_by(names, line.agreed)} {write_time(line.time)}"


def _still(_: Sequence[str], line: StoodStill) -> str:
    return f"stood still: {write_time(line.first)} to {write_time(line.last)}{_because(line.reason)}"


def _moved(names: Sequence[str], line: Moved) -> str:
    return f"moved: {names[line.seat]} {f'<{line.address}> ' if line.address else ''}{write_time(line.time)}"


WRITE: dict[type, Callable[[Sequence[str], Any], str]] = {
    Ended: _ended,
    Paused: _paused,
    Extended: lambda names, line: f"extended: {names[line.seat]} {span(line.by)} {_by_host(line)}",
    Deadline: lambda names, line: f"deadline: {names[line.seat]} {write_time(line.until)} {_by_host(line)}",
    StoodStill: _still,
    Moved: _moved,
    Announced: lambda _, line: f"host: {write_time(line.time)}: {one_line(line.text)}",
}
"""How each line is written, without its `#`."""


def _by_host(line: Ended | Paused | Extended | Deadline) -> str:
    return f"by the host {write_time(line.time)}{_because(line.reason)}"


def _agreed_by(names: Sequence[str], agreed: Sequence[int]) -> str:
    return f"agreed by {listed([names[seat] for seat in agreed], 'and')}"


def _because(reason: str) -> str:
    text = one_line(reason)
    text = f"{text}." if hash_of(f" {text}") else text  # what ends like a hash would be read as one
    return f": {text}" if text else ""


def one_line(text: str) -> str:
    """A reason or an announcement as a record can hold it: one line of printable characters."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(plain(printable).split())[:LONGEST_REASON].strip()
