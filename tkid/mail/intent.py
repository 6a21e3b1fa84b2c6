"""Decide which orders of a mail are carried out at once, from all that its sender wrote.

The judge (`tkid.notation.judge`) reads the sender's own words as one text. Orders in doubt become a question. At a host, a turn
beside an unknown sentence is held for a while, so that its sender can stop it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail import order_handlers, order_offers
from tkid.mail.blocks import quote_lines, shorten_line
from tkid.mail.hosted_game import HostedGame, Proposal
from tkid.mail.model import IDS, Line, OrderLine, Orders
from tkid.mail.order_answers import Case, Question, describe_hold
from tkid.mail.order_finder import ONE_TURN, OrderReader, find_answer, is_possibly_broken, sort_lines
from tkid.mail.order_machine import Mail, OrderResult, make_refused
from tkid.mail.quotation import split_lower_words, strip_line, trim_spaces
from tkid.notation import judge
from tkid.notation.free_text import is_pass
from tkid.notation.judge import Evidence, Verdict
from tkid.notation.plugin import find_free_reader
from tkid.notation.text import single_space
from tkid.orders.forms import is_single_slip
from tkid.orders.order_kinds import BY_NAME, KINDS, find_order_kind
from tkid.orders.order_reader import EMOJI, LONGEST_ORDER, QUESTION_MARKS, SIGNS_AT_END
from tkid.orders.order_values import Agree, Cancel, Planned, Resign, Standing, Turn, Undo
from tkid.record.clock import DAY, PerTurn
from tkid.record.clock_notes import OUT_OF_TIME, find_noted_time, make_note_reader
from tkid.rulebook import cites
from tkid.rulebook.search import ask

DOUBT, HOLD = IDS("doubt"), IDS("hold")
ORDER = "order"
"""The class of evidence that is an order of its own."""
TAIL = re.compile(rf"(?:\s*[(,.!]|\s+[-–—]|\s*[{EMOJI}]+)\s*(?=[^\W\d_])")
"""The beginning of a remark behind a turn on its line."""
LABEL = re.compile(
    r"(?:[:.,)\]…]|\s[-–—]|\b(?:then|dann|alors|entonces|dan|allora|wtedy|então|either|entweder|soit|albo)|^(?:or|oder|ou|o|of|lub))\s+",
    re.IGNORECASE,
)
"""The end of words before a turn on its line, as in `1) Pass` or `no, Pass`."""
ALTERNATIVE = re.compile(r"\s+(?:or|oder|ou|o|of|oppure|lub|albo)\s+|\?\s+", re.IGNORECASE)
"""What stands between two turns on a line."""
MOST_LABELS, MOST_LABELLED = 6, 12
"""Ends of words on a line where a turn may begin, and lines that are looked at."""
NOT_PLAYED, PLAYED = "The turn that waited is not played.", "The turn that waited has been played."
MINUTE = timedelta(minutes=1)
NO_EVIDENCE = Verdict()
ABOUT_TURN = "i my me mine we our us you your this that these those it here there now then or but".split()  # noqa: SIM905 - words read better so
"""Words that may refer to the turn, in a question beside it."""


@frozen
class Decision:
    """The orders of a mail that are carried out, held, or asked about."""

    game: HostedGame
    lines: tuple[OrderLine, ...]
    since: datetime
    question: Question | None = None
    problem: Problem | None = None
    refused: tuple[OrderResult, ...] = ()
    notes: tuple[str, ...] = ()
    stops: bool = False


@cites("mail.doubt", "mail.one-turn")
def decide_orders(
    game: HostedGame, mail: Mail, reply: order_offers.OfferAnswer, hold: timedelta, *, resigns: bool
) -> Decision:
    """Decide which orders are carried out at once; return the game, their lines, and the question about the others.

    `game` is the game before the mail, and `hold` how long a turn is held beside unknown sentences. If the mail `resigns`,
    a held turn does not go out.
    """
    orders = mail.orders
    given, tail = _split_off_tail(game, mail, (*orders.lines, *reply.lines))
    given = _list_behind_labels(game, mail, given)
    held = game.turn_held if game.awaited == mail.seat else None
    since = held.since if held else mail.now
    plays = held is not None or any(isinstance(line.order, Turn) for line in given)
    withdrawn = [line for line in given if _is_withdrawing(game, mail, line, plays=plays)]
    others = [line for line in given if line not in withdrawn]
    binding = [line for line in others if order_offers.is_binding(line) or line in reply.lines]
    if not (binding or held):
        withdrawn, others = [], list(given)
    typed = {line.typed for line in (*binding, *withdrawn)}
    rest = tuple(line for line in sort_lines(given) if line.typed not in typed)
    answers = reply.settled is not None
    verdict = judge_mail(game, orders, others, tail, answers=answers) if binding or held else NO_EVIDENCE
    against = [*withdrawn, *(order_offers.find_resignation(orders) if binding and not resigns else ())]
    if against:
        verdict = Verdict("ask", (*(Evidence(ORDER, line.typed) for line in against), *verdict.evidence))
    turns = [line for line in given if line.kind == "turn"]
    replies = held is not None and mail.offer_id == held.id
    is_unclear = verdict.act != "play" or (replies and orders.answer != "yes" and bool(orders.remark))
    stops = held is not None and (resigns or is_unclear or orders.answer == "no" or bool(turns))
    played = Decision(
        game.with_memory(game.memory.without_proposals("held", seat=mail.seat)) if stops else game,
        sort_lines(given if binding else others),
        since if turns else mail.now,
        notes=(NOT_PLAYED,) if stops and (resigns or (binding and not turns)) else (),
        stops=stops,
    )
    if not binding:
        return _ask_about_held(played, held, orders, verdict) if stops and not resigns else _report_late(played, mail)
    left = [line for line in withdrawn if isinstance(line.order, Cancel) or line.order == Undo("ask")]
    failed = [line for line in withdrawn if line not in left]
    if resigns and verdict.act == "ask":
        notes = (*played.notes, *_list_left_out(game, mail, (*binding, *left), ()))
        return evolve(played, lines=sort_lines((*rest, *failed)), notes=notes)
    asked = _ask_which_turn(game, mail, binding)
    if asked is not None:
        others = [line for line in binding if not isinstance(line.order, Turn)]
        plans = [line for line in others if verdict.act == "ask" or isinstance(line.order, Planned | Standing)]
        done = sort_lines((*rest, *failed, *(line for line in others if line not in plans)))
        turns += [*plans, *left]
        why = _report_doubt(binding[0], "You wrote several turns", ONE_TURN)
        notes = _list_left_out(game, mail, turns, asked.lines)
        return evolve(played, lines=done, question=asked, problem=why, notes=notes)
    hold = hold if game.is_hosted and _has_time(game) else timedelta()
    repeats = bool(reply.lines) and (verdict.is_doubtful or (is_unclear and replies))
    if verdict.act == "ask" or (verdict.is_doubtful and not hold) or repeats:
        return _ask_about_orders(game, mail, binding, left, evolve(played, lines=rest), verdict) or played
    return _hold_unknown(game, mail, binding, played, rest, hold, verdict) if verdict.act == "hold" else played


@cites("mail.doubt")
def ask_about_doubted(mail: Mail, reply: order_offers.OfferAnswer, decision: Decision) -> Decision:
    """Ask whether orders that can't be held are meant, if a sentence of a mail without a turn casts doubt on them."""
    question, orders = decision.question, mail.orders
    given = (*orders.lines, *reply.lines)
    binding = [line for line in decision.lines if order_offers.is_binding(line)]
    doubted = [line for line in given if line in reply.lines or line in binding]
    may_ask = doubted and decision.game.is_hosted and (question is None or question.case == "held")
    if not may_ask or any(isinstance(line.order, Turn) for line in orders.lines):
        return decision
    verdict = judge_mail(decision.game, orders, given, answers=bool(reply.lines))
    if not order_offers.is_uncertain(verdict):
        return decision
    wrote = quote_lines(each.text for each in verdict.evidence)
    if any(line.order == Resign() for line in doubted):
        asked = order_offers.ask_whether_to_resign(decision.game, mail.seat, wrote)
    elif texts := order_offers.list_possible_orders(decision.game, mail, doubted):
        case: Case = "meant" if any(isinstance(line.order, Turn) for line in doubted) else "orders"
        asked = Question(case, texts, also=wrote)
    else:
        return decision
    why = doubted[0].make_problem(DOUBT, "You also wrote something that casts doubt on it")
    left = tuple(line for line in decision.lines if line not in doubted)
    return evolve(decision, lines=left, question=asked, problem=why)


