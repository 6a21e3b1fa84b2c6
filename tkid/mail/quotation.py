"""Separate the sender's own lines from the lines of our letters that a reply quotes.

Only words are compared: no spaces, capitals or quote marks. Above the beginning of a letter, every line is the sender's, even
one that equals a line of ours, because the sender copied it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Protocol

from attrs import define, field, frozen

from tkid.mail.envelope import PROGRAMS, compile_words, read_subject, read_whole
from tkid.mail.marker import find_picture_end, has_lead, is_our_line, is_picture_start
from tkid.mail.mime import read_html_lines
from tkid.mail.mime_writer import find_text, read_written_part
from tkid.mail.model import Line
from tkid.notation.text import make_plain
from tkid.orders.forms import MAX_LOOKED_AT, split_small_words
from tkid.orders.order_kinds import FIRST_WORDS
from tkid.rulebook import cites

AROUND = " \t*_`/\"'«»“”„‘’「」『』"
"""Signs that mail programs and people put around a line: bold and italics in plain text, quotation marks."""
BULLETS = ("- ", "* ", "• ", "· ", "– ")
UNSEEN = str.maketrans(
    dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", "")
    | dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "")
)
"""Invisible characters that are never part of a name: joiners, soft hyphens, directions of writing."""
SIGNS_UNSEEN = frozenset(map(chr, UNSEEN))
ENDS_UNSEEN = "".join(SIGNS_UNSEEN)
WIDE: dict[int, str] = {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
TYPED = WIDE | str.maketrans(
    {
        **dict.fromkeys("⇔\uf0f3", "<>"),
        **dict.fromkeys("》〉➡\uf0e0\uf0e8", ">"),
        **dict.fromkeys("《〈", "<"),
        **dict.fromkeys("*`\ufe0e\ufe0f", ""),
        "_": " ",
        "、": ",",
        "。": ".",
        "œ": "oe",
        "Œ": "OE",
    }
)
"""Replacements by keyboards and mail programs for the signs of a turn."""
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&"))
"""Entities that some programs write into plain text."""
LETTERS_FOR_ARROWS = ((" ó ", " <> "), (" à ", " > "), (" è ", " > "))
"""Outlook makes an arrow of a symbol font out of `<=>`, `-->` and `==>`, and sends its letter in that font."""


def drop_invisible(text: str) -> str:
    """Return a line without invisible characters."""
    return text if text.isascii() or SIGNS_UNSEEN.isdisjoint(text) else text.translate(UNSEEN)


def strip_line(text: str) -> str:
    """Return a line without the decoration of mail programs: bullets, stars, quotation marks; `Pass,` as `Pass`."""
    text = trim_spaces(drop_invisible(text)).replace("；", ";")
    for bullet in BULLETS:
        text = text.removeprefix(bullet)
    text = text.strip(AROUND)
    word = text.rstrip(",;: ")
    return word if word.isalpha() else text


def strip_spoken(text: str) -> str:
    """Return a line of words to players without signs around the whole of it."""
    text = trim_spaces(text).strip(ENDS_UNSEEN)
    for bullet in BULLETS:
        text = text.removeprefix(bullet)
    inner = text.lstrip(AROUND)
    return inner if inner == text else inner.rstrip(AROUND)


def restore_signs(text: str) -> str:
    """Return a bare line with the signs of a turn in place of the replacements by keyboards and mail programs."""
    for entity, sign in ENTITIES:
        text = text.replace(entity, sign)
    return strip_line(text.translate(TYPED))


def restore_arrows(text: str) -> str:
    """Return a bare line with arrows in place of single letters; as these are words too, it counts only if it is a turn."""
    for letter, arrow in LETTERS_FOR_ARROWS:
        text = text.replace(letter, arrow)
    return strip_line(text)


def split_lower_words(text: str) -> list[str]:
    return split_small_words(make_plain(text[:MAX_LOOKED_AT]))


def trim_spaces(text: str) -> str:
    """Return a line without any kind of space at its ends, columns between them kept."""
    spaces = make_plain(text)
    return text[len(spaces) - len(spaces.lstrip()) : len(spaces.rstrip())]


FEWEST_WORDS = 4
"""Minimum number of words in the same order as in a letter, for text that is no whole line of it."""
REMEMBERED = 32
"""Letters that are kept as they were read: several replies are compared with each, and each reply with several."""
MOST_LINES = 2000
MAX_COMPARED = 2000
"""Characters of a line that are compared."""
WORD = re.compile(r"[^\W_]+")
LINK = re.compile(r"[<\[(]?\b(?:mailto:|https?://)\S*")
"""Mail programs write the address of a link behind its text."""
SPELLED = UNSEEN | WIDE | str.maketrans({"œ": "oe", "Œ": "OE"})
REPEATED = re.compile(r'\s*".*"\s*')


def compare_words(text: str) -> str:
    """Return the words of a line in small letters with single blanks: all that is compared of it."""
    text = text[:MAX_COMPARED]
    if not text.isascii():
        text = text.translate(SPELLED)
    if "&" in text:
        for entity, sign in ENTITIES:
            text = text.replace(entity, sign)
    if "://" in text or "mailto:" in text:
        text = LINK.sub(" ", text)
    return " ".join(WORD.findall(text.casefold()))


@frozen
class Form:
    """A letter in one form, as plain text or as HTML: its lines that hold words."""

    lines: tuple[str, ...]
    words: tuple[str, ...]
    repeated: frozenset[str] = frozenset()
    """The words of the lines that quote its reader: they aren't ours."""

    @classmethod
    def make_form(cls, texts: Sequence[str]) -> Form:
        repeated = frozenset(compare_words(text) for text in texts if REPEATED.fullmatch(text))
        pairs = [(text, words) for text in texts if not REPEATED.fullmatch(text) and (words := compare_words(text))]
        return cls(tuple(text for text, _ in pairs), tuple(words for _, words in pairs), repeated)

    @cached_property
    def places(self) -> Mapping[str, tuple[int, ...]]:
        places: dict[str, tuple[int, ...]] = {}
        for index, words in enumerate(self.words):
            places[words] = (*places.get(words, ()), index)
        return places

    @cached_property
    def _running(self) -> str:
        return f" {' '.join(self.words)} "

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for words in self.words:
            starts.append(starts[-1] + len(words) + 1)
        return starts

    def find_last(self, words: str) -> int:
        """Return the last line of the letter that has these words, or on which a run of them ends; -1 if none has."""
        places = self.places.get(words, ())
        covered = self.find_covered(words) if not places and words.count(" ") + 1 >= FEWEST_WORDS else range(0)
        return max((*places, *covered), default=-1)

    def find_covered(self, words: str) -> range:
        """Return the lines over which some words stretch that follow one another in the letter; none if they do not."""
        begin = self._running.find(f" {words} ") if words else -1
        if begin < 0:
            return range(0)
        last = begin + len(words)
        return range(bisect_right(self._starts, begin) - 1, bisect_right(self._starts, last - 1))


