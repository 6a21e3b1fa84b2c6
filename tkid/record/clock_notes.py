"""Lines and notes about time, absences, resignations and the host's interventions, as values.

In a record they are comments, and every rewriting keeps them. A line may end with a hash: then it is in the chain
(`play/note_chain.py`). Inline notes are not, so a line repeats a mark that changes the game. Seats are indices. Other comments
are left alone. The module belongs to the record and not to the mail, because replaying has to know which turns were taken
back, and `hide_secrets` what everybody may read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import list_names
from tkid.notation.text import compose_accents, make_plain
from tkid.orders.days import read_day, read_offset, write_offset
from tkid.record import clock
from tkid.record.format.model import STANDS, TAKEN_BACK, UNDONE, UNDONE_BY_HOST, Record, Turn, suggest_player
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.turn_rows import COPY_AGAIN, CUT_HASH, describe_cut_hash
from tkid.rulebook import cites

FORM, PLAYER = "post.note.form", "post.note.player"
ENDS_WITH_TIME = re.compile(rf"(?:^|(?<=[\s,]))(?P<time>{clock.TIME})[\s.]*$", re.IGNORECASE)
HASHED = re.compile(r"(?<=\s)#(?P<hash>[0-9a-f]{6})\s*$", re.IGNORECASE)
BETWEEN = re.compile(r"\s*(?:,\s*and\b|,|&|\band\b)\s*", re.IGNORECASE)


def find_comment_hash(comment: str) -> str:
    found = HASHED.search(comment)
    return found["hash"].lower() if found else ""


def strip_hash(comment: str) -> str:
    found = HASHED.search(comment)
    return comment[: found.start()].rstrip() if found else comment


def find_named_seat(names: Sequence[str], text: str) -> tuple[int, str] | None:
    """Find the seat whose name or number begins a text (the longest that fits), and return the rest of the text."""
    text = " ".join(compose_accents(text).split())
    by_name = [(compose_accents(make_plain(name)), seat) for seat, name in enumerate(names)]
    by_number = [(str(seat + 1), seat) for seat in range(len(names))]
    for name, seat in sorted(by_name, key=lambda each: -len(each[0])) + by_number:
        rest = text[len(name) :]
        if text[: len(name)].casefold() == name.casefold() and (not rest or rest[0] in " ,&"):
            return seat, rest if rest[:1] in {",", "&"} else rest.strip()
    return None


def find_named_seats(names: Sequence[str], text: str) -> tuple[tuple[int, ...], str]:
    """Find all seats that a text names one after the other, in turn order, and return the rest of the text."""
    seats = set[int]()
    while (found := find_named_seat(names, text)) is not None and found[0] not in seats:
        seats.add(found[0])
        text = found[1]
        between = BETWEEN.match(text)
        text = text[between.end() :] if between else text
    return tuple(sorted(seats)), text


@cites("post.note.player")
def report_missing_player(names: Sequence[str], text: str, rest: str) -> Problem:
    word = rest.split(maxsplit=1)[0].rstrip(",") if rest else ""
    hint = suggest_player(word, names) if word else f"The players are {list_names(list(names), 'and')}."
    message = f"`{word}` is not a player in this game" if word else "The player is missing"
    return Problem(Kind.NAME, PLAYER, message, col=max(0, text.find(word)) + 1, length=max(1, len(word)), hint=hint)


def report_missing_time(word: str, text: str) -> Problem:
    typed = re.search("[0-9]", strip_hash(text).partition(":")[2])
    message = clock.find_time_fault(text) or (
        f"I can't read the time after `{word}`" if typed else f"The time after `{word}` is missing"
    )
    return Problem(Kind.SYNTAX, FORM, message, length=len(text), hint=f"Write it as {clock.WAY}.")


def report_malformed_line(word: str, text: str, form: str) -> Problem:
    """Return the problem with a line that only begins like a note; `form` is an example of the right form."""
    message = clock.find_time_fault(text) or f"This begins like a line about `{word}`, but the rest is different"
    return Problem(Kind.SYNTAX, FORM, message, length=len(text), hint=f"Write it like this: `{form}`.")


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
        """The moment when the clocks ran again."""
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

INTERVENTION_FORMS = {
    "ended": "# ended: draw, agreed by Ann and Bob 2026-12-01T09:00Z",
    "paused": "# paused: until 2026-12-20, agreed by Ann and Bob 2026-12-01T09:00Z",
    "extended": "# extended: Ann 2 days by the host 2026-12-01T09:00Z: her train was late",
    "deadline": "# deadline: Ann 2026-12-20T18:00Z by the host 2026-12-01T09:00Z: the tournament ends then",
    "stood still": "# stood still: 2026-12-01T09:00Z to 2026-12-03T09:00Z: the host was away",
    "moved": "# moved: Ann <ann@example.org> 2026-12-01T09:00Z",
    "host": "# host: 2026-12-01T09:00Z: A happy new year to everybody!",
}

_AT = rf"(?P<time>{clock.TIME})"
_WHY = r"(?:\s*:\s*(?P<reason>\S.*?)?)?\s*"
PATTERNS = {
    word: re.compile(pattern, re.IGNORECASE)
    for word, pattern in {
        "agreed": r"(?P<what>draw|abandoned|until\s+(?P<day>[^,]+?))\s*,?\s*agreed\s+by\s+(?P<names>.+)",
        "ended": rf"aborted\s+by\s+the\s+host\s+{_AT}{_WHY}",
        "paused": rf"by\s+the\s+host\s+{_AT}{_WHY}",
        "extended": rf"(?P<by>{clock.SPAN})\s+by\s+the\s+host\s+{_AT}{_WHY}",
        "deadline": rf"(?P<until>{clock.TIME})\s+by\s+the\s+host\s+{_AT}{_WHY}",
        "stood still": rf"(?P<first>{clock.TIME})\s+to\s+(?P<last>{clock.TIME}){_WHY}",
        "moved": rf"(?:<(?P<address>[^<>\s]+)>\s+)?{_AT}[\s.]*",
        "host": rf"{_AT}\s*:\s*(?P<text>\S.*?)\s*",
    }.items()
}
MOMENTS = frozenset({"time", "until", "first", "last"})
"""The groups of these patterns that are moments."""


@cites("post.note.form")
def read_intervention(names: Sequence[str], word: str, text: str, rest: str) -> Intervention | Problem:
    """Read a line that begins with a word of `INTERVENTION_FORMS`, with the `rest` behind its colon, or say what is wrong."""
    if word in {"ended", "paused"} and (agreed := PATTERNS["agreed"].fullmatch(rest)):
        return _read_agreement(names, word, text, agreed)
    seat, behind = 0, rest
    if word in {"extended", "deadline", "moved"}:
        player = find_named_seat(names, rest)
        if player is None:
            return report_missing_player(names, text, rest)
        seat, behind = player
    match = PATTERNS[word].fullmatch(behind)
    if match is None and re.search(clock.TIME, rest, re.IGNORECASE):
        return report_malformed_line(word, text, INTERVENTION_FORMS[word])
    groups = {
        group: clock.parse_moment(typed) if group in MOMENTS else " ".join((typed or "").split())
        for group, typed in (match.groupdict() if match else {}).items()
    }
    if match is None or None in groups.values():
        return report_missing_time(word, text)
    line = READ[word](seat=seat, **groups)
    too_long = isinstance(line, Extended) and not timedelta() < line.by <= clock.LONGEST
    if too_long or (isinstance(line, StoodStill) and line.first > line.last):
        return report_malformed_line(word, text, INTERVENTION_FORMS[word])
    return line


def _read_agreement(names: Sequence[str], word: str, text: str, match: re.Match[str]) -> Intervention | Problem:
    ends = ENDS_WITH_TIME.search(match["names"])
    time = clock.parse_moment(ends["time"]) if ends else None
    agreed, behind = find_named_seats(names, match["names"][: ends.start()].strip(" ,") if ends else "")
    if time is None or behind or not agreed:
        return report_missing_time(word, text) if time is None else report_missing_player(names, text, behind)
    day = match["day"]
    if day is None and word == "ended":
        return Ended("draw" if match["what"].casefold() == "draw" else "abandoned", time, agreed)
    until = read_day(day) if day and word == "paused" else None
    if isinstance(until, Problem):
        return evolve(until, length=len(text))
    if until and until.year in clock.YEARS:
        return Paused(time, until, agreed)
    return report_malformed_line(word, text, INTERVENTION_FORMS[word])


READ: dict[str, Callable[..., Intervention]] = {
    "ended": lambda time, reason, **_: Ended("aborted", time, (), reason),
    "paused": lambda time, reason, **_: Paused(time, None, (), reason),
    "extended": lambda seat, time, by, reason: Extended(seat, time, clock.parse_span(by), reason),
    "deadline": Deadline,
    "stood still": lambda first, last, reason, **_: StoodStill(first, last, reason),
    "moved": Moved,
    "host": lambda time, text, **_: Announced(time, text),
}
"""How each line that players did not agree on is made from its seat and the groups that matched."""


def _write_reason(reason: str) -> str:
    text = make_one_line(reason)
    text = f"{text}." if find_comment_hash(f" {text}") else text  # what ends like a hash would be read as one
    return f": {text}" if text else ""


def make_one_line(text: str) -> str:
    """Return a reason or an announcement as one line of printable characters, as a record can hold it."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    return " ".join(make_plain(printable).split())[:LONGEST_REASON].strip()


