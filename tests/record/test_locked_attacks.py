"""Whatever is wrong in another player's deal is refused, and the reason is named by its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from tests.record.locked_vectors import closed, locked_by, opened, secrets, seeds
from tests.shared.tables import each_row
from tkid.record import locked_cards
from tkid.record import locked_deal as deals
from tkid.record.draw import replace_value
from tkid.record.format.reader import read_record_head
from tkid.record.locked_cards import Deck, Key, Secrets
from tkid.record.locked_deal import LockedDeal
from tkid.record.locked_text import merge_deals

Attack = Callable[[], LockedDeal]
TWO = "two"
BOB = 1


def swapped(deck: Deck, first: int, second: int) -> Deck:
    """A deck with two entries exchanged."""
    cards = list(deck)
    cards[first], cards[second] = cards[second], cards[first]
    return tuple(cards)


def with_deck(change: Callable[[Deck], Deck], *, proven_again: bool) -> LockedDeal:
    """Bob's part with another deck: with the proof of the right one, or one made for it as well as that can be done."""
    honest = locked_by(TWO, 2)
    before, after = honest.decks[0], honest.decks[BOB]
    assert before is not None
    assert after is not None
    changed = change(after)
    proof = locked_cards.prove_shuffle(secrets(TWO, BOB), before, changed) if proven_again else honest.proofs[BOB]
    return evolve(
        honest, decks=replace_value(honest.decks, BOB, changed), proofs=replace_value(honest.proofs, BOB, proof)
    )


def with_key(**changes: bytes) -> LockedDeal:
    """Bob's part with another key."""
    honest = locked_by(TWO, 2)
    key = honest.keys[BOB]
    assert key is not None
    return evolve(honest, keys=replace_value(honest.keys, BOB, evolve(key, **changes)))


def of_terms(name: str, terms: bytes) -> LockedDeal:
    """Bob's part, made for somebody else or other terms."""
    honest = locked_by(TWO, 2)
    before = honest.decks[0]
    assert before is not None
    other = Secrets(terms, name, seeds(TWO)[BOB], before)
    after = locked_cards.lock_deck(other, before)
    return evolve(
        honest,
        keys=replace_value(honest.keys, BOB, locked_cards.make_lock_key(other)),
        decks=replace_value(honest.decks, BOB, after),
        proofs=replace_value(honest.proofs, BOB, locked_cards.prove_shuffle(other, before, after)),
    )


def with_answer(change: Callable[[locked_cards.Answer], locked_cards.Answer]) -> LockedDeal:
    """Bob's part with another answer in the last round."""
    honest = locked_by(TWO, 2)
    proof = honest.proofs[BOB]
    assert proof is not None
    answers = (*proof.answers[:-1], change(proof.answers[-1]))
    return evolve(honest, proofs=replace_value(honest.proofs, BOB, evolve(proof, answers=answers)))


def ann_key() -> Key:
    """Ann's key."""
    key = opened(TWO).keys[0]
    assert key is not None
    return key


LOCKS: dict[str, tuple[str, Attack]] = {
    "an entry copied": ("lock", lambda: with_deck(lambda deck: (deck[1], *deck[1:]), proven_again=False)),
    "an entry copied, proven as well as possible": (
        "lock",
        lambda: with_deck(lambda deck: (deck[1], *deck[1:]), proven_again=True),
    ),
    "two entries exchanged": ("lock", lambda: with_deck(lambda deck: swapped(deck, 0, 5), proven_again=False)),
    "an entry locked twice": (
        "lock",
        lambda: with_deck(
            lambda deck: (locked_cards.multiply_point(locked_cards.make_scalar(2), deck[0]), *deck[1:]),
            proven_again=True,
        ),
    ),
    "Ann's entry put into the own place": (
        "lock",
        lambda: with_deck(
            lambda deck: (*deck[:3], (locked_by(TWO, 1).decks[0] or deck)[0], *deck[4:]), proven_again=True
        ),
    ),
    "a card too few": ("lock", lambda: with_deck(lambda deck: deck[1:], proven_again=False)),
    "an entry that is no point": ("lock", lambda: with_deck(lambda deck: (bytes(32), *deck[1:]), proven_again=False)),
    "Ann's key": ("key", lambda: with_key(public=ann_key().public)),
    "another key": ("lock", lambda: with_key(public=locked_cards.multiply_base(locked_cards.make_scalar(7)))),
    "another commitment to the seed": ("lock", lambda: with_key(commitment=ann_key().commitment)),
    "another commitment to the nonce": ("lock", lambda: with_key(nonce_commitment=ann_key().nonce_commitment)),
    "made in Ann's name": ("lock", lambda: of_terms("Ann", opened(TWO).terms)),
    "made for other terms": ("lock", lambda: of_terms("Bob", opened("digest").terms)),
    "an answer with another scalar": (
        "lock",
        lambda: with_answer(lambda answer: (locked_cards.make_scalar(5), answer[1])),
    ),
    "an answer with another order": (
        "lock",
        lambda: with_answer(lambda answer: (answer[0], (answer[1][1], answer[1][0], *answer[1][2:]))),
    ),
    "an answer that is no order": ("lock", lambda: with_answer(lambda answer: (answer[0], (0,) * len(answer[1])))),
    "an answer with the scalar 0": ("lock", lambda: with_answer(lambda answer: (bytes(32), answer[1]))),
    "an answer with a scalar not reduced": (
        "lock",
        lambda: with_answer(
            lambda answer: (
                (int.from_bytes(answer[0], "little") + locked_cards.ORDER).to_bytes(32, "little"),
                answer[1],
            )
        ),
    ),
}


