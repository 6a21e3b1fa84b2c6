"""The index of words, stems and spellings that the search reads."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

from tkid.rulebook.register import parse_prepared

ACCENT = re.compile("[\u0300-\u036f]")
POSSESSIVE = re.compile("['\u2018\u2019`]s(?![a-z0-9])")
APOSTROPHE = re.compile("['\u2018\u2019`]")
WORD = re.compile("[a-z0-9]+")
ARTICLES = ("d", "l", "all", "dall", "dell", "nell", "sull")
"""French and Italian articles that lose their vowel before another, as in "all'inizio"."""
FILE_NAME = "[^\\s\"'\u2018\u2019\u201c\u201d`,;:()<>]*\\.(%s)(?![a-z0-9])"
"""Name of a file, with its folders, that ends in one of these ways."""


@cache
def load_word_table() -> Mapping[str, Any]:
    """Return the table of words as data: words that do not count, double spellings, synonyms."""
    table = {name: value for name, value in _read_table().items() if name != "asked"}
    lists = ("stop", "asking", "common", "everyday", "numbers", "regions")
    return table | {name: table[name].split() for name in lists}


def list_other_questions(rule_id: str) -> list[str]:
    """Return more ways to ask for a rule, which no page prints."""
    text = _read_table()["asked"].get(rule_id, "")
    return text.split(" / ") if text else []


@cache
def _read_table() -> Mapping[str, Any]:
    folder = Path(__file__).parent
    return parse_prepared(folder, "words", folder.joinpath("words.toml").read_text("utf-8"))


@cache
def load_stems() -> Mapping[str, str]:
    """Return the stems of the words of all rules and tables, which the stemmer would need a second for."""
    stems = json.loads(Path(__file__).with_name("stems.json").read_text("utf-8"))
    return {word: stem for stem, words in stems.items() for word in words.split()}


@cache
def _load_stemmer() -> Any:
    """Load the stemmer with the first word that no rule has."""
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415 - takes longer than all else here

    return EnglishStemmer()


@cache
def _stem_word(word: str) -> str:
    return load_stems().get(word) or str(_load_stemmer().stemWord(word))


class Word(NamedTuple):
    """A word of a text: its spelling for comparing, and its stem."""

    text: str
    stem: str


class Phrase(NamedTuple):
    """Words side by side that count as one: the stem of them all, their start and their number."""

    stem: str
    start: int
    length: int

    @property
    def places(self) -> range:
        """The places of its words among those of the text."""
        return range(self.start, self.start + self.length)


class Language:
    """A table of words made ready for reading texts."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._letters: Mapping[str, str] = table["letters"]
        self._spellings: Sequence[Sequence[str]] = table["spellings"]
        self._forms: Mapping[str, str] = table["forms"]
        self._files: Mapping[str, str] = table["files"]
        self._file_name = re.compile(FILE_NAME % "|".join(self._files), re.IGNORECASE)
        self._stems: dict[str, Word] = {}
        self._phrases: dict[tuple[str, str], list[list[str]]] = {}
        self.stop = {self.make_word(text).text for text in table["stop"]}
        self.asking = {self.make_word(text).text for text in table["asking"]}
        everyday = (*table["common"], *table["everyday"])
        self.common = self.stop | self.asking | {self.make_word(text).text for text in everyday}
        self.common_stems = {self.make_word(text).stem for text in everyday}
        self.numbers = {self.make_word(text).text for text in table["numbers"]}
        self.spelt = {text: self.make_word(text).stem for text in table["forms"] if text.isalpha()}
        self.known: dict[str, str] = {}
        self.same: dict[str, dict[str, float]] = {}
        for kind in ("same", "names"):
            for group in table[kind]["groups"]:
                self._add_synonyms(group, table[kind]["weight"])
        for name in table["regions"]:
            region = self.make_word("region").stem
            self.same.setdefault(self.make_word(name).stem, {})[region] = table["weights"]["region"]
        self.foreign = [self._read_foreign(text) for text in table["foreign"].values()]
        self.cues = {self._learn_stem(cue) for cue in table["protocol"]["cues"]}

    def _read_foreign(self, text: str) -> dict[str, str]:
        groups = [group.partition(":") for group in text.split()]
        plain = [(self.split_words(each)[0].text, english) for english, _, some in groups for each in some.split(",")]
        vowels = [(word, english) for word, english in plain if word[0] in "aeiouh"]
        elided = [(f"{article}{word}", english) for word, english in vowels for article in ARTICLES]
        return dict([*elided, *plain])

    def _add_synonyms(self, group: Iterable[str], weight: float) -> None:
        stems = [self._learn_stem(phrase) for phrase in group]
        for stem in stems:
            others = self.same.setdefault(stem, {})
            others |= {each: max(weight, others.get(each, 0)) for each in stems if each != stem}

    def _learn_stem(self, text: str) -> str:
        words = self.split_words(text)
        if len(words) > 1:
            rest = [word.text for word in words]
            known = self._phrases.setdefault((rest[0], rest[1]), [])
            if rest not in known:
                known.append(rest)
            return self.make_word("".join(rest)).stem
        self.known[words[0].text] = words[0].stem
        return words[0].stem

    def list_words(self) -> set[str]:
        """Return the words read so far, each in its one spelling."""
        return {word.text for word in self._stems.values()}

    def make_word(self, text: str) -> Word:
        """Return one word of small letters and digits in its one spelling, with its stem."""
        found = self._stems.get(text)
        if found is None:
            spelt = text
            for one, other in self._spellings:
                spelt = spelt.replace(one, other)
            spelt = self._forms.get(spelt, spelt)
            found = self._stems[text] = Word(spelt, _stem_word(spelt))
        return found

    def split_words(self, text: str) -> list[Word]:
        """Return the words of a text, in their order."""
        plain = text.lower()
        if not plain.isascii():
            plain = "".join(self._letters.get(each, each) for each in plain)
            plain = ACCENT.sub("", normalize("NFKD", plain))
        plain = APOSTROPHE.sub("", POSSESSIVE.sub("", plain))
        return [self.make_word(each) for each in WORD.findall(plain)]

    def replace_file_names(self, text: str, ids: Container[str]) -> str:
        """Return a question with the kinds of files in place of their names; the id of a rule is no name of a file."""

        def kind(found: re.Match[str]) -> str:
            return found[0] if found[0].lower() in ids else self._files[found[1].lower()]

        return self._file_name.sub(kind, text)

    def find_phrases(self, words: Sequence[Word]) -> list[Phrase]:
        """Return the known phrases among some words."""
        texts = [word.text for word in words]
        return [
            Phrase(self.make_word("".join(phrase)).stem, start, len(phrase))
            for start, pair in enumerate(pairwise(texts))
            for phrase in self._phrases.get(pair, ())
            if texts[start : start + len(phrase)] == phrase
        ]


