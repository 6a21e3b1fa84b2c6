"""The start of a record as text: its header and its set-up, in canonical form."""

from __future__ import annotations

from collections.abc import Iterator

from tkid.record.format.model import Header, Record
from tkid.record.plugin import record_plugin

LABEL = 12
KNOWN_HEADERS = ("Tkid-Record", "Ruleset", "Game", "Seat", "Seal", "Ruling", "Position")
"""The headers of the format, in the order in which they are written; `X-…` ones follow."""


def start_text(record: Record) -> str:
    """What the chain starts from: the canonical header and set-up without comments."""
    return "\n".join([*start_lines(record, comments=False), ""])


def start_lines(record: Record, *, comments: bool) -> list[str]:
    """The lines of the header and the set-up."""
    lines: list[str] = []
    for header in canonical_headers(record):
        lines += header.comments if comments else ()
        lines.append(f"{header.name}: {header.value}")
    if record.deal is None:
        return lines
    lines += ("", "Setup")
    for label, value in setup_rows(record):
        lines += record.row_comments.get(label, ()) if comments else ()
        lines.append(f"{label.ljust(LABEL)} {value}")
    return lines


def canonical_headers(record: Record) -> Iterator[Header]:
    """The headers in canonical order; those of one name keep theirs."""

    def order(header: Header) -> int:
        return KNOWN_HEADERS.index(header.name) if header.name in KNOWN_HEADERS else len(KNOWN_HEADERS)

    yield from sorted(record.headers, key=order)


def setup_rows(record: Record) -> Iterator[tuple[str, str]]:
    """Label and value of each line of the set-up."""
    assert record.deal is not None
    return record_plugin(record.game).setup_rows(record.game, record.deal, record.names)
