"""What the ranking knows of the rules, as JSON objects: the program and the site rank by the same data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import not_
from typing import Any

from tkid.rulebook.register import VERSION, Rule, base, entries, game_name, heading, page_title, prefixes
from tkid.rulebook.search.words import word_table

Data = Mapping[str, Any]
"""A JSON object: `version`, `editions`, `rules`, and in the first one the table of `words`."""


def search_data() -> Data:
    """The rules of play of every game, and the table of words.

    Returns:
        A JSON object. `editions` has one entry for each first word of an id, in the order of the register: `prefix`,
        `title`, `game`, `rulesets` (their codes), `names` (what people call it),
        `signs` (words that only it has), `variants` (for each: its word, then the beginnings
        of the local ids of its rules), and `base` and `without` where it takes over rules of another. `rules` are as in `record`.
    """
    return {"version": VERSION, "words": word_table(), **_part(bool)}


def protocol_data() -> Data:
    """The rules about files, mails and hosts, in the same form without the table of words."""
    return {"version": VERSION, **_part(not_)}


def _part(wanted: Callable[[str], bool]) -> dict[str, Any]:
    """The editions and rules of some games, by their names; "" has those about files, mails and hosts."""
    some = [each for each in prefixes() if wanted(game_name(each))]
    rules = [record(entry) for each in some for entry in entries(each).values() if not entry.moved]
    return {"editions": [_edition(each) for each in some], "rules": rules}


def _edition(prefix: str) -> dict[str, Any]:
    said = heading(prefix)
    data = {"prefix": prefix, "title": page_title(prefix), "game": game_name(prefix), "base": base(prefix)}
    return _full(data | {name: said.get(name, []) for name in ("without", "rulesets", "names", "signs", "variants")})


def record(entry: Rule) -> dict[str, Any]:
    """A rule for the search, without what is empty.

    Returns:
        A JSON object with `id`, `kind`, `title`, `short`, `statement`, `question` and `default` of a ruling, `asks`
        (pairs of question and answer), `words`, `same` and `related`.
    """
    names = ("id", "kind", "title", "short", "statement", "question", "default", "asks", "words", "same", "related")
    return _full({name: getattr(entry, name) for name in names})


def _full(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value}