UNDONE_RULE, UNDONE_BY_HOST_RULE, AWAY_SPAN_RULE = "record.turn.undone", "post.undo.host", "post.away.span"


@frozen
class At:
    """`at TIME`: when the turn was taken."""

    time: datetime


@frozen
class Passed:
    """The reason for a pass without the player: out of time, no card left, or the player has resigned."""

    why: Literal["out of time", "nothing to play", "resigned"]


OUT_OF_TIME, NOTHING_TO_PLAY, BY_RESIGNATION = Passed("out of time"), Passed("nothing to play"), Passed("resigned")


@frozen
class Undone:
    """`undone: NAME, NAME agreed at TIME`, in turn order and perhaps with the time; or `undone by the host at TIME: REASON`."""

    agreed: tuple[int, ...]
    time: datetime | None = None
    by_host: bool = False
    reason: str = ""


Note = At | Passed | Undone


@frozen
class Away:
    """`away: NAME DAY to DAY, said TIME`: an absence, first and last day, and when it was announced, if told."""

    seat: int
    first: date
    last: date
    said: datetime | None = None


@frozen
class Resigned:
    """`resigned: NAME TIME`: a player gives up."""

    seat: int
    time: datetime


@frozen
class Back:
    """`back: NAME TIME`: a player who was away, or had a stand-in, plays again."""

    seat: int
    time: datetime


