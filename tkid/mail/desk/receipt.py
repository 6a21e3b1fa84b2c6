"""The answer to a mail: what became of each line, what followed, and what may be answered now. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from tkid.kernel.problems import Problem
from tkid.mail.desk.results import OrderResult
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Events, Paragraph, Quote, Rule, shortened
from tkid.mail.letters.content import MOST_REPEATED, Announcement, Recipient
from tkid.mail.model import IDS, Orders
from tkid.orders.model import Ask, Draft
from tkid.rulebook import cites

NO_ORDER = IDS("no-order")
SHOWS_POSITION = {"status", "legal"}
"""Questions after which the position is shown."""


@cites("mail.answer", "mail.no-order", "post.order.several")
def receipt(
    to: Recipient, orders: Orders, done: Sequence[OrderResult], heard: Sequence[Announcement], *, changed: bool
) -> tuple[Block, ...]:
    """The answer to a mail: first what was done, in its order, then what was not, then answers to questions.

    `heard` is what the house has to tell besides; `changed` tells whether the game is another than before.
    """
    house, greeting = content.house(to, heard), _greeting(to, orders, done)
    body: list[Block] = [content.first(to)]
    if house:
        body += [Paragraph(f"{to.name}, {house}"), Paragraph(content.capital(greeting))]
    else:
        body.append(Paragraph(f"{to.name}, {greeting}"))
    body += [content.turn(to.known.moments[each.at.turns]) for each in done if each.played]
    if not orders.lines:
        body += _no_order(orders)
    seen: list[tuple[Problem, ...]] = []
    for each in sorted(done, key=lambda each: (each.asked, each.failed)):
        body = _added(body, _became(each, alone=len(done) == 1, again=_bare(each) in seen))
        seen += [_bare(each)] if each.failed else []
    body += content.happened(to, to.moments)
    body += content.plans(to)
    body += content.state(to, known=_still_due(to, done))
    body += content.position(to) if to.moments or to.may_act or changed or any(map(_looks, done)) else ()
    body += (
        content.ways(to) if to.may_act and not any(each.ways and each.at.stand == to.at.stand for each in done) else ()
    )
    return tuple(body)


def _added(body: Sequence[Block], said: Sequence[Block]) -> list[Block]:
    """What was said with more of it: lines on plans that follow one another are one list."""
    match (*body[-1:], *said[:1]):
        case Events(before), Events(after):
            return [*body[:-1], Events((*before, *after)), *said[1:]]
    return [*body, *said]


def _became(done: OrderResult, *, alone: bool, again: bool) -> list[Block]:
    """What is said of a line, shorter where the same was said of one before."""
    if not done.failed or alone:
        return list(done.said)
    told = "Not played" if done.is_turn else "Not done"
    if again:
        return [Paragraph(f"{told}, for the same reason:"), Quote(shortened(done.line.typed))]
    return [Paragraph(f"{told}:"), *done.said]


def _bare(done: OrderResult) -> tuple[Problem, ...]:
    """The problems with a line, wherever in it they are."""
    return tuple(evolve(problem, col=1, length=1) for problem in done.problems)


def _looks(done: OrderResult) -> bool:
    """Whether a line asks about the position."""
    order = done.line.read.order
    return isinstance(order, Draft) or (isinstance(order, Ask) and order.kind in SHOWS_POSITION)


def _no_order(orders: Orders) -> list[Block]:
    """What is said where nothing was ordered."""
    body: list[Block] = [Paragraph(content.HOW_TO_ANSWER), Rule(NO_ORDER)]
    if orders.remark:
        body.append(Paragraph("This was read, but it is no order:"))
        body += [Quote(shortened(line)) for line in orders.remark[:MOST_REPEATED]]
    return body


def _still_due(to: Recipient, done: Sequence[OrderResult]) -> bool:
    """Whether the greeting says that a turn has failed and is still the reader's to play."""
    failed_turn = any(each.failed and each.is_turn for each in done) and not any(each.played for each in done)
    return failed_turn and to.may_act and not to.at.time.adjourned


def _greeting(to: Recipient, orders: Orders, done: Sequence[OrderResult]) -> str:
    """The first sentence of an answer, behind the name."""
    failed = [each for each in done if each.failed]
    if not orders.lines:
        return "no order was found in your mail, so nothing was done."
    if any(each.played for each in done):
        below = " Not all else in your mail could be done, as told below." if failed else ""
        return f"thank you: your turn is played.{below} This is how it was understood:"
    if not failed:
        return "thank you. This is what became of your mail:"
    turn = any(each.is_turn for each in failed)
    still = ", so it is still your turn" if _still_due(to, done) else ""
    if len(failed) < len(done):
        told = f"Your turn was not played{still}." if turn else "Not all of your mail could be done."
        return f"thank you. {told} This is what became of your mail:"
    if len(done) > 1:
        return f"nothing in your mail could be done{still}."
    return f"your turn was not played{still}." if turn else "this was not done, and nothing has changed."
