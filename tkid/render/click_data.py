"""The data of a board to click: all that can be chosen, and all that can then be seen, in few bytes.

What comes again and again is in tables once, and elsewhere by its number. Rows of numbers are texts: each number is one of
the `signs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any
from unicodedata import bidirectional, category

from attrs import define, field

from tkid.render.clicks import Change, Choices, Ending, Looks, Outlook, Preview, Refusal, State, Step, Way, What
from tkid.render.html import Table
from tkid.render.picture import Part
from tkid.rulebook import rule

TAGS = re.compile(r"(?<=>)(?=<)|(?= data-at=)|(?= y=)")
"""Where the SVG of a part is split, so that most of its pieces are those of other parts too."""
FIRST, BEHIND = 0x23, 0x3400
"""Signs are looked for between these two; before them are the space and the quotation mark."""
UNFIT = frozenset("&<>\\")
"""What JSON and HTML do not hold as it is."""


@define
class _Data:
    """The tables of a page, filled on the way."""

    choices: Choices
    preview: Preview
    spots: Table[str] = field(factory=Table)
    asks: Table[str] = field(factory=Table)
    steps: Table[Step] = field(factory=Table)
    ends: Table[Ending] = field(factory=Table)
    changes: Table[tuple[Change, ...]] = field(factory=Table)
    places: Table[str] = field(factory=Table)
    whats: Table[What] = field(factory=Table)
    parts: Table[str] = field(factory=Table)
    drawn: Table[str] = field(factory=Table)
    tags: Table[str] = field(factory=Table)
    outlooks: Table[Outlook] = field(factory=Table)
    most: int = 0

    def written(self, numbers: Iterable[int]) -> str:
        """Numbers as signs."""
        row = tuple(numbers)
        self.most = max(self.most, *row, 0)
        return "".join([_sign(number) for number in row])

    def ways(self) -> list[str]:
        """The ways, each with what it has in common with the one before it."""
        rows = []
        text, steps = "", tuple[Step, ...]()
        for way in self.choices.ways:
            same, shared = _shared(text, way.text), _shared(steps, way.steps)
            text, steps = way.text, way.steps
            end = self.ends.number(way.then) + 1 if way.then else 0
            new = [self.steps.number(step) for step in steps[shared:]]
            rows.append(self.written((same, end, shared, len(new), *new)) + text[same:])
        return rows

    def change(self, changes: tuple[Change, ...]) -> list[int]:
        """Changes as numbers of places and of what happens there."""
        return [n for place, what in changes for n in (self.places.number(place), self.whats.number(what))]

    def state(self, state: State) -> str:
        """A state: the numbers of what happened, in their order."""
        return self.written(sorted(map(self.whats.number, state)))

    def part(self, part: Part) -> str:
        """A part: the number of its name, and that of how it is drawn."""
        return self.written((self.parts.number(part.name), self.drawn.number(part.svg)))

    def looks(self, looks: Looks) -> dict[int, dict[str, str]]:
        """How places look, by their numbers."""
        return {
            self.places.number(place): {
                self.state(state): "".join(map(self.part, parts)) for state, parts in by_state.items()
            }
            for place, by_state in looks.items()
        }

    def brings(self) -> dict[str, Any]:
        """What each way brings, by its number, and by the number of its end's spot or -1; or the place that says it."""
        numbers = {way: number for number, way in enumerate(self.choices.ways)}
        brings: dict[int, dict[int, int]] = {}
        for (way, end), outlook in self.preview.brings.items():
            spot = self.spots.number(end) if end else -1
            brings.setdefault(numbers[way], {})[spot] = self.outlooks.number(outlook)
        return {
            "brings": brings,
            "stakes": {numbers[way]: self.places.number(place) for way, place in self.preview.stakes.items()},
            "settled": {
                self.places.number(place): {self.state(state): self.outlooks.number(each) for state, each in rows.items()}
                for place, rows in self.preview.settled.items()
            },
        }


def data(choices: Choices, preview: Preview = Preview(), calm: Sequence[Part] = ()) -> dict[str, Any]:
    """Choices, and what the page shows on the way, as compact data.

    `spots` are [key, name, group, short]; `steps` [ask, changes, spot, spot, ...] and `ends` [ask, spot, spot, ...] by
    the numbers of `asks`, `changes` and `spots`; `changes` [place, what, place, what, ...], and `after` the number of
    such for each end. A way is text behind signs: how much the text has in common with the text before it, the number of
    its end and one (0: none), how many steps it has in common, and how many follow, which come next.

    `looks` have for each place and state the parts that are then drawn, each by its name in `parts` and its picture in
    `drawn`, which is made of `tags`; `calm` are the parts that look otherwise without the marks of the last turn.
    """
    tables = _Data(choices, preview)
    for key in choices.spots:
        tables.spots.number(key)
    ways, brings, looks = tables.ways(), tables.brings(), tables.looks(preview.looks)
    after = {tables.spots.number(key): tables.changes.number(end.changes) for key, end in choices.ends.items()}
    steps = [
        [tables.asks.number(step.ask), tables.changes.number(step.changes), *map(tables.spots.number, step.keys)]
        for step in tables.steps
    ]
    ends = [[tables.asks.number(end.ask), *map(tables.spots.number, end.keys)] for end in tables.ends]
    quiet = "".join(map(tables.part, calm))
    changes = [tables.change(each) for each in tables.changes]
    drawn = [tables.written(map(tables.tags.number, TAGS.split(svg))) for svg in tables.drawn]
    return {
        "due": choices.due,
        "spots": [[key, spot.name, spot.group, spot.short] for key, spot in choices.spots.items()],
        "asks": list(tables.asks),
        "steps": steps,
        "ends": ends,
        "texts": {tables.spots.number(key): end.text for key, end in choices.ends.items()},
        "after": after,
        "ways": ways,
        "changes": changes,
        "looks": looks,
        "calm": quiet,
        "parts": list(tables.parts),
        "drawn": drawn,
        "tags": list(tables.tags),
        **brings,
        "outlooks": [[each.text, each.detail, each.shape, *each.factions] for each in tables.outlooks],
        "rules": {key: _rule(id_) for key, id_ in choices.rules.items()},
        "barred": {key: _refusal(refusal) for key, refusal in choices.barred.items()},
        "signs": "".join(map(_sign, range(tables.most + 1))),
    }


def _rule(rule_id: str) -> list[str]:
    """A rule's id, its statement and its page."""
    found = rule(rule_id)
    return [found.id, found.statement, found.link]


def _refusal(refusal: Refusal) -> list[str]:
    """Why something may not be clicked, with the id of the rule and its page."""
    return [refusal.sentence, refusal.rule, rule(refusal.rule).link]


@cache
def _signs() -> list[str]:
    """The signs that numbers are written as: what is seen, runs to the right and stands for itself."""
    fitting = {"Lu", "Ll", "Lo", "Nd", "Po", "Sm"}
    signs = (sign for sign in map(chr, range(FIRST, BEHIND)) if sign not in UNFIT and category(sign) in fitting)
    return [sign for sign in signs if bidirectional(sign) not in {"R", "AL", "AN"}]


def _sign(number: int) -> str:
    """The sign of a number."""
    return _signs()[number]


def _shared(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How much two rows have in common at the beginning."""
    different = (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(different, min(len(one), len(other)))
