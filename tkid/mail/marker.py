"""Marker lines, Message-IDs and keys that tie a reply to our letter."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from hmac import new as hmac

from tkid.mail.model import Line, Marker
from tkid.notation.text import capitalize_text, single_space
from tkid.rulebook import cites

PHRASE, REPLY = "write your order above this line", "Reply above this line"
PHRASES = (PHRASE, REPLY.casefold())
"""Texts of marker lines, in letters with the key in the line and in letters with one sentence above it."""
PHRASE_WORD = "above"
"""A word of each phrase: a line without it needs no second look."""
LONGEST = 400
"""Characters of a line in which the marker, or the beginning of a picture, is looked for."""
REFERENCE = "Ref"
"""Beginning of the line of a letter that says which turn it asks for, after which hash, and with which key."""
LONGEST_TITLE = 15
"""So that the marker fits in 78 columns."""
LONGEST_ALT, MOST_ALT = 4000, 100
"""Characters of the words for a picture at most, and lines that they may have been broken into."""
CONTINUED = 3
"""Over how many lines a mail program may have broken the marker, or the reference."""
MAX_MARKER_LINE = 200
"""Characters of a line that are looked at for a key."""
TURN = re.compile(r"turn (\d{1,9}), #([0-9a-f]{6})\b(?:, key ([a-z2-7]{12})\b)?")
REFERRED = re.compile(r"\bRef (?:(.{1,60}?) )?(\d{1,9}) ([0-9a-f]{6})\b(?: ([a-z2-7]{12})\b)?")
REFERS = re.compile(r"[\W_]*Ref\s")
ID = re.compile(r"<tkid\.(turn|again|note|news|words)\.(\d{1,9})\.([0-9a-f]{6})\.[0-9a-f]+@")

WHAT_HAPPENED = "WHAT HAPPENED"
POSITION = "THE POSITION"
ANSWERS = "YOUR ANSWER"
AGREED = "WHAT YOU AGREED"
DECIDED = "HOW IT WAS DECIDED"
AGAIN = "SEE THE GAME AGAIN"
OLDER = frozenset({"WHAT YOU MAY ANSWER", "YOUR PLANS"})
"""Headings of mails that this program wrote before: they are answered still."""
HEADINGS = OLDER | {WHAT_HAPPENED, POSITION, ANSWERS, ANSWERS.capitalize(), AGREED, DECIDED, AGAIN}
"""Headings of our mails. One of them bare in a reply shows that a quoted mail of ours has begun."""
IN_WORDS, SO_FAR = "The position in words:", "End of the position."
"""Signs around the words in place of a picture, which identify them in a reply."""
PICTURE_WORD = "position"
"""A word of the first: a line without it needs no second look."""


def frame_picture_words(description: str) -> str:
    return f"{IN_WORDS} {' '.join(description.split())} {SO_FAR}"


def format_reply_line(title: str, turn: int | None = None) -> str:
    """Format the marker for the line below the first sentence of a letter. It holds no key: the reference does."""
    shown = shorten_title(title)
    about = f"turn {turn}" if turn is not None else ""
    where = ", ".join(filter(None, (shown, about)))
    return f"--- {REPLY}. {capitalize_text(where) if not shown else where} ---" if where else f"--- {REPLY} ---"


def write_reference(marker: Marker, *, over: bool = False) -> str:
    """Return the last line of a letter, by which a host knows its own mail again."""
    parts = (REFERENCE, shorten_title(marker.title), "over" if over else str(marker.turn), marker.after, marker.key)
    return " ".join(filter(None, parts))


def shorten_title(title: str, longest: int = LONGEST_TITLE) -> str:
    return title if len(title) <= longest else title[: longest - 1].rstrip() + "…"


def is_our_line(text: str) -> bool:
    """Return True if a line is the marker, a heading or the words for a picture: nothing of the sender's follows it."""
    return is_marker(text) or text.strip() in HEADINGS or is_picture_start(text)


def is_picture_start(text: str) -> bool:
    """Return True if the words for a picture begin in a line, such as `[image: The position in words: …`."""
    text = text[:LONGEST]
    return PICTURE_WORD in text and IN_WORDS in single_space(text)


