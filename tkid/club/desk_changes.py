"""Carry out the owner's changes to a game, and admit games that began elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta

from attrs import evolve

from tkid.club.desk_orders import (
    RECORD_RULE,
    DeskOrder,
    announce_change,
    read_newcomer,
    refuse_now,
    report_malformed,
    split_reason,
)
from tkid.club.order_reader import locate_problem, locate_problem_behind
from tkid.kernel.problems import Kind, Problem
from tkid.mail import game_service, order_proposals
from tkid.mail.blocks import Blocks, Events, Heading, Quote
from tkid.mail.envelope import is_address
from tkid.mail.game_clock import format_length, format_moment, read_game_clock
from tkid.mail.game_service import HostedGame, Outcome
from tkid.mail.hosted_game import start_clock
from tkid.mail.letter_parts import Announcement
from tkid.mail.message import ADD_ADDRESS, find_mail_address
from tkid.mail.model import BOTS, Refusal
from tkid.mail.order_machine import Handler, OrderResult, Request
from tkid.mail.timeline import judge_file
from tkid.notation.names import list_names
from tkid.notation.plugin import WrongError
from tkid.orders.days import read_day
from tkid.record import clock_notes
from tkid.record.clock import AMOUNT, LONGEST, SPAN, UNITS, WAY, YEARS, parse_moment
from tkid.record.format.new_game import find_newcomer_faults
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay
from tkid.record.play.writer import take_back_by_host
from tkid.record.proof import count_hidden_cards, describe_note_lines
from tkid.rulebook import cites

WHOLE_SPAN = re.compile(SPAN, re.IGNORECASE)
NUMBER = re.compile(r"(?:(?:to|from)\s+)?(?:turn\s+)?(?P<number>[0-9]{1,9})", re.IGNORECASE)


@cites("club.desk.pause")
def _pause_game(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    if game.time.paused is not None:
        since = format_moment(game.time.paused.time)
        raise refuse_now(f"The game has been paused since {since}", f"To continue, {request.order.explain('resume')}")
    now = "No clock runs until the host resumes the game. You may play, but you don't have to."
    said = announce_change(request, game, "The host paused the game.", "the game is paused", now)
    line = clock_notes.Paused(game.round_moment(request.now), None, (), request.order.reason)
    return game_service.publish_change(game, game.with_line(line), (said,), request.now)


@cites("club.desk.pause")
def _resume_game(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    if game.time.paused is None and not game.time.adjourned:
        raise refuse_now("The game is neither paused nor adjourned", "It is already running.")
    line = clock_notes.Resumed(game.round_moment(request.now))
    return game_service.apply_owner_note(_add_reason(request, game), line, request.now, request.order.reason)


@cites("club.desk.time")
def _extend_turn(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    span = request.order.text if WHOLE_SPAN.fullmatch(request.order.text) else ""
    seat, typed = _read_next_player(request, game, span)
    amount = AMOUNT.match(typed.casefold()) if WHOLE_SPAN.fullmatch(typed) else None
    by = int(amount[1]) * UNITS[amount[2]] if amount else timedelta()
    if not timedelta() < by <= LONGEST:
        message = f"`{typed}` is not a length of time" if typed else "The time is missing"
        hint = f"Write it as `2 days` or `36 hours`, up to {LONGEST.days} days."
        raise report_malformed(message, hint, request.order, typed)
    name = game.names[seat]
    said = f"The host gives {name} {format_length(by)} more for this turn."
    line = clock_notes.Extended(seat, game.round_moment(request.now), by, request.order.reason)
    return _add_deadline(request, game, seat, line, said)


@cites("club.desk.time")
def _update_turn_deadline(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    alone = ""
    with suppress(WrongError):
        _read_time(request.order.text, request)
        alone = request.order.text
    seat, typed = _read_next_player(request, game, alone)
    until = _read_time(typed, request)
    if until <= request.now:
        hint = f"It is {format_moment(request.now)} now."
        raise report_malformed(f"{format_moment(until)} is in the past", hint, request.order, typed)
    said = f"The host sets a deadline for {game.names[seat]}'s turn."
    line = clock_notes.Deadline(seat, game.round_moment(request.now), until, request.order.reason)
    return _add_deadline(request, game, seat, line, said)


def _read_time(typed: str, request: Request[DeskOrder]) -> datetime:
    """Read a moment, or the end of a day, in UTC. Raises WrongError."""
    if (exact := parse_moment(typed)) is not None:
        return exact
    day = read_day(typed)
    if isinstance(day, Problem):
        raise report_malformed(day.message, f"{day.hint} Or {WAY}.", request.order, typed, day.rule)
    if day.year not in YEARS:
        raise report_malformed(f"`{typed}` is too far away", f"Write it as {WAY}.", request.order, typed)
    return datetime.combine(day, time(23, 59), UTC)


def _read_next_player(request: Request[DeskOrder], game: HostedGame, rest: str) -> tuple[int, str]:
    """Return the seat whose turn it is, and the text after its name; a `rest` without more needs no name. Raises WrongError."""
    seat, text = (game.to_act, rest) if rest else _read_player(request, game)
    if seat is None or seat != game.to_act:
        whose = f"It is {game.names[game.to_act]}'s turn." if game.to_act is not None else "Nobody is to act now."
        message = f"It is not {game.names[seat]}'s turn" if seat is not None else "No clock runs now"
        raise refuse_now(message, whose, request.order.text[: len(request.order.text) - len(text)].strip(" ,"))
    if read_game_clock(game.time, request.now) is None:
        stopped = game.time.paused is not None or game.time.adjourned is not None
        way = "It has no deadlines: it was made without a clock."
        if stopped:
            way = f"To continue, {request.order.explain('resume')}"
        raise refuse_now("No clock runs in this game now", way)
    return seat, text


def _add_deadline(
    request: Request[DeskOrder],
    game: HostedGame,
    seat: int,
    line: clock_notes.Extended | clock_notes.Deadline,
    said: str,
) -> Outcome:
    """Add a line that changes the deadline, and tell every player about it."""
    after = game.with_line(line)
    clock = read_game_clock(after.time, request.now)
    until = f"The new deadline is {format_moment(clock.deadline)}." if clock else ""
    subject = "more time" if isinstance(line, clock_notes.Extended) else "a new deadline"
    announced = announce_change(request, game, said, subject, until)
    mine = evolve(announced, seats=(seat,), tells=True)
    others = evolve(announced, seats=game.list_others(seat))
    return game_service.publish_change(game, after, (mine, others), request.now)


@cites("club.desk.take-back")
def _take_back(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    """Take back the last turn, or a turn and all after it. Plans of their players end."""
    standing = [turn for turn in game.record.turns if not turn.undone]
    if not standing:
        raise refuse_now("There is no turn to take back", "Nobody has played yet.")
    number = NUMBER.fullmatch(request.order.text) if request.order.text else None
    if request.order.text and number is None:
        message = f"`{request.order.text}` is not the number of a turn"
        hint = f"To take back turn 12, {request.order.explain('take back')}"
        raise report_malformed(message, hint, request.order, request.order.text)
    first = int(number["number"]) if number else standing[-1].number
    taken = [turn for turn in standing if turn.number >= first]
    if first not in {turn.number for turn in taken}:
        message = f"There is no turn {first} that could be taken back"
        hint = f"The last turn is {standing[-1].number}."
        raise report_malformed(message, hint, request.order, request.order.text)
    replay = game.replay
    for _ in taken:
        replay = take_back_by_host(replay, game.round_moment(request.now), request.order.reason)
    after = order_proposals.restart_turn(game, replay, {turn.seat for turn in taken})
    what = f"turn {first}" if len(taken) == 1 else f"turns {first} to {taken[-1].number}"
    again = f"{game.names[after.to_act]} plays again." if after.to_act is not None else ""
    said = announce_change(request, game, f"The host took back {what}.", f"{what} taken back", again, tells=True)
    return game_service.publish_change(game, after, (said,), request.now)


@cites("club.desk.abort")
def _abort_game(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    line = clock_notes.Ended("aborted", game.round_moment(request.now), (), request.order.reason)
    text, what_now = "The host ended the game. Nobody won.", "You don't have to do anything."
    said = announce_change(request, game, text, "the game was ended", what_now, tells=True)
    return game_service.publish_change(game, game.with_line(line), (said,), request.now)


@cites("club.desk.replace")
def _replace_player(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    seat, rest = _read_player(request, game)
    name, address, bot = read_newcomer(request.order, rest)
    name, chosen = _read_bot(request, name) if bot else (name, "")
    others = [
        called
        for other in game.list_others(seat)
        for called in dict.fromkeys((game.names[other], game.find_player(other)))
    ]
    if refused := next(iter(find_newcomer_faults(game.record.game, name, others)), ""):
        raise report_malformed(refused.rstrip("."), "", request.order, name)
    line = clock_notes.StandIn(seat, name, game.round_moment(request.now), address, bot, chosen)
    reader = clock_notes.make_note_reader(game.names)
    if reader.read_line(reader.write_line(line)) != line:
        hint = "A name has at most 32 characters, and none of < > : ; { } #."
        raise report_malformed(f"`{name}` cannot be a name", hint, request.order, name)
    return game_service.apply_owner_note(_add_reason(request, game), line, request.now, request.order.reason)


@cites("club.bots")
def _read_bot(request: Request[DeskOrder], named: str) -> tuple[str, str]:
    """Return the bot's name and the player that chooses its turns: the one named, or the club's. Raises WrongError."""
    match = clock_notes.BOT.fullmatch(named)
    name, chosen = (match["name"], match["player"].lower()) if match else (named, request.mail.terms.bots)
    allowed = BOTS[1 : BOTS.index(request.mail.terms.bots) + 1]
    if not allowed:
        hint = f"Set `bots` in the section [club] of host.toml, or {request.order.explain('replace')}"
        raise refuse_now("No bot may take a seat in this club", hint, rule="club.bots")
    if chosen in allowed:
        return name, "" if chosen == "random" else chosen
    if chosen in BOTS[1:]:
        hint = f"Choose {list_names(allowed, 'or')}, or set `bots` in the section [club] of host.toml."
        raise refuse_now(f"This club has no bot that plays like `{chosen}`", hint, rule="club.bots")
    hint = f"Choose {list_names(allowed, 'or')}: `by bot {name} ({allowed[-1]})`."
    raise report_malformed(f"`{chosen}` is not a player that is a program", hint, request.order, named)


@cites("post.back", "club.desk.back")
def _give_seat_back(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    seat, _ = _read_player(request, game)
    name, time = game.names[seat], game.time.seats[seat]
    if time.resigned is not None:
        hint = f"To give the seat to somebody else, {request.order.explain('replace')}"
        raise refuse_now(f"{name} has resigned and cannot come back", hint, rule="post.resign.final")
    away = any(pause.end > game.round_moment(request.now) for pause in time.pauses)
    if not (away or time.misses or time.stand_in):
        message = f"{name} is not away, has missed no turn, and has no stand-in"
        hint = f"There is nothing to end. To see who plays, {request.order.explain('status')}"
        raise refuse_now(message, hint, rule="club.desk.back")
    line = clock_notes.Back(seat, game.round_moment(request.now))
    return game_service.apply_owner_note(_add_reason(request, game), line, request.now, request.order.reason)


@cites("club.desk.address")
def _change_address(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    seat, address = _read_player(request, game)
    address = address.strip("<> ")
    if not is_address(address):
        missing = "The new address is missing" if not address else f"`{address}` is not an address"
        raise report_malformed(missing, "Write a plain address such as ann@example.org.", request.order, address)
    shared = [
        game.names[other] for other in game.list_others(seat) if game.find_address(other).lower() == address.lower()
    ]
    if shared:
        hint = "Two players with one address read each other's mails. Write another address."
        raise refuse_now(f"{shared[0]} has that address", hint, rule="mail.one-address")
    after = _add_reason(request, game).with_line(clock_notes.Moved(seat, game.round_moment(request.now), address))
    text = f"The host changed {game.names[seat]}'s address."
    others = evolve(announce_change(request, game, text, "a new address"), seats=game.list_others(seat))
    text, subject = "The host writes to you at this address from now on.", "your new address"
    mine = Announcement((seat,), text, tells=True, rule=RECORD_RULE, subject=subject, more=others.more)
    return game_service.publish_change(game, after, (mine, others), request.now)


@cites("club.desk.offer")
def _offer_seat(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    seat, _ = _read_player(request, game)
    name = game.names[seat]
    text = f"The host offers {name}'s seat to somebody else."
    line = clock_notes.Announced(game.round_moment(request.now), f"{text} {request.order.reason}".strip())
    now = f"The first player who writes `take seat` with the names of player and game gets it. Until then {name} may play."
    after = game.with_line(line)
    said = announce_change(request, game, text, "a seat is offered", now)
    return game_service.publish_change(game, after, (said,), request.now)


@cites("club.desk.announce", "post.host.words")
def _announce_to_all(request: Request[DeskOrder], game: HostedGame) -> Outcome:
    if not request.order.reason:
        hint = f"To announce something, {request.order.explain('announce')}"
        raise report_malformed("The text is missing", hint, request.order)
    announced = Announcement(
        tuple(game.seats), "The host of this game writes:", rule=RECORD_RULE, subject="a word from the host",
        more=(Quote(request.order.reason),),
    )  # fmt: skip
    line = clock_notes.Announced(game.round_moment(request.now), request.order.reason)
    return game_service.publish_change(game, game.with_line(line), (announced,), request.now)


def _read_player(request: Request[DeskOrder], game: HostedGame) -> tuple[int, str]:
    """Return the seat of the named player, and the text after the name. Raises WrongError."""
    typed = request.order.text
    found = clock_notes.find_named_seat(game.names, typed)
    if found is None:
        raise WrongError(clock_notes.report_missing_player(game.names, typed, typed))
    return found


def _add_reason(request: Request[DeskOrder], game: HostedGame) -> HostedGame:
    """Add the reason on a line of its own, if the line about the change has no room for it."""
    if not request.order.reason:
        return game
    return game.with_line(clock_notes.Announced(game.round_moment(request.now), request.order.reason))


def place_problem(problem: Problem, line: str, order: DeskOrder) -> Problem:
    """Move the place of an order's problem into the line; before, it is one in the text behind the game's name."""
    has_place = problem.length > 1 or problem.kind in {Kind.SYNTAX, Kind.NAME}
    typed = order.text[problem.col - 1 : problem.col - 1 + problem.length] if has_place else ""
    if has_place and not typed and not order.number:
        return locate_problem_behind(problem, split_reason(line)[0])
    return locate_problem(problem, line, typed, str(order.number) if order.number else order.game)


CHANGES: Mapping[str, Callable[[Request[DeskOrder], HostedGame], Outcome]] = {
    "pause": _pause_game,
    "resume": _resume_game,
    "extend": _extend_turn,
    "deadline": _update_turn_deadline,
    "take back": _take_back,
    "abort": _abort_game,
    "replace": _replace_player,
    "back": _give_seat_back,
    "address": _change_address,
    "announce": _announce_to_all,
    "offer": _offer_seat,
}


@cites("club.desk.record")
def _intervene(request: Request[DeskOrder], game: HostedGame) -> OrderResult:
    """Change a game, with a letter to every player. Raises WrongError."""
    change = CHANGES[request.row.name]
    return OrderResult(changes=((request.order.game, change(request, game)),))


INTERVENTIONS: Mapping[str, Handler] = dict.fromkeys(CHANGES, _intervene)


IMPORT_RULE = "club.desk.import"
MOVED = "The game moved to this host."


@cites("club.desk.import")
def admit_game(record: bytes, now: datetime) -> Outcome | list[Problem]:
    """Take in a running game, with a letter to every player; or explain why that is impossible."""
    problems, played = judge_file(read_record(record))
    if problems or played is None:
        return problems or [_refuse_game("This is not a game file", "`tkid check` says what is wrong with it.")]
    game = HostedGame.make_new(start_clock(played.record, now))
    refused = [
        find_mail_address(game.record, seat)
        for seat in game.seats
        if not game.is_bot(seat) and game.find_address(seat) == ""
    ]
    lacking = [each.reason for each in refused if isinstance(each, Refusal)]
    if lacking:
        return [_refuse_game("; ".join(lacking), ADD_ADDRESS)]
    if game.time.over:
        return [_refuse_game("The game is over", "Only a running game can be imported.")]
    if count_hidden_cards(played.record):
        return [_refuse_game("Cards are hidden in this file", "Import the whole record, not what one player sees.")]
    for seat in game.seats:
        game = game.with_seat_memory(seat, told=game.turns)
    since, moment = game.time.since or game.time.latest, game.round_moment(now)
    if since is not None and since < moment and game.time.clock is not None:
        game = game.with_line(clock_notes.StoodStill(since, moment, "the game moved to this host"))
    text = "This game is played at this host from now on."
    told = Announcement(tuple(game.seats), text, tells=True, rule=IMPORT_RULE, subject="the game moves here")
    moved = game.with_line(clock_notes.Announced(game.round_moment(now), MOVED))
    return game_service.publish_change(game, moved, (told,), now)


def list_earlier_notes(played: Replay) -> Blocks:
    """Return the notes of a file about its game, with the only possible writer of each, so that the owner can ask."""
    lines = [*describe_note_lines(played)]
    return (Heading("NOTES IN THE RECORD"), Events(tuple(("", line) for line in lines))) if lines else ()


def _refuse_game(message: str, hint: str) -> Problem:
    return Problem(Kind.ILLEGAL, IMPORT_RULE, message, hint=hint)
