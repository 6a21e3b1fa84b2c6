"""Read a line as an order to the club, and find orders in a mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from attrs import evolve, frozen

from tkid.club.order_values import KINDS, SLOT_TYPES, STOP, find_club_kind
from tkid.kernel.problems import Kind, Problem
from tkid.mail.marker import is_our_line
from tkid.mail.mime import find_unread_reason
from tkid.mail.model import IDS, Intake, Line, OrderLine, Orders
from tkid.mail.order_finder import (
    GREETING,
    QUOTED,
    SIGNATURES,
    MailForm,
    find_answer,
    is_notice,
    is_possibly_broken,
    is_sentence_rest,
    only_in_html,
)
from tkid.mail.order_offers import gives_up, is_uncertain
from tkid.mail.quotation import (
    OwnLetter,
    OwnLines,
    compare_words,
    drop_introduction,
    is_marked,
    is_quotation_start,
    mark_introductions,
    strip_line,
)
from tkid.notation.judge import Line as Said
from tkid.notation.judge import judge_text
from tkid.notation.names import list_names
from tkid.notation.text import make_plain
from tkid.orders.forms import ENDS, FormReader, OrderRow, ReadLine, is_single_slip, split_small_words
from tkid.orders.order_kinds import KINDS as ORDER_KINDS
from tkid.orders.order_reader import ReadOrder
from tkid.rulebook import cites

LONGEST = 400
"""Characters of a line that can be an order to the club."""
MOST_OF_AN_ORDER = 4
"""Words of a line that begins with a slip of an order and is no sentence, for each order of one word."""
READER = FormReader(KINDS, SLOT_TYPES, "club.order", "please|pls|thanks")


@cites("club.order")
def read_club_line(line: str) -> ReadOrder | None:
    """Read an order to the club; return its problem, with columns from 1, if a line was surely one, or None for other lines."""
    read = _read_line(make_plain(line).rstrip(ENDS)) if 0 < len(line) <= LONGEST else None
    return ReadOrder(read.order, read.problems[:1], read.row.name) if read else None


def match_club_kind(text: str) -> OrderRow | None:
    read = READER.read_line(make_plain(text).rstrip(ENDS))
    return read.row if read else None


def _read_line(text: str) -> ReadLine | None:
    read = READER.read_line(text)
    if read is not None and read.order is not None:
        return read
    slip = READER.find_slip(text)
    if slip is not None and not GREETING.match(text):  # `Moin zusammen` is no `join`
        few = len(text.split()) <= MOST_OF_AN_ORDER + 2 * slip.row.name.count(" ")
        if few or slip.row.signs.search(text):
            return slip
    return read if read is not None and read.is_begun(text) and read.row.was_meant(text) else None


FORMS = IDS("forms")
MOST_LINES = 200
"""Own lines that are looked at; a person writes fewer."""
MOST_COMPARED = 5000
"""Lines that are compared with our letters."""
MOST_ORDERS = 10
"""Orders that one mail gives."""
MOST_JOINED = 4
"""Lines that a mail program has broken an order into."""


@frozen
class ClubReadings:
    """The reader that tells orders to the club, or the desk, from other lines, for the comparison with our letters."""

    games: frozenset[str] = frozenset()
    read_line: Callable[[str], ReadOrder | None] = read_club_line

    def is_independent(self, text: str) -> bool:
        read = self.read_line(text)
        return (read is not None and read.order is not None) or self.is_about_game(text)

    def is_order_like(self, line: str) -> bool:
        return self.read_line(strip_line(line)) is not None or self.is_about_game(strip_line(line))

    def is_about_game(self, text: str) -> bool:
        """Return True if a line begins with the name of a game and a colon."""
        name, colon, _ = text.partition(":")
        return bool(colon) and name.strip().casefold() in self.games


@cites("club.order", "mail.own-lines")
def find_orders_to_club(
    mail: Intake, letters: Sequence[OwnLetter] = (), games: Iterable[str] = (), others: Sequence[str] = ()
) -> Orders:
    """Find the orders of a mail beside `others` of games; it may quote `letters`, or answer a digest of `games`."""
    readings = ClubReadings(frozenset(map(str.casefold, games)))
    found, html = _find_orders(mail, letters, readings), mail.html()
    if html:
        rich = _find_orders(evolve(mail, lines=html), letters, readings)
        found = _merge_html_form(mail, found, html, rich, readings)
    return evolve(found, doubt=_find_doubt(found, readings, others))


def _find_orders(mail: Intake, letters: Sequence[OwnLetter], readings: ClubReadings) -> Orders:
    above = tuple(list_own_lines(mail, letters, readings))
    text = "\n".join(line.text.strip() and line.text for line in above).strip("\n")
    texts = tuple(text.split("\n")) if text else ()
    unread = find_unread_reason(mail, texts)
    return Orders(tuple(find_in_lines(texts)), answer=find_answer(above), own=texts, unread=unread)


@cites("mail.forms")
def _merge_html_form(
    mail: Intake, plain: Orders, lines: Sequence[Line], html: Orders, readings: ClubReadings
) -> Orders:
    """Return the orders of a mail with two forms; if the forms differ, binding orders are not carried out."""
    form = MailForm(plain.own, [line.text for line in mail.lines])
    rich = MailForm(html.own, [line.text for line in lines])
    if not (plain.lines or plain.answer) and (is_notice(plain.own) or all(map(rich.has_text, plain.own))):
        return html
    orders, others = ({line.order for line in each.lines} for each in (plain, html))
    differing = [
        line
        for found, known, words in ((plain, others, rich), (html, orders, form))
        for line in found.lines
        if _has_effect(line) and line.order not in known and not words.has_text(line.typed)
    ]
    missing = {text for text in plain.own if readings.is_about_game(strip_line(text)) and not rich.has_text(text)}
    own = tuple(text for text in plain.own if text not in missing)
    same_answer = plain.answer == html.answer or all(map(rich.has_text, plain.own))
    extra = only_in_html(plain.own, html.own, mail.lines)
    if not (differing or missing) and same_answer:
        return evolve(plain, own=(*own, *extra))
    bound = [line.typed for line in (*plain.lines, *differing) if _has_effect(line)]
    bound += [*sorted(missing), *([] if same_answer else [plain.answer or html.answer])]
    wrong = (_make_wrong(typed, _report_difference(typed)) for typed in dict.fromkeys(bound))
    rest = (line for line in plain.lines if not _has_effect(line))
    return evolve(plain, lines=(*rest, *wrong), answer="", own=own if readings.games else ())


@cites("mail.doubt")
def _find_doubt(asked: Orders, readings: ClubReadings, others: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences that may cast doubt on the orders that bind, or on the answer. A `stop` beside another order does."""
    bound = list_doubted(asked.lines)

    def judge_line(text: str) -> Said:
        typed = strip_line(text)
        if any(typed and typed in line.typed for line in bound) or (not bound and find_answer([Line(text)])):
            return Said(text, "turn")
        is_other = readings.is_about_game(typed) or any(typed and typed in each for each in others)
        read = read_club_line(typed)
        return Said(text, "quiet" if is_other or (read is not None and not _is_stop(read)) else "")

    if not (bound or asked.answer):
        return ()
    verdict = judge_text([judge_line(text) for text in drop_introduction(list(asked.own))])
    return tuple(each.text for each in verdict.evidence) if is_uncertain(verdict) else ()


