"""Search the rules for those that answer a question, and rank them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, partial
from math import exp
from operator import not_
from typing import Any, NamedTuple

from tkid.kernel.pickling import pickle_call
from tkid.rulebook.register import (
    VERSION,
    Rule,
    find_game_name,
    find_page_title,
    list_own_rules,
    list_prefixes,
    read_heading,
)
from tkid.rulebook.search.index import (
    Index,
    Language,
    Word,
    correct_words,
    find_completions,
    list_other_questions,
    list_stems_and_pairs,
    load_word_table,
    split_word,
    translate_words,
)
from tkid.rulebook.search.replies import choose_reply, find_fact, find_places, find_unsaid, make_facts

TYPED = re.compile('[^\\s.,;:!?"\u201c\u201d\u201e()/-]+')
"""A word as somebody typed it."""
LONGEST_QUESTION = 1000
"""In characters: what follows is not looked at."""
WHOLE = 0.99
"""Likeness of a question with the very words of one that a rule has."""
COMPARED = 8
"""Number of the first rules whose likeness to the question is compared."""
UNSPOKEN = 4.0
"""Size of a word that no text of a rule has."""
CLEAR = 0.3
"""Lead of the first rule over the second one, as a part of its score, from which a longer lead matters little."""
SHORT = 0.5
"""Sign of a short question, which rules fit by chance: one half for one word or two, a third for three, and so on."""
LIKELY, LIKELY_RULE = "This is probably it", "This rule probably decides:"
"""The beginning of an answer that is not certain, and what stands above a rule without an answer in short."""
NOTHING_LEFT_OUT = [1.0, 1.0, 0.0]
"""The last three signs of a sure answer: its rule has every word that counts, all ways to score prefer it, and no word is of another edition."""
EXACT = 100.0
"""Score of a rule whose id is asked for."""


class Hit(NamedTuple):
    """A rule that fits: its id, its score, and the group in which it is shown: answer, maybe, related, editions or other."""

    id: str
    score: float
    group: str

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(Hit, *self)


class Answer(NamedTuple):
    """The rules that fit a question, best first.

    `confidence` is the chance that the first one is the answer; `fits` if it probably is, and `certain` if it is in
    at least 97 % of such cases. `unknown` words are in no rule; `corrected` words are pairs, typed and meant. `reply`
    is the answer in a few words, or where to find the answer to a question about a running game.
    """

    hits: tuple[Hit, ...]
    certain: bool
    fits: bool
    unknown: tuple[str, ...]
    protocol: bool
    confidence: float = 0.0
    corrected: tuple[tuple[str, str], ...] = ()
    reply: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(Answer, *self)


class Term(NamedTuple):
    """A word of a question: its weight, and the stems it can match. A word that only asks, such as "who", is `light`."""

    text: str
    size: float
    stems: Mapping[str, float]
    light: bool = False


class Matches(NamedTuple):
    """The rules that a question's words fit: their scores, what their words, the likeness to a question and pairs of words bring, and those with all words."""

    scores: dict[int, float]
    covered: dict[int, float]
    alike: dict[int, float]
    spoken: dict[int, float]
    complete: set[int]


