"""The syntax of orders: parsing a line of a kind, or the problem with one that does not have its form."""

from __future__ import annotations

from functools import cache

from lark import Token, Tree

from tkid.notation.line_parser import LineError, LineParser, lark
from tkid.notation.turns import WrongError
from tkid.orders.kinds import KINDS, way
from tkid.orders.lookup import form, shown
from tkid.orders.plugin import OrderLanguage


@cache
def order_parser(language: OrderLanguage) -> LineParser:
    """The parser of orders by kind: of those that all games have, and of the game's own."""
    wrong = {kind.name: language.wrong.get(kind.name, kind.wrong) for kind in KINDS if kind.rule}
    return LineParser(lark(("orders", language.grammar), tuple(wrong)), wrong)


def parse(kind: str, text: str, language: OrderLanguage) -> Tree[Token]:
    """The tree of a line of a kind. Raises WrongError."""
    try:
        return order_parser(language).parse(kind, text)
    except LineError as error:
        found, length = error.found, error.length
        if error.is_character:
            found = text[error.column :].split(maxsplit=1)[0]
            length = len(found)
        message = f"`{shown(found)}` does not belong here" if found else "Something is missing here"
        raise WrongError(form(error.label or message, way(kind, language), error.column, length)) from None
