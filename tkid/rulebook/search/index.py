"""The rules made ready for questions: which words stand where, how rare each is, and which rules hold in which edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import log, sqrt
from typing import Any, NamedTuple

from tkid.rulebook.search.words import Language, Word

PHRASES = ("title", "asks", "question", "words")
"""The parts of a rule that are compared with a question as a whole."""


class Entry(NamedTuple):
    """A rule in the index: its record, the first word of its id and the rest, and its topic (alike for the same rule of other editions)."""

    record: Mapping[str, Any]
    prefix: str
    local: str
    topic: str


class Text(NamedTuple):
    """A title or a question of a rule: whose it is, what it counts, and how much it says."""

    entry: int
    weight: float
    size: float


class Index:
    """The rules by their words.

    `fields` has for each stem the rules with it, each with what the stem counts there; `texts` and `in_texts` the same for
    titles and questions. `in_force` has the rules of each edition, `stems` the words that they know. `rulesets` has the
    edition and the variant of each ruleset by its code. `words` are those of the rules, each with its stem; `lexicon` also
    has those of the table and of the editions. `variants` has for each rule the word of the variant that alone has it,
    and `signs` for each variant the words that it has alone. A `language` that was made of the same table is used as it is.
    """

    def __init__(self, *data: Mapping[str, Any], language: Language | None = None) -> None:
        table = data[0]["words"]
        self.language = language or Language(table)
        self.weights: Mapping[str, Any] = table["weights"]
        self.editions: list[Mapping[str, Any]] = [edition for each in data for edition in each["editions"]]
        games = {edition["prefix"]: edition.get("game", "") for edition in self.editions}
        self.entries = [_entry(record, games) for each in data for record in each["rules"]]
        self.by_id = {entry.record["id"]: number for number, entry in enumerate(self.entries)}
        self.topics: dict[str, list[int]] = {}
        for number, entry in enumerate(self.entries):
            self.topics.setdefault(entry.topic, []).append(number)
        self.words: dict[str, str] = {}
        self.fields: dict[str, dict[int, float]] = {}
        self.texts: list[Text] = []
        self.in_texts: dict[str, list[int]] = {}
        self._rarity: dict[str, float] = {}
        self._read()
        names = [name for each in self.editions for name in (*each.get("names", ()), *each.get("signs", ()))]
        of_names = {word.text: word.stem for name in names for word in self.language.words(name)}
        self.lexicon = of_names | self.words | self.language.known | self.language.spelt
        self.in_force = {edition["prefix"]: self._in_force(edition) for edition in self.editions}
        self.stems = {
            prefix: {stem for stem, where in self.fields.items() if not held.isdisjoint(where)}
            for prefix, held in self.in_force.items()
        }
        codes = [(edition, code) for edition in self.editions for code in edition.get("rulesets", ())]
        self.rulesets = {code: (edition["prefix"], variant(edition, code)) for edition, code in codes}
        words = {word for _, word in self.rulesets.values()} - {""}
        self.variants = [self._variant(entry, words) for entry in self.entries]
        self.signs = {word: self._signs(word) for word in words}

    def rarity(self, stem: str) -> float:
        """How much a word says: the more, the fewer topics have it or a word that means the same."""
        found = self._rarity.get(stem)
        if found is None:
            same = (each for each, weight in self.language.same.get(stem, {}).items() if weight > 0.8)
            spread = max(self._spread.get(each, 0) for each in (stem, *same))
            found = self._rarity[stem] = log(1 + len(self.topics) / max(spread, 1))
        return found

    def _read(self) -> None:
        """Read every part of every rule: first what each word counts there, then how much titles and questions say."""
        texts = []
        for number, entry in enumerate(self.entries):
            worth: dict[str, float] = {}
            for name, part in _parts(entry):
                stems: set[str] = set()
                for text in part:
                    words = self.language.words(text)
                    phrases = [phrase.stem for phrase in self.language.phrases(words)]
                    stems.update(phrases, self._kept(words))
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

    def _kept(self, words: list[Word]) -> list[str]:
        """The stems of words that count; what stems mean is kept for words that are misspelt."""
        kept = [word for word in words if word.text not in self.language.stop]
        self.words.update(kept)
        return [word.stem for word in kept]

    def _read_text(self, entry: int, weight: float, words: list[Word], phrases: list[str]) -> None:
        sizes = {word.stem: size for word in words if (size := self.size(word))}
        if sizes:
            for stem in {*sizes, *phrases}:
                self.in_texts.setdefault(stem, []).append(len(self.texts))
            self.texts.append(Text(entry, weight, sqrt(sum(sizes.values()))))

    def size(self, word: Word) -> float:
        """How much a word says in a question: little where it only asks, nothing where it does not count."""
        if word.text in self.language.asking:
            return float(self.weights["asking"])
        return 0.0 if word.text in self.language.stop else self.rarity(word.stem)

    def _variant(self, entry: Entry, words: set[str]) -> str:
        """The word of the variant that alone has a rule, by its id or by the list of its edition; "" for the game itself."""
        parts = entry.local.replace("-", ".").split(".")
        named = [word for word in parts if word in words]
        stated = next(edition.get("variants", ()) for edition in self.editions if edition["prefix"] == entry.prefix)
        named += [word for word, *beginnings in stated if any(_begins(entry.local, each) for each in beginnings)]
        return named[0] if named else ""

    def _signs(self, variant: str) -> set[str]:
        """The words that a variant has alone: its own, and those at the end of its beginnings that no other title has."""
        stated = [
            (each, listed) for each in self.editions for listed in each.get("variants", ()) if listed[0] == variant
        ]
        editions = {each["prefix"] for each, _ in stated}
        whole = zip(self.entries, self.variants, strict=True)
        titles = [entry.record.get("title", "") for entry, own in whole if not own and entry.prefix in editions]
        ends = [beginning.rpartition(".")[2] for _, listed in stated for beginning in listed[1:]]
        return (self._stems(ends) - self._stems(titles)) | self._stems([variant])

    def _stems(self, texts: Iterable[str]) -> set[str]:
        return {word.stem for text in texts for word in self.language.words(text)}

    def _in_force(self, edition: Mapping[str, Any]) -> frozenset[int]:
        return frozenset(self._held(edition).values())

    def _held(self, edition: Mapping[str, Any]) -> dict[str, int]:
        """The rules of an edition by local id: those of its base, replaced by its own."""
        below = [each for each in self.editions if each["prefix"] == edition.get("base")]
        held = {local: number for each in below for local, number in self._held(each).items()}
        for local in edition.get("without", ()):
            held.pop(local, None)
        own = {entry.local: number for number, entry in enumerate(self.entries) if entry.prefix == edition["prefix"]}
        return held | own


def _begins(local: str, beginning: str) -> bool:
    """Whether an id begins with these words: `card.spy` begins `card.spy.top`, and `ruling.spy` begins `ruling.spy-pile`."""
    return local.startswith(beginning) and local[len(beginning) : len(beginning) + 1] in {"", ".", "-"}


def variant(edition: Mapping[str, Any], code: str) -> str:
    """What the code of a ruleset adds to the first code of its edition, such as `mordred`."""
    return code.removeprefix(edition["rulesets"][0]).strip("-")


def _entry(record: Mapping[str, Any], games: Mapping[str, str]) -> Entry:
    prefix, _, local = record["id"].partition(".")
    game = games[prefix]
    return Entry(record, prefix, local, f"{game}.{record.get('same', local)}" if game else record["id"])


def _parts(entry: Entry) -> Iterator[tuple[str, list[str]]]:
    """The parts of a rule that are searched, with their texts."""
    record = entry.record
    yield "id", [entry.local]
    for name in ("title", "short", "statement", "question"):
        yield name, [record.get(name, "")]
    yield "words", list(record.get("words", ()))
    yield "asks", [question for question, _ in record.get("asks", ())]
