"""What mail asks of a game. Each game answers in its own room, in `mail/plugin.py`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import evolve

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import plugin
from tkid.kernel.problems import Problem
from tkid.mail.plan_judge import Judge
from tkid.record.clock.notes import Passed
from tkid.record.clock.terms import Clock
from tkid.record.play.replay import Replay
from tkid.rulebook import cites


class MailPlugin(Protocol):
    """What letters say of the games of a family, and what goes on without asking anybody.

    `passing` is the turn that the clock takes for a player, "" where none can be passed. `helps` tells what those
    orders do that are the family's own, by kind, and `turn` how a turn is written, for the list of orders. `news` is
    what a wish for `Orders.level` brings, and `history` introduces what was decided so far; `no_history` says that
    nothing was.
    """

    @property
    def passing(self) -> str: ...  # noqa: D102 - the class says what each is

    @property
    def helps(self) -> Mapping[str, str]: ...  # noqa: D102

    @property
    def turn(self) -> str: ...  # noqa: D102

    @property
    def news(self) -> str: ...  # noqa: D102

    @property
    def history(self) -> str: ...  # noqa: D102

    @property
    def no_history(self) -> str: ...  # noqa: D102

    # -- without asking -----------------------------------------------------------------------------------

    def passable(self, position: Any) -> bool:
        """Whether the turn that is due may be passed for its player."""
        ...

    def by_itself(self, game: Any, position: Any) -> tuple[str, Passed] | None:
        """The turn of the seat to act where it has nothing to decide, and why it is played; None where the player is asked."""
        ...

    def choose(self, known: Replay, seat: int) -> str:
        """A legal turn for a bot's seat, which is to act: the same for the same game."""
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


def mail_plugin(game: AnyGame) -> MailPlugin:
    """What the post needs for a game."""
    found: MailPlugin = plugin(game.name, "mail/plugin")
    return found


@cites("post.clock.no-pass")
def agreed(clock: Clock, game: AnyGame) -> Clock:
    """The terms as they hold in a game: where nobody can pass, what would come after some misses comes the first time."""
    return clock if mail_plugin(game).passing else evolve(clock, misses=1)


def wishes(level: str, family: MailPlugin) -> Mapping[str, str]:
    """What each wish about news means; `level` is the family's word of what is decided."""
    return {"every turn": "of every turn", "my turns": "of nothing but how the game ends", level: family.news}
