"""Making orders of parsed lines: press, absences, wishes, questions; and whatever fits into a few words."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Literal

from lark import Token, Tree

from tkid.kernel.problems import Kind, Place, Problem
from tkid.notation.dates import NoDay, read_day, told
from tkid.notation.people import EVERYBODY, People, single
from tkid.notation.plugin import TurnReader
from tkid.notation.turns import WrongError
from tkid.notation.vocabulary import Unknown
from tkid.orders.model import NO_PICTURES, PICTURES, Ask, Away, Cancel, Notify, Order, Say, Undo
from tkid.orders.plan_reader import form, no_card, nobody
from tkid.orders.syntax import KINDS, shown, way
from tkid.rulebook import all_rules, cites, find, known

Question = Literal["status", "legal", "rules", "why", "history", "help"]
QUESTIONS: dict[str, Question] = {
    "status": "status",
    "position": "status",
    "board": "status",
    "legal": "legal",
    "moves": "legal",
    "rules": "rules",
    "rule": "rules",
    "why": "why",
    "history": "history",
    "help": "help",
}
"""The first words of questions, and what they ask for."""
FIRST_WORDS: dict[str, str] = {
    "if": "plan",
    "say": "say",
    "tell": "say",
    "press": "say",
    "away": "away",
    "cancel": "cancel",
    "undo": "undo",
    "notify": "notify",
    "draft": "draft",
    "resign": "resign",
    **QUESTIONS,
}
"""The first words of orders, and of what kind they are."""
TOPICS = {**FIRST_WORDS, **{kind: kind for kind in KINDS}, "turn": "turn"}
"""What `help` may be asked about, whatever is played."""
LONGEST_SEARCH = 60
"""Characters of what `rules` looks for."""


@cites("post.say")
def said(tree: Tree[Token], people: People, typed: str, sender: int | None, mates: tuple[int, ...]) -> Say:
    """Press; the text is taken from the line as it was typed. `mates` are the sender's party. Raises WrongError."""
    to, text = (token for token in tree.children if isinstance(token, Token))
    name = to.rstrip()
    words = "".join(c if c.isprintable() else " " for c in typed[text.start_pos :]).strip(" *_`")
    if not words:
        raise WrongError(form("The text is missing", way("say"), text.start_pos or 0))
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


def away(tree: Tree[Token], text: str) -> Away:
    """An absence. Raises WrongError."""
    days, problems = [], []
    for child in tree.children:
        assert isinstance(child, Tree)
        start, end = child.meta.start_pos, child.meta.end_pos
        day = read_day(text[start:end])
        if isinstance(day, NoDay):
            place = Place(col=start + 1, length=end - start)
            problems.append(Problem(Kind.SYNTAX, day.rule, day.message, hint=day.hint, **place))
        else:
            days.append((day, start))
    if problems:
        raise WrongError(*problems)
    (first, _), (last, at) = days
    if last < first:
        message = f"The last day, {told(last)}, is before the first, {told(first)}"
        hint = f"If the days are meant the other way round: `away {last.isoformat()} to {first.isoformat()}`."
        place = Place(col=at + 1, length=len(text) - at)
        raise WrongError(Problem(Kind.SYNTAX, "post.away.span", message, hint=hint, **place))
    return Away(first, last)


def cancel(tree: Tree[Token], _: str) -> Cancel:
    """What is cancelled; everything where nothing is named."""
    token = _token(tree, "ALL")
    if token.type == "NUMBER":
        return Cancel(int(re.sub(r"[^0-9]", "", token)))
    return Cancel(token.type.casefold())


@cites("post.undo")
def undo(tree: Tree[Token], _: str) -> Undo:
    """Asking for an undo, or an answer to that."""
    consents: dict[str, Literal["ask", "agree", "refuse"]] = {"ASK": "ask", "YES": "agree", "NO": "refuse"}
    return Undo(consents[_token(tree, "ASK").type])


def notify(tree: Tree[Token], level: str) -> Notify:
    """Which mails are wanted, or whether with pictures; `level` is the family's word of what is decided."""
    levels = {"EVERY": "every turn", "MINE": "my turns", "NEWS": level, "PICTURES": PICTURES, "PLAIN": NO_PICTURES}
    return Notify(levels[_token(tree, "EVERY").type])


def _token(tree: Tree[Token], missing: str) -> Any:
    """The one word of a parsed order that tells what is meant; where there is none, one of type `missing`."""
    return tree.children[0] if tree.children else Token(missing, "")


SMALL: dict[str, Callable[[Tree[Token], str], Order]] = {
    "away": away,
    "cancel": cancel,
    "undo": undo,
}
"""What makes an order of a parsed line, by the kind of order."""


def question(word: str, text: str, turns: TurnReader) -> Ask:
    """A question, of a kind or beginning with a word for it, with what it is about. Raises WrongError."""
    kind = QUESTIONS[word]
    begins = len(re.split(r"[\W\d_]", text, maxsplit=1)[0])
    argument = text[begins:].strip(" :?")
    at = text.find(argument, begins)
    if not argument:
        return Ask(kind)
    if kind == "legal":
        found = turns.cards.find(argument)
        if isinstance(found, Unknown):
            raise WrongError(no_card(turns, found, at))
        return Ask(kind, found)
    if kind == "rules":
        return Ask(kind, _rules(argument, at))
    if kind == "help":
        topics = {**TOPICS, **turns.orders.topics}
        topic = topics.get(argument.casefold())
        if topic is None:
            hint = f"There is help on {', '.join(dict.fromkeys(topics.values()))}."
            raise WrongError(form(f"There is no help on `{shown(argument)}`", hint, at, len(argument)))
        return Ask(kind, topic)
    alone(text, text[:begins])
    return Ask(kind)


def alone(text: str, word: str) -> None:
    """Raise WrongError where anything stands behind an order of one word."""
    rest = text[len(word) :].strip(" :?")
    if rest:
        kind = FIRST_WORDS[word.casefold()]
        told = f"`{word.casefold()}` stands alone, but `{shown(rest)}` follows"
        raise WrongError(form(told, way(kind), text.find(rest, len(word)), len(rest)))


def _rules(typed: str, at: int) -> str:
    """The id of a rule, or words that the register knows. Raises WrongError."""
    argument = typed.casefold()
    few = len(argument) <= LONGEST_SEARCH
    if few and (known(argument) or find(argument)):
        return argument
    alike = few and get_close_matches(argument, [rule.id for rule in all_rules()], 3)
    hint = f"Did you mean {' or '.join(f'`rules {each}`' for each in alike)}?" if alike else way("rules")
    place: Place = {"col": at + 1, "length": len(typed)}
    raise WrongError(Problem(Kind.NAME, "post.order.rule", f"No rule holds `{shown(typed)}`", hint=hint, **place))
