"""The text of a locked deal: its sections and lines, each with a check at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase, digits

from tkid.record.format.start_text import LABEL
from tkid.record.locked.deal import LockedDeal, header
from tkid.record.locked.group import written
from tkid.record.locked.schedule import digest

KEYS, DECK, PROOF, NONCES, UNLOCKS, SEEDS = "Keys", "Deck", "Proof", "Nonces", "Unlocks", "Seeds"
LETTERS = f"{ascii_uppercase}{ascii_lowercase}{digits}+/"
"""The letters of an order: the number of each is its value in base64."""
CHECK = 6


def check(terms: bytes, heading: str, text: str) -> str:
    """The check of a line."""
    return digest("line", terms, heading, text).hex()[:CHECK]


def write_deal(deal: LockedDeal) -> str:
    """The whole text of a deal."""
    return _text(deal, (KEYS, DECK, NONCES, UNLOCKS, SEEDS))


def write_news(deal: LockedDeal) -> str:
    """What goes with a letter of a game: all but keys and decks, which everybody has."""
    return _text(deal, (NONCES, UNLOCKS, SEEDS))


def _text(deal: LockedDeal, sections: Sequence[str]) -> str:
    lines = list(header(deal.head))
    for heading, rows in _sections(deal):
        if rows and {heading.partition(" ")[0].replace(PROOF, DECK)} & set(sections):
            lines += ["", heading, *(_line(deal, heading, row) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def _line(deal: LockedDeal, heading: str, row: tuple[str, ...]) -> str:
    """A line, with blanks behind a name so that columns stand below each other."""
    first, *others = row
    wide = f"{first:<{LABEL}}" if heading in {KEYS, NONCES, UNLOCKS, SEEDS} else first
    return f"{' '.join([wide, *others])} #{check(deal.terms, heading, ' '.join(row))}"


def _sections(deal: LockedDeal) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Headings and rows of columns."""
    names = deal.names
    keys = zip(names, deal.keys, strict=True)
    yield KEYS, [(n, written(k.commitment), written(k.nonce_commitment), written(k.public)) for n, k in keys if k]
    for name, deck, proof in zip(names, deal.decks, deal.proofs, strict=True):
        yield f"{DECK} {name}", [(str(place), written(each)) for place, each in enumerate(deck or (), 1)]
        answers = proof.answers if proof else ()
        first = [("0", written(proof.challenge))] if proof else []
        rounds = [(str(n), written(s), "".join(LETTERS[i] for i in order)) for n, (s, order) in enumerate(answers, 1)]
        yield f"{PROOF} {name}", [*first, *rounds]
    yield NONCES, [(name, written(nonce)) for name, nonce in zip(names, deal.nonces, strict=True) if nonce]
    yield (
        UNLOCKS,
        [(names[u.seat], str(u.place + 1), written(u.point), written(u.e), written(u.z)) for u in deal.unlocks],
    )
    yield SEEDS, [(name, written(seed)) for name, seed in zip(names, deal.seeds, strict=True) if seed]
