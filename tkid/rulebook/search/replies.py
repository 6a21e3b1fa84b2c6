"""Answer a question in a few words: from a rule's own questions, or from what the engine knows of the map, the cards and the set-up."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from tkid.rulebook.search.index import Index, Language, Word

ALIKE, ALIKE_IN_SENSE, SAME = 0.6, 0.72, 0.8
"""Likeness of two questions above which one has the answer to the other; the same for yes or no; and above which that is sure."""


def find_places(index: Index, phrase: str, words: list[Word]) -> set[int]:
    """Return the places among some words at which a phrase is."""
    wanted = [word.text for word in index.language.split_words(phrase)]
    starts = [
        start
        for start in range(len(words) - len(wanted) + 1)
        if [word.text for word in words[start : start + len(wanted)]] == wanted
    ]
    return {start + place for start in starts for place in range(len(wanted))}


def find_form(index: Index, words: list[Word]) -> str:
    """Return in which form a question is asked, such as `number` or `may not`; "" if it is only some words."""
    text = " ".join(word.text for word in words)
    return " ".join(name for name, pattern in index.facts["forms"].items() if re.search(pattern, text))


def choose_reply(index: Index, words: list[Word], record: Mapping[str, Any]) -> tuple[str, bool]:
    """Return a rule's answer to the question of it that is most like the asked one, or what it says in short; and whether that surely answers."""
    form, best, reply = find_form(index, words), 0.0, ""
    is_open = form in index.facts["open"]
    forms = {form} if form else index.facts["open"]  # a mere phrase is neither yes nor no
    numbers = _find_numbers(index, words)
    for question, answer in record.get("asks", ()):
        own = index.language.split_words(question)
        other = _find_numbers(index, own)
        if find_form(index, own) in forms and not (numbers and other and numbers.isdisjoint(other)):
            like = min(_measure_cover(index, words, own), _measure_cover(index, own, words)) + (own == words)
            said = is_open or _has_condition(index, words, own, str(answer))
            if like > best and said and _is_of_absence(index, words, question, answer):
                best, reply = like, str(answer)
    if best > (ALIKE if is_open else ALIKE_IN_SENSE):
        return reply, is_open or best >= SAME
    short, is_number = str(record.get("short", "")), "number" in form
    fits = is_open and (not is_number or bool(re.search(index.facts["amount"], short.lower())))
    fits = fits and _is_of_absence(index, words, short, record.get("title", ""), record.get("statement", ""))
    return short if fits else "", not short or (is_open and not is_number)


def _has_condition(index: Index, words: list[Word], own: list[Word], answer: str) -> bool:
    """Return True if a question or the answer says the condition of a rule's own question, such as "in an invasion"."""
    found = re.search(index.facts["condition"], " ".join(word.text for word in own))
    condition = own[len(own) - len(found[1].split()) :] if found else []
    said = [*words, *index.language.split_words(answer)]
    return not any(_measure_word(index, word) for word in condition) or _measure_cover(index, condition, said) > ALIKE


def _is_of_absence(index: Index, words: list[Word], *texts: str) -> bool:
    """Return False if a question says that nobody does something, and none of a rule's texts is about such a case."""
    asked, said = index.facts["absent"]
    return not re.search(asked, " ".join(word.text for word in words)) or any(
        re.search(said, text.lower()) for text in texts
    )


def _find_numbers(index: Index, words: Iterable[Word]) -> set[str]:
    """Return the numbers from two on: "one" is rarely a number."""
    return {word.text for word in words if word.text in index.language.numbers} - {"one"}


def _measure_cover(index: Index, some: list[Word], others: list[Word]) -> float:
    """Return how much of some words others mean too, from 0 to 1."""
    known = frozenset[str]().union(*_list_stems(index, others))
    sizes = [_measure_word(index, word) for word in some]
    meant = [
        size
        for size, stems in zip(sizes, _list_stems(index, some), strict=True)
        if any(not known.isdisjoint({stem, *index.language.same.get(stem, {})}) for stem in stems)
    ]
    return sum(meant) / (sum(sizes) or 1.0)


