"""What may be played, in lines: a pass, and the ways to play cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Position
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
        due = {
            "summon": "may summon" if game.summons.optional else "has to summon",
            "plot": f"has to name the faction that {game.plot} counts for",
        }
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
    if not card:
        yield from _summons(game, position, every=every)


def _card(game: Struggle, name: str) -> str:
    found = Vocabulary(game.cards, {}).find(name)
    if isinstance(found, Unknown):
        hint = found.hint() or f"The cards are {listed(game.cards, 'and')}."
        raise UnknownCardError(f"`{name}` is no card of {game.code}. {hint}")
    return found


def _summons(game: Struggle, position: Position, *, every: bool) -> Iterator[str]:
    """Who may be summoned without a card, where the ruleset allows that."""
    options = game.summons.without_action(position)
    if options:
        yield f"  summon, without a card: {len(options)} way{'s' * (len(options) != 1)} [{game.summons.alone}]"
        for index in _shown(len(options), every=every):
            yield f"    {game.words.move(options[index])}"


def _shown(count: int, *, every: bool) -> Iterable[int]:
    """The indices of those that are listed out of so many: all, or some examples."""
    return range(count) if every else dict.fromkeys(i * count // EXAMPLES for i in range(min(EXAMPLES, count)))


def _ways(game: Struggle, position: Position, card: str, names: Sequence[str], *, every: bool) -> Iterator[str]:
    """How many ways there are to play a card, and examples of them or all."""
    options = game.options(position, card)
    if not options:
        broken = game.not_played(position, card)
        yield f"  {card}: cannot be played: {broken.sentence} [{broken.rule}]"
        return
    yield f"  {card}: {len(options)} way{'s' * (len(options) != 1)} [{game.cards[card].rule}]"
    for index in _shown(len(options), every=every):
        yield f"    {card} {with_names(game.words.resolution(options[index]), names)}"
