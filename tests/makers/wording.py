"""Fingerprints of all runs of eight words of a folder of texts: `python -m tests.makers.wording FOLDER`.

The texts whose rules are stated here are not part of the project, and none of their wording is. What is kept of them is
the beginning of the SHA-256 of every run of eight words, sorted: enough to find a copied run, too little to read.
"""

from __future__ import annotations

import html
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

FINGERPRINTS = Path(__file__).parents[2] / "fixtures" / "wording" / "runs.txt"
RUN = 8
"""As many words in a row as no text of ours may have in common with the texts."""
DIGITS = 12
"""Hexadecimal digits of a fingerprint: of a million runs of ours, not one in ten thousand would be taken for a copy by chance."""
PLANTED = "A walrus in yellow slippers counts ninety umbrellas before breakfast, and then the walrus counts them again."
"""A sentence of our own that stands among the texts on purpose, so that a test can find it."""
TAGS = re.compile(r"<!--.*?-->|</?[a-zA-Z][^>]*>", re.DOTALL)
TARGETS = re.compile(r"\]\([^)\s]*\)")


def undressed(text: str) -> str:
    """A text without tags, targets of links and entities."""
    return TAGS.sub(" ", TARGETS.sub("] ", html.unescape(text)))


def words(text: str) -> list[str]:
    """The words of a text in lower case, letters only, without accents."""
    letters = text.lower()
    if not text.isascii():
        letters = "".join(c for c in unicodedata.normalize("NFKD", letters) if not unicodedata.combining(c))
    return re.findall(r"[^\W\d_]+", re.sub(r"(?<=\w)['’](?=\w)", "", letters))


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Every run of eight words of a text."""
    told = words(text)
    return zip(*(told[start:] for start in range(RUN)), strict=False)


def fingerprint(run: Iterable[str]) -> str:
    """The fingerprint of a run of words."""
    return sha256(" ".join(run).encode()).hexdigest()[:DIGITS]


def made(texts: Iterable[str]) -> bytes:
    """The file of fingerprints of some texts, and of the planted sentence."""
    found = {fingerprint(run) for text in (PLANTED, *texts) for run in runs(text)}
    return "".join(f"{each}\n" for each in sorted(found)).encode()


if __name__ == "__main__":
    FINGERPRINTS.write_bytes(made(path.read_text("utf-8") for path in sorted(Path(sys.argv[1]).glob("*.txt"))))
