"""The header of a mail: its sender, whether a server vouches for it, reports of returned letters.

Anybody can write `Authentication-Results` into a mail. Only the topmost one counts, which the host's own mail server has
added, and only if it bears that server's name. That server has to remove those that come in under its name.

A report counts if it came to the address for the bounces of one letter, or if it names a letter by its Message-ID and holds
that letter's key. Only those who got or carried the letter know either, so nobody else can make a player look unreachable.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from email.errors import MessageError
from email.header import decode_header, make_header
from hmac import compare_digest
from importlib.resources import files
from itertools import islice
from typing import Literal, TypeVar, get_args
from unicodedata import normalize

from attrs import frozen

from tkid.mail.marker import LENGTH as KEY_LENGTH
from tkid.mail.marker import draw_word, find_keys
from tkid.mail.model import IDS, Line, Refusal, RefusedError
from tkid.rulebook import cites

Read = TypeVar("Read")
PROGRAMS: Mapping[str, str] = tomllib.loads(files(__package__).joinpath("mail_programs.toml").read_text("utf-8"))
"""The words of mail programs and servers."""


def compile_words(name: str) -> re.Pattern[str]:
    return re.compile(PROGRAMS[name].replace("\n", ""), re.IGNORECASE)


MOST_BYTES = 25 << 20
"""Bytes of a mail: the large mail services carry no more."""
MOST_TEXT = 1 << 20
"""Bytes of a mail's text that are read."""
MOST_HEADER_BYTES = 512 << 10
"""Bytes of a header that are read. Those of ordinary mails have 5 kB, of much forwarded ones 100."""
LONGEST_HEADER = 2 << 10
LONGEST_LIST = 64 << 10
LONGEST_ID = 250
LONGEST_SUBJECT = 200
MOST_IDS = 20
MOST_REPEATED = 50
"""Headers of one name that are read."""
RECIPIENTS = tuple(PROGRAMS["recipients"].split())
NAME = "authentication-results"
LISTS = frozenset({*RECIPIENTS, "references"})
"""The headers that may be long, as they list something: their end is read too, of others only the beginning."""
READ = LISTS.union(PROGRAMS["read"].split())
"""The headers that are read; all others are passed over."""

TOO_LARGE, UNREADABLE, FROM, AUTOMATIC = IDS("too-large"), IDS("unreadable"), IDS("from"), IDS("automatic")

PLUS_PART = re.compile(rf"(?:\+|[%=]2b)([a-z2-7]{{{KEY_LENGTH}}})(?![a-z0-9])|\+([a-z0-9]{{1,40}})@", re.IGNORECASE)
"""Pattern of a possible key behind a plus in an address: quoted, with a comment, or with `%2B`."""
LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
LABEL = re.compile(r"[A-Za-z0-9-]{1,63}")
MESSAGE_ID = re.compile(rf"<[!-;=?-~]{{3,{LONGEST_ID}}}>")


@frozen
class Head:
    """The header of a mail or of a part: the fields by lower-case name, in order, unfolded, as Latin-1 text."""

    fields: Mapping[str, tuple[str, ...]]

    def list_values(self, name: str) -> tuple[str, ...]:
        return self.fields.get(name, ())

    def get_first(self, name: str) -> str:
        """Return the first value of a field, or ""."""
        return self.list_values(name)[0] if self.list_values(name) else ""


@frozen
class Part:
    """A mail or a part of one: its header, and where in the bytes of the mail its body is."""

    head: Head
    data: bytes
    begin: int
    end: int

    @property
    def body(self) -> bytes:
        return self.data[self.begin : self.end]


def read_or_refuse(read: Callable[[bytes], Read], data: bytes) -> Read | Refusal:
    """Return the reading of a mail, or its refusal. Never raises, even for a mail that breaks a parser."""
    try:
        return read(data)
    except RefusedError as refused:
        return refused.refusal
    except Exception as error:  # noqa: BLE001 - a defect of ours or of a parser
        return Refusal(UNREADABLE, f"The mail cannot be read ({type(error).__name__})")


