"""Wrong orders taught by example: what is wrong with a line is found by comparing it with known wrong ones."""

from __future__ import annotations

from functools import cache

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from tkid.notation.grammar import source
from tkid.notation.taught import Taught

MOST_SHOWN = 40
"""Characters of what was typed that a sentence repeats."""

FORMS = {
    "standing": "`pass until struggle`, `pass until someone acts`, `pass until Essex is contested` or `pass always`",
    "plan": "`if anyone plays Negotiate: stop` or `if anyone acts: stop; else Pass`",
    "say": "`say to all: TEXT` or `say to NAME: TEXT`",
    "away": "`away 2026-12-20 to 2026-12-27`",
    "cancel": "`cancel all`, `cancel standing`, `cancel conditional`, `cancel away`, or the number as in `cancel 2`",
    "undo": "`undo?`, `undo yes` or `undo no`",
    "notify": "`notify every turn`, `notify my turns` or `notify struggles`",
    "draft": "`draft Pass`, or any other turn behind `draft`",
    "legal": "`legal`, or the card as in `legal Negotiate`",
    "rules": "`rules post.undo`, or words to look for",
    "help": "`help`, or the order as in `help away`",
    "status": "`status`",
    "why": "`why`",
    "history": "`history`",
    "resign": "`resign`",
}
"""How each kind of order is written, by its kind, in the order in which `help` lists them."""

WRONG = {
    "standing": {
        "What is waited for is missing": ["pass until"],
        "What happens is missing": ["pass until Bob", "pass until Bob Bob"],
        "One thing is waited for": ["pass until struggle or", "pass until struggle,", "pass until Bob acts or"],
        "Nothing stands behind `always`": [
            "pass always Bob",
            "pass always until",
            "keep passing Bob",
            "always pass and",
        ],
    },
    "plan": {
        "The condition is missing": ["if", "if:", "if: Pass"],
        "What happens is missing": ["if Bob", "if Bob:", "if Bob: Pass", "if Bob Bob", "if Bob Bob:"],
        "Each player has a condition of its own, as in `if Bob passes or Cal passes`": [
            "if Bob or",
            "if Bob and",
            "if Bob,",
        ],
        "A colon and what to do are missing": ["if Bob passes", "if a struggle happens", "if Bob plays Negotiate"],
        "What to do is missing": ["if Bob passes:", "if Bob passes: else stop", "if Bob passes: (", "("],
        "What to do otherwise is missing": ["if Bob passes: Pass; else", "if Bob passes: stop else"],
        "What to do next is missing": ["Pass; then", "stop then"],
        "A condition belongs between `if` and the colon": ["if Bob passes Bob", "if a struggle happens Bob"],
        "`and` and `or` do not stand in one condition": [
            "if Bob passes and Bob passes or",
            "if Bob passes or Bob passes and",
        ],
        "Another condition is missing": ["if Bob passes and", "if Bob passes or", "if Bob passes and: Pass"],
        "A `)` is missing": ["(Pass", "if Bob passes: (stop"],
        "There is no `(` to this `)`": ["Pass)", "if Bob passes: Pass)", "stop)"],
        "There is no `if` to this `else`": ["Pass; else", "else stop", "stop else"],
        "There is no turn before this `then`": ["then Pass"],
        "Nothing stands behind `stop` but `else` or `then`": ["stop stop", "stop Pass", "stop (", "stop if"],
        "Behind a `)` stands `else`, `then` or nothing": ["(Pass) Pass", "(Pass) stop", "(Pass) if", "(Pass) ("],
        "What to do begins with a turn, `stop`, `if` or `(`": ["if Bob passes: )", "()"],
    },
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
"""Wrong examples of each form by what is wrong with them."""


@cache
def order_parser() -> Lark:
    """The parser of orders, started by form."""
    forms = ["standing", "plan", "say", "away", "cancel", "undo", "notify"]
    return Lark(source("orders"), parser="lalr", start=forms, propagate_positions=True, maybe_placeholders=False)


@cache
def _taught(form: str) -> Taught:
    return Taught(order_parser(), form, WRONG[form])


def explain(form: str, text: str, error: UnexpectedInput) -> tuple[str, int, int]:
    """What is wrong in words, and where: column from 0 and length."""
    at, length = _place(text, error)
    found = text[at : at + length].strip()
    label = ""
    if not isinstance(error, UnexpectedCharacters) and form in WRONG:
        label = _taught(form).label(error)
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


def way(form: str) -> str:
    """How an order of this kind is written, for a hint."""
    return f"The form is {FORMS[form]}."
