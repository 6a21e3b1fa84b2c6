"""Takes in the record of a game that has begun elsewhere: it goes on at this host. Pure."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk import service
from tkid.mail.desk.service import HostedGame, Outcome
from tkid.mail.game.hosted_game import start_clock
from tkid.mail.game.timeline import with_notes
from tkid.mail.letters.blocks import Blocks, Events, Heading
from tkid.mail.letters.content import Announcement
from tkid.mail.letters.message import ADD_ADDRESS, address_of
from tkid.mail.model import Refusal
from tkid.record.clock.interventions import Announced, StoodStill
from tkid.record.fairplay.notes import noted_lines
from tkid.record.fairplay.opening import unopened
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay
from tkid.record.play.validation import judge
from tkid.rulebook import cites

RULE = "club.desk.import"
MOVED = "The game moved to this host."


@cites("club.desk.import")
def taken_in(record: bytes, now: datetime) -> Outcome | list[Problem]:
    """A game that goes on at this host, with a letter to every player; or why it cannot."""
    found, played = judge(read_record(record))
    problems = with_notes(found, played)
    if problems or played is None:
        return problems or [_refused("This is not a game file", "`tkid check` says what is wrong with it.")]
    game = HostedGame.new(start_clock(played.record, now))
    refused = [
        address_of(game.record, seat) for seat in game.seats if not game.is_bot(seat) and game.address(seat) == ""
    ]
    lacking = [each.reason for each in refused if isinstance(each, Refusal)]
    if lacking:
        return [_refused("; ".join(lacking), ADD_ADDRESS)]
    if game.time.over:
        return [_refused("The game is over", "Only a game that goes on can be imported.")]
    if unopened(played.record):
        return [_refused("Cards are hidden in this file", "Import the whole record, not what one player sees.")]
    for seat in game.seats:
        game = game.remembering(game.memory.with_seat(seat, told=game.turns))
    since, moment = game.time.since or game.time.latest, game.moment(now)
    if since is not None and since < moment and game.time.clock is not None:
        game = game.with_line(StoodStill(since, moment, "the game moved to this host"))
    text = "This game is played at this host from now on."
    told = Announcement(tuple(game.seats), text, tells=True, rule=RULE, subject="the game moves here")
    outcome = service.changed(game, game.with_line(Announced(game.moment(now), MOVED)), (told,), now)
    return evolve(outcome, record_changed=True)


def said_before(played: Replay) -> Blocks:
    """What a file says about its game besides the turns, with who alone can have written it, so that the owner can ask."""
    lines = [*noted_lines(played)]
    return (Heading("NOTES IN THE RECORD"), Events(tuple(("", line) for line in lines))) if lines else ()


def _refused(message: str, hint: str) -> Problem:
    return Problem(Kind.ILLEGAL, RULE, message, hint=hint)
