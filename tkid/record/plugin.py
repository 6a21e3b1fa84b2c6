"""What the record asks of a game: its set-up as lines, what hidden cards leave open, and what a wrong turn does.

Each game answers in its own room, in `record/plugin.py`; what it says in JSON is asked in `tkid.record.json`. What has
a body here is the answer of a game in which everything lies open.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from tkid.kernel.game import AnyGame, Event
from tkid.kernel.plugins import plugin, plugins
from tkid.kernel.problems import Problem, Violation
from tkid.record.format.model import Record, Turn
from tkid.record.format.setup_rows import Rows

Carried = tuple[Any, tuple[Event, ...]]
"""A position, and the events that led to it."""


@frozen(eq=False)
class Rules:
    """Rules that every game has, by their local ids.

    That seats act in turn, that a card played was in hand, that nothing is played when the game is over, who plays
    with whom, and who starts.
    """

    order: str
    hand: str
    over: str
    players: str
    start: str


class RecordPlugin(ABC):
    """How a game is recorded.

    `row` is a pattern of the lines of a set-up that may have a single blank behind their label. `setup_reader` reads
    these lines. `parts` are the parts of a set-up that everybody may see, in words, for the proof of a deal.
    """

    rules: Rules
    row: str
    setup_reader: type[Rows]
    parts: Sequence[str]

    def closed(self, position: Any) -> Any:
        """A position as it is shown where the game has ended early, so that nobody is to act any more."""
        return position

    # -- the set-up ---------------------------------------------------------------------------------------

    @abstractmethod
    def setup_rows(self, game: Any, deal: Any, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Label and value of each line of a set-up."""

    @abstractmethod
    def part(self, game: Any, label: str) -> str:
        """Which of the `parts` a line belongs to; "" for lines that may be hidden, and for who starts."""

    @abstractmethod
    def is_secret(self, row: str) -> bool:
        """Whether a line of a set-up, in small letters, may differ between the files of the players."""

    def settled(self, game: Any, position: Any) -> Any:  # noqa: ARG002 - all of it follows
        """A written position with the next decision, or the ending and the winners, that follow from the rest of it."""
        return position

    # -- what is hidden -----------------------------------------------------------------------------------

    @abstractmethod
    def seen_deal(self, game: Any, deal: Any, seat: int | None) -> Any:
        """A deal as a seat may know it (None: a spectator)."""

    def as_known(self, game: Any, dealt: Any, stated: Any) -> Any:  # noqa: ARG002 - no part is hidden
        """A deal, with what another one hides of its `parts` hidden, so that both can be compared."""
        return dealt

    def filled(self, game: Any, deal: Any, other: Any) -> Any:  # noqa: ARG002 - no part is hidden
        """A deal with what another of the same game knows of its `parts`."""
        return deal

    @abstractmethod
    def learned(self, record: Record) -> Mapping[int, Callable[[Any], Any]]:
        """What the turns of a record tell of what its set-up hides.

        By the number of a turn: what makes of the position before it the one in which that is known.
        """

    @abstractmethod
    def unproven(self, game: Any, position: Any, seat: int, move: Any) -> Iterable[str]:
        """What a move out of a hand that is not all known rests on: what the seat has held, in words."""

    def left_open(self, game: Any, position: Any) -> Iterable[tuple[int, str]]:  # noqa: ARG002 - nothing is
        """On what the ending of a finished game hangs that the position does not know: seats, and what they may hold."""
        return ()

    def tells_late(self, move: Any) -> bool:  # noqa: ARG002 - nothing is left open
        """Whether a move tells of what was `left_open`, so that the game had not ended yet."""
        return False

    def idle(self, move: Any) -> bool:  # noqa: ARG002 - every move does something
        """Whether a move does nothing but end the turn, so that nothing is lost if the game was over before it."""
        return False

    def told_later(self, game: Any, names: Sequence[str]) -> Iterable[str]:  # noqa: ARG002 - nothing is hidden to the end
        """The lines of which one may tell at the end what was hidden: what followed from the last turn depends on it."""
        return ()

    def opens(self, game: Any, events: Iterable[Event]) -> bool:  # noqa: ARG002 - nothing is left open
        """Whether it followed from a turn what would else be `left_open`."""
        return False

    @abstractmethod
    def unheld(
        self, positions: Sequence[Any], turns: Sequence[Turn], hands: Iterable[Any]
    ) -> Iterator[tuple[Turn, str]]:
        """The turns in which a card was played that was not in hand, with these hands at the start; and the card.

        `positions` are those before and after each turn.
        """

    # -- wrong turns --------------------------------------------------------------------------------------

    @abstractmethod
    def carried_out(self, game: Any, position: Any, move: Any) -> Carried | None:
        """What an illegal move leads to if it is carried out as it stands; None where the pieces do not allow it."""

    @abstractmethod
    def seated(self, position: Any, seat: int) -> Any:
        """The position with another seat to act than the one that is due."""

    @abstractmethod
    def skipped(self, position: Any, seat: int) -> Any:
        """The position with `seat` to act, where a turn, or what is left of it, cannot be carried out."""

    @abstractmethod
    def too_many(self, game: Any, first: Any, move: Any) -> Violation:
        """What is wrong with a decision that stands behind the end of a turn; `first` is the turn's first."""

    @abstractmethod
    def unfinished(self, game: Any, position: Any) -> Violation:
        """What is wrong with a turn that stops before its end."""

    def is_unfinished(self, game: Any, problem: Problem) -> bool:  # noqa: ARG002 - no turn does
        """Whether a problem is that a turn stops before its end."""
        return False


def record_plugin(game: AnyGame) -> RecordPlugin:
    """How a game is recorded."""
    found: RecordPlugin = plugin(game.name, "record/plugin")
    return found


def record_plugins() -> tuple[RecordPlugin, ...]:
    """How each game is recorded."""
    return plugins("record/plugin")
