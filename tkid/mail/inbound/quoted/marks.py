"""How people mark a line of a quotation as their choice: an X before it, an arrow behind it, a star on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from tkid.mail.inbound.normalize import seen

LONGEST = 400
"""Characters of a line that are looked at."""
PREFIX = re.compile(r"[\s>＞|\]:}%#]*(?:(?!x+>)\w[\w.-]{0,11}(?:>+|\|))?[\s>＞|\]:}%#]*", re.IGNORECASE)
"""What mail programs put before a quoted line."""
NUMBER = re.compile(r"\s*\d{1,2}[.)]?\s+")
"""What stands before the samples that are chosen by number."""
BEFORE = re.compile(
    r"(?:(?P<sure>[x×]{1,3}(?=[\s>:.)-])[>:.)-]*|[\[({]\s*[x×✓✔+*]\s*[\])}]|[-=~]{1,4}>+|"
    r"[→⇒➔➜➡►▶✓✔☑√✅👉]\ufe0f?)|\*{1,3}|[-+•·–])\s*",
    re.IGNORECASE,
)
BEHIND = re.compile(
    r"\s*(?:(?P<sure>(?:<[-=~]{1,4}|[←⇐⬅]\ufe0f?)(?P<said>[^<>]{0,40})|[\[({]\s*(?:[x×✓✔]|this(?: one)?|mine|yes)\s*[\])}]|"
    r"\s[x×]{1,3}|[✓✔☑√✅]\ufe0f?|<{2,3})|\*{1,3})[\s.!]*\Z",
    re.IGNORECASE,
)
"""A mark before or behind a line: one that is surely meant as such, or one that a mail program may have made."""
MAY_MARK = re.compile(
    r"[\s>＞|\]:}%#\w.-]*?(?:\b[xX×]{1,3}[\s>:.)-]|[\[({]\s*[xX×✓✔+*]|[-=~]>|[→⇒➔➜➡►▶✓✔☑√✅👉]|\*|[-+•·–]\s)|.*(?:<[-=~]|[←⇐⬅✓✔☑√✅]|"
    r"[\])}*xX×<][\s.!]*\Z)"
)
"""What any line with a mark has."""
WORDS = frozenset(
    {
        *("this", "one", "that", "it", "here", "my", "mine", "choice", "turn", "move", "answer"),
        *("i", "ll", "would", "like", "take", "choose", "play", "pick", "want", "please", "yes", "ok", "x", "me"),
    }
)
"""Words that may stand behind an arrow and only point at a line."""


@frozen
class Unmarked:
    """A line without a mark around it; `sure` where only a person makes such a mark."""

    text: str
    sure: bool


def begins_with_mark(text: str) -> bool:
    """Whether a line begins with a sign that people put before no line of their own, behind what cannot be seen."""
    return seen(text).lstrip().startswith((">", "＞", "|", "]"))


def without_prefix(text: str) -> str:
    """A line without what a mail program has put before it to mark it as quoted."""
    prefix = PREFIX.match(text)
    return text[prefix.end() :] if prefix else text


def has_prefix(text: str) -> bool:
    """Whether a line has such a mark, and not only blanks, before it."""
    shown = seen(text).strip()
    return without_prefix(shown) != shown


def unmarked(text: str) -> Iterator[Unmarked]:
    """The ways to take a mark off a line."""
    text = seen(text[:LONGEST])
    if not MAY_MARK.match(text):
        return
    text = without_prefix(" ".join(text.split()))
    if (number := NUMBER.match(text)) and BEFORE.match(text[number.end() :]):
        text = text[number.end() :]
    before, behind = BEFORE.match(text), BEHIND.search(text)
    if behind and not set(re.findall(r"[^\W\d_]+", (behind["said"] or "").casefold())) <= WORDS:
        behind = None
    if before:
        yield Unmarked(text[before.end() :], bool(before["sure"]))
    if behind:
        yield Unmarked(text[: behind.start()], bool(behind["sure"]))
    if before and behind and before.end() <= behind.start():
        yield Unmarked(text[before.end() : behind.start()], bool(before["sure"] or behind["sure"]))
