"""HTML pages that need no other file: style, script and data are in the page, and it may load nothing else."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, TypeVar

from attrs import frozen

from tkid.rulebook import is_known_rule, rule

UNSAFE = {c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""Characters that could end a script or begin an element, as JSON may write them."""

K = TypeVar("K")


class Table(dict[K, int]):
    """Values numbered in the order in which they come, so that each is in the data of a page once."""

    def number(self, value: K) -> int:
        """The number of a value."""
        return self.setdefault(value, len(self))


@frozen
class Page:
    """A page before it is written: its title, its body as HTML, its style and its script."""

    title: str
    body: str
    style: str
    script: str


def write_html_page(title: str, body: str, *, style: str, script: str, framed: Page | None = None) -> str:
    """Write HTML that runs only this style and script and loads nothing; what is `framed` as data may run its own."""
    styles = " ".join(_hash(each) for each in (style, framed.style if framed else "") if each)
    scripts = " ".join(_hash(each) for each in (script, framed.script if framed else "") if each)
    policy = f"default-src 'none'; style-src {styles}; script-src {scripts}"
    return (
        '<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def write_data_element(name: str, value: Any) -> str:
    """Write a value for the script of a page, by its name. No text in it can end the element."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character, safe in UNSAFE.items():
        written = written.replace(character, safe)
    return f'<script type="application/json" id="{name}">{written}</script>'


def rule_link(rule_id: str) -> str:
    """A rule's id as a link to its page; the id alone if the register has no such rule."""
    shown = escape(rule_id)
    return f'<a class="rule" href="{rule(rule_id).link}">{shown}</a>' if is_known_rule(rule_id) else shown


@cache
def read_page_part(name: str) -> str:
    """Return a style, a script or the body of the pages, by its file name."""
    return files("tkid.render").joinpath("page", name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