def rank_rules(
    index: Index, question: str, ruleset: str, list_facts: Callable[[str], Mapping[str, Any]] = lambda _: {}
) -> Answer:
    """Rank the rules for a question of somebody who plays by a ruleset (its code, prefix or variant); `list_facts` returns the facts of a code."""
    prefix, variant = _find_edition(index, ruleset)
    plain = index.language.replace_file_names(question, index.by_id)
    typed = index.language.split_words(plain)
    spelt, meant = correct_words(index, translate_words(index, typed))
    named, words = _split_off_editions(index, spelt)
    terms = list(_make_terms(index, words))
    counting = [term for term in terms if not term.light]
    known = [term for term in counting if term.stems]
    matches = _score_rules(index, terms, words)
    unsaid = next((each for each in (find_unsaid(index, words), find_unsaid(index, typed)) if each is not None), None)
    shifts = named or _find_signed_editions(index, words, prefix)
    known_by = [(each, _measure_knowledge(index, known, each)) for each in shifts]
    tried = [] if unsaid is not None or len(named) > 1 else named or [*shifts, prefix]
    fact, fact_rule, edition = _find_edition_fact(index, words, tried, ruleset, list_facts)
    meant_editions = (edition,) if fact else tuple(each for each, share in known_by if share >= index.weights["named"])
    favoured = meant_editions or (prefix,)
    exact = (
        {index.by_id[fact_rule]}
        if fact
        else _find_by_id(index, question, prefix)
        or _find_asked(index, spelt, favoured)
        or (_find_defined(index, spelt, favoured) if unsaid is None else set())
    )
    cued = _is_about_protocol(index.language, words)
    factor = _make_factors(index, known, favoured, variant, cued=cued)
    all_words = index.weights["all_words"]
    replaced = _find_replaced(index, prefix, favoured, variant)
    scores = {
        number: ((EXACT if number in exact else 0.0) + matches.scores.get(number, 0.0))
        * (all_words if number in matches.complete else 1.0)
        * factor(number)
        for number in {*matches.scores, *exact} - replaced
    }
    heads, rest = _order_rules(index, scores, favoured)
    signs = [1.0, *_measure_answer(index, matches, {head: scores[head] for head in heads}, counting, favoured)]
    signs.append(float(not named and favoured != (prefix,)))
    found, right = (_estimate(index.chances[name], signs) for name in ("found", "right"))
    if exact & set(heads[:1]):
        found = right = 1.0
    reply, is_direct = choose_reply(index, words, index.entries[heads[0]].record) if heads else ("", True)
    if not fact and not (is_direct and (exact or signs[-3:] == NOTHING_LEFT_OUT)):
        right = min(right, index.chances["sure"] - 0.001)
    if unsaid is not None and not exact:
        found = right = 0.0
    if fact and edition not in {prefix, *named}:
        name = next(each["names"][0] for each in index.editions if each["prefix"] == edition)
        fact = f"In the {name}: {fact}"
    certain = bool(heads) and right >= index.chances["sure"]
    fits = certain or (bool(heads) and found >= index.chances["fits"])
    return Answer(
        hits=tuple(_group_hits(index, heads, rest, scores, certain=certain)),
        certain=certain,
        fits=fits,
        unknown=tuple(_find_typed_word(index, question, term.text) for term in counting if not term.stems),
        protocol=cued or any(not term.stems and len(term.text) > 3 for term in counting),
        confidence=round(right, 3) if heads else 0.0,
        corrected=tuple((_find_typed_word(index, question, typed), word) for typed, word in meant.items()),
        reply=(fact or reply) if fits else unsaid or "",
    )


def _find_edition_fact(
    index: Index, words: list[Word], tried: Iterable[str], ruleset: str, list_facts: Callable[[str], Mapping[str, Any]]
) -> tuple[str, str, str]:
    """Return the first fact that answers a question, the rule behind it, and its edition, of some editions; of the reader's own only what holds in the ruleset."""
    own, _ = _find_edition(index, ruleset)
    codes = {each["prefix"]: each.get("rulesets", ()) for each in index.editions} | {own: [ruleset]}
    for prefix in tried:
        for code in codes[prefix]:
            fact, rule_id = find_fact(index, words, partial(list_facts, code))
            if fact:
                return fact, rule_id, prefix
    return "", "", ""


def _find_replaced(index: Index, prefix: str, favoured: Iterable[str], variant: str) -> set[int]:
    """Return the rules that others replace for the reader's edition, variant or the favoured ones; of an edition that is itself favoured, only those that the variant replaces."""
    editions = {prefix, *favoured}
    below = {each["base"] for each in index.editions if each["prefix"] in editions and "base" in each} - {*favoured}
    held = frozenset[int]().union(*(index.in_force.get(each, ()) for each in editions))
    gone = {
        f"{each['prefix']}.{local}"
        for each in index.editions
        for word, *locals_ in each.get("instead", ())
        for local in locals_
        if each["prefix"] in editions and word == variant
    }
    return {
        number
        for number, entry in enumerate(index.entries)
        if entry.record["id"] in gone or (entry.prefix in below and number not in held)
    }


