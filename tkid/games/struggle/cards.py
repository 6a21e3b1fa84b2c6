"""Action cards: each a ladder built of shared shapes, with the rules it cites."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from attrs import frozen

from tkid.games.struggle import conditions as c
from tkid.games.struggle.board import OPEN, Board, Followers, minus
from tkid.games.struggle.moves import Exchange, Place, Resolution, Spread, Swap
from tkid.games.struggle.position import Ban, Position
from tkid.games.struggle.words import Words
from tkid.kernel.ladder import NOTHING, Bar, Condition, Ladder, Shape, Slot
from tkid.rulebook import Ids, cites


def _as_written(_: Position, resolution: Resolution) -> Resolution:
    return resolution


def _spread(_: Position, resolution: Resolution) -> Resolution:
    """A spread of nothing at all is written `nothing`."""
    empty = isinstance(resolution, Spread) and all(region is None for region in resolution.regions)
    return NOTHING if empty else resolution


def _track_order(position: Position, resolution: Resolution) -> Resolution:
    """The card on the lower space stands first."""
    if not isinstance(resolution, Exchange):
        return resolution
    first, second = sorted((resolution.first, resolution.second), key=position.track.index)
    return Exchange(first, second, resolution.disc)


def _fewer_first(_: Position, resolution: Resolution) -> Resolution:
    """The side with fewer followers stands first; of equal ones that of the region first on the list."""
    if not isinstance(resolution, Swap):
        return resolution
    left, right = sum(resolution.give), sum(resolution.take)
    flip = left > right or (left == right and resolution.left > resolution.right)
    return resolution.flipped() if flip else resolution


@frozen(eq=False)
class Card:
    """An action card: printed name, the register's entry, its ladder, and the form its resolution is written in.

    `canonical` rewrites a resolution to the one form that is written down. `reversal` is the rule that
    forbids to undo it at once, "" where it may be undone.
    """

    name: str
    rule: str
    form: str
    ladder: Ladder[Position, Resolution]
    canonical: Callable[[Position, Any], Resolution] = _as_written
    reversal: str = ""


Lying = tuple[tuple[int, ...], tuple[int, ...], frozenset[int], int | None]
"""The region cards as a slot sees them: track, discs, negotiated, and the card already chosen."""

Tiers = tuple[tuple[Shape[Position, Any], ...], ...]


@frozen(eq=False)
class Press:
    """What cards are built with: the board and the ids of the edition's rules."""

    board: Board
    ids: Ids

    @cites("ruling.ladder-scope")
    def card(
        self, name: str, local: str, form: str, tiers: Tiers, *, canonical: Any = _as_written, reversal: str = ""
    ) -> Card:
        """A card of these tiers; `local` is the id of its entry without the edition."""
        rule = self.ids(local)
        ladder: Ladder[Position, Resolution] = Ladder(
            tiers, self.ids("partial.in-full"), rule, Words(self.board).resolution
        )
        return Card(name, rule, form, ladder, canonical, reversal)

    def support(self, name: str, faction: int) -> Card:
        """Two followers of a faction from the supply into one region near it; one where the supply has one."""
        local, board, ids = "card.support", self.board, self.ids

        def placing(size: int) -> Shape[Position, Place]:
            stock = (
                c.colour(board, ids(f"{local}.faction"), faction),
                c.number(
                    board, ids(f"{local}.two"), size, f"{name} places two followers, or one if the supply has one"
                ),
                c.available(board, ids("action.supply"), "the supply"),
            )
            region = (
                c.unresolved(board, ids("action.resolved")),
                c.near(board, ids(f"{local}.near"), faction),
            )
            return Shape(
                rule=ids(f"{local}.two"),
                label=f"{size} into one region",
                form=Place,
                slots=(
                    c.group_slot("group", board, c.supply, size, stock),
                    c.region_slot("region", board, region, bound=False),
                ),
            )

        return self.card(name, local, "place", ((placing(2),), (placing(1),)))

    def assemble(self, name: str) -> Card:
        """One follower of each faction that the supply has, each into any open region."""
        local, board, ids = "card.assemble", self.board, self.ids
        everywhere = (*range(len(board.regions)), None)

        def slot(faction: int) -> Slot[tuple[tuple[int, ...], bool], int | None]:
            name = board.factions[faction].name
            conditions = (
                Condition[tuple[tuple[int, ...], bool], int | None](
                    ids("action.supply"),
                    lambda seen, region: region is None or seen[1],
                    lambda *_: f"the supply has no {name} follower to place",
                ),
                Condition[tuple[tuple[int, ...], bool], int | None](
                    ids(f"{local}.each"),
                    lambda seen, region: region is not None or not seen[1],
                    lambda *_: f"{name} followers are in the supply, so one must be placed too",
                ),
                Condition[tuple[tuple[int, ...], bool], int | None](
                    ids("action.resolved"),
                    lambda seen, region: region is None or seen[0][region] == OPEN,
                    lambda seen, region: c.unresolved(board, "").says((seen[0], None), region or 0),
                ),
            )
            return Slot(
                f"region of {name}",
                lambda position, _: (position.discs, position.supply[faction] > 0),
                lambda _: everywhere,
                conditions,
                value=lambda spread: spread.regions[faction],
            )

        spread: Shape[Position, Spread] = Shape(
            rule=ids(f"{local}.each"),
            label="one of each faction in the supply",
            form=Spread,
            slots=tuple(slot(faction) for faction in range(len(board.factions))),
            make=lambda *regions: Spread(regions),
            applies=lambda position: any(position.supply),
        )
        return self.card(name, local, "spread", ((spread,),), canonical=_spread)

    def negotiate(self, name: str) -> Card:
        """Two face-up region cards without a disc change places; the player's disc goes on one of the two."""
        local, board, ids = "card.negotiate", self.board, self.ids

        def cards(seen: tuple[Any, ...], bound: tuple[Any, ...]) -> Lying:
            return (*seen, bound[-1] if bound else None)

        conditions: tuple[Condition[Lying, int], ...] = (
            Condition(
                ids(f"{local}.face-up"),
                lambda seen, region: seen[1][region] == OPEN,
                lambda _, region: f"the card of {board.name(region)} lies face down",
            ),
            Condition(
                ids(f"{local}.no-disc"),
                lambda seen, region: region not in seen[2],
                lambda _, region: f"the card of {board.name(region)} has a negotiation disc on it",
            ),
            Condition(
                ids(f"{local}.two-cards"),
                lambda seen, region: region != seen[3],
                lambda _, region: f"{board.name(region)} is named twice: two cards change places",
            ),
        )

        def later(seen: Lying) -> tuple[int, ...]:
            track, *_, first = seen
            return track if first is None else track[track.index(first) + 1 :]

        def placed(seen: tuple[int, int, bool], disc: int | None) -> bool:
            return disc is None or disc in seen[:2]

        on_one = Condition[tuple[int, int, bool], int | None](
            ids(f"{local}.disc"),
            placed,
            lambda seen, disc: (
                f"the negotiation disc goes on {board.name(seen[0])} or {board.name(seen[1])}, "
                f"not on {board.name(disc or 0)}"
            ),
        )
        some = Condition[tuple[int, int, bool], int | None](
            ids(f"{local}.disc"),
            lambda _, disc: disc is not None,
            lambda *_: "a negotiation disc goes on one of the two cards",
        )
        left = Condition[tuple[int, int, bool], int | None](
            ids(f"{local}.disc-left"),
            lambda seen, disc: seen[2] or disc is None,
            lambda *_: "the player's negotiation disc is on the board already: write `no disc`",
        )
        none = Condition[tuple[int, int, bool], int | None](
            ids(f"{local}.disc-left"),
            lambda _, disc: disc is None,
            lambda *_: "no disc is placed here",
        )

        def exchanging(label: str, *disc: Condition[tuple[int, int, bool], int | None]) -> Shape[Position, Exchange]:
            return Shape(
                rule=ids(local),
                label=label,
                form=Exchange,
                slots=(
                    Slot("first", cards, later, conditions, bound=True),
                    Slot("second", cards, later, conditions, bound=True),
                    Slot("disc", discs, lambda seen: (*seen[:2], None), disc),
                ),
                ground=attrgetter("track", "discs", "negotiated"),
            )

        def discs(position: Position, bound: tuple[Any, ...]) -> tuple[int, int, bool]:
            assert position.to_act is not None
            return (*bound, position.negotiation_discs[position.to_act] > 0)

        tiers = ((exchanging("with the disc", some, on_one, left),), (exchanging("without a disc", none),))
        return self.card(name, local, "exchange", tiers, canonical=_track_order)

    def swap(self, name: str, local: str, counts: tuple[tuple[int, int], ...], *, border: bool) -> Card:
        """Followers of one region for followers of another: tiers of (given, taken), bordering or any two regions."""
        board, ids = self.board, self.ids
        reversal = ids(f"{local}.undo")
        place = c.bordering(board, ids(f"{local}.border")) if border else c.another(board, ids(f"{local}.another"))

        def swapping(given: int, taken: int) -> Shape[Position, Swap]:
            def followers(slot: str, size: int, index: int) -> Slot[Followers, Followers]:
                numbered = c.number(board, ids(f"{local}.number"), size, f"{name} swaps {_count(counts)}")
                inside = c.available(board, ids("action.region"), "the region")
                return c.group_slot(slot, board, c.contents(index), size, (numbered, inside))

            unresolved = c.unresolved(board, ids("action.resolved"))
            return Shape(
                rule=ids(f"{local}.number"),
                label=f"{given} for {taken}",
                form=Swap,
                slots=(
                    c.region_slot("left", board, (unresolved,)),
                    c.region_slot("right", board, (unresolved, place), in_order=given == taken),
                    followers("give", given, 0),
                    followers("take", taken, 1),
                ),
                ground=c.discs,
                bar=undo(name, reversal),
            )

        tiers = tuple((swapping(*count),) for count in counts)
        return self.card(name, local, "swap", tiers, canonical=_fewer_first, reversal=reversal)


