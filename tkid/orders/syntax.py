"""Wrong orders taught by example: what is wrong with a line is found by comparing it with known wrong ones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from tkid.notation.error_examples import Taught
from tkid.notation.grammar_files import source
from tkid.notation.plugin import Orders

MOST_SHOWN = 40
"""Characters of what was typed that a sentence repeats."""

KINDS = (
    "standing",
    "plan",
    "say",
    "away",
    "cancel",
    "undo",
    "notify",
    "draft",
    "legal",
    "rules",
    "help",
    "status",
    "why",
    "history",
    "resign",
)
"""The kinds of orders besides turns, in the order in which `help` lists them."""
FORMS = {
    "say": "`say to all: TEXT` or `say to NAME: TEXT`",
    "away": "`away 2026-12-20 to 2026-12-27`",
    "cancel": "`cancel all`, `cancel standing`, `cancel conditional`, `cancel away`, or the number as in `cancel 2`",
    "undo": "`undo?`, `undo yes` or `undo no`",
    "rules": "`rules post.undo`, or words to look for",
    "help": "`help`, or the order as in `help away`",
    "status": "`status`",
    "why": "`why`",
    "history": "`history`",
    "resign": "`resign`",
}
"""How each kind of order is written that is the same for every family, by its kind."""

WRONG = {
    "say": {
        "To whom is missing": ["say", "say:", "say to", "say to:"],
        "A colon is missing between the name and the text": ["say to Bob", "say Bob"],
        "The text is missing": ["say to Bob:", "say Bob:"],
    },
    "away": {
        "The days are missing": ["away", "away from"],
        "The last day is missing": ["away 2026-12-20", "away from 2026-12-20 to"],
        "One first and one last day belong here": ["away 2026-12-20 to 2026-12-27 to"],
    },
}
"""Wrong examples by what is wrong with them, of forms that are the same for every family."""


def all_forms(own: Mapping[str, str]) -> dict[str, str]:
    """How each kind of order is written, with a family's own forms."""
    every = {**FORMS, **own}
    return {kind: every[kind] for kind in KINDS}


@cache
def order_parser(family: str) -> Lark:
    """The parser of orders, started by form; `family` names the grammar of the family's own orders."""
    forms = ["standing", "plan", "say", "away", "cancel", "undo", "notify"]
    grammar = f"{source('orders')}\n{source(family)}"
    return Lark(grammar, parser="lalr", start=forms, propagate_positions=True, maybe_placeholders=False)


@cache
def _taught(orders: Orders, form: str) -> Taught:
    return Taught(order_parser(orders.grammar), form, {**WRONG, **orders.wrong}[form])


def explain(orders: Orders, form: str, text: str, error: UnexpectedInput) -> tuple[str, int, int]:
    """What is wrong in words, and where: column from 0 and length."""
    at, length = _place(text, error)
    found = text[at : at + length].strip()
    label = ""
    if not isinstance(error, UnexpectedCharacters) and (form in WRONG or form in orders.wrong):
        label = _taught(orders, form).label(error)
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


def shown(typed: str) -> str:
    """What was typed, for a sentence: cut where it is long."""
    return typed if len(typed) <= MOST_SHOWN else f"{typed[: MOST_SHOWN - 1]}…"


def way(form: str, forms: Mapping[str, str] = FORMS) -> str:
    """How an order of this kind is written, for a hint; a family's own are among its `forms`."""
    return f"The form is {forms[form]}."