@frozen
class OwnLetter:
    """A letter of ours, as the bytes that were sent; read only when a reply has to be compared with it."""

    raw: bytes

    @property
    def subject(self) -> str:
        return read_subject(read_whole(self.raw).head)

    @property
    def text(self) -> Form:
        return _read_form(self.raw, "text/plain")

    @property
    def page(self) -> Form:
        return _read_form(self.raw, "text/html")


@lru_cache(2 * REMEMBERED)
def _read_form(data: bytes, kind: str) -> Form:
    text = find_text(read_written_part(data), kind)
    is_page = kind == "text/html"
    return Form.make_form([line.text for line in read_html_lines(text, MOST_LINES)] if is_page else text.split("\n"))


LONGEST_LABEL = 20
"""Characters before the colon of a line like `From: …`."""
FEWEST_LABELS = 3
"""Lines of `From: …` and the like that a mail program writes at least."""
LOOK = 400
"""Characters of a line that are looked at."""
COLONS = (":", "：")
RULE = re.compile(r"-{4,}\s*(?!BEGIN PGP|END PGP)[^\W\d_](?:[^-]|-(?!-))*-{4,}\s*")
"""`-----Original Message-----` in all languages."""
ADDRESS = re.compile(r"[<(\[][^<>()\[\]\s]+@[^<>()\[\]\s]+[>)\]]")
FORWARDED = compile_words("forwarded")
"""Words by which mail programs introduce a forwarded mail."""
SENDERS = frozenset(PROGRAMS["senders"].split())
"""Labels of the sender in a forwarded mail."""
MOST_OF_A_LABEL = 8
"""Words of a line that introduces a forwarded mail."""


