"""Files that are not game files: what each is, by how it begins, and what to do with it."""

from __future__ import annotations

import re
from typing import NamedTuple

GAME_FILE = b"Tkid-Record:"
LOOKED_AT = 4096
"""Bytes at the beginning of a file that tell what it is."""


class Foreign(NamedTuple):
    """A file that is not a game file: what it is, such as `a picture (PNG)`, and what to do instead."""

    what: str
    hint: str


SHOWN = "It shows a game, and tkid cannot read it back. Use the game file, which usually ends in .tkid."
PACKED = "Unpack it, and use the game file in it. `tkid check` also reads zip and tar archives, by their names."
UNPACKED = "Unpack it first, for instance with `%s`. `tkid check` also reads a packed tar archive, if its name ends in .tar.gz or the like."
PRIVATE = "It belongs beside the game file, which usually ends in .tkid. Show it to nobody."
DEALING = "`tkid letter new` continues it, and writes the game to a file that ends in .tkid."
DEAL, DRAW = Foreign("a deal", DEALING), Foreign("a draw", DEALING)
BYTES = {
    b"\x89PNG": Foreign("a picture (PNG)", SHOWN),
    b"GIF8": Foreign("a picture (GIF)", SHOWN),
    b"\xff\xd8\xff": Foreign("a picture (JPEG)", SHOWN),
    b"RIFF": Foreign("a picture, a film or a sound", SHOWN),
    b"%PDF": Foreign("a PDF", SHOWN),
    b"PK\x03\x04": Foreign("an archive (zip)", PACKED),
    b"PK\x05\x06": Foreign("an archive (zip)", PACKED),
    b"\x1f\x8b": Foreign("a packed file (gzip)", UNPACKED % "gunzip"),
    b"BZh": Foreign("a packed file (bzip2)", UNPACKED % "bunzip2"),
    b"\xfd7zXZ": Foreign("a packed file (xz)", UNPACKED % "unxz"),
    b"7z\xbc\xaf": Foreign("an archive (7z)", PACKED),
    b"\xd0\xcf\x11\xe0": Foreign(
        "a file of Outlook's own (.msg)", "Save the mail as text or `.eml`, or only the attachment."
    ),
    b"\x78\x9f\x3e\x22": Foreign(
        "a file of Outlook's own (winmail.dat)", "Ask the sender for plain text, or for the game file as an attachment."
    ),
    b"SQLite format 3": Foreign(
        "a database, perhaps of a host", "`tkid host export DIR GAME -o FILE` writes a game of a host to a file."
    ),
}
"""How files begin that are no text."""
TAR, TAR_AT = b"ustar", 257
TEXTS = {
    re.compile(r"<!doctype html|<html", re.IGNORECASE): Foreign("a web page (HTML)", SHOWN),
    re.compile(r"<svg|<\?xml", re.IGNORECASE): Foreign("a picture (SVG)", SHOWN),
    re.compile(r"tkid-deal\s*:", re.IGNORECASE): DEAL,
    re.compile(r"tkid-draw\s*:", re.IGNORECASE): DRAW,
    re.compile(r"tkid-seed\s*:", re.IGNORECASE): Foreign("a seed", PRIVATE),
    re.compile(r"tkid-nonce\s*:", re.IGNORECASE): Foreign("a nonce", PRIVATE),
    re.compile(r"tkid-key\s*:", re.IGNORECASE): Foreign("a key for sealed seeds", "Show it to nobody."),
    re.compile(r"tkid-escrow\s*:", re.IGNORECASE): Foreign(
        "a sealed seed", "The friend who has the key opens it with `tkid letter escrow-open`."
    ),
    re.compile(r'\{\s*"|\[\s*[{"]'): Foreign(
        "JSON", "`tkid check` and `tkid impact` read lines of JSON from a file that ends in .jsonl."
    ),
    re.compile(r"[a-z]+(?:-[a-z]+)*(?: \d+)?; [^\n]*; (?:to play|ended|due)\b"): Foreign(
        "a position in one line", "Give it to `tkid show` in quotes, in place of a file."
    ),
    re.compile(r"> ?tkid-record\s*:", re.IGNORECASE): Foreign(
        "a quotation of a game file", "Remove the `>` before each line, or ask for the file as an attachment."
    ),
}
"""How the first lines of texts begin."""
MAIL = re.compile(
    r"(?:from|to|cc|date|subject|sender|received|return-path|delivered-to|message-id|mime-version|reply-to|references"
    r"|in-reply-to|content-type|content-transfer-encoding|dkim-signature|authentication-results|(?:x|arc|list)-[\w-]+)\s*:"
    r"|from \S+@|\s+\S",
    re.IGNORECASE,
)
"""A line in the header of a mail."""
MAILED = Foreign("a mail", "`tkid letter read FILE MAIL` reads the game file in it; add --begin to start a new FILE.")
FEWEST = 2
"""Lines of a header that make a text a mail."""


def find_foreign(data: bytes) -> Foreign | None:
    """Return what a file is that is plainly no game file; None where it is a game file, or nothing known."""
    start = data[:LOOKED_AT]
    if start.startswith(GAME_FILE):  # nearly always
        return None
    if found := next((foreign for begins, foreign in BYTES.items() if start.startswith(begins)), None):
        return found
    if start[TAR_AT:].startswith(TAR):
        return Foreign("an archive (tar)", PACKED)
    lines = [line for line in start.decode("utf-8-sig", "replace").splitlines() if not line.startswith("#")]
    text = "\n".join(lines).lstrip()
    if found := next((foreign for begins, foreign in TEXTS.items() if begins.match(text)), None):
        return found
    return MAILED if _is_mail(text.splitlines()) else None


def _is_mail(lines: list[str]) -> bool:
    """Return True if a text begins with the header of a mail."""
    header = lines[: lines.index("")] if "" in lines else lines
    return len(header) >= FEWEST and all(map(MAIL.match, header[:FEWEST]))