@pytest.mark.slow
@each_row("rule,attack", list(LOCKS.values()), ids=list(LOCKS), parts=4, sampled=True)
def test_locks_that_are_refused(rule: str, attack: Attack) -> None:
    mine = locked_by(TWO, 1)
    result, flaws = merge_deals(mine, attack(), 0)
    assert result == mine
    assert [flaw.rule for flaw in flaws] == [f"record.deal.{rule}"], flaws


# -- unlocks, nonces, seeds -------------------------------------------------------------------------------


def first_unlock(**changes: Any) -> LockedDeal:
    """A complete deal, but the first unlock is another one."""
    whole = closed(TWO)
    return evolve(whole, unlocks=(evolve(whole.unlocks[0], **changes), *whole.unlocks[1:]))


def by_hand(
    table: str, seat: int, place: int, *, key_of: int | None = None, upon: LockedDeal | None = None
) -> LockedDeal:
    """A deal in which a seat takes a lock off a place, rules or no rules."""
    start = upon or closed(table)
    taken = locked_cards.unlock_point(
        secrets(table, seat if key_of is None else key_of), seat, place, start.point_at(place)
    )
    return evolve(start, unlocks=(*start.unlocks, taken))


def two_locked() -> LockedDeal:
    return locked_by(TWO, 2)


def bare(table: str, **changes: Any) -> LockedDeal:
    return evolve(locked_by(table, len(opened(table).names)), **changes)


LATER: dict[str, tuple[str, Callable[[], LockedDeal], Attack]] = {
    "another point": (
        "unlock",
        two_locked,
        lambda: first_unlock(point=locked_cards.multiply_base(locked_cards.make_scalar(9))),
    ),
    "the point as it was": ("unlock", two_locked, lambda: first_unlock(point=closed(TWO).decks[1][0])),  # type: ignore[index]
    "a point that is none": ("unlock", two_locked, lambda: first_unlock(point=bytes(32))),
    "another e": ("unlock", two_locked, lambda: first_unlock(e=locked_cards.make_scalar(3))),
    "another z": ("unlock", two_locked, lambda: first_unlock(z=locked_cards.make_scalar(3))),
    "e is 0": ("unlock", two_locked, lambda: first_unlock(e=bytes(32))),
    "the proof of another place": ("unlock", two_locked, lambda: first_unlock(place=1)),
    "a card of one's own with another's key": (
        "unlock",
        lambda: closed(TWO),
        lambda: by_hand(TWO, 0, 0, key_of=1),
    ),
    "another's lock with one's own key": ("unlock", lambda: closed(TWO), lambda: by_hand(TWO, 1, 3, key_of=0)),
    "twice, in another way": (
        "unlock",
        lambda: closed(TWO),
        lambda: by_hand(TWO, 1, 0),
    ),
    "out of turn": (
        "order",
        lambda: bare("three"),
        lambda: bare("three", unlocks=by_hand("three", 0, 3, upon=bare("three")).unlocks),
    ),
    "the own card before the deal is complete": (
        "order",
        two_locked,
        lambda: by_hand(TWO, 0, 0, upon=two_locked()),
    ),
    "a stock card before the deal is complete": (
        "order",
        lambda: bare("claim"),
        lambda: by_hand("claim", 0, 30, upon=bare("claim")),
    ),
    "a nonce that does not fit": (
        "nonce",
        two_locked,
        lambda: evolve(two_locked(), nonces=(closed(TWO).nonces[1], None)),
    ),
    "a nonce too early": (
        "order",
        lambda: locked_by(TWO, 1),
        lambda: evolve(locked_by(TWO, 1), nonces=(closed(TWO).nonces[0], None)),
    ),
    "another nonce than before": (
        "nonce",
        lambda: closed(TWO),
        lambda: evolve(closed(TWO), nonces=(closed(TWO).nonces[0], bytes(32))),
    ),
    "the seed of somebody else": (
        "seed",
        lambda: closed(TWO),
        lambda: evolve(closed(TWO), seeds=(None, seeds(TWO)[0])),
    ),
    "a seed too early": (
        "order",
        lambda: deals.begin(opened(TWO).head),
        lambda: evolve(deals.begin(opened(TWO).head), seeds=(seeds(TWO)[0], None)),
    ),
}