def list_doubted(lines: Iterable[OrderLine]) -> list[OrderLine]:
    """Return the lines that a doubt in their mail is about: orders that bind, and `stop` only if it is alone."""
    bound = [line for line in lines if line.order is not None and find_club_kind(line.order).is_binding]
    return [line for line in bound if not _is_stop(line.read)] or bound


def _is_stop(read: ReadOrder) -> bool:
    return read.order == STOP


def _has_effect(line: OrderLine) -> bool:
    return line.order is not None and not find_club_kind(line.order).is_harmless


def _make_wrong(typed: str, problem: Problem) -> OrderLine:
    return OrderLine(typed, ReadOrder(None, (problem,)))


def _report_difference(typed: str) -> Problem:
    message = "Your mail has a plain and an HTML form, and they contain different orders"
    return Problem(Kind.SYNTAX, FORMS, message, length=max(1, len(typed)), hint="Send it again, without formatting.")


def _count_own_lines(own: OwnLines, readings: ClubReadings) -> int:
    """Count the sender's lines at the top of an answer to a digest.

    They are those that name a game, and sentences between and below. People copy lines of a digest in its own order,
    as no part of a letter of ours begins above all else of it.
    """
    last = 0
    for index, line in enumerate(own.lines[: own.end]):
        if readings.is_about_game(strip_line(line.text)):
            last = index + 1
        elif (
            line.quoted or next(own.find_places(compare_words(line.text)), None) or is_quotation_start(own.lines, index)
        ):
            break
        elif last and compare_words(line.text):
            last = index + 1
    return last


