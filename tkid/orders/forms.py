"""Forms of orders: how each kind is written, the matcher that reads a line by them, and the writer.

In a form `[x]` is optional, `(x|y)` is a choice, `{x|y}` is any of them in any order, and `<slot:type>` is a value; a `*` behind
the name of a slot says that it may be filled several times. The matcher knows how far a line fits, so every problem has a place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, Literal, NamedTuple

from attrs import evolve, field, frozen

from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.kernel.values import derive
from tkid.notation.names import list_names
from tkid.notation.plugin import WrongError

MAX_STEPS = 10_000
"""Maximum number of steps in which one line is compared with one form."""
MAX_LOOKED_AT = 300
"""Maximum number of characters of a line that are looked at."""
MAX_FILLED = 40
"""Maximum number of values in a line."""
MAX_SHOWN = 40
"""Maximum number of characters of a typed text that a sentence repeats."""
LIKE, LIKE_ALONE = 0.75, 0.8
"""How like a name (0 to 1) a word has to be to be taken for it with an error; and where nothing else of an order is there."""
SHORTEST_SLIP, SHORTEST_LIKE_WORD = 2, 6
"""Minimum number of letters in a word that another can be a slip for, and in one that need only be similar."""
MAX_MENDED = 12
"""Maximum number of words of a line that are compared with the words of forms."""
MAX_NAMED = 3
"""Maximum number of words that are named where one of them is missing; of more words for one thing only the first one is."""
MAX_UNJUDGED = 2
"""Maximum number of words that are no sentence."""
ENDS = " \t.!;,"
WORD = re.compile(r"[^\W\d_]+")
FORM_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
PIECE = re.compile(
    r"\s*(?:(?P<open>[\[({])|(?P<close>[\])}])|(?P<bar>\|)|<(?P<slot>[^>]+)>|(?P<word>[^\s\[\](){}|<>]+))"
)
WORD_END = re.compile(r"\S+?(?=[,:.!?]*(?:\s|\Z)|:)")
"""A word up to the punctuation behind it."""
PROSE = frozenset([
    "am", "are", "be", "can", "cannot", "could", "did", "do", "does", "fail", "failed", "fails", "had", "has", "have", "he",
    "her", "him", "his", "i", "if", "is", "it", "its", "me", "mine", "my", "our", "she", "should", "so", "that", "their", "them", "they", "this",
    "us", "was", "we", "were", "what", "when", "who", "why", "will", "would", "you", "your", "yours",
])  # fmt: skip
"""Words of sentences: a short line that begins like an order of one word and has one of them was meant for people."""
POLITE_WORDS = frozenset(["again", "me", "now", "once", "please", "pls", "then"])
"""Words that may follow an order without turning it into a sentence."""


def split_small_words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def is_like_name(word: str, names: Sequence[str], cutoff: float = LIKE) -> bool:
    return bool(get_close_matches(word, names, 1, cutoff))


def is_single_slip(typed: str, word: str) -> bool:
    """Return True if a text is a word with one letter too many, too few, wrong, or two in the wrong order."""
    if abs(len(typed) - len(word)) > 1 or typed == word or len(word) < SHORTEST_SLIP:
        return False
    if len(typed) == len(word):
        wrong = [index for index in range(len(word)) if typed[index] != word[index]]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and typed[wrong[0]] == word[wrong[1]]
        return len(wrong) == 1 or (swapped and typed[wrong[1]] == word[wrong[0]])
    longer, shorter = (typed, word) if len(typed) > len(word) else (word, typed)
    return any(longer[:index] + longer[index + 1 :] == shorter for index in range(len(longer)))


def shorten_typed(typed: str) -> str:
    """Return a typed text for a sentence: cut if it is long."""
    return typed if len(typed) <= MAX_SHOWN else f"{typed[: MAX_SHOWN - 1]}…"


class Slot(NamedTuple):
    """A gap in a form: its name, the type of its value, and whether it may be filled several times."""

    name: str
    kind: str
    many: bool


class Group(NamedTuple):
    """A part of a form that may be left out, a choice, or parts in any order."""

    kind: Literal["maybe", "either", "any"]
    parts: tuple[Nodes, ...]


Nodes = tuple["str | Slot | Group", ...]


def parse_form(form: str) -> Nodes:
    kinds: dict[str, Literal["maybe", "either", "any"]] = {"[": "maybe", "(": "either", "{": "any"}
    opened: list[tuple[Literal["maybe", "either", "any"], list[list[Any]]]] = [("either", [[]])]
    for piece in PIECE.finditer(form):
        here = opened[-1][1]
        if piece["open"]:
            opened.append((kinds[piece["open"]], [[]]))
        elif piece["close"]:
            kind, parts = opened.pop()
            opened[-1][1][-1].append(Group(kind, tuple(map(tuple, parts))))
        elif piece["bar"]:
            here.append([])
        elif piece["slot"]:
            name, _, kind_of_slot = piece["slot"].partition(":")
            bare = name.removesuffix("*")
            here[-1].append(Slot(bare, kind_of_slot or bare, name != bare))
        else:
            here[-1].append(piece["word"])
    return tuple(opened[0][1][0])


def list_leaves(nodes: Nodes) -> Iterator[str | Slot]:
    for node in nodes:
        yield from [leaf for part in node.parts for leaf in list_leaves(part)] if isinstance(node, Group) else [node]


def list_first_words(nodes: Nodes) -> list[str]:
    if not nodes or isinstance(nodes[0], Slot):
        return []
    if isinstance(nodes[0], str):
        return [nodes[0]]
    found = [word for part in nodes[0].parts for word in list_first_words(part)]
    return found if nodes[0].kind == "either" else [*found, *list_first_words(nodes[1:])]


def write_form(nodes: Nodes, slots: Mapping[str, str]) -> str:
    """Write a line of a form: parts without a filled slot are left out, and a choice takes the first part that fits."""
    written = ""
    for leaf in _list_written(nodes, slots):
        glue = "" if leaf in {",", ":", "?"} or not written else " "
        written += glue + (slots[leaf.name] if isinstance(leaf, Slot) else leaf)
    return written


def _list_written(nodes: Nodes, slots: Mapping[str, str]) -> Iterator[str | Slot]:
    for node in nodes:
        if isinstance(node, Group):
            leaves = {part: [leaf for leaf in list_leaves(part) if isinstance(leaf, Slot)] for part in node.parts}
            filled = [part for part, gaps in leaves.items() if any(slots.get(gap.name) for gap in gaps)]
            for part in filled or node.parts[: node.kind == "either"]:
                yield from _list_written(part, slots)
        else:
            yield node


@frozen
class Part:
    """A part of a line: text, column from 0, the `rule` broken if it is wrong, and the text as `typed`."""

    text: str
    column: int = 0
    rule: str = "post.order.form"
    typed: str = ""

    def strip(self) -> Part:
        bare = self.text.lstrip(" \t,")
        return evolve(self, text=bare.rstrip(ENDS), column=self.column + len(self.text) - len(bare))

    def make_problem(self, message: str, hint: str = "", kind: Kind = Kind.SYNTAX, rule: str = "") -> Problem:
        return Problem(kind, rule or self.rule, message, col=self.column + 1, length=max(1, len(self.text)), hint=hint)

    def make_error(self, message: str, hint: str = "", kind: Kind = Kind.SYNTAX, rule: str = "") -> WrongError:
        """Return the error to raise if this part is wrong; without a hint the form of the order is shown."""
        return WrongError(self.make_problem(message, hint, kind, rule))


def list_word_ends(text: str, begin: int) -> Iterator[int]:
    """Yield the ends of the words of a text from a column on, without the punctuation behind them."""
    yield from (begin + word.end() for word in WORD_END.finditer(text[begin:]))


def list_line_end(text: str, begin: int) -> Iterator[int]:
    """Yield the end of a line, if there is anything before it."""
    yield from [len(text)] * (begin < len(text))


@frozen
class SlotType:
    """A type of values; `read` raises WrongError, and `ends` lists the places to try, in order."""

    shape: re.Pattern[str] = re.compile(r".+")
    read: Callable[[Part], Any] = lambda part: part.text
    missing: str = "Something is missing here"
    ends: Callable[[str, int], Iterable[int]] = list_word_ends


class Form:
    """A form with what it makes of the values of its slots: an order, or a function that returns one."""

    def __init__(self, form: str, make: Any) -> None:
        self.nodes, self.make = parse_form(form), make
        self.leaves = tuple(list_leaves(self.nodes))
        self.has_slots = any(isinstance(leaf, Slot) for leaf in self.leaves)


Who = Literal["player", "anybody", "owner"]
"""The people who may give an order: the player of a seat, anybody whom the host takes in, or the owner of the host."""
Answers = Literal["any", "latest", "told", "due"]
"""The letters of ours that an order may answer."""
Needs = Literal["nothing", "game", "games", "mail", "clock", "name"]
"""The subject of an owner's order: nothing in particular, one game, one game or all, a filed mail, the host's clock, a new name."""


@frozen(eq=False)
class OrderRow:
    """A kind of orders of players, members and owners, with its properties.

    Attributes:
        forms: What each of its forms makes of its slots.
        form: How people write it.
        help: What it does.
        order: The class of its values.
        begins: The first words of its lines, if it has a grammar and no forms.
        who: Who may give it.
        answers: The letters in reply to which it may be given.
        hosted: True if only a host carries it out.
        may_follow_end: True if it may be given after the end of the game.
        may_follow_resignation: True if its sender may have resigned.
        is_harmless: True if it binds nobody and tells nothing that is not public. It is carried out for anybody, and the two forms of a mail need not agree about it.
        is_grave: True if it cannot be taken back. Without a name and a reason it is confirmed first.
        final: The values that are never taken from a sentence.
        rank: Its place among the orders of a mail, the lowest first.
        may_be_broken: True if a mail program may break a line of it in two.
        is_given_once: True if a mail has only one.
        is_binding: True if a doubt in the mail is about it.
        may_withdraw: True if people also withdraw a turn in its words (`cancel that`), but not if it `is_sure_with_date` and has one.
        has_own_text: True if a line of it with an error, such as conditions and days, says nothing about a turn.
        proposes: True if it asks other players to agree, or answers them.
        is_about_game: True if it may name a game.
        takes_words: True if words of the same mail go into it.
        needs: The subject of an owner's order.
        done: Words for an owner's order that was carried out.
        listed: Its place in the list of help, the lowest first; negative if it is not listed.
        signs: What shows that a line was meant as one although it cannot be read, if it has at most `most_shown` words.
        most: Maximum number of words of such a line without signs, if it is no sentence.
        more: Text after its form in hints.
    """

    name: str
    forms: Mapping[str, Any] = field(factory=dict)
    form: str = ""
    help: str = ""
    order: type = object
    begins: tuple[str, ...] = ()
    who: Who = "player"
    answers: Answers = "latest"
    hosted: bool | Callable[[Any], bool] = False
    may_follow_end: bool = False
    may_follow_resignation: bool = False
    is_harmless: bool = False
    is_grave: bool = False
    final: tuple[Any, ...] = ()
    rank: int = 4
    may_be_broken: bool = False
    is_given_once: bool = False
    is_binding: bool = False
    may_withdraw: bool = False
    is_sure_with_date: bool = False
    has_own_text: bool = False
    proposes: bool = False
    is_about_game: bool = False
    takes_words: bool = False
    needs: Needs = "nothing"
    done: str = ""
    listed: int = 5
    signs: re.Pattern[str] = re.compile(r"@")
    most: int = 4
    most_shown: int = 400
    more: str = ""
    parsed: tuple[Form, ...] = derive(lambda self: tuple(Form(form, make) for form, make in self.forms.items()))
    literals: frozenset[str] = derive(
        lambda self: frozenset(leaf for form in self.parsed for leaf in form.leaves if isinstance(leaf, str))
    )
    first_words: tuple[str, ...] = derive(
        lambda self: tuple(dict.fromkeys(word for form in self.parsed for word in list_first_words(form.nodes)))
    )

    @property
    def words(self) -> tuple[str, ...]:
        return self.begins or tuple(filter(str.isalpha, self.first_words))

    @property
    def hint(self) -> str:
        return f"Write {self.form}. {self.more}".rstrip()

    def was_meant(self, text: str) -> bool:
        """Return True if a line that cannot be read was surely meant as an order of this kind."""
        words = split_small_words(text)
        if self.signs.search(text) and len(words) <= self.most_shown:
            return True
        is_prose = len(words) > MAX_UNJUDGED and " " not in self.name and not PROSE.isdisjoint(words)
        return len([word for word in words[1:] if word not in POLITE_WORDS]) < self.most and not is_prose


@frozen
class ReadLine:
    """A line as read by rows: its row, and the order, or the problems and the column up to which it fits."""

    row: OrderRow
    order: Any = None
    problems: tuple[Problem, ...] = ()
    column: int = 0

    def is_begun(self, text: str) -> bool:
        """Return True if the part of the line that fits has all words of the order's name."""
        return set(split_small_words(self.row.name)) <= set(split_small_words(text[: self.column]))