def list_stems_and_pairs(words: Sequence[Word]) -> list[str]:
    """Return the stems of some words, and each two neighbours, once each."""
    stems = [word.stem for word in words]
    return list(dict.fromkeys([*stems, *(f"{one} {other}" for one, other in pairwise(stems))]))


PHRASES = ("title", "asks", "question", "words", "more")
"""Parts of a rule that are compared with a question as a whole."""


class Entry(NamedTuple):
    """A rule in the index: its record, the first word of its id and the rest, and its topic (alike for the same rule of other editions)."""

    record: Mapping[str, Any]
    prefix: str
    local: str
    topic: str


class Text(NamedTuple):
    """A title or a question of a rule: its entry, its weight, and its amount of information."""

    entry: int
    weight: float
    size: float


class Index:
    """The rules by their words.

    `fields` has for each stem the rules with it, each with what the stem counts there; `texts` and `in_texts` the same for
    titles and questions. `spoken` has for each stem and pair of neighbours the rules whose texts have it, each with what it
    counts there; `spoken_sizes` what each can count at most. `asked` has the rules with each question of the register, and `defined` those that say what something is, by its stem. `in_force` has the rules of each edition, `stems` the words that they know. `rulesets` has the
    edition and the variant of each ruleset by its code. `words` are those of the rules, each with its stem; `lexicon` also
    has those of the table and of the editions. `variants` has for each rule the word of the variant that alone has it,
    and `signs` for each variant the words that it has alone. A `language` that was made of the same table is used as it is.
    """

    def __init__(self, *data: Mapping[str, Any], language: Language | None = None) -> None:
        table = data[0]["words"]
        self.language = language or Language(table)
        self.weights: Mapping[str, Any] = table["weights"]
        self.chances: Mapping[str, Any] = table["chances"]
        self.facts: Mapping[str, Any] = table["facts"]
        self.editions: list[Mapping[str, Any]] = [edition for each in data for edition in each["editions"]]
        self.games = {edition["prefix"]: edition.get("game", "") for edition in self.editions}
        self.entries = [_make_entry(record, self.games) for each in data for record in each["rules"]]
        self.by_id = {entry.record["id"]: number for number, entry in enumerate(self.entries)}
        self.topics: dict[str, list[int]] = {}
        for number, entry in enumerate(self.entries):
            self.topics.setdefault(entry.topic, []).append(number)
        self.words: dict[str, str] = {}
        self.fields: dict[str, dict[int, float]] = {}
        self.texts: list[Text] = []
        self.in_texts: dict[str, list[int]] = {}
        self.spoken: dict[str, dict[int, float]] = {}
        self._meant: dict[str, Mapping[int, float]] = {}
        self.asked: dict[str, set[int]] = {}
        self.defined: dict[str, set[int]] = {}
        self._rarity: dict[str, float] = {}
        self._read_rules()
        names = [name for each in self.editions for name in (*each.get("names", ()), *each.get("signs", ()))]
        of_names = {word.text: word.stem for name in names for word in self.language.split_words(name)}
        self.lexicon = of_names | self.words | self.language.known | self.language.spelt
        self.in_force = {edition["prefix"]: frozenset(self._list_held(edition).values()) for edition in self.editions}
        self.stems = {
            prefix: {stem for stem, where in self.fields.items() if not held.isdisjoint(where)}
            for prefix, held in self.in_force.items()
        }
        self.rulesets: dict[str, tuple[str, str]] = {}
        for edition in self.editions:
            for code in edition.get("rulesets", ()):
                self.rulesets[code] = (edition["prefix"], code.removeprefix(edition["rulesets"][0]).strip("-"))
        words = {word for _, word in self.rulesets.values()} - {""}
        self.variants = [self._find_variant(entry, words) for entry in self.entries]
        self.signs = {word: self._find_signs(word) for word in words}

    def is_of_play(self, number: int) -> bool:
        """Return True if a rule is one of a game, and not one about files and mails."""
        return bool(self.games[self.entries[number].prefix])

    def get_rarity(self, stem: str) -> float:
        """Return the weight of a word: the fewer topics have it or a word that means the same, the greater."""
        found = self._rarity.get(stem)
        if found is None:
            same = (each for each, weight in self.language.same.get(stem, {}).items() if weight > 0.8)
            spread = max(self._spread.get(each, 0) for each in (stem, *same))
            found = self._rarity[stem] = log(1 + len(self.topics) / max(spread, 1))
        return found

    def find_defined_term(self, words: Sequence[Word]) -> str:
        """Return the stem of the word or phrase of which a question asks what it is; "" for any other question."""
        found = re.search(self.facts["defining"], " ".join(word.text for word in words))
        return self.language.make_word(found[1].replace(" ", "")).stem if found else ""

    def find_spoken(self, stem: str) -> Mapping[int, float]:
        """Return the rules whose texts have a stem or a pair, or words that mean the same, each with what that counts there."""
        found = self._meant.get(stem)
        if found is None:
            best = dict(self.spoken.get(stem, {}))
            for other, weight in self.language.same.get(stem, {}).items():
                for number, much in self.spoken.get(other, {}).items():
                    best[number] = max(best.get(number, 0.0), weight * self.weights["spoken_same"] * much)
            found = self._meant[stem] = best
        return found

    def _read_rules(self) -> None:
        """Read every part of every rule: first the weight of each word, then the weight of titles and questions."""
        split = cache(self._split_text)
        texts = []
        spoken: list[Counter[str]] = []
        for number, entry in enumerate(self.entries):
            worth: dict[str, float] = {}
            spoken.append(Counter())
            for name, part in self._list_searched_parts(entry):
                stems: set[str] = set()
                for text in part:
                    words, phrases, said = split(text)
                    spoken[number].update(said)
                    stems.update(phrases, self._keep_stems(words))
                    if name == "asks":
                        self.asked.setdefault(" ".join(word.text for word in words), set()).add(number)
                    if name in {"asks", "more"} and (term := self.find_defined_term(words)):
                        self.defined.setdefault(term, set()).add(number)
                    if name in PHRASES:
                        texts.append((number, self.weights["phrases"][name], words, phrases))
                for stem in stems:
                    worth[stem] = worth.get(stem, 0.0) + self.weights["fields"][name]
            for stem, much in worth.items():
                self.fields.setdefault(stem, {})[number] = much / (much + self.weights["half"])
        topics = [entry.topic for entry in self.entries]
        self._spread = {stem: len({topics[each] for each in where}) for stem, where in self.fields.items()}
        for whose, weight, words, phrases in texts:
            self._read_text(whose, weight, words, phrases)
        self._weigh_spoken(spoken)

    def _weigh_spoken(self, spoken: Sequence[Counter[str]]) -> None:
        """Weigh each stem and pair by how many texts of a rule have it, and how few topics."""
        spread: dict[str, set[str]] = {}
        for entry, often in zip(self.entries, spoken, strict=True):
            for each in often:
                spread.setdefault(each, set()).add(entry.topic)
        sizes = {each: log(1 + len(self.topics) / len(where)) for each, where in spread.items()}
        pair = self.weights["spoken_pair"]
        self.spoken_sizes = {each: size * (pair if " " in each else 1) for each, size in sizes.items()}
        usual = sum(often.total() for often in spoken) / len(spoken)
        for number, often in enumerate(spoken):
            half = self.weights["spoken_half"] * (1 + often.total() / usual) / 2
            for each, count in often.items():
                self.spoken.setdefault(each, {})[number] = self.spoken_sizes[each] * count / (count + half)

    def _split_text(self, text: str) -> tuple[list[Word], list[str], list[str]]:
        """Return the words of a text, the stems of its phrases, and its stems and pairs."""
        words = self.language.split_words(text)
        return words, [phrase.stem for phrase in self.language.find_phrases(words)], list_stems_and_pairs(words)

    def _list_searched_parts(self, entry: Entry) -> Iterator[tuple[str, list[str]]]:
        record = entry.record
        yield "id", [entry.local]
        for name in ("title", "short", "statement", "question"):
            yield name, [record.get(name, "")]
        yield "words", list(record.get("words", ()))
        yield "asks", [question for question, _ in record.get("asks", ())]
        topic = (self.entries[number].record for number in self.topics[entry.topic])
        yield "more", [question for each in topic for question in each.get("more", ())]

    def _keep_stems(self, words: list[Word]) -> list[str]:
        """Keep the stems of words that count, to find them for misspelt words, and return them."""
        kept = [word for word in words if word.text not in self.language.stop]
        self.words.update(kept)
        return [word.stem for word in kept]

    def _read_text(self, entry: int, weight: float, words: list[Word], phrases: list[str]) -> None:
        sizes = {word.stem: size for word in words if (size := self.get_size(word))}
        if sizes:
            for stem in {*sizes, *phrases}:
                self.in_texts.setdefault(stem, []).append(len(self.texts))
            self.texts.append(Text(entry, weight, sqrt(sum(sizes.values()))))

    def get_size(self, word: Word) -> float:
        """Return the weight of a word in a question: little if it only asks, nothing if it does not count."""
        if word.text in self.language.asking:
            return float(self.weights["asking"])
        return 0.0 if word.text in self.language.stop else self.get_rarity(word.stem)

    def _find_variant(self, entry: Entry, words: set[str]) -> str:
        """Return the word of the variant that alone has a rule, by its id or its edition; "" for the game itself."""
        parts = entry.local.replace("-", ".").split(".")
        named = [word for word in parts if word in words]
        stated = next(edition.get("variants", ()) for edition in self.editions if edition["prefix"] == entry.prefix)
        named += [word for word, *beginnings in stated if any(_is_beginning(entry.local, each) for each in beginnings)]
        return named[0] if named else ""

    def _find_signs(self, variant: str) -> set[str]:
        """Return the words that only a variant has: its own, and the ends of its beginnings that no other title has."""
        pairs = [(each, listed) for each in self.editions for listed in each.get("variants", ())]
        stated = [(each, listed) for each, listed in pairs if listed[0] == variant]
        editions = {each["prefix"] for each, _ in stated}
        whole = zip(self.entries, self.variants, strict=True)
        titles = [entry.record.get("title", "") for entry, own in whole if not own and entry.prefix in editions]
        ends = [beginning.rpartition(".")[2] for _, listed in stated for beginning in listed[1:]]
        return (self._find_stems(ends) - self._find_stems(titles)) | self._find_stems([variant])

    def _find_stems(self, texts: Iterable[str]) -> set[str]:
        return {word.stem for text in texts for word in self.language.split_words(text)}

    def _list_held(self, edition: Mapping[str, Any]) -> dict[str, int]:
        below = [each for each in self.editions if each["prefix"] == edition.get("base")]
        held = {local: number for each in below for local, number in self._list_held(each).items()}
        for local in edition.get("without", ()):
            held.pop(local, None)
        own = {entry.local: number for number, entry in enumerate(self.entries) if entry.prefix == edition["prefix"]}
        return held | own


