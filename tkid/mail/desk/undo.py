"""Taking a turn back: proposed by one player, agreed to by all, refused by one. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.hosted_game import BY_ITSELF, HostedGame
from tkid.mail.game.memory import Proposal
from tkid.mail.game.plans import all_end
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Blocks, Button, Buttons, Events, Heading, Paragraph
from tkid.mail.letters.content import Announcement
from tkid.notation.vocabulary import listed
from tkid.record.format.model import Turn
from tkid.record.play.amendments import take_back
from tkid.record.play.replay import Moment
from tkid.rulebook import cites

NOBODY_DECIDED = {passed.why for passed in BY_ITSELF}


@frozen
class UndoResult:
    """The result of an order about taking a turn back: the game, the answer, announcements to others, or why not.

    `more` follows the answer.
    """

    game: HostedGame
    answer: str = ""
    announcements: tuple[Announcement, ...] = ()
    problem: Problem | None = None
    more: Blocks = ()


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
        message = "There is no turn to take back"
        return UndoResult(game, problem=Problem(Kind.ILLEGAL, "post.undo.turn", message))
    return _agreed(_proposed(game, Proposal(taken[0].number, seat, (seat,))), seat, now)


@cites("post.undo", "post.undo.open")
def agree(game: HostedGame, seat: int, now: datetime) -> UndoResult:
    """Agree to what was proposed."""
    proposal = game.memory.proposal
    if proposal is None:
        return UndoResult(game, problem=_nothing_open())
    if seat in proposal.agreed and waiting(game):
        return UndoResult(game, f"You have agreed already. {_missing(game)}")
    agreed = tuple(sorted({*proposal.agreed, seat}))
    return _agreed(_proposed(game, evolve(proposal, agreed=agreed)), seat, now)


@cites("post.undo", "post.undo.open")
def refuse(game: HostedGame, seat: int, _: datetime) -> UndoResult:
    """Refuse what was proposed, or withdraw your own proposal: either ends it."""
    proposal = game.memory.proposal
    if proposal is None:
        return UndoResult(game, problem=_nothing_open())
    stands, name = f"Turn {proposal.turn} is kept", game.names[seat]
    withdrawn = seat == proposal.by
    mine = "you withdrew your request" if withdrawn else "you did not agree to take it back"
    theirs = "withdrew the request" if withdrawn else "does not agree to take it back"
    told = f"{stands}: {name} {theirs}."
    others = _announcement(game.others(seat), told, "it is kept", proposal.turn)
    return UndoResult(_proposed(game, None), f"{stands}: {mine}.", (others,))


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
    """Who still has to agree, in a sentence."""
    missing = [game.names[seat] for seat in waiting(game)]
    return f"{listed(missing, 'and')} still {'has' if len(missing) == 1 else 'have'} to agree."


def _announcement(seats: tuple[int, ...], text: str, subject: str, turn: int, more: Blocks = ()) -> Announcement:
    return Announcement(seats, text, rule="post.undo", subject=subject, more=more, about=turn)


def _nothing_open() -> Problem:
    message = "Nobody has asked to take a turn back, or another turn has been played since"
    return Problem(Kind.ILLEGAL, "post.undo.open", message, hint="To ask, send `undo?`.")


def _agreed(game: HostedGame, seat: int, now: datetime) -> UndoResult:
    """What follows when one more player agrees: the turn is taken back, or the others are asked."""
    proposal, names, missing = game.memory.proposal, game.names, waiting(game)
    assert proposal is not None
    others = game.others(seat)
    if not missing:
        result = f"Turn {proposal.turn} is taken back. Everybody agreed."
        return UndoResult(_back(game, now), result, (_announcement(others, result, "it is taken back", proposal.turn),))
    asks = f"{names[proposal.by]} would like to take back turn {proposal.turn}."
    ask, turn = f"{names[proposal.by]} asks to take it back", proposal.turn
    announcements = [
        _announcement((each,), f"{asks} Do you allow it?", ask, turn, _how(game, proposal, each)) for each in missing
    ]
    agreed = tuple(other for other in others if other not in missing)
    if agreed and seat != proposal.by:
        text = f"{names[seat]} agrees to take back turn {turn}. {_missing(game)}"
        announcements.append(_announcement(agreed, text, f"{names[seat]} agrees to take it back", turn))
    answer = f"You asked to take back turn {proposal.turn}." if seat == proposal.by else "You agreed."
    return UndoResult(game, f"{answer} {_missing(game)}", tuple(announcements), more=_taken_turn(game, proposal, seat))


def _how(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    """How to answer the question, and the turn that it is about."""
    mine = _moment(game, proposal.turn).turn
    again = game.names[mine.seat] if mine and mine.seat != seat else "you"
    agreed = [game.names[each] for each in proposal.agreed if each != proposal.by]
    also = f" {listed(agreed, 'and')} agreed." if agreed else ""
    plays = f"{again} play" if again == "you" else f"{again} plays"
    return (
        Paragraph(f"Reply `undo yes`, and {plays} again. Reply `undo no`, or just play, to keep the turn.{also}"),
        Buttons((Button("Yes, allow it", "undo yes"), Button("No, keep it", "undo no"))),
        Heading("THE TURN"),
        *_taken_turn(game, proposal, seat),
        Paragraph("If you agree, the record keeps the turn and marks it as taken back."),
    )


def _taken_turn(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    """The turn that is to be taken back, in sentences, as a seat may know it."""
    index = game.replay.moments.index(_moment(game, proposal.turn))
    return (Events((content.numbered(game.known(seat), index, seat),)),)


def _moment(game: HostedGame, number: int) -> Moment:
    """A turn by its number."""
    return next(moment for moment in game.replay.moments if moment.turn and moment.turn.number == number)


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
    memory = game.memory.without_offers().with_seat(
        seat, plans=(), notes=(*mine.notes, *(note.sentence for note in ended))
    )
    return HostedGame(replay, evolve(memory, proposal=None, asked="", looked="", done=()), opens=game.opens)
