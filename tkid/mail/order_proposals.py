"""Take-backs, agreed ends and pauses that wait for others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import assert_never

from attrs import evolve, frozen

from tkid.mail import game_clock, letter_parts
from tkid.mail.blocks import Blocks, Button, Buttons, Events, Heading, Paragraph
from tkid.mail.hosted_game import HostedGame, Offer, Proposal, find_last_taken
from tkid.mail.letter_parts import Announcement
from tkid.mail.order_results import OrderResult, Request, refuse_order, report_done
from tkid.mail.plans import end_all_plans
from tkid.mail.timeline import find_next_turn
from tkid.notation.names import list_names
from tkid.orders.order_kinds import BY_NAME
from tkid.orders.order_values import Agree, Pause, Undo, write_day
from tkid.record.clock_notes import Ended, Paused
from tkid.record.play.replay import Moment
from tkid.record.play.writer import take_back_turn
from tkid.rulebook import cites

LONGEST_PAUSE = timedelta(days=5 * 366)
FINAL = "Once the game is over, the host opens all hands, so nobody can take the end back."


@frozen
class _Words:
    """The words of letters about an end or a pause by agreement."""

    proposes: str
    agreed: str
    rule: str


WORDS: Mapping[str, _Words] = MappingProxyType(
    {
        "draw": _Words("a draw", "The game is over: everybody agreed to a draw.", "post.agree"),
        "abandon": _Words(
            "to abandon the game", "The game is over: everybody agreed to abandon the game.", "post.agree"
        ),
    }
)
"""The ends that players may agree on."""


def handle_agreement(request: Request[Agree | Pause], game: HostedGame) -> OrderResult:
    seat, now = request.mail.seat, request.now
    match request.order:
        case Agree("refuse"):
            return _refuse_agreement(game, seat)
        case Agree(what):
            return _agree_or_propose(game, seat, Proposal(seat, (), what), now)
        case Pause(until):
            return _propose_pause(game, seat, until, now)
        case _:
            assert_never(request.order)


@cites("post.pause", "post.pause.date")
def _propose_pause(game: HostedGame, seat: int, until: date, now: datetime) -> OrderResult:
    today = now.astimezone(UTC).date()
    if not today < until <= today + LONGEST_PAUSE:
        message = f"{write_day(until)} is not a day after today, at most five years from now"
        hint = f"A pause may end tomorrow, `pause until {(today + timedelta(days=1)).isoformat()}`, or later."
        return refuse_order("post.pause.date", message, hint)
    if game.time.adjourned or (game.time.paused and game.time.paused.until is None):
        return refuse_order("post.pause", "The game rests already, so no clock runs")
    return _agree_or_propose(game, seat, Proposal(seat, (), "pause", until=until.isoformat()), now)


@cites("post.agree", "post.agree.all", "post.agree.open")
def _agree_or_propose(game: HostedGame, seat: int, agreement: Proposal, now: datetime) -> OrderResult:
    """Agree to the open proposal or make one; another open proposal ends."""
    open_one = game.memory.agreement
    if open_one is None or (open_one.what, open_one.until) != (agreement.what, agreement.until):
        open_one = agreement
    elif seat in open_one.agreed and list_missing(game, game.memory.agreement):
        return report_done(
            f"You have agreed already. {describe_missing(game, open_one)}", rule=_find_rule(open_one), game=game
        )
    agreed = tuple(sorted({*open_one.agreed, seat}))
    return _add_consent(_remember_proposal(game, evolve(open_one, agreed=agreed)), seat, now)


@cites("post.agree.open")
def _refuse_agreement(game: HostedGame, seat: int) -> OrderResult:
    agreement = game.memory.agreement
    if agreement is None:
        message = "Nobody has proposed an end or a pause, or another turn has been played since"
        hint = "To propose one, send `agree draw`, `agree abandon` or `pause until` with a date."
        return refuse_order("post.agree.open", message, hint)
    name, what = game.names[seat], describe_proposal(agreement)
    if seat == agreement.by:
        proposed = _name_behind("of", agreement)
        mine, theirs = f"You withdrew your proposal {proposed}.", f"{name} withdrew the proposal {proposed}."
    else:
        mine = "The game continues: you did not agree."
        theirs = f"{name} does not agree {_name_behind('to', agreement)}."
    subject = f"no agreement on {what}" if agreement.what != "abandon" else "the game continues"
    others = Announcement(game.list_others(seat), theirs, rule=_find_rule(agreement), subject=subject)
    return report_done(mine, rule=_find_rule(agreement), announcements=(others,), game=_remember_proposal(game, None))


@cites("post.agree.all")
def list_missing(game: HostedGame, proposal: Proposal | None) -> tuple[int, ...]:
    """Return the seats that have not yet agreed. Nobody waits for bots, or for players who have resigned."""
    agreed = proposal.agreed if proposal else ()
    asked = (seat for seat in game.seats if game.time.seats[seat].plays and not game.is_bot(seat))
    return tuple(seat for seat in asked if seat not in agreed)


def describe_missing(game: HostedGame, proposal: Proposal) -> str:
    names = [game.names[seat] for seat in list_missing(game, proposal)]
    return f"{list_names(names, 'and')} still {'has' if len(names) == 1 else 'have'} to agree."


def describe_proposal(agreement: Proposal) -> str:
    """Name the proposal: `a draw`, `to abandon the game`, `a pause until 20 December 2026`."""
    if agreement.what == "pause":
        return f"a pause until {write_day(date.fromisoformat(agreement.until))}"
    return WORDS[agreement.what].proposes


def write_agreeing_line(agreement: Proposal) -> str:
    return f"pause until {agreement.until}" if agreement.what == "pause" else f"agree {agreement.what}"


def _name_behind(word: str, agreement: Proposal) -> str:
    return describe_proposal(agreement) if agreement.what == "abandon" else f"{word} {describe_proposal(agreement)}"


def _find_rule(agreement: Proposal) -> str:
    return "post.pause" if agreement.what == "pause" else WORDS[agreement.what].rule


def _remember_proposal(game: HostedGame, agreement: Proposal | None) -> HostedGame:
    return game.with_memory(evolve(game.memory, agreement=agreement))


def _list_players(game: HostedGame, agreement: Proposal) -> tuple[int, ...]:
    return tuple(seat for seat in agreement.agreed if game.time.seats[seat].plays and not game.is_bot(seat))


def _add_consent(game: HostedGame, seat: int, now: datetime) -> OrderResult:
    agreement, names, left = game.memory.agreement, game.names, list_missing(game, game.memory.agreement)
    assert agreement is not None
    if not left:
        return _carry_out_agreement(game, seat, agreement, now)
    what, rule = describe_proposal(agreement), _find_rule(agreement)
    proposer, how = names[agreement.by], _explain_agreeing(agreement)
    text, subject = f"{proposer} proposes {what}. Do you agree?", _ask_for_consent(proposer, agreement)
    announcements = [Announcement((each,), text, proposes=True, rule=rule, subject=subject, more=how) for each in left]
    agreed = tuple(other for other in game.list_others(seat) if other not in left and not game.is_bot(other))
    if agreed and seat != agreement.by:
        text = f"{names[seat]} agrees {_name_behind('to', agreement)}. {describe_missing(game, agreement)}"
        announcements = [Announcement(agreed, text, rule=rule, subject=f"{names[seat]} agrees")]
    answer = f"You proposed {what}." if seat == agreement.by else "You agreed."
    return report_done(
        f"{answer} {describe_missing(game, agreement)}", rule=rule, announcements=tuple(announcements), game=game
    )


def _ask_for_consent(name: str, agreement: Proposal) -> str:
    short = {"pause": "a pause", "draw": "a draw", "abandon": "to stop the game"}
    return f"{name} proposes {short[agreement.what]}"


def _explain_agreeing(agreement: Proposal) -> Blocks:
    line = write_agreeing_line(agreement)
    final = () if agreement.what == "pause" else (Paragraph(FINAL),)
    how = f"Reply `{line}` to agree, or `agree no` to refuse. When the next turn is played, the proposal ends."
    return Paragraph(how), Buttons((Button("Yes, I agree", line), Button("No, continue", "agree no"))), *final


@cites("post.agree", "post.pause")
def _carry_out_agreement(game: HostedGame, seat: int, agreement: Proposal, now: datetime) -> OrderResult:
    moment, agreed = game.round_moment(now), _list_players(game, agreement)
    if agreement.what == "pause":
        until = date.fromisoformat(agreement.until)
        after = _remember_proposal(game, None).with_line(Paused(moment, until, agreed))
        begins = game_clock.format_day(datetime(until.year, until.month, until.day, tzinfo=UTC))
        text, subject = f"Everybody agreed to pause. No clock runs until {begins}, 00:00 UTC.", "the game is paused"
        told = Announcement(game.list_others(seat), text, rule="post.pause", subject=subject)
        return report_done(text, rule="post.pause", announcements=(told,), game=after)
    ended = Ended("draw" if agreement.what == "draw" else "abandoned", moment, agreed)
    after, text = _remember_proposal(game, None).with_line(ended), WORDS[agreement.what].agreed
    told = Announcement(game.list_others(seat), text, tells=True, rule="post.agree", subject="the game is over")
    return report_done(text, rule="post.agree", announcements=(told,), game=after)


@cites("post.undo", "post.undo.turn")
def _propose_undo(game: HostedGame, seat: int, now: datetime) -> OrderResult:
    """Propose to take back the last turn. The proposer agrees, and so do all who cannot be asked."""
    if game.memory.proposal is not None:
        return _agree_to_undo(game, seat, now)
    taken = find_last_taken(game)
    if not taken:
        return refuse_order("post.undo.turn", "There is no turn to take back")
    return _add_undo_consent(_make_proposal(game, Proposal(seat, (seat,), turn=taken[0].number)), seat, now)


@cites("post.undo", "post.undo.open")
def _agree_to_undo(game: HostedGame, seat: int, now: datetime) -> OrderResult:
    proposal = game.memory.proposal
    if proposal is None:
        return _report_nothing_open()
    if seat in proposal.agreed and list_missing(game, game.memory.proposal):
        return report_done(f"You have agreed already. {describe_missing(game, proposal)}", rule="post.undo", game=game)
    agreed = tuple(sorted({*proposal.agreed, seat}))
    return _add_undo_consent(_make_proposal(game, evolve(proposal, agreed=agreed)), seat, now)


@cites("post.undo", "post.undo.open")
def _refuse_undo(game: HostedGame, seat: int, _: datetime) -> OrderResult:
    proposal = game.memory.proposal
    if proposal is None:
        return _report_nothing_open()
    stands, name = f"Turn {proposal.turn} is kept", game.names[seat]
    withdrawn = seat == proposal.by
    mine = "you withdrew your request" if withdrawn else "you did not agree to take it back"
    theirs = "withdrew the request" if withdrawn else "does not agree to take it back"
    told = f"{stands}: {name} {theirs}."
    others = _write_announcement(game.list_others(seat), told, "it is kept", proposal.turn)
    return report_done(f"{stands}: {mine}.", rule="post.undo", announcements=(others,), game=_make_proposal(game, None))


@cites("post.undo.open", "post.agree.all")
def settle_after_resignation(game: HostedGame, seat: int, now: datetime) -> tuple[OrderResult, OrderResult]:
    """Update open proposals when a player resigns: nobody waits for that player any more. The second result has the game."""
    proposal, first = game.memory.proposal, OrderResult(game=game)
    if proposal is not None and not game.time.over and not list_missing(game, proposal):
        first = _add_undo_consent(game, seat, now)
    game, second = first.game, OrderResult(game=first.game)
    agreement = game.memory.agreement
    if agreement and not game.time.over and not list_missing(game, agreement) and _list_players(game, agreement):
        second = _add_consent(game, seat, now)
    return first, second


def handle_undo(request: Request[Undo], game: HostedGame) -> OrderResult:
    consents = {"ask": _propose_undo, "agree": _agree_to_undo, "refuse": _refuse_undo}
    return consents[request.order.consent](game, request.mail.seat, request.now)


def _make_proposal(game: HostedGame, proposal: Proposal | None) -> HostedGame:
    return game.with_memory(evolve(game.memory, proposal=proposal))


def _write_announcement(seats: tuple[int, ...], text: str, subject: str, turn: int, more: Blocks = ()) -> Announcement:
    return Announcement(seats, text, rule="post.undo", subject=subject, more=more, about=turn)


def _report_nothing_open() -> OrderResult:
    message = "Nobody has asked to take a turn back, or another turn has been played since"
    return refuse_order("post.undo.open", message, "To ask, send `undo?`.")


def _add_undo_consent(game: HostedGame, seat: int, now: datetime) -> OrderResult:
    proposal, names, missing = game.memory.proposal, game.names, list_missing(game, game.memory.proposal)
    assert proposal is not None
    others = game.list_others(seat)
    if not missing:
        result = f"Turn {proposal.turn} is taken back. Everybody agreed."
        told = _write_announcement(others, result, "it is taken back", proposal.turn)
        return report_done(result, rule="post.undo", announcements=(told,), game=_take_back(game, now))
    asks = f"{names[proposal.by]} would like to take back turn {proposal.turn}."
    ask, turn = f"{names[proposal.by]} asks to take it back", proposal.turn
    announcements = [
        evolve(
            _write_announcement((each,), f"{asks} Do you allow it?", ask, turn, _explain_undo(game, proposal, each)),
            proposes=True,
        )
        for each in missing
    ]
    agreed = tuple(other for other in others if other not in missing)
    if agreed and seat != proposal.by:
        text = f"{names[seat]} agrees to take back turn {turn}. {describe_missing(game, proposal)}"
        announcements.append(_write_announcement(agreed, text, f"{names[seat]} agrees to take it back", turn))
    answer = f"You asked to take back turn {proposal.turn}." if seat == proposal.by else "You agreed."
    shown = _describe_taken_back(game, proposal, seat)
    answer = f"{answer} {describe_missing(game, proposal)}"
    return report_done(answer, *shown, rule="post.undo", announcements=tuple(announcements), game=game)


def _explain_undo(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    mine = _find_turn(game, proposal.turn).turn
    again = game.names[mine.seat] if mine and mine.seat != seat else "you"
    agreed = [game.names[each] for each in proposal.agreed if each != proposal.by]
    also = f" {list_names(agreed, 'and')} agreed." if agreed else ""
    plays = f"{again} play" if again == "you" else f"{again} plays"
    return (
        Paragraph(f"Reply `undo yes`, and {plays} again. Reply `undo no`, or just play, to keep the turn.{also}"),
        Buttons((Button("Yes, allow it", "undo yes"), Button("No, keep it", "undo no"))),
        Heading("THE TURN"),
        *_describe_taken_back(game, proposal, seat),
        Paragraph("If you agree, the record keeps the turn and marks it as taken back."),
    )


def _describe_taken_back(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    index = game.replay.moments.index(_find_turn(game, proposal.turn))
    return (Events((letter_parts.number_turn(game.view_as(seat), index, seat),)),)


def _find_turn(game: HostedGame, number: int) -> Moment:
    return next(moment for moment in game.replay.moments if moment.turn and moment.turn.number == number)


@cites("post.undo.plans")
def _take_back(game: HostedGame, now: datetime) -> HostedGame:
    """Take back the turn, and the passes after it. The plans of its player end.

    Notes about the next turn are forgotten, as another player takes it now.
    """
    taken, moment, replay = find_last_taken(game), game.round_moment(now), game.replay
    for _ in taken:
        replay = take_back_turn(replay, game.seats, moment)
    seat = taken[0].seat
    mine = game.memory.seats[seat]
    ended = end_all_plans(mine.plans, "your turn was taken back", "post.undo.plans")
    memory = game.memory.without_offers().with_seat(
        seat, plans=(), notes=(*mine.notes, *(note.sentence for note in ended))
    )
    return HostedGame(replay, evolve(memory, proposal=None, asked="", looked="", done=()), opens=game.opens)


def list_open_proposals(game: HostedGame, seat: int) -> tuple[str, ...]:
    """List the proposals that wait for a seat's answer: `undo`, `agree`, both or neither."""
    if game.time.over:
        return ()
    undoes = game.memory.proposal is not None and seat in list_missing(game, game.memory.proposal)
    agrees = game.memory.agreement is not None and seat in list_missing(game, game.memory.agreement)
    return (*(("undo",) if undoes else ()), *(("agree",) if agrees else ()))


