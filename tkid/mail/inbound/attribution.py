"""What mail programs put before a quotation: `On … wrote:`, `From: …`; no remark, and an end where nothing is marked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.mail.inbound.broken_lines import words_of
from tkid.mail.model import Line
from tkid.orders.kinds import FIRST_WORDS

LONGEST_LABEL = 20
"""Characters before the colon of a line like `From: …`."""
FEWEST_LABELS = 3
"""Lines of `From: …` and the like that a mail program writes at least."""
LOOK = 400
"""Characters of a line that are looked at."""
RULE = re.compile(r"-{4,}\s*(?!BEGIN PGP|END PGP)[^\W\d_](?:[^-]|-(?!-))*-{4,}\s*")
"""`-----Original Message-----` in all languages."""
ADDRESS = re.compile(r"[<(\[][^<>()\[\]\s]+@[^<>()\[\]\s]+[>)\]]")


def begins_quotation(lines: Sequence[Line], at: int) -> bool:
    """Whether a quotation without marks begins on a line: nothing below it is the sender's.

    It begins with lines like `From: …` of which one holds an address, perhaps below a line of dashes; or with one like
    `… <address> wrote:` above indented lines.
    """
    text = lines[at].text[:LOOK]
    below = _following(lines, at)
    if RULE.fullmatch(text.strip()):
        return bool(below) and (_is_told(below) or _labelled(lines, lines.index(below[0], at), 1))
    if _is_label(text) and _labelled(lines, at):
        return True
    return bool(below) and _is_told([lines[at]]) and below[0].text.startswith((" ", "\u00a0"))


def _following(lines: Sequence[Line], at: int) -> list[Line]:
    """The next two lines that are not empty, where they are not quoted."""
    found = [line for line in lines[at + 1 : at + 6] if line.text.strip()][:2]
    return found if found and not found[0].quoted else []


def _is_told(lines: Sequence[Line]) -> bool:
    """Whether a line, or two, tell who wrote what is quoted."""
    text = " ".join(line.text[:LOOK].strip() for line in lines)
    first = lines[0].text[:LOOK].strip()
    return any(each.endswith((":", "：")) and ADDRESS.search(each) is not None for each in (first, text))


def _labelled(lines: Sequence[Line], at: int, fewest: int = FEWEST_LABELS) -> bool:
    """Whether lines like `From: …` stand there, one with an address."""
    found = []
    for line in lines[at : at + 8]:
        if line.quoted or not _is_label(line.text[:LOOK]):
            break
        found.append(line.text[:LOOK])
    return len(found) >= fewest and any(ADDRESS.search(text) for text in found)


def _is_label(text: str) -> bool:
    label = re.split("[:：]", text.strip(" *_\t"), maxsplit=1)
    words = words_of(label[0])
    return len(label) > 1 and len(label[0]) <= LONGEST_LABEL and bool(words) and words[0] not in FIRST_WORDS


def without_introduction(remark: list[str]) -> list[str]:
    """A remark without the lines that a mail program puts before a quotation (`On … wrote:`, `From: …`)."""
    kept = list(remark)
    if kept and kept[-1].endswith((":", "：")):
        kept.pop()
        if kept and "@" not in remark[-1] and any(sign in kept[-1] for sign in "<@") and len(kept[-1]) > 20:
            kept.pop()
        return kept
    header = len(kept)
    while header and ":" in kept[header - 1][:20]:
        header -= 1
    if len(kept) - header >= 3:
        kept = kept[:header]
    while kept and (kept[-1].startswith("---") or not any(c.isalnum() for c in kept[-1])):
        kept.pop()
    return kept