@pytest.mark.slow
@each_row("rule,own,attack", list(LATER.values()), ids=list(LATER), parts=4, sampled=True)
def test_what_comes_later_and_is_refused(rule: str, own: Callable[[], LockedDeal], attack: Attack) -> None:
    mine = own()
    result, flaws = merge_deals(mine, attack(), None)
    assert result == mine
    assert flaws
    assert flaws[0].rule == f"record.deal.{rule}", flaws


def test_a_lock_for_me_that_i_did_not_make() -> None:
    mine = locked_by(TWO, 1)
    result, flaws = merge_deals(mine, locked_by(TWO, 2), BOB)
    assert result == mine
    assert [flaw.rule for flaw in flaws] == ["record.deal.key"]


def test_another_lock_than_before() -> None:
    mine = locked_by(TWO, 2)
    result, flaws = merge_deals(mine, with_key(public=ann_key().public), 0)
    assert result == mine
    assert [flaw.rule for flaw in flaws] == ["record.deal.key"]


def test_a_deck_without_the_one_before() -> None:
    whole = locked_by(TWO, 2)
    theirs = evolve(whole, keys=(None, whole.keys[1]), decks=(None, whole.decks[1]), proofs=(None, whole.proofs[1]))
    mine = deals.begin(whole.head)
    result, flaws = merge_deals(mine, theirs, 0)
    assert result == mine
    assert [flaw.rule for flaw in flaws] == ["record.deal.order"]


@each_row(
    "header",
    [
        "Ruleset: digest-advanced\nGame: vectors-two\nSeat: Ann <ann@example.org>\nSeat: Bob <bob@example.org>",
        "Ruleset: second-edition-advanced\nGame: another\nSeat: Ann <ann@example.org>\nSeat: Bob <bob@example.org>",
        "Ruleset: second-edition-advanced\nGame: vectors-two\nSeat: Bob <bob@example.org>\nSeat: Ann <ann@example.org>",
    ],
)
def test_another_game(header: str) -> None:
    head = read_record_head(f"Tkid-Record: 1\n{header}").record
    assert head is not None
    mine = closed(TWO)
    result, flaws = merge_deals(mine, evolve(mine, head=head), 0)
    assert result is mine
    assert [flaw.rule for flaw in flaws] == ["record.deal.game"]


def test_two_decks_are_locked_in_two_ways() -> None:
    """Nobody learns a key or an order by having a player lock two decks with the same seed."""
    first, second = secrets(TWO, 0), secrets(TWO, 1)
    other = evolve(first, deck=second.deck)
    assert first.key != other.key
    assert first.order != other.order
    assert first.derive_blind(0) != other.derive_blind(0)


# -- what is right ----------------------------------------------------------------------------------------


@pytest.mark.slow
@each_row("table", ["two", "three"])
def test_a_mail_twice_late_or_with_less_changes_nothing(table: str) -> None:
    whole = opened(table)
    for theirs in (whole, closed(table), locked_by(table, 1), deals.begin(whole.head)):
        assert merge_deals(whole, theirs, 0) == (whole, [])
    assert merge_deals(deals.begin(whole.head), whole, None) == (whole, [])
    assert merge_deals(locked_by(table, 1), whole, 0) == (whole, [])
