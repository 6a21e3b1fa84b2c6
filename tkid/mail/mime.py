"""Read the visible text of a mail from its MIME parts, plain or HTML.

Text is hidden or struck out only if mail programs show it so in every window: rules for print or small screens don't count.

Two parsers of the standard library are too slow for hostile mails: `HTMLParser` takes 20 seconds for 40 kB of `<a `, and the
work of the mail parser grows with depth times size. So this module splits tags and parts itself, and uses `Message`
(compat32) only for the three fields that describe a part, under the limits of the envelope.
"""

from __future__ import annotations

import codecs
import json
import quopri
import re
from binascii import a2b_base64
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from email.message import Message
from functools import cached_property
from hashlib import sha256
from html import unescape
from itertools import chain

from attrs import define, evolve, field, frozen

from tkid.mail import envelope
from tkid.mail.model import IDS, Intake, Line, Refusal, RefusedError
from tkid.rulebook import cites

SIGNS = (
    "hidden", "none", "collapse", "opacity", "mso-hide", "max-height", "font-size", "transparent", "background", "&#",
)  # fmt: skip
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

SEEN_TEXT, SMALL, STRUCK, HIDDEN = range(4)
"""Whether a text is seen; not, as its letters have no size, which an element within may change; struck out; or hidden."""
STRIKING = {"s": STRUCK, "strike": STRUCK, "del": STRUCK}
"""The elements that strike text out, unless a style says otherwise."""


@define
class Unseen:
    """Follows the tags of a document, and knows whether the text behind them is unseen `now`."""

    selectors: Mapping[str, int]
    """The elements, classes and ids that hide or strike text."""
    state: int = SEEN_TEXT
    opened: list[tuple[str, int]] = field(factory=list)
    """The elements that are open: the name of each, and the state before it."""
    names: Counter[str] = field(factory=Counter)

    @property
    def now(self) -> bool:
        return self.state != SEEN_TEXT

    @property
    def strikes(self) -> bool:
        return self.state == STRUCK

    def read_tag(self, name: str, attributes: str, *, closes: bool, is_block: bool) -> None:
        if name in NO_CONTENT:
            return
        if closes:
            while self.names[name] and self._close_element() != name:
                pass
            return
        last = self.opened[-1][0] if self.opened else ""
        if (last == name and name in ENDED_BY_NEXT) or (last == "p" and is_block):
            self._close_element()
        self.opened.append((name, self.state))
        self.names[name] += 1
        if self.state == HIDDEN:
            return
        if "=" in attributes or "hidden" in attributes.lower():
            self.state = self._find_state(name, attributes)
        else:
            self.state = max(self.state, self.selectors.get(name, SEEN_TEXT))

    def _close_element(self) -> str:
        name, self.state = self.opened.pop()
        self.names[name] -= 1
        return name

    def _find_state(self, name: str, attributes: str) -> int:
        values = ((match[1].lower(), match[2] or "") for match in ATTRIBUTE.finditer(attributes))
        found = {name: unescape(value.strip("\"'")) for name, value in values}
        classes, own = found.get("class", "").lower().split(), found.get("id", "").lower()
        ways = (name, f"#{own}", *(f".{each}" for each in classes))
        state, style = max(self.selectors.get(way, SEEN_TEXT) for way in ways), strip_style(found.get("style", ""))
        if state == HIDDEN or "hidden" in found or is_hiding(style):
            return HIDDEN
        struck = _is_struck(style)
        if self.state == STRUCK or struck or (struck is None and state == STRUCK):
            return STRUCK
        size = FONT_SIZE.findall(style)
        return self.state if not size else SMALL if NO_SIZE.fullmatch(size[-1]) else SEEN_TEXT


def may_strike(html: str) -> bool:
    small = html.lower()
    return STRIKES.search(small) is not None or "line-through" in small or "&#" in small