@frozen
class StandIn:
    """`stand-in: NAME is played by WHO <ADDRESS> TIME`, or `by bot WHO`: somebody else plays a seat from now on.

    `by bot WHO (search)` names the player of `tkid.bots` that chooses the bot's turns; without one, they are random.
    """

    seat: int
    name: str
    time: datetime
    address: str = ""
    bot: bool = False
    player: str = ""


@frozen
class Adjourned:
    """`adjourned: TIME`: the game stops."""

    time: datetime


@frozen
class Resumed:
    """`resumed: TIME`: an adjourned or paused game goes on."""

    time: datetime


@frozen
class Zone:
    """`time zone: NAME +02:00 TIME`: how far the place where a player's days begin is ahead of UTC."""

    seat: int
    ahead: timedelta
    time: datetime


@frozen
class Marked:
    """`marked: turn NUMBER, MARK`: a turn got a mark, such as `undone: …`, after it had been played."""

    turn: int
    mark: str

    @property
    def time(self) -> None:
        """No moment: the mark has it."""
        return


Line = Away | Zone | Resigned | Back | StandIn | Adjourned | Resumed | Marked | Intervention

FORMS = {
    "away": "# away: Ann 2026-12-20 to 2026-12-28, said 2026-12-18T10:04Z",
    "time zone": "# time zone: Ann +02:00 2026-12-01T09:00Z",
    "resigned": "# resigned: Ann 2026-12-01T09:00Z",
    "back": "# back: Ann 2026-12-01T09:00Z",
    "stand-in": "# stand-in: Ann is played by bot Merlin 2026-12-01T09:00Z",
    "adjourned": "# adjourned: 2026-12-01T09:00Z",
    "resumed": "# resumed: 2026-12-01T09:00Z",
}
SIGN = r"\s*(?P<sign>[:\u2010-\u2015\u2212-])\s*"
"""The colon behind the first word, for which a dash may stand."""
LINE = re.compile(rf"#\s+(?P<word>{'|'.join(FORMS)}){SIGN}(?P<rest>.*?)[\s.]*$", re.IGNORECASE)
OTHERS = "|".join(INTERVENTION_FORMS).replace(" ", r"\s+")
INTERVENTION = re.compile(rf"#\s+(?P<word>{OTHERS}){SIGN}(?P<rest>.*?)\s*$", re.IGNORECASE)
MARKED = re.compile(
    rf"#\s+marked\s*:\s*turn\s+(?P<turn>[0-9]{{1,6}})\s*,\s*(?P<mark>(?:{'|'.join((STANDS, *TAKEN_BACK))})[^{{}}]*)",
    re.IGNORECASE,
)
WORDS = (*FORMS, "marked", *(word for word in INTERVENTION_FORMS if word != "host"))
"""How the comment lines begin that may end with a hash."""
SAID = re.compile(rf",?\s*(?:said|announced)\s+(?P<time>{clock.TIME})$", re.IGNORECASE)
DAYS = re.compile(r"(?P<first>.+?)\s+(?:to|until|till)\s+(?P<last>.+)", re.IGNORECASE)
PLAYED_BY = re.compile(r"is played by\s+(?P<bot>bot\s+)?(?!bot$)(?P<name>[^<>:;{}#]{1,32}?)\s*(?:<(?P<address>[^<>\s]+)>)?,?$", re.IGNORECASE)  # fmt: skip
BOT = re.compile(r"(?P<name>.*\S)\s*\((?P<player>[a-z]+)\)", re.IGNORECASE)
AGREED = re.compile(r",?\s*agreed\b(?:\s+(?:at|on))?\s*", re.IGNORECASE)
BY_HOST = re.compile(rf"at\s+(?P<time>{clock.TIME})\s*(?::\s*(?P<reason>\S.*?)?)?\s*", re.IGNORECASE)
BY_HOST_FORM = "Write it like this: `{undone by the host at 2026-11-21T10:04Z: both players asked for it}`."
AGREEMENT = "Write every player's name, and when they agreed: `{undone: %s agreed at 2026-11-21T10:04Z}`."
REMEMBERED = 500
"""Comment lines whose meaning is remembered: a file is gone through several times."""


