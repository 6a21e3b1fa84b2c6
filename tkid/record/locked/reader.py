"""Reading the text of a locked deal: its header and its lines, or the problems with their places.

Here it is only read. Whether locks and proofs are right is asked when it is merged (see `merge`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import folded, plain
from tkid.notation.vocabulary import listed
from tkid.record.fairplay.draw import Flaw
from tkid.record.fairplay.terms import begins_with, read_terms, text_lines
from tkid.record.format.model import Record
from tkid.record.locked import group
from tkid.record.locked.deal import FIRST, LockedDeal, begin
from tkid.record.locked.group import SIZE, InvalidError
from tkid.record.locked.shuffle import CHALLENGE, ROUNDS, Key, Proof
from tkid.record.locked.text import CHECK, DECK, KEYS, LETTERS, NONCES, PROOF, SEEDS, UNLOCKS, check
from tkid.record.locked.unlock import Unlock

MOST_BYTES = 256 << 10
FORM, WHOLE = "record.deal.form", "record.deal.whole"
AGAIN = "Ask for the file again, as an attachment."
CHECKED = re.compile(rf"(?P<text>\S.*?)\s+#(?P<check>[0-9a-fA-F]{{{CHECK}}})")
HEADING = re.compile(r"(?:(keys|nonces|unlocks|seeds)|(deck|proof)\s+(\S.*?))\s*:?", re.IGNORECASE)
QUOTED = re.compile(r"^(?:> ?)+")
BROKEN_IN = 4
"""A line that was broken on its way has at most so many parts."""
COLUMNS = {KEYS: 3, NONCES: 1, SEEDS: 1, UNLOCKS: 4}
"""How many columns stand behind a name."""
Row = tuple[str, ...]


@frozen
class ReadDeal:
    """What came of reading: the deal, None where there are problems; and the problems.

    `places` tells where a row of a section is: by heading and number from 0; with the heading "" those of the header.
    """

    deal: LockedDeal | None
    problems: tuple[Problem, ...]
    places: Mapping[tuple[str, int], int] = field(factory=dict)
    lines: Sequence[str] = ()

    def placed(self, flaws: Iterable[Flaw]) -> tuple[Problem, ...]:
        """What is wrong with lines, as problems at their places."""
        return tuple(map(self._placed, flaws))

    def _placed(self, flaw: Flaw) -> Problem:
        line = self.places.get((flaw.section, flaw.at), 1)
        length = max(1, len(self.lines[line - 1].rstrip()))
        return Problem(Kind.INTEGRITY, flaw.rule, flaw.message, line, 1, length, flaw.hint)


def read_deal(data: bytes) -> ReadDeal:
    """Read the text of a deal."""
    lines, problems = text_lines(data, MOST_BYTES, FORM, "deal")
    return ReadDeal(None, problems) if problems else _Reader(lines).read()


class _RowError(ValueError):
    """A row that cannot be read: the message, the way out, and the rule."""

    def __init__(
        self, message: str, hint: str = "It was changed on its way. Ask for it again.", rule: str = FORM
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.rule = message, hint, rule


class _Reader:
    """Reads the lines of one deal."""

    def __init__(self, lines: list[str]) -> None:
        quoted = all(line.startswith(">") for line in lines if line.strip())
        self.lines = [QUOTED.sub("", line) for line in lines] if quoted else lines
        self.problems: list[Problem] = []
        self.places: dict[tuple[str, int], int] = {}

    def read(self) -> ReadDeal:
        """Read everything."""
        first, problem = begins_with(self.lines, FIRST, FORM, "deal")
        if problem:
            return self._failed(problem)
        titles = [number for number, line in enumerate(self.lines, 1) if HEADING.fullmatch(plain(line).strip())]
        end = titles[0] if titles else len(self.lines) + 1
        terms = read_terms(self.lines[: end - 1], first, "deal", FORM)
        head = terms.head
        if head is None:
            return self._failed(*terms.problems)
        self.places |= {("", at): line for at, line in enumerate(terms.lines)}
        if not head.game.secret:
            hint = "Its deal is a draw: `tkid letter new FILE.draw` makes it."
            message = f"{head.ruleset.title} has no secret hands"
            return self._failed(Problem(Kind.ILLEGAL, "record.deal", message, 1, 1, 1, hint))
        deal = begin(head)
        sections = dict(self._sections(head, deal.terms, titles))
        if len(titles) > 1 and [p.rule for p in self.problems] == [WHOLE] * len(titles):
            message = "No line of this deal fits its header, so the header was changed"
            return ReadDeal(None, (Problem(Kind.SYNTAX, WHOLE, message, first, 1, 1, AGAIN),))
        if self.problems:
            return self._failed()
        deal = self._deal(deal, sections)
        return self._failed() if self.problems else ReadDeal(deal, (), self.places, self.lines)

    def _failed(self, *problems: Problem) -> ReadDeal:
        found = tuple(sorted((*problems, *self.problems), key=lambda problem: problem.line))
        return ReadDeal(None, found, self.places, self.lines)

    def _wrong(self, line: int, message: str, hint: str = "", rule: str = FORM) -> None:
        length = max(1, len(self.lines[line - 1].rstrip()))
        self.problems.append(Problem(Kind.SYNTAX, rule, message, line, 1, length, hint))

    # -- rows ---------------------------------------------------------------------------------------------

    def _sections(self, head: Record, terms: bytes, titles: list[int]) -> Iterator[tuple[str, list[Row]]]:
        """The headings as they are written, each with its rows, whose checks fit."""
        names = {folded(name): name for name in head.names}
        seen: set[str] = set()
        for number, end in pairwise([*titles, len(self.lines) + 1]):
            match = HEADING.fullmatch(plain(self.lines[number - 1]).strip())
            assert match is not None
            name = names.get(folded(" ".join((match[3] or "").split())), "")
            heading = match[1].capitalize() if match[1] else f"{match[2].capitalize()} {name}"
            if match[3] and not name:
                self._wrong(
                    number,
                    f"`{match[3]}` is not a player in this game",
                    f"The players are {listed(head.names, 'and')}.",
                )
            elif heading in seen:
                self._wrong(number, f"`{heading}` is here twice", "Leave one out.")
            else:
                seen.add(heading)
                yield heading, self._rows(heading, terms, number + 1, end)

    def _rows(self, heading: str, terms: bytes, begin: int, end: int) -> list[Row]:
        """The rows between two lines; a line that was broken on its way is joined where its check then fits."""
        rows: list[Row] = []
        number = begin
        while number < end:
            if not self.lines[number - 1].strip():
                number += 1
                continue
            parts = 0
            for parts in range(1, min(BROKEN_IN, end - number) + 1):
                row = self._checked(heading, terms, self.lines[number - 1 : number - 1 + parts])
                if row:
                    break
            else:
                self._damaged(number)
                return rows
            self.places[heading, len(rows)] = number
            rows.append(row)
            number += parts
        return rows

    def _checked(self, heading: str, terms: bytes, lines: Sequence[str]) -> Row:
        """The columns of a row, in one line or in several that belong together; () where the check does not fit."""
        for between in ("", " ") if len(lines) > 1 else ("",):
            match = CHECKED.fullmatch(plain(between.join(line.strip() for line in lines)).strip())
            text = " ".join(match["text"].split()) if match else ""
            if match and check(terms, heading, text) == match["check"].lower():
                behind = COLUMNS.get(heading)
                return tuple(text.rsplit(" ", behind) if behind else text.split(" "))
        return ()

    def _damaged(self, number: int) -> None:
        if CHECKED.fullmatch(plain(self.lines[number - 1]).strip()):
            message = "This line was changed: its check does not fit"
        else:
            message = "This line has no check at its end, so it is not complete"
        self._wrong(number, message, AGAIN, WHOLE)

    # -- the deal -----------------------------------------------------------------------------------------

    def _deal(self, deal: LockedDeal, sections: Mapping[str, list[Row]]) -> LockedDeal:
        """The deal that the rows say."""
        by_seat = {name: self._by_seat(deal, sections, name, read) for name, read in READERS.items()}
        keys = by_seat[KEYS]
        decks, proofs = [], []
        for seat, name in enumerate(deal.names):
            self._check_numbers(f"{DECK} {name}", sections, 1)
            self._check_numbers(f"{PROOF} {name}", sections, 0)
            deck = self._column(f"{DECK} {name}", sections, _point)
            proof = self._proof(f"{PROOF} {name}", sections, len(deal.deck.cards))
            whole = len({keys[seat] is None, not deck, proof is None}) == 1
            if not self.problems and not (whole and len(deck) in {0, len(deal.deck.cards)}):
                line = next(
                    (
                        self.places[h, len(sections[h]) - 1]
                        for h in (f"{PROOF} {name}", f"{DECK} {name}", KEYS)
                        if sections.get(h)
                    ),
                    1,
                )
                message = (
                    f"{name}'s part is not complete: it is a key, a deck of {len(deal.deck.cards)} cards, and its proof"
                )
                self._wrong(line, message, AGAIN, WHOLE)
            decks.append(deck or None)
            proofs.append(proof)
        unlocks = self._column(UNLOCKS, sections, lambda row: _unlock(deal, row))
        return LockedDeal(
            deal.head, tuple(keys), tuple(decks), tuple(proofs), tuple(by_seat[NONCES]), unlocks, tuple(by_seat[SEEDS])
        )

    def _check_numbers(self, heading: str, sections: Mapping[str, list[Row]], first: int) -> None:
        """Report a row whose number is not the next one, from `first` on."""
        for at, row in enumerate(sections.get(heading, ())):
            if row[0] != str(first + at):
                self._wrong(
                    self.places[heading, at], f"This is line {first + at} of the section, not `{row[0]}`", AGAIN
                )
                return

    def _column(self, heading: str, sections: Mapping[str, list[Row]], read: Callable[[Row], Any]) -> tuple[Any, ...]:
        """What the rows of a section say."""
        found = []
        for at, row in enumerate(sections.get(heading, ())):
            try:
                found.append(read(row))
            except (_RowError, InvalidError) as error:
                problem = (
                    error if isinstance(error, _RowError) else _RowError(f"This {error}", rule="record.deal.point")
                )
                self._wrong(self.places[heading, at], problem.message, problem.hint, problem.rule)
        return tuple(found)

    def _by_seat(
        self, deal: LockedDeal, sections: Mapping[str, list[Row]], heading: str, read: Callable[[Row], Any]
    ) -> list[Any]:
        """What the rows of a section say, by the seat that they name."""
        found: list[Any] = [None] * len(deal.names)
        for at, row in enumerate(sections.get(heading, ())):
            seat = _seat(deal, row[0])
            values = self._column(heading, {heading: [row]}, read) if seat is not None else ()
            if seat is None:
                self._wrong(self.places[heading, at], f"`{row[0]}` is not a player in this game")
            elif found[seat] is not None:
                self._wrong(self.places[heading, at], f"{row[0]} is here twice", "Leave one line out.")
            elif values:
                found[seat] = values[0]
        return found

    def _proof(self, heading: str, sections: Mapping[str, list[Row]], size: int) -> Proof | None:
        rows = sections.get(heading, [])
        if not rows:
            return None
        parts = self._column(heading, sections, lambda row: _answer(row, size))
        if len(rows) != ROUNDS + 1:
            message = f"This proof has {len(rows)} lines instead of {ROUNDS + 1}"
            self._wrong(self.places[heading, len(rows) - 1], message, AGAIN, WHOLE)
        return Proof(parts[0], parts[1:]) if len(parts) == ROUNDS + 1 else None


def _seat(deal: LockedDeal, name: str) -> int | None:
    return next((seat for seat, known in enumerate(deal.names) if folded(known) == folded(name)), None)


def _columns(row: Row, count: int) -> Row:
    if len(row) != count:
        raise _RowError(f"This line has {len(row)} columns instead of {count}")
    return row


def _point(row: Row) -> bytes:
    _, text = _columns(row, 2)
    return group.point(group.read(text, SIZE))


def _key(row: Row) -> Key:
    _, commitment, nonce, public = _columns(row, 4)
    return Key(group.read(commitment, SIZE), group.read(nonce, SIZE), group.point(group.read(public, SIZE)))


def _bytes(row: Row) -> bytes:
    return group.read(_columns(row, 2)[1], SIZE)


def _unlock(deal: LockedDeal, row: Row) -> Unlock:
    name, place, point, e, z = _columns(row, 5)
    seat, size = _seat(deal, name), len(deal.deck.cards)
    if seat is None:
        raise _RowError(f"`{name}` is not a player in this game")
    if not place.isdecimal() or not 1 <= int(place) <= size:
        raise _RowError(f"`{place}` is not a place of the deck: there are {size}")
    left = group.point(group.read(point, SIZE))
    return Unlock(seat, int(place) - 1, left, group.scalar(group.read(e, SIZE)), group.scalar(group.read(z, SIZE)))


def _answer(row: Row, size: int) -> Any:
    """The challenge in line 0, else the answer of a round."""
    if row[0] == "0":
        return group.read(_columns(row, 2)[1], CHALLENGE)
    _, scalar, letters = _columns(row, 3)
    order = tuple(LETTERS.find(letter) for letter in letters)
    if sorted(order) != list(range(size)):
        raise _RowError(f"`{letters}` is not an order of {size} cards")
    return group.scalar(group.read(scalar, SIZE)), order


READERS: Mapping[str, Callable[[Row], Any]] = {KEYS: _key, NONCES: _bytes, SEEDS: _bytes}
"""What reads a row that begins with a name, of which every player has one."""
