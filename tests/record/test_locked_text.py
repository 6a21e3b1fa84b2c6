"""The text of a deal: tolerant where nothing is lost, strict where something is, and cut off at any place."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from textwrap import wrap

import pytest
from attrs import evolve

from tests.record.locked_vectors import FOLDER, checked, closed, opened
from tests.shared.tables import each_row, sample
from tkid.record import locked_cards
from tkid.record.locked_deal import LockedDeal, begin
from tkid.record.locked_text import (
    DECK,
    KEYS,
    MOST_BYTES,
    PROOF,
    UNLOCKS,
    compute_check,
    merge_deals,
    read_deal,
    write_deal,
)

TEXT = (FOLDER / "two.deal").read_text("utf-8")
SEED = 20261123
WIDTH = 60


def wrapped(text: str) -> str:
    """A text as mail programs break it: lines go on behind a blank, or where there is none, anywhere."""
    return "\n".join("\n".join(wrap(line, WIDTH, break_on_hyphens=False)) or "" for line in text.split("\n"))


SAME: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "lines end as on Windows": lambda text: text.replace("\n", "\r\n"),
    "blanks at the end of lines": lambda text: text.replace("\n", "  \n"),
    "more blanks between columns": lambda text: text.replace(" #", "    #"),
    "headings in capitals, with colons": lambda text: text.replace("\nKeys\n", "\nKEYS:\n").replace(
        "\nDeck Ann\n", "\ndeck ann:\n"
    ),
    "quoted": lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
    "quoted twice": lambda text: "".join(f">> {line}\n" for line in text.splitlines()),
    "a mark in front": lambda text: f"\ufeff{text}",
    "empty lines everywhere": lambda text: text.replace("\n", "\n\n"),
    "hard blanks": lambda text: text.replace(" ", "\u00a0"),
    "wrapped": wrapped,
}


@each_row("change", list(SAME.values()), ids=list(SAME))
def test_what_a_mail_does_to_a_text_is_undone(change: Callable[[str], str]) -> None:
    read = read_deal(change(TEXT).encode())
    assert read.content is not None, read.problems
    assert write_deal(read.content) == TEXT


# -- what is wrong ----------------------------------------------------------------------------------------


def replaced(heading: str, at: int, text: str) -> str:
    """The text with another line in a section, and its right check."""
    head, _, rest = TEXT.partition(f"\n{heading}\n")
    lines = rest.split("\n")
    lines[at] = checked(opened("two"), heading, text)
    return "\n".join([head, heading, *lines])


def column(heading: str, at: int, number: int, text: str) -> str:
    """The text with another column in a line, and its right check."""
    columns = TEXT.partition(f"\n{heading}\n")[2].split("\n")[at].split()[:-1]
    columns[number] = text
    return replaced(heading, at, " ".join(columns))


def coded(number: int) -> str:
    """A number in base64."""
    return locked_cards.encode_base64(number.to_bytes(32, "little"))


WRONG: dict[str, tuple[str, Callable[[], str]]] = {
    "neutral point in a deck": ("point", lambda: column("Deck Ann", 3, 1, coded(1))),
    "small order in a deck": ("point", lambda: column("Deck Bob", 0, 1, coded(0))),
    "small order in a key": ("point", lambda: column(KEYS, 0, 3, coded(locked_cards.FIELD - 1))),
    "not canonical in an unlock": ("point", lambda: column(UNLOCKS, 0, 2, coded(locked_cards.FIELD + 3))),
    "not on the curve": ("point", lambda: column(UNLOCKS, 0, 2, coded(2))),
    "scalar 0": ("point", lambda: column(UNLOCKS, 0, 3, coded(0))),
    "scalar not reduced": ("point", lambda: column(UNLOCKS, 0, 4, coded(locked_cards.ORDER))),
    "scalar of a round not reduced": ("point", lambda: column("Proof Ann", 5, 1, coded(locked_cards.ORDER + 1))),
    "base64 with leftover bits": ("point", lambda: column(KEYS, 0, 1, "A" * 42 + "B")),
    "base64 with =": ("point", lambda: column(KEYS, 0, 1, "A" * 43 + "=")),
    "base64 too short": ("point", lambda: column(KEYS, 0, 1, "AAAA")),
    "an order with a number twice": ("form", lambda: column("Proof Ann", 5, 2, "A" * 12)),
    "an order too short": ("form", lambda: column("Proof Ann", 5, 2, "ABC")),
    "place 0": ("form", lambda: column(UNLOCKS, 0, 1, "0")),
    "place 13": ("form", lambda: column(UNLOCKS, 0, 1, "13")),
    "no such player": ("form", lambda: column(UNLOCKS, 0, 0, "Zoe")),
    "a digit changed": ("whole", lambda: TEXT.replace("\n1 ", "\n1 A", 1)),
    "a line of another section": (
        "whole",
        lambda: TEXT.replace("Deck Ann", "Deck X").replace("Deck Bob", "Deck Ann").replace("Deck X", "Deck Bob"),
    ),
    "a line of another game": (
        "whole",
        lambda: TEXT.replace(
            "\nKeys\n",
            "\nKeys\n" + (FOLDER / "three.deal").read_text("utf-8").partition("\nKeys\n")[2].split("\n")[0] + "\n",
        ),
    ),
    "a section twice": ("form", lambda: TEXT + "\nSeeds\n"),
    "a game without secrets": ("", lambda: TEXT.replace("second-edition-advanced", "second-edition")),
    "no deal at all": ("form", lambda: "Tkid-Draw: 1\n"),
    "nothing": ("form", lambda: ""),
    "too much": ("form", lambda: TEXT + "\n" * MOST_BYTES),
    "a control character": ("form", lambda: TEXT.replace("Keys", "Ke\x07ys")),
    "no deck": (
        "whole",
        lambda: TEXT.partition("\nDeck Bob")[0] + "\nProof" + TEXT.partition("\nProof Bob")[2].join(" B"),
    ),
}


@each_row("rule,text", list(WRONG.values()), ids=list(WRONG))
def test_what_is_wrong_is_named(rule: str, text: Callable[[], str]) -> None:
    read = read_deal(text().encode())
    assert read.content is None
    first = read.problems[0]
    assert first.rule == f"record.deal.{rule}".rstrip("."), first
    assert first.message
    assert 1 <= first.line <= max(1, len(text().splitlines()))


@pytest.mark.slow
def test_any_change_of_a_character_is_seen() -> None:
    """One letter or digit of a section becomes another one: the text is refused, or says the same."""
    chance, start = Random(SEED), TEXT.index("\nKeys\n") + 6
    for _ in range(150):
        at = chance.randrange(start, len(TEXT))
        if TEXT[at].isspace():
            continue
        changed = TEXT[:at] + chance.choice("ABCxyz019+/") + TEXT[at + 1 :]
        read = read_deal(changed.encode())
        assert read.content is None or write_deal(read.content) == TEXT, at


PARTS = 400
"""Every place is in one of these parts; `make test` tries one of them."""


@pytest.mark.parametrize("part", sample(range(PARTS), PARTS))
def test_a_text_that_breaks_off_changes_nothing(part: int) -> None:
    """Cut at every byte: what is left of a text is refused, or is a part of the deal."""
    whole, data = opened("two"), TEXT.encode()
    for at in range(part, len(data), PARTS):
        read = read_deal(data[:at])
        if read.content is not None:
            assert merge_deals(whole, read.content, 0)[0] == whole
            assert is_part(read.content, whole)


def is_part(part: LockedDeal, whole: LockedDeal) -> bool:
    """Whether a deal has nothing that another one has not."""
    pairs = (
        [
            *zip(part.keys, whole.keys, strict=True),
            *zip(part.decks, whole.decks, strict=True),
            *zip(part.proofs, whole.proofs, strict=True),
            *zip(part.nonces, whole.nonces, strict=True),
            *zip(part.seeds, whole.seeds, strict=True),
        ]
        if part.terms == whole.terms
        else []
    )
    return (
        all(mine is None or mine == its for mine, its in pairs) and part.unlocks == whole.unlocks[: len(part.unlocks)]
    )


def test_headings_are_known() -> None:
    """What this test reads by its headings is what is written."""
    assert {f"{DECK} Ann", f"{PROOF} Bob", KEYS, UNLOCKS} <= set(TEXT.split("\n"))
    assert write_deal(evolve(closed("two"), unlocks=())).count("\nUnlocks\n") == 0
    assert read_deal(write_deal(begin(opened("two").head)).encode()).content == begin(opened("two").head)


# -- rows out of order ------------------------------------------------------------------------------------


def numbered(heading: str, change: Callable[[list[list[str]]], list[list[str]]]) -> str:
    """The text with other rows in a section, each with its right check."""
    deal = read_deal(TEXT.encode()).content
    assert deal is not None
    before, title, rest = TEXT.partition(f"\n{heading}\n")
    section, gap, after = rest.partition("\n\n")
    rows = change([line.partition(" #")[0].split() for line in section.splitlines()])
    lines = [f"{' '.join(row)} #{compute_check(deal.terms, heading, ' '.join(row))}" for row in rows]
    return f"{before}{title}{chr(10).join(lines)}{gap}{after}"


ROWS: dict[str, Callable[[list[list[str]]], list[list[str]]]] = {
    "no challenge": lambda rows: [["7", *rows[1][1:]], *rows[1:]],
    "two challenges": lambda rows: [rows[0], rows[0], *rows[2:]],
    "a challenge at the end": lambda rows: [*rows[1:], rows[0]],
    "two exchanged": lambda rows: [rows[0], rows[2], rows[1], *rows[3:]],
    "one twice": lambda rows: [*rows[:2], rows[1], *rows[3:]],
    "numbers of other signs": lambda rows: [rows[0], ["\u0661", *rows[1][1:]], *rows[2:]],
    "a number of thousands of digits": lambda rows: [rows[0], ["9" * 5000, *rows[1][1:]], *rows[2:]],
}


@each_row("change", list(ROWS.values()), ids=list(ROWS))
def test_rows_out_of_order_are_reported(change: Callable[[list[list[str]]], list[list[str]]]) -> None:
    for heading in (f"{PROOF} Ann", f"{DECK} Bob"):
        read = read_deal(numbered(heading, change).encode())
        assert read.content is None
        assert read.problems
    assert read_deal(numbered(f"{PROOF} Ann", lambda rows: rows).encode()).content is not None