def find_picture_end(lines: Sequence[Line], begin: int) -> int:
    """Return the index behind the words for a picture, which mail programs break; an empty or quoted line ends it."""
    before, most = "", min(len(lines), begin + MOST_ALT)
    for index in range(begin, most):
        text = lines[index].text[:LONGEST_ALT]
        if index > begin and (lines[index].quoted or not text.strip()):
            return index
        if SO_FAR in single_space(f"{before[-len(SO_FAR) :]} {text}"):
            return index + 1
        before = text
    return most


@cites("mail.marker")
def is_marker(text: str) -> bool:
    text = text[:LONGEST]
    if PHRASE_WORD not in text.casefold():
        return False
    text = single_space(text).casefold()
    return any(phrase in text for phrase in PHRASES)


def has_lead(text: str) -> bool:
    """Return True if a line is a marker with a sentence of ours above it."""
    return PHRASES[1] in single_space(text[:LONGEST]).casefold()


def read_marker(lines: Sequence[Line], begin: int) -> Marker | None:
    """Read the marker that begins on a line; None if it cannot be read any more."""
    text = join_marker_lines(lines, begin)
    turn = TURN.search(text)
    if turn is None:
        return None
    before = text[: turn.start()]
    return Marker(int(turn[1]), turn[2], before[before.rfind("(") + 1 :].strip(" ,"), turn[3] or "")


def read_reference(lines: Sequence[Line], begin: int) -> Marker | None:
    """Read the reference that begins on a line, if one does that names a turn."""
    if not REFERS.match(lines[begin].text[:MAX_MARKER_LINE]):
        return None
    found = REFERRED.search(join_marker_lines(lines, begin))
    return Marker(int(found[2]), found[3], found[1] or "", found[4] or "") if found else None


def join_marker_lines(lines: Sequence[Line], begin: int) -> str:
    """Return a line and the next ones as one text, without quote marks, as before a mail program has broken it."""
    texts = (line.text.strip().lstrip("> ") for line in lines[begin : begin + CONTINUED])
    return single_space(" ".join(text[:MAX_MARKER_LINE] for text in texts))


def read_id(message_id: str) -> Marker | None:
    parts = ID.match(message_id)
    return Marker(int(parts[2]), parts[3]) if parts else None


LENGTH = 12
"""Characters of a key: 60 bits, far more than anybody could try by mail."""
IN_TEXT = re.compile(
    rf"\b[0-9a-f]{{6}}\b,?\s+(?:key\s+)?([a-z2-7]{{{LENGTH}}})\b|(?:\+|%2b)([a-z2-7]{{{LENGTH}}})\"?(?:@|%40)",
    re.IGNORECASE,
)
"""A key behind a hash, as our letters name it, or behind a plus in an address, also in one of a link."""
WORD = re.compile(rf"(?<!\S)[a-z2-7]{{{LENGTH}}}(?!\S)")
QUOTING = "> |]\t"
MAX_KEY_LINE = 400
"""Characters of a line in which a key is looked for."""


def draw_word(secret: bytes, named: str, length: int) -> str:
    """Return a word of lower-case letters and the digits 2 to 7 for a name: only who knows the secret can make it."""
    digest = hmac(secret, named.encode("utf-8", "replace"), sha256).digest()
    return b32encode(digest).decode()[:length].lower()


def make_key(secret: bytes, game: str, seat: int, turn: int, after: str, offer: str = "") -> str:  # noqa: PLR0917 - what a key is for
    """Return the key of a seat at a turn, after the hash of all before, in lower-case letters and the digits 2 to 7."""
    named = ("tkid key 1", game, str(seat), str(turn), after, *([offer] if offer else []))
    return draw_word(secret, "\n".join(named), LENGTH)


def make_club_key(secret: bytes, address: str, about: str, issued: str) -> str:
    """Return the key of a letter of the club to an address; `issued` tells letters about the same thing apart."""
    return draw_word(secret, f"tkid club key 1\n{address.lower()}\n{about}\n{issued}", LENGTH)


def find_keys(lines: Sequence[Line]) -> Iterator[str]:
    """Find possible keys in a mail, also broken or quoted: behind a hash or plus first, then in references."""
    text = " ".join(line.text[:MAX_KEY_LINE].strip().lstrip(QUOTING) for line in lines)
    for match in IN_TEXT.finditer(text):
        yield (match[1] or match[2]).lower()
    for index, line in enumerate(lines):
        if REFERS.match(line.text[:MAX_KEY_LINE]):
            yield from WORD.findall(join_marker_lines(lines, index))
