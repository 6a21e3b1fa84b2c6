"""Find the orders in a mail, and the yes, no or number in it.

`tkid.orders.order_reader` reads one line; this module decides which lines to read. In a reply to one of our letters, the
lines of that letter show which lines are the sender's. If they are not known, reading stops at a marker line that isn't
quoted. Quotations are skipped. A line is an order if it reads as one, or if it was surely meant as one and fails; the finder
never guesses one. It reads the HTML form only if the plain form orders something, or has no order at all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise, takewhile
from unicodedata import normalize

from attrs import define, evolve, field, frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind
from tkid.mail import marker, quotation
from tkid.mail.envelope import drop_reply_prefix, is_automatic_subject
from tkid.mail.mime import find_unread_reason
from tkid.mail.model import IDS, Intake, Line, Marker, OrderLine, Orders, Refusal
from tkid.notation.names import find_people
from tkid.notation.plugin import find_free_reader, find_turn_reader
from tkid.notation.text import make_plain, single_space
from tkid.orders import order_reader
from tkid.orders.forms import MAX_LOOKED_AT
from tkid.orders.order_kinds import KINDS, LAST, OrderWriter, find_order_kind
from tkid.orders.order_values import Resign, Say, find_order_language
from tkid.rulebook import cites

ONE_TURN = "mail.one-turn"
MOST_ORDERS = 40
READERS = 64
"""Readers that are remembered: one for each group of players and seat."""
REMEMBERED = 256
"""Maximum number of lines, and of canonical texts, that a reader remembers: replies quote the same letters."""
ReadText = Callable[[str], order_reader.ReadOrder]


class OrderReader:
    """Reads and writes the orders of a game with these players; `seat` is whose orders they are, if that is known.

    With the seat it is also judged whom the orders name: a plan does not look at its owner, and words do not go to
    oneself or to a team-mate alone [post.plan.others, post.say.self, post.say.team-mate].
    """

    def __init__(self, game: AnyGame, names: Sequence[str], seat: int | None = None) -> None:
        turns = find_turn_reader(game, tuple(names))
        players = find_people(names, find_order_language(game).reserved)
        typed = order_reader.LineReader(turns, players, seat)
        stored = order_reader.LineReader(turns, players, seat, stored=True)
        self.intent = typed.intent
        self.list_names = find_free_reader(game, tuple(names)).list_names
        """Lists the cards, regions and pieces that a text names."""
        self.read_line: ReadText = lru_cache(REMEMBERED)(typed.read_line)
        """Returns the order of a line, or its problems. Never raises."""
        self.read_stored: ReadText = lru_cache(REMEMBERED)(stored.read_line)
        """Reads a canonical text, which may be longer than a typed one."""
        self.write_order = OrderWriter(turns, players).write_order
        """Writes an order in the one form that is stored and shown; reading it as `read_stored` gives the same order."""


@lru_cache(READERS)
def get_order_reader(game: AnyGame, names: tuple[str, ...], seat: int | None = None) -> OrderReader:
    return OrderReader(game, names, seat)


@cites("post.order.several", "post.order.most")
def sort_lines(lines: Iterable[OrderLine]) -> tuple[OrderLine, ...]:
    """Sort the lines of a mail into the order of their execution; those that fail come last.

    One mail can play only one turn: more turns fail [mail.one-turn]. So do the lines after many orders, in one line for
    all of them [post.order.most].
    """
    ordered, given = [], set[str]()
    for count, line in enumerate(lines):
        if count == MOST_ORDERS:
            message = f"One mail can have at most {MOST_ORDERS} orders: this one and all below it are ignored"
            problem = line.make_problem("post.order.most", message, "Send them in another mail.")
            ordered.append(evolve(line, read=order_reader.ReadOrder(None, (problem,))))
            break
        kept = line
        if line.order is not None and find_order_kind(line.order).is_given_once and line.kind in given:
            hint = "To play it on your next turn, write `then` between the two turns, in one line."
            problem = line.make_problem(ONE_TURN, "One mail can play only one turn", hint)
            kept = evolve(line, read=order_reader.ReadOrder(None, (problem,), line.kind))
        if line.order is not None:
            given.add(line.kind)
        ordered.append(kept)
    return tuple(sorted(ordered, key=lambda line: find_order_kind(line.order).rank if line.order else LAST))


FULL, MOST_FULL = 48, 80
"""Characters of a line that a mail program has broken, at least and at most."""
WRAPPED, NARROW = 70, 58
"""Characters that did not fit with the next word: where lines are put together, and where one is only left alone."""
ENDED = (".", "!", "?", "…", ":", "。", "！", "？", "：", ")")
"""Ends of a sentence."""

PLAIN_WORDS = re.compile(r"[^\W\d_]+(?:[ .!?,'’-]+[^\W\d_]+)*[ .!?,]*")
GOES_ON = re.compile(r"\W{0,2}(?:(?:and\s+)?then|(?:or\s+)?(?:else|otherwise))\b", re.IGNORECASE)
"""Beginning of a line that continues a plan."""
OPEN = re.compile(r"(?:[:,(>]|\b(?:if|and|or|else|otherwise|then|until))\s*\Z", re.IGNORECASE)
"""End of a line that needs another one."""
OF_ORDERS = re.compile(r"[;<>↔⇄⇆⟷→⇒⟶]")
"""Signs that are common in orders and rare in sentences."""


def is_possibly_broken(above: str, below: str, width: int = WRAPPED) -> bool:
    """Return True if a mail program may have broken a line between these two: the upper one is full."""
    above, below = make_plain(above).rstrip(), make_plain(below).lstrip()
    next_word = below.split(" ", 1)[0]
    return FULL <= len(above) <= MOST_FULL and len(above) + 1 + len(next_word) > width


def is_sentence_rest(above: str, below: str) -> bool:
    """Return True if a line is surely the rest of the sentence above, which is full and has no end.

    Such a line is never an order: the last word of `… I fear I shall have to / resign` is not.
    """
    signs = not any(map(str.isalnum, below)) and not make_plain(above).rstrip().endswith(ENDED)
    return is_possibly_broken(above, below, NARROW) and (signs or is_in_small_letters(above, below))


def is_in_small_letters(above: str, below: str) -> bool:
    """Return True if a line of plain words that begins in lower case continues the sentence above."""
    below, has_end = make_plain(below).strip(), make_plain(above).rstrip().endswith(ENDED)
    return not has_end and below[:1].islower() and PLAIN_WORDS.fullmatch(below[:MAX_LOOKED_AT]) is not None


MOST_READ, LEAST_READ = 30_000, 100
"""Characters that are read as orders, and how many one counts for at least; reading a text that fails takes time."""
FEW_JOINED, MOST_JOINED, MOST_SAID = 5, 16, 60
"""Lines that are put together: of a line that may be no order; of an order; of words to players."""
SIGNATURES = {"--", "-- "}
MOST_SIGNED = 20
"""Lines of a signature that are judged."""
POSTSCRIPT = re.compile(r"\s*P\.?\s?S\b", re.IGNORECASE)
"""The beginning of a line below a signature that belongs to the mail."""
BROKEN = frozenset(kind.name for kind in KINDS if kind.may_be_broken)
FINAL = tuple(order for kind in KINDS for order in kind.final)
NOTHING = order_reader.ReadOrder(None, meant=False)
"""The reading of text beyond the limit."""

Spelling = Callable[[str], str]
Whole = tuple[str, int]
"""A whole order, and the index of the line after it."""


@define
class ReadCache:
    """The readings of the texts of one mail: each is read once, up to a limit."""

    reader: OrderReader
    spent: int = 0
    known: dict[str, order_reader.ReadOrder] = field(factory=dict)

    @property
    def is_full(self) -> bool:
        return self.spent > MOST_READ

    def read_order(self, text: str) -> order_reader.ReadOrder:
        if text not in self.known:
            if self.is_full:
                return NOTHING
            self.spent += max(len(text), LEAST_READ)
            self.known[text] = self.reader.read_line(text)
        return self.known[text]

    def is_order(self, text: str) -> bool:
        words = quotation.split_lower_words(text)
        return bool(text) and self.reader.intent.is_order(self.read_order(text).order, words)

    def is_order_like(self, line: str) -> bool:
        """Return True if a line is an order, or was meant as one, in any spelling."""
        spellings = (quotation.strip_line, quotation.restore_signs, quotation.restore_arrows)
        texts = dict.fromkeys(spelled(line) for spelled in spellings)
        read = (self.read_order(text) for text in texts if self.reader.intent.may_be_order(text))
        return any(each is NOTHING or each.meant for each in read)

    def is_independent(self, text: str) -> bool:
        return self.reader.intent.may_be_order(text) and self.is_order(text)


@frozen
class Joiner:
    """Finds the orders that begin on the lines of a mail, each with the lines that belong to it."""

    lines: Sequence[Line]
    readings: ReadCache

    def find_order(self, index: int, *, below_remark: bool) -> Whole | None:
        line, after = self.lines[index].text, index + 1
        failed: tuple[str, Spelling] | None = None
        for spelled in self._list_spellings(line, after):
            text = spelled(line)
            if not self.readings.reader.intent.may_be_order(text):
                continue
            read = self.readings.read_order(text)
            if read.kind == "say":
                return self._read_words(line, text, after)
            if read.order in FINAL:
                within = self._is_within_text(index, below_remark=below_remark)
                return None if within else (self._read_final(line, text), after)
            if whole := self._read_whole(text, after, spelled, read):
                return whole
            if spelled is not quotation.restore_arrows:
                failed = (text, spelled) if read.order is None and read.meant else None
        return self._read_failed(failed[0], after, failed[1]) if failed else None

    def _list_spellings(self, line: str, after: int) -> list[Spelling]:
        following = (following.text for following in self.lines[after : after + FEW_JOINED])
        window = [text[: order_reader.LONGEST_ORDER] for text in (line, *following)]
        repairs = (quotation.restore_signs, quotation.restore_arrows) if len(line) <= order_reader.LONGEST_ORDER else ()
        return [
            quotation.strip_line,
            *(each for each in repairs if any(each(text) != quotation.strip_line(text) for text in window)),
        ]

    def _read_final(self, line: str, text: str) -> str:
        """Read a final order, which must be alone on its line; report giving up with a comma or the like."""
        trimmed = quotation.trim_spaces(line)
        exact = order_reader.RESIGNED.fullmatch(quotation.drop_invisible(trimmed).strip(quotation.AROUND))
        return text if exact or self.readings.read_order(text).order != Resign() else trimmed

    def _is_within_text(self, index: int, *, below_remark: bool) -> bool:
        small = quotation.trim_spaces(self.lines[index].text)[:1].islower()
        above = below_remark and not make_plain(self.lines[index - 1].text).rstrip().endswith((*ENDED, ","))
        more = self.lines[index + 1].text if self._is_own(index + 1) else ""
        below = more.strip()[:1].islower() and len(quotation.split_lower_words(more)) > 1
        return small and (above or (below and not self.readings.is_order_like(more)))

    def _read_whole(self, text: str, after: int, spelled: Spelling, read: order_reader.ReadOrder) -> Whole | None:
        """Read an order with the rest that a mail program has broken off; return None if the text begins no order."""
        may_be_broken = read.kind in BROKEN
        most = (MOST_JOINED if read.meant else FEW_JOINED) if may_be_broken else 1
        for _ in range(most):
            if self.readings.is_order(text):
                return self._extend_order(text, after, spelled) if may_be_broken else (text, after)
            if not self._is_own(after) or len(text) > order_reader.LONGEST_ORDER:
                return None
            text, after = join_broken(text, spelled(self.lines[after].text)), after + 1
        return None

    def _extend_order(self, text: str, after: int, spelled: Spelling) -> Whole:
        for _ in range(MOST_JOINED):
            longer = self._add_lines(text, after, spelled) or self._add_decision(text, after, spelled)
            if not longer:
                break
            text, after = longer
        return text, after

    def _add_decision(self, text: str, after: int, spelled: Spelling) -> Whole | None:
        below = after + (after < len(self.lines) and self._is_blank(after))
        if not self._is_own(below) or self.readings.read_order(text).kind not in {"turn", "draft", "plan"}:
            return None
        more = spelled(self.lines[below].text)
        alone, words, intent = more.lstrip("; "), quotation.split_lower_words(more), self.readings.reader.intent
        if intent.signs.is_continuation(words[:2]):
            is_short = len(words) <= order_reader.MOST_OF_A_REST
            belongs = is_short or text.endswith(";") or self.readings.is_order(alone)
            return (f"{text.rstrip('; ')}; {alone}", below + 1) if belongs else None
        whole = join_broken(text, more)
        is_listed = text.endswith(",") and below == after
        goes_on = text.endswith(";") or (is_listed and self.readings.read_order(whole).meant)
        return (whole, below + 1) if goes_on and not self.readings.is_independent(more) else None

    def _add_lines(self, text: str, after: int, spelled: Spelling) -> Whole | None:
        """Add the next lines to a text if they make a longer order of it, or were meant to."""
        if not self._is_own(after):
            return None
        more = spelled(self.lines[after].text)
        goes_on = GOES_ON.match(more) is not None
        if not (goes_on or OPEN.search(text)) and self.readings.is_independent(more):
            return None
        whole, below = join_broken(text, more), after + 1
        for _ in range(MOST_JOINED if goes_on or not self.readings.is_order(text) else 1):
            if self.readings.is_order(whole):
                return whole, below
            if not self._is_own(below):
                break
            whole, below = join_broken(whole, spelled(self.lines[below].text)), below + 1
        is_short = len(quotation.split_lower_words(more)) <= order_reader.MOST_OF_A_REST
        is_rest = is_short and self.readings.read_order(text).kind == "plan"
        belongs = is_rest or self.readings.read_order(more).meant
        return (join_broken(text, more), after + 1) if goes_on and belongs else None

    def _read_failed(self, text: str, after: int, spelled: Spelling) -> Whole:
        for _ in range(MOST_JOINED):
            if self.readings.is_order(text):
                return self._extend_order(text, after, spelled)
            longer = self._add_decision(text, after, spelled)
            if not longer and self.readings.read_order(text).kind in BROKEN and self._is_own(after):
                more = spelled(self.lines[after].text)
                broken = is_possibly_broken(self.lines[after - 1].text, self.lines[after].text)
                goes_on = broken or OF_ORDERS.search(more) or GOES_ON.match(more)
                whole, belongs = join_broken(text, more), goes_on and not self.readings.is_order_like(more)
                if OPEN.search(text) or (belongs and not self._is_worse(whole, text)):
                    longer = whole, after + 1
            if not longer:
                break
            text, after = longer
        return text, after

    def _is_worse(self, whole: str, text: str) -> bool:
        joined, alone = (self.readings.read_order(each).problems for each in (whole, text))
        return any(each.kind is Kind.SYNTAX for each in joined) and all(each.kind is not Kind.SYNTAX for each in alone)

    def _read_words(self, line: str, text: str, after: int) -> Whole | None:
        """Read words to players, with the lines over which they continue.

        They continue where a mail program has broken them, or where the next line begins in lower case. If nothing follows the colon, all lines down to an
        empty one count as words. A line that is an order itself is not said, so that no error gives a plan away.
        """
        end, typed = after + MOST_SAID, quotation.strip_spoken(line)
        text = typed if isinstance(self.readings.read_order(typed).order, Say) else text
        understood = self.readings.is_order(text)
        below = not understood and text.rstrip().endswith((":", "："))
        goes_on = below or understood
        while goes_on and self._is_own(after) and after < end and len(text) <= order_reader.LONGEST_SAID:
            above, more = self.lines[after - 1].text, self.lines[after].text
            if self.lines[after].quoted:
                break
            rest = not below and is_sentence_rest(above, more)
            goes_on_small = is_in_small_letters(above, more) and not self.readings.reader.list_names(more)
            broken = below or is_possibly_broken(above, more) or goes_on_small
            if not rest and (not broken or self.readings.is_order_like(more)):
                break
            text, after = f"{text} {quotation.trim_spaces(more)}", after + 1
        return (text, after) if self.readings.read_order(text).meant else None

    def _is_blank(self, index: int) -> bool:
        line = self.lines[index]
        return not line.quoted and not line.text.strip()

    def _is_own(self, index: int) -> bool:
        if index >= len(self.lines):
            return False
        line = self.lines[index]
        quoted = line.quoted and not self._is_broken_before_arrow(index)
        return not (quoted or self._is_blank(index) or marker.is_our_line(line.text) or line.text in SIGNATURES)

    def _is_broken_before_arrow(self, index: int) -> bool:
        above, line = self.lines[index - 1], self.lines[index].text
        alone = index + 1 == len(self.lines) or not self.lines[index + 1].quoted
        return line.startswith("> ") and alone and not above.quoted and is_possibly_broken(above.text, line, NARROW)


def join_broken(text: str, more: str) -> str:
    """Return a line with the next one, as it was before it was broken."""
    return f"{text}{more}" if more.startswith((";", ",", ":", ")")) else f"{text} {more}"


MOST_LEFT = 3
"""Samples that may be left of several for it to be asked which is meant."""


def is_turn_line(line: OrderLine) -> bool:
    """Return True if a line asks for a turn, perhaps with an error."""
    return line.kind in {"turn", ""}


@frozen
class Choices:
    """The choices of one reply; the letter begins in it at `begin` without quote marks, or not at all."""

    own: quotation.OwnLines
    begin: int
    readings: ReadCache

    @cites("mail.choice")
    def apply_choices(self, orders: Orders) -> Orders:
        """Return the orders of a reply, with its choices. A turn that was written, or an answer, goes before all marks."""
        copied = self._list_copied(orders)
        if len(copied) > 1:
            rest = tuple(line for line in orders.lines if line.typed not in copied)
            return evolve(orders, lines=rest, choices=tuple(copied))
        if orders.answer or any(map(is_turn_line, orders.lines)):
            return orders
        marked = self._list_marked()
        if marked:
            written = [line.typed for line in orders.proposed if is_turn_line(line)]
            rest = tuple(line for line in orders.proposed if not is_turn_line(line))
            return self._choose_sample(evolve(orders, proposed=rest), list(dict.fromkeys((*marked, *written))))
        if not (orders.lines or orders.proposed):
            return self._choose_left(orders)
        return orders

    def _choose_sample(self, orders: Orders, chosen: Sequence[str]) -> Orders:
        if len(chosen) > 1:
            return evolve(orders, choices=tuple(chosen))
        return evolve(orders, lines=(*orders.lines, self._make_line(chosen[0])))

    def _make_line(self, sample: str) -> OrderLine:
        return OrderLine(sample, self.readings.read_order(sample))

    def _list_copied(self, orders: Orders) -> list[str]:
        """Return the turns of a reply if all of them are samples."""
        turns = [line for line in orders.lines if is_turn_line(line)]
        samples = (self.own.find_sample(quotation.compare_words(line.typed)) for line in turns)
        return [line.typed for line in turns] if len(turns) > 1 and all(samples) else []

    def _list_marked(self) -> list[str]:
        """Return the marked samples, each once.

        A star or a bullet counts only in the quotation and if other samples have none, for mail programs make them too.
        """
        sure = [mark.sample for mark in self.own.marks.values() if mark.sure]
        if sure or not self.own.marks:
            return list(dict.fromkeys(sure))
        first = next((index for index, line in enumerate(self.own.lines) if line.quoted), self.begin)
        marks = [mark for index, mark in self.own.marks.items() if index >= min(first, self.begin)]
        plain = (line.text for index, line in enumerate(self.own.lines) if index not in self.own.marks)
        bare = {sample for text in plain if (sample := self.own.find_sample(quotation.compare_words(text)))}
        chosen = list(dict.fromkeys(mark.sample for mark in marks))
        return chosen if bare - set(chosen) else []

    def _choose_left(self, orders: Orders) -> Orders:
        """Take the samples left in a reply as its choice, if others were clearly deleted; beside a remark, propose one."""
        left = self._list_left()
        if len(left) != 1:
            return evolve(orders, choices=tuple(left)) if 1 < len(left) <= MOST_LEFT else orders
        if orders.remark:
            return evolve(orders, proposed=(self._make_line(left[0]),)) if self.begin < len(self.own.lines) else orders
        return self._choose_sample(orders, left)

    def _list_left(self) -> list[str]:
        """Return the turns left in a reply, if some are gone and the lines around them are not."""
        lines = [words for line in self.own.lines if (words := quotation.compare_words(line.text))]
        whole, running = set(lines), f" {' '.join(lines)} "

        def is_left(words: str) -> bool:
            return words in whole or (words.count(" ") + 1 >= quotation.FEWEST_WORDS and f" {words} " in running)

        counts = [sum(map(is_left, form.words)) for form in self.own.forms]
        if not any(counts):
            return []
        form = self.own.forms[counts.index(max(counts))]
        here = [index for index, words in enumerate(form.words) if is_left(words)]
        if not self._list_turns(form, set(range(len(form.words))).difference(here)):
            return []
        turns = self._list_turns(form, range(len(form.words)))
        clear = (here[0] < min(turns) and here[-1] > max(turns)) or turns.keys() >= set(here)
        return list(dict.fromkeys(turns[index] for index in here if index in turns)) if clear else []

    def _list_turns(self, form: quotation.Form, indexes: Iterable[int]) -> dict[int, str]:
        orders = {index: self.own.find_order_on(form.lines[index]) for index in indexes}
        read = self.readings.read_order
        return {index: order for index, order in orders.items() if order and read(order).kind == "turn"}


_TABLES = tomllib.loads(files(__package__).joinpath("answers.toml").read_text("utf-8"))
_PHRASES: Mapping[str, str] = _TABLES["phrases"]
_WORDS = {name: rf"(?:{'|'.join(words)})" for name, words in _TABLES["words"].items()}


def _list_phrases(table: str) -> Iterator[str]:
    return (phrase for phrase in " ".join(table.split()).split(", ") if phrase)


ANSWERS: Mapping[str, str] = {
    **{phrase: answer for answer, table in _TABLES["whole"].items() for phrase in _list_phrases(table)},
    **{str(number): str(number) for number in (1, 2, 3)},
}
"""Lines that are answers as a whole, with the meaning of each."""
ANSWER_KINDS: Mapping[str, str] = {
    phrase: answer for answer in ("1", "2", "3", "", "no", "yes") for phrase in _list_phrases(_PHRASES[answer])
}
"""The meaning of each phrase, "" for nothing; of two meanings the last one counts."""
LENGTHS = tuple(sorted(set(map(len, ANSWER_KINDS)), reverse=True))
SEEN = frozenset(_list_phrases(_TABLES["reactions"]["seen"]))
COPIED = re.compile(_TABLES["reactions"]["copied"], re.IGNORECASE | re.DOTALL)
REACTED = Refusal(IDS("reaction"), "It is only a reaction to a mail that asked nothing")
NUMBER = re.compile(r"[#(]?\s*([1-9])\s*[.)]?")
NUMBERED = re.compile(r"\b(?:no|nr|num|n)[.°º]\s*(?=[1-3]\b)", re.IGNORECASE)
ENDS = " \t.!,"
INSTEAD = re.compile(
    rf"{_WORDS['instead']}\b(?:\s+(?:to|rather|like|have|say|said|play|played|decir|dire)\b)*[\s:,]*", re.IGNORECASE
)
AT_THE_END = re.compile(rf"[ ,]+{_WORDS['at_the_end']}\b[.!]*$", re.IGNORECASE | re.MULTILINE)
GREETING, CLOSING, OPEN_ENDS = (
    re.compile(rf"{_WORDS[name]}\b", re.IGNORECASE) for name in ("greeting", "closing", "open_ends")
)
OF_PROGRAM = re.compile(_WORDS["of_program"], re.IGNORECASE)
SENT_FROM = re.compile(
    rf"(?:(?<=[.!?…)])[ \t]+|^\s*){_WORDS['sent_from']}[^\n.!?]{{0,50}}\.?\s*$", re.IGNORECASE | re.MULTILINE
)
"""A signature of a mail program: a line of its own, or behind a sentence."""
LONGEST_ANSWER = 400
"""Characters of a mail that is read as an answer in the sender's own words."""
NO_WORDS = re.compile(r"^[^\w?]+|[^\w?]+$")
CLAUSE_ENDS = re.compile(r"[.,;:!\n()\"«»“”。、]+|\s[-–—]+\s")
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
LINK = re.compile(r"<?https?://\S*>?")
NOISE = re.compile(r"[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff*_`]|\u200d[♀♂]")
"""Characters that change the look but not the meaning: colours of skin, variants, marks of bold and italics."""


