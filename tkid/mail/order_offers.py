"""Turns that the host offers instead of playing them, and the replies to these offers."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain, islice

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail import letter_parts, order_finder, order_handlers
from tkid.mail import order_proposals as others
from tkid.mail.blocks import Blocks, Paragraph, Rule, Samples, shorten_line
from tkid.mail.hosted_game import HostedGame, Proposal, find_last_taken, make_next_marker
from tkid.mail.letter_parts import find_roots
from tkid.mail.model import IDS, Line, OrderLine, Orders
from tkid.mail.order_answers import Case, Question
from tkid.mail.order_machine import NOTHING_LEFT, Mail, OrderResult, report_done
from tkid.mail.plugin import find_mail_plugin
from tkid.mail.quotation import strip_line
from tkid.mail.timeline import find_next_turn
from tkid.notation import judge
from tkid.notation.free_text import PASS, UNSURE, Understanding, understand_turn
from tkid.notation.judge import Verdict, load_languages
from tkid.notation.plugin import find_free_reader
from tkid.notation.text import capitalize_text, count_noun_in_words, drop_accents, make_plain, single_space
from tkid.orders.order_kinds import BY_NAME, FIRST_WORDS, find_order_kind
from tkid.orders.order_reader import HOW_TO_ASK, LETTERS, QUESTION_MARKS, ReadOrder, find_questions
from tkid.orders.order_values import Ask, Draft, Resign, Say, Turn
from tkid.orders.topics import asks_how, complete_line, find_topics, is_complete, split_into_sentences
from tkid.record.play.replay import Replay, append
from tkid.rulebook import cites, is_known_rule, rule
from tkid.rulebook.search import ask

MAX_OFFERED = 3
FEWEST_WORDS = 4
"""Words of a remark behind a `yes` that can show that it is one: `yes, more or less` is no clear answer."""


def understand_text(known: Replay, text: str) -> Understanding:
    return understand_turn(known.record.game, known.record.names, known.position, text)


STALE, YES = IDS("offer.stale"), IDS("offer.yes")
OF_OTHERS = "post.plan.others"
RESIGN, UNDO = "resign", "undo?"
PUT_OFF = "post.resign.sure"
CLAUSES = re.compile(r"\s*(?:[,;:()]|\s[-–—]+\s|\band\b)\s*")
SENTENCES = re.compile(r"(?<=[.!?…])\s+")
PATTERNS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(text.replace("\n", ""), re.IGNORECASE)
    for name, text in tomllib.loads(files(__package__).joinpath("sentences.toml").read_text("utf-8")).items()
}
"""The sentences of players in `sentences.toml`."""
SEVERAL = "notation.free.several"
"""That nothing is wrong but that several turns fit."""
STRANGER = (
    "If you did not write that mail, somebody else has a mail of yours. Its key is good for this turn only. Tell the owner "
    "of the host."
)
"""The hint for a player who says no to a mail from another address, or without a key."""
MOST_OF_AN_ANSWER = 8
"""Words of a mail without an order that may answer what is open."""
MAX_LABEL = 40
"""Maximum length of the text before a turn that a question names as its reason."""
LONGEST_PASSAGE, MOST_PASSAGES = 600, 6
"""Maximum characters read as one turn, and maximum number of lines that are also read one by one."""


Asked = tuple[Question | None, Sequence[OrderResult]]
"""A question, if any, and the results that the letter also shows."""


@frozen
class OfferAnswer:
    """The result of a `yes`, a `no` or a number."""

    lines: tuple[OrderLine, ...] = ()
    question: Question | None = None
    problem: Problem | None = None
    passed_over: bool = False
    settled: Proposal | None = None
    """The proposal that was accepted or declined."""


def list_open_offers(game: HostedGame, seat: int) -> tuple[Proposal, ...]:
    """List the offers to a seat that are still open: their turn is the next one, and the game goes on."""
    offers = game.memory.list_offers(seat) if not game.time.over else ()
    turn = find_next_turn(game.replay)
    return tuple(each for each in offers if each.turn == turn and each.after in game.find_hashes_before(seat, turn))


@cites("mail.offer.yes")
def add_answer(game: HostedGame, mail: Mail) -> Mail:
    """Add to a mail's orders the answer in the sender's own words to the offer of a letter, or of a held turn.

    Words that are all of the answer say nothing else. A line with an error may be part of it; a readable order
    is not an answer.
    """
    seat, orders = mail.seat, mail.orders
    holds = game.turn_held is not None and game.awaited == seat
    if (mail.offer_id == "" and not holds) or orders.answer not in {"", "yes", "no"}:
        return mail
    ordered = {line.typed for line in orders.lines if line.order is not None and _is_deciding(line)}
    written = list(filter(None, orders.own or orders.remark))
    own = [text for text in written if text not in _list_other_orders(orders)]
    names = (*game.names[seat].split(), "tkid")
    offered = (line for offer in list_open_offers(game, seat) for line in offer.lines if line.isalpha())
    resigns = _is_asked_to_resign(game, mail)
    own = _drop_resignation(own) if resigns else own
    free, with_turn = order_finder.find_free_answer(own, names), order_finder.find_free_answer(own, (*names, *offered))
    free = free if free.answer or with_turn.answer != "yes" else with_turn
    if not (free.answer or resigns) and len(free.rest.split()) >= FEWEST_WORDS:
        said = (judge.Line("", "turn"), *map(judge.Line, free.rest.split("\n")))
        free = order_finder.FreeAnswer("yes", free.rest) if judge_lines(game, said).act == "play" else free
    # a `no` below an order is about the order
    is_about_order = free.answer == "no" and bool(written) and strip_line(written[0]) in ordered
    is_idle = is_about_order or (mail.offer_id == "" and free.answer == "yes")
    if not free.answer or orders.answer not in {"", free.answer} or is_idle:
        return mail
    lines = tuple(line for line in orders.lines if line.order is not None)
    rest = tuple(AND.sub("", text) for text in free.rest.split("\n")) if free.rest else ()
    behind = (OrderLine(strip_line(text), game.find_reader(seat).read_line(strip_line(text))) for text in rest)
    typed = {line.typed for line in lines}
    lines += tuple(line for line in behind if isinstance(line.order, Say) and line.typed not in typed)
    remark = tuple(text for text in rest if text and strip_line(text) not in {line.typed for line in lines})
    return evolve(mail, orders=evolve(orders, lines=lines, answer=free.answer, own=rest, remark=remark))


def judge_lines(game: HostedGame, lines: Sequence[judge.Line]) -> Verdict:
    signs = game.find_reader().intent
    return judge.judge_whole(lines, game.names, tuple(signs.turns.cards.names), tuple(signs.signs.known))


@cites("post.resign.sure", "post.stand-in.leave")
def ask_about_resigning(game: HostedGame, mail: Mail) -> tuple[Mail, Question | None]:
    """Take an unconfirmed resignation out of a mail's orders, and ask its sender to confirm it.

    Nothing else that binds is done before the answer. `resign` in reply to the question is an answer too, and
    `I resign` asks again. Without a host, no question could be remembered, so none is asked.
    """
    given = mail.orders.lines
    exact = [line for line in given if line.order == Resign()]
    resigns = exact or find_resignation(mail.orders)
    was_asked = _is_asked_to_resign(game, mail)
    is_answer = was_asked and exact and not any(_is_deciding(line) for line in given if line not in exact)
    if is_answer or not (resigns and game.is_hosted):
        return mail, None
    if order_handlers.carry_out_order_line(game, resigns[0], mail).problems:
        return mail, None
    rest = (line for line in given if all(line.typed != each.typed for each in resigns))
    lines = tuple(_postpone_line(line) if line.order is not None and _is_deciding(line) else line for line in rest)
    left = evolve(mail, orders=evolve(mail.orders, lines=lines))
    return left, ask_whether_to_resign(game, mail.seat, resigns[0].typed)


def ask_whether_to_resign(game: HostedGame, seat: int, typed: str = "") -> Question:
    leaves = game.time.seats[seat].stand_in is not None
    return Question("leave" if leaves else "resign", (RESIGN,), typed=typed)


def find_resignation(orders: Orders) -> list[OrderLine]:
    failed = (line.typed for line in orders.lines if line.order is None and line.kind in {"", "resign"})
    remark = (text for text in orders.remark if " " in text or "'" in text)  # one word may be part of a broken sentence
    texts = (text for text in (*failed, *remark) if gives_up(text))
    return [OrderLine(text, ReadOrder(Resign(), (), RESIGN)) for text in islice(texts, 1)]


def gives_up(text: str) -> bool:
    """Return True if a clause of some sentence gives up the game, and its other clauses set no condition."""
    sentences = (each for each in SENTENCES.split(make_plain(text)) if not PATTERNS["condition"].search(each))
    clauses = (clause for each in sentences for clause in CLAUSES.split(each.strip(" .!?…*_\"'")))
    return PATTERNS["given-up"].fullmatch(text.strip()) is not None or any(map(PATTERNS["gives-up"].fullmatch, clauses))


def _is_asked_to_resign(game: HostedGame, mail: Mail) -> bool:
    return any(offer.id == mail.offer_id and RESIGN in offer.lines for offer in list_open_offers(game, mail.seat))


def _drop_resignation(texts: Sequence[str]) -> list[str]:
    """Leave out the clauses that give up the game, but not a `yes` before them, as in `Yes, I resign`."""
    left = []
    for text in texts:
        sentences = [CLAUSES.split(each.strip(" .!…*_\"'")) for each in SENTENCES.split(make_plain(text))]
        left.append(". ".join(", ".join(map(_drop_giving_up, clauses)) for clauses in sentences))
    return left


def _drop_giving_up(clause: str) -> str:
    match = PATTERNS["gives-up"].fullmatch(clause)
    return match["lead"] if match else clause


def _postpone_line(line: OrderLine) -> OrderLine:
    why = line.make_problem(PUT_OFF, "Your mail also asks to resign", "Answer that first, or send this alone.")
    return evolve(line, read=evolve(line.read, order=None, problems=(why,)))


@cites("mail.reaction")
def is_idle_reaction(game: HostedGame, seat: int, orders: Orders, turn: int, offer_id: str | None) -> bool:
    """Return True if a mail is only a reaction, such as a thumb or thanks, to a letter about a turn that asked its reader nothing."""
    is_due = game.awaited == seat and find_next_turn(game.replay) == turn
    asks = offer_id != "" or is_due or others.list_open_proposals(game, seat)
    return not (asks or orders.lines) and order_finder.is_acknowledgement(orders.own, game.names)


@cites("mail.offer.yes")
def read_reply(game: HostedGame, mail: Mail) -> OfferAnswer:
    """Return what the `yes`, `no` or number of a mail means."""
    orders, offer_id = mail.orders, mail.offer_id
    if not orders.answer:
        return OfferAnswer()
    standing, proposed = list_open_offers(game, mail.seat), others.find_proposed_offer(game, mail.seat)
    answers_proposal = game.is_hosted and proposed is not None and proposed.id == offer_id
    offer = proposed if answers_proposal else next((each for each in standing if each.id == offer_id), None)
    is_known = offer and (not orders.answer.isdecimal() or offer.choice or _is_single_turn(game, mail.seat, offer))
    reader, picked = game.find_reader(mail.seat), offer.pick_lines(orders.answer) if offer and is_known else ()
    deciding = [line for line in orders.lines if _is_deciding(line)]
    if deciding:
        ordered = {reader.write_order(line.order) for line in deciding if line.order is not None}
        if orders.answer == "no":
            return OfferAnswer(passed_over=offer is not None and ordered.issuperset(offer.lines), settled=offer)
        return OfferAnswer(passed_over=not picked or not ordered.issuperset(picked))
    if picked:
        return OfferAnswer(tuple(OrderLine(text, reader.read_stored(text)) for text in picked), settled=offer)
    waits = game.is_hosted and orders.answer in {"yes", "no"} and bool(others.list_open_proposals(game, mail.seat))
    case: Case = "asked" if waits and offer is None else _find_case(game, mail, offer)
    question = Question(case, asked=others.ask_for_answer(game, mail.seat) if waits else ())
    resigns = next((each for each in standing if RESIGN in each.lines), None)
    if resigns is not None and case != "asked" and offer in {None, resigns}:
        stays = orders.answer == "no"
        question, case, offer = Question("stay") if stays else ask_whether_to_resign(game, mail.seat), "resign", resigns
    if orders.answer == "no":
        denied = offer is not None and offer.kind == "elsewhere"
        return OfferAnswer(question=evolve(question, hint=STRANGER) if denied else question, settled=offer)
    shown = offer or next(iter(standing), None)
    if shown is not None and case in {"gone", "nothing", "unnumbered", "number", "asked", "again"}:
        case = "open" if case in {"nothing", "unnumbered"} else case
        question = evolve(question, case=case, lines=shown.lines, choice=shown.choice)
    kind, rule = (Kind.NAME, YES) if case in {"number", "again"} else (Kind.INTEGRITY, STALE)
    problem = Problem(kind, rule, f"`{orders.answer}` accepts nothing that is on offer")
    return OfferAnswer(question=question, problem=problem)


def _is_single_turn(game: HostedGame, seat: int, offer: Proposal) -> bool:
    """Return True if an offer is one turn that its player wrote; only a `yes` shows who wrote a mail, or accepts the rest."""
    order = game.find_reader(seat).read_stored(offer.lines[0]).order
    return len(offer.lines) == 1 and isinstance(order, Turn) and offer.kind != "elsewhere"


def is_binding(line: OrderLine) -> bool:
    """Return True if a doubt in the mail is about an order."""
    return line.order is not None and find_order_kind(line.order).is_binding


def _is_deciding(line: OrderLine) -> bool:
    kind = BY_NAME.get(line.kind)
    return kind is None or kind.answers in {"told", "due"}


def _find_case(game: HostedGame, mail: Mail, offer: Proposal | None) -> Case:
    if mail.orders.answer == "no":
        return "no"
    if not game.is_hosted:
        return "by-hand"
    if offer is not None:
        return "number" if offer.choice or _is_single_turn(game, mail.seat, offer) else "again"
    if game.time.over or not is_current(game, mail):
        return "ended" if game.time.over else "over"
    if mail.offer_id != "":
        return "gone"
    return "unnumbered" if game.awaited == mail.seat else "nothing"


def is_current(game: HostedGame, mail: Mail) -> bool:
    """Return True if a mail answers the next turn, as far as it says."""
    marker, turn = mail.marker, find_next_turn(game.replay)
    return marker is None or (marker.turn == turn and marker.after in game.find_hashes_before(mail.seat, turn))


@cites("post.answer.open")
def is_waiting(game: HostedGame, seat: int, orders: Orders) -> bool:
    """Return True if something waits for a seat's answer, and a whole line or a few words of a mail seem to give it."""
    if not (list_open_offers(game, seat) or others.list_open_proposals(game, seat)):
        return False
    few = not orders.lines and 0 < len(" ".join(orders.remark).split()) <= MOST_OF_AN_ANSWER
    return bool(orders.answer) or few


