"""Taking a turn back: proposed by one player, agreed to by all, refused by one. Pure."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve, frozen

from tkid.kernel.game import with_names
from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.hosted_game import BY_ITSELF, HostedGame
from tkid.mail.game.memory import Proposal
from tkid.mail.game.plans import all_end
from tkid.mail.letters.content import Announcement
from tkid.notation.vocabulary import listed
from tkid.record.format.model import Turn
from tkid.record.play.amendments import take_back
from tkid.rulebook import cites

NOBODY_DECIDED = {passed.why for passed in BY_ITSELF}


@frozen
class Undoing:
    """What became of a word about taking a turn back: the game, what is said to the player and to others, or why not."""

    at: HostedGame
    told: str = ""
    words: tuple[Announcement, ...] = ()
    problem: Problem | None = None


def last_taken(at: HostedGame) -> tuple[Turn, ...]:
    """The last turn that stands and that somebody took, or the clock, and the passes after it that nobody decided on."""
    standing = [turn for turn in at.record.turns if not turn.undone]
    for back, turn in enumerate(reversed(standing), 1):
        if NOBODY_DECIDED.isdisjoint(turn.notes):
            return tuple(standing[-back:])
    return ()


@cites("post.undo", "post.undo.turn")
def propose(at: HostedGame, seat: int, now: datetime) -> Undoing:
    """Ask for the last turn to be taken back; who asks agrees, and so does whoever cannot be asked."""
    if at.memory.proposal is not None:
        return agree(at, seat, now)
    taken = last_taken(at)
    if not taken:
        told = "There is no turn that could be taken back"
        return Undoing(at, problem=Problem(Kind.ILLEGAL, "post.undo.turn", told))
    proposal = Proposal(taken[0].number, seat, (seat,))
    return _agreed(at.remembering(evolve(at.memory, proposal=proposal)), seat, now)


@cites("post.undo", "post.undo.open")
def agree(at: HostedGame, seat: int, now: datetime) -> Undoing:
    """Agree to what was proposed."""
    proposal = at.memory.proposal
    if proposal is None:
        return Undoing(at, problem=_nothing_open())
    if seat in proposal.agreed:
        return Undoing(at, f"You agreed before that turn {proposal.turn} is taken back. {_missing(at)}")
    agreed = tuple(sorted({*proposal.agreed, seat}))
    return _agreed(at.remembering(evolve(at.memory, proposal=evolve(proposal, agreed=agreed))), seat, now)


@cites("post.undo", "post.undo.open")
def refuse(at: HostedGame, seat: int) -> Undoing:
    """Refuse what was proposed, or take the own proposal back: it is over."""
    proposal = at.memory.proposal
    if proposal is None:
        return Undoing(at, problem=_nothing_open())
    told, others = f"turn {proposal.turn} is not taken back", tuple(s for s in _seats(at) if s != seat)
    after = at.remembering(evolve(at.memory, proposal=None))
    if seat == proposal.by:
        why = f"{at.names[seat]} asks no longer for it"
        return Undoing(
            after,
            f"Turn {proposal.turn} is not taken back: you ask no longer for it.",
            (_house(others, f"{told}: {why}."),),
        )
    why = f"{at.names[seat]} does not agree"
    return Undoing(
        after, f"Turn {proposal.turn} is not taken back: you do not agree.", (_house(others, f"{told}: {why}."),)
    )


@cites("post.undo.open")
def without(at: HostedGame, seat: int, now: datetime) -> Undoing:
    """What follows for an open proposal when a player resigns: who has resigned agrees to everything."""
    proposal = at.memory.proposal
    if proposal is None or at.time.over or waiting(at):
        return Undoing(at)
    return _agreed(at, seat, now)


def waiting(at: HostedGame) -> tuple[int, ...]:
    """The seats that have not yet agreed to what was proposed. Nobody waits for who has resigned, or for a bot."""
    agreed = at.memory.proposal.agreed if at.memory.proposal else ()
    return tuple(s for s in _seats(at) if s not in agreed and at.time.seats[s].plays and not at.is_bot(s))


def _seats(at: HostedGame) -> range:
    return range(len(at.names))


def _missing(at: HostedGame) -> str:
    return f"Still to agree: {listed((at.names[seat] for seat in waiting(at)), 'and')}."


def _house(seats: tuple[int, ...], text: str) -> Announcement:
    return Announcement(seats, f"{text} [post.undo]")


def _nothing_open() -> Problem:
    told = "Nobody has asked for a turn to be taken back, or another turn was played since"
    return Problem(Kind.ILLEGAL, "post.undo.open", told, hint="`undo?` asks for it.")


def _agreed(at: HostedGame, seat: int, now: datetime) -> Undoing:
    """What follows when one more player agrees: the turn is taken back, or the others are asked."""
    proposal, names = at.memory.proposal, at.names
    assert proposal is not None
    others = tuple(other for other in _seats(at) if other != seat)
    moment = next(moment for moment in at.replay.moments if moment.turn and moment.turn.number == proposal.turn)
    text = with_names(at.record.game.words.turn(moment.moves), names)
    what = f"turn {proposal.turn}, {names[moment.turn.seat if moment.turn else 0]} `{text}`,"
    if not waiting(at):
        told = f"{what} is taken back, as all agree."
        return Undoing(_back(at, now), f"T{told[1:]}", (_house(others, told),))
    asked = f"{names[proposal.by]} asks for {what} to be taken back."
    also = f" {names[seat]} agrees." if seat != proposal.by else ""
    how = " Answer `undo yes` or `undo no`; a turn that is played ends the matter."
    asks = [
        _house((each,), f"{asked}{also}{how}{f' {_missing(at)}' if len(waiting(at)) > 1 else ''}")
        for each in waiting(at)
    ]
    agreed = tuple(other for other in others if other not in waiting(at))
    if agreed and seat != proposal.by:
        asks.append(_house(agreed, f"{names[seat]} agrees that turn {proposal.turn} is taken back. {_missing(at)}"))
    return Undoing(at, f"You agree that {what} is taken back. {_missing(at)}", tuple(asks))


@cites("post.undo.plans")
def _back(at: HostedGame, now: datetime) -> HostedGame:
    """The game with the turn taken back, and the passes after it. The plans of its player end.

    What was done about the turn that was due is forgotten, as somebody else is to take it now.
    """
    taken, moment, replay = last_taken(at), at.moment(now), at.replay
    for _ in taken:
        replay = take_back(replay, _seats(at), moment)
    seat = taken[0].seat
    mine = at.memory.seats[seat]
    ended = all_end(mine.plans, "your turn was taken back", "post.undo.plans")
    notes = (*mine.notes, *map(str, ended))
    memory = at.memory.with_seat(seat, plans=(), notes=notes)
    return HostedGame(replay, evolve(memory, proposal=None, asked="", looked="", done=()))
