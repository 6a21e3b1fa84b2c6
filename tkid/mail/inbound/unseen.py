"""Text of an HTML mail that nobody sees, as a style or an attribute hides it. Linear in the size, whatever it holds.

Only what a mail program would hide in any window counts: rules for print or for small screens do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

from attrs import define, field

SIGNS = (
    "hidden",
    "none",
    "collapse",
    "opacity",
    "mso-hide",
    "max-height",
    "font-size",
    "transparent",
    "background",
    "&#",
)
"""Without one of these words, or a letter written as a number, a document hides nothing."""
NO_CONTENT = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
"""Elements that have no end tag."""
ENDED_BY_NEXT = frozenset({"p", "li", "td", "th", "tr", "dt", "dd", "option"})
"""Elements that the next one of their kind ends."""
ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
ZERO = r"[+-]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?"
HIDES = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|mso-hide:all|color:transparent"
    rf"|(?:opacity|max-height):{ZERO})(?:!important)?(?:;|$)"
)
FONT_SIZE = re.compile(r"(?:^|;)font-size:([^;!]*)")
NO_SIZE = re.compile(ZERO)
COLOUR = re.compile(r"(?:^|;)color:([^;!]*)")
BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]*)")
WHITES = {"white": "#fff", "#ffffff": "#fff", "rgb(255,255,255)": "#fff", "rgba(255,255,255,1)": "#fff"}
NO_COLOUR = frozenset({"", "inherit", "initial", "unset", "revert", "currentcolor", "auto"})
SELECTOR = re.compile(r"[^:\[\]>+~]*?([.#]?[\w-]+)")
LONGEST_NAME = 200
BRACES = re.compile("[{}]")

SEEN, SMALL, HIDDEN = range(3)
"""Whether a text is seen; not, as its letters have no size, which an element within may change; or not in any case."""


@define
class Unseen:
    """Follows the tags of a document, and knows whether the text behind them is unseen `now`."""

    selectors: frozenset[str]
    """The elements, classes and ids that a style sheet hides."""
    state: int = SEEN
    opened: list[tuple[str, int]] = field(factory=list)
    """The elements that are open: the name of each, and the state before it."""
    names: Counter[str] = field(factory=Counter)

    @property
    def now(self) -> bool:
        """Whether text that stands here is unseen."""
        return self.state != SEEN

    def tag(self, name: str, attributes: str, *, closes: bool, is_block: bool) -> None:
        """Go on behind a tag."""
        if name in NO_CONTENT:
            return
        if closes:
            while self.names[name] and self._close() != name:
                pass
            return
        last = self.opened[-1][0] if self.opened else ""
        if (last == name and name in ENDED_BY_NEXT) or (last == "p" and is_block):
            self._close()
        self.opened.append((name, self.state))
        self.names[name] += 1
        if self.state == HIDDEN:
            return
        if name in self.selectors:
            self.state = HIDDEN
        elif "=" in attributes or "hidden" in attributes.lower():
            self.state = self._state(attributes)

    def _close(self) -> str:
        name, self.state = self.opened.pop()
        self.names[name] -= 1
        return name

    def _state(self, attributes: str) -> int:
        """The state within an element with these attributes."""
        found = {match[1].lower(): _value(match[2]) for match in ATTRIBUTE.finditer(attributes)}
        classes, own = found.get("class", "").lower().split(), found.get("id", "").lower()
        ways = (f"#{own}", *(f".{each}" for each in classes))
        if "hidden" in found or not self.selectors.isdisjoint(ways):
            return HIDDEN
        style = bare_style(found.get("style", ""))
        if hides(style):
            return HIDDEN
        size = FONT_SIZE.findall(style)
        return self.state if not size else SMALL if NO_SIZE.fullmatch(size[-1]) else SEEN


def unseen_in(html: str) -> Unseen | None:
    """What follows the tags of a document; None where it hides nothing."""
    small = html.lower()
    return Unseen(frozenset(hidden_selectors(small))) if any(sign in small for sign in SIGNS) else None


def hides(style: str) -> bool:
    """Whether a bare style hides what is within, whatever that says: also as the colour is that of the ground."""
    colour, ground = COLOUR.findall(style), BACKGROUND.findall(style)
    alike = bool(colour and ground) and _colour(colour[-1]) == _colour(ground[-1])
    return (alike and colour[-1] not in NO_COLOUR) or HIDES.search(style) is not None


def bare_style(style: str) -> str:
    """A style in small letters, without spaces and comments."""
    first, *others = style.split("/*")
    return "".join("".join((first, *(each.partition("*/")[2] for each in others))).split()).lower()


def hidden_selectors(small: str) -> Iterator[str]:
    """The elements, classes and ids that the style sheets of a document in small letters hide."""
    at = 0
    while (begin := small.find("<style", at)) >= 0 and (end := small.find("</style", begin)) >= 0:
        at = end + 1
        yield from _of_sheet(small[small.find(">", begin, end) + 1 : end])


def _of_sheet(sheet: str) -> Iterator[str]:
    """What a style sheet hides, but for what it hides only under a condition (`@media`)."""
    selector, depth, at = "", 0, 0
    for brace in BRACES.finditer(sheet):
        if brace[0] == "{":
            selector = sheet[at : brace.start()] if depth == 0 else selector
            depth += 1
        else:
            style = bare_style(sheet[at : brace.start()]) if depth == 1 and "@" not in selector else ""
            if style and (hides(style) or any(map(NO_SIZE.fullmatch, FONT_SIZE.findall(style)))):
                yield from filter(None, map(_last_name, selector.split(",")))
            depth = max(0, depth - 1)
        at = brace.end()


def _last_name(selector: str) -> str:
    """The class, id or element that a selector ends with, "" for one with a condition."""
    last = selector.rsplit(maxsplit=1)[-1] if selector.split() else ""
    match = SELECTOR.fullmatch(last) if len(last) <= LONGEST_NAME else None
    return match[1] if match else ""


def _value(text: str | None) -> str:
    return unescape((text or "").strip("\"'"))


def _colour(text: str) -> str:
    return WHITES.get(text, text)