@cites("mail.too-large")
def read_mail(data: bytes) -> Part:
    """Read the header of a mail. Raises RefusedError."""
    if len(data) > MOST_BYTES:
        raise RefusedError(TOO_LARGE, f"The mail is larger than {MOST_BYTES >> 20} MB")
    return read_whole(data)


def read_whole(data: bytes) -> Part:
    """Read the header of a mail of any size. Raises RefusedError."""
    mail = read_mail_part(data, 0, len(data), is_part=False)
    if not mail.head.fields:
        raise RefusedError(UNREADABLE, "There is no header, so this is not a mail")
    return mail


def read_mail_part(data: bytes, begin: int, end: int, *, is_part: bool = True) -> Part:
    """Read the header of a part of a mail, or of the mail itself; of a very long header only the beginning.

    A line that is no header is skipped with the lines that continue it. In a part it ends the header, as some parts
    have none. A header with a control character in it is present but empty.
    """
    fields: dict[str, list[list[bytes]]] = {}
    at, last, lines = begin, min(end, begin + MOST_HEADER_BYTES), list[bytes]()
    while at < end:
        edge = data.find(b"\n", at, last)
        if edge < 0 and last < end:
            at = _find_text_start(data, at, end)
            break
        edge = end if edge < 0 else edge
        line, following = data[at:edge].rstrip(b"\r"), min(end, edge + 1)
        if not line:
            at = following
            break
        name, colon, value = line.partition(b":")
        if line[:1] in b" \t" and (at > begin or not is_part):
            lines.append(line)
        elif colon and _is_name(name := name.rstrip(b" \t")):
            lines = [value]
            known = name.decode("ascii").lower()
            if known in READ and len(kept := fields.setdefault(known, [])) < MOST_REPEATED:
                kept.append(lines)
        elif is_part and not (at == begin and line.startswith(b"From ")):  # as in an mbox
            break
        else:
            lines = []
        at = following
    head = Head({name: tuple(_unfold_header(name, value) for value in values) for name, values in fields.items()})
    return Part(head, data, at, end)


def _find_text_start(data: bytes, begin: int, end: int) -> int:
    edges = ((data.find(edge, max(0, begin - 1), end), len(edge)) for edge in (b"\n\n", b"\n\r\n"))
    return min((at + length for at, length in edges if at >= 0), default=end)


def _is_name(name: bytes) -> bool:
    return bool(name) and all(33 <= byte <= 126 for byte in name)