def follow_tags(html: str) -> Unseen | None:
    """Return the follower of a document's tags; None if it hides and strikes nothing."""
    small = html.lower()
    if not (may_strike(small) or any(sign in small for sign in SIGNS)):
        return None
    selectors = dict(STRIKING)
    for name, state in list_styled_selectors(small):
        if state != SEEN_TEXT:
            selectors[name] = max(state, selectors.get(name, SEEN_TEXT))
        elif selectors.get(name) == STRUCK:
            del selectors[name]
    return Unseen(selectors)


def is_hiding(style: str) -> bool:
    colour, ground = COLOUR.findall(style), BACKGROUND.findall(style)
    alike = bool(colour and ground) and WHITES.get(colour[-1], colour[-1]) == WHITES.get(ground[-1], ground[-1])
    return (alike and colour[-1] not in NO_COLOUR) or HIDES.search(style) is not None


def strip_style(style: str) -> str:
    """Return a style in small letters, without spaces and comments."""
    first, *others = style.split("/*")
    return "".join("".join((first, *(each.partition("*/")[2] for each in others))).split()).lower()


def _is_struck(style: str) -> bool | None:
    if OF_WORD.search(style):
        return True
    lines = DECORATION.findall(style)
    return "line-through" in lines[-1] if lines else None


def list_styled_selectors(small: str) -> Iterator[tuple[str, int]]:
    """Return the selectors (elements, classes, ids) that the styles of a document in small letters hide or strike."""
    at = 0
    while (begin := small.find("<style", at)) >= 0 and (end := small.find("</style", begin)) >= 0:
        at = end + 1
        yield from _read_sheet(small[small.find(">", begin, end) + 1 : end])


def _read_sheet(sheet: str) -> Iterator[tuple[str, int]]:
    selector, depth, at = "", 0, 0
    for brace in BRACES.finditer(sheet):
        if brace[0] == "{":
            selector = sheet[at : brace.start()] if depth == 0 else selector
            depth += 1
        else:
            style = strip_style(sheet[at : brace.start()]) if depth == 1 and "@" not in selector else ""
            state = _read_rule(style)
            if state is not None:
                yield from ((name, state) for name in map(_find_last_name, selector.split(",")) if name)
            depth = max(0, depth - 1)
        at = brace.end()


def _read_rule(style: str) -> int | None:
    """Return the state that a bare style of a sheet gives; None if it doesn't concern visibility."""
    if is_hiding(style) or any(map(NO_SIZE.fullmatch, FONT_SIZE.findall(style))):
        return HIDDEN
    struck = _is_struck(style)
    return None if struck is None else STRUCK if struck else SEEN_TEXT


def _find_last_name(selector: str) -> str:
    """Return the class, id or element that a selector ends with, "" for one with a condition."""
    last = selector.rsplit(maxsplit=1)[-1] if selector.split() else ""
    match = SELECTOR.fullmatch(last) if len(last) <= LONGEST_NAME else None
    return match[1] if match else ""


STRUCK_TEXT = re.compile(
    r"(?<![^\W_])(?<!~)(~{1,2})(?=[^\s~])[^~]*(?<=\S)\1(?!~)(?![^\W_])|(?:[^\u0335-\u0338][\u0335-\u0338]+){2,}"
)
"""What is struck out in plain text: between tildes, or with a stroke through each letter."""


def without_struck(text: str) -> str:
    return text if text.isascii() and "~" not in text else STRUCK_TEXT.sub("", text)


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
"""Elements around an introduction and its quotation, and therefore also around text written below or in between."""
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


def split_html(html: str) -> Iterator[Tag | str]:
    """Yield the tags and texts of a document; a `<` may be text, and nothing follows a tag without an end."""
    done = 0
    while begins := _BEGINNING.search(html, done):
        opened = begins.start()
        if opened > done:
            yield html[done:opened]
        comment = html.startswith("<!--", opened)
        end = html.find("-->", opened + 4) + 2 if comment else _find_tag_end(html, opened)
        if end < opened:
            return
        done = end + 1
        if not comment:
            content = html[opened + 1 : end]
            name = _NAME.match(content)
            yield Tag(name[1].lower() if name else "", content.startswith("/"), content)
    if done < len(html):
        yield html[done:]


