"""Write the answer to a mail, with the questions that the host asks in it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from attrs import define, evolve, field, frozen

from tkid.kernel.problems import Kind, Problem, Scope
from tkid.mail import game_letters, letter_parts
from tkid.mail.blocks import (
    GAME,
    Block,
    Blocks,
    Button,
    Buttons,
    Events,
    Excerpt,
    Heading,
    Letter,
    Paragraph,
    Quote,
    Rule,
    Samples,
    shorten_line,
)
from tkid.mail.game_letters import ENCLOSED
from tkid.mail.hosted_game import find_last_taken
from tkid.mail.letter_parts import HOW, MOST_REPEATED, Announcement, Recipient, show_announcements
from tkid.mail.model import IDS, Orders
from tkid.mail.order_finder import drop_program_signature, is_possibly_broken
from tkid.mail.order_machine import OrderResult
from tkid.mail.plugin import find_mail_plugin
from tkid.notation.text import capitalize_text, count_noun_in_words, single_space
from tkid.orders.order_reader import HOW_TO_ASK, QUESTION_MARKS, find_questions
from tkid.orders.order_values import Ask, Draft, Planned, Standing, Turn
from tkid.record.format.plugin import find_record_plugin
from tkid.record.play.replay import Replay
from tkid.render.lines import make_printable
from tkid.rulebook import cites, rule
from tkid.rulebook.register import find_address

Case = Literal[
    "meant", "which", "wrong", "marked", "below", "forms", "resign", "leave", "elsewhere", "keyless", "over", "ended", "gone",
    "nothing", "unnumbered", "open", "asked", "again", "number", "no", "stay", "by-hand", "orders", "held", "late",
]  # fmt: skip
"""The reason for which a letter asks: see `CASES`."""
_TABLE = tomllib.loads(files(__package__).joinpath("questions.toml").read_text("utf-8"))
_TEXTS: dict[str, str] = {}
for _name, _text in _TABLE["texts"].items():
    _TEXTS[_name] = _text.format(**_TEXTS)
FORMS = _TEXTS["forms"]
ANOTHER = "To play something else, reply with your own turn in the same form."
DECLINED: frozenset[Case] = frozenset({"no", "stay"})
"""The answers to a `no`, which ask nothing."""
SOMEBODY_HERE = "another person here"
"""The sender in a question about a mail from another player, whose address nobody else learns."""
MOST_TYPED = 300
"""Characters that are repeated of what a reader wrote."""
NOT_READ = "Not played: your turn could not be read. It is still your turn."
NO_LINE = "It has no order that the host can carry out, so nothing has been done."
COPY = "Copy a turn to the top of your reply, or mark one with an X in the copy of this mail."
NO_HOST = "To play this turn, send it as it is:"
NO_HOST_SEVERAL = "To play one of these, send it as it is:"


@frozen
class Question:
    """A question that a letter asks, in place of playing."""

    case: Case
    lines: tuple[str, ...] = ()
    choice: bool = False
    typed: str = ""
    problem: Problem | None = None
    more: bool = False
    example: str = ""
    asked: Blocks = ()
    sender: str = ""
    hint: str = ""
    also: str = ""
    until: datetime | None = None


def _write_question_lead(recipient: Recipient, question: Question) -> str:
    """Write the first sentence. If hands are secret it names no card that the reader may hold."""
    lead = CASES[question.case].lead
    if question.case in DECLINED and recipient.may_act:
        return f"{lead} It is still your turn."
    if question.until is not None and question.case == "late":
        day = f"on {question.until.day} {question.until:%B} " if question.until.date() != recipient.now.date() else ""
        return lead.format(f"{day}at {question.until:%H:%M}")
    if question.until is not None:
        return describe_hold(question.until)
    if question.problem is None:
        return lead
    said = f"Not played: {letter_parts.write_message(question.problem.message)}"
    general = may_name_card(recipient.known, question.problem) or len(said) > letter_parts.LONGEST_LEAD
    return _choose_general_lead(question, question.problem) if general else said


def describe_hold(until: datetime) -> str:
    return CASES["held"].lead.format(f"{until:%H:%M}")


def may_name_card(known: Replay, problem: Problem) -> bool:
    """Return True if a problem's message may name a card of a secret hand: only the one that it is not held does."""
    game = known.record.game
    rules = find_record_plugin(game).rules
    return game.secret and problem.rule not in {game.ids(each) for each in (rules.hand, rules.order, rules.over)}


