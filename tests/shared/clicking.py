"""Clicks on a page, told apart from the rules: what the page's script does, done in Python; and whether clicks are clear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from tkid.render.clicks import Choices, Way

Data = dict[str, Any]
Pick = Callable[[Sequence[str]], str]
"""Picks one of the keys that would do."""
TEXT, END, FIRST = 1, 2, 3
"""Where the parts of a way stand; from FIRST on, its steps."""


@define
class Clicker:
    """The data of a page, and what was clicked: the same steps as in the page's script."""

    data: Data
    ways: list[Any] = field(init=False)
    step: int = FIRST
    bag: list[str] = field(factory=list)
    end: str = ""

    @ways.default
    def _(self) -> list[Any]:
        return whole(self.data)

    def wanted(self, way: Any) -> list[str]:
        """The keys of a way's step."""
        return [self.data["spots"][spot][0] for spot in self.data["steps"][way[self.step]][1:]]

    def over(self) -> bool:
        """Whether the action is complete."""
        return self.step >= len(self.ways[0])

    def lacking(self, way: Any) -> list[str]:
        """The keys that are still missing in a way's step."""
        return list((Counter(self.wanted(way)) - Counter(self.bag)).elements())

    def offered(self) -> set[str]:
        """The keys that may be clicked next."""
        if self.line():
            return set()
        if self.over():
            return {self.data["spots"][spot][0] for spot in self.data["ends"][self.ways[0][END]][1:]}
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
        return not self.bag and all(way[self.step] == self.ways[0][self.step] for way in self.ways)

    def line(self) -> str:
        """The whole turn, "" as long as it is not complete."""
        if not self.over() or (self.ways[0][END] >= 0 and not self.end):
            return ""
        spots = [spot[0] for spot in self.data["spots"]]
        return str(self.ways[0][TEXT]) + (f"; {self.data['texts'][str(spots.index(self.end))]}" if self.end else "")


def whole(data: Data) -> list[Any]:
    """The ways with their whole texts."""
    ways, text = list[Any](), ""
    for shared, rest, *others in data["ways"]:
        text = text[:shared] + rest
        ways.append([shared, text, *others])
    return ways


def lines_of(data: Data) -> set[str]:
    """Every line that can be clicked together."""
    texts = {int(spot): text for spot, text in data["texts"].items()}
    found = set()
    for _, text, end, *_ in whole(data):
        found |= {f"{text}; {texts[spot]}" for spot in data["ends"][end][1:]} if end >= 0 else {text}
    return found


def clicks_to(data: Data, line: str, pick: Pick = min) -> list[str]:
    """Clicks that put a line together; of those that may come in any order, `pick` says which comes next."""
    action, _, summons = line.partition("; ")
    clicker, clicked = Clicker(data), list[str]()
    way = next(way for way in whole(data) if way[TEXT] == action)
    while not clicker.line():
        if not clicker.over():
            clicked.append(pick(clicker.lacking(way)))
        else:
            ends = {text: data["spots"][int(spot)][0] for spot, text in data["texts"].items()}
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
