"""Making plans of parsed orders: standing orders, conditions and the steps that hang on them; or what is wrong in them."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import field, frozen
from lark import Token, Tree

from tkid.games.struggle.board import UNSTABLE
from tkid.kernel.game import with_names
from tkid.kernel.problems import Kind, Problem
from tkid.notation.build import WrongError
from tkid.notation.orders import (
    ANYONE,
    EVERYONE,
    Condition,
    Contested,
    If,
    Outcome,
    Passes,
    Planned,
    Plays,
    Standing,
    Step,
    Steps,
    Stop,
    Struggle,
    Turn,
    Who,
)
from tkid.notation.orders_teach import shown
from tkid.notation.people import People, single
from tkid.notation.turns import TurnReader
from tkid.notation.vocabulary import Unknown, listed

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
    hint = unknown.hint() or f"The cards are {listed(turns.game.cards, 'and')}."
    place = {"col": at + 1, "length": len(unknown.typed)}
    return Problem(Kind.NAME, "notation.card", f"`{shown(unknown.typed)}` {told}", hint=hint, **place)


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
        if tree.data in {"until_struggle", "always"}:
            return Standing("struggle" if tree.data == "until_struggle" else "always")
        name = tree.children[0]
        if tree.data == "until_contested":
            order = Standing("contested", region=self._region(name))
        else:
            who = self._who(name)
            if who == EVERYONE:
                self._wrong("A player is waited for, or `someone`", "The form is `pass until someone acts`.", name)
            order = Standing("acts", who=who)
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
                self._wrong("Nothing can come after `stop`", "A plan ends where it stops.", tree.children[at])
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
        forms: dict[str, Callable[..., Condition]] = {
            "passes": lambda name: Passes(self._who(name)),
            "acts": lambda name: Plays(self._who(name)),
            "plays": lambda name, card: Plays(self._who(name), self._card(card)),
            "contested": lambda name: Contested(self._region(name)),
            "goes": lambda name, faction: Outcome(self._region(name), self._faction(faction)),
            "unstable": lambda name: Outcome(self._region(name), UNSTABLE),
            "struggle": lambda _: Struggle(),
        }
        return forms[tree.data](*tree.children)

    # -- names --------------------------------------------------------------------------------------------

    def _who(self, tree: object) -> Who:
        typed, at = self._typed(tree)
        who = self.people.who(typed)
        if (who is not None and who == self.owner) or single(typed) in SELF:
            told, hint = "A plan looks at what the others do, not at yourself", "Name another player, or `anyone`."
            place = {"col": at + 1, "length": len(typed)}
            self.problems.append(Problem(Kind.ILLEGAL, "post.plan.others", told, hint=hint, **place))
        elif who is not None:
            return who
        elif NEGATED.fullmatch(typed):
            hint = "There is no `not`: write `Bob acts` for a player who does not pass, or use `else`."
            self._wrong(f"`{shown(typed)}` is not understood", hint, tree)
        else:
            self.problems.append(nobody(self.people, typed, at))
        return ANYONE

    def _card(self, tree: object) -> str:
        typed, at = self._typed(tree)
        found = self.turns.cards.find(typed)
        if isinstance(found, str) and found in self.turns.game.cards:
            return found
        unknown = found if isinstance(found, Unknown) else Unknown(typed, ())
        self.problems.append(no_card(self.turns, unknown, at))
        return ""

    def _region(self, tree: object) -> int:
        typed, at = self._typed(tree)
        regions = self.turns.regions
        found = regions.find(typed)
        if isinstance(found, Unknown):
            told = "fits several regions" if found.ambiguous else "is no region"
            hint = found.hint() or f"The regions are {listed(regions.names, 'and')}."
            place = {"col": at + 1, "length": len(typed)}
            self.problems.append(Problem(Kind.NAME, "notation.region", f"`{shown(typed)}` {told}", hint=hint, **place))
            return 0
        return list(regions.names).index(found)

    def _faction(self, tree: object) -> int:
        typed, at = self._typed(tree)
        factions = self.turns.game.board.factions
        for index, faction in enumerate(factions):
            if typed.casefold() in {faction.letter.casefold(), faction.name.casefold()}:
                return index
        hint = f"The factions are {listed([faction.name for faction in factions], 'and')}."
        place = {"col": at + 1, "length": len(typed)}
        self.problems.append(
            Problem(Kind.NAME, "notation.faction", f"`{shown(typed)}` is no faction", hint=hint, **place)
        )
        return 0

    def _typed(self, tree: object) -> tuple[str, int]:
        """What stands in the line for a part of the parsed tree, and its column from 0."""
        at, length = self._span(tree)
        return self.text[at : at + length], at

    @staticmethod
    def _span(tree: object) -> tuple[int, int]:
        if isinstance(tree, Token):
            return tree.start_pos or 0, len(tree)
        assert isinstance(tree, Tree)
        return tree.meta.start_pos, tree.meta.end_pos - tree.meta.start_pos

    def _wrong(self, message: str, hint: str, tree: object) -> None:
        self.problems.append(form(message, hint, *self._span(tree)))
