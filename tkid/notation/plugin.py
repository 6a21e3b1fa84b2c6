"""The interface that every game implements for the notation; turns as read, and their problems."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from attrs import field, frozen

from tkid.kernel.game import AnyGame, fill_names
from tkid.kernel.ladder import NEAREST
from tkid.kernel.pickling import Portable, pickle_call
from tkid.kernel.plugins import find_plugin
from tkid.kernel.problems import Fix, Kind, Place, Problem, Scope, Violation
from tkid.kernel.values import quick_frozen
from tkid.notation.names import Vocabulary, list_names
from tkid.notation.text import capitalize_text, make_plain
from tkid.rulebook import cites

MAX_TURN_LENGTH = 2000
"""Maximum number of characters of a turn; the longest that the program writes has a twentieth of them."""
TURNS_REMEMBERED = 1 << 12
READERS = 64
"""Number of groups of players whose parsed turns are remembered."""
Span = tuple[int, int]
"""Place of a part in the text: column from 0, and length."""


class WrongError(Exception):
    """A part of a decision was not understood; carries the problems."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*map(str, problems))
        self.problems = problems


@quick_frozen
class ReadDecision(Portable):
    """One decision as read: the move, or None with the problems; and the places of its parts."""

    move: Any
    problems: tuple[Problem, ...]
    parts: Mapping[str, Span]


@quick_frozen
class ReadTurn(Portable):
    """A turn as read: its decisions in order, and the column at which each starts.

    `moves` are the moves in order, empty where anything was not understood; `problems` say what was not, with
    columns within the whole turn. `written` is the text, if it is exactly what the program writes for these moves.
    """

    decisions: tuple[ReadDecision, ...]
    columns: tuple[int, ...]
    written: str = ""
    moves: tuple[Any, ...] = field(init=False)

    @moves.default
    def _(self) -> tuple[Any, ...]:
        moves = tuple([decision.move for decision in self.decisions])
        return moves if all(moves) else ()

    problems: tuple[Problem, ...] = field(init=False)

    @problems.default
    def _(self) -> tuple[Problem, ...]:
        if self.moves:
            return ()
        return tuple(
            problem.move_to(line=problem.line, col=column)
            for decision, column in zip(self.decisions, self.columns, strict=True)
            for problem in sorted(decision.problems, key=lambda problem: problem.col)
        )


@cites("notation.long")
def refuse_long_turn(text: str) -> ReadTurn:
    """Return the reading of a text that is longer than any turn, with a problem at the first character too many."""
    message = f"This has {len(text):,} characters; a turn has at most {MAX_TURN_LENGTH:,}"
    place = Place(col=MAX_TURN_LENGTH + 1, length=1)
    problem = Problem(Kind.SYNTAX, "notation.long", message, hint="Write one turn, without other words.", **place)
    return ReadTurn((ReadDecision(None, (problem,), {}),), (0,))


class TurnReader(ABC):
    """Reads the turns of a game; the same text gives the same result and is parsed once.

    `cards` are the words that a turn begins with: the cards, and words for other actions; `names` the players. What
    has a body is for games in which a turn is one move.
    """

    game: Any
    cards: Vocabulary

    def __init__(self, game: Any, names: Sequence[str] = ()) -> None:
        self.game, self.names = game, tuple(names)
        self._turns = lru_cache(TURNS_REMEMBERED)(self.parse_turn)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(type(self), self.game, self.names)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.game, self.names) == (other.game, other.names)

    def __hash__(self) -> int:
        return hash((type(self), self.game, self.names))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.code}>"

    def read_turn(self, text: str) -> ReadTurn:
        """Read a whole turn."""
        return self._turns(text) if len(text) <= MAX_TURN_LENGTH else refuse_long_turn(text)

    def parse_turn(self, text: str) -> ReadTurn:
        """Read a turn that is not too long."""
        try:
            move, parts = self.parse_move(make_plain(text.rstrip(" .!")))
        except WrongError as wrong:
            return ReadTurn((ReadDecision(None, wrong.problems, {}),), (0,))
        written = fill_names(self.game.words.write_move(move), self.names)
        return ReadTurn((ReadDecision(move, (), parts),), (0,), text if text == written else "")

    def parse_move(self, text: str) -> tuple[Any, Mapping[str, Span]]:
        """Return the move of a plain text, and the places of its parts. Raises WrongError."""
        raise NotImplementedError

    def read_canonical(self, text: str) -> tuple[Any, ...] | None:
        """Return the moves for which the program writes exactly this text, or None."""
        read = self.read_turn(text)
        return read.moves if read.written else None

    def is_begun(self, text: str) -> bool:
        """Return True if a line begins like a turn."""
        return isinstance(self.cards.find("".join(re.findall(r"\w+", text)[:1])), str)

    def list_cards(self) -> str:
        """Return the cards of the game in a sentence, for a hint."""
        return f"The cards are {list_names(self.cards.names, 'and')}."

    @abstractmethod
    def find_rule(self, move: Any) -> str:
        """Return the rule that says what a move does: that of its card, if it plays one."""


