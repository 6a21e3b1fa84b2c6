"""The blocks of a letter, and their plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import islice
from typing import Any

from attrs import frozen

from tkid.notation.text import single_space
from tkid.render import lines as drawn
from tkid.rulebook import rule

WIDTH = 78
INDENT = "    "
"""Indent of turns and quoted words: nothing else of ours is so far to the right."""
EXCERPT = 70
"""Columns of a sender's line that are shown."""
LOOKED_AT = 1000
"""Characters examined on each side of the displayed part: some take no column."""
LONGEST_NAME = 30
"""Columns for what stands first in rows of facts."""


@frozen
class Lead:
    """The news in one sentence of at most 78 columns: the first line of a letter, and what a list of mails shows of it."""

    text: str


@frozen
class First:
    """The first line of a letter, the marker or its replacement; `line` is never broken."""

    line: str


@frozen
class Heading:
    """A heading. Those of `tkid.mail.marker.HEADINGS` also tell where a quoted letter begins."""

    text: str


@frozen
class Paragraph:
    """Sentences; what stands between backticks is notation."""

    text: str


@frozen
class Events:
    """Events in sentences behind their turn's number, or behind "" if they continue it or belong to no turn."""

    items: tuple[tuple[str, str], ...]


@frozen
class Board:
    """A position, drawn in text; `caption` says it in words."""

    lines: tuple[str, ...]
    caption: str = ""


@frozen
class Copies:
    """Lines to copy into an answer, each on its own and never broken; or the lines of one thing, which stay `together`."""

    lines: tuple[str, ...]
    together: bool = False


@frozen
class Button:
    """A button that opens an answer with its text filled in, or a `link`; the label never reads as an order."""

    label: str
    body: str = ""
    link: str = ""


@frozen
class Buttons:
    """Whole decisions for one tap, the safe one first. Plain text shows only links: the text beside the others says what to write."""

    buttons: tuple[Button, ...]


@frozen
class Samples:
    """Turns or other orders to send as they are; in HTML each opens an answer. Those that are numbered are chosen by number."""

    lines: tuple[str, ...]
    numbered: bool = False


@frozen
class Facts:
    """Rows of a subject and a text; three blanks begin a line in HTML, so no order may follow them."""

    rows: tuple[tuple[str, str], ...]


@frozen
class Reference:
    """The line that a host knows its own mail by: the game, the turn, the hash, and the key."""

    text: str


@frozen
class Footer:
    """The least important part, below a signature mark: a paragraph for each sentence or two."""

    texts: tuple[str, ...]


@frozen
class Turn:
    """A turn as the game file has it, with its hash."""

    line: str
    hash: str


@frozen
class Quote:
    """Words of a player, shown so that they cannot be read as an order again."""

    text: str


@frozen
class Excerpt:
    """A line of the sender's with the place of a mistake underlined; columns from 1."""

    text: str
    col: int
    length: int


@frozen
class Rule:
    """A rule that something rests on, by its id: shown with its link."""

    id: str


Block = (
    Lead | First | Heading | Paragraph | Events | Board | Facts | Copies | Samples | Buttons | Turn | Quote | Excerpt | Rule
    | Reference | Footer
)  # fmt: skip
Blocks = tuple[Block, ...]
GAME, BOARD, REPLAY = "game", "board", "replay"
"""Possible attachments of a letter: the game file, the board to click, and the page that shows the whole game again."""


@frozen
class Letter:
    """A letter to a seat, block by block, and when it is written.

    `kind` is `turn` (a turn mail), `again` (an answer that asks once more), `note` (one that asks for nothing), `news`,
    or `words` (of other players). `turn` is the next turn of the game, `after` the hash before it, and `about` the turn
    that the letter is about. `subject` is what its subject says behind the game's name; `files` what is attached:
    `GAME`, `BOARD` and `REPLAY`. `offer` is the id of what it offers, so that it gets a key of its own. One that goes `to` an
    address of its own is for somebody who no longer plays the seat, and has no key.

    With `may_wait` it says nothing that a reader of one mail a day has to hear before that mail; `said` is what was
    announced in it, and what players say.
    """

    kind: str
    seat: int
    turn: int
    after: str
    about: int
    body: Blocks
    time: datetime
    subject: str = ""
    files: frozenset[str] = frozenset()
    offer: str = ""
    may_wait: bool = False
    said: Blocks = ()
    to: str = ""


def is_attached(before: Block | None, block: Block) -> bool:
    """Return True if a block belongs to the one before it: a rule to its subject, words to their heading."""
    if isinstance(block, Rule):
        return not isinstance(before, Heading | First | None)
    return isinstance(before, Heading)


def format_plain(blocks: Iterable[Block]) -> str:
    """Format blocks as plain text that reads well in a terminal and on a telephone.

    A rule comes right below the block it explains, and words below their heading; everything else is set off by an
    empty line. Blocks for HTML alone have no lines.
    """
    text = ""
    before: Block | None = None
    for block in blocks:
        lines = LINES[type(block)](block)
        if lines:
            text += "" if before is None else "\n" if is_attached(before, block) else "\n\n"
            text += "\n".join(lines)
            before = block
    return text + "\n"


