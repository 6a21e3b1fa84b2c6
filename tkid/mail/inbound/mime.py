"""The text of a mail: its parts, decoded, as lines. Linear in the size of the mail, whatever it holds.

The parts are split here and not by the standard library's parser, whose work grows with depth times size. Its `Message`
(compat32) only reads the three fields that describe a part, under the caps of the envelope.
"""

from __future__ import annotations

import codecs
import json
import quopri
import re
from binascii import a2b_base64
from collections.abc import Iterable, Iterator
from email.message import Message
from itertools import chain

from attrs import define, field, frozen

from tkid.mail.inbound.envelope import LONGEST_HEADER, MOST_TEXT, TOO_LARGE, Head, Part, read_part
from tkid.mail.inbound.html_text import lines_and_strikes
from tkid.mail.inbound.unseen import may_strike
from tkid.mail.model import IDS, Line, RefusedError
from tkid.rulebook import cites

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
"""How many bytes of a transfer encoding stand for one byte of text at most, line ends included."""
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
    "iso8859-1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""What mail programs really write under the name of a charset: one that has all its characters and more."""
LAST_RESORTS = ("utf-8", "cp1252", "latin-1")
NO_PROSE = frozenset({"calendar", "vcard", "x-vcard", "directory", "rtf", "css", "csv", "xml", "javascript"})
"""Kinds of text that nobody writes a mail in."""
PARAMETER, ENRICHED = re.compile(r"(?i)<param>[^<]*</param>"), re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,59}>")
LINE_ENDS = re.compile(r"\n(\n*)")


@define
class PartCounter:
    """Walks through the parts of one mail and counts them."""

    parts: int = field(default=0, init=False)

    def enter(self, depth: int) -> None:
        """Count a part. Raises RefusedError."""
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            raise RefusedError(PARTS, f"There are more than {MOST_PARTS} parts, or they lie more than {DEEPEST} deep")


@define
class _Reader(PartCounter):
    """Reads the parts of one mail, so many bytes of text at most: it cuts what is longer, or raises RefusedError."""

    cut: bool
    left: int = MOST_TEXT
    others: list[_Text] = field(factory=list, init=False)
    """Texts of other kinds, and attached ones: they are read only where nothing else can be."""

    def texts(self, part: Part, depth: int) -> list[_Text]:
        """The readable texts of a part, in order."""
        self.enter(depth)
        about = described(part.head)
        if about.get_content_maintype() == "multipart":
            within = [self.texts(inner, depth + 1) for inner in parts_within(about, part)]
            if about.get_content_subtype() == "alternative":
                return self._preferred(within)
            return [text for texts in within for text in texts]
        if about.get_content_maintype() != "text":
            return []
        text = _Text(self, about, part)
        if about.get_content_type() in {"text/plain", "text/html", REACTION} and not _is_attached(about):
            return [text]
        self.others.append(text)
        return []

    @cites("mail.no-text")
    def last_texts(self) -> list[_Text]:
        """Return the texts of a mail that has none that is plain or HTML: of other kinds, or the only one that is attached."""
        texts = [text for text in self.others if text.about.get_content_subtype() not in NO_PROSE]
        inline = [text for text in texts if not _is_attached(text.about)]
        only = [text for text in texts if len(self.others) == 1 and not is_game_file(text.about, text.part.body)]
        return inline or only

    def _preferred(self, alternatives: list[list[_Text]]) -> list[_Text]:
        """Of several forms of one text: the first that has something plain, else the first that has anything.

        One in which something is struck out goes before, as a plain form has lost that.
        """
        plain = [texts for texts in alternatives if any(not text.html and not text.blank() for text in texts)]
        if not plain:
            return next((texts for texts in alternatives if any(not text.blank() for text in texts)), [])
        rich = [texts for texts in alternatives if any(text.html for text in texts)]
        struck = next((texts for texts in rich if any(text.strikes() for text in texts)), None)
        if struck is None and rich:
            plain[0][0].forms, *others = rich[0], *plain[0][1:]
            for text in others:
                text.forms = []
        return struck or plain[0]

    def text(self, about: Message, part: Part) -> str:
        """The text of a part."""
        data, is_whole = _transferred(about, part, self.left)
        if not (is_whole or self.cut):
            raise RefusedError(TOO_LARGE, f"The text is longer than {MOST_TEXT >> 20} MB")
        self.left -= len(data)
        return _decoded(data, _parameter(about, "charset"), is_whole=is_whole)


