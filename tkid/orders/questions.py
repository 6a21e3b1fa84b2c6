"""Making orders of lines that name something: words to players, and questions about cards, rules and orders."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import get_args

from lark import Token, Tree

from tkid.kernel.problems import Kind, Place, Problem
from tkid.notation.people import EVERYBODY, People, single
from tkid.notation.plugin import TurnReader
from tkid.notation.turns import WrongError
from tkid.notation.vocabulary import Unknown
from tkid.orders.kinds import FIRST_WORDS, TOPICS, way
from tkid.orders.lookup import form, no_card, nobody, shown
from tkid.orders.model import Ask, Question, Say
from tkid.orders.plugin import OrderLanguage
from tkid.rulebook import all_rules, cites, find, known

QUESTIONS: dict[str, Question] = {question: question for question in get_args(Question)}
"""What may be asked, by the kind of order."""
LONGEST_SEARCH = 60
"""Characters of what `rules` looks for."""


@cites("post.say")
def read_said(  # noqa: PLR0917 - the line, parsed and typed, and who writes it to whom
    tree: Tree[Token],
    typed: str,
    language: OrderLanguage,
    people: People,
    sender: int | None,
    mates: tuple[int, ...],
) -> Say:
    """Press; the text is taken from the line as it was typed. `mates` are the sender's party. Raises WrongError."""
    to, text = (token for token in tree.children if isinstance(token, Token))
    name = to.rstrip()
    words = "".join(c if c.isprintable() else " " for c in typed[text.start_pos :]).strip(" *_`")
    if not words:
        raise WrongError(form("The text is missing", way("say", language), text.start_pos or 0))
    if single(name) in EVERYBODY:
        return Say("all", words)
    seat = people.seat(name)
    if seat is None:
        raise WrongError(nobody(people, name, to.start_pos or 0, "Write to one player, or to `all`. "))
    if seat in mates:
        raise WrongError(_not_to(seat, sender, to.start_pos or 0, len(name), people))
    return Say(seat, words)


def _not_to(seat: int, sender: int | None, at: int, length: int, people: People) -> Problem:
    """The problem with words to oneself, or to a team-mate alone."""
    hint, place = "Words to everybody are written `say to all: TEXT`.", Place(col=at + 1, length=length)
    if seat == sender:
        return Problem(Kind.ILLEGAL, "post.say.self", "These words would go to yourself", hint=hint, **place)
    told = f"{people.names[seat]} is your team-mate: team-mates do not discuss plans, so these words are not passed on"
    return Problem(Kind.ILLEGAL, "post.say.team-mate", told, hint=hint, **place)


def read_question(kind: str, text: str, language: OrderLanguage, turns: TurnReader) -> Ask:
    """A question of a kind, with what it is about. Raises WrongError."""
    question = QUESTIONS[kind]
    begins = len(re.split(r"[\W\d_]", text, maxsplit=1)[0])
    argument = text[begins:].strip(" :?")
    at = text.find(argument, begins)
    if not argument:
        return Ask(question)
    if question == "legal":
        found = turns.cards.find(argument)
        if isinstance(found, Unknown):
            raise WrongError(no_card(turns, found, at))
        return Ask(question, found)
    if question == "rules":
        return Ask(question, _rules(argument, at, language))
    if question == "help":
        topics = {**TOPICS, **language.topics}
        topic = topics.get(argument.casefold())
        if topic is None:
            hint = f"There is help on {', '.join(dict.fromkeys(topics.values()))}."
            raise WrongError(form(f"There is no help on `{shown(argument)}`", hint, at, len(argument)))
        return Ask(question, topic)
    check_alone(text, text[:begins], language)
    return Ask(question)


def check_alone(text: str, word: str, language: OrderLanguage) -> None:
    """Raise WrongError where anything stands behind an order of one word."""
    rest = text[len(word) :].strip(" :?")
    if rest:
        kind = FIRST_WORDS[word.casefold()]
        told = f"`{word.casefold()}` stands alone, but `{shown(rest)}` follows"
        raise WrongError(form(told, way(kind, language), text.find(rest, len(word)), len(rest)))


def _rules(typed: str, at: int, language: OrderLanguage) -> str:
    """The id of a rule, or words that the register knows. Raises WrongError."""
    argument = typed.casefold()
    few = len(argument) <= LONGEST_SEARCH
    if few and (known(argument) or find(argument)):
        return argument
    alike = few and get_close_matches(argument, [rule.id for rule in all_rules()], 3)
    meant = " or ".join(f"`rules {each}`" for each in alike or ())
    hint = f"Did you mean {meant}?" if meant else way("rules", language)
    place: Place = {"col": at + 1, "length": len(typed)}
    raise WrongError(Problem(Kind.NAME, "post.order.rule", f"No rule holds `{shown(typed)}`", hint=hint, **place))