def _estimate(weights: Iterable[float], signs: Iterable[float]) -> float:
    """Return a chance by the logistic formula whose weights `benchmarks/fit_answers.py` fits."""
    return 1 / (1 + exp(-sum(weight * sign for weight, sign in zip(weights, signs, strict=True))))


def _measure_answer(
    index: Index, matches: Matches, scores: Mapping[int, float], counting: list[Term], favoured: Iterable[str]
) -> list[float]:
    """Return what shows whether the first of some rules is the answer, each from 0 to 1."""
    heads = list(scores)
    if not heads:
        return [0.0] * 11
    total = sum(term.size for term in counting)
    strange = sum(term.size for term in counting if not term.stems)
    second = scores[heads[1]] / scores[heads[0]] if len(heads) > 1 else 0.0
    covered, likeness, spoken = ways = [
        [max(found.get(number, 0.0) for number in index.topics[index.entries[head].topic]) for head in heads[:COMPARED]]
        for found in (matches.covered, matches.alike, matches.spoken)
    ]
    return [
        likeness[0],
        likeness[0] ** 3,
        max(0.0, likeness[0] - max(likeness[1:], default=0.0)),
        covered[0] / total,
        min(1.0, (1 - second) / CLEAR),
        strange / total,
        spoken[0],
        min(SHORT, 1 / len(counting)),
        float(index.is_of_play(heads[0]) and not any(heads[0] in index.in_force.get(each, ()) for each in favoured)),
        float(heads[0] in matches.complete),
        float(all(way[0] >= max(way) for way in ways)),
    ]


def _is_about_protocol(language: Language, words: list[Word]) -> bool:
    """Return True if a question is about files or mails; a word of a phrase does not count alone."""
    phrases = language.find_phrases(words)
    used = {place for phrase in phrases for place in phrase.places}
    alone = {word.stem for place, word in enumerate(words) if place not in used}
    return not language.cues.isdisjoint(alone | {phrase.stem for phrase in phrases})


def _find_typed_word(index: Index, question: str, text: str) -> str:
    typed: list[str] = TYPED.findall(question)
    return next((each for each in typed if text in {word.text for word in index.language.split_words(each)}), text)


def _find_edition(index: Index, ruleset: str) -> tuple[str, str]:
    """Return a ruleset's prefix, and the rest of its code after the prefix's first code, such as `mordred`."""
    if ruleset in index.rulesets:
        return index.rulesets[ruleset]
    return next((found for found in index.rulesets.values() if ruleset in found), ("", ""))


def _split_off_editions(index: Index, words: list[Word]) -> tuple[list[str], list[Word]]:
    named: list[str] = []
    gone: set[int] = set()
    for edition in index.editions:
        found = {place for name in edition.get("names", ()) for place in find_places(index, name, words)}
        named += [edition["prefix"]] * bool(found)
        gone |= found
    return named, [word for place, word in enumerate(words) if place not in gone]


def _find_signed_editions(index: Index, words: list[Word], prefix: str) -> list[str]:
    """Return the editions whose own words a question has, unless the reader's edition or its base has them too."""
    of_reader = {prefix, *(each.get("base", "") for each in index.editions if each["prefix"] == prefix)}
    signed = [
        edition["prefix"]
        for edition in index.editions
        if any(find_places(index, sign, words) for sign in edition.get("signs", ()))
    ]
    return [] if of_reader & set(signed) else signed


