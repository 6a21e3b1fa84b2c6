"""What players may want in The King is Dead, and what to write for it: the game's own part of `help`."""

from __future__ import annotations

from tkid.games.struggle.mail.samples import samples
from tkid.games.struggle.mail.turn_examples import of
from tkid.games.struggle.notation.orders import PLUGIN as ORDERS
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.game import with_names
from tkid.record.play.replay import Replay


def aims(known: Replay, _: int) -> tuple[tuple[str, str], ...]:
    """Each aim with an example."""
    game = of(known)[0]
    card, turn = next(iter(game.cards)), _turn(known)
    return (
        ("Pass your turn", "Pass"),
        *([("Play a card", turn)] if turn else []),
        ("Only check a turn", "draft Pass"),
        ("See what you can play", f"legal, or legal {card}"),
        ("Pass for a while", ORDERS(game).examples.partition(",")[0].strip("`")),
        ("Make a plan", "if anyone passes: Pass; else stop"),
    )


def _turn(known: Replay) -> str:
    """A turn with a card: one that is legal now, else the last one that was played; "" where none was."""
    played = (moment for moment in reversed(known.moments) if moment.moves and isinstance(moment.moves[0], Play))
    game, names = of(known)[0], known.record.names
    last = (with_names(game.words.turn(moment.moves), names) for moment in played)
    return min(samples(known), key=len, default="") or next(last, "")


def shorthand(known: Replay) -> str:
    """What the letters of a turn mean."""
    factions = of(known)[0].board.factions
    letters = ", ".join(
        f"{each.letter}{' is' if index == 0 else ''} {each.name}" for index, each in enumerate(factions)
    )
    first = factions[0]
    return f"{letters}; {first.letter * 2} is two {first.name}. Names may be shortened."
