"""The interface that every game implements for text, and the tale of a game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, final

from attrs import frozen

from tkid.kernel.game import HIDDEN, AnyGame, Event, Result, fill_names
from tkid.kernel.pickling import PortableError
from tkid.kernel.plugins import find_plugin
from tkid.notation.names import list_names
from tkid.notation.voice import list_and, make_sentence
from tkid.render.lines import wrap_sentence

if TYPE_CHECKING:
    from tkid.render.picture import LastTurn


class UnknownCardError(PortableError, LookupError):
    """No card has this name: why, and which are meant."""


def explain_unseen_hand(name: str) -> tuple[str, str]:
    """Return two sentences for a player whose hand the reader can't see, to print in place of the legal turns."""
    more = f"`--all` lists what {name} might play, `--card CARD` what a card might do."
    return f"It is {name}'s turn, and you cannot see {name}'s hand.", more


class RenderPlugin(ABC):
    """A game as text; views hide what a seat may not know. The defaults tell a game by its moves as written, and its events."""

    def list_blocks(self, game: Any, view: Any, names: Sequence[str], /) -> list[list[str]]:
        """List the blocks of a position in marked lines of at most 78 columns: its headline, then the rest."""
        return [
            wrap_sentence(self.write_headline(game, view, names)),
            self.format_board(game, view, names),
            [f"{name}: {', '.join(hand) or 'no card'}" for name, hand in zip(names, view.shown.hands, strict=True)],
        ]

    @abstractmethod
    def format_board(self, game: Any, view: Any, names: Sequence[str], /) -> list[str]:
        """List the things on the table, in lines of at most 78 columns, without the players' hands."""

    def write_legend(self, game: Any, /) -> tuple[str, str]:
        """Explain the letters in `format_board` and how to read its lines, for new readers; "" for nothing.

        The second text is about the drawing in text alone, and not shown if there is a picture instead.
        """
        return "", ""

    def write_headline(self, game: Any, view: Any, names: Sequence[str], /) -> str:
        """Sum up a position in a few words, without a full stop: `Bob to play: Warwick is contested`, or the result."""
        shown = view.shown
        if shown.to_act is not None:
            return f"{names[shown.to_act]} to {self.describe_due(game, shown)}"
        return f"{list_and(names[seat] for seat in shown.winners) or 'Nobody'} wins: {shown.ending}"

    def write_forecast(self, game: Any, view: Any, names: Sequence[str], /) -> str:
        """Say how the contest would end now, as a sentence: `As it stands, the Welsh win Gwynedd.`; "" for nothing."""
        return ""

    def describe_last_turn(self, game: Any, view: Any, names: Sequence[str], last: LastTurn, /) -> str:
        """Describe the turn that led to a position in one sentence with names and people, without notation."""
        return make_sentence("; ".join(event.seen(view.seat).read(names) for event in last.events))

    def tell_event(self, game: Any, event: Event, names: Sequence[str], /) -> tuple[TaleSentence, ...]:
        """Tell what happened in sentences without a full stop, each with its rule."""
        return (TaleSentence(event.read(names), event.rule),)

    def tell_turn(self, game: Any, view: Any, names: Sequence[str], last: LastTurn, /) -> Tale:
        """Tell the turn that led to a position step by step for a replay, each step with its rule."""
        heading = f"{names[last.seat]} plays {fill_names(game.words.turn(last.moves), names)}"
        steps = [TaleSentence(f"{event.seen(view.seat).read(names)}.", event.rule) for event in last.events]
        due = "" if view.shown.to_act is None else f"{names[view.shown.to_act]} plays next"
        return Tale(heading, tuple(steps), (), due)

    def list_chapters(self, game: Any, positions: Sequence[Any], /) -> tuple[Chapter, ...]:
        """List the chapters of a game, such as power struggles, by its positions from the start on; those to come too."""
        return (Chapter("part", ((0, "the game"),), 1, len(positions) - 1, positions[-1].ending or ""),)

    def is_quiet(self, game: Any, before: Any, after: Any, /) -> bool:
        """Return True if a turn was a pass, by the positions before and after it."""
        return False

    def list_tallies(self, game: Any, view: Any, names: Sequence[str], /) -> tuple[Tally, ...]:
        """List the possessions of the players and factions so far, in numbers."""
        return ()

    def list_side_notes(self, game: Any, view: Any, names: Sequence[str], /) -> tuple[tuple[str, str], ...]:
        """List, as rows of a label and a text, what the picture alone leaves out, except courts, hands and piles."""
        return ()

    def describe_position(self, game: Any, view: Any, names: Sequence[str], /) -> str:
        """Describe a position in about a thousand characters, for readers who do not see it."""
        return make_sentence(self.write_headline(game, view, names))

    @final
    def explain_result(self, game: Any, position: Any, names: Sequence[str], /) -> list[tuple[str, str]]:
        """Return how a game ended, the comparisons that decided it, and the winners, each with its rule or ""; [] before the end."""
        result = game.result(position)
        if result is None:
            return []
        winners = " and ".join(names[seat] for seat in result.winners)
        won = f"The winner{'s are' if len(result.winners) > 1 else ' is'} {winners}." if winners else "Nobody wins."
        steps = (f"{number}. {fill_names(step.text, names)}" for number, step in enumerate(result.chain, 1))
        rules = (step.rule for step in result.chain)
        return [self.state_ending(game, position, result), *zip(steps, rules, strict=True), (won, "")]

    def state_ending(self, game: Any, position: Any, result: Result, /) -> tuple[str, str]:
        """Describe by what a game ended, and when, in a sentence; and return the rule, or ""."""
        return make_sentence(result.ending), ""

    def list_legal(self, game: Any, position: Any, names: Sequence[str], card: str, /, *, every: bool) -> list[str]:
        """List the next player's legal turns in lines: with one card, or with "" all; `every` way, or examples.

        A hand that cannot be seen might hold nearly every card: these are listed only if `every` way is asked for.

        Raises UnknownCardError.
        """
        name, turns = names[position.to_act], [game.words.write_move(move) for move in game.legal(position)]
        if card and card not in game.cards:
            raise UnknownCardError(
                f"`{card}` is not a card of {game.code}. The cards are {list_names(game.cards, 'and')}."
            )
        if not every and not card and HIDDEN in position.hands[position.to_act]:
            return [*explain_unseen_hand(name)]
        chosen = [turn for turn in turns if not card or turn.split()[0] == card]
        return [f"{name} may {self.describe_due(game, position)}:", *(f"  {turn}" for turn in chosen or ["nothing"])]

    def describe_due(self, game: Any, position: Any, /) -> str:
        """Return the next decision, to go after `to`: `play`, `summon`."""
        return str(position.decision)

    def describe_open_decision(self, game: Any, position: Any, /) -> str:
        """Describe the player's last decision before a finished game is decided, to go after a name; "" for none."""
        return ""


def find_render_plugin(game: AnyGame) -> RenderPlugin:
    return find_plugin(game.name, "render", RenderPlugin)


def tell_events(game: AnyGame, events: Iterable[Event], names: Sequence[str]) -> list[tuple[str, str]]:
    """Tell what happened in sentences without a full stop, each with its rule."""
    render = find_render_plugin(game)
    return [(told.text, told.rule) for event in events for told in render.tell_event(game, event, names)]


@frozen
class TaleSentence:
    """A sentence, and the rule (whole id) that it is about; "" for none."""

    text: str
    rule: str = ""


@frozen
class Tale:
    """A turn: its heading without a full stop, its steps, their effects, and the next player.

    `changes` says who leads where now, and how the current contest would end; `next` is "" after the end.
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