def _choose_general_lead(question: Question, problem: Problem) -> str:
    return CASES[question.case].lead if problem.kind is Kind.ILLEGAL else NOT_READ


def _explain_offer(recipient: Recipient, question: Question) -> Blocks:
    if not question.lines:
        return ()
    words, is_hosted = CASES[question.case], recipient.game.is_hosted
    how = (words.several if question.choice else words.one) if is_hosted else ""
    by_hand = NO_HOST_SEVERAL if question.choice else NO_HOST
    return Paragraph(how or by_hand), Samples(question.lines, numbered=question.choice and is_hosted)


def _show_meant(recipient: Recipient, question: Question) -> Blocks:
    buttons = (Button("Yes, play it", "yes"), Button("Change it"))
    if question.case == "held":
        buttons = (Button("No, stop it", "no"), Button("Play it now", "yes"))
    return (
        *((Buttons(buttons),) if recipient.game.is_hosted else ()),
        *((Paragraph("You also wrote:"), Quote(make_printable(question.also))) if question.also else ()),
        *_explain_offer(recipient, question),
        *([Paragraph(question.hint)] if question.hint else []),
        *_describe_turn(recipient.known, question),
        *_quote_sender(question),
    )


def _list_choices(recipient: Recipient, question: Question) -> Blocks:
    return *_explain_offer(recipient, question), *_quote_sender(question)


def _list_proposed(recipient: Recipient, question: Question) -> Blocks:
    return Buttons((Button("Yes, do it", "yes"), Button("Write something else"))), *_explain_offer(recipient, question)


def _list_forms(recipient: Recipient, question: Question) -> Blocks:
    if not question.lines:
        return (Paragraph(f"{FORMS} Write your order again."),)
    buttons = (Buttons((Button("Yes, do it", "yes"), Button("Write something else"))),)
    is_hosted = recipient.game.is_hosted
    why = () if is_hosted else (Paragraph(FORMS),)
    return *(buttons if is_hosted and not question.choice else ()), *why, *_explain_offer(recipient, question)


def _ask_if_sure(_: Recipient, question: Question) -> Blocks:
    buttons = Buttons((Button("Yes, I am sure", "yes"), Button("No, play on", "no")))
    return buttons, Paragraph(CASES[question.case].one), *_quote_sender(question)


def _show_wrong(recipient: Recipient, question: Question) -> Blocks:
    problem = question.problem
    assert problem is not None
    blocks: list[Block] = []
    if _write_question_lead(recipient, question) == _choose_general_lead(question, problem):
        blocks.append(Paragraph(letter_parts.write_message(problem.message)))
    statement = rule(problem.rule).statement.partition(". ")[0] if problem.kind is Kind.ILLEGAL and not blocks else ""
    if statement:
        blocks.append(Paragraph(f"The rule: {statement.removesuffix('.')}."))
    blocks.append(Excerpt(question.typed, problem.col, problem.length))
    if problem.hint and not problem.list_fixes(Scope.DECISION) and not question.lines:
        blocks.append(Paragraph(problem.hint))
    blocks += _explain_offer(recipient, question)
    if not question.lines and question.example:
        how = "Here is a legal turn with this card. Copy it, and change it:"
        blocks += [Paragraph(how), Samples((question.example,))]
    elif not question.lines:
        blocks.append(Paragraph("`legal` shows what you can play now."))
    if question.more:
        blocks.append(Paragraph("To see everything that is wrong, send `draft` and your turn."))
    return tuple(blocks)