def _make_terms(index: Index, words: list[Word]) -> Iterator[Term]:
    """Yield the terms of a question. If it has only words that do not count, these count."""
    language = index.language
    counts = [word.text not in language.stop and word.text not in language.asking for word in words]
    if not any(counts):
        counts = [True] * len(words)
    more = _join_neighbours(index, words)
    in_phrases: set[int] = set()
    for phrase in language.find_phrases(words):
        stems = _find_synonyms(language, phrase.stem, 1.0)
        places = [place for place in phrase.places if counts[place]]
        for place in places:
            _merge_weights(more[place], stems)
        if not places and _are_known(index, stems):
            yield Term(phrase.stem, index.get_rarity(phrase.stem) / 2, stems)
        in_phrases.update(phrase.places)
    if _has_number_twice(language, words):
        yield Term("tie", index.get_rarity("tie") / 2, _find_synonyms(language, "tie", 1.0))
    said: set[str] = set()
    for place, word in enumerate(words):
        if word.stem in said:
            continue
        said.add(word.stem)
        if counts[place]:
            own = {word.stem: 1.0} if place in in_phrases else _find_synonyms(language, word.stem, 1.0)
            yield _make_term(index, word, _merge_weights(own, more[place]), last=place == len(words) - 1)
        elif word.text in language.asking:
            yield Term(word.text, index.weights["asking"], {word.stem: 1.0}, light=True)


def _has_number_twice(language: Language, words: list[Word]) -> bool:
    """Return True if a number comes twice, as in "3 Welsh and 3 Scots" or "3-3", a tie; "one for one" does not count."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        if word.text in language.numbers:
            apart = place - places.get(word.text, place)
            if apart > 2 or (apart == 2 and words[place - 1].text != "for") or (apart == 1 and word.text != "one"):
                return True
            places[word.text] = place
    return False


def _join_neighbours(index: Index, words: list[Word]) -> list[dict[str, float]]:
    """Return for each word its joins with its neighbours, if rules write both as one: `tie breaker`."""
    stems: list[dict[str, float]] = [{} for _ in words]
    for place in range(len(words) - 1):
        joined = index.words.get(words[place].text + words[place + 1].text)
        if joined:
            _merge_weights(stems[place], {joined: 1.0})
            _merge_weights(stems[place + 1], {joined: 1.0})
    return stems


def _make_term(index: Index, word: Word, stems: dict[str, float], *, last: bool) -> Term:
    """Return a word with all stems it can match; without stems if no rule has any of them."""
    if not _are_known(index, stems) and word.text not in index.language.common:
        stems = _guess_stems(index, word.text, last=last)
    if not _are_known(index, stems):
        return Term(word.text, index.get_rarity(word.stem) / 2, {})
    most = max(stems.values())
    return Term(word.text, max(index.get_rarity(stem) for stem, weight in stems.items() if weight == most), stems)


def _find_synonyms(language: Language, stem: str, weight: float) -> dict[str, float]:
    return {stem: weight} | {each: weight * much for each, much in language.same.get(stem, {}).items()}


def _merge_weights(stems: dict[str, float], more: Mapping[str, float]) -> dict[str, float]:
    for stem, weight in more.items():
        stems[stem] = max(weight, stems.get(stem, 0))
    return stems


def _are_known(index: Index, stems: Iterable[str]) -> bool:
    return any(stem in index.fields for stem in stems)


def _guess_stems(index: Index, text: str, *, last: bool) -> dict[str, float]:
    """Return the stems that an unknown word may mean: as two words or a beginning."""
    if both := split_word(index, text):
        return dict.fromkeys(both, 1.0)
    stems: dict[str, float] = {}
    for stem in find_completions(index, text, last=last):
        _merge_weights(stems, _find_synonyms(index.language, stem, index.weights["begun"]))
    return stems


def _score_rules(index: Index, terms: list[Term], words: list[Word]) -> Matches:
    """Return the score of each rule for the words, in any edition."""
    counting = [term for term in terms if not term.light]
    total = sum(term.size for term in counting)
    covered: dict[int, float] = {}
    having: dict[int, int] = {}
    likeness: dict[int, float] = {}
    for term in terms:
        best: dict[int, float] = {}
        texts: dict[int, float] = {}
        for stem, weight in term.stems.items():
            if not term.light:
                for number, much in index.fields.get(stem, {}).items():
                    if weight * much > best.get(number, 0.0):
                        best[number] = weight * much
            for number in index.in_texts.get(stem, ()):
                if weight > texts.get(number, 0.0):
                    texts[number] = weight
        for number, much in best.items():
            covered[number] = covered.get(number, 0.0) + term.size * much
            having[number] = having.get(number, 0) + 1
        for number, much in texts.items():
            likeness[number] = likeness.get(number, 0.0) + term.size * much
    whole = sum(term.size for term in terms) ** 0.5
    alike = _find_likeness(index, likeness, whole)
    spoken = _count_spoken(index, words)
    weights = index.weights
    scores = {
        number: much / total
        + weights["likeness"] * (like := alike.get(number, 0.0))
        + weights["whole"] * (like > WHOLE)
        + weights["spoken"] * spoken.get(number, 0.0)
        for number, much in covered.items()
    }
    _share_scores(index, scores)
    complete = {number for number, count in having.items() if count == len(counting)}
    return Matches(scores, covered, alike, spoken, complete)


def _count_spoken(index: Index, words: list[Word]) -> dict[int, float]:
    """Return for each rule how much its texts say a question's words and pairs of neighbours, also words that only ask."""
    spoken: dict[int, float] = {}
    said = list_stems_and_pairs(words)
    for each in said:
        for number, much in index.find_spoken(each).items():
            spoken[number] = spoken.get(number, 0.0) + much
    total = sum(index.spoken_sizes.get(each, UNSPOKEN) for each in said if " " not in each)
    return {number: much / total for number, much in spoken.items()}


