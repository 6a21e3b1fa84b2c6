"""A draw: a deal that players make together without a host, by commitments and nonces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import ClassVar, Generic, TypeVar

from attrs import evolve, field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import list_names
from tkid.notation.text import fold_name, make_plain
from tkid.record.format import model
from tkid.record.format.model import CONTROL, DEAL, DRAW, Header, Record, find_foreign, is_comment, split_lines
from tkid.record.format.new_game import new_record
from tkid.record.format.reader import LABEL, read_record_head, sort_headers
from tkid.record.format.seal import BYTES, COMMITMENT_HEADER, NONCE_HEADER, find_seal
from tkid.rulebook import cites

T = TypeVar("T")
TERMS = ("Ruleset", "Game", "Seat", "Ruling")
"""The headers that say what is dealt."""


FORMAT = "1"
FIRST = f"Tkid-Draw: {FORMAT}"
COMMITMENTS, NONCES = "Commitments", "Nonces"
Digits = tuple[str, ...]
"""64 hex digits for each seat, "" for one that has none."""


@frozen
class Draw:
    """A draw as far as it has come. `head` is a record that has nothing but its header."""

    head: Record
    commitments: Digits
    nonces: Digits

    @property
    def names(self) -> tuple[str, ...]:
        return self.head.names

    @property
    def committed(self) -> bool:
        return all(self.commitments)

    @property
    def complete(self) -> bool:
        return self.committed and all(self.nonces)

    def list_missing(self) -> list[str]:
        due = self.nonces if self.committed else self.commitments
        return [name for name, digits in zip(self.names, due, strict=True) if not digits]


@frozen
class Flaw:
    """A fault of a draw or deal; its place is row `at` of a section, or with "" of the header."""

    section: str
    at: int
    rule: str
    message: str
    hint: str


def write_terms(head: Record) -> tuple[str, ...]:
    """Write the header of a draw as lines; rulings in the order of their names."""
    headers = [header for header in sort_headers(head) if header.name in TERMS]
    rulings = sorted(f"Ruling: {header.value}" for header in headers if header.name == "Ruling")
    return (FIRST, *(f"{h.name}: {h.value}" for h in headers if h.name != "Ruling"), *rulings)


def compute_commitment(head: Record, seat: int, nonce: str) -> str:
    return _compute_digest(head, [(head.names[seat], nonce)])


@cites("record.draw")
def compute_draw_entropy(draw: Draw) -> bytes:
    return bytes.fromhex(_compute_digest(draw.head, zip(draw.names, draw.nonces, strict=True)))


def _compute_digest(head: Record, nonces: Iterable[tuple[str, str]]) -> str:
    """Compute the SHA-256 of a header, an empty line, the line `Nonces`, and lines of a name and a nonce."""
    lines = [*write_terms(head), "", NONCES, *(f"{name} {nonce}" for name, nonce in nonces)]
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def write_draw(draw: Draw) -> str:
    lines = [*write_terms(draw.head), "", COMMITMENTS, *_write_rows(draw.names, draw.commitments)]
    lines += ["", NONCES, *_write_rows(draw.names, draw.nonces)] if any(draw.nonces) else []
    return "".join(f"{line}\n" for line in lines)


def _write_rows(names: tuple[str, ...], values: Digits) -> Iterator[str]:
    return (f"{name:<{LABEL}} {digits}" for name, digits in zip(names, values, strict=True) if digits)


def add_commitment(draw: Draw, seat: int, nonce: str) -> Draw:
    return evolve(draw, commitments=replace_value(draw.commitments, seat, compute_commitment(draw.head, seat, nonce)))


def add_nonce(draw: Draw, seat: int, nonce: str) -> Draw:
    """Add the nonce of a seat, unless commitments are missing."""
    return evolve(draw, nonces=replace_value(draw.nonces, seat, nonce)) if draw.committed else draw


def replace_value(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def find_draw_faults(draw: Draw) -> Iterator[Flaw]:
    for seat, (name, digits) in enumerate(zip(draw.names, draw.commitments, strict=True)):
        first = draw.commitments.index(digits)
        if digits and first < seat:
            message = f"{name}'s commitment is the same as {draw.names[first]}'s. One of them repeated the other's"
            yield Flaw(COMMITMENTS, seat, "record.draw.commitment", message, "Ask both, and start a new draw.")
    for seat, (name, digits) in enumerate(zip(draw.names, draw.nonces, strict=True)):
        if digits and not draw.committed:
            without = [other for other, made in zip(draw.names, draw.commitments, strict=True) if not made]
            message = f"{name}'s nonce is here too early: there is no commitment yet of {list_names(without, 'and')}"
            hint = "A player who knows a nonce before committing can choose the deal. Start a new draw."
            yield Flaw(NONCES, seat, "record.draw.order", message, hint)
        elif digits and compute_commitment(draw.head, seat, digits) != draw.commitments[seat]:
            message = f"{name}'s nonce does not fit {name}'s commitment"
            hint = "A digit was changed on the way, or the nonce was chosen later. Ask for it again."
            yield Flaw(NONCES, seat, "record.draw.nonce", message, hint)


def merge_draws(mine: Draw, theirs: Draw, me: int) -> tuple[Draw, list[Flaw]]:
    """Add to my draw what another's has more. If the other's is wrong, return mine unchanged and the flaws."""
    own, its = write_terms(mine.head), write_terms(theirs.head)
    if own != its:
        return mine, [report_other_game(own, its, "draw", "record.draw.game")]
    wrong = list(find_draw_faults(theirs))
    for seat, (ours, other) in enumerate(zip(mine.commitments, theirs.commitments, strict=True)):
        name = mine.names[seat]
        if other and ours and other != ours:
            message = f"{name}'s commitment was different before: {ours}"
            hint = "A commitment never changes. Ask all players which one they got, and start a new draw."
            wrong.append(Flaw(COMMITMENTS, seat, "record.draw.commitment", message, hint))
        elif other and not ours and seat == me:
            message = f"There is a commitment here for {name}, who has not made one"
            hint = "Ask who wrote it, and start a new draw."
            wrong.append(Flaw(COMMITMENTS, seat, "record.draw.commitment", message, hint))
    if wrong:
        return mine, wrong
    commitments, nonces = _merge_digits(mine.commitments, theirs.commitments), _merge_digits(mine.nonces, theirs.nonces)
    return evolve(mine, commitments=commitments, nonces=nonces), []


def report_other_game(own: Sequence[str], its: Sequence[str], what: str, rule: str) -> Flaw:
    """Report the first lines in which the headers of two texts of a kind, `what`, differ."""
    pairs = enumerate(zip_longest(own, its))
    at, lines = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
    mine, theirs = (f"`{line}`" if line else "nothing" for line in lines)
    message = f"This {what} is for another game: it has {theirs}, and yours {mine}"
    return Flaw("", at, rule, message, f"Agree on one of them. The others start a new {what}.")


def _merge_digits(mine: Digits, theirs: Digits) -> Digits:
    return tuple(own or other for own, other in zip(mine, theirs, strict=True))


def deal_terms(head: Record, entropy: bytes) -> Record:
    """Deal a record with the terms of a header. Raises NewGameError."""
    lines = [line.partition(": ") for line in write_terms(head)]
    code, title, seats, rulings = ([value for name, _, value in lines if name == term] for term in TERMS)
    return new_record(code[0].partition(" ")[0], seats, entropy, title="".join(title), rulings=rulings)


def make_draw_record(draw: Draw) -> Record:
    """Deal the record of a complete draw: byte for byte the same for everybody. Raises NewGameError."""
    record = deal_terms(draw.head, compute_draw_entropy(draw))
    headers = list[Header]()
    for header, digits in ((COMMITMENT_HEADER, draw.commitments), (NONCE_HEADER, draw.nonces)):
        headers += [Header(header, f"{name} {each}") for name, each in zip(draw.names, digits, strict=True)]
    return evolve(record, headers=(*record.headers, *headers))


def find_draw(record: Record) -> Draw | None:
    """Return the draw that a record keeps; None if it keeps none."""
    kept: dict[str, dict[str, str]] = {COMMITMENT_HEADER.casefold(): {}, NONCE_HEADER.casefold(): {}}
    for header in record.headers:
        if header.name.casefold() in kept:
            name, _, digits = header.value.rpartition(" ")
            kept[header.name.casefold()].setdefault(name, digits.lower())
    if not any(kept.values()):
        return None
    made, sent = (tuple(each.get(name, "") for name in record.names) for each in kept.values())
    return Draw(record, made, sent)


def check_draw(record: Record) -> list[Problem]:
    """Return the problems with the draw that a record keeps; none if it keeps no draw."""
    draw = find_draw(record)
    if draw is None:
        return []
    line = next((h.line for h in record.headers if h.name.casefold() == NONCE_HEADER.casefold()), 0) or 1
    if draw.complete and (flaws := list(find_draw_faults(draw))):
        return [Problem(Kind.INTEGRITY, flaw.rule, flaw.message, line, hint=flaw.hint) for flaw in flaws]
    message = _explain_contradiction(record, draw)
    hint = "Compare the file with the draw, or deal it again from the draw."
    return [Problem(Kind.INTEGRITY, "record.draw.entropy", message, line, hint=hint)] if message else []


def _explain_contradiction(record: Record, draw: Draw) -> str:
    """Return the reason why a record doesn't follow from its draw; "" if it does."""
    if not draw.complete:
        parts = zip(draw.names, draw.commitments, draw.nonces, strict=True)
        lacking = (name for name, made, sent in parts if not (made and sent))
        return f"The draw has no nonce of {list_names(lacking, 'and')}"
    stated, value = find_seal(record), compute_draw_entropy(draw)
    if stated is None or stated.entropy != value or any(stated.words):
        return f"The nonces make the entropy {value.hex()[:8]}…, but this file has another, or none"
    dealt = record.game.deal(len(record.names), value)
    return "" if record.deal == dealt else "The set-up does not follow from the nonces"


