"""The seeds prove a whole game, and expose whoever did not keep to the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from attrs import evolve

from tests.record.locked_games import at_random, begun, shown, whole
from tests.record.locked_vectors import closed, locked_by, opened, secrets, seeds
from tkid.games.claim.rules import PLAYS, Position
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Play
from tkid.record import locked_cards, locked_deal
from tkid.record import locked_deal as deals
from tkid.record.draw import replace_value
from tkid.record.locked_audit import find_broken_parts, verify_locked_game
from tkid.record.locked_cards import Secrets
from tkid.record.locked_deal import LockedDeal, find_known_cards
from tkid.record.locked_text import find_deal_faults, merge_deals
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets

pytestmark = pytest.mark.slow
SEED = 1


def rules(played: Replay, deal: LockedDeal) -> set[str]:
    """The rules that an audit finds broken."""
    return {problem.rule for problem in verify_locked_game(played, deal).contradicted}


@pytest.mark.parametrize("table", ["two", *(pytest.param(t, marks=pytest.mark.exhaustive) for t in ("four", "claim"))])
def test_a_whole_game_is_proven(table: str) -> None:
    played = whole(table, SEED)
    deal = shown(table, played)
    for view in (played, hide_secrets(played, 0)) if table == "two" else (hide_secrets(played, 0),):
        proof = verify_locked_game(view, deal)
        assert proof.complete, proof
        assert [fact.rule for fact in proof.proven] == [
            "record.deal.lock",
            "record.deal.unlock",
            "record.deal.audit",
            "record.deal.nonce",
            "record.deal",
            "record.deal.play",
            "record.deal.audit",
        ]
        kept = "followed suit when they could" if table == "claim" else "revealed the cards that they had to"
        assert proof.proven[-1].text.endswith(f": legal with all hands known. Everybody {kept}.")
        assert "dealt, and unknown to all others until it was played or a seed opened it." in proof.proven[4].text


def test_who_has_not_opened_the_seed_is_named() -> None:
    played = whole("two", SEED)
    deal = evolve(shown("two", played), seeds=(seeds("two")[0], None))
    proof = verify_locked_game(hide_secrets(played, 0), deal)
    assert not proof.contradicted
    assert [fact.text for fact in proof.unproven if fact.rule == "record.deal.seed"] == [
        "What follows from Bob's seed: Bob has not opened it yet."
    ]


def test_a_card_that_was_not_shown_is_missed() -> None:
    played = whole("two", SEED)
    deal = shown("two", played)
    assert len(deal.unlocks) > len(closed("two").unlocks)
    assert rules(played, evolve(deal, unlocks=closed("two").unlocks)) == {"record.deal.play"}


def test_a_card_that_was_not_dealt_is_found() -> None:
    """A file in which somebody plays another's cunning card."""
    played = begun("two")
    game = played.record.game
    position: Any = played.position
    assert isinstance(game, Struggle)
    seat = position.to_act or 0
    foreign = [card for card in position.hands[1 - seat] if card in game.hands.deck and card != game.plot]
    hands = replace_value(played.record.deal.hands, seat, played.record.deal.hands[1 - seat])
    cheat = begun_with(played, hands)
    start: Any = cheat.position
    moves = [move for move in game.legal(start) if isinstance(move, Play) and move.card in foreign]
    chosen: list[Any] = [moves[0]]
    after, _ = game.apply(start, moves[0])
    while game.turn_continues(after):
        chosen.append(next(iter(game.legal(after))))
        after, _ = game.apply(after, chosen[-1])
    cheat = append(cheat, chosen)
    assert not cheat.problems
    assert locked_deal.list_unshown_cards(cheat, opened("two"))[0].card == moves[0].card
    assert "second.turn.hand" in rules(cheat, shown("two", begun("two")))


def begun_with(played: Replay, hands: tuple[tuple[str, ...], ...]) -> Replay:
    """The game with other hands."""
    return replay(evolve(played.record, deal=evolve(played.record.deal, hands=hands)))


