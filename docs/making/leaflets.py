"""The rules of an edition on paper: a PDF in two columns, with every rule that holds in it, for the table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from fpdf import FPDF

from docs.making.rule_pages import chapter_of, title_of
from docs.making.words import page_title
from tkid.rulebook import Rule
from tkid.rulebook.citations import list_versions
from tkid.rulebook.register import DEFAULT as SITE
from tkid.rulebook.register import VERSION, find_base, find_page, list_in_force
from tkid.rulebook.rulesets import rulesets

COLUMNS, WIDTH, GAP, EDGE, FOOT = 2, 88.0, 8.0, 13.0, 279.0
"""Columns on a page, and in millimetres: how wide they are, what is between them and around, and where they end."""
BETWEEN = 1.4
"""Millimetres between two rules."""


class Font(NamedTuple):
    """A style of the one font, its size in points, millimetres from line to line, and how grey it is."""

    style: Literal["", "B"]
    size: float
    line: float
    grey: int = 0


HEAD, BOLD, TEXT, ID = Font("B", 12, 7), Font("B", 8.5, 3.9), Font("", 8.5, 3.9), Font("", 6, 2.7, 110)
PLAIN = str.maketrans({"…": "...", "`": "'", "–": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "→": "->", "А": "A"})
"""What stands for signs that the fonts of every reader of PDF lack."""


def list_leaflets() -> dict[str, str]:
    """Return the path of each leaflet on the site by the page of its edition's rules."""
    prefixes = dict.fromkeys(entry.rule_prefix for entry in rulesets())
    return {find_page(prefix): f"rules/{find_page(prefix)}/{find_page(prefix)}.pdf" for prefix in prefixes}


def make_leaflets() -> Iterator[tuple[str, bytes]]:
    """Make the leaflet of each edition, with its path."""
    paths = list_leaflets()
    for prefix in dict.fromkeys(entry.rule_prefix for entry in rulesets()):
        yield paths[find_page(prefix)], make_leaflet(prefix)


def make_leaflet(prefix: str) -> bytes:
    """Make the leaflet of an edition. It is the same bytes for the same rules."""
    title = f"The King is Dead: {page_title(find_page(prefix))}" if prefix != "claim" else page_title(find_page(prefix))
    leaflet = _Leaflet(title.translate(PLAIN))
    for chapter, rules in list_chapters(prefix).items():
        leaflet.add_chapter(chapter or page_title(find_page(prefix)), rules)
    return bytes(leaflet.pdf.output())


def list_chapters(prefix: str) -> dict[str, list[Rule]]:
    """Return the rules that hold in an edition by chapter. A rule stands where its base has the one that it replaces."""
    base = list_in_force(find_base(prefix)) if find_base(prefix) else {}
    chapters: dict[str, list[Rule]] = {}
    for local, entry in list_in_force(prefix).items():
        if not entry.moved:
            chapters.setdefault(chapter_of(base.get(local, entry)), []).append(entry)
    return chapters


class _Leaflet:
    """A leaflet in the making: each rule stays in one column, and no chapter begins at the foot of one."""

    def __init__(self, title: str) -> None:
        self.pdf = FPDF(format="A4")
        self.pdf.set_auto_page_break(auto=False)
        self.pdf.set_title(title)
        self.pdf.set_author("The tkid authors")
        self.pdf.set_lang("en-GB")
        self.pdf.set_creation_date(datetime.combine(list_versions()[VERSION], datetime.min.time(), UTC))
        self.title, self.column, self.y = title, COLUMNS, 0.0
        self.begin_column()

    def begin_column(self) -> None:
        """Begin the next column, on a new page after the last one."""
        self.column += 1
        if self.column >= COLUMNS:
            self.column = 0
            self.pdf.add_page()
            self._write_margins()
        self.y = EDGE + 10

    def _write_margins(self) -> None:
        self._choose(HEAD)
        self.pdf.text(EDGE, EDGE + 4, self.title)
        self._choose(ID)
        self.pdf.text(
            EDGE, FOOT + 7, f"Unofficial rules, version {VERSION}. Each rule with pictures and answers: {SITE}"
        )
        self.pdf.text(EDGE + 2 * WIDTH + GAP - 4, FOOT + 7, str(self.pdf.page_no()))

    def _choose(self, font: Font) -> None:
        self.pdf.set_font("helvetica", font.style, font.size)
        self.pdf.set_text_color(font.grey)

    def _divide(self, text: str, font: Font) -> list[str]:
        """Divide a text into lines that fit into a column."""
        self._choose(font)
        assert self.pdf.current_font
        widths, scale = self.pdf.current_font.cw, font.size / self.pdf.k / 1000
        lines, room = [""], WIDTH
        for word in text.translate(PLAIN).split():
            width = sum(widths[sign] for sign in f" {word}") * scale
            if width > room:
                lines, room = [*lines, ""], WIDTH
            lines[-1] += f" {word}" if lines[-1] else word
            room -= width
        return lines if lines[0] else lines[1:]

    def add_chapter(self, title: str, rules: list[Rule]) -> None:
        """Add a heading with the rules below it."""
        for number, entry in enumerate(rules):
            said = f"Ruling: {entry.statement}" if entry.kind == "ruling" else entry.statement
            texts = [(title_of(entry), BOLD), (said, TEXT), (entry.id, ID)]
            texts = texts if number else [(title, HEAD), *texts]
            parts = [(self._divide(text, font), font) for text, font in texts]
            if self.y + sum(font.line * len(lines) for lines, font in parts) > FOOT:
                self.begin_column()
            for lines, font in parts:
                self._write(lines, font, entry.link if font is ID else "")
            self.y += BETWEEN

    def _write(self, lines: list[str], font: Font, link: str) -> None:
        """Write lines below what is there."""
        self._choose(font)
        for line in lines:
            x = EDGE + self.column * (WIDTH + GAP)
            self.pdf.text(x, self.y + font.line * 0.75, line)
            if link:
                self.pdf.link(x, self.y, WIDTH / 2, font.line, link)
            self.y += font.line
