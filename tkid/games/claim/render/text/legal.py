"""The cards that may be played, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.deck import FACTIONS, NAMES
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play, hand_of
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import with_names
from tkid.notation.vocabulary import Unknown, listed
from tkid.render.plugin import UnknownCardError, unseen


def legal(game: Claim, position: Position, names: Sequence[str], card: str, *, every: bool) -> list[str]:
    """What the next player may play, or whether a card or a faction may be played. Raises UnknownCardError."""
    return list(_legal(game, position, names, card, every=every))


def _legal(game: Claim, position: Position, names: Sequence[str], card: str, *, every: bool) -> Iterator[str]:
    assert position.to_act is not None
    name, hand = names[position.to_act], hand_of(position)
    options = list(game.legal(position))
    if not card:
        if hand.hidden and not every:
            yield from unseen(name)
            return
        may = "may, as far as you know the hand," if hand.hidden else "may"
        due = "lead" if position.led is None else f"play on {NAMES[position.led]}"
        why = f" {name} must follow with {FACTIONS[hand.follows].plural}." if hand.follows else ""
        yield f"{name} {may} {due}:{why}"
    for move in _named(game, card) if card else options:
        words = game.words.move(move)
        if move in options:
            yield f"  {words}"
            continue
        for violation in game.check(position, move):
            yield f"  {words}: no. {with_names(violation.sentence, names)} [{violation.rule}]"


def _named(game: Claim, name: str) -> list[Play]:
    """The card of a name, or all of a faction."""
    reader = TurnReader(game)
    turn = reader.turn(name)
    if turn.moves:
        return list(turn.moves)
    faction = reader.cards.find(name)
    if isinstance(faction, Unknown):
        hint = turn.problems[0].hint or f"The factions are {listed(reader.cards.names, 'and')}."
        raise UnknownCardError(f"`{name}` is not a card of {game.code}. {hint}")
    letter = next(letter for letter, each in FACTIONS.items() if each.name == faction)
    return [Play(card) for card in game.cards.values() if card[0] == letter]