def _find_likeness(index: Index, matched: Mapping[int, float], whole: float) -> dict[int, float]:
    """Return for each rule how like the question the likest of its texts is."""
    alike: dict[int, float] = {}
    for number, much in matched.items():
        text = index.texts[number]
        part = much / (whole * text.size)
        like = text.weight * part if part < 1 else text.weight
        if like > alike.get(text.entry, 0.0):
            alike[text.entry] = like
    return alike


def _share_scores(index: Index, scores: dict[int, float]) -> None:
    """Let a rule found in one edition count for the same rule of the others, with less weight."""
    for topic in {index.entries[number].topic for number in scores}:
        numbers = index.topics[topic]
        most = max(scores.get(number, 0.0) for number in numbers) * index.weights["counterpart"]
        for number in numbers:
            scores[number] = max(scores.get(number, 0.0), most)


def _find_by_id(index: Index, question: str, prefix: str) -> set[int]:
    asked = question.strip().lower()
    if asked in index.by_id:
        return {index.by_id[asked]}
    return {number for number in index.in_force.get(prefix, ()) if index.entries[number].local == asked}


def _find_asked(index: Index, words: list[Word], favoured: Iterable[str]) -> set[int]:
    """Return the rules in force with the very words of a question."""
    asked = index.asked.get(" ".join(word.text for word in words), set())
    return {number for number in asked if any(number in index.in_force.get(each, ()) for each in favoured)}


def _find_defined(index: Index, words: list[Word], favoured: Iterable[str]) -> set[int]:
    """Return the one rule, in force or about files and mails, that says what something is, if a question asks that."""
    held = frozenset[int]().union(*(index.in_force.get(each, ()) for each in favoured))
    term = index.find_defined_term(words)
    for terms in ([term], index.language.same.get(term, ())):
        found = Counter(number for each in terms for number in index.defined.get(each, ()))
        often = {number: count for number, count in found.items() if number in held or not index.is_of_play(number)}
        if often:
            best = {number for number, count in often.items() if count == max(often.values())}
            return best if len(best) == 1 else set()
    return set()


