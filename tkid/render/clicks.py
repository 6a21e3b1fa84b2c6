"""The clicks that make a turn: every legal way to take it, as a row of steps.

A player clicks one step after the other. A step is a bag of keys, clicked in any order: those of `data-at` in a picture
(see `tkid.render.picture`), and some for words. The page offers every key of a way that is still possible, so it needs to
know no rules.

Clicks are clear: of ways that begin with the same steps, no bag of the next step is part of another, and none ends where
another continues. Ways with the same text are one way in several orders.

A complete step changes places of the picture: followers leave one region and come to another, a card leaves the hand. The
page counts the changes at each place, and shows the look of the place after them (see `Looks`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from attrs import field, frozen

from tkid.kernel.game import AnyGame, AnyView
from tkid.kernel.plugins import find_plugin
from tkid.kernel.values import derive, quick_frozen
from tkid.render.picture import (
    PAGE,
    STYLE,
    LastTurn,
    Layout,
    Part,
    Picture,
    draw_head,
    paint,
    write_element,
    write_text_element,
)
from tkid.render.plugin import find_render_plugin

T = TypeVar("T")
PASS, NOBODY, NO_DISC = "pass", "nobody", "no-disc"
"""Keys for words: pass, summon nobody, place no disc."""
FACTION = "faction"
"""The first word of a key for a faction: `faction/S`."""


What = tuple[int | str, ...]
"""Something that happens at a place of a picture; what it means only the game knows."""
State = tuple[What, ...]
"""All that has happened at a place since the turn began, sorted."""
Looks = Mapping[str, Mapping[State, tuple[Part, ...]]]
"""How each place looks in each state that it can come to: its parts, as far as they differ from those before the turn."""


class Change(NamedTuple):
    """Effect of a choice on a place of the picture."""

    place: str
    what: What


@frozen
class Spot:
    """Something to click: its full name, the heading it is listed under, and its name below that heading."""

    name: str
    group: str
    short: str


@frozen(eq=False)
class Step:
    """One choice: the question, and the keys that answer it, each as often as it is needed, in any order; what it changes.

    Ways that share a step have the same object.
    """

    ask: str
    keys: tuple[str, ...]
    changes: tuple[Change, ...] = ()
    states: Mapping[str, State] = derive(lambda self: _group_changes(self.changes), repr=False)
    """All that it changes, by the place."""


OBJECTS_SHARED = 1 << 15
"""The number of objects of a class that are one wherever they occur."""


def share_objects(kind: Callable[..., T]) -> Callable[..., T]:
    """Return a function that makes one object of a class for the same arguments, so that they are quick to compare."""
    return lru_cache(OBJECTS_SHARED)(kind)


@frozen(eq=False)
class PlaceState:
    """A state that a place comes to."""

    place: str
    state: State


find_place_state = share_objects(PlaceState)


@frozen(eq=False)
class Path:
    """Steps one after the other. `passed` are the states to which they bring places, `reached` has the last one of each place."""

    steps: tuple[Step, ...]
    passed: dict[PlaceState, None] = field(init=False, factory=dict)
    reached: Mapping[str, PlaceState] = field(init=False)

    @reached.default
    def _(self) -> Mapping[str, PlaceState]:
        now: dict[str, PlaceState] = {}
        for step in self.steps:
            for place, state in step.states.items():
                before = now[place].state if place in now else ()
                now[place] = find_place_state(place, add_states(before, state))
                self.passed[now[place]] = None
        return now


@frozen(eq=False)
class Ending:
    """The end of a turn after its action: the question, and the keys that answer it. Ways that share it have the same object."""

    ask: str
    keys: tuple[str, ...]


@quick_frozen(eq=False, unsafe_hash=False)
class Way:
    """A way to act: its text, its steps, how the turn ends after it (None: it has ended), and its move in the game."""

    text: str
    path: Path
    then: Ending | None = None
    move: Any = None

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.path.steps


@frozen
class End:
    """One end of a turn: its text, what it changes, and its move in the game."""

    text: str
    changes: tuple[Change, ...]
    move: Any
    states: Mapping[str, State] = derive(lambda self: _group_changes(self.changes), eq=False, repr=False)


@frozen
class Refusal:
    """Reason why something may not be clicked: a sentence, and the whole id of its rule."""

    sentence: str
    rule: str


@frozen
class Choices:
    """All that the next player may click.

    `due` is the next decision, or the reason for having none. `ends` has each end of a turn, by key. `spots` are all that may be
    clicked, by key, in the order of the list. `rules` are the rules to look up, by key; `barred` says why cards in hand
    cannot be played, and what else can never be chosen in this turn.
    """

    due: str
    ways: tuple[Way, ...] = ()
    ends: Mapping[str, End] = field(factory=dict)
    spots: Mapping[str, Spot] = field(factory=dict)
    rules: Mapping[str, str] = field(factory=dict)
    barred: Mapping[str, Refusal] = field(factory=dict)


@frozen
class Outlook:
    """A turn's result, in small print too, with the factions that tint it, and the id of a shape drawn before it."""

    text: str
    detail: str = ""
    factions: tuple[int, ...] = ()
    shape: str = ""


@frozen
class Pieces:
    """A place where pieces stand side by side, so that the page can move them: what comes takes the next free place.

    `part` is the name of the part, `head` its SVG without pieces. `kinds` are the pieces before the turn, by their numbers,
    and `shapes` for each kind the ids of a piece, of the ghost of one that left, and its key. `places` has, by how many
    have come, where each piece stands: those from before, then those that came. `grounds` are other parts that depend on
    how many of each kind there are.
    """

    part: str
    head: str
    kinds: tuple[int, ...]
    shapes: tuple[tuple[str, str, str], ...]
    places: Mapping[int, tuple[tuple[float, float], ...]]
    grounds: Mapping[tuple[int, ...], Part] = field(factory=dict)