@cites("mail.hold")
def _ask_about_held(decision: Decision, held: Proposal | None, orders: Orders, verdict: Verdict) -> Decision:
    """Ask whether a held turn is meant that a mail has stopped, unless the mail withdraws it; a `no` has its own answer."""
    if held is None or orders.answer == "no":
        return decision
    if any(each.kind in {ORDER, "withdraw"} for each in verdict.evidence):
        return evolve(decision, question=Question("no"))
    wrote = _quote_evidence(verdict, orders.own) or quote_lines(orders.remark)
    return evolve(decision, question=Question("meant", held.lines, also=wrote))


@cites("mail.hold")
def find_played(game: HostedGame, mail: Mail) -> datetime | None:
    """Return when the turn was played that a mail is about: the one that the answered letter asked for or reports."""
    mine = [turn for turn in game.record.turns if turn.seat == mail.seat and not turn.undone]
    if mail.marker is None or not mine or OUT_OF_TIME.why in mine[-1].notes:
        return None
    number, asked = mine[-1].number, mail.marker.turn
    if number != asked and (number != asked - 1 or game.awaited == mail.seat):
        return None
    held = game.memory.find_proposal("waited", mail.seat)
    if held is not None and held.turn == number:
        return held.until
    return find_noted_time(make_note_reader(game.names), mine[-1])


