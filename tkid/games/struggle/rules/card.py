"""Cards, the conditions of their slots, and the cards without an effect of their own (Spy, Plot).

A *ground* is the facet of a slot that holds a region: the discs on the board and the other region already
chosen (None for the first). A *stock* is the facet of a slot that holds followers: what they are taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from attrs import evolve, frozen

from tkid.games.struggle.rules.board import (
    NOWHERE,
    OPEN,
    Ban,
    Board,
    Followers,
    Position,
    add_followers,
    has_group,
    list_groups,
    name_factions,
)
from tkid.games.struggle.rules.moves import Copy, Resolution, StruggleWords
from tkid.kernel.ladder import NOTHING, WHERE, Condition, Each, Gate, Ladder, Options, Part, Shape, Slot, find_nearest
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

Ground = tuple[tuple[int, ...], int | None]
Wanted = Condition[Ground, int]
Taken = Condition[Followers, Followers]


discs = attrgetter("discs")
"""The ground of a shape whose bound slots are regions."""


def on_ground(seen: tuple[int, ...], bound: tuple[Any, ...]) -> Ground:
    """Return the facet of a bound slot for a region: the discs, and the last region chosen."""
    return seen, bound[-1] if bound else None


def on_board(position: Position, _: tuple[Any, ...]) -> Ground:
    """Return the facet of a free slot for a region."""
    return position.discs, None


supply = Part[Position, Followers](lambda position: (position.supply,))


def make_region_stock(index: int) -> Part[Position, Followers]:
    """Return the facet of a slot for followers in the region with this index among the bound values."""
    return Part(attrgetter("regions"), index)


R = TypeVar("R")
Tiers = tuple[tuple[Shape[Position, Any], ...], ...]
Canonical = Callable[[Position, Any], Resolution]


def keep_resolution(_: Position, resolution: Resolution) -> Resolution:
    """Return a resolution unchanged: the canonical form where there is only one way to write it."""
    return resolution


@frozen(eq=False)
class Card:
    """An action card: printed name, the register's entry, the form its resolution is written in, its ladder.

    `canonical` rewrites a resolution to the one form that is written down. `ban(resolution, seat)` is the ban on
    undoing that the action leaves behind; `undo` is the rule of that ban, or "" without a ban; `binds_all` where
    its own player is bound by it too. `faction` is the one printed on it, None for none.
    """

    name: str
    rule: str
    form: str
    ladder: Ladder[Position, Any] | CopyLadder | NeverPlayed
    canonical: Canonical = keep_resolution
    ban: Callable[[Any, int], Ban | None] = lambda *_: None
    undo: str = ""
    binds_all: bool = False
    faction: int | None = None


def make_rewriter(form: type[R], rewrite: Callable[[Position, R], Resolution]) -> Canonical:
    """Rewrite resolutions of one form only; `nothing` and resolutions of other cards stay unchanged."""
    return lambda position, resolution: rewrite(position, resolution) if isinstance(resolution, form) else resolution


@frozen(eq=False)
class CardFactory:
    """A maker of cards for a board, with the ids of the edition's rules."""

    board: Board
    ids: Ids

    @cites("ruling.ladder-scope")
    def make_card(
        self,
        name: str,
        local: str,
        form: str,
        tiers: Tiers,
        *,
        gate: Gate[Position] | None = None,
        canonical: Canonical = keep_resolution,
    ) -> Card:
        """Make the card of a rule (local id) with a ladder of these tiers, unplayable while the gate is closed."""
        rule = self.ids(local)
        write = StruggleWords(self.board).resolution
        ladder: Ladder[Position, Any] = Ladder(tiers, self.ids("partial.in-full"), rule, write, gate)
        return Card(name, rule, form, ladder, canonical)

    @property
    @cites("board.resolved")
    def unresolved(self) -> Wanted:
        board = self.board
        return Condition(
            self.ids("action.resolved"),
            lambda seen, region: seen[0][region] == OPEN,
            lambda seen, region: (
                f"{board.name_region(region)} is resolved ({board.name_disc(seen[0][region])}), so nothing can change there"
            ),
        )

    @cites("board.near")
    def require_near(self, rule: str, faction: int, *, home_counts: bool = True) -> Wanted:
        """Require a region that borders one which the faction controls; with `home_counts` also its home while that is open."""
        home = self.board.homes[faction] if home_counts else NOWHERE
        name = name_factions(self.board, [faction])

        def is_near(seen: Ground, region: int) -> bool:
            discs = seen[0]
            if home in self.board.neighbours[region] and discs[home] == OPEN:
                return True
            return faction in [discs[n] for n in self.board.neighbours[region]]

        def says(seen: Ground, region: int) -> str:
            if home_counts and seen[0][home] == OPEN:
                own, near = self.board.name_region(home), f"region controlled by {name}"
                if region == home:
                    return f"{own} is the home of {name}: only regions beside it count, and it borders no {near}"
                return f"{self.board.name_region(region)} borders neither {own} nor a {near}"
            return f"{self.board.name_region(region)} borders no region controlled by {name}"

        return Condition(self.ids(rule), is_near, says)

    def require_another_region(self, rule: str) -> Wanted:
        return Condition(
            self.ids(rule),
            lambda seen, region: region != seen[1],
            lambda _, region: f"{self.board.name_region(region)} is named twice: a swap needs two regions",
        )

    def require_border(self, rule: str) -> Wanted:
        def says(seen: Ground, region: int) -> str:
            assert seen[1] is not None
            around = ", ".join(self.board.name_region(n) for n in self.board.neighbours[seen[1]])
            return f"{self.board.name_region(region)} does not border {self.board.name_region(seen[1])}, which borders {around}"

        return Condition(self.ids(rule), lambda seen, region: seen[1] in self.board.neighbours[region], says)

    def require_size(self, rule: str, size: int, action: str) -> Taken:
        """Require that the group has exactly this many followers; `action` says in words what the card does."""
        return Condition(
            self.ids(rule),
            lambda _, group: sum(group) == size,
            lambda _, group: f"{action}: choose {size} here, not {sum(group)} ({self.board.write_group(group)})",
        )

    def require_faction(self, rule: str, faction: int, action: str = "are placed") -> Taken:
        name, letter = self.board.factions[faction].name, self.board.factions[faction].letter
        return Condition(
            self.ids(rule),
            lambda _, group: sum(group) == group[faction],
            lambda _, group: f"only {name} followers ({letter}) {action}, not {self.board.write_group(group)}",
        )

    def require_other_factions(self, rule: str, faction: int, action: str) -> Taken:
        name = self.board.factions[faction].name
        return Condition(
            self.ids(rule),
            lambda _, group: not group[faction],
            lambda _, group: f"only followers that are not {name} {action}, not {self.board.write_group(group)}",
        )

    def require_available(self, rule: str, where: str, more: Followers = ()) -> Taken:
        """Require that followers can be taken `where` (for the message), counting those who come there before (`more`)."""

        def there(stock: Followers) -> Followers:
            return add_followers(stock, more) if more else stock

        return Condition(
            self.ids(rule),
            lambda stock, group: has_group(there(stock), group),
            lambda stock, group: (
                f"{where} has {self.board.in_words(there(stock))}, so you cannot take {self.board.write_group(group)}"
            ),
        )

    def make_region_slot(
        self,
        name: str,
        conditions: Iterable[Wanted],
        *,
        facet: Callable[[Any, tuple[Any, ...]], Ground] | None = None,
        bound: bool = True,
        in_order: bool = False,
    ) -> Slot[Ground, int]:
        """Return a slot for a region, with `in_order` behind the one already chosen; `facet` if its ground is not the discs."""
        everywhere = range(len(self.board.regions))

        def domain(seen: Ground) -> range:
            return everywhere[seen[1] + 1 :] if in_order and seen[1] is not None else everywhere

        return Slot(name, facet or (on_ground if bound else on_board), domain, tuple(conditions), bound=bound)

    def make_group_slot(
        self,
        name: str,
        facet: Callable[[Position, tuple[Any, ...]], Followers],
        size: int,
        conditions: Iterable[Taken],
        where: Callable[[tuple[Any, ...]], str] = lambda _: "",
    ) -> Slot[Followers, Followers]:
        every = list_groups(size, len(self.board.factions))
        return Slot(name, facet, lambda _: every, tuple(conditions), where=where)

    def name_region_at(self, index: int) -> Callable[[tuple[Any, ...]], str]:
        """Return a function that names the region with this index among the bound values."""
        return lambda bound: self.board.name_region(bound[index])

    def require_supply(self, where: str = "the supply") -> Taken:
        return self.require_available("action.supply", where)

    def make_open_region_slot(self, name: str, *conditions: Wanted, in_order: bool = False) -> Slot[Ground, int]:
        return self.make_region_slot(name, (self.unresolved, *conditions), in_order=in_order)

    def make_followers_slot(
        self, name: str, index: int, size: int, *conditions: Taken, more: Followers = ()
    ) -> Slot[Followers, Followers]:
        """Return a slot for followers of the region at this index of the bound values; `more` are there by then."""
        available = self.require_available("action.region", WHERE, more)
        where = self.name_region_at(index)
        return self.make_group_slot(name, make_region_stock(index), size, (*conditions, available), where)


