"""The text of a deal: written, read, and checked line by line."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from .curve import L, RefusedError, decode, decode_scalar, encode, encode_scalar, multiply
from .deal import (
    DECKS,
    HANDS,
    ROUNDS,
    Owner,
    Player,
    Proof,
    Unlock,
    check_lock,
    check_unlock,
    deal_order,
    points_of,
)
from .hashes import hash_of, short

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
HEADER = re.compile(
    r"Tkid-Deal: 1\nRuleset: (\S+)\n(?:Game: \S[^\n]*\n)?((?:Seat: \S[^\n]*\n)+)((?:Ruling: \S[^\n]*\n)*)"
)
SEAT = re.compile(r"Seat: (\S(?:[^\n<>]*\S)?)(?: <\S+>)?")


@dataclass
class Deal:
    """All that a text says."""

    header: str
    owners: list[Owner] = field(default_factory=list)
    decks: list[tuple[bytes, ...]] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    nonces: list[bytes] = field(default_factory=list)
    unlocks: list[Unlock] = field(default_factory=list)
    seeds: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Reads the header. Raises RefusedError."""
        match = HEADER.fullmatch(self.header)
        seats = [SEAT.fullmatch(line) for line in match[2].splitlines()] if match else []
        if not match or not all(seats):
            raise RefusedError("the header is not one of a deal")
        self.ruleset: str = match[1]
        self.names: list[str] = [seat[1] for seat in seats if seat]
        self.terms = hash_of("terms", self.header)
        rulings = match[3].splitlines()
        if self.ruleset not in DECKS:
            raise RefusedError(f"{self.ruleset} has no deck of secret cards here")
        if len(set(self.names)) < len(self.names) or len(self.names) < 2:
            raise RefusedError("a deal has two players or more, each with another name")
        if rulings != sorted(set(rulings)):
            raise RefusedError("the rulings are not in the order of the alphabet")
        if HANDS[self.ruleset] * len(self.names) > len(DECKS[self.ruleset]):
            raise RefusedError("there are not enough cards for so many players")

    @property
    def cards(self) -> list[str]:
        """The names of the cards."""
        return DECKS[self.ruleset]

    @property
    def start(self) -> tuple[bytes, ...]:
        """The deck before anybody has locked it."""
        return points_of(self.terms, self.cards)

    @property
    def entropy(self) -> bytes:
        """The entropy of the open part."""
        return short("entropy", self.terms, *self.nonces)

    def point_at(self, place: int) -> bytes:
        """The point that a place has now."""
        return next((unlock.point for unlock in reversed(self.unlocks) if unlock.place == place), self.decks[-1][place])


def word(data: bytes) -> str:
    """Bytes in base64 without `=`."""
    return b64encode(data).decode().rstrip("=")


