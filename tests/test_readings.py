"""The evidence that a source was read whole fits the register: every rule as it stands now, every sentence by number.

A page of docs/decisions has the evidence. Each source is a row of `READINGS`, and one page may hold several of them.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from tests.shared.readings import ids, rows, section
from tests.shared.tables import each_row
from tkid.rulebook import Rule, all_rules

FINDINGS = ("agrees", "differed: ", "a ruling: ", "not in the book: ")
NUMBERS = re.compile(r"(\d+(?:-\d+)?(?:, \d+(?:-\d+)?)*): ")
"""The numbers of sentences at the beginning of a part of a row: `1, 3-5: `."""


class Reading(NamedTuple):
    """Where the evidence for a source is, and how many sentences the source has.

    `before` is what the headings of the page begin with, where it holds more than one source ("Digest: ").
    """

    page: str
    prefix: str
    text: str
    sentences: int
    before: str = ""


OTHERS = "0028-readings-of-digest-manual-and-claim.md"
READINGS = (
    Reading("0011-a-second-reading.md", "second", "rulebook", 209),
    Reading("0027-a-reading-of-the-first-edition.md", "first", "first edition", 95),
    Reading(OTHERS, "digest", "digest", 89, "Digest: "),
    Reading(OTHERS, "manual", "manual", 74, "Manual: "),
    Reading(OTHERS, "claim", "claim", 73, "Claim: "),
)
"""Every source that was read in this way."""


class Part(NamedTuple):
    """A row of the first table: the rule, its heading in the source, what was found, and the statement's fingerprint."""

    rule_id: str
    heading: str
    finding: str
    fingerprint: str


def part_of(reading: Reading, title: str) -> str:
    """A part of the page of a source."""
    return section(reading.page, f"{reading.before}{title}")


def parts(reading: Reading) -> list[Part]:
    """The rows from the rules to the source."""
    read = rows(part_of(reading, "From the rules to the book"))
    return [Part(ids(first)[0], heading, finding, fingerprint) for first, heading, finding, fingerprint in read]


def rules_of(reading: Reading) -> list[Rule]:
    """The rules that the register has of a source."""
    return [entry for entry in all_rules() if entry.prefix == reading.prefix]


def numbers(cell: str) -> Iterator[int]:
    """The numbers of the sentences in a cell of the second table."""
    for each in NUMBERS.findall(cell):
        for span in each.split(", "):
            first, _, last = span.partition("-")
            yield from range(int(first), int(last or first) + 1)


@each_row("reading", READINGS)
def test_every_rule_was_read_under_its_heading_as_it_stands_now(reading: Reading) -> None:
    """A statement that changed has another fingerprint: read it again beside the source, then mend its row."""
    assert [(part.rule_id, part.heading, part.fingerprint) for part in parts(reading)] == [
        (
            entry.id,
            entry.source.removeprefix(f"{reading.text}: "),
            f"`{sha256(entry.statement.encode()).hexdigest()[:6]}`",
        )
        for entry in rules_of(reading)
    ]


@each_row("reading", READINGS)
def test_every_finding_says_what_was_found_and_the_page_counts_them(reading: Reading) -> None:
    findings = [part.finding for part in parts(reading)]
    assert all(finding.startswith(FINDINGS) for finding in findings)
    agreed, differed, rulings, ours = (sum(finding.startswith(kind) for finding in findings) for kind in FINDINGS)
    summary = " ".join(part_of(reading, "What was found").split())
    assert summary.startswith(f"Of {len(findings)} rules, {agreed} agreed and {rulings} are rulings")
    assert f" {differed} differed" in summary
    assert f"the wording of {ours} other" in summary


@each_row("reading", READINGS)
def test_rulings_are_found_to_be_rulings(reading: Reading) -> None:
    assert {entry.id for entry in rules_of(reading) if entry.kind == "ruling"} == {
        part.rule_id for part in parts(reading) if part.finding.startswith("a ruling: ")
    }


@each_row("reading", READINGS)
def test_every_rule_is_reached_from_the_source_or_named_as_in_no_single_sentence(reading: Reading) -> None:
    listed, apart, rest = part_of(reading, "From the book to the rules").partition("No single sentence")
    assert apart
    own = {entry.id for entry in rules_of(reading)}
    reached = set(ids(listed))
    assert own <= reached | set(ids(rest))
    assert not reached & set(ids(rest))


@each_row("reading", READINGS)
def test_every_sentence_of_the_source_is_accounted_for(reading: Reading) -> None:
    """Under each heading the sentences are numbered from 1, and no number is left out."""
    counted = 0
    for heading, cell in rows(part_of(reading, "From the book to the rules")):
        found = set(numbers(re.sub(r"\]\(.*?\)", "]", cell)))
        assert found == set(range(1, len(found) + 1)), heading
        counted += len(found)
    assert counted == reading.sentences
