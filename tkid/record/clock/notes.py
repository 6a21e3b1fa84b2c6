"""What a record tells of time besides the turns: inline notes on turn lines, and comment lines between them.

They are comments, and every rewriting keeps them. A line may end with a hash: then it is in the chain (`play/note_chain.py`);
inline notes are not, so a mark that changes the game is repeated in a line. Here they are values; seats are indices. What a person writes beside them in comments of their own is left alone. They stand with the record, and
not with the mail, as replaying needs to know what was taken back, and `seen` what everybody may read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.dates import NoDay, read_day
from tkid.notation.text import plain
from tkid.notation.vocabulary import listed
from tkid.record.clock import interventions
from tkid.record.clock.interventions import Intervention, Moved, one_line, read_intervention, write_intervention
from tkid.record.clock.parts import BETWEEN, ENDS_WITH_TIME, malformed, named, no_time, nobody, without_hash
from tkid.record.clock.terms import has_host
from tkid.record.clock.times import TIME, YEARS, read_time, time_fault, write_time
from tkid.record.format.model import STANDS, TAKEN_BACK, UNDONE, UNDONE_BY_HOST, Record
from tkid.rulebook import cites

UNDONE_RULE, UNDONE_BY_HOST_RULE, SPAN = "record.turn.undone", "post.undo.host", "post.away.span"


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
    """`undone: NAME, NAME agreed at TIME`: the turn was taken back; who agreed, in turn order, and when, if told.

    `undone by the host at TIME: REASON`: nobody had to agree.
    """

    agreed: tuple[int, ...]
    time: datetime | None = None
    by_host: bool = False
    reason: str = ""


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
    """`stand-in: NAME is played by WHO <ADDRESS> TIME`, or `by bot WHO`: somebody else plays a seat from now on.

    `by bot WHO (search)` names the player of `tkid.bots` that chooses the bot's turns; without one, they fall by lot.
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
class Marked:
    """`marked: turn NUMBER, MARK`: a turn got a mark, such as `undone: …`, after it had been played."""

    turn: int
    mark: str

    @property
    def time(self) -> None:
        """No moment: the mark has it."""
        return


Line = Away | Resigned | Back | StandIn | Adjourned | Resumed | Marked | Intervention