def _measure_knowledge(index: Index, terms: list[Term], prefix: str) -> float:
    known = index.stems.get(prefix, set())
    total = sum(term.size for term in terms)
    known_weights = ([term.stems[stem] for stem in term.stems if stem in known] for term in terms)
    much = sum(term.size * max(weights, default=0.0) for term, weights in zip(terms, known_weights, strict=True))
    return much / total if total else 0.0


def _make_factors(
    index: Index, terms: list[Term], favoured: Iterable[str], variant: str, *, cued: bool
) -> Callable[[int], float]:
    """Return the factor for each rule's score: favoured editions and the variant first, rules about files and mails last."""
    weights, games = index.weights, index.games
    support = {each: _measure_knowledge(index, terms, each) ** weights["support"] for each in favoured}
    boosts = {each: 1 + (weights["reader"] - 1) * max(much, weights["floor"]) for each, much in support.items()}
    based = {edition["prefix"] for edition in index.editions if edition.get("base")}
    variants = _weigh_variants(index, terms, variant)
    here = {games.get(each, "") for each in favoured}

    def factor(number: int) -> float:
        entry = index.entries[number]
        game = games[entry.prefix]
        if not game:
            return float(weights["reader"] if cued else weights["protocol"])
        found = max((boost for each, boost in boosts.items() if number in index.in_force.get(each, ())), default=0.0)
        if entry.prefix in based and entry.prefix in boosts:
            found *= weights["own"]
        kind = weights["definition"] if entry.record["kind"] == "definition" else 1.0
        share = found or (1.0 if game in here else weights["other_game"])
        return float(kind * share * variants[index.variants[number]])

    return factor


def _weigh_variants(index: Index, terms: list[Term], variant: str) -> dict[str, float]:
    """Return the factors for rules of a variant: more for its players, less for others who use none of its words."""
    meant = {stem for term in terms for stem, weight in term.stems.items() if weight == max(term.stems.values())}
    asked = {word for word, signs in index.signs.items() if not meant.isdisjoint(signs)}
    others = {word: 1.0 if word in asked else float(index.weights["other_variant"]) for word in index.signs}
    return {"": 1.0} | others | {variant: float(index.weights["variant"]) if variant else 1.0}


def _order_rules(index: Index, scores: Mapping[int, float], favoured: Iterable[str]) -> tuple[list[int], list[int]]:
    """Return the rules, best first: one of each topic, from the reader's edition if it has one; then all others."""
    held = frozenset[int]().union(*(index.in_force.get(each, ()) for each in favoured))
    order = sorted(scores, key=lambda number: (-round(scores[number], 6), number))
    first: dict[str, int] = {}
    for number in order:
        topic = index.entries[number].topic
        if topic not in first or (first[topic] not in held and number in held):
            first[topic] = number
    heads = set(first.values())
    return [number for number in order if number in heads], [number for number in order if number not in heads]


def _group_hits(
    index: Index, heads: list[int], rest: list[int], scores: Mapping[int, float], *, certain: bool
) -> Iterator[Hit]:
    top = index.entries[heads[0]] if heads else None
    related = set(top.record.get("related", ())) if top else set()
    for place, number in enumerate([*heads, *rest]):
        entry = index.entries[number]
        if place == 0:
            group = "answer" if certain else "maybe"
        elif top and entry.topic == top.topic:
            group = "editions"
        elif entry.record["id"] in related:
            group = "related"
        elif place < 3 and not certain:
            group = "maybe"
        else:
            group = "other"
        yield Hit(entry.record["id"], round(scores[number], 6), group)


Data = Mapping[str, Any]
"""A JSON object: `version`, `editions`, `rules`, and in the first one the table of `words`."""


def make_search_data() -> Data:
    """Return the rules of play of every game, and the table of words.

    Returns:
        A JSON object. `editions` has one entry for each first word of an id, in the order of the register: `prefix`,
        `title`, `game`, `rulesets` (their codes), `names` (what people call it),
        `signs` (words that only it has), `variants` (for each: its word, then the beginnings
        of the local ids of its rules), `instead` (for each variant: its word, then the local ids of the rules that it replaces), and `base` and `without` where it takes over rules of another. `rules` are as in `make_search_record`.
    """
    return {"version": VERSION, "words": load_word_table(), **_make_part(bool)}