def _write_decision(names: Sequence[str], line: Ended | Paused | Extended | Deadline) -> str:
    """Write who agreed, and when; or else that the host decided, when and why."""
    time = clock.write_time(line.time)
    if isinstance(line, Ended | Paused) and line.agreed:
        return f"agreed by {list_names([names[seat] for seat in line.agreed], 'and')} {time}"
    return f"by the host {time}{_write_reason(line.reason)}"


def _write_absence(names: Sequence[str], line: Away) -> str:
    said = f", said {clock.write_time(line.said)}" if line.said else ""
    return f"away: {names[line.seat]} {line.first.isoformat()} to {line.last.isoformat()}{said}"


def _write_stand_in(names: Sequence[str], line: StandIn) -> str:
    how = f" <{line.address}>" if line.address else f" ({line.player})" if line.player else ""
    who = f"{'bot ' if line.bot else ''}{line.name}{how}"
    return f"stand-in: {names[line.seat]} is played by {who} {clock.write_time(line.time)}"


WRITE: Mapping[type, Callable[[Sequence[str], Any], str]] = {
    Ended: lambda names, it: f"ended: {it.how}{',' * bool(it.agreed)} {_write_decision(names, it)}",
    Paused: lambda names, it: f"paused: {f'until {it.until}, ' if it.until else ''}{_write_decision(names, it)}",
    Extended: lambda names, it: f"extended: {names[it.seat]} {clock.write_span(it.by)} {_write_decision(names, it)}",
    Deadline: lambda names, it: f"deadline: {names[it.seat]} {clock.write_time(it.until)} {_write_decision(names, it)}",
    StoodStill: lambda _, it: f"stood still: {clock.write_time(it.first)} to {clock.write_time(it.last)}{_write_reason(it.reason)}",
    Moved: lambda names, it: f"moved: {names[it.seat]} {f'<{it.address}> ' if it.address else ''}{clock.write_time(it.time)}",
    Announced: lambda _, it: f"host: {clock.write_time(it.time)}: {make_one_line(it.text)}",
    Away: _write_absence,
    Zone: lambda names, it: f"time zone: {names[it.seat]} {write_offset(it.ahead)} {clock.write_time(it.time)}",
    Resigned: lambda names, it: f"resigned: {names[it.seat]} {clock.write_time(it.time)}",
    Back: lambda names, it: f"back: {names[it.seat]} {clock.write_time(it.time)}",
    StandIn: _write_stand_in,
    Marked: lambda _, it: f"marked: turn {it.turn}, {it.mark}",
    Adjourned: lambda _, it: f"adjourned: {clock.write_time(it.time)}",
    Resumed: lambda _, it: f"resumed: {clock.write_time(it.time)}",
}  # fmt: skip
"""Form of each line, without its `#`."""


