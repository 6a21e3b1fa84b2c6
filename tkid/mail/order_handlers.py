"""Carry out each kind of order to a game, and answer its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from zoneinfo import ZoneInfo

from attrs import evolve

from tkid import rulebook
from tkid.kernel.problems import Problem
from tkid.mail import game_letters, letter_parts, order_machine, order_proposals
from tkid.mail.blocks import Blocks, Events, Excerpt, Facts, Paragraph, Rule, Samples, shorten_line
from tkid.mail.blocks import Turn as TurnBlock
from tkid.mail.hosted_game import EVERY_TURN, MY_TURNS, HostedGame
from tkid.mail.letter_parts import Announcement, Recipient, lower_sentence, write_message
from tkid.mail.model import IDS, OrderLine, Refusal
from tkid.mail.order_machine import (
    OVER,
    STALE,
    Handler,
    Mail,
    OrderResult,
    Request,
    carry_out,
    make_failed,
    refuse_order,
    refuse_when_over,
    report_done,
)
from tkid.mail.plans import Note, add_plan, cancel_plans, end_all_plans, end_by_own_turn
from tkid.mail.plugin import describe_early_result, find_mail_plugin
from tkid.notation.plugin import find_turn_reader
from tkid.notation.text import capitalize_text, count_noun_in_words
from tkid.notation.voice import Voice
from tkid.orders import order_values as o
from tkid.orders.days import read_offset, write_day, write_offset
from tkid.orders.order_kinds import BY_NAME, LISTED, find_order_kind, list_forms
from tkid.record.clock import DEFAULT
from tkid.record.clock_notes import BY_RESIGNATION, NOTHING_TO_PLAY, OUT_OF_TIME, Back, Resigned, Resumed, Zone
from tkid.record.clock_notes import Away as AwayLine
from tkid.record.format.model import Record
from tkid.record.format.plugin import find_record_plugin
from tkid.record.play.replay import append, find_early_end, list_end_reasons
from tkid.render.text import explain_game_result
from tkid.rulebook import cites
from tkid.rulebook.search import LIKELY, ask

MOST_RULES, MOST_ASKS = 2, 3
"""Maximum numbers of other rules listed below the best one, and of questions listed with it."""
PROGRAM, SEE_STATUS = "`tkid ", "To see where your game stands, reply `status`."
"""What an answer for people with the program has, and what answers people by mail."""
AUTOMATIC = frozenset({OUT_OF_TIME.why, NOTHING_TO_PLAY.why, BY_RESIGNATION.why})
"""Notes on turns that were passed without their player."""
Answer = tuple[str, Blocks]
"""The first sentence of an answer, which everybody may read, and what follows it."""


def describe_wish(game: HostedGame, level: str) -> str:
    wishes = {EVERY_TURN: "of every turn", MY_TURNS: "only when the game ends"}
    return wishes.get(level) or find_mail_plugin(game.record.game).news


def _answer_status(recipient: Recipient, _: str) -> Answer:
    game, memory = recipient.game, recipient.memory
    over = game_letters.describe_game_result(recipient)[1] if game.time.over else ""
    lead = over or letter_parts.name_next(recipient) or "The game is adjourned."
    text = f"You get news {describe_wish(game, memory.wish)}.{'' if memory.pictures else ' Your mails come without pictures.'}"
    if game.time.over:
        return lead, (Paragraph(text),)
    if game.time.clock is not None:
        announced = len(game.time.seats[recipient.seat].pauses) or "none"
        most = game.time.clock.away
        text += f" You can be away for {most} days in this game, and have announced {announced} of them."
    else:
        text = f"This game has no clock. {text}"
    text += order_proposals.describe_status(game)
    if not memory.plans:
        return lead, (Paragraph(f"{text} You have no plans."),)
    plans = tuple((str(plan.number), f"`{plan.text}`") for plan in memory.plans)
    return lead, (Paragraph(f"{text} Your plans:"), Events(plans))


def _answer_legal(recipient: Recipient, card: str) -> Answer:
    known = recipient.known
    if not recipient.may_act:
        over = recipient.game.time.over
        return f"{'The game is over' if over else 'It is not your turn'}, so you cannot play anything now.", ()
    introduction, turns = find_mail_plugin(known.record.game).list_playable(known, recipient.seat, card)
    lead = "These turns are legal now." if turns else "You have no legal turn like that now."
    return lead, (Paragraph(introduction), *([Samples(tuple(turns))] if turns else []))


@cites("post.order.rule")
def _answer_rules(recipient: Recipient, words: str) -> Answer:
    if rulebook.is_known_rule(words):
        return "This is the rule that you asked for.", _show_rule(rulebook.rule(words))
    if not words:
        return "Write `rules` and a question, such as `rules who wins a tie`.", ()
    found = ask(words, recipient.known.record.ruleset.code)
    best, *others = [rulebook.rule(hit.id) for hit in found.hits]
    items = tuple(("", f"{each.title or each.statement} [{each.id}]") for each in others[:MOST_RULES])
    if found.reply and not found.fits:
        return f"The rules don't say. {SEE_STATUS if PROGRAM in found.reply else found.reply}", ()
    if not found.fits:
        closest = Paragraph(_write_headline(best) or best.statement), Rule(best.id)
        return "The rules don't say. This rule comes closest.", closest
    said = [f"{'' if found.certain else f'{LIKELY}: '}{found.reply}"] if found.reply else []
    fits = "answers" if found.certain else "probably answers"
    said += [f"This rule {fits} `{shorten_line(words)}`.", f"This rule {fits} your question."]
    lead = letter_parts.choose_lead(*said)
    taken = tuple(Paragraph(f"I took `{typed}` as `{word}`.") for typed, word in found.corrected)
    more = (Paragraph("Other rules that fit:"), Events(items)) if items and not found.certain else ()
    is_in_lead = found.reply in lead
    headline = best.title if is_in_lead else _write_headline(best)
    reply = () if is_in_lead or found.reply == best.short else (Paragraph(found.reply),)
    return lead, (*taken, *reply, Paragraph(f"{headline.rstrip('.')}: {best.statement}"), Rule(best.id), *more)


def _show_rule(rule: rulebook.Rule) -> Blocks:
    why = rule.why or rule.reason
    texts = [_write_headline(rule), rule.statement, rule.means, f"Why: {why}" if why else ""]
    texts += [f"{question} {said}" for question, said in rule.asks[:MOST_ASKS]]
    texts.append(rule.question)
    for option, text in rule.options.items():
        texts.append(f"{option}{' (the default)' if option == rule.default else ''}: {text}.")
    texts.append(f"Source: {rule.source}.")
    return (*(Paragraph(text) for text in texts if text), Rule(rule.id))


def _write_headline(rule: rulebook.Rule) -> str:
    return f"{rule.title}: {rule.short}" if rule.title and rule.short else f"{rule.title}." if rule.title else ""


def _answer_why(recipient: Recipient, _: str) -> Answer:
    game, names = recipient.known.record.game, recipient.game.names
    end = find_early_end(recipient.known)
    early = [f"{text} [{rule}]" if rule else text for text, rule in list_end_reasons(end, Voice(names))] if end else []
    chain = early or explain_game_result(game, recipient.known.position, names)
    if chain:
        return game_letters.describe_game_result(recipient)[1], (Events(tuple(("", reason) for reason in chain)),)
    decided = tuple(
        (str(moment.turn.number), event.read(names))
        for moment in recipient.known.moments
        if moment.turn and not moment.turn.undone
        for event in moment.events
        if event.line
    )
    plugin = find_mail_plugin(game)
    return (plugin.history, (Events(decided),)) if decided else (plugin.no_history, ())


def _answer_history(recipient: Recipient, _: str) -> Answer:
    items = []
    for moment in recipient.known.moments:
        if moment.turn:
            number, _, line = moment.line.partition(" ")
            automatic = [note for note in moment.turn.notes if note in AUTOMATIC]
            notes = ["taken back"] if moment.turn.undone else automatic
            items.append((number, f"{line}{f' ({notes[0]})' if notes else ''} #{moment.hash}"))
            items += [("", event.read(recipient.game.names)) for event in moment.events if event.line]
    turns = capitalize_text(count_noun_in_words(len(recipient.known.record.turns), "turn"))
    verb = "has" if len(recipient.known.record.turns) == 1 else "have"
    end = find_early_end(recipient.known)
    items += [("", text) for text, _ in list_end_reasons(end, Voice(recipient.game.names))] if end else []
    return f"{turns} {verb} been played so far.", ((Events(tuple(items)),) if items else ())


def _answer_help(recipient: Recipient, topic: str) -> Answer:
    known, game = recipient.known, recipient.known.record.game
    plugin = find_mail_plugin(game)
    if topic:
        helps = {kind.name: kind.help or plugin.helps[kind.name] for kind in LISTED}
        every = {"turn": plugin.turn, **list_forms(o.find_order_language(game))}
        hosted = next(kind.hosted for kind in LISTED if kind.name == topic)
        alone = "" if recipient.game.is_hosted or hosted is not True else " This needs a host."
        how = Paragraph(f"How to write it: {every[topic]}.{alone}")
        return f"This is about `{topic}`.", (Paragraph(f"{capitalize_text(helps[topic])}."), how)
    hosted_words = {word for kind in LISTED if kind.hosted is True for word in kind.words}
    rows = tuple(
        (aim, example)
        for aim, example in (*plugin.list_aims(known, recipient.seat), *AIMS)
        if recipient.game.is_hosted or example.split(" ", 1)[0].rstrip("?") not in hosted_words
    )
    lead = "Reply with one line, such as a turn. Here is everything you can write."
    more = "Other lines change nothing. `help draft` explains one order."
    return lead, (Facts(rows), Paragraph(f"{plugin.explain_shorthand(known)} {more}"))


def answer_help_topic(game: HostedGame, mail: Mail, kind: str) -> Blocks:
    return _answer_help(Recipient(game, mail.seat, mail.now), kind)[1]


AIMS = (
    ("See time, plans, mails", "status"),
    ("See all turns, or why", "history, or why"),
    ("Look up a rule", "rules summon"),
    ("Write to the players", "say to all: Hello!, or say to 1: Hello!"),
    ("End your plans", "cancel all"),
    ("Be away; your time zone", "away 2026-12-20 to 2026-12-27, or time zone +02:00"),
    ("Take a turn back", "undo?"),
    ("Get more or less mail", "notify my turns, or notify every turn"),
    ("End or pause it together", "agree draw, or pause until 2026-12-20"),
    ("Give up the game", "resign"),
)
"""Aims of a player in any game, and the lines that reach them."""

ANSWERS: dict[str, Callable[[Recipient, str], Answer]] = {
    "status": _answer_status,
    "legal": _answer_legal,
    "rules": _answer_rules,
    "why": _answer_why,
    "history": _answer_history,
    "help": _answer_help,
}


@cites("post.adjourn", "post.pause.turn")
def _play_turn(request: Request[o.Turn], game: HostedGame) -> OrderResult:
    """Play a turn. An adjourned game continues with it; a pause does not end."""
    order, line, mail = request.order, request.line, request.mail
    if early := refuse_not_due(game, line, mail):
        return OrderResult(problems=(early,))
    known = game.view_as(mail.seat)
    read = find_turn_reader(known.record.game, known.record.names).read_turn(line.typed)
    typed = order.text if read.problems else line.typed
    problems = tuple(append(known, typed).problems)
    if problems:
        result = OrderResult("", letter_parts.show_problem(typed, problems), problems=problems, game=game, shown=typed)
        return result.add_turns(mail.seat, typed)
    if game.time.adjourned:
        game = game.with_line(Resumed(game.round_moment(mail.now)))
    mine = game.memory.seats[mail.seat]
    changed = end_by_own_turn(known, mail.seat, mine.plans)
    notes = (*mine.notes, *(note.sentence for note in changed.notes))
    game = game.with_seat_memory(mail.seat, plans=changed.plans, notes=notes)
    return OrderResult(game=game.with_turn(order.text, mail.now))


def refuse_not_due(game: HostedGame, line: OrderLine, mail: Mail) -> Problem | None:
    position, ids = game.replay.position, game.record.game.ids
    rules = find_record_plugin(game.record.game).rules
    if game.time.over and position.to_act is not None:
        ended = describe_early_result(game.replay, None)[1].removesuffix(".")
        return line.make_problem("post.order.over", ended if ended.startswith(OVER) else f"{OVER}. {ended}")
    if position.to_act is None:
        return line.make_problem(ids(rules.over), f"{OVER}: {position.ending}")
    if position.to_act != mail.seat:
        message = f"It is {game.names[position.to_act]}'s turn, not {game.names[mail.seat]}'s"
        return line.make_problem(ids(rules.order), message)
    return None


@cites("post.draft")
def _check_draft(request: Request[o.Draft], game: HostedGame) -> OrderResult:
    order, line, mail = request.order, request.line, request.mail
    if early := refuse_not_due(game, line, mail):
        why = "the game is over" if game.time.over else "it is not your turn"
        return _refuse_draft(game, f"Nothing was checked: {why}.", (early,), line.typed)
    turn = order.turn.text
    after = append(game.view_as(mail.seat), turn)
    if after.problems:
        lead = "This turn would not be legal now. Nothing has been played."
        return _refuse_draft(game, lead, tuple(after.problems), turn).add_turns(mail.seat, turn)
    follows = Events((letter_parts.number_turn(after, -1, mail.seat),))
    secret = ", as far as you can know" if game.record.game.secret else ""
    lead = "This turn is legal now. Nothing has been played."
    send, would = "To play it, send this line:", f"What would happen{secret}:"
    result = report_done(lead, send, Samples((turn,)), would, follows, game=game, rule="post.draft")
    return evolve(result, shows_turns=True)


def _refuse_draft(game: HostedGame, lead: str, problems: tuple[Problem, ...], typed: str) -> OrderResult:
    why = Paragraph(write_message(letter_parts.choose_problem(problems).message))
    return OrderResult(lead, (why, *letter_parts.show_problem(typed, problems)), problems=problems, game=game)


def _save_plan(request: Request[o.Standing | o.Planned], game: HostedGame) -> OrderResult:
    seat = request.seat
    mine = game.memory.seats[seat]
    changed = add_plan(game.view_as(seat), seat, mine.plans, request.order, mine.last_plan)
    if changed.problems:
        return OrderResult(problems=tuple(changed.problems))
    last = max(plan.number for plan in changed.plans)
    memory = game.memory.with_seat(seat, plans=changed.plans, last_plan=max(last, mine.last_plan))
    after, lead = game.with_memory(evolve(memory, looked="")), "Your plan is saved. Only you can see it."
    return report_done(lead, _list_events(changed.notes), game=after, rule="post.plan")


def _cancel_plans(request: Request[o.Cancel], game: HostedGame) -> OrderResult:
    seat = request.seat
    if request.order.what == "away":
        return _end_absence(request, game)
    mine = game.memory.seats[seat]
    changed = cancel_plans(game.view_as(seat), seat, mine.plans, request.order)
    if changed.problems:
        return OrderResult(problems=tuple(changed.problems))
    nothing = "There was no such plan to cancel." if mine.plans else "You had no plans to cancel."
    after = game.with_seat_memory(seat, plans=changed.plans)
    notes = [_list_events(changed.notes)] if changed.notes else []
    return report_done("Your plans are cancelled." if notes else nothing, *notes, game=after, rule="post.plan.ends")


def _list_events(notes: Iterable[Note]) -> Events:
    return Events(tuple(("", note.sentence) for note in notes))


@cites("post.away", "post.away.late", "post.away.most")
def _announce_absence(request: Request[o.Away], game: HostedGame) -> OrderResult:
    order, mail = request.order, request.mail
    first, last = write_day(order.first), write_day(order.last)
    allowed, before = (game.time.clock or DEFAULT).away, set(game.time.seats[mail.seat].pauses)
    after = game.with_line(AwayLine(mail.seat, order.first, order.last, game.round_moment(mail.now)))
    days, announced = len(set(after.time.seats[mail.seat].pauses) - before), (order.last - order.first).days + 1
    if not days:
        rule, why = "post.away.late", "You have announced these days already, or they have begun"
        if len(before) >= allowed:
            rule, why = "post.away.most", f"You have used up your {allowed} days of absence"
        raise refuse_order(rule, why, "An absence can start tomorrow at the earliest.")
    if game.time.clock is None:
        what = "This game has no clock."
    elif days == announced:
        what = f"Your clock stops on {'this day' if days == 1 else f'these {days} days'}."
    else:
        what = (
            f"Your clock stops on {days} of these {announced} days. Days that have begun, that you announced "
            f"before, or that go beyond the {allowed} days of a game do not count."
        )
    lead = f"You are away {f'from {first} to {last}' if first != last else f'on {first}'}."
    return report_done(lead, what, game=after, rule="post.away")


@cites("post.clock.zone")
def _change_zone(request: Request[o.TimeZone], game: HostedGame) -> OrderResult:
    zone, mail = request.order.zone, request.mail
    ahead = read_offset(zone)
    if ahead is None:
        ahead = mail.now.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()
    after = game.with_line(Zone(mail.seat, ahead, game.round_moment(mail.now)))
    since = "From your next turn on, days" if after.time.seats[mail.seat].ahead != ahead else "Days"
    what = f"{since} without a clock begin and end at midnight there, and so do days away that you announce."
    summer = ["When your clocks change, send the order again."] if ahead != timedelta() else []
    lead = f"Your time zone is UTC{write_offset(ahead)}."
    return report_done(lead, what, *summer, game=after, rule="post.clock.zone")


@cites("post.back")
def _end_absence(request: Request[o.Cancel], game: HostedGame) -> OrderResult:
    now, time = game.round_moment(request.now), game.time.seats[request.seat]
    if time.stand_in is not None:
        why = "You play for somebody else, and only the player can cancel an absence"
        raise refuse_order("post.back", why, "To give the seat back, send `resign`.")
    if not any(pause.end > now for pause in time.pauses):
        return report_done("You have not announced any days away.", game=game, rule="post.back")
    lead = "You are back, and your clock is running again."
    return report_done(lead, game=game.with_line(Back(request.seat, now)), rule="post.back")


@cites("post.notify")
def _change_news(request: Request[o.Notify], game: HostedGame) -> OrderResult:
    order = request.order
    if order.level in {o.PICTURES, o.NO_PICTURES}:
        after = game.with_seat_memory(request.seat, pictures=order.level == o.PICTURES)
        how = "with a picture of the board" if order.level == o.PICTURES else "without pictures"
        return report_done(f"From now on your mails come {how}.", game=after, rule="post.notify")
    after = game.with_seat_memory(request.seat, wish=order.level)
    told = f"From now on you get news {describe_wish(game, order.level)}."
    asked = "You still get a mail when it is your turn."
    lead, *more = [told, asked] if order.level == EVERY_TURN else [asked, told]
    lead, more = (told, []) if game.time.over else (lead, more)
    return report_done(lead, *more, game=after, rule="post.notify")


@cites("post.resign")
def _resign_seat(request: Request[o.Resign], game: HostedGame) -> OrderResult:
    seat = request.seat
    if game.time.seats[seat].stand_in is not None:
        return _give_seat_back(request, game)
    mine, name = game.memory.seats[seat], game.names[seat]
    ended = tuple(note.sentence for note in end_all_plans(mine.plans, "you have resigned", "post.resign"))
    after = game.with_seat_memory(seat, plans=(), notes=(*mine.notes, *ended))
    after = after.with_line(Resigned(seat, game.round_moment(request.now)))
    passes = () if after.time.over else ("The host passes for you from now on.",)
    text = f"{name} has resigned"
    others, over = game.list_others(seat), after.time.over
    gives_up = Announcement(others, f"{text}.", tells=over, rule="post.resign", subject=text)
    settled, also, told = _drop_waiting(after, request.mail)
    told = (gives_up, *told)
    return report_done("You have resigned.", *passes, *also, game=settled, rule="post.resign", announcements=told)


@cites("post.stand-in.leave")
def _give_seat_back(request: Request[o.Resign], game: HostedGame) -> OrderResult:
    """Let a stand-in leave. The game stays the player's; the seat is not resigned."""
    after, told = order_machine.give_back_seat(game, request.seat, request.now)
    if after.time.seats[request.seat].gone:
        after, _, also = _drop_waiting(after, request.mail)
        told = (*told, *also)
    lead = f"You no longer play for {game.names[request.seat]}."
    return report_done(lead, game=after, rule="post.stand-in.leave", announcements=told)