@cites("mail.answered")
def find_answer(lines: Sequence[Line]) -> str:
    """Return the answer of the lines above a quotation; "" if no whole line is one, or two differ."""
    found = set()
    for line in takewhile(lambda line: not line.quoted and line.text not in SIGNATURES, lines):
        if len(line.text) > 40:
            continue
        text = " ".join(quotation.restore_signs(line.text).rstrip(ENDS).replace(",", " ").split()).casefold()
        number = NUMBER.fullmatch(text)
        answer = ANSWERS.get(number[1] if number else text, "")
        if answer:
            found.add(answer)
    return found.pop() if len(found) == 1 else ""


@frozen
class FreeAnswer:
    """An answer in the sender's own words, "" if they are not clearly one; `rest` is the text behind a `no` or a number, or an unclear yes."""

    answer: str = ""
    rest: str = ""


@cites("mail.offer.yes")
def find_free_answer(own: Sequence[str], extras: Iterable[str] = ()) -> FreeAnswer:
    """Return the answer of a mail in which every word agrees, denies or is filler; a `no` may precede other words.

    Args:
        own: the sender's lines.
        extras: words without meaning, such as the names of players.
    """
    text = NUMBERED.sub("number ", _drop_noise("\n".join(own)))
    if len(text) > LONGEST_ANSWER:
        return FreeAnswer()
    known, said, has_closed = frozenset(word.lower() for word in extras), frozenset[str](), False
    for begin, end in _find_clauses(text):
        clause = text[begin:end]
        if OF_PROGRAM.fullmatch(clause) or (not said and _is_greeting(GREETING, clause)):
            continue
        closes, found = _is_greeting(CLOSING, clause), _read_clause(clause, known)
        if found is not None:
            said |= found
        elif said == {"no"} and not has_closed and not closes:
            return FreeAnswer("no", _drop_answer_lead(text[begin:]))
        elif not said and (rest := _find_behind_no(clause)):
            return FreeAnswer("no", text[end - len(rest) :])
        elif not (closes or (has_closed and _is_name(clause))):
            chosen = "".join(said - {"yes"})
            if chosen.isdecimal() and len(chosen) == 1:
                return FreeAnswer(chosen, text[begin:])
            return FreeAnswer(rest=text[begin:] if said == {"yes"} and not has_closed else "")
        has_closed = has_closed or closes
    agreed = said - {"yes"} or said
    return FreeAnswer(min(agreed)) if len(agreed) == 1 and (len(said) == 1 or "no" not in said) else FreeAnswer()