@frozen
class NoteReader:
    """Reads and writes the notes of a game; others' comments are None, and what only begins like a note is a problem."""

    names: tuple[str, ...]

    def read_note(self, text: str) -> Note | Problem | None:
        """Read an inline note, without its braces."""
        folded = " ".join(make_plain(text).casefold().split())
        if folded in {"out of time", "nothing to play", "resigned"}:
            return {note.why: note for note in (OUT_OF_TIME, NOTHING_TO_PLAY, BY_RESIGNATION)}[folded]  # type: ignore[index]
        if folded.startswith(UNDONE):
            return self._read_undone(text)
        if folded.startswith(UNDONE_BY_HOST):
            return self._read_undone_by_host(text)
        if not re.match(r"at [0-9]", folded):
            return None
        time = clock.parse_moment(make_plain(text).strip()[2:])
        return At(time) if time else report_missing_time("at", text)

    @cites("record.turn.undone")
    def _read_undone(self, text: str) -> Undone | Problem:
        """Read the note of a turn taken back by agreement. It has to name every player."""
        hint, everybody = AGREEMENT % ", ".join(self.names), ", ".join(self.names)
        rest = " ".join(make_plain(text).split())[len(UNDONE) :].strip()
        if rest.startswith(everybody):  # also where names have commas
            seats, rest = tuple(range(len(self.names))), rest[len(everybody) :].strip()
        else:
            seats, rest = find_named_seats(self.names, rest)
        agreed = AGREED.match(rest)
        when = rest[agreed.end() :] if agreed else rest
        time = clock.parse_moment(when)
        if when and time is None:
            message = clock.find_time_fault(when) or f"`{when}` is not a time"
            if not agreed:
                message = f"`{AGREED.split(rest)[0].lstrip(', &')}` is not a player in this game"
            return Problem(Kind.SYNTAX, UNDONE_RULE, message, length=len(text), hint=hint)
        missing = [name for seat, name in enumerate(self.names) if seat not in seats]
        if missing:
            message = f"Every player must agree before a turn is taken back. {list_names(missing, 'and')} did not"
            return Problem(Kind.INTEGRITY, UNDONE_RULE, message, length=len(text), hint=hint)
        return Undone(seats, time)

    @staticmethod
    @cites("post.undo.host")
    def _read_undone_by_host(text: str) -> Undone | Problem:
        match = BY_HOST.fullmatch(" ".join(make_plain(text).split())[len(UNDONE_BY_HOST) :].strip())
        time = clock.parse_moment(match["time"]) if match else None
        if match is None or time is None:
            message = clock.find_time_fault(text) or "The time when the host took the turn back is missing"
            return Problem(Kind.SYNTAX, UNDONE_BY_HOST_RULE, message, length=len(text), hint=BY_HOST_FORM)
        return Undone((), time, by_host=True, reason=match["reason"] or "")

    def write_note(self, note: Note) -> str:
        """Write an inline note, without its braces."""
        match note:
            case At(time):
                return f"at {clock.write_time(time)}"
            case Passed(why):
                return why
            case Undone(_, time, True, reason) if time is not None:
                because = make_one_line(reason.replace("{", "(").replace("}", ")"))
                return f"{UNDONE_BY_HOST} at {clock.write_time(time)}{f': {because}' if because else ''}"
            case Undone(agreed, time):
                names = ", ".join(self.names[seat] for seat in agreed)
                return f"{UNDONE} {names} agreed{f' at {clock.write_time(time)}' if time else ''}"

    def read_line(self, text: str) -> Line | Problem | None:
        """Read a comment line, with its `#`. A hash at its end is not part of it."""
        return _read_line(self, text)

    @cites("post.note.form")
    def parse_line(self, text: str) -> Line | Problem | None:
        """Read the same, except that an incomplete hash is not recognised."""
        written = make_plain(strip_hash(text)).strip()
        if marked := MARKED.fullmatch(written):
            return Marked(int(marked["turn"]), self.write_mark(" ".join(marked["mark"].split())))
        if intervention := INTERVENTION.fullmatch(written):
            word = " ".join(intervention["word"].lower().split())
            rest = intervention["rest"]
            if word == "host" and intervention["sign"] == ":":  # an announcement has no hash, so all of it is text
                rest = make_plain(text).partition(":")[2].strip()
            return self._keep_if_meant(intervention, read_intervention(self.names, word, text, rest))
        match = LINE.match(written)
        if not match:
            return None
        word, rest = match["word"].lower(), match["rest"].strip()
        line = self._read_absence(text, rest) if word == "away" else self._read_timed(word, text, rest)
        return self._keep_if_meant(match, line)

    def _keep_if_meant(self, match: re.Match[str], line: Line | Problem) -> Line | Problem | None:
        """Return the line; None for a personal comment: a dash after its first word, and nothing more of the form."""
        if match["sign"] == ":" or not isinstance(line, Problem):
            return line
        player = find_named_seat(self.names, match["rest"]) if match["word"].lower() in {"resigned", "back"} else None
        return line if player is not None and (not player[1] or re.search("[0-9]", player[1])) else None

    def _read_timed(self, word: str, text: str, rest: str) -> Line | Problem:
        ends = ENDS_WITH_TIME.search(rest)
        time = clock.parse_moment(ends["time"]) if ends else None
        if ends is None or time is None:
            return report_missing_time(word, text)
        rest = rest[: ends.start()].strip()
        if word in {"adjourned", "resumed"}:
            line = Adjourned(time) if word == "adjourned" else Resumed(time)
            return report_malformed_line(word, text, FORMS[word]) if rest else line
        player = find_named_seat(self.names, rest)
        if player is None:
            return report_missing_player(self.names, text, rest)
        seat, rest = player
        ahead = read_offset(rest.strip(" ,")) if word == "time zone" else None
        if ahead is not None:
            return Zone(seat, ahead, time)
        by = PLAYED_BY.fullmatch(rest) if word == "stand-in" else None
        if by is not None and by["name"].isprintable():
            who = BOT.fullmatch(by["name"]) if by["bot"] else None
            name, chosen = (who["name"], who["player"].lower()) if who else (by["name"], "")
            return StandIn(seat, " ".join(name.split()), time, by["address"] or "", bool(by["bot"]), chosen)
        said = Resigned(seat, time) if word == "resigned" else Back(seat, time)
        is_whole = word in {"resigned", "back"} and not rest.strip(" ,")
        return said if is_whole else report_malformed_line(word, text, FORMS[word])

    def _read_absence(self, text: str, rest: str) -> Away | Problem:
        said = SAID.search(rest)
        announced = clock.parse_moment(said["time"]) if said else None
        if said and announced is None:
            return report_missing_time("away", text)
        player = find_named_seat(self.names, rest[: said.start()] if said else rest)
        if player is None:
            return report_missing_player(self.names, text, rest)
        span = player[1].strip(" ,")
        days = DAYS.fullmatch(span)
        first, last = (read_day(day) for day in ((days["first"], days["last"]) if days else (span, span)))
        for day in (first, last):
            if isinstance(day, Problem):
                return evolve(day, length=len(text))
        assert isinstance(first, date)
        assert isinstance(last, date)
        if first.year not in clock.YEARS or last.year not in clock.YEARS:
            return report_malformed_line("away", text, FORMS["away"])
        if last < first:
            message = f"The last day, {last.isoformat()}, is before the first, {first.isoformat()}"
            hint = f"Write {last.isoformat()} first."
            return Problem(Kind.SYNTAX, AWAY_SPAN_RULE, message, length=len(text), hint=hint)
        return Away(player[0], first, last, announced)

    def write_line(self, line: Line) -> str:
        """Write a comment line, with its `#`."""
        return f"# {WRITE[type(line)](self.names, line)}"

    def write_mark(self, text: str) -> str:
        """Write an inline comment as a line repeats it: a note in its canonical form, any other unchanged."""
        return self.write_public_note(text) or text

    def write_public_note(self, text: str) -> str:
        """Write an inline note again; "" for any other comment, which may hold anything."""
        note = self.read_note(text)
        return "" if note is None or isinstance(note, Problem) else self.write_note(note)

    def write_public_line(self, text: str) -> str:
        """Write a comment line again without an address; return "" for a line of another kind, which may hold anything."""
        line = self.read_line(text)
        if line is None or isinstance(line, Problem):
            return ""
        if isinstance(line, Marked) and not line.mark.casefold().startswith(STANDS):
            return self.write_line(line) if self.write_public_note(line.mark) else ""
        line = evolve(line, address="") if isinstance(line, StandIn | Moved) else line
        return self.write_line(line)


