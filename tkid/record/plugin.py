"""What the record asks of a game: set-ups as lines, what hidden cards leave open, and what a wrong turn does.

Each game answers in its own room, in `record/plugin.py`. What it says in JSON is a part of its own
(`tkid.record.json`), because reading a record needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from tkid.kernel.game import AnyGame, Event
from tkid.kernel.plugins import plugin, plugins
from tkid.kernel.problems import Problem, Violation

if TYPE_CHECKING:
    from tkid.record.format.model import Comments, Place, Record, Turn

Carried = tuple[Any, tuple[Event, ...]]
"""A position, and the events that led to it."""


class SetupReader(Protocol):
    """Reads the lines of a set-up, keeping the comments before each line, and its place, by its label."""

    problems: list[Problem]
    comments: dict[str, Comments]

    def read(self, lines: list[tuple[int, str]], comments: list[str], at: int) -> Any:
        """The deal; None where it is not complete or not as the rules ask. `at` is the line `Setup`."""
        ...

    def read_hand(self) -> tuple[tuple[Any, ...], list[Problem]]:
        """The cards of the only line, a hand without its label; () with the problems where it is not understood."""
        ...

    @property
    def places(self) -> dict[str, Place]:
        """Where each line that was understood stands, by its label."""
        ...


@frozen
class Rules:
    """Rules that every game has, by the local ids of a family.

    That seats act in turn, that a card played was in hand, that nothing is played when the game is over, who plays
    with whom, and who starts.
    """

    order: str
    hand: str
    over: str
    players: str
    start: str


class RecordPlugin(Protocol):
    """How the games of a family are recorded.

    `row` is a pattern of the lines of a set-up that may have a single blank behind their label. `parts` are the parts of a set-up that everybody may see, in words, for the proof of a deal.
    """

    @property
    def rules(self) -> Rules: ...  # noqa: D102 - the class says what each is

    @property
    def row(self) -> str: ...  # noqa: D102

    @property
    def parts(self) -> Sequence[str]: ...  # noqa: D102

    # -- the set-up ---------------------------------------------------------------------------------------

    def setup_rows(self, game: Any, deal: Any, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Label and value of each line of a set-up."""
        ...

    def setup_reader(self, game: Any, names: tuple[str, ...], lines: list[str]) -> SetupReader:
        """A reader of set-ups; `lines` are those of the whole file."""
        ...

    def part(self, game: Any, label: str) -> str:
        """Which of the `parts` a line belongs to; "" for lines that may be hidden, and for who starts."""
        ...

    def is_secret(self, row: str) -> bool:
        """Whether a line of a set-up, in small letters, may differ between the files of the players."""
        ...

    # -- what is hidden -----------------------------------------------------------------------------------

    def seen_deal(self, game: Any, deal: Any, seat: int | None) -> Any:
        """A deal as a seat may know it (None: a spectator)."""
        ...

    def as_known(self, game: Any, dealt: Any, stated: Any) -> Any:
        """A deal, with what another one hides of its `parts` hidden, so that both can be compared."""
        ...

    def filled(self, game: Any, deal: Any, other: Any) -> Any:
        """A deal with what another of the same game knows, but for the hands."""
        ...

    def learned(self, record: Record) -> Mapping[int, Callable[[Any], Any]]:
        """What a record tells in its turns of what its set-up hides.

        By the number of a turn: what makes of the position before it the one in which that is known.
        """
        ...

    def unproven(self, game: Any, position: Any, seat: int, move: Any) -> Iterable[str]:
        """What a move out of a hand that is not all known rests on: what the seat has held, in words."""
        ...

    def left_open(self, game: Any, position: Any) -> Iterable[tuple[int, str]]:
        """On what the ending of a finished game hangs that the position does not know: seats, and what they may hold."""
        ...

    def tells_late(self, move: Any) -> bool:
        """Whether a move tells of what was `left_open`, so that the game had not ended yet."""
        ...

    def opens(self, game: Any, events: Iterable[Event]) -> bool:
        """Whether it followed from a turn what would else be `left_open`."""
        ...

    def unheld(
        self, positions: Sequence[Any], turns: Sequence[Turn], hands: Iterable[Any]
    ) -> Iterator[tuple[Turn, str]]:
        """The turns in which a card was played that was not in hand, with these hands at the start; and the card.

        `positions` are those before and after each turn.
        """
        ...

    # -- wrong turns --------------------------------------------------------------------------------------

    def carried_out(self, game: Any, position: Any, move: Any) -> Carried | None:
        """What an illegal move leads to if it is carried out as it stands; None where the pieces do not allow it."""
        ...

    def seated(self, position: Any, seat: int) -> Any:
        """The position with another seat to act than the one that is due."""
        ...

    def taken_back(self, position: Any) -> Any:
        """The position after a turn that was taken back: nothing is changed but the number of the turn."""
        ...

    def skipped(self, position: Any, seat: int) -> Any:
        """The position with `seat` to act, where a turn, or what is left of it, cannot be carried out."""
        ...

    def too_many(self, game: Any, first: Any, move: Any) -> Violation:
        """What is wrong with a decision that stands behind the end of a turn; `first` is the turn's first."""
        ...

    def unfinished(self, game: Any, position: Any) -> Violation:
        """What is wrong with a turn that stops before its end."""
        ...

    def is_unfinished(self, game: Any, problem: Problem) -> bool:
        """Whether a problem is that a turn stops before its end."""
        ...


def record_plugin(game: AnyGame) -> RecordPlugin:
    """How a game is recorded."""
    found: RecordPlugin = plugin(game.name, "record/plugin")
    return found


def record_plugins() -> tuple[RecordPlugin, ...]:
    """How each game is recorded."""
    return plugins("record/plugin")
