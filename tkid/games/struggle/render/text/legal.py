"""The legal turns, in lines to copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Move, Play
from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.kernel.game import with_names
from tkid.notation.numbers import counted
from tkid.notation.vocabulary import Unknown, Vocabulary, listed
from tkid.render.plugin import UnknownCardError, unseen

EXAMPLES = 3
"""The most ways to play a card that are listed, unless all are asked for."""
WHOLE = "Each line is a whole turn, with one of the summonses that may follow."
MORE = " `--card CARD` lists every way to play a card, `--all` every way to play any."


def legal(game: Struggle, position: Position, names: Sequence[str], card: str, *, every: bool) -> list[str]:
    """What the next player may do with one card, or with "" with all of them: whole turns below their cards.

    Each turn has one of the summonses that may follow, so that it can be played as it stands. Raises UnknownCardError.
    """
    seat = position.to_act or 0
    if position.decision == "play" and HIDDEN in position.hands[seat] and not (card or every):
        return list(unseen(names[seat]))
    return list(_legal(game, position, names, card, every=every))


def _legal(game: Struggle, position: Position, names: Sequence[str], card: str, *, every: bool) -> Iterator[str]:
    assert position.to_act is not None
    name = names[position.to_act]
    if position.decision != "play":
        due = {
            "summon": "may summon" if game.summons.optional else "must summon",
            "plot": f"must name the faction that {game.plot} counts for",
        }
        yield f"{name} {due[position.decision or 'summon']}:"
        for move in game.legal(position):
            yield f"  {game.words.move(move)}"
        return
    cards = [_card(game, card)] if card else list(game.held(position, position.to_act))
    if not card:
        hidden = HIDDEN in position.hands[position.to_act]
        yield f"{name} may pass (`Pass`)" + (" or play:" if cards and not hidden else ".")
        if cards and hidden:
            yield f"You cannot see {name}'s hand. If {name} holds them, these cards could be played:"
    elif not game.may_hold(position, position.to_act, cards[0]):
        yield f"{name} does not have {cards[0]}. A player who has it could play:"
    most = 0
    for held in cards:
        plays = [Play(held, resolution) for resolution in game.options(position, held)]
        if plays:
            ways = f"  {held}: {counted(len(plays), 'way')} [{game.cards[held].rule}]"
            most = max(most, len(plays))
            yield from _listed(game, position, ways, plays, names, every=every or bool(card))
        else:
            broken = game.not_played(position, held)
            yield f"  {held}: not now. {broken.sentence} [{broken.rule}]"
    summonses = game.summons.without_action(position)
    if summonses and not card:
        ways = f"  summon, without a card: {counted(len(summonses), 'way')} [{game.summons.alone}]"
        yield from _listed(game, position, ways, summonses, names, every=every)
    if most and game.may_hold(position, position.to_act, cards[0]):
        yield WHOLE + (MORE if most > EXAMPLES and not (card or every) else "")


def _card(game: Struggle, name: str) -> str:
    card = Vocabulary(game.cards, {}).find(name)
    if isinstance(card, Unknown):
        hint = card.hint() or f"The cards are {listed(game.cards, 'and')}."
        raise UnknownCardError(f"`{name}` is not a card of {game.code}. {hint}")
    return card


def _listed(
    game: Struggle, position: Position, heading: str, moves: Sequence[Move], names: Sequence[str], *, every: bool
) -> Iterator[str]:
    """Turns below a heading: every way, or examples."""
    yield heading
    count = len(moves)
    for index in range(count) if every else dict.fromkeys(i * count // EXAMPLES for i in range(min(EXAMPLES, count))):
        yield f"    {with_names(game.words.turn(_whole(game, position, moves[index])), names)}"


def _whole(game: Struggle, position: Position, move: Move) -> tuple[Move, ...]:
    """A legal move with a summons, where one is due after it: that in the middle of all that may follow."""
    if isinstance(move, Play) and not game.may_hold(position, position.to_act or 0, move.card):
        return (move,)
    after, _ = game.apply(position, move)
    if after.decision != "summon":
        return (move,)
    summonses = game.legal(after)
    return (move, summonses[len(summonses) // 2])