@lru_cache(REMEMBERED)
@cites("record.note.hash")
def _read_line(reader: NoteReader, text: str) -> Line | Problem | None:
    line = reader.parse_line(text)
    cut = CUT_HASH.search(text, 1) if isinstance(line, Problem) else None
    if cut is None or isinstance(reader.parse_line(text[: cut.start()]), Problem | None):
        return line
    col, length = cut.start("digits"), len(cut["digits"]) + 1
    return Problem(Kind.INTEGRITY, "record.note.hash", describe_cut_hash(cut), 1, col, length, COPY_AGAIN)


def name_speaker(record: Record, line: Line) -> str:
    """Name who alone can state a line: a player, those who agreed, all, the host (`a host` without one)."""
    names = record.names
    match line:
        case Resigned(seat) | Away(seat) | Zone(seat) | Back(seat):
            return names[seat]
        case Ended(agreed=agreed) | Paused(agreed=agreed) if agreed:
            return list_names([names[seat] for seat in agreed], "and")
        case Marked(_, mark) if not mark.casefold().startswith(UNDONE_BY_HOST):
            return list_names(list(names), "and")
        case Marked() | Ended() | Paused() | Extended() | Deadline():
            return "the host" if clock.has_host(record) else "a host"
        case _:
            return "the host" if clock.has_host(record) else "the players"


