"""Find the game file in a mail between players without a host."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email.message import Message
from itertools import dropwhile

from attrs import define, field, frozen

from tkid.mail import envelope
from tkid.mail.mime import PartCounter, describe_part, find_boundary, list_parts, read_attached_lines
from tkid.mail.model import IDS, Refusal, RefusedError
from tkid.record.format.model import LONGEST_LINE, MAILED, find_foreign, is_comment, read_file_lines
from tkid.record.format.plugin import list_record_plugins
from tkid.record.format.turn_rows import DASHES, HASH, NUMBERED
from tkid.rulebook import cites

TURNS = "turns"
TITLES = re.compile(r"setup|turns|commitments|nonces|keys|unlocks|seeds|(?:deck|proof) \S.*")
FOLLOWED = re.compile(rf"-- |(?:{DASHES.pattern})\S.*: ")
"""A line about what followed from a turn; other dashes than two may begin a signature."""
NARROW = 60
"""Mail programs break lines no earlier than here: a shorter line ends where it ends."""
HEADER = re.compile(r"(?:x-[^\s:]+|tkid-\w+|ruleset|game|seat|ruling|seal|position)\s*:", re.IGNORECASE)
ROW = re.compile("|".join([r"\S.* {2,}\S", *(plugin.row for plugin in list_record_plugins())]), re.IGNORECASE)
"""A line of a set-up or of a draw: a label and a value, most with several spaces between them."""


def find_beginning(lines: Sequence[str], begins: str) -> list[str]:
    return list(dropwhile(lambda line: not is_first_line(line, begins), lines))


def is_first_line(line: str, begins: str) -> bool:
    return line.strip().lower().startswith(f"{begins}:")


def join_game_lines(lines: Sequence[str], *, attached: bool) -> list[str]:
    """Join lines of a game file that were broken; without an attachment, leave out the sender's words below."""
    kept: list[str] = []
    above, in_turns = "", False
    for line, next_one in zip(lines, _pair_with_next(lines), strict=True):
        ends = not line.strip() and not _is_game_line(next_one, in_turns=in_turns)
        if not attached and (ends or line.rstrip() == "--"):
            break
        if not line.strip():
            kept.append(line)
        elif _is_game_line(line, in_turns=in_turns):
            in_turns = in_turns or _read_title(line) == TURNS
            kept.append(line)
        elif _is_rest(above, line) and len(kept[-1]) + len(line) < LONGEST_LINE:
            kept[-1] = f"{kept[-1].rstrip()} {line.strip()}"
        elif in_turns and not attached:
            break
        else:
            kept.append(line)
        above = line
    return kept if attached else [*kept, ""]


def _pair_with_next(lines: Sequence[str]) -> Iterator[str]:
    """Find for each line the next one after it that is not empty."""
    following, backwards = "", list[str]()
    for line in reversed(lines):
        backwards.append(following)
        following = line if line.strip() else following
    return reversed(backwards)


def _is_game_line(line: str, *, in_turns: bool) -> bool:
    if FOLLOWED.match(line) or is_comment(line) or NUMBERED.match(line) or TITLES.fullmatch(_read_title(line)):
        return True
    return not in_turns and bool(HEADER.match(line) or ROW.match(line))


def _read_title(line: str) -> str:
    return line.strip().rstrip(":").lower()


def _is_rest(above: str, line: str) -> bool:
    if not above.strip() or HASH.search(above):
        return False
    return len(above.rstrip()) + 1 + len(line.split(maxsplit=1)[0]) > NARROW


ENCLOSED = IDS("letter.enclosed")
RECORD, DRAW, DEAL = "tkid-record", "tkid-draw", "tkid-deal"
KINDS = {RECORD: "game file", DRAW: "draw", DEAL: "deal"}
"""Beginnings of the texts that may be enclosed, and their names."""
DEALT = (DRAW, DEAL)
"""Those with which a game is dealt."""
MOST_LINES = 1000
"""Lines of an enclosed text. A long game has some hundred; reading one that is not understood takes milliseconds."""
LARGEST = 64 << 10
"""Bytes of an enclosed text. A long game has some ten thousand."""
MOST_READ = 2 * envelope.MOST_TEXT
"""Bytes of texts in which a game file is looked for."""
MOST_NAMED = 3


@frozen
class Enclosed:
    """A game file in UTF-8, by whom and to whom (lower case), if it came in a `mail`, and if that is `broken`."""

    text: bytes
    sender: str = ""
    recipients: tuple[str, ...] = ()
    mail: bool = False
    broken: bool = False


def take_out(data: bytes, *, begins: str = RECORD, is_file: bool = False) -> Enclosed | Refusal:
    """Extract the game file from a mail, or from bytes that are one already. Only text is read; nothing is unpacked."""
    foreign = find_foreign(data)
    if foreign is not None and foreign != MAILED and not _is_game_file(data):
        return Refusal(ENCLOSED, f"This is {foreign.what}. {foreign.hint}".rstrip("."))

    def read(data: bytes) -> Enclosed:
        if is_file or _is_game_file(data):
            return _cap_text(Enclosed(data))
        try:
            return _cap_text(_find_in_mail(data, begins))
        except RefusedError:
            if begins != RECORD or read_file_lines(data)[1]:
                raise
            return _cap_text(Enclosed(data))  # a game file below a greeting

    return envelope.read_or_refuse(read, data)


