"""Sentences as HTML: players' names set apart, whatever their script, and rules as links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from html import escape

from attrs import define

from tkid.record.format.model import Comments
from tkid.record.play.replay import Moment
from tkid.rulebook import known, rule

TYPOGRAPHIC = (("<>", "\u21c4"), (" > ", " \u2192 "))
"""Signs of the notation, and how they are shown; they are read so too."""


@define(slots=False)
class Words:
    """Writes sentences in which the names of these players may be."""

    names: Sequence[str]

    @cached_property
    def _name(self) -> re.Pattern[str]:
        longest_first = sorted(self.names, key=len, reverse=True)
        return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)")

    def html(self, text: str) -> str:
        """A text with each name as an element of its own, so that its direction does not turn the rest around."""
        pieces = self._name.split(text)
        return "".join(
            f"<bdi>{escape(piece)}</bdi>" if place % 2 else escape(piece) for place, piece in enumerate(pieces)
        )

    def ruled(self, text: str, rule_id: str) -> str:
        """A sentence with a short link to the page of its rule, or the id if the register does not have it; "" for none."""
        link = (
            f'<a class="rule-link" href="{rule(rule_id).link}" title="{rule_id}">rule</a>'
            if known(rule_id)
            else rule_id
        )
        return f"{self.html(text)}\u00a0{link}" if link else self.html(text)

    def turn(self, text: str) -> str:
        """A turn in notation, with the signs that print has for it."""
        for typed, shown in TYPOGRAPHIC:
            text = text.replace(typed, shown)
        return self.html(text)


def comments_of(moment: Moment) -> Comments:
    """All comments that belong to a turn, as they were written."""
    turn = moment.turn
    if turn is None:
        return ()
    return (*turn.comments, *turn.notes, *(each for outcome in turn.outcomes for each in outcome.comments))
