"""Read a record from bytes, and write its header and set-up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.game import AnyGame, Position
from tkid.kernel.pickling import Portable
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.notation.names import Vocabulary, list_names
from tkid.notation.plugin import find_turn_reader
from tkid.notation.positions import PositionError, read_position, write_position
from tkid.notation.text import capitalize_text, count_noun, make_plain
from tkid.record.format import model
from tkid.record.format.model import Record
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.seal import HEADER as SEAL_HEADER
from tkid.record.format.seal import SealReader
from tkid.record.format.turn_rows import NUMBERED, TurnRows
from tkid.rulebook import cites, rule
from tkid.rulebook.rulesets import Ruleset, UnknownRulesetError, list_codes, load_version, ruleset

LABEL = 12
KNOWN_HEADERS = ("Tkid-Record", "Ruleset", "Game", "Seat", "Seal", "Ruling", "Position")
"""The headers of the format, in the order in which they are written; `X-…` ones follow."""


def write_start(record: Record) -> str:
    """Write the text that the chain starts from: the canonical header and set-up without comments."""
    return "\n".join([*write_start_lines(record, comments=False), ""])


def write_start_lines(record: Record, *, comments: bool) -> list[str]:
    lines: list[str] = []
    for header in sort_headers(record):
        lines += header.comments if comments else ()
        lines.append(f"{header.name}: {header.value}")
    if record.deal is None:
        return lines
    lines += ("", "Setup")
    for label, value in iter_setup_rows(record):
        lines += record.row_comments.get(label, ()) if comments else ()
        lines.append(f"{label.ljust(LABEL)} {value}")
    return lines


def sort_headers(record: Record) -> Iterator[model.Header]:
    """Yield the headers in canonical order; those of one name keep theirs."""

    def order(header: model.Header) -> int:
        return KNOWN_HEADERS.index(header.name) if header.name in KNOWN_HEADERS else len(KNOWN_HEADERS)

    yield from sorted(record.headers, key=order)


def iter_setup_rows(record: Record) -> Iterator[tuple[str, str]]:
    assert record.deal is not None
    return find_record_plugin(record.game).list_setup_rows(record.game, record.deal, record.names)


RULE = "record.position"
DECISION = re.compile(r"(?<=;)\s*((?:to|ended)\s[^;]*?)\s*(?=;|$)", re.IGNORECASE)
"""The clause with the next decision, or with the ending and the winners."""


@cites("record.position")
def find_contradiction(game: AnyGame, position: Any, line: str) -> Problem | None:
    """Find how a position's line contradicts the engine's decision, ending or winners, with its column; None if it doesn't."""
    settled = find_record_plugin(game).compute_decision(game, position)
    if settled == position:
        return None
    stated, follows = (write_position(game, each).rpartition("; ") for each in (position, settled))
    clause = DECISION.search(line)
    start, end = clause.span(1) if clause else (0, len(line))
    message = f"`{stated[2]}` contradicts the rest of the position"
    same = stated[0] == follows[0]
    hint = f"Write `{follows[2]}`." if same else f"From here the game comes to: {''.join(follows)}"
    fixes = (Fix(follows[2], Scope.PLACE),) if same else ()
    return Problem(Kind.ILLEGAL, RULE, message, col=start + 1, length=max(1, end - start), hint=hint, fixes=fixes)


BY_SMALL_LETTERS = {name.casefold(): name for name in KNOWN_HEADERS}
REPEATED = {"Seat", "Seal", "Ruling"}
ONCE = {"x-clock", "x-started"}
"""Headers of one's own that a game has once."""
MOST_COMPARED = 20
"""Seats whose names are compared with those after them; no game has nearly as many."""
ALIKE = 0.5
"""Similarity of a wrong id of a ruling to the suggested one: as much as an id without its first words."""
NO_SWITCHES = "This ruleset has none: leave the line out."
SEAT = re.compile(r"\s*(?P<name>[^<>]*?)\s*(?:<\s*(?P<address>[^<>\s]*)\s*>)?\s*$")


