"""The interface that every game implements for mail, and what all games share: the judging of plans, the wording of passes and early ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import evolve, field, frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import find_plugin
from tkid.kernel.problems import Problem
from tkid.notation.text import spell_number
from tkid.notation.voice import Voice, choose_fitting, make_sentence
from tkid.orders.order_values import If, Steps
from tkid.record.clock import Clock
from tkid.record.clock_notes import BY_RESIGNATION, NOTHING_TO_PLAY, OUT_OF_TIME, Passed
from tkid.record.format.model import Turn
from tkid.record.play.replay import Moment, Replay, explain_end, find_early_end, list_end_reasons
from tkid.rulebook import cites


@frozen
class Judged:
    """The judgement of a condition: whether it is met, whether it still may be, the reason in words, and the rule."""

    met: bool
    reason: str
    rule: str
    possible: bool = True


@frozen
class Chosen:
    """The turn of a standing order now, "" for nothing; the reason in words, and the rule."""

    text: str
    reason: str
    rule: str


@frozen
class Judge(ABC):
    """Judges conditions and standing orders for a seat by what it knows of a game."""

    known: Replay
    seat: int
    turns: tuple[Moment, ...] = field(init=False)
    """The turns since the seat's last own turn, that turn first; all turns where it had none yet."""

    @turns.default
    def _(self) -> tuple[Moment, ...]:
        every = list_standing_turns(self.known)
        own = [index for index, moment in enumerate(every) if moment.turn and moment.turn.seat == self.seat]
        return every[own[-1] if own else 0 :]

    @property
    def since(self) -> str:
        """The time that a condition looks at, in words."""
        had = self.turns and self.turns[0].turn and self.turns[0].turn.seat == self.seat
        return "since your last turn" if had else "so far"

    @cites("post.condition")
    def judge_all(self, step: If) -> Judged:
        """Judge all conditions of a step, joined as it says."""
        judged = [self.judge_one(condition) for condition in step.conditions]
        deciding = [each for each in judged if each.met != step.every] or judged
        combined = all if step.every else any
        reason = " and ".join(dict.fromkeys(each.reason for each in deciding))
        possible = combined(each.possible for each in judged)
        return Judged(combined(each.met for each in judged), reason, deciding[0].rule, possible)

    def can_happen(self, steps: Steps) -> bool:
        """Return True if the first of some steps can still come to anything."""
        first = steps[0]
        if not isinstance(first, If):
            return True
        if self.judge_all(first).possible and self.can_happen(first.then):
            return True
        return first.otherwise is not None and self.can_happen(first.otherwise)

    @abstractmethod
    def judge_one(self, condition: Any) -> Judged:
        """Judge one condition."""

    @abstractmethod
    def judge_end(self, order: Any, since: int) -> Judged:
        """Return whether a standing order has come to its end; `since` is the first turn that counts."""

    @abstractmethod
    def explain_pointless(self, order: Any, since: int) -> Problem | None:
        """Explain why a standing order that is given now has nothing to wait for."""

    @abstractmethod
    def is_replacing(self, order: Any, older: Any) -> bool:
        """Return True if a standing order takes the place of an older one."""

    @abstractmethod
    def is_lasting(self, order: Any) -> bool:
        """Return True if a standing order still holds when its owner sends a turn."""

    @abstractmethod
    def choose_turn(self, order: Any, lasts: Judged) -> Chosen:
        """Return the turn of a standing order now; `lasts` is the result of `judge_end`."""


def list_standing_turns(known: Replay) -> tuple[Moment, ...]:
    """Return the turns of a game but for those that were taken back."""
    return tuple(moment for moment in known.moments if moment.turn and not moment.turn.undone)


