"""An order of a mail, whole: with the lines that a mail program has broken off, or that its writer put below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from tkid.kernel.problems import Kind
from tkid.mail.inbound.broken_lines import GOES_ON, OF_ORDERS, OPEN, ends_sentence, runs_on, was_broken
from tkid.mail.inbound.normalize import AROUND, bare, lettered, meant, plain_ends, seen, spoken, words_of
from tkid.mail.inbound.order_lines import OrderReader
from tkid.mail.marker import is_ours
from tkid.mail.model import Line
from tkid.orders.intent import IntentDetector
from tkid.orders.kinds import KINDS
from tkid.orders.model import Resign, Say
from tkid.orders.reader import LONGEST_ORDER, LONGEST_SAID, RESIGNED, ReadOrder

MOST_READ, LEAST_READ = 30_000, 100
"""Characters that are read as orders, and how many one counts for at least; reading a text that fails takes time."""
FEW_JOINED, MOST_JOINED, MOST_SAID = 3, 16, 60
"""Lines that are put together: of a line that may be no order; of an order; of words to players."""
SIGNATURES = {"--", "-- "}
BROKEN = frozenset(kind.name for kind in KINDS if kind.broken)
FINAL = tuple(order for kind in KINDS for order in kind.final)
NOTHING = ReadOrder(None, meant=False)
"""What is not read any more."""

Spelling = Callable[[str], str]
Whole = tuple[str, int]
"""A whole order, and the index of the line after it."""


@define
class ReadCache:
    """What the texts of one mail were read as: each is read once, and no more than so much."""

    reader: OrderReader
    spent: int = 0
    known: dict[str, ReadOrder] = field(factory=dict)

    @property
    def intent(self) -> IntentDetector:
        """What tells orders from remarks."""
        return self.reader.intent

    @property
    def is_full(self) -> bool:
        """Whether so much was read that nothing more is."""
        return self.spent > MOST_READ

    def read(self, text: str) -> ReadOrder:
        """A text as an order."""
        if text not in self.known:
            if self.is_full:
                return NOTHING
            self.spent += max(len(text), LEAST_READ)
            self.known[text] = self.reader.read(text)
        return self.known[text]

    def understands(self, text: str) -> bool:
        """Whether a text is an order."""
        return bool(text) and self.intent.is_order(self.read(text).order, words_of(text))

    def asks(self, line: str) -> bool:
        """Whether a line is an order, or was meant as one, however it is spelled."""
        texts = dict.fromkeys(spelled(line) for spelled in (bare, meant, lettered))
        read = (self.read(text) for text in texts if self.intent.may_be(text))
        return any(each is NOTHING or each.meant for each in read)

    def stands_alone(self, text: str) -> bool:
        """Whether a line is an order without what stands above it."""
        return self.intent.may_be(text) and self.understands(text)


@frozen
class Joiner:
    """Finds the orders that begin on the lines of a mail, each with the lines that belong to it."""

    lines: Sequence[Line]
    readings: ReadCache

    def order(self, index: int, *, below_remark: bool) -> Whole | None:
        """The order that begins on a line, if one does; `below_remark` tells whether a remark stands right above."""
        line, after = self.lines[index].text, index + 1
        failed: tuple[str, Spelling] | None = None
        for spelled in self._spellings(line, after):
            text = spelled(line)
            if not self.readings.intent.may_be(text):
                continue
            read = self.readings.read(text)
            if read.kind == "say":
                return self._say(line, text, after)
            if read.order in FINAL:
                within = self._is_within_text(index, below_remark=below_remark)
                return None if within else (self._alone(line, text), after)
            if whole := self._whole(text, after, spelled, read):
                return whole
            if spelled is not lettered:
                failed = (text, spelled) if read.order is None and read.meant else None
        return self._failed(failed[0], after, failed[1]) if failed else None

    def _spellings(self, line: str, after: int) -> list[Spelling]:
        """The ways to spell a line: as it is typed, and others where they make a difference to it or the next ones."""
        following = (following.text for following in self.lines[after : after + FEW_JOINED])
        window = [text[:LONGEST_ORDER] for text in (line, *following)]
        others = (each for each in (meant, lettered) if any(each(text) != bare(text) for text in window))
        return [bare, *others] if len(line) <= LONGEST_ORDER else [bare]

    def _alone(self, line: str, text: str) -> str:
        """A final order, which stands in no sentence; giving up is complained about where it has a comma or the like."""
        exact = RESIGNED.fullmatch(seen(plain_ends(line)).strip(AROUND))
        return text if exact or self.readings.read(text).order != Resign() else plain_ends(line)

    def _is_within_text(self, index: int, *, below_remark: bool) -> bool:
        """Whether the line stands in small letters between lines of text, as where somebody broke a sentence there."""
        small = plain_ends(self.lines[index].text)[:1].islower()
        above = below_remark and not ends_sentence(self.lines[index - 1].text)
        more = self.lines[index + 1].text if self._is_own(index + 1) else ""
        below = more.strip()[:1].islower() and len(words_of(more)) > 1
        return small and (above or (below and not self.readings.asks(more)))

    def _whole(self, text: str, after: int, spelled: Spelling, read: ReadOrder) -> Whole | None:
        """An order with what a mail program has broken off; None where no order begins with the text."""
        may_be_broken = read.kind in BROKEN
        most = (MOST_JOINED if read.meant else FEW_JOINED) if may_be_broken else 1
        for _ in range(most):
            if self.readings.understands(text):
                return self._with_more(text, after, spelled) if may_be_broken else (text, after)
            if not self._is_own(after) or len(text) > LONGEST_ORDER:
                return None
            text, after = joined(text, spelled(self.lines[after].text)), after + 1
        return None

    def _with_more(self, text: str, after: int, spelled: Spelling) -> Whole:
        """An order with the lines that go on with it, although it could stand without them."""
        for _ in range(MOST_JOINED):
            longer = self._rest(text, after, spelled) or self._further(text, after, spelled)
            if not longer:
                break
            text, after = longer
        return text, after

    def _further(self, text: str, after: int, spelled: Spelling) -> Whole | None:
        """A turn with another decision on a line of its own, or with what follows a semicolon or a comma."""
        below = after + (after < len(self.lines) and self._is_blank(after))
        if not self._is_own(below) or self.readings.read(text).kind not in {"turn", "draft", "plan"}:
            return None
        more = spelled(self.lines[below].text)
        alone, words, intent = more.lstrip("; "), words_of(more), self.readings.intent
        if intent.signs.goes_on(words[:2]):
            belongs = text.endswith(";") or self.readings.understands(alone) or intent.is_rest(words)
            return (f"{text.rstrip('; ')}; {alone}", below + 1) if belongs else None
        whole = joined(text, more)
        goes_on = text.endswith(";") or (text.endswith(",") and below == after and self.readings.read(whole).meant)
        return (whole, below + 1) if goes_on and not self.readings.stands_alone(more) else None

    def _rest(self, text: str, after: int, spelled: Spelling) -> Whole | None:
        """A text with the next lines where these make a longer order of it, or were meant to."""
        if not self._is_own(after):
            return None
        more = spelled(self.lines[after].text)
        goes_on = GOES_ON.match(more) is not None
        if not goes_on and self.readings.stands_alone(more):
            return None
        whole, below = joined(text, more), after + 1
        for _ in range(MOST_JOINED if goes_on else 1):
            if self.readings.understands(whole):
                return whole, below
            if not self._is_own(below):
                break
            whole, below = joined(whole, spelled(self.lines[below].text)), below + 1
        plan = self.readings.read(text).kind == "plan" and self.readings.intent.is_rest(words_of(more))
        return (joined(text, more), after + 1) if goes_on and (plan or self.readings.read(more).meant) else None

    def _failed(self, text: str, after: int, spelled: Spelling) -> Whole:
        """An order with an error, with the lines that seem to belong to it."""
        for _ in range(MOST_JOINED):
            if self.readings.understands(text):
                return self._with_more(text, after, spelled)
            longer = self._further(text, after, spelled)
            if not longer and self.readings.read(text).kind in BROKEN and self._is_own(after):
                more = spelled(self.lines[after].text)
                broken = was_broken(self.lines[after - 1].text, self.lines[after].text) or OF_ORDERS.search(more)
                whole, goes_on = joined(text, more), broken or GOES_ON.match(more)
                if OPEN.search(text) or (goes_on and not self.readings.asks(more) and not self._is_worse(whole, text)):
                    longer = whole, after + 1
            if not longer:
                break
            text, after = longer
        return text, after

    def _is_worse(self, whole: str, text: str) -> bool:
        """Whether a line with the next one has no form any more, where without it only something in it was wrong."""
        joined_kinds, kinds = (
            {problem.kind for problem in self.readings.read(each).problems} for each in (whole, text)
        )
        return Kind.SYNTAX in joined_kinds and Kind.SYNTAX not in kinds

    def _say(self, line: str, text: str, after: int) -> Whole | None:
        """Words to players, with the lines that they go on over.

        They do where a mail program has broken them. Where nothing stands behind the colon, all lines down to an
        empty one are said. What asks for something itself is not said, so that no plan is given away by an error.
        """
        end, typed = after + MOST_SAID, spoken(line)
        text = typed if isinstance(self.readings.read(typed).order, Say) else text
        understood = self.readings.understands(text)
        below = not understood and text.rstrip().endswith((":", "："))
        goes_on = below or understood
        while goes_on and self._is_own(after) and after < end and len(text) <= LONGEST_SAID:
            above, more = self.lines[after - 1].text, self.lines[after].text
            if self.lines[after].quoted:
                break
            rest = not below and runs_on(above, more)
            broken = below or was_broken(above, more)
            if not rest and (not broken or self.readings.asks(more)):
                break
            text, after = f"{text} {plain_ends(more)}", after + 1
        return (text, after) if self.readings.read(text).meant else None

    def _is_blank(self, index: int) -> bool:
        line = self.lines[index]
        return not line.quoted and not line.text.strip()

    def _is_own(self, index: int) -> bool:
        if index >= len(self.lines):
            return False
        line = self.lines[index]
        quoted = line.quoted and not self._is_broken_before_arrow(index)
        return not (quoted or self._is_blank(index) or is_ours(line.text) or line.text in SIGNATURES)

    def _is_broken_before_arrow(self, index: int) -> bool:
        """Whether a line looks quoted only because a mail program has broken a march before its `>`."""
        above, line = self.lines[index - 1], self.lines[index].text
        alone = index + 1 == len(self.lines) or not self.lines[index + 1].quoted
        return line.startswith("> ") and alone and not above.quoted and was_broken(above.text, line)


def joined(text: str, more: str) -> str:
    """A line with the next one, as it stood before it was broken."""
    return f"{text}{more}" if more.startswith((";", ",", ":", ")")) else f"{text} {more}"
