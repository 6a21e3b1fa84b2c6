"""The table of order kinds, the simple orders, and writing an order.

`tkid.orders.order_reader` reads orders by this table, `OrderWriter` writes them, `tkid.orders.intent` tells an order with an error
from a sentence, and the mail layer carries them out. What differs between games is "" or None here: each game has its own words for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Literal

from attrs import field, frozen
from lark import Token, Tree

from tkid.kernel.problems import Problem
from tkid.notation.line_parser import Wrong
from tkid.notation.names import EVERYBODY, People, simplify_name
from tkid.notation.plugin import TurnReader
from tkid.notation.turns import WrongError
from tkid.orders import order_values
from tkid.orders.order_values import (
    NO_PICTURES,
    PICTURES,
    Agree,
    Ask,
    Away,
    Cancel,
    Condition,
    If,
    NoDay,
    Notify,
    Order,
    OrderLanguage,
    Pause,
    Planned,
    Say,
    Standing,
    Step,
    Steps,
    Stop,
    Turn,
    Undo,
    find_order_language,
    make_problem,
    read_day,
    write_day,
)
from tkid.rulebook import cites

UNDO = {"ask": "undo?", "agree": "undo yes", "refuse": "undo no"}


def read_away(tree: Tree[Token], text: str, __: OrderLanguage) -> Away:
    """Read an absence. Raises WrongError."""
    (first, _), (last, column) = _read_days(tree, text)
    if last < first:
        message = f"The last day, {write_day(last)}, is before the first, {write_day(first)}"
        hint = f"Did you mean `away {last.isoformat()} to {first.isoformat()}`?"
        raise WrongError(make_problem("post.away.span", message, hint, column, len(text) - column))
    return Away(first, last)


def read_pause(tree: Tree[Token], text: str, __: OrderLanguage) -> Pause:
    """Read a pause. Raises WrongError."""
    ((until, _),) = _read_days(tree, text)
    return Pause(until)


def _read_days(tree: Tree[Token], text: str) -> list[tuple[date, int]]:
    """Return the days of a parsed order, each with its column. Raises WrongError."""
    days, problems = list[tuple[date, int]](), list[Problem]()
    for start, end in [
        (child.meta.start_pos, child.meta.end_pos) for child in tree.children if isinstance(child, Tree)
    ]:
        day = read_day(text[start:end])
        if isinstance(day, NoDay):
            problems.append(make_problem(day.rule, day.message, day.hint, start, end - start))
        else:
            days.append((day, start))
    if problems:
        raise WrongError(*problems)
    return days


def read_cancel(tree: Tree[Token], _: str, __: OrderLanguage) -> Cancel:
    """Read the orders that are cancelled; all if none is named."""
    token = _get_token(tree, "ALL")
    if token.type == "NUMBER":
        return Cancel(int(re.sub(r"[^0-9]", "", token)))
    return Cancel(token.type.casefold())


@cites("post.undo")
def read_undo(tree: Tree[Token], _: str, __: OrderLanguage) -> Undo:
    """Read a request for an undo, or an answer to one."""
    consents: dict[str, Literal["ask", "agree", "refuse"]] = {"ASK": "ask", "YES": "agree", "NO": "refuse"}
    return Undo(consents[_get_token(tree, "ASK").type])


@cites("post.agree")
def read_agree(tree: Tree[Token], _: str, __: OrderLanguage) -> Agree:
    """Read an end that is agreed to, or refused."""
    ends: dict[str, Literal["draw", "abandon", "refuse"]] = {"DRAW": "draw", "ABANDON": "abandon", "REFUSED": "refuse"}
    return Agree(ends[_get_token(tree, "DRAW").type])


def read_notify(tree: Tree[Token], _: str, language: OrderLanguage) -> Notify:
    """Read which mails are wanted, or whether with pictures."""
    levels = {"EVERY": "every turn", "MINE": "my turns", "PICTURES": PICTURES, "PLAIN": NO_PICTURES}
    return Notify((levels | {"NEWS": language.level})[_get_token(tree, "EVERY").type])


def _get_token(tree: Tree[Token], missing: str) -> Any:
    """Return the order's first token, or an empty token of type `missing`."""
    return tree.children[0] if tree.children else Token(missing, "")


def write_undo(order: Undo) -> str:
    """Write a request for an undo, or an answer to one, as a line."""
    return UNDO[order.consent]