def make_note_reader(names: Sequence[str]) -> NoteReader:
    return NoteReader(tuple(names))


def list_stand_ins(record: Record) -> list[StandIn]:
    reader = make_note_reader(record.names)
    return [line for line in map(reader.read_line, record.list_remarks()) if isinstance(line, StandIn)]


@cites("record.turn.undone")
def find_undone_faults(record: Record) -> Iterator[Problem]:
    """Find faults of turns taken back: all agreed, once, after the turn, and no later turn still stood, as far as times tell."""
    reader = make_note_reader(record.names)
    read = [(turn, *find_undone_note(reader, turn)) for turn in record.turns]
    played = [find_noted_time(reader, turn) for turn in record.turns]
    later = _find_standing_turns(played, [note for _, note, _ in read])
    for index, (turn, note, col) in enumerate(read):
        if isinstance(note, Problem):
            yield note.move_to(line=turn.line or 1, col=col)
            continue
        time, hint = played[index], "Leave the wrong mark out."
        if sum(text.casefold().startswith(TAKEN_BACK) for text in turn.notes) > 1:
            message = "This turn is marked twice as taken back"
        elif note is not None and note.time is not None and time is not None and note.time < time:
            message = "This turn was taken back before it was taken, as its times say"
        elif note is not None and index in later:
            message = f"Turn {record.turns[later[index]].number} is later, and has to be taken back first"
            hint = "Take turns back one by one, the latest first."
        else:
            continue
        length = len(reader.write_note(note)) if note else 1
        yield Problem(Kind.INTEGRITY, UNDONE_RULE, message, turn.line or 1, col + 1, length, hint)


