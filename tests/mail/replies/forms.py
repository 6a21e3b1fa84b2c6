"""The two forms of a reply, plain text and HTML, and how lines become either."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

from attrs import frozen

from tests.mail.replies.drafts import Draft

# -- pieces of text -----------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    """A line as HTML; what stands between stars is bold."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"\*([^*]+)\*", r"<b>\1</b>", text)


def spaced(text: str) -> str:
    """A quoted line as HTML, with its columns kept and addresses as links."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("  ", "&nbsp; ")
    text = f"&nbsp;{text[1:]}" if text.startswith(" ") else text
    return re.sub(r"https://[^\s<>]+", r'<a href="\g<0>" rel="noreferrer" target="_blank">\g<0></a>', text)


def who(draft: Draft) -> str:
    """Who wrote what is answered."""
    name, address = draft.parent.author
    return f"{name} <{address}>"


def labelled(draft: Draft, *, bold: bool = False, end: str = "") -> list[str]:
    """Outlook's lines before what it quotes: from, sent, to, subject."""
    from_, sent, to, subject, date = draft.language.labels
    values = (who(draft), date, draft.parent.recipient, draft.parent.subject)
    if bold:
        return [
            f"<b>{escaped(label)}</b> {escaped(value)}"
            for label, value in zip((from_, sent, to, subject), values, strict=True)
        ]
    return [f"{label} {value}{end}" for label, value in zip((from_, sent, to, subject), values, strict=True)]


def forwarded(draft: Draft) -> list[str]:
    """Gmail's lines before a mail that is forwarded."""
    from_, sent, to, subject, date = draft.language.labels
    values = ((from_, who(draft)), (sent, date), (subject, draft.parent.subject), (to, draft.parent.recipient))
    return [draft.language.forwarded, *(f"{label} {value}" for label, value in values), ""]


def flowed(line: str, *, delsp: bool) -> list[str]:
    """An own line in `format=flowed`: space-stuffed, and broken behind a space (with DelSp anywhere)."""
    if line == "-- ":
        return [line]
    line = _stuffed(line.rstrip())
    if len(line) <= 72:
        return [line]
    if delsp:
        parts = [_stuffed(line[at : at + 67]) if at else line[:67] for at in range(0, len(line), 67)]
        return [*(f"{part} " for part in parts[:-1]), parts[-1]]
    broken = textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)
    return [*(f"{part} " for part in broken[:-1]), broken[-1]]


def _stuffed(line: str) -> str:
    return f" {line}" if line.startswith((" ", ">", "From ")) else line


# -- plain text ---------------------------------------------------------------------------------------------


@frozen
class Plain:
    """How a program writes plain text.

    `mark` stands before a quoted line and `bare` alone for an empty one; `intro` gives the lines before a quotation,
    with so many empty ones before and after it. `flows` is `flowed` or `delsp`; `width` is where other programs break
    own lines; `sign` stands where a quotation begins.
    """

    intro: Callable[[Draft], list[str]]
    mark: str = "> "
    bare: str = ">"
    after_intro: int = 0
    quoted_intro: bool = False
    flows: str = ""
    width: int = 0
    before_intro: int = 1
    sign: str = ""

    def text(self, draft: Draft) -> str:
        """The whole text."""
        lines: list[str] = []
        for at, piece in enumerate(draft.pieces):
            if piece.kind == "intro":
                intro = forwarded(draft) if draft.forwarded else self.intro(draft)
                intro[0] = self.sign + intro[0]
                lines += [""] * (self.before_intro if lines else 0)
                lines += [self._quoted(line) for line in intro] if self.quoted_intro else intro
                lines += [self.bare if self.quoted_intro else ""] * self.after_intro
            elif piece.kind == "quote":
                quoted = [self.sign + piece.lines[0], *piece.lines[1:]]
                lines += quoted if draft.forwarded else map(self._quoted, quoted)
            elif piece.lines:
                lines += [""] if lines else []
                lines += [part for line in piece.lines for part in self._own(line)]
                lines += [""] if [later.kind for later in draft.pieces[at + 1 : at + 2]] == ["quote"] else []
        return "\n".join(lines) + "\n"

    def _quoted(self, line: str) -> str:
        return f"{self.mark}{line}" if line else self.bare

    def _own(self, line: str) -> list[str]:
        if self.flows:
            return flowed(line, delsp=self.flows == "delsp")
        if self.width and len(line) > self.width and line != "-- ":
            return textwrap.wrap(line, self.width, break_long_words=False, break_on_hyphens=False)
        return [line]


# -- HTML ---------------------------------------------------------------------------------------------------


@frozen
class Html:
    """How a program writes HTML: around everything, around an own line, before and after what is quoted.

    `opens` and `closes` stand around all that is quoted, own lines in between included; `quote` around each run.
    """

    around: tuple[str, str]
    own: tuple[str, str]
    empty: str
    opens: Callable[[Draft], str]
    quote: tuple[str, str]
    closes: str
    line_end: str = "<br>\n"

    def text(self, draft: Draft) -> str:
        """The whole document."""
        out, opened = [self.around[0]], False
        for at, piece in enumerate(draft.pieces):
            if opened and at == len(draft.pieces) - 1 and piece.kind == "own" and not draft.inside:
                out.append(self.closes)
                opened = False
            if piece.kind == "intro":
                opened = True
                out.append(self.opens(draft))
            elif piece.kind == "quote":
                inner = self.line_end.join(map(spaced, piece.lines))
                out.append(inner if draft.forwarded else f"{self.quote[0]}{inner}{self.quote[1]}")
            else:
                lines = [f"{self.own[0]}{escaped(line)}{self.own[1]}" if line else self.empty for line in piece.lines]
                out.append("\n".join([*([self.empty] if at and lines else []), *lines]))
        return "".join([*out, self.closes if opened else "", self.around[1]])
