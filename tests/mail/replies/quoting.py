"""Replies that quote a letter of ours in the manner of many mail programs, and what people do with the quotation."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from random import Random

from attrs import frozen

from tests.mail.mails import ANN, FOLDER, mail, parsed
from tests.mail.replies.clients import CLIENTS
from tests.mail.replies.drafts import Draft, Parent, Piece
from tests.mail.replies.languages import LANGUAGES
from tkid.mail.marker import is_marker
from tkid.mail.mime import read_html_lines

HERE = "QUOTEDHERE"
"""Where a reply in HTML quotes the page of a letter."""
BOUNDARY = "=_tkid_letter"


@frozen
class Quotable:
    """A letter of ours in both forms, and the turns that it offers."""

    name: str
    text: str
    page: str
    samples: tuple[str, ...]

    @property
    def raw(self) -> bytes:
        """The letter as a mail."""
        parts = (("plain", self.text), ("html", self.page.encode("ascii", "xmlcharrefreplace").decode()))
        shown = "".join(
            f'--{BOUNDARY}\r\nContent-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
            + text.replace("\n", "\r\n")
            + "\r\n"
            for kind, text in parts
        )
        head = f'Subject: a letter\r\nContent-Type: multipart/alternative; boundary="{BOUNDARY}"\r\n\r\n'
        return f"{head}{shown}--{BOUNDARY}--\r\n".encode()


def of_mail(name: str, raw: bytes, samples: Sequence[str]) -> Quotable:
    """A letter from its bytes."""
    texts = [parsed(raw).get_body((kind,)) for kind in ("plain", "html")]
    text, page = (str(part.get_content()).replace("\r\n", "\n") for part in texts if part is not None)
    return Quotable(name, text, page, tuple(samples))


SAMPLE = re.compile(
    r"^    (?:\d  )?((?:English Support|Welsh Support|Assemble|Negotiate|Manoeuvre) .*;.*)$", re.MULTILINE
)


def drawn(path: Path) -> Quotable:
    """A letter in the layout with one sentence above the marker, from a pair of files."""
    text = path.read_text("utf-8")
    whole = tuple(dict.fromkeys(SAMPLE.findall(text)))
    return Quotable(path.stem, text, path.with_suffix(".html").read_text("utf-8"), whole)


DRAWN = [drawn(path) for path in sorted((FOLDER / "letters").glob("*.txt"))]
"""Letters as they were designed, of a game that Ann plays with Bob."""


# -- what people do ---------------------------------------------------------------------------------------------


@frozen
class Habit:
    """What a person does: what is written above and below, and how a letter is changed in which sample is chosen.

    `chosen` tells whether exactly one sample is chosen by it, `left` how many samples are left of several.
    """

    name: str
    above: str = ""
    below: str = ""
    mark: str = ""
    left: int = 0

    def changed(self, text: str, samples: Sequence[str], *, html: bool) -> str:
        """A form of a letter as the person leaves it."""
        written = [escape(sample, quote=False) if html else sample for sample in samples]
        for index, sample in enumerate(written):
            if self.mark and index == 1:
                text = _last(text, sample, self.mark.replace("{}", sample) if not html else _html(self.mark, sample))
            if self.left and index >= self.left:
                text = text.replace(sample, "")
        return text


def _html(mark: str, sample: str) -> str:
    return f"<b>{sample}</b>" if mark == "*{}*" else escape(mark, quote=False).replace("{}", sample)


def _last(text: str, sample: str, marked: str) -> str:
    """A text with the last place of a sample in it changed."""
    before, _, after = text.rpartition(sample)
    return f"{before}{marked}{after}"


MARKS = ("X {}", "[x] {}", "(x) {}", "-> {}", "=> {}", "✓ {}", "{} <- this", "{} <-- this one", "*{}*")
THANKS = "Thanks, I will think about it."
OTHER = "Scottish Support SS Strathclyde; summon S Devon"
HABITS = (
    Habit("writes nothing"),
    Habit("thanks", above=THANKS),
    Habit("writes a turn above", above=OTHER),
    Habit("passes above", above=f"Pass\n\n{THANKS}"),
    Habit("copies a turn to the top", above="{}"),
    Habit("writes a turn below", below=OTHER),
    Habit("types a choice below", below="{}"),
    *(Habit(f"marks {mark}", mark=mark) for mark in MARKS),
    Habit("marks above a written turn", above=OTHER, mark="X {}"),
    Habit("leaves one", left=1),
    Habit("leaves one and says thanks", above=THANKS, left=1),
    Habit("leaves two", left=2),
)


# -- what programs do -------------------------------------------------------------------------------------------

Style = Callable[[Quotable, Habit, bool], bytes]
"""The bytes of a reply to a letter; whether the marker line, and all that is above it, was cut away."""


def _cut_text(text: str) -> str:
    lines = text.split("\n")
    marker = next(index for index, line in enumerate(lines) if is_marker(line))
    return "\n".join(lines[marker + 1 :]).strip("\n")


def _cut_page(page: str) -> str:
    marker = next(match for match in re.finditer(r">([^<]*)</p>", page) if is_marker(match[1]))
    return page[: page.index("<body")] + "<body>" + page[marker.end() :]


def _pieces(letter: Quotable, habit: Habit, lines: Sequence[str]) -> tuple[Piece, ...]:
    def own(text: str) -> tuple[Piece, ...]:
        chosen = letter.samples[-1] if letter.samples else ""
        return (Piece("own", tuple(text.replace("{}", chosen).split("\n"))),) if text else ()

    return (*own(habit.above), Piece("intro"), Piece("quote", tuple(lines)), *own(habit.below))


def _draft(pieces: tuple[Piece, ...]) -> Draft:
    parent = Parent(("",), "[tkid] turn 17", "<x@localhost>", "", f"Ann <{ANN}>", b"")
    return Draft(LANGUAGES["en"], parent, pieces, Random(0))


def _lines(letter: Quotable, habit: Habit, cut: bool) -> list[str]:  # noqa: FBT001
    text = _cut_text(letter.text) if cut else letter.text.rstrip("\n")
    return habit.changed(text, letter.samples, html=False).split("\n")


def _page(letter: Quotable, habit: Habit, cut: bool) -> str:  # noqa: FBT001
    return habit.changed(_cut_page(letter.page) if cut else letter.page, letter.samples, html=True)


def in_text(client: str) -> Style:
    """A reply in plain text, of a program that has its own form."""

    def reply(letter: Quotable, habit: Habit, cut: bool) -> bytes:  # noqa: FBT001
        program = CLIENTS[client]
        pieces = _pieces(letter, habit, _lines(letter, habit, cut))
        return mail(program.plain.text(_draft(pieces)), f"Content-Type: {program.kind}; charset=utf-8")

    return reply


def in_html(client: str) -> Style:
    """A reply in HTML alone."""

    def reply(letter: Quotable, habit: Habit, cut: bool) -> bytes:  # noqa: FBT001
        page = CLIENTS[client].html.text(_draft(_pieces(letter, habit, [HERE])))
        inner = _page(letter, habit, cut).partition("<body")[2].partition(">")[2].rpartition("</body>")[0]
        return mail(page.replace(HERE, inner), "Content-Type: text/html; charset=utf-8")

    return reply


def text_of_html(client: str) -> Style:
    """A reply in plain text, into which a program has turned the HTML of the letter."""

    def reply(letter: Quotable, habit: Habit, cut: bool) -> bytes:  # noqa: FBT001
        lines = [line.text for line in read_html_lines(_page(letter, habit, cut), 2000)]
        text = CLIENTS[client].plain.text(_draft(_pieces(letter, habit, lines)))
        return mail(text, "Content-Type: text/plain; charset=utf-8")

    return reply


def bare(width: int = 0, prefix: str = "", *, html: bool = False) -> Style:
    """A reply in plain text without any introduction, its quotation broken at a width, each line behind a prefix."""

    def reply(letter: Quotable, habit: Habit, cut: bool) -> bytes:  # noqa: FBT001
        page = read_html_lines(_page(letter, habit, cut), 2000) if html else ()
        quoted = [line.text for line in page] or _lines(letter, habit, cut)
        lines = [part for line in quoted for part in (textwrap.wrap(line, width) if width else [line]) or [""]]
        above, _, _, *below = (
            [*_pieces(letter, habit, lines)] if habit.above else [Piece("own", ()), *_pieces(letter, habit, lines)]
        )
        text = [
            *above.lines,
            "",
            *(f"{prefix}{line}" for line in lines),
            *(line for each in below for line in ("", *each.lines)),
        ]
        return mail("\n".join(text), "Content-Type: text/plain; charset=utf-8")

    return reply


PREFIXES = {
    "bar": "| ",
    "bracket": "] ",
    "initials": "AB> ",
    "name": "tkid> ",
    "BOM": "\ufeff> ",
    "no-break": "\u00a0> ",
    "zero-width": "\u200b> ",
}
STYLES: dict[str, Style] = {
    **{f"text {client}": in_text(client) for client in CLIENTS},
    **{f"html {client}": in_html(client) for client in CLIENTS},
    **{f"text of html {client}": text_of_html(client) for client in ("gmail-web", "outlook-word", "k9", "yahoo")},
    "text bare": bare(),
    "text broken at 60": bare(60),
    "text broken at 40": bare(40),
    "text of html bare": bare(html=True),
    "text of html broken": bare(66, html=True),
    "text indented": bare(prefix="    "),
    "text behind tabs": bare(prefix="\t"),
    **{f"text behind {name}": bare(prefix=prefix) for name, prefix in PREFIXES.items()},
}
MARKED_HTML = frozenset(
    {name for name, client in CLIENTS.items() if client.marks} - {"outlook-prefixing"}
    | {"yahoo", "the-bat", "protonmail-app"}
)
"""Programs that mark what they quote as HTML."""


def marks(style: str) -> bool:
    """Whether a style marks what it quotes, so that orders below it are carried out."""
    kind, _, client = style.rpartition(" ")
    if client in CLIENTS:
        return client in MARKED_HTML if kind == "html" else CLIENTS[client].marks or client == "the-bat"
    return client in PREFIXES