def make_spy_card(factory: CardFactory, name: str, cards: Mapping[str, Card], *, effect_first: bool) -> Card:
    """Make a card that copies any of these cards; with `effect_first`, piles whose card has an effect come first."""
    copying = CopyLadder(factory, name, cards, effect_first)

    def as_copied(position: Position, copy: Copy) -> Copy:
        card = cards.get(copy.card)
        return evolve(copy, resolution=card.canonical(position, copy.resolution)) if card else copy

    def ban(resolution: Resolution, seat: int) -> Ban | None:
        return cards[resolution.card].ban(resolution.resolution, seat) if isinstance(resolution, Copy) else None

    return Card(name, factory.ids("card.spy"), "copy", copying, make_rewriter(Copy, as_copied), ban)


@frozen(eq=False)
class CopyLadder:
    """The resolutions of Spy: those of the copied cards, or nothing if no pile can be chosen."""

    factory: CardFactory
    name: str
    cards: Mapping[str, Card]
    effect_first: bool

    @cites("ruling.spy-on-spy", "ruling.spy-pile", "ruling.spy-negotiate")
    def find_piles(self, position: Position) -> dict[int, Card]:
        """Return the seats whose pile may be chosen, each with the card on top."""
        tops = {seat: pile[-1] for seat, pile in enumerate(position.discards) if pile and seat != position.to_act}
        piles = {seat: self.cards[top] for seat, top in tops.items() if top in self.cards}
        if not self.effect_first:
            return piles
        return {seat: card for seat, card in piles.items() if not card.ladder.is_legal(position, NOTHING)} or piles

    def list_ways(self, position: Position) -> Sequence[Resolution]:
        return self.list_options(position)

    def list_options(self, position: Position) -> Options[Resolution]:
        copies: list[Sequence[Resolution]] = [
            Each(partial(Copy, seat, card.name), card.ladder.list_ways(position))
            for seat, card in self.find_piles(position).items()
        ]
        return Options(copies or [(NOTHING,)], partial(self.is_legal, position))

    def is_legal(self, position: Position, resolution: object) -> bool:
        piles = self.find_piles(position)
        if not isinstance(resolution, Copy):
            return not piles and resolution == NOTHING
        card = piles.get(resolution.seat)
        if card is None or card.name != resolution.card:
            return False
        return card.ladder.is_legal(position, resolution.resolution)

    def check(self, position: Position, resolution: object) -> tuple[Violation, ...]:
        if self.is_legal(position, resolution):
            return ()
        ids = self.factory.ids
        if not isinstance(resolution, Copy):
            legal = find_nearest(resolution, self.list_options(position))
            words = StruggleWords(self.factory.board).resolution
            if resolution == NOTHING:
                sentence = f"There is a card to copy: {words(legal[0])} is possible"
                return (Violation(ids("partial.in-full"), sentence, alternatives=legal),)
            return (Violation(ids("card.spy"), f"{words(resolution)} is not what this card does", alternatives=legal),)
        pile = tuple(self._check_pile(position, resolution))
        if pile:
            legal = find_nearest(resolution, self.list_options(position))
            return tuple(evolve(violation, alternatives=legal) for violation in pile)
        inner = self.cards[resolution.card].ladder.check(position, resolution.resolution)
        copied = partial(Copy, resolution.seat, resolution.card)
        return tuple(evolve(violation, alternatives=tuple(map(copied, violation.alternatives))) for violation in inner)

    def _check_pile(self, position: Position, copy: Copy) -> Iterator[Violation]:
        ids, whose = self.factory.ids, f"{{{copy.seat}}}"
        pile = position.discards[copy.seat] if copy.seat in position.seats else ()
        if copy.seat == position.to_act:
            yield Violation(ids("card.spy.other"), f"{self.name} copies another player's card, not your own", "seat")
        elif not pile:
            yield Violation(ids("card.spy.other"), f"{whose} has no discard pile yet", "seat")
        elif pile[-1] == self.name:
            yield Violation(ids("card.spy.no-spy"), f"the top card of {whose}'s pile is {self.name}", "seat")
        elif pile[-1] != copy.card:
            sentence = f"the top card of {whose}'s pile is {pile[-1]}, not {copy.card}"
            yield Violation(ids("card.spy.top"), sentence, "copied")
        elif copy.seat not in self.find_piles(position):
            sentence = f"{pile[-1]} would have no effect, but the top card of another pile would"
            yield Violation(ids("ruling.spy-pile"), sentence, "seat")


def make_plot_card(factory: CardFactory, name: str) -> Card:
    """Make the card that is revealed when the winner is found."""
    sentence = f"{name} is never played: it is revealed when the game is over"
    hint = "Play another card, or write `Pass`."
    never = NeverPlayed(Violation(factory.ids("card.plot.never"), sentence, hint=hint))
    return Card(name, factory.ids("card.plot"), "reveal", never)


@frozen(eq=False)
class NeverPlayed:
    """A stand-in for the ladder of Plot, which can never be played."""

    violation: Violation

    def list_ways(self, _: Position) -> Sequence[Resolution]:
        return ()

    def list_options(self, _: Position) -> Options[Resolution]:
        return Options([], lambda _: False)

    def is_legal(self, *_: object) -> bool:
        return False

    def check(self, *_: object) -> tuple[Violation, ...]:
        return (self.violation,)


def make_vain_card(factory: CardFactory, name: str, local: str, form: str) -> Card:
    """Make a card without any effect; `form` is the form in which an effect would be written."""
    return factory.make_card(name, local, form, ())
