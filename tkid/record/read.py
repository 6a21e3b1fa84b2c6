"""Reading records: from bytes to a record, or to problems with their places. Comments are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, frozen

from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.kernel.problems import Kind, Problem
from tkid.notation.positions import PositionError, read_position
from tkid.notation.text import plain
from tkid.notation.turns import ReadTurn
from tkid.notation.vocabulary import Vocabulary, listed
from tkid.record.model import BEFORE_TURNS, FORMAT, Comments, Header, Outcome, Record, Seat, Turn
from tkid.record.replay import reader
from tkid.record.setup_rows import SetupReader
from tkid.record.start import KNOWN_HEADERS
from tkid.rulebook import rule
from tkid.rulesets import Ruleset, UnknownRulesetError, ruleset

MOST_BYTES = 16 << 20
LONGEST_LINE = 4000
LONGEST_NAME = 32
REPEATED = {"Seat", "Ruling"}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")
HASH = re.compile(r"\s#([0-9a-f]{6})\s*$")
NUMBERED = re.compile(r"\s*(\d+)\s*\.\s*")
NOTE = re.compile(r"\{([^{}]*)\}")
SEAT = re.compile(r"\s*(?P<name>[^<>]*?)\s*(?:<\s*(?P<address>[^<>\s]*)\s*>)?\s*$")


@frozen
class ReadRecord:
    """What came of reading: the record, None where no game can be made of it; and the problems, in order.

    `readable` is false where the text is not a record at all.
    """

    record: Record | None
    problems: tuple[Problem, ...]
    readable: bool = True


def read_record(data: bytes) -> ReadRecord:
    """Read a record."""
    lines, problems = _lines(data)
    if problems:
        return ReadRecord(None, problems, readable=False)
    return _Reader(lines).read()


def read_head(text: str) -> ReadRecord:
    """Read nothing but the header: a record without set-up and turns."""
    lines = text.split("\n")
    reading = _Reader(lines)
    return ReadRecord(reading.head([(n, line) for n, line in enumerate(lines, 1) if line]), reading.found())


def _lines(data: bytes) -> tuple[list[str], tuple[Problem, ...]]:
    """The lines of a file; problems where it is no text of a record."""
    if len(data) > MOST_BYTES:
        return [], (_file("record.size", f"The file has {len(data)} bytes; a record has at most {MOST_BYTES}"),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, col = before.count("\n") + 1, error.start - data.rfind(b"\n", 0, error.start)
        told = f"Byte 0x{data[error.start]:02x} is not UTF-8"
        return [], (_file("record.encoding", told, line, col, "Save the file as UTF-8."),)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    longest = max(lines, key=len)
    if len(longest) > LONGEST_LINE:
        told = f"This line has {len(longest)} characters; {LONGEST_LINE} are the most"
        return [], (_file("record.size", told, lines.index(longest) + 1, LONGEST_LINE + 1),)
    strange = CONTROL.search(text)
    if strange:
        row, column = text.count("\n", 0, strange.start()) + 1, strange.start() - text.rfind("\n", 0, strange.start())
        told = f"A control character (0x{ord(strange[0]):02x}) stands here"
        return [], (_file("record.encoding", told, row, column, "Is this a text file?"),)
    first = next((number for number, line in enumerate(lines) if line.strip() and not _is_comment(line)), None)
    found = plain(lines[first]).strip() if first is not None else ""
    if re.fullmatch(rf"tkid-record\s*:\s*{FORMAT}", found, re.IGNORECASE) is None:
        hint = f"The first line is `Tkid-Record: {FORMAT}`."
        told = f"This is no record: it begins with `{found[:40]}`" if found else "The file is empty"
        return [], (_file("record.first-line", told, (first or 0) + 1, 1, hint),)
    return lines, ()


def _file(rule_id: str, message: str, line: int = 1, col: int = 1, hint: str = "") -> Problem:
    return Problem(Kind.FILE, rule_id, message, line, col, 1, hint)


def _is_comment(line: str) -> bool:
    return line.startswith("# ") or line.rstrip() == "#"


class _Reader:
    """Reads the lines of one record, section by section."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.headers: list[Header] = []
        self.comments: list[str] = []

    def read(self) -> ReadRecord:
        """Read everything."""
        sections = self._sections()
        head = self.head(sections["header"])
        if head is None:
            return ReadRecord(None, self.found())
        start, row_comments = self._start(head, sections)
        turns = TurnLines(head.game, head.seats, self.problems)
        for number, line in sections["turns"]:
            turns.line(number, line)
        if not start:
            return ReadRecord(None, self.found())
        record = evolve(head, row_comments=row_comments, turns=turns.finished(), end=tuple(turns.comments), **start)
        return ReadRecord(record, self.found())

    def head(self, lines: list[tuple[int, str]]) -> Record | None:
        """A record with nothing but what its header says; None where that makes no game."""
        self._headers(lines)
        entry = self._ruleset()
        seats = self._seats(entry)
        if entry is None or not seats:
            return None
        return Record(entry, seats, tuple(self.headers), self._readings(entry))

    def found(self) -> tuple[Problem, ...]:
        """The problems found, in the order of the lines."""
        return tuple(sorted(self.problems, key=lambda problem: (problem.line, problem.col)))

    def _problem(self, kind: Kind, rule_id: str, message: str, line: int, *, hint: str = "", col: int = 1) -> None:
        length = max(1, len(self.lines[line - 1].rstrip()) - col + 1) if 0 < line <= len(self.lines) else 1
        self.problems.append(Problem(kind, rule_id, message, line, col, length, hint))

    def _sections(self) -> dict[str, list[tuple[int, str]]]:
        """The lines of header, setup and turns, with their numbers."""
        sections: dict[str, list[tuple[int, str]]] = {"header": [], "setup": [], "turns": []}
        current = "header"
        for number, line in enumerate(self.lines, 1):
            word = line.strip().casefold()
            if word in {"setup", "turns"} and list(sections).index(word) > list(sections).index(current):
                current = word
            elif word:
                sections[current].append((number, line))
        return sections

    # -- header -------------------------------------------------------------------------------------------

    def _headers(self, lines: list[tuple[int, str]]) -> None:
        known = Vocabulary(dict.fromkeys(KNOWN_HEADERS), {})
        comments: list[str] = []
        for number, line in lines:
            if _is_comment(line):
                comments.append(line.rstrip())
                continue
            typed, colon, value = line.partition(":")
            name = next((k for k in KNOWN_HEADERS if k.casefold() == typed.strip().casefold()), typed.strip())
            if not colon:
                hint = "A header is written `Name: value`; the set-up begins with the line `Setup`."
                self._problem(Kind.SYNTAX, "record.header.form", "This is no header", number, hint=hint)
                continue
            if name not in KNOWN_HEADERS and not name.casefold().startswith("x-"):
                meant = known.find(name)
                hint = (f"Did you mean {meant}? " if isinstance(meant, str) else meant.hint() + " ").lstrip()
                told = f"There is no header `{name}`"
                self._problem(Kind.NAME, "record.header.unknown", told, number, hint=hint + "Own ones begin with `X-`.")
                continue
            if name in KNOWN_HEADERS and name not in REPEATED and any(h.name == name for h in self.headers):
                self._problem(Kind.SYNTAX, "record.header.twice", f"`{name}` stands here a second time", number)
                continue
            self.headers.append(Header(name, " ".join(plain(value).split()), tuple(comments), number))
            comments = []
        self.comments = comments

    def _all(self, name: str) -> list[Header]:
        return [header for header in self.headers if header.name == name]

    def _ruleset(self) -> Ruleset | None:
        stated = self._all("Ruleset")
        if not stated:
            hint = "Add a line such as `Ruleset: second-edition`."
            self._problem(Kind.SYNTAX, "record.header.missing", "No ruleset is stated", 1, hint=hint)
            return None
        code, _, version = stated[0].value.partition(" ")
        try:
            entry = ruleset(code)
        except UnknownRulesetError as error:
            self._problem(Kind.NAME, "record.ruleset", str(error), stated[0].line)
            return None
        if version not in {"", str(entry.version)}:
            told = f"{code} is known here in version {entry.version}, not {version}"
            self._problem(Kind.NAME, "record.ruleset", told, stated[0].line)
        written = entry.code if entry.version == 1 else f"{entry.code} {entry.version}"
        self.headers = [evolve(h, value=written) if h.name == "Ruleset" else h for h in self.headers]
        return entry

    def _seats(self, entry: Ruleset | None) -> tuple[Seat, ...]:
        seats: list[Seat] = []
        before = len(self.problems)
        cards = [name.casefold() for name in entry.game().cards] if entry else []
        for header in self._all("Seat"):
            match = SEAT.match(header.value)
            name = match["name"] if match else header.value
            seat = Seat(name, (match["address"] or "") if match else "")
            for rule_id, told in _name_faults(name, [s.name for s in seats], cards):
                self._problem(Kind.NAME, rule_id, told, header.line)
            seats.append(seat)
            self.headers = [evolve(h, value=str(seat)) if h is header else h for h in self.headers]
        allowed = entry.game().parties if entry else {len(seats): ()}
        if len(seats) not in allowed:
            told = f"{len(seats)} seats; the game is for {listed(map(str, allowed))} players"
            line = self._all("Seat")[-1].line if seats else 1
            self._problem(Kind.SYNTAX, "record.seats", told, line, hint="Write one `Seat: NAME` for each player.")
        return tuple(seats) if len(self.problems) == before else ()

    def _readings(self, entry: Ruleset) -> dict[str, str]:
        chosen: dict[str, str] = {}
        for header in self._all("Ruling"):
            ruling, _, option = header.value.partition(" ")
            ruling, option = ruling.casefold(), option.strip().casefold()
            if ruling not in entry.switches:
                hint = f"Those with a switch are {listed(entry.switches, 'and')}."
                told = f"`{ruling}` is no ruling with a switch"
                self._problem(Kind.NAME, "record.ruling", told, header.line, hint=hint)
            elif option not in rule(ruling).options:
                told = f"`{option}` is no option of {ruling}"
                hint = f"The options are {listed(rule(ruling).options, 'and')}."
                self._problem(Kind.NAME, "record.ruling", told, header.line, hint=hint)
            else:
                chosen[ruling] = option
        return chosen

    # -- start --------------------------------------------------------------------------------------------

    def _start(
        self, head: Record, sections: Mapping[str, list[tuple[int, str]]]
    ) -> tuple[dict[str, Any], dict[str, Comments]]:
        """The deal or the position that the game starts from; {} where there is none."""
        stated = self._all("Position")
        if stated:
            position = self._position(head, stated[0])
            return ({"position": position} if position else {}), {BEFORE_TURNS: tuple(self.comments)}
        setup = SetupReader(head.game, head.names, self.lines)
        deal = setup.read(sections["setup"], self.comments)
        self.problems += setup.problems
        return ({"deal": deal} if deal else {}), setup.comments

    def _position(self, head: Record, header: Header) -> Position | None:
        offset = self.lines[header.line - 1].find(":") + 2
        try:
            of, position = read_position(header.value)
        except PositionError as error:
            self.problems += [problem.moved(line=header.line, col=offset) for problem in error.problems]
            return None
        if of.code != head.ruleset.code:
            told = f"The position is one of {of.code}, the record one of {head.ruleset.code}"
            self._problem(Kind.SYNTAX, "record.ruleset", told, header.line)
            return None
        if len(position.courts) != len(head.seats):
            told = f"The position has {len(position.courts)} seats, the record {len(head.seats)}"
            self._problem(Kind.SYNTAX, "record.seats", told, header.line)
            return None
        return position


