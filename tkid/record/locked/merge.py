"""Merging another player's text of a locked deal into one's own: everything new in it is verified first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import zip_longest

from attrs import define, evolve, field

from tkid.record.fairplay.draw import Flaw
from tkid.record.locked import schedule, shuffle, unlock
from tkid.record.locked.deal import LockedDeal, before, begin, fits, header, with_value
from tkid.record.locked.group import InvalidError
from tkid.record.locked.text import DECK, KEYS, NONCES, PROOF, SEEDS, UNLOCKS
from tkid.record.locked.unlock import Unlock
from tkid.rulebook import cites

AGAIN = "Perhaps it was made by a broken program. Ask {name} to send it again; if it stays wrong, start a new deal."


@cites("record.deal.key", "record.deal.lock", "record.deal.order", "record.deal.unlock")
def merged(
    mine: LockedDeal, theirs: LockedDeal, me: int | None, told: Callable[[], None] = lambda: None
) -> tuple[LockedDeal, list[Flaw]]:
    """My deal with what another's has more; or as it is, with what is wrong with the other's.

    `me` is the seat of the player whose deal mine is, None for nobody's. `told` is called after each part that was checked.
    """
    own, its = header(mine.head), header(theirs.head)
    if own != its:
        return mine, [_other_game(own, its)]
    merger = _Merger(mine, theirs, me)
    seats = range(len(mine.names))
    steps: list[Callable[[], None]] = [partial(step, seat) for step in (merger.lock, merger.nonce) for seat in seats]
    steps += [partial(merger.unlock, at, each) for at, each in enumerate(theirs.unlocks)]
    steps += [partial(merger.seed, seat) for seat in seats]
    for step in steps:
        step()
        told()
        if merger.flaws:  # whatever comes later may follow from it
            break
    return (mine, merger.flaws) if merger.flaws else (merger.deal, [])


def faults(deal: LockedDeal, told: Callable[[], None] = lambda: None) -> list[Flaw]:
    """Everything in a deal that contradicts itself. `told` is called after each part that was checked."""
    _, flaws = merged(begin(deal.head), deal, None, told)
    return flaws


def _other_game(own: tuple[str, ...], its: tuple[str, ...]) -> Flaw:
    pairs = enumerate(zip_longest(own, its))
    at, lines = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
    mine, theirs = (f"`{line}`" if line else "nothing" for line in lines)
    message = f"This deal is for another game: it has {theirs}, and yours {mine}"
    return Flaw("", at, "record.deal.game", message, "Agree on one of them. The others start a new deal.")


@define
class _Merger:
    """Takes over what is new and right of another deal, one part after the other."""

    deal: LockedDeal
    theirs: LockedDeal
    me: int | None
    flaws: list[Flaw] = field(factory=list)

    def _flaw(self, section: str, at: int, rule: str, message: str, hint: str) -> None:
        self.flaws.append(Flaw(section, at, rule, message, hint))

    def _row(self, values: tuple[object, ...], seat: int) -> int:
        """The number of a seat's row in a section that has a row for each seat that is there."""
        return sum(value is not None for value in values[:seat])

    def lock(self, seat: int) -> None:
        """The key, the deck and the proof of a seat."""
        deal, theirs, name = self.deal, self.theirs, self.deal.names[seat]
        key, deck, proof = theirs.keys[seat], theirs.decks[seat], theirs.proofs[seat]
        if key is None or deck is None or proof is None:
            return
        at = self._row(theirs.keys, seat)
        if deal.keys[seat] is not None:
            if (deal.keys[seat], deal.decks[seat], deal.proofs[seat]) != (key, deck, proof):
                hint = f"Perhaps {name} began twice, or somebody else joined as {name} by mistake. Ask all, and start a new deal."
                self._flaw(KEYS, at, "record.deal.key", f"{name}'s lock was different before", hint)
            return
        before = deal.before(seat)
        twins = [other for other, known in enumerate(deal.keys) if known and known.public == key.public]
        if seat == self.me:
            self._flaw(
                KEYS,
                at,
                "record.deal.key",
                f"This has another lock for {name} than yours",
                f"Perhaps somebody joined with `--me {name}` by mistake, or you joined twice: ask, and start a new deal.",
            )
        elif before is None:
            message = f"{name}'s deck is here, but not the deck of {deal.names[seat - 1]}, which {name} locked"
            self._flaw(
                f"{DECK} {name}",
                0,
                "record.deal.order",
                message,
                f"Perhaps a mail was not read yet: read {deal.names[seat - 1]}'s mail first.",
            )
        elif twins:
            message = f"{name}'s key is the same as {deal.names[twins[0]]}'s. One of them repeated the other's"
            self._flaw(KEYS, at, "record.deal.key", message, "Ask both, and start a new deal.")
        else:
            try:
                shuffle.verify(shuffle.Locking(deal.terms, name, key, before, deck), proof)
            except InvalidError as error:
                self._flaw(f"{PROOF} {name}", 0, "record.deal.lock", f"{name}'s proof {error}", AGAIN.format(name=name))
            else:
                self.deal = evolve(
                    deal,
                    keys=with_value(deal.keys, seat, key),
                    decks=with_value(deal.decks, seat, deck),
                    proofs=with_value(deal.proofs, seat, proof),
                )

    def nonce(self, seat: int) -> None:
        """The nonce of a seat."""
        deal, nonce, name = self.deal, self.theirs.nonces[seat], self.deal.names[seat]
        if nonce is None or nonce == deal.nonces[seat]:
            return
        at, key = self._row(self.theirs.nonces, seat), deal.keys[seat]
        if not deal.locked or key is None:
            self._early(NONCES, at, f"{name}'s nonce")
        elif schedule.committed_nonce(deal.terms, name, nonce) != key.nonce_commitment:
            self._flaw(
                NONCES,
                at,
                "record.deal.nonce",
                f"{name}'s nonce does not fit {name}'s commitment",
                AGAIN.format(name=name),
            )
        else:
            self.deal = evolve(deal, nonces=with_value(deal.nonces, seat, nonce))

    def unlock(self, at: int, each: Unlock) -> None:
        """A lock that was taken off."""
        deal, name, place = self.deal, self.deal.names[each.seat], each.place + 1
        known = next((u for u in deal.unlocks if (u.seat, u.place) == (each.seat, each.place)), None)
        key = deal.keys[each.seat]
        if known == each:
            return
        if known is not None:
            message = f"{name} has unlocked card {place} in another way before"
            self._flaw(UNLOCKS, at, "record.deal.unlock", message, AGAIN.format(name=name))
        elif not deal.locked or key is None:
            self._early(UNLOCKS, at, f"{name}'s unlock of card {place}")
        elif (awaited := before(deal, each.seat, each.place)) is not None:
            other = deal.names[awaited]
            message = f"{name}'s lock is off card {place} too early: {other} has to unlock before"
            self._flaw(
                UNLOCKS,
                at,
                "record.deal.order",
                message,
                f"Perhaps a mail was not read yet: read the mail with {other}'s unlocks first.",
            )
        else:
            try:
                unlock.verify(deal.terms, name, key.public, deal.point_at(each.place), each)
            except InvalidError as error:
                message = f"{name}'s line for card {place} {error}"
                self._flaw(UNLOCKS, at, "record.deal.unlock", message, AGAIN.format(name=name))
            else:
                self.deal = evolve(deal, unlocks=(*deal.unlocks, each))

    def seed(self, seat: int) -> None:
        """The seed that a seat has opened."""
        deal, seed, name = self.deal, self.theirs.seeds[seat], self.deal.names[seat]
        if seed is None or seed == deal.seeds[seat]:
            return
        at = self._row(self.theirs.seeds, seat)
        if deal.keys[seat] is None:
            self._early(SEEDS, at, f"{name}'s seed")
        elif not fits(deal, seat, seed):
            self._flaw(
                SEEDS,
                at,
                "record.deal.seed",
                f"{name}'s lock was not made with this seed",
                AGAIN.format(name=name),
            )
        else:
            self.deal = evolve(deal, seeds=with_value(deal.seeds, seat, seed))

    def _early(self, section: str, at: int, what: str) -> None:
        lacking = next((name for name, deck in zip(self.deal.names, self.deal.decks, strict=True) if deck is None), "")
        message = f"{what} comes after {lacking}'s lock, which you do not have yet"
        self._flaw(
            section,
            at,
            "record.deal.order",
            message,
            f"Perhaps a mail was not read yet: first read the last mail of the deal, which has {lacking}'s lock.",
        )