@cites("mail.hold")
def _report_late(decision: Decision, mail: Mail) -> Decision:
    orders = mail.orders
    has_order = any(line.order is not None for line in orders.lines)
    may_be_late = decision.game.is_hosted and not (has_order or order_offers.has_doubted_turn(decision.game, mail))
    played = find_played(decision.game, mail) if may_be_late else None
    if played is None:
        return decision
    verdict = judge_mail(decision.game, orders, orders.lines) if not orders.answer else NO_EVIDENCE
    if orders.answer != "no" and (not verdict.is_doubtful or _is_question(decision.game, mail, verdict)):
        return decision
    return evolve(decision, lines=(), question=Question("late", until=played))


def _is_question(game: HostedGame, mail: Mail, verdict: Verdict) -> bool:
    """Return True if the doubts in a mail are only questions, and one has an answer that is not about the rules."""
    doubts = [each for each in verdict.evidence if each.kind != "unknown"]
    if any(each.kind == "withdraw" or not each.text.rstrip().endswith(QUESTION_MARKS) for each in doubts):
        return False
    answers = order_offers.answer_mail_questions(game, mail, Question("late"))
    answered = [each for each in answers if each.lead != order_offers.NO_RULE and each.line.kind != "rules"]
    return verdict.act == "hold" or bool(answered)


