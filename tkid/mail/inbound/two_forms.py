"""Compares the plain and the HTML form of a mail: where they do not order the same, the sender is asked.

The HTML form is read only where it can matter: where the plain form orders something, or has no order at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from attrs import evolve

from tkid.mail.inbound.order_lines import OrderReader
from tkid.mail.inbound.quoted.own_letters import FEWEST_WORDS, words_in
from tkid.mail.model import Intake, OrderLine, Orders
from tkid.orders.model import Ask, Draft, Say
from tkid.rulebook import cites

HARMLESS = Ask | Draft | Say
"""Orders that bind nobody, so that a mail need not agree with itself about them."""
MOST_OF_A_NOTICE = 60
"""Words of a plain form that only says that the mail is in HTML."""


@cites("mail.forms")
def with_html(mail: Intake, plain: Orders, find: Callable[[Intake], Orders], reader: OrderReader) -> Orders:
    """What a mail asks for, given what its plain form asks for; `find` finds the orders in a form.

    What only the HTML form says counts as the sender's words. An order that stands within the words of the other form is
    no difference: some programs write forms without line ends.
    """
    bare = not (plain.lines or plain.answer or plain.proposed or plain.choices)
    binding = _binding(plain, reader)
    if not (bare or binding or plain.answer):
        return plain
    lines = mail.html()
    if not lines:
        return plain
    html = find(evolve(mail, lines=lines, html=tuple))
    all_plain, all_html = (_pieces(line.text for line in form) for form in (mail.lines, lines))
    own_html, others = _pieces(html.own), _binding(html, reader)
    more = [text for text, line in others.items() if text not in binding and not _within(line.typed, all_plain)]
    if bare and (more or html.answer) and (_is_notice(plain.own) or _pieces(plain.own) <= all_html):
        return html
    seen = {*others, *_binding(evolve(html, lines=html.proposed), reader)}

    def is_missing(typed: str) -> bool:
        is_long = len(_words([typed])) >= FEWEST_WORDS
        return not _within(typed, all_html if is_long else own_html)

    less = [text for text, line in binding.items() if text not in seen and is_missing(line.typed)]
    if more or less or (plain.answer != html.answer and any(map(is_missing, plain.own))):
        rest = tuple(line for line in plain.lines if not _binds(line))
        return evolve(plain, lines=rest, answer="", differing=tuple({**binding, **others}.values()))
    return evolve(plain, own=(*plain.own, *(text for text in html.own if not _within(text, all_plain))))


def _binds(line: OrderLine) -> bool:
    return line.read.order is not None and not isinstance(line.read.order, HARMLESS)


def _binding(orders: Orders, reader: OrderReader) -> dict[str, OrderLine]:
    """The orders that bind their sender, by their canonical form."""
    return {reader.written(line.read.order): line for line in orders.lines if line.read.order and _binds(line)}


def _is_notice(own: Iterable[str]) -> bool:
    """Whether a plain form only says that the mail is in HTML."""
    words = _words(own)
    return len(words) <= MOST_OF_A_NOTICE and "html" in words


def _within(text: str, pieces: set[str]) -> bool:
    """Whether the words of a text stand in another, of which the pieces are given."""
    return _pieces([text]) <= pieces


def _pieces(texts: Iterable[str]) -> set[str]:
    """All words of texts, alone and with the word that follows, wherever lines end."""
    words = _words(texts)
    return {*words, *map(" ".join, pairwise(words))}


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in words_in(text).split()]