def _is_beginning(local: str, beginning: str) -> bool:
    """Return True if an id begins with these words: `card.spy` begins `card.spy.top`, and `ruling.spy` begins `ruling.spy-pile`."""
    return local.startswith(beginning) and local[len(beginning) : len(beginning) + 1] in {"", ".", "-"}


def _make_entry(record: Mapping[str, Any], games: Mapping[str, str]) -> Entry:
    prefix, _, local = record["id"].partition(".")
    game = games[prefix]
    return Entry(record, prefix, local, f"{game}.{record.get('same', local)}" if game else record["id"])


def translate_words(index: Index, words: list[Word]) -> list[Word]:
    """Return the English words of a question in another language; an English question as it is."""
    strange = {word.text for word in words if not _is_english(index, word)}
    foreign = max(index.language.foreign, key=lambda each: len(strange & each.keys()))
    others = [word for word in words if word.text in strange or word.text not in foreign]
    if not words or 3 * len(strange & foreign.keys()) < max(1, len(others)):
        return words
    english = ([word] if word.text not in foreign else index.language.split_words(foreign[word.text]) for word in words)
    return [word for each in english for word in each]


def _is_english(index: Index, word: Word) -> bool:
    return word.text in index.lexicon or word.text in index.language.common


def correct_words(index: Index, words: list[Word]) -> tuple[list[Word], dict[str, str]]:
    """Return the words of a question without slips where it is clear which word is meant, and the meant words by the typed ones."""
    last = len(words) - 1
    meant = {
        word.text: near
        for place, word in enumerate(words)
        if _is_new(index, word, last=place == last) and (near := _find_nearest(index, word.text))
    }
    return [meant.get(word.text, word) for word in words], {typed: word.text for typed, word in meant.items()}


