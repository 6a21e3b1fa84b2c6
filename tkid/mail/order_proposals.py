"""Take-backs, agreed ends and pauses that wait for the other players' consent."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from attrs import evolve, frozen

from tkid.mail import game_clock, letter_parts
from tkid.mail.blocks import Blocks, Button, Buttons, Events, Heading, Paragraph
from tkid.mail.hosted_game import BY_PLAYERS, OFFERS, REFUSALS, HostedGame, Proposal, ProposalKind, find_last_taken
from tkid.mail.letter_parts import Announcement
from tkid.mail.order_machine import OrderResult, Request, refuse_order, report_done
from tkid.mail.plans import end_all_plans
from tkid.mail.timeline import find_next_turn
from tkid.notation.names import list_names
from tkid.orders.days import write_day
from tkid.orders.order_kinds import BY_NAME
from tkid.orders.order_values import Agree, Pause, Undo
from tkid.record.clock_notes import Ended, Paused
from tkid.record.play.replay import Moment, Replay
from tkid.record.play.writer import take_back_turn
from tkid.rulebook import cites

LONGEST_PAUSE = timedelta(days=5 * 366)
FINAL = "Once the game is over, the host opens all hands, so you can't take the end back."
UNDO, DRAW, ABANDON = "undo yes", "agree draw", "agree abandon"
"""The lines of all proposals but pauses."""


@frozen
class _ProposalWords:
    """The words about a kind of proposals, as `proposals.toml` explains them; pairs are a text and its subject, or two choices."""

    asks: tuple[str, str]
    agrees: tuple[str, str]
    withdraws: str
    refuses: str
    ended: str
    you_proposed: str
    you_withdrew: str
    you_refused: str
    status: str
    reminds: str
    nothing: tuple[str, str]
    buttons: tuple[str, str]


_TABLE = tomllib.loads(Path(__file__).with_name("proposals.toml").read_text("utf-8"))
WORDS: Mapping[ProposalKind, _ProposalWords] = {kind: _ProposalWords(**_TABLE[kind]) for kind in BY_PLAYERS}


def _fill(game: HostedGame, proposal: Proposal, text: str, me: int = 0) -> str:
    """Fill in the words about a proposal; `me` is the seat that writes."""
    line, missing = proposal.lines[0], [game.names[seat] for seat in list_missing(game, proposal)]
    left = list_names(missing, "and") if missing else ""
    what, short = {DRAW: ("a draw", "a draw"), ABANDON: ("to abandon the game", "to stop the game")}.get(line, ("", ""))
    if line.startswith("pause"):
        what, short = f"a pause until {write_day(_find_day(proposal))}", "a pause"
    of, to = (what, what) if line == ABANDON else (f"of {what}", f"to {what}")
    return text.format(
        by=game.names[proposal.seat], me=game.names[me], n=proposal.turn, line=line, what=what, short=short, of=of, to=to,
        missing=left, left=f"{left} still {'has' if len(missing) == 1 else 'have'} to agree.",
        ended="the game continues" if line == ABANDON else f"no agreement on {what}",
    )  # fmt: skip


def _find_day(proposal: Proposal) -> date:
    return date.fromisoformat(proposal.lines[0].split()[-1])


def _find_rule(proposal: Proposal) -> str:
    return "post.pause" if proposal.lines[0].startswith("pause") else f"post.{proposal.kind}"


@cites("post.undo", "post.undo.turn", "post.undo.open", "post.agree", "post.agree.all", "post.agree.open")
def handle_proposal(request: Request[Undo | Agree | Pause], game: HostedGame) -> OrderResult:
    """Refuse the open proposal, agree to it or make one; of ends and pauses, another proposal ends the open one."""
    seat, order = request.seat, request.order
    kind: ProposalKind = "undo" if isinstance(order, Undo) else "agree"
    proposal = game.memory.find_proposal(kind)
    if order in {Undo("refuse"), Agree("refuse")} or (order == Undo("agree") and proposal is None):
        if proposal is None:
            raise refuse_order(f"post.{kind}.open", *WORDS[kind].nothing)
        return _refuse_proposal(game, seat, proposal)
    if isinstance(order, Undo):
        if proposal is None and not (taken := find_last_taken(game)):
            raise refuse_order("post.undo.turn", "There is no turn to take back")
        proposal = proposal or Proposal("undo", seat, taken[0].number, lines=(UNDO,))
    else:
        if isinstance(order, Pause):
            _check_pause(game, order.until, request.now)
        line = f"pause until {order.until.isoformat()}" if isinstance(order, Pause) else f"agree {order.to}"
        proposal = proposal if proposal and proposal.lines == (line,) else Proposal("agree", seat, lines=(line,))
    if seat in proposal.agreed and list_missing(game, proposal):
        already = _fill(game, proposal, "You have agreed already. {left}")
        return report_done(already, rule=_find_rule(proposal), game=game)
    proposal = evolve(proposal, agreed=tuple(sorted({*proposal.agreed, seat})))
    return _ask_others(game.with_memory(game.memory.with_proposal(proposal)), proposal, seat, request.now)


@cites("post.pause", "post.pause.date")
def _check_pause(game: HostedGame, until: date, now: datetime) -> None:
    today = now.astimezone(UTC).date()
    if not today < until <= today + LONGEST_PAUSE:
        message = f"{write_day(until)} is not a day after today, at most five years from now"
        hint = f"A pause may end tomorrow, `pause until {(today + timedelta(days=1)).isoformat()}`, or later."
        raise refuse_order("post.pause.date", message, hint)
    if game.time.adjourned or (game.time.paused and game.time.paused.until is None):
        raise refuse_order("post.pause", "The game is paused or adjourned already, so no clock runs")


@cites("post.undo.open", "post.agree.open")
def _refuse_proposal(game: HostedGame, seat: int, proposal: Proposal) -> OrderResult:
    words, is_own = WORDS[proposal.kind], seat == proposal.seat
    told = (words.withdraws if is_own else words.refuses, words.ended)
    others = _announce(game, proposal, game.list_others(seat), told, seat)
    mine = _fill(game, proposal, words.you_withdrew if is_own else words.you_refused)
    after = game.with_memory(game.memory.without_proposals(proposal.kind))
    return report_done(mine, rule=_find_rule(proposal), announcements=(others,), game=after)


def _announce(
    game: HostedGame, proposal: Proposal, seats: tuple[int, ...], told: tuple[str, str], me: int = 0
) -> Announcement:
    text, subject = (_fill(game, proposal, each, me) for each in told)
    return Announcement(seats, text, rule=_find_rule(proposal), subject=subject, about=proposal.turn)


@cites("post.agree.all")
def list_missing(game: HostedGame, proposal: Proposal) -> tuple[int, ...]:
    """Return the seats that have not yet agreed. Nobody waits for bots, or for players who have resigned."""
    return _list_players(game, (seat for seat in game.seats if seat not in proposal.agreed))


def describe_status(game: HostedGame) -> str:
    """Describe the open proposals, each after a blank."""
    proposals = filter(None, map(game.memory.find_proposal, BY_PLAYERS))
    return "".join(f" {_fill(game, each, WORDS[each.kind].status)}" for each in proposals)


def _list_players(game: HostedGame, seats: Iterable[int]) -> tuple[int, ...]:
    return tuple(seat for seat in seats if game.time.seats[seat].plays and not game.is_bot(seat))


def _ask_others(game: HostedGame, proposal: Proposal, seat: int, now: datetime) -> OrderResult:
    """Ask the seats that have not yet agreed, and tell the others who agreed; carry the proposal out if all have agreed."""
    missing, words = list_missing(game, proposal), WORDS[proposal.kind]
    if not missing:
        return _carry_out_proposal(game, proposal, seat, now)
    asking = [
        evolve(_announce(game, proposal, (each,), words.asks), proposes=True, more=_explain(game, proposal, each))
        for each in missing
    ]
    agreed = tuple(each for each in game.list_others(seat) if each not in missing and not game.is_bot(each))
    if agreed and seat != proposal.seat:
        told = (f"{words.agrees[0]} {{left}}", words.agrees[1])
        asking = [*(asking if proposal.kind == "undo" else ()), _announce(game, proposal, agreed, told, seat)]
    answer = _fill(game, proposal, f"{words.you_proposed if seat == proposal.seat else 'You agreed.'} {{left}}")
    shown = _describe_taken_back(game, proposal, seat) if proposal.kind == "undo" else ()
    return report_done(answer, *shown, rule=_find_rule(proposal), announcements=tuple(asking), game=game)


def _explain(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    if proposal.kind == "undo":
        return _explain_undo(game, proposal, seat)
    final = () if proposal.lines[0].startswith("pause") else (Paragraph(FINAL),)
    line = proposal.lines[0]
    how = f"Reply `{line}` to agree, or `agree no` to refuse. When the next turn is played, the proposal ends."
    return Paragraph(how), _make_buttons(proposal), *final


def _make_buttons(proposal: Proposal) -> Buttons:
    words = WORDS[proposal.kind]
    return Buttons((Button(words.buttons[0], proposal.lines[0]), Button(words.buttons[1], REFUSALS[proposal.kind])))


@cites("post.agree", "post.pause", "post.undo")
def _carry_out_proposal(game: HostedGame, proposal: Proposal, seat: int, now: datetime) -> OrderResult:
    moment, agreed = game.round_moment(now), _list_players(game, proposal.agreed)
    after = game.with_memory(game.memory.without_proposals(proposal.kind))
    line, is_over = proposal.lines[0], False
    if line == UNDO:
        after, told = _take_back(game, now), ("Turn {n} is taken back. Everybody agreed.", "it is taken back")
    elif line.startswith("pause"):
        until = _find_day(proposal)
        after = after.with_line(Paused(moment, until, agreed))
        begins = game_clock.format_day(datetime(until.year, until.month, until.day, tzinfo=UTC))
        text = f"Everybody agreed to pause. No clock runs until {begins}, 00:00 UTC."
        told = text, "the game is paused"
    else:
        after = after.with_line(Ended("draw" if line == DRAW else "abandoned", moment, agreed))
        told, is_over = ("The game is over: everybody agreed {to}.", "the game is over"), True
    others = evolve(_announce(game, proposal, game.list_others(seat), told), tells=is_over)
    return report_done(others.text, rule=_find_rule(proposal), announcements=(others,), game=after)


@cites("post.undo.open", "post.agree.all")
def settle_after_resignation(game: HostedGame, seat: int, now: datetime) -> tuple[OrderResult, ...]:
    """Update open proposals when a player resigns: nobody waits for that player any more. The last result has the game."""
    results = [OrderResult(game=game)]
    for kind in BY_PLAYERS:
        game, proposal = results[-1].game, results[-1].game.memory.find_proposal(kind)
        if proposal is None or game.time.over or list_missing(game, proposal):
            continue
        if kind == "undo" or _list_players(game, proposal.agreed):
            results.append(_ask_others(game, proposal, seat, now))
    return tuple(results)


def _explain_undo(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    mine = _find_turn(game, proposal.turn).turn
    again = game.names[mine.seat] if mine and mine.seat != seat else "you"
    agreed = [game.names[each] for each in proposal.agreed if each != proposal.seat]
    also = f" {list_names(agreed, 'and')} agreed." if agreed else ""
    plays = f"{again} play" if again == "you" else f"{again} plays"
    return (
        Paragraph(f"Reply `undo yes`, and {plays} again. Reply `undo no`, or just play, to keep the turn.{also}"),
        _make_buttons(proposal),
        Heading("THE TURN"),
        *_describe_taken_back(game, proposal, seat),
        Paragraph("If you agree, the record keeps the turn and marks it as taken back."),
    )


def _describe_taken_back(game: HostedGame, proposal: Proposal, seat: int) -> Blocks:
    index = game.replay.moments.index(_find_turn(game, proposal.turn))
    return (Events((letter_parts.number_turn(game.view_as(seat), index, seat),)),)


def _find_turn(game: HostedGame, number: int) -> Moment:
    return next(moment for moment in game.replay.moments if moment.turn and moment.turn.number == number)


def _take_back(game: HostedGame, now: datetime) -> HostedGame:
    """Take back the turn, and the passes after it."""
    taken, moment, replay = find_last_taken(game), game.round_moment(now), game.replay
    for _ in taken:
        replay = take_back_turn(replay, game.seats, moment)
    return restart_turn(game, replay, [taken[0].seat])


@cites("post.undo.plans")
def restart_turn(game: HostedGame, replay: Replay, seats: Collection[int]) -> HostedGame:
    """Return the game after turns of some seats were taken back: their plans and the notes about the next turn end."""
    memory = game.memory.without_proposals(*OFFERS, "undo")
    for seat in seats:
        mine = memory.seats[seat]
        ended = end_all_plans(mine.plans, "your turn was taken back", "post.undo.plans")
        memory = memory.with_seat(seat, plans=(), notes=(*mine.notes, *(note.sentence for note in ended)))
    return HostedGame(replay, evolve(memory, asked="", looked="", done=()), is_hosted=game.is_hosted)


def list_open_proposals(game: HostedGame, seat: int) -> tuple[Proposal, ...]:
    proposals = () if game.time.over else filter(None, map(game.memory.find_proposal, BY_PLAYERS))
    return tuple(each for each in proposals if seat in list_missing(game, each))


@cites("post.answer.open")
def find_proposed_offer(game: HostedGame, seat: int) -> Proposal | None:
    """Return the one proposal that a `yes` would accept, named after the next turn; None unless one waits."""
    waiting = list_open_proposals(game, seat)
    if len(waiting) != 1:
        return None
    proposal = waiting[0]
    after = f"{proposal.seat} {proposal.turn}" if proposal.kind == "undo" else str(proposal.seat)
    return evolve(proposal, turn=find_next_turn(game.replay), after=after)


@cites("post.answer.open")
def describe_open_proposals(game: HostedGame, seat: int) -> tuple[str, ...]:
    return tuple(_fill(game, each, WORDS[each.kind].reminds) for each in list_open_proposals(game, seat))


def remind_of_proposals(game: HostedGame, seat: int, results: Iterable[OrderResult], *, asks: bool) -> tuple[str, ...]:
    """Return what waits for a seat's answer, if it failed to answer or its mail only `asks` something."""
    kinds = (BY_NAME.get(result.line.kind) for result in results if result.failed)
    return describe_open_proposals(game, seat) if asks or any(kind and kind.proposes for kind in kinds) else ()


def ask_for_answer(game: HostedGame, seat: int) -> Blocks:
    waiting = list_open_proposals(game, seat)
    buttons = (_make_buttons(waiting[0]),) if len(waiting) == 1 else ()
    return *map(Paragraph, describe_open_proposals(game, seat)), *buttons
