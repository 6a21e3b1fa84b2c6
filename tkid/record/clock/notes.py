"""What a record tells of time besides the turns: inline notes on turn lines, and comment lines between them.

They are comments, so the chain hash does not cover them, and every rewriting keeps them. Here they are values; seats
are indices. What a person writes beside them in comments of their own is left alone. They stand with the record, and
not with the mail, as replaying needs to know what was taken back, and `seen` what everybody may read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from attrs import frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.dates import NoDay, read_day
from tkid.notation.text import plain
from tkid.notation.vocabulary import listed
from tkid.record.clock.times import TIME, WAY, YEARS, read_time, write_time
from tkid.record.format.model import UNDONE
from tkid.record.format.names import player_hint
from tkid.rulebook import cites

FORM, PLAYER, UNDONE_RULE, SPAN = "post.note.form", "post.note.player", "record.turn.undone", "post.away.span"


# -- on a turn line ---------------------------------------------------------------------------------------


@frozen
class At:
    """`at TIME`: when the turn was taken."""

    time: datetime


@frozen
class Passed:
    """Why a seat passed without its player: the time was out, it had no card left, or its player had resigned."""

    why: Literal["out of time", "nothing to play", "resigned"]


OUT_OF_TIME, NOTHING_TO_PLAY, BY_RESIGNATION = Passed("out of time"), Passed("nothing to play"), Passed("resigned")


@frozen
class Undone:
    """`undone: NAME, NAME agreed at TIME`: the turn was taken back; who agreed, in turn order, and when, if told."""

    agreed: tuple[int, ...]
    time: datetime | None = None


Note = At | Passed | Undone


# -- on a line of their own -------------------------------------------------------------------------------


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
    """`stand-in: NAME is played by WHO <ADDRESS> TIME`, or `by bot WHO`: somebody else plays a seat from now on."""

    seat: int
    name: str
    time: datetime
    address: str = ""
    bot: bool = False


@frozen
class Adjourned:
    """`adjourned: TIME`: the game stops."""

    time: datetime


@frozen
class Resumed:
    """`resumed: TIME`: an adjourned game goes on."""

    time: datetime


Line = Away | Resigned | Back | StandIn | Adjourned | Resumed

FORMS = {
    "away": "# away: Ann 2026-12-20 to 2026-12-28, said 2026-12-18T10:04Z",
    "resigned": "# resigned: Ann 2026-12-01T09:00Z",
    "back": "# back: Ann 2026-12-01T09:00Z",
    "stand-in": "# stand-in: Ann is played by bot Merlin 2026-12-01T09:00Z",
    "adjourned": "# adjourned: 2026-12-01T09:00Z",
    "resumed": "# resumed: 2026-12-01T09:00Z",
}
"""How each line is written."""
LINE = re.compile(rf"#\s+(?P<word>{'|'.join(FORMS)})\s*:\s*(?P<rest>.*?)[\s.]*$", re.IGNORECASE)
ENDS_WITH_TIME = re.compile(rf"(?:^|(?<=[\s,]))(?P<time>{TIME})[\s.]*$", re.IGNORECASE)
SAID = re.compile(rf",?\s*(?:said|announced)\s+(?P<time>{TIME})$", re.IGNORECASE)
DAYS = re.compile(r"(?P<first>.+?)\s+(?:to|until|till)\s+(?P<last>.+)", re.IGNORECASE)
PLAYED_BY = re.compile(r"is played by\s+(?P<bot>bot\s+)?(?!bot$)(?P<name>[^<>:;{}#]{1,32}?)\s*(?:<(?P<address>[^<>\s]+)>)?,?$", re.IGNORECASE)  # fmt: skip
AGREED = re.compile(r",?\s*agreed\b(?:\s+(?:at|on))?\s*", re.IGNORECASE)
BETWEEN = re.compile(r"\s*(?:,\s*and\b|,|&|\band\b)\s*", re.IGNORECASE)
AGREEMENT = "Write every player's name, and when they agreed: `{undone: %s agreed at 2026-11-21T10:04Z}`."
MOST_NAMED = 3
"""How often each player may be named in one note, in the mean."""


@frozen
class NoteReader:
    """Reads and writes the notes of a game with these players.

    What is not one of these notes, but somebody's own comment, is None; what begins as one and is none is a problem,
    with columns within the text that was given.
    """

    names: tuple[str, ...]

    # -- inline -------------------------------------------------------------------------------------------

    def note(self, text: str) -> Note | Problem | None:
        """An inline note, without its braces."""
        folded = " ".join(plain(text).casefold().split())
        if folded in {"out of time", "nothing to play", "resigned"}:
            return {note.why: note for note in (OUT_OF_TIME, NOTHING_TO_PLAY, BY_RESIGNATION)}[folded]  # type: ignore[index]
        if folded.startswith(UNDONE):
            return self._undone(text)
        if not re.match(r"at [0-9]", folded):
            return None
        time = read_time(plain(text).strip()[2:])
        return At(time) if time else _no_time("at", text)

    @cites("record.turn.undone")
    def _undone(self, text: str) -> Undone | Problem:
        """Who agreed that a turn is taken back: every player is named."""
        rest = " ".join(plain(text).split())[len(UNDONE) :].strip()
        seats, hint = set[int](), AGREEMENT % ", ".join(self.names)
        for _ in range(MOST_NAMED * len(self.names)):
            named = self._named(rest)
            if named is None:
                break
            seat, rest = named
            seats.add(seat)
            rest = BETWEEN.sub("", rest, count=1) if BETWEEN.match(rest) else rest
        agreed = AGREED.match(rest)
        when = rest[agreed.end() :] if agreed else rest
        time = read_time(when)
        if when and time is None:
            message = f"`{when}` is not a time" if agreed else f"`{AGREED.split(rest)[0]}` is not a player in this game"
            return Problem(Kind.SYNTAX, UNDONE_RULE, message, length=len(text), hint=hint)
        missing = [name for seat, name in enumerate(self.names) if seat not in seats]
        if missing:
            message = f"Every player must agree before a turn is taken back. {listed(missing, 'and')} did not"
            return Problem(Kind.INTEGRITY, UNDONE_RULE, message, length=len(text), hint=hint)
        return Undone(tuple(sorted(seats)), time)

    def write_note(self, note: Note) -> str:
        """An inline note as it is written, without its braces."""
        match note:
            case At(time):
                return f"at {write_time(time)}"
            case Passed(why):
                return why
            case Undone(agreed, time):
                names = ", ".join(self.names[seat] for seat in agreed)
                return f"{UNDONE} {names} agreed{f' at {write_time(time)}' if time else ''}"

    # -- lines --------------------------------------------------------------------------------------------

    @cites("post.note.form")
    def line(self, text: str) -> Line | Problem | None:
        """A comment line, with its `#`."""
        match = LINE.match(plain(text).strip())
        if not match:
            return None
        word, rest = match["word"].lower(), match["rest"].strip()
        if word == "away":
            return self._away(text, rest)
        ends = ENDS_WITH_TIME.search(rest)
        time = read_time(ends["time"]) if ends else None
        if ends is None or time is None:
            return _no_time(word, text)
        rest = rest[: ends.start()].strip()
        if word in {"adjourned", "resumed"}:
            return _malformed(word, text) if rest else (Adjourned if word == "adjourned" else Resumed)(time)
        named = self._named(rest)
        if named is None:
            return self._nobody(text, rest)
        return self._of_seat(word, text, named, time)

    @staticmethod
    def _of_seat(word: str, text: str, named: tuple[int, str], time: datetime) -> Line | Problem:
        """A line about a player, with a time at its end."""
        seat, rest = named
        if word == "stand-in":
            by = PLAYED_BY.fullmatch(rest)
            if by is None or not by["name"].isprintable():
                return _malformed(word, text)
            return StandIn(seat, " ".join(by["name"].split()), time, by["address"] or "", bool(by["bot"]))
        if rest.strip(" ,"):
            return _malformed(word, text)
        return Resigned(seat, time) if word == "resigned" else Back(seat, time)

    def _away(self, text: str, rest: str) -> Away | Problem:
        """An absence."""
        said = SAID.search(rest)
        announced = read_time(said["time"]) if said else None
        if said and announced is None:
            return _no_time("away", text)
        named = self._named(rest[: said.start()] if said else rest)
        if named is None:
            return self._nobody(text, rest)
        span = named[1].strip(" ,")
        days = DAYS.fullmatch(span)
        first, last = (read_day(day) for day in ((days["first"], days["last"]) if days else (span, span)))
        for day in (first, last):
            if isinstance(day, NoDay):
                return Problem(Kind.SYNTAX, day.rule, day.message, length=len(text), hint=day.hint)
        assert isinstance(first, date)
        assert isinstance(last, date)
        if first.year not in YEARS or last.year not in YEARS:
            return _malformed("away", text)
        if last < first:
            message = f"The last day, {last.isoformat()}, is before the first, {first.isoformat()}"
            return Problem(Kind.SYNTAX, SPAN, message, length=len(text), hint=f"Write {last.isoformat()} first.")
        return Away(named[0], first, last, announced)

    def write_line(self, line: Line) -> str:
        """A comment line as it is written, with its `#`."""
        match line:
            case Away(seat, first, last, said):
                when = f", said {write_time(said)}" if said else ""
                return f"# away: {self.names[seat]} {first.isoformat()} to {last.isoformat()}{when}"
            case Resigned(seat, time):
                return f"# resigned: {self.names[seat]} {write_time(time)}"
            case Back(seat, time):
                return f"# back: {self.names[seat]} {write_time(time)}"
            case StandIn(seat, name, time, address, bot):
                who = f"{'bot ' if bot else ''}{name}{f' <{address}>' if address else ''}"
                return f"# stand-in: {self.names[seat]} is played by {who} {write_time(time)}"
            case Adjourned(time):
                return f"# adjourned: {write_time(time)}"
            case Resumed(time):
                return f"# resumed: {write_time(time)}"

    # -- as everybody may read them -----------------------------------------------------------------------

    def public_note(self, text: str) -> str:
        """An inline note written anew, "" for a comment that is none: that may hold anything."""
        note = self.note(text)
        return "" if note is None or isinstance(note, Problem) else self.write_note(note)

    def public_line(self, text: str) -> str:
        """A comment line written anew, "" for one that is none of these: that may hold anything."""
        line = self.line(text)
        return "" if line is None or isinstance(line, Problem) else self.write_line(line)

    # -- players ------------------------------------------------------------------------------------------

    def _named(self, text: str) -> tuple[int, str] | None:
        """The seat that a text begins with, by name or number, the longest that fits; and what stands behind it."""
        text = " ".join(text.split())
        by_name = [(plain(name), seat) for seat, name in enumerate(self.names)]
        by_number = [(str(seat + 1), seat) for seat in range(len(self.names))]
        for name, seat in sorted(by_name, key=lambda each: -len(each[0])) + by_number:
            rest = text[len(name) :]
            if text[: len(name)].casefold() == name.casefold() and (not rest or rest[0] in " ,&"):
                return seat, rest if rest[:1] in {",", "&"} else rest.strip()
        return None

    @cites("post.note.player")
    def _nobody(self, text: str, rest: str) -> Problem:
        """The problem with a name that nobody at the table has."""
        word = rest.split(maxsplit=1)[0].rstrip(",") if rest else ""
        hint = player_hint(word, self.names) if word else f"The players are {listed(self.names, 'and')}."
        message = f"`{word}` is not a player in this game" if word else "The player is missing"
        return Problem(Kind.NAME, PLAYER, message, col=max(0, text.find(word)) + 1, length=max(1, len(word)), hint=hint)


def note_reader(names: Sequence[str]) -> NoteReader:
    """The reader of the notes of a game with these players."""
    return NoteReader(tuple(names))


def _no_time(word: str, text: str) -> Problem:
    return Problem(
        Kind.SYNTAX, FORM, f"The time after `{word}` is missing", length=len(text), hint=f"Write it as {WAY}."
    )


def _malformed(word: str, text: str) -> Problem:
    message = f"This begins like a line about `{word}`, but goes on differently"
    return Problem(Kind.SYNTAX, FORM, message, length=len(text), hint=f"Write it like this: `{FORMS[word]}`.")