def _find_tag_end(html: str, begin: int) -> int:
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
    """True if text outside quotations is struck out."""

    def take_token(self, token: Tag | str) -> None:
        if isinstance(token, str):
            if self.skipped:
                return
            if not (self.unseen and self.unseen.now):
                self.add_text(unescape(token))
            elif self.unseen.strikes and not self.quotes and token.strip():
                self.strikes = True
        elif self.skipped:
            if token.closes and token.name == self.skipped:
                self.skipped = ""
        else:
            if self.unseen:
                self.unseen.read_tag(token.name, token.attributes, closes=token.closes, is_block=token.name in BLOCKS)
            self.read_tag(token)

    def add_text(self, text: str) -> None:
        if not self.literal:
            self.pieces.append(text)
            return
        first, *others = text.split("\n")
        self.pieces.append(first)
        for line in others:
            self.end_line(keep_empty=True)
            self.pieces.append(line)

    def read_tag(self, tag: Tag) -> None:
        if tag.name in BLOCKS:
            self.end_line(keep_empty=tag.name == "br")
        if tag.name in SKIPPED and not tag.closes:
            self.skipped = tag.name
        elif tag.name == "pre":
            self.literal = not tag.closes
        elif tag.name in NESTING and tag.closes:
            self.close_element(tag.name)
        elif tag.name in NESTING:
            quoting = tag.name == "blockquote" or QUOTING.search(tag.attributes) is not None
            if tag.name == "div" and quoting and WRAPPING.search(tag.attributes):
                self.wrapping.append(len(self.nested))
            self.nested.append((tag.name, quoting))
            self.counts[tag.name] += 1
            self.quotes += quoting

    def close_element(self, name: str) -> None:
        """Close the innermost element of a name and all in it; a closed quotation's wrapping quotes no more."""
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


def read_html_lines(html: str, most: int) -> list[Line]:
    """Return the lines of a document, at most one more than a maximum; those inside a quotation are marked."""
    return read_lines_and_strikes(html, most)[0]


def read_lines_and_strikes(html: str, most: int) -> tuple[list[Line], bool]:
    """Return the lines of a document without struck-out text, and True if its sender struck text out."""
    making = _Lines(follow_tags(html))
    for token in split_html(html):
        making.take_token(token)
        if len(making.lines) > most:
            return making.lines[: most + 1], making.strikes
    making.end_line()
    return making.lines, making.strikes


MOST_PARTS = 200
DEEPEST = 20
MOST_EDGES = 10_000
MOST_LINES = 20_000
MOST_QUOTED = 5_000
"""Lines of a quotation that are kept, where a text may be cut."""
LONGEST_BOUNDARY = 200
PARTS = IDS("parts")
CARRIAGE_RETURN = ord("\r")
WIDEST = {"base64": 2, "quoted-printable": 4}
"""Maximum number of bytes of a transfer encoding for one byte of text, line ends included."""
DESCRIBING = ("content-type", "content-transfer-encoding", "content-disposition")
REACTION = "text/vnd.google.email-reaction+json"
EMOJI = re.compile(r"""\"emoji\"\s*:\s*(\"(?:[^\"\\\x00-\x1f]|\\u[0-9a-fA-F]{4}){1,40}\")""")
"""The sign with which somebody reacts in Gmail."""
BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
NO_BASE64 = bytes(sorted(set(range(256)) - BASE64))