def _show_elsewhere(recipient: Recipient, question: Question) -> Blocks:
    ways: Blocks
    if question.sender:
        sender = question.sender if question.sender == SOMEBODY_HERE else f"`{question.sender}`"
        source = Paragraph(f"It came from {sender}.")
        last = Paragraph("If it was not you, do nothing: somebody else has a mail of yours.")
        nothing, ways = f"{NO_LINE} Write from this address.", ()
    else:
        source = Paragraph("Your mail answers a mail of ours, but it has lost the key that we put into each of them.")
        last = Paragraph("If you did not write it, do nothing.")
        nothing = f"{NO_LINE} Write one in a reply to this mail."
        ways = letter_parts.explain_answering(recipient) if recipient.may_act else ()
    hint = (Paragraph(question.hint),) if question.hint else ()
    if question.lines:
        buttons = Buttons((Button("No, forget it", "no"), Button("Yes, it was me", "yes")))
        offer = *_explain_offer(recipient, question), *_describe_turn(recipient.known, question)
        return *(() if question.choice else (buttons,)), source, *offer, *hint, last
    return source, *(hint or (Paragraph(nothing),)), *ways, last


def _show_late(recipient: Recipient, _: Question) -> Blocks:
    taken = find_last_taken(recipient.game)
    if taken and taken[0].seat == recipient.seat and (undo := _explain_undo(recipient)):
        return undo
    return (Paragraph("It can't be taken back either: another turn has been played."),)


def _explain_undo(recipient: Recipient) -> Blocks:
    game = recipient.game
    if game.to_act in {None, recipient.seat}:
        return ()
    others = [name for seat, name in enumerate(game.names) if seat != recipient.seat]
    agrees = f"{others[0]} has" if len(others) == 1 else "All others have"
    text = f"Not what you meant? Reply `undo?` before {recipient.next_name} plays. {agrees} to agree."
    return Buttons((Button("Ask to undo", "undo?"),)), Paragraph(text)


def _explain_answer(recipient: Recipient, question: Question) -> Blocks:
    asked = (*question.asked, *((Paragraph(question.hint),) if question.hint else ()))
    if question.lines:
        turn = _describe_turn(recipient.known, question)
        another = (Paragraph(ANOTHER),) if turn and recipient.may_act and recipient.game.is_hosted else ()
        return *asked, *_explain_offer(recipient, question), *another, *turn, *_quote_sender(question)
    if question.asked or not recipient.may_act:
        return *asked, *_quote_sender(question)
    position = letter_parts.show_position(recipient) if question.case not in DECLINED else ()
    copy = (Paragraph(COPY),) if question.case == "unnumbered" else ()
    return *asked, *position, *copy, *letter_parts.explain_answering(recipient)


@frozen
class _Row:
    """A row of `questions.toml`."""

    show: Callable[[Recipient, Question], Blocks]
    lead: str
    one: str = ""
    several: str = ""
    rule: str = HOW


_SHOWN: Mapping[str, Callable[[Recipient, Question], Blocks]] = {
    "meant": _show_meant, "choices": _list_choices, "proposed": _list_proposed, "forms": _list_forms, "sure": _ask_if_sure,
    "wrong": _show_wrong, "elsewhere": _show_elsewhere, "late": _show_late, "answer": _explain_answer,
}  # fmt: skip


def _make_row(show: str, lead: str, one: str = "", several: str = "", rule: str = HOW) -> _Row:
    return _Row(_SHOWN[show], lead, one.format(**_TEXTS), several.format(**_TEXTS), rule)


CASES: Mapping[Case, _Row] = {case: _make_row(**row) for case, row in _TABLE["cases"].items()}


def _describe_turn(known: Replay, question: Question) -> Blocks:
    words = find_mail_plugin(known.record.game).tell_turn(known, question.lines[0]) if len(question.lines) == 1 else ""
    return (Heading("IN WORDS"), Paragraph(words)) if words else ()