@frozen
class ReadRecord(Portable):
    """The record (None if the text holds no game), its problems in order, and `readable`: false if it is no record at all."""

    record: Record | None
    problems: tuple[Problem, ...]
    readable: bool = True


def read_record(data: bytes) -> ReadRecord:
    """Read a record.

    Args:
        data: the bytes of the file.

    Returns:
        The record, if a game can be made of the text, and the problems.

    Raises:
        TypeError: the argument is a file name or text, not bytes.
    """
    if not isinstance(data, bytes):
        raise TypeError("a record is read from bytes; `Path(name).read_bytes()` has those of a file")
    lines, problems = model.read_file_lines(data)
    if problems:
        return ReadRecord(None, problems, readable=False)
    return _Reader(lines).read()


def read_own_record(text: str) -> Record:
    """Read a record that tkid has written itself. Raises ValueError for one with problems."""
    read = read_record(text.encode())
    if read.record is None or read.problems:
        raise ValueError("; ".join(map(str, read.problems)))
    return read.record


@frozen
class ReadStart:
    """A record without its turns, and the lines of these, with their numbers; `record` is None where no game can be made of it."""

    record: Record | None
    turns: Sequence[tuple[int, str]]
    problems: Sequence[Problem]


def read_start(data: bytes) -> ReadStart:
    """Read everything before the turns: the record as far as it was read, and the problems until then, in no order."""
    lines, problems = model.read_file_lines(data)
    return ReadStart(None, (), problems) if problems else _Reader(lines).start()