def unword(text: str, size: int) -> bytes:
    """Bytes from base64. Raises RefusedError unless exactly these bytes are written so."""
    if not re.fullmatch("[A-Za-z0-9+/]+", text) or len(text) != -(-size * 4 // 3):
        raise RefusedError(f"{text} is not {size} bytes in base64")
    data = b64decode(text + "=" * (-len(text) % 4))
    if word(data) != text:
        raise RefusedError(f"{text} has bits left over that are not 0")
    return data


def write(deal: Deal) -> str:
    """The text of a deal."""
    sections = [
        ("Keys", [f"{o.name} {word(o.commitment)} {word(o.nonce_commitment)} {word(o.public)}" for o in deal.owners])
    ]
    for owner, deck, proof in zip(deal.owners, deal.decks, deal.proofs, strict=True):
        sections.append((f"Deck {owner.name}", [f"{place} {word(point)}" for place, point in enumerate(deck, 1)]))
        answers = [(word(encode_scalar(s)), "".join(LETTERS[i] for i in places)) for s, places in proof.answers]
        rounds = [f"{number} {s} {places}" for number, (s, places) in enumerate(answers, 1)]
        sections.append((f"Proof {owner.name}", [f"0 {word(proof.challenge)}", *rounds]))
    for heading, values in (("Nonces", deal.nonces), ("Seeds", deal.seeds)):
        sections.append((heading, [f"{name} {word(each)}" for name, each in zip(deal.names, values, strict=False)]))
    sections.insert(-1, ("Unlocks", [line_of(unlock) for unlock in deal.unlocks]))
    text = deal.header
    for heading, lines in sections:
        if lines:
            checked = [f"{line} #{check_of(deal.terms, heading, line)}\n" for line in lines]
            text += f"\n{heading}\n" + "".join(checked)
    return text


def line_of(unlock: Unlock) -> str:
    """The line of an unlock, without its check."""
    proof = " ".join(word(each) for each in (unlock.point, encode_scalar(unlock.e), encode_scalar(unlock.z)))
    return f"{unlock.name} {unlock.place + 1} {proof}"


def check_of(terms: bytes, heading: str, line: str) -> str:
    """The check of a line."""
    return hash_of("line", terms, heading, line).hex()[:6]


def read(data: bytes) -> Deal:
    """Read a text and check everything in it. Raises RefusedError."""
    deal = parse(data)
    check(deal)
    return deal


def parse(data: bytes) -> Deal:
    """Read a text, and check its form and the check of each line, but no proof. Raises RefusedError."""
    try:
        text = data.decode()
    except UnicodeDecodeError as wrong:
        raise RefusedError("the text is not UTF-8") from wrong
    if not text.endswith("\n"):
        raise RefusedError("the text ends within a line")
    header, *blocks = text[:-1].split("\n\n")
    deal = Deal(header + "\n")
    found = [block.split("\n") for block in blocks]
    headings = [heading for heading, *_ in found]
    locked = sum(heading.startswith("Deck ") for heading in headings)
    pairs = [f"{kind} {name}" for name in deal.names[:locked] for kind in ("Deck", "Proof")]
    if headings != [
        each for each in ("Keys", *pairs, "Nonces", "Unlocks", "Seeds") if each in headings or each in pairs
    ]:
        raise RefusedError("the sections are not those of a deal, in their order")
    for heading, *lines in found:
        kind, _, name = heading.partition(" ")
        columns, take = SECTIONS[kind]
        if not lines:
            raise RefusedError(f"{heading} has no lines")
        challenge = kind == "Proof"  # the first line of a proof has a column less
        widths = [columns - (challenge and not number) for number in range(len(lines))]
        take(deal, [cells_of(deal, heading, *line, padded=not name) for line in zip(lines, widths, strict=True)])
    return deal


def cells_of(deal: Deal, heading: str, line: str, columns: int, *, padded: bool) -> list[str]:
    """The columns of a line. Raises RefusedError if they are not as many, or do not fit the check."""
    *cells, mark = line.rsplit(" ", columns)
    if padded and cells:
        cells[0] = cells[0].rstrip(" ")
    if len(cells) != columns:
        raise RefusedError(f"{heading}: the line does not have {columns} columns: {line}")
    if mark != "#" + check_of(deal.terms, heading, " ".join(cells)):
        raise RefusedError(f"{heading}: the check of the line does not fit: {line}")
    return cells


def in_order(names: Sequence[str], cells: Sequence[Sequence[str]], heading: str) -> None:
    """Check that lines are those of players in turn order. Raises RefusedError."""
    if [line[0] for line in cells] != list(names[: len(cells)]):
        raise RefusedError(f"{heading}: the players are not in turn order")


def numbered(cells: Sequence[Sequence[str]], first: int, count: int, heading: str) -> None:
    """Check that lines are numbered. Raises RefusedError."""
    if [line[0] for line in cells] != [str(number) for number in range(first, first + count)]:
        raise RefusedError(f"{heading}: the lines are not numbered from {first} to {first + count - 1}")


def take_keys(deal: Deal, cells: list[list[str]]) -> None:
    """The section Keys."""
    in_order(deal.names, cells, "Keys")
    deal.owners = [Owner(name, *(unword(each, 32) for each in rest)) for name, *rest in cells]


def take_deck(deal: Deal, cells: list[list[str]]) -> None:
    """A section Deck."""
    numbered(cells, 1, len(deal.cards), "Deck")
    deal.decks.append(tuple(unword(point, 32) for _, point in cells))


def take_proof(deal: Deal, cells: list[list[str]]) -> None:
    """A section Proof."""
    numbered(cells, 0, ROUNDS + 1, "Proof")
    if not all(letter in LETTERS for line in cells[1:] for letter in line[2]):
        raise RefusedError("Proof: an order has other characters than those of base64")
    answers = [
        (decode_scalar(unword(s, 32)), tuple(LETTERS.index(letter) for letter in places)) for _, s, places in cells[1:]
    ]
    deal.proofs.append(Proof(unword(cells[0][1], 16), tuple(answers)))


def take_nonces(deal: Deal, cells: list[list[str]]) -> None:
    """The section Nonces."""
    in_order(deal.names, cells, "Nonces")
    deal.nonces = [unword(nonce, 32) for _, nonce in cells]


def take_seeds(deal: Deal, cells: list[list[str]]) -> None:
    """The section Seeds."""
    in_order(deal.names, cells, "Seeds")
    deal.seeds = [unword(seed, 32) for _, seed in cells]


def take_unlocks(deal: Deal, cells: list[list[str]]) -> None:
    """The section Unlocks."""
    for name, place, point, e, z in cells:
        if name not in deal.names or not re.fullmatch("[1-9][0-9]?", place) or int(place) > len(deal.cards):
            raise RefusedError(f"Unlocks: there is no {name}, or no place {place}")
        proof = [decode_scalar(unword(each, 32)) for each in (e, z)]
        deal.unlocks.append(Unlock(name, int(place) - 1, unword(point, 32), *proof))


SECTIONS: dict[str, tuple[int, Callable[[Deal, list[list[str]]], None]]] = {
    "Keys": (4, take_keys),
    "Deck": (2, take_deck),
    "Proof": (3, take_proof),
    "Nonces": (2, take_nonces),
    "Unlocks": (5, take_unlocks),
    "Seeds": (2, take_seeds),
}


def check(deal: Deal) -> None:
    """Check all proofs of a deal. Raises RefusedError."""
    if not len(deal.owners) == len(deal.decks) == len(deal.proofs):
        raise RefusedError("not every player with a key has a deck and a proof")
    check_owners(deal.owners)
    deck = deal.start
    for owner, locked, proof in zip(deal.owners, deal.decks, deal.proofs, strict=True):
        check_lock(deal.terms, owner, deck, locked, proof)
        deck = locked
    if (deal.unlocks or deal.nonces or deal.seeds) and len(deal.owners) < len(deal.names):
        raise RefusedError("not everybody has locked the deck yet")
    for owner, nonce in zip(deal.owners, deal.nonces, strict=False):
        if short("nonce commitment", deal.terms, owner.name, nonce) != owner.nonce_commitment:
            raise RefusedError(f"{owner.name}: the nonce does not fit its commitment")
    check_unlocks(deal)
    for owner, seed in zip(deal.owners, deal.seeds, strict=False):
        if short("commitment", deal.terms, owner.name, seed) != owner.commitment:
            raise RefusedError(f"{owner.name}: the seed does not fit its commitment")
        audit(deal, owner, seed)


def check_owners(owners: Sequence[Owner]) -> None:
    """Check what players show before locking. Raises RefusedError."""
    for owner in owners:
        decode(owner.public)
    if len({owner.public for owner in owners}) < len(owners):
        raise RefusedError("two players have the same key")
    if len({each for o in owners for each in (o.commitment, o.nonce_commitment)}) < 2 * len(owners):
        raise RefusedError("a commitment is there twice")


def check_unlocks(deal: Deal) -> None:
    """Check all unlocks in their order. Raises RefusedError."""
    public = {owner.name: owner.public for owner in deal.owners}
    expected = deal_order(deal.ruleset, len(deal.names))
    done: set[tuple[int, int]] = set()
    points: dict[int, bytes] = {}
    cards = set(deal.start) if deal.unlocks else set()
    for number, unlock in enumerate(deal.unlocks):
        step = deal.names.index(unlock.name), unlock.place
        if step in done:
            raise RefusedError(f"{unlock.name} unlocks place {unlock.place + 1} twice")
        if number < len(expected) and step != expected[number]:
            raise RefusedError(f"unlock {number + 1} is not the next one of the deal")
        done.add(step)
        check_unlock(deal.terms, public[unlock.name], points.get(unlock.place, deal.decks[-1][unlock.place]), unlock)
        points[unlock.place] = unlock.point
        if all((seat, unlock.place) in done for seat in range(len(deal.names))):
            if unlock.point not in cards:
                raise RefusedError(f"place {unlock.place + 1} holds no card, or one that was at another place")
            cards.remove(unlock.point)


def audit(deal: Deal, owner: Owner, seed: bytes) -> None:
    """Check that everything a player showed follows from the seed. Raises RefusedError."""
    seat = deal.owners.index(owner)
    player = Player(deal.terms, owner.name, seed, deal.decks[seat - 1] if seat else deal.start)
    if player.owner() != owner:
        raise RefusedError(f"{owner.name}: the key or the nonce does not follow from the seed")
    if player.lock() != (deal.decks[seat], deal.proofs[seat]):
        raise RefusedError(f"{owner.name}: the deck or its proof does not follow from the seed")
    points: dict[int, bytes] = {}
    for unlock in deal.unlocks:
        before = points.get(unlock.place, deal.decks[-1][unlock.place])
        if unlock.name == owner.name and player.unlock(unlock.place, before) != unlock:
            raise RefusedError(f"{owner.name}: the unlock of place {unlock.place + 1} does not follow from the seed")
        points[unlock.place] = unlock.point


class Participant(Protocol):
    """Whoever takes part in a deal: a player with a seed, or what a test has in their place."""

    @property
    def nonce(self) -> bytes:
        """The nonce for the open part."""

    def owner(self) -> Owner:
        """What is shown before locking."""

    def lock(self) -> tuple[tuple[bytes, ...], Proof]:
        """The locked deck and its proof."""

    def unlock(self, place: int, point: bytes) -> Unlock:
        """A lock that is taken off, with its proof."""


def new(header: str, seeds: Sequence[bytes]) -> Deal:
    """A whole deal from the seeds of all players, without the seeds in it."""
    deal = Deal(header)
    play(deal, [partial(Player, deal.terms, name, seed) for name, seed in zip(deal.names, seeds, strict=True)])
    return deal


def play(deal: Deal, seats: Sequence[Callable[[tuple[bytes, ...]], Participant]]) -> list[Participant]:
    """Go through a whole deal. Each seat is asked for its player when it gets the deck to lock."""
    deck, players = deal.start, []
    for seat in seats:
        player = seat(deck)
        deck, proof = player.lock()
        players.append(player)
        deal.owners.append(player.owner())
        deal.decks.append(deck)
        deal.proofs.append(proof)
    deal.nonces = [player.nonce for player in players]
    for number, place in deal_order(deal.ruleset, len(players)):
        deal.unlocks.append(players[number].unlock(place, deal.point_at(place)))
    return players


def hand(deal: Deal, name: str, seed: bytes) -> list[str]:
    """The hand that a player finds with the own seed, after the deal."""
    seat, each = deal.names.index(name), HANDS[deal.ruleset]
    player = Player(deal.terms, name, seed, deal.decks[seat - 1] if seat else deal.start)
    dealt = deal.unlocks[: len(deal_order(deal.ruleset, len(deal.names)))]
    inverse, points = pow(player.key, -1, L), {unlock.place: unlock.point for unlock in dealt}
    cards = dict(zip(deal.start, deal.cards, strict=True))
    return [cards[encode(multiply(inverse, decode(points[place])))] for place in range(seat * each, (seat + 1) * each)]