def drop_program_signature(text: str) -> str:
    """Remove what a mail program has written below a text, such as `Sent from my phone`."""
    return SENT_FROM.sub("", text).strip()


def is_reaction(own: Sequence[str]) -> bool:
    """Return True if a mail is only a sign that its sender has read ours: a thumb, or another picture."""
    signs = _list_own_clauses(_drop_noise("\n".join(own))[: LONGEST_ANSWER + 1])
    return bool(signs) and not any(map(str.isalnum, "".join(signs)))


def is_acknowledgement(own: Sequence[str], extras: Iterable[str] = ()) -> bool:
    """Return True if a mail only reacts to a letter, also in words: thanks, a laugh, an `ok`; `extras` have no meaning."""
    text = _drop_noise("\n".join(own)).strip().lower()
    if is_reaction(own) or COPIED.fullmatch(text):
        return True
    whole = _list_own_clauses(text) if len(text) <= LONGEST_ANSWER else []
    clauses = [bare for each in whole if (bare := NO_WORDS.sub("", each))]
    known = SEEN | {word.lower() for word in extras}
    reacts = any(each in SEEN for clause in clauses for each in (clause, *clause.split()))
    return reacts and all(clause in known or _read_clause(clause, known) == frozenset() for clause in clauses)


def _list_own_clauses(text: str) -> list[str]:
    clauses = (text[begin:end] for begin, end in _find_clauses(text))
    return [clause for clause in clauses if not OF_PROGRAM.fullmatch(clause)]