def _quote_sender(question: Question) -> Blocks:
    lines = [single_space(line) for line in drop_program_signature(question.typed).split("\n") if line.strip()]
    typed = "".join(lines[:1])
    for above, below in pairwise(lines):
        typed += f"{' ' if is_possibly_broken(above, below) else ' / '}{below}"
    typed = make_printable(typed)
    cut = typed if len(typed) <= MOST_TYPED else f"{typed[: MOST_TYPED - 1]}…"
    return (Heading("YOU WROTE"), Quote(cut)) if cut else ()


def _write_question_footer(recipient: Recipient, question: Question) -> tuple[str, ...]:
    standing = "" if question.case == "held" else letter_parts.describe_standing(recipient)
    if recipient.may_act and not recipient.game.time.adjourned and question.case not in {*DECLINED, "held", "late"}:
        standing = f"It is still your turn. {standing}".rstrip()
    about = question.problem.rule if question.problem is not None else CASES[question.case].rule
    name = f"The full rule, {about}" if about != HOW else "How to write a turn"
    return *([standing] if standing else []), f"{name}: {rule(about).link}"


NO_ORDER, NO_TEXT = IDS("no-order"), IDS("no-text")
SHOWS_POSITION = {"status", "legal"}
"""Questions after which the position is shown."""
NO_LEAD = "Nothing has been played: no line of your mail is an order."
NO_TEXT_LEAD = "Nothing has been played: your mail has no text that can be read."
OVER_LEAD = "The game is over, and no line of your mail is an order."
STRUCK_LEAD = "Nothing has been played: part of your mail is struck out."
STRUCK = "The host does not read struck-out text. If your turn is in it, send the turn again as ordinary text."
TO_THE_OTHERS = "Only the host has read it. To write to the other players, begin with `say to all:`."
REPAIR = "Write your order as text in the mail itself."
STOPPED = "Your plan stopped at once: nothing was played."
LIKE_ORDERS = {"show": 3, "board": 2, "position": 2, "play": 2, "check": 2, "why not": 12, "why-not": 12}
"""Beginnings of lines that ask for something that no order does, each with the most words of such a line."""
EVERY_ORDER = "All orders with examples: {}"


@define
class ResultWriter:
    """A writer of the results of a mail's lines: each with its answer, or with the reason and the place of its error."""

    results: Sequence[OrderResult]
    failed: list[OrderResult] = field(init=False)
    first: OrderResult | None = field(init=False)
    """The line that the first sentence is about."""
    has_news: bool = field(init=False, default=False)
    """True if the first sentence may be about other news than a result."""

    def __attrs_post_init__(self) -> None:
        self.failed = [result for result in self.results if result.failed]
        turn = next((result for result in self.failed if result.is_turn), None)
        self.first = self.results[0] if len(self.results) == 1 else turn

    def write_lead(self) -> str:
        if self.first is None:
            return summarize_results(self.results)
        return self.write_general_lead(self.first) or letter_parts.choose_lead(_describe_result(self.first))

    def list_answers(self, *, several: bool) -> Blocks:
        """Return the answer to each line. Of `several` lines each is repeated, and its first sentence too."""
        body: list[Block] = []
        told: list[tuple[Problem, ...]] = []
        for result in self.results:
            again = _strip_places(result) in told
            body = _join_answers(body, tuple(self.write_answer(result, several=several, again=again)))
            told += [_strip_places(result)] if result.failed else []
        return tuple(body)

    def write_answer(self, result: OrderResult, *, several: bool, again: bool) -> Iterator[Block]:
        if result.played:
            return
        if again:
            yield Paragraph(f"Not {'played' if result.is_turn else 'done'}, for the same reason:")
            yield Quote(shorten_line(result.line.typed))
            return
        if several and not result.failed:
            yield Quote(shorten_line(result.line.typed))
        if result is self.first and result.failed:
            if self.write_general_lead(result):  # otherwise the first sentence gives the reason
                message = letter_parts.write_message(letter_parts.choose_problem(result.problems).message)
                yield Paragraph(capitalize_text(message))
        elif several or self.write_general_lead(result) or (self.has_news and not result.failed):
            yield Paragraph(_describe_result(result))
        if result.failed and not result.blocks:
            yield from letter_parts.show_problem(result.line.typed, result.problems)
            yield Rule(letter_parts.choose_problem(result.problems).rule)
        yield from result.blocks

    def write_general_lead(self, result: OrderResult, *, is_secret: bool = False) -> str:
        """Return a first sentence that is short and has no secret; "" if the result's own is good enough."""
        if not is_secret and len(_describe_result(result)) <= letter_parts.LONGEST_LEAD:
            return ""
        failed = f"Not {'played' if result.is_turn else 'done'}, for the reason below."
        return failed if result.failed else "Here is the result of your order."


