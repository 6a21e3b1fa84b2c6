"""The interface that every game implements for rendering, and the tale of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from tkid.kernel.game import AnyGame, Event
from tkid.kernel.plugins import find_plugin

if TYPE_CHECKING:
    from tkid.render.clicks import Choices, Preview
    from tkid.render.lines import Pen
    from tkid.render.picture import LastTurn, Layout, Picture


class UnknownCardError(LookupError):
    """No card has this name: why, and which are meant."""


def explain_unseen_hand(name: str) -> tuple[str, str]:
    """Return two sentences for a player whose hand the reader can't see, to print in place of the legal turns."""
    more = f"`--all` lists what {name} might play, `--card CARD` what a card might do."
    return f"It is {name}'s turn, and you cannot see {name}'s hand.", more


class DrawingPlugin(Protocol):
    """Drawing of a game. Each game implements it in `render/drawing.py`."""

    def draw_picture(
        self, game: Any, view: Any, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
    ) -> Picture:
        """Draw a position, with marks for what the last turn changed.

        In the layout `alone` it is legible on a telephone, because `list_side_notes` has the rest.
        """

    def make_choices(self, game: Any, view: Any, names: Sequence[str]) -> Choices:
        """Return the choices that a seat may click to put its turn together; none if it is not its turn."""

    def make_preview(self, game: Any, view: Any, names: Sequence[str], choices: Choices) -> Preview:
        """Return the look of the picture after each choice, and the result of each turn, for a page that draws `board`."""


class RenderPlugin(DrawingPlugin, Protocol):
    """Rendering of a game. A view hides already what its seat may not know."""

    def format_position(self, game: Any, view: Any, names: Sequence[str], events: Sequence[Event], pen: Pen) -> str:
        """Write a position in lines of at most 78 columns, with the events that led to it at the end."""

    def format_board(self, game: Any, view: Any, names: Sequence[str]) -> list[str]:
        """List the things on the table, in lines of at most 78 columns, without the players' hands."""

    def write_legend(self, game: Any) -> tuple[str, str]:
        """Explain the letters in `format_board` and how to read its lines, for new readers; "" for nothing.

        The second text is about the drawing in text alone, and not shown if there is a picture instead.
        """

    def write_headline(self, game: Any, view: Any, names: Sequence[str]) -> str:
        """Sum up a position in a few words, without a full stop: `Bob to play: Warwick is contested`, or the result."""

    def write_forecast(self, game: Any, view: Any, names: Sequence[str]) -> str:
        """Say how the contest would end now, as a sentence: `As it stands, the Welsh win Gwynedd.`; "" for nothing."""

    def describe_last_turn(self, game: Any, view: Any, names: Sequence[str], last: LastTurn) -> str:
        """Describe the turn that led to a position in one sentence with names and people, without notation."""

    def tell_event(self, game: Any, event: Event, names: Sequence[str]) -> tuple[TaleSentence, ...]:
        """Tell what happened in sentences without a full stop, each with its rule."""

    def tell_turn(self, game: Any, view: Any, names: Sequence[str], last: LastTurn) -> Tale:
        """Tell the turn that led to a position step by step for a replay, each step with its rule."""

    def list_chapters(self, game: Any, positions: Sequence[Any]) -> tuple[Chapter, ...]:
        """List the chapters of a game, such as power struggles, by its positions from the start on; those to come too."""

    def is_quiet(self, game: Any, before: Any, after: Any) -> bool:
        """Return True if a turn was a pass, by the positions before and after it."""

    def list_tallies(self, game: Any, view: Any, names: Sequence[str]) -> tuple[Tally, ...]:
        """List the possessions of the players and factions so far, in numbers."""

    def list_side_notes(self, game: Any, view: Any, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """List what the picture of the map or the table alone leaves out, in short rows of a label and a text.

        Courts, hands and piles of the players are not in it.
        """

    def describe_position(self, game: Any, view: Any, names: Sequence[str]) -> str:
        """Describe a position in about a thousand characters, for readers who do not see it."""

    def explain_result(self, game: Any, position: Any, names: Sequence[str]) -> list[tuple[str, str]]:
        """The comparisons that decided a game, each with its rule or ""; [] while the game goes on."""

    def list_legal(self, game: Any, position: Any, names: Sequence[str], card: str, *, every: bool) -> list[str]:
        """List the next player's legal turns in lines: with one card, or with "" all; `every` way, or examples.

        A hand that cannot be seen might hold nearly every card: these are listed only if `every` way is asked for.

        Raises UnknownCardError.
        """

    def describe_due(self, game: Any, position: Any) -> str:
        """Return the next decision, to go after `to`: `play`, `summon`."""

    def describe_open_decision(self, game: Any, position: Any) -> str:
        """Describe the player's last decision before a finished game is decided, to go after a name; "" for none."""


def find_render_plugin(game: AnyGame) -> RenderPlugin:
    """Return a game's rendering plugin."""
    found: RenderPlugin = find_plugin(game.name, "render")
    return found


def tell_events(game: AnyGame, events: Iterable[Event], names: Sequence[str]) -> list[tuple[str, str]]:
    """Tell what happened in sentences without a full stop, each with its rule."""
    render = find_render_plugin(game)
    return [(told.text, told.rule) for event in events for told in render.tell_event(game, event, names)]


class LazyDrawing:
    """The part of a game's plugin that draws: it is loaded when it is first used."""

    def draw_picture(
        self, game: Any, view: Any, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
    ) -> Picture:
        """Draw a position."""
        return _find_drawing_plugin(game).draw_picture(game, view, names, last, layout=layout)

    def make_choices(self, game: Any, view: Any, names: Sequence[str]) -> Choices:
        """Return the choices of a seat."""
        return _find_drawing_plugin(game).make_choices(game, view, names)

    def make_preview(self, game: Any, view: Any, names: Sequence[str], choices: Choices) -> Preview:
        """Return the look of the picture after each choice."""
        return _find_drawing_plugin(game).make_preview(game, view, names, choices)


def _find_drawing_plugin(game: AnyGame) -> DrawingPlugin:
    found: DrawingPlugin = find_plugin(game.name, "render/drawing")
    return found


@frozen
class TaleSentence:
    """A sentence, and the rule (whole id) that it is about; "" for none."""

    text: str
    rule: str = ""


@frozen
class Tale:
    """A turn: its heading without a full stop, what was done step by step, what that changed, and who is next.

    `changes` says who leads where now, and how what is played for would end; `next` is "" after the end.
    """

    heading: str
    steps: tuple[TaleSentence, ...] = ()
    changes: tuple[str, ...] = ()
    next: str = ""


@frozen
class Chapter:
    """A stretch of a game that ends with a result, such as a power struggle; `kind` is the word for it.

    It runs from the moment `first` to the moment `last`: those after its first turn and after its last one so far. `names`
    are its names with the moments from which on they hold; a chapter that has not begun has none, and begins after the last
    moment. One that ended together with the chapter before it has no turn of its own. `result` is "" while it is open;
    `sign` is for its coin, and `place` the faction whose colour the coin has (None: nobody's).
    """

    kind: str
    names: tuple[tuple[int, str], ...]
    first: int
    last: int
    result: str = ""
    sign: str = ""
    place: int | None = None


@frozen
class Count:
    """Number of something: its sign, its name, and the faction whose colour it has (None: nobody's)."""

    number: int
    sign: str
    name: str
    place: int | None = None


@frozen
class Tally:
    """Row of numbers for somebody; a game has the same rows in every position. Not every label is a player."""

    label: str
    counts: tuple[Count, ...]
