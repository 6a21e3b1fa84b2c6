"""From texts to the bytes of a mail: charsets, transfer encodings, parts, headers; written out by hand.

No library puts these mails together, since each program has its own ways.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from attrs import frozen

WIDTH = 76
NEC = ("〓", b'".', b"-!")
"""A sign that stands in for `①`, which Python's ISO-2022-JP lacks, and both as Japanese programs write them."""


@frozen
class Part:
    """A part of a mail: its header lines, and its body as bytes with the line ends of the wire."""

    headers: tuple[str, ...]
    body: bytes

    def written(self) -> bytes:
        """The part as it stands between two boundaries."""
        return "\r\n".join((*self.headers, "", "")).encode("ascii") + self.body


def text_part(text: str, kind: str, charset: str, encoding: str, *extra: str) -> Part:
    """A part of text. `kind` is the content type with all parameters but the charset: `text/plain; format=flowed`.

    A charset `DECLARED=REAL` is one that does not say how the text is really encoded; `-` declares none.
    """
    declared, _, real = charset.partition("=")
    data = text.replace("\n", "\r\n").replace("①", NEC[0]).encode(real or declared.strip("-") or "utf-8")
    data = data.replace(*NEC[1:]) if "①" in text else data
    main, _, parameters = kind.partition(";")
    stated = "; ".join(filter(None, (main, f"charset={declared}" if declared != "-" else "", parameters.strip())))
    if len(stated) > 60:
        stated = stated.replace("; ", ";\r\n\t")
    transfer = {"qp": "quoted-printable"}.get(encoding, encoding)
    headers = [f"Content-Type: {stated}", *([] if encoding == "-" else [f"Content-Transfer-Encoding: {transfer}"])]
    return Part((*headers, *extra), encoded(data, encoding))


def encoded(data: bytes, encoding: str) -> bytes:
    """Bytes under a transfer encoding."""
    if encoding == "base64":
        coded = b64encode(data)
        return b"".join(coded[at : at + WIDTH] + b"\r\n" for at in range(0, len(coded), WIDTH))
    if encoding == "qp":
        return b"\r\n".join(map(quoted, data.split(b"\r\n"))) + b"\r\n"
    assert encoding != "7bit" or data.isascii()
    return data + b"\r\n"


def quoted(line: bytes) -> bytes:
    """A line as quoted-printable, with soft breaks."""
    signs = [bytes([b]) if 32 <= b <= 126 and b != 61 else b"=%02X" % b for b in line]
    if signs and signs[-1] == b" ":
        signs[-1] = b"=20"
    lines, length = [b""], 0
    for sign in signs:
        if length + len(sign) > WIDTH - 1:
            lines.append(b"")
            length = 0
        lines[-1] += sign
        length += len(sign)
    return b"=\r\n".join(lines)


def multipart(kind: str, boundary: str, parts: Sequence[Part], *parameters: str) -> Part:
    """Parts put together."""
    stated = "; ".join((f"multipart/{kind}", f'boundary="{boundary}"', *parameters))
    edge = b"--" + boundary.encode("ascii")
    body = b"".join(edge + b"\r\n" + part.written() + b"\r\n" for part in parts) + edge + b"--\r\n"
    return Part((f"Content-Type: {stated}",), body)


def header_word(text: str, charset: str = "utf-8", form: str = "B") -> str:
    """A text for a header, as encoded words where it is not ASCII."""
    if text.isascii():
        return text
    words, piece = [], ""
    for character in text:
        if len((piece + character).encode(charset)) > 30:
            words.append(piece)
            piece = ""
        piece += character
    return "\r\n ".join(f"=?{charset}?{form}?{_coded(word.encode(charset), form)}?=" for word in (*words, piece))


def _coded(data: bytes, form: str) -> str:
    if form == "B":
        return b64encode(data).decode("ascii")
    return "".join(chr(b) if chr(b).isascii() and chr(b).isalnum() else "_" if b == 32 else f"={b:02X}" for b in data)
