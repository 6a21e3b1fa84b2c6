"""The evidence of the second reading fits the register: every rule was read, as it stands now, under its heading."""

import re
from hashlib import sha256
from pathlib import Path

from tkid.rulebook import all_rules, rule

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "decisions" / "0011-a-second-reading.md").read_text("utf-8")
RULES = [entry for entry in all_rules() if entry.prefix == "second"]
FINDINGS = ("agrees", "differed: ", "a ruling: ", "not in the book: ")

READINGS = {
    "second.ruling.borders": ("thirteen",),
    "second.ruling.undo": ("exact-reversal",),
    "second.ruling.spy-on-spy": ("not-chosen",),
    "second.ruling.spy-pile": ("any", "resolvable"),
    "second.ruling.ladder-scope": ("everywhere",),
    "second.ruling.suppress-second": ("any", "english"),
    "second.ruling.spy-negotiate": ("own",),
    "second.ruling.nobody-to-summon": ("none",),
    "second.ruling.empty-hand": ("resolve",),
    "second.ruling.second-rank": ("skip", "none-ranked"),
    "second.ruling.final-tie": ("shared", "last-card"),
    "second.ruling.plot-hand": ("literal", "counts-as-empty"),
    "second.ruling.invasion-tie": ("shared",),
    "second.ruling.third-disc": ("invasion",),
    "second.ruling.team-emptied": ("both",),
    "second.ruling.team-order": ("opposite",),
    "second.ruling.plot": ("at-the-end",),
    "second.ruling.open-record": ("top-only",),
    "second.ruling.open-hands": ("open", "hidden"),
    "second.ruling.start-player": ("drawn",),
}
"""The readings that were given for the second edition, with their options, the default first; the id's last word is the
short name by which each was given (`borders`: the maps)."""


def section(title: str) -> str:
    """A part of the page."""
    (text,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def rows(title: str) -> list[list[str]]:
    """The rows of a part's table, without its head."""
    table = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[2:]]


def ids(text: str) -> list[str]:
    """The rules that a text links to."""
    linked = re.findall(r"\[(\S+)\]\(\.\./rules/second-edition\.md#(\S+)\)", text)
    assert all(shown == target for shown, target in linked)
    return [target for _, target in linked]


def test_every_rule_was_read_under_its_heading_as_it_stands_now() -> None:
    """A statement that changed has another fingerprint: read it again beside the book, then mend its row."""
    read = [
        (*ids(first), heading, fingerprint) for first, heading, _, fingerprint in rows("From the rules to the book")
    ]
    assert read == [
        (
            entry.id,
            entry.source.removeprefix("rulebook: "),
            f"`{sha256(entry.statement.encode()).hexdigest()[:6]}`",
        )
        for entry in RULES
    ]


def test_every_finding_says_what_was_found_and_the_page_counts_them() -> None:
    findings = [finding for _, _, finding, _ in rows("From the rules to the book")]
    assert all(finding.startswith(FINDINGS) for finding in findings)
    counts = [sum(finding.startswith(kind) for finding in findings) for kind in FINDINGS]
    agreed, differed, rulings, ours = counts
    told = " ".join(section("What was found").split())
    assert told.startswith(f"Of {len(findings)} rules, {agreed} agreed and {rulings} are rulings")
    assert f"{differed} differed" in told
    assert f"the wording of {ours} other" in told


def test_rulings_are_found_to_be_rulings() -> None:
    found = {ids(first)[0]: finding for first, _, finding, _ in rows("From the rules to the book")}
    assert {entry.id for entry in RULES if entry.kind == "ruling"} == {
        each for each, finding in found.items() if finding.startswith("a ruling: ")
    }


def test_every_rule_is_reached_from_the_book_or_named_as_not_told_by_one_sentence() -> None:
    table, apart, rest = section("From the book to the rules").partition("No single sentence")
    assert apart
    assert set(ids(table)) | set(ids(rest)) == {entry.id for entry in RULES}
    assert not set(ids(table)) & set(ids(rest))


def test_every_reading_given_has_its_entry_and_no_other_is_taken() -> None:
    assert READINGS.keys() == {entry.id for entry in RULES if entry.kind == "ruling"}
    for each, options in READINGS.items():
        assert tuple(rule(each).options) == options
        assert rule(each).default == options[0]
    listed = {ids(row[1])[0]: tuple(re.findall(r"`(.+?)`", row[2])) for row in rows("Rulings")}
    assert listed == READINGS
    for short, linked, _ in rows("Rulings"):
        assert ids(linked)[0].endswith(f".{short.strip('`')}") or ids(linked) == ["second.ruling.borders"]
