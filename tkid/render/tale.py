"""What a replay tells of a game, whatever is played: its turns step by step, its chapters, and what everybody has."""

from __future__ import annotations

from attrs import frozen


@frozen
class Told:
    """A sentence, and the rule (whole id) that it is about; "" for none."""

    text: str
    rule: str = ""


@frozen
class Tale:
    """A turn: its heading without a full stop, what was done step by step, what that changed, and who is next.

    `changes` says who leads where now, and how what is played for would end; `next` is "" after the end.
    """

    heading: str
    steps: tuple[Told, ...] = ()
    changes: tuple[str, ...] = ()
    next: str = ""


@frozen
class Chapter:
    """A stretch of a game that ends with a result, such as a power struggle; `kind` is the word for it.

    It runs from the moment `first` to the moment `last`: those after its first turn and after its last one so far. `names`
    are its names with the moments from which on they hold; a chapter that has not begun has none, and begins after the last
    moment. One that ended together with the chapter before it has no turn of its own. `result` is "" while it is open;
    `sign` is for its coin, and `place` the faction whose colour the coin has (None: nobody's).
    """

    kind: str
    names: tuple[tuple[int, str], ...]
    first: int
    last: int
    result: str = ""
    sign: str = ""
    place: int | None = None


@frozen
class Count:
    """How many there are of something: its sign, its name, and the faction whose colour it has (None: nobody's)."""

    number: int
    sign: str
    name: str
    place: int | None = None


@frozen
class Tally:
    """What somebody has, as a row of numbers; a game has the same rows in every position. Not every label is a player."""

    label: str
    counts: tuple[Count, ...]
