"""The data of a board to click: all that can be chosen, and all that can then be seen, in few bytes.

What comes again and again is in tables once, and elsewhere by its number. Rows of numbers are texts: each number is one of
the `signs`, of which the first take one byte.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any
from unicodedata import bidirectional, category

from attrs import define, field

from tkid.render.clicks import Change, Choices, Ending, Outlook, Pieces, Preview, Refusal, State, Step, What
from tkid.render.html import Table
from tkid.render.picture import REMEMBERED, Part
from tkid.rulebook import rule

ELEMENTS = re.compile(r"(?<=/>)(?=<)|(?<=</text>)(?=<)")
TAGS = re.compile(r"(?= (?:x|y|cx|cy|r|d|data-at|class)=)|(?<=\d\")(?=/?>)")
"""Where the SVG of a part is split into elements, and those into tags, so that most are those of others too."""
FIRST, BEHIND = 0x23, 0x3400
"""Signs are looked for between these two; before them are the space and the quotation mark."""
UNFIT = frozenset("&<>\\")
"""What JSON and HTML do not hold as it is."""
FITTING = frozenset({"Lu", "Ll", "Lo", "Nd", "Po", "Sm"})
"""The categories of characters that are seen and stand for themselves."""


def data(choices: Choices, preview: Preview | None = None, calm: Sequence[Part] = ()) -> dict[str, Any]:
    """Choices, and what the page shows on the way, as compact data.

    `spots` are [key, name, group, short]. These are rows of signs: `steps` (ask, changes, spot, spot, ...) and `ends` (ask,
    spot, spot, ...) by the numbers of `asks`, `changes` and `spots`; `changes` (place, what, place, what, ...). `after` has
    for each ending its changes, `texts` its text. A way is text behind signs: how much the text has in common with the
    text before it, the number of its ending and one (0: none), how many steps it has in common, and how many follow, which
    come next.

    `looks` have for each place and state the parts that are then drawn, with a space between them: the number of the part
    and those of its `elements`, which are made of `tags`. `pieces` have the places where pieces come and go. `calm` are the parts that look otherwise without the marks of the last turn. `brings` has
    the numbers of `outlooks` by way and spot; where it has none, that is in `settled` by the state of a place: of the
    way's own in `stakes`, or else of `stake`.
    """
    preview = preview or Preview()
    looked = (parts for states in preview.looks.values() for parts in states.values())
    moving = [Part("", pieces.head) for pieces in preview.pieces.values()]
    grounds = (pieces.grounds.values() for pieces in preview.pieces.values())
    drawn = chain(calm, moving, *looked, *grounds)
    elements = _numbered(Counter(element for part in drawn for element in _split(ELEMENTS, part.svg)))
    tags = _numbered(Counter(tag for element in elements for tag in _split(TAGS, element)))
    tables = _Data(choices, elements)
    for key in choices.spots:
        tables.spots.number(key)
    tables.changes.number(())
    found: dict[str, Any] = {"due": choices.due, "ways": tables.ways()}
    found["looks"] = {
        tables.places.number(place): {tables.state(state): tables.look(parts) for state, parts in states.items()}
        for place, states in preview.looks.items()
    }
    found["pieces"] = {tables.places.number(place): tables.pieces(each) for place, each in preview.pieces.items()}
    found["after"] = {tables.spots.number(key): tables.changes.number(end.changes) for key, end in choices.ends.items()}
    found |= tables.brings(preview) | {
        "calm": tables.look(calm),
        "spots": [[key, spot.name, spot.group, spot.short] for key, spot in choices.spots.items()],
        "steps": [tables.step(step) for step in tables.steps],
        "ends": [tables.signs(tables.asks.number(end.ask), *map(tables.spots.number, end.keys)) for end in tables.ends],
        "texts": {tables.spots.number(key): end.text for key, end in choices.ends.items()},
        "changes": [tables.change(each) for each in tables.changes],
    }
    return found | {
        "whats": [list(what) for what in tables.whats],
        "asks": list(tables.asks),
        "parts": list(tables.parts),
        "elements": [tables.signs(*map(tags.__getitem__, _split(TAGS, element))) for element in elements],
        "tags": list(tags),
        "outlooks": [[each.text, each.detail, each.shape, *each.factions] for each in tables.outlooks],
        "rules": {key: _rule(id_) for key, id_ in choices.rules.items()},
        "barred": {key: _refusal(refusal) for key, refusal in choices.barred.items()},
        "signs": "".join(_signs()[: tables.most + 1]),
    }


@define
class _Data:
    """The tables of a page, filled on the way."""

    choices: Choices
    elements: Mapping[str, int]
    spots: Table[str] = field(factory=Table)
    asks: Table[str] = field(factory=Table)
    steps: Table[Step] = field(factory=Table)
    ends: Table[Ending] = field(factory=Table)
    changes: Table[tuple[Change, ...]] = field(factory=Table)
    places: Table[str] = field(factory=Table)
    whats: Table[What] = field(factory=Table)
    parts: Table[str] = field(factory=Table)
    outlooks: Table[Outlook] = field(factory=Table)
    most: int = 0

    def signs(self, *numbers: int) -> str:
        """Numbers as signs."""
        self.most = max(self.most, *numbers, 0)
        return "".join([_signs()[number] for number in numbers])

    def ways(self) -> list[str]:
        """The ways, each with what it has in common with the one before it."""
        rows, text, steps = list[str](), "", tuple[Step, ...]()
        for way in self.choices.ways:
            same, shared = _shared(text, way.text), _shared(steps, way.steps)
            text, steps = way.text, way.steps
            end = self.ends.number(way.then) + 1 if way.then else 0
            new = [self.steps.number(step) for step in steps[shared:]]
            rows.append(self.signs(same, end, shared, len(new), *new) + text[same:])
        return rows

    def step(self, step: Step) -> str:
        """A step."""
        numbers = self.asks.number(step.ask), self.changes.number(step.changes)
        return self.signs(*numbers, *map(self.spots.number, step.keys))

    def change(self, changes: tuple[Change, ...]) -> str:
        """Changes, as numbers of places and of what happens there."""
        pairs = [(self.places.number(place), self.whats.number(what)) for place, what in changes]
        return self.signs(*chain.from_iterable(pairs))

    def state(self, state: State) -> str:
        """A state: the numbers of what happened, in their order."""
        return self.signs(*sorted(map(self.whats.number, state)))

    def look(self, parts: Iterable[Part]) -> str:
        """Parts as they are drawn."""
        rows = [
            (self.parts.number(part.name), *map(self.elements.__getitem__, _split(ELEMENTS, part.svg)))
            for part in parts
        ]
        return " ".join([self.signs(*row) for row in rows])

    def pieces(self, pieces: Pieces) -> dict[str, Any]:
        """A place where pieces come and go."""
        return {
            "head": self.look((Part(pieces.part, pieces.head),)),
            "kinds": list(pieces.kinds),
            "shapes": pieces.shapes,
            "places": {more: [round(n, 1) for at in row for n in at] for more, row in pieces.places.items()},
            "grounds": {self.signs(*counts): self.look((part,)) for counts, part in pieces.grounds.items()},
        }

    def brings(self, preview: Preview) -> dict[str, Any]:
        """What each way brings, by its number, and by the number of its end's spot or -1; or the place that says it."""
        numbers = {way: number for number, way in enumerate(self.choices.ways)}
        brings: dict[int, dict[int, int]] = {}
        for (way, end), outlook in preview.brings.items():
            spot = self.spots.number(end) if end else -1
            brings.setdefault(numbers[way], {})[spot] = self.outlooks.number(outlook)
        usual = Counter(preview.stakes.values()).most_common(1)
        stakes = [(numbers[way], place) for way, place in preview.stakes.items() if place != usual[0][0]]
        return {
            "brings": brings,
            "stake": self.places.number(usual[0][0]) if usual else -1,
            "stakes": {way: self.places.number(place) for way, place in stakes},
            "settled": {
                self.places.number(place): {
                    self.state(state): self.outlooks.number(each) for state, each in rows.items()
                }
                for place, rows in preview.settled.items()
            },
        }


@lru_cache(REMEMBERED)
def _split(between: re.Pattern[str], svg: str) -> tuple[str, ...]:
    """SVG in pieces, which most pages have in common."""
    return tuple(between.split(svg))


def _numbered(counted: Counter[str]) -> dict[str, int]:
    """What was counted, numbered, the most frequent first."""
    return {each: number for number, (each, _) in enumerate(counted.most_common())}


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
    signs = (sign for sign in map(chr, range(FIRST, BEHIND)) if sign not in UNFIT and category(sign) in FITTING)
    return [sign for sign in signs if bidirectional(sign) not in {"R", "AL", "AN"}]


def _shared(one: Sequence[Any], other: Sequence[Any]) -> int:
    """How much two rows have in common at the beginning."""
    different = (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(different, min(len(one), len(other)))
