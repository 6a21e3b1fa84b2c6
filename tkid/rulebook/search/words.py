"""From a text to the words that are compared: one spelling, no accents, no endings; and what means the same."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple
from unicodedata import normalize

ACCENT = re.compile("[\u0300-\u036f]")
POSSESSIVE = re.compile("['\u2018\u2019`]s(?![a-z0-9])")
APOSTROPHE = re.compile("['\u2018\u2019`]")
WORD = re.compile("[a-z0-9]+")
FILE_NAME = "[^\\s\"'\u2018\u2019\u201c\u201d`,;:()<>]*\\.(%s)(?![a-z0-9])"
"""The name of a file, with its folders, that ends in one of these ways."""


@cache
def word_table() -> Mapping[str, Any]:
    """The table of words as data: what does not count, what is spelt in two ways, what means the same."""
    text = files(__package__).joinpath("words.toml").read_text("utf-8")
    table = tomllib.loads(text)
    return table | {name: table[name].split() for name in ("stop", "asking", "common", "numbers")}


@cache
def _stemmer() -> Any:
    """The stemmer, loaded with the first question: whatever reads or writes a mail imports this module, and few ask."""
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415 - takes longer than all else here

    return EnglishStemmer()


@cache
def _stem(word: str) -> str:
    """A word without its ending; each word is stemmed once, however many indexes have it."""
    return str(_stemmer().stemWord(word))


class Word(NamedTuple):
    """A word of a text: as it is compared before its ending goes, and its stem."""

    text: str
    stem: str


class Phrase(NamedTuple):
    """Words that stand side by side and count as one: the stem of them all, where they begin, how many they are."""

    stem: str
    start: int
    length: int

    @property
    def places(self) -> range:
        """The places of its words among those of the text."""
        return range(self.start, self.start + self.length)


class Language:
    """What texts are read with: a table of words made ready."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._letters: Mapping[str, str] = table["letters"]
        self._spellings: Sequence[Sequence[str]] = table["spellings"]
        self._forms: Mapping[str, str] = table["forms"]
        self._files: Mapping[str, str] = table["files"]
        self._file_name = re.compile(FILE_NAME % "|".join(self._files), re.IGNORECASE)
        self._stems: dict[str, Word] = {}
        self._phrases: dict[tuple[str, str], list[list[str]]] = {}
        self.stop = {self.word(text).text for text in table["stop"]}
        self.asking = {self.word(text).text for text in table["asking"]}
        self.common = self.stop | self.asking | {self.word(text).text for text in table["common"]}
        self.numbers = {self.word(text).text for text in table["numbers"]}
        self.spelt = {text: self.word(text).stem for text in table["forms"] if text.isalpha()}
        self.known: dict[str, str] = {}
        self.same: dict[str, dict[str, float]] = {}
        for kind in ("same", "names"):
            for group in table[kind]["groups"]:
                self._add(group, table[kind]["weight"])
        self.cues = {self._learn(cue) for cue in table["protocol"]["cues"]}

    def _add(self, group: Iterable[str], weight: float) -> None:
        """Note that words and phrases mean the same."""
        stems = [self._learn(phrase) for phrase in group]
        for stem in stems:
            others = self.same.setdefault(stem, {})
            others |= {each: max(weight, others.get(each, 0)) for each in stems if each != stem}

    def _learn(self, text: str) -> str:
        """The stem of a word or a phrase of the table."""
        words = self.words(text)
        if len(words) > 1:
            rest = [word.text for word in words]
            known = self._phrases.setdefault((rest[0], rest[1]), [])
            if rest not in known:
                known.append(rest)
            return self.word("".join(rest)).stem
        self.known[words[0].text] = words[0].stem
        return words[0].stem

    def word(self, text: str) -> Word:
        """One word of small letters and digits in its one spelling, with its stem."""
        found = self._stems.get(text)
        if found is None:
            spelt = text
            for one, other in self._spellings:
                spelt = spelt.replace(one, other)
            spelt = self._forms.get(spelt, spelt)
            found = self._stems[text] = Word(spelt, _stem(spelt))
        return found

    def words(self, text: str) -> list[Word]:
        """The words of a text, in their order."""
        plain = text.lower()
        if not plain.isascii():
            plain = "".join(self._letters.get(each, each) for each in plain)
            plain = ACCENT.sub("", normalize("NFKD", plain))
        plain = APOSTROPHE.sub("", POSSESSIVE.sub("", plain))
        return [self.word(each) for each in WORD.findall(plain)]

    def with_kinds_of_files(self, text: str, ids: Container[str]) -> str:
        """A question with what a file is in place of its name; what is the id of a rule is no name of a file."""

        def kind(found: re.Match[str]) -> str:
            return found[0] if found[0].lower() in ids else self._files[found[1].lower()]

        return self._file_name.sub(kind, text)

    def phrases(self, words: Sequence[Word]) -> list[Phrase]:
        """The known phrases among some words."""
        texts = [word.text for word in words]
        return [
            Phrase(self.word("".join(phrase)).stem, start, len(phrase))
            for start, pair in enumerate(pairwise(texts))
            for phrase in self._phrases.get(pair, ())
            if texts[start : start + len(phrase)] == phrase
        ]
