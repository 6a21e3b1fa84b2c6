"""Writes the test vectors of locked deals: `python -m tests.makers.deals`. Everything follows from the seeds that are named there."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from tkid.record import locked_cards, locked_deal
from tkid.record.locked_deal import LockedDeal
from tkid.record.locked_text import read_deal, write_deal

FOLDER = Path(__file__).parents[2] / "fixtures/deals"
NAMES = ("Ann", "Bob", "Cal", "Dee")
TABLES = {
    "two": ("second-edition-advanced", 2),
    "three": ("second-edition-advanced", 3),
    "four": ("second-edition-advanced", 4),
    "digest": ("digest-advanced", 2),
    "claim": ("claim", 2),
}


def seed(table: str, seat: int) -> bytes:
    """The seed of a player at a table."""
    return sha256(f"tkid test seed {table} {NAMES[seat]}".encode()).digest()


def begun(table: str) -> LockedDeal:
    """A deal in which nobody has done anything."""
    ruleset, players = TABLES[table]
    seats = "".join(f"Seat: {name} <{name.lower()}@example.org>\n" for name in NAMES[:players])
    read = read_deal(f"Tkid-Deal: 1\nRuleset: {ruleset}\nGame: vectors-{table}\n{seats}".encode())
    assert read.content is not None, read.problems
    return read.content


def dealt(table: str) -> LockedDeal:
    """A complete deal, made in the order of the mails."""
    made = begun(table)
    while owed := locked_deal.list_missing_parts(made):
        seat, _ = owed[0]
        made = locked_deal.add_contribution(made, seat, seed(table, seat))
    return made


def opened(table: str) -> LockedDeal:
    """A complete deal in which each player has unlocked the first card of their hand, and opened the seed."""
    made = dealt(table)
    for seat, hand in enumerate(made.deck.hands):
        made = locked_deal.unlock_card(made, seat, seed(table, seat), hand[0])
    for seat in range(len(made.names)):
        made = locked_deal.open_seed(made, seat, seed(table, seat))
    return made


def vectors(table: str) -> dict[str, Any]:
    """What follows from the seeds of a table, step by step; bytes as hex digits, places from 0."""
    made = opened(table)
    players = []
    for seat, name in enumerate(made.names):
        secrets = made.derive_secrets(seat, seed(table, seat))
        place = made.deck.hands[seat][0]
        scalar, order = secrets.derive_blind(0)
        key, proof = made.keys[seat], made.proofs[seat]
        assert key is not None
        assert proof is not None
        own = next(each for each in made.unlocks if (each.seat, each.place) == (seat, place))
        players.append(
            {
                "name": name,
                "seed": seed(table, seat).hex(),
                "key": secrets.key.hex(),
                "public": secrets.public.hex(),
                "order": list(secrets.order),
                "nonce": secrets.nonce.hex(),
                "commitment": secrets.commitment.hex(),
                "nonce_commitment": secrets.nonce_commitment.hex(),
                "round_0": {"scalar": scalar.hex(), "order": list(order)},
                "challenge": proof.challenge.hex(),
                "deck": [point.hex() for point in made.decks[seat] or ()],
                "unlock": unlock_vector(own),
                "hand": [
                    locked_deal.find_known_cards(made, {seat: seed(table, seat)})[place]
                    for place in made.deck.hands[seat]
                ],
            }
        )
    cards = locked_cards.compute_card_points(made.terms, made.deck.cards)
    points = [{"card": name, "point": point.hex()} for name, point in zip(made.deck.cards, cards, strict=True)]
    return {
        "terms": made.terms.hex(),
        "cards": points,
        "players": players,
        "entropy": locked_deal.compute_open_entropy(made).hex(),
    }


def unlock_vector(taken: locked_cards.Unlock) -> dict[str, Any]:
    """A lock that was taken off, with its proof."""
    return {"place": taken.place, "point": taken.point.hex(), "e": taken.e.hex(), "z": taken.z.hex()}


def main() -> None:
    """Write every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        (FOLDER / f"{table}.deal").write_text(write_deal(opened(table)), "utf-8")
        (FOLDER / f"{table}.json").write_text(f"{json.dumps(vectors(table), indent=1)}\n", "utf-8")


if __name__ == "__main__":
    main()
