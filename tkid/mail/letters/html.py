"""Letters as HTML, block by block: the words of the plain text in the same order, for mail programs and telephones.

Whatever stands in a block is text of somebody's and escaped. Styles stand in each element, as mail programs drop most
others; no colour is set but grey, so that dark modes find nothing to spoil; and nothing is loaded from anywhere.
There is no `<title>`: a program that quotes it above the marker line would make an order of a game's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from tkid.mail.letters.blocks import (
    Block,
    Board,
    Copies,
    Events,
    Excerpt,
    First,
    Heading,
    Paragraph,
    Quote,
    Rule,
    Turn,
    printable,
    window,
)
from tkid.mail.letters.mime_writer import readable
from tkid.rulebook import known, rule

SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:Menlo,Consolas,'Courier New',monospace"
BOX = "border:1px solid #999;border-radius:6px;background:rgba(128,128,128,.12)"
OPENS = f"""\
<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<style>
:root {{ color-scheme: light dark; supported-color-schemes: light dark; }}
@media (max-width: 640px) {{ .tkid-board {{ font-size: 9.3px !important; }} }}
</style>
</head>
<body style="margin:0;padding:0">
<div lang="en" dir="ltr" style="{SANS};font-size:16px;line-height:1.45;max-width:660px;padding:10px;word-wrap:break-word">
"""
CLOSES = "</div>\n</body>\n</html>\n"
FAR, BETWEEN, NEAR = "12px 0 0", "8px 0 0", "3px 0 0"
"""The margins of a block, of an item of a list, and of what belongs to what stands before it."""

MARKED = re.compile(r"`([^`]+)`|\[([a-z]+(?:[.-][a-z0-9]+)+)\]")
"""Notation between backticks, and what may be the id of a rule in brackets."""
DRAWN = re.compile(r'<pre class="tkid-board".*?</pre>\n', re.DOTALL)
"""A position that is drawn in text."""


def html(blocks: Iterable[Block]) -> str:
    """Blocks as an HTML document."""
    pieces = [OPENS]
    before: Block | None = None
    for block in blocks:
        pieces.append(_block(block, NEAR if _belongs(before, block) else FAR))
        before = block
    return "".join((*pieces, CLOSES))


def with_picture(page: str, source: str, told: str, width: int, height: int) -> str:
    """A document with a picture in place of each position that is drawn in text; `told` says it in words."""
    style = "display:block;max-width:100%;height:auto;border-radius:6px"
    about = f'src="{_text(source)}" alt="{_text(" ".join(told.split()))}" width="{width}" height="{height}"'
    shown = f'<img class="tkid-picture" {about} style="{style}">'
    return DRAWN.sub(lambda _: f'<p style="margin:{FAR}">{shown}</p>\n', page)


def with_more(page: str, blocks: Iterable[Block]) -> str:
    """A document with more blocks at its end."""
    return page.removesuffix(CLOSES) + "".join(_block(block, FAR) for block in blocks) + CLOSES


def _belongs(before: Block | None, block: Block) -> bool:
    """Whether a block belongs to the one before it: a rule to what it is about, an explanation to what it explains."""
    if isinstance(block, Rule):
        return not isinstance(before, Heading | First | None)
    return isinstance(before, Heading) or (isinstance(before, Excerpt) and isinstance(block, Paragraph))


def _block(block: Block, margin: str) -> str:
    """A block as one element or several."""
    match block:
        case First(line):
            style = f"margin:0;padding:0 0 8px;border-bottom:1px solid #999;{MONO};font-size:12px;opacity:.8"
            return _paragraph(style, _text(line))
        case Heading(text):
            return f'<h2 style="margin:26px 0 0;font-size:16px;line-height:1.3">{_text(text)}</h2>\n'
        case Events(items):
            return _events(items, margin)
        case Board(lines, caption):
            return _board("\n".join(lines), caption)
        case Copies(lines):
            return "".join(map(_copy, lines))
        case _:
            return _short(block, f"margin:{margin}")


def _short(block: Paragraph | Turn | Quote | Excerpt | Rule, style: str) -> str:
    """A block that is one paragraph."""
    match block:
        case Paragraph(text):
            return _paragraph(style, _marked(text))
        case Turn(line, value):
            return _paragraph(style, _code(f"{line} #{value}"))
        case Quote(text):
            return _paragraph(f"{style};padding-left:12px;border-left:3px solid #999", f'"{_text(printable(text))}"')
        case Excerpt(text, col, length):
            return _paragraph(style, _underlined(*window(text, col, length)))
        case Rule(rule_id):
            return _paragraph(f"{style};font-size:14px", _link(rule_id))


def _paragraph(style: str, inner: str) -> str:
    return f'<p style="{style}">{inner}</p>\n'


def _board(text: str, caption: str) -> str:
    """A drawing in text: its lines are never broken, so what a telephone has no room for is reached by a swipe."""
    about = f' role="img" aria-label="{_text(caption)}"' if caption else ""
    style = (
        f"margin:{FAR};padding:8px 4px;{BOX};{MONO};font-size:12.5px;line-height:1.2;overflow-x:auto;white-space:pre"
    )
    return f'<pre class="tkid-board"{about} style="{style}">\n{_text(text)}</pre>\n'


def _events(items: tuple[tuple[str, str], ...], margin: str) -> str:
    """What happened: a turn's number stands out to the left, what goes on with it stands below the words."""
    pieces, numbered = [], any(number for number, _ in items)
    for at, (number, told) in enumerate(items):
        hangs = "text-indent:-26px" if number else "" if numbered else "text-indent:-12px"
        above = margin if at == 0 else NEAR if numbered and not number else BETWEEN
        style = f"margin:{above};padding-left:{26 if numbered else 12}px;{hangs}"
        pieces.append(_paragraph(style.rstrip(";"), _text(number) + _marked(told)))
    return "".join(pieces)


def _copy(line: str) -> str:
    """A line to copy: a tap selects all of it, and however it is shown, it is one line."""
    select = "-webkit-user-select:all;user-select:all"
    code = f'<code style="{MONO};font-size:14px;white-space:pre-wrap;{select}">{_text(line)}</code>'
    return _paragraph(f"margin:{BETWEEN};padding:8px 10px;{BOX};line-height:1.3", code)


def _underlined(shown: str, at: int, length: int) -> str:
    """A line as code with a place in it underlined; behind its end an empty one."""
    before, marked, after = shown[:at], shown[at : at + length], shown[at + length :]
    style = "text-decoration:underline;font-weight:bold;border-bottom:2px solid #c62828"
    place = f'<span style="{style}">{_text(marked) or "&nbsp;"}</span>'
    return f'<code style="{MONO};font-size:14px;white-space:pre-wrap">{_text(before)}{place}{_text(after)}</code>'


def _marked(text: str) -> str:
    """Sentences with notation as code, and rule ids as links."""
    pieces, at = [], 0
    for found in MARKED.finditer(text):
        code, rule_id = found.groups()
        if rule_id and not known(rule_id):
            continue
        pieces += [_text(text[at : found.start()]), _code(code) if code else _link(rule_id)]
        at = found.end()
    return "".join((*pieces, _text(text[at:])))


def _code(text: str) -> str:
    return f'<code style="{MONO};font-size:14px">{_text(text)}</code>'


def _link(rule_id: str) -> str:
    """The id of a rule in brackets, linked to its page."""
    return f'<a href="{_text(rule(rule_id).link)}">[{_text(rule_id)}]</a>'


def _text(text: str) -> str:
    """A text that is nothing but text in HTML, also in quotes."""
    return escape(readable(text))
