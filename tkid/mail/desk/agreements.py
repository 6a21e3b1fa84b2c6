"""Ends and pauses by agreement: proposed by one player, agreed to by all who still play, refused by one. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import assert_never

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.hosted_game import HostedGame
from tkid.mail.game.memory import Agreement
from tkid.mail.letters import clock_text
from tkid.mail.letters.blocks import Blocks, Button, Buttons, Paragraph
from tkid.mail.letters.content import Announcement
from tkid.notation.dates import day_in_words
from tkid.notation.vocabulary import listed
from tkid.orders.model import Agree, Pause
from tkid.record.clock.interventions import Ended, Paused
from tkid.rulebook import cites

LONGEST_PAUSE = timedelta(days=5 * 366)
FINAL = "Once the game is over, the host opens all hands, so nobody can take the end back."


@frozen
class _Words:
    """How letters speak of what may be agreed on.

    `proposes` is what a player does who proposes it, `agreed` what is true when all have agreed, `rule` what it rests on.
    """

    proposes: str
    agreed: str
    rule: str


WORDS: Mapping[str, _Words] = MappingProxyType(
    {
        "draw": _Words("a draw", "The game is over: everybody agreed to a draw.", "post.agree"),
        "abandon": _Words("to abandon the game", "The game is over: everybody agreed to abandon it.", "post.agree"),
    }
)
"""The ends that players may agree on."""


@frozen
class AgreementResult:
    """The result of an order about an agreement: the game, the answer, announcements to others, or why not."""

    game: HostedGame
    answer: str = ""
    announcements: tuple[Announcement, ...] = ()
    problem: Problem | None = None
    rule: str = "post.agree"


def carry_out(game: HostedGame, seat: int, order: Agree | Pause, now: datetime) -> AgreementResult:
    """Propose, agree to or refuse an end or a pause."""
    match order:
        case Agree("refuse"):
            return refuse(game, seat)
        case Agree(what):
            return _agree(game, seat, Agreement(what, seat, ()), now)
        case Pause(until):
            return _pause(game, seat, until, now)
        case _:
            assert_never(order)


@cites("post.pause", "post.pause.date")
def _pause(game: HostedGame, seat: int, until: date, now: datetime) -> AgreementResult:
    """Propose a pause until a day, or agree to it."""
    today = now.astimezone(UTC).date()
    if not today < until <= today + LONGEST_PAUSE:
        message = f"{day_in_words(until)} is not a day after today, at most five years from now"
        hint = f"A pause may end tomorrow, `pause until {(today + timedelta(days=1)).isoformat()}`, or later."
        return AgreementResult(game, problem=Problem(Kind.ILLEGAL, "post.pause.date", message, hint=hint))
    if game.time.adjourned or (game.time.paused and game.time.paused.until is None):
        message = "The game rests already, so no clock runs"
        return AgreementResult(game, problem=Problem(Kind.ILLEGAL, "post.pause", message))
    return _agree(game, seat, Agreement("pause", seat, (), until.isoformat()), now)


@cites("post.agree", "post.agree.all", "post.agree.open")
def _agree(game: HostedGame, seat: int, proposed: Agreement, now: datetime) -> AgreementResult:
    """Agree to what is open, or propose it; another proposal that was open ends."""
    open_one = game.memory.agreement
    if open_one is None or (open_one.what, open_one.until) != (proposed.what, proposed.until):
        open_one = proposed
    elif seat in open_one.agreed and waiting(game):
        return AgreementResult(game, f"You have agreed already. {missing(game)}", rule=_rule(open_one))
    agreed = tuple(sorted({*open_one.agreed, seat}))
    return _agreed(_remembering(game, evolve(open_one, agreed=agreed)), seat, now)


@cites("post.agree.open")
def refuse(game: HostedGame, seat: int) -> AgreementResult:
    """Refuse what was proposed, or withdraw your own proposal: either ends it."""
    agreement = game.memory.agreement
    if agreement is None:
        message = "Nobody has proposed an end or a pause, or another turn has been played since"
        hint = "To propose one, send `agree draw`, `agree abandon` or `pause until` with a date."
        return AgreementResult(game, problem=Problem(Kind.ILLEGAL, "post.agree.open", message, hint=hint))
    name, what = game.names[seat], proposes(agreement)
    if seat == agreement.by:
        mine, theirs = (
            f"You withdrew your proposal {_of(agreement)}.",
            f"{name} withdrew the proposal {_of(agreement)}.",
        )
    else:
        mine, theirs = "The game goes on: you did not agree.", f"{name} does not agree {_to(agreement)}."
    subject = f"no agreement on {what}" if agreement.what != "abandon" else "the game goes on"
    others = Announcement(game.others(seat), theirs, rule=_rule(agreement), subject=subject)
    return AgreementResult(_remembering(game, None), mine, (others,), rule=_rule(agreement))


@cites("post.agree.all")
def after_resignation(game: HostedGame, seat: int, now: datetime) -> AgreementResult:
    """What follows for an open proposal when a player resigns: nobody waits for that player any more."""
    agreement = game.memory.agreement
    if agreement is None or game.time.over or waiting(game) or not _still_playing(game, agreement):
        return AgreementResult(game)
    return _agreed(game, seat, now)


@cites("post.agree.all")
def waiting(game: HostedGame) -> tuple[int, ...]:
    """The seats that have not yet agreed to what was proposed. Nobody waits for who has resigned, or for a bot."""
    agreed = game.memory.agreement.agreed if game.memory.agreement else ()
    asked = (seat for seat in game.seats if game.time.seats[seat].plays and not game.is_bot(seat))
    return tuple(seat for seat in asked if seat not in agreed)


def missing(game: HostedGame) -> str:
    """Who still has to agree, in a sentence."""
    names = [game.names[seat] for seat in waiting(game)]
    return f"{listed(names, 'and')} still {'has' if len(names) == 1 else 'have'} to agree."


def proposes(agreement: Agreement) -> str:
    """What was proposed: `a draw`, `to abandon the game`, `a pause until 20 December 2026`."""
    if agreement.what == "pause":
        return f"a pause until {day_in_words(date.fromisoformat(agreement.until))}"
    return WORDS[agreement.what].proposes


def order(agreement: Agreement) -> str:
    """The line that agrees to what was proposed."""
    return f"pause until {agreement.until}" if agreement.what == "pause" else f"agree {agreement.what}"


def _to(agreement: Agreement) -> str:
    return proposes(agreement) if agreement.what == "abandon" else f"to {proposes(agreement)}"


def _of(agreement: Agreement) -> str:
    return proposes(agreement) if agreement.what == "abandon" else f"of {proposes(agreement)}"


def _rule(agreement: Agreement) -> str:
    return "post.pause" if agreement.what == "pause" else WORDS[agreement.what].rule


def _remembering(game: HostedGame, agreement: Agreement | None) -> HostedGame:
    return game.remembering(evolve(game.memory, agreement=agreement))


def _still_playing(game: HostedGame, agreement: Agreement) -> tuple[int, ...]:
    """Those who agreed and still play."""
    return tuple(seat for seat in agreement.agreed if game.time.seats[seat].plays and not game.is_bot(seat))


def _agreed(game: HostedGame, seat: int, now: datetime) -> AgreementResult:
    """What follows when one more player agrees: it is so, or the others are asked."""
    agreement, names, left = game.memory.agreement, game.names, waiting(game)
    assert agreement is not None
    if not left:
        return _done(game, seat, agreement, now)
    what, rule = proposes(agreement), _rule(agreement)
    proposer = names[agreement.by]
    how = _how(agreement)
    announcements = [
        Announcement((each,), f"{proposer} proposes {what}. Do you agree?", rule=rule, subject=_asks(proposer, agreement), more=how)
        for each in left
    ]  # fmt: skip
    agreed = tuple(other for other in game.others(seat) if other not in left and not game.is_bot(other))
    if agreed and seat != agreement.by:
        text = f"{names[seat]} agrees {_to(agreement)}. {missing(game)}"
        announcements = [Announcement(agreed, text, rule=rule, subject=f"{names[seat]} agrees")]
    answer = f"You proposed {what}." if seat == agreement.by else "You agreed."
    return AgreementResult(game, f"{answer} {missing(game)}", tuple(announcements), rule=rule)


def _asks(name: str, agreement: Agreement) -> str:
    """The question, for a subject."""
    short = {"pause": "a pause", "draw": "a draw", "abandon": "to stop the game"}
    return f"{name} proposes {short[agreement.what]}"


def _how(agreement: Agreement) -> Blocks:
    """How to answer the question."""
    line = order(agreement)
    final = () if agreement.what == "pause" else (Paragraph(FINAL),)
    return (
        Paragraph(
            f"Reply `{line}` to agree, or `agree no` to refuse. When the next turn is played, the proposal ends."
        ),
        Buttons((Button("Yes, I agree", line), Button("No, go on", "agree no"))),
        *final,
    )


@cites("post.agree", "post.pause")
def _done(game: HostedGame, seat: int, agreement: Agreement, now: datetime) -> AgreementResult:
    """The end, or the pause, that everybody agreed on."""
    moment, agreed = game.moment(now), _still_playing(game, agreement)
    if agreement.what == "pause":
        until = date.fromisoformat(agreement.until)
        after = _remembering(game, None).with_line(Paused(moment, until, agreed))
        begins = clock_text.day(datetime(until.year, until.month, until.day, tzinfo=UTC))
        text, subject = f"Everybody agreed to pause. No clock runs until {begins}, 00:00 UTC.", "the game is paused"
        told = Announcement(game.others(seat), text, rule="post.pause", subject=subject)
        return AgreementResult(after, text, (told,), rule="post.pause")
    after = _remembering(game, None).with_line(
        Ended("draw" if agreement.what == "draw" else "abandoned", moment, agreed)
    )
    text = WORDS[agreement.what].agreed
    told = Announcement(game.others(seat), text, tells=True, rule="post.agree", subject="the game is over")
    return AgreementResult(after, text, (told,))
