"""No hidden card of Claim shows in a letter: two games that differ only in what a seat may not know are told alike.

Such a *twin* of a game has the unknown cards of the other's hand, of the other's draws and of the deck in other places.
The next two cards of the deck are the same, as the trick that is being played may show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from attrs import evolve
from hypothesis import Phase, assume, given
from hypothesis import strategies as st

from tests.host import posted
from tests.mail.mails import TIME, orders_of
from tests.mail.said import everything
from tests.shared.examples import examples
from tests.shared.strategies import seeds
from tkid.games.claim.mail import get_game_and_position, list_playable_cards
from tkid.games.claim.rules import HAND, NAMES, Deal, Position, sort_cards
from tkid.kernel.game import HIDDEN
from tkid.mail import game_service
from tkid.mail.game_service import HostedGame
from tkid.record.format.model import Record
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record

UNSHRUNK = [Phase.explicit, Phase.generate]
"""A seed is as small as any other."""
TRIES = 60
"""How often a twin is dealt anew because faction would not have been followed."""


def game_of(rng: Random, turns: int) -> Replay:
    """A random game after so many turns."""
    game = replay(new_record("claim", ("Ann <ann@example.org>", "Bob <bob@example.org>"), rng.randbytes(32)))
    for _ in range(turns):
        game = append(game, NAMES[rng.choice(list_playable_cards(game))])
    return game


def story(game: Replay, seat: int) -> list[object]:
    """What a seat sees of a game, turn by turn."""
    return [(m.line, [event.seen(seat) for event in m.events], m.position.to_act) for m in game.moments]


def twin_of(rng: Random, game: Replay, seat: int) -> Replay | None:
    """A game that a seat cannot tell from this one; None where no other was found."""
    record, other = game.record, 1 - seat
    deal, known = record.deal, hide_secrets(game, seat).record.deal
    assert isinstance(deal, Deal)
    assert isinstance(known, Deal)
    position = get_game_and_position(game)[1]
    kept = _told(game, seat)
    later = len(deal.deck) - len(position.deck)
    held = [card for card in deal.hands[other] if card not in _played(game, other, 1)]
    loose = [at for at in range(len(deal.deck)) if at not in kept and not later <= at < later + 2]
    loose = [at for at in loose if deal.deck[at] not in _played(game, other, 2)]
    for _ in range(TRIES):
        cards = [*held, *(deal.deck[at] for at in loose)]
        rng.shuffle(cards)
        hand = [card for card in deal.hands[other] if card not in held] + cards[: len(held)]
        deck = list(deal.deck)
        for at, card in zip(loose, cards[len(held) :], strict=True):
            deck[at] = card
        if len(hand) != HAND or (sort_cards(hand), tuple(deck)) == (deal.hands[other], deal.deck):
            continue
        hands = tuple(sort_cards(hand) if owner == other else its for owner, its in enumerate(deal.hands))
        found = replay(evolve(record, deal=evolve(deal, hands=hands, deck=tuple(deck))))
        if not found.problems and story(found, seat) == story(game, seat):
            return found
    return None


def _played(game: Replay, seat: int, phase: int) -> set[str]:
    """The cards that a seat has played in a phase. The Goblins 0 are alike: none of them is moved once one was played."""
    both = zip(game.moments, game.moments[1:], strict=False)
    return {
        moment.moves[0].card
        for before, moment in both
        if moment.turn and moment.turn.seat == seat and _position(before.position).phase == phase
    }


def _position(position: object) -> Position:
    assert isinstance(position, Position)
    return position


def _told(game: Replay, seat: int) -> set[int]:
    """The places in the deck that a seat has seen: all prizes, and what it drew itself."""
    told, at = {0}, 1
    for moment in game.moments:
        for event in moment.events:
            if event.rule == "claim.recruit.draw":
                told |= {at} if event.only == seat else set()
                at += 1
            elif event.rule == "claim.recruit.reveal":
                told.add(at)
                at += 1
    return told


def mails_of(rng: Random, game: Replay, seat: int) -> Iterator[str]:
    """Mails that a seat may send: cards it may play and others, plans of all sorts, questions."""
    yield from (NAMES[card] for card in rng.sample(list(NAMES)[:-1], 3))
    yield "draft Goblin 5\ndraft X3\nstatus\nhistory\nwhy\nlegal\nlegal Knight"
    yield "if led anything: play my lowest\nlead my highest Knight\nif prize Undead: stop\nplay what is forced\nundo?"
    yield "if led Goblin: play my highest until the phase ends\nKnight 5; then stop\nsay to all: What do you hold?"
    if game.position.to_act == seat:
        yield from (NAMES[card] for card in list_playable_cards(game)[:2])


def told_to(game: Replay, seat: int, mails: Sequence[str]) -> dict[str, object]:
    """All that a seat is told of a game: its file, the letter that asks it, and answers to its mails."""
    known = hide_secrets(game, seat)
    told: dict[str, object] = {"file": write_record(known.record, known), "asked": posted.asked(game, seat)}
    told["sentences"] = everything(known, seat)
    return told | {text: posted.answered(game, seat, text) for text in mails}


@pytest.mark.slow
@given(seeds, st.integers(0, 51))
@examples(12, phases=UNSHRUNK)
def test_twins_are_told_alike(seed: int, turns: int) -> None:
    rng = Random(seed)
    game = game_of(rng, turns)
    for seat in (0, 1):
        twin = twin_of(rng, game, seat)
        if twin is not None:
            mails = list(mails_of(rng, game, seat))
            assert told_to(game, seat, mails) == told_to(twin, seat, mails)


def test_twins_are_found_in_both_phases() -> None:
    """So that the test above compares something."""
    found = [
        twin_of(Random(seed), game_of(Random(seed), turns), 0) is not None for seed in range(4) for turns in (9, 31)
    ]
    assert sum(found) >= 4


@given(seeds, st.integers(0, 40))
@examples(8, phases=UNSHRUNK)
def test_what_the_other_plays_is_told_alike(seed: int, turns: int) -> None:
    """The letter about a card of the other's, also where it ends a trick and the other draws."""
    rng = Random(seed)
    game = game_of(rng, turns)
    mover = game.position.to_act
    assert mover is not None
    text = NAMES[rng.choice(list_playable_cards(game))]
    longer = append(game, text)
    twin = twin_of(rng, longer, 1 - mover)
    assume(twin is not None)
    assert twin is not None
    cut = replay(evolve(twin.record, turns=twin.record.turns[:-1]))
    one, other = (posted.to_seat(posted.at_host(each, mover, text), 1 - mover) for each in (game, cut))
    assert one
    assert one == other


def _with_plans(record: Record, seat: int, *plans: str) -> HostedGame:
    """A game at a host in which a seat has plans."""
    at = game_service.begin_game(record, TIME).game
    return game_service.receive_mail(at, seat, orders_of("\n".join(plans), at.replay, seat), TIME).game if plans else at


@given(seeds)
@examples(5, phases=UNSHRUNK)
def test_plans_that_wait_are_told_to_nobody_else(seed: int) -> None:
    record = new_record("claim", ("Ann <ann@example.org>", "Bob <bob@example.org>"), Random(seed).randbytes(32))
    leads = record.start().to_act
    assert leads is not None
    card = NAMES[list_playable_cards(replay(record))[-1]]
    waiting = ("if nothing is led: stop", "if phase two: stop", "lead my lowest")
    letters = []
    for plans in ((), waiting):
        at = _with_plans(record, 1 - leads, *plans)
        outcome = game_service.receive_mail(at, leads, orders_of(f"{card}\nstatus\nhistory", at.replay, leads), TIME)
        letters.append(posted.to_seat(outcome, leads))
    assert letters[0] == letters[1]
    assert HIDDEN.encode() in letters[0][0]
