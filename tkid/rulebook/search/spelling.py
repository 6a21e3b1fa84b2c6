"""Slips in a question: which word is meant by one that no rule has."""

from __future__ import annotations

from tkid.rulebook.search.index import Index
from tkid.rulebook.search.words import Word


def corrected(index: Index, words: list[Word]) -> list[Word]:
    """The words of a question, without slips where it is clear which word is meant."""
    return [
        _nearest(index, word.text) or word if _is_new(index, word, last=place == len(words) - 1) else word
        for place, word in enumerate(words)
    ]


def _is_new(index: Index, word: Word, *, last: bool) -> bool:
    """Whether a word is in no rule and no table, and is neither the beginning of such a word nor two of them in one."""
    if word.text in index.lexicon or word.text in index.language.common or word.stem in index.fields:
        return False
    return not halves(index, word.text) and not begun(index, word.text, last=last)


def _nearest(index: Index, text: str) -> Word | None:
    """The one word that a misspelt word stands for; none if there are several."""
    alike = [word for word in index.lexicon if len(word) > 2 and word[0] == text[0]]
    candidates = [word for word in alike if word not in index.language.common or sorted(word) == sorted(text)]
    near = [word for word in candidates if is_slip(text, word)]
    if not near and len(text) > 7:
        near = [word for word in candidates if is_misspelt(text, word, slips=2)]
    found = {index.lexicon[word]: index.language.word(word) for word in near}
    return next(iter(found.values())) if len(found) == 1 else None


def halves(index: Index, text: str) -> list[str]:
    """The stems of the two words that one consists of; none if it does not."""
    for cut in range(3, len(text) - 2):
        if text[:cut] in index.words and text[cut:] in index.words:
            return [index.words[text[:cut]], index.words[text[cut:]]]
    return []


def begun(index: Index, text: str, *, last: bool) -> list[str]:
    """The stems of the words that begin so; the last word of a question may be unfinished."""
    enough = len(text) >= (2 if last else 4)
    return [stem for word, stem in index.lexicon.items() if enough and word.startswith(text)]


def is_slip(text: str, word: str) -> bool:
    """Whether one word is probably meant by another: a short one must not have a different letter."""
    if not is_misspelt(text, word):
        return False
    if len(text) > 4:
        return len(word) > 3
    return sorted(text) == sorted(word) or _single(text) == _single(word) or (len(text) == 4 and len(word) != 4)


def _single(text: str) -> str:
    """A word without its doubled letters."""
    return "".join(letter for place, letter in enumerate(text) if letter != text[place - 1 : place])


def is_misspelt(one: str, other: str, slips: int = 1) -> bool:
    """Whether so many slips make one word of another: a letter more, less or different, or two that changed places."""
    if abs(len(one) - len(other)) > slips:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    if not slips or rest == other_rest:
        return rest == other_rest
    pairs = [(rest[1:], other_rest), (rest, other_rest[1:]), (rest[1:], other_rest[1:])]
    if len(rest) > 1 and rest[1::-1] == other_rest[:2]:
        pairs.append((rest[2:], other_rest[2:]))
    return any(is_misspelt(mine, others, slips - 1) for mine, others in pairs)