def _measure_word(index: Index, word: Word) -> float:
    if word.text in index.facts["personal"]:
        return float(index.weights["asking"])
    return 0.0 if word.text in index.facts["filler"] else index.get_size(word)


def _list_stems(index: Index, words: list[Word]) -> list[set[str]]:
    """Return for each word its stem and those of the phrases that it is in; one stem for all words such as "I", or such as "can" and "may"."""
    first = {text: group[0] for group in (index.facts["personal"], *index.facts["alike"]) for text in group}
    stems = [{first.get(word.text, word.stem)} for word in words]
    for phrase in index.language.find_phrases(words):
        for place in phrase.places:
            stems[place].add(phrase.stem)
    return stems


def find_unsaid(index: Index, words: list[Word]) -> str | None:
    """Return what answers a question of a kind that no rule answers, perhaps ""; None for any other question."""
    text = " ".join(word.text for word in words)
    return next((reply for pattern, reply in index.facts["unsaid"] if re.search(pattern, text)), None)


def find_fact(index: Index, words: list[Word], list_facts: Callable[[], Mapping[str, Any]]) -> tuple[str, str]:
    """Return the answer to a question about the map, the cards or the set-up, and the rule behind it; two empty texts for any other question."""
    language, table = index.language, index.facts
    text = " ".join(word.text for word in words)
    is_number = bool(re.search(table["counting"], text))
    is_yes = bool(words) and words[0].text in table["yes"]
    is_must = is_yes and bool(re.search(table["forms"]["must"], text))
    form = "number" if is_number else "must" if is_must else "yes" if is_yes else "open"
    subjects = frozenset[str]().union(*(_list_meanings(language, name) for name in table["subjects"][form]))
    rest = _read_stems(index, words, subjects)
    is_path, is_placing = (form == "yes" and bool(re.search(table[each], text)) for each in ("path", "placing"))
    facts = list_facts() if is_number or is_path or is_placing or not subjects.isdisjoint(rest) else {}
    if not facts or not rest:
        return "", ""
    idle = {
        kind: {stem for each in some for stem in _list_meanings(language, each)} for kind, some in table["idle"].items()
    }
    near = _list_meanings(language, "border") | {language.make_word(each).stem for each in table["reach"]}
    named = sorted((min(at), name) for name in facts["borders"] if (at := find_places(index, name, words)))
    used = {word.stem for _, name in named for word in language.split_words(name)}
    is_border = (is_path and len(named) == 2) or not near.isdisjoint(rest)
    if 0 < len(named) < 3 and is_border and {*rest} <= used | near | idle["border"]:
        return _answer_border(facts["borders"], *(name for _, name in named)), facts["rule"]
    if is_placing and len(named) == 1:
        asked = [stem for stem in rest if stem not in used | idle["yes placing"]]
        if answer := _answer_place(language, facts, asked, named[0][1]):
            return answer
    personal = any(word.text in table["personal"] for word in words)
    for kind, phrase, answer, rule_id, is_personal in facts["rows"]:
        if form in kind.split() and (is_personal or not personal):
            wanted = _read_stems(index, language.split_words(phrase), subjects)
            asked = [stem for stem in rest if stem in wanted or stem not in idle.get(kind, ())]
            if _mean_same(language, asked, wanted) and _mean_same(language, wanted, asked):
                return answer, rule_id
    strange = [stem for stem in rest if stem not in idle["yes map"]]
    is_named = [
        one.text in table["naming"] and (other.text not in index.lexicon or other.text in table["lands"])
        for one, other in pairwise(words)
        if [other.stem] == strange
    ]
    return (facts["no_region"], facts["region_rule"]) if len(rest) > 1 and any(is_named) else ("", "")