@cites("mail.offer")
def make_question(game: HostedGame, mail: Mail, results: Sequence[OrderResult], reply: OfferAnswer) -> Asked:
    """Ask about a mail without a turn, first about its text; return the question and the results of its other lines."""
    if any(result.played for result in results):
        return reply.question, results
    asked, left = _ask_about_turns(game, mail, results)
    asked = _ask_about_forms(game, mail) or asked or reply.question or _ask_about_proposed(game, mail)
    return asked or (_ask_again(game, mail) if not results else None), left


@cites("post.answer.open")
def _ask_again(game: HostedGame, mail: Mail) -> Question | None:
    orders = mail.orders
    if not (game.is_hosted and is_waiting(game, mail.seat, orders)):
        return None
    offer = next(iter(list_open_offers(game, mail.seat)), None)
    lines, choice = (offer.lines, offer.choice) if offer else ((), False)
    asked = others.ask_for_answer(game, mail.seat)
    held = game.turn_held if game.awaited == mail.seat else None
    if held is not None and not asked:
        return Question("held", held.lines, until=held.until)
    if RESIGN in lines and not asked:
        return ask_whether_to_resign(game, mail.seat, "\n".join(orders.remark))
    return Question("again", lines, choice=choice, typed="\n".join(orders.remark), asked=asked)