def is_quotation_start(lines: Sequence[Line], index: int) -> bool:
    """Return True if a quotation without marks begins on a line: nothing below it is the sender's.

    It begins with a line like `--- Original Message ---` or `Begin forwarded message:`, or with lines like `From: …`, one with
    an address or the first one with the sender; or with one like `… <address> wrote:` above indented lines.
    """
    text = lines[index].text[:LOOK]
    if RULE.fullmatch(text.strip()) or is_forward_start(text):
        return True
    if _is_label(text) and _is_labelled_quotation(lines, index):
        return True
    below = next((line for line in lines[index + 1 : index + 6] if line.text.strip()), Line(""))
    is_indented = not below.quoted and below.text.startswith((" ", "\u00a0"))
    return is_indented and text.strip().endswith(COLONS) and ADDRESS.search(text.strip()) is not None


def is_forward_start(text: str) -> bool:
    text = text[:LOOK].strip(" \t*_>")
    is_line = text.endswith(COLONS) or RULE.fullmatch(text) is not None
    return is_line and FORWARDED.search(text) is not None and len(split_lower_words(text)) <= MOST_OF_A_LABEL


@cites("mail.introduction")
def mark_introductions(lines: Sequence[Line]) -> list[Line]:
    """Return lines with those marked as quoted that introduce a quotation (`On … wrote:`): no order continues over them."""
    introducing = set[int]()
    for index, line in enumerate(lines):
        if line.quoted and index and not lines[index - 1].quoted:
            introducing.update(_find_introduction(lines, index))
    return [Line(line.text, line.quoted or index in introducing) for index, line in enumerate(lines)]


def _find_introduction(lines: Sequence[Line], quotation: int) -> Iterator[int]:
    """Find the one or two lines that introduce the quotation that begins on a line, if any."""
    last = quotation - 1
    while last > 0 and not lines[last].text.strip():
        last -= 1
    text = lines[last].text[:LOOK].strip()
    if lines[last].quoted or not text.endswith(COLONS):
        return
    above = lines[last - 1].text[:LOOK].strip() if last and not lines[last - 1].quoted else ""
    if _is_introduction(text):
        yield last
    elif len(split_lower_words(text)) <= FEWEST_WORDS and _is_introduction(above):
        yield from (last - 1, last)


def _is_introduction(text: str) -> bool:
    words = split_lower_words(text)
    return bool(words) and words[0] not in FIRST_WORDS and ("@" in text or any(map(str.isdigit, text)))


def _is_labelled_quotation(lines: Sequence[Line], index: int) -> bool:
    labels: list[str] = []
    for line in lines[index : index + 8]:
        if line.quoted or not _is_label(line.text[:LOOK]):
            break
        labels.append(line.text[:LOOK])
    is_sender = bool(labels) and not SENDERS.isdisjoint(split_lower_words(re.split("[:：]", labels[0])[0]))
    return len(labels) >= FEWEST_LABELS and (is_sender or any(map(ADDRESS.search, labels)))


