"""The text of a mail: its parts, decoded, as lines. Linear in the size of the mail, whatever it holds.

The parts are split here and not by the standard library's parser, whose work grows with depth times size. Its `Message`
(compat32) only reads the three fields that describe a part, under the caps of the envelope.
"""

from __future__ import annotations

import codecs
import quopri
import re
from binascii import a2b_base64
from collections.abc import Iterator
from email.message import Message

from attrs import define, field

from tkid.mail.inbound.envelope import TOO_LARGE, Head, read_head
from tkid.mail.inbound.html_text import html_lines
from tkid.mail.model import IDS, Line, RefusedError

MOST_PARTS = 200
DEEPEST = 20
MOST_LINES = 20_000
LONGEST_BOUNDARY = 200
PARTS = IDS("parts")
DESCRIBING = ("content-type", "content-transfer-encoding", "content-disposition")
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


@define
class _Text:
    """A piece of readable text, plain or HTML."""

    html: bool
    lines: list[Line]

    def blank(self) -> bool:
        return not any(line.text.strip() for line in self.lines)


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
    """Reads the parts of one mail."""

    def texts(self, head: Head, body: bytes, depth: int) -> list[_Text]:
        """The readable texts of a part, in order."""
        self.enter(depth)
        about = described(head)
        if about.get_content_maintype() == "multipart":
            within = [self.texts(*part, depth + 1) for part in parts_within(about, body)]
            if about.get_content_subtype() == "alternative":
                return _preferred(within)
            return [text for texts in within for text in texts]
        if about.get_content_type() not in {"text/plain", "text/html"} or _is_attached(about):
            return []
        html = about.get_content_subtype() == "html"
        text = _decoded(_transferred(about, body), _parameter(about, "charset"))
        if text.count("\n") > MOST_LINES:
            raise RefusedError(TOO_LARGE, f"The text has more than {MOST_LINES} lines")
        return [_Text(html, html_lines(text, MOST_LINES) if html else _plain_lines(about, text))]


def text_lines(head: Head, body: bytes) -> tuple[Line, ...]:
    """The lines of a mail's text: of all plain parts joined, or of the HTML where nothing is plain.

    Raises RefusedError.
    """
    texts = _Reader().texts(head, body, 0)
    plain = [text for text in texts if not text.html and not text.blank()]
    lines = [line for text in plain or [text for text in texts if text.html] for line in text.lines]
    if len(lines) > MOST_LINES:
        raise RefusedError(TOO_LARGE, f"The text has more than {MOST_LINES} lines")
    return tuple(lines)


def _preferred(alternatives: list[list[_Text]]) -> list[_Text]:
    """Of several forms of one text: the first that has something plain, else the first that has anything."""
    plain = (texts for texts in alternatives if any(not text.html and not text.blank() for text in texts))
    some = (texts for texts in alternatives if any(not text.blank() for text in texts))
    return next(plain, None) or next(some, [])


def boundary_of(about: Message) -> bytes:
    """What the lines between the parts of a multipart hold."""
    return about.get_boundary("").encode("latin-1", "replace").rstrip()


def parts_within(about: Message, body: bytes) -> Iterator[tuple[Head, bytes]]:
    """The header and body of each part of a multipart. Raises RefusedError."""
    boundary = boundary_of(about)
    if 0 < len(boundary) <= LONGEST_BOUNDARY:
        for part in split(body, boundary):
            yield read_head(part, strict=False)


def split(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """The parts between the lines of a boundary, without what stands before and after them."""
    begin = -1
    for edge in re.finditer(rb"(?:\A|(?<=\n))--" + re.escape(boundary) + rb"([^\n]*)(?:\n|\Z)", body):
        rest = edge[1][:80].strip()
        if rest in {b"", b"--"}:
            if begin >= 0:
                yield body[begin : max(begin, edge.start() - 1)].removesuffix(b"\r")
            if rest:
                return
            begin = edge.end()
    if begin >= 0:
        yield body[begin:]


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


def _transferred(about: Message, body: bytes) -> bytes:
    """The bytes of a part without their transfer encoding."""
    encoding = str(about.get("content-transfer-encoding", "")).strip().lower()
    if encoding == "base64":
        kept = body.translate(None, NO_BASE64).partition(b"=")[0]
        kept = kept[:-1] if len(kept) % 4 == 1 else kept
        return a2b_base64(kept + b"=" * (-len(kept) % 4))
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


def _decoded(data: bytes, charset: str) -> str:
    """The text of bytes: as declared or meant, else as UTF-8, cp1252, Latin-1; with one kind of line end."""
    tried = (_try(data, name) for name in (WIDER.get(_known(charset), charset), charset, *LAST_RESORTS))
    text = next(text for text in tried if text is not None)
    for line_end in ("\r\n", "\r", "\u2028", "\u2029", "\x85"):
        text = text.replace(line_end, "\n")
    return text.removeprefix("\ufeff")


def _known(charset: str) -> str:
    """The one name of a charset that may be declared, "" for another."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""
    return name if name in CHARSETS else ""


def _try(data: bytes, charset: str) -> str | None:
    """The text of bytes in a charset, None where they are not.

    What one with escape sequences lacks is replaced, as nothing else can read them.
    """
    name = _known(charset)
    errors = "replace" if name.startswith("iso2022") and data.isascii() else "strict"
    try:
        return data.decode(name, errors) if name else None
    except ValueError:
        return None


def _plain_lines(about: Message, text: str) -> list[Line]:
    if _parameter(about, "format") == "flowed":
        return list(unflowed(text, delete_space=_parameter(about, "delsp") == "yes"))
    return [Line(line, line.lstrip().startswith((">", "＞"))) for line in text.split("\n")]


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
