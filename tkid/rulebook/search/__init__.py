"""Questions in people's own words, and the rules that answer them: one ranking in Python and in the browser."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from tkid.rulebook.search.data import protocol_data, search_data
from tkid.rulebook.search.index import Index
from tkid.rulebook.search.ranking import Answer, Hit, rank
from tkid.rulebook.search.words import Language, word_table

__all__ = [
    "Answer",
    "Hit",
    "all_known",
    "ask",
    "protocol_data",
    "ruleset_codes",
    "search_data",
    "unknown_ruleset",
    "usual_ruleset",
]


@cache
def _index(*, protocol: bool) -> Index:
    data = (search_data(), protocol_data()) if protocol else (search_data(),)
    return Index(*data, language=_language())


@cache
def _language() -> Language:
    """What both indexes are read with: two thousand stems."""
    return Language(word_table())


def ask(question: str, ruleset: str = "") -> Answer:
    """The rules that answer a question.

    Args:
        question: any words, such as "Who wins a tie?"; the id of a rule too.
        ruleset: the code of the ruleset that the reader plays by, the second edition if there is none; a question that
            names another edition goes before it.

    Returns:
        The rules that fit, best first; no hits if no rule has any of the words. Rules about files and mails are among them
        where the question is about these, or where no rule of play fits.

    Raises:
        LookupError: there is no such ruleset.
    """
    code = ruleset or usual_ruleset()
    if all(code != known and code not in words for known, words in _index(protocol=False).rulesets.items()):
        raise LookupError(unknown_ruleset(code))
    answer = rank(_index(protocol=False), question, code)
    return answer if answer.fits and not answer.protocol else rank(_index(protocol=True), question, code)


def all_known(words: str) -> bool:
    """Whether each of some words is one that rules have as it is written, or means the same as one."""
    index = _index(protocol=True)
    language = index.language
    return all(
        word.text in language.stop
        or word.text in language.asking
        or not index.fields.keys().isdisjoint({word.stem, *language.same.get(word.stem, {})})
        for word in language.words(words)
    )


def usual_ruleset() -> str:
    """The code of the ruleset whose rules come first for readers who choose none."""
    return str(word_table()["reader"])


def ruleset_codes() -> tuple[str, ...]:
    """The codes of all rulesets."""
    return tuple(_index(protocol=False).rulesets)


def unknown_ruleset(code: str) -> str:
    """What is wrong with the code of a ruleset, and which one may be meant; "" if there is such a ruleset."""
    codes = ruleset_codes()
    if code in codes:
        return ""
    alike = get_close_matches(code, codes, n=1)
    hint = f"Did you mean {alike[0]}?" if alike else f"Known are: {', '.join(codes)}."
    return f"There is no ruleset {code!r}. {hint}"