@cites("post.answer.open")
def find_proposed_offer(game: HostedGame, seat: int) -> Offer | None:
    """Return what a `yes` accepts in reply to a letter that asks a seat for its consent; None unless one proposal waits."""
    waiting, turn = list_open_proposals(game, seat), find_next_turn(game.replay)
    if waiting == ("undo",) and (proposal := game.memory.proposal) is not None:
        return Offer(turn, f"{proposal.by} {proposal.turn}", ("undo yes",))
    if waiting == ("agree",) and (agreement := game.memory.agreement) is not None:
        return Offer(turn, str(agreement.by), (write_agreeing_line(agreement),))
    return None


def write_refusal(offer: Offer) -> str:
    return "undo no" if offer.lines == ("undo yes",) else "agree no"


@cites("post.answer.open")
def describe_open_proposals(game: HostedGame, seat: int) -> Iterator[str]:
    waiting, names = list_open_proposals(game, seat), game.names
    if (proposal := game.memory.proposal) is not None and "undo" in waiting:
        yield (
            f"{names[proposal.by]} would like to take back turn {proposal.turn}. To allow it, reply `undo yes`. "
            f"Reply `undo no`, or just play, and turn {proposal.turn} is kept."
        )
    if (agreement := game.memory.agreement) is not None and "agree" in waiting:
        yield (
            f"{names[agreement.by]} proposes {describe_proposal(agreement)}. To agree, reply "
            f"`{write_agreeing_line(agreement)}`. Reply `agree no` to refuse."
        )


def remind_of_proposals(game: HostedGame, seat: int, results: Iterable[OrderResult]) -> tuple[str, ...]:
    kinds = (BY_NAME.get(result.line.read.kind) for result in results if result.failed)
    failed = any(kind is not None and kind.proposes for kind in kinds)
    return tuple(describe_open_proposals(game, seat)) if failed else ()


def ask_for_answer(game: HostedGame, seat: int) -> Blocks:
    said = tuple(Paragraph(text) for text in describe_open_proposals(game, seat))
    agreement, waiting = game.memory.agreement, list_open_proposals(game, seat)
    buttons: tuple[Button, ...] = ()
    if waiting == ("undo",):
        buttons = (Button("Yes, allow it", "undo yes"), Button("No, keep it", "undo no"))
    elif waiting == ("agree",) and agreement is not None:
        buttons = (Button("Yes, I agree", write_agreeing_line(agreement)), Button("No, continue", "agree no"))
    return (*said, *([Buttons(buttons)] if buttons else []))