Filled = tuple[tuple[Slot, Part], ...]


class Match:
    """Compares a line with the forms of a row. `reach` is how far it fits, and `expected` what is missing there."""

    def __init__(self, text: str, types: Mapping[str, SlotType], rule: str, typed: str = "") -> None:
        self.text, self.types, self.rule, self.typed = text, types, rule, typed
        self.steps, self.reach = 0, (-1, 0)
        self.expected: list[str | Slot] = []
        self.others: list[str | Slot] = []

    def fit(self, nodes: Nodes, end: re.Pattern[str]) -> Filled | None:
        """Return the slots of a line that fits a form, with nothing but an `end` behind it."""
        self.reach, self.others = (self.reach[0], -MAX_STEPS), self.expected
        for at, filled in self._follow(nodes, 0, ()):
            if end.match(self.text, at):
                return filled
            self._note(self._skip(at), ())
        return None

    def report(self, hint: str) -> Problem:
        if self.steps > MAX_STEPS:
            return Part(self.text, 0, self.rule).make_problem("This line is too complicated", hint)
        column = self.reach[0]
        found = self.text[column:].strip()
        typed = (found.split()[0].rstrip(ENDS) or found[0]) if found else ""
        place = Part(typed, column if found else len(self.text), self.rule)
        if found and self.expected == [":"]:
            meant = f"Did you mean `{self.text[:column].rstrip()}: {found}`?"
            return place.make_problem(f"A colon is missing before `{shorten_typed(typed)}`", meant)
        if found:
            return place.make_problem(f"`{shorten_typed(typed)}` does not belong here", hint)
        missing = [self.types[node.kind].missing for node in self.expected if isinstance(node, Slot)]
        words = [f"`{node}`" for node in dict.fromkeys(self.expected)]
        said = "A colon" if self.expected == [":"] else list_names(words) if len(words) <= MAX_NAMED else "Something"
        return place.make_problem(missing[0] if missing else f"{said} is missing here", hint)

    def _skip(self, at: int) -> int:
        return at + len(self.text[at:]) - len(self.text[at:].lstrip())

    def _note(self, column: int, nodes: Nodes) -> None:
        """Note that the rest of a form does not fit at a column; the furthest place counts, and there the shortest rest."""
        here = (column, -2 * len(nodes) + (bool(nodes) and isinstance(nodes[0], Group)))
        if here > self.reach:
            self.others = self.others if column == self.reach[0] else []
            self.reach, self.expected = here, self.others
        if here == self.reach and nodes:
            firsts = [part[0] for part in nodes[0].parts if part] if isinstance(nodes[0], Group) else [nodes[0]]
            words = [each for each in firsts if not isinstance(each, Group)]
            self.expected = [*self.expected, *(words if len(words) <= MAX_NAMED else words[:1])]

    def _follow(self, nodes: Nodes, at: int, filled: Filled) -> Iterator[tuple[int, Filled]]:
        """Yield each way in which the text fits nodes from a column on: the column behind it, and the slots."""
        self.steps += 1
        if not nodes or self.steps > MAX_STEPS or len(filled) > MAX_FILLED:
            yield from [] if nodes else [(at, filled)]
            return
        node, rest, begin = nodes[0], nodes[1:], self._skip(at)
        if isinstance(node, Group):
            for part in node.parts:
                again: Nodes = (node,) if node.kind == "any" else ()
                yield from self._follow((*part, *again, *rest), at, filled)
            if node.kind != "either":
                yield from self._follow(rest, at, filled)
                return
        self._note(begin, nodes)
        if isinstance(node, str):
            end = begin + len(node)
            around = self.text[end : end + 1] + (self.text[at - 1] if begin == at > 0 else "")
            glued = node[-1].isalnum() and any(map(str.isalnum, around))
            if self.text[begin:end].lower() == node and not glued:
                yield from self._follow(rest, end, filled)
        elif isinstance(node, Slot):
            for end in self.types[node.kind].ends(self.text, begin):
                if self.types[node.kind].shape.fullmatch(self.text, begin, end):
                    part_of_line = Part(self.text[begin:end], begin, self.rule, self.typed[begin:end])
                    yield from self._follow(rest, end, (*filled, (node, part_of_line)))


