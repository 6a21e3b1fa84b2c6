"""What a letter from hand to hand encloses: the text of a game file, out of a mail or from a file by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.message import Message

from attrs import define, field, frozen

from tkid.post.envelope import MOST_BYTES, TOO_LARGE, UNREADABLE, Head, only_address, read_head, sender
from tkid.post.mime import DEEPEST, LONGEST_BOUNDARY, MOST_PARTS, PARTS, split, text_lines
from tkid.post.model import IDS, Refusal, RefusedError
from tkid.record.lines import is_comment
from tkid.record.turn_rows import NUMBERED

ENCLOSED = IDS("letter.enclosed")
RECORD, DRAW = "tkid-record", "tkid-draw"
"""How the texts that may be enclosed begin."""
TITLES = frozenset({"setup", "turns", "commitments", "nonces"})
MOST_LINES = 1000
"""Lines of an enclosed text. A long game has some hundred; reading one that is not understood takes milliseconds."""
MOST_NAMED = 3


@frozen
class Enclosed:
    """The text of a game file in UTF-8, and what the mail says of who sent it and to whom (lower case, "" and ()).

    `mail` says that it came in a mail.
    """

    text: bytes
    sender: str = ""
    recipients: tuple[str, ...] = ()
    mail: bool = False


def take_out(data: bytes, *, begins: str = RECORD, is_file: bool = False) -> Enclosed | Refusal:
    """The game file in a mail, or in bytes that are one already. Nothing but text is read, and nothing unpacked."""
    try:
        return _capped(Enclosed(data) if is_file or _is_file(data) else _out_of_mail(data, begins))
    except RefusedError as refused:
        return refused.refusal
    except Exception as error:  # noqa: BLE001 - whatever a parser does to a hostile mail, the mail is refused
        return Refusal(UNREADABLE, f"The mail cannot be read ({type(error).__name__})")


def _is_file(data: bytes) -> bool:
    """Whether bytes are a game file and no mail: so they begin, comments aside."""
    for line in data[:MOST_BYTES].removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            return line.strip().lower().startswith((RECORD.encode(), DRAW.encode()))
    return True


def _capped(found: Enclosed) -> Enclosed:
    if len(found.text) > MOST_BYTES:
        raise RefusedError(TOO_LARGE, f"The game file is larger than {MOST_BYTES >> 20} MB")
    if found.text.count(b"\n") > MOST_LINES:
        raise RefusedError(TOO_LARGE, f"The game file has more than {MOST_LINES} lines")
    return found


def _out_of_mail(data: bytes, begins: str) -> Enclosed:
    if len(data) > MOST_BYTES:
        raise RefusedError(TOO_LARGE, f"The mail is larger than {MOST_BYTES >> 20} MB")
    head, body = read_head(data, strict=True)
    walker = _Walker(begins)
    walker.part(head, body, 0)
    texts = list(dict.fromkeys(walker.attached or walker.plain or walker.html))
    if len(texts) > 1:
        raise RefusedError(ENCLOSED, f"The mail has {len(texts)} different game files: save the right one by itself")
    if not texts:
        raise RefusedError(ENCLOSED, walker.nothing())
    return Enclosed(texts[0].encode(), _sender(head), tuple(_recipients(head)), mail=True)


@define
class _Walker:
    """Walks through the parts of one mail and keeps the texts that hold a game file: attachments count first."""

    begins: str
    attached: list[str] = field(factory=list)
    plain: list[str] = field(factory=list)
    html: list[str] = field(factory=list)
    closed: list[str] = field(factory=list)
    """The names of the attachments that are no text."""
    parts: int = 0

    def part(self, head: Head, body: bytes, depth: int) -> None:
        """Read a part, and those in it."""
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            raise RefusedError(PARTS, f"There are more than {MOST_PARTS} parts, or they lie more than {DEEPEST} deep")
        about = _described(head)
        if about.get_content_maintype() == "multipart":
            boundary = about.get_boundary("").encode("latin-1", "replace").rstrip()
            for part in split(body, boundary) if 0 < len(boundary) <= LONGEST_BOUNDARY else ():
                self.part(*read_head(part, strict=False), depth + 1)
            return
        name = "".join(c for c in str(about.get_filename() or "") if c.isprintable())[:80]
        if about.get_content_maintype() == "text" or name.lower().endswith((".tkid", ".draw", ".txt")):
            lines = text_lines(_as_text(head, about), body)
            found = _begun([line.text for line in lines if not line.quoted], self.begins)
            html = about.get_content_type() == "text/html"
            kept = self.attached if name else self.html if html else self.plain
            kept += ["\n".join(found if name else _ended(found))] if found else []
        elif name:
            self.closed.append(name)

    def nothing(self) -> str:
        """Why nothing was found."""
        what = "game file" if self.begins == RECORD else "draw"
        told = f"The mail has no {what}: no attachment and no text that begins with `{self.begins.title()}: 1`"
        if not self.closed:
            return told
        others = f" and {len(self.closed) - MOST_NAMED} more" if len(self.closed) > MOST_NAMED else ""
        return f"{told} ({', '.join(self.closed[:MOST_NAMED])}{others}: such files are not opened)"


def _described(head: Head) -> Message:
    """What the fields that describe a part say."""
    about = Message()
    for name in ("content-type", "content-disposition"):
        if head.first(name):
            about[name] = head.first(name)
    return about


def _as_text(head: Head, about: Message) -> Head:
    """The header of a part as if it were text that stands in the mail, whatever it is attached as."""
    kind = about.get_content_type() if about.get_content_type() == "text/html" else "text/plain"
    fields = {"content-type": (f"{kind}{_parameters(about)}",)}
    if head.first("content-transfer-encoding"):
        fields["content-transfer-encoding"] = (head.first("content-transfer-encoding"),)
    return Head(fields)


def _parameters(about: Message) -> str:
    """The parameters that say how a text is written; UTF-8 where no charset is named."""
    found = {"charset": "utf-8"}
    for name in ("charset", "format", "delsp"):
        value = about.get_param(name)
        plain = "".join(c for c in str(value or "") if c.isalnum() or c in "-_.:")
        found |= {name: plain} if plain and not isinstance(value, tuple) else {}
    return "".join(f'; {name}="{value}"' for name, value in found.items())


def _begun(lines: Sequence[str], begins: str) -> list[str]:
    """The lines from the first of a game file on; none where it does not begin."""
    at = next((at for at, line in enumerate(lines) if line.strip().lower().startswith(f"{begins}:")), None)
    return [] if at is None else list(lines[at:])


def _ended(lines: Sequence[str]) -> list[str]:
    """The lines of a game file that stands in a mail's text, without what the sender wrote below it."""
    kept: list[str] = []
    for at, line in enumerate(lines):
        if line.rstrip() == "--" or (not line.strip() and not _goes_on(lines[at + 1 :])):
            break
        kept.append(line)
    return [*kept, ""]


def _goes_on(following: Sequence[str]) -> bool:
    """Whether what follows an empty line belongs to a game file."""
    line = next((line for line in following if line.strip()), "")
    title = line.strip().rstrip(":").lower() in TITLES
    return title or bool(NUMBERED.match(line)) or line.startswith("-- ") or is_comment(line)


# -- who and to whom --------------------------------------------------------------------------------------


def _sender(head: Head) -> str:
    try:
        return sender(head)
    except RefusedError:
        return ""


def _recipients(head: Head) -> Iterator[str]:
    for value in (*head.all("to"), *head.all("cc")):
        for each in value.split(","):
            address = only_address(each)
            if address:
                yield address.lower()