def write_agree(order: Agree) -> str:
    """Write an end that is agreed to, or refused, as a line."""
    return f"agree {'no' if order.to == 'refuse' else order.to}"


def write_question_line(order: Ask) -> str:
    """Write a question with its subject as a line."""
    return f"{order.kind} {order.argument}".rstrip()


Answers = Literal["any", "latest", "told", "due"]
"""The mails of ours that an order may answer."""


@frozen
class OrderKind:
    """A kind of orders, and all that is true of it.

    `may_be_broken` says that a mail program may break a line of it in two, `is_given_once` that a mail has only one. An order of
    a kind may be sent after the end of the game, or after its sender has resigned, if `may_follow_end` or `may_follow_resignation`
    says so. A doubt in the mail is about orders that are `is_binding`. In the words of a kind that `may_withdraw`, people also
    withdraw a turn (`cancel that`), but not if it `is_sure_with_date` and has one. A line of a kind that `has_own_text`, such as
    conditions and days, says nothing about a turn if it has an error. A kind that `is_harmless` binds nobody, so that the two
    forms of a mail need not agree about it.
    """

    name: str
    order: type
    rank: int
    form: str = ""
    help: str = ""
    words: tuple[str, ...] = ()
    has_grammar: bool = False
    wrong: Wrong = field(factory=dict)
    read: Callable[[Tree[Token], str, OrderLanguage], order_values.Order] | None = None
    write: Callable[[Any], str] | None = None
    shown_by: frozenset[str] | None = None
    may_be_broken: bool = False
    is_given_once: bool = False
    final: tuple[order_values.Order, ...] = ()
    answers: Answers = "latest"
    may_follow_end: bool = False
    may_follow_resignation: bool = False
    is_binding: bool = False
    may_withdraw: bool = False
    is_sure_with_date: bool = False
    has_own_text: bool = False
    is_harmless: bool = False
    hosted: bool | Callable[[Any], bool] = False
    listed: int = 2

    def has_to_be_hosted(self, order: order_values.Order) -> bool:
        """Return True if only a host carries out an order of this kind."""
        return self.hosted(order) if callable(self.hosted) else self.hosted


def _is_about_plans(order: order_values.Cancel) -> bool:
    return order.what != "away"


def _make_question_kind(name: str, listed: int, form: str, answer: str, words: tuple[str, ...] = ()) -> OrderKind:
    """Return a kind of questions: they change nothing, so they may always be asked, and come last."""
    write = write_question_line
    return OrderKind(
        *(name, order_values.Ask, 6, form, answer, (name, *words)),
        write=write,
        answers="any",
        may_follow_end=True,
        may_follow_resignation=True,
        is_harmless=True,
        listed=listed,
    )