def _is_new(index: Index, word: Word, *, last: bool) -> bool:
    """Return True if no rule or table has a word, nor two words that make it up, nor words that begin with it, except one with a slip."""
    if _is_english(index, word) or word.stem in index.fields or word.stem in index.language.common_stems:
        return False
    if split_word(index, word.text):
        return False
    begun = find_completions(index, word.text, last=last)
    return not begun or (len(begun) == 1 and len(word.text) > 4 and _find_nearest(index, word.text) is not None)


def _find_nearest(index: Index, text: str) -> Word | None:
    """Return the correct spelling of a misspelt word; None if several words are possible."""
    alike = [word for word in index.lexicon if len(word) > 2 and word[0] == text[0]]
    candidates = [word for word in alike if word not in index.language.common or _has_same_letters(word, text)]
    near = [word for word in candidates if is_slip(text, word)]
    near = [word for word in near if _has_same_letters(word, text)] or near
    if not near and len(text) > 7:
        near = [word for word in candidates if is_misspelt(text, word, slips=2)]
    found = {index.lexicon[word]: index.language.make_word(word) for word in near}
    return next(iter(found.values())) if len(found) == 1 else None


def split_word(index: Index, text: str) -> list[str]:
    """Return the stems of the two words that one consists of; none if it does not."""
    for cut in range(3, len(text) - 2):
        if text[:cut] in index.words and text[cut:] in index.words:
            return [index.words[text[:cut]], index.words[text[cut:]]]
    return []


