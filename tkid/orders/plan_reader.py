"""Making plans of parsed orders: standing orders, conditions and the steps that hang on them; or what is wrong in them."""

from __future__ import annotations

import re

from attrs import field, frozen
from lark import Token, Tree

from tkid.kernel.game import with_names
from tkid.kernel.problems import Kind, Place, Problem
from tkid.notation.people import People, single
from tkid.notation.plugin import TurnReader
from tkid.notation.turns import WrongError
from tkid.notation.vocabulary import Unknown
from tkid.orders.model import (
    ANYONE,
    Condition,
    If,
    Planned,
    Standing,
    Step,
    Steps,
    Stop,
    Turn,
    Who,
)
from tkid.orders.syntax import shown

MOST_NESTED = 5
"""Conditions or parentheses inside one another."""
SELF = {"i", "me", "myself"}
NEGATED = re.compile(r"(?:.*\s)?(?:not|n't|never|nobody|none|no)(?:\s.*)?|.*n't(?:\s.*)?", re.IGNORECASE)
IF_BEHIND = re.compile(r"[;,.]\s*(if)(?!\w)", re.IGNORECASE)


def form(message: str, hint: str, at: int, length: int = 1) -> Problem:
    """The problem with an order that does not have its form; the column counts from 0."""
    return Problem(Kind.SYNTAX, "post.order.form", message, col=at + 1, length=max(1, length), hint=hint)


def nobody(people: People, typed: str, at: int, lead: str = "") -> Problem:
    """The problem with a name that no player has; the column counts from 0."""
    told, hint = f"`{shown(typed)}` is no player of this game", lead + people.hint(typed)
    return Problem(Kind.NAME, "notation.player", told, col=at + 1, length=len(typed), hint=hint)


def no_card(turns: TurnReader, unknown: Unknown, at: int) -> Problem:
    """The problem with a name that no card has; the column counts from 0."""
    told = "fits several cards" if unknown.ambiguous else "is no card of this game"
    hint = unknown.hint() or turns.cards_listed()
    place: Place = {"col": at + 1, "length": len(unknown.typed)}
    message, fixes = f"`{shown(unknown.typed)}` {told}", unknown.fixes()
    return Problem(Kind.NAME, "notation.card", message, hint=hint, fixes=fixes, **place)


def nested_too_deep(at: int) -> Problem:
    """The problem with a plan in which too much hangs on too much; the column counts from 0."""
    told = f"More than {MOST_NESTED} conditions or parentheses stand inside one another here"
    return Problem(Kind.SYNTAX, "post.plan.nested", told, col=at + 1, hint="Make several orders of it.")


def read_turn(turns: TurnReader, people: People, text: str, at: int) -> Turn:
    """A turn that stands at a column of its line. Raises WrongError."""
    behind = IF_BEHIND.search(text)
    if behind:
        hint = "Give the plan a line of its own, or write `then if` for your next turn."
        raise WrongError(form("A plan does not stand behind a turn like this", hint, at + behind.start(1), 2))
    read = turns.turn(text)
    if read.problems:
        raise WrongError(*(problem.moved(line=1, col=at) for problem in read.problems))
    return Turn(with_names(turns.game.words.turn(read.moves), people.names), read)


@frozen
class PlanBuild:
    """Makes a plan of its `owner` from a parsed line, collecting what is not understood. `text` is the line as typed."""

    people: People
    turns: TurnReader
    text: str
    owner: int | None = None
    most_nested: int = MOST_NESTED
    problems: list[Problem] = field(factory=list)

    def standing(self, tree: Tree[Token]) -> Standing:
        """A standing order. Raises WrongError."""
        order = self.turns.orders.read_standing(self, tree)
        self._check()
        return order

    def plan(self, tree: Tree[Token]) -> Planned:
        """A plan. Raises WrongError."""
        steps = self._steps(tree.children[0], 0)
        self._check()
        return Planned(steps)

    def _check(self) -> None:
        if self.problems:
            raise WrongError(*self.problems)

    def _steps(self, tree: object, depth: int) -> Steps:
        assert isinstance(tree, Tree)
        steps: list[Step] = []
        for child in tree.children:
            if isinstance(child, Tree) and child.data == "steps":
                steps += self._steps(child, depth)
            elif isinstance(child, Tree):
                steps.append(self._if(child, depth + 1))
            else:
                steps.append(self._leaf(child))
        for at, step in enumerate(steps[:-1]):
            if isinstance(step, Stop):
                self.wrong("Nothing can come after `stop`", "A plan ends where it stops.", tree.children[at])
        return tuple(steps)

    def _leaf(self, token: Token) -> Step:
        if token.type == "STOP":
            return Stop()
        at = token.start_pos or 0
        try:
            return read_turn(self.turns, self.people, self.text[at : at + len(token)], at)
        except WrongError as wrong:
            self.problems.extend(wrong.problems)
            return Stop()

    def _if(self, tree: Tree[Token], depth: int) -> If:
        if depth > self.most_nested:
            self.problems.append(nested_too_deep(self._span(tree)[0]))
            return If((), ())
        conditions, then, *rest = tree.children
        assert isinstance(conditions, Tree)
        read = tuple(map(self._condition, conditions.children))
        otherwise = self._steps(rest[0], depth - 1) if rest else None
        return If(read, self._steps(then, depth), otherwise, conditions.data == "every")

    def _condition(self, tree: object) -> Condition:
        assert isinstance(tree, Tree)
        return self.turns.orders.read_condition(self, tree)

    # -- names --------------------------------------------------------------------------------------------

    def who(self, tree: object) -> Who:
        """Whom a condition is about."""
        typed, at = self.typed(tree)
        who = self.people.who(typed)
        if (who is not None and who == self.owner) or single(typed) in SELF:
            told, hint = "A plan looks at what the others do, not at yourself", "Name another player, or `anyone`."
            place: Place = {"col": at + 1, "length": len(typed)}
            self.problems.append(Problem(Kind.ILLEGAL, "post.plan.others", told, hint=hint, **place))
        elif who is not None:
            return who
        elif NEGATED.fullmatch(typed):
            self.wrong(f"`{shown(typed)}` is not understood", self.turns.orders.without_not, tree)
        else:
            self.problems.append(nobody(self.people, typed, at))
        return ANYONE

    def typed(self, tree: object) -> tuple[str, int]:
        """What stands in the line for a part of the parsed tree, and its column from 0."""
        at, length = self._span(tree)
        return self.text[at : at + length], at

    @staticmethod
    def _span(tree: object) -> tuple[int, int]:
        if isinstance(tree, Token):
            return tree.start_pos or 0, len(tree)
        assert isinstance(tree, Tree)
        return tree.meta.start_pos, tree.meta.end_pos - tree.meta.start_pos

    def wrong(self, message: str, hint: str, tree: object) -> None:
        """Note what is wrong with a part of the parsed line."""
        self.problems.append(form(message, hint, *self._span(tree)))
