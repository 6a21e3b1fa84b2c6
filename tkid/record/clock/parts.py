"""The parts that lines about time have in common: a player's name, a moment at the end, and what is wrong with either."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import composed, plain
from tkid.notation.vocabulary import listed
from tkid.record.clock.times import TIME, WAY, time_fault
from tkid.record.format.names import player_hint
from tkid.rulebook import cites

FORM, PLAYER = "post.note.form", "post.note.player"
ENDS_WITH_TIME = re.compile(rf"(?:^|(?<=[\s,]))(?P<time>{TIME})[\s.]*$", re.IGNORECASE)
HASHED = re.compile(r"(?<=\s)#(?P<hash>[0-9a-f]{6})\s*$", re.IGNORECASE)
BETWEEN = re.compile(r"\s*(?:,\s*and\b|,|&|\band\b)\s*", re.IGNORECASE)


def hash_of(comment: str) -> str:
    """The hash at the end of a comment line, "" where there is none."""
    found = HASHED.search(comment)
    return found["hash"].lower() if found else ""


def without_hash(comment: str) -> str:
    """A comment line without the hash at its end."""
    found = HASHED.search(comment)
    return comment[: found.start()].rstrip() if found else comment


def named(names: Sequence[str], text: str) -> tuple[int, str] | None:
    """The seat that a text begins with, by name or number, the longest that fits; and what stands behind it."""
    text = " ".join(composed(text).split())
    by_name = [(composed(plain(name)), seat) for seat, name in enumerate(names)]
    by_number = [(str(seat + 1), seat) for seat in range(len(names))]
    for name, seat in sorted(by_name, key=lambda each: -len(each[0])) + by_number:
        rest = text[len(name) :]
        if text[: len(name)].casefold() == name.casefold() and (not rest or rest[0] in " ,&"):
            return seat, rest if rest[:1] in {",", "&"} else rest.strip()
    return None


def all_named(names: Sequence[str], text: str) -> tuple[tuple[int, ...], str]:
    """All seats that a text names one after the other, in turn order, and what stands behind them."""
    seats = set[int]()
    while (found := named(names, text)) is not None and found[0] not in seats:
        seats.add(found[0])
        text = found[1]
        between = BETWEEN.match(text)
        text = text[between.end() :] if between else text
    return tuple(sorted(seats)), text


@cites("post.note.player")
def nobody(names: Sequence[str], text: str, rest: str) -> Problem:
    """The problem with a name that nobody at the table has."""
    word = rest.split(maxsplit=1)[0].rstrip(",") if rest else ""
    hint = player_hint(word, names) if word else f"The players are {listed(list(names), 'and')}."
    message = f"`{word}` is not a player in this game" if word else "The player is missing"
    return Problem(Kind.NAME, PLAYER, message, col=max(0, text.find(word)) + 1, length=max(1, len(word)), hint=hint)


def no_time(word: str, text: str) -> Problem:
    """The problem with a line that has no moment where one belongs."""
    typed = re.search("[0-9]", without_hash(text).partition(":")[2])
    message = time_fault(text) or (
        f"I can't read the time after `{word}`" if typed else f"The time after `{word}` is missing"
    )
    return Problem(Kind.SYNTAX, FORM, message, length=len(text), hint=f"Write it as {WAY}.")


def malformed(word: str, text: str, form: str) -> Problem:
    """The problem with a line that begins like one of ours and is none; `form` is an example of how it is written."""
    message = time_fault(text) or f"This begins like a line about `{word}`, but the rest is different"
    return Problem(Kind.SYNTAX, FORM, message, length=len(text), hint=f"Write it like this: `{form}`.")
