"""The header of a mail: split under caps before any parser sees it; the sender; whether a program wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from typing import TypeVar

from attrs import frozen

from tkid.mail.model import IDS, Refusal, RefusedError

Read = TypeVar("Read")

MOST_BYTES = 1 << 20
MOST_HEADER_BYTES = 64 << 10
MOST_HEADERS = 200
LONGEST_HEADER = 2 << 10
LONGEST_ID = 250
LONGEST_SUBJECT = 200
MOST_IDS = 20
READ = frozenset(
    {
        *("from", "content-type", "content-transfer-encoding", "message-id", "in-reply-to"),
        *("return-path", "auto-submitted", "x-failed-recipients", "precedence", "x-loop"),
    }
)
"""The headers that are read, apart from References: none may be longer than the cap. Longer others are dropped."""

TOO_LARGE, UNREADABLE, FROM, AUTOMATIC = IDS("too-large"), IDS("unreadable"), IDS("from"), IDS("automatic")

RECIPIENTS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
PLUS_PART = re.compile(r"\+([A-Za-z0-9]{1,40})@")
LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
LABEL = re.compile(r"[A-Za-z0-9-]{1,63}")
MESSAGE_ID = re.compile(rf"<[!-;=?-~]{{3,{LONGEST_ID}}}>")


@frozen
class Head:
    """The header of a mail or of a part: the fields by lower-case name, in order, unfolded, as Latin-1 text."""

    fields: Mapping[str, tuple[str, ...]]

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field."""
        return self.fields.get(name, ())

    def first(self, name: str) -> str:
        """The first value of a field, "" where there is none."""
        return self.all(name)[0] if self.all(name) else ""


def refused_or(read: Callable[[bytes], Read], mail: bytes) -> Read | Refusal:
    """What is read in a mail, or why it is refused. Never an exception, whatever a parser does to a hostile mail."""
    try:
        return read(mail)
    except RefusedError as refused:
        return refused.refusal
    except Exception as error:  # noqa: BLE001 - a defect of ours or of a parser
        return Refusal(UNREADABLE, f"The mail cannot be read ({type(error).__name__})")


def read_mail(data: bytes) -> tuple[Head, bytes]:
    """The header of a mail and its body. Raises RefusedError."""
    if len(data) > MOST_BYTES:
        raise RefusedError(TOO_LARGE, f"The mail is larger than {MOST_BYTES >> 20} MB")
    return read_head(data, strict=True)


def read_head(data: bytes, *, strict: bool) -> tuple[Head, bytes]:
    """The header and what follows it. In a part (not strict) a line that is no header ends the header.

    Raises RefusedError.
    """
    fields: dict[str, list[list[bytes]]] = {}
    count, begin, last = 0, 0, ""
    while begin < len(data):
        end = data.find(b"\n", begin, begin + MOST_HEADER_BYTES)
        end = len(data) if end < 0 else end
        line = data[begin:end].removesuffix(b"\r")
        following = end + 1
        if following > MOST_HEADER_BYTES:
            raise RefusedError(TOO_LARGE, f"The header is longer than {MOST_HEADER_BYTES >> 10} kB")
        if not line:
            begin = following
            break
        if b"\r" in line or b"\0" in line:
            raise RefusedError(UNREADABLE, "A control character stands in the header")
        name, colon, value = line.partition(b":")
        if line[:1] in b" \t" and last:
            fields[last][-1].append(line.strip())
        elif colon and _is_name(name := name.rstrip(b" \t")):
            last = name.decode("ascii").lower()
            fields.setdefault(last, []).append([value.strip()])
            count += 1
        elif begin == 0 and line.startswith(b"From "):
            pass  # the envelope line of an mbox
        elif strict:
            raise RefusedError(UNREADABLE, f"`{_printable(line[:40])}` is no header line")
        else:
            break
        begin = following
    if count > MOST_HEADERS:
        raise RefusedError(TOO_LARGE, f"There are {count} headers; {MOST_HEADERS} are the most")
    return Head({name: _capped(name, values) for name, values in fields.items()}), data[begin:]


def _is_name(name: bytes) -> bool:
    return bool(name) and all(33 <= byte <= 126 for byte in name)


def _capped(name: str, folded: list[list[bytes]]) -> tuple[str, ...]:
    values = list(map(b" ".join, folded))
    short = tuple(value.decode("latin-1") for value in values if len(value) <= LONGEST_HEADER)
    if len(short) < len(values) and name in READ:
        raise RefusedError(TOO_LARGE, f"The header `{name}` is longer than {LONGEST_HEADER >> 10} kB")
    return short