def _ask_about_turns(game: HostedGame, mail: Mail, results: Sequence[OrderResult]) -> Asked:
    if game.awaited != mail.seat or not is_current(game, mail):
        return None, results
    if asked := _ask_about_marks(game, mail.seat, mail.orders.choices):
        chosen = " / ".join(map(single_space, mail.orders.choices))
        return asked, [each for each in results if not (each.failed and single_space(each.line.typed) in chosen)]
    wrong, own = [result for result in results if result.failed and _may_be_turn(result)], _list_turn_lines(mail.orders)
    if asked := _ask_about_pass(game, mail, own):
        return asked, [result for result in results if result not in wrong]
    asked = _ask_about_lines(game, mail.seat, wrong, own)
    if asked is None:
        return _ask_about_words(game, mail.seat, own), results
    shown = [each for each in wrong if _is_shown(asked, each)]
    return asked, [result for result in results if all(result is not each for each in shown)]


def _ask_about_pass(game: HostedGame, mail: Mail, own: Sequence[str]) -> Question | None:
    typed = own[0].strip() if len(own) == 1 else ""
    if not (PATTERNS["passes"].fullmatch(typed) or _is_hedged_pass(game, typed)):
        return None
    lines = list_possible_orders(game, mail, [OrderLine(typed, game.find_reader(mail.seat).read_line(PASS))])
    return Question("meant", lines, typed=typed) if lines else None