@frozen
class Preview:
    """Preview of a turn before it is sent: the places on the way, and the result of the whole turn.

    A place is in `looks`, or in `pieces` if it is enough to say what comes and goes: then What is a kind and 1 for
    one that came, or a kind and something else for one that left.

    The result is in `brings` by its way and the key of its end ("" for none). If it depends on one place alone,
    that place is in `stakes` by the way, and `settled` has the result by the state of that place.
    """

    looks: Looks = field(factory=dict)
    pieces: Mapping[str, Pieces] = field(factory=dict)
    brings: Mapping[tuple[Way, str], Outlook] = field(factory=dict)
    stakes: Mapping[Way, str] = field(factory=dict)
    settled: Mapping[str, Mapping[State, Outlook]] = field(factory=dict)


def find_idle_choices(view: AnyView, names: Sequence[str]) -> Choices | None:
    """Return the choices of a seat that may click nothing, because the game is over or others play; else None."""
    to_act = view.shown.to_act
    if to_act is None:
        return Choices("The game is over.")
    return None if to_act == view.seat else Choices(f"{names[to_act]} is next.")


def list_states(choices: Choices) -> dict[str, list[State]]:
    """List the states that each place can reach by the steps and endings of the ways, each once."""
    paths: dict[Ending, list[Path]] = {}
    for way in choices.ways:
        if way.then:
            paths.setdefault(way.then, []).append(way.path)
    found: dict[str, dict[State, None]] = {}
    for each in dict.fromkeys(chain.from_iterable([way.path.passed for way in choices.ways])):
        found.setdefault(each.place, {})[each.state] = None
    ends = {key: [find_place_state(*each) for each in end.states.items()] for key, end in choices.ends.items()}
    done: set[tuple[PlaceState, PlaceState]] = set()
    for then, those in paths.items():
        last: dict[str, list[PlaceState]] = {}
        for each in dict.fromkeys(chain.from_iterable([ends[key] for key in then.keys])):
            last.setdefault(each.place, []).append(each)
        reached = [path.reached for path in those]
        touched = set(reached[0]).intersection(*reached)
        alone = [find_place_state(place, ()) for place in last if place not in touched]
        for now in dict.fromkeys(chain(alone, chain.from_iterable([each.values() for each in reached]))):
            for more in last.get(now.place, ()):
                if (now, more) not in done:
                    done.add((now, more))
                    found.setdefault(now.place, {})[add_states(now.state, more.state)] = None
    return {place: list(each) for place, each in found.items()}


def add_states(now: State, more: State) -> State:
    """Return the state of a place where more happens."""
    return tuple(sorted((*now, *more))) if now else more


def _group_changes(changes: Sequence[Change]) -> dict[str, State]:
    found: dict[str, State] = {}
    for place, what in changes:
        found[place] = tuple(sorted((*found.get(place, ()), what)))
    return found


ROW, MARGIN = 24, 12
"""The height of a line of a board in letters, and the room around it."""


class DrawingPlugin:
    """Drawing of a game. Without a game's own, a picture has the lines of its board, and a click is a whole turn."""

    def draw_picture(
        self, game: Any, view: Any, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
    ) -> Picture:
        """Draw a position and what the last turn changed; `alone` is legible on a telephone, as `list_side_notes` has the rest."""
        render = find_render_plugin(game)
        rows, width = render.format_board(game, view, names), 960 if layout == "wide" else 480
        head = PAGE if layout in {"page", "wide"} else 0
        height = head + ROW * len(rows) + 2 * MARGIN
        headline = render.write_headline(game, view, names)
        told = render.describe_last_turn(game, view, names, last) if last else ""
        drawn = draw_head(headline, render.write_forecast(game, view, names), told, width, head) if head else ""
        lines = [
            write_text_element(MARGIN, head + MARGIN + ROW * number, row.replace(" ", "\u00a0"), class_="line")
            for number, row in enumerate(rows, 1)
        ]
        paper = write_element("rect", width=width, height=height, class_="paper")
        style = {**STYLE, ".paper": paint(fill="paper"), ".line": paint("font:17px monospace", fill="ink")}
        described = render.describe_position(game, view, names)
        parts = (Part("paper", paper), Part("head", drawn), Part("board", "".join(lines)))
        return Picture(width, height, headline, described, style, parts)

    def make_choices(self, game: Any, view: AnyView, names: Sequence[str]) -> Choices:
        """Return the choices that a seat may click to put its turn together; none if it is not its turn."""
        if nothing := find_idle_choices(view, names):
            return nothing
        moves, due = {f"turn/{game.words.write_move(move)}": move for move in game.legal(view.shown)}, "Choose a turn."
        ways = tuple(Way(key[5:], Path((Step(due, (key,)),)), None, move) for key, move in moves.items())
        spots = {key: Spot(key[5:], "Turns", key[5:]) for key in moves}
        return Choices(due, ways, spots=spots)

    def make_preview(self, game: Any, view: Any, names: Sequence[str], choices: Choices) -> Preview:
        """Return the look of the picture after each choice, and the result of each turn, for a page that draws `board`."""
        return Preview()


def find_drawing_plugin(game: AnyGame) -> DrawingPlugin:
    return find_plugin(game.name, "render/drawing", DrawingPlugin)
