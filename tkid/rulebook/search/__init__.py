"""Questions in people's own words, and the rules that answer them: one ranking in Python and in the browser."""

from __future__ import annotations

from functools import cache

from tkid.rulebook.search.data import protocol_data, search_data
from tkid.rulebook.search.index import Index
from tkid.rulebook.search.ranking import Answer, Hit, rank

__all__ = ["DEFAULT_RULESET", "Answer", "Hit", "ask", "protocol_data", "search_data"]

DEFAULT_RULESET = "second-edition"
"""The ruleset of whoever names none."""


@cache
def _index() -> Index:
    return Index(search_data(), protocol_data())


def ask(question: str, ruleset: str = DEFAULT_RULESET) -> Answer:
    """The rules that answer a question.

    Args:
        question: any words, such as "Who wins a tie?"; the id of a rule too.
        ruleset: the code of the ruleset that the reader plays by; a question that names another edition goes before it.

    Returns:
        The rules that fit, best first; no hits if no rule has any of the words.
    """
    return rank(_index(), question, ruleset)
