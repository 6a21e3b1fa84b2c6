"""The deals in fixtures/deals, read once, and tools to change them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from attrs import evolve

from tkid.record.locked_cards import Secrets
from tkid.record.locked_deal import LockedDeal
from tkid.record.locked_text import compute_check, read_deal

FOLDER = Path(__file__).parents[2] / "fixtures" / "deals"


@cache
def opened(table: str) -> LockedDeal:
    """A whole deal with all seeds open, in which each player has unlocked their first card."""
    read = read_deal((FOLDER / f"{table}.deal").read_bytes())
    assert read.content is not None, read.problems
    return read.content


def seeds(table: str) -> tuple[bytes, ...]:
    """The seeds of a table, in turn order."""
    return tuple(seed or b"" for seed in opened(table).seeds)


def closed(table: str) -> LockedDeal:
    """A complete deal as it is before the first turn."""
    whole = opened(table)
    first = len(whole.unlocks) - len(whole.names)
    return evolve(whole, unlocks=whole.unlocks[:first], seeds=(None,) * len(whole.names))


def locked_by(table: str, seats: int) -> LockedDeal:
    """A deal in which so many players have locked the deck, and nothing else has happened."""
    whole = opened(table)
    nobody = (None,) * (len(whole.names) - seats)
    none = (None,) * len(whole.names)
    return evolve(
        whole,
        keys=(*whole.keys[:seats], *nobody),
        decks=(*whole.decks[:seats], *nobody),
        proofs=(*whole.proofs[:seats], *nobody),
        nonces=none,
        unlocks=(),
        seeds=none,
    )


def secrets(table: str, seat: int) -> Secrets:
    """What follows from the seed of a seat."""
    return opened(table).derive_secrets(seat, seeds(table)[seat])


def checked(deal: LockedDeal, heading: str, text: str) -> str:
    """A line of a section with its right check."""
    return f"{text} #{compute_check(deal.terms, heading, ' '.join(text.split()))}"