def test_a_revoke_is_found() -> None:
    """In Claim, somebody does not follow who could: no other file shows it."""
    played, chance = begun("claim"), Random(SEED)
    while True:
        position = played.position
        assert isinstance(position, Position)
        seat = position.to_act or 0
        wrong = [card for card in position.hands[seat] if PLAYS[card] not in list(played.record.game.legal(position))]
        if wrong:
            break
        played = at_random(played, chance)
    other = hide_secrets(played, 1 - seat)
    revoked = append(other, (PLAYS[wrong[0]],))
    assert not revoked.problems
    deal = shown("claim", append(played, (PLAYS[wrong[0]],)))
    assert not locked_deal.list_unshown_cards(revoked, deal)
    assert rules(revoked, deal) == {"claim.trick.follow"}
    assert not verify_locked_game(revoked, evolve(deal, seeds=(None, None))).contradicted


def test_a_changed_set_up_is_found() -> None:
    played = begun("two")
    assert rules(begun_with(played, played.record.deal.hands[::-1]), shown("two", played)) == {"record.deal"}


def test_a_deal_of_another_game_is_told() -> None:
    assert rules(begun("two"), opened("digest")) == {"record.deal.game"}


# -- seeds ------------------------------------------------------------------------------------------------


class OtherOrder(Secrets):
    """A player who shuffles in an order that was chosen, and does all else as the seed says."""

    @property
    def order(self) -> tuple[int, ...]:
        """The order in which the deck came."""
        return tuple(range(len(self.deck)))


def test_an_order_that_was_chosen_is_found() -> None:
    """The proof fits, as it hides the order; only the seed shows that it was not drawn."""
    before = locked_by("two", 2)
    honest = secrets("two", 1)
    cheat = OtherOrder(honest.terms, honest.name, honest.seed, honest.deck)
    after = locked_cards.lock_deck(cheat, honest.deck)
    deal = evolve(
        before,
        decks=replace_value(before.decks, 1, after),
        proofs=replace_value(before.proofs, 1, locked_cards.prove_shuffle(cheat, honest.deck, after)),
    )
    assert merge_deals(locked_by("two", 1), deal, 0)[1] == []
    assert list(find_broken_parts(deal, 1, honest.seed)) == ["deck"]


class OtherBlinds(Secrets):
    """A player whose proofs are right, but not those of the seed."""

    def derive_blind(self, number: int) -> tuple[bytes, tuple[int, ...]]:
        """The scalar and the order of the next round."""
        return super().derive_blind(number + 1)

    def derive_unlock_blind(self, place: int, of: bytes) -> bytes:
        """The scalar of another place."""
        return super().derive_unlock_blind(place + 1, of)


def test_proofs_that_are_not_those_of_the_seed_are_found() -> None:
    honest, whole_deal = secrets("two", 1), locked_by("two", 2)
    cheat = OtherBlinds(honest.terms, honest.name, honest.seed, honest.deck)
    deck = whole_deal.decks[1]
    assert deck is not None
    proof = locked_cards.prove_shuffle(cheat, honest.deck, deck)
    deal = evolve(whole_deal, proofs=replace_value(whole_deal.proofs, 1, proof))
    assert list(find_broken_parts(deal, 1, honest.seed)) == ["proof"]
    complete = closed("two")
    taken = locked_cards.unlock_point(cheat, 1, 3, complete.point_at(3))
    deal = evolve(complete, unlocks=(*complete.unlocks, taken))
    assert find_deal_faults(deal) == []
    assert list(find_broken_parts(deal, 1, honest.seed)) == ["unlock of card 4"]


def test_another_seed_than_the_one_committed_to() -> None:
    deal = closed("two")
    assert not deals.has_fitting_seed(deal, 0, seeds("two")[1])
    assert "key" in list(find_broken_parts(deal, 0, seeds("two")[1]))


def test_plot_that_its_owner_keeps_quiet_about_is_found() -> None:
    """All twelve cards are dealt to four players, so somebody has Plot; it counts at the end."""
    played = whole("four", SEED)
    deal = shown("four", played)
    (place,) = (place for place, card in find_known_cards(deal, deal.open_seeds).items() if card == "Plot")
    owner = next(seat for seat, hand in enumerate(deal.deck.hands) if place in hand)
    quiet = tuple(each for each in deal.unlocks if (each.seat, each.place) != (owner, place))
    assert len(quiet) == len(deal.unlocks) - 1
    found = verify_locked_game(hide_secrets(played, (owner + 1) % 4), evolve(deal, unlocks=quiet)).contradicted
    assert [(problem.rule, "never showed Plot" in problem.message) for problem in found] == [("record.deal.play", True)]
