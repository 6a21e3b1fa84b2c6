"""The voice of our mails, also about early ends."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.notation.text import spell_number
from tkid.notation.voice import Voice, choose_fitting, make_sentence
from tkid.record.clock_notes import BY_RESIGNATION, NOTHING_TO_PLAY, OUT_OF_TIME
from tkid.record.format.model import Turn
from tkid.record.play.replay import Moment, Replay, explain_end, find_early_end, list_end_reasons

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
MAX_SHORT_NEWS = 60
"""The room for what happened in the first sentence of a mail; the next player and the deadline follow in the line."""
SUBJECT = 30
"""The room for what happened in a subject, behind the names of game and turn."""
LINE = 78
"""The columns of a line."""


def say_won(voice: Voice, seats: Sequence[int]) -> str:
    """Say that some players have won, for a subject: `you won`, `Ann won`; without names if they are long."""
    alone = f"{voice.name_player(seats[0])} won" if len(seats) == 1 else ""
    several = "you won, with others" if voice.reader in seats else f"{spell_number(len(seats))} players won"
    return choose_fitting(SUBJECT, f"{voice.name_all(seats)} won", alone or several)


@frozen
class TurnTelling:
    """Tells one turn to a reader; what was played in it depends on the game."""

    voice: Voice
    moment: Moment
    turn: Turn

    @property
    def who(self) -> str:
        """The name of the player who took the turn."""
        return self.voice.name_player(self.turn.seat)

    @property
    def taken_back(self) -> str:
        """A clause that the turn was taken back; "" if it was not."""
        owner = self.voice.name_owner(self.turn.seat)
        return f"{owner} turn {self.turn.number} was taken back" if self.turn.undone else ""

    @property
    def taken_back_by(self) -> str:
        """A clause about the decision to take the turn back."""
        by_host = any(event.rule == "post.undo.host" for event in self.moment.events)
        return "the host decided so" if by_host else "everybody agreed"


# -- turns that were passed without their player ------------------------------------------------------------


def say_passed(voice: Voice, turn: Turn) -> str:
    """Say that a player passed, with the reason if nobody chose to: without a stop, to continue with `and`."""
    return _say_passed(voice, turn, 1)


def say_passed_shortly(voice: Voice, turn: Turn) -> str:
    """Say that a player passed, or that the host did it."""
    return _say_passed(voice, turn, 0)


def _say_passed(voice: Voice, turn: Turn, length: int) -> str:
    who = voice.name_player(turn.seat)
    gone = f"who {'have' if voice.reader == turn.seat else 'has'} resigned"
    wordings: dict[str, tuple[str, str]] = {
        OUT_OF_TIME.why: (f"the host passed for {who}", f"the host passed for {who}, because time ran out"),
        NOTHING_TO_PLAY.why: (f"{who} passed", f"{who} passed, with no card left"),
        BY_RESIGNATION.why: (f"the host passed for {who}", f"the host passed for {who}, {gone}"),
    }
    why = next((note for note in turn.notes if note in wordings), "")
    return wordings.get(why, (f"{who} passed",) * 2)[length]


ENDS_IN_SUBJECT = {"draw": "draw agreed", "abandoned": "abandoned", "aborted": "aborted by the host"}
"""Results of games that nobody won alone, for a subject."""


def describe_early_result(known: Replay, seat: int | None) -> tuple[str, str]:
    """Describe how a game ended early, for a subject and as a sentence; "" if it did not."""
    end = find_early_end(known)
    if end is None:
        return "", ""
    voice = Voice(known.record.names, seat)
    if end.how != "resigned":
        return ENDS_IN_SUBJECT[end.how], make_sentence(f"The game is over: {explain_end(end, voice)}")
    short, won = say_won(voice, end.winners), f"{voice.name_all(end.winners)} won"
    return short, choose_fitting(
        LINE, make_sentence(f"{won}: {explain_end(end, voice)}"), make_sentence(won), make_sentence(short)
    )


def explain_early_end(known: Replay, seat: int | None) -> list[str]:
    """Return the reasons for such an end, in sentences; [] if the game did not end so."""
    end = find_early_end(known)
    if end is None:
        return []
    reasons = list_end_reasons(end, Voice(known.record.names, seat))
    return [text for text, rule in reasons if rule or not end.winners]
