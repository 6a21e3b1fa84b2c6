"""What each player of Claim has, in a line each; and a few cards that may be played now."""

from __future__ import annotations

from collections.abc import Iterable

from tkid.games.claim.mail.turn_examples import of, playable
from tkid.games.claim.rules.deck import FACTIONS, NAMES, Cards
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import HIDDEN
from tkid.mail.voice import Voice
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import listed
from tkid.record.play.replay import Replay

MOST = 3


def samples(known: Replay) -> list[str]:
    """Up to three cards of the next player, of different factions where there are several."""
    _, position = of(known)
    if position.to_act is None or HIDDEN in position.hands[position.to_act]:
        return []
    cards = playable(known)
    first = {card[0]: card for card in reversed(cards)}
    chosen = sorted(first.values(), key=cards.index)
    return [NAMES[card] for card in [*chosen, *(card for card in cards if card not in chosen)][:MOST]]


# -- what each has ------------------------------------------------------------------------------------------


def facts(known: Replay, seat: int | None) -> tuple[tuple[str, str], ...]:
    """Each player with hand, followers and score pile, as far as the reader may know them."""
    _, position = of(known)
    voice = Voice(known.record.names, seat)
    return tuple(
        ("You" if each == seat else voice.names[each], "; ".join(_facts(position, each))) for each in position.seats
    )


def _facts(position: Position, seat: int) -> Iterable[str]:
    if position.to_act is not None:
        yield _held(position.hands[seat], "in hand")
        if position.lacks[seat]:
            lacking = (each.plural for letter, each in FACTIONS.items() if letter in position.lacks[seat])
            yield f"no {listed(lacking)} in hand"
        if position.phase == 1:
            yield _held(position.followers[seat], "recruited")
    yield f"score pile: {_counted(position.scores[seat])}"
    if seat in position.winners:
        yield "winner"


def _held(cards: Cards, where: str) -> str:
    """Cards by faction, with their values; hidden ones as a number."""
    if HIDDEN in cards or not cards:
        return f"{counted(len(cards), 'card', 'no')} {where}"
    values = {letter: [card[1] for card in cards if card[0] == letter] for letter in FACTIONS}
    kinds = (
        f"{FACTIONS[letter].name if len(held) == 1 else FACTIONS[letter].plural} {' '.join(held)}"
        for letter, held in values.items()
        if held
    )
    return f"{where}: {', '.join(kinds)}"


def _counted(pile: Cards) -> str:
    """A pile by faction: `2 Goblins, 1 Undead`."""
    counts = {letter: sum(card[0] == letter for card in pile) for letter in FACTIONS}
    kinds = (
        f"{count} {FACTIONS[letter].name if count == 1 else FACTIONS[letter].plural}"
        for letter, count in counts.items()
        if count
    )
    return ", ".join(kinds) or "empty"