def _is_hedged_pass(game: HostedGame, typed: str) -> bool:
    """Return True if a line says that its writer passes, with a few words of doubt: `chyba pass`, `I guess I pass`."""
    is_plan = PATTERNS["condition-first"].match(typed) or PATTERNS["condition-last"].fullmatch(typed)
    clause = None if is_plan else PATTERNS["hedged-pass"].fullmatch(typed)
    said = (clause["before"] or clause["behind"] or "").strip(" ,") if clause else ""
    verdict = judge_lines(game, (judge.Line("", "turn"), judge.Line(""), judge.Line(said)))
    return verdict.is_doubtful and not any(each.kind in judge.SURE for each in verdict.evidence)


def _is_shown(question: Question, result: OrderResult) -> bool:
    typed = single_space(question.typed)
    return any(text in typed or typed in text for text in map(single_space, (result.shown, result.line.typed)) if text)


def _list_turn_lines(orders: Orders) -> tuple[str, ...]:
    ordered = _list_other_orders(orders)
    own = filter(None, orders.own or orders.remark)
    return tuple(line for line in own if line not in ordered and not order_finder.find_answer([Line(line)]))


def _list_other_orders(orders: Orders) -> set[str]:
    return {line.typed for line in orders.lines if line.order is not None and line.kind != "turn"}


def _may_be_turn(result: OrderResult) -> bool:
    return result.is_turn or (result.line.order is None and not result.line.kind)


def _ask_about_lines(game: HostedGame, seat: int, wrong: Sequence[OrderResult], own: Sequence[str]) -> Question | None:
    if not wrong:
        return None
    first, known = wrong[0], game.view_as(seat)
    typed = first.shown or first.line.typed
    unread = [typed] if first.line.order is not None else [each.line.typed for each in wrong]
    found = [(understand_text(known, text), text) for text in dict.fromkeys(("\n".join(unread), typed))]
    whole = "\n".join(own)
    if len(own) > len(unread) and len(whole) <= LONGEST_PASSAGE and not found[0][0].turn:
        more = understand_text(known, whole)
        is_open = all(problem.kind is Kind.SYNTAX for problem in found[0][0].problems)
        if more.turn or (is_open and more.choices != found[0][0].choices):
            found = [(more, whole), *found]
    meant = next(((each, text) for each, text in found if each.choices), None)
    if meant:
        return _ask_about_text(*meant)
    problems_found = found[-1][0].problems
    repairs = letter_parts.repair_turn(known, typed, first.problems)[:MAX_OFFERED]
    problems = find_roots(problems_found or first.problems)
    if not (first.is_turn or repairs):
        return None
    example = "" if repairs else find_mail_plugin(known.record.game).find_similar(known, typed)[1]
    has_more = len(problems) > 1
    return Question("wrong", repairs, len(repairs) > 1, typed, problems[0], more=has_more, example=example)