def _is_label(text: str) -> bool:
    label, *rest = re.split("[:：]", text.strip(" *_\t"), maxsplit=1)
    words = split_lower_words(label)
    return bool(rest and words) and len(label) <= LONGEST_LABEL and words[0] not in FIRST_WORDS


def drop_lead(remark: list[str], lines: Sequence[Line], marker: int) -> list[str]:
    """Return a remark without the sentence that our letters have above a marker line; it is the nearest line with words."""
    above = next((line.text for line in reversed(lines[max(0, marker - 3) : marker]) if line.text.strip()), "").strip()
    is_sentence = above.endswith((".", "?")) and len(split_lower_words(above)) >= FEWEST_WORDS
    is_lead = is_sentence and has_lead(lines[marker].text) and remark[-1:] == [above]
    return remark[:-1] if is_lead else remark


MOST_OF_AN_END = 3
"""Words of the second line of an introduction: `wrote:`, `het volgende geschreven:`."""


def drop_introduction(remark: list[str]) -> list[str]:
    """Return a remark without the lines that a mail program puts before a quotation (`On … wrote:`, `From: …`)."""
    kept = list(remark)
    if kept and kept[-1].endswith(COLONS):
        kept.pop()
        is_end = "@" not in remark[-1] and len(split_lower_words(remark[-1])) <= MOST_OF_AN_END
        begins = kept[-1] if kept and len(kept[-1]) > LONGEST_LABEL else ""
        is_address = "@" in remark[-1] and (begins.endswith("<") or remark[-1].startswith("<"))
        if (is_address and _is_introduction(begins)) or (is_end and any(sign in begins for sign in "<@")):
            kept.pop()
        return kept
    header = len(kept)
    while header and ":" in kept[header - 1][:20]:
        header -= 1
    if len(kept) - header >= FEWEST_LABELS:
        kept = kept[:header]
    while kept and (kept[-1].startswith("---") or not any(c.isalnum() for c in kept[-1])):
        kept.pop()
    return kept


MAX_MARKED = 400
"""Characters of a line that are looked at."""
PREFIX = re.compile(r"[\s>＞|\]:}%#]*(?:(?!x+>)\w[\w.-]{0,11}(?:>+|\|))?[\s>＞|\]:}%#]*", re.IGNORECASE)
"""Marks of mail programs before a quoted line."""
NUMBER = re.compile(r"\s*\d{1,2}[.)]?\s+")
"""Number before the samples that are chosen by number."""
BEFORE = re.compile(
    r"(?:(?P<sure>[x×]{1,3}(?=[\s>:.)-])[>:.)-]*|[\[({]\s*[x×✓✔+*]\s*[\])}]|[-=~]{1,4}>+|"
    r"[→⇒➔➜➡►▶✓✔☑√✅👉]\ufe0f?)|\*{1,3}|[-+•·–])\s*",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"\s*(?:(?P<sure>(?:<[-=~]{1,4}|[←⇐⬅]\ufe0f?)(?P<said>[^<>]{0,40})|[\[({]\s*(?:[x×✓✔]|this(?: one)?|mine|yes)\s*[\])}]|"
    r"\s[x×]{1,3}|[✓✔☑√✅]\ufe0f?|<{2,3})|\*{1,3})[\s.!]*\Z",
    re.IGNORECASE,
)
"""A mark before or behind a line: one that is surely meant as such, or one that a mail program may have made."""
MAY_MARK = re.compile(
    r"[\s>＞|\]:}%#\w.-]*?(?:\b[xX×]{1,3}[\s>:.)-]|[\[({]\s*[xX×✓✔+*]|[-=~]>|[→⇒➔➜➡►▶✓✔☑√✅👉]|\*|[-+•·–]\s)|.*(?:<[-=~]|[←⇐⬅✓✔☑√✅]|"
    r"[\])}*xX×<][\s.!]*\Z)"
)
"""Characters of any line with a mark."""
WORDS = frozenset(PROGRAMS["pointing"].split())
"""Words behind an arrow that only point at a line."""