class FormReader:
    """Reads and writes orders by rows; a line without slots may end with one of the `polite` words."""

    def __init__(self, rows: Sequence[OrderRow], types: Mapping[str, SlotType], rule: str, polite: str = "") -> None:
        self.rows, self.types, self.rule = rows, types, rule
        self.ends = re.compile(r"[\s.!;,]*\Z")
        self.polite = re.compile(rf"[\s.!?]*(?:(?:{polite})[\s.!?]*)?\Z", re.IGNORECASE) if polite else self.ends
        self._begun: dict[str, list[OrderRow]] = {}
        for row in rows:
            for word in row.first_words:
                self._begun.setdefault(word, []).append(row)

    def read_line(self, text: str, rows: Sequence[OrderRow] | None = None, typed: str = "") -> ReadLine | None:
        """Read a plain line: the order of a row, or the problems of the row that it fits best; None if no row begins like it."""
        best: ReadLine | None = None
        first = FORM_WORD.match(text)
        for row in self._begun.get(first[0].casefold() if first else text[:1], ()) if rows is None else rows:
            read = self._read_row(text, row, typed)
            if read.order is not None:
                return read
            if best is None or read.column > best.column:
                best = read
        return best

    def _read_row(self, text: str, row: OrderRow, typed: str) -> ReadLine:
        match = Match(text, self.types, self.rule, typed)
        for form in row.parsed:
            filled = match.fit(form.nodes, self.ends if form.has_slots else self.polite)
            if filled is not None:
                return self._make_order(row, form, filled, len(text) + 1)
        return ReadLine(row, None, (match.report(row.hint),), match.reach[0])

    def _make_order(self, row: OrderRow, form: Form, filled: Filled, column: int) -> ReadLine:
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        for slot, part in filled:
            try:
                value = self.types[slot.kind].read(part)
                values[slot.name] = (*values.get(slot.name, ()), value) if slot.many else value
            except WrongError as error:
                problems += error.problems
        try:
            if not problems:
                return ReadLine(row, form.make(**values) if callable(form.make) else form.make)
        except WrongError as error:
            problems += error.problems
        hinted = tuple(each if each.hint else evolve(each, hint=row.hint) for each in problems)
        return ReadLine(row, None, hinted, column)

    def find_slip(self, text: str, rows: Sequence[OrderRow] | None = None) -> ReadLine | None:
        """Find the word with a slip without which a line would be an order; the line is proposed, never carried out."""
        typed = list(islice(FORM_WORD.finditer(text), MAX_MENDED))
        first = typed[0][0].casefold() if typed else ""
        for row in self.rows if rows is None else rows:
            if not any(first == word or is_single_slip(first, word) for word in row.first_words):
                continue
            places = typed[first in row.first_words :]
            near = [(place, word) for place in places for word in _list_near_words(place, sorted(row.literals))]
            for place, word in near:
                corrected = f"{text[: place.start()]}{word}{text[place.end() :]}"
                if self._is_corrected(corrected, text, row, is_first=place is typed[0]):
                    part = Part(place[0], place.start(), self.rule)
                    first_wrong = f"No order begins with `{place[0]}`"
                    message = f"`{place[0]}` is not understood here" if place.start() else first_wrong
                    problem = part.make_problem(message, f"Did you mean `{corrected}`?", Kind.NAME)
                    return ReadLine(row, None, (evolve(problem, fixes=(Fix(corrected, Scope.LINE),)),), part.column)
        return None

    def _is_corrected(self, corrected: str, text: str, row: OrderRow, *, is_first: bool) -> bool:
        read = self.read_line(corrected, [row])
        if read is None or read.order is not None or not is_first:
            return read is not None and read.order is not None
        return row.signs.search(text) is not None or bool(read.problems[0].fixes)


def write_order(row: OrderRow, order: Any, **written: str) -> str:
    """Write an order of a row as a line; `written` has the values of slots that are not written as they are."""
    for form in row.parsed:
        if form.make == order:
            return write_form(form.nodes, {})
    form = next(form for form in row.parsed if form.has_slots)
    names = [leaf.name for leaf in form.leaves if isinstance(leaf, Slot)]
    return write_form(form.nodes, {name: str(getattr(order, name)) for name in names} | written)


def _list_near_words(place: re.Match[str], words: Sequence[str]) -> list[str]:
    """Return the words that a typed word may be a slip for; after the first word, it need only be similar to a long one."""
    typed, slips = place[0].casefold(), [word for word in words if is_single_slip(place[0].casefold(), word)]
    long = [word for word in words if word != typed and len(word) >= SHORTEST_LIKE_WORD] if place.start() else []
    return [*slips, *(word for word in long if is_like_name(typed, [word], LIKE_ALONE))]
