"""Finding the orders in a mail: which lines ask for something, each whole, and which are remarks.

A mail of ours is answered. Where its lines are known, they are told apart from the sender's; else its marker line decides:
where it stands bare, reading stops. What is quoted is skipped. A line is an order if it reads as one, or if it was surely
meant as one and fails; never is one guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from attrs import define, evolve, field

from tkid.mail.inbound.attribution import apart, begins_quotation, without_introduction, without_lead
from tkid.mail.inbound.broken_lines import runs_on
from tkid.mail.inbound.normalize import plain_ends
from tkid.mail.inbound.order_lines import MOST_ORDERS, OrderReader
from tkid.mail.inbound.quoted.answers import answer_in
from tkid.mail.inbound.quoted.choices import Choices, asks_for_turn
from tkid.mail.inbound.quoted.marks import begins_with_mark
from tkid.mail.inbound.quoted.own_letters import OwnLetter
from tkid.mail.inbound.quoted.own_lines import OwnLines
from tkid.mail.inbound.two_forms import with_html
from tkid.mail.inbound.whole_orders import SIGNATURES, Joiner, ReadCache
from tkid.mail.marker import after_picture, begins_picture, is_marker, is_ours, read_id, read_marker, read_reference
from tkid.mail.model import Intake, Line, Marker, OrderLine, Orders
from tkid.notation.text import single_spaced
from tkid.orders.reader import ReadOrder
from tkid.rulebook import cites

MOST_LINES = 1000
"""Own lines that are looked at; a person writes fewer."""
MOST_COMPARED = 10_000
"""Lines of a reply that are compared with our letters: two of the longest quotations."""
QUOTED = Line("", quoted=True)


@define
class _Finder:
    """Reads down the lines of one mail, of which `index` is the next; with `stops`, only to where our letter begins."""

    lines: Sequence[Line]
    readings: ReadCache
    stops: bool = True
    index: int = 0
    own: int = 0
    signed: bool = False
    quoting: bool = False
    orders: list[str] = field(factory=list)
    remark: list[str] = field(factory=list)
    texts: list[str] = field(factory=list)
    remarked: int = -2
    """The last line of a remark, or of an order that is not understood."""
    apart: Sequence[Line] = field(init=False)
    """The lines, of which those that introduce a quotation count as quoted."""

    def __attrs_post_init__(self) -> None:
        self.apart = apart(self.lines)

    def run(self) -> None:
        """Read down to a bare marker or heading of ours, or to the end."""
        while self.index < len(self.lines) and self.own < MOST_LINES:
            line = self.lines[self.index]
            if line.quoted:
                self._leave()
                self.signed = False
                if begins_picture(line.text):
                    self.index = after_picture(self.lines, self.index)
                    continue
            elif self.stops and (is_ours(line.text) or begins_quotation(self.lines, self.index)):
                self._keep(without_lead(self.remark, self.lines, self.index))
                self._leave()
                return
            elif line.text in SIGNATURES:
                self.signed = True
            elif not self.signed and line.text.strip():
                self.own += 1
                self.quoting = False
                begin = self.index
                self._take(line.text)
                self.texts += (each.text.strip() for each in self.lines[begin : self.index])
                continue
            elif not line.text.strip() and self.texts:
                self.texts.append("")
            self.index += 1

    def _leave(self) -> None:
        """At the first line of a quotation: what introduces it is no remark."""
        if not self.quoting:
            self._keep(without_introduction(self.remark))
        self.quoting = True

    def _keep(self, remark: list[str]) -> None:
        """Keep this of the remark: what is dropped are its last lines, which are not the sender's."""
        for _ in range(len(self.remark) - len(remark)):
            while self.texts and not self.texts.pop():
                pass
        self.remark = remark

    def _take(self, line: str) -> None:
        """Take a line of the sender's: an order with the lines that belong to it, or a remark."""
        below_remark = self.remarked == self.index - 1
        rest_of_remark = below_remark and runs_on(self.lines[self.index - 1].text, line)
        full = self.readings.is_full or len(self.orders) > MOST_ORDERS
        order = None
        if not (rest_of_remark or full):
            order = Joiner(self.apart, self.readings).order(self.index, below_remark=below_remark)
        if order:
            text, self.index = order
            self.orders.append(text)
            if self.readings.read(text).order is None:
                self.remarked = self.index - 1
            return
        if remark := plain_ends(line):
            self.remark.append(remark)
            if not answer_in([Line(line)]):  # a `yes` is whole: no order below goes on with it
                self.remarked = self.index
        self.index += 1