def _drop_noise(text: str) -> str:
    """Remove characters that change only the look of a text."""
    seen = NOISE.sub("", quotation.drop_invisible(text[: 2 * LONGEST_ANSWER])).replace("’", "'")
    return order_reader.SMILE.sub(" ", normalize("NFKC", LINK.sub(" ", seen)))


def _find_clauses(text: str) -> Iterator[tuple[int, int]]:
    ends = [(match.start(), match.end()) for match in CLAUSE_ENDS.finditer(text)]
    for begin, end in zip((0, *(end for _, end in ends)), (*(begin for begin, _ in ends), len(text)), strict=True):
        clause = text[begin:end]
        if clause.strip(" \t-–—'/"):
            yield begin + len(clause) - len(clause.lstrip()), begin + len(clause.rstrip())


def _read_clause(clause: str, known: frozenset[str]) -> frozenset[str] | None:
    text = clause.lower()
    said: dict[int, frozenset[str]] = {0: frozenset()}
    for at in range(len(text)):
        if at in said:
            for phrase in _find_phrases_at(text, at, known):
                end = at + len(phrase)
                end += len(text) - end - len(text[end:].lstrip())
                said.setdefault(end, said[at] | {ANSWER_KINDS.get(phrase, "")})
    found = said.get(len(text))
    return None if found is None else found - {""}


