"""Which cards may be played, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.claim.notation.turn_reader import TurnReader
from tkid.games.claim.rules.deck import FACTIONS, NAMES
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import Play, hand_of
from tkid.games.claim.rules.position import Position
from tkid.notation.vocabulary import Unknown, listed
from tkid.render.errors import UnknownCardError


def legal(game: Claim, position: Position, names: Sequence[str], card: str) -> Iterator[str]:
    """What may be played, or with a card or the name of a faction whether that may. Raises UnknownCardError."""
    assert position.to_act is not None
    name, hand = names[position.to_act], hand_of(position)
    options = list(game.legal(position))
    may = f"may, as far as {name}'s hand is known," if hand.hidden else "may"
    due = "lead" if position.led is None else f"play on {NAMES[position.led]}"
    if not card:
        why = f" {FACTIONS[hand.follows].plural} have to be followed." if hand.follows else ""
        yield f"{name} {may} {due}:{why}"
    wanted = _wanted(game, card) if card else options
    for move in wanted:
        if move in options:
            yield f"  {game.words.move(move)}"
            continue
        for violation in game.check(position, move):
            yield f"  {game.words.move(move)}: no. {violation.sentence.replace(f'{{{hand.seat}}}', name)} [{violation.rule}]"


def _wanted(game: Claim, card: str) -> list[Play]:
    """The card that is named, or all of a faction."""
    reader = TurnReader(game)
    read = reader.turn(card)
    if read.moves:
        return list(read.moves)
    found = reader.cards.find(card)
    if isinstance(found, Unknown):
        hint = read.problems[0].hint or f"The factions are {listed(reader.cards.names, 'and')}."
        raise UnknownCardError(f"`{card}` is no card of {game.code}. {hint}")
    letter = next(letter for letter, faction in FACTIONS.items() if faction.name == found)
    return [Play(each) for each in game.cards.values() if each[0] == letter]
