"""Games that end before their rules decide them, by resignation, agreement or the host: what letters say about them."""

from __future__ import annotations

from tkid.mail.voice import LINE, Voice, both, fitting, sentence
from tkid.record.play.outcome import Outcome, outcome
from tkid.record.play.replay import Replay

AGREED = {"draw": "everybody agreed to a draw", "abandoned": "everybody agreed to abandon the game"}
SHORT = {"draw": "draw agreed", "abandoned": "abandoned", "aborted": "aborted by the host"}
"""How a game ended that nobody won alone, for a subject."""


def early_result(known: Replay, seat: int | None) -> tuple[str, str]:
    """How a game ended early, for a subject and as a sentence; "" where it did not end so."""
    end = outcome(known)
    if end is None:
        return "", ""
    voice = Voice(known.record.names, seat)
    if end.how != "resigned":
        return SHORT[end.how], sentence(f"The game is over: {_why(end, voice)}")
    short, won = voice.won(end.winners), f"{voice.every(end.winners)} won"
    return short, fitting(LINE, sentence(f"{won}: {_why(end, voice)}"), sentence(won), sentence(short))


def early_reasons(known: Replay, seat: int | None) -> list[str]:
    """Why such a game is over, in sentences; [] where it did not end so."""
    end = outcome(known)
    if end is None:
        return []
    voice = Voice(known.record.names, seat)
    if end.how == "resigned":
        return [sentence(f"{_why(end, voice)}, so the game is over")]
    if end.how == "aborted":
        reason = [sentence(f"The reason: {end.reason}")] if end.reason else []
        return ["The keeper of the host ended the game. Nobody won.", *reason]
    names = both(known.record.names[seat] for seat in end.seats)
    shared = "The game counts as drawn." if end.how == "draw" else "Nobody won."
    return [sentence(f"{names} agreed on it"), shared]


def _why(end: Outcome, voice: Voice) -> str:
    """Why a game is over, as a clause."""
    if end.how == "resigned":
        return f"{voice.every(end.seats)} {voice.verb(end.seats, 'has', 'have')} resigned"
    return AGREED.get(end.how, "the host aborted it")
