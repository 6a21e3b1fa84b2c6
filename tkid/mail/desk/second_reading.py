"""What a text that is no order may mean as a turn. Nothing of it is ever played: it is offered. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.kernel.game import with_names
from tkid.kernel.problems import Problem
from tkid.mail.letters.content import roots
from tkid.mail.plugin import mail_plugin
from tkid.record.play.replay import Replay, append

MOST_OFFERED = 3
"""So many turns are offered at most."""


@frozen
class Understood:
    """What a text may mean.

    `turn` is the one legal turn that fits, "" where there is none; `choices` are up to three legal turns that fit or are
    the nearest; `problems` say what is wrong, the most useful first.
    """

    turn: str = ""
    choices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to offer."""
        return bool(self.turn or self.choices)


def understood(known: Replay, text: str) -> Understood:
    """What a text may mean as the next turn of a game, as its reader knows it."""
    after = append(known, text)
    if after.problems:
        return Understood()
    return Understood(with_names(known.record.game.words.turn(after.last.moves), known.record.names))


def repaired(known: Replay, typed: str, problems: Sequence[Problem]) -> tuple[str, ...]:
    """Legal turns that put right what is wrong with a turn."""
    plugin = mail_plugin(known.record.game)
    turns = (turn for problem in roots(problems) for turn in plugin.repairs(known, typed, problem))
    return tuple(dict.fromkeys(turns))[:MOST_OFFERED]


def example(known: Replay, typed: str) -> str:
    """A legal turn with the card that a text begins with, "" where that is not clear."""
    return mail_plugin(known.record.game).similar(known, typed)[1]
