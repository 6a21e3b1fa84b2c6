"""Questions in people's own words, and the rules that answer them: one ranking in Python and in the browser."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from tkid.rulebook.search.data import protocol_data, search_data
from tkid.rulebook.search.index import Index
from tkid.rulebook.search.ranking import Answer, Hit, rank
from tkid.rulebook.search.words import word_table

__all__ = ["Answer", "Hit", "ask", "protocol_data", "search_data", "unknown_ruleset", "usual_ruleset"]


@cache
def _index(*, protocol: bool) -> Index:
    return Index(search_data(), protocol_data()) if protocol else Index(search_data())


def ask(question: str, ruleset: str = "") -> Answer:
    """The rules that answer a question.

    Args:
        question: any words, such as "Who wins a tie?"; the id of a rule too.
        ruleset: the code of the ruleset that the reader plays by, the second edition if there is none; a question that
            names another edition goes before it.

    Returns:
        The rules that fit, best first; no hits if no rule has any of the words. Rules about files and mails are among them
        where the question is about these, or where no rule of play fits.
    """
    code = ruleset or usual_ruleset()
    answer = rank(_index(protocol=False), question, code)
    return answer if answer.fits and not answer.protocol else rank(_index(protocol=True), question, code)


def usual_ruleset() -> str:
    """The code of the ruleset whose rules come first for readers who choose none."""
    return str(word_table()["reader"])


def unknown_ruleset(code: str) -> str:
    """What is wrong with the code of a ruleset, and which one may be meant; "" if there is such a ruleset."""
    codes = list(_index(protocol=False).rulesets)
    if code in codes:
        return ""
    alike = get_close_matches(code, codes, n=1)
    hint = f"Did you mean {alike[0]}?" if alike else f"Known are: {', '.join(codes)}."
    return f"There is no ruleset {code!r}. {hint}"