CHARSETS = frozenset(
    codecs.lookup(name).name
    for name in (
        *("ascii", "utf-8", "utf-16", "utf-16-be", "utf-16-le", "koi8-r", "koi8-u", "mac-roman"),
        *(f"iso8859-{n}" for n in range(1, 17) if n != 12),
        *(f"cp125{n}" for n in range(9)),
        *("cp437", "cp850", "cp852", "cp866", "tis-620", "big5", "cp950", "euc-kr", "cp949"),
        *("gb2312", "gbk", "gb18030", "shift_jis", "cp932", "euc-jp"),
        *("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr"),
    )
)
"""The charsets that a mail may declare. Some others that Python knows take time that grows with the square."""
WIDER = {
    "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "big5": "cp950", "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip
"""Charsets that mail programs really write under the name of another: one that has all its characters and more."""
LAST_RESORTS = ("utf-8", "cp1252", "latin-1")
NO_PROSE = frozenset({"calendar", "vcard", "x-vcard", "directory", "rtf", "css", "csv", "xml", "javascript"})
"""Kinds of text that nobody writes a mail in."""
PARAMETER, ENRICHED = re.compile(r"(?i)<param>[^<]*</param>"), re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,59}>")
LINE_ENDS = re.compile(r"\n(\n*)")


@define
class PartCounter:
    """Walks through the parts of one mail and counts them."""

    parts: int = field(default=0, init=False)

    def count_part(self, depth: int) -> None:
        """Count a part. Raises RefusedError."""
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            raise RefusedError(PARTS, f"There are more than {MOST_PARTS} parts, or they lie more than {DEEPEST} deep")


@define
class _Reader(PartCounter):
    """A reader of the parts of one mail, with a limit in bytes: it cuts longer text, or raises RefusedError."""

    cut: bool
    left: int = envelope.MOST_TEXT
    others: list[_Text] = field(factory=list, init=False)
    """Texts of other kinds, and attached ones: they are read only where nothing else can be."""
    leaves: list[tuple[Message, envelope.Part]] = field(factory=list, init=False)
    """All parts without parts of their own, and what their headers say of them."""

    def list_texts(self, part: envelope.Part, depth: int) -> list[_Text]:
        self.count_part(depth)
        about = describe_part(part.head)
        if about.get_content_maintype() == "multipart":
            within = [self.list_texts(inner, depth + 1) for inner in list_parts(about, part)]
            if about.get_content_subtype() == "alternative":
                return self._choose_form(within)
            return [text for texts in within for text in texts]
        self.leaves.append((about, part))
        if about.get_content_maintype() != "text":
            return []
        text = _Text(self, about, part)
        if about.get_content_type() in {"text/plain", "text/html", REACTION} and not _is_attached(about):
            return [text]
        self.others.append(text)
        return []

    @cites("mail.no-text")
    def list_last_texts(self) -> list[_Text]:
        """Return the texts of a mail that has none that is plain or HTML: of other kinds, or the only one that is attached."""
        texts = [text for text in self.others if text.about.get_content_subtype() not in NO_PROSE]
        inline = [text for text in texts if not _is_attached(text.about)]
        only = [text for text in texts if len(self.others) == 1 and not is_game_file(text.about, text.part.body)]
        return inline or only

    def _choose_form(self, alternatives: list[list[_Text]]) -> list[_Text]:
        """Choose a form of a text: one with struck-out text, as plain forms lose that, else the first plain one, else any."""
        plain = [texts for texts in alternatives if any(not text.html and not text.is_blank() for text in texts)]
        if not plain:
            return next((texts for texts in alternatives if any(not text.is_blank() for text in texts)), [])
        rich = [texts for texts in alternatives if any(text.html for text in texts)]
        struck = next((texts for texts in rich if any(text.has_strikes() for text in texts)), None)
        if struck is None and rich:
            plain[0][0].forms, *others = rich[0], *plain[0][1:]
            for text in others:
                text.forms = []
        return struck or plain[0]

    def read_text_part(self, header: Message, part: envelope.Part) -> str:
        data, is_whole = _decode_transfer(header, part, self.left)
        if not (is_whole or self.cut):
            raise RefusedError(envelope.TOO_LARGE, f"The text is longer than {envelope.MOST_TEXT >> 20} MB")
        self.left -= len(data)
        return _decode_text(data, _read_parameter(header, "charset"), is_whole=is_whole)


