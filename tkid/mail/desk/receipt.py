"""The answer to a mail: what became of each line, what followed, and what may be answered now. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from tkid.kernel.problems import Problem
from tkid.mail.desk.results import OrderResult
from tkid.mail.letters import content, offer_text
from tkid.mail.letters.blocks import Block, Blocks, Events, Paragraph, Quote, Rule, shortened
from tkid.mail.letters.content import MOST_REPEATED, Announcement, Recipient
from tkid.mail.letters.offer_text import Question
from tkid.mail.model import IDS, Orders
from tkid.orders.model import Ask, Draft
from tkid.rulebook import cites

NO_ORDER = IDS("no-order")
SHOWS_POSITION = {"status", "legal"}
"""Questions after which the position is shown."""


@cites("mail.answer", "mail.no-order", "post.order.several")
def receipt(
    recipient: Recipient,
    orders: Orders,
    results: Sequence[OrderResult],
    announcements: Sequence[Announcement],
    *,
    changed: bool,
    question: Question | None = None,
    notes: Sequence[str] = (),
) -> Blocks:
    """The answer to a mail: first what was done, in its order, then what was not, then answers to questions.

    It begins with announcements to its reader; `changed` says whether the game is another than before. A mail that led
    to a `question` is answered by it; `notes` are said besides.
    """
    if question is not None:
        others = (*_others(recipient, results, announcements), *map(Paragraph, notes))
        return offer_text.body(recipient, question, others)
    own = [each for each in announcements if recipient.seat in each.seats and not each.asks]
    from_host, greeting = content.host_text(own), _greeting(recipient, orders, results)
    body: list[Block] = [content.first(recipient), Paragraph(f"{recipient.name}, {from_host or greeting}")]
    body += [Paragraph(content.capital(greeting))] if from_host else []
    body += [content.turn(recipient.known.moments[result.game.turns]) for result in results if result.played]
    if not orders.lines:
        body += _no_order(orders)
    answered: list[tuple[Problem, ...]] = []
    for result in sorted(results, key=lambda result: (result.asked, result.failed)):
        body = _joined(body, _answer(result, alone=len(results) == 1, again=_bare(result) in answered))
        answered += [_bare(result)] if result.failed else []
    body += map(Paragraph, notes)
    body += content.happened(recipient, recipient.moments)
    body += content.plans(recipient)
    body += content.state(recipient, known=_still_due(recipient, results))
    if recipient.moments or recipient.may_act or changed or any(map(_looks, results)):
        body += content.position(recipient)
    if recipient.may_act and not any(
        each.shows_turns and each.game.turn_id == recipient.game.turn_id for each in results
    ):
        body += content.ways(recipient)
    return tuple(body)


def _others(recipient: Recipient, results: Sequence[OrderResult], announcements: Sequence[Announcement]) -> list[Block]:
    """What is answered besides a question: announcements to the reader, and the other lines of the mail."""
    from_host = content.host_text([each for each in announcements if recipient.seat in each.seats and not each.asks])
    body: list[Block] = [Paragraph(f"{recipient.name}, {from_host}")] if from_host else []
    for result in sorted(results, key=lambda result: (result.asked, result.failed)):
        more = (Quote(shortened(result.line.typed)),) if result.failed and result.is_turn else ()
        either = (Paragraph("Not played either:"), *more)
        body = _joined(body, either if more else _answer(result, alone=False, again=False))
    return body


def _joined(body: list[Block], more: Blocks) -> list[Block]:
    """An answer with more of it: lines on plans that follow one another are one list."""
    match (*body[-1:], *more[:1]):
        case Events(before), Events(after):
            return [*body[:-1], Events((*before, *after)), *more[1:]]
    return [*body, *more]


def _answer(result: OrderResult, *, alone: bool, again: bool) -> Blocks:
    """The answer to a line, shorter where the same was said of one before."""
    if not result.failed or alone:
        return result.answer
    message = "Not played" if result.is_turn else "Not done"
    if again:
        return Paragraph(f"{message}, for the same reason:"), Quote(shortened(result.line.typed))
    return Paragraph(f"{message}:"), *result.answer


def _bare(result: OrderResult) -> tuple[Problem, ...]:
    """The problems with a line, wherever in it they are."""
    return tuple(evolve(problem, col=1, length=1) for problem in result.problems)


def _looks(result: OrderResult) -> bool:
    """Whether a line asks about the position."""
    order = result.line.read.order
    return isinstance(order, Draft) or (isinstance(order, Ask) and order.kind in SHOWS_POSITION)


def _no_order(orders: Orders) -> list[Block]:
    """What is said where nothing was ordered."""
    body: list[Block] = [Paragraph(content.HOW_TO_ANSWER), Rule(NO_ORDER)]
    if orders.remark:
        body.append(Paragraph("This was read, but it is no order:"))
        body += [Quote(shortened(line)) for line in orders.remark[:MOST_REPEATED]]
    return body


def _still_due(recipient: Recipient, results: Sequence[OrderResult]) -> bool:
    """Whether the greeting says that a turn has failed and is still the reader's to play."""
    failed_turn = any(each.failed and each.is_turn for each in results) and not any(each.played for each in results)
    return failed_turn and recipient.may_act and not recipient.game.time.adjourned


def _greeting(recipient: Recipient, orders: Orders, results: Sequence[OrderResult]) -> str:
    """The first sentence of an answer, behind the name."""
    failed = [each for each in results if each.failed]
    if not orders.lines:
        return "no order was found in your mail, so nothing was done."
    if any(each.played for each in results):
        below = " Not all else in your mail could be done, as told below." if failed else ""
        return f"thank you: your turn is played.{below} This is how it was understood:"
    if not failed:
        return "thank you. This is what became of your mail:"
    turn = any(each.is_turn for each in failed)
    still = ", so it is still your turn" if _still_due(recipient, results) else ""
    if len(failed) < len(results):
        message = f"Your turn was not played{still}." if turn else "Not all of your mail could be done."
        return f"thank you. {message} This is what became of your mail:"
    if len(results) > 1:
        return f"nothing in your mail could be done{still}."
    return f"your turn was not played{still}." if turn else "this was not done, and nothing has changed."
