"""Titles that a player would look for, statements in one breath, and each question with one rule that answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tkid.record.json.conformance import read_suite
from tkid.rulebook import Rule, all_rules, list_in_force
from tkid.rulebook.register import list_prefixes

SUITE = Path(__file__).parents[2] / "fixtures" / "conformance"
TITLE = 45
"""A title has so many characters at most."""
SHORT = 60
"""An answer in a few words has so many characters at most."""
STATEMENT = 60
"""A statement has so many words at most."""

every_prefix = pytest.mark.parametrize("prefix", list_prefixes())


def in_use(prefix: str) -> list[Rule]:
    """The rules that hold under a prefix, retired ones left out."""
    return [entry for entry in list_in_force(prefix).values() if not entry.moved]


def own(prefix: str) -> list[Rule]:
    """The rules of one file of the register, retired ones left out."""
    return [entry for entry in all_rules() if entry.prefix == prefix and not entry.moved]


def repeated(texts: Iterable[str]) -> list[str]:
    """The texts that occur more than once, whatever their capitals."""
    return [text for text, count in Counter(text.casefold() for text in texts).items() if count > 1]


def unlike_titles(entries: Iterable[Rule]) -> Iterator[str]:
    """The rules whose title is none: missing, too long, or a sentence."""
    for entry in entries:
        title = entry.title
        if not title or len(title) > TITLE or title.endswith(".") or title != title.strip():
            yield f"{entry.id}: {title!r} ({len(title)} characters)"


def unlike_answers(entries: Iterable[Rule]) -> Iterator[str]:
    """The questions that are none, or have no answer."""
    for entry in entries:
        for question, answer in entry.asks:
            if not question.endswith("?") or not answer.strip():
                yield f"{entry.id}: {question!r} {answer!r}"


def too_long(entries: Iterable[Rule]) -> Iterator[str]:
    """The rules that nobody says in one breath."""
    for entry in entries:
        if len(entry.statement.split()) > STATEMENT:
            yield f"{entry.id}: a statement of {len(entry.statement.split())} words"
        if len(entry.short) > SHORT:
            yield f"{entry.id}: a short answer of {len(entry.short)} characters"


@every_prefix
def test_each_rule_has_a_title(prefix: str) -> None:
    assert not list(unlike_titles(own(prefix)))


@every_prefix
def test_each_title_leads_to_one_rule_of_an_edition(prefix: str) -> None:
    assert not repeated(entry.title for entry in in_use(prefix) if entry.title)


@every_prefix
def test_each_question_is_one_and_has_an_answer(prefix: str) -> None:
    assert not list(unlike_answers(own(prefix)))


@every_prefix
def test_each_question_leads_to_one_rule_of_an_edition(prefix: str) -> None:
    assert not repeated(question for entry in in_use(prefix) for question, _ in entry.asks)


@every_prefix
def test_statements_and_short_answers_are_said_in_one_breath(prefix: str) -> None:
    assert not list(too_long(own(prefix)))


def test_the_examples_are_cases_of_the_conformance_suite() -> None:
    cases = {case.number for case in read_suite(SUITE).cases}
    assert {entry.example for entry in all_rules() if entry.example} <= cases


@every_prefix
def test_words_for_the_search_are_not_empty_and_not_said_twice(prefix: str) -> None:
    for entry in own(prefix):
        assert all(word.strip() == word and word for word in entry.words), entry.id
        assert not repeated(entry.words), entry.id


# -- the test itself --------------------------------------------------------------------------------------

GOOD = Rule(
    "second.turn.pass",
    "procedure",
    "Passing skips this turn only.",
    "rulebook: Turns",
    title="Passing",
    short="You skip this turn only.",
    asks=(("If I pass, am I out?", "No."),),
)


def test_a_good_rule_is_left_alone() -> None:
    assert not list(unlike_titles([GOOD]))
    assert not list(unlike_answers([GOOD]))
    assert not list(too_long([GOOD]))


@pytest.mark.parametrize("title", ["", "x" * 46, "Passing skips this turn.", " Passing"])
def test_titles_that_are_none_are_found(title: str) -> None:
    assert len(list(unlike_titles([GOOD._replace(title=title)]))) == 1


@pytest.mark.parametrize("asked", [("Passing", "No."), ("May I pass?", ""), ("May I pass?", " ")])
def test_questions_without_an_answer_are_found(asked: tuple[str, str]) -> None:
    assert len(list(unlike_answers([GOOD._replace(asks=(asked,))]))) == 1


def test_texts_that_are_too_long_are_found() -> None:
    long = GOOD._replace(statement=" ".join(["pass"] * 60) + " again.", short="x" * 61)
    assert len(list(too_long([long]))) == 2
    assert not list(too_long([long._replace(statement=" ".join(["pass"] * 60), short="x" * 60)]))


def test_what_is_said_twice_is_found() -> None:
    assert repeated(["Ties", "ties", "Draws"]) == ["ties"]
