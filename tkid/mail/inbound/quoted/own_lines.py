"""Compares the lines of a reply with our letters: where they begin in it, and which of its lines are theirs.

Words are compared, not spaces, capitals or quote marks. Above the beginning of a letter, every line is the sender's, even
one that equals a line of ours: it was copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from attrs import define, field, frozen

from tkid.mail.inbound.attribution import begins_quotation
from tkid.mail.inbound.normalize import bare, seen
from tkid.mail.inbound.quoted.marks import NUMBER, has_prefix, unmarked, without_prefix
from tkid.mail.inbound.quoted.own_letters import FEWEST_WORDS, Form, OwnLetter, words_in
from tkid.mail.marker import after_picture, begins_picture, is_ours
from tkid.mail.model import Line
from tkid.rulebook import cites

MANY_LINES, FEW_LETTERS = 6, 2
"""Unmarked lines from which on a reply may quote the HTML of a letter, and letters that are compared where it has fewer."""
MOST_NUMBERS = 3
MOST_LOOKED, MOST_MARKED = 5_000, 200
"""Lines in which a mark is looked for, and marks that are found."""
NEAR = 5
"""Lines below one that are looked at for the next line of a letter."""


class Readings(Protocol):
    """What tells orders from other lines."""

    def stands_alone(self, text: str) -> bool:
        """Whether a line is an order without what stands above it."""

    def asks(self, line: str) -> bool:
        """Whether a line is an order, or was meant as one, however it is spelled."""


@frozen
class Mark:
    """A sample of ours that a reply marks: the order, and whether it is surely a mark."""

    sample: str
    sure: bool


@define
class OwnLines:
    """The lines of some letters of ours, to be found in the lines of a reply to one of them."""

    lines: list[Line]
    letters: Sequence[OwnLetter]
    readings: Readings
    end: int = 0
    """Where the marker line, or a heading of ours, stands without a quote mark; the number of lines where none does."""
    forms: Sequence[Form] = ()
    """The forms of the letters that are compared."""
    marks: dict[int, Mark] = field(factory=dict)
    _known: frozenset[str] = frozenset()
    """The words of each line of these forms."""
    _last: dict[int, int] = field(factory=dict)
    """The last line of each form that was found."""
    _words: dict[str, str] = field(factory=dict)
    """The words of each text that was looked at: most are looked at several times."""

    def __attrs_post_init__(self) -> None:
        ours = (index for index, line in enumerate(self.lines) if not line.quoted and is_ours(line.text))
        bare_lines = (index for index in ours if not has_prefix(self.lines[index].text))
        self.end = next(bare_lines, len(self.lines))
        self._compare(self.end)

    def _compare(self, end: int) -> None:
        """Choose the forms to compare lines with up to some line: few lines can quote little."""
        bare_lines = sum(not line.quoted and bool(line.text.strip()) for line in self.lines[:end])
        if bare_lines < MANY_LINES:
            self.forms = [letter.text for letter in self.letters[:FEW_LETTERS]]
        else:
            self.forms = [*(letter.text for letter in self.letters), *(letter.page for letter in self.letters)]
        self._known = frozenset(words for form in self.forms for words in form.places)

    # -- single lines -------------------------------------------------------------------------------------

    def words(self, text: str) -> str:
        """The words of a text, as `words_in` has them."""
        found = self._words.get(text)
        if found is None:
            found = self._words[text] = words_in(text)
        return found

    def places(self, words: str) -> Iterator[tuple[int, int]]:
        """Where lines of ours with these words are: the number of the form, and of the line in it."""
        for number, form in enumerate(self.forms):
            for index in form.places.get(words, ()):
                yield number, index

    def sample(self, words: str) -> str:
        """The order on a line of ours with these words, without its number; "" where there is none."""
        numbered = (f"{number} {words}" for number in range(1, MOST_NUMBERS + 1))
        for each in (each for each in (words, *numbered) if each in self._known):
            for number, index in self.places(each):
                if order := self.order_on(self.forms[number].lines[index]):
                    return order
        return ""

    def order_on(self, line: str) -> str:
        """The order that a line of a letter offers; "" where it is none."""
        texts = (bare(line), bare(NUMBER.sub("", line, count=1)))
        return next((text for text in texts if text and self.readings.stands_alone(text)), "")

    def _is_run(self, words: str) -> bool:
        """Whether some words follow one another in a letter, and are enough of them to be no chance."""
        return words.count(" ") + 1 >= FEWEST_WORDS and any(form.covered(words) for form in self.forms)

    def _goes_on(self, index: int, words: str) -> bool:
        """Whether a line goes on with the line of ours right above, which a mail program has broken."""
        above = self.words(self.lines[index - 1].text) if index and self.lines[index - 1].quoted else ""
        if not above or (next(self.places(words), None) and self.sample(words)):
            return False
        return any(form.covered(f"{above} {words}") for form in self.forms)

    def _behind_prefix(self, text: str) -> str:
        """What stands behind an unusual quote mark, where that is ours; else ""."""
        if not has_prefix(text):
            return ""
        inner = without_prefix(seen(text))
        words = self.words(inner)
        return inner if words and (next(self.places(words), None) or self._is_run(words)) else ""

    def _is_followed(self, form: int, place: int, index: int) -> bool:
        """Whether the next line of a reply that has words, with or without a mark, stands behind one in the letter too."""
        near = range(index + 1, min(index + 1 + NEAR, len(self.lines)))
        following = next((each for each in near if self.words(self.lines[each].text)), None)
        if following is None:
            return False
        if following in self.marks:
            texts = [each.text for each in unmarked(self.lines[following].text)]
        else:
            texts = [] if self.lines[following].quoted else [self.lines[following].text]
        return any(self.forms[form].last(self.words(text)) > place for text in texts)

    # -- marks --------------------------------------------------------------------------------------------

    @cites("mail.choice")
    def _find_marks(self, indexes: Iterable[int]) -> None:
        """Find the samples that are marked; what is surely marked is no line to be read any more."""
        for index in islice(indexes, MOST_LOOKED):
            if len(self.marks) < MOST_MARKED and (mark := self._mark(index, self.lines[index].text)):
                self.marks[index] = mark
                if mark.sure:
                    self._take(index)

    def _mark(self, index: int, text: str, *, broken: bool = True) -> Mark | None:
        """The mark of a sample in a text that begins on a line, if there is one; the next line may go on with it."""
        ways = list(unmarked(text))
        marked = ((each.sure, sample) for each in ways if (sample := self.sample(self.words(each.text))))
        sure, sample = max(marked, default=(False, ""))
        if sample:
            return Mark(sample, sure)
        if broken and index + 1 < len(self.lines) and ways:
            return self._mark(index, f"{text} {self.lines[index + 1].text}", broken=False)
        return None

    def _take(self, index: int) -> None:
        """Note that a line is not to be read as the sender's."""
        self.lines[index] = Line(self.lines[index].text, quoted=True)

    # -- the whole reply ----------------------------------------------------------------------------------

    @cites("mail.own-lines")
    def find_beginning(self) -> int:
        """The line on which a letter of ours begins that is not marked as quoted, or the number of lines.

        Lines above it that an unusual mark or a broken quotation shows to be ours are noted as quoted.
        """
        self._find_marks(index for index in range(self.end) if not self.lines[index].quoted)
        quoting = False
        for index in range(self.end):
            line, quoting = self.lines[index], quoting or self.lines[max(0, index - 1)].quoted
            if line.quoted:
                continue
            words = self.words(line.text)
            if not self.words(without_prefix(line.text)):
                if quoting and has_prefix(line.text):
                    self._take(index)
            elif inner := self._behind_prefix(line.text):
                self.lines[index] = Line(inner, quoted=True)
            elif self._goes_on(index, words):
                self._take(index)
            elif self._begins(index, words):
                return index
        return self.end

    def _begins(self, index: int, words: str) -> bool:
        """Whether a letter of ours begins on a line that is not marked as quoted."""
        enough = words.count(" ") + 1 >= FEWEST_WORDS
        for form, place in self.places(words):
            if (enough and not self._is_order(self.forms[form].lines[place])) or self._is_followed(form, place, index):
                return True
        return enough and self._is_broken_piece(words) and not self._is_order(self.lines[index].text)

    def _is_order(self, line: str) -> bool:
        """Whether a line is an order, or is one with an error, such as our answer repeats."""
        return bool(self.order_on(line)) or self.readings.asks(line)

    def _is_broken_piece(self, words: str) -> bool:
        """Whether words are a piece of a letter that was broken anew, and of no order in it: people break orders too."""
        for form in self.forms:
            covered = form.covered(words)
            if len(covered) > 1 or (covered and not self._is_order(form.lines[covered[0]])):
                return True
        return False

    def below(self, begin: int) -> list[Line]:
        """The lines from the beginning of a letter on, those of ours as quoted; none where no line is ours.

        Where another quotation is introduced below, nothing more is the sender's.
        """
        self._compare(len(self.lines))
        self._find_marks(index for index in range(len(self.lines)) if index not in self.marks)
        index, known = begin, False
        while index < len(self.lines):
            line = self.lines[index]
            words = "" if line.quoted else self.words(line.text)
            if not line.quoted and begins_picture(line.text):
                for each in range(index, after := after_picture(self.lines, index)):
                    self._take(each)
                index = after
                continue
            if words and known and begins_quotation(self.lines, index):
                return self.lines[begin:index]
            if words and self._is_ours_below(index, words):
                known = known or not is_ours(line.text)
                self._take(index)
            index += 1
        return self.lines[begin:] if known else []

    def _is_ours_below(self, index: int, words: str) -> bool:
        """Whether a line below the beginning of a letter is ours: all but a sample out of its place, which was typed."""
        text = self.lines[index].text
        if is_ours(text) or index in self.marks:
            return True
        places = list(self.places(words))
        in_place = [(form, place) for form, place in places if self._is_in_place(form, place, index)]
        for form, place in reversed(in_place):
            self._last[form] = place
        if places:
            return bool(in_place) or not self.sample(words)
        goes_on = self._goes_on(index, words) or self._is_continued(index, words)
        return goes_on or self._is_run(words) or bool(self._behind_prefix(text))

    def _is_continued(self, index: int, words: str) -> bool:
        """Whether a line and the next one follow one another in a letter, as where a mail program has broken it."""
        below = self.lines[index + 1] if index + 1 < len(self.lines) else Line("")
        more = "" if below.quoted else self.words(below.text)
        return bool(more) and any(form.covered(f"{words} {more}") for form in self.forms)

    def _is_in_place(self, form: int, place: int, index: int) -> bool:
        """Whether a line of a letter stands behind those found before, or is followed by its own next one."""
        return place > self._last.get(form, -1) or self._is_followed(form, place, index)