HEX = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")
SECTIONS = {name.casefold(): name for name in (COMMITMENTS, NONCES)}


@frozen
class ReadText(Generic[T]):
    """A text that was read: its content, None with problems; the lines of its rows by section ("" for the header) and number from 0."""

    content: T | None
    problems: tuple[Problem, ...] = ()
    places: Mapping[tuple[str, int], int] = field(factory=dict)
    lines: Sequence[str] = ()

    def make_problems(self, flaws: Iterable[Flaw]) -> tuple[Problem, ...]:
        return tuple(map(self._make_problem, flaws))

    def _make_problem(self, flaw: Flaw) -> Problem:
        line = self.places.get((flaw.section, flaw.at), 1)
        length = max(1, len(self.lines[line - 1].rstrip()))
        return Problem(Kind.INTEGRITY, flaw.rule, flaw.message, line, 1, length, flaw.hint)


class TextReader(Generic[T]):
    """Reads the lines of a text with which a game is dealt: a record's header, but for its `first` line, and sections.

    `what` is the kind of text, with at most `most_bytes` bytes, and `form` is the rule of its form.
    """

    what: ClassVar[str]
    first: ClassVar[str]
    form: ClassVar[str]
    most_bytes: ClassVar[int]

    def __init__(self, data: bytes) -> None:
        self.problems: list[Problem] = []
        self.places: dict[tuple[str, int], int] = {}
        self.lines = self._split_lines(data)
        self.begin = 0 if self.problems else self._find_first_line()
        """The number of the first line that is written, if it is the right one."""

    def note_problem(self, line: int, message: str, hint: str = "", rule: str = "", kind: Kind = Kind.SYNTAX) -> None:
        length = max(1, len(self.lines[line - 1].rstrip()))
        self.problems.append(Problem(kind, rule or self.form, message, line, 1, length, hint))

    def read(self) -> ReadText[T]:
        content = None if self.problems else self._read_content()
        problems = tuple(sorted(self.problems, key=lambda problem: problem.line))
        return ReadText(None if problems else content, problems, self.places, self.lines)

    def _read_content(self) -> T | None:
        """Return the content; None, and note the problems, if there are any."""
        raise NotImplementedError

    def _reject(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(Problem(Kind.SYNTAX, self.form, message, line, 1, 1, hint))

    def _split_lines(self, data: bytes) -> list[str]:
        foreign = find_foreign(data)
        if foreign is not None and foreign not in {DEAL, DRAW}:
            self._reject(1, f"This is {foreign.what}, not a {self.what}", foreign.hint)
            return []
        if len(data) > self.most_bytes:
            self._reject(1, f"The text has {len(data)} bytes. A {self.what} has at most {self.most_bytes}")
            return []
        try:
            lines = split_lines(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            self._reject(data.count(b"\n", 0, error.start) + 1, "This is not UTF-8")
            return []
        if strange := CONTROL.search("\n".join(lines)):
            line = strange.string.count("\n", 0, strange.start()) + 1
            self._reject(line, f"There is a control character here (0x{ord(strange[0]):02x})")
        return lines

    def _find_first_line(self) -> int:
        written = ((n, line) for n, line in enumerate(self.lines, 1) if line.strip() and not is_comment(line))
        number, line = next(written, (1, ""))
        if "".join(make_plain(line).split()).casefold() != "".join(self.first.split()).casefold():
            message = f"This is not a {self.what}" if line else "The text is empty"
            self._reject(number, message, f"The first line has to be `{self.first}`.")
        return number

    def read_terms(self, end: int) -> Record | None:
        """Read the header, up to a line, as a record with nothing else."""
        text = [line.rstrip() for line in self.lines[:end]]
        text[self.begin - 1] = f"Tkid-Record: {model.FORMAT}"
        read = read_record_head("\n".join(text))
        self.problems += read.problems
        headers = read.record.headers if read.record else ()
        for header in headers:
            if header.name not in {*TERMS, "Tkid-Record"}:
                message = f"`{header.name}` is not a header of a {self.what}"
                self.note_problem(header.line, message, f"Its headers may be {list_names(TERMS, 'and')}.")
        if read.record is None or self.problems:
            return None
        ordered = [header for header in headers if header.name in TERMS]
        ordered.sort(key=lambda header: (TERMS.index(header.name), header.value if header.name == "Ruling" else ""))
        self.places |= {("", at): line for at, line in enumerate((self.begin, *(each.line for each in ordered)))}
        return read.record


def read_draw(data: bytes) -> ReadText[Draw]:
    """Read a draw, whose sections have their rows by seat."""
    read = _Reader(data).read()
    flaws = read.make_problems(find_draw_faults(read.content)) if read.content else ()
    return evolve(read, content=None, problems=flaws) if flaws else read


class _Reader(TextReader[Draw]):
    what, first, form, most_bytes = "draw", FIRST, "record.draw.form", 64 << 10

    def _read_content(self) -> Draw | None:
        sections: dict[str, list[tuple[int, str]]] = {"": [], COMMITMENTS: [], NONCES: []}
        current = ""
        for number, line in enumerate(self.lines[self.begin :], self.begin + 1):
            if not line.strip() or is_comment(line):
                continue
            name = SECTIONS.get(line.strip().rstrip(":").casefold())
            if name:
                current = name
            else:
                sections[current].append((number, line))
        header = sections.pop("")
        head = self.read_terms(header[-1][0] if header else self.begin)
        if head is None:
            return None
        if head.game.secret:
            message = f"{head.ruleset.title} has secret hands, and anybody with all nonces knows every hand"
            hint = "Deal it as a locked deal: `tkid letter new FILE.deal` with the same options. Nobody then knows another hand."
            self.note_problem(self.places["", 1], message, hint, "record.draw.secret", Kind.ILLEGAL)
            return None
        values = {section: [""] * len(head.names) for section in sections}
        for section, rows in sections.items():
            for number, line in rows:
                self._read_row(head, section, values[section], number, make_plain(line).strip())
        made, sent = map(tuple, values.values())
        return Draw(head, made, sent)

    def _read_row(self, head: Record, section: str, values: list[str], number: int, line: str) -> None:
        typed, _, digits = line.rpartition(" ")
        name, digits = fold_name(" ".join(typed.split())), digits.lower()
        seat = next((seat for seat, known in enumerate(head.names) if fold_name(known) == name), None)
        what = {COMMITMENTS: "commitment", NONCES: "nonce"}[section]
        if seat is None:
            message = f"`{typed.strip() or line}` is not a player in this game"
            hint = f"The players are {list_names(head.names, 'and')}."
        elif not HEX.fullmatch(digits):
            message = f"This is not a {what}: it has {len(digits)} characters instead of {2 * BYTES} hex digits"
            hint = "Perhaps the line was cut or broken on its way. Ask for it again."
        elif (section, seat) in self.places:
            message = f"{head.names[seat]}'s {what} appears twice"
            hint = f"It is in line {self.places[section, seat]} too. Leave one out."
        else:
            self.places[section, seat], values[seat] = number, digits
            return
        self.note_problem(number, message, hint)