def _ask_about_orders(  # noqa: PLR0917 - the orders, those that are left out, and why
    game: HostedGame,
    mail: Mail,
    binding: Sequence[OrderLine],
    left: Sequence[OrderLine],
    decision: Decision,
    verdict: Verdict,
) -> Decision | None:
    """Ask whether doubtful orders are meant; return None if none of them could be carried out."""
    lines, wrote = order_offers.list_possible_orders(game, mail, binding), _quote_evidence(verdict, mail.orders.own)
    case: Case = "meant" if _have_turn(game, mail, lines) else "orders"
    final = [line for line in binding if _is_final(line)]
    message = "You also wrote something that casts doubt on it"
    if any(line.order == Resign() for line in final) and not lines:
        asked = order_offers.ask_whether_to_resign(game, mail.seat, wrote)
        return evolve(decision, question=asked, problem=_report_doubt(final[0], message))
    results = tuple(make_refused(game, line, [_report_doubt(line, f"{message}: `{wrote}`")]) for line in final)
    if not (lines or results):
        return None
    question = Question(case, lines, also=wrote) if lines else None
    why = None if results else _report_doubt(binding[0], message)
    notes = _list_left_out(game, mail, (*binding, *left), lines)
    return evolve(decision, question=question, refused=results, problem=why, notes=notes)


def _hold_unknown(  # noqa: PLR0917 - the orders, the other orders' results, and the time
    game: HostedGame,
    mail: Mail,
    binding: Sequence[OrderLine],
    decision: Decision,
    rest: tuple[OrderLine, ...],
    hold: timedelta,
    verdict: Verdict,
) -> Decision:
    """Hold a turn beside unknown words. If it can't be held, play it; without a host, add a note."""
    lines, wrote = order_offers.list_possible_orders(game, mail, binding), _quote_evidence(verdict, mail.orders.own)
    if not _have_turn(game, mail, lines):
        return decision
    if not game.is_hosted:
        message = f"The sender also wrote `{wrote}`"
        remark = f"You also wrote `{wrote}`. The host read it as a remark."
        return evolve(decision, notes=(remark,), problem=Problem(Kind.SYNTAX, HOLD, message))
    if not hold:
        return decision
    until = (mail.now + hold + MINUTE - timedelta(microseconds=1)).replace(second=0, microsecond=0)
    question, notes = Question("held", lines, also=wrote, until=until), _list_left_out(game, mail, binding, lines)
    return evolve(decision, lines=rest, question=question, notes=notes)


def _list_left_out(
    game: HostedGame, mail: Mail, binding: Sequence[OrderLine], offered: Sequence[str]
) -> tuple[str, ...]:
    reader = game.find_reader(mail.seat)
    orders = (line.order for line in binding if not _is_final(line))
    written = dict.fromkeys(reader.write_order(order) for order in orders if order is not None)
    left = ", ".join(f"`{shorten_line(text)}`" for text in written if text not in offered)
    return (f"Not done: {left}.",) if left else ()


def _is_final(line: OrderLine) -> bool:
    return line.order is not None and line.order in find_order_kind(line.order).final


@cites("mail.doubt")
def _is_withdrawing(game: HostedGame, mail: Mail, line: OrderLine, *, plays: bool) -> bool:
    """Return True if an order withdraws the others: it has an error, or beside a turn it is idle or an undo."""
    order = line.order
    if any(each.rule == order_offers.PUT_OFF for each in line.read.problems):
        return False
    if order is None:
        return _is_meant_to_withdraw(line, plays=plays)
    if plays and isinstance(order, Cancel) and len(split_lower_words(line.typed)) == 1:
        return True
    is_cancel = isinstance(order, Cancel) and game.is_hosted
    if not (plays and (is_cancel or isinstance(order, Undo) or order == Agree("refuse"))):
        return False
    result = order_handlers.carry_out_order_line(game, line, mail)
    return order == Undo("ask") or (result.game.record, result.game.memory) == (game.record, game.memory)


def _is_meant_to_withdraw(line: OrderLine, *, plays: bool) -> bool:
    words, row = split_lower_words(line.typed), BY_NAME.get(line.kind)
    if row is None:
        return bool(words) and any(is_single_slip(words[0], each.name) for each in KINDS if each.may_withdraw)
    if row.name == "plan" and plays and ":" not in line.typed:  # a condition of the turn, or another one
        return True
    return row.may_withdraw and not (row.is_sure_with_date and any(map(str.isdigit, line.typed)))