def _ask_about_text(found: Understanding, typed: str) -> Question:
    problem = next(iter(found.problems), None)
    if found.turn:
        text = typed.strip(" .!")
        label = text[: -len(found.turn)].strip() if text.casefold().endswith(found.turn.casefold()) else ""
        is_short = 0 < len(label) <= MAX_LABEL
        hint = f"A turn stands alone on its line: `{shorten_line(label)}` is not part of it." if is_short else ""
        return Question("meant", (found.turn,), typed=typed, hint=hint)
    choices = found.choices[:MAX_OFFERED]
    if problem is not None and problem.rule == UNSURE[0]:
        hint = "" if found.unknown else f"{problem.message}."
        return Question("meant", choices, typed=typed, also=" … ".join(found.unknown), hint=hint)
    if problem is None or problem.rule == SEVERAL:
        return Question("which", choices, choice=len(choices) > 1, typed=typed)
    (line, problem), more = _locate_problem(typed, problem), len(found.problems) > 1
    return Question("wrong", choices, choice=len(choices) > 1, typed=line, problem=problem, more=more)


def _locate_problem(text: str, problem: Problem) -> tuple[str, Problem]:
    """Find the line of a problem whose column counts from the beginning of the text; return both for that line."""
    column = problem.col
    for line in text.split("\n"):
        if column <= len(line) + 1:
            return line, evolve(problem, col=column, length=min(problem.length, max(1, len(line) - column + 1)))
        column -= len(line) + 1
    return text.split("\n", maxsplit=1)[0], problem


def _ask_about_words(game: HostedGame, seat: int, own: Sequence[str]) -> Question | None:
    known = game.view_as(seat)
    for passage in _list_passages(own):
        if (found := understand_text(known, passage)).choices:
            return _ask_about_text(found, passage)
    return None


def _list_passages(own: Sequence[str]) -> Iterator[str]:
    """Yield the texts that may be a turn: all lines together unless they are too long, then each line once."""
    own = [PATTERNS["command"].sub("", line).strip("'\"") if PATTERNS["command"].match(line) else line for line in own]
    whole = "\n".join(own)
    if own and len(whole) <= LONGEST_PASSAGE:
        yield whole
    if len(own) > 1:
        yield from dict.fromkeys(line for line in own[:MOST_PASSAGES] if len(line) <= LONGEST_PASSAGE)


def has_doubted_turn(game: HostedGame, mail: Mail) -> bool:
    """Return True if the first line of a mail begins with a turn out of turn, with words of doubt behind it."""
    own = [text for text in mail.orders.own if text][:1]
    return game.awaited != mail.seat and any(_is_hedged_pass(game, text) for text in own)


def _ask_about_marks(game: HostedGame, seat: int, marked: Sequence[str]) -> Question | None:
    known, reader = game.view_as(seat), game.find_reader(seat)
    read = (reader.read_stored(text).order for text in marked)
    legal = [order for order in read if isinstance(order, Turn) and not append(known, order.text).problems]
    lines = tuple(dict.fromkeys(map(reader.write_order, legal)))[:MAX_OFFERED]
    return Question("marked", lines, choice=len(lines) > 1) if lines else None


def _ask_about_proposed(game: HostedGame, mail: Mail) -> Question | None:
    lines = list_possible_orders(game, mail, mail.orders.proposed, with_final=False)
    return Question("below", lines) if lines else None


@cites("mail.forms")
def _ask_about_forms(game: HostedGame, mail: Mail) -> Question | None:
    differing = mail.orders.differing
    turns = [line for line in differing if isinstance(line.order, Turn)]
    lines = tuple(text for line in turns for text in list_possible_orders(game, mail, [line]))[:MAX_OFFERED]
    lines = lines or list_possible_orders(game, mail, differing, with_final=False)
    return Question("forms", lines, choice=len(turns) > 1 and len(lines) > 1) if differing else None


def list_possible_orders(
    game: HostedGame, mail: Mail, lines: Sequence[OrderLine], *, with_final: bool = True
) -> tuple[str, ...]:
    """List the orders that could be carried out now, one after the other, in canonical form; keep nothing of it.

    Orders that cannot be taken back are among them only `with_final`; `resign` never is, as it has its own question.
    """
    reader, texts = game.find_reader(mail.seat), []
    for line in order_finder.sort_lines(lines):
        order = line.order
        if order in {None, Resign()} or (order in find_order_kind(order).final and not with_final):
            continue
        result = order_handlers.carry_out_order_line(game, line, mail)
        if not result.problems:
            game = result.game
            texts.append(reader.write_order(order))
    return tuple(texts)


@cites("mail.other-address", "mail.key-lost")
def ask_about_sender(game: HostedGame, mail: Mail, sender: str) -> Question:
    """Return the question about a mail from another address, or without a key ("" for `sender`): is it its reader's?"""
    orders, accepted = mail.orders, read_reply(game, mail).lines
    given, reader = (*orders.lines, *accepted), game.find_reader(mail.seat)
    lines, choice = list_possible_orders(game, mail, given, with_final=False), False
    if not any(line.kind == "turn" and line.order is not None for line in given):
        failed = (line for line in orders.lines if line.order is None)
        results = [order_handlers.carry_out_order_line(game, line, mail) for line in failed]
        seen = evolve(mail, orders=evolve(orders, proposed=()))
        asked, _ = make_question(game, seen, results, OfferAnswer())
        if asked is not None and (not lines or not asked.choice):
            lines, choice = (*lines, *asked.lines), asked.choice
    ordered = (line.order for line in given if line.order is not None)
    final = [reader.write_order(order) for order in ordered if order in find_order_kind(order).final]
    how = "from this address" if sender else "in a reply to this mail"
    hint = f"`{final[0]}` counts only if you write it {how}." if final else ""
    hint = f"{orders.unread} Write your order as text {how}." if orders.unread else hint
    return Question("elsewhere" if sender else "keyless", lines, choice=choice, sender=sender, hint=hint)


