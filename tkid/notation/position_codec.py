"""The codec that reads and writes a position in one line; each game states its clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from attrs import Factory, field, frozen
from lark import Token, Tree

from tkid.notation.line_parser import LineError, LineParser, build_parser
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.position_errors import (
    RULE,
    PositionDataError,
    PositionError,
    make_position_problem,
    report_unexpected,
)
from tkid.notation.text import make_plain

MIN_SEATS = 2
"""Number of seats of a line that names fewer."""
Part = Token | Tree[Token]
"""Parts of the grammar's rule for a clause."""


@frozen
class Clause:
    """A kind of clause: its label, its writer and its reader."""

    label: str
    attribute: str
    write: Callable[..., str | int | None]
    read: Callable[..., Any]
    default: Any = None
    marked: int | None = 0
    opening: str = field(default=Factory(lambda self: f"{self.label} ", takes_self=True))


@cache
def build_position_parser(grammar: str) -> LineParser:
    return LineParser(build_parser((grammar,), ("position",), places=False), {"position": {}})


def _index_by_rule(clauses: Iterable[Clause]) -> Mapping[str, Clause]:
    return {clause.label: clause for clause in clauses}


@frozen
class PositionCodec:
    """Writes and reads the positions of some games in one line. Every line ends with the next decision or the ending.

    Attributes:
        grammar: The name of the grammar, with the rules `position`, `due`, `ended` and one for each clause.
        first: The clauses before those of the seats, as a mapping by their rule.
        of_seat: The clauses that every seat has, as a mapping by their rule.
        last: The clauses after those of the seats, as a mapping by their rule.
        names: Takes a game. Returns what the clauses' `read` functions look names up in.
        data: Takes a game and the attributes that a line states. Returns the position data.
        position: Takes a game and position data. Returns the position. Raises PositionDataError.
        decisions: The words for a decision; the first is meant where a line has none.
        most_seats: The highest number of a seat that is read.
        numbered: What the position in JSON numbers from 0.
        plain: Makes plain characters of a line, each in its column.
    """

    grammar: str
    first: Mapping[str, Clause] = field(converter=_index_by_rule)
    of_seat: Mapping[str, Clause] = field(converter=_index_by_rule)
    last: Mapping[str, Clause] = field(converter=_index_by_rule)
    names: Callable[[Any], Any]
    data: Callable[[Any, dict[str, Any]], Any]
    position: Callable[[Any, Any], Any]
    decisions: Sequence[str]
    most_seats: int
    numbered: str = "seats"
    plain: Callable[[str], str] = make_plain

    def write_line(self, game: Any, position: Any) -> str:
        of_seats = ((f"{seat + 1} ", self.of_seat, (seat,)) for seat in position.seats)
        clauses = [game.code]
        for number, kinds, seat in (("", self.first, ()), *of_seats, ("", self.last, ())):
            for clause in kinds.values():
                value = clause.write(game, position, *seat)
                if value is not None:
                    clauses.append(f"{number}{clause.opening}{value}")
        if position.to_act is None:
            clauses.append(" ".join([f"ended {position.ending}", *(str(seat + 1) for seat in position.winners)]))
        else:
            clauses.append(f"to {position.decision} {position.to_act + 1}")
        return "; ".join(clauses)

    def read_line(self, game: Any, text: str) -> Any:
        """Read the position of a line, which begins with the ruleset's code. Raises PositionError."""
        try:
            tree = build_position_parser(self.grammar).parse("position", self.plain(text))
        except LineError as error:
            raise report_unexpected(text, error.column if error.found else len(text)) from None
        reading = _Reading(self, self.names(game))
        for clause in tree.children[1:]:
            assert isinstance(clause, Tree)
            reading.take_clause(clause)
        try:
            return self.position(game, self.data(game, reading.list_attributes()))
        except PositionDataError as error:
            hint = f"The name is as in the position in JSON, where {self.numbered} are counted from 0."
            raise PositionError(*(make_position_problem(fault, 0, len(text), hint) for fault in error.faults)) from None


@frozen
class _Reading:
    """Collects what the clauses of a line state: by rule, and what they state of a seat by rule and seat."""

    codec: PositionCodec
    names: Any
    stated: dict[str, Any] = field(factory=dict)
    of_seat: dict[str, dict[int, Any]] = field(factory=dict)

    def take_clause(self, tree: Tree[Token]) -> None:
        codec, rule, parts = self.codec, str(tree.data), tree.children
        if rule in codec.of_seat:
            seat, *rest = parts
            value, number = codec.of_seat[rule].read(self.names, *rest), read_seat_number(seat, codec.most_seats)
            self._add_statement(self.of_seat.setdefault(rule, {}), number, value, seat)
        elif rule == "due":
            self._add_statement(self.stated, rule, self._read_due(*parts), parts[0])
        elif rule == "ended":
            ending, *winners = parts
            seats = [read_seat_number(seat, codec.most_seats) for seat in winners]
            self._add_statement(self.stated, rule, (str(ending).lower(), seats), ending)
        else:
            clause = codec.first.get(rule) or codec.last[rule]
            value = clause.read(self.names, *parts)
            if clause.marked is None:
                self.stated[rule] = value
            else:
                self._add_statement(self.stated, rule, value, parts[clause.marked])

    @staticmethod
    def _add_statement(stated: dict[Any, Any], key: Any, value: Any, part: Part) -> None:
        if key in stated:
            raise PositionError(make_position_problem("This appears twice", *find_place(part)))
        stated[key] = value

    def _read_due(self, *parts: Part) -> tuple[str, int]:
        *words, seat = parts
        decision = str(words[0]).lower() if words else self.codec.decisions[0]
        if decision not in self.codec.decisions:
            raise PositionError(make_position_problem(f"`{words[0]}` is not a decision", *find_place(words[0])))
        return decision, read_seat_number(seat, self.codec.most_seats)

    def list_attributes(self) -> dict[str, Any]:
        codec = self.codec
        seats = range(max([MIN_SEATS, *(seat + 1 for values in self.of_seat.values() for seat in values)]))
        clauses = {**codec.first, **codec.last}
        stated = {clause.attribute: self.stated[rule] for rule, clause in clauses.items() if rule in self.stated}
        for rule, clause in codec.of_seat.items():
            if rule in self.of_seat or clause.default is not None:
                values = self.of_seat.get(rule, {})
                stated[clause.attribute] = [values.get(seat, clause.default) for seat in seats]
        if "ended" in self.stated:
            ending, winners = self.stated["ended"]
            return stated | {"decision": None, "to_act": None, "ending": ending, "winners": winners}
        decision, to_act = self.stated.get("due", (codec.decisions[0], 0))
        return stated | {"decision": decision, "to_act": to_act}


def read_number(_: Any, token: Token) -> int:
    return int(token)


def read_seat_number(part: Part, most: int) -> int:
    """Return a seat, from 0, of a number from 1 to `most`. Raises PositionError."""
    if not 1 <= int(str(part)) <= most:
        hint = "Seats are counted from 1."
        raise PositionError(make_position_problem(f"There is no seat {part}", *find_place(part), hint))
    return int(str(part)) - 1


def find_place(part: Part) -> tuple[int, int]:
    """Return the beginning of a part: the column from 0 of its first word, and that word's length."""
    while isinstance(part, Tree):
        part = part.children[0]
    return part.start_pos or 0, len(part)


def report_unknown_name(unknown: Unknown, kind: str, part: Part, known: Vocabulary) -> PositionError:
    hint = f"The {kind}s are {list_names(known.names, 'and')}."
    return PositionError(unknown.make_problem(kind, RULE, find_place(part), hint))
