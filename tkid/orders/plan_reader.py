"""Reads plans from parsed lines: standing orders, and steps that depend on conditions; or says what is wrong in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen
from lark import Token, Tree

from tkid.kernel.game import with_names
from tkid.kernel.problems import Kind, Problem
from tkid.notation.line_parser import Wrong
from tkid.notation.people import People
from tkid.notation.plugin import TurnReader
from tkid.notation.turns import WrongError
from tkid.orders.lookup import Lookup, form
from tkid.orders.model import If, Planned, Standing, Step, Steps, Stop, Turn
from tkid.orders.plugin import OrderLanguage

MOST_NESTED = 5
"""Conditions or parentheses inside one another."""
WRONG_STEPS: Wrong = {
    "What to do is missing": ["if CONDITION:", "if CONDITION: else stop", "if CONDITION: (", "("],
    "What to do otherwise is missing": ["if CONDITION: TURN; else", "if CONDITION: stop else"],
    "What to do next is missing": ["TURN; then", "stop then"],
    "A condition has `and` or `or`, not both": [
        "if CONDITION and CONDITION or",
        "if CONDITION or CONDITION and",
    ],
    "Another condition is missing": ["if CONDITION and", "if CONDITION or", "if CONDITION and: TURN"],
    "A `)` is missing": ["(TURN", "if CONDITION: (stop"],
    "This `)` has no `(` before it": ["TURN)", "if CONDITION: TURN)", "stop)"],
    "This `else` has no `if` before it": ["TURN; else", "else stop", "stop else"],
    "This `then` has no turn before it": ["then TURN"],
    "Only `else` or `then` may follow `stop`": ["stop stop", "stop TURN", "stop (", "stop if"],
    "Only `else`, `then` or nothing may follow `)`": ["(TURN) TURN", "(TURN) stop", "(TURN) if", "(TURN) ("],
}
"""Wrong plans by what is wrong with them, in any game with its own turn and condition."""
IF_BEHIND = re.compile(r"[;,.]\s*(if)(?!\w)", re.IGNORECASE)


def wrong_steps(turn: str, condition: str) -> Wrong:
    """Wrong plans by what is wrong with them, with a turn and a condition of a game."""
    return {
        label: [line.replace("TURN", turn).replace("CONDITION", condition) for line in lines]
        for label, lines in WRONG_STEPS.items()
    }


def nested_too_deep(column: int) -> Problem:
    """The problem with a plan in which too much hangs on too much; the column counts from 0."""
    message = f"More than {MOST_NESTED} conditions or parentheses are nested here"
    return Problem(Kind.SYNTAX, "post.plan.nested", message, col=column + 1, hint="Split it into several orders.")


def read_turn(turns: TurnReader, people: People, text: str, column: int) -> Turn:
    """A turn that stands at a column of its line. Raises WrongError."""
    behind = IF_BEHIND.search(text)
    if behind:
        hint = "Write the plan on a line of its own, or write `then if` for your next turn."
        raise WrongError(form("A plan cannot follow a turn in this way", hint, column + behind.start(1), 2))
    read = turns.turn(text)
    if read.problems:
        raise WrongError(*(problem.moved(line=1, col=column) for problem in read.problems))
    return Turn(with_names(turns.game.words.turn(read.moves), people.names), read)


@frozen
class PlanReader:
    """Reads a plan or a standing order from a parsed line in a game's `language`; `lookup` knows the names, and collects what is wrong."""

    language: OrderLanguage
    lookup: Lookup
    most_nested: int = MOST_NESTED

    def standing(self, tree: Tree[Token]) -> Standing:
        """A standing order. Raises WrongError."""
        order = self.language.read_standing(self.lookup, tree)
        self._check()
        return order

    def plan(self, tree: Tree[Token]) -> Planned:
        """A plan. Raises WrongError."""
        steps = self._steps(tree.children[0], 0)
        self._check()
        return Planned(steps)

    def _check(self) -> None:
        if self.lookup.problems:
            raise WrongError(*self.lookup.problems)

    def _steps(self, tree: object, depth: int) -> Steps:
        steps = list(self._each(tree, depth))
        for _, part in steps[:-1]:
            if isinstance(part, Token) and part.type == "STOP":  # a wrong turn is none, whatever stands in its place
                self.lookup.wrong("Nothing can come after `stop`", "A plan ends with `stop`.", part)
        return tuple(step for step, _ in steps)

    def _each(self, tree: object, depth: int) -> Iterator[tuple[Step, object]]:
        """The steps with the parts of the line that they stand in; parentheses around steps change nothing."""
        assert isinstance(tree, Tree)
        for child in tree.children:
            if isinstance(child, Tree) and child.data == "steps":
                yield from self._each(child, depth)
            else:
                yield (self._if(child, depth + 1) if isinstance(child, Tree) else self._leaf(child)), child

    def _leaf(self, token: Token) -> Step:
        if token.type == "STOP":
            return Stop()
        column = token.start_pos or 0
        try:
            return read_turn(
                self.lookup.turns, self.lookup.people, self.lookup.text[column : column + len(token)], column
            )
        except WrongError as wrong:
            self.lookup.problems.extend(wrong.problems)
            return Stop()

    def _if(self, tree: Tree[Token], depth: int) -> If:
        if depth > self.most_nested:
            self.lookup.problems.append(nested_too_deep(self.lookup.span(tree)[0]))
            return If((), ())
        conditions, then, *rest = tree.children
        assert isinstance(conditions, Tree)
        read = tuple(self.language.read_condition(self.lookup, condition) for condition in conditions.children)  # type: ignore[arg-type] # the grammar puts only trees here
        otherwise = self._steps(rest[0], depth - 1) if rest else None
        return If(read, self._steps(then, depth), otherwise, conditions.data == "every")
