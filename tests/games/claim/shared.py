"""What the tests of Claim share: games in play, made-up positions, hypothesis strategies, and twins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from hypothesis import strategies as st

from tkid.games.claim.rules import COPIES, PLAYS, Cards, Claim, Play, Position, sort_cards
from tkid.kernel.game import HIDDEN, Event
from tkid.rulebook.rulesets import ruleset

CLAIM: Claim = ruleset("claim").game()
PLAYERS = ("Ann", "Bob")
TRICKS = 13
seeds = st.integers(0, 2**32 - 1)
cards = st.sampled_from(list(COPIES))
plays = cards.map(PLAYS.__getitem__)


def start(entropy: bytes) -> Position:
    """The first position of a game dealt from entropy."""
    return CLAIM.start(CLAIM.seat_players(PLAYERS), CLAIM.deal(2, entropy))


def random_game(rng: Random) -> Iterator[tuple[Position, Play | None, tuple[Event, ...]]]:
    """A whole random game: each position with the move and the events that led to it (None and () at the start)."""
    position = start(rng.randbytes(32))
    yield position, None, ()
    while position.to_act is not None:
        options = CLAIM.legal(position)
        move = options[rng.randrange(len(options))]
        position, events = CLAIM.play(position, move)
        yield position, move, events


@st.composite
def positions(draw: st.DrawFn, *, over: bool = True) -> Position:
    """A position reached by random play; of the end too, if wanted."""
    turns = draw(st.integers(0, 4 * TRICKS - (not over)))
    return reached(Random(draw(seeds)), turns)


def reached(rng: Random, turns: int) -> Position:
    """The position after so many random turns."""
    position = start(rng.randbytes(32))
    for _ in range(turns):
        options = CLAIM.legal(position)
        position, _ = CLAIM.apply(position, options[rng.randrange(len(options))])
    return position


def made_up(hand: Cards, led: str | None, phase: int) -> Position:
    """Seat 1 is to play this hand after a led card, or with None to lead; seat 0 holds nothing that matters."""
    return Position(
        leader=1 if led is None else 0,
        led=led,
        hands=((), sort_cards(hand)),
        followers=((), ()),
        scores=((), ()),
        discards=(),
        deck=(HIDDEN,) if phase == 1 else (),
        prize=HIDDEN if phase == 1 else None,
        lacks=("", ""),
    )


def twin(rng: Random, position: Position, seat: int | None) -> Position:
    """A position that a seat cannot tell from this one: what it does not see is dealt anew, as `lacks` allows."""
    while (found := _redealt(rng, position, seat)) is None:
        pass
    return found


def _redealt(rng: Random, position: Position, seat: int | None) -> Position | None:
    """One try at a twin; None where the factions that hands lack got in the way."""
    others = [owner for owner in position.seats if owner != seat]
    hidden = [*position.deck, *(card for o in others for card in (*position.hands[o], *position.followers[o]))]
    rng.shuffle(hidden)
    hands, followers = list(position.hands), list(position.followers)
    for owner in others:
        able = [card for card in hidden if card[0] not in position.lacks[owner]]
        size = len(position.hands[owner])
        if len(able) < size:
            return None
        hands[owner] = sort_cards(able[:size])
        for card in hands[owner]:
            hidden.remove(card)
    for owner in others:
        size = len(position.followers[owner])
        followers[owner], hidden = sort_cards(hidden[:size]), hidden[size:]
    return position.replace(hands=tuple(hands), followers=tuple(followers), deck=tuple(hidden))


def everything(position: Position) -> Cards:
    """Every card of a position, wherever it lies."""
    places = (*position.hands, *position.followers, *position.scores, position.discards, position.deck)
    loose = [card for card in (position.led, position.prize) if card is not None]
    return sort_cards([*loose, *(card for place in places for card in place)])


def heard(events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
    """Events as a seat may know them; None asks for a spectator."""
    return tuple(event.seen(seat) for event in events)
