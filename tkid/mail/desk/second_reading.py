"""What a text that is no order may mean as a turn. Nothing of it is ever played: it is offered. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.kernel.problems import Problem
from tkid.mail.letters.content import roots
from tkid.mail.plugin import mail_plugin
from tkid.notation.free_text import Understanding, understand
from tkid.record.play.replay import Replay

MOST_OFFERED = 3
"""So many turns are offered at most."""


def understood(known: Replay, text: str) -> Understanding:
    """What a text may mean as the next turn of a game, as its reader knows it."""
    return understand(known.record.game, known.record.names, known.position, text)


def repaired(known: Replay, typed: str, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Legal turns that put right what is wrong with a turn."""
    plugin = mail_plugin(known.record.game)
    turns = (turn for problem in roots(problems) for turn in plugin.repairs(known, typed, problem))
    return tuple(dict.fromkeys(turns))[:MOST_OFFERED]


def example(known: Replay, typed: str) -> str:
    """A legal turn with the card that a text begins with, "" where that is not clear."""
    return mail_plugin(known.record.game).similar(known, typed)[1]
