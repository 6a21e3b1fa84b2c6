"""Looks up the names in orders: players, cards and whatever a game names; and the problems with names that nothing has."""

from __future__ import annotations

import re

from attrs import evolve, field, frozen
from lark import Token, Tree

from tkid.kernel.problems import Kind, Problem
from tkid.notation.people import ANYONE, People, Who, single
from tkid.notation.plugin import TurnReader
from tkid.notation.vocabulary import Unknown

MOST_SHOWN = 40
"""Characters of what was typed that a sentence repeats."""
SELF = {"i", "me", "myself"}
NEGATED = re.compile(r"(?:.*\s)?(?:not|n't|never|nobody|none|no)(?:\s.*)?|.*n't(?:\s.*)?", re.IGNORECASE)


def shown(typed: str) -> str:
    """What was typed, for a sentence: cut where it is long."""
    return typed if len(typed) <= MOST_SHOWN else f"{typed[: MOST_SHOWN - 1]}…"


def problem(rule: str, message: str, hint: str, column: int, length: int, kind: Kind = Kind.SYNTAX) -> Problem:  # noqa: PLR0917 - all that a problem has
    """A problem with a part of a line; the column counts from 0."""
    return Problem(kind, rule, message, col=column + 1, length=length, hint=hint)


def form(message: str, hint: str, column: int, length: int = 1) -> Problem:
    """The problem with an order that does not have its form; the column counts from 0."""
    return problem("post.order.form", message, hint, column, max(1, length))


def nobody(people: People, typed: str, column: int, lead: str = "") -> Problem:
    """The problem with a name that no player has; the column counts from 0."""
    message, hint = f"`{shown(typed)}` is not a player in this game", lead + people.hint(typed)
    return problem("notation.player", message, hint, column, len(typed), Kind.NAME)


def no_card(turns: TurnReader, unknown: Unknown, column: int) -> Problem:
    """The problem with a name that no card has; the column counts from 0."""
    place, cut = (column, len(unknown.typed)), evolve(unknown, typed=shown(unknown.typed))
    return cut.problem("card", "notation.card", place, turns.cards_listed(), of=" of this game")


@frozen
class Lookup:
    """Looks up what a parsed line names, collecting what is not understood. `text` is the line as typed.

    `owner` is the seat whose order it is, if that is known; `without_not` is the hint where somebody wrote `not`.
    """

    people: People
    turns: TurnReader
    text: str
    owner: int | None = None
    without_not: str = ""
    problems: list[Problem] = field(factory=list)

    def who(self, tree: object) -> Who:
        """Whom a condition is about."""
        typed, column = self.typed(tree)
        who = self.people.who(typed)
        if (who is not None and who == self.owner) or single(typed) in SELF:
            message, hint = (
                "A plan looks at what the others do, not at what you do",
                "Name another player, or write `anyone`.",
            )
            self.problems.append(problem("post.plan.others", message, hint, column, len(typed), Kind.ILLEGAL))
        elif who is not None:
            return who
        elif NEGATED.fullmatch(typed):
            self.wrong(f"`{shown(typed)}` is not understood", self.without_not, tree)
        else:
            self.problems.append(nobody(self.people, typed, column))
        return ANYONE

    def typed(self, tree: object) -> tuple[str, int]:
        """What stands in the line for a part of the parsed tree, and its column from 0."""
        column, length = self.span(tree)
        return self.text[column : column + length], column

    @staticmethod
    def span(tree: object) -> tuple[int, int]:
        """Where a part of the parsed tree stands in the line: its column from 0, and its length."""
        if isinstance(tree, Token):
            return tree.start_pos or 0, len(tree)
        assert isinstance(tree, Tree)
        return tree.meta.start_pos, tree.meta.end_pos - tree.meta.start_pos

    def wrong(self, message: str, hint: str, tree: object) -> None:
        """Note what is wrong with a part of the parsed line."""
        self.problems.append(form(message, hint, *self.span(tree)))
