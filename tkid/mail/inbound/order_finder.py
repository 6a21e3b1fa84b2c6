"""Finding the orders in a mail: which lines ask for something, each whole, and which are remarks.

A mail of ours is answered, so its marker line decides: where it stands bare, reading stops; what is quoted is
skipped. A line is an order if it reads as one, or if it was surely meant as one and fails; never is one guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from tkid.mail.inbound.attribution import begins_quotation, without_introduction
from tkid.mail.inbound.broken_lines import runs_on
from tkid.mail.inbound.normalize import plain_ends
from tkid.mail.inbound.order_lines import MOST_ORDERS, OrderReader
from tkid.mail.inbound.whole_orders import SIGNATURES, Joiner, Readings
from tkid.mail.marker import after_picture, begins_picture, is_marker, is_ours, read_id, read_marker
from tkid.mail.model import Intake, Line, Marker, OrderLine, Orders
from tkid.notation.text import single_spaced
from tkid.orders.reader import ReadOrder
from tkid.rulebook import cites

MOST_LINES = 1000
"""Own lines that are looked at; a person writes fewer."""


@define
class _Finder:
    """Reads down the lines of one mail."""

    lines: Sequence[Line]
    readings: Readings
    at: int = 0
    own: int = 0
    signed: bool = False
    quoting: bool = False
    orders: list[str] = field(factory=list)
    remark: list[str] = field(factory=list)
    remarked: int = -2
    marker: Marker | None = None

    def run(self) -> None:
        """Read down to a bare marker or heading of ours, or to the end."""
        marked = (read_marker(self.lines, at) for at, line in enumerate(self.lines) if is_marker(line.text))
        self.marker = next(filter(None, marked), None)
        while self.at < len(self.lines) and self.own < MOST_LINES:
            line = self.lines[self.at]
            if line.quoted:
                self._leave()
                self.signed = False
                if begins_picture(line.text):
                    self.at = after_picture(self.lines, self.at)
                    continue
            elif is_ours(line.text) or begins_quotation(self.lines, self.at):
                self._leave()
                return
            elif line.text in SIGNATURES:
                self.signed = True
            elif not self.signed and line.text.strip():
                self.own += 1
                self.quoting = False
                self._own(line.text)
                continue
            self.at += 1

    def _leave(self) -> None:
        """At the first line of a quotation: what introduces it is no remark."""
        if not self.quoting:
            self.remark = without_introduction(self.remark)
        self.quoting = True

    def _own(self, line: str) -> None:
        """Take a line of the sender's: an order with the lines that belong to it, or a remark."""
        at = self.at
        self.at += 1
        rest_of_remark = self.remarked == at - 1 and runs_on(self.lines[at - 1].text, line)
        full = self.readings.is_full or len(self.orders) > MOST_ORDERS
        joiner = Joiner(self.lines, self.readings)
        found = None if rest_of_remark or full else joiner.order(at, below_remark=self.remarked == at - 1)
        if found:
            self.orders.append(found[0])
            self.at = found[1]
            if self.readings.read(found[0]).order is None:
                self.remarked = self.at - 1
        elif stripped := plain_ends(line):
            self.remark.append(stripped)
            self.remarked = at


@cites("mail.order", "mail.remark")
def find_orders(mail: Intake, reader: OrderReader) -> Orders:
    """What a mail asks for.

    Args:
        mail: the mail as it was taken in.
        reader: reads the orders of its sender.

    Returns:
        The lines that ask for something, as they were read; the remark; which of our mails is answered.
    """
    readings = Readings(reader)
    finder = _Finder(mail.lines, readings)
    finder.run()
    marker = finder.marker or next((found for found in map(read_id, mail.parents[:1]) if found), None)
    once = dict[str, OrderLine]()
    for typed in finder.orders:
        read = readings.known.get(typed)
        line = OrderLine(typed, read or reader.read(typed))
        once.setdefault(_sameness(typed, read, reader), line)
    return Orders(tuple(once.values()), tuple(finder.remark), marker)


def _sameness(typed: str, read: ReadOrder | None, reader: OrderReader) -> str:
    """What is equal for lines that ask for the same; of those that are too many to be read, what was typed."""
    if read is None or read.order is None:
        return single_spaced(typed).casefold()
    return reader.written(read.order)
