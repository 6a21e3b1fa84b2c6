"""The clicks that make a turn: every legal way to take it, as a row of steps.

A player clicks one step after the other. A step is a bag of keys, clicked in any order: those of `data-at` in a picture
(see `tkid.render.picture`), and some for words. The page offers every key that a way needs which is still possible, so
it needs to know no rules.

Clicks are clear: of ways that begin with the same steps, no bag of the next step is part of another, and none ends where
another goes on. Ways with the same text are one way in several orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from tkid.kernel.game import AnyView
from tkid.render.html import Table
from tkid.rulebook import rule

PASS, NOBODY, NO_DISC = "pass", "nobody", "no-disc"
"""Keys for words: pass, summon nobody, place no disc."""
FACTION = "faction"
"""The first word of a key for a faction: `faction/S`."""


@frozen
class Spot:
    """What can be clicked: its full name, the heading it is listed under, and its name below that heading."""

    name: str
    group: str
    short: str


@frozen(cache_hash=True)
class Step:
    """One choice: the question, and the keys that answer it, each as often as it is needed, in any order."""

    ask: str
    keys: tuple[str, ...]


@frozen(cache_hash=True)
class Ending:
    """The end of a turn after its action: the question, and the keys of which any one answers it."""

    ask: str
    keys: tuple[str, ...]


@frozen
class Way:
    """A way to act: its text, its steps, and how the turn ends after it (None: it has ended)."""

    text: str
    steps: tuple[Step, ...]
    then: Ending | None = None


@frozen
class Choices:
    """All that the next player may click.

    `due` is the next decision, or why there is none. `texts` has the text of each ending, by key. `spots` are all that
    may be clicked, by key, in the order of the list. `rules` are the rules to look up, by key; `barred` says why cards
    in hand cannot be played.
    """

    due: str
    ways: tuple[Way, ...] = ()
    texts: Mapping[str, str] = field(factory=dict)
    spots: Mapping[str, Spot] = field(factory=dict)
    rules: Mapping[str, str] = field(factory=dict)
    barred: tuple[str, ...] = ()


def idle(view: AnyView, names: Sequence[str]) -> Choices | None:
    """The choices of a seat that may click nothing, as the game is over or it is not its turn; else None."""
    to_act = view.shown.to_act
    if to_act is None:
        return Choices("The game is over.")
    return None if to_act == view.seat else Choices(f"{names[to_act]} is next.")


def data(choices: Choices) -> dict[str, Any]:
    """Choices as compact data: values are in tables once, and elsewhere by their number.

    `spots` are [key, name, group, short]; `steps` and `ends` [ask, spot, spot, ...] by the numbers of `asks` and
    `spots`; `ways` [shared, text, number of the ending or -1, step, step, ...], where `shared` is how many characters
    the text has in common with the beginning of the text before it.
    """
    spots, asks, steps, ends = Table[str](), Table[str](), Table[Step](), Table[Ending]()
    for key in choices.spots:
        spots.number(key)
    ways: list[list[str | int]] = []
    before = ""
    for way in choices.ways:
        shared = _shared(before, way.text)
        before, end = way.text, ends.number(way.then) if way.then else -1
        ways.append([shared, before[shared:], end, *map(steps.number, way.steps)])
    questions = {
        name: [[asks.number(each.ask), *map(spots.number, each.keys)] for each in table]
        for name, table in (("steps", steps), ("ends", ends))
    }
    return {
        "due": choices.due,
        "spots": [[key, spot.name, spot.group, spot.short] for key, spot in choices.spots.items()],
        "asks": list(asks),
        **questions,
        "texts": {str(spots.number(key)): text for key, text in choices.texts.items()},
        "ways": ways,
        "rules": {key: [rule(id_).id, rule(id_).statement, rule(id_).link] for key, id_ in choices.rules.items()},
        "barred": list(choices.barred),
    }


def _shared(one: str, other: str) -> int:
    """How many characters two texts have in common at the beginning."""
    different = (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(different, min(len(one), len(other)))
