"""An order of a mail, whole: with the lines that a mail program has broken off, or that its writer put below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from tkid.kernel.problems import Kind
from tkid.mail.inbound.broken_lines import GOES_ON, OF_ORDERS, OPEN, ends_sentence, runs_on, was_broken, words_of
from tkid.mail.inbound.normalize import AROUND, UNSEEN, bare, lettered, meant, plain_ends, spoken
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
Found = tuple[str, int]
"""An order, and the index of the line after it."""


@define
class Readings:
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
    readings: Readings

    def order(self, at: int, *, below_remark: bool) -> Found | None:
        """The order that begins on a line, if one does; `below_remark` tells whether a remark stands right above."""
        line, at = self.lines[at].text, at + 1
        tried: tuple[str, Spelling] | None = None
        for spelled in self._spellings(line, at):
            text = spelled(line)
            if not self.readings.intent.may_be(text):
                continue
            kind = self.readings.read(text).kind
            if kind == "say":
                return self._said(line, text, at)
            if self.readings.read(text).order in FINAL:
                return (
                    None if self._is_within_text(at - 1, below_remark=below_remark) else (self._alone(line, text), at)
                )
            if whole := self._whole(text, at, spelled, kind):
                return whole
            if spelled is not lettered:
                tried = (text, spelled)
        if tried and self.readings.read(tried[0]).order is None and self.readings.read(tried[0]).meant:
            return self._failed(tried[0], at, tried[1])
        return None

    def _spellings(self, line: str, at: int) -> list[Spelling]:
        """The ways to spell a line: as it is typed, and others where they make a difference to it or the next ones."""
        following = (following.text for following in self.lines[at : at + FEW_JOINED])
        window = [text[:LONGEST_ORDER] for text in (line, *following)]
        others = (each for each in (meant, lettered) if any(each(text) != bare(text) for text in window))
        return [bare, *others] if len(line) <= LONGEST_ORDER else [bare]

    def _alone(self, line: str, text: str) -> str:
        """A final order, which stands in no sentence; giving up is complained about where it has a comma or the like."""
        exact = RESIGNED.fullmatch(plain_ends(line).translate(UNSEEN).strip(AROUND))
        return text if exact or self.readings.read(text).order != Resign() else plain_ends(line)

    def _is_within_text(self, at: int, *, below_remark: bool) -> bool:
        """Whether the line stands in small letters between lines of text, as where somebody broke a sentence there."""
        small = plain_ends(self.lines[at].text)[:1].islower()
        above = below_remark and not ends_sentence(self.lines[at - 1].text)
        more = self.lines[at + 1].text if self._is_own(at + 1) else ""
        below = more.strip()[:1].islower() and len(words_of(more)) > 1
        return small and (above or (below and not self.readings.asks(more)))

    def _whole(self, text: str, at: int, spelled: Spelling, kind: str) -> Found | None:
        """An order with what a mail program has broken off; None where no order begins with the text."""
        most = (FEW_JOINED if not self.readings.read(text).meant else MOST_JOINED) if kind in BROKEN else 1
        for _ in range(most):
            if self.readings.understands(text):
                return self._with_more(text, at, spelled) if kind in BROKEN else (text, at)
            if not self._is_own(at) or len(text) > LONGEST_ORDER:
                return None
            text, at = joined(text, spelled(self.lines[at].text)), at + 1
        return None

    def _with_more(self, text: str, at: int, spelled: Spelling) -> Found:
        """An order with the lines that go on with it, although it could stand without them."""
        for _ in range(MOST_JOINED):
            found = self._rest(text, at, spelled) or self._further(text, at, spelled)
            if not found:
                break
            text, at = found
        return text, at

    def _further(self, text: str, at: int, spelled: Spelling) -> Found | None:
        """A turn with another decision on a line of its own, or with what follows a semicolon or a comma."""
        following = at + (at < len(self.lines) and self._is_blank(at))
        if not self._is_own(following) or self.readings.read(text).kind not in {"turn", "draft", "plan"}:
            return None
        more = spelled(self.lines[following].text)
        alone = more.lstrip("; ")
        first = words_of(more)[:2]
        if self.readings.intent.signs.goes_on(first):
            if text.endswith(";") or self.readings.understands(alone) or self.readings.intent.is_rest(words_of(more)):
                return f"{text.rstrip('; ')}; {alone}", following + 1
            return None
        whole = joined(text, more)
        goes_on = text.endswith(";") or (text.endswith(",") and following == at and self.readings.read(whole).meant)
        return (whole, following + 1) if goes_on and not self.readings.stands_alone(more) else None

    def _rest(self, text: str, at: int, spelled: Spelling) -> Found | None:
        """A text with the next lines where these make a longer order of it, or were meant to."""
        if not self._is_own(at):
            return None
        more = spelled(self.lines[at].text)
        goes_on = GOES_ON.match(more) is not None
        if not goes_on and self.readings.stands_alone(more):
            return None
        whole, following = joined(text, more), at + 1
        for _ in range(MOST_JOINED if goes_on else 1):
            if self.readings.understands(whole):
                return whole, following
            if not self._is_own(following):
                break
            whole, following = joined(whole, spelled(self.lines[following].text)), following + 1
        plan = self.readings.read(text).kind == "plan" and self.readings.intent.is_rest(words_of(more))
        return (joined(text, more), at + 1) if goes_on and (plan or self.readings.read(more).meant) else None

    def _failed(self, text: str, at: int, spelled: Spelling) -> Found:
        """An order with an error, with the lines that seem to belong to it."""
        for _ in range(MOST_JOINED):
            if self.readings.understands(text):
                return self._with_more(text, at, spelled)
            found = self._further(text, at, spelled)
            if not found and self.readings.read(text).kind in BROKEN and self._is_own(at):
                more = spelled(self.lines[at].text)
                broken = was_broken(self.lines[at - 1].text, self.lines[at].text) or OF_ORDERS.search(more)
                whole, goes_on = joined(text, more), broken or GOES_ON.match(more)
                if OPEN.search(text) or (goes_on and not self.readings.asks(more) and not self._is_worse(whole, text)):
                    found = whole, at + 1
            if not found:
                break
            text, at = found
        return text, at

    def _is_worse(self, whole: str, text: str) -> bool:
        """Whether a line with the next one has no form any more, where without it only something in it was wrong."""
        with_it, without = ({problem.kind for problem in self.readings.read(each).problems} for each in (whole, text))
        return Kind.SYNTAX in with_it and Kind.SYNTAX not in without

    def _said(self, line: str, text: str, at: int) -> Found | None:
        """Words to players, with the lines that they go on over.

        They do where a mail program has broken them. Where nothing stands behind the colon, all lines down to an
        empty one are said. What asks for something itself is not said, so that no plan is given away by an error.
        """
        first, typed = at, spoken(line)
        text = typed if isinstance(self.readings.read(typed).order, Say) else text
        below = not self.readings.understands(text) and text.rstrip().endswith((":", "："))
        goes_on = below or self.readings.understands(text)
        while goes_on and self._is_own(at) and at < first + MOST_SAID and len(text) <= LONGEST_SAID:
            more = self.lines[at].text
            if self.lines[at].quoted:
                break
            rest = not below and runs_on(self.lines[at - 1].text, more)
            broken = below or was_broken(self.lines[at - 1].text, more)
            if not rest and (not broken or self.readings.asks(more)):
                break
            text, at = f"{text} {plain_ends(more)}", at + 1
        return (text, at) if self.readings.read(text).meant else None

    def _is_blank(self, at: int) -> bool:
        line = self.lines[at]
        return not line.quoted and not line.text.strip()

    def _is_own(self, at: int) -> bool:
        if at >= len(self.lines):
            return False
        line = self.lines[at]
        quoted = line.quoted and not self._is_broken_before_arrow(at)
        return not (quoted or self._is_blank(at) or is_ours(line.text) or line.text in SIGNATURES)

    def _is_broken_before_arrow(self, at: int) -> bool:
        """Whether a line looks quoted only because a mail program has broken a march before its `>`."""
        above, line = self.lines[at - 1], self.lines[at].text
        alone = at + 1 == len(self.lines) or not self.lines[at + 1].quoted
        return line.startswith("> ") and alone and not above.quoted and was_broken(above.text, line)


def joined(text: str, more: str) -> str:
    """A line with the next one, as it stood before it was broken."""
    return f"{text}{more}" if more.startswith((";", ",", ":", ")")) else f"{text} {more}"