@cites("post.note.form")
def find_mark_faults(record: Record) -> Iterator[Problem]:
    reader, is_idle = make_note_reader(record.names), find_record_plugin(record.game).is_idle
    for turn in record.turns:
        read = list(map(reader.read_note, turn.notes))
        for kind, what in ((At, "times"), (Passed, "reasons for a pass")):
            places = [at for at, note in enumerate(read) if isinstance(note, kind)]
            plays = kind is Passed and not turn.undone and not all(map(is_idle, turn.moves))
            if len(places) > 1 or (places and plays):
                col = turn.note_cols[places[-1]] + 2 if turn.note_cols else 1
                twice, length = len(places) > 1, len(turn.notes[places[-1]])
                message = f"This turn has two {what}" if twice else "Only a pass can have this mark"
                yield Problem(Kind.SYNTAX, FORM, message, turn.line or 1, col, length, "Leave the wrong mark out.")


def _find_standing_turns(
    played: Sequence[datetime | None], undone: Sequence[Undone | Problem | None]
) -> Mapping[int, int]:
    """Find, for the turns that were taken back, the first later turn that had been played then, and still stood."""
    begins, asks, ends = (list[tuple[datetime, int, int]]() for _ in range(3))
    for at, (time, note) in enumerate(zip(played, undone, strict=True)):
        taken_back = note.time if isinstance(note, Undone) else None
        if taken_back is not None:
            asks.append((taken_back, 1, at))
        stands = time is not None and (note is None or (taken_back is not None and taken_back > time))
        if stands and time is not None:
            begins.append((time, 2, at))
            ends += [(taken_back, 0, at)] if taken_back is not None else []
    standing, found = list[int](), dict[int, int]()
    for _, kind, at in sorted((*begins, *asks, *ends)):
        place = bisect_right(standing, at)
        if kind == 0:
            del standing[place - 1]
        elif kind == 1 and place < len(standing):
            found[at] = standing[place]
        elif kind == 2:
            standing.insert(place, at)
    return found


def find_undone_note(reader: NoteReader, turn: Turn) -> tuple[Undone | Problem | None, int]:
    """Find the note that a turn was taken back, and the column of its text from 0; None if it stands."""
    for at, text in enumerate(turn.notes):
        if text.casefold().startswith(TAKEN_BACK):
            note = reader.read_note(text)
            assert note is None or isinstance(note, Undone | Problem)
            return note, turn.note_cols[at] + 1 if at < len(turn.note_cols) else 0
    return None, 0


def find_noted_time(reader: NoteReader, turn: Turn) -> datetime | None:
    """Return when a turn was taken; of several notes about that the last one counts."""
    notes = map(reader.read_note, reversed(turn.notes))
    return next((note.time for note in notes if isinstance(note, At)), None)