@define(eq=False)
class _Text:
    """A piece of readable text, plain or HTML. It is read when it is asked for: often the plain form alone is.

    `forms` are the texts of the HTML form that stand in its place, None where it has no other form.
    """

    reader: _Reader
    about: Message
    part: Part
    forms: list[_Text] | None = field(default=None, init=False)
    source: str | None = field(default=None, init=False)
    read: tuple[list[Line], bool] | None = field(default=None, init=False)

    @property
    def html(self) -> bool:
        """Whether it is HTML."""
        return self.about.get_content_subtype() == "html"

    def blank(self) -> bool:
        """Whether there is nothing to read in it."""
        return not (any(line.text.strip() for line in self._html()[0]) if self.html else self._source().strip())

    def strikes(self) -> bool:
        """Whether its sender struck something out in it, which a plain form may still have."""
        return self.html and may_strike(self._source()) and self._html()[1]

    def lines(self) -> Iterable[Line]:
        """Its lines."""
        return self._html()[0] if self.html else _plain_lines(self.about, self._source())

    def _source(self) -> str:
        if self.source is None:
            text, kind = self.reader.text(self.about, self.part), self.about.get_content_type()
            if kind in {"text/enriched", "text/richtext"}:
                text = unmarked(text)
            elif kind == REACTION:
                sign = EMOJI.search(text)
                text = json.loads(sign[1]) if sign else ""
            self.source = text
        return self.source

    def _html(self) -> tuple[list[Line], bool]:
        if self.read is None:
            self.read = lines_and_strikes(self._source(), MOST_LINES)
        return self.read


@frozen
class MailText:
    """The lines of a mail's text, and of its HTML form, which is read when it is asked for."""

    lines: tuple[Line, ...]
    others: tuple[_Text, ...] = ()

    def html(self) -> tuple[Line, ...]:
        """The lines of the HTML form of a text that is read in its plain form; () where there is none."""
        return tuple(chain.from_iterable(text.lines() for text in self.others))[:MOST_LINES]


def text_lines(part: Part, *, cut: bool = False) -> tuple[Line, ...]:
    """The lines of a mail's text: of all plain parts joined, or of the HTML where nothing is plain.

    A text that is too long is `cut`, or raises RefusedError; of a long quotation only the beginning is kept, so that
    what stands below it is read. Too many parts raise RefusedError.
    """
    return read_text(part, cut=cut).lines


def read_text(part: Part, *, cut: bool = False) -> MailText:
    """The text of a mail, with the lines as in `text_lines`."""
    reader = _Reader(cut)
    texts = reader.texts(part, 0)
    if all(text.blank() for text in texts):
        texts = reader.last_texts()
    has_plain = any(not text.html and not text.blank() for text in texts)
    read = [text for text in texts if not (has_plain and text.html) or text.strikes()]
    others = [each for text in texts for each in ([text] if text.forms is None else text.forms)]
    lines, quoted = list[Line](), 0
    for line in chain.from_iterable(text.lines() for text in read):
        quoted = quoted + 1 if line.quoted else 0
        if cut and quoted > MOST_QUOTED:
            continue
        if len(lines) == MOST_LINES:
            if cut:
                break
            raise RefusedError(TOO_LARGE, f"The text has more than {MOST_LINES} lines")
        lines.append(line)
    return MailText(tuple(lines), tuple(others) if others != read else ())


def boundary_of(about: Message) -> bytes:
    """What the lines between the parts of a multipart hold."""
    return about.get_boundary("").encode("latin-1", "replace").rstrip()


def parts_within(about: Message, part: Part) -> Iterator[Part]:
    """The parts of a multipart. Raises RefusedError."""
    boundary = boundary_of(about)
    if 0 < len(boundary) <= LONGEST_BOUNDARY:
        for begin, end in split(part.data, boundary, part.begin, part.end):
            yield read_part(part.data, begin, end)