def remember_offer(
    game: HostedGame, seat: int, question: Question | None, reply: OfferAnswer
) -> tuple[HostedGame, Proposal | None]:
    """Return the game with the letter's offer remembered, and with an accepted or declined one forgotten; and the offer."""
    memory = game.memory
    if settled := reply.settled:
        kinds = [each.kind for each in memory.list_offers(seat) if each.id == settled.id and each.kind != "held"]
        memory = memory.without_proposals(*kinds, seat=seat)
    offer = make_offer(game, seat, question) if question is not None else None
    if offer is not None and all(each.id != offer.id for each in memory.list_offers(seat)):
        memory = memory.with_proposal(offer)
    return game.with_memory(memory), offer


def list_notes(mail: Mail, reply: OfferAnswer, question: Question | None) -> tuple[str, ...]:
    orders, said = mail.orders, []
    is_other = question is not None and question.case != (reply.question and reply.question.case)
    if reply.passed_over or (reply.problem is not None and is_other):
        said.append(f"Your `{orders.answer}` was ignored: the rest of your mail counts.")
    if orders.proposed and (question is None or question.case != "below"):
        typed = ", ".join(f"`{shorten_line(line.typed)}`" for line in orders.proposed[:MAX_OFFERED])
        said.append(f"Not done, as it is below a copy of another mail: {typed}. Write it above the copy.")
    return tuple(said)


@cites("mail.question")
def list_absences(mail: Mail) -> tuple[str, ...]:
    """Return a note on days away that the sender mentions with an order: they stop no clock before `away` is sent."""
    told = find_topics(mail.orders.remark, in_game=True) if mail.orders.lines else ()
    lines = (complete_line(topic, asked, mail.now.date()) for topic, asked in told if topic.line.startswith("away "))
    how = "To stop your clock on the days that you name, reply"
    return tuple(f"{how} `{line}`." for line in lines if is_complete(line))


@cites("mail.doubt")
def is_uncertain(verdict: Verdict) -> bool:
    """Return True if an order that can't be held is asked about: beside a phrase of doubt, or an unknown sentence that may have one."""
    return any(each.kind != "unknown" or _may_doubt(each.text) for each in verdict.evidence)


def _may_doubt(text: str) -> bool:
    """Return True if an unknown sentence asks something, has a word with which people doubt, or is in an unknown language."""
    words = LETTERS.findall(drop_accents(make_plain(text)).casefold())
    languages = load_languages().values()
    known = [word for word in words if any(each.has_word(word) for each in languages)]
    is_doubt = any(each.is_in("cue", word) for each in languages for word in known)
    return is_doubt or 2 * len(known) < len(words) or text.rstrip().endswith(QUESTION_MARKS)


def make_offer(game: HostedGame, seat: int, question: Question) -> Proposal | None:
    """Return the offer of a question to a seat; None if there is nothing to accept, or nobody remembers it."""
    if not (question.lines and game.is_hosted):
        return None
    marker = make_next_marker(game.view_as_told(seat))
    return Proposal("offer", seat, marker.turn, marker.after, question.lines, question.choice)


MOST_READ, MOST_ANSWERED = 5, 2
"""Maximum number of questions in one mail that are read, and that are answered."""
SHORTEST_QUESTION = 3
"""Words of a question that may be about what another player has asked for, such as `Really?`."""
PERSONAL = frozenset({"you", "your", "yours"})
FITS_WELL, FITS_SOMEWHAT = 0.6, 2.5
"""Confidence from which a rule answers a question that did not ask for the rules, and score of one that is named as the nearest."""
AND = re.compile(r"\A(?:and|und|et|y|e|en)\b[\s,]*", re.IGNORECASE)
"""How the words behind a `yes` may begin."""
SEE_BOARD = "No rule answers your question well, but the board below may."
NO_RULE = "No rule answers your question well. `help` shows what you can write."
LEGAL_NOW, ILLEGAL_NOW = "This can be a legal turn now.", "This would not be legal now."
NOT_CLEAR = "It is not clear which turn you mean."


def ask_or_answer(game: HostedGame, mail: Mail, results: Sequence[OrderResult], reply: OfferAnswer) -> Asked:
    """Return the question about a mail and the results to show; of one that orders nothing, proposals or answers come first."""
    question, unread = make_question(game, mail, results, reply)
    problem = question.problem if question is not None else None
    is_intent = problem is not None and problem.rule == "notation.free.intent"
    is_unsure = question is None or question.case == "again" or is_intent  # perhaps it is no answer, or no turn
    if any(result.played for result in results):
        return question, (*unread, *answer_questions_beside(game, mail))
    if not is_unsure or any(result.line.order is not None for result in results):
        return question, unread
    has_turn = any(result.is_turn for result in results)
    if not has_turn and (proposed := propose_order(game, mail, question)):
        return proposed, ()
    asks = all(result.failed and result.line.typed.rstrip().endswith(QUESTION_MARKS) for result in results)
    if asks and (answers := answer_mail_questions(game, mail, question)):
        return None, answers
    return question, unread