def _find_behind_no(clause: str) -> str:
    """Return the text after a `no` without a comma in which the sender corrects us."""
    phrases = _find_phrases_at(clause.lower(), 0, frozenset())
    denied = next((phrase for phrase in phrases if ANSWER_KINDS[phrase] == "no"), "")
    rest = clause[len(denied) :].lstrip()
    meant_instead = _drop_answer_lead(rest) if denied else rest
    return "" if meant_instead == rest else meant_instead


def _drop_answer_lead(text: str) -> str:
    """Remove the words that lead to the sender's correction, and those that end it."""
    lead = INSTEAD.match(text)
    return AT_THE_END.sub("", text[lead.end() :] if lead else text)


def _find_phrases_at(text: str, at: int, known: frozenset[str]) -> Iterator[str]:
    """Return the phrases that begin at a place in a text in small letters, the longest first."""
    for length in LENGTHS:
        phrase = text[at : at + length]
        if phrase in ANSWER_KINDS and not (_is_spaced(phrase[-1]) and _is_spaced(text[at + length : at + length + 1])):
            yield phrase
    word = WORD.match(text, at)
    if word and word[0] in known:
        yield word[0]


def _is_spaced(sign: str) -> bool:
    return sign.isalnum() and not "\u3040" <= sign <= "\u9fff"