def read_record_head(text: str) -> ReadRecord:
    reading = _Reader(text.split("\n"))
    head = reading.read_head([(n, line) for n, line in enumerate(reading.lines, 1) if line])
    return ReadRecord(head, reading.list_problems())


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.headers: list[model.Header] = []
        self.meant: set[str] = set()
        """The headers that misspelled ones may have been meant for: these are not missed as well."""
        self.rewritten: dict[int, str] = {}
        """The canonical values of headers that are written in another form, by their lines."""
        self.comments: list[str] = []
        self.setup_line = 0

    def read(self) -> ReadRecord:
        sections = self._split_sections()
        head = self.read_head(sections["header"])
        if head is None:
            return ReadRecord(None, self.list_problems())
        begun = self._add_start(head, sections)
        turns = TurnRows(head.game, head.seats, self.problems)
        for number, line in sections["turns"]:
            turns.read_line(number, line)
        played, remarked = turns.finish_turns(), tuple(turns.comment_lines)
        record = begun and evolve(begun, turns=played, end=tuple(turns.comments), remark_lines=remarked)
        return ReadRecord(record, self.list_problems())

    def start(self) -> ReadStart:
        sections = self._split_sections()
        head = self.read_head(sections["header"])
        return ReadStart(head and self._add_start(head, sections), sections["turns"], self.problems)

    def _add_start(self, head: Record, sections: Mapping[str, list[tuple[int, str]]]) -> Record | None:
        start, row_comments = self._read_start(head, sections)
        if not start:
            return None
        above = tuple(each for each in (*sections["header"], *sections["setup"]) if model.is_comment(each[1]))
        return evolve(head, headers=self._list_canonical_headers(), row_comments=row_comments, above=above, **start)

    def read_head(self, lines: list[tuple[int, str]]) -> Record | None:
        """Read a record with nothing but its header; None if that makes no game."""
        self._read_headers(lines)
        entry = self._read_ruleset()
        seats = self._read_seats(entry)
        names = [seat.name for seat in seats]
        seals = SealReader(names, self._note_header_problem).read(self._list_headers(SEAL_HEADER))
        if entry is None or not seats:
            return None
        self._check_programs(names)
        readings = self._read_readings(entry)
        self.headers = [header for header in self.headers if header.name != SEAL_HEADER] + seals
        return Record(entry, seats, self._list_canonical_headers(), readings)

    def list_problems(self) -> tuple[Problem, ...]:
        return tuple(sorted(self.problems, key=lambda problem: (problem.line, problem.col)))

    def _note_problem(
        self,
        kind: Kind,
        rule_id: str,
        message: str,
        line: int,
        *,
        hint: str = "",
        col: int = 1,
        instead: Sequence[str] = (),
    ) -> None:
        length = max(1, len(self.lines[line - 1].rstrip()) - col + 1) if 0 < line <= len(self.lines) else 1
        fixes = tuple(Fix(text, Scope.PLACE) for text in instead)
        self.problems.append(Problem(kind, rule_id, message, line, col, length, hint, fixes))

    def _note_header_problem(  # noqa: PLR0917 - a problem
        self, kind: Kind, rule_id: str, message: str, header: model.Header, hint: str = "", instead: Sequence[str] = ()
    ) -> None:
        line = make_plain(self.lines[header.line - 1])
        after = line[line.find(":") + 1 :]
        at = len(line) - len(after.lstrip()) if after.strip() else 0
        self._note_problem(kind, rule_id, message, header.line, hint=hint, col=at + 1, instead=instead)

    def _split_sections(self) -> dict[str, list[tuple[int, str]]]:
        sections: dict[str, list[tuple[int, str]]] = {"header": [], "setup": [], "turns": []}
        order = list(sections)
        current = "header"
        lines = enumerate(self.lines, 1)
        for number, line in lines:
            bare = line.strip()
            word = bare.rstrip(":").casefold()
            if word in {"setup", "turns"} and order.index(word) > order.index(current):
                current = word
                self.setup_line = number if word == "setup" else self.setup_line
                if word == "turns":
                    break
                continue
            if bare[:1].isdecimal() and NUMBERED.match(bare):
                message, hint = "The line `Turns` is missing before the turns", "Write `Turns` before the first turn."
                rule_id = "record.header.form" if current == "header" else "record.setup.row"
                self._note_problem(Kind.SYNTAX, rule_id, message, number, hint=hint)
                current = "turns"
            if bare:
                sections[current].append((number, line))
            if current == "turns":
                break
        sections["turns"] += [(number, line) for number, line in lines if line.strip()]
        return sections

    def _read_headers(self, lines: list[tuple[int, str]]) -> None:
        comments: list[str] = []
        firsts: dict[str, int] = {}
        for number, line in lines:
            if model.is_comment(line):
                comments.append(line.rstrip())
                continue
            typed, colon, value = make_plain(line).partition(":")
            name = BY_SMALL_LETTERS.get(typed.strip().casefold(), typed.strip())
            if not colon:
                hint = "Write a header as `Name: value`. The set-up begins with the line `Setup`."
                self._note_problem(Kind.SYNTAX, "record.header.form", "This is not a header", number, hint=hint)
            elif name in KNOWN_HEADERS or name.casefold().startswith("x-"):
                first = firsts.setdefault(name.casefold(), number)
                if first != number and name not in REPEATED and (name in KNOWN_HEADERS or name.casefold() in ONCE):
                    message = f"`{name}` appears twice"
                    hint = f"It is in line {first} too. Leave one out."
                    self._note_problem(Kind.SYNTAX, "record.header.twice", message, number, hint=hint)
                    continue
                self.headers.append(model.Header(name, " ".join(value.split()), tuple(comments), number))
                comments = []
            else:
                self._report_unknown_header(name, number)
            if len(self.problems) > model.MOST_FAULTS:
                message = "There are too many mistakes in the header: the rest of it is not read"
                self._note_problem(Kind.SYNTAX, "record.header.form", message, number)
                break
        self.comments = comments

    def _report_unknown_header(self, name: str, number: int) -> None:
        found = Vocabulary(dict.fromkeys(KNOWN_HEADERS), {}).find(name)
        self.meant |= {found} if isinstance(found, str) else set(found.meant)
        hint = f"Did you mean {found}?" if isinstance(found, str) else found.make_hint()
        hint = f"{hint} Headers of your own begin with `X-`.".lstrip()
        self._note_problem(Kind.NAME, "record.header.unknown", f"There is no header `{name}`", number, hint=hint)

    def _list_headers(self, name: str) -> list[model.Header]:
        return [header for header in self.headers if header.name == name]

    def _note_canonical_value(self, header: model.Header, value: str) -> None:
        if value != header.value:
            self.rewritten[header.line] = value

    def _list_canonical_headers(self) -> tuple[model.Header, ...]:
        values = self.rewritten
        return tuple([evolve(h, value=values[h.line]) if h.line in values else h for h in self.headers])

    def _read_ruleset(self) -> Ruleset | None:
        stated = self._list_headers("Ruleset")
        if not stated:
            if "Ruleset" not in self.meant:
                hint = "Add a line such as `Ruleset: second-edition`."
                self._note_problem(Kind.SYNTAX, "record.header.missing", "The ruleset is missing", 1, hint=hint)
            return None
        code, _, version = stated[0].value.partition(" ")
        try:
            entry = ruleset(code if code.lower() in list_codes() else stated[0].value)
        except UnknownRulesetError as error:
            message, _, hint = str(error).partition(". ")
            message = capitalize_text(message)
            self._note_header_problem(Kind.NAME, "record.ruleset", message, stated[0], hint, error.alike)
            return None
        numbers = {str(number): number for number in (*entry.former, entry.version)}
        if (version or "1") in numbers:
            entry = load_version(entry.code, numbers[version or "1"])
        else:
            named = f"version {entry.version}" if len(numbers) == 1 else f"the versions {list_names(numbers, 'and')}"
            message = f"{code} has {named} in this program, not {version}"
            self._note_header_problem(Kind.NAME, "record.ruleset", message, stated[0])
        self._note_canonical_value(stated[0], entry.stated)
        return entry

    def _read_seats(self, entry: Ruleset | None) -> tuple[model.Seat, ...]:
        """Read the seats; () if it isn't clear who sits where."""
        seats: list[model.Seat] = []
        clear = True
        words = tuple(find_turn_reader(entry.game()).cards.names) if entry else ()
        for header in self._list_headers("Seat"):
            match = SEAT.match(header.value)
            name = match["name"] if match else header.value
            seat = model.Seat(name, (match["address"] or "") if match else "")
            for rule_id, message, hint in model.find_name_faults(name, [s.name for s in seats[:MOST_COMPARED]], words):
                self._note_header_problem(Kind.NAME, rule_id, message, header, hint)
                clear = clear and bool(name) and rule_id != "record.seat.unique"
            if match is None:  # a `<` or `>` too many or too few: the rest of the file speaks of who stands before it
                seat = model.Seat(name.partition("<")[0].strip() or name)
                clear = clear and seat.name not in [each.name for each in seats[:MOST_COMPARED]]
            seats.append(seat)
            self._note_canonical_value(header, str(seat))
        allowed = entry.game().parties if entry else {len(seats): ()}
        hint = "Name each player once; in a file, with a line `Seat: NAME`."
        if not seats and "Seat" not in self.meant:
            self._note_problem(Kind.SYNTAX, "record.header.missing", "The seats are missing", 1, hint=hint)
        elif len(seats) not in allowed and "Seat" not in self.meant:
            message = f"{count_noun(len(seats), 'seat')}; the game is for {list_names(map(str, allowed))} players"
            self._note_problem(Kind.SYNTAX, "record.seats", message, self._list_headers("Seat")[-1].line, hint=hint)
        return tuple(seats) if clear and len(seats) in allowed else ()

    def _check_programs(self, names: Sequence[str]) -> None:
        for header, fault in model.find_bot_faults(self.headers, names):
            form = f"`{header.name}: {names[-1]} search 1000`"
            hint = (
                f"Write {form}: a player, how the program plays, and a number of positions from 1 to {model.ENOUGH:,}."
            )
            self._note_header_problem(Kind.NAME, "record.bot.form", fault, header, hint)

    def _read_readings(self, entry: Ruleset) -> dict[str, str]:
        chosen: dict[str, str] = {}
        for header in self._list_headers("Ruling"):
            ruling, _, option = header.value.casefold().partition(" ")
            if ruling not in entry.switches:
                few = len(self.problems) < model.MOST_FAULTS
                alike = get_close_matches(ruling, entry.switches, n=1, cutoff=ALIKE) if few else []
                meant = f"Did you mean {alike[0]}? " if alike else ""
                hint = f"{meant}You can choose {list_names(entry.switches, 'and')}." if entry.switches else NO_SWITCHES
                message = f"`{ruling}` is not a ruling that you can choose"
                self._note_header_problem(Kind.NAME, "record.ruling", message, header, hint)
            elif option not in rule(ruling).options:
                message = f"`{option}` is not an option of {ruling}" if option else f"The option of {ruling} is missing"
                hint = f"The options are {list_names(rule(ruling).options, 'and')}."
                self._note_header_problem(Kind.NAME, "record.ruling", message, header, hint)
            elif ruling in chosen:
                self._note_header_problem(Kind.SYNTAX, "record.ruling", f"{ruling} is chosen already", header)
            else:
                chosen[ruling] = option
                self._note_canonical_value(header, f"{ruling} {option}")
        return chosen

    def _read_start(
        self, head: Record, sections: Mapping[str, list[tuple[int, str]]]
    ) -> tuple[dict[str, Any], dict[str, model.Comments]]:
        stated = self._list_headers("Position")
        if stated and self.setup_line:
            message, hint = "There is a set-up here, but the header has a position", "Leave one of them out."
            self._note_problem(Kind.SYNTAX, "record.header.missing", message, self.setup_line, hint=hint)
            return {}, {}
        if stated:
            position = self._read_position(head, stated[0])
            return ({"position": position} if position else {}), {model.BEFORE_TURNS: tuple(self.comments)}
        if not self.setup_line:
            if "Position" not in self.meant:
                message = "The set-up after the header is missing"
                hint = "It begins with the line `Setup`. Or give a `Position:` in the header."
                self._note_problem(Kind.SYNTAX, "record.header.missing", message, self.headers[-1].line, hint=hint)
            return {}, {}
        setup = find_record_plugin(head.game).setup_reader(head.game, head.names, self.lines)
        deal = setup.read(sections["setup"], self.comments, self.setup_line)
        self.problems += setup.problems
        return ({"deal": deal, "places": setup.places} if deal else {}), setup.comments

    def _read_position(self, head: Record, header: model.Header) -> Position | None:
        line = make_plain(self.lines[header.line - 1])
        offset = line.find(":") + 1
        try:
            game, position = read_position(line[offset:])
        except PositionError as error:
            self.problems += [problem.move_to(line=header.line, col=offset) for problem in error.problems]
            return None
        if game.code != head.ruleset.code:
            message = f"The position is for {game.code}, but the game file is for {head.ruleset.code}"
            self._note_header_problem(Kind.SYNTAX, "record.ruleset", message, header)
            return None
        if len(position.seats) != len(head.seats):
            message = f"The position has {len(position.seats)} seats, but the game file has {len(head.seats)}"
            self._note_header_problem(Kind.SYNTAX, "record.seats", message, header)
            return None
        if wrong := find_contradiction(head.game, position, line[offset:]):
            self.problems.append(wrong.move_to(line=header.line, col=offset))
        self._note_canonical_value(header, write_position(game, position))
        return position