def _have_turn(game: HostedGame, mail: Mail, lines: Sequence[str]) -> bool:
    return any(isinstance(game.find_reader(mail.seat).read_stored(text).order, Turn) for text in lines)


def _report_doubt(line: OrderLine, message: str, rule: str = DOUBT) -> Problem:
    return line.make_problem(rule, message, "If you mean it, send it alone.", Kind.SYNTAX)


def _ask_which_turn(game: HostedGame, mail: Mail, binding: Sequence[OrderLine]) -> Question | None:
    """Ask which of several turns is meant; return None if there is only one, or none is legal."""
    reader = game.find_reader(mail.seat)
    turns = {reader.write_order(line.order): line for line in binding if isinstance(line.order, Turn)}
    if len(turns) < 2 or game.awaited != mail.seat or not order_offers.is_current(game, mail):
        return None
    each = [order_offers.list_possible_orders(game, mail, [line]) for line in turns.values()]
    legal = tuple(text for texts in each for text in texts)[: order_offers.MAX_OFFERED]
    if not each[0]:  # the answer says why the first one cannot be played
        return None
    typed = "\n".join(filter(None, mail.orders.own))
    return Question("which" if len(legal) > 1 else "meant", legal, choice=len(legal) > 1, typed=typed)


def _quote_evidence(verdict: Verdict, own: Sequence[str]) -> str:
    """Quote the first sentences that are evidence as the sender's own lines have them, those that follow each other as one."""
    most = max(2, sum(each.kind == ORDER for each in verdict.evidence))
    running, quoted = single_space(" ".join(own)), list[str]()
    chosen = list(islice(dict.fromkeys(single_space(each.text) for each in verdict.evidence), most))
    for text in sorted(chosen, key=running.find):
        whole = f"{quoted[-1]} {text}" if quoted else text
        if quoted and whole in running and shorten_line(whole) == whole:
            quoted[-1] = whole
        else:
            quoted.append(text)
    return quote_lines(quoted, most)


@cites("mail.hold")
def _has_time(game: HostedGame) -> bool:
    clock = game.time.clock
    return clock is None or not isinstance(clock.time, PerTurn) or clock.time.time >= DAY


@cites("mail.one-turn")
def _list_behind_labels(game: HostedGame, mail: Mail, lines: Sequence[OrderLine]) -> Sequence[OrderLine]:
    """Return the lines of a mail with the turns that stand beside other words, if a question names several: `1) Pass`."""
    reader = game.find_reader(mail.seat)
    whole = [line for line in lines if line.order is not None]
    read = [single_space(line.typed) for line in whole]
    own = [text for text in mail.orders.own if not any(single_space(strip_line(text)) in typed for typed in read)]
    found = [] if mail.orders.differing else list(_list_labelled_turns(reader, own[:MOST_LABELLED]))
    turns = [line for line in (*whole, *found) if isinstance(line.order, Turn)]
    if not found or _ask_which_turn(game, mail, turns) is None:
        return lines
    taken = single_space(" ".join(own))
    left = (line for line in lines if line.order is None and single_space(line.typed) not in taken)
    return (*whole, *found, *left)


def _list_labelled_turns(reader: OrderReader, own: Sequence[str]) -> Iterator[OrderLine]:
    """Yield the turns beside other words, also those that a mail program or the sender has broken into two lines."""
    joined = 0
    for at, text in enumerate(own):
        if at < joined:
            continue
        found = _list_turns_of_line(reader, text)
        below = own[at + 1] if at + 1 < len(own) else ""
        if not found and text and below and (is_possibly_broken(text, below) or text.rstrip().endswith((";", ","))):
            found = _list_turns_of_line(reader, f"{text} {below}")
            joined = at + 2 if found else at
        yield from found


