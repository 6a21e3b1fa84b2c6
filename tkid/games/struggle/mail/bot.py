"""The bot that plays a seat nobody plays: any legal turn, the same one for the same game. It knows what the seat knows."""

from __future__ import annotations

from random import Random

from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.rules.board import OPEN
from tkid.games.struggle.rules.game import PASS
from tkid.games.struggle.rules.moves import Move, Play
from tkid.kernel.game import with_names
from tkid.record.play.replay import Replay
from tkid.rulebook import cites


@cites("post.bot")
def choose(known: Replay, seat: int) -> str:
    """A legal turn for the seat, which is to act.

    Cards are spread over the power struggles to come: the more cards there are for them, the likelier one is played.
    What is drawn by lot hangs on the record alone, so that the same game goes on in the same way.
    """
    game, position = of(known)
    lot = Random(known.value + bytes([seat]))  # noqa: S311 - nothing secret hangs on it
    if position.decision != "play":
        return _whole(known, lot.choice(list(game.legal(position))), lot)
    hand = list(position.hands[seat])
    ahead = sum(disc == OPEN for disc in position.discs)
    if lot.random() * (len(hand) + ahead) < len(hand):
        lot.shuffle(hand)
        for card in hand:
            options = game.options(position, card)
            if options:
                return _whole(known, Play(card, lot.choice(list(options))), lot)
    return game.words.move(PASS)


def _whole(known: Replay, action: Move, lot: Random) -> str:
    game, position = of(known)
    moves = [action]
    after, _ = game.play(position, action)
    if after.decision == "summon":
        moves.append(lot.choice(list(game.legal(after))))
    return with_names(game.words.turn(tuple(moves)), known.record.names)
