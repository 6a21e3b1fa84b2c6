"""A turn put together by clicks: every legal way to take it as a row of steps, computed here. For every family.

Whoever answers clicks steps together, one after the other. A step is a bag of keys, those of `data-at` in a picture
(see `tkid.render.picture.AT`) and some that stand for words; its keys are clicked in any order. What is offered next
is whatever any way needs that is still possible: nothing of the rules has to be known where the clicks are read.

So that the clicks alone tell the way: of ways that begin with the same steps, no bag of the next step is part of
another one, and none ends where another goes on. Ways of the same text are one way in several orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from tkid.kernel.game import AnyView
from tkid.render.html import Table
from tkid.rulebook import rule

PASS, NOBODY, NO_DISC = "pass", "nobody", "no-disc"
"""Keys that stand for words: no turn's action, no follower summoned, no disc placed."""
FACTION = "faction"
"""The first word of a key for a faction that is named: `faction/S`."""


@frozen
class Spot:
    """What can be clicked: its name in full, the heading it is listed under, and its name below that."""

    name: str
    group: str
    short: str


@frozen(cache_hash=True)
class Step:
    """One choice: what is asked, and the keys that answer it, each as often as it is needed, in any order."""

    ask: str
    keys: tuple[str, ...]


@frozen(cache_hash=True)
class Ending:
    """What ends a turn whose action is complete: what is asked, and the keys of which any one answers it."""

    ask: str
    keys: tuple[str, ...]


@frozen
class Way:
    """A way to act: the text of it, its steps, and how the turn is ended after it (None: it has ended)."""

    text: str
    steps: tuple[Step, ...]
    then: Ending | None = None


@frozen
class Choices:
    """All that whoever is to act may click.

    `due` says what is to be done, or why nothing is. `texts` holds by key what the end of a turn is written as. `spots`
    are all that may be clicked, by key, in the order in which they are listed. `rules` are the rules to look up, by key;
    `barred` says why cards in hand cannot be played.
    """

    due: str
    ways: tuple[Way, ...] = ()
    texts: Mapping[str, str] = field(factory=dict)
    spots: Mapping[str, Spot] = field(factory=dict)
    rules: Mapping[str, str] = field(factory=dict)
    barred: tuple[str, ...] = ()


def idle(view: AnyView, names: Sequence[str]) -> Choices | None:
    """What is told where nothing may be clicked, because the game is over or it is not the viewer's turn; else None."""
    to_act = view.shown.to_act
    if to_act is None:
        return Choices("The game is over.")
    return None if to_act == view.seat else Choices(f"{names[to_act]} is to act.")


def data(choices: Choices) -> dict[str, Any]:
    """Choices as compact data: values stand once, in tables, and by their number elsewhere.

    `spots` are [key, name, group, short]; `steps` and `ends` [ask, spot, spot, ...] with numbers of `asks` and
    `spots`; `ways` [shared, text, number of the end that follows or -1, step, step, ...], where `shared` is how many
    characters the text begins with that are those of the way before.
    """
    spots, asks, steps, ends = Table[str](), Table[str](), Table[Step](), Table[Ending]()
    for key in choices.spots:
        spots.of(key)
    ways: list[list[str | int]] = []
    before = ""
    for way in choices.ways:
        shared = _shared(before, way.text)
        before, end = way.text, ends.of(way.then) if way.then else -1
        ways.append([shared, before[shared:], end, *map(steps.of, way.steps)])
    asked = {
        name: [[asks.of(each.ask), *map(spots.of, each.keys)] for each in table]
        for name, table in (("steps", steps), ("ends", ends))
    }
    return {
        "due": choices.due,
        "spots": [[key, spot.name, spot.group, spot.short] for key, spot in choices.spots.items()],
        "asks": list(asks),
        **asked,
        "texts": {str(spots.of(key)): text for key, text in choices.texts.items()},
        "ways": ways,
        "rules": {key: [rule(id_).id, rule(id_).statement, rule(id_).link] for key, id_ in choices.rules.items()},
        "barred": list(choices.barred),
    }


def _shared(before: str, text: str) -> int:
    """How many characters two texts begin with alike."""
    for at, (one, other) in enumerate(zip(before, text, strict=False)):
        if one != other:
            return at
    return min(len(before), len(text))
