"""The interface that every game implements for mail, and the judging of plans that all games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol

from attrs import evolve, field, frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import plugin
from tkid.kernel.problems import Problem
from tkid.orders.order_values import If, Steps
from tkid.record.clock import Clock
from tkid.record.clock_notes import Passed
from tkid.record.play.replay import Moment, Replay
from tkid.rulebook import cites


@frozen
class Judged:
    """What is true of a condition: whether it is met, whether it still may be, why in words, and by which rule."""

    met: bool
    reason: str
    rule: str
    possible: bool = True


@frozen
class Chosen:
    """What a standing order plays now, "" for nothing; why in words, and by which rule."""

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
        every = standing_turns(self.known)
        own = [index for index, moment in enumerate(every) if moment.turn and moment.turn.seat == self.seat]
        return every[own[-1] if own else 0 :]

    @property
    def since(self) -> str:
        """The time that a condition looks at, in words."""
        had = self.turns and self.turns[0].turn and self.turns[0].turn.seat == self.seat
        return "since your last turn" if had else "so far"

    @cites("post.condition")
    def together(self, step: If) -> Judged:
        """All conditions of a step, joined as it says."""
        judged = [self.judge(condition) for condition in step.conditions]
        deciding = [each for each in judged if each.met != step.every] or judged
        combined = all if step.every else any
        reason = " and ".join(dict.fromkeys(each.reason for each in deciding))
        possible = combined(each.possible for each in judged)
        return Judged(combined(each.met for each in judged), reason, deciding[0].rule, possible)

    def can_happen(self, steps: Steps) -> bool:
        """Whether the first of some steps can still come to anything."""
        first = steps[0]
        if not isinstance(first, If):
            return True
        if self.together(first).possible and self.can_happen(first.then):
            return True
        return first.otherwise is not None and self.can_happen(first.otherwise)

    @abstractmethod
    def judge(self, condition: Any) -> Judged:
        """One condition."""

    @abstractmethod
    def over(self, order: Any, since: int) -> Judged:
        """Whether a standing order has come to its end; `since` is the first turn that counts."""

    @abstractmethod
    def pointless(self, order: Any, since: int) -> Problem | None:
        """Why a standing order that is given now has nothing to wait for."""

    @abstractmethod
    def replaces(self, order: Any, older: Any) -> bool:
        """Whether a standing order takes the place of an older one."""

    @abstractmethod
    def stays(self, order: Any) -> bool:
        """Whether a standing order still holds when its owner sends a turn."""

    @abstractmethod
    def turn(self, order: Any, lasts: Judged) -> Chosen:
        """What a standing order plays now; `lasts` is what `over` says of it."""


def standing_turns(known: Replay) -> tuple[Moment, ...]:
    """The turns of a game but for those that were taken back."""
    return tuple(moment for moment in known.moments if moment.turn and not moment.turn.undone)


class MailPlugin(Protocol):
    """What letters say of a game, and what goes on in it without asking anybody.

    `title` is the game's printed name, `learn` the path of the page that explains it. `passing` is the turn that the clock takes for a player, "" where none can be passed. `helps` says what the game's
    own orders do, by kind, and `turn` how a turn is written, for the list of orders. `news` is what a wish for
    `OrderLanguage.level` brings, and `history` introduces what was decided so far; `no_history` says that nothing was.
    """

    title: str
    learn: str
    passing: str
    helps: Mapping[str, str]
    turn: str
    news: str
    history: str
    no_history: str

    # -- without asking -----------------------------------------------------------------------------------

    def passable(self, position: Any) -> bool:
        """Whether the next turn may be passed for its player."""
        ...

    def by_itself(self, game: Any, position: Any) -> tuple[str, Passed] | None:
        """The turn of the seat to act where it has nothing to decide, and why it is played; None where the player is asked."""
        ...

    def judge(self, known: Replay, seat: int) -> Judge:
        """The judge of a seat's plans."""
        ...

    # -- turns to copy ------------------------------------------------------------------------------------

    def own(self, known: Replay, seat: int) -> str:
        """What a seat has, in a sentence or two."""
        ...

    def offered(self, known: Replay) -> tuple[str, list[str]]:
        """What may be played now: what the turns that are shown are, and these turns."""
        ...

    def playable(self, known: Replay, seat: int, card: str) -> tuple[str, list[str]]:
        """What may be played with a card now: a sentence, and turns."""
        ...

    def repairs(self, known: Replay, typed: str, problem: Problem) -> list[str]:
        """Whole legal turns with the fixes of a problem; none where it has no fixes."""
        ...

    def similar(self, known: Replay, typed: str) -> tuple[str, str]:
        """The card that a wrong turn begins with, and a legal turn with it; "" where that is not clear."""
        ...

    def samples(self, known: Replay) -> list[str]:
        """At most three whole legal turns of the next player, different in kind, plain before cunning.

        None where the cards of the next player are hidden.
        """
        ...

    def aims(self, known: Replay, seat: int) -> tuple[tuple[str, str], ...]:
        """What a player may want in this game, such as `Pass your turn`, and what to write for it."""
        ...

    def shorthand(self, known: Replay) -> str:
        """How turns are shortened, in a sentence or two."""
        ...

    # -- in plain sentences -------------------------------------------------------------------------------
    # `known` is the game as the reader may know it, `reader` the reader's seat (None: somebody who watches), `number` the
    # index of a moment of it. The start has no turn, so nothing is told of moment 0.

    def short(self, known: Replay, number: int, reader: int | None) -> str:
        """A turn as the first sentence of a mail has it, such as `Bob played Welsh Support in Lancaster.`.

        Never an order, nothing that not everybody knows, about 60 columns at most where names are of usual length.
        """
        ...

    def since(self, known: Replay, number: int, reader: int | None) -> list[str]:
        """The sentences about a turn and what it caused."""
        ...

    def headline(self, known: Replay, number: int) -> str:
        """A turn for a subject, in at most 30 characters: `Lancaster is unstable`, `Bob played`."""
        ...

    def turn_in_words(self, known: Replay, text: str) -> str:
        """A canonical legal turn of the next player that was not played yet, told to that player; "" for any other text."""
        ...

    def outlook(self, known: Replay, seat: int) -> str:
        """What passing does now, in a sentence or two to a seat; "" where nobody can pass. Never advice."""
        ...

    def facts(self, known: Replay, seat: int | None) -> tuple[tuple[str, str], ...]:
        """What each player has, as far as the seat may know it: `You`, and `court 2S 4W 1E   cards: Assemble`."""
        ...

    def result(self, known: Replay, seat: int | None) -> tuple[str, str]:
        """Who won, for a subject (`you won`), and why in a sentence of at most 78 columns; "" while the game goes on."""
        ...

    def decided(self, known: Replay, seat: int | None) -> list[str]:
        """How a finished game was decided, in at most three sentences; [] while it goes on."""
        ...


def mail_plugin(game: AnyGame) -> MailPlugin:
    """What mail needs of a game."""
    answers: MailPlugin = plugin(game.name, "mail")
    return answers


@cites("post.clock.no-pass")
def agreed(clock: Clock, game: AnyGame) -> Clock:
    """The terms as they hold in a game: where nobody can pass, what would come after some misses comes the first time."""
    return clock if mail_plugin(game).passing else evolve(clock, misses=1)