@define
class ReplyWriter(ResultWriter):
    """Writes the answer to a mail to a game: first the orders carried out, then the others, then answers to questions; `notes` are added.

    `changed` is true if turns were played or taken back, or the game ended. If it is over now, this is the last letter.
    """

    recipient: Recipient
    orders: Orders
    host: Sequence[Announcement]
    changed: bool
    notes: Sequence[str] = ()
    ended: bool = field(init=False)
    played: OrderResult | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        shown = map(self._show_stopped, self.results)
        self.results = sorted(shown, key=lambda result: (result.asked, result.failed))
        super().__attrs_post_init__()
        seat, self.has_news = self.recipient.seat, bool(self.recipient.moments)
        self.host = [each for each in self.host if seat in each.seats and each.sender is None and not each.asks]
        self.played = next((result for result in self.results if result.played), None)
        self.ended = self.recipient.game.time.over and self.changed
        self.first = None if self.ended or self.played else self.first

    @cites("mail.answer", "mail.no-order", "mail.no-text", "mail.remark", "post.order.several")
    def write_reply(self, question: Question | None = None, about: int | None = None) -> Letter:
        """Write the answer to a mail about a turn. If it led to a `question`, that answers it."""
        recipient, about = self.recipient, 0 if self.recipient.game.time.over else about
        if question is not None:
            return self._write_question(question, about)
        files = frozenset({GAME}) if self.played else frozenset()
        files |= ENCLOSED if recipient.may_act and (recipient.moments or self.changed) else frozenset()
        files |= game_letters.LAST if self.ended else frozenset()
        return self._compose_letter(self.write_lead(), self._write_body(), self._write_footer(), about, files)

    def _write_question(self, question: Question, about: int | None) -> Letter:
        recipient, self.first = self.recipient, None
        body = (
            *CASES[question.case].show(recipient, question),
            *show_announcements(recipient, self.host),
            *self._list_other_results(),
            *map(Paragraph, self.notes),
            *letter_parts.list_recent_events(recipient, recipient.moments),
            *letter_parts.report_plans(recipient),
        )
        lead, footer = _write_question_lead(recipient, question), _write_question_footer(recipient, question)
        return self._compose_letter(lead, body, footer, about)

    def _compose_letter(
        self, lead: str, body: Blocks, footer: Sequence[str], about: int | None, files: frozenset[str] = frozenset()
    ) -> Letter:
        kind, subject = "again" if self.recipient.may_act else "note", self._write_subject()
        return letter_parts.compose_letter(self.recipient, kind, lead, body, footer, subject, about, files)

    def _list_other_results(self) -> Iterator[Block]:
        for result in self.results:
            if result.failed and result.is_turn:
                yield Paragraph("Not played either:")
                yield Quote(shorten_line(result.line.typed))
            else:
                yield from self.write_answer(result, several=True, again=False)

    def _write_subject(self) -> str:
        if self.recipient.game.time.over:
            return game_letters.describe_game_result(self.recipient)[0]
        if self.played is not None:
            return "your turn was played"
        return "your turn" if self.recipient.may_act else "your mail"

    def write_lead(self) -> str:
        recipient = self.recipient
        if not self.results:
            return self._explain_nothing()
        if self.ended:
            return letter_parts.choose_lead(game_letters.describe_game_result(recipient)[1])
        if self.played is not None:
            short = recipient.plugin.shorten_turn(recipient.known, self.played.game.turns, recipient.seat)
            if self.failed:
                return letter_parts.choose_lead(f"{short} Not everything else was done.", short)
            return self._add_next(short)
        if self.changed and recipient.moments and not self.failed:
            return self._add_next(letter_parts.summarize_turns(recipient, recipient.moments))
        return super().write_lead()

    def _explain_nothing(self) -> str:
        if self.recipient.game.time.over:
            return OVER_LEAD
        nothing = NO_TEXT_LEAD if self.orders.unread else STRUCK_LEAD if self.orders.is_struck else NO_LEAD
        return nothing if self.recipient.may_act else self._add_next(nothing)

    def _add_next(self, short: str) -> str:
        nexts = (letter_parts.name_next(self.recipient, date=date) for date in (True, False))
        return letter_parts.choose_lead(*(f"{short} {each}".rstrip() for each in nexts), short)

    def write_general_lead(self, result: OrderResult, *, is_secret: bool = False) -> str:
        private = isinstance(result.line.order, Turn | Draft | Planned | Standing) or result.is_turn
        if result.failed and private:
            is_secret = may_name_card(self.recipient.known, letter_parts.choose_problem(result.problems))
        return super().write_general_lead(result, is_secret=is_secret)

    def _show_stopped(self, result: OrderResult) -> OrderResult:
        """Return a result that says that its plan stopped at once, if it did; the letter reports the plan below."""
        if result.failed or self.changed or not isinstance(result.line.order, Planned | Standing):
            return result
        given = result.game.memory.seats[self.recipient.seat].last_plan
        is_there = given in {plan.number for plan in self.recipient.memory.plans}
        return result if is_there else evolve(result, lead=STOPPED, blocks=())

    def _write_body(self) -> Blocks:
        recipient = self.recipient
        shows = bool(recipient.moments) or self.changed or any(map(_is_about_position, self.results))
        return (
            *(game_letters.describe_game_decision(recipient) if self.ended else ()),
            *show_announcements(recipient, self.host),
            *(() if self.results else self._explain_no_order()),
            *letter_parts.list_recent_events(recipient, recipient.moments),
            *self.list_answers(several=len(self.results) > 1),
            *self._list_not_understood(),
            *map(Paragraph, self.notes),
            *letter_parts.report_plans(recipient),
            *self._write_ending(shows=shows),
        )

    def _write_ending(self, *, shows: bool) -> Blocks:
        recipient = self.recipient
        if self.ended:
            return game_letters.show_ending(recipient)
        offers = any(each.shows_turns and each.game.turn_id == recipient.game.turn_id for each in self.results)
        asks = recipient.may_act and not offers and (shows or not self.results or self._may_have_meant_turn())
        return (
            *(letter_parts.make_buttons(recipient) if asks else ()),
            *(letter_parts.describe_pass(recipient) if shows and not asks and recipient.moments else ()),
            *(letter_parts.show_position(recipient) if shows else ()),
            *(letter_parts.explain_answering(recipient) if asks else ()),
            *(_explain_undo(recipient) if self.played is not None and recipient.game.is_hosted else ()),
        )

    def _may_have_meant_turn(self) -> bool:
        """Return True if the mail may have been meant to play, and did not: a line failed, or a new plan played nothing."""
        return bool(self.failed) or (bool(self.recipient.memory.notes) and not self.changed)

    def _explain_no_order(self) -> Blocks:
        if self.orders.unread:
            return (Paragraph(f"{self.orders.unread} {REPAIR}"),)
        body: list[Block] = [Paragraph(STRUCK)] if self.orders.is_struck else []
        if remark := list(filter(None, map(drop_program_signature, self.orders.remark))):
            body.append(Paragraph("The host read this, but it is not an order:"))
            body += [Quote(shorten_line(line)) for line in remark[:MOST_REPEATED]]
            body += [Paragraph(TO_THE_OTHERS)] if self.recipient.game.time.over else []
        if any(find_questions(self.orders.remark)):
            body.append(Paragraph(HOW_TO_ASK))
        return tuple(body)

    def _list_not_understood(self) -> Blocks:
        """List the lines beside an order that ask for something that no order does."""
        lines = [line for line in self.orders.remark if _is_like_order(line)] if self.results else []
        if not lines:
            return ()
        which = "This line was" if len(lines) == 1 else "These lines were"
        return Paragraph(f"{which} not understood:"), *(Quote(shorten_line(line)) for line in lines[:MOST_REPEATED])

    def _write_footer(self) -> tuple[str, ...]:
        recipient = self.recipient
        if self.ended:
            return (self._show_recorded(), game_letters.show_last_turn(recipient))
        rules = [letter_parts.choose_problem(result.problems).rule for result in self.failed[:1]]
        rules += [each.rule for each in self.host if each.rule] + [each.rule for each in self.results if each.rule]
        rules += [] if self.results else [NO_TEXT if self.orders.unread else NO_ORDER]
        standing = letter_parts.describe_standing(recipient)
        if self._may_have_meant_turn() and recipient.may_act and not recipient.game.time.adjourned:
            standing = f"It is still your turn. {standing}".rstrip()
        more = letter_parts.cite_rule(rules[0]) if rules else letter_parts.write_help_line(recipient)
        if any(isinstance(each.line.order, Ask) and each.line.order.kind == "help" for each in self.results):
            more = EVERY_ORDER.format(find_address("orders/"))
        return (self._show_recorded(), self._quote_only_line(), standing, more)

    def _show_recorded(self) -> str:
        if self.played is None:
            return ""
        moment = self.recipient.known.moments[self.played.game.turns]
        return f"Recorded as: {moment.line} #{moment.hash}"

    def _quote_only_line(self) -> str:
        order = self.results[0].line.order if len(self.results) == 1 else None
        if order is None or self.played or self.failed or order == Ask("help"):
            return ""
        return f"You wrote: `{shorten_line(self.results[0].line.typed)}`"


