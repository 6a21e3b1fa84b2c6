"""Resigning from hand to hand, without a host: the seats that pass from then on."""

from __future__ import annotations

from tkid.mail.plugin import mail_plugin
from tkid.record.clock.notes import BY_RESIGNATION, note_reader
from tkid.record.exchange.resignations import is_over, resignations
from tkid.record.format.model import Turn
from tkid.record.play.amendments import with_note
from tkid.record.play.replay import Replay, append
from tkid.rulebook import cites


@cites("record.resigned")
def passed(played: Replay) -> Replay:
    """The replay gone on by the passes of seats whose players have resigned; what cannot be passed is left."""
    gone, plugin = resignations(played.record), mail_plugin(played.record.game)
    while gone and played.position.to_act in gone and plugin.passable(played.position) and not is_over(played):
        played = with_note(append(played, plugin.passing), BY_RESIGNATION)
    return played


def is_passed(turn: Turn) -> bool:
    """Whether a turn is marked as the pass of a player who has resigned."""
    return any(note_reader(()).note(note) == BY_RESIGNATION for note in turn.notes)