def _read_stems(index: Index, words: list[Word], subjects: Container[str]) -> list[str]:
    """Return the stems of the words that count; the words of a phrase about a subject are one."""
    phrases = [each for each in index.language.find_phrases(words) if each.stem in subjects]
    longest = {place: each for each in sorted(phrases, key=lambda each: each.length) for place in each.places}
    passed = {*index.language.stop, *index.language.asking, *index.facts["passed"]} - {*index.facts["denying"]}
    alone = [word.stem for place, word in enumerate(words) if place not in longest and word.text not in passed]
    return [*dict.fromkeys(each.stem for each in longest.values()), *alone]


def _list_meanings(language: Language, text: str) -> set[str]:
    """Return the stem of a word or phrase, and those of all that mean the same."""
    stem = language.make_word("".join(word.text for word in language.split_words(text))).stem
    return {stem, *language.same.get(stem, {})}


def _mean_same(language: Language, some: Iterable[str], others: Iterable[str]) -> bool:
    """Return True if each of some words means the same as one of the others."""
    return all(any(one == other or other in language.same.get(one, {}) for other in others) for one in some)


def _answer_border(borders: Mapping[str, list[str]], one: str, other: str = "") -> str:
    if other in borders[one]:
        return f"Yes, {one} and {other} border each other."
    return f"{'No. ' if other else ''}{one} borders {_join(borders[one])}."


def _answer_place(
    language: Language, facts: Mapping[str, Any], asked: list[str], region: str
) -> tuple[str, str] | None:
    """Return whether a card may change followers in a region, by what else is asked: the card, the faction that it places, or both."""
    stems = {name: [word.stem for word in language.split_words(name)] for name in facts["factions"]}
    free: list[str] = []
    near: list[str] = []
    rules: list[str] = []
    for card, rule_id, is_held, placed, regions, people, home in facts["cards"]:
        own = [word.stem for word in language.split_words(card)]
        others = [stem for stem in asked if not _mean_same(language, [stem], own)]
        meant = [name for name in stems if others and _mean_same(language, others, stems[name])]
        around, disc = _join(facts["borders"][region], "or"), f"{home} has no disc or " if region in regions else ""
        if card not in stems and _mean_same(language, own, asked) and len(meant) == bool(others):
            if not {*meant} <= {*placed}:
                return (f"No. {card} places only {_join(placed)} followers.", rule_id) if placed else None
            if not people:
                return f"Yes, while {region} is open.", rule_id
            control = f"{disc}the {people} control {around}"
            return f"Yes, while {region} is open, and {control}." if disc else f"No, unless {control}.", rule_id
        if is_held and any(asked and _mean_same(language, asked, stems[name]) for name in placed):
            control = f" if {disc}the {people} control a bordering region" if people else ""
            (near if people else free).append(f"with {card}{control}")
            rules.insert(0 if people else len(rules), rule_id)
    return (f"Yes, while {region} is open: {_join([*free, *near], 'or')}.", rules[0]) if free else None


@cache
def make_facts(code: str) -> Mapping[str, Any]:
    """Return what the engine of a ruleset knows of its map, cards and set-up.

    Returns:
        A JSON object, empty for a ruleset that states nothing. `borders` has the neighbours of each region and `rule` the
        rule about them; `no_region` answers questions about a place that is no region, by `region_rule`. `cards` has
        where cards may change followers of the `factions`: the card, its rule, whether everybody holds it, the factions that it
        places, the regions where it works, the people who have to control a bordering one, and their home. `rows` has for each
        other question its kind, its words, the answer, the rule, and whether "I" may ask it.
    """
    from tkid.rulebook.rulesets import ruleset  # noqa: PLC0415 - few questions need an engine

    entry = ruleset(code)
    return entry.answers(entry.game())


def _join(names: Iterable[str], word: str = "and") -> str:
    *most, last = names
    return f"{', '.join(most)}{f' {word} ' if most else ''}{last}"
