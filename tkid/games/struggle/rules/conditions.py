"""The conditions that the slots of action cards are made of, each bound to the rule it is cited by.

A *ground* is the facet of a slot that holds a region: the discs on the board and the other region already
chosen (None for the first). A *stock* is the facet of a slot that holds followers: what they are taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from tkid.games.struggle.rules.board import NOWHERE, OPEN, Board, Followers, groups, holds, plus
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import Condition, Part, Slot
from tkid.rulebook import cites

Ground = tuple[tuple[int, ...], int | None]
Wanted = Condition[Ground, int]
Taken = Condition[Followers, Followers]


discs = attrgetter("discs")
"""The ground of a shape whose bound slots are regions."""


def on_ground(seen: tuple[int, ...], bound: tuple[Any, ...]) -> Ground:
    """The facet of a bound slot for a region: the discs, and the last region chosen."""
    return seen, bound[-1] if bound else None


def on_board(position: Position, _: tuple[Any, ...]) -> Ground:
    """The facet of a free slot for a region."""
    return position.discs, None


supply = Part[Position, Followers](lambda position: (position.supply,))
"""The supply."""


def contents(index: int) -> Part[Position, Followers]:
    """The facet of a slot for followers in the region that is the bound value of this index."""
    return Part(attrgetter("regions"), index)


@cites("board.resolved")
def unresolved(board: Board, rule: str) -> Wanted:
    """The region has no disc."""
    return Condition(
        rule,
        lambda seen, region: seen[0][region] == OPEN,
        lambda seen, region: (
            f"{board.name(region)} is resolved ({board.disc(seen[0][region])}), so nothing can change there"
        ),
    )


@cites("board.near")
def near(board: Board, rule: str, faction: int, *, home_counts: bool = True) -> Wanted:
    """The region borders one that the faction controls, or (if it counts) the faction's home while that has no disc."""
    home = board.homes[faction] if home_counts else NOWHERE
    name = board.factions[faction].name

    def is_near(seen: Ground, region: int) -> bool:
        discs = seen[0]
        if home in board.neighbours[region] and discs[home] == OPEN:
            return True
        return faction in [discs[n] for n in board.neighbours[region]]

    def says(seen: Ground, region: int) -> str:
        if home_counts and seen[0][home] == OPEN and region != home:
            return f"{board.name(region)} borders neither {board.name(home)} nor a region controlled by the {name}"
        return f"{board.name(region)} borders no region controlled by the {name}"

    return Condition(rule, is_near, says)


def another(board: Board, rule: str) -> Wanted:
    """The region is not the one already chosen."""
    return Condition(
        rule,
        lambda seen, region: region != seen[1],
        lambda _, region: f"{board.name(region)} is named twice: a swap needs two regions",
    )


def bordering(board: Board, rule: str) -> Wanted:
    """The region borders the one already chosen."""

    def says(seen: Ground, region: int) -> str:
        assert seen[1] is not None
        around = ", ".join(board.name(n) for n in board.neighbours[seen[1]])
        return f"{board.name(region)} does not border {board.name(seen[1])}, which borders {around}"

    return Condition(rule, lambda seen, region: seen[1] in board.neighbours[region], says)


def number(board: Board, rule: str, size: int, action: str) -> Taken:
    """The group has exactly this many followers; `action` says in words what the card does."""
    return Condition(
        rule,
        lambda _, group: sum(group) == size,
        lambda _, group: f"{action}: choose {size} here, not {sum(group)} ({board.group(group)})",
    )


def colour(board: Board, rule: str, faction: int, action: str = "are placed") -> Taken:
    """The group has followers of one faction only; `action` says what is done with them."""
    name, letter = board.factions[faction].name, board.factions[faction].letter
    return Condition(
        rule,
        lambda _, group: sum(group) == group[faction],
        lambda _, group: f"only {name} followers ({letter}) {action}, not {board.group(group)}",
    )


def other_colours(board: Board, rule: str, faction: int, action: str) -> Taken:
    """The group has no follower of a faction; `action` says what is done with the others."""
    name = board.factions[faction].name
    return Condition(
        rule,
        lambda _, group: not group[faction],
        lambda _, group: f"only followers that are not {name} {action}, not {board.group(group)}",
    )


def available(board: Board, rule: str, where: str, more: Followers = ()) -> Taken:
    """The followers are there to be taken; `where` names the place for the message, `more` comes there before."""

    def there(stock: Followers) -> Followers:
        return plus(stock, more) if more else stock

    return Condition(
        rule,
        lambda stock, group: holds(there(stock), group),
        lambda stock, group: f"{where} has {board.in_words(there(stock))}, so you cannot take {board.group(group)}",
    )


def region_slot(
    name: str,
    board: Board,
    conditions: Iterable[Wanted],
    *,
    facet: Callable[[Any, tuple[Any, ...]], Ground] | None = None,
    bound: bool = True,
    in_order: bool = False,
) -> Slot[Ground, int]:
    """A slot for a region; with `in_order` only regions later on the list than the one already chosen are listed.

    `facet` is for shapes whose ground is not the discs.
    """
    everywhere = range(len(board.regions))

    def domain(seen: Ground) -> range:
        return everywhere[seen[1] + 1 :] if in_order and seen[1] is not None else everywhere

    return Slot(name, facet or (on_ground if bound else on_board), domain, tuple(conditions), bound=bound)


def group_slot(  # noqa: PLR0917 - what a slot is made of
    name: str,
    board: Board,
    facet: Callable[[Position, tuple[Any, ...]], Followers],
    size: int,
    conditions: Iterable[Taken],
    where: Callable[[tuple[Any, ...]], str] = lambda _: "",
) -> Slot[Followers, Followers]:
    """A slot for a group of followers of a size."""
    every = groups(size, len(board.factions))
    return Slot(name, facet, lambda _: every, tuple(conditions), where=where)


def region_at(board: Board, index: int) -> Callable[[tuple[Any, ...]], str]:
    """The name of the region that is the bound value of this index."""
    return lambda bound: board.name(bound[index])