@cites("mail.order", "mail.remark", "mail.own-lines")
def find_orders(mail: Intake, reader: OrderReader, letters: Sequence[OwnLetter] = ()) -> Orders:
    """Find what a mail asks for, read by the reader of its sender's orders; `letters` are those of ours that it may quote."""
    found = with_html(mail, _find(mail, reader, letters), lambda form: _find(form, reader, letters), reader)
    return evolve(found, unread=mail.unread)


def _find(mail: Intake, reader: OrderReader, letters: Sequence[OwnLetter]) -> Orders:
    """What the lines of a mail ask for."""
    readings = ReadCache(reader)
    if not letters:
        above = _Finder(_marked(mail.lines), readings)
        above.run()
        answer = answer_in(above.lines[: above.index])
        return Orders(_lines(above, reader), tuple(above.remark), _marker(mail), answer=answer, own=tuple(above.texts))
    own = OwnLines(list(mail.lines[:MOST_COMPARED]), letters, readings)
    begin = own.find_beginning()
    above = _Finder([*_marked(own.lines[:begin]), *([QUOTED] if begin < len(own.lines) else [])], readings)
    above.run()
    begin = min(begin, above.index)
    lines, answer = _lines(above, reader), answer_in(above.lines[:begin])
    orders = Orders(lines, tuple(above.remark), _marker(mail), answer=answer, own=tuple(above.texts))
    if not (answer or any(map(asks_for_turn, lines))):
        below = _Finder(own.below(begin), readings, stops=False)
        below.run()
        orders = _with_proposals(orders, _lines(below, reader))
    return Choices(own, begin, readings).applied(orders)


def _marked(lines: Sequence[Line]) -> list[Line]:
    """Lines, of which those behind unusual quote marks are quoted too."""
    return [Line(line.text, line.quoted or begins_with_mark(line.text)) for line in lines]


def _with_proposals(orders: Orders, typed: Sequence[OrderLine]) -> Orders:
    """What a mail asks for, with what was typed below a quotation: what is understood is proposed, else a remark.

    Several turns are none: they may be the samples of a letter that is not known any more.
    """
    failed = (line.typed for line in typed if line.read.order is None)
    several = sum(map(asks_for_turn, typed)) > 1
    proposed = tuple(line for line in typed if line.read.order is not None and not (several and asks_for_turn(line)))
    return evolve(orders, remark=(*orders.remark, *failed), proposed=proposed)


def _lines(finder: _Finder, reader: OrderReader) -> tuple[OrderLine, ...]:
    """The orders that were found, each once."""
    lines = dict[str, OrderLine]()
    for typed in finder.orders:
        read = finder.readings.known.get(typed)
        lines.setdefault(_sameness(typed, read, reader), OrderLine(typed, read or reader.read(typed)))
    return tuple(lines.values())


def _marker(mail: Intake) -> Marker | None:
    """Which of our mails is answered: by the first marker or reference that can be read, else by the thread."""
    marked = (
        read_marker(mail.lines, index) if is_marker(line.text) else read_reference(mail.lines, index)
        for index, line in enumerate(mail.lines)
    )
    return next(filter(None, chain(marked, map(read_id, mail.parents[:1]))), None)


def _sameness(typed: str, read: ReadOrder | None, reader: OrderReader) -> str:
    """What is equal for lines that ask for the same; of those that are too many to be read, what was typed."""
    if read is None or read.order is None:
        return single_spaced(typed).casefold()
    return reader.written(read.order)
