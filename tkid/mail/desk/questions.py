"""Answers a mail that has no order and asks something: as `rules`, `draft`, `legal` or `status` would. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk import dispatch
from tkid.mail.desk.offers import SEVERAL
from tkid.mail.desk.results import Mail, OrderResult, done
from tkid.mail.desk.second_reading import understood
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.inbound.order_lines import OrderReader, order_reader
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Paragraph, Samples
from tkid.mail.letters.offer_text import Question
from tkid.mail.model import OrderLine, Orders
from tkid.orders.questions import LETTERS, QUESTION_MARKS, find_questions
from tkid.orders.reader import ReadOrder
from tkid.rulebook import cites
from tkid.rulebook.search import ask

MOST_READ, MOST_ANSWERED = 5, 2
"""Maximum number of questions in one mail that are read, and that are answered."""
ABOUT_TURN = re.compile(
    r"(?:(?:can|could|may|might|shall|should|must) (?:i|we|one|you)|(?:am i|are we) (?:allowed|permitted|able) to"
    r"|is it (?:legal|allowed|possible|ok|okay|permitted) (?:to|if i)|what (?:would )?happens? if i|what if i|would|is)"
    r"(?: now| still| also| legally| then| just)* (?:play |use |do |make )?(?P<turn>\S.*?)"
    r"(?:,? (?:be |is )?(?:a )?(?:legal|allowed|possible|permitted|ok|okay|valid|now|here|instead)(?: turn| move)?)*\s*",
    re.IGNORECASE,
)
STATUS = re.compile(r"(?:whose|is it\b.{1,30}) turn\b|who(?:'s| is) (?:next|to (?:play|move))\b", re.IGNORECASE)
LEGAL = re.compile(
    r"(?:what|which turns?|which moves?) (?:can|could|may|should) i (?:do|play|make)\b|what (?:is|are) (?:the |my )*(?:legal|options|moves)",
    re.IGNORECASE,
)
PERSONAL = frozenset({"you", "your", "yours"})
IMPERSONAL = re.compile(
    r"(?:how|what|when|where|must|which \w+) (?:do|does|can|must) you|(?:do|can|must) you (?:have|need)\b",
    re.IGNORECASE,
)
"""Questions with `you` that are about everybody, and so about a rule."""
LEGAL_NOW, ILLEGAL_NOW = "This can be a legal turn now.", "This would not be legal now."
NOT_CLEAR = "It is not clear which turn you mean."
def may_ask(question: Question | None, results: Sequence[OrderResult]) -> bool:
    """Return True if a mail orders nothing, and what was taken for an order with an error is a question."""
    is_unsure = question is None or (question.problem is not None and question.problem.rule == "notation.free.intent")
    return is_unsure and all(
        result.failed and result.line.read.order is None and result.line.typed.rstrip().endswith(QUESTION_MARKS)
        for result in results
    )


@cites("mail.question")
def answer_questions(game: HostedGame, mail: Mail, orders: Orders) -> list[OrderResult]:
    """Answer what a mail asks that has no order; an empty list where nothing in it is a question about the game."""
    reader = order_reader(game.record.game, game.names, mail.seat)
    asked = islice(find_questions(orders.own or orders.remark), MOST_READ)
    answers = (answer for text in asked if (answer := _answer(game, mail, reader, text)) is not None)
    return list(islice(answers, MOST_ANSWERED))


def _answer(game: HostedGame, mail: Mail, reader: OrderReader, text: str) -> OrderResult | None:
    """Answer a question about a turn, about how the game stands, or about a rule."""
    asked = text.rstrip("".join(QUESTION_MARKS))
    turn = ABOUT_TURN.fullmatch(asked)
    part = _check_part(game, mail, reader, text, turn["turn"]) if turn else None
    if part and part.lead.startswith(LEGAL_NOW):
        return part
    orders = [f"draft {turn['turn']}", f"legal {turn['turn']}"] if turn else []
    orders += ["status"] if STATUS.match(asked) else ["legal"] if LEGAL.match(asked) else []
    for order in orders:
        if (read := reader.read(order)).order is not None:
            return dispatch.carry_out(game, OrderLine(text, read), mail)
    if part:
        return part
    personal = not PERSONAL.isdisjoint(word.casefold() for word in LETTERS.findall(asked)) and not IMPERSONAL.match(asked)
    names = {word.casefold() for name in game.names for word in LETTERS.findall(name)}
    strange = {word.casefold() for word in ask(asked, game.record.ruleset.code).unknown} - names
    read = reader.read(f"rules {asked}")
    return None if personal or strange or read.order is None else dispatch.carry_out(game, OrderLine(text, read), mail)


def _is_open(problem: Problem) -> bool:
    """Return True if nothing is wrong with a turn, but something is missing or several turns fit."""
    return problem.rule == SEVERAL or (problem.kind is Kind.SYNTAX and not problem.rule.startswith("notation."))


def _check_part(game: HostedGame, mail: Mail, reader: OrderReader, text: str, turn: str) -> OrderResult | None:
    """Say whether a turn that is named in part or in other words would be legal, and which legal turns come nearest."""
    if game.awaited != mail.seat:
        return None
    found = understood(game.known(mail.seat), turn)
    whole = not reader.read(f"draft {turn}").problems and found.turn  # as it stands: `draft` says what would follow
    fits = not whole and bool(found.turn or (found.choices and all(map(_is_open, found.problems))))
    wrong = next((each for each in found.problems if each.kind is Kind.ILLEGAL), None)
    if not (fits or (reader.intent.signs.is_turn(turn) and (found.choices or wrong))):
        return None
    why = () if wrong is None or fits else (Paragraph(content.capital(content.sentence(wrong.message))),)
    nearest = (
        "These are legal. Reply with one of them:"
        if fits
        else "These legal turns come nearest. Reply with one of them:"
    )
    turns = (Paragraph(nearest), Samples(found.choices)) if found.choices else ()
    lead = LEGAL_NOW if fits else ILLEGAL_NOW if wrong else NOT_CLEAR
    return done(
        game, OrderLine(text, ReadOrder(None)), f"{lead} Nothing has been played.", *why, *turns, rule="post.draft"
    )
