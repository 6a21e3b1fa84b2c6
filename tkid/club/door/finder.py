"""Finds the orders to the club in a mail: in its sender's own lines, and in no line of ours that it quotes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen

from tkid.club.door.language import read
from tkid.club.door.model import ClubOrder
from tkid.club.door.orders import kind_of
from tkid.kernel.problems import Kind, Problem
from tkid.mail.inbound.attribution import apart, begins_quotation
from tkid.mail.inbound.broken_lines import runs_on, was_broken
from tkid.mail.inbound.normalize import bare
from tkid.mail.inbound.quoted.answers import answer_in
from tkid.mail.inbound.quoted.marks import begins_with_mark
from tkid.mail.inbound.quoted.own_letters import OwnLetter, words_in
from tkid.mail.inbound.quoted.own_lines import OwnLines
from tkid.mail.inbound.two_forms import Form, is_notice, only_in_html
from tkid.mail.inbound.whole_orders import SIGNATURES
from tkid.mail.marker import is_ours
from tkid.mail.model import IDS, Intake, Line
from tkid.notation.judge import Line as Said
from tkid.notation.judge import judge
from tkid.rulebook import cites

FORMS = IDS("forms")
MOST_LINES = 200
"""Own lines that are looked at; a person writes fewer."""
QUOTED = Line("", quoted=True)
MOST_COMPARED = 5000
"""Lines that are compared with our letters."""
MOST_ORDERS = 10
"""Orders that one mail gives."""
MOST_JOINED = 4
"""Lines that a mail program has broken an order into."""


@frozen
class ClubLine:
    """A line that asks something of the club: as it was typed, and as it was read."""

    typed: str
    read: ClubOrder | Problem


@frozen
class ClubMail:
    """What a mail asks of the club: its lines, what a whole line answers (`yes`, `no` or ""), and all its own lines.

    `unread` says why it has no text that can be read, "" where it has some.
    """

    lines: tuple[ClubLine, ...] = ()
    answer: str = ""
    own: tuple[str, ...] = ()
    unread: str = ""

    @property
    def orders(self) -> tuple[ClubOrder, ...]:
        """The orders that could be read."""
        return tuple(line.read for line in self.lines if isinstance(line.read, ClubOrder))


@frozen
class ClubReadings:
    """Which lines ask something of the club, for the comparison with our letters.

    `games` are those in whose names a line may begin, as `winter: Pass` does in an answer to a digest.
    """

    games: frozenset[str] = frozenset()

    def stands_alone(self, text: str) -> bool:
        """Whether a line is an order without what stands above it."""
        return isinstance(read(text), ClubOrder) or self.names_game(text)

    def asks(self, line: str) -> bool:
        """Whether a line is an order, or was meant as one."""
        return read(bare(line)) is not None or self.names_game(bare(line))

    def names_game(self, text: str) -> bool:
        """Whether a line begins with the name of a game and a colon."""
        name, colon, _ = text.partition(":")
        return bool(colon) and name.strip().casefold() in self.games


@cites("club.order", "mail.own-lines")
def find_orders(mail: Intake, letters: Sequence[OwnLetter] = (), games: Iterable[str] = ()) -> ClubMail:
    """What a mail asks of the club; `letters` are those of ours that it may quote, `games` those of a digest it answers."""
    readings = ClubReadings(frozenset(map(str.casefold, games)))
    found, html = _find(mail, letters, readings), mail.html()
    if not html:
        return found
    return _with_html(mail, found, html, _find(evolve(mail, lines=html), letters, readings), readings)


def _find(mail: Intake, letters: Sequence[OwnLetter], readings: ClubReadings) -> ClubMail:
    """What the lines of a mail ask of the club."""
    lines = list(mail.lines[:MOST_COMPARED])
    if letters:
        own = OwnLines(lines, letters, readings)
        begin = max(own.find_beginning(), _own_top(own, readings))
        lines = [*own.lines[:begin], *([QUOTED] if begin < len(own.lines) else [])]
    above = tuple(_above(lines))
    texts = tuple(line.text for line in above if line.text.strip())
    return ClubMail(tuple(in_lines(texts)), answer_in(above), texts, mail.unread)


@cites("mail.forms")
def _with_html(
    mail: Intake, plain: ClubMail, lines: Sequence[Line], html: ClubMail, readings: ClubReadings
) -> ClubMail:
    """What a mail asks for, given what its two forms ask for; if they differ, nothing that binds is done."""
    form, rich = Form.of(plain.own, mail.lines), Form.of(html.own, lines)
    if not (plain.lines or plain.answer) and (is_notice(plain.own) or all(map(rich.has, plain.own))):
        return html
    orders, others = set(plain.orders), set(html.orders)
    differing = [line for line in plain.lines if _binds(line) and line.read not in others and not rich.has(line.typed)]
    differing += [line for line in html.lines if _binds(line) and line.read not in orders and not form.has(line.typed)]
    missing = {text for text in plain.own if readings.names_game(bare(text)) and not rich.has(text)}
    own = tuple(text for text in plain.own if text not in missing)
    same_answer = plain.answer == html.answer or all(map(rich.has, plain.own))
    extra = only_in_html(plain.own, html.own, mail.lines)
    if not (differing or missing or _is_doubtful(plain, extra)) and same_answer:
        return evolve(plain, own=(*own, *extra))
    bound = [line.typed for line in (*plain.lines, *differing) if _binds(line)]
    bound += [*sorted(missing), *([] if same_answer else [plain.answer or html.answer])]
    wrong = (ClubLine(typed, _differing(typed)) for typed in dict.fromkeys(bound))
    rest = (line for line in plain.lines if not _binds(line))
    return evolve(plain, lines=(*rest, *wrong), answer="", own=own if readings.games else ())


@cites("mail.doubt")
def _is_doubtful(plain: ClubMail, extra: Sequence[str]) -> bool:
    """Whether words that only the HTML form has withdraw or doubt what the plain form orders."""
    orders = [
        Said(text, "turn") for text in plain.own if any(line.typed in text for line in plain.lines if _binds(line))
    ]
    return bool(orders and extra) and judge([*orders, *map(Said, extra)]).act == "ask"


def _binds(line: ClubLine) -> bool:
    """Whether a line orders something that changes anything."""
    return isinstance(line.read, ClubOrder) and not kind_of(line.read).harmless


def _differing(typed: str) -> Problem:
    """The problem with an order that only one form of a mail has."""
    message = "Your mail has a plain and an HTML form, and they do not order the same"
    return Problem(Kind.SYNTAX, FORMS, message, length=max(1, len(typed)), hint="Send it again, without formatting.")


def _own_top(own: OwnLines, readings: ClubReadings) -> int:
    """How many lines at the top of an answer to a digest are the sender's: those that name a game, and sentences between and below.

    People copy lines of a digest in its own order, as no part of a letter of ours begins above all else of it.
    """
    last = 0
    for index, line in enumerate(own.lines[: own.end]):
        if readings.names_game(bare(line.text)):
            last = index + 1
        elif line.quoted or next(own.places(words_in(line.text)), None) or begins_quotation(own.lines, index):
            break
        elif last and words_in(line.text):
            last = index + 1
    return last


def may_ask(mail: Intake) -> bool:
    """Whether any line of a mail asks something of the club, quotations included: a first look, which is fast."""
    return any(read(bare(line.text)) is not None for line in mail.lines[:MOST_LINES] if not line.quoted)


def in_lines(texts: Sequence[str]) -> Iterator[ClubLine]:
    """The lines among some that ask something of the club, each whole and once, the first ones."""
    index, known = 0, set[str]()
    while index < len(texts) and len(known) < MOST_ORDERS:
        line, index = _whole(texts, index)
        if line is not None and line.typed not in known:
            known.add(line.typed)
            yield line


def _whole(texts: Sequence[str], index: int) -> tuple[ClubLine | None, int]:
    """The order that begins on a line, if one does, with what a mail program has broken off; and the index behind it."""
    text, after = bare(texts[index]), index + 1
    found = read(text)
    if found is None or (isinstance(found, Problem) and index and runs_on(texts[index - 1], texts[index])):
        return None, after
    while after < len(texts) and after - index < MOST_JOINED and was_broken(texts[after - 1], texts[after]):
        longer = f"{text} {bare(texts[after])}"
        more = read(longer)
        if more is None or read(bare(texts[after])) is not None:
            break
        text, found, after = longer, more, after + 1
    return ClubLine(text, found), after


def _above(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines of the sender's own, down to where a letter of ours begins or a signature does."""
    own, lines = 0, apart([Line(line.text, line.quoted or begins_with_mark(line.text)) for line in lines])
    for index, line in enumerate(lines):
        if line.quoted:
            continue
        begins = begins_quotation(lines, index) and read(bare(line.text)) is None  # `words: …` looks like `From: …`
        if begins or line.text in SIGNATURES or own == MOST_LINES or is_ours(line.text):
            return
        own += bool(line.text.strip())
        yield line