def _unfold_header(name: str, lines: list[bytes]) -> str:
    """Join the value of a header on one line, cut if it is too long. What says who sent the mail is read whole or not at all."""
    value = b" ".join(line.strip() for line in lines)
    if b"\r" in value or b"\0" in value or (name in {"from", NAME} and len(value) > LONGEST_HEADER):
        return ""
    if name not in LISTS:
        value = value[:LONGEST_HEADER]
    elif len(value) > LONGEST_LIST:
        value = value[: LONGEST_LIST // 2] + b" " + value[-LONGEST_LIST // 2 :]
    return value.decode("latin-1")


def find_sender(head: Head) -> str:
    """Return the one address of the one From line, in lower case. Raises RefusedError."""
    stated = head.list_values("from")
    if len(stated) != 1:
        lines = f"{len(stated)} From lines, but may have only one" if stated else "no From line"
        raise RefusedError(FROM, f"The mail has {lines}")
    address = read_only_address(stated[0])
    if address is None:
        raise RefusedError(FROM, "The From line does not name one clear address")
    return address.lower()


def find_clear_sender(head: Head) -> str:
    """Return the address of the From line, "" if it does not name a clear one."""
    try:
        return find_sender(head)
    except RefusedError:
        return ""


def read_only_address(value: str) -> str | None:
    """Return the address of `ADDRESS`, `NAME <ADDRESS>` or `ADDRESS (NAME)`; None if it is uncertain.

    A name may have any letters, and commas without quotes; it may repeat the address. Encoded words in it are never
    decoded, so that nothing in them can pass for an address.
    """
    value = value.strip(" \t,")
    if any(ord(c) < 32 or ord(c) == 127 for c in value.replace("\t", " ")):
        return None
    name, address = "", value
    if value.endswith(">"):
        name, _, address = value[:-1].rpartition("<")
    elif value.endswith(")"):
        address, _, name = value[:-1].partition("(")
    elif "," in value:
        name, _, address = value.rpartition(",")
    address = address.strip(" \t")
    return address if is_address(address) and _may_name(name, address) else None


def find_sender_name(head: Head) -> str:
    """Return the sender's name, composed; "" for none, and for one like an address. `"Smith, Bob"` is Bob Smith."""
    value = head.get_first("from").strip(" \t,")
    before, _, behind = value.rpartition("<") if value.endswith(">") else value.removesuffix(")").partition("(")
    name = _decode_header(before if value.endswith(">") else behind).strip(" ,\"'").replace('\\"', '"')
    last, comma, first = name.partition(", ")
    return "" if "@" in name else normalize("NFC", f"{first} {last}" if comma and "," not in first else name)


def _decode_header(value: str) -> str:
    """Decode a header's value to one line of printable characters; leave it unchanged if it cannot be decoded."""
    raw = value.encode("latin-1").decode("utf-8", "replace")
    try:
        text = str(make_header(decode_header(raw))) if "=?" in raw else raw
    except (MessageError, LookupError, ValueError):
        text = raw
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def list_plus_parts(head: Head) -> tuple[str, ...]:
    """Return what may be keys in the addresses that a mail went to, in lower case, each once."""
    values = " ".join(value for name in RECIPIENTS for value in head.list_values(name))
    return tuple(dict.fromkeys((key or part).lower() for key, part in PLUS_PART.findall(values)[:MOST_IDS]))


def _may_name(name: str, address: str) -> bool:
    """Return True if a name may go beside an address: outside quotes it has no sign of another address or a group."""
    bare = QUOTED.sub(" ", name)
    addresses = {word.strip("()'").casefold() for word in bare.replace(",", " ").split() if "@" in word}
    return not set(bare) & set('<>:;"\\') and addresses <= {address.casefold()}


def is_address(text: str) -> bool:
    """Return True if a text is one plain ASCII address, without an encoded word, which libraries would decode."""
    local, sign, domain = text.rpartition("@")
    plain = sign and len(text) <= 254 and "=?" not in text
    return bool(plain and LOCAL.fullmatch(local) and all(map(LABEL.fullmatch, domain.split("."))))


def read_subject(head: Head) -> str:
    """Return the subject on one line of printable characters, cut if it is long; "" for a missing or unreadable one."""
    return _decode_header(head.get_first("subject"))[:LONGEST_SUBJECT]


REPLIED = compile_words("replied")
"""Prefixes of the subject of an answer in mail programs, in several languages."""


def drop_reply_prefix(subject: str) -> str:
    """Return a subject without `Re:` and the like before it."""
    return REPLIED.sub("", subject)


NOT_PERSONAL = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
"""Values of the header Precedence in mail that no person has written."""
SUPPRESSES = re.compile(r"\b(?:all|oof|autoreply)\b", re.IGNORECASE)
"""Values of X-Auto-Response-Suppress by Exchange, in automatic replies and also in mails of people."""
TAGS = re.compile(r"(?:\[[^\[\]]{1,40}\]\s*)*(?=[^\[\s])")
AUTOMATIC_WORDS = compile_words("automatic")
BEFORE_OURS = re.compile(r"[^\W\d_][^:：\[\]]{6,60}[:：]\s*(?:\[|re:)", re.IGNORECASE)


def refuse_automatic(head: Head) -> None:
    """Refuse what a program wrote. Raises RefusedError."""
    for name, reason, is_sign in (
        ("return-path", "it has an empty Return-Path", lambda value: value == "<>"),
        ("from", "it comes from a mail system", _is_mail_system),
        ("auto-submitted", "it says that it was sent automatically", lambda value: _read_word(value) != "no"),
        ("content-type", "it is a delivery report", lambda value: _read_word(value) == "multipart/report"),
        ("x-failed-recipients", "it reports a failed delivery", bool),
        ("x-autoreply", "it says that it is an automatic reply", lambda value: _read_word(value) != "no"),
        ("x-autorespond", "it says that it is an automatic reply", lambda value: _read_word(value) != "no"),
        ("x-autoreply-from", "it says that it is an automatic reply", bool),
        ("x-mail-autoreply", "it says that it is an automatic reply", lambda value: _read_word(value) != "no"),
        ("x-ms-exchange-inbox-rules-loop", "a rule of a mailbox has sent it", bool),
        ("precedence", "it was sent in bulk, by a list or by itself", lambda value: _read_word(value) in NOT_PERSONAL),
        ("x-loop", "it is a mail of our own that came back", lambda value: _read_word(value) == "tkid"),
    ):
        if any(is_sign(value.lower()) for value in head.list_values(name)):
            raise RefusedError(AUTOMATIC, f"This is automatic mail: {reason}")
    if suppresses_answers(head) and is_automatic_subject(read_subject(head)):
        message = "This is automatic mail: it suppresses answers, and its subject is one of no person"
        raise RefusedError(AUTOMATIC, message)


def suppresses_answers(head: Head) -> bool:
    return any(map(SUPPRESSES.search, head.list_values("x-auto-response-suppress")))


def is_automatic_subject(text: str) -> bool:
    """Return True if a subject is one that programs give their replies, or a line one with which they begin.

    It says so in words, in some languages, or it has a long word before the subject of our letter, where a mail program
    has `Re:` for a reply of a person.
    """
    text = TAGS.sub("", text, count=1)
    return bool(AUTOMATIC_WORDS.match(text) or BEFORE_OURS.match(text))


def _read_word(value: str) -> str:
    return value.partition(";")[0].partition("(")[0].strip()


def _is_mail_system(value: str) -> bool:
    address = read_only_address(value) or value
    return address.partition("@")[0].strip(' <>"') in {"mailer-daemon", "postmaster"}


def list_message_ids(*values: str) -> tuple[str, ...]:
    """Return the well-formed Message-IDs in header values, also those of Exchange (`<[x@y]>`), each once, the last 20."""
    found = (each for value in values for each in MESSAGE_ID.findall(value))
    ids = [each for each in found if 1 < each.find("@") < len(each) - 2 and "=?" not in each]
    return tuple(dict.fromkeys(reversed(ids)))[:MOST_IDS][::-1]


AUTHENTICATED = IDS("authenticated")
MOST_LOOKED = 64 << 10
"""Bytes of a header in which it is looked for: servers put it on top."""

What = Literal["dmarc", "aligned"]
"""DMARC has to have passed; or that, or SPF or DKIM for the sender's own domain."""
REQUIREMENTS: tuple[What, ...] = get_args(What)
DOMAINS = {"spf": ("smtp.mailfrom",), "dkim": ("header.d", "header.i"), "dmarc": ("header.from",)}


@frozen
class Required:
    """The requirement: the name of the server that has to have checked, and the result that it has to have found."""

    authserv: str
    what: What = "dmarc"


@frozen
class Result:
    """The result of a check: `dmarc`, `pass`, and the domains that it is about, in lower case."""

    method: str
    result: str
    domains: tuple[str, ...]


@cites("mail.authenticated")
def refuse_unauthenticated(data: bytes, sender: str, required: Required) -> Refusal | None:
    """Explain why the sender of a mail (an address in lower case) is not believed; None if the server has vouched for it."""
    stated = find_topmost(data)
    if stated is None:
        return Refusal(AUTHENTICATED, f"{required.authserv} does not say who sent the mail")
    pieces = [piece.split() for piece in _split_pieces(stated)]
    authserv, *rest = pieces or [[]]
    if not authserv or authserv[0].lower() != required.authserv.lower():
        return Refusal(AUTHENTICATED, f"The first server to say who sent the mail is not {required.authserv}")
    results = [_read_result(piece) for piece in rest if piece]
    domain = sender.rpartition("@")[2]
    if _is_passed(results, "dmarc", domain, exactly=True):
        return None
    aligned = any(_is_passed(results, method, domain, exactly=False) for method in ("spf", "dkim"))
    refused_by_dmarc = any(each.method == "dmarc" and each.result == "fail" for each in results)
    if required.what == "aligned" and aligned and not refused_by_dmarc:
        return None
    return Refusal(AUTHENTICATED, f"{required.authserv} does not vouch for {sender}")


def find_topmost(data: bytes) -> str | None:
    """Return the topmost of these headers, unfolded; None without one. A header that is too long counts as ""."""
    head = read_mail_part(data, 0, min(len(data), MOST_LOOKED), is_part=False).head
    return next(iter(head.list_values(NAME)), None)


def _is_passed(results: list[Result], method: str, domain: str, *, exactly: bool) -> bool:
    checks = [each for each in results if each.method == method]
    if method == "dmarc" and any(each.result != "pass" for each in checks):
        return False
    passed = {checked for each in checks if each.result == "pass" for checked in each.domains}
    above = (checked for checked in passed if "." in checked and domain.endswith(f".{checked}"))
    return domain in passed or (not exactly and any(above))


def _read_result(piece: list[str]) -> Result:
    """Parse `dmarc=pass header.from=example.org` as a value; unreadable text becomes a result that is never used."""
    method, _, result = piece[0].lower().partition("=")
    method = method.partition("/")[0]
    properties = [part.lower().partition("=") for part in piece[1:]]
    domains = tuple(value.rpartition("@")[2] for name, _, value in properties if name in DOMAINS.get(method, ()))
    return Result(method, result, domains)


def _split_pieces(value: str) -> Iterator[str]:
    """Split a header at semicolons, without comments and quotation marks; blanks around `=` are taken out.

    A quoted string is one word: blanks and semicolons in it are lost, so that nothing in it passes for a result.
    """
    piece, depth, quoted, escaped = "", 0, False, False
    for c in value:
        if escaped:
            escaped = False
        elif c == "\\" and (quoted or depth):
            escaped = True
        elif quoted:
            quoted = c != '"'
            piece += c if quoted and c not in " \t;=" else ""
        elif c == "(":
            depth += 1
        elif depth:
            depth -= c == ")"
            piece += "" if depth else " "
        elif c == '"':
            quoted = True
        elif c == ";":
            yield _drop_blanks(piece)
            piece = ""
        else:
            piece += c
    if not (depth or quoted):
        yield _drop_blanks(piece)


def _drop_blanks(piece: str) -> str:
    return "=".join(part.strip() for part in piece.split("="))


MOST_HEADER = 32 << 10
"""Bytes of a header that are looked at."""
MOST_BODY = 8 << 10
"""Bytes behind the header that are looked at."""
MOST_KEYS = 20


def glance_at(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Return the sender ("" if unclear) and possible keys at the beginning of a mail, undecoded; none further down."""
    head = _read_head(data)
    text = data[head.begin : head.begin + MOST_BODY].decode("latin-1").replace("\r\n", "\n").replace("=\n", "")
    lines = [Line(line) for line in text.split("\n")]
    keys = dict.fromkeys((*list_plus_parts(head.head), *islice(find_keys(lines), MOST_KEYS)))
    return find_clear_sender(head.head), tuple(islice(keys, MOST_KEYS))


def cut_beginning_of_mail(data: bytes) -> bytes:
    """Return the beginning of a mail: its header, and as much of the rest as is looked at."""
    return data[: _read_head(data).begin + MOST_BODY]


def _read_head(data: bytes) -> Part:
    return read_mail_part(data[:MOST_HEADER], 0, min(len(data), MOST_HEADER), is_part=False)


LENGTH = 12
"""Characters of the proof: 60 bits, as in a key."""
LONGEST_LOCAL = 64
MOST_FOUND = 5
OUR_ID = re.compile(r"<tkid\.([a-z0-9.]{1,60})@([A-Za-z0-9.-]{1,253})>")
BOUNCES = re.compile(rf"\+b-([a-z0-9.]{{1,60}})-([a-z2-7]{{{LENGTH}}})@([A-Za-z0-9.-]{{1,253}})", re.IGNORECASE)


@frozen
class BounceAddress:
    """A bounce address: the Message-ID of a letter, and the proof that the address is ours."""

    letter: str
    proof: str

    def is_ours(self, secret: bytes) -> bool:
        return compare_digest(self.proof, _prove(secret, self.letter))


@cites("mail.bounce-address")
def make_bounce_address(secret: bytes, sender: str, message_id: str) -> str:
    """Return the address for bounces, with Message-ID and proof, or `sender` if too long or the ID isn't ours."""
    named = OUR_ID.fullmatch(message_id)
    local, _, domain = sender.rpartition("@")
    if not named or named[2] != domain:
        return sender
    local = f"{local}+b-{named[1]}-{_prove(secret, message_id)}"
    return f"{local}@{domain}" if len(local) <= LONGEST_LOCAL else sender


def list_bounce_addresses(recipients: Iterable[str]) -> tuple[BounceAddress, ...]:
    """Return possible bounce addresses in the headers that say to whom a mail went, each once, the first ones."""
    found = (match for value in recipients for match in BOUNCES.finditer(value))
    each = (BounceAddress(f"<tkid.{match[1].lower()}@{match[3]}>", match[2].lower()) for match in found)
    return tuple(dict.fromkeys(each))[:MOST_FOUND]


def _prove(secret: bytes, message_id: str) -> str:
    return draw_word(secret, f"tkid bounce 1\n{message_id.lower()}", LENGTH)


OURS = re.compile(rb"<tkid\.[a-z]+\.[0-9]{1,9}\.[0-9a-f]{6}\.[0-9a-f]{16}@[A-Za-z0-9.-]{1,253}>")
KEY = re.compile(rb"\+([a-z2-7]{12})@|, key ([a-z2-7]{12})\b")
MOST_NAMED = 5
SENDERS = re.compile(r"(?:mailer-daemon|postmaster)@", re.IGNORECASE)
FAILED = re.compile(rb"^action:[ \t]*(failed|delayed|delivered|relayed|expanded)", re.IGNORECASE | re.MULTILINE)
DELAYED = re.compile(compile_words("delayed").pattern.encode(), re.IGNORECASE)
"""Words of mail systems, in no standard form, for a letter that they still try to deliver."""
MOST_WORDS = 2000
"""Bytes at the beginning of a report's text in which that is looked for: behind them may be the letter."""
REASON = re.compile(rb"^diagnostic-code:[ \t]*(?:smtp;)?[ \t]*([!-~ ]{1,200})", re.IGNORECASE | re.MULTILINE)


@frozen
class Report:
    """A report: the Message-IDs of letters of ours that came back, and the reason in the words of a mail server."""

    letters: tuple[str, ...]
    keys: tuple[str, ...]
    reason: str
    addresses: tuple[BounceAddress, ...] = ()


@cites("mail.bounce")
def read_report(data: bytes) -> Report | None:
    """Return the report of a mail about letters of ours that could not be delivered; None for any other mail."""
    try:
        part = read_mail(data[:MOST_TEXT])
    except RefusedError:
        return None
    head, body = part.head, part.body
    kind = head.get_first("content-type").lower()
    is_report = "multipart/report" in kind and "delivery-status" in kind
    if not (is_report or head.get_first("x-failed-recipients") or any(map(SENDERS.search, head.list_values("from")))):
        return None
    actions = {action.lower() for action in FAILED.findall(body)}
    if actions and b"failed" not in actions:
        return None
    words = head.get_first("subject").encode("latin-1") + b"\n" + body[:MOST_WORDS]
    if not actions and not head.get_first("x-failed-recipients") and DELAYED.search(words):
        return None
    letters, diagnosis = _find_named(OURS, body), REASON.search(body)
    reason = diagnosis[1].decode("ascii").strip() if diagnosis else "no reason given"
    addresses = list_bounce_addresses(value for name in RECIPIENTS for value in head.list_values(name))
    return Report(letters, _find_named(KEY, body), reason, addresses) if letters or addresses else None


def _find_named(pattern: re.Pattern[bytes], body: bytes) -> tuple[str, ...]:
    matches = islice(pattern.finditer(body), MOST_NAMED)
    return tuple(dict.fromkeys(match[match.lastindex or 0].decode("ascii") for match in matches))
