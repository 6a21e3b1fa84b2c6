"""Change a game by a mail or by the clock, and write the letters.

A mail or a run of the clock gives at most one letter to each seat: first the answer to the sender, then the others in turn
order. Before a mail is read, the clock does everything that was due by the time it came.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail import game_clock, game_letters, intent, order_handlers, order_machine, order_offers, order_proposals
from tkid.mail.blocks import Letter, Paragraph
from tkid.mail.game_clock import Due
from tkid.mail.hosted_game import (
    EVERY_TURN,
    MY_TURNS,
    HostedGame,
    find_hash_before,
    make_memory,
    play_forced_turns,
    start_clock,
)
from tkid.mail.letter_parts import Announcement, Recipient, repeat_announcements
from tkid.mail.model import IDS, Marker, OrderLine, Orders
from tkid.mail.order_answers import NO_ORDER, Question, ReplyWriter
from tkid.mail.order_finder import sort_lines
from tkid.mail.order_machine import Mail, OrderResult, Outcome, Sender
from tkid.mail.plugin import find_mail_plugin
from tkid.mail.timeline import find_next_turn
from tkid.orders.order_values import Ask
from tkid.record.clock_notes import Adjourned, Back, Moved, Resumed, StandIn
from tkid.record.format.model import Record
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

__all__ = [
    "HostedGame", "Outcome", "announce_to_seats", "apply_owner_note", "ask_for_turn", "ask_sender", "begin_game", "change_seat_address",
    "open_without_host", "publish_change", "receive_mail", "run_clock",
]  # fmt: skip

FORMS = IDS("forms")
MOST_DONE = 40
"""Names of what the clock asked for that are remembered: those of the next turn are among the last."""


def begin_game(record: Record, now: datetime) -> Outcome:
    game = play_forced_turns(HostedGame.make_new(start_clock(record, now)), now)
    letters = []
    for seat in game.seats:
        if game.is_bot(seat):
            continue
        letters.append(game_letters.write_first_letter(Recipient(game, seat, now)))
        game = _mark_up_to_date(game, seat)
    return Outcome(game, tuple(letters), due=_find_next_due(game, now), record_changed=True)


def open_without_host(played: Replay, seat: int) -> HostedGame:
    """Open a game without a host, in which a seat has read everything up to its own last turn."""
    own = [number for number, turn in enumerate(played.record.turns, 1) if turn.seat == seat]
    memory = make_memory(played.record).with_seat(seat, told=own[-1] if own else 0)
    return HostedGame(played, memory, is_hosted=False)


def ask_for_turn(played: Replay, now: datetime) -> Letter | None:
    """Return the letter that asks for the next turn of a game without a host; None if the game waits for no player."""
    game = open_without_host(played, played.position.to_act or 0)
    if game.awaited is None:
        return None
    asks = game_letters.write_turn_letter if game.turns else game_letters.write_first_letter
    return asks(Recipient(game, game.awaited, now))


@cites("post.order.several")
def receive_mail(  # noqa: PLR0917 - whose mail, what it asks for, and what its key says
    game: HostedGame,
    seat: int,
    orders: Orders,
    now: datetime,
    key_turn: int | None = None,
    offer_id: str | None = "",
    *,
    until: datetime | None = None,
    hold: timedelta = timedelta(),
    is_sure: bool = False,
) -> Outcome:
    """Carry out a player's mail: return the game after it, an answer to the player, and letters to the others.

    `now` is when the mail came. `until` is when the next waiting mail came, if one waits: events of the clock after
    that are not handled yet. `key_turn` is the turn that the mail's key was made for, and `offer_id` the id of the
    offer in that letter: "" for none, None for a forgotten one. Without a host, only the record is kept and only the
    sender gets a letter. `hold` is how long a turn waits beside a sentence that the judge does not know. A
    resignation of a sender who `is_sure` is carried out without a question.
    """
    before, until = game, until or now
    game, announcements, waited = _handle_due_events(game, until) if game.is_hosted else (game, (), None)
    marker = _find_answered(game, seat, orders.marker, key_turn)
    mail = order_offers.add_answer(game, Mail(Sender(seat), now, marker, orders=orders, offer_id=offer_id))
    reply = order_offers.read_reply(game, mail)
    given = mail.orders.lines
    mail, confirmation = (mail, None) if is_sure else order_offers.ask_about_resigning(game, mail)
    decision = intent.decide_orders(game, mail, reply, hold, resigns=confirmation is not None)
    decision = intent.ask_about_doubted(mail, reply, decision)
    game, lines, results = decision.game, decision.lines, list(decision.refused)
    for line in (line for line in lines if not isinstance(line.order, Ask)):
        results.append(order_handlers.carry_out_order_line(game, line, evolve(mail, now=decision.since)))
        game = results[-1].game
        if game.find_player(seat) != before.find_player(seat):
            break  # a stand-in who has left orders nothing more
    game = play_forced_turns(game, now) if game.is_hosted else game
    if decision.stops and game.turns == before.turns:
        game, more, _ = _handle_due_events(game, until)
        announcements += more
    left = game.find_player(seat) != before.find_player(seat)
    if not left:
        questions = (line for line in lines if isinstance(line.order, Ask))
        results += [order_handlers.carry_out_order_line(game, line, mail) for line in questions]
    announcements += tuple(each for result in results for each in result.announcements) + _announce_stop(before, game)
    question, unread = _find_question(game, mail, results, reply, decision, confirmation)
    game, offer = order_offers.remember_offer(intent.hold_turn(game, seat, decision), seat, question, reply)
    recipient, changed = Recipient(game, seat, now), game.replay is not before.replay
    moved, is_late = _measure_course(game) != _measure_course(before), question is not None and question.case == "late"
    mail = evolve(mail, orders=evolve(mail.orders, lines=(*mail.orders.lines, *reply.lines)))
    notes = (
        *order_offers.list_notes(mail, reply, question),
        *order_offers.list_absences(mail),
        *order_proposals.remind_of_proposals(game, seat, results, asks=question is None and not mail.orders.lines),
        *decision.notes,
        *intent.list_hold_notes(game, seat, question),
        *((intent.PLAYED,) if waited and waited.seat == seat and not is_late else ()),
    )
    writer = ReplyWriter(unread, recipient, mail.orders, announcements, moved, notes)
    answer = writer.write_reply(question, _find_subject(game, mail, results))
    if question and question.case == "asked":
        offer = offer or order_proposals.find_proposed_offer(game, seat)
    answer = evolve(answer, offer=offer.id if offer else "")
    ended = game.time.over and not before.time.over
    receipts = (_write_receipt(game, waited, announcements, now),) if waited and waited.seat != seat else ()
    if left:
        wrote = order_machine.answer_former_player(lines if confirmation is None else sort_lines(given), results)
        answer = order_machine.write_parting(game, seat, before.find_address(seat), now, wrote)
        told, answered = game, set[int]()
    else:
        told, answered = _mark_up_to_date(game, seat), {seat}
    for receipt in receipts:
        told, answered = _mark_up_to_date(told, receipt.seat), {*answered, receipt.seat}
    others = announce_to_seats(told, announcements, now, answered, ended=ended) if game.is_hosted else Outcome(game, ())
    problems = (
        *(problem for result in results for problem in result.problems),
        *_explain_nothing(mail.orders, reply, decision),
    )
    if not (problems or mail.orders.lines or mail.orders.answer or confirmation):
        problems = (Problem(Kind.SYNTAX, NO_ORDER, "No order was found"),)
    due = _find_next_due(game, until) if game.is_hosted and until < now else others.due
    letters = (answer, *receipts, *others.letters)
    return evolve(others, letters=letters, problems=problems, due=due, record_changed=changed)


def _find_question(  # noqa: PLR0917 - the mail, the results, and the possible questions
    game: HostedGame,
    mail: Mail,
    results: Sequence[OrderResult],
    reply: order_offers.OfferAnswer,
    decision: intent.Decision,
    confirmation: Question | None,
) -> tuple[Question | None, Sequence[OrderResult]]:
    if confirmation is not None:
        return confirmation, results
    if decision.question is not None:
        shown = [each for each in results if not (decision.question.lines and each in decision.refused)]
        if decision.question.case in {"held", "meant"}:
            shown += order_offers.answer_questions_beside(game, mail)
        return decision.question, shown
    return order_offers.ask_or_answer(game, mail, results, reply)


def _explain_nothing(orders: Orders, reply: order_offers.OfferAnswer, decision: intent.Decision) -> tuple[Problem, ...]:
    if reply.problem is not None:
        return (reply.problem,)
    if orders.differing:
        return (Problem(Kind.SYNTAX, FORMS, "The plain and the HTML form do not order the same"),)
    return (decision.problem,) if decision.problem is not None else ()


def _measure_course(game: HostedGame) -> tuple[int, int, bool]:
    return game.turns, sum(turn.undone for turn in game.record.turns), game.time.over


@cites("mail.other-address", "mail.key-lost")
def ask_sender(  # noqa: PLR0917 - the key's owner, the request, and the key
    game: HostedGame,
    seat: int,
    orders: Orders,
    sender: str,
    now: datetime,
    key_turn: int | None = None,
    offer_id: str | None = "",
) -> Outcome:
    """Ask a player about a mail with their key from another address (`sender`), or, where it is "", without a key."""
    marker = _find_answered(game, seat, orders.marker, key_turn)
    mail = order_offers.add_answer(game, Mail(Sender(seat), now, marker, orders=orders, offer_id=offer_id))
    question = order_offers.ask_about_sender(game, mail, sender)
    offer = order_offers.make_offer(game, seat, question)
    game = game.with_memory(game.memory.with_proposal(evolve(offer, kind="elsewhere"))) if offer else game
    recipient = Recipient(game, seat, now)
    about = None if sender else _find_subject(game, mail, ())
    letter = ReplyWriter((), recipient, mail.orders, (), changed=False).write_reply(question, about)
    return Outcome(game, (evolve(letter, subject="was this mail yours?", offer=offer.id if offer else ""),))


@cites("mail.key")
def _find_answered(game: HostedGame, seat: int, marker: Marker | None, key_turn: int | None) -> Marker | None:
    """Return the marker of our answered mail: a key answers for its turn, if no marker of an earlier one binds."""
    if key_turn is None:
        return marker
    if marker and (marker.turn <= key_turn or marker.after not in game.find_hashes_before(seat, marker.turn)):
        return marker
    return Marker(key_turn, find_hash_before(game.view_as_told(seat), key_turn))


def _find_subject(game: HostedGame, mail: Mail, results: Sequence[OrderResult]) -> int:
    played = next((result.game.turns for result in results if result.played), None)
    if played is not None:
        return game.record.turns[played - 1].number
    return mail.marker.turn if mail.marker else find_next_turn(game.replay)


def run_clock(game: HostedGame, now: datetime) -> Outcome:
    """Do everything that is due in a game by now, such as held turns, passes and reminders, and write the letters."""
    after, announcements, waited = _handle_due_events(game, now)
    ended, announcements = after.time.over and not game.time.over, (*announcements, *_announce_stop(game, after))
    receipts = (_write_receipt(after, waited, announcements, now),) if waited else ()
    told = _mark_up_to_date(after, waited.seat) if waited else after
    outcome = announce_to_seats(told, announcements, now, [each.seat for each in receipts], ended=ended)
    letters = (*receipts, *outcome.letters)
    return evolve(outcome, letters=letters, record_changed=after.replay is not game.replay)


@cites("post.stand-in", "post.back", "post.adjourn")
def apply_owner_note(game: HostedGame, line: StandIn | Back | Resumed, now: datetime, reason: str = "") -> Outcome:
    """Apply the owner's note about a stand-in, a player who is back, or a game that continues.

    A new player of a seat reads the whole game, and the seat's plans end. The next player is asked again.
    """
    everybody = tuple(game.seats)
    asked_again = game.with_memory(evolve(game.memory, asked="", looked=""))
    noting = asked_again if isinstance(line, Resumed) else order_machine.hand_over_seat(game, line.seat)
    match line:
        case Resumed():
            goes_on = Announcement(everybody, "The game continues.", rule="post.adjourn", subject="the game continues")
            announcements: tuple[Announcement, ...] = (goes_on,)
        case Back(back):
            theirs = f"{game.names[back]} is back.", f"{game.names[back]} is back"
            mine = "You are back in the game.", "you are back"
            announcements = _tell_both(game, back, mine, theirs, "post.back", tells=False)
        case StandIn(taken, who):
            plays = f"for {game.names[taken]}"
            mine = f"You play {plays} from now on.", f"you play {plays}"
            theirs = f"{who} plays {plays} from now on.", f"{who} plays {plays}"
            announcements = _tell_both(game, taken, mine, theirs, "post.stand-in")
    more = (Paragraph(f"Why: {reason}"),) if reason else ()
    tellings = [evolve(each, more=more) for each in announcements]
    outcome = publish_change(game, noting.with_line(line), tellings, now)
    return evolve(outcome, letters=(*outcome.letters, *order_machine.write_partings(game, outcome.game, now, more)))


def publish_change(
    before: HostedGame, game: HostedGame, announcements: Sequence[Announcement], now: datetime
) -> Outcome:
    after = play_forced_turns(game, now)
    ended = after.time.over and not before.time.over
    outcome = announce_to_seats(after, (*announcements, *_announce_stop(game, after)), now, ended=ended)
    return evolve(outcome, record_changed=True)


@cites("club.address")
def change_seat_address(game: HostedGame, line: Moved, now: datetime) -> Outcome:
    memory = evolve(game.memory, asked="") if line.seat == game.to_act else game.memory
    return evolve(announce_to_seats(game.with_memory(memory).with_line(line), (), now), record_changed=True)


def tell_players(game: HostedGame, text: str, subject: str, now: datetime, seats: Sequence[int] = ()) -> Outcome:
    announcement = Announcement(tuple(seats or game.seats), text, tells=True, subject=subject)
    return announce_to_seats(game, (announcement,), now)


@frozen
class Waited:
    """A held turn that was played at its time: whose it was, and the results of its lines."""

    seat: int
    results: tuple[OrderResult, ...]


@cites("mail.hold")
def _find_next_due(game: HostedGame, now: datetime) -> datetime | None:
    """Return the next moment at which the host has to look at a game: if a turn is held, the end of the hold."""
    if game.turn_held:
        return game.turn_held.until
    return game_clock.find_next_moment(game.time, game.round_moment(now))


@cites("mail.hold")
def _play_held_turn(game: HostedGame, now: datetime) -> tuple[HostedGame, Waited | None]:
    """Play the held turn if it is time, dated by its mail; return the game after it, and what was played."""
    held, seat = game.turn_held, game.awaited
    if held is None or seat is None or held.until > now:
        return game, None
    reader, mail = game.find_reader(seat), Mail(Sender(seat), held.since)
    memory = game.memory.without_proposals("held", seat=seat).with_proposal(evolve(held, kind="waited"))
    game, results = game.with_memory(memory), list[OrderResult]()
    for line in sort_lines(OrderLine(text, reader.read_stored(text)) for text in held.lines):
        results.append(order_handlers.carry_out_order_line(game, line, mail))
        game = results[-1].game
    return play_forced_turns(game, now), Waited(seat, tuple(results))


@cites("post.clock.out", "post.clock.remind", "post.clock.grace", "post.stand-in", "post.adjourn")
def _handle_due_events(game: HostedGame, now: datetime) -> tuple[HostedGame, tuple[Announcement, ...], Waited | None]:
    """Handle all due events; return the game, announcements, and the held turn played, which stops the clock."""
    game, waited = _play_held_turn(play_forced_turns(game, now), now)
    announcements = tuple(each for result in waited.results for each in result.announcements) if waited else ()
    now = min(now, game.turn_held.since) if game.turn_held else now
    while (item := game_clock.find_due(game.time, game.round_moment(now))) and item.name not in game.memory.done:
        game = game.with_memory(evolve(game.memory, done=(*game.memory.done, item.name)[-MOST_DONE:]))
        announcements += _list_announcements(game, item)
        if item.kind == "pass":
            game = game.with_turn(find_mail_plugin(game.record.game).passing, now, item.note)
        elif item.kind == "adjourn":
            game = game.with_line(Adjourned(game.round_moment(now)))
        game = play_forced_turns(game, now)
    return game, announcements, waited


@cites("mail.hold")
def _write_receipt(game: HostedGame, waited: Waited, announcements: Sequence[Announcement], now: datetime) -> Letter:
    recipient, results = Recipient(game, waited.seat, now), waited.results
    about = _find_subject(game, Mail(Sender(waited.seat), now), results)
    orders = Orders(tuple(result.line for result in results))
    return ReplyWriter(results, recipient, orders, announcements, changed=True).write_reply(about=about)


def _list_announcements(game: HostedGame, item: Due) -> tuple[Announcement, ...]:
    own, whose = (item.seat,), f"{game.names[item.seat]}'s"
    match item.kind:
        case "pass":
            text = "Your time ran out, and the host passed for you."
            return (Announcement(own, text, tells=True, rule="post.clock.out", subject="the host passed for you"),)
        case "adjourn":
            what, subject = "time ran out, and the game is adjourned.", "adjourned"
            mine, theirs = (f"Your {what}", subject), (f"{whose} {what}", subject)
            return _tell_both(game, item.seat, mine, theirs, "post.adjourn")
        case "stand-in":
            what, subject = "time ran out, and the host offers the seat to somebody else.", "a seat is offered"
            until = "Until somebody takes it, {} may play."
            mine = f"Your {what} {until.format('you')}", subject
            theirs = f"{whose} {what} {until.format(game.names[item.seat])}", subject
            return _tell_both(game, item.seat, mine, theirs, "post.stand-in")
        case "reminder" | "grace":
            return (Announcement(own, "", asks=True),)


def _tell_both(
    game: HostedGame, seat: int, mine: tuple[str, str], theirs: tuple[str, str], rule: str, *, tells: bool = True
) -> tuple[Announcement, ...]:
    """Tell a seat and the others, each with a text and its subject."""
    return (
        Announcement((seat,), mine[0], tells=tells, rule=rule, subject=mine[1]),
        Announcement(game.list_others(seat), theirs[0], rule=rule, subject=theirs[1]),
    )


@cites("post.resign")
def _announce_stop(before: HostedGame, game: HostedGame) -> tuple[Announcement, ...]:
    seat = game.replay.position.to_act
    if not game.time.adjourned or before.time.adjourned or seat is None or game.time.seats[seat].plays:
        return ()
    text = f"{game.names[seat]} has resigned and cannot pass this turn: the game is adjourned."
    return (Announcement(tuple(game.seats), text, rule="post.resign", subject="adjourned"),)


@cites("post.end")
def announce_to_seats(
    game: HostedGame,
    announcements: Sequence[Announcement],
    now: datetime,
    answered: Collection[int] = (),
    *,
    ended: bool = False,
) -> Outcome:
    """Write the letters to everybody concerned, except to bots and to seats that are answered.

    The next player is asked once; the others get news as they wish, and announcements. When the game
    has just `ended`, everybody gets the last letter, also those whose seat somebody else has played.
    """
    gone = [Recipient(game, seat, now) for seat in (game.replaced if ended else ())]
    letters = list(map(game_letters.write_last_letter_to_former, gone))
    for seat in game.seats:
        if seat in answered or game.is_bot(seat):
            continue
        own = [each for each in announcements if seat in each.seats]
        recipient = Recipient(game, seat, now)
        tells = ended or any(each.tells for each in own)
        asks = seat == game.to_act and game.memory.asked != game.turn_id
        if recipient.may_act and any(each.asks for each in own):
            letters.append(game_letters.write_reminder(recipient, [each for each in own if not each.asks]))
        elif asks or (recipient.may_act and tells):
            letters.append(_delay_letter(recipient, game_letters.write_turn_letter(recipient, own), own))
        elif tells or _is_news(recipient):
            letter = game_letters.write_news_letter(recipient, own)
            letters.append(letter if game.time.over else _delay_letter(recipient, letter, own))
        else:
            letters += [_delay_letter(recipient, game_letters.write_words_only(recipient, own), own)] if own else []
            continue
        game = _mark_up_to_date(game, seat)
    asked = {seat for each in announcements if each.proposes for seat in each.seats}
    for index, letter in enumerate(letters):  # by a key of its own, a `yes` in reply accepts what it asks for
        offer = order_proposals.find_proposed_offer(game, letter.seat) if letter.seat in asked else None
        letters[index] = evolve(letter, offer=offer.id) if offer else letter
    return Outcome(game, tuple(letters), due=_find_next_due(game, now))


@cites("club.digest")
def _delay_letter(recipient: Recipient, letter: Letter, announcements: Sequence[Announcement]) -> Letter:
    """Let a letter wait for a digest if it may, with the sentences that the digest repeats."""
    may_wait = not any(each.more for each in announcements)  # those that ask for an answer say how
    return evolve(letter, may_wait=may_wait, said=repeat_announcements(recipient, announcements))


def _mark_up_to_date(game: HostedGame, seat: int) -> HostedGame:
    memory = game.memory.with_seat(seat, told=game.turns, notes=())
    return game.with_memory(evolve(memory, asked=game.turn_id) if seat == game.to_act else memory)


@cites("post.notify")
def _is_news(recipient: Recipient) -> bool:
    game, memory = recipient.game, recipient.memory
    if memory.told == game.turns:
        return False
    moments = game.replay.moments[memory.told + 1 :]
    decided = memory.wish != MY_TURNS and any(event.line for moment in moments for event in moment.events)
    return game.time.over or memory.wish == EVERY_TURN or decided
