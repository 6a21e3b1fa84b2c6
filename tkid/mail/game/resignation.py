"""Games that are won because the others have resigned: what letters say of them."""

from __future__ import annotations

from tkid.mail.game.timeline import timeline
from tkid.mail.voice import LINE, Voice, fitting, sentence
from tkid.record.play.replay import Replay


def left_over(known: Replay) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats that won because all others resigned, and these others; nobody where the game did not end so."""
    time = timeline(known)
    gone = tuple(seat for seat, each in enumerate(time.seats) if not each.plays)
    return (time.winners, gone) if time.winners else ((), ())


def won_by_resignation(known: Replay, seat: int | None) -> tuple[str, str]:
    """Who won because all others resigned, for a subject and as a sentence; "" where the game did not end so."""
    winners, gone = left_over(known)
    if not winners:
        return "", ""
    voice = Voice(known.record.names, seat)
    short, won = voice.won(winners), f"{voice.every(winners)} won"
    reason = f"{voice.every(gone)} {voice.verb(gone, 'has', 'have')} resigned"
    return short, fitting(LINE, sentence(f"{won}: {reason}"), sentence(won), sentence(short))


def decided_by_resignation(known: Replay, seat: int | None) -> list[str]:
    """Why such a game is over; [] where it did not end so."""
    _, gone = left_over(known)
    voice = Voice(known.record.names, seat)
    return (
        [sentence(f"{voice.every(gone)} {voice.verb(gone, 'has', 'have')} resigned, so the game is over")]
        if gone
        else []
    )