def _is_greeting(words: re.Pattern[str], clause: str) -> bool:
    match = words.match(clause)
    return match is not None and _is_name(clause[match.end() :].title())


def _is_name(text: str) -> bool:
    """Return True if a text may be a name, or is empty: none of its words has a meaning as an answer."""
    words = text.split()
    plain = all(word[0].isupper() or not word[0].isalpha() for word in words)
    has_meaning = any(OPEN_ENDS.match(word) or ANSWER_KINDS.get(word.lower()) for word in words)
    return len(words) <= 3 and plain and not has_meaning


MOST_OF_A_NOTICE = 60
"""Words of a plain form that only says that the mail is in HTML."""


def _list_pieces(texts: Iterable[str]) -> frozenset[str]:
    """List all words of texts, alone and with the word that follows, across the ends of lines."""
    words = _list_words(texts)
    return frozenset({*words, *map(" ".join, pairwise(words))})


def _list_words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in quotation.compare_words(text).split()]


@frozen
class MailForm:
    """The words of one form of a mail, for the comparison with lines of the other one: its own, and all."""

    own: frozenset[str] = field(converter=_list_pieces)
    every: frozenset[str] = field(converter=_list_pieces)

    def has_text(self, text: str) -> bool:
        """Return True if a text is part of this form. A few words count only if they are the sender's own."""
        return _list_pieces([text]) <= (self.own if len(_list_words([text])) < quotation.FEWEST_WORDS else self.every)


