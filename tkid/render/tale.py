"""A turn told for a replay: what was done, what it changed, and who is next, whatever is played."""

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