def _is_game_file(data: bytes) -> bool:
    """Return True if bytes are a game file and not a mail, by their beginning without comments."""
    for line in data[: envelope.MOST_TEXT].removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            return line.strip().lower().startswith(tuple(begins.encode() for begins in KINDS))
    return True


def _cap_text(enclosed: Enclosed) -> Enclosed:
    if fault := find_size_fault(enclosed.text):
        raise RefusedError(ENCLOSED, f"The game file {fault}: ask for it without comments")
    return enclosed


@cites("mail.letter.enclosed")
def find_size_fault(text: bytes) -> str:
    """Return how a text exceeds what a letter may enclose, in words; "" if it does not."""
    if len(text) > LARGEST:
        return f"is larger than {LARGEST >> 10} kB"
    return f"has more than {MOST_LINES} lines" if text.count(b"\n") > MOST_LINES else ""


def _find_in_mail(data: bytes, begins: str) -> Enclosed:
    mail = envelope.read_mail(data)
    walker = _Walker(begins)
    walker.walk_part(mail, 0)
    texts = list(dict.fromkeys(walker.attached or walker.plain or walker.html))
    if len(texts) > 1:
        raise RefusedError(ENCLOSED, f"The mail has {len(texts)} different game files: save the right one by itself")
    if not texts:
        raise RefusedError(ENCLOSED, walker.explain_nothing())
    named = (each for name in ("to", "cc") for value in mail.head.list_values(name) for each in value.split(","))
    recipients = tuple(address.lower() for address in map(envelope.read_only_address, named) if address)
    sender = envelope.find_clear_sender(mail.head)
    return Enclosed(texts[0].encode(), sender, recipients, mail=True, broken=walker.broken)


@define
class _Walker(PartCounter):
    """Walks through the parts of one mail and keeps the texts that hold a game file: attachments count first."""

    begins: str
    attached: list[str] = field(factory=list)
    plain: list[str] = field(factory=list)
    html: list[str] = field(factory=list)
    closed: list[str] = field(factory=list)
    """The attachments that are no text, by name or kind."""
    broken: bool = False
    quoted: bool = False
    """True if a game file is there as a quotation."""
    other: str = ""
    """The beginning of a text of another kind in the mail."""
    turns: bool = False
    """True if there are lines that look like turns."""
    read: int = 0
    """Bytes of texts that were read."""

    def walk_part(self, part: envelope.Part, depth: int) -> None:
        self.count_part(depth)
        about = describe_part(part.head)
        kind, main = about.get_content_type(), about.get_content_maintype()
        name = _make_printable(str(about.get_filename() or ""))
        if main == "multipart":
            closing = b"--%b--" % find_boundary(about)
            self.broken = self.broken or part.data.find(closing, part.begin, part.end) < 0
            for inner in list_parts(about, part):
                self.walk_part(inner, depth + 1)
        elif kind == "message/rfc822":
            self.walk_part(envelope.read_mail_part(part.data, part.begin, part.end), depth + 1)
        elif main == "text" or name.lower().endswith((".tkid", ".draw", ".deal", ".txt")):
            self._read_text(part, about, attached=bool(name))
        else:
            self.closed.append(name or _make_printable(kind))

    def _read_text(self, part: envelope.Part, header: Message, *, attached: bool) -> None:
        self.read += part.end - part.begin
        if self.read > MOST_READ:
            raise RefusedError(envelope.TOO_LARGE, f"The texts in the mail are longer than {MOST_READ >> 20} MB")
        lines = read_attached_lines(header, part)
        plain = [line.text for line in lines if not line.quoted]
        quoted = (line.text.lstrip("> ") for line in lines if line.quoted)
        self.quoted = self.quoted or any(is_first_line(text, self.begins) for text in quoted)
        self.turns = self.turns or any(map(NUMBERED.match, plain))
        self.other = next((kind for kind in KINDS if find_beginning(plain, kind)), self.other)
        file = find_beginning(plain, self.begins)
        if file:
            html = header.get_content_type() == "text/html"
            kept = self.attached if attached else self.html if html else self.plain
            kept.append("\n".join(join_game_lines(file, attached=attached)))

    def explain_nothing(self) -> str:
        what = KINDS[self.begins]
        if self.other in DEALT:
            return f"The mail has a {KINDS[self.other]} and no game file: read it with `tkid letter new FILE MAIL`"
        reason = f"The mail has no {what}: no attachment and no text that begins with `{self.begins.title()}: 1`"
        if self.closed:
            others = f" and {len(self.closed) - MOST_NAMED} more" if len(self.closed) > MOST_NAMED else ""
            reason += f". Such files are not opened: {', '.join(self.closed[:MOST_NAMED])}{others}"
        elif self.quoted:
            reason += ". One is there as a quotation, but quotations are not read"
        elif self.turns and self.begins == RECORD:
            reason += ". There may be turns in it, but the lines before them are missing"
        return f"{reason}. Ask for the whole {what} as an attachment"


def _make_printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:80]