@frozen
class Unmarked:
    """A line without a mark around it; `sure` where only a person makes such a mark."""

    text: str
    sure: bool


def is_marked(text: str) -> bool:
    """Return True if a line begins with a sign that people put before no line of their own, behind invisible characters."""
    return drop_invisible(text).lstrip().startswith((">", "＞", "|", "]"))


def drop_prefix(text: str) -> str:
    prefix = PREFIX.match(text)
    return text[prefix.end() :] if prefix else text


def has_prefix(text: str) -> bool:
    """Return True if a line has such a mark, and not only blanks, before it."""
    shown = drop_invisible(text).strip()
    return drop_prefix(shown) != shown


def list_unmarked(text: str) -> Iterator[Unmarked]:
    """Return the ways to take a mark off a line."""
    text = drop_invisible(text[:MAX_MARKED])
    if not MAY_MARK.match(text):
        return
    text = drop_prefix(" ".join(text.split()))
    if (number := NUMBER.match(text)) and BEFORE.match(text[number.end() :]):
        text = text[number.end() :]
    before, behind = BEFORE.match(text), BEHIND.search(text)
    if behind and not set(re.findall(r"[^\W\d_]+", (behind["said"] or "").casefold())) <= WORDS:
        behind = None
    if before:
        yield Unmarked(text[before.end() :], bool(before["sure"]))
    if behind:
        yield Unmarked(text[: behind.start()], bool(behind["sure"]))
    if before and behind and before.end() <= behind.start():
        yield Unmarked(text[before.end() : behind.start()], bool(before["sure"] or behind["sure"]))


MANY_LINES, FEW_LETTERS = 6, 2
"""Unmarked lines from which on a reply may quote the HTML of a letter, and letters that are compared where it has fewer."""
MOST_NUMBERS = 3
MOST_LOOKED, MOST_MARKED = 5_000, 200
"""Lines in which a mark is looked for, and marks that are found."""
NEAR = 5
"""Lines below one that are looked at for the next line of a letter."""


