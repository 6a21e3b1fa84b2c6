"""What the solver needs to know of the end of a game: which positions are as good as the same, and how last cards come out."""

from __future__ import annotations

from collections.abc import Iterator

from tkid.bots.plugin import Last
from tkid.games.struggle.rules.effects import changes
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.finish import Winners


def essence(game: Struggle, position: Position) -> Position:
    """The position without what makes no difference any more: the numbers of turns but for their order, and covered cards."""
    acted, emptied = position.last_acted, position.emptied
    turns = sorted({turn for turn in (*acted, *emptied) if turn is not None})
    rank: dict[int | None, int | None] = {None: None, **{turn: index for index, turn in enumerate(turns)}}
    return position.but(
        last_acted=tuple([rank[turn] for turn in acted]),
        emptied=tuple([rank[turn] for turn in emptied]),
        discards=tuple([pile[-1:] for pile in position.discards]) if game.names_players else (),
    )


def last(game: Struggle, position: Position) -> Last | None:
    """How the last card comes out, where it is to be played or its follower to be summoned; None elsewhere.

    It is None too where the game may go on after the last card, and where a rule restricts how that card is played.
    """
    cards, seat = sum(map(len, position.hands)), position.to_act
    restricted = game.last_card is not None and game.last_card.players == len(position.courts)
    if seat is None or restricted or game.summons.alone:
        return None
    if position.decision == "summon" and not cards:
        return Last((winners for _, winners in game.finish.each(position, {})))
    if position.decision == "play" and cards == 1 and position.hands[seat] not in {(), (game.plot,)}:
        return Last(_played(game, position, position.hands[seat][0]), (PASS,))
    return None


def _played(game: Struggle, position: Position, card: str) -> Iterator[Winners]:
    """Who wins after each way to play the last card, and each summons after it."""
    spent = game.finish.spent(position)
    for resolution in game.options(position, card):
        for _, winners in game.finish.each(spent, changes(position, resolution)):
            yield winners