def split(data: bytes, boundary: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Where the parts between the lines of a boundary are, without what stands before and after them.

    Raises RefusedError for more lines that begin like the boundary than any mail has.
    """
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


def is_game_file(about: Message, body: bytes) -> bool:
    """Return True if a part is a game file, a draw or a deal, by its name or its beginning."""
    name = str(about.get_filename() or "").lower()
    return name.endswith((".tkid", ".draw", ".deal")) or body[:LONGEST_HEADER].lstrip().lower().startswith(b"tkid-")


def unmarked(text: str) -> str:
    """Return a text in `text/enriched` (RFC 1896) without its marks."""
    text = PARAMETER.sub("", text.replace("<<", "\0").replace("<nl>", "\n\n"))
    text = ENRICHED.sub("", text).replace("\0", "<")
    return LINE_ENDS.sub(lambda ends: ends[1] or " ", text)


def raw_lines(part: Part) -> tuple[Line, ...]:
    """The lines of a part as they were sent, for a mail whose parts cannot be read: keys in it can be seen all the same."""
    text = part.data[part.begin : min(part.end, part.begin + MOST_TEXT)].decode("latin-1")
    return tuple(map(Line, text.replace("\r\n", "\n").replace("=\n", "").split("\n")[:MOST_LINES]))


# -- one part -----------------------------------------------------------------------------------------------


def described(head: Head) -> Message:
    """What the three fields that describe a part say, the first of each."""
    about = Message()
    for name in DESCRIBING:
        if value := head.first(name):
            about[name] = value
    return about


def _parameter(about: Message, name: str) -> str:
    value = about.get_param(name, "")
    return (value[2] if isinstance(value, tuple) else str(value or "")).strip().lower()


def _is_attached(about: Message) -> bool:
    return about.get_content_disposition() == "attachment" or bool(about.get_filename())


def _transferred(about: Message, part: Part, most: int) -> tuple[bytes, bool]:
    """So many bytes of a part without their transfer encoding, and whether that is all of it."""
    encoding = str(about.get("content-transfer-encoding", "")).strip().lower()
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


def _decoded(data: bytes, charset: str, *, is_whole: bool) -> str:
    """The text of bytes: as declared or meant, else as UTF-8, cp1252, Latin-1; with one kind of line end.

    Of bytes that were cut, the last line is left out.
    """
    names = (WIDER.get(_known(charset), charset), charset, *LAST_RESORTS)
    text = next(text for text in (_try(data, name, is_whole=is_whole) for name in names) if text is not None)
    for line_end in ("\r\n", "\r", "\u2028", "\u2029", "\x85"):
        text = text.replace(line_end, "\n")
    if not is_whole:
        text = text[: text.rfind("\n") + 1]
    return text.removeprefix("\ufeff")


def _known(charset: str) -> str:
    """The one name of a charset that may be declared, "" for another."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""
    return name if name in CHARSETS else ""


def _try(data: bytes, charset: str, *, is_whole: bool) -> str | None:
    """The text of bytes in a charset, None where they are not.

    What one with escape sequences lacks is replaced, as nothing else can read them.
    """
    name = _known(charset)
    errors = "replace" if name.startswith("iso2022") and data.isascii() else "strict"
    try:
        if is_whole or not name:
            return data.decode(name, errors) if name else None
        return codecs.getincrementaldecoder(name)(errors).decode(data)
    except ValueError:
        return None


def _plain_lines(about: Message, text: str) -> Iterable[Line]:
    if _parameter(about, "format") == "flowed":
        return unflowed(text, delete_space=_parameter(about, "delsp") == "yes")
    return (Line(line, line.lstrip().startswith((">", "＞"))) for line in text.split("\n"))


def unflowed(text: str, *, delete_space: bool) -> Iterator[Line]:
    """The lines of a text in `format=flowed` (RFC 3676), those joined that the sender's program has split."""
    pieces: list[str] = []
    depth = 0
    for line in text.split("\n"):
        content = line.lstrip(">")
        quotes = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if pieces and (quotes != depth or signature):
            yield _joined(pieces, depth)
            pieces = []
        depth = quotes
        flows = content.endswith(" ") and not signature
        pieces.append(content[:-1] if flows and delete_space else content)
        if not flows:
            yield _joined(pieces, depth)
            pieces = []
    if pieces:
        yield _joined(pieces, depth)


def _joined(pieces: list[str], depth: int) -> Line:
    text = "".join(pieces)
    return Line(text, depth > 0 or text.startswith(">"))
