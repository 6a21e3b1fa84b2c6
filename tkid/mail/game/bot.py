"""The turn of a seat that a bot plays in a game by mail."""

from __future__ import annotations

from tkid.kernel.game import with_names
from tkid.record.format.bot_seats import BY_MAIL
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

BY_LOT = "random"


@cites("post.bot", "post.bot.player", "post.bot.fair")
def turn_of(known: Replay, seat: int, player: str) -> str:
    """A legal turn for a bot's seat, which is to act: the same for the same game. It knows what the seat knows."""
    from tkid.bots.roster import PLAYERS  # noqa: PLC0415 - few games have a bot, and starting up is slower with players

    game = known.record.game
    chosen = PLAYERS.get(player, PLAYERS[BY_LOT])(game)
    turn = chosen.choose(game.view(known.position, seat), BY_MAIL)
    return with_names(game.words.turn(turn), known.record.names)