def may_have_orders(mail: Intake) -> bool:
    """Return True if any line of a mail asks something of the club, quotations included: a first look, which is fast."""
    return any(read_club_line(strip_line(line.text)) is not None for line in mail.lines[:MOST_LINES] if not line.quoted)


def find_in_lines(texts: Sequence[str]) -> Iterator[OrderLine]:
    """Return the lines among some that ask something of the club, each whole and once, the first ones."""
    index, known = 0, set[str]()
    while index < len(texts) and len(known) < MOST_ORDERS:
        line, index = _read_whole_order(texts, index)
        if line is not None and line.typed not in known:
            known.add(line.typed)
            yield line


def _read_whole_order(texts: Sequence[str], index: int) -> tuple[OrderLine | None, int]:
    """Read the order that begins on a line, with any part that a mail program has broken off; return the index behind it."""
    text, after = strip_line(texts[index]), index + 1
    found = read_club_line(text)
    if found is None or (found.problems and index and is_sentence_rest(texts[index - 1], texts[index])):
        return None, after
    while (
        after < len(texts)
        and texts[after]
        and after - index < MOST_JOINED
        and is_possibly_broken(texts[after - 1], texts[after])
    ):
        longer = f"{text} {strip_line(texts[after])}"
        more = read_club_line(longer)
        if more is None or read_club_line(strip_line(texts[after])) is not None:
            break
        text, found, after = longer, more, after + 1
    return OrderLine(text, found), after


def list_own_lines(
    mail: Intake, letters: Sequence[OwnLetter], readings: ClubReadings, most: int = MOST_LINES
) -> Iterator[Line]:
    """Yield the sender's own lines, up to a letter of ours or a signature; the mail may quote `letters`."""
    lines: Sequence[Line] = mail.lines[:MOST_COMPARED]
    if letters:
        compared = OwnLines(list(lines), letters, readings)
        begin = max(compared.find_beginning(), _count_own_lines(compared, readings))
        lines = [*compared.lines[:begin], *([QUOTED] if begin < len(compared.lines) else [])]
    own, lines = 0, mark_introductions([Line(line.text, line.quoted or is_marked(line.text)) for line in lines])
    for index, line in enumerate(lines):
        if line.quoted:
            continue
        begins = (
            is_quotation_start(lines, index) and readings.read_line(strip_line(line.text)) is None
        )  # `words: …` is no `From: …`
        if begins or line.text in SIGNATURES or own == most or is_our_line(line.text):
            return
        own += bool(line.text.strip())
        yield line


NAMED = re.compile(r"(?P<game>[^\s:]{1,64})\s*:\s*(?P<order>\S.*)")
UNMARKED = re.compile(r"(?P<game>[^\s:]{1,64})\s+(?P<order>\S.*)")
LIKE, NEAREST = 0.7, 0.3
"""How like the name of a game (0 to 1) a word has to be for a line to be an order to it; and before what is an order beyond doubt."""
FEW_WORDS = 4
"""Words of a line without the name of a game that may withdraw a turn."""
NAMELESS = "(without a game)"
WITHDRAWING = tuple(kind.name for kind in ORDER_KINDS if kind.may_withdraw)
"""The kinds of orders of a game in whose words people also withdraw a turn."""
ANSWERING = frozenset(
    kind.name
    for kind in ORDER_KINDS
    if kind.may_withdraw and any(not form.has_slots and len(form.leaves) > 1 for form in kind.parsed)
)
"""Those of them that are whole in a few words, so that a game would carry them out."""
RULE = "club.digest.order"


