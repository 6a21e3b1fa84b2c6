"""What mail programs put before a quotation: `On … wrote:`, `From: …`; no remark, and an end where nothing is marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tkid.mail.inbound.normalize import words_of
from tkid.mail.marker import has_lead
from tkid.mail.model import Line
from tkid.orders.kinds import FIRST_WORDS
from tkid.rulebook import cites

LONGEST_LABEL = 20
"""Characters before the colon of a line like `From: …`."""
FEWEST_LABELS = 3
"""Lines of `From: …` and the like that a mail program writes at least."""
FEWEST_WORDS = 4
"""Words of a sentence of ours at least."""
LOOK = 400
"""Characters of a line that are looked at."""
COLONS = (":", "：")
RULE = re.compile(r"-{4,}\s*(?!BEGIN PGP|END PGP)[^\W\d_](?:[^-]|-(?!-))*-{4,}\s*")
"""`-----Original Message-----` in all languages."""
ADDRESS = re.compile(r"[<(\[][^<>()\[\]\s]+@[^<>()\[\]\s]+[>)\]]")


def begins_quotation(lines: Sequence[Line], index: int) -> bool:
    """Whether a quotation without marks begins on a line: nothing below it is the sender's.

    It begins with lines like `From: …` of which one holds an address, perhaps below a line of dashes; or with one like
    `… <address> wrote:` above indented lines.
    """
    text = lines[index].text[:LOOK]
    below = _following(lines, index)
    if RULE.fullmatch(text.strip()):
        return bool(below) and (_names_author(below) or _is_labelled(lines, lines.index(below[0], index), 1))
    if _is_label(text) and _is_labelled(lines, index, FEWEST_LABELS):
        return True
    return bool(below) and _names_author([lines[index]]) and below[0].text.startswith((" ", "\u00a0"))


@cites("mail.introduction")
def apart(lines: Sequence[Line]) -> list[Line]:
    """Lines, of which those that introduce a quotation (`On … wrote:`) count as quoted: no order goes on with them."""
    introducing = set[int]()
    for index, line in enumerate(lines):
        if line.quoted and index and not lines[index - 1].quoted:
            introducing.update(_introducing(lines, index))
    return [Line(line.text, line.quoted or index in introducing) for index, line in enumerate(lines)]


def _introducing(lines: Sequence[Line], quotation: int) -> Iterator[int]:
    """The one line, or two, that introduce the quotation that begins on a line; nothing where none do."""
    last = quotation - 1
    while last > 0 and not lines[last].text.strip():
        last -= 1
    text = lines[last].text[:LOOK].strip()
    if lines[last].quoted or not text.endswith(COLONS):
        return
    above = lines[last - 1].text[:LOOK].strip() if last and not lines[last - 1].quoted else ""
    if _is_introduction(text):
        yield last
    elif len(words_of(text)) <= FEWEST_WORDS and _is_introduction(above):
        yield from (last - 1, last)


def _is_introduction(text: str) -> bool:
    """Whether a line has an address or a number, as `On … wrote:` has, and does not begin like an order."""
    words = words_of(text)
    return bool(words) and words[0] not in FIRST_WORDS and ("@" in text or any(map(str.isdigit, text)))


def _following(lines: Sequence[Line], index: int) -> list[Line]:
    """The next two lines that are not empty, where they are not quoted."""
    filled = [line for line in lines[index + 1 : index + 6] if line.text.strip()][:2]
    return filled if filled and not filled[0].quoted else []


def _names_author(lines: Sequence[Line]) -> bool:
    """Whether a line, or two, say who wrote what is quoted."""
    texts = [line.text[:LOOK].strip() for line in lines]
    return any(text.endswith(COLONS) and ADDRESS.search(text) is not None for text in (texts[0], " ".join(texts)))


def _is_labelled(lines: Sequence[Line], index: int, fewest: int) -> bool:
    """Whether lines like `From: …` begin on a line, one with an address."""
    labels = []
    for line in lines[index : index + 8]:
        if line.quoted or not _is_label(line.text[:LOOK]):
            break
        labels.append(line.text[:LOOK])
    return len(labels) >= fewest and any(map(ADDRESS.search, labels))


def _is_label(text: str) -> bool:
    label, *rest = re.split("[:：]", text.strip(" *_\t"), maxsplit=1)
    words = words_of(label)
    return bool(rest and words) and len(label) <= LONGEST_LABEL and words[0] not in FIRST_WORDS


def without_lead(remark: list[str], lines: Sequence[Line], marker: int) -> list[str]:
    """A remark without the sentence that our letters have above a marker line; it is the nearest line with words."""
    above = next((line.text for line in reversed(lines[max(0, marker - 3) : marker]) if line.text.strip()), "").strip()
    is_sentence = above.endswith((".", "?")) and len(words_of(above)) >= FEWEST_WORDS
    is_lead = is_sentence and has_lead(lines[marker].text) and remark[-1:] == [above]
    return remark[:-1] if is_lead else remark


def without_introduction(remark: list[str]) -> list[str]:
    """A remark without the lines that a mail program puts before a quotation (`On … wrote:`, `From: …`)."""
    kept = list(remark)
    if kept and kept[-1].endswith(COLONS):
        kept.pop()
        if kept and "@" not in remark[-1] and any(sign in kept[-1] for sign in "<@") and len(kept[-1]) > 20:
            kept.pop()
        return kept
    header = len(kept)
    while header and ":" in kept[header - 1][:20]:
        header -= 1
    if len(kept) - header >= FEWEST_LABELS:
        kept = kept[:header]
    while kept and (kept[-1].startswith("---") or not any(c.isalnum() for c in kept[-1])):
        kept.pop()
    return kept