KINDS = (
    OrderKind(
        "plan",
        order_values.Planned,
        rank=5,
        help="does something on your turn, depending on what happened; nobody else sees it before",
        words=("if",),
        has_grammar=True,
        may_be_broken=True,
        answers="told",
        hosted=True,
        is_binding=True,
        has_own_text=True,
    ),
    OrderKind(
        "say",
        order_values.Say,
        rank=0,
        form="`say to all: TEXT` or `say to NAME: TEXT`",
        help="sends a message to the players, or to one",
        words=("say", "tell", "press"),
        has_grammar=True,
        wrong={
            "The player to write to is missing": ["say", "say:", "say to", "say to:"],
            "A colon is missing between the name and the text": ["say to Bob", "say Bob"],
            "The text is missing": ["say to Bob:", "say Bob:"],
        },
        may_follow_end=True,
        may_follow_resignation=True,
        hosted=True,
        has_own_text=True,
        is_harmless=True,
    ),
    OrderKind(
        "away",
        order_values.Away,
        rank=2,
        form="`away 2026-12-20 to 2026-12-27`",
        help="announces an absence, first and last day: your clock stands still",
        words=("away",),
        has_grammar=True,
        wrong={
            "The days are missing": ["away", "away from"],
            "The last day is missing": ["away 2026-12-20", "away from 2026-12-20 to"],
            "Give a first day and a last day": ["away 2026-12-20 to 2026-12-27 to"],
        },
        read=read_away,
        write="away {0.first} to {0.last}".format,
        shown_by=frozenset({"from", "until", "till", "next", "on", "for"}),
        may_be_broken=True,
        is_binding=True,
        may_withdraw=True,
        is_sure_with_date=True,
        has_own_text=True,
    ),
    OrderKind(
        "cancel",
        order_values.Cancel,
        rank=1,
        form="`cancel all`, `cancel standing`, `cancel conditional`, `cancel away`, or the number as in `cancel 2`",
        help="ends plans, or an absence",
        words=("cancel",),
        has_grammar=True,
        read=read_cancel,
        write="cancel {0.what}".format,
        shown_by=frozenset(
            ["all", "away", "everything", "order", "orders", "plan", "plans", "standing", "conditional", "number"]
        ),
        hosted=_is_about_plans,
        may_withdraw=True,
    ),
    OrderKind(
        "undo",
        order_values.Undo,
        rank=3,
        form="`undo?`, `undo yes` or `undo no`",
        help="asks for the last turn to be taken back, agrees to it, or refuses",
        words=("undo",),
        has_grammar=True,
        read=read_undo,
        write=write_undo,
        shown_by=frozenset({"yes", "no", "agreed", "agree", "refuse", "refused", "turn"}),
        final=(order_values.Undo("agree"),),
        answers="told",
        hosted=True,
        is_binding=True,
        may_withdraw=True,
    ),
    OrderKind(
        "agree",
        order_values.Agree,
        rank=3,
        form="`agree draw`, `agree abandon` or `agree no`",
        help="ends the game drawn or without a result, when everybody sends it; `agree no` refuses",
        words=("agree",),
        has_grammar=True,
        wrong={"What you agree to is missing": ["agree", "agree yes", "agree to"]},
        read=read_agree,
        write=write_agree,
        shown_by=frozenset({"draw", "abandon", "no", "drawn", "abandoned"}),
        final=(order_values.Agree("draw"), order_values.Agree("abandon")),
        answers="told",
        hosted=True,
        is_binding=True,
        may_withdraw=True,
    ),
    OrderKind(
        "pause",
        order_values.Pause,
        rank=3,
        form="`pause until 2026-12-20`",
        help="stops all clocks until a day begins, when everybody sends it",
        words=("pause",),
        has_grammar=True,
        wrong={"The day until which the game pauses is missing": ["pause", "pause until", "pause 2026-12-20"]},
        read=read_pause,
        write="pause until {0.until}".format,
        shown_by=frozenset({"until", "till", "to"}),
        answers="told",
        hosted=True,
        is_binding=True,
        may_withdraw=True,
        is_sure_with_date=True,
        has_own_text=True,
    ),
    OrderKind(
        "notify",
        order_values.Notify,
        rank=2,
        help="chooses which mails you get, and whether with pictures",
        words=("notify",),
        has_grammar=True,
        read=read_notify,
        write="notify {0.level}".format,
        shown_by=frozenset({"every", "each", "all", "my", "turn", "turns", "picture", "pictures"}),
        may_follow_end=True,
        may_follow_resignation=True,
        hosted=True,
    ),
    OrderKind(
        "draft",
        order_values.Draft,
        rank=0,
        help="checks a turn and tells only you; nothing is played",
        words=("draft",),
        write="draft {0.turn.text}".format,
        may_be_broken=True,
        answers="any",
        may_follow_end=True,
        may_withdraw=True,
        has_own_text=True,
        is_harmless=True,
    ),
    OrderKind(
        "resign",
        order_values.Resign,
        rank=3,
        form="`resign`",
        help="gives up the game",
        words=("resign",),
        write="resign".format,
        shown_by=frozenset(),
        final=(order_values.Resign(),),
        answers="told",
        listed=6,
        may_withdraw=True,
    ),
    _make_question_kind(
        "status", 5, "`status`", "shows the game as it is now, with your plans and choices", ("position", "board")
    ),
    _make_question_kind("legal", 3, "", "lists the legal turns, with one card or with all", ("moves",)),
    _make_question_kind(
        "rules",
        3,
        "`rules post.undo`, or a question",
        "shows a rule by its id, or the rules that answer a question",
        ("rule", "ask"),
    ),
    _make_question_kind("why", 5, "`why`", ""),
    _make_question_kind("history", 5, "`history`", "shows all turns"),
    _make_question_kind("help", 4, "`help`, or the order as in `help away`", "shows the orders, or one of them"),
    OrderKind(
        "standing",
        order_values.Standing,
        rank=5,
        has_grammar=True,
        may_be_broken=True,
        answers="told",
        hosted=True,
        listed=1,
        is_binding=True,
        has_own_text=True,
    ),
    OrderKind(
        "turn",
        order_values.Turn,
        rank=4,
        help="plays a turn; the mails that ask for one show some that are legal",
        may_be_broken=True,
        is_given_once=True,
        answers="due",
        may_follow_end=True,
        listed=0,
        is_binding=True,
    ),
)
"""All kinds of orders."""
BY_NAME: Mapping[str, OrderKind] = MappingProxyType({kind.name: kind for kind in KINDS})
FIRST_WORDS: Mapping[str, str] = MappingProxyType({word: kind.name for kind in KINDS for word in kind.words})
"""First words of orders, and their kinds."""
TOPICS: Mapping[str, str] = MappingProxyType({**FIRST_WORDS, **{kind.name: kind.name for kind in KINDS}})
"""Topics of `help` in every game."""
LISTED = tuple(sorted(KINDS, key=lambda kind: kind.listed))
"""The kinds as `help` lists them."""
LAST = max(kind.rank for kind in KINDS) + 1
"""Rank of a line that could not be read."""
_OF_CLASS = {kind.order: kind for kind in KINDS}