def _count(counts: tuple[tuple[int, int], ...]) -> str:
    number = {1: "one", 2: "two"}
    return ", or else ".join(f"{number[a]} for {number[b]}" for a, b in counts)


def delta(swap: Swap) -> tuple[tuple[int, Followers], ...]:
    """What a swap changes: (region, change) for its two regions, in order; empty where nothing changes."""
    change = minus(swap.take, swap.give)
    if not any(change):
        return ()
    return tuple(sorted(((swap.left, change), (swap.right, tuple([-n for n in change])))))


def ban(card: Card, resolution: object, seat: int) -> Ban | None:
    """The ban on undoing that an action leaves behind."""
    if not card.reversal or not isinstance(resolution, Swap):
        return None
    changed = delta(resolution)
    return Ban(card.name, seat, changed) if changed else None


@cites("ruling.undo")
def undo(card: str, rule: str) -> Bar[Position, Swap]:
    """Another player's swap may not be exactly reversed by the next action."""

    def active(position: Position) -> bool:
        banned = position.banned
        return banned is not None and banned.card == card and banned.by != position.to_act

    def strikes(position: Position, swap: Swap) -> bool:
        banned = position.banned
        assert banned is not None
        (one, change), (other, _) = banned.delta
        if {swap.left, swap.right} != {one, other}:
            return False
        moved = minus(swap.take, swap.give)
        return moved == (tuple([-n for n in change]) if swap.left == one else change)

    def touches(position: Position, regions: tuple[int, ...]) -> bool:
        banned = position.banned
        return banned is not None and {region for region, _ in banned.delta} == set(regions)

    return Bar(
        rule, active, touches, strikes, lambda *_: f"this would undo the {card} that another player has just taken"
    )
