"""The interface that every game implements for mail, and the judging of plans that all games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol

from attrs import evolve, field, frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import find_plugin
from tkid.kernel.problems import Problem
from tkid.orders.order_values import If, Steps
from tkid.record.clock import Clock
from tkid.record.clock_notes import Passed
from tkid.record.play.replay import Moment, Replay
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