@frozen
class Meant:
    """The possible meanings of a text as a turn, as the free reading finds them."""

    turns: tuple[tuple[Any, ...], ...] = ()
    fits: bool = False
    problems: tuple[Problem, ...] = ()
    vague: bool = False


@frozen(eq=False)
class FreeReader:
    """Reads turns as people write them who do not know the notation; without a game's own reader none."""

    game: Any
    names: Sequence[str]

    def is_whole(self, read: ReadTurn, text: str) -> bool:
        """Return True if a turn that was read strictly needs no question, because nothing risky in it is abbreviated."""
        return True

    def find_meant(self, position: Any, text: str) -> Meant:
        """Return the legal turns that a text may mean; none if it orders no turn."""
        return Meant()

    def list_names(self, text: str, *, spelled: bool = False) -> list[tuple[str, int, int]]:
        """Return the kind and the columns, from 0, of each thing of the game that a text names, `spelled` rightly or not."""
        return []

    def has_named(self, turn: tuple[Any, ...], text: str) -> bool:
        """Return True if a turn has all that a text names, and has it together."""
        return False


class NotationPlugin:
    """The written form of a game, with the classes that read its turns."""

    reader: type[TurnReader]
    free_reader: type[FreeReader] = FreeReader
    standing: Sequence[str] = ()
    """The first words of standing orders."""

    @property
    def positions(self) -> Any:
        """The `PositionCodec` of the game, or one like it: it writes and reads a position in one line."""
        return import_module(f"{type(self).__module__}.positions").CODEC  # now, as few files have such a line

    def make_free_reader(self, game: Any, names: Sequence[str] = ()) -> FreeReader:
        """Return a reader for people who do not know the notation; `names` are those of the players."""
        return self.free_reader(game, names)

    def make_shorthand(self, game: Any, names: Sequence[str] = ()) -> Any:
        """Return a `tkid.notation.shorthand.Shorthand`, which reads notes from a table; None if the game has none."""
        return None

    def find_part(self, read: Any, canonical: Any, part: str) -> str:
        """Return the part of a move as it was read that is this part of its canonical form."""
        return part

    def write_alternative(self, game: Any, move: Any, alternative: Any) -> str:
        """Return an alternative that a violation names in place of a move, as text."""
        written: str = game.words.write_move(alternative)
        return written


def find_notation_plugin(game: AnyGame) -> NotationPlugin:
    return find_plugin(game.name, "notation", NotationPlugin)


def find_turn_reader(game: AnyGame, names: tuple[str, ...] = ()) -> TurnReader:
    """Find the reader of a game's turns, which remembers what it has read.

    Args:
        game: the game.
        names: the players in turn order; they matter only where turns may name players.

    Returns:
        One reader for all records, or for all with these players.
    """
    return _make_turn_reader(game, names if game.names_players else ())


@lru_cache(READERS)
def _make_turn_reader(game: AnyGame, names: tuple[str, ...]) -> TurnReader:
    return find_notation_plugin(game).reader(game, names)


@lru_cache(READERS)
def find_free_reader(game: AnyGame, names: tuple[str, ...]) -> FreeReader:
    return find_notation_plugin(game).make_free_reader(game, names)


def make_problems(
    game: AnyGame, read: ReadTurn, index: int, violations: Iterable[Violation], *, canonical: Any, names: Sequence[str]
) -> tuple[Problem, ...]:
    """Return the problems of one decision of a turn that was read, columns within the turn."""
    decision, column = read.decisions[index], read.columns[index]
    notation = find_notation_plugin(game)

    def as_problem(violation: Violation) -> Problem:
        start, length = _find_span(decision.parts, notation.find_part(decision.move, canonical, violation.part))
        instead = [notation.write_alternative(game, canonical, alternative) for alternative in violation.alternatives]
        some = ", for example" if len(instead) >= NEAREST else ""
        legal = f"Legal here{some}: {list_names([f'`{turn}`' for turn in instead])}." if instead else ""
        fixes = (*violation.fixes, *(Fix(text, Scope.DECISION) for text in instead))
        return Problem(
            kind=Kind.ILLEGAL,
            rule=violation.rule,
            message=fill_names(capitalize_text(violation.sentence), names),
            col=column + start + 1,
            length=length,
            hint=fill_names(violation.hint or legal, names),
            fixes=tuple(Fix(fill_names(fix.text, names), fix.scope) for fix in fixes),
        )

    return tuple(map(as_problem, violations))


def _find_span(parts: Mapping[str, Span], part: str) -> Span:
    """Return the place of a part; a part that is not written has the place of the whole decision."""
    if part in parts:
        return parts[part]
    if not parts:
        return 0, 1
    start = min(column for column, _ in parts.values())
    return start, max(column + length for column, length in parts.values()) - start