def _drop_waiting(game: HostedGame, mail: Mail) -> tuple[HostedGame, tuple[str, ...], tuple[Announcement, ...]]:
    """Drop what waited for a seat without a player; return the game, the lines of the answer, and announcements."""
    settled = order_proposals.settle_after_resignation(game, mail.seat, mail.now)
    also = tuple(each.lead for each in settled if each.lead)
    return settled[-1].game, also, tuple(told for each in settled for told in each.announcements)


@cites("post.say")
def _send_words(request: Request[o.Say], game: HostedGame) -> OrderResult:
    order = request.order
    everybody = order.to == "all"
    seats = tuple(seat for seat in game.list_others(request.seat) if everybody or seat == order.to)
    whom = "everybody" if everybody and len(seats) > 1 else game.names[seats[0]]
    told = (Announcement(seats, order.text, request.seat, everybody),)
    return report_done(f"Your message went to {whom}.", game=game, rule="post.say", announcements=told)


def _answer_question(request: Request[o.Ask], game: HostedGame) -> OrderResult:
    order, recipient = request.order, Recipient(game, request.seat, request.now)
    lead, blocks = ANSWERS[order.kind](recipient, order.argument)
    return evolve(report_done(lead, *blocks, game=game), shows_turns=order.kind == "legal" and recipient.may_act)


