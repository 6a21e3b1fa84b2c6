"""Simple orders, in which no player, region or condition is named: made of parsed lines, and written as lines."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Literal

from lark import Token, Tree

from tkid.notation.dates import NoDay, day_in_words, read_day
from tkid.notation.turns import WrongError
from tkid.orders.lookup import problem
from tkid.orders.model import NO_PICTURES, PICTURES, Ask, Away, Cancel, Notify, Undo
from tkid.orders.plugin import OrderLanguage
from tkid.rulebook import cites

UNDO = {"ask": "undo?", "agree": "undo yes", "refuse": "undo no"}


def read_away(tree: Tree[Token], text: str, __: OrderLanguage) -> Away:
    """An absence. Raises WrongError."""
    spans = [(child.meta.start_pos, child.meta.end_pos) for child in tree.children if isinstance(child, Tree)]
    days = [read_day(text[start:end]) for start, end in spans]
    problems = [
        problem(day.rule, day.message, day.hint, start, end - start)
        for day, (start, end) in zip(days, spans, strict=True)
        if isinstance(day, NoDay)
    ]
    if problems:
        raise WrongError(*problems)
    first, last = (day for day in days if isinstance(day, date))
    if last < first:
        message = f"The last day, {day_in_words(last)}, is before the first, {day_in_words(first)}"
        hint = f"Did you mean `away {last.isoformat()} to {first.isoformat()}`?"
        column = spans[-1][0]
        raise WrongError(problem("post.away.span", message, hint, column, len(text) - column))
    return Away(first, last)


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


def write_question(order: Ask) -> str:
    """A question with what it is about, as a line."""
    return f"{order.kind} {order.argument}".rstrip()
