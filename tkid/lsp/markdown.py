"""What an editor shows beside the text, as Markdown: a rule with its link, a turn with what followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tkid.kernel.game import Event
from tkid.rulebook import known, rule

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def escaped(text: str) -> str:
    """A text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def rule_text(rule_id: str) -> str:
    """A rule: title, statement and link; "" if there is no such rule."""
    if not known(rule_id):
        return ""
    entry = rule(rule_id)
    return f"**{escaped(entry.title)}**\n\n{escaped(entry.statement)}\n\n[{entry.id}]({entry.link})"


def events_text(events: Iterable[Event], names: Sequence[str]) -> str:
    """What followed from a turn, one line for each event with the link to its rule."""
    return "\n".join(f"- {escaped(event.read(names))} [{event.rule}]({rule(event.rule).link})" for event in events)
