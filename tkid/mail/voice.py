"""The voice of our mails, also about early ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from tkid.notation.names import listed
from tkid.notation.text import spell_number
from tkid.record.clock_notes import BY_RESIGNATION, NOTHING_TO_PLAY, OUT_OF_TIME
from tkid.record.format.model import Turn
from tkid.record.play.replay import Outcome, Replay, outcome

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
MAX_SHORT_NEWS = 60
"""The room for what happened in the first sentence of a mail; the next player and the deadline follow in the line."""
SUBJECT = 30
"""The room for what happened in a subject, behind the names of game and turn."""
LINE = 78
"""The columns of a line."""


def sentence(text: str) -> str:
    """Return a text as a sentence: with a capital at its start and one stop at its end, also behind a name like `J.R.`."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def fitting(room: int, *wordings: str) -> str:
    """Return the first wording that is no longer than the room, else the last."""
    return next((wording for wording in wordings if len(wording) <= room), wordings[-1])


def both(names: Iterable[str]) -> str:
    """Return names or things as a list: `Moray, Gwynedd and Lancaster`; "" for none."""
    every = tuple(names)
    return listed(every, "and") if every else ""


@frozen
class Voice:
    """Speaks to the seat `reader` about the players of these names; with None it speaks to somebody who only watches."""

    names: Sequence[str]
    reader: int | None

    def who(self, seat: int) -> str:
        """Name a player within a sentence: `you`, `Bob`."""
        return "you" if seat == self.reader else self.names[seat]

    def whose(self, seat: int) -> str:
        """Name the owner of something: `your`, `Bob's`."""
        return "your" if seat == self.reader else f"{self.names[seat]}'s"

    def every(self, seats: Iterable[int]) -> str:
        """Name several players, the reader first: `you and Bob`."""
        return both(self.who(seat) for seat in sorted(seats, key=lambda seat: (seat != self.reader, seat)))

    def one(self, seats: Sequence[int]) -> bool:
        """Return True if these players take a verb like `has`: one player who is not the reader."""
        return len(seats) == 1 and seats[0] != self.reader

    def verb(self, seats: Sequence[int], one: str, other: str) -> str:
        """Return the form of a verb behind these players: `has` or `have`."""
        return one if self.one(seats) else other

    def won(self, seats: Sequence[int]) -> str:
        """Say that some players have won, for a subject: `you won`, `Ann won`; without names if they are long."""
        alone = f"{self.who(seats[0])} won" if len(seats) == 1 else ""
        several = "you won, with others" if self.reader in seats else f"{spell_number(len(seats))} players won"
        return fitting(SUBJECT, f"{self.every(seats)} won", alone or several)


# -- turns that were passed without their player ------------------------------------------------------------


def passed(voice: Voice, turn: Turn) -> str:
    """Say that a player passed, with the reason if nobody chose to: without a stop, to continue with `and`."""
    return _passed(voice, turn, 1)


def passed_shortly(voice: Voice, turn: Turn) -> str:
    """Say that a player passed, or that the host did it."""
    return _passed(voice, turn, 0)


def _passed(voice: Voice, turn: Turn, length: int) -> str:
    who = voice.who(turn.seat)
    gone = f"who {'have' if voice.reader == turn.seat else 'has'} resigned"
    wordings: dict[str, tuple[str, str]] = {
        OUT_OF_TIME.why: (f"the host passed for {who}", f"the host passed for {who}, because time ran out"),
        NOTHING_TO_PLAY.why: (f"{who} passed", f"{who} passed, with no card left"),
        BY_RESIGNATION.why: (f"the host passed for {who}", f"the host passed for {who}, {gone}"),
    }
    why = next((note for note in turn.notes if note in wordings), "")
    return wordings.get(why, (f"{who} passed",) * 2)[length]


AGREED = {"draw": "everybody agreed to a draw", "abandoned": "everybody agreed to abandon the game"}
ENDS_IN_SUBJECT = {"draw": "draw agreed", "abandoned": "abandoned", "aborted": "aborted by the host"}
"""Results of games that nobody won alone, for a subject."""


def early_result(known: Replay, seat: int | None) -> tuple[str, str]:
    """Describe how a game ended early, for a subject and as a sentence; "" if it did not."""
    end = outcome(known)
    if end is None:
        return "", ""
    voice = Voice(known.record.names, seat)
    if end.how != "resigned":
        return ENDS_IN_SUBJECT[end.how], sentence(f"The game is over: {_why(end, voice)}")
    short, won = voice.won(end.winners), f"{voice.every(end.winners)} won"
    return short, fitting(LINE, sentence(f"{won}: {_why(end, voice)}"), sentence(won), sentence(short))


def early_reasons(known: Replay, seat: int | None) -> list[str]:
    """Return the reasons for such an end, in sentences; [] if the game did not end so."""
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
    if end.how == "resigned":
        return f"{voice.every(end.seats)} {voice.verb(end.seats, 'has', 'have')} resigned"
    return AGREED.get(end.how, "the host aborted it")
