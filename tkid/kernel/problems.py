"""Problems of a text that a person wrote, violations of rules, and repairs."""

from __future__ import annotations

from enum import Enum
from typing import TypedDict

from attrs import evolve, field, frozen

from tkid.kernel.pickling import Portable


class Scope(Enum):
    """The part of a turn that a fix replaces."""

    PLACE = "place"  # the place of the problem, as a name that is put right
    DECISION = "decision"  # the decision that breaks a rule
    LINE = "line"  # the whole line
    END = "end"  # nothing: it is added behind the line


@frozen
class Fix(Portable):
    """A repair that a problem proposes, as data: its `text` as written in a turn, and the part that it replaces."""

    text: str
    scope: Scope


@frozen
class Violation(Portable):
    """A broken rule, as data.

    `rule` is the id in the register, `sentence` says what is wrong here, `part` names the slot of the move that is at
    fault ("" for the move as a whole), `hint` explains a fix in words, and `alternatives` holds moves that would be
    legal: the fuller one that was possible, or the nearest ones. `fixes` are repairs of other kinds.
    """

    rule: str
    sentence: str
    part: str = ""
    alternatives: tuple[object, ...] = ()
    hint: str = ""
    fixes: tuple[Fix, ...] = ()


class Kind(Enum):
    """A kind of problem."""

    FILE = "file"  # cannot be read at all
    SYNTAX = "syntax"  # not well formed
    NAME = "name"  # well formed, but a name is unknown or ambiguous
    ILLEGAL = "illegal"  # understood, but against a rule of the game
    INTEGRITY = "integrity"  # a text contradicts the text before it
    FOLLOW_ON = "follow-on"  # may be only a consequence of an earlier problem


class Place(TypedDict):
    """A place in a line."""

    col: int
    length: int


def end_sentence(text: str) -> str:
    """Return a sentence with its full stop, unless it ends with a mark of its own."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


@frozen
class Problem(Portable):
    """A report about a text: kind, rule id, message, place (line and column from 1), and hint."""

    kind: Kind
    rule: str
    message: str
    line: int = 1
    col: int = 1
    length: int = 1
    hint: str = field(default="")
    fixes: tuple[Fix, ...] = field(default=(), eq=False)

    @property
    def told(self) -> str:
        """The message and the hint, as sentences."""
        return f"{end_sentence(self.message)} {self.hint}" if self.hint else self.message

    def moved(self, *, line: int, col: int = 0) -> Problem:
        """Return the same problem in a text of several lines.

        Args:
            line: the line of its text, from 1.
            col: how many columns come before its text on that line.

        Returns:
            The problem with its place in the whole text.
        """
        return evolve(self, line=line, col=self.col + col)

    def proposed(self, *scopes: Scope) -> tuple[str, ...]:
        """Return the texts of some fixes.

        Args:
            scopes: what the fixes replace.

        Returns:
            The texts of the fixes with one of these scopes.
        """
        return tuple(fix.text for fix in self.fixes if fix.scope in scopes)

    def mended(self, typed: str) -> tuple[str, ...]:
        """Return the line with each fix for the place of the problem.

        Args:
            typed: the line as it was typed.

        Returns:
            The line once for each text that is proposed for the place of the problem.
        """
        before, behind = typed[: self.col - 1], typed[self.col - 1 + self.length :]
        return tuple(f"{before}{text}{behind}" for text in self.proposed(Scope.PLACE))

    def __str__(self) -> str:
        return f"{self.message} [{self.rule}]"
