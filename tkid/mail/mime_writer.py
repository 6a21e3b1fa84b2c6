"""Write the parts of a mail, and name its files.

The standard library's `EmailMessage` would write other bytes, and takes longer than all the rest of a letter.
"""

from __future__ import annotations

import re
from base64 import b64encode, decodebytes, encodebytes
from binascii import a2b_qp, b2a_qp
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

from tkid.mail.marker import shorten_title
from tkid.record.format.model import Record

LONGEST_LINE = 900
"""Characters of a line that go out as they are; what is longer is encoded."""
COLUMNS = 76
LONGEST_WORD = 60
WORD_BYTES = 45
"""Bytes in an encoded word: 60 digits of base64, within the 75 characters of RFC 2047."""

CONTROLS = frozenset({*range(0x20), *range(0x7F, 0xA0)})
NO_CHARACTERS = frozenset({*range(0xD800, 0xE000), *range(0xFDD0, 0xFDF0)}) | {
    plane | last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
}
UNREADABLE = dict.fromkeys((CONTROLS - {0x09, 0x0A}) | NO_CHARACTERS, "?")
UNFOLDED = re.compile(r"\r\n(?![ \t])")
BOUNDARY = re.compile(r'; boundary="([^"]+)"')
DECODED: Mapping[str, Callable[[bytes], bytes]] = {"quoted-printable": a2b_qp, "base64": decodebytes}
"""The decoder of each transfer encoding that is written here; others change nothing."""


def clean_text(text: str) -> str:
    """Return a text without control characters and surrogates, which no mail program shows; ends of lines and tabs stay."""
    return text if _is_plain(text) else text.translate(UNREADABLE)


def join_lines(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


@frozen
class Part:
    """A part of a mail: header lines, and the body with the line ends of the wire."""

    headers: tuple[str, ...]
    body: bytes

    def write_part(self) -> bytes:
        return "\r\n".join((*self.headers, "", "")).encode("ascii") + self.body


def make_text_part(text: str, kind: str = "text/plain", *extra: str) -> Part:
    coding, body = _encode_text(text)
    return Part((f'Content-Type: {kind}; charset="utf-8"', f"Content-Transfer-Encoding: {coding}", *extra), body)


def make_file_part(data: bytes, kind: str, *extra: str) -> Part:
    body = encodebytes(data).replace(b"\n", b"\r\n")
    return Part((f"Content-Type: {kind}", "Content-Transfer-Encoding: base64", *extra), body)


def _encode_text(text: str) -> tuple[str, bytes]:
    """Encode a text; return the name of the transfer encoding and the result."""
    data = text.replace("\n", "\r\n").encode("utf-8", "replace")
    if text.isascii() and len(max(text.split("\n"), key=len)) <= LONGEST_LINE and _is_plain(text):
        return "7bit", data
    quoted = b2a_qp(data).replace(b"\r\n", b"\n").replace(b"\r", b"=0D").replace(b"\n", b"\r\n")
    if len(quoted) <= len(data) * 4 // 3:
        return "quoted-printable", quoted
    return "base64", encodebytes(data).replace(b"\n", b"\r\n")


def _is_plain(text: str) -> bool:
    return text.replace("\n", "").replace("\t", "").isprintable()


def make_multipart(kind: str, boundary: str, parts: Sequence[Part]) -> Part:
    edge = f"--{boundary}\r\n".encode("ascii")
    body = b"".join(edge + part.write_part() + b"\r\n" for part in parts) + f"--{boundary}--\r\n".encode("ascii")
    return Part((f'Content-Type: multipart/{kind}; boundary="{boundary}"',), body)


def write_header(name: str, text: str) -> str:
    """Write a header of a text of printable characters: folded, and in encoded words if it is not plain ASCII."""
    return "\r\n ".join(_fill_lines(f"{name}:", _split_encoded(text)))


def write_address_header(name: str, *people: tuple[str, str]) -> str:
    """Write a header of names and addresses, separated by commas; the name may be ""."""
    words = [word for shown, address in people for word in (*_write_name(shown), f"<{address}>,")]
    return "\r\n ".join(_fill_lines(f"{name}:", [*words[:-1], words[-1].removesuffix(",")]))


def _write_name(shown: str) -> list[str]:
    """Clean a name for use beside an address: letters, digits, blanks, `-` and `'`, which need no quotes."""
    bare = " ".join("".join(c if c.isalnum() or c in "-'" else " " for c in shown).split())
    return _split_encoded(bare) if bare else []


def write_ids_header(name: str, ids: Sequence[str]) -> str:
    """Write a header of Message-IDs, each on a line of its own, as none may be broken."""
    return f"{name}: " + "\r\n ".join(ids)


def _split_encoded(text: str) -> list[str]:
    words = text.split(" ")
    plain = text.isascii() and "=?" not in text and all(words)
    if plain and len(max(words, key=len)) <= LONGEST_WORD:
        return words
    return [f"=?utf-8?b?{b64encode(piece.encode()).decode('ascii')}?=" for piece in _split_bytes(text)]


def _split_bytes(text: str) -> list[str]:
    pieces, room = [""], WORD_BYTES
    for character in text:
        size = len(character.encode())
        if size > room:
            pieces.append("")
            room = WORD_BYTES
        pieces[-1] += character
        room -= size
    return pieces


def _fill_lines(first: str, words: Sequence[str]) -> list[str]:
    """Fill lines with words; a word that is too long for one has its own."""
    lines = [first]
    for index, word in enumerate(words):
        if index and len(lines[-1]) + 1 + len(word) > COLUMNS:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return lines


def read_written_part(data: bytes) -> Part:
    """Read a part, or a whole mail, that was written here."""
    head, _, body = data.partition(b"\r\n\r\n")
    return Part(tuple(UNFOLDED.split(head.decode("ascii", "replace"))), body)


def split_multipart(mail: Part) -> list[Part]:
    """Return the parts that `make_multipart` put together. Raises ValueError for anything else."""
    boundary = BOUNDARY.search(mail.headers[-1])
    if boundary is None:
        raise ValueError(f"no parts in {mail.headers[-1]}")
    edge = f"--{boundary[1]}\r\n".encode("ascii")
    pieces = mail.body.removesuffix(f"--{boundary[1]}--\r\n".encode("ascii")).split(edge)
    return [read_written_part(piece.removesuffix(b"\r\n")) for piece in pieces[1:]]


def read_text_part(part: Part) -> str:
    coding = next(line.partition(": ")[2] for line in part.headers if line.startswith("Content-Transfer-Encoding: "))
    return DECODED.get(coding, bytes)(part.body).decode().replace("\r\n", "\n")


def find_text(part: Part, kind: str) -> str:
    """Return the first text of a kind in a mail that was written here, but for attachments; "" if it has none."""
    content = next((line for line in part.headers if line.startswith("Content-Type: ")), "")
    if content.startswith("Content-Type: multipart/"):
        return next(filter(None, (find_text(each, kind) for each in split_multipart(part))), "")
    is_text = content.startswith(f"Content-Type: {kind};") and not any("attachment" in line for line in part.headers)
    return read_text_part(part) if is_text else ""


LONGEST = 40
DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
"""The names of devices on Windows, which no file may have there, with any ending."""


def make_file_stem(record: Record) -> str:
    stem = "-".join(re.findall(r"[A-Za-z0-9]+", shorten_title(record.title, LONGEST)))[:LONGEST] or "game"
    return f"game-{stem}" if DEVICES.fullmatch(stem) else stem
