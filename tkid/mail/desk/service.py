"""What a mail, or the clock, makes of a game at a host: the game gone on, and the letters to all whom it concerns. Pure.

A mail, or what the clock asks for, gives at most one letter to each seat: the answer to the sender first, then the
others' in turn order. What the clock had asked for by the time a mail came is done before the mail is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.desk import dispatch
from tkid.mail.desk.dispatch import Mail, OrderResult
from tkid.mail.desk.receipt import NO_ORDER, receipt
from tkid.mail.game.clock import Due, next_moment
from tkid.mail.game.clock import due as due_now
from tkid.mail.game.hosted_game import HostedGame, due, gone_on, hash_before, started, unremembered
from tkid.mail.game.memory import EVERY_TURN, MY_TURNS
from tkid.mail.inbound.order_lines import in_order
from tkid.mail.letters import content
from tkid.mail.letters.blocks import Block, Letter
from tkid.mail.letters.content import Announcement, Recipient
from tkid.mail.model import Marker, Orders
from tkid.mail.plugin import mail_plugin
from tkid.orders.model import Ask
from tkid.record.clock.notes import Adjourned, Back, Resumed, StandIn
from tkid.record.format.model import Record
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

__all__ = ["HostedGame", "Outcome", "ask", "begin", "by_hand", "noted", "receive", "tick"]

MOST_DONE = 40
"""Names of what the clock asked for that are remembered: those of the turn that is due are among the last."""


@frozen
class Outcome:
    """What came of something: the game as it stands, the letters, what was wrong with orders, when to look again.

    `played` tells whether the record is another than before.
    """

    hosted: HostedGame
    letters: tuple[Letter, ...]
    problems: tuple[Problem, ...] = ()
    due: datetime | None = None
    played: bool = False


def begin(record: Record, now: datetime) -> Outcome:
    """A new game: its clock begins, whoever starts is asked, the others are told."""
    at = gone_on(HostedGame.new(started(record, now)), now)
    letters = []
    for seat in range(len(at.names)):
        letters.append(
            _letter(at, seat, "turn" if seat == at.to_act else "news", content.begins(Recipient.of(at, seat, now)), now)
        )
        at = _knows(at, seat)
    return Outcome(at, tuple(letters), due=next_moment(at.time, at.moment(now)), played=True)


def by_hand(played: Replay, seat: int) -> HostedGame:
    """A game without a host, of which a seat was told up to its last turn."""
    own = [number for number, turn in enumerate(played.record.turns, 1) if turn.seat == seat]
    return HostedGame(played, unremembered(played.record).with_seat(seat, told=own[-1] if own else 0))


def ask(played: Replay, now: datetime) -> Letter | None:
    """The letter that asks for the turn that is due, of a game without a host; None where nobody is asked."""
    at = by_hand(played, played.position.to_act or 0)
    seat = at.awaited
    if seat is None:
        return None
    to = Recipient.of(at, seat, now)
    return _letter(at, seat, "turn", content.turn_mail(to) if at.turns else content.begins(to, hosted=False), now)


# -- a mail -----------------------------------------------------------------------------------------------


@cites("post.order.several")
def receive(
    at: HostedGame, seat: int, orders: Orders, now: datetime, key_turn: int | None = None, *, hosted: bool = True
) -> Outcome:
    """What a player's mail makes of a game: an answer to that player, and letters to those whom it concerns.

    `now` is when the mail came, `key_turn` the turn for which the key was made that it carries. Without a host
    (`hosted`) only the record is kept, and only the sender is written to.
    """
    before = at
    at, words = _ticked(at, now) if hosted else (at, ())
    mail = Mail(seat, now, orders.marker or _by_key(at, seat, key_turn), hosted)
    lines = in_order(orders.lines)
    done: list[OrderResult] = []
    for line in (line for line in lines if not isinstance(line.read.order, Ask)):
        done.append(dispatch.carry_out(at, line, mail))
        at = done[-1].at
    at = gone_on(at, now) if hosted else at
    done += [dispatch.carry_out(at, line, mail) for line in lines if isinstance(line.read.order, Ask)]
    words = (*words, *(each for one in done for each in one.words), *_stopped(before, at))
    changed = at.replay is not before.replay
    body = receipt(
        Recipient.of(at, seat, now), orders, done, [each for each in words if not each.asks], changed=changed
    )
    kind = "again" if at.awaited == seat else "note"
    answer = _letter(at, seat, kind, body, now, _about(at, orders, done))
    problems = tuple(found for each in done for found in each.problems) or _no_order(orders)
    if not hosted:
        return Outcome(at, (answer,), problems, played=changed)
    outcome = _outcome(_knows(at, seat), words, now, answered=seat)
    return evolve(outcome, letters=(answer, *outcome.letters), problems=problems, played=changed)


def _by_key(at: HostedGame, seat: int, turn: int | None) -> Marker | None:
    """What the marker would say of a mail that carries a key and no marker."""
    after = hash_before(at.known(seat), turn) if turn is not None else ""
    return Marker(turn, after) if turn is not None and after else None


def _no_order(orders: Orders) -> tuple[Problem, ...]:
    return () if orders.lines else (Problem(Kind.SYNTAX, NO_ORDER, "No order was found"),)


def _about(at: HostedGame, orders: Orders, done: Sequence[OrderResult]) -> int:
    """The turn that an answer is about: the one that was played, or that was asked for."""
    played = next((each.at.turns for each in done if each.played), None)
    if played is not None:
        return at.record.turns[played - 1].number
    return orders.marker.turn if orders.marker else due(at.replay).turn


# -- the clock --------------------------------------------------------------------------------------------


def tick(at: HostedGame, now: datetime) -> Outcome:
    """What the clock makes of a game by itself: reminders, passes, an end of play."""
    after, words = _ticked(at, now)
    outcome = _outcome(after, (*words, *_stopped(at, after)), now)
    return evolve(outcome, played=after.replay is not at.replay)


@cites("post.stand-in", "post.back", "post.adjourn")
def noted(at: HostedGame, line: StandIn | Back | Resumed, now: datetime) -> Outcome:
    """What follows when whoever keeps the game writes into its record that somebody stands in, comes back, or it goes on.

    Whoever plays a seat from now on is told the whole game, and the seat's plans end. Who is to act is asked anew.
    """
    everybody, memory = tuple(range(len(at.names))), at.memory
    seat = at.replay.position.to_act if isinstance(line, Resumed) else line.seat
    if seat == at.replay.position.to_act:
        memory = evolve(memory, asked="", looked="")
    match line:
        case Resumed():
            words: tuple[Announcement, ...] = (Announcement(everybody, "the game goes on. [post.adjourn]"),)
        case Back(back):
            memory = memory.with_seat(back, told=0, plans=(), notes=())
            words = (Announcement(everybody, f"{at.names[back]} is back at the table. [post.back]"),)
        case StandIn(taken):
            memory = memory.with_seat(taken, told=0, plans=(), notes=())
            others = tuple(other for other in everybody if other != taken)
            mine = f"you play {at.names[taken]}'s seat from now on. [post.stand-in]"
            words = (
                Announcement((taken,), mine, tells=True),
                Announcement(others, "the table has changed. [post.stand-in]"),
            )
    after = gone_on(at.remembering(memory).with_line(line), now)
    return evolve(_outcome(after, (*words, *_stopped(at, after)), now), played=True)


@cites("post.clock.out", "post.clock.remind", "post.clock.grace", "post.stand-in", "post.adjourn")
def _ticked(at: HostedGame, now: datetime) -> tuple[HostedGame, tuple[Announcement, ...]]:
    """The game after all that its clock asks for by now, and what is told of that."""
    words: tuple[Announcement, ...] = ()
    at = gone_on(at, now)
    while (item := due_now(at.time, at.moment(now))) is not None and item.name not in at.memory.done:
        at = at.remembering(evolve(at.memory, done=(*at.memory.done, item.name)[-MOST_DONE:]))
        at, said = _carried_out(at, item, now)
        words += said
        at = gone_on(at, now)
    return at, words


def _carried_out(at: HostedGame, item: Due, now: datetime) -> tuple[HostedGame, tuple[Announcement, ...]]:
    """What the clock asks for, carried out."""
    name, own = at.names[item.seat], (item.seat,)
    others = tuple(seat for seat in range(len(at.names)) if seat != item.seat)
    match item.kind:
        case "pass":
            at = at.played(mail_plugin(at.record.game).passing, now, item.note)
            return at, (Announcement(own, "your time was out, and you passed. [post.clock.out]", tells=True),)
        case "adjourn":
            told = "time was out, and the game is adjourned. [post.adjourn]"
            at = at.with_line(Adjourned(at.moment(now)))
            return at, (Announcement(own, f"your {told}", tells=True), Announcement(others, f"{name}'s {told}"))
        case "stand-in":
            told = "time was out, and the seat is offered to somebody else. Until somebody takes it {} may play. [post.stand-in]"
            mine, theirs = f"your {told.format('you')}", f"{name}'s {told.format(name)}"
            return at, (Announcement(own, mine, tells=True), Announcement(others, theirs))
        case "reminder":
            return at, (Announcement(own, "this is a reminder. [post.clock.remind]", asks=True),)
        case "grace":
            return at, (Announcement(own, "your time is out, and the grace runs. [post.clock.grace]", asks=True),)


@cites("post.resign")
def _stopped(before: HostedGame, at: HostedGame) -> tuple[Announcement, ...]:
    """What all are told when a game stops because a decision cannot be passed for a player who has resigned."""
    seat = at.replay.position.to_act
    if not at.time.adjourned or before.time.adjourned or seat is None or at.time.seats[seat].plays:
        return ()
    told = f"{at.names[seat]} has resigned, and this decision cannot be passed: the game is adjourned. [post.resign]"
    return (Announcement(tuple(range(len(at.names))), told),)


# -- who is told ------------------------------------------------------------------------------------------


def _outcome(at: HostedGame, words: Sequence[Announcement], now: datetime, answered: int | None = None) -> Outcome:
    """The outcome with the letters to all whom it concerns, but for a seat that is answered, and bots.

    Whoever is to act and was not asked is asked; the others get news as they wish, and what was said to them.
    """
    written = []
    for seat in range(len(at.names)):
        if seat == answered or at.is_bot(seat):
            continue
        heard, to = [each for each in words if seat in each.seats], Recipient.of(at, seat, now)
        tells = any(each.tells for each in heard)
        if _is_to_be_asked(at, seat) or (at.awaited == seat and (tells or any(each.asks for each in heard))):
            written.append(_letter(at, seat, "turn", content.turn_mail(to, heard), now))
            at = _knows(at, seat)
        elif tells or _is_news(at, seat):
            written.append(_letter(at, seat, "news", content.news(to, heard), now))
            at = _knows(at, seat)
        elif heard:
            kind = "news" if any(each.sender is None for each in heard) else "words"
            written.append(_letter(at, seat, kind, content.words(to, heard), now))
    return Outcome(at, tuple(written), due=next_moment(at.time, at.moment(now)))


def _is_to_be_asked(at: HostedGame, seat: int) -> bool:
    """Whether a seat is to act and was not asked for this turn."""
    return seat == at.to_act and at.memory.asked != at.stand


def _knows(at: HostedGame, seat: int) -> HostedGame:
    """The game after a letter to a seat that told everything."""
    memory = at.memory.with_seat(seat, told=at.turns, notes=())
    return at.remembering(evolve(memory, asked=at.stand) if seat == at.to_act else memory)


@cites("post.notify")
def _is_news(at: HostedGame, seat: int) -> bool:
    """Whether anything happened that a seat wants to be told of: as it wishes, and the end in any case."""
    mine = at.memory.seats[seat]
    if mine.told == at.turns:
        return False
    moments = at.replay.moments[mine.told + 1 :]
    decided = mine.wish != MY_TURNS and any(event.line for moment in moments for event in moment.events)
    return at.time.over or mine.wish == EVERY_TURN or decided


def _letter(  # noqa: PLR0917 - the game, and what stands in a letter
    at: HostedGame, seat: int, kind: str, body: tuple[Block, ...], now: datetime, about: int | None = None
) -> Letter:
    """A letter to a seat."""
    stands = due(at.known(seat))
    return Letter(kind, seat, stands.turn, stands.after, stands.turn if about is None else about, body, now)
