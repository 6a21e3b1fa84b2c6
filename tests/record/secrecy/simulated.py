"""A third player without a key: every line of theirs, from what the others hold anyway and from numbers that fit any hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest

from tests.record.second_deal import deal as second
from tests.record.second_deal import hashes
from tests.record.second_deal.curve import L
from tests.record.second_deal.deal import Owner, Player, Proof, Unlock, check_lock, check_unlock
from tests.record.second_deal.hashes import Part
from tests.record.second_deal.text import Deal, Participant, play

from .coalition import Held, times


@dataclass
class Oracle:
    """The hash, as a function that is free to choose: what it was told to answer to the next new question it answers ever after."""

    told: dict[str, bytes] = field(default_factory=dict)
    answers: dict[tuple[Part, ...], bytes] = field(default_factory=dict)

    def hash_of(self, domain: str, *parts: Part) -> bytes:
        """In place of `hash`."""
        question = (domain, *parts)
        if question not in self.answers and domain in self.told:
            self.answers[question] = self.told.pop(domain)
        return self.answers.get(question) or hashes.hash_of(domain, *parts)

    def scalar(self, domain: str, *parts: Part) -> int:
        """In place of `scalar`."""
        return int.from_bytes(self.hash_of(domain, *parts), "little") % L or 1

    def installed(self, patch: pytest.MonkeyPatch) -> Oracle:
        """Has the second implementation ask this one."""
        patch.setattr(second, "hash_of", self.hash_of)
        patch.setattr(second, "scalar", self.scalar)
        return self


@dataclass(frozen=True)
class Numbers:
    """All that the third player writes but points: hashes, the nonce, and the numbers of the proofs."""

    owner: Owner
    nonce: bytes
    proof: Proof
    unlocks: Mapping[int, Unlock]

    @classmethod
    def of(cls, held: Held) -> Numbers:
        """The numbers in the mails."""
        deal, third = held.deal, held.third
        name = deal.names[third]
        unlocks = {unlock.place: unlock for unlock in deal.unlocks if unlock.name == name}
        return cls(deal.owners[third], deal.nonces[third], deal.proofs[third], unlocks)


@dataclass
class WithoutKey:
    """Takes part in a deal in the third player's place, with no key and no order.

    Attributes:
        held: What the colluders hold of a real deal: whose turn it is, and the locks before the third player's.
        numbers: What goes into the proofs.
        points: The locked points by slot. Whether they are locked, with which key, and which card is which, is nothing that is used.
        cards: The cards of the slots that are unlocked.
        oracle: The hash.
        deal: The deal as it grows.
    """

    held: Held
    numbers: Numbers
    points: Sequence[bytes]
    cards: Mapping[int, int]
    oracle: Oracle
    deal: Deal

    @property
    def nonce(self) -> bytes:
        """The nonce."""
        return self.numbers.nonce

    def owner(self) -> Owner:
        """What is shown first."""
        return self.numbers.owner

    def lock(self) -> tuple[tuple[bytes, ...], Proof]:
        """A deck, and a proof whose challenge was there before anything else."""
        before = self.deal.decks[-1] if self.deal.decks else self.deal.start
        locked = tuple(times(self.points, self.held.front))
        self.oracle.told["challenge"] = self.numbers.proof.challenge
        check_lock(self.deal.terms, self.owner(), before, locked, self.numbers.proof)
        return locked, self.numbers.proof

    def unlock(self, place: int, point: bytes) -> Unlock:
        """A card with the locks of the others, which is what the colluders know, and a proof made backwards."""
        now = Held(self.deal, self.held.third, self.held.seeds)
        card = self.deal.start[self.cards[now.slot(place)]]
        numbers = self.numbers.unlocks[place]
        unlock = Unlock(numbers.name, place, times([card], now.locks_on(place))[0], numbers.e, numbers.z)
        self.oracle.told["unlock challenge"] = unlock.e.to_bytes(32, "little")
        check_unlock(self.deal.terms, self.owner().public, point, unlock)
        return unlock


def without_key(held: Held, points: Sequence[bytes], cards: Mapping[int, int], oracle: Oracle) -> Deal:
    """The whole deal again with somebody without a key in the third player's place, up to the first cards that were played."""
    deal = Deal(held.deal.header)
    nobody = WithoutKey(held, Numbers.of(held), points, cards, oracle, deal)

    def seat(number: int, deck: tuple[bytes, ...]) -> Participant:
        if number == held.third:
            return nobody
        return Player(deal.terms, deal.names[number], held.seeds[number], deck)

    players = play(deal, [partial(seat, number) for number in range(len(deal.names))])
    for unlock in held.deal.unlocks[len(deal.unlocks) :]:
        player = players[deal.names.index(unlock.name)]
        deal.unlocks.append(player.unlock(unlock.place, deal.point_at(unlock.place)))
    return deal
