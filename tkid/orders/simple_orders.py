"""Simple orders, in which no player, region or condition is named: made of parsed lines, and written as lines."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Literal

from lark import Token, Tree

from tkid.kernel.problems import Problem
from tkid.notation.dates import NoDay, day_in_words, read_day
from tkid.notation.turns import WrongError
from tkid.orders.lookup import problem
from tkid.orders.model import NO_PICTURES, PICTURES, Agree, Ask, Away, Cancel, Notify, Pause, Undo
from tkid.orders.plugin import OrderLanguage
from tkid.rulebook import cites

UNDO = {"ask": "undo?", "agree": "undo yes", "refuse": "undo no"}


def read_away(tree: Tree[Token], text: str, __: OrderLanguage) -> Away:
    """An absence. Raises WrongError."""
    (first, _), (last, column) = _days(tree, text)
    if last < first:
        message = f"The last day, {day_in_words(last)}, is before the first, {day_in_words(first)}"
        hint = f"Did you mean `away {last.isoformat()} to {first.isoformat()}`?"
        raise WrongError(problem("post.away.span", message, hint, column, len(text) - column))
    return Away(first, last)


def read_pause(tree: Tree[Token], text: str, __: OrderLanguage) -> Pause:
    """A pause. Raises WrongError."""
    ((until, _),) = _days(tree, text)
    return Pause(until)


def _days(tree: Tree[Token], text: str) -> list[tuple[date, int]]:
    """The days of a parsed order, each with its column. Raises WrongError."""
    days, problems = list[tuple[date, int]](), list[Problem]()
    for start, end in [
        (child.meta.start_pos, child.meta.end_pos) for child in tree.children if isinstance(child, Tree)
    ]:
        day = read_day(text[start:end])
        if isinstance(day, NoDay):
            problems.append(problem(day.rule, day.message, day.hint, start, end - start))
        else:
            days.append((day, start))
    if problems:
        raise WrongError(*problems)
    return days


def read_cancel(tree: Tree[Token], _: str, __: OrderLanguage) -> Cancel:
    """What is cancelled; everything where nothing is named."""
    token = _token(tree, "ALL")
    if token.type == "NUMBER":
        return Cancel(int(re.sub(r"[^0-9]", "", token)))
    return Cancel(token.type.casefold())


@cites("post.undo")
def read_undo(tree: Tree[Token], _: str, __: OrderLanguage) -> Undo:
    """Asking for an undo, or an answer to that."""
    consents: dict[str, Literal["ask", "agree", "refuse"]] = {"ASK": "ask", "YES": "agree", "NO": "refuse"}
    return Undo(consents[_token(tree, "ASK").type])


@cites("post.agree")
def read_agree(tree: Tree[Token], _: str, __: OrderLanguage) -> Agree:
    """An end that is agreed to, or refused."""
    ends: dict[str, Literal["draw", "abandon", "refuse"]] = {"DRAW": "draw", "ABANDON": "abandon", "REFUSED": "refuse"}
    return Agree(ends[_token(tree, "DRAW").type])


def read_notify(tree: Tree[Token], _: str, language: OrderLanguage) -> Notify:
    """Which mails are wanted, or whether with pictures."""
    levels = {"EVERY": "every turn", "MINE": "my turns", "PICTURES": PICTURES, "PLAIN": NO_PICTURES}
    return Notify((levels | {"NEWS": language.level})[_token(tree, "EVERY").type])


def _token(tree: Tree[Token], missing: str) -> Any:
    """The one word of a parsed order that tells what is meant; where there is none, one of type `missing`."""
    return tree.children[0] if tree.children else Token(missing, "")


def write_undo(order: Undo) -> str:
    """Asking for an undo, or an answer to that, as a line."""
    return UNDO[order.consent]


def write_agree(order: Agree) -> str:
    """An end that is agreed to, or refused, as a line."""
    return f"agree {'no' if order.to == 'refuse' else order.to}"


def write_question(order: Ask) -> str:
    """A question with what it is about, as a line."""
    return f"{order.kind} {order.argument}".rstrip()