@define(eq=False)
class _Text:
    """Readable text, plain or HTML, read on demand; `forms` are the texts of the HTML form that replace it, or None."""

    reader: _Reader
    about: Message
    part: envelope.Part
    forms: list[_Text] | None = field(default=None, init=False)

    @property
    def html(self) -> bool:
        return self.about.get_content_subtype() == "html"

    def is_blank(self) -> bool:
        lines = [line.text for line in self.read[0]] if self.html else [self.source]
        return not any(map(str.strip, lines))

    def has_strikes(self) -> bool:
        """Return True if its sender struck something out in it, which a plain form may still have."""
        return self.html and may_strike(self.source) and self.read[1]

    def read_lines(self) -> Iterable[Line]:
        return self.read[0] if self.html else _split_plain(self.about, self.source)

    @cached_property
    def source(self) -> str:
        text, kind = self.reader.read_text_part(self.about, self.part), self.about.get_content_type()
        if kind == REACTION:
            sign = EMOJI.search(text)
            return str(json.loads(sign[1])) if sign else ""
        return strip_enriched(text) if kind in {"text/enriched", "text/richtext"} else text

    @cached_property
    def read(self) -> tuple[list[Line], bool]:
        return read_lines_and_strikes(self.source, MOST_LINES)


@frozen
class MailText:
    """The lines of a mail's text, and of its HTML form, which is read when it is asked for."""

    lines: tuple[Line, ...]
    others: tuple[_Text, ...] = ()
    is_struck: bool = False
    """True if its sender struck something out."""
    leaves: Sequence[tuple[Message, envelope.Part]] = ()

    def read_html_form(self) -> tuple[Line, ...]:
        """Return the lines of the HTML form of a text that is read in its plain form, or ()."""
        return tuple(chain.from_iterable(text.read_lines() for text in self.others))[:MOST_LINES]


def read_attached_lines(about: Message, part: envelope.Part) -> list[Line]:
    """Return the lines of one part as text, whatever it says that it is. Raises RefusedError if it is too long."""
    return _limit_lines(_Text(_Reader(cut=False), about, part).read_lines(), cut=False)


def read_text(part: envelope.Part, *, cut: bool = False) -> MailText:
    """Return a mail's text: of all plain parts joined, or of the HTML if nothing is plain.

    A text that is too long is `cut`, or raises RefusedError; of a long quotation only the beginning is kept, so that
    the text below it is read. Too many parts raise RefusedError.
    """
    reader = _Reader(cut)
    texts = found = reader.list_texts(part, 0)
    if all(text.is_blank() for text in texts):
        texts = reader.list_last_texts()
    has_plain = any(not text.html and not text.is_blank() for text in texts)
    read = [text for text in texts if not (has_plain and text.html) or text.has_strikes()]
    others = [each for text in texts for each in ([text] if text.forms is None else text.forms)]
    lines = _limit_lines(chain.from_iterable(text.read_lines() for text in read), cut=cut)
    is_struck = any(text.has_strikes() for text in (*found, *read))
    return MailText(tuple(lines), tuple(others) if others != read else (), is_struck, reader.leaves)


def _limit_lines(lines: Iterable[Line], *, cut: bool) -> list[Line]:
    kept, quoted = list[Line](), 0
    for line in lines:
        quoted = quoted + 1 if line.quoted else 0
        if cut and quoted > MOST_QUOTED:
            continue
        if len(kept) == MOST_LINES:
            if cut:
                break
            raise RefusedError(envelope.TOO_LARGE, f"The text has more than {MOST_LINES} lines")
        kept.append(line)
    return kept


def find_boundary(header: Message) -> bytes:
    return header.get_boundary("").encode("latin-1", "replace").rstrip()


