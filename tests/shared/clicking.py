"""Clicks on a page, told apart from the rules: what the page's script does, done in Python; and whether clicks are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen

from tkid.render.clicks import Choices, Way

Data = dict[str, Any]
Pick = Callable[[Sequence[str]], str]
"""Picks one of the keys that would do."""


@frozen
class Row:
    """A way of a page: its text, the number of its ending (-1: none), and those of its steps."""

    text: str
    end: int
    steps: tuple[int, ...]


@define
class Clicker:
    """The data of a page, and what was clicked: the same steps as in the page's script."""

    data: Data
    ways: list[Row] = field(init=False)
    step: int = 0
    bag: list[str] = field(factory=list)
    end: str = ""

    @ways.default
    def _(self) -> list[Row]:
        return whole(self.data)

    def wanted(self, way: Row) -> list[str]:
        """The keys of a way's step."""
        _, _, *spots = numbers(self.data, self.data["steps"][way.steps[self.step]])
        return [self.data["spots"][spot][0] for spot in spots]

    def over(self) -> bool:
        """Whether the action is complete."""
        return self.step >= len(self.ways[0].steps)

    def lacking(self, way: Row) -> list[str]:
        """The keys that are still missing in a way's step."""
        return list((Counter(self.wanted(way)) - Counter(self.bag)).elements())

    def offered(self) -> set[str]:
        """The keys that may be clicked next."""
        if self.line():
            return set()
        if self.over():
            return set(ends_of(self.data, self.ways[0].end))
        return {key for way in self.ways for key in self.lacking(way)}

    def click(self, key: str) -> None:
        """Click what is offered."""
        assert key in self.offered(), (key, self.offered())
        if self.over():
            self.end = key
            return
        self.bag.append(key)
        self.ways = [way for way in self.ways if not Counter(self.bag) - Counter(self.wanted(way))]
        while not self.over() and (len(self.wanted(self.ways[0])) == len(self.bag) or self._forced()):
            self.step += 1
            self.bag = []

    def _forced(self) -> bool:
        return not self.bag and all(way.steps[self.step] == self.ways[0].steps[self.step] for way in self.ways)

    def line(self) -> str:
        """The whole turn, "" as long as it is not complete."""
        if not self.over() or (self.ways[0].end >= 0 and not self.end):
            return ""
        return self.ways[0].text + (f"; {texts(self.data)[self.end]}" if self.end else "")


def numbers(data: Data, row: str) -> list[int]:
    """The numbers that a row of signs stands for."""
    return [data["signs"].index(sign) for sign in row]


def whole(data: Data) -> list[Row]:
    """The ways with all that they have in common with the one before them."""
    ways, text, steps = list[Row](), "", tuple[int, ...]()
    for row in data["ways"]:
        same, end, shared, fresh = numbers(data, row[:4])
        steps = (*steps[:shared], *numbers(data, row[4 : 4 + fresh]))
        text = text[:same] + row[4 + fresh :]
        ways.append(Row(text, end - 1, steps))
    return ways


def texts(data: Data) -> dict[str, str]:
    """The texts of the endings, by key."""
    return {data["spots"][int(spot)][0]: text for spot, text in data["texts"].items()}


def ends_of(data: Data, end: int) -> list[str]:
    """The keys of an ending."""
    _, *spots = numbers(data, data["ends"][end])
    return [data["spots"][spot][0] for spot in spots]


def lines_of(data: Data) -> set[str]:
    """Every line that can be clicked together."""
    found, said = set(), texts(data)
    for way in whole(data):
        found |= {f"{way.text}; {said[key]}" for key in ends_of(data, way.end)} if way.end >= 0 else {way.text}
    return found


def clicks_to(data: Data, line: str, pick: Pick = min) -> list[str]:
    """Clicks that put a line together; of those that may come in any order, `pick` says which comes next."""
    action, _, summons = line.partition("; ")
    clicker, clicked = Clicker(data), list[str]()
    way = next(way for way in clicker.ways if way.text == action)
    while not clicker.line():
        if not clicker.over():
            clicked.append(pick(clicker.lacking(way)))
        else:
            ends = {text: key for key, text in texts(data).items()}
            clicked.append(ends[summons])
        clicker.click(clicked[-1])
    assert clicker.line() == line
    return clicked


def unclear(choices: Choices) -> list[str]:
    """Where clicks would not tell which way is meant; [] for choices as they have to be."""
    found: list[str] = []
    _compare(list(choices.ways), 0, found)
    return found


def _compare(ways: list[Way], at: int, found: list[str]) -> None:
    """Ways that have the same steps so far."""
    ended = {way.text for way in ways if len(way.steps) == at}
    texts = {way.text for way in ways}
    if ended:
        if len(texts) > 1:
            found.append(f"the same clicks: {', '.join(sorted(texts)[:4])}")
        return
    bags: dict[tuple[str, ...], list[Way]] = {}
    for way in ways:
        bags.setdefault(tuple(sorted(way.steps[at].keys)), []).append(way)
    counted = {keys: Counter(keys) for keys in bags}
    if len({len(keys) for keys in bags}) > 1:
        found += [
            f"{' '.join(few)} is part of {' '.join(more)}: {bags[few][0].text}, {bags[more][0].text}"
            for few in bags
            for more in bags
            if few != more and counted[few] <= counted[more]
        ]
    for alike in bags.values():
        _compare(alike, at + 1, found)