FORMS = {
    "away": "# away: Ann 2026-12-20 to 2026-12-28, said 2026-12-18T10:04Z",
    "resigned": "# resigned: Ann 2026-12-01T09:00Z",
    "back": "# back: Ann 2026-12-01T09:00Z",
    "stand-in": "# stand-in: Ann is played by bot Merlin 2026-12-01T09:00Z",
    "adjourned": "# adjourned: 2026-12-01T09:00Z",
    "resumed": "# resumed: 2026-12-01T09:00Z",
}
"""How each line is written."""
SIGN = r"\s*(?P<sign>[:\u2010-\u2015\u2212-])\s*"
"""The colon behind the first word, for which a dash may stand."""
LINE = re.compile(rf"#\s+(?P<word>{'|'.join(FORMS)}){SIGN}(?P<rest>.*?)[\s.]*$", re.IGNORECASE)
OTHERS = "|".join(interventions.FORMS).replace(" ", r"\s+")
INTERVENTION = re.compile(rf"#\s+(?P<word>{OTHERS}){SIGN}(?P<rest>.*?)\s*$", re.IGNORECASE)
MARKED = re.compile(
    rf"#\s+marked\s*:\s*turn\s+(?P<turn>[0-9]{{1,6}})\s*,\s*(?P<mark>(?:{'|'.join((STANDS, *TAKEN_BACK))})[^{{}}]*)",
    re.IGNORECASE,
)
WORDS = (*FORMS, "marked", *(word for word in interventions.FORMS if word != "host"))
"""How the comment lines begin that may end with a hash."""
SAID = re.compile(rf",?\s*(?:said|announced)\s+(?P<time>{TIME})$", re.IGNORECASE)
DAYS = re.compile(r"(?P<first>.+?)\s+(?:to|until|till)\s+(?P<last>.+)", re.IGNORECASE)
PLAYED_BY = re.compile(r"is played by\s+(?P<bot>bot\s+)?(?!bot$)(?P<name>[^<>:;{}#]{1,32}?)\s*(?:<(?P<address>[^<>\s]+)>)?,?$", re.IGNORECASE)  # fmt: skip
BOT = re.compile(r"(?P<name>.*\S)\s*\((?P<player>[a-z]+)\)", re.IGNORECASE)
"""The name of a bot with its player."""
AGREED = re.compile(r",?\s*agreed\b(?:\s+(?:at|on))?\s*", re.IGNORECASE)
BY_HOST = re.compile(rf"at\s+(?P<time>{TIME})\s*(?::\s*(?P<reason>\S.*?)?)?\s*", re.IGNORECASE)
BY_HOST_FORM = "Write it like this: `{undone by the host at 2026-11-21T10:04Z: both players asked for it}`."
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
        if folded.startswith(UNDONE_BY_HOST):
            return self._undone_by_host(text)
        if not re.match(r"at [0-9]", folded):
            return None
        time = read_time(plain(text).strip()[2:])
        return At(time) if time else no_time("at", text)

    @cites("record.turn.undone")
    def _undone(self, text: str) -> Undone | Problem:
        """Who agreed that a turn is taken back: every player is named."""
        rest = " ".join(plain(text).split())[len(UNDONE) :].strip()
        seats, hint = set[int](), AGREEMENT % ", ".join(self.names)
        for _ in range(MOST_NAMED * len(self.names)):
            found = named(self.names, rest)
            if found is None:
                break
            seat, rest = found
            seats.add(seat)
            rest = BETWEEN.sub("", rest, count=1) if BETWEEN.match(rest) else rest
        agreed = AGREED.match(rest)
        when = rest[agreed.end() :] if agreed else rest
        time = read_time(when)
        if when and time is None:
            message = (
                time_fault(when) or f"`{when}` is not a time"
                if agreed
                else f"`{AGREED.split(rest)[0]}` is not a player in this game"
            )
            return Problem(Kind.SYNTAX, UNDONE_RULE, message, length=len(text), hint=hint)
        missing = [name for seat, name in enumerate(self.names) if seat not in seats]
        if missing:
            message = f"Every player must agree before a turn is taken back. {listed(missing, 'and')} did not"
            return Problem(Kind.INTEGRITY, UNDONE_RULE, message, length=len(text), hint=hint)
        return Undone(tuple(sorted(seats)), time)

    @staticmethod
    @cites("post.undo.host")
    def _undone_by_host(text: str) -> Undone | Problem:
        """A turn that the host took back: when, and why."""
        match = BY_HOST.fullmatch(" ".join(plain(text).split())[len(UNDONE_BY_HOST) :].strip())
        time = read_time(match["time"]) if match else None
        if match is None or time is None:
            message = time_fault(text) or "The time when the host took the turn back is missing"
            return Problem(Kind.SYNTAX, UNDONE_BY_HOST_RULE, message, length=len(text), hint=BY_HOST_FORM)
        return Undone((), time, by_host=True, reason=match["reason"] or "")

    def write_note(self, note: Note) -> str:
        """An inline note as it is written, without its braces."""
        match note:
            case At(time):
                return f"at {write_time(time)}"
            case Passed(why):
                return why
            case Undone(_, time, True, reason) if time is not None:
                because = one_line(reason.replace("{", "(").replace("}", ")"))
                return f"{UNDONE_BY_HOST} at {write_time(time)}{f': {because}' if because else ''}"
            case Undone(agreed, time):
                names = ", ".join(self.names[seat] for seat in agreed)
                return f"{UNDONE} {names} agreed{f' at {write_time(time)}' if time else ''}"

    # -- lines --------------------------------------------------------------------------------------------

    @cites("post.note.form")
    def line(self, text: str) -> Line | Problem | None:
        """A comment line, with its `#`; a hash at its end is no part of it."""
        written = plain(without_hash(text)).strip()
        if marked := MARKED.fullmatch(written):
            return Marked(int(marked["turn"]), self.mark(" ".join(marked["mark"].split())))
        if intervention := INTERVENTION.fullmatch(written):
            word = " ".join(intervention["word"].lower().split())
            rest = intervention["rest"]
            if word == "host" and intervention["sign"] == ":":  # an announcement has no hash, so all of it is text
                rest = plain(text).partition(":")[2].strip()
            return self._meant(intervention, read_intervention(self.names, word, text, rest))
        match = LINE.match(written)
        if not match:
            return None
        word, rest = match["word"].lower(), match["rest"].strip()
        return self._meant(match, self._away(text, rest) if word == "away" else self._timed(word, text, rest))

    def _meant(self, match: re.Match[str], line: Line | Problem) -> Line | Problem | None:
        """What was read; None for somebody's own comment: a dash behind its first word, and nothing more of the form."""
        if match["sign"] == ":" or not isinstance(line, Problem):
            return line
        player = named(self.names, match["rest"]) if match["word"].lower() in {"resigned", "back"} else None
        return line if player is not None and (not player[1] or re.search("[0-9]", player[1])) else None

    def _timed(self, word: str, text: str, rest: str) -> Line | Problem:
        """A line with a time at its end."""
        ends = ENDS_WITH_TIME.search(rest)
        time = read_time(ends["time"]) if ends else None
        if ends is None or time is None:
            return no_time(word, text)
        rest = rest[: ends.start()].strip()
        if word in {"adjourned", "resumed"}:
            return malformed(word, text, FORMS[word]) if rest else (Adjourned if word == "adjourned" else Resumed)(time)
        player = named(self.names, rest)
        if player is None:
            return nobody(self.names, text, rest)
        return self._of_seat(word, text, player, time)

    @staticmethod
    def _of_seat(word: str, text: str, player: tuple[int, str], time: datetime) -> Line | Problem:
        """A line about a player, with a time at its end."""
        seat, rest = player
        if word == "stand-in":
            by = PLAYED_BY.fullmatch(rest)
            if by is None or not by["name"].isprintable():
                return malformed(word, text, FORMS[word])
            who = BOT.fullmatch(by["name"]) if by["bot"] else None
            name, chosen = (who["name"], who["player"].lower()) if who else (by["name"], "")
            return StandIn(seat, " ".join(name.split()), time, by["address"] or "", bool(by["bot"]), chosen)
        if rest.strip(" ,"):
            return malformed(word, text, FORMS[word])
        return Resigned(seat, time) if word == "resigned" else Back(seat, time)

    def _away(self, text: str, rest: str) -> Away | Problem:
        """An absence."""
        said = SAID.search(rest)
        announced = read_time(said["time"]) if said else None
        if said and announced is None:
            return no_time("away", text)
        player = named(self.names, rest[: said.start()] if said else rest)
        if player is None:
            return nobody(self.names, text, rest)
        span = player[1].strip(" ,")
        days = DAYS.fullmatch(span)
        first, last = (read_day(day) for day in ((days["first"], days["last"]) if days else (span, span)))
        for day in (first, last):
            if isinstance(day, NoDay):
                return Problem(Kind.SYNTAX, day.rule, day.message, length=len(text), hint=day.hint)
        assert isinstance(first, date)
        assert isinstance(last, date)
        if first.year not in YEARS or last.year not in YEARS:
            return malformed("away", text, FORMS["away"])
        if last < first:
            message = f"The last day, {last.isoformat()}, is before the first, {first.isoformat()}"
            return Problem(Kind.SYNTAX, SPAN, message, length=len(text), hint=f"Write {last.isoformat()} first.")
        return Away(player[0], first, last, announced)

    def write_line(self, line: Line) -> str:
        """A comment line as it is written, with its `#`."""
        match line:
            case Away(seat, first, last, said):
                when = f", said {write_time(said)}" if said else ""
                return f"# away: {self.names[seat]} {first.isoformat()} to {last.isoformat()}{when}"
            case Resigned(seat, time) | Back(seat, time):
                return (
                    f"# {'resigned' if isinstance(line, Resigned) else 'back'}: {self.names[seat]} {write_time(time)}"
                )
            case StandIn(seat, name, time, address, bot, chosen):
                how = f" <{address}>" if address else f" ({chosen})" if chosen else ""
                who = f"{'bot ' if bot else ''}{name}{how}"
                return f"# stand-in: {self.names[seat]} is played by {who} {write_time(time)}"
            case Marked(turn, mark):
                return f"# marked: turn {turn}, {mark}"
            case Adjourned(time) | Resumed(time):
                return f"# {'adjourned' if isinstance(line, Adjourned) else 'resumed'}: {write_time(time)}"
            case _:
                return write_intervention(self.names, line)

    def mark(self, text: str) -> str:
        """An inline comment as a line about it repeats it: a note in its canonical form, and any other as it stands."""
        return self.public_note(text) or text

    # -- as everybody may read them -----------------------------------------------------------------------

    def public_note(self, text: str) -> str:
        """An inline note written anew, "" for a comment that is none: that may hold anything."""
        note = self.note(text)
        return "" if note is None or isinstance(note, Problem) else self.write_note(note)

    def public_line(self, text: str) -> str:
        """Write a comment line again without an address; return "" for a line of another kind, which may hold anything."""
        line = self.line(text)
        if line is None or isinstance(line, Problem):
            return ""
        if isinstance(line, Marked) and not (line.mark.casefold().startswith(STANDS) or self.public_note(line.mark)):
            return ""
        line = evolve(line, address="") if isinstance(line, StandIn | Moved) else line
        return self.write_line(line)


def said_by(record: Record, line: Line) -> str:
    """Who alone can say what a line says: a player, those who agreed, or the host; in a game without a host, the players."""
    names = record.names
    match line:
        case Resigned(seat) | Away(seat) | Back(seat):
            return names[seat]
        case interventions.Ended(agreed=agreed) | interventions.Paused(agreed=agreed) if agreed:
            return listed([names[seat] for seat in agreed], "and")
        case Marked(_, mark) if not mark.casefold().startswith(UNDONE_BY_HOST):
            return listed(list(names), "and")
        case _:
            return "the host" if has_host(record) else "the players"


def note_reader(names: Sequence[str]) -> NoteReader:
    """The reader of the notes of a game with these players."""
    return NoteReader(tuple(names))


def stand_ins(record: Record) -> list[StandIn]:
    """All who ever stood in, in a game."""
    reader = note_reader(record.names)
    return [line for line in map(reader.line, record.remarks()) if isinstance(line, StandIn)]
