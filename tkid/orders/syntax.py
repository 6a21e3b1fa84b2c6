"""Wrong orders taught by example: what is wrong with a line is found by comparing it with known wrong ones."""

from __future__ import annotations

from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from tkid.notation.error_examples import Taught
from tkid.notation.grammar_files import source
from tkid.orders.kinds import BY_NAME, KINDS, Wrong
from tkid.orders.lookup import shown
from tkid.orders.plugin import OrderLanguage


@cache
def order_parser(family: str) -> Lark:
    """The parser of orders, started by kind; `family` names the grammar of the game's own orders."""
    rules = [kind.name for kind in KINDS if kind.rule]
    grammar = f"{source('orders')}\n{source(family)}"
    return Lark(grammar, parser="lalr", start=rules, propagate_positions=True, maybe_placeholders=False)


def wrong_lines(language: OrderLanguage, kind: str) -> Wrong:
    """Wrong lines of a kind by what is wrong with them; empty where none are known."""
    return language.wrong.get(kind, BY_NAME[kind].wrong)


@cache
def _taught(language: OrderLanguage, kind: str) -> Taught:
    return Taught(order_parser(language.grammar), kind, wrong_lines(language, kind))


def explain(language: OrderLanguage, kind: str, text: str, error: UnexpectedInput) -> tuple[str, int, int]:
    """What is wrong in words, and where: column from 0 and length."""
    at, length = _place(text, error)
    found = text[at : at + length].strip()
    label = "" if isinstance(error, UnexpectedCharacters) else _taught(language, kind).label(error)
    if label:
        return label, at, length
    return f"`{shown(found)}` does not belong here" if found else "Something is missing here", at, length


def _place(text: str, error: UnexpectedInput) -> tuple[int, int]:
    token = error.token if isinstance(error, UnexpectedToken) else None
    if token is not None and token.type == "$END":
        return len(text.rstrip()), 1
    at = min(error.pos_in_stream or 0, len(text))
    if token is not None:
        return at, max(1, len(token.rstrip()))
    words = text[at:].split()
    return at, len(words[0]) if words else 1