def only_in_html(plain: Iterable[str], html: Iterable[str], lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the sender's `html` lines that the plain form does not have: `plain` are its own lines, `lines` all of it."""
    form, whole = MailForm(plain, [line.text for line in lines]), {quotation.compare_words(line.text) for line in lines}
    strange = (text for text in html if text.strip() and not form.has_text(text))
    return tuple(text for text in strange if quotation.compare_words(text) not in whole)


def is_notice(own: Iterable[str]) -> bool:
    words = _list_words(own)
    return len(words) <= MOST_OF_A_NOTICE and "html" in words


@cites("mail.forms", "mail.doubt")
def compare_forms(mail: Intake, plain: Orders, find: Callable[[Intake], Orders], reader: OrderReader) -> Orders:
    """Return the orders of a mail in two forms, given those of the plain form; `find` finds the orders in a form.

    Text in the HTML form alone counts as the sender's words, also an order with an error. An order within the words of
    the other form is no difference: some programs write forms without line ends.
    """
    bare = not (plain.lines or plain.answer or plain.proposed or plain.choices)
    binding = _list_binding(plain, reader)
    if not (bare or binding or plain.answer):
        return plain
    lines = mail.html()
    if not lines:
        return plain
    html = find(evolve(mail, lines=lines, html=tuple))
    rich, others = MailForm(html.own, [line.text for line in lines]), _list_binding(html, reader)
    new = set(only_in_html(plain.own, (line.typed for line in others.values()), mail.lines))
    more = [text for text, line in others.items() if text not in binding and line.typed in new]
    if bare and (more or html.answer) and (is_notice(plain.own) or _list_pieces(plain.own) <= rich.every):
        return html
    seen = {*others, *_list_binding(evolve(html, lines=html.proposed), reader)}
    less = [text for text, line in binding.items() if text not in seen and not rich.has_text(line.typed)]
    if more or less or (plain.answer != html.answer and not all(map(rich.has_text, plain.own))):
        rest = tuple(line for line in plain.lines if not _is_binding(line))
        return evolve(plain, lines=rest, answer="", differing=tuple({**binding, **others}.values()))
    extra = only_in_html(plain.own, html.own, mail.lines)
    stripped = set(map(quotation.strip_line, extra))
    failed = tuple(line for line in html.lines if line.order is None and line.typed in stripped)
    typed = {line.typed for line in html.lines}
    remark = tuple(quotation.trim_spaces(text) for text in extra if quotation.strip_line(text) not in typed)
    return evolve(plain, lines=(*plain.lines, *failed), remark=(*plain.remark, *remark), own=(*plain.own, *extra))


def _is_binding(line: OrderLine) -> bool:
    return line.order is not None and not find_order_kind(line.order).is_harmless


def _list_binding(orders: Orders, reader: OrderReader) -> dict[str, OrderLine]:
    return {reader.write_order(line.order): line for line in orders.lines if line.order and _is_binding(line)}


WAS = re.compile(r"\s*[(\[]\s*(?:was|war|était|era|fue)\b.*", re.IGNORECASE)
"""The former subject behind a new one."""
TITLE = re.compile(r"(?P<name>\[[^\[\]]*\])\s*(?:Turn\s+\d+:)?")
"""The beginning of the subject of a letter of ours."""
TITLED = re.compile(r"\[[^\[\]]*\](?:(?!\s[-–—(]).)*")
"""The subject of a letter that we don't have, which begins with the title of the game, without what is added behind a dash."""
MOST_LINES = 1000
"""Own lines that are looked at; a person writes fewer."""
MOST_COMPARED = 10_000
"""Lines of a reply that are compared with our letters: two of the longest quotations."""
QUOTED = Line("", quoted=True)
HELP_ALONE = frozenset({"?", "hilfe", "hulp", "ayuda", "aide", "aiuto"})
"""Lines that ask for help if a mail has no order."""


@define
class _Finder:
    """A reader of one mail, line by line; `index` is the next line. With `stops`, it ends where our letter begins."""

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
    signature: list[str] = field(factory=list)
    remarked: int = -2
    """The last line of a remark, or of an order that is not understood."""
    copied: int = -1
    """The line on which a mail of somebody else begins, -1 if none does."""
    apart: Sequence[Line] = field(init=False)
    """The lines; those that introduce a quotation count as quoted."""

    def __attrs_post_init__(self) -> None:
        self.apart = quotation.mark_introductions(self.lines)

    def read_all(self) -> None:
        """Read down to a bare marker or heading of ours, or to the end."""
        while self.index < len(self.lines) and self.own < MOST_LINES:
            line = self.lines[self.index]
            if self.stops and quotation.is_forward_start(line.text):
                self.copied = self.index
            if line.quoted:
                self._end_at_quotation()
                self.signed = False
                if marker.is_picture_start(line.text):
                    self.index = marker.find_picture_end(self.lines, self.index)
                    continue
            elif self.stops and (marker.is_our_line(line.text) or quotation.is_quotation_start(self.lines, self.index)):
                self._keep_remark(quotation.drop_lead(self.remark, self.lines, self.index))
                self._end_at_quotation()
                self.copied = -1 if marker.is_our_line(line.text) else self.index
                return
            elif line.text in SIGNATURES:
                self.signed = True
            elif line.text.strip() and (not self.signed or POSTSCRIPT.match(line.text)):
                self.signed = False
                self.own += 1
                self.quoting = False
                begin = self.index
                self._take_line(line.text)
                self.texts += (each.text.strip() for each in self.lines[begin : self.index])
                continue
            elif line.text.strip():
                self.signature.append(line.text.strip())
            elif self.texts:
                self.texts.append("")
            self.index += 1

    def _end_at_quotation(self) -> None:
        """End at the first line of a quotation: its introduction is no remark, but a line above an order is."""
        last = next(filter(None, reversed(self.texts)), "")
        if not self.quoting and self.remark[-1:] == [quotation.trim_spaces(last)]:
            self._keep_remark(quotation.drop_introduction(self.remark))
        self.quoting = True

    def _keep_remark(self, remark: list[str]) -> None:
        """Keep only this part of the remark. The dropped last lines are not the sender's."""
        for _ in range(len(self.remark) - len(remark)):
            while self.texts and not self.texts.pop():
                pass
        self.remark = remark

    def _take_line(self, line: str) -> None:
        below_remark = self.remarked == self.index - 1
        rest_of_remark = below_remark and is_sentence_rest(self.lines[self.index - 1].text, line)
        full = self.readings.is_full or len(self.orders) > MOST_ORDERS or _is_cry_for_help(line)
        order = None
        if not (rest_of_remark or full):
            order = Joiner(self.apart, self.readings).find_order(self.index, below_remark=below_remark)
        if order:
            text, self.index = order
            self.orders.append(text)
            if self.readings.read_order(text).order is None:
                self.remarked = self.index - 1
            return
        if remark := quotation.trim_spaces(line):
            self.remark.append(remark)
            if not find_answer([Line(line)]):  # a `yes` is whole: no order below goes on with it
                self.remarked = self.index
        self.index += 1


@cites("mail.order", "mail.remark", "mail.own-lines")
def find_orders(mail: Intake, reader: OrderReader, letters: Sequence[quotation.OwnLetter] = ()) -> Orders:
    """Find what a mail asks for, read by the reader of its sender's orders; `letters` are those of ours that it may quote."""
    plain = _find_in_lines(mail, reader, letters)
    found = compare_forms(mail, plain, lambda form: _find_in_lines(form, reader, letters), reader)
    subject = _find_own_subject(mail.subject, letters, reader)
    automatic = tuple(filter(is_automatic_subject, found.own)) if mail.suppresses else ()
    found = evolve(found, doubt=automatic, is_struck=mail.is_struck)
    return evolve(found, unread=find_unread_reason(mail, found.own), subject=subject)


@cites("mail.doubt")
def _find_own_subject(subject: str, letters: Sequence[quotation.OwnLetter], reader: OrderReader) -> str:
    """Return the words that the sender added to the subject of our letter, or put in its place; "" for none or an order."""
    ours = [drop_reply_prefix(letter.subject) for letter in letters]
    whole = drop_reply_prefix(WAS.sub("", subject))
    beside = next((whole.replace(each, " ") for each in ours if each and each in whole), None)
    title = TITLE.match(whole)
    is_ours = title is not None and any(each.startswith(title["name"]) for each in ours)
    own = beside if beside is not None else TITLE.sub("", whole) if is_ours else TITLED.sub("", whole)
    words = drop_reply_prefix(own.strip(" -–—:,;|")).split()
    own = " ".join(words[:-1] if words and not drop_reply_prefix(f"{words[-1]}:") else words)  # `DRAFT Re: ours`
    is_order = reader.read_line(own).order is not None and not own.endswith("?")
    return "" if own in ours or is_order else own


def _find_in_lines(mail: Intake, reader: OrderReader, letters: Sequence[quotation.OwnLetter]) -> Orders:
    readings, whole, begin = ReadCache(reader), mail.lines, len(mail.lines)
    own = quotation.OwnLines(list(mail.lines[:MOST_COMPARED]), letters, readings) if letters else None
    if own is not None:
        begin = own.find_beginning()
        whole = tuple(own.lines)  # with ours marked
    marked = [Line(line.text, line.quoted or quotation.is_marked(line.text)) for line in whole[:begin]]
    above = _Finder([*marked, *([QUOTED] if begin < len(whole) else [])], readings)
    above.read_all()
    begin = min(begin, above.index)
    lines, answer = _list_found(above), find_answer(above.lines[:begin])
    orders = Orders(lines, tuple(above.remark), _find_marker(mail), answer=answer, own=tuple(above.texts))
    orders = evolve(orders, signature=tuple(above.signature[:MOST_SIGNED]))
    if own is None:
        return _propose_copied(orders, above)
    if not (answer or any(map(is_turn_line, lines))):
        below = _Finder(own.read_below(begin), readings, stops=False)
        below.read_all()
        orders = _add_proposals(orders, _list_found(below))
        orders = orders if orders.proposed else _propose_copied(orders, above)
    return Choices(own, begin, readings).apply_choices(orders)


@cites("mail.offer")
def _propose_copied(orders: Orders, above: _Finder) -> Orders:
    """Propose the orders in a mail of somebody else that a mail without an order of its own forwards."""
    if above.copied < 0 or orders.answer or any(map(is_turn_line, orders.lines)):
        return orders
    for quoted in (False, True):  # some programs mark each line of a forwarded mail
        copied = (line.text for line in above.lines[above.copied + 1 :] if line.quoted == quoted)
        below = _Finder([Line(quotation.drop_prefix(text)) for text in copied], above.readings, stops=False)
        below.read_all()
        found = [line for line in _list_found(below) if line.order is not None]
        if found:
            return _add_proposals(orders, found)
    return orders


def _add_proposals(orders: Orders, lines: Sequence[OrderLine]) -> Orders:
    """Add the lines below a quotation: propose readable orders, and keep the rest as remarks.

    Several turns are not proposed: they may be the samples of a letter that is no longer known.
    """
    failed = (line.typed for line in lines if line.order is None)
    several = sum(map(is_turn_line, lines)) > 1
    proposed = tuple(line for line in lines if line.order is not None and not (several and is_turn_line(line)))
    return evolve(orders, remark=(*orders.remark, *failed), proposed=proposed)


def _list_found(finder: _Finder) -> tuple[OrderLine, ...]:
    """List the orders that were found. A `?` asks for help if it is alone; beside an order, it is a remark that doubts it."""
    reader, lines = finder.readings.reader, dict[str, OrderLine]()
    cries = [
        text
        for above, text in pairwise(("", *finder.remark))
        if _is_cry_for_help(text) and not (quotation.strip_line(text) == "?" and above.strip()[-1:].isalnum())
    ]  # a `?` below an open line is the end of a question
    if cries and not (finder.orders or find_answer(list(map(Line, finder.remark)))):
        finder.orders, finder.remark = cries[:1], [text for text in finder.remark if text not in cries]
        finder.readings.known[cries[0]] = reader.read_line("help")
    for typed in finder.orders:
        line = OrderLine(typed, finder.readings.known.get(typed) or reader.read_line(typed))
        same = reader.write_order(line.order) if line.order is not None else single_space(typed).casefold()
        lines.setdefault(same, line)
    return tuple(lines.values())


def _is_cry_for_help(text: str) -> bool:
    return quotation.strip_line(text).rstrip(" .!").casefold() in HELP_ALONE


def _find_marker(mail: Intake) -> Marker | None:
    for index, line in enumerate(mail.lines):
        read = marker.read_marker if marker.is_marker(line.text) else marker.read_reference
        if found := read(mail.lines, index):
            return found
    return marker.read_id(mail.parents[0]) if mail.parents else None
