"""Compares the plain and the HTML form of a mail: where they do not order the same, the sender is asked; doubt counts in either.

The HTML form is read only where it can matter: where the plain form orders something, or has no order at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from tkid.mail.inbound.normalize import bare as bare_line
from tkid.mail.inbound.normalize import plain_ends
from tkid.mail.inbound.order_lines import OrderReader
from tkid.mail.inbound.quoted.own_letters import FEWEST_WORDS, words_in
from tkid.mail.model import Intake, Line, OrderLine, Orders
from tkid.orders.model import Ask, Draft, Say
from tkid.rulebook import cites

HARMLESS = Ask | Draft | Say
"""Orders that bind nobody, so that a mail need not agree with itself about them."""
MOST_OF_A_NOTICE = 60
"""Words of a plain form that only says that the mail is in HTML."""


@frozen
class Form:
    """The words of one form of a mail, for the comparison with lines of the other one: its own, and all."""

    own: frozenset[str]
    every: frozenset[str]

    @classmethod
    def of(cls, own: Iterable[str], lines: Iterable[Line]) -> Form:
        """Take the sender's own words and all lines of a form."""
        return cls(_pieces(own), _pieces(line.text for line in lines))

    def has(self, text: str) -> bool:
        """Whether a text stands here. A few words count only where they are the sender's own."""
        return _pieces([text]) <= (self.own if len(_words([text])) < FEWEST_WORDS else self.every)


def only_in_html(plain: Iterable[str], html: Iterable[str], lines: Sequence[Line]) -> tuple[str, ...]:
    """The sender's own lines that only the HTML form of a mail has.

    Args:
        plain: the own lines of the plain form.
        html: the own lines of the HTML form.
        lines: all lines of the plain form.
    """
    form, whole = Form.of(plain, lines), {words_in(line.text) for line in lines}
    return tuple(text for text in html if text.strip() and not form.has(text) and words_in(text) not in whole)


def is_notice(own: Iterable[str]) -> bool:
    """Whether a plain form only says that the mail is in HTML."""
    words = _words(own)
    return len(words) <= MOST_OF_A_NOTICE and "html" in words


@cites("mail.forms", "mail.doubt")
def with_html(mail: Intake, plain: Orders, find: Callable[[Intake], Orders], reader: OrderReader) -> Orders:
    """What a mail asks for, given what its plain form asks for; `find` finds the orders in a form.

    What only the HTML form says counts as the sender's words, also an order with an error. An order that stands within the
    words of the other form is no difference: some programs write forms without line ends.
    """
    bare = not (plain.lines or plain.answer or plain.proposed or plain.choices)
    binding = _binding(plain, reader)
    if not (bare or binding or plain.answer):
        return plain
    lines = mail.html()
    if not lines:
        return plain
    html = find(evolve(mail, lines=lines, html=tuple))
    rich, others = Form.of(html.own, lines), _binding(html, reader)
    new = set(only_in_html(plain.own, (line.typed for line in others.values()), mail.lines))
    more = [text for text, line in others.items() if text not in binding and line.typed in new]
    if bare and (more or html.answer) and (is_notice(plain.own) or _pieces(plain.own) <= rich.every):
        return html
    seen = {*others, *_binding(evolve(html, lines=html.proposed), reader)}
    less = [text for text, line in binding.items() if text not in seen and not rich.has(line.typed)]
    if more or less or (plain.answer != html.answer and not all(map(rich.has, plain.own))):
        rest = tuple(line for line in plain.lines if not _binds(line))
        return evolve(plain, lines=rest, answer="", differing=tuple({**binding, **others}.values()))
    return _with_words(mail, plain, html)


def _with_words(mail: Intake, plain: Orders, html: Orders) -> Orders:
    """What a mail asks for, with the words that only its HTML form has: orders with errors, and remarks."""
    extra = only_in_html(plain.own, html.own, mail.lines)
    failed = tuple(line for line in html.lines if line.read.order is None and line.typed in map(bare_line, extra))
    typed = {line.typed for line in html.lines}
    remark = tuple(plain_ends(text) for text in extra if bare_line(text) not in typed)
    return evolve(plain, lines=(*plain.lines, *failed), remark=(*plain.remark, *remark), own=(*plain.own, *extra))


def _binds(line: OrderLine) -> bool:
    return line.read.order is not None and not isinstance(line.read.order, HARMLESS)


def _binding(orders: Orders, reader: OrderReader) -> dict[str, OrderLine]:
    """The orders that bind their sender, by their canonical form."""
    return {reader.written(line.read.order): line for line in orders.lines if line.read.order and _binds(line)}


def _pieces(texts: Iterable[str]) -> frozenset[str]:
    """All words of texts, alone and with the word that follows, wherever lines end."""
    words = _words(texts)
    return frozenset({*words, *map(" ".join, pairwise(words))})


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in words_in(text).split()]