def find_completions(index: Index, text: str, *, last: bool) -> list[str]:
    """Return the stems of the words that begin so; the last word of a question may be unfinished."""
    enough = len(text) >= (2 if last else 4)
    return [stem for word, stem in index.lexicon.items() if enough and word.startswith(text)]


def is_slip(text: str, word: str) -> bool:
    """Return True if one word is probably meant by another: a short one must not have a different letter."""
    if not is_misspelt(text, word):
        return False
    if len(text) > 4:
        return len(word) > 3
    return _has_same_letters(text, word) or (len(text) == 4 and len(word) != 4)


def _has_same_letters(one: str, other: str) -> bool:
    """Return True if two words differ only in the order of their letters, or in letters that stand twice."""
    return sorted(one) == sorted(other) or _drop_doubles(one) == _drop_doubles(other)


def _drop_doubles(text: str) -> str:
    return "".join(letter for place, letter in enumerate(text) if letter != text[place - 1 : place])


def is_misspelt(one: str, other: str, slips: int = 1) -> bool:
    """Return True if at most this many slips turn one word into another: a letter more, less or different, or two that changed places."""
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


def find_pages(question: str, *, by_heading: bool) -> list[tuple[str, str]]:
    """Return the pages whose title has every word of a question, as title and path, at most three, shortest title first.

    With `by_heading`, the words may also be in the title and one heading; the path then leads to the heading. Without, at
    most one page is found.
    """
    data = json.loads(Path(__file__).with_name("pages.json").read_text("utf-8"))

    def count(text: str) -> list[str]:
        return [word for word in WORD.findall(text.lower()) if word not in data["small"]]

    def fits(words: list[str]) -> bool:
        return bool(asked) and all(any(_are_forms(word, other) for other in words) for word in asked)

    asked, found = count(question), []
    for page in data["pages"]:
        path, own = page["path"], count(page["title"])
        fitting = [(len(count(words)), place) for words, place in page["headings"] if fits([*own, *count(words)])]
        if fits(own):
            found.append((0, len(own), page["title"], path))
        elif by_heading and fitting:
            size, place = min(fitting, key=lambda each: each[0])
            found.append((1, size, page["title"], f"{path}#{place}" if place else path))
    return [(title, path) for *_, title, path in sorted(found, key=lambda each: each[:2])[: 3 if by_heading else 1]]


def _are_forms(one: str, other: str) -> bool:
    """Return True for a word and one that only has another ending, such as `install` and `installing`."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > 3 and len(long) - len(short) <= 3 and long.startswith(short))
