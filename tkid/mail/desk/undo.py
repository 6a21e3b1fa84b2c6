"""Taking a turn back: proposed by one player, agreed to by all, refused by one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from attrs import evolve, frozen

from tkid.kernel.game import with_names
from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.hosted_game import BY_ITSELF, HostedGame
from tkid.mail.game.memory import Proposal
from tkid.mail.game.plans import all_end
from tkid.mail.letters.content import Announcement, capital
from tkid.notation.vocabulary import listed
from tkid.record.format.model import Turn
from tkid.record.play.amendments import take_back
from tkid.rulebook import cites

NOBODY_DECIDED = {passed.why for passed in BY_ITSELF}


@frozen
class UndoResult:
    """The result of an order about taking a turn back: the game, the answer, announcements to others, or why not."""

    game: HostedGame
    answer: str = ""
    announcements: tuple[Announcement, ...] = ()
    problem: Problem | None = None


def last_taken(game: HostedGame) -> tuple[Turn, ...]:
    """The last turn that stands and that somebody took, or the clock, and the passes after it that nobody decided on."""
    standing = [turn for turn in game.record.turns if not turn.undone]
    for back, turn in enumerate(reversed(standing), 1):
        if NOBODY_DECIDED.isdisjoint(turn.notes):
            return tuple(standing[-back:])
    return ()


@cites("post.undo", "post.undo.turn")
def propose(game: HostedGame, seat: int, now: datetime) -> UndoResult:
    """Ask for the last turn to be taken back; who asks agrees, and so does whoever cannot be asked."""
    if game.memory.proposal is not None:
        return agree(game, seat, now)
    taken = last_taken(game)
    if not taken:
        message = "There is no turn that could be taken back"
        return UndoResult(game, problem=Problem(Kind.ILLEGAL, "post.undo.turn", message))
    return _agreed(_proposed(game, Proposal(taken[0].number, seat, (seat,))), seat, now)


@cites("post.undo", "post.undo.open")
def agree(game: HostedGame, seat: int, now: datetime) -> UndoResult:
    """Agree to what was proposed."""
    proposal = game.memory.proposal
    if proposal is None:
        return UndoResult(game, problem=_nothing_open())
    if seat in proposal.agreed:
        return UndoResult(game, f"You agreed before that turn {proposal.turn} is taken back. {_missing(game)}")
    agreed = tuple(sorted({*proposal.agreed, seat}))
    return _agreed(_proposed(game, evolve(proposal, agreed=agreed)), seat, now)


@cites("post.undo", "post.undo.open")
def refuse(game: HostedGame, seat: int, _: datetime) -> UndoResult:
    """Refuse what was proposed, or withdraw your own proposal: either ends it."""
    proposal = game.memory.proposal
    if proposal is None:
        return UndoResult(game, problem=_nothing_open())
    what = f"turn {proposal.turn} is not taken back"
    mine, theirs = "you do not agree", "does not agree"
    if seat == proposal.by:
        mine, theirs = "you ask no longer for it", "asks no longer for it"
    others = _announcement(game.others(seat), f"{what}: {game.names[seat]} {theirs}.")
    return UndoResult(_proposed(game, None), f"{capital(what)}: {mine}.", (others,))


@cites("post.undo.open")
def after_resignation(game: HostedGame, seat: int, now: datetime) -> UndoResult:
    """What follows for an open proposal when a player resigns: who has resigned agrees to everything."""
    if game.memory.proposal is None or game.time.over or waiting(game):
        return UndoResult(game)
    return _agreed(game, seat, now)


CONSENTS: Mapping[str, Callable[[HostedGame, int, datetime], UndoResult]] = MappingProxyType(
    {"ask": propose, "agree": agree, "refuse": refuse}
)
"""What each order about taking a turn back does."""


def waiting(game: HostedGame) -> tuple[int, ...]:
    """The seats that have not yet agreed to what was proposed. Nobody waits for who has resigned, or for a bot."""
    agreed = game.memory.proposal.agreed if game.memory.proposal else ()
    asked = (seat for seat in game.seats if game.time.seats[seat].plays and not game.is_bot(seat))
    return tuple(seat for seat in asked if seat not in agreed)


def _proposed(game: HostedGame, proposal: Proposal | None) -> HostedGame:
    return game.remembering(evolve(game.memory, proposal=proposal))


def _missing(game: HostedGame) -> str:
    return f"Still to agree: {listed((game.names[seat] for seat in waiting(game)), 'and')}."


def _announcement(seats: tuple[int, ...], text: str) -> Announcement:
    return Announcement(seats, f"{text} [post.undo]")


def _nothing_open() -> Problem:
    message = "Nobody has asked for a turn to be taken back, or another turn was played since"
    return Problem(Kind.ILLEGAL, "post.undo.open", message, hint="`undo?` asks for it.")


def _agreed(game: HostedGame, seat: int, now: datetime) -> UndoResult:
    """What follows when one more player agrees: the turn is taken back, or the others are asked."""
    proposal, names, missing = game.memory.proposal, game.names, waiting(game)
    assert proposal is not None
    others = game.others(seat)
    moment = next(moment for moment in game.replay.moments if moment.turn and moment.turn.number == proposal.turn)
    text = with_names(game.record.game.words.turn(moment.moves), names)
    what = f"turn {proposal.turn}, {names[moment.turn.seat if moment.turn else 0]} `{text}`,"
    if not missing:
        result = f"{what} is taken back, as all agree."
        return UndoResult(_back(game, now), capital(result), (_announcement(others, result),))
    asked = f"{names[proposal.by]} asks for {what} to be taken back."
    asked += f" {names[seat]} agrees." if seat != proposal.by else ""
    asked += " Answer `undo yes` or `undo no`; a turn that is played ends the matter."
    asked += f" {_missing(game)}" if len(missing) > 1 else ""
    announcements = [_announcement((each,), asked) for each in missing]
    agreed = tuple(other for other in others if other not in missing)
    if agreed and seat != proposal.by:
        agrees = f"{names[seat]} agrees that turn {proposal.turn} is taken back. {_missing(game)}"
        announcements.append(_announcement(agreed, agrees))
    return UndoResult(game, f"You agree that {what} is taken back. {_missing(game)}", tuple(announcements))


@cites("post.undo.plans")
def _back(game: HostedGame, now: datetime) -> HostedGame:
    """The game with the turn taken back, and the passes after it. The plans of its player end.

    What was done about the next turn is forgotten, as somebody else takes it now.
    """
    taken, moment, replay = last_taken(game), game.moment(now), game.replay
    for _ in taken:
        replay = take_back(replay, game.seats, moment)
    seat = taken[0].seat
    mine = game.memory.seats[seat]
    ended = all_end(mine.plans, "your turn was taken back", "post.undo.plans")
    memory = game.memory.without_offers().with_seat(seat, plans=(), notes=(*mine.notes, *map(str, ended)))
    return HostedGame(replay, evolve(memory, proposal=None, asked="", looked="", done=()))
