"""What a reply chooses of the samples that a letter of ours offers: the one that is marked, or the one that is left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from tkid.mail.inbound.quoted.own_letters import FEWEST_WORDS, Form, words_in
from tkid.mail.inbound.quoted.own_lines import OwnLines
from tkid.mail.inbound.whole_orders import ReadCache
from tkid.mail.model import OrderLine, Orders
from tkid.rulebook import cites

MOST_LEFT = 3
"""Samples that may be left of several for it to be asked which is meant."""
TURN = frozenset({"turn", ""})
"""What a line is taken for that asks for a turn, perhaps with an error."""


def asks_for_turn(line: OrderLine) -> bool:
    """Whether a line asks for a turn, perhaps with an error."""
    return line.read.kind in TURN


@frozen
class Choices:
    """The choices of one reply; the letter begins in it at `begin` without quote marks, or not at all."""

    own: OwnLines
    begin: int
    readings: ReadCache

    @cites("mail.choice")
    def applied(self, orders: Orders) -> Orders:
        """What a reply asks for, with what it chooses. A turn that was written, or an answer, goes before all marks."""
        copied = self._copied(orders)
        if len(copied) > 1:
            rest = tuple(line for line in orders.lines if line.typed not in copied)
            return evolve(orders, lines=rest, choices=tuple(copied))
        if orders.answer or any(map(asks_for_turn, orders.lines)):
            return orders
        marked = self._marked()
        if marked:
            written = [line.typed for line in orders.proposed if asks_for_turn(line)]
            rest = tuple(line for line in orders.proposed if not asks_for_turn(line))
            return self._with(evolve(orders, proposed=rest), list(dict.fromkeys((*marked, *written))))
        if not (orders.lines or orders.proposed):
            return self._with_left(orders)
        return orders

    def _with(self, orders: Orders, chosen: Sequence[str]) -> Orders:
        """What a reply asks for with one sample, or the question which of several is meant."""
        if len(chosen) > 1:
            return evolve(orders, choices=tuple(chosen))
        return evolve(orders, lines=(*orders.lines, self._line(chosen[0])))

    def _line(self, sample: str) -> OrderLine:
        return OrderLine(sample, self.readings.read(sample))

    def _copied(self, orders: Orders) -> list[str]:
        """The turns of a reply, where all of them are samples."""
        turns = [line for line in orders.lines if asks_for_turn(line)]
        are_samples = len(turns) > 1 and all(self.own.sample(words_in(line.typed)) for line in turns)
        return [line.typed for line in turns] if are_samples else []

    def _marked(self) -> list[str]:
        """The samples that are marked, each once.

        A star or a bullet counts only in the quotation and where other samples have none, for mail programs make them too.
        """
        sure = [mark.sample for mark in self.own.marks.values() if mark.sure]
        if sure or not self.own.marks:
            return list(dict.fromkeys(sure))
        first = next((index for index, line in enumerate(self.own.lines) if line.quoted), self.begin)
        marks = [mark for index, mark in self.own.marks.items() if index >= min(first, self.begin)]
        plain = (line.text for index, line in enumerate(self.own.lines) if index not in self.own.marks)
        bare = {sample for text in plain if (sample := self.own.sample(words_in(text)))}
        chosen = list(dict.fromkeys(mark.sample for mark in marks))
        return chosen if bare - set(chosen) else []

    def _with_left(self, orders: Orders) -> Orders:
        """What a reply asks for by the samples that are left in it, where others were clearly deleted.

        One that is left is the choice where nothing was written; else it is proposed.
        """
        left = self._left()
        if len(left) != 1:
            return evolve(orders, choices=tuple(left)) if 1 < len(left) <= MOST_LEFT else orders
        if orders.remark:
            return evolve(orders, proposed=(self._line(left[0]),)) if self.begin < len(self.own.lines) else orders
        return self._with(orders, left)

    def _left(self) -> list[str]:
        """The turns of a letter that are left in a reply, where some are gone and lines before and behind them are not."""
        lines = [words for line in self.own.lines if (words := words_in(line.text))]
        whole, running = set(lines), f" {' '.join(lines)} "

        def is_left(words: str) -> bool:
            return words in whole or (words.count(" ") + 1 >= FEWEST_WORDS and f" {words} " in running)

        counts = [sum(map(is_left, form.words)) for form in self.own.forms]
        if not any(counts):
            return []
        form = self.own.forms[counts.index(max(counts))]
        here = [index for index, words in enumerate(form.words) if is_left(words)]
        if not self._turns(form, set(range(len(form.words))).difference(here)):
            return []
        turns = self._turns(form, range(len(form.words)))
        clear = (here[0] < min(turns) and here[-1] > max(turns)) or turns.keys() >= set(here)
        return list(dict.fromkeys(turns[index] for index in here if index in turns)) if clear else []

    def _turns(self, form: Form, indexes: Iterable[int]) -> dict[int, str]:
        """The turns among some lines of a letter."""
        orders = {index: self.own.order_on(form.lines[index]) for index in indexes}
        read = self.readings.read
        return {index: order for index, order in orders.items() if order and read(order).kind == "turn"}
