"""The interface that every game implements for records, and the rows of a set-up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.game import HIDDEN, AnyGame, Deal, Event
from tkid.kernel.plugins import find_plugin, list_game_names
from tkid.kernel.problems import Fix, Kind, Problem, Violation
from tkid.kernel.values import LazyMapping
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.text import capitalize_text, fold_name, make_plain
from tkid.record.format import model

FIRST = "First"
ROWS_REMEMBERED = 1 << 12
NO_NAMES = Vocabulary({}, {})
Fixes = tuple[Fix, ...]


class RowError(Exception):
    """A line of the set-up was not understood: message and hint, the words at fault, rule and kind, and what may be meant."""

    def __init__(  # noqa: PLR0917 - a problem
        self,
        message: str,
        hint: str = "",
        part: str = "",
        rule: str = "record.setup.row",
        kind: Kind = Kind.SYNTAX,
        fixes: Fixes = (),
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.part, self.rule, self.kind, self.fixes = message, hint, part, rule, kind, fixes
        self.others: list[RowError] = []
        """What else is not understood in the same line."""


def make_unknown_name_error(unknown: Unknown, kind: str, known: Vocabulary = NO_NAMES, of: str = "") -> RowError:
    """Return the error of a name that no region, card and so on has; `of` names the thing that lacks it."""
    message = unknown.describe_fault(kind, of) if unknown.typed else f"A {kind} is missing"
    every = f"The {kind}s are {list_names(known.names, 'and')}." if known.names else ""
    hint, fixes = unknown.make_hint() or every, unknown.list_fixes()
    return RowError(message, hint, unknown.typed, f"notation.{kind}", Kind.NAME, fixes)


@lru_cache(ROWS_REMEMBERED)
def _read_row(rows: Callable[..., Rows], game: Any, names: tuple[str, ...], line: str) -> tuple[str, Any]:
    return rows(game, names, []).read_row(line)


class Rows:
    """Reads the lines of a set-up into a deal, keeping the comments before each line by its label.

    `lines` are those of the file. A game states the labels of its lines except `First`, in the order of a message,
    with what reads the rest of each line, and what is `needed` for a deal. Each player has a line of the labels
    `of_players`, where the name follows the label. Without a game's own there is a hand for each player, of cards
    that `game.cards` has by name, with commas between.
    """

    needed: str = "A line is needed for every hand, and for who is first."
    of_players: Collection[str] = ("Hand",)

    def __init__(self, game: Any, names: tuple[str, ...], lines: list[str]) -> None:
        self.game, self.names, self.lines = game, names, lines
        self.problems: list[Problem] = []
        self.comments: dict[str, model.Comments] = {}
        self.rows: dict[str, tuple[int, Any]] = {}
        self.unread = 0

    @property
    def readers(self) -> Mapping[str, Callable[[str], Any]]:
        """The functions that read the rest of a line, by its label. They raise RowError."""
        return {"Hand": self.read_cards}

    def read_cards(self, text: str) -> tuple[str, ...]:
        """Read cards with commas between; `-` means none."""
        parts = [part.strip() for part in text.split(",")] if text.strip(" -") else []
        return tuple(self.read_parts(parts, self._read_card))

    def _read_card(self, typed: str) -> Sequence[str]:
        known = Vocabulary(self.game.cards, {})
        found = typed if typed == HIDDEN else known.find(typed)
        if isinstance(found, Unknown):
            raise make_unknown_name_error(found, "card", known)
        return [found]

    def list_labels(self) -> Sequence[str]:
        """List the labels of the lines without which there is no deal."""
        return [*(f"Hand {name}" for name in self.names), FIRST]

    def deal(self, values: Mapping[str, Any]) -> Any:
        """Make a deal from the values of the lines, by label."""
        return Deal(tuple(values[f"Hand {name}"] for name in self.names), values[FIRST])

    def read(self, lines: list[tuple[int, str]], comments: list[str], setup_line: int) -> Any:
        """Return the deal, or None if it is incomplete or against the rules."""
        self.take_lines(lines, comments)
        if not self.check_complete(setup_line):
            return None
        deal = self.deal({label: value for label, (_, value) in self.rows.items()})
        for fault in self.game.find_faults(deal):
            what, _, seat = fault.part.rpartition(" ")
            label = f"{what} {self.names[int(seat)]}" if seat.isdigit() else fault.part
            message = capitalize_text(fault.sentence)
            self.note_problem(Kind.ILLEGAL, fault.rule, message, self.rows[label][0], fault.hint)
        return None if self.problems else deal

    def read_hand(self) -> tuple[tuple[Any, ...], list[Problem]]:
        """Read the only line, a hand without its label. Return its cards, () if there are problems."""
        try:
            return self.readers["Hand"](make_plain(self.lines[0])), []
        except RowError as wrong:
            self.report(wrong, 1)
            return (), self.problems

    def read_row(self, line: str) -> tuple[str, Any]:
        """Read label and value of a line. Raises RowError."""
        word, _, rest = line.partition(" ")
        label = word.casefold().capitalize()
        if label == FIRST:
            return FIRST, self.read_player(rest, alone=True)[0]
        if label not in self.readers:
            return self.read_other_row(line)
        if label not in self.of_players:
            return label, self.readers[label](rest)
        seat, value = self.read_player(rest)
        return f"{label} {self.names[seat]}", self.readers[label](value)

    def read_other_row(self, line: str) -> tuple[str, Any]:
        """Read label and value of a line with none of the labels. Raises RowError."""
        raise self.make_label_error(line.partition(" ")[0])

    def make_label_error(self, word: str, others: Vocabulary = NO_NAMES, kind: str = "") -> RowError:
        """Return the error for a first word that is no label; the player may have meant one of the other names."""
        labels = (*self.readers, FIRST)
        found = Vocabulary({**others.names, **dict.fromkeys(labels)}, others.codes).find(word)
        meant = (found,) if isinstance(found, str) else found.meant
        other = others.find(word)
        if meant and not set(meant) & set(labels) and isinstance(other, Unknown):
            return make_unknown_name_error(other, kind, others)
        possible = f"a {kind}, {list_names(labels)}" if kind else list_names(labels)
        hint = f"Did you mean {list_names(meant)}?" if meant else f"It has to be {possible}."
        return RowError(f"`{word}` does not belong to a set-up", hint, word, kind=Kind.NAME)

    def take_lines(self, lines: list[tuple[int, str]], comments: list[str]) -> None:
        """Read the lines of the set-up; `comments` are those before the first."""
        kind: Callable[..., Rows] = type(self)
        waiting = list(comments)
        for number, line in lines:
            if model.is_comment(line):
                waiting.append(line.rstrip())
                continue
            try:
                label, value = _read_row(kind, self.game, self.names, make_plain(line).strip())
            except RowError as wrong:
                self.unread += 1
                self.report(wrong, number)
                if len(self.problems) > model.MOST_FAULTS:
                    message = "There are too many mistakes in the set-up: the rest of it is not read"
                    self.note_problem(Kind.SYNTAX, "record.setup.row", message, number)
                    break
                continue
            if label in self.rows:
                message, hint = f"{label} is described twice", f"It is in line {self.rows[label][0]} too."
                self.note_problem(Kind.SYNTAX, "record.setup.twice", message, number, hint)
                continue
            self.rows[label] = (number, value)
            self.comments[label] = tuple(waiting)
            waiting = []
        self.comments[model.BEFORE_TURNS] = tuple(waiting)

    def check_complete(self, setup_line: int) -> bool:
        """Return True if there is a line for each label. Missing ones are reported at the line `Setup`."""
        missing = [label for label in self.list_labels() if label not in self.rows]
        if len(missing) > self.unread:
            message = f"The set-up does not describe {list_names(missing, 'and')}"
            self.note_problem(Kind.SYNTAX, "record.setup.missing", message, setup_line, self.needed)
        return not missing

    def report(self, wrong: RowError, number: int) -> None:
        """Note what was not understood in a line."""
        for fault in (wrong, *wrong.others):
            self.note_problem(fault.kind, fault.rule, fault.message, number, fault.hint, fault.part, fault.fixes)

    @property
    def places(self) -> Mapping[str, model.Place]:
        """The place of each line that was understood, by its label."""
        return LazyMapping(lambda: {label: self.find_place(number) for label, (number, _) in self.rows.items()})

    def find_place(self, line: int, part: str = "") -> model.Place:
        """Find the place of a part of a line (its last occurrence), or of the whole line."""
        text = make_plain(self.lines[line - 1]).rstrip()
        column = text.rfind(part) if part else len(text) - len(text.lstrip())
        return model.Place(line, max(0, column) + 1, max(1, len(part or text.lstrip())))

    def note_problem(  # noqa: PLR0917 - kind, rule and message, then the place, the hint and the fixes
        self, kind: Kind, rule: str, message: str, line: int, hint: str = "", part: str = "", fixes: Fixes = ()
    ) -> None:
        """Note a problem with a part of a line, or with the whole line."""
        place = self.find_place(line, part)
        self.problems.append(Problem(kind, rule, message, line, place.col, place.length, hint, fixes))

    def read_player(self, rest: str, *, alone: bool = False) -> tuple[int, str]:
        """Return the seat of the player named by a line, and the text after the name; with `alone` there must be none."""
        ends = [match.end() for match in re.finditer(r"\S+", rest)]
        numbers = {str(seat): seat - 1 for seat in range(1, len(self.names) + 1)}
        seats = numbers | {fold_name(name): seat for seat, name in enumerate(self.names)}
        fits = [(end, seats.get(fold_name(rest[:end].strip()))) for end in reversed(ends)]
        named = [(seat, rest[end:].strip()) for end, seat in fits if seat is not None]
        fitting = [pair for pair in named if bool(pair[1]) != alone] or ([] if alone else named)
        if fitting:
            return fitting[0]
        typed = rest.strip() if alone else re.split(r"\s{2,}", rest.strip())[0]
        if not typed:
            raise RowError("The player is missing", f"The players are {list_names(self.names, 'and')}.")
        typed = typed if alone or rest.strip() != typed else typed.split()[0]
        message, hint = f"`{typed}` is not a player in this game", model.suggest_player(typed, self.names)
        raise RowError(message, hint, typed, kind=Kind.NAME, fixes=model.list_meant_players(typed, self.names))

    @staticmethod
    def read_parts(parts: Sequence[str], read: Callable[[str], Sequence[str]]) -> list[str]:
        """Read the parts of a list. Raises one RowError for all that are unknown."""
        values: list[str] = []
        errors: list[RowError] = []
        for part in parts:
            try:
                values += read(part)
            except RowError as error:
                errors.append(error)
        if errors:
            errors[0].others = errors[1:]
            raise errors[0]
        return values


Carried = tuple[Any, tuple[Event, ...]]
"""A position, and the events that led to it."""


@frozen(eq=False)
class Rules:
    """The local ids of rules on seats in turn, cards in hand, the end, parties and the start."""

    order: str = "turn.order"
    hand: str = "turn.hand"
    over: str = "ending.over"
    players: str = "setup.players"
    start: str = "ruling.start-player"


class RecordPlugin:
    """The part of a game that knows its records.

    `row` is a pattern of the lines of a set-up that may have a single blank behind their label. `setup_reader`
    reads these lines. `parts` are the parts of a set-up that everybody may see, in words, by the first word
    of their lines, for the proof of a deal.

    What a method returns here suits a game whose set-up is a hand of cards for each player and who starts, whose
    turns are one move each, and whose moves have a `card`, "" for none.
    """

    rules: Rules = Rules()
    row: str = r"(?:hand|first)\s+\S"
    setup_reader: type[Rows] = Rows
    parts: Mapping[str, str] = MappingProxyType({})

    def close_position(self, position: Any) -> Any:
        """Return the position without a seat to act, to show a game that ended early."""
        return position

    def list_setup_rows(self, game: Any, deal: Any, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield label and value of each line of a set-up."""
        for name, hand in zip(names, deal.hands, strict=True):
            yield f"Hand {name}", ", ".join(hand) or "-"
        yield FIRST, names[deal.first]

    def find_part(self, game: Any, label: str) -> str:
        """Return which of the `parts` a line belongs to; "" for lines that may be hidden, and for the start player."""
        return self.parts.get(label.partition(" ")[0], "")

    def is_secret(self, row: str) -> bool:
        """Return True if a line of a set-up, in small letters, may differ between the files of the players."""
        return row.startswith("hand ")

    def compute_decision(self, game: Any, position: Any) -> Any:
        """Return a written position with the next decision, or the ending and the winners, computed from the rest of it."""
        return position

    def hide_deal(self, game: Any, deal: Any, seat: int | None) -> Any:
        """Return a deal as a seat may know it (None: a spectator)."""
        hands = [hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(deal.hands)]
        return evolve(deal, hands=tuple(hands))

    def hide_unknown_parts(self, game: Any, dealt: Any, stated: Any) -> Any:
        """Hide in a deal those of its `parts` that another one hides, so that both can be compared."""
        return dealt

    def fill_deal(self, game: Any, deal: Any, other: Any) -> Any:
        """Fill a deal with the `parts` that another deal of the same game knows."""
        return deal

    def find_revelations(self, record: model.Record) -> Mapping[int, Callable[[Any], Any]]:
        """Find what turns reveal of the hidden set-up: functions by turn that add it to the position before."""
        return {}

    def list_unproven_cards(self, game: Any, position: Any, seat: int, move: Any) -> Iterable[str]:
        """List the cards, in words, that a seat must have held for a move out of a hand that isn't fully known."""
        return (move.card,) if move.card and move.card not in position.hands[seat] else ()

    def list_open_questions(self, game: Any, position: Any) -> Iterable[tuple[int, str]]:
        """List the seats and the cards they may hold on which the ending of a finished game depends."""
        return ()

    def is_late_reveal(self, move: Any) -> bool:
        """Return True if a move answers an open question, so that the game had not ended yet."""
        return False

    def is_idle(self, move: Any) -> bool:
        """Return True if a move only ends the turn, so that nothing is lost if the game was over before it."""
        return False

    def list_late_outcomes(self, game: Any, names: Sequence[str]) -> Iterable[str]:
        """List the lines that may reveal a hidden card at the end; the other outcomes of the last turn depend on it."""
        return ()

    def has_late_outcome(self, game: Any, events: Iterable[Event]) -> bool:
        """Return True if the events of a turn answer what would otherwise be an open question."""
        return False

    def find_unheld_cards(
        self, positions: Sequence[Any], turns: Sequence[model.Turn], hands: Iterable[Any]
    ) -> Iterator[tuple[model.Turn, str]]:
        """Find turns with a card not in hand, given the hands at the start; `positions` are those before and after each turn."""
        left = [Counter(hand) for hand in hands]
        for turn, card in self.list_played_cards(positions, turns):
            if not left[turn.seat][card]:
                yield turn, card
            left[turn.seat][card] -= 1

    def list_played_cards(
        self, positions: Sequence[Any], turns: Sequence[model.Turn]
    ) -> Iterable[tuple[model.Turn, Any]]:
        """List the cards that turns play out of the hands dealt at the start, each with its turn."""
        return [(turn, move.card) for turn in turns for move in turn.moves if not turn.undone and move.card]

    def carry_out(self, game: Any, position: Any, move: Any) -> Carried | None:
        """Carry out an illegal move as it is written. Return None if the pieces do not allow it."""
        return None

    def set_seat(self, position: Any, seat: int) -> Any:
        """Return the position with another seat to act than the one that is due."""
        return evolve(position, to_act=seat)

    def skip_turn(self, position: Any, seat: int, *, acted: bool = False) -> Any:
        """Return the position with `seat` to act, because a turn, or the rest of it, cannot be carried out; `acted` if it was no pass."""
        return evolve(position, to_act=seat, turn=position.turn + 1)

    def is_passable(self, position: Any) -> bool:
        """Return True if the next turn may be passed."""
        return False

    def report_extra_decision(self, game: Any, first: Any, move: Any) -> Violation:
        """Report a decision after the end of a turn; `first` is the turn's first decision."""
        return Violation(game.ids(self.rules.order), "A turn is one move: this is too much")

    def report_unfinished_turn(self, game: Any, position: Any) -> Violation:
        """Report a turn that stops before its end."""
        return Violation(game.ids(self.rules.order), "A turn is one move: it is missing")

    def is_unfinished(self, game: Any, problem: Problem) -> bool:
        """Return True if a problem is that a turn stops before its end."""
        return False


def find_record_plugin(game: AnyGame) -> RecordPlugin:
    """Find the record plugin of a game."""
    return find_plugin(game.name, "record", RecordPlugin)


def list_record_plugins() -> tuple[RecordPlugin, ...]:
    """List the record plugins of all games."""
    return tuple(find_plugin(game, "record", RecordPlugin) for game in list_game_names())
