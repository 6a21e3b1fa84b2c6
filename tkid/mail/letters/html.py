"""Letters as HTML, block by block: the words of the plain text in the same order, for mail programs and telephones.

Whatever stands in a block is text of somebody's and escaped. Styles stand in each element, as mail programs drop most
others; no colour is set but grey, so that dark modes find nothing to spoil; and nothing is loaded from anywhere.
There is no `<title>`: a program that quotes it above the marker line would make an order of a game's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from tkid.mail.letters.blocks import (
    Block,
    Board,
    Buttons,
    Copies,
    Events,
    Excerpt,
    First,
    Footer,
    Heading,
    Lead,
    Paragraph,
    Quote,
    Rule,
    Samples,
    Turn,
    belongs,
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
        near = belongs(before, block) or (isinstance(before, Heading) and not isinstance(block, Rule))
        pieces.append(HTML[type(block)](block, NEAR if near else FAR))
        before = block
    return "".join((*pieces, CLOSES))


def with_picture(page: str, source: str, words: str, width: int, height: int) -> str:
    """A document with a picture in place of each position that is drawn in text; `words` describe it."""
    style = "display:block;max-width:100%;height:auto;border-radius:6px"
    about = f'src="{_text(source)}" alt="{_text(" ".join(words.split()))}" width="{width}" height="{height}"'
    shown = f'<img class="tkid-picture" {about} style="{style}">'
    return DRAWN.sub(lambda _: f'<p style="margin:{FAR}">{shown}</p>\n', page)


def with_more(page: str, blocks: Iterable[Block]) -> str:
    """A document with more blocks at its end."""
    return page.removesuffix(CLOSES) + "".join(HTML[type(block)](block, FAR) for block in blocks) + CLOSES


def _paragraph(style: str, inner: str) -> str:
    return f'<p style="{style}">{inner}</p>\n'


def _first(block: First, _: str) -> str:
    style = f"margin:0;padding:0 0 8px;border-bottom:1px solid #999;{MONO};font-size:12px;opacity:.8"
    return _paragraph(style, _text(block.line))


def _heading(block: Heading, _: str) -> str:
    return f'<h2 style="margin:26px 0 0;font-size:16px;line-height:1.3">{_text(block.text)}</h2>\n'


def _board(block: Board, _: str) -> str:
    """A drawing in text: its lines are never broken, so what a telephone has no room for is reached by a swipe."""
    about = f' role="img" aria-label="{_text(block.caption)}"' if block.caption else ""
    style = (
        f"margin:{FAR};padding:8px 4px;{BOX};{MONO};font-size:12.5px;line-height:1.2;overflow-x:auto;white-space:pre"
    )
    text = _text("\n".join(block.lines))
    return f'<pre class="tkid-board"{about} style="{style}">\n{text}</pre>\n'


def _events(block: Events, margin: str) -> str:
    """What happened: a turn's number stands out to the left, what goes on with it stands below the words."""
    pieces, numbered = [], any(number for number, _ in block.items)
    for index, (number, sentence) in enumerate(block.items):
        hangs = "text-indent:-26px" if number else "" if numbered else "text-indent:-12px"
        above = margin if index == 0 else NEAR if numbered and not number else BETWEEN
        style = f"margin:{above};padding-left:{26 if numbered else 12}px;{hangs}"
        pieces.append(_paragraph(style.rstrip(";"), _text(number) + _marked(sentence)))
    return "".join(pieces)


def _copies(block: Copies, _: str) -> str:
    """Lines to copy: a tap selects all of one, and however it is shown, it is one line."""
    style = f"{MONO};font-size:14px;white-space:pre-wrap;-webkit-user-select:all;user-select:all"
    codes = (f'<code style="{style}">{_text(line)}</code>' for line in block.lines)
    return "".join(_paragraph(f"margin:{BETWEEN};padding:8px 10px;{BOX};line-height:1.3", code) for code in codes)


def _quote(block: Quote, margin: str) -> str:
    style = f"margin:{margin};padding-left:12px;border-left:3px solid #999"
    return _paragraph(style, f'"{_text(printable(block.text))}"')


def _underlined(block: Excerpt) -> str:
    """A line as code with a place in it underlined; behind its end an empty one."""
    shown, begin, length = window(block.text, block.col, block.length)
    before, marked, after = shown[:begin], shown[begin : begin + length], shown[begin + length :]
    style = "text-decoration:underline;font-weight:bold;border-bottom:2px solid #c62828"
    place = f'<span style="{style}">{_text(marked) or "&nbsp;"}</span>'
    return f'<code style="{MONO};font-size:14px;white-space:pre-wrap">{_text(before)}{place}{_text(after)}</code>'


def _marked(text: str) -> str:
    pieces, end = [], 0
    for mark in MARKED.finditer(text):
        code, rule_id = mark.groups()
        if rule_id and not known(rule_id):
            continue
        pieces += [_text(text[end : mark.start()]), _code(code) if code else _link(rule_id)]
        end = mark.end()
    return "".join((*pieces, _text(text[end:])))


def _code(text: str) -> str:
    return f'<code style="{MONO};font-size:14px">{_text(text)}</code>'


def _link(rule_id: str) -> str:
    return f'<a href="{_text(rule(rule_id).link)}">[{_text(rule_id)}]</a>'


def _text(text: str) -> str:
    """A text that is nothing but text in HTML, also in quotes."""
    return escape(readable(text))


HTML: dict[type, Callable[[Any, str], str]] = {
    Lead: lambda block, margin: _paragraph(f"margin:{margin};font-weight:bold", _text(block.text)),
    Buttons: lambda _, __: "",
    Samples: lambda block, margin: _copies(
        Copies(tuple(f"{f'{number}  ' if block.numbered else ''}{line}" for number, line in enumerate(block.lines, 1))),
        margin,
    ),
    Footer: lambda block, margin: "".join(_paragraph(f"margin:{margin}", _marked(text)) for text in block.texts),
    First: _first,
    Heading: _heading,
    Paragraph: lambda block, margin: _paragraph(f"margin:{margin}", _marked(block.text)),
    Events: _events,
    Board: _board,
    Copies: _copies,
    Turn: lambda block, margin: _paragraph(f"margin:{margin}", _code(f"{block.line} #{block.hash}")),
    Quote: _quote,
    Excerpt: lambda block, margin: _paragraph(f"margin:{margin}", _underlined(block)),
    Rule: lambda block, margin: _paragraph(f"margin:{margin};font-size:14px", _link(block.id)),
}
"""Each kind of block as one element or several, with the margin above it."""