def _list_turns_of_line(reader: OrderReader, text: str) -> list[OrderLine]:
    """List the turns of a line between which it lets choose, or those behind labels and before remarks."""
    parts = [part for part in ALTERNATIVE.split(text) if part.strip()][:MOST_LABELS]
    found = [list(_find_labelled_turns(reader, part)) for part in parts]
    return list(chain(*found)) if all(found) else list(_find_labelled_turns(reader, text))


def _find_labelled_turns(reader: OrderReader, text: str) -> Iterator[OrderLine]:
    text, done = text[:LONGEST_ORDER], 0
    for begin in (0, *(label.end() for label in islice(LABEL.finditer(text), MOST_LABELS))):
        ends = (len(text), *(tail.start() for tail in reversed(list(TAIL.finditer(text, begin)))))
        read = ((end, _read_turn(reader, strip_line(text[begin:end]).rstrip(" ?"))) for end in ends if begin >= done)
        end, line = next((each for each in read if each[1]), (0, None))
        if line:
            yield line
            done = end


def _read_turn(reader: OrderReader, text: str) -> OrderLine | None:
    read = reader.read_line(text) if reader.intent.may_be_order(text) else None
    is_turn = read and isinstance(read.order, Turn) and reader.intent.is_order(read.order, split_lower_words(text))
    return OrderLine(text, read) if read and is_turn else None


@cites("mail.order")
def _split_off_tail(game: HostedGame, mail: Mail, lines: Sequence[OrderLine]) -> tuple[Sequence[OrderLine], str]:
    """Split a remark off a line that begins with the only turn of a mail, as in `Pass, thanks`; return lines and remark."""
    reader = game.find_reader(mail.seat)
    own = mail.orders.own
    if game.awaited != mail.seat or not own or any(isinstance(line.order, Turn) for line in lines):
        return lines, ""
    for text in [text for text in own if 0 < len(text) <= LONGEST_ORDER][: order_offers.MOST_PASSAGES]:
        for found in reversed(list(TAIL.finditer(text))):
            if turn := _read_turn(reader, strip_line(text[: found.start()])):
                others = (line for line in lines if line.typed != text and line.typed != strip_line(text))
                return (*others, turn), text[found.start() :]
    return lines, ""


def judge_mail(
    game: HostedGame, orders: Orders, given: Sequence[OrderLine], tail: str = "", *, answers: bool = False
) -> Verdict:
    """Judge the sender's own words, and the subject and the signature as far as they show a doubt.

    A title and a job say nothing about a turn. A signature may be a quotation: only its words that withdraw make a question.
    `tail` is a remark behind a turn on its line; `answers` is true if a `no` answers something.
    """
    lines = tuple(_list_lines(orders, given, tail, answers=answers))
    if not any(line.ordered == "turn" for line in lines):  # the mail is about a turn that is held
        lines = (judge.Line("", "turn"), *lines)
    turn, space, subject, signature = judge.Line("", "turn"), judge.Line(""), NO_EVIDENCE, NO_EVIDENCE
    if orders.subject:
        subject = order_offers.judge_lines(game, (judge.Line(orders.subject), space, turn))
    if orders.signature:
        signature = order_offers.judge_lines(game, (turn, space, *map(judge.Line, orders.signature)))
    if not any(each.kind == "withdraw" for each in signature.evidence):
        signature = evolve(signature, act="hold")
    verdict = _find_corrections(game, given, lines)
    verdict = verdict.join(_leave_rule_questions_out(game, given, order_offers.judge_lines(game, lines)))
    if orders.doubt:
        verdict = Verdict("ask", tuple(Evidence("doubt", text) for text in orders.doubt)).join(verdict)
    for other in (signature, subject):
        verdict = other.join(verdict) if other.is_doubtful else verdict
    return verdict


