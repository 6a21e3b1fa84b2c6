"""Where in a line an order is wrong: under the word that is, else under the line. Pure."""

from __future__ import annotations

from attrs import evolve

from tkid.kernel.problems import Problem
from tkid.notation.text import plain


def under(problem: Problem, line: str, *words: str, after: int = 0) -> Problem:
    """A problem with its place in a line: the first of some words that is in it, else the whole line.

    Args:
        problem: the problem.
        line: the line as it was typed.
        words: what may be wrong, as it was typed but for capitals.
        after: how many columns of the line are left out of the search.
    """
    text = plain(line).casefold()
    if len(text) != len(line):  # a letter that becomes two when capitals are left aside
        text = line.lower() if len(line.lower()) == len(line) else line
    for word in filter(None, words):
        if (column := _whole(text, word.casefold(), after)) >= 0:
            return evolve(problem, col=column + 1, length=len(word))
    return evolve(problem, col=1, length=max(1, len(line)))


def behind(problem: Problem, text: str) -> Problem:
    """A problem with its place behind a text, where something is missing."""
    return evolve(problem, col=len(text.rstrip()) + 1, length=1)


def _whole(text: str, word: str, after: int) -> int:
    """The column at which a text has a word that is no part of a longer one, from 0; -1 for none."""
    column = text.find(word, after)
    while column >= 0:
        around = text[column - 1 : column], text[column + len(word) : column + len(word) + 1]
        if not any(character.isalnum() or character in {"-", "_"} for character in around):
            return column
        column = text.find(word, column + 1)
    return -1