HANDLERS: Mapping[str, Handler] = {
    "turn": _play_turn,
    "draft": _check_draft,
    "standing": _save_plan,
    "plan": _save_plan,
    "cancel": _cancel_plans,
    "away": _announce_absence,
    "zone": _change_zone,
    "notify": _change_news,
    "resign": _resign_seat,
    "say": _send_words,
    **dict.fromkeys(("undo", "agree", "pause"), order_proposals.handle_proposal),
    **dict.fromkeys(ANSWERS, _answer_question),
}


OTHERS = "post.order", "mail."
"""First words of the ids of rules that are about lines and mails, and not about a turn."""
SENDER, ONE_SEAT = IDS("sender"), IDS("one-seat")


def find_sender_seat(record: Record, sender: str) -> int | Refusal:
    """Return the seat of a sender's address; a refusal for a stranger, and for an address of several seats."""
    seats = [index for index, seat in enumerate(record.seats) if seat.address.lower() == sender.lower()]
    if len(seats) == 1:
        return seats[0]
    if not seats:
        return Refusal(SENDER, f"{sender} is not a player in this game")
    names = " and ".join(record.names[seat] for seat in seats)
    return Refusal(ONE_SEAT, f"{sender} is the address of {names}, so it is not clear who wrote")


def carry_out_order_line(game: HostedGame, line: OrderLine, mail: Mail) -> OrderResult:
    """Carry out a line, or say why not. The game doesn't change if there are problems."""
    order = line.order
    if order is None:
        if early := _refuse_out_of_turn(game, line, mail):
            return early
        if over := refuse_when_over(game, BY_NAME.get(line.kind), line):
            return make_failed(game, line, [over])
        result = make_failed(game, line, line.read.problems)
        shows_turns = line.kind in {"turn", ""} and game.awaited == mail.seat
        return result.add_turns(mail.seat, line.typed) if shows_turns else result
    result = carry_out(Request(order, find_order_kind(order), mail, line), game, HANDLERS, game)
    is_stale = any(each.rule == STALE for each in result.problems)
    return evolve(result, blocks=(*result.blocks, *_describe_taken_turn(game, mail))) if is_stale else result


@cites("mail.answer.order")
def _refuse_out_of_turn(game: HostedGame, line: OrderLine, mail: Mail) -> OrderResult | None:
    """Refuse a turn with an error from a sender who may not act now; that comes first, the error second."""
    wrong = line.read.problems[0]
    is_turn = line.kind in {"turn", ""} and not wrong.rule.startswith(OTHERS)
    early = refuse_not_due(game, line, mail) if is_turn else None
    if early is None:
        return None
    error = f"Your line has an error too: {write_message(lower_sentence(wrong.message))}"
    also = f"{error} {wrong.hint}".rstrip()
    line = evolve(line, read=evolve(line.read, kind="turn"))
    blocks = Excerpt(line.typed, wrong.col, wrong.length), Paragraph(also)
    return OrderResult("", blocks, problems=(early,), line=line, game=game)


def _describe_taken_turn(game: HostedGame, mail: Mail) -> Blocks:
    for moment in game.view_as(mail.seat).moments:
        if mail.marker and moment.turn and moment.turn.number == mail.marker.turn:
            out = OUT_OF_TIME.why in moment.turn.notes
            message = "The host passed for you in that turn:" if out else "That turn has been played:"
            return Paragraph(message), TurnBlock(moment.line, moment.hash)
    return ()