class MailPlugin(Protocol):
    """The wording of a game in letters, and the turns that it plays without asking anybody."""

    title: str
    learn: str
    passing: str
    helps: Mapping[str, str]
    turn: str
    news: str
    history: str
    no_history: str

    # -- without asking -----------------------------------------------------------------------------------

    def is_passable(self, position: Any) -> bool:
        """Return True if the next turn may be passed for its player."""
        ...

    def find_forced_turn(self, game: Any, position: Any) -> tuple[str, Passed] | None:
        """Return the turn of the seat to act if it has nothing to decide, and the reason; None if the player is asked."""
        ...

    def make_plan_judge(self, known: Replay, seat: int) -> Judge:
        """Return the judge of a seat's plans."""
        ...

    # -- turns to copy ------------------------------------------------------------------------------------

    def describe_own(self, known: Replay, seat: int) -> str:
        """Describe a seat's possessions in a sentence or two."""
        ...

    def list_offered(self, known: Replay) -> tuple[str, list[str]]:
        """Describe the turns that may be played now, and list them."""
        ...

    def list_playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        """Describe the turns with a card that may be played now, and list them."""
        ...

    def find_repairs(self, known: Replay, typed: str, problem: Problem) -> list[str]:
        """Return whole legal turns with the fixes of a problem; none if it has no fixes."""
        ...

    def find_similar(self, known: Replay, typed: str) -> tuple[str, str]:
        """Return the card that a wrong turn begins with, and a legal turn with it; "" if that is not clear."""
        ...

    def list_samples(self, known: Replay) -> list[str]:
        """Return at most three whole legal turns of the next player, different in kind, plain before cunning.

        Return none if the next player's cards are hidden.
        """
        ...

    def list_aims(self, known: Replay, seat: int) -> tuple[tuple[str, str], ...]:
        """Return the aims of a player in this game, such as `Pass your turn`, and the lines that reach them."""
        ...

    def explain_shorthand(self, known: Replay) -> str:
        """Explain how turns are shortened, in a sentence or two."""
        ...

    # -- in plain sentences -------------------------------------------------------------------------------
    # `known` is the game as the reader may know it, `reader` the reader's seat (None: somebody who watches), `number` the
    # index of a moment of it. The start has no turn, so nothing is told of moment 0.

    def shorten_turn(self, known: Replay, number: int, reader: int | None) -> str:
        """Summarize a turn for the first sentence of a mail, such as `Bob played Welsh Support in Lancaster.`.

        Never an order or a secret; at most about 60 columns with names of usual length.
        """
        ...

    def tell_since(self, known: Replay, number: int, reader: int | None) -> list[str]:
        """Return the sentences about a turn and its consequences."""
        ...

    def write_headline(self, known: Replay, number: int) -> str:
        """Return a turn for a subject, in at most 30 characters: `Lancaster became unstable`, `Bob played`."""
        ...

    def tell_turn(self, known: Replay, text: str) -> str:
        """Tell the next player in words what a canonical legal turn would do; "" for any other text."""
        ...

    def describe_outlook(self, known: Replay, seat: int) -> str:
        """Describe to a seat the consequences of a pass now, in a sentence or two; "" without a pass. Never advice."""
        ...

    def list_facts(self, known: Replay, seat: int | None) -> tuple[tuple[str, str], ...]:
        """Return each player's possessions, as far as the seat may know them: `You`, and `court 2S 4W 1E   cards: Assemble`."""
        ...

    def describe_result(self, known: Replay, seat: int | None) -> tuple[str, str]:
        """Name the winners, for a subject (`you won`), and the reason in a sentence of at most 78 columns; "" before the end."""
        ...

    def describe_decision(self, known: Replay, seat: int | None) -> list[str]:
        """Explain how a finished game was decided, in at most three sentences; [] before the end."""
        ...


def find_mail_plugin(game: AnyGame) -> MailPlugin:
    """Return the mail part of a game."""
    answers: MailPlugin = find_plugin(game.name, "mail")
    return answers


@cites("post.clock.no-pass")
def adapt_terms(clock: Clock, game: AnyGame) -> Clock:
    """Return the terms as they hold in a game. If passing is impossible, the first miss has the last one's consequence."""
    return clock if find_mail_plugin(game).passing else evolve(clock, misses=1)


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