@cites("club.digest.order", "mail.doubt")
def find_digest_orders(
    own: Sequence[str], games: Iterable[str], is_order: Callable[[str], bool] = lambda _: False
) -> tuple[Mapping[str, tuple[str, ...]], tuple[OrderLine, ...]]:
    """Find the orders to games in an answer to a digest, and join lines that a mail program broke.

    Return the lines for each game, as they were typed, and the lines with names that no game has.
    Sentences that withdraw or doubt what the mail orders belong to each game. `is_order` says whether a text is an order
    of one of the games: behind the name of no game, it is reported.
    """
    known = {game.casefold(): game for game in games}
    found: dict[str, list[str]] = {}
    wrong: list[OrderLine] = []
    said: list[Said] = []
    lost: dict[str, str] = {}
    game = ""
    for index, text in enumerate(own):
        line = strip_line(text)
        named = NAMED.fullmatch(line)
        name = known.get(named["game"].casefold()) if named else None
        if named and name:
            game = name
            found.setdefault(game, []).append(named["order"])
            said.append(Said(text, "turn"))
        elif game and text and read_club_line(line) is None and is_possibly_broken(own[index - 1], text):
            found[game].append(line)
        else:
            game = ""
            read = read_club_line(line)
            if read is None and (problem := _report_name(line, known, is_order)):
                wrong.append(_make_wrong(line, problem))
                said.append(Said(text, "quiet"))
                continue
            said += [Said(text)] if read is None or _is_stop(read) else []
            if read is None and (marked := _mark_nameless(line)):
                lost[text.strip()] = marked
    verdict = judge_text(said)
    doubts = [each.text for each in verdict.evidence if verdict.is_doubtful and each.text not in lost]
    doubts = ["", *lost.values(), *doubts] if lost or doubts else []
    return {name: (*lines, *doubts) for name, lines in found.items()}, tuple(wrong)


@cites("club.order")
def find_misplaced_orders(
    own: Iterable[str], games: Iterable[str], is_order: Callable[[str], bool]
) -> Iterator[OrderLine]:
    """Find the orders of games, such as `spring: Pass`, in a mail that answers no digest. `is_order` reads a text for the games."""
    known = {game.casefold(): game for game in games}
    for line in map(strip_line, own):
        named = NAMED.fullmatch(line)
        if not (known and named and read_club_line(line) is None and is_order(named["order"])):
            continue
        game = known.get(named["game"].casefold(), "")
        message, hint = "This is an order of a game", f"Reply to the last mail of `{game}` with `{named['order']}`."
        if not game:
            message, hint = f"You play no game `{named['game']}`", f"You play {list_names(known.values(), 'and')}."
        yield _make_wrong(line, Problem(Kind.NAME, "club.order", message, length=len(line), hint=hint))


def _mark_nameless(line: str) -> str:
    """Mark a line that may withdraw a turn but names no game, so that it is no game's order; return "" for other lines."""
    first, *more = split_small_words(line) or [""]
    meant = next((each for each in WITHDRAWING if first and (first == each or is_single_slip(first, each))), "")
    if len(more) >= FEW_WORDS or any(map(str.isdigit, line)) or not (meant or gives_up(line)):
        return ""
    return f"{line} {NAMELESS}" if first in ANSWERING else line


def _report_name(line: str, games: Mapping[str, str], is_order: Callable[[str], bool]) -> Problem | None:
    """Report a line for a game that is not in the digest, or without a colon behind its name; None for any other line."""
    named = NAMED.fullmatch(line) or UNMARKED.fullmatch(line)
    if not (named and games):
        return None
    typed, colon = named["game"], named.re is NAMED
    near = get_close_matches(typed.casefold(), games, 1, LIKE)
    orders = is_order(named["order"]) if not (near and colon) else True
    if not orders or not (near or colon):
        return None
    near = near or get_close_matches(typed.casefold(), games, 1, NEAREST)
    if near == [typed.casefold()]:
        hint = f"Write `{games[near[0]]}: {named['order']}`."
        return Problem(Kind.SYNTAX, RULE, f"There is no colon after `{typed}`", length=len(typed), hint=hint)
    meant = f"Did you mean `{games[near[0]]}`? " if near else ""
    hint = f"{meant}The games in this digest are {list_names(games.values(), 'and')}."
    return Problem(Kind.NAME, RULE, f"There is no game `{typed}` in this digest", length=len(typed), hint=hint)


def locate_problem(problem: Problem, line: str, *words: str) -> Problem:
    """Place a problem at the first of some words, each whole and in any capitals; else at the whole line."""
    text = make_plain(line).casefold()
    if len(text) != len(line):  # a letter that becomes two when capitals are left aside
        text = line.lower() if len(line.lower()) == len(line) else line
    for word in filter(None, words):
        if found := re.search(rf"(?<![\w-]){re.escape(word.casefold())}(?![\w-])", text):
            return evolve(problem, col=found.start() + 1, length=len(word))
    return evolve(problem, col=1, length=max(1, len(line)))


def locate_problem_behind(problem: Problem, text: str) -> Problem:
    """Place a problem behind a text in which something is missing."""
    return evolve(problem, col=len(text.rstrip()) + 1, length=1)