def _name_faults(name: str, others: list[str], cards: list[str]) -> list[tuple[str, str]]:
    """What is wrong with a player's name: rule and message."""
    faults = []
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable() or set(name) & set("<>:;{}#"):
        faults.append(("record.seat.name", f"`{name}` cannot be a name"))
    if name.casefold() in (other.casefold() for other in others):
        faults.append(("record.seat.unique", f"Two seats are called {name}"))
    meaning = next((card for card in [*cards, "pass"] if name and card.startswith(name.casefold())), None)
    if name.isdigit():
        faults.append(("record.seat.like-card", f"`{name}` is a number, which would be read as a seat's"))
    elif meaning:
        faults.append(("record.seat.like-card", f"`{name}` would be read as the start of {meaning.title()}"))
    return faults


class TurnLines:
    """Reads turn lines, with the comments and `--` lines between them."""

    def __init__(self, game: Struggle, seats: tuple[Seat, ...], problems: list[Problem]) -> None:
        self.seats = seats
        self.problems = problems
        self.comments: list[str] = []
        self._read: Callable[[str], ReadTurn] = reader(game).turn
        self._turns: list[Turn] = []
        self._outcomes: dict[int, list[Outcome]] = {}
        self._number = 0
        self._by_name = {seat.name: index for index, seat in enumerate(seats)}
        names = "|".join(re.escape(name) for name in sorted(self._by_name, key=len, reverse=True))
        self._canonical = re.compile(rf"(\d+)\. ({names}) ([^{{}}#]*[^{{}}# ]) #([0-9a-f]{{6}})$")
        self._names = sorted(
            ((seat.name.casefold(), index) for index, seat in enumerate(seats)), key=lambda pair: -len(pair[0])
        )

    def finished(self) -> tuple[Turn, ...]:
        """The turns read."""
        for at, outcomes in self._outcomes.items():
            self._turns[at] = evolve(self._turns[at], outcomes=tuple(outcomes))
        return tuple(self._turns)

    def line(self, number: int, line: str) -> None:
        """Read the next line that is not empty."""
        if line.startswith("--"):
            self._outcome(number, line)
        elif _is_comment(line):
            self.comments.append(line.rstrip())
        else:
            self._turn(number, line)

    def _outcome(self, number: int, line: str) -> None:
        text = " ".join(plain(line[2:]).split())
        outcome = Outcome(text, tuple(self.comments), number)
        self.comments.clear()
        if self._turns:
            self._outcomes.setdefault(len(self._turns) - 1, []).append(outcome)
        else:
            told = "Nothing has happened yet that could follow from a turn"
            self.problems.append(Problem(Kind.INTEGRITY, "record.outcome", told, number, 1, len(line)))

    def _turn(self, number: int, line: str) -> None:
        canonical = self._canonical.match(line)
        if canonical:
            stated, name, text, hashed = canonical.groups()
            self._count(int(stated), number)
            self._add(number, canonical.start(3), self._by_name[name], text, hashed, ())
            return
        numbered = NUMBERED.match(line)
        if numbered is None:
            hint = "A turn line is `1. NAME TURN`; comments begin with `# `, what followed with `--`."
            self._problem(Kind.SYNTAX, "record.turn.form", "This is no turn line", number, (1, len(line)), hint)
            return
        self._count(int(numbered[1]), number)
        hashed = HASH.search(line, numbered.end())
        end = hashed.start() if hashed else len(line)
        text, notes = line[:end], tuple[str, ...]()
        if "{" in text or "}" in text:
            notes = tuple(" ".join(note.split()) for note in NOTE.findall(text))
            text = NOTE.sub(lambda note: " " * len(note[0]), text)
            brace = next((at for at, character in enumerate(text) if character in "{}"), None)
            if brace is not None:
                told, hint = "This brace has no partner", "An inline comment is written `{like this}`."
                self._problem(Kind.SYNTAX, "record.turn.comment", told, number, (brace + 1, 1), hint)
                return
        seat, at = self._seat(text, numbered.end(), number)
        if seat is None:
            return
        self._add(number, at, seat, text[at:].rstrip(), hashed[1] if hashed else "", notes)

    def _add(  # noqa: PLR0917 - where, who and what
        self, number: int, at: int, seat: int, text: str, chain_hash: str, notes: tuple[str, ...]
    ) -> None:
        read = self._read(text)
        if read.problems:
            self.problems += [problem.moved(line=number, col=at) for problem in read.problems]
        turn = Turn(self._number, seat, read, chain_hash, notes, (), tuple(self.comments), number, at)
        self.comments.clear()
        self._turns.append(turn)

    def _count(self, stated: int, line: int) -> None:
        self._number += 1
        if stated != self._number:
            told = f"This is turn {self._number}, not {stated}"
            hint = "A line may be missing before it." if stated > self._number else "A line may stand here twice."
            self._problem(Kind.INTEGRITY, "record.turn.number", told, line, (1, len(str(stated))), hint)
            self._number = stated

    def _seat(self, text: str, at: int, number: int) -> tuple[int | None, int]:
        """The seat that a line names, and where the turn begins."""
        rest = text[at:].casefold()
        for name, seat in self._names:
            if rest.startswith(name) and not rest[len(name) : len(name) + 1].strip():
                return seat, at + len(name) + 1
        word = rest.split(maxsplit=1)[0] if rest.strip() else ""
        if word.isdigit() and 1 <= int(word) <= len(self.seats):
            return int(word) - 1, at + len(word) + 1
        names = Vocabulary(dict.fromkeys(seat.name for seat in self.seats), {})
        found = names.find(word)
        known = listed([seat.name for seat in self.seats])
        hint = f"Did you mean {found}?" if isinstance(found, str) else found.hint() or f"At the table are {known}."
        place = (at + 1, max(1, len(word)))
        told = f"`{word}` is no player of this game" if word else "The player and the turn are missing"
        self._problem(Kind.NAME, "record.turn.player", told, number, place, hint)
        return None, at

    def _problem(  # noqa: PLR0917 - kind, rule and message, then where and the way out
        self, kind: Kind, rule_id: str, message: str, line: int, place: tuple[int, int], hint: str
    ) -> None:
        self.problems.append(Problem(kind, rule_id, message, line, *place, hint))
