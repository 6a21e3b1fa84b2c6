"""The rules as the question box reads them: script files that set a variable, so that a page read from disk can load them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from docs.making.page_answers import page_data
from docs.making.pictures import picture_of, small_pictures
from docs.making.rule_pages import title_of
from docs.making.same import editions_of
from tkid.rulebook import rule
from tkid.rulebook.search import make_protocol_data, make_search_data
from tkid.rulebook.search.replies import make_facts

PLAY, PROTOCOL = "assets/ask-data.js", "assets/ask-protocol.js"
"""The rules of play, and the rules about files, mails and hosts, which few people ask for."""
PAGES = "assets/ask-pages.js"
"""The titles and headings of pages that answer questions which rules don't."""
PICTURES = "assets/ask-pictures.js"
"""The pictures of rules, which are shown with an answer."""
RULE, ITEM = "^", "|"
"""Characters that no rule has."""
WORD = re.compile(" ?[A-Za-z]{2,}")
"""A word with the space before it."""
FIRST_LETTER, LETTERS = 0x500, 0x200
"""The letters that stand for words, which no rule has: Armenian, Hebrew and Arabic ones take two bytes."""


def ask_data() -> dict[str, str]:
    """The script files by path on the site."""
    play, protocol = add_facts(make_search_data()), make_protocol_data()
    pictures = {entry["id"]: found for entry in play["rules"] if (found := _pictures(entry["id"]))}
    return {
        PAGES: _script("ASK_PAGES", page_data()),
        PLAY: _script("ASK_DATA", pack_data(_complete(play))),
        PROTOCOL: _script("ASK_PROTOCOL", pack_data(_complete(protocol))),
        PICTURES: _script("ASK_PICTURES", pictures),
    }


def add_facts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Add what the engine knows of each ruleset: `facts` by its code, as `make_facts` has them.

    Their `rows` are numbers of rows in `fact_rows`, which many rulesets share. In these rows an answer is its number in
    `fact_answers`, and a rule its number in `rules`.
    """
    codes = [code for edition in data["editions"] for code in edition.get("rulesets", ())]
    facts = {code: make_facts(code) for code in codes}
    rows = dict.fromkeys(tuple(row) for each in facts.values() for row in each.get("rows", ()))
    numbers = {row: number for number, row in enumerate(rows)}
    facts = {
        code: {**each, "rows": [numbers[tuple(row)] for row in each["rows"]]} if "rows" in each else each
        for code, each in facts.items()
    }
    places = {record["id"]: number for number, record in enumerate(data["rules"])}
    answers = {answer: number for number, answer in enumerate(dict.fromkeys(row[2] for row in rows))}
    shared = [(kind, words, answers[answer], places[about], int(mine)) for kind, words, answer, about, mine in rows]
    return {**data, "fact_answers": list(answers), "fact_rows": shared, "facts": facts}


def pack_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Pack the rules of some data to half of their size: `often` has the words that a letter stands for; `ranking.js` unpacks them.

    Raises:
        ValueError: a rule has one of these letters, or a character that divides rules.
    """
    rules = pack_rules(data["rules"])
    if any(FIRST_LETTER <= ord(each) < FIRST_LETTER + LETTERS for text in rules.values() for each in text):
        raise ValueError("a rule has a letter that stands for a word")
    words = Counter(word for text in rules.values() for word in WORD.findall(text))
    often = sorted(words, key=lambda word: (words[word] * (2 - len(word)), word))[:LETTERS]
    letters = {word: chr(FIRST_LETTER + place) for place, word in enumerate(often)}
    shorter = {name: WORD.sub(lambda found: letters.get(found[0], found[0]), text) for name, text in rules.items()}
    return {**data, "often": RULE.join(often), "rules": shorter}


def pack_rules(rules: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return one text for each part that rules have, with RULE between rules and ITEM between the parts of a list; `ranking.js` unpacks them.

    Raises:
        ValueError: a rule has one of these two characters.
    """
    names = dict.fromkeys(name for each in rules for name in each)
    cells = {name: [_pack_cell(each.get(name, "")) for each in rules] for name in names}
    packed = {name: RULE.join(some) for name, some in cells.items()}
    if any(text.count(RULE) >= len(rules) for text in packed.values()):
        raise ValueError(f"a rule has {RULE!r}")
    return packed


def _pack_cell(value: Any) -> str:
    """Return a text or number as it is written, and the texts of a list, or of a list of lists, in a row."""
    if isinstance(value, str | int):
        return str(value)
    texts = [each for part in value for each in ([part] if isinstance(part, str) else part)]
    if any(ITEM in each for each in texts):
        raise ValueError(f"a rule has {ITEM!r}: {texts}")
    return ITEM.join(texts)


def _script(name: str, data: Mapping[str, Any]) -> str:
    return f"var {name} = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"


def _complete(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the search reads, with what the box shows: `applies` of a rule is the number of a list of editions.

    Only a definition has its `kind`, as the ranking reads no other.
    """
    applies = {entry["id"]: tuple(edition.key for edition in editions_of(rule(entry["id"]))) for entry in data["rules"]}
    lists = list(dict.fromkeys(applies.values()))
    rules = [
        {name: value for name, value in entry.items() if name != "kind" or value == "definition"}
        | _shown(entry["id"])
        | {"applies": lists.index(applies[entry["id"]])}
        for entry in data["rules"]
    ]
    return {**data, "rules": rules, "applies": lists}


def _pictures(rule_id: str) -> dict[str, Any]:
    """The pictures that the page of a rule has, with their captions; nothing for a rule without one."""
    picture = picture_of(rule_id)
    if picture is None:
        return {}
    sides = [(side.path, side.width, side.height, side.label, side.caption) for side in picture.sides]
    return {"sides": sides, "wide": picture.wide, "barred": picture.barred}


def _shown(rule_id: str) -> dict[str, Any]:
    """What the box shows with the words of a rule: always a title, and perhaps a small picture."""
    entry = rule(rule_id)
    picture = small_pictures([entry]).get(rule_id)
    return {"title": title_of(entry)} | ({"picture": picture} if picture else {})
