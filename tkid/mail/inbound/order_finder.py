"""Finding the orders in a mail: which lines ask for something, each whole, and which are remarks.

A mail of ours is answered, so its marker line decides: where it stands bare, reading stops; what is quoted is
skipped. A line is an order if it reads as one, or if it was surely meant as one and fails; never is one guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from attrs import define, field

from tkid.mail.inbound.attribution import begins_quotation, without_introduction
from tkid.mail.inbound.broken_lines import runs_on
from tkid.mail.inbound.normalize import plain_ends
from tkid.mail.inbound.order_lines import MOST_ORDERS, OrderReader
from tkid.mail.inbound.whole_orders import SIGNATURES, Joiner, ReadCache
from tkid.mail.marker import after_picture, begins_picture, is_marker, is_ours, read_id, read_marker
from tkid.mail.model import Intake, Line, Marker, OrderLine, Orders
from tkid.notation.text import single_spaced
from tkid.orders.reader import ReadOrder
from tkid.rulebook import cites

MOST_LINES = 1000
"""Own lines that are looked at; a person writes fewer."""


@define
class _Finder:
    """Reads down the lines of one mail, of which `index` is the next."""

    lines: Sequence[Line]
    readings: ReadCache
    index: int = 0
    own: int = 0
    signed: bool = False
    quoting: bool = False
    orders: list[str] = field(factory=list)
    remark: list[str] = field(factory=list)
    remarked: int = -2
    """The last line of a remark, or of an order that is not understood."""

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
            elif is_ours(line.text) or begins_quotation(self.lines, self.index):
                self._leave()
                return
            elif line.text in SIGNATURES:
                self.signed = True
            elif not self.signed and line.text.strip():
                self.own += 1
                self.quoting = False
                self._take(line.text)
                continue
            self.index += 1

    def _leave(self) -> None:
        """At the first line of a quotation: what introduces it is no remark."""
        if not self.quoting:
            self.remark = without_introduction(self.remark)
        self.quoting = True

    def _take(self, line: str) -> None:
        """Take a line of the sender's: an order with the lines that belong to it, or a remark."""
        below_remark = self.remarked == self.index - 1
        rest_of_remark = below_remark and runs_on(self.lines[self.index - 1].text, line)
        full = self.readings.is_full or len(self.orders) > MOST_ORDERS
        order = None
        if not (rest_of_remark or full):
            order = Joiner(self.lines, self.readings).order(self.index, below_remark=below_remark)
        if order:
            text, self.index = order
            self.orders.append(text)
            if self.readings.read(text).order is None:
                self.remarked = self.index - 1
            return
        if remark := plain_ends(line):
            self.remark.append(remark)
            self.remarked = self.index
        self.index += 1


@cites("mail.order", "mail.remark")
def find_orders(mail: Intake, reader: OrderReader) -> Orders:
    """What a mail asks for, read by the reader of its sender's orders."""
    finder = _Finder(mail.lines, ReadCache(reader))
    finder.run()
    lines = dict[str, OrderLine]()
    for typed in finder.orders:
        read = finder.readings.known.get(typed)
        lines.setdefault(_sameness(typed, read, reader), OrderLine(typed, read or reader.read(typed)))
    return Orders(tuple(lines.values()), tuple(finder.remark), _marker(mail))


def _marker(mail: Intake) -> Marker | None:
    """Which of our mails is answered: by the first marker in it that can be read, else by the thread."""
    marked = (read_marker(mail.lines, index) for index, line in enumerate(mail.lines) if is_marker(line.text))
    return next(filter(None, chain(marked, map(read_id, mail.parents[:1]))), None)


def _sameness(typed: str, read: ReadOrder | None, reader: OrderReader) -> str:
    """What is equal for lines that ask for the same; of those that are too many to be read, what was typed."""
    if read is None or read.order is None:
        return single_spaced(typed).casefold()
    return reader.written(read.order)