def list_parts(header: Message, part: envelope.Part) -> Iterator[envelope.Part]:
    """Return the parts of a multipart. Raises RefusedError."""
    boundary = find_boundary(header)
    if 0 < len(boundary) <= LONGEST_BOUNDARY:
        for begin, end in split_parts(part.data, boundary, part.begin, part.end):
            yield envelope.read_mail_part(part.data, begin, end)


def split_parts(data: bytes, boundary: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Find the parts between the lines of a boundary. Raises RefusedError for more such lines than any mail has."""
    edge = b"\n--" + boundary
    starts = data.startswith(edge[1:], begin, end)
    at = begin - 1 if starts else data.find(edge, begin, end)
    opened, edges = -1, 0
    while starts or at >= 0:
        starts = False
        behind = at + len(edge)
        line_end = data.find(b"\n", behind, end)
        line_end = end if line_end < 0 else line_end
        rest = data[behind : min(line_end, behind + 80)].strip()
        if rest in {b"", b"--"}:
            if opened >= 0:
                last = max(opened, at)
                yield opened, last - (last > opened and data[last - 1] == CARRIAGE_RETURN)
            if rest:
                return
            opened = min(end, line_end + 1)
        edges += 1
        if edges > MOST_EDGES:
            raise RefusedError(PARTS, f"More than {MOST_EDGES} lines begin like one between parts")
        at = data.find(edge, line_end, end)
    if opened >= 0:
        yield opened, end


def is_game_file(header: Message, body: bytes) -> bool:
    """Return True if a part is a game file, a draw or a deal, by its name or its beginning."""
    begins = body[: envelope.LONGEST_HEADER].lstrip().lower()
    name = str(header.get_filename() or "").lower()
    return name.endswith((".tkid", ".draw", ".deal")) or begins.startswith(b"tkid-")


def strip_enriched(text: str) -> str:
    """Return a text in `text/enriched` (RFC 1896) without its marks."""
    text = PARAMETER.sub("", text.replace("<<", "\0").replace("<nl>", "\n\n"))
    text = ENRICHED.sub("", text).replace("\0", "<")
    return LINE_ENDS.sub(lambda ends: ends[1] or " ", text)


def describe_part(head: envelope.Head) -> Message:
    """Return the first values of the three fields that describe a part."""
    about = Message()
    for name in DESCRIBING:
        if value := head.get_first(name):
            about[name] = value
    return about


def _read_parameter(header: Message, name: str) -> str:
    value = header.get_param(name, "")
    return (value[2] if isinstance(value, tuple) else str(value or "")).strip().lower()


def _is_attached(header: Message) -> bool:
    return header.get_content_disposition() == "attachment" or bool(header.get_filename())


def _decode_transfer(header: Message, part: envelope.Part, most: int) -> tuple[bytes, bool]:
    encoding = str(header.get("content-transfer-encoding", "")).strip().lower()
    widest = WIDEST.get(encoding, 1)
    body = part.data[part.begin : min(part.end, part.begin + widest * most + 1)]
    if encoding == "base64":
        kept = body.translate(None, NO_BASE64).partition(b"=")[0]
        kept = kept[:-1] if len(kept) % 4 == 1 else kept
        body = a2b_base64(kept + b"=" * (-len(kept) % 4))
    elif encoding == "quoted-printable":
        body = quopri.decodestring(body)
    is_whole = len(body) <= most and part.end - part.begin <= widest * most
    return body[:most], is_whole


def _decode_text(data: bytes, charset: str, *, is_whole: bool) -> str:
    """Decode a text as declared or meant, else as UTF-8, cp1252, Latin-1. If it was cut, the last line is left out."""
    names = (WIDER.get(_find_charset(charset), charset), charset, *LAST_RESORTS)
    text = next(text for text in (_try_charset(data, name, is_whole=is_whole) for name in names) if text is not None)
    for line_end in ("\r\n", "\r", "\u2028", "\u2029", "\x85"):
        text = text.replace(line_end, "\n")
    if not is_whole:
        text = text[: text.rfind("\n") + 1]
    return text.removeprefix("\ufeff")


def _find_charset(charset: str) -> str:
    """Return the one name of a charset that may be declared, "" for another."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""
    return name if name in CHARSETS else ""


def _try_charset(data: bytes, charset: str, *, is_whole: bool) -> str | None:
    """Decode bytes, or return None; what charsets with escape sequences lack is replaced: nothing else reads it."""
    name = _find_charset(charset)
    errors = "replace" if name.startswith("iso2022") and data.isascii() else "strict"
    try:
        if is_whole or not name:
            return data.decode(name, errors) if name else None
        return codecs.getincrementaldecoder(name)(errors).decode(data)
    except ValueError:
        return None


def _split_plain(header: Message, text: str) -> Iterable[Line]:
    if _read_parameter(header, "format") == "flowed":
        return unflow_lines(text, delete_space=_read_parameter(header, "delsp") == "yes")
    return (Line(line, line.lstrip().startswith((">", "＞"))) for line in text.split("\n"))


def unflow_lines(text: str, *, delete_space: bool) -> Iterator[Line]:
    """Return the lines of a text in `format=flowed` (RFC 3676), those joined that the sender's program has split."""
    pieces: list[str] = []
    depth = 0
    for line in text.split("\n"):
        content = line.lstrip(">")
        quotes = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if pieces and (quotes != depth or signature):
            yield _join_flowed(pieces, depth)
            pieces = []
        depth = quotes
        flows = content.endswith(" ") and not signature
        pieces.append(content[:-1] if flows and delete_space else content)
        if not flows:
            yield _join_flowed(pieces, depth)
            pieces = []
    if pieces:
        yield _join_flowed(pieces, depth)


def _join_flowed(pieces: list[str], depth: int) -> Line:
    text = "".join(pieces)
    return Line(text, depth > 0 or text.startswith(">"))


PGP = "It is encrypted with PGP, and the host has no key to read it."
ENCRYPTED = "It is encrypted with S/MIME, and the host has no key to read it."
OPAQUE = "It is signed with S/MIME in a form that hides its text. Send it without a signature."
PACKED = "Outlook has packed its text into `winmail.dat`, which only Outlook can open. Send it as plain text or HTML."
EMPTY = "It is empty."
ALL_STRUCK = "All its text is struck out."
ARMOUR = ("-----BEGIN PGP MESSAGE", "-----BEGIN PKCS7", "-----BEGIN CMS")
"""Beginning of an encrypted text inside a mail."""
CALENDAR = "It has only a calendar entry."
MAIL = "It has only another mail attached, and the host reads no orders in attached mails."
GAME_FILE = "It has only a game file attached, and the host reads no orders in game files."
SEVERAL = "It has no text of its own, only texts attached."
SEEN = {"image": "a picture", "audio": "a sound", "video": "a video"}
LONGEST_KIND = 60


@cites("mail.no-text")
def find_reason(text: MailText) -> str:
    """Return why a mail has no text that can be read, as a sentence; "" where it has some."""
    own = (line.text.strip() for line in text.lines if not line.quoted)
    if armour := next((line for line in own if line.startswith(ARMOUR)), ""):
        return PGP if "PGP" in armour else ENCRYPTED
    if any(line.text.strip() for line in text.lines):
        return ""
    reasons = (reason for about, part in text.leaves if (reason := _explain_closed(about, part)))
    return next(reasons, "") or _describe_attached(text.leaves)


@cites("mail.struck", "mail.no-text")
def find_unread_reason(mail: Intake, own: Iterable[str]) -> str:
    """Return why a mail has no text that can be read, "" if it has some; `own` are its sender's own lines."""
    return ALL_STRUCK if mail.is_struck and not any(map(str.strip, own)) else mail.unread


def _explain_closed(header: Message, part: envelope.Part) -> str:
    """Return why the text in a part cannot be read, "" for a part that holds no text of the mail."""
    kind, name = header.get_content_type(), str(header.get_filename() or "").lower()
    if kind == "application/pgp-encrypted":
        return PGP
    if kind in {"application/pkcs7-mime", "application/x-pkcs7-mime"} or name.endswith(".p7m"):
        return OPAQUE if str(header.get_param("smime-type", "")).lower() == "signed-data" else ENCRYPTED
    if kind in {"application/ms-tnef", "application/vnd.ms-tnef"} or name == "winmail.dat":
        return PACKED
    return PGP if part.data.find(b"-----BEGIN PGP MESSAGE", part.begin, part.end) >= 0 else ""


def _describe_attached(parts: Sequence[tuple[Message, envelope.Part]]) -> str:
    kinds = [(about.get_content_type(), bool(about.get_filename())) for about, _ in parts]
    files = [kind for kind, is_named in kinds if is_named or kind not in {"text/plain", "text/html"}]
    if any(is_game_file(about, part.body) for about, part in parts):
        return GAME_FILE
    if "text/calendar" in files:
        return CALENDAR
    if "message/rfc822" in files:
        return MAIL
    if sum(kind.startswith("text/") for kind in files) > 1:
        return SEVERAL
    if not files:
        return EMPTY
    what = SEEN.get(files[0].partition("/")[0], f"an attachment (`{files[0][:LONGEST_KIND]}`)")
    return f"It has no text, only {what}, and the host opens no attachments."


def take_in(data: bytes) -> Intake | Refusal:
    """Read a mail. A refusal means that it is filed, and not carried out."""
    return envelope.read_or_refuse(_read_intake, data)


def take_in_partly(data: bytes) -> Intake | None:
    """Return the visible parts of a refused mail: its keys and its thread, but no sender. None for automatic mail."""
    seen = envelope.read_or_refuse(_read_partly, data)
    return None if isinstance(seen, Refusal) else seen


def _read_intake(data: bytes) -> Intake:
    mail = envelope.read_mail(data)
    envelope.refuse_automatic(mail.head)
    address = envelope.find_sender(mail.head)
    text = read_text(mail, cut=True)
    return evolve(_make_intake(data, mail.head, address, text), unread=find_reason(text))


def _read_partly(data: bytes) -> Intake:
    mail = envelope.read_whole(data)
    envelope.refuse_automatic(mail.head)
    try:
        text = read_text(mail, cut=True)
    except Exception:  # noqa: BLE001 - a hostile mail may break the parser in any way
        raw = mail.data[mail.begin : min(mail.end, mail.begin + envelope.MOST_TEXT)].decode("latin-1")
        lines = raw.replace("\r\n", "\n").replace("=\n", "").split("\n")[:MOST_LINES]
        text = MailText(tuple(map(Line, lines)))  # undecoded, so that keys can be found in it
    return _make_intake(data, mail.head, "", text)


def _make_intake(data: bytes, head: envelope.Head, address: str, text: MailText) -> Intake:
    answered = envelope.list_message_ids(head.get_first("in-reply-to"))[:1]
    thread = reversed(envelope.list_message_ids(*head.list_values("references")))
    lines = _drop_struck_lines(text.lines)
    return Intake(
        sender=address,
        lines=lines,
        message_id=next(iter(envelope.list_message_ids(head.get_first("message-id"))), ""),
        parents=tuple(dict.fromkeys((*answered, *thread))),
        digest=sha256(data).hexdigest(),
        keys=envelope.list_plus_parts(head),
        subject=envelope.read_subject(head),
        name=envelope.find_sender_name(head) if address else "",
        html=lambda: _drop_struck_lines(text.read_html_form()),
        suppresses=envelope.suppresses_answers(head),
        is_struck=text.is_struck or lines != text.lines,
    )


@cites("mail.struck")
def _drop_struck_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Remove text that the writer struck out with signs of plain text; quotations stay as they are."""
    return tuple(line if line.quoted else evolve(line, text=without_struck(line.text)) for line in lines)
