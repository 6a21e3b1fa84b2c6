"""Where a rule is at work: code, tests, cases, what tkid says when it is broken, and recorded games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from docs.making.code import Place, enforced, in_tests
from docs.making.decisions import decisions, varied
from docs.making.examples import case_path, citing, refused
from docs.making.files import LINKED, published_at
from docs.making.games import FOLDER
from docs.making.words import capital
from tkid.rulebook import Rule

PLACES, GAMES, CASES = 6, 6, 10
"""So many of each are listed; of more, the number of the others."""


@frozen
class Item:
    """A line of a list: a link of the site with its words, and what is said about it."""

    path: str
    text: str
    about: str = ""


@frozen
class Evidence:
    """A list under a title: what is listed, how many more there are, and lines of text to be shown as they are."""

    title: str
    items: tuple[Item, ...] = ()
    more: int = 0
    lines: tuple[str, ...] = ()


def evidence(entry: Rule) -> Iterator[Evidence]:
    """Everything there is to show, list by list."""
    yield from _listed("Recorded games in which it decided something", _games(entry), GAMES)
    yield from _listed("Code", [_place(place) for place in enforced().get(entry.id, ())], PLACES)
    yield from _listed("Tests", [_place(place) for place in in_tests().get(entry.id, ())], PLACES)
    cases = [Item(case_path(case.number), case.number, case.title) for case in citing(entry.id)]
    yield from _listed("Conformance cases", cases, CASES)
    said = [block for block in refused(entry.id, "") if block.startswith("```")]
    if said:
        yield Evidence("What tkid says when it is broken", lines=tuple(said[0].splitlines()[1:-1]))


def _listed(title: str, items: Sequence[Item], most: int) -> Iterator[Evidence]:
    if items:
        yield Evidence(title, tuple(items[:most]), max(0, len(items) - most))


def _games(entry: Rule) -> list[Item]:
    return [
        Item(
            _published(each.path, each.line),
            f"{each.path.removeprefix(f'{FOLDER}/').removesuffix('.tkid')}, turn {each.turn}",
            f"{capital(each.what)}.",
        )
        for each in varied(decisions().get(entry.id, ()))
    ]


def _place(place: Place) -> Item:
    return Item(_published(place.path, place.line), place.path, place.name)


def _published(path: str, line: int) -> str:
    LINKED.add(path)
    return f"{published_at(path)}#L{line}"
