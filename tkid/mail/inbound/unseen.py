"""Text of an HTML mail that does not count: a style or an attribute hides it, or its sender struck it out. Linear in the size.

Only what a mail program would hide or strike in any window counts: rules for print or for small screens do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
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
"""Without one of these words, a letter written as a number, or an element that strikes, a document hides and strikes nothing."""
STRIKES = re.compile(r"<(?:s|del|strike)[\s/>]")
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
DECORATION = re.compile(r"(?:^|;)(?:-webkit-)?text-decoration(?:-line)?:([^;]*)")
OF_WORD = re.compile(r"(?:^|;)text-line-through:(?!none)")
"""A property that Word has for lines through a text."""
SELECTOR = re.compile(r"[^:\[\]>+~]*?([.#]?[\w-]+)")
LONGEST_NAME = 200
BRACES = re.compile("[{}]")

SEEN, SMALL, STRUCK, HIDDEN = range(4)
"""Whether a text is seen; not, as its letters have no size, which an element within may change; struck out; or hidden."""
STRIKING = {"s": STRUCK, "strike": STRUCK, "del": STRUCK}
"""The elements that strike text out, unless a style says otherwise."""


@define
class Unseen:
    """Follows the tags of a document, and knows whether the text behind them is unseen `now`."""

    selectors: Mapping[str, int]
    """The elements, classes and ids that hide or strike text."""
    state: int = SEEN
    opened: list[tuple[str, int]] = field(factory=list)
    """The elements that are open: the name of each, and the state before it."""
    names: Counter[str] = field(factory=Counter)

    @property
    def now(self) -> bool:
        """Whether text that stands here is unseen."""
        return self.state != SEEN

    @property
    def strikes(self) -> bool:
        """Whether text that stands here is struck out."""
        return self.state == STRUCK

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
        if "=" in attributes or "hidden" in attributes.lower():
            self.state = self._state(name, attributes)
        else:
            self.state = max(self.state, self.selectors.get(name, SEEN))

    def _close(self) -> str:
        name, self.state = self.opened.pop()
        self.names[name] -= 1
        return name

    def _state(self, name: str, attributes: str) -> int:
        """The state within an element with this name and these attributes."""
        found = {match[1].lower(): _value(match[2]) for match in ATTRIBUTE.finditer(attributes)}
        classes, own = found.get("class", "").lower().split(), found.get("id", "").lower()
        ways = (name, f"#{own}", *(f".{each}" for each in classes))
        state, style = max(self.selectors.get(way, SEEN) for way in ways), bare_style(found.get("style", ""))
        if state == HIDDEN or "hidden" in found or hides(style):
            return HIDDEN
        struck = _is_struck(style)
        if self.state == STRUCK or struck or (struck is None and state == STRUCK):
            return STRUCK
        size = FONT_SIZE.findall(style)
        return self.state if not size else SMALL if NO_SIZE.fullmatch(size[-1]) else SEEN


def may_strike(html: str) -> bool:
    """Whether a document may strike text out, at a glance."""
    small = html.lower()
    return STRIKES.search(small) is not None or "line-through" in small or "&#" in small


def unseen_in(html: str) -> Unseen | None:
    """What follows the tags of a document; None where it hides and strikes nothing."""
    small = html.lower()
    if not (may_strike(small) or any(sign in small for sign in SIGNS)):
        return None
    selectors = dict(STRIKING)
    for name, state in styled_selectors(small):
        if state != SEEN:
            selectors[name] = max(state, selectors.get(name, SEEN))
        elif selectors.get(name) == STRUCK:
            del selectors[name]
    return Unseen(selectors)


def hides(style: str) -> bool:
    """Whether a bare style hides what is within, whatever that says: also as the colour is that of the ground."""
    colour, ground = COLOUR.findall(style), BACKGROUND.findall(style)
    alike = bool(colour and ground) and _colour(colour[-1]) == _colour(ground[-1])
    return (alike and colour[-1] not in NO_COLOUR) or HIDES.search(style) is not None


def bare_style(style: str) -> str:
    """A style in small letters, without spaces and comments."""
    first, *others = style.split("/*")
    return "".join("".join((first, *(each.partition("*/")[2] for each in others))).split()).lower()


def _is_struck(style: str) -> bool | None:
    """Whether a bare style strikes text out; None where it says nothing of lines."""
    if OF_WORD.search(style):
        return True
    lines = DECORATION.findall(style)
    return "line-through" in lines[-1] if lines else None


def styled_selectors(small: str) -> Iterator[tuple[str, int]]:
    """The elements, classes and ids that the style sheets of a document in small letters hide or strike, or do not strike."""
    at = 0
    while (begin := small.find("<style", at)) >= 0 and (end := small.find("</style", begin)) >= 0:
        at = end + 1
        yield from _of_sheet(small[small.find(">", begin, end) + 1 : end])


def _of_sheet(sheet: str) -> Iterator[tuple[str, int]]:
    """What a style sheet hides or strikes, but for what it does only under a condition (`@media`)."""
    selector, depth, at = "", 0, 0
    for brace in BRACES.finditer(sheet):
        if brace[0] == "{":
            selector = sheet[at : brace.start()] if depth == 0 else selector
            depth += 1
        else:
            style = bare_style(sheet[at : brace.start()]) if depth == 1 and "@" not in selector else ""
            state = _styled(style)
            if state is not None:
                yield from ((name, state) for name in map(_last_name, selector.split(",")) if name)
            depth = max(0, depth - 1)
        at = brace.end()


def _styled(style: str) -> int | None:
    """The state that a bare style of a sheet gives; None where it says nothing of that."""
    if hides(style) or any(map(NO_SIZE.fullmatch, FONT_SIZE.findall(style))):
        return HIDDEN
    struck = _is_struck(style)
    return None if struck is None else STRUCK if struck else SEEN


def _last_name(selector: str) -> str:
    """The class, id or element that a selector ends with, "" for one with a condition."""
    last = selector.rsplit(maxsplit=1)[-1] if selector.split() else ""
    match = SELECTOR.fullmatch(last) if len(last) <= LONGEST_NAME else None
    return match[1] if match else ""


def _value(text: str | None) -> str:
    return unescape((text or "").strip("\"'"))


def _colour(text: str) -> str:
    return WHITES.get(text, text)


STRUCK_TEXT = re.compile(
    r"(?<![^\W_])(?<!~)(~{1,2})(?=[^\s~])[^~]*(?<=\S)\1(?!~)(?![^\W_])|(?:[^\u0335-\u0338][\u0335-\u0338]+){2,}"
)
"""What is struck out in plain text: between tildes, or with a stroke through each letter."""


def without_struck(text: str) -> str:
    """A line without what is struck out in it."""
    return text if text.isascii() and "~" not in text else STRUCK_TEXT.sub("", text)
