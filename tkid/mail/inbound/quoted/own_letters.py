"""Our own letters as lines of words, so that their lines are known again in a reply however a mail program shows them."""

from __future__ import annotations

import re
from base64 import decodebytes
from binascii import a2b_qp
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from attrs import frozen

from tkid.mail.inbound.html_text import html_lines
from tkid.mail.inbound.normalize import ENTITIES, UNSEEN, WIDE
from tkid.mail.model import RefusedError

FEWEST_WORDS = 4
"""Words that have to stand in a letter in the same order to be taken from it, where they are not a whole line of it."""
REMEMBERED = 32
"""Letters that are kept as they were read: several replies are compared with each, and each reply with several."""
MOST_LINES = 2000
LONGEST = 2000
"""Characters of a line that are compared."""
WORD = re.compile(r"[^\W_]+")
LINK = re.compile(r"[<\[(]?\b(?:mailto:|https?://)\S*")
"""Mail programs write the address of a link behind its text."""
SPELLED = UNSEEN | WIDE | str.maketrans({"œ": "oe", "Œ": "OE"})
REPEATED = re.compile(r'\s*".*"\s*')
BOUNDARY = re.compile(rb'boundary="([^"]+)"')
CODING = re.compile(rb"^Content-Transfer-Encoding: *(\S+)", re.IGNORECASE | re.MULTILINE)
DECODED: Mapping[bytes, Callable[[bytes], bytes]] = {b"quoted-printable": a2b_qp, b"base64": decodebytes}


def words_in(text: str) -> str:
    """The words of a line in small letters with single blanks: all that is compared of it."""
    text = text[:LONGEST]
    if not text.isascii():
        text = text.translate(SPELLED)
    if "&" in text:
        for entity, sign in ENTITIES:
            text = text.replace(entity, sign)
    if "://" in text or "mailto:" in text:
        text = LINK.sub(" ", text)
    return " ".join(WORD.findall(text.casefold()))


@frozen
class Form:
    """A letter in one form, as plain text or as HTML: its lines that hold words."""

    lines: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Form:
        """The form of a letter with these lines. What it repeats of its reader in quotation marks is none of ours."""
        pairs = [(text, words) for text in texts if not REPEATED.fullmatch(text) and (words := words_in(text))]
        return cls(tuple(text for text, _ in pairs), tuple(words for _, words in pairs))

    @cached_property
    def places(self) -> Mapping[str, tuple[int, ...]]:
        """Where lines with certain words are."""
        places: dict[str, tuple[int, ...]] = {}
        for index, words in enumerate(self.words):
            places[words] = (*places.get(words, ()), index)
        return places

    @cached_property
    def _running(self) -> str:
        return f" {' '.join(self.words)} "

    @cached_property
    def _starts(self) -> list[int]:
        """Where in the running words each line begins."""
        starts = [0]
        for words in self.words:
            starts.append(starts[-1] + len(words) + 1)
        return starts

    def last(self, words: str) -> int:
        """The last line with certain words, or on which a piece of the letter with them ends; -1 where there is none."""
        places = self.places.get(words, ())
        covered = self.covered(words) if not places and words.count(" ") + 1 >= FEWEST_WORDS else range(0)
        return max((*places, *covered), default=-1)

    def covered(self, words: str) -> range:
        """The lines over which some words stand that follow one another in the letter; none where they do not."""
        begin = self._running.find(f" {words} ") if words else -1
        if begin < 0:
            return range(0)
        last = begin + len(words)
        return range(bisect_right(self._starts, begin) - 1, bisect_right(self._starts, last - 1))


@frozen
class OwnLetter:
    """A letter of ours, as the bytes that were sent; read only when a reply has to be compared with it."""

    raw: bytes

    @property
    def text(self) -> Form:
        """The letter as plain text."""
        return _text(self.raw)

    @property
    def page(self) -> Form:
        """The letter as HTML, in lines."""
        return _page(self.raw)


@lru_cache(REMEMBERED)
def _text(raw: bytes) -> Form:
    return Form.of(_part(raw, b"text/plain").split("\n"))


@lru_cache(REMEMBERED)
def _page(raw: bytes) -> Form:
    try:
        return Form.of([line.text for line in html_lines(_part(raw, b"text/html"), MOST_LINES)])
    except RefusedError:
        return Form.of(())


def _part(raw: bytes, kind: bytes) -> str:
    """The first text of a kind that is no attachment; "" where there is none."""
    for head, body in _parts(raw):
        if b"Content-Type: " + kind in head and b"attachment" not in head:
            coding = CODING.search(head)
            decode = DECODED.get(coding[1].lower() if coding else b"", bytes)
            return decode(body).decode("utf-8", "replace").replace("\r\n", "\n")
    return ""


def _parts(mail: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The header and the body of each part of a mail that we composed, in order."""
    head, _, body = mail.partition(b"\r\n\r\n")
    boundary = BOUNDARY.search(head)
    if boundary is None:
        yield head, body
        return
    within, _, _ = body.partition(b"--" + boundary[1] + b"--")
    for piece in within.split(b"--" + boundary[1] + b"\r\n")[1:]:
        yield from _parts(piece)