@cites("mail.doubt")
def _find_corrections(game: HostedGame, given: Sequence[OrderLine], lines: Sequence[judge.Line]) -> Verdict:
    turns = [line.order for line in given if isinstance(line.order, Turn)]
    if len(turns) != 1:
        return NO_EVIDENCE
    reader = find_free_reader(game.record.game, game.names)
    return judge.find_corrections(lines, turns[0].read.moves, reader, passes=is_pass(turns[0].text))


@cites("mail.question")
def _leave_rule_questions_out(game: HostedGame, given: Sequence[OrderLine], verdict: Verdict) -> Verdict:
    """Leave out what only asks about a rule: it has a sure answer and no word of the turn, of the writer, or such as "this"."""
    typed = [word for line in given if isinstance(line.order, Turn) for word in split_lower_words(line.typed)]
    if not typed or verdict.act != "hold":
        return verdict
    about_turn = {*typed, *ABOUT_TURN}
    left = tuple(
        each
        for each in verdict.evidence
        if not each.text.rstrip().endswith(QUESTION_MARKS)
        or not about_turn.isdisjoint(split_lower_words(each.text))
        or not ask(each.text, game.record.ruleset.code).certain
    )
    return evolve(verdict, evidence=left) if left else NO_EVIDENCE


def _list_lines(orders: Orders, lines: Sequence[OrderLine], tail: str, *, answers: bool) -> Iterator[judge.Line]:
    """Yield the sender's own lines, each with its kind of order. An order with an error is read as a sentence."""
    remarks, is_below = list(orders.remark), False
    failed = (line for line in lines if line.order is None)
    sentences = {line.typed for line in failed if not (line.kind and BY_NAME[line.kind].has_own_text)}
    for text in orders.own:
        if tail and text.endswith(tail):
            yield judge.Line(text.removesuffix(tail), "turn")
            yield judge.Line(tail.strip(" ,.!()–—-"))
            remarks = remarks[trim_spaces(text) in remarks[:1] :]
        elif not text:
            yield judge.Line("")
        elif remarks and trim_spaces(text) == remarks[0]:
            del remarks[0]
            answer = find_answer([Line(text)]) if answers else ""
            yield judge.Line(text, "turn" if answer and not (answer == "no" and is_below) else "")
        else:
            line = _find_ordered(text, lines, sentences)
            is_below = is_below or line.ordered == "turn"
            yield line
            if line.ordered == "turn" and (signs := SIGNS_AT_END.search(text)):
                yield judge.Line(signs[0].strip())


def _find_ordered(text: str, lines: Sequence[OrderLine], sentences: set[str]) -> judge.Line:
    typed = single_space(strip_line(text))
    line = next((line for line in lines if typed in single_space(line.typed)), None)
    if line is None:
        return judge.Line(text, "quiet")
    if line.typed in sentences:
        return judge.Line(text)
    kind = BY_NAME.get(line.kind)
    return judge.Line(text, "turn" if kind and kind.is_binding else "quiet")


@cites("mail.hold")
def may_stop(game: HostedGame, seat: int, orders: Orders, offer_id: str | None) -> bool:
    """Return True if a `stop` in a mail is about the game: it stops a turn that is held, declines an offer, or withdraws an order."""
    is_held = game.turn_held is not None and game.awaited == seat
    return is_held or offer_id != "" or any(map(order_offers.is_binding, orders.lines))


@cites("mail.hold")
def list_hold_notes(game: HostedGame, seat: int, question: Question | None) -> tuple[str, ...]:
    held = game.turn_held if game.awaited == seat else None
    says_so = question is not None and question.until is not None
    return (describe_hold(held.until),) if held is not None and not says_so else ()


def hold_turn(game: HostedGame, seat: int, decision: Decision) -> HostedGame:
    question = decision.question
    offer = order_offers.make_offer(game, seat, question) if question is not None else None
    if question is None or offer is None or question.until is None:
        return game
    held = evolve(offer, kind="held", since=decision.since, until=question.until)
    return game.with_memory(game.memory.with_proposal(held))
