"""The answer to a mail: what became of each line, what followed, and what may be answered now. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from tkid.kernel.problems import Problem
from tkid.mail.desk.results import OrderResult
from tkid.mail.letters import content, last_letter, offer_text
from tkid.mail.letters.announcements import announced
from tkid.mail.letters.blocks import (
    GAME,
    Block,
    Blocks,
    Button,
    Buttons,
    Events,
    Letter,
    Paragraph,
    Quote,
    shortened,
)
from tkid.mail.letters.content import MOST_REPEATED, Announcement, Recipient
from tkid.mail.letters.offer_text import Question
from tkid.mail.letters.turn_letters import ENCLOSED
from tkid.mail.model import IDS, Orders
from tkid.orders.questions import HOW_TO_ASK, find_questions
from tkid.mail.plugin import mail_plugin
from tkid.notation.numbers import counted_in_words
from tkid.orders.model import Ask, Draft, Planned, Standing, Turn
from tkid.rulebook import cites
from tkid.rulebook.site import address

NO_ORDER, NO_TEXT = IDS("no-order"), IDS("no-text")
SHOWS_POSITION = {"status", "legal"}
"""Questions after which the position is shown."""
NO_LEAD = "Nothing has been played: no line of your mail is an order."
NO_TEXT_LEAD = "Nothing has been played: your mail has no text that can be read."
REPAIR = "Write your order as text in the mail itself."
STOPPED = "Your plan stopped at once: nothing was played."
LIKE_ORDERS = {"show": 3, "board": 2, "position": 2, "play": 2, "check": 2, "why not": 12, "why-not": 12}
"""Beginnings of lines that ask for something that no order does, each with the most words of such a line."""
EVERY_ORDER = "All orders with examples: {}"


@cites("mail.answer", "mail.no-order", "mail.no-text", "mail.remark", "post.order.several")
def receipt(
    recipient: Recipient,
    orders: Orders,
    results: Sequence[OrderResult],
    announcements: Sequence[Announcement],
    *,
    changed: bool,
    question: Question | None = None,
    notes: Sequence[str] = (),
    about: int | None = None,
    has_host: bool = True,
) -> Letter:
    """The answer to a mail: first what was done, in its order, then what was not, then answers to questions.

    `changed` says whether turns were played or taken back, or the game ended. Where it is over now, this is the last
    letter. A mail that led to a `question` is answered by it; `notes` are said besides. `about` is the turn that the
    mail is about.
    """
    told = [each for each in announcements if recipient.seat in each.seats and each.sender is None and not each.asks]
    answer = _Receipt(recipient, orders, results, told, notes, changed, has_host)
    return answer.asking(question, about) if question is not None else answer.letter(about)


class _Receipt:
    """The parts of an answer."""

    def __init__(  # noqa: PLR0917 - all that an answer rests on
        self,
        recipient: Recipient,
        orders: Orders,
        results: Sequence[OrderResult],
        told: Sequence[Announcement],
        notes: Sequence[str],
        changed: bool,  # noqa: FBT001 - see `receipt`
        has_host: bool,  # noqa: FBT001
    ) -> None:
        self.recipient, self.orders, self.changed, self.has_host = recipient, orders, changed, has_host
        self.results = sorted(results, key=lambda result: (result.asked, result.failed))
        self.played = next((result for result in results if result.played), None)
        self.failed = [result for result in self.results if result.failed]
        self.host, self.notes = told, tuple(map(Paragraph, notes))
        self.ended = recipient.game.time.over and changed
        turn = next((result for result in self.failed if result.is_turn), None)
        self.first = None if self.ended or self.played else self.results[0] if len(self.results) == 1 else turn
        """The line that the first sentence is about."""

    def letter(self, about: int | None) -> Letter:
        """The answer as a letter."""
        recipient = self.recipient
        about = 0 if recipient.game.time.over else about
        body = content.framed(recipient, self._lead(), self._body(), self._footer(), about=about)
        files = frozenset({GAME}) if self.played else frozenset()
        files |= ENCLOSED if self._asks_again() else frozenset()
        files |= last_letter.LAST if self.ended else frozenset()
        return content.letter(recipient, self._kind(), body, self._subject(), about, files)

    def asking(self, question: Question, about: int | None) -> Letter:
        """A letter that asks something in place of playing; what became of the rest of the mail follows."""
        recipient = self.recipient
        about = 0 if recipient.game.time.over else about
        others = (*announced(recipient, self.host), *self._besides(), *self.notes)
        body = offer_text.body(recipient, question, others, about=about)
        return content.letter(recipient, self._kind(), body, self._subject(), about)

    def _besides(self) -> Iterator[Block]:
        """What became of the lines that are not asked about: turns that failed too are only named."""
        for result in self.results:
            if result.failed and result.is_turn:
                yield Paragraph("Not played either:")
                yield Quote(shortened(result.line.typed))
            else:
                yield from self._answer(result, several=True, again=False)

    def _kind(self) -> str:
        return "again" if self.recipient.may_act else "note"

    def _subject(self) -> str:
        """What the subject says where that of the mail is not known."""
        if self.recipient.game.time.over:
            return last_letter.result(self.recipient)[0]
        if self.played is not None:
            return "your turn was played"
        return "your turn" if self.recipient.may_act else "your mail"

    def _asks_again(self) -> bool:
        """Whether the reader is asked for a turn by this letter, as others have played since the last one."""
        return self.recipient.may_act and (bool(self.recipient.moments) or self.changed)

    # -- the first sentence -------------------------------------------------------------------------------

    def _lead(self) -> str:
        """What became of the mail, in one sentence that everybody may read."""
        recipient = self.recipient
        if not self.results:
            return NO_TEXT_LEAD if self.orders.unread else NO_LEAD
        if self.ended:
            return content.lead(last_letter.result(recipient)[1])
        if self.played is not None:
            short = mail_plugin(recipient.known.record.game).short(
                recipient.known, self.played.game.turns, recipient.seat
            )
            if self.failed:
                return content.lead(f"{short} Not everything else was done.", short)
            return self._with_next(short)
        if self.changed and recipient.moments and not self.failed:
            return self._news()
        return self._alone(self.results[0]) if len(self.results) == 1 else self._several()

    def _several(self) -> str:
        """How much of a mail with several lines was done, or why its turn was not played."""
        if self.first is not None:
            return self._alone(self.first)
        done, orders = len(self.results) - len(self.failed), counted_in_words(len(self.results), "order")
        if not done:
            return "Nothing in your mail was done."
        if self.failed:
            some = content.capital(counted_in_words(done, "order"))
            return f"{some} of {len(self.results)} {'is' if done == 1 else 'are'} done."
        return f"{'Both orders' if done == 2 else f'All {orders}'} in your mail are done."

    def _news(self) -> str:
        """What happened last, and who is next."""
        return self._with_next(content.shortly(self.recipient, self.recipient.moments))

    def _with_next(self, short: str) -> str:
        """What happened, and who is next."""
        nexts = (content.who_is_next(self.recipient, date=date) for date in (True, False))
        return content.lead(*(f"{short} {each}".rstrip() for each in nexts), short)

    def _alone(self, result: OrderResult) -> str:
        """What became of a line, where nothing else is to be said."""
        return self._hidden(result) or content.lead(self._sentence(result))

    def _hidden(self, result: OrderResult) -> str:
        """The first sentence in place of one that is too long, or that would tell what is secret; "" where it may stand."""
        if not result.failed:
            return ""
        private = isinstance(result.line.read.order, Turn | Draft | Planned | Standing) or result.is_turn
        secret = private and offer_text.may_name_held(self.recipient.known, content.first_problem(result.problems))
        if not secret and len(self._sentence(result)) <= content.LONGEST_LEAD:
            return ""
        return f"Not {'played' if result.is_turn else 'done'}, for the reason below."

    def _sentence(self, result: OrderResult) -> str:
        """What became of a line, in a sentence."""
        if self._stopped(result):
            return STOPPED
        if not result.failed:
            return result.lead
        message = content.first_problem(result.problems).message
        return f"Not {'played' if result.is_turn else 'done'}: {content.sentence(content.lower(message))}"

    def _stopped(self, result: OrderResult) -> bool:
        """Whether a plan was given that has ended, although nobody has played: its result is shown below."""
        if result.failed or self.changed or not isinstance(result.line.read.order, Planned | Standing):
            return False
        given = result.game.memory.seats[self.recipient.seat].last_plan
        return given not in {plan.number for plan in self.recipient.memory.plans}

    # -- what follows it ----------------------------------------------------------------------------------

    def _body(self) -> Blocks:
        recipient = self.recipient
        shows = bool(recipient.moments) or self.changed or any(map(_looks, self.results))
        return (
            *(last_letter.decided(recipient) if self.ended else ()),
            *announced(recipient, self.host),
            *(() if self.results else self._no_order()),
            *content.happened(recipient, recipient.moments),
            *self._answers(several=len(self.results) > 1),
            *self._not_understood(),
            *self.notes,
            *content.plans(recipient),
            *self._ending(shows=shows),
        )

    def _ending(self, *, shows: bool) -> Blocks:
        """The board, and what may be answered now."""
        recipient = self.recipient
        if self.ended:
            return last_letter.ending(recipient)
        offers = any(each.shows_turns and each.game.turn_id == recipient.game.turn_id for each in self.results)
        asks = recipient.may_act and not offers and (shows or not self.results or self._still())
        return (
            *(content.buttons(recipient) if asks else ()),
            *(content.passing_does(recipient) if shows and not asks and recipient.moments else ()),
            *(content.position(recipient) if shows else ()),
            *(content.ways(recipient) if asks else ()),
            *self._undo(),
        )

    def _still(self) -> bool:
        """Whether the mail may have been meant to play, and did not: a line failed, or a plan has just played nothing."""
        return bool(self.failed) or (bool(self.recipient.memory.notes) and not self.changed)

    def _undo(self) -> Blocks:
        """How to take a turn back, as long as nobody else has played."""
        game = self.recipient.game
        if self.played is None or not self.has_host or game.to_act in {None, self.recipient.seat}:
            return ()
        others = [name for seat, name in enumerate(game.names) if seat != self.recipient.seat]
        agrees = f"{others[0]} has" if len(others) == 1 else "All others have"
        text = f"Not what you meant? Reply `undo?` before {self.recipient.next_name} plays. {agrees} to agree."
        return Buttons((Button("Ask to undo", "undo?"),)), Paragraph(text)

    def _no_order(self) -> Blocks:
        """What is said where nothing was ordered."""
        if self.orders.unread:
            return (Paragraph(f"{self.orders.unread} {REPAIR}"),)
        body: list[Block] = []
        if self.orders.remark:
            body.append(Paragraph("This was read, but it is not an order:"))
            body += [Quote(shortened(line)) for line in self.orders.remark[:MOST_REPEATED]]
        if any(find_questions(self.orders.remark)):
            body.append(Paragraph(HOW_TO_ASK))
        return tuple(body)

    def _not_understood(self) -> Blocks:
        """The lines beside an order that ask for something that no order does."""
        lines = [line for line in self.orders.remark if _is_like_order(line)] if self.results else []
        if not lines:
            return ()
        which = "This line was" if len(lines) == 1 else "These lines were"
        return Paragraph(f"{which} not understood:"), *(Quote(shortened(line)) for line in lines[:MOST_REPEATED])

    def _answers(self, *, several: bool) -> Blocks:
        """What became of each line, but for a turn that was played, which is told in words."""
        body: list[Block] = []
        told: list[tuple[Problem, ...]] = []
        for result in self.results:
            again = _bare(result) in told
            body = _joined(body, tuple(self._answer(result, several=several, again=again)))
            told += [_bare(result)] if result.failed else []
        return tuple(body)

    def _answer(self, result: OrderResult, *, several: bool, again: bool) -> Iterator[Block]:
        """What became of a line, shorter where the same was said of one before."""
        if result.played:
            return
        if again:
            yield Paragraph(f"Not {'played' if result.is_turn else 'done'}, for the same reason:")
            yield Quote(shortened(result.line.typed))
            return
        if several and not result.failed:
            yield Quote(shortened(result.line.typed))
        if result is self.first and result.failed:
            yield from self._reason(result)
        elif several or self._hidden(result) or (self.recipient.moments and not result.failed):
            yield Paragraph(self._sentence(result))
        if not self._stopped(result):
            yield from result.answer

    def _reason(self, result: OrderResult) -> Blocks:
        """Why a line was not done of which the first sentence says that it was not; nothing where that says why, too."""
        message = content.sentence(content.first_problem(result.problems).message)
        return (Paragraph(content.capital(message)),) if self._hidden(result) else ()

    # -- the end ------------------------------------------------------------------------------------------

    def _footer(self) -> tuple[str, ...]:
        recipient = self.recipient
        if self.ended:
            return (self._recorded(), last_letter.last_line(recipient))
        rules = [content.first_problem(result.problems).rule for result in self.failed[:1]]
        rules += [each.rule for each in self.host if each.rule] + [each.rule for each in self.results if each.rule]
        rules += [] if self.results else [NO_TEXT if self.orders.unread else NO_ORDER]
        standing = content.standing(recipient)
        if self._still() and recipient.may_act and not recipient.game.time.adjourned:
            standing = f"It is still your turn. {standing}".rstrip()
        more = content.full_rule(rules[0]) if rules else content.help_line(has_host=self.has_host)
        if any(isinstance(each.line.read.order, Ask) and each.line.read.order.kind == "help" for each in self.results):
            more = EVERY_ORDER.format(address("orders/"))
        return (self._recorded(), self._wrote(), standing, more)

    def _recorded(self) -> str:
        """The turn that was played, as the game file has it."""
        return content.recorded(self.recipient.known.moments[self.played.game.turns]) if self.played else ""

    def _wrote(self) -> str:
        """What the only line of a mail was, where the letter does not show it otherwise."""
        order = self.results[0].line.read.order if len(self.results) == 1 else None
        if order is None or self.played or self.failed or order == Ask("help"):
            return ""
        return f"You wrote: `{shortened(self.results[0].line.typed)}`"


def _joined(body: list[Block], more: Blocks) -> list[Block]:
    """An answer with more of it: lines on plans that follow one another are one list."""
    match (*body[-1:], *more[:1]):
        case Events(before), Events(after):
            return [*body[:-1], Events((*before, *after)), *more[1:]]
    return [*body, *more]


def _is_like_order(line: str) -> bool:
    """Whether a remark begins like an order, and is as short as one."""
    text = " ".join(line.casefold().split())
    known = (most for begin, most in LIKE_ORDERS.items() if text == begin or text.startswith(f"{begin} "))
    return not text.endswith("?") and len(text.split()) <= next(known, 0)


def _bare(result: OrderResult) -> tuple[Problem, ...]:
    """The problems with a line, wherever in it they are."""
    return tuple(evolve(problem, col=1, length=1) for problem in result.problems)


def _looks(result: OrderResult) -> bool:
    """Whether a line asks about the position."""
    order = result.line.read.order
    return isinstance(order, Draft) or (isinstance(order, Ask) and order.kind in SHOWS_POSITION)