def find_order_kind(order: order_values.Order) -> OrderKind:
    """Return the kind of an order.

    Args:
        order: an order, of any game.

    Returns:
        The kind in the table.
    """
    if isinstance(order, order_values.Ask):
        return BY_NAME[order.kind]
    return _OF_CLASS[order_values.Standing if isinstance(order, order_values.Standing) else type(order)]


def list_forms(language: OrderLanguage) -> dict[str, str]:
    """Return the form of each kind of order besides turns in a game, by its name, as `help` lists them."""
    every = {kind.name: language.forms.get(kind.name, kind.form) for kind in LISTED}
    return {name: form for name, form in every.items() if form}


def describe_form(kind: str, language: OrderLanguage) -> str:
    """Return the form of orders of a kind in a game, for a hint."""
    return f"Write {list_forms(language)[kind]}."


@frozen
class OrderWriter:
    """Writes the orders of a game with these players; `turns` reads its turns."""

    turns: TurnReader
    people: People
    language: OrderLanguage = field(init=False)

    @language.default
    def _(self) -> OrderLanguage:
        return find_order_language(self.turns.game)

    def write_order(self, order: Order) -> str:
        """Write an order as one line."""
        match order:
            case Turn(text):
                return text
            case Standing():
                return self.language.write_standing(order, self.turns.game, self.people)
            case Planned(steps):
                return self._write_plan(steps)
            case Say(to, text):
                return f"say to {to if isinstance(to, str) else self._write_addressee(to)}: {text}"
        write = find_order_kind(order).write
        assert write is not None
        return write(order)

    def _write_addressee(self, seat: int) -> str:
        name = self.people.names[seat]
        clear = (
            simplify_name(name) not in EVERYBODY
            and ":" not in simplify_name(name)
            and self.people.find_seat(name) == seat
        )
        return str(seat + 1) if not clear else name

    def _write_plan(self, steps: Steps) -> str:
        """Write a plan; one of a single turn stands in parentheses, so that it is not taken for the turn itself."""
        return (
            self._write_steps(steps) if len(steps) > 1 or isinstance(steps[0], If) else f"({self._write_steps(steps)})"
        )

    def _write_steps(self, steps: Steps, *, last: bool = True) -> str:
        """Write the steps of a plan; `last` says that nothing follows which could be taken for a part of them."""
        *others, final = steps
        written = [self._write_step(step, last=False) for step in others]
        return "; then ".join([*written, self._write_step(final, last=last)])

    def _write_step(self, step: Step, *, last: bool) -> str:
        if isinstance(step, Turn):
            return step.text
        if isinstance(step, Stop):
            return "stop"
        written = self._write_if(step)
        return written if last else f"({written})"

    def _write_if(self, step: If) -> str:
        joined = (" and " if step.every else " or ").join(map(self.write_condition, step.conditions))
        then = self._write_steps(step.then, last=step.otherwise is None)
        if step.otherwise is None:
            return f"if {joined}: {then}"
        return f"if {joined}: {then}; else {self._write_steps(step.otherwise)}"

    def write_condition(self, condition: Condition) -> str:
        """Write a condition of a plan."""
        return self.language.write_condition(condition, self.turns.game, self.people)
