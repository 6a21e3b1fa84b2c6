"""Reads questions: what each is about, a card, a rule or an order; and orders of one word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import get_args

from tkid.kernel.problems import Kind
from tkid.notation.plugin import TurnReader
from tkid.notation.turns import WrongError
from tkid.notation.vocabulary import Unknown
from tkid.orders.kinds import FIRST_WORDS, TOPICS, way
from tkid.orders.lookup import form, no_card, problem, shown
from tkid.orders.model import Ask, Question
from tkid.orders.plugin import OrderLanguage
from tkid.rulebook import all_rules, known
from tkid.rulebook.search import all_known, ask

RULE_ID = re.compile(r"[\w-]+(\.[\w-]+)+")
"""What has the form of a rule's id."""
QUESTIONS: dict[str, Question] = {question: question for question in get_args(Question)}
"""What may be asked, by the kind of order."""
ASKING = frozenset(
    """
    who whom whose what when where why how which can could may might must shall should will would do does did is are am was
    were has have if
    """.split()  # noqa: SIM905 - a list of words reads better so
)
"""The words with which questions begin."""
FEW_WORDS = 4
"""So many words are looked for although some have slips; more of them may be a sentence about something else."""
LONGEST_SEARCH = 200
"""Characters of what `rules` looks for."""
QUESTION_MARKS = ("?", "？", "؟")
MOST_UNMARKED = 8
"""Maximum number of words of a question without a question mark."""
ASKING_FIRST = ("who ", "whose ", "how ", "which ", "why ")
POLITE_ASKING = re.compile(
    r"(?:can|could|would|will) (?:you|anybody|somebody) (?:please )?(?:tell|explain|say)\b(?: to)?(?: me| us)?,? ",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"[^.!?？؟]*[^.!?？؟\s][?？؟]?")
LETTERS = re.compile(r"[^\W\d_]+")
HOW_TO_ASK = "To ask about a rule, reply `rules` and your question. To check a turn, reply `draft` and the turn."


def read_question(kind: str, text: str, language: OrderLanguage, turns: TurnReader) -> Ask:
    """A question of a kind, with what it is about. Raises WrongError."""
    question = QUESTIONS[kind]
    begins = len(re.split(r"[\W\d_]", text, maxsplit=1)[0])
    argument = text[begins:].strip(" :?")
    column = text.find(argument, begins)
    if not argument:
        return Ask(question)
    if question == "legal":
        card = turns.cards.find(argument)
        if isinstance(card, Unknown):
            raise WrongError(no_card(turns, card, column))
        return Ask(question, card)
    if question == "rules":
        return Ask(question, _rules(argument, column, language))
    if question == "help":
        topics = {**TOPICS, **language.topics}
        topic = topics.get(argument.casefold())
        if topic is None:
            hint = f"There is help on {', '.join(dict.fromkeys(topics.values()))}."
            raise WrongError(form(f"There is no help on `{shown(argument)}`", hint, column, len(argument)))
        return Ask(question, topic)
    check_alone(text, text[:begins], language)
    return Ask(question)


def check_alone(text: str, word: str, language: OrderLanguage) -> None:
    """Raise WrongError where anything stands behind an order of one word."""
    rest = text[len(word) :].strip(" :?")
    if rest:
        kind = FIRST_WORDS[word.casefold()]
        message = f"`{word.casefold()}` has to be alone on its line, but `{shown(rest)}` follows"
        raise WrongError(form(message, way(kind, language), text.find(rest, len(word)), len(rest)))


ASKED = frozenset({"me", "you", "him", "her", "us", "them"})
"""Whom somebody asks who asks for no rule: `ask me: that was a mistake`."""


def _is_answered(argument: str) -> bool:
    """Whether words ask for a rule: some rule fits, and they are few, begin as questions do, or are all words of rules."""
    words, found = argument.split(), ask(argument)
    if words[0].strip(",:") in ASKED:
        return False
    if words[0] in ASKING:
        return found.fits
    return found.fits and not found.unknown and (len(words) <= FEW_WORDS or all_known(argument))


def _rules(typed: str, column: int, language: OrderLanguage) -> str:
    """The id of a rule, or a question that some rule fits. Raises WrongError."""
    argument = typed.casefold()
    few = len(argument) <= LONGEST_SEARCH
    if few and (known(argument) or (not RULE_ID.fullmatch(argument) and _is_answered(argument))):
        return argument
    alike = few and get_close_matches(argument, [rule.id for rule in all_rules()], 3)
    meant = " or ".join(f"`rules {each}`" for each in alike or ())
    hint = f"Did you mean {meant}?" if meant else way("rules", language)
    raise WrongError(problem("post.order.rule", f"No rule has `{shown(typed)}`", hint, column, len(typed), Kind.NAME))


def find_questions(lines: Sequence[str]) -> Iterator[str]:
    """Yield the questions in some lines, each from the word with which it asks; one alone may lack its mark."""
    for sentence in SENTENCE.findall(" ".join(lines)):
        text = sentence.strip()
        words = list(LETTERS.finditer(text))
        asks = next((word.start() for word in words if word[0].casefold() in ASKING), 0)
        alone = (
            len(lines) == 1 and len(words) <= MOST_UNMARKED and text == lines[0] and text.casefold().startswith(ASKING_FIRST)
        )
        if len(text) <= LONGEST_SEARCH and words and (alone or text.endswith(QUESTION_MARKS)):
            yield POLITE_ASKING.sub("", text[asks:])