def _printable(data: bytes) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in data.decode("latin-1"))


# -- the sender ---------------------------------------------------------------------------------------------


def sender(head: Head) -> str:
    """The one address of the one From line, in lower case. Raises RefusedError."""
    stated = head.all("from")
    if len(stated) != 1:
        raise RefusedError(FROM, f"There are {len(stated)} From lines; there has to be one")
    address = only_address(stated[0])
    if address is None:
        raise RefusedError(FROM, "The From line is not one plain address")
    return address.lower()


def only_address(value: str) -> str | None:
    """The address of `ADDRESS`, `NAME <ADDRESS>` or `ADDRESS (NAME)`; None for anything else.

    Encoded words in the name are never decoded, so that nothing in them can pass for an address.
    """
    value = value.strip()
    if not (value.isascii() and value.replace("\t", " ").isprintable()):
        return None
    name, address = "", value
    if value.endswith(">"):
        name, _, address = value[:-1].rpartition("<")
    elif value.endswith(")"):
        address, _, name = value[:-1].partition("(")
    address = address.strip(" \t")
    return address if _is_display_name(name.strip(" \t")) and is_address(address) else None


def plus_parts(head: Head) -> tuple[str, ...]:
    """What stands behind a plus in the local part of the addresses that a mail went to, lower case, each once."""
    values = " ".join(value for name in RECIPIENTS for value in head.all(name))
    return tuple(dict.fromkeys(part.lower() for part in PLUS_PART.findall(values)[:MOST_IDS]))


def _is_display_name(name: str) -> bool:
    if len(name) > 1 and name[0] == name[-1] == '"':
        inside = name[1:-1].replace("\\\\", "").replace('\\"', "")
        return not inside.endswith("\\") and '"' not in inside
    return not set(name) & set('<>@,;:"\\')


def is_address(text: str) -> bool:
    """Whether a text is one plain ASCII address, without an encoded word, which libraries would decode."""
    local, sign, domain = text.rpartition("@")
    return bool(sign and len(text) <= 254 and "=?" not in text and LOCAL.fullmatch(local)) and all(
        LABEL.fullmatch(label) for label in domain.split(".")
    )


# -- the subject ------------------------------------------------------------------------------------------


def subject(head: Head) -> str:
    """The subject on one line of printable characters, cut where it is long; "" where there is none or it cannot be read."""
    raw = head.first("subject").encode("latin-1").decode("utf-8", "replace")
    try:
        text = str(make_header(decode_header(raw))) if "=?" in raw else raw
    except (HeaderParseError, LookupError, ValueError):
        text = raw
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:LONGEST_SUBJECT]


# -- automatic mail -----------------------------------------------------------------------------------------


def refuse_automatic(head: Head) -> None:
    """Refuse what a program wrote. Raises RefusedError."""
    for name, reason, is_sign in (
        ("return-path", "it has an empty Return-Path", lambda value: value == "<>"),
        ("from", "it comes from a mail system", _is_mail_system),
        ("auto-submitted", "it says that it was sent automatically", lambda value: _word(value) != "no"),
        ("content-type", "it is a delivery report", lambda value: _word(value) == "multipart/report"),
        ("x-failed-recipients", "it reports a failed delivery", bool),
        ("precedence", "it was sent in bulk or by a list", lambda value: _word(value) in {"bulk", "junk", "list"}),
        ("x-loop", "it is a mail of our own that came back", lambda value: _word(value) == "tkid"),
    ):
        if any(is_sign(value.lower()) for value in head.all(name)):
            raise RefusedError(AUTOMATIC, f"This is automatic mail: {reason}")


def _word(value: str) -> str:
    return value.partition(";")[0].partition("(")[0].strip()


def _is_mail_system(value: str) -> bool:
    address = only_address(value) or value
    return address.partition("@")[0].strip(' <>"') in {"mailer-daemon", "postmaster"}


# -- the thread ---------------------------------------------------------------------------------------------


def message_ids(*values: str) -> tuple[str, ...]:
    """The well-formed Message-IDs in header values, also those of Exchange (`<[x@y]>`), each once, the last 20."""
    ids = [each for value in values for each in MESSAGE_ID.findall(value) if _is_plain_id(each)]
    return tuple(dict.fromkeys(reversed(ids)))[:MOST_IDS][::-1]


def _is_plain_id(each: str) -> bool:
    """Whether an id has something on both sides of an `@`, and no encoded word, which would be decoded in ours."""
    return 1 < each.find("@") < len(each) - 2 and "=?" not in each
