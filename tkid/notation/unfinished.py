"""Text beside a turn whose form shows that its writer meant something else: a sentence that breaks off, or a line of a game file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.notation.free_words import WORD, unaccented
from tkid.notation.judge import Evidence, Line, Verdict, judge
from tkid.notation.text import plain

NOTE = re.compile(r"\s*#\s*[^\W\d_]+(?:[ -][^\W\d_]+)*\s*:")
"""How a line about the game begins in a game file, such as `# resigned:`."""
ENDS = re.compile(r"[.!?…]+")
OPEN = frozenset(
    "and or but if unless because except und oder aber wenn falls weil sondern mais sauf pero porque maar omdat perche".split()  # noqa: SIM905
)
"""Words behind which a sentence continues."""
BEGINNING = frozenset(
    "actually however instead though well eigentlich allerdings moment enfin finalement pourtant realmente eigenlijk pero comunque".split()  # noqa: SIM905
)
"""Words that say nothing alone, and often begin a second thought."""
MOST_BEGINNING = 2
"""Words of a sentence that has only begun."""


def judge_whole(
    lines: Sequence[Line], names: Sequence[str] = (), cards: Sequence[str] = (), places: Sequence[str] = ()
) -> Verdict:
    """Judge what somebody wrote beside a turn, as `judge` does, and by its form too."""
    verdict = judge(lines, names, cards, places)
    if verdict.act == "ask" or not (text := _unfinished(lines)):
        return verdict
    return Verdict("ask", (Evidence("unfinished", text), *verdict.evidence))


def _unfinished(lines: Sequence[Line]) -> str:
    """Return a line of a game file among the lines, or a sentence that breaks off; "" if there is none."""
    for at, line in enumerate(lines):
        if line.ordered:
            continue
        if NOTE.match(line.text):
            return line.text.strip()
        last = line.text.rstrip(" .…") if line.text.rstrip().endswith(("...", "…")) else line.text
        said, below = ENDS.split(last)[-1], lines[at + 1 :]
        is_end = not below or not below[0].text.strip()
        if is_end and not _leads_to_order(below) and _breaks_off(said):
            return said.strip()
    return ""


def _leads_to_order(below: Sequence[Line]) -> bool:
    """Return whether an order is next, so that a sentence may continue in it."""
    return next((bool(line.ordered) for line in below if line.text.strip()), False)


def _breaks_off(said: str) -> bool:
    """Return whether a sentence has only begun, or ends in a word behind which it continues."""
    words = [unaccented(plain(word)).casefold() for word in WORD.findall(said)]
    if not words:
        return False
    return words[-1] in OPEN or (len(words) <= MOST_BEGINNING and {*words} <= OPEN | BEGINNING)
