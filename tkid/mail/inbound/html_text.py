"""Text of HTML mail, for those that have no plain part. Linear in the size, whatever it holds.

The standard library's parser is not used: 40 kB of `<a ` keep it busy for 20 seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from attrs import define, field, frozen

from tkid.mail.inbound.unseen import Unseen, unseen_in
from tkid.mail.model import Line

BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "footer"),
        *("form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "li", "main", "nav", "ol", "p"),
        *("pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "ul"),
    }
)
"""Elements that begin a line of their own."""
SKIPPED = frozenset({"head", "script", "style", "template", "title"})
"""Elements whose content is no text of the mail."""
QUOTING = re.compile("gmail_quote|yahoo_quoted|protonmail_quote|moz-cite-prefix", re.IGNORECASE)
"""Classes that mail programs give to what they quote."""
WRAPPING = re.compile("gmail_quote|protonmail_quote", re.IGNORECASE)
"""Those of elements that hold the introduction and the quotation, and then also what is written below or in between."""
NESTING = frozenset({"div", "blockquote"})
_BEGINNING = re.compile("<(?=[a-zA-Z/!?])")
_TAG = re.compile(r"""<[^>"'=]*+(?:=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'=]*+)[^>"'=]*+)*+>""")
_MARK = re.compile("[>\"']")
_NAME = re.compile(r"/*([^\s/]{0,40})")


@frozen
class Tag:
    """A tag: its name in lower case, whether it closes, the text of its attributes."""

    name: str
    closes: bool
    attributes: str


def tokens(html: str) -> Iterator[Tag | str]:
    """The tags and texts of a document in order. A `<` that begins no tag is text; nothing is behind a tag without an end."""
    done = 0
    while begins := _BEGINNING.search(html, done):
        opened = begins.start()
        if opened > done:
            yield html[done:opened]
        comment = html.startswith("<!--", opened)
        end = html.find("-->", opened + 4) + 2 if comment else _tag_end(html, opened)
        if end < opened:
            return
        done = end + 1
        if not comment:
            content = html[opened + 1 : end]
            name = _NAME.match(content)
            yield Tag(name[1].lower() if name else "", content.startswith("/"), content)
    if done < len(html):
        yield html[done:]


def _tag_end(html: str, begin: int) -> int:
    """Where the `>` of a tag is, -1 where it has none: one in the value of an attribute does not count."""
    end = html.find(">", begin)
    if end < 0 or html.find("=", begin, end) < 0:
        return end
    if well_formed := _TAG.match(html, begin):
        return well_formed.end() - 1
    at = begin
    while mark := _MARK.search(html, at):
        if mark[0] == ">":
            return mark.start()
        at = mark.end()
        if html[max(begin, mark.start() - 8) : mark.start()].rstrip().endswith("="):
            at = html.find(mark[0], at) + 1
            if not at:
                return -1
    return -1


@define
class _Lines:
    """Puts the texts of a document into lines, quoted or not; those that nobody sees are left out."""

    unseen: Unseen | None
    lines: list[Line] = field(factory=list)
    pieces: list[str] = field(factory=list)
    nested: list[tuple[str, bool]] = field(factory=list)
    wrapping: list[int] = field(factory=list)
    counts: dict[str, int] = field(factory=lambda: dict.fromkeys(NESTING, 0))
    quotes: int = 0
    skipped: str = ""
    literal: bool = False
    strikes: bool = False
    """Whether text outside quotations is struck out."""

    def take(self, token: Tag | str) -> None:
        if isinstance(token, str):
            if self.skipped:
                return
            if not (self.unseen and self.unseen.now):
                self.text(unescape(token))
            elif self.unseen.strikes and not self.quotes and token.strip():
                self.strikes = True
        elif self.skipped:
            if token.closes and token.name == self.skipped:
                self.skipped = ""
        else:
            if self.unseen:
                self.unseen.tag(token.name, token.attributes, closes=token.closes, is_block=token.name in BLOCKS)
            self.tag(token)

    def text(self, text: str) -> None:
        if not self.literal:
            self.pieces.append(text)
            return
        first, *others = text.split("\n")
        self.pieces.append(first)
        for line in others:
            self.end_line(keep_empty=True)
            self.pieces.append(line)

    def tag(self, tag: Tag) -> None:
        if tag.name in BLOCKS:
            self.end_line(keep_empty=tag.name == "br")
        if tag.name in SKIPPED and not tag.closes:
            self.skipped = tag.name
        elif tag.name == "pre":
            self.literal = not tag.closes
        elif tag.name in NESTING and tag.closes:
            self.close(tag.name)
        elif tag.name in NESTING:
            quoting = tag.name == "blockquote" or QUOTING.search(tag.attributes) is not None
            if tag.name == "div" and quoting and WRAPPING.search(tag.attributes):
                self.wrapping.append(len(self.nested))
            self.nested.append((tag.name, quoting))
            self.counts[tag.name] += 1
            self.quotes += quoting

    def close(self, name: str) -> None:
        """Close the innermost element of a name, and what was left open in it.

        Behind a closed quotation its wrapping quotes no more.
        """
        inner = ""
        while self.counts[name] and inner != name:
            inner, quoting = self.nested.pop()
            self.counts[inner] -= 1
            self.quotes -= quoting
            if self.wrapping[-1:] == [len(self.nested)]:
                self.wrapping.pop()
        while inner == "blockquote" and self.wrapping:
            self.nested[self.wrapping.pop()] = ("div", False)
            self.quotes -= 1

    def end_line(self, *, keep_empty: bool = False) -> None:
        if not self.pieces and not keep_empty:
            return
        joined = "".join(self.pieces)
        text = joined.rstrip() if self.literal else " ".join(joined.split())
        self.pieces = []
        if text or keep_empty:
            self.lines.append(Line(text, self.quotes > 0 or text.startswith((">", "＞"))))


def html_lines(html: str, most: int) -> list[Line]:
    """The lines of a document, no more than one more than so many; those inside a quotation are marked."""
    return lines_and_strikes(html, most)[0]


def lines_and_strikes(html: str, most: int) -> tuple[list[Line], bool]:
    """The lines of a document as `html_lines` gives them, and whether its sender struck text out, which is in no line."""
    making = _Lines(unseen_in(html))
    for token in tokens(html):
        making.take(token)
        if len(making.lines) > most:
            return making.lines[: most + 1], making.strikes
    making.end_line()
    return making.lines, making.strikes
