"""What may be played, in lines: a pass, and the ways to play cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import HIDDEN, Position
from tkid.kernel.game import with_names
from tkid.notation.vocabulary import Unknown, Vocabulary, listed
from tkid.render.errors import UnknownCardError

EXAMPLES = 3
"""So many resolutions of a card are shown unless all are asked for."""


def legal(game: Struggle, position: Position, names: Sequence[str], card: str, *, every: bool) -> Iterator[str]:
    """What may be played with a card, or with "" with all of them."""
    assert position.to_act is not None
    name = names[position.to_act]
    if position.decision != "play":
        due = {"summon": "has to summon", "plot": f"has to name the faction that {game.plot} counts for"}
        yield f"{name} {due[position.decision or 'summon']}:"
        for move in game.legal(position):
            yield f"  {game.words.move(move)}"
        return
    cards = [_card(game, card)] if card else list(game.held(position, position.to_act))
    hidden = HIDDEN in position.hands[position.to_act]
    if not card:
        may = f", as {name}'s hand is hidden, at most" if hidden else ""
        yield f"{name} may pass (`Pass`)" + (f" or{may} play:" if cards else ".")
    elif not game.may_hold(position, position.to_act, cards[0]):
        yield f"{name} does not hold {cards[0]}. Whoever does could play:"
    for held in cards:
        yield from _ways(game, position, held, names, every=every or bool(card))


def _card(game: Struggle, name: str) -> str:
    found = Vocabulary(game.cards, {}).find(name)
    if isinstance(found, Unknown):
        hint = found.hint() or f"The cards are {listed(game.cards, 'and')}."
        raise UnknownCardError(f"`{name}` is no card of {game.code}. {hint}")
    return found


def _ways(game: Struggle, position: Position, card: str, names: Sequence[str], *, every: bool) -> Iterator[str]:
    """How many ways there are to play a card, and examples of them or all."""
    options = game.cards[card].ladder.options(position)
    if not options:
        yield f"  {card}: is not played [{game.cards[card].rule}]"
        return
    yield f"  {card}: {len(options)} way{'s' * (len(options) != 1)} [{game.cards[card].rule}]"
    shown = range(len(options)) if every else [i * len(options) // EXAMPLES for i in range(min(EXAMPLES, len(options)))]
    for index in dict.fromkeys(shown):
        yield f"    {card} {with_names(game.words.resolution(options[index]), names)}"