@cites("mail.question")
def propose_order(game: HostedGame, mail: Mail, question: Question | None = None) -> Question | None:
    """Propose an order asked for in other words, if possible now; beside a `question` it may mean that one."""
    if not game.is_hosted:
        return None
    reader, own = game.find_reader(mail.seat), mail.orders.own or mail.orders.remark
    for plan in _list_conditions(game, mail, own):
        if lines := list_possible_orders(game, mail, [plan]):
            return Question("orders", lines, typed=plan.typed, hint="A plan begins with `if`.")
    for topic, asked in find_topics(own, in_game=True):
        line = complete_line(topic, asked, mail.now.date())
        read = reader.read_line(line)
        is_other = topic.line == UNDO and (question or _find_other_turn(game, mail.seat))
        if is_other or asks_how(asked) or not is_complete(line) or isinstance(read.order, Ask):
            continue
        if lines := list_possible_orders(game, mail, [OrderLine(line, read)], with_final=False):
            return Question("orders", lines, typed=asked, hint=f"With this line you {topic.aim}.")
    return None


def _list_conditions(game: HostedGame, mail: Mail, own: Sequence[str]) -> list[OrderLine]:
    """List the lines that are plans in other words; they may look at their own player, which fails."""
    others = [name for seat, name in enumerate(game.names) if seat != mail.seat]
    reader, lines = game.find_reader(mail.seat), []
    for text in islice((text for text in own if len(text) <= LONGEST_PASSAGE), MOST_PASSAGES):
        plan = PATTERNS["condition-first"].sub("if ", text, 1) if PATTERNS["condition-first"].match(text) else ""
        if not plan and (found := PATTERNS["condition-last"].fullmatch(text)):
            plan = f"if {found['condition']}: {found['turn']}"
        if plan:
            plan = PATTERNS["opponent"].sub(others[0], plan) if len(others) == 1 else plan
            lines.append(OrderLine(text, reader.read_line(PATTERNS["does-not-pass"].sub("acts", plan))))
    return [each for each in lines if each.order or any(p.rule == OF_OTHERS for p in each.read.problems)]


@cites("mail.question")
def answer_mail_questions(game: HostedGame, mail: Mail, question: Question | None = None) -> list[OrderResult]:
    """Answer questions, and what a mail without orders asks for; beside another `question` only if sure."""
    own = mail.orders.own or mail.orders.remark
    answers = (_answer_one(game, mail, text) for text in islice(find_questions(own), MOST_READ))
    is_long = question is not None and not question.lines and len(" ".join(own).split()) > SHORTEST_QUESTION
    sure = (each for each in answers if each and (is_long or not question or each.lead != NO_RULE))
    failed = (order_handlers.carry_out_order_line(game, line, mail) for line in _list_conditions(game, mail, own))
    found = list(islice(chain(failed, sure), MOST_ANSWERED))
    sentences = split_into_sentences(own) if not (found or question) else []
    topics = (_answer_topics(game, mail, asked) for asked in sentences)
    return found or list(islice(filter(None, topics), 1))


@cites("mail.question")
def answer_questions_beside(game: HostedGame, mail: Mail) -> list[OrderResult]:
    """Answer the questions beside a turn that have a good answer."""
    answers = (_answer_one(game, mail, text) for text in islice(find_questions(mail.orders.remark), MOST_READ))
    good = (each for each in answers if each and each.lead not in {NO_RULE, SEE_BOARD})
    return list(islice(good, MOST_ANSWERED))


def _answer_one(game: HostedGame, mail: Mail, text: str) -> OrderResult | None:
    asked = PATTERNS["now"].sub("", text.rstrip("".join(QUESTION_MARKS)))
    turn = PATTERNS["about-turn"].fullmatch(asked)
    part = _check_part(game, mail, text, turn["turn"]) if turn else None
    if part and part.lead.startswith(LEGAL_NOW):
        return part
    for order in [f"draft {turn['turn']}", f"legal {turn['turn']}"] if turn else []:
        if (read := game.find_reader(mail.seat).read_line(order)).order is not None:
            return order_handlers.carry_out_order_line(game, OrderLine(text, read), mail)
    return part or _answer_topics(game, mail, text) or _answer_by_rule(game, mail, text, asked)


