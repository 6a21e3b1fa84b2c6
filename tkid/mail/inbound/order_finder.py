"""Finding the orders in a mail: which lines ask for something, each whole, and which are remarks.

A mail of ours is answered, so its marker line decides: where it stands bare, reading stops; what is quoted is
skipped. A line is an order if it reads as one, or if it was surely meant as one and fails; never is one guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind
from tkid.mail.inbound.attribution import begins_quotation, without_introduction
from tkid.mail.inbound.normalize import AROUND, UNSEEN, bare, lettered, meant, plain_ends, spoken
from tkid.mail.inbound.order_lines import MOST_ORDERS, OrderReader
from tkid.mail.inbound.prefilter import GOES_ON, OF_ORDERS, OPEN, Glance, ends_sentence, runs_on, was_broken, words_of
from tkid.mail.marker import after_picture, begins_picture, is_marker, is_ours, read_id, read_marker
from tkid.mail.model import Intake, Line, Marker, Orders
from tkid.notation.plugin import TurnReader
from tkid.notation.text import single_spaced
from tkid.orders.model import Resign, Say, Turn, Undo
from tkid.orders.reader import LONGEST_ORDER, LONGEST_SAID, RESIGNED, ReadOrder
from tkid.record.play.replay import reader as turn_reader
from tkid.rulebook import cites

MOST_LINES = 1000
"""Own lines that are looked at; a person writes fewer."""
MOST_READ, LEAST_READ = 30_000, 100
"""Characters that are read as orders, and how many one counts for at least; reading a text that fails takes time."""
FEW_JOINED, MOST_JOINED, MOST_SAID = 3, 16, 60
"""Lines that are put together: of a line that may be no order; of an order; of words to players."""
MOST_FURTHER, MOST_OTHERWISE = 4, 4
"""Words of a line that may be the rest of a turn, or the `else` of a plan, with an error in it; a longer one is a sentence."""
SIGNATURES = {"--", "-- "}
LONG = frozenset(["turn", "plan", "standing", "draft", "away"])
"""Kinds of orders that a mail program may have broken."""
GRAVE = (Resign(), Undo("agree"))
"""Orders that cannot be taken back: they are not taken from a sentence."""
NOTHING = ReadOrder(None, meant=False)
"""What is not read any more."""

Spelling = Callable[[str], str]
Found = tuple[str, int]
"""An order, and the index of the line after it."""


@define
class _Finder:
    """Reads down the lines of one mail."""

    reader: OrderReader
    glance: Glance
    turns: TurnReader
    lines: Sequence[Line]
    at: int = 0
    own: int = 0
    spent: int = 0
    readings: dict[str, ReadOrder] = field(factory=dict)
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
        full = self.spent > MOST_READ or len(self.orders) > MOST_ORDERS
        found = None if rest_of_remark or full else self._order(line)
        if found:
            self.orders.append(found[0])
            self.at = found[1]
            if self._read(found[0]).order is None:
                self.remarked = self.at - 1
        elif stripped := plain_ends(line):
            self.remark.append(stripped)
            self.remarked = at

    # -- one order ----------------------------------------------------------------------------------------

    def _order(self, line: str) -> Found | None:
        """The order that begins on a line, if one does."""
        tried: tuple[str, Spelling] | None = None
        for spelled in self._spellings(line):
            text = spelled(line)
            if not self.glance.may_be(text):
                continue
            kind = self._read(text).kind
            if kind == "say":
                return self._said(line, text)
            if self._read(text).order in GRAVE:
                return self._alone(line, text)
            if whole := self._whole(text, spelled, kind):
                return whole
            if spelled is not lettered:
                tried = (text, spelled)
        if tried and self._read(tried[0]).order is None and self._read(tried[0]).meant:
            return self._failed(*tried)
        return None

    def _spellings(self, line: str) -> list[Spelling]:
        """The ways to spell a line: as it is typed, and others where they make a difference to it or the next ones."""
        following = (following.text for following in self.lines[self.at : self.at + FEW_JOINED])
        window = [text[:LONGEST_ORDER] for text in (line, *following)]
        others = (each for each in (meant, lettered) if any(each(text) != bare(text) for text in window))
        return [bare, *others] if len(line) <= LONGEST_ORDER else [bare]

    def _read(self, text: str) -> ReadOrder:
        """A text as an order. No more than so much is read."""
        if text not in self.readings:
            if self.spent > MOST_READ:
                return NOTHING
            self.spent += max(len(text), LEAST_READ)
            self.readings[text] = self.reader.read(text)
        return self.readings[text]

    def _understands(self, text: str) -> bool:
        """Whether a text is an order. A turn is written out, so that initials under a mail are none."""
        order = self._read(text).order if text else None
        if isinstance(order, Turn):
            return self.turns.is_written_out(order.read, len("".join(words_of(text))))
        return order is not None

    def _alone(self, line: str, text: str) -> Found | None:
        """A grave order: it stands in no sentence, and giving up is complained about where it has a comma or the like."""
        if self._is_within_text():
            return None
        exact = RESIGNED.fullmatch(plain_ends(line).translate(UNSEEN).strip(AROUND))
        return (text if exact or self._read(text).order != Resign() else plain_ends(line)), self.at

    def _is_within_text(self) -> bool:
        """Whether the line stands in small letters between lines of text, as where somebody broke a sentence there."""
        at = self.at - 1
        small = plain_ends(self.lines[at].text)[:1].islower()
        above = self.remarked == at - 1 and not ends_sentence(self.lines[at - 1].text)
        more = self.lines[at + 1].text if self._is_own(at + 1) else ""
        below = more.strip()[:1].islower() and len(words_of(more)) > 1
        return small and (above or (below and not self._asks(more)))

    def _whole(self, text: str, spelled: Spelling, kind: str) -> Found | None:
        """An order with what a mail program has broken off; None where no order begins with the text."""
        at = self.at
        most = (FEW_JOINED if not self._read(text).meant else MOST_JOINED) if kind in LONG else 1
        for _ in range(most):
            if self._understands(text):
                return self._with_more(text, at, spelled) if kind in LONG else (text, at)
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
        if not self._is_own(following) or self._read(text).kind not in {"turn", "draft", "plan"}:
            return None
        more = spelled(self.lines[following].text)
        alone = more.lstrip("; ")
        first = words_of(more)[:2]
        if self.turns.goes_on(first):
            if text.endswith(";") or self._understands(alone) or len(words_of(more)) <= MOST_FURTHER:
                return f"{text.rstrip('; ')}; {alone}", following + 1
            return None
        whole = joined(text, more)
        goes_on = text.endswith(";") or (text.endswith(",") and following == at and self._read(whole).meant)
        return (whole, following + 1) if goes_on and not self._stands_alone(more) else None

    def _rest(self, text: str, at: int, spelled: Spelling) -> Found | None:
        """A text with the next lines where these make a longer order of it, or were meant to."""
        if not self._is_own(at):
            return None
        more = spelled(self.lines[at].text)
        goes_on = GOES_ON.match(more) is not None
        if not goes_on and self._stands_alone(more):
            return None
        whole, following = joined(text, more), at + 1
        for _ in range(MOST_JOINED if goes_on else 1):
            if self._understands(whole):
                return whole, following
            if not self._is_own(following):
                break
            whole, following = joined(whole, spelled(self.lines[following].text)), following + 1
        plan = self._read(text).kind == "plan" and len(words_of(more)) <= MOST_OTHERWISE
        return (joined(text, more), at + 1) if goes_on and (plan or self._read(more).meant) else None

    def _failed(self, text: str, spelled: Spelling) -> Found:
        """An order with an error, with the lines that seem to belong to it."""
        at = self.at
        for _ in range(MOST_JOINED):
            if self._understands(text):
                return self._with_more(text, at, spelled)
            found = self._further(text, at, spelled)
            if not found and self._read(text).kind in LONG and self._is_own(at):
                more = spelled(self.lines[at].text)
                broken = was_broken(self.lines[at - 1].text, self.lines[at].text) or OF_ORDERS.search(more)
                whole, goes_on = joined(text, more), broken or GOES_ON.match(more)
                if OPEN.search(text) or (goes_on and not self._asks(more) and not self._is_worse(whole, text)):
                    found = whole, at + 1
            if not found:
                break
            text, at = found
        return text, at

    def _is_worse(self, whole: str, text: str) -> bool:
        """Whether a line with the next one has no form any more, where without it only something in it was wrong."""
        with_it, without = ({problem.kind for problem in self._read(each).problems} for each in (whole, text))
        return Kind.SYNTAX in with_it and Kind.SYNTAX not in without

    def _said(self, line: str, text: str) -> Found | None:
        """Words to players, with the lines that they go on over.

        They do where a mail program has broken them. Where nothing stands behind the colon, all lines down to an
        empty one are said. What asks for something itself is not said, so that no plan is given away by an error.
        """
        at, typed = self.at, spoken(line)
        text = typed if isinstance(self._read(typed).order, Say) else text
        below = not self._understands(text) and text.rstrip().endswith((":", "："))
        goes_on = below or self._understands(text)
        while goes_on and self._is_own(at) and at < self.at + MOST_SAID and len(text) <= LONGEST_SAID:
            more = self.lines[at].text
            if self.lines[at].quoted:
                break
            rest = not below and runs_on(self.lines[at - 1].text, more)
            broken = below or was_broken(self.lines[at - 1].text, more)
            if not rest and (not broken or self._asks(more)):
                break
            text, at = f"{text} {plain_ends(more)}", at + 1
        return (text, at) if self._read(text).meant else None

    def _asks(self, line: str) -> bool:
        """Whether a line is an order, or was meant as one, however it is spelled."""
        texts = dict.fromkeys(spelled(line) for spelled in (bare, meant, lettered))
        read = (self._read(text) for text in texts if self.glance.may_be(text))
        return any(each is NOTHING or each.meant for each in read)

    def _stands_alone(self, text: str) -> bool:
        """Whether a line is an order without what stands above it."""
        return self.glance.may_be(text) and self._understands(text)

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


@cites("mail.order", "mail.remark")
def find_orders(mail: Intake, reader: OrderReader, game: AnyGame) -> Orders:
    """What a mail asks for. The lines are given to `commands.in_order` as they are."""
    finder = _Finder(reader, Glance.of(game), turn_reader(game), mail.lines)
    finder.run()
    marker = finder.marker or next((found for found in map(read_id, mail.parents[:1]) if found), None)
    once = dict[str, str]()
    for typed in finder.orders:
        once.setdefault(_sameness(typed, finder.readings.get(typed, NOTHING), reader), typed)
    return Orders(tuple(once.values()), tuple(finder.remark), marker)


def joined(text: str, more: str) -> str:
    """A line with the next one, as it stood before it was broken."""
    return f"{text}{more}" if more.startswith((";", ",", ":", ")")) else f"{text} {more}"


def _sameness(typed: str, read: ReadOrder, reader: OrderReader) -> str:
    """What is equal for lines that ask for the same."""
    return single_spaced(typed).casefold() if read.order is None else reader.written(read.order)