def _format_events(block: Events) -> list[str]:
    """Format events behind their turns' numbers, in a column of their own; without numbers, indent continued lines."""
    room = max((len(number) + 2 for number, _ in block.items if number), default=0)
    lines: list[str] = []
    for number, sentence in block.items:
        lines += _fill_lines(sentence, first=f"{number:{room}}", hang=room or len(INDENT))
    return lines


def _format_facts(block: Facts) -> list[str]:
    room = min(LONGEST_NAME, max((drawn.count_columns(name) for name, _ in block.rows), default=0)) + 2
    lines: list[str] = []
    for name, text in block.rows:
        is_long = drawn.count_columns(name) > LONGEST_NAME
        first = drawn.fill_with_blanks(f"{cut_beginning(name, LONGEST_NAME - 1)}…" if is_long else name, room)
        lines += drawn.wrap_pieces(text.split(" "), WIDTH, first=first, hang=room)
    return lines


def _format_samples(block: Samples) -> list[str]:
    """Format turns to send, each on one line that is never broken; with numbers if the reader chooses by number."""
    return [f"{INDENT}{f'{number}  ' if block.numbered else ''}{line}" for number, line in enumerate(block.lines, 1)]


LINES: dict[type, Callable[[Any], list[str]]] = {
    Lead: lambda block: [block.text],
    First: lambda block: [block.line],
    Heading: lambda block: [block.text],
    Paragraph: lambda block: _fill_lines(block.text),
    Events: _format_events,
    Board: lambda block: list(block.lines),
    Facts: _format_facts,
    Copies: lambda block: [f"{INDENT}{copy}" for copy in block.lines],
    Samples: _format_samples,
    Buttons: lambda block: [f"{button.label}: {button.link}" for button in block.buttons if button.link],
    Turn: lambda block: drawn.wrap_pieces(f"{block.line} #{block.hash}".split(" "), WIDTH, first=INDENT, hang=8),
    Quote: lambda block: _fill_lines(f'"{drawn.make_printable(block.text)}"', first=INDENT, hang=5),
    Excerpt: lambda block: underline_place(block.text, block.col, block.length),
    Rule: lambda block: [f"The full rule, {block.id}:", rule(block.id).link],
    Reference: lambda block: [block.text],
    Footer: lambda block: ["-- ", *(line for text in block.texts for line in _fill_lines(text))],
}


def cut_around(typed: str, col: int, length: int) -> tuple[str, int, int]:
    """Cut a long line around a place, with an ellipsis; return the rest, and the place's index and length in it."""
    place = min(col - 1, len(typed))
    left = drawn.make_printable(typed[max(0, place - LOOKED_AT) : place])
    right = drawn.make_printable(typed[place : place + LOOKED_AT])
    behind = cut_beginning(right, EXCERPT // 2)
    before = cut_beginning(left[::-1], EXCERPT - drawn.count_columns(behind))[::-1]
    shown = before + cut_beginning(right, EXCERPT - drawn.count_columns(before))
    is_cut = place - len(before) + len(shown) < len(typed)
    before = f"…{before[1:]}" if 0 < len(before) < place else before
    shown = before + shown[len(before) :]
    shown = f"{shown[:-1]}…" if is_cut else shown
    return shown, len(before), max(1, min(length, len(shown) - len(before)))


def underline_place(typed: str, col: int, length: int) -> list[str]:
    """Return a line, cut if it is long, and below it the place underlined; columns from 1."""
    shown, begin, long = cut_around(typed, col, length)
    before, marked = drawn.count_columns(shown[:begin]), max(1, drawn.count_columns(shown[begin : begin + long]))
    return [f"{INDENT}{shown}", f"{INDENT}{' ' * before}{'^' * marked}"]


def shorten_line(text: str) -> str:
    shown = drawn.make_printable(text[:LOOKED_AT])
    fits = len(shown) == len(text) and drawn.count_columns(shown) <= EXCERPT
    return shown if fits else f"{cut_beginning(shown, EXCERPT - 1)}…"


def quote_lines(texts: Iterable[str], most: int = 2) -> str:
    return " … ".join(dict.fromkeys(shorten_line(single_space(each)) for each in islice(texts, most)))


def _fill_lines(text: str, *, first: str = "", hang: int = 0) -> list[str]:
    """Wrap a text between words; break only words wider than a line, and no link or path."""
    pieces = [piece for word in text.split() for piece in _split_long_word(word, WIDTH - hang)]
    return drawn.wrap_pieces(pieces, WIDTH, first=first, hang=hang)


def _split_long_word(word: str, room: int) -> list[str]:
    """Split a word into pieces of a number of columns; leave a link or a path whole, so that it can be copied."""
    pieces = []
    while drawn.count_columns(word) > room and "/" not in word:
        pieces.append(cut_beginning(word, room))
        word = word[len(pieces[-1]) :]
    return [*pieces, word]


def cut_beginning(text: str, room: int) -> str:
    end = 0
    while end < len(text) and room >= drawn.count_columns(text[end]):
        room -= drawn.count_columns(text[end])
        end += 1
    return text[:end]