class Readings(Protocol):
    """The readers that tell orders from other lines."""

    def is_independent(self, text: str) -> bool:
        """Return True if a line is an order without the lines above it."""

    def is_order_like(self, line: str) -> bool:
        """Return True if a line is an order, or was meant as one, in any spelling."""


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
    """The index of the marker line, or of a heading of ours, without a quote mark; else the number of lines."""
    forms: Sequence[Form] = ()
    """The forms of the letters that are compared."""
    marks: dict[int, Mark] = field(factory=dict)
    _known: frozenset[str] = frozenset()
    """The words of each line of these forms."""
    _last: dict[int, int] = field(factory=dict)
    """The last line of each form that was found."""
    _words: dict[str, str] = field(factory=dict)
    """The words of each text that was looked at: most are looked at several times."""
    _last_quoted: int = -1
    """The index of the last quoted line, as the lines are marked so far."""

    def __attrs_post_init__(self) -> None:
        self._last_quoted = max((index for index, line in enumerate(self.lines) if line.quoted), default=-1)
        ours = (index for index, line in enumerate(self.lines) if not line.quoted and is_our_line(line.text))
        bare_lines = (index for index in ours if not has_prefix(self.lines[index].text))
        self.end = next(bare_lines, len(self.lines))
        self._choose_forms(self.end)

    def _choose_forms(self, end: int) -> None:
        bare_lines = sum(not line.quoted and bool(line.text.strip()) for line in self.lines[:end])
        if bare_lines < MANY_LINES:
            self.forms = [letter.text for letter in self.letters[:FEW_LETTERS]]
        else:
            self.forms = [*(letter.text for letter in self.letters), *(letter.page for letter in self.letters)]
        self._known = frozenset(words for form in self.forms for words in form.places)

    def find_words(self, text: str) -> str:
        found = self._words.get(text)
        if found is None:
            found = self._words[text] = compare_words(text)
        return found

    def find_places(self, words: str) -> Iterator[tuple[int, int]]:
        """Return the places of lines of ours with these words: the number of the form, and of the line in it."""
        for number, form in enumerate(self.forms):
            for index in form.places.get(words, ()):
                yield number, index

    def find_sample(self, words: str) -> str:
        """Return the order on a line of ours with these words, without its number, or ""."""
        numbered = (f"{number} {words}" for number in range(1, MOST_NUMBERS + 1))
        for each in (each for each in (words, *numbered) if each in self._known):
            for number, index in self.find_places(each):
                if order := self.find_order_on(self.forms[number].lines[index]):
                    return order
        return ""

    def find_order_on(self, line: str) -> str:
        """Return the order that a line of a letter offers, or ""."""
        texts = (strip_line(line), strip_line(NUMBER.sub("", line, count=1)))
        return next((text for text in texts if text and self.readings.is_independent(text)), "")

    def _is_run(self, words: str) -> bool:
        return words.count(" ") + 1 >= FEWEST_WORDS and any(form.find_covered(words) for form in self.forms)

    def _is_continuing(self, index: int, words: str) -> bool:
        above = self.find_words(self.lines[index - 1].text) if index and self.lines[index - 1].quoted else ""
        if not above or (next(self.find_places(words), None) and self.find_sample(words)):
            return False
        return any(form.find_covered(f"{above} {words}") for form in self.forms)

    def _find_behind_prefix(self, text: str) -> str:
        if not has_prefix(text):
            return ""
        inner = drop_prefix(drop_invisible(text))
        words = self.find_words(inner)
        return inner if words and (next(self.find_places(words), None) or self._is_run(words)) else ""

    def _find_next_place(self, form: int, index: int) -> tuple[int, int]:
        """Return the index of the next line with words nearby, and its last place in a form; -1 for a missing one."""
        near = range(index + 1, min(index + 1 + NEAR, len(self.lines)))
        following = next((each for each in near if self.find_words(self.lines[each].text)), -1)
        if following in self.marks:
            texts = [each.text for each in list_unmarked(self.lines[following].text)]
        else:
            is_ours = following < 0 or self.lines[following].quoted
            texts = [] if is_ours else [self.lines[following].text]
        places = (self.forms[form].find_last(self.find_words(text)) for text in texts)
        return following, max(places, default=-1)

    def _is_followed_by_letter(self, form: int, place: int, index: int, *, is_copy: bool = False) -> bool:
        """Return True if more of a letter follows on a line than orders that were copied above it, each below another."""
        following, below = self._find_next_place(form, index)
        if below <= place:
            return is_copy and self.end == len(self.lines) and index > self._last_quoted
        if following in self.marks or not self._is_order(self.forms[form].lines[below]):
            return True
        return self._is_followed_by_letter(form, below, following, is_copy=True)

    @cites("mail.choice")
    def _find_marks(self, indexes: Iterable[int]) -> None:
        """Find the marked samples. Lines that are surely marked are not read any more."""
        for index in islice(indexes, MOST_LOOKED):
            if len(self.marks) < MOST_MARKED and (mark := self._find_mark(index, self.lines[index].text)):
                self.marks[index] = mark
                if mark.sure:
                    self._mark_as_ours(index)

    def _find_mark(self, index: int, text: str, *, broken: bool = True) -> Mark | None:
        ways = list(list_unmarked(text))
        marked = ((each.sure, sample) for each in ways if (sample := self.find_sample(self.find_words(each.text))))
        sure, sample = max(marked, default=(False, ""))
        if sample:
            return Mark(sample, sure)
        if broken and index + 1 < len(self.lines) and ways:
            return self._find_mark(index, f"{text} {self.lines[index + 1].text}", broken=False)
        return None

    def _mark_as_ours(self, index: int, text: str = "") -> None:
        self.lines[index] = Line(text or self.lines[index].text, quoted=True)
        self._last_quoted = max(self._last_quoted, index)

    @cites("mail.own-lines")
    def find_beginning(self) -> int:
        """Return where an unmarked letter of ours begins, or the number of lines; our lines above count as quoted."""
        self._find_marks(index for index in range(self.end) if not self.lines[index].quoted)
        quoting = False
        for index in range(self.end):
            line, quoting = self.lines[index], quoting or self.lines[max(0, index - 1)].quoted
            if line.quoted:
                continue
            words = self.find_words(line.text)
            if not self.find_words(drop_prefix(line.text)):
                if quoting and has_prefix(line.text):
                    self._mark_as_ours(index)
            elif inner := self._find_behind_prefix(line.text):
                self._mark_as_ours(index, inner)
            elif self._is_continuing(index, words):
                self._mark_as_ours(index)
            elif self._is_letter_start(index, words):
                return self._find_repeated_above(index)
        return self.end

    def _find_repeated_above(self, begin: int) -> int:
        """Return the index of the first line of ours that quotes the reader directly above one, in quotation marks."""
        for index in range(begin - 1, max(-1, begin - 1 - NEAR), -1):
            text = " ".join(line.text for line in self.lines[index:begin])
            if REPEATED.fullmatch(text) and any(self.find_words(text) in form.repeated for form in self.forms):
                return self._find_repeated_above(index)
        return begin

    def _is_letter_start(self, index: int, words: str) -> bool:
        enough = words.count(" ") + 1 >= FEWEST_WORDS
        for form, place in self.find_places(words):
            is_letter = enough and not self._is_order(self.forms[form].lines[place])
            if is_letter or self._is_followed_by_letter(form, place, index):
                return True
        return enough and self._is_broken_piece(words) and not self._is_order(self.lines[index].text)

    def _is_order(self, line: str) -> bool:
        return bool(self.find_order_on(line)) or self.readings.is_order_like(line)

    def _is_broken_piece(self, words: str) -> bool:
        for form in self.forms:
            covered = form.find_covered(words)
            if len(covered) > 1 or (covered and not self._is_order(form.lines[covered[0]])):
                return True
        return False

    def read_below(self, begin: int) -> list[Line]:
        """Return the lines from the start of a letter, all quoted but the sender's; none if no line is ours."""
        self._choose_forms(len(self.lines))
        self._find_marks(index for index in range(len(self.lines)) if index not in self.marks)
        index, known = begin, False
        while index < len(self.lines):
            line = self.lines[index]
            words = "" if line.quoted else self.find_words(line.text)
            if not line.quoted and is_picture_start(line.text):
                for each in range(index, after := find_picture_end(self.lines, index)):
                    self._mark_as_ours(each)
                index = after
                continue
            if words and known and is_quotation_start(self.lines, index):
                return self.lines[begin:index]
            if words and self._is_ours_below(index, words):
                known = known or not is_our_line(line.text)
                self._mark_as_ours(index)
            index += 1
        return self.lines[begin:] if known else []

    def _is_ours_below(self, index: int, words: str) -> bool:
        text = self.lines[index].text
        if is_our_line(text) or index in self.marks:
            return True
        places = list(self.find_places(words))
        in_place = [(form, place) for form, place in places if self._is_in_place(form, place, index)]
        for form, place in reversed(in_place):
            self._last[form] = place
        if places:
            return bool(in_place) or not self.find_sample(words)
        goes_on = self._is_continuing(index, words) or self._is_continued(index, words)
        return goes_on or self._is_run(words) or bool(self._find_behind_prefix(text))

    def _is_continued(self, index: int, words: str) -> bool:
        below = self.lines[index + 1] if index + 1 < len(self.lines) else Line("")
        more = "" if below.quoted else self.find_words(below.text)
        return bool(more) and any(form.find_covered(f"{words} {more}") for form in self.forms)

    def _is_in_place(self, form: int, place: int, index: int) -> bool:
        return place > self._last.get(form, -1) or self._find_next_place(form, index)[1] > place
