"""Read the turns of a record line by line, with the comments and `--` lines between them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import evolve

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind, Problem
from tkid.notation.plugin import ReadTurn, find_turn_reader
from tkid.notation.text import fold_name, make_plain
from tkid.record.format.model import Outcome, Seat, Turn, is_comment, suggest_player

HASH = re.compile(r"\s#([0-9a-f]{6})\s*$", re.IGNORECASE)
CUT_HASH = re.compile(r"(?P<space>\s*)#(?P<digits>[^\s#]*)\s*$")
"""What stands where a hash belongs, and may be a part of one."""
DIGITS = 6
"""Digits of a hash."""
COPY_AGAIN = "Copy the whole line again, or remove the hash: `tkid fmt` writes it."
NUMBERED = re.compile(r"\s*(\d+)\s*\.\s*")
CANONICAL = re.compile(r"(\d+)\. ([^{}#]*[^{}# ])((?: \{[^{}]*\})*) #([0-9a-f]{6})")
"""A turn line as the program writes it: number, player with turn, comments, hash."""
UNHASHED = re.compile(r"(\d+)\. ([^{}#]*[^{}# ])()()")
"""The same without comments and hash, as other programs write it."""
NOTE = re.compile(r"\{([^{}]*)\}")
DASHES = re.compile(r"\s*(?:[-\u2010-\u2015\u2212]{2,}|[\u2013-\u2015])\s*")
"""The beginning of a line about what followed: `--`, which phones turn into one long dash."""
BRACES = {
    "{": "This comment is not closed, or another one begins inside it",
    "}": "This brace does not close a comment",
}
MOST_PROBLEMS = 20
"""Problems of one line that are kept: a line made of nothing else would have thousands."""
UNREAD = ReadTurn((), ())
"""A stand-in for the turn on a line that was not understood."""
Notes = tuple[tuple[str, ...], tuple[int, ...]]
"""The inline comments of a line, and their columns from 0."""
NO_NOTES: Notes = ((), ())


def describe_cut_hash(cut: re.Match[str]) -> str:
    digits = cut["digits"]
    wrong = next((sign for sign in digits if sign not in "0123456789abcdefABCDEF"), "")
    if wrong:
        return f"`#{digits}` is not a hash: a hash has {DIGITS} digits from 0 to 9 and a to f, but this has `{wrong}`"
    if len(digits) == DIGITS:
        return f"A space is missing before the hash #{digits}"
    if len(digits) > DIGITS:
        return f"The hash #{digits} is too long: it has {len(digits)} digits instead of {DIGITS}"
    return f"The hash #{digits} is incomplete: it has {len(digits)} of {DIGITS} digits"


class TurnRows:
    """Reads the lines of the turns in order. A line that is not understood leaves a turn without any move."""

    def __init__(self, game: AnyGame, seats: tuple[Seat, ...], problems: list[Problem]) -> None:
        self.seats = seats
        self.problems = problems
        self.comments: list[str] = []
        self.comment_lines: list[int] = []
        """The numbers of all comment lines."""
        self._read = find_turn_reader(game, tuple(seat.name for seat in seats)).read_turn
        self._turns: list[Turn] = []
        self._outcomes: dict[int, list[Outcome]] = {}
        self._number = 0
        self._uncounted = 0
        """Lines without a number since the last with one: each of them may have been a turn, or nothing."""
        self._resumes = 0
        """The number of the next line, if only that of the last one was wrong."""
        self._stated: list[tuple[int, int]] = []
        """The number that each turn states, and its line."""
        self._wrong: list[Problem] = []
        """The problems with these numbers."""
        named = ((f"{seat.name} ", index) for index, seat in enumerate(seats))
        self._longest_first = sorted(named, key=lambda each: -len(each[0]))
        self._names = {fold_name(seat.name): index for index, seat in enumerate(seats)}
        self._most_words = max(len(seat.name.split()) for seat in seats)
        self._strangers: set[str] = set()
        """Names that no player has, and that were reported."""

    def finish_turns(self) -> tuple[Turn, ...]:
        if self._wrong and len(self._stated) == len(self._turns):
            self._report_disorder()
        for index, outcomes in self._outcomes.items():
            self._turns[index] = evolve(self._turns[index], outcomes=tuple(outcomes))
        return tuple(self._turns)

    def read_line(self, number: int, line: str) -> None:
        canonical = CANONICAL.fullmatch(line)
        if canonical and self._read_written(number, canonical):
            return
        if begins := DASHES.match(line):
            self._read_outcome(number, line, begins.end())
        elif is_comment(line):
            self.comments.append(line.rstrip())
            self.comment_lines.append(number)
        else:
            self._read_turn(number, line)

    def _read_written(self, number: int, line: re.Match[str]) -> bool:
        """Read a turn line in canonical form; False if it doesn't name a player in this form."""
        stated, played, comments, chain_hash = line.groups()
        for name, seat in self._longest_first:
            if played.startswith(name):
                self._count(int(stated), number)
                begin = line.start(2)
                at = begin + len(name)
                notes = _find_notes(line.string, line.start(3)) if comments else NO_NOTES
                self._add(number, seat, (begin, at, line.start(4) - 1), played[len(name) :], chain_hash, notes)
                return True
        return False

    def _read_outcome(self, number: int, line: str, begin: int) -> None:
        text = " ".join(make_plain(line[begin:]).split())
        outcome = Outcome(text, tuple(self.comments), number)
        self.comments.clear()
        if self._turns:
            self._outcomes.setdefault(len(self._turns) - 1, []).append(outcome)
        else:
            message = "There is no turn yet that this could follow from"
            self.problems.append(Problem(Kind.INTEGRITY, "record.outcome", message, number, 1, len(line)))

    def _read_turn(self, number: int, line: str) -> None:
        numbered = NUMBERED.match(line)
        if numbered is None:
            hint = "A turn line is `1. NAME TURN`. Comments begin with `# `, lines about what followed with `--`."
            message = "This is not a turn line"
            if not may_be_turn(line, self._names):
                message = "This text is no part of the game"
                hint = "Remove it, or begin it with `# ` to make it a comment."
            self.problems.append(Problem(Kind.SYNTAX, "record.turn.form", message, number, 1, len(line), hint))
            self._uncounted += 1
            self._add_unread(number)
            return
        self._count(int(numbered[1]), number)
        notes = _find_notes(line)
        text = make_plain(NOTE.sub(lambda note: " " * len(note[0]), line))
        brace = next((at for at, character in enumerate(text) if character in BRACES), None)
        if brace is not None:
            hint = "Write an inline comment `{like this}`, all on one line."
            message = BRACES[text[brace]]
            self.problems.append(Problem(Kind.SYNTAX, "record.turn.comment", message, number, brace + 1, 1, hint))
            self._add_unread(number)
            return
        hashed = HASH.search(text, numbered.end())
        cut = None if hashed else CUT_HASH.search(text, numbered.end())
        if cut is not None:
            at, length = cut.start("digits") - 1, len(cut["digits"]) + 1
            message = describe_cut_hash(cut)
            problem = Problem(Kind.INTEGRITY, "record.turn.hash", message, number, at + 1, length, COPY_AGAIN)
            self.problems.append(problem)
        end = hashed.start() if hashed else cut.start() if cut else len(line)
        begin = numbered.end() + len(text[numbered.end() : end]) - len(text[numbered.end() : end].lstrip())
        seat, at = self._find_seat(text[:end], begin, number)
        if seat is None:
            self._add_unread(number)
            return
        places = (begin, at, hashed.start(1) - 1 if hashed else 0)
        self._add(number, seat, places, text[at:end].rstrip(), hashed[1].lower() if hashed else "", notes)

    def _add(  # noqa: PLR0917 - where, who and what
        self, number: int, seat: int, places: tuple[int, int, int], text: str, chain_hash: str, notes: Notes
    ) -> None:
        (name_at, at, hash_at), (texts, cols) = places, notes
        read = self._read(text)
        if read.problems:
            self.problems += [problem.move_to(line=number, col=at) for problem in read.problems[:MOST_PROBLEMS]]
        comments = tuple(self.comments)
        turn = Turn(self._number, seat, read, chain_hash, texts, (), comments, number, at, name_at, hash_at, cols)
        self.comments.clear()
        self._turns.append(turn)

    def _add_unread(self, number: int) -> None:
        """Keep the place of a turn that was not understood, so that later ones are known to come after a gap."""
        seat = (self._turns[-1].seat + 1) % len(self.seats) if self._turns else 0
        self._turns.append(Turn(self._number, seat, UNREAD, line=number))

    def _count(self, stated: int, line: int) -> None:
        expected, resumed, self._resumes = self._number + 1, stated == self._resumes > 0, 0
        if not resumed and not expected <= stated <= expected + self._uncounted:
            self._resumes = expected + 1
            message = f"This is turn {expected}, not {stated}"
            hint = "A line may be missing before it." if stated > expected else "A line may be here twice."
            length = len(str(stated))
            self._wrong.append(Problem(Kind.INTEGRITY, "record.turn.number", message, line, 1, length, hint))
            self.problems.append(self._wrong[-1])
        self._number, self._uncounted = stated, 0
        self._stated.append((stated, line))

    def _report_disorder(self) -> None:
        """Report one disorder in place of each wrong number, if no turn is missing or doubled."""
        moved = [(stated, line, at) for at, (stated, line) in enumerate(self._stated, 1) if stated != at]
        if sorted(stated for stated, _ in self._stated) != [*range(1, len(self._stated) + 1)]:
            return
        stated, line, expected = moved[0]
        swapped = len(moved) == 2
        message = f"Turn {stated} stands before turn {expected}{': these two are swapped' if swapped else ''}"
        hint = "Put the turns in the order of their numbers, each with the lines that begin with `--` below it."
        wrong = {id(problem) for problem in self._wrong}
        self.problems[:] = [problem for problem in self.problems if id(problem) not in wrong]
        self.problems.append(Problem(Kind.INTEGRITY, "record.turn.number", message, line, 1, len(str(stated)), hint))

    def _find_seat(self, text: str, at: int, number: int) -> tuple[int | None, int]:
        ends = [match.end() for match in re.finditer(r"\S+", text[at:])][: self._most_words]
        for end in reversed(ends):
            seat = self._names.get(" ".join(fold_name(text[at : at + end]).split()))
            if seat is not None:
                return seat, at + end + 1
        word = text[at : at + ends[0]] if ends else ""
        if word.isdecimal() and 1 <= int(word) <= len(self.seats):
            return int(word) - 1, at + len(word) + 1
        message = f"`{word}` is not a player in this game" if word else "The player and the turn are missing"
        if word in self._strangers:  # a seat was renamed: once is enough
            return None, at
        self._strangers.update({word} - {""})
        hint = suggest_player(word, [seat.name for seat in self.seats])
        length = max(1, len(word))
        self.problems.append(Problem(Kind.NAME, "record.turn.player", message, number, at + 1, length, hint))
        return None, at


def may_be_turn(line: str, names: Iterable[str]) -> bool:
    """Return True if a line may be a turn, or a rest of one: it begins with a number, or with all or part of a player's name."""
    begun = fold_name(line.strip())
    first = begun.partition(" ")[0]
    known = (fold_name(name) for name in names)
    return not begun[:1].isalpha() or any(
        name.startswith(begun) or begun.startswith(name) or first in name.split() for name in known
    )


def _find_notes(line: str, begin: int = 0) -> Notes:
    found = [*NOTE.finditer(line, begin)]
    return tuple([" ".join(note[1].split()) for note in found]), tuple([note.start() for note in found])
