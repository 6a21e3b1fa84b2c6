"""What is reported about a text that a person wrote: violations of rules, and problems of any kind."""

from __future__ import annotations

from enum import Enum

from attrs import evolve, field, frozen


@frozen
class Violation:
    """A broken rule, as data.

    `rule` is the id in the register, `sentence` says what is wrong here, `part` names the slot of the
    move that is at fault ("" for the move as a whole), `hint` says the way out in words, and
    `alternatives` holds moves that would be legal: the fuller one that was possible, or the nearest ones.
    """

    rule: str
    sentence: str
    part: str = ""
    alternatives: tuple[object, ...] = ()
    hint: str = ""


class Kind(Enum):
    """What sort of wrong a problem is."""

    FILE = "file"  # cannot be read at all
    SYNTAX = "syntax"  # not well formed
    NAME = "name"  # well formed, but a name is unknown or ambiguous
    ILLEGAL = "illegal"  # understood, but against a rule of the game
    INTEGRITY = "integrity"  # what is written does not agree with what is written before it
    FOLLOW_ON = "follow-on"  # may be only a consequence of an earlier problem


@frozen
class Problem:
    """Anything reported about a text: kind, rule id, message, place (line and column from 1), way out."""

    kind: Kind
    rule: str
    message: str
    line: int = 1
    col: int = 1
    length: int = 1
    hint: str = field(default="")

    def moved(self, *, line: int, col: int = 0) -> Problem:
        """The same problem where its text starts on another line, `col` columns further right."""
        return evolve(self, line=line, col=self.col + col)

    def __str__(self) -> str:
        return f"{self.message} [{self.rule}]"