def make_protocol_data() -> Data:
    """Return the rules about files, mails and hosts, in the same form without the table of words."""
    return {"version": VERSION, **_make_part(not_)}


def _make_part(wanted: Callable[[str], bool]) -> dict[str, Any]:
    """Return the editions and rules of some games, by their names; "" has those about files, mails and hosts."""
    some = [each for each in list_prefixes() if wanted(find_game_name(each))]
    rules = [make_search_record(entry) for each in some for entry in list_own_rules(each).values() if not entry.moved]
    return {"editions": [_prepare_edition(each) for each in some], "rules": rules}


def _prepare_edition(prefix: str) -> dict[str, Any]:
    said = read_heading(prefix)
    data = {"prefix": prefix, "title": find_page_title(prefix), "game": find_game_name(prefix)}
    names = ("base", "without", "rulesets", "names", "signs", "variants", "instead")
    return _drop_empty(data | {name: said.get(name) for name in names})


def make_search_record(entry: Rule) -> dict[str, Any]:
    """Return a rule as the search needs it, without empty parts: a JSON object; `more` has questions that no page prints."""
    names = ("id", "kind", "title", "short", "statement", "question", "default", "asks", "words", "same", "related")
    return _drop_empty({name: getattr(entry, name) for name in names} | {"more": list_other_questions(entry.id)})


def _drop_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value}


@cache
def _load_index(*, protocol: bool) -> Index:
    data = (make_search_data(), make_protocol_data()) if protocol else (make_search_data(),)
    return Index(*data, language=_load_language())


@cache
def _load_language() -> Language:
    return Language(load_word_table())


def ask(question: str, ruleset: str = "") -> Answer:
    """Return the rules that answer a question.

    Args:
        question: any words, such as "Who wins a tie?"; the id of a rule too. The first 1,000 characters count.
        ruleset: the code of the reader's ruleset, by default the second edition; if the question names another
            edition, that comes first.

    Returns:
        The rules that fit, best first; no hits if no rule has any of the words. Rules about files and mails are
        included if the question is about these, or if no rule of play fits.

    Raises:
        LookupError: no ruleset has this code.
    """
    code = ruleset or find_usual_ruleset()
    codes = _load_index(protocol=False).rulesets
    full = code if code in codes else next((known for known, words in codes.items() if code in words), "")
    if not full:
        raise LookupError(explain_unknown_ruleset(code))
    question = question[:LONGEST_QUESTION]
    answer = rank_rules(_load_index(protocol=False), question, full, make_facts)
    fits = answer.fits and (answer.hits[0].score > EXACT or not answer.protocol)
    return answer if fits else rank_rules(_load_index(protocol=True), question, full, make_facts)


def are_known_words(words: str) -> bool:
    """Return True if rules have each of some words as it is written, or one that means the same."""
    index = _load_index(protocol=True)
    language = index.language
    return all(
        word.text in language.stop
        or word.text in language.asking
        or not index.fields.keys().isdisjoint({word.stem, *language.same.get(word.stem, {})})
        for word in language.split_words(words)
    )


def find_usual_ruleset() -> str:
    """Return the code of the ruleset whose rules come first for readers who choose none."""
    return str(load_word_table()["reader"])


def list_ruleset_codes() -> tuple[str, ...]:
    return tuple(_load_index(protocol=False).rulesets)


def explain_unknown_ruleset(code: str) -> str:
    """Return the fault of a ruleset's code, and the one that may be meant; "" if there is such a ruleset."""
    codes = list_ruleset_codes()
    if code in codes:
        return ""
    alike = get_close_matches(code, codes, n=1)
    hint = f"Did you mean {alike[0]}?" if alike else f"Known are: {', '.join(codes)}."
    return f"There is no ruleset {code!r}. {hint}"