def _answer_by_rule(game: HostedGame, mail: Mail, text: str, asked: str) -> OrderResult | None:
    reader, words = game.find_reader(mail.seat), {word.casefold() for word in LETTERS.findall(asked)}
    personal = not PERSONAL.isdisjoint(words) and not PATTERNS["impersonal"].match(asked)
    names = {word.casefold() for name in game.names for word in LETTERS.findall(name)}
    found = ask(asked, game.record.ruleset.code)
    strange = {word.casefold() for word in found.unknown} - names
    read = reader.read_line(f"rules {asked}")
    fits = found.confidence >= FITS_WELL or (found.reply and not found.fits)
    is_vague = strange or not fits or read.order is None
    if not personal and is_vague and find_free_reader(game.record.game, game.names).list_names(asked):
        position = order_handlers.carry_out_order_line(game, OrderLine(text, reader.read_line("status")), mail)
        return evolve(position, lead=SEE_BOARD, blocks=(Paragraph(HOW_TO_ASK), *position.blocks))
    if personal or strange or read.order is None:
        return None
    if not fits:
        nearest = rule(found.hits[0].id)
        name = Paragraph(f"The nearest rule is “{nearest.title}”."), Rule(nearest.id)
        more = (Paragraph(HOW_TO_ASK), *(name if nearest.title and found.hits[0].score > FITS_SOMEWHAT else ()))
        return report_done(NO_RULE, *more, game=game, line=OrderLine(text, ReadOrder(None)))
    return order_handlers.carry_out_order_line(game, OrderLine(text, read), mail)


@cites("mail.question")
def _answer_topics(game: HostedGame, mail: Mail, asked: str) -> OrderResult | None:
    topics = [topic for topic, _ in find_topics([asked], in_game=True) if game.is_hosted or not topic.club]
    if not topics:
        return None
    first, line = topics[0], complete_line(topics[0], asked, mail.now.date())
    also = (topic.write_answer(complete_line(topic, asked, mail.now.date())) for topic in topics[1:])
    read, unread = game.find_reader(mail.seat).read_line(line), OrderLine(asked, ReadOrder(None))
    if isinstance(read.order, Ask):
        answer = order_handlers.carry_out_order_line(game, evolve(unread, read=read), mail)
        count = count_noun_in_words(len(game.view_as(mail.seat).position.hands[mail.seat]), "card")
        more = (Paragraph(f"You have {count} in hand."),) if PATTERNS["own-hand"].match(asked) else ()
        return evolve(answer, blocks=(*more, *answer.blocks))
    word = line.split()[0].rstrip("?:")
    blocks: Blocks = tuple(map(Paragraph, also))
    if not first.club and game.time.over and not BY_NAME[FIRST_WORDS[word]].may_follow_end:
        return report_done(f"{NOTHING_LEFT}.", *blocks, game=game, line=unread)
    if not first.club:
        blocks = (*order_handlers.answer_help_topic(game, mail, FIRST_WORDS[word]), *blocks)
    if read.order is not None and is_complete(line):
        problems = order_handlers.carry_out_order_line(game, OrderLine(line, read), mail).problems
        why = [f"It is not possible now: {letter_parts.lower_sentence(each.message)}." for each in problems[:1]]
        if line == UNDO and not why and (name := _find_other_turn(game, mail.seat)):
            why = [f"Note that the last turn is {name}'s, so that one would be taken back."]
        blocks = (*map(Paragraph, why), *blocks)
    lead = first.write_answer(line)
    if len(lead) > letter_parts.LONGEST_LEAD:
        lead, blocks = f"To {first.aim}, reply with this line:", (Samples((line,)), *blocks)
    rule_id = next(filter(is_known_rule, (f"post.{word}", f"club.{word}")), "mail.question")
    return report_done(lead, *blocks, game=game, rule=rule_id, line=unread)


def _find_other_turn(game: HostedGame, seat: int) -> str:
    """Return the name of the player who took the last turn, if it is another player; otherwise ""."""
    last = find_last_taken(game)
    return game.names[last[0].seat] if last and last[0].seat != seat else ""


def _is_unclear(problem: Problem) -> bool:
    """Return True if a turn has no error but is incomplete or ambiguous."""
    return problem.rule == SEVERAL or (problem.kind is Kind.SYNTAX and not problem.rule.startswith("notation."))


def _check_part(game: HostedGame, mail: Mail, text: str, turn: str) -> OrderResult | None:
    if game.awaited != mail.seat:
        return None
    reader, found = game.find_reader(mail.seat), understand_text(game.view_as(mail.seat), turn)
    # of a whole turn `draft` says what would follow
    whole = not reader.read_line(f"draft {turn}").problems and found.turn
    draft = reader.read_line(f"draft {turn}").order
    begun = [text for text in found.choices if isinstance(draft, Draft) and text.startswith(f"{draft.turn.text};")]
    if begun and not found.turn:  # only what follows the card is missing
        found = evolve(found, choices=tuple(begun), problems=())
    fits = not whole and bool(found.turn or (found.choices and all(map(_is_unclear, found.problems))))
    wrong = next((each for each in found.problems if each.kind is Kind.ILLEGAL), None)
    if not (fits or (reader.intent.signs.is_turn(turn) and (found.choices or wrong))):
        return None
    why: Blocks = ()
    if wrong is not None and not fits:
        why = (Paragraph(capitalize_text(letter_parts.write_message(wrong.message))),)
    nearest = "These are legal." if fits else "These legal turns come nearest."
    turns = (Paragraph(f"{nearest} Reply with one of them:"), Samples(found.choices)) if found.choices else ()
    lead = LEGAL_NOW if fits else ILLEGAL_NOW if wrong else NOT_CLEAR
    line, lead = OrderLine(text, ReadOrder(None)), f"{lead} Nothing has been played."
    return report_done(lead, *why, *turns, game=game, rule="post.draft", line=line)
