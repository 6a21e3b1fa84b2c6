"""A position in sentences, for readers who do not see the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.render.text.telling import forecast, headline, stage
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import FACTIONS, NAMES, Cards, named
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.views import View
from tkid.kernel.game import HIDDEN
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.render.lines import printable


def description(game: Claim, view: View, names: Sequence[str]) -> str:
    """All that a seat may know of a position, in sentences; piles are counted by faction."""
    names = [printable(name) for name in names]
    shown = view.shown
    sentences = [
        f"{headline(game, view, names)}.",
        forecast(game, view, names),
        *_table(shown, names),
        *(f"{_player(view, names[seat], seat)}." for seat in shown.seats),
        f"Discarded: {_piled(shown.discards)}.",
    ]
    return " ".join(filter(None, sentences))


def _table(shown: Position, names: Sequence[str]) -> Iterator[str]:
    """Phase and trick, and the cards on the table; or that the game is over."""
    if shown.to_act is None:
        yield "The game is over."
        return
    if where := stage(shown):
        yield f"{where}."
    if shown.led is not None and shown.leader is not None:
        yield f"{names[shown.leader]} led {NAMES[shown.led]}."
    if shown.prize is not None:
        prize, deck = "not known" if shown.prize == HIDDEN else NAMES[shown.prize], len(shown.deck)
        yield f"The prize is {prize}; {counted(deck, 'card')} in the deck."


def _player(view: View, name: str, seat: int) -> str:
    """A player: hand, followers, factions shown not to be in hand, score pile and votes."""
    shown, pieces = view.shown, list[str]()
    if shown.to_act is not None:
        hand = shown.hands[seat]
        own = seat == view.seat and HIDDEN not in hand
        pieces.append(f"in hand {named(hand)}" if own and hand else f"{len(hand)} in hand")
        if shown.phase == 1:
            pieces.append(f"followers {len(shown.followers[seat])}")
        if shown.lacks[seat]:
            lacking = listed((FACTIONS[letter].plural for letter in shown.lacks[seat]), "or")
            pieces.append(f"has no {lacking}")
    votes = sum(each.seat == seat for each in scoring.votes(shown.scores))
    pieces += [f"score pile {_piled(shown.scores[seat])}", f"votes {votes}"]
    return f"{name}: {'; '.join(pieces)}"


def _piled(cards: Cards) -> str:
    """The number of cards of each faction in a pile."""
    counts = {letter: sum(card[0] == letter for card in cards) for letter in FACTIONS}
    words = [f"{n} {FACTIONS[letter].name if n == 1 else FACTIONS[letter].plural}" for letter, n in counts.items() if n]
    return ", ".join(words) or "nothing"
