"""Texts of the register as HTML, and names of places on pages."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

SENTENCE = re.compile(r"(?P<first>.+?[.!?:;])(?P<rest>\s.*)?", re.DOTALL)
SIGNS = re.compile(r"[^a-z0-9]+")


def html(text: str) -> Markup:
    """A text of the register as HTML: what is in backticks is code."""
    parts = [escape(part) for part in text.split("`")]
    parts[1::2] = [Markup("<code>") + part + Markup("</code>") for part in parts[1::2]]
    return Markup().join(parts)


def answer(text: str) -> Markup:
    """An answer with its beginning, up to the first stop, in bold: that is the answer, and the rest explains it."""
    found = SENTENCE.fullmatch(text)
    first, rest = (found["first"], found["rest"] or "") if found else (text, "")
    return Markup('<span class="say">') + html(first) + Markup("</span>") + html(rest)


def slug(title: str) -> str:
    """A title as the name of a place on a page."""
    return SIGNS.sub("-", title.lower()).strip("-")