def _describe_result(result: OrderResult) -> str:
    if not result.failed:
        return result.lead
    message = letter_parts.lower_sentence(letter_parts.choose_problem(result.problems).message)
    return f"Not {'played' if result.is_turn else 'done'}: {letter_parts.write_message(message)}"


def summarize_results(results: Sequence[OrderResult]) -> str:
    """Say in one sentence how many lines of a mail were carried out."""
    asks = all(result.line.typed.rstrip().endswith(QUESTION_MARKS) for result in results)
    noun, was_done = ("question", "answered") if asks else ("order", "done")
    done, orders = sum(not result.failed for result in results), count_noun_in_words(len(results), noun)
    if not done:
        return f"Nothing in your mail was {was_done}."
    if done < len(results):
        some = capitalize_text(count_noun_in_words(done, noun))
        return f"{some} of {len(results)} {'is' if done == 1 else 'are'} {was_done}."
    return f"{f'Both {noun}s' if done == 2 else f'All {orders}'} in your mail are {was_done}."


def _join_answers(body: list[Block], more: Blocks) -> list[Block]:
    """Join answers: lines on plans that follow one another become one list."""
    match (*body[-1:], *more[:1]):
        case Events(before), Events(after):
            return [*body[:-1], Events((*before, *after)), *more[1:]]
    return [*body, *more]


def _is_like_order(line: str) -> bool:
    text = " ".join(line.casefold().split())
    known = (most for begin, most in LIKE_ORDERS.items() if text == begin or text.startswith(f"{begin} "))
    return not text.endswith("?") and len(text.split()) <= next(known, 0)


def _strip_places(result: OrderResult) -> tuple[Problem, ...]:
    return tuple(evolve(problem, col=1, length=1) for problem in result.problems)


def _is_about_position(result: OrderResult) -> bool:
    order = result.line.order
    return isinstance(order, Draft) or (isinstance(order, Ask) and order.kind in SHOWS_POSITION)
