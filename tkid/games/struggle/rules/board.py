"""The board: factions, regions, followers, positions, views, and their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from operator import add, sub
from typing import Literal, TypeVar

from attrs import field, frozen

from tkid.kernel import game
from tkid.kernel import game as kernel
from tkid.kernel.pickling import Portable
from tkid.kernel.values import Changeable, derive
from tkid.notation.names import add_article
from tkid.notation.text import spell_number
from tkid.notation.voice import inflect_verb, list_and
from tkid.rulebook import cites

Followers = tuple[int, ...]
"""Number of followers of each faction, in the order of the board's factions."""

OPEN = -1
"""The value for a region without a disc, whose power struggle is still to come."""
UNSTABLE = -2
"""The instability disc. A control disc is its faction's index."""
NO_FACTION = "unstable"
"""The word for a region that no faction won, in the notation of every edition."""
NOWHERE = -1
"""The home of a faction that has none."""
GROUPS_REMEMBERED = 1 << 12
NOBODY: Mapping[str, str] = {}


@frozen
class Terms(Portable):
    """The printed words in which editions differ.

    `supply` is the place from which followers are placed, `stock` its short heading; `disc` marks a resolved region,
    `negotiation` lies on a region card. `lost` is a region that no faction won, `falls` the verb for it in the plural;
    `takers` are the people to whom such a region falls, `invaders` those who come when too many regions are lost.
    """

    supply: str = "supply"
    stock: str = "Supply"
    disc: str = "disc"
    negotiation: str = "negotiation disc"
    lost: str = "unstable"
    falls: str = "become unstable"
    takers: tuple[str, ...] = ()
    invaders: str = "the French"


USUAL = Terms()


@frozen
class Faction(Portable):
    """A faction: its letter in the notation, its printed name, and what its people are called: `Scottish`, `Scots`.

    `apart` is the rule (local id) by which its followers are never placed by a card nor summoned to court, "" where
    they are like any others.
    """

    letter: str
    name: str
    people: str
    apart: str = ""


@frozen
class Region(Portable):
    """A region: its printed name and its three-letter code."""

    name: str
    code: str


@frozen(cache_hash=True)
class Board(Portable):
    """A map. Regions and factions are known by their index; `homes` gives each faction's home region, or NOWHERE."""

    factions: tuple[Faction, ...]
    regions: tuple[Region, ...]
    borders: frozenset[tuple[int, int]]
    homes: tuple[int, ...]
    terms: Terms = USUAL
    letters: str = derive(lambda self: "".join(faction.letter for faction in self.factions))
    """The factions' letters, in order."""
    courtly: tuple[int, ...] = derive(
        lambda self: tuple(index for index, faction in enumerate(self.factions) if not faction.apart)
    )
    """The factions whose followers cards place and players summon."""
    apart: tuple[int, ...] = derive(
        lambda self: tuple(index for index, faction in enumerate(self.factions) if faction.apart)
    )
    """The others."""
    neighbours: tuple[tuple[int, ...], ...] = field(init=False)

    @neighbours.default
    def _(self) -> tuple[tuple[int, ...], ...]:
        touching: list[set[int]] = [set() for _ in self.regions]
        for a, b in self.borders:
            touching[a].add(b)
            touching[b].add(a)
        return tuple(tuple(sorted(regions)) for regions in touching)

    @classmethod
    def parse(  # noqa: PLR0917 - what is printed on it
        cls,
        factions: str,
        regions: str,
        borders: str,
        homes: str,
        terms: Terms = USUAL,
        apart: Mapping[str, str] = NOBODY,
    ) -> Board:
        """Build a board from `S Scottish Scots, …`, `Moray MOR, …`, `MOR-STR …`, `S MOR, …`, and rules by letter of those `apart`."""
        named = [pair.strip().rpartition(" ")[::2] for pair in regions.split(",")]
        codes = [code for _, code in named]
        colours = [pair.split() for pair in factions.split(",")]
        letters = [letter for letter, *_ in colours]
        home = dict(pair.split() for pair in homes.split(","))
        ends = [border.split("-") for border in borders.split()]
        return cls(
            factions=tuple(Faction(each[0], each[1], each[-1], apart.get(each[0], "")) for each in colours),
            regions=tuple(Region(name, code) for name, code in named),
            borders=frozenset((codes.index(a), codes.index(b)) for a, b in ends),
            homes=tuple(codes.index(home[letter]) if letter in home else NOWHERE for letter in letters),
            terms=terms,
        )

    def group(self, followers: Followers) -> str:
        """Write followers as letters run together, `SSW`; `-` for none."""
        return _write_letters(self.letters, followers)

    def format_counts(self, followers: Followers) -> str:
        """Write followers as counts, `1S 2E`; `-` for none."""
        return " ".join(f"{n}{f.letter}" for f, n in zip(self.factions, followers, strict=True) if n) or "-"

    def in_words(self, followers: Followers) -> str:
        return self.format_counts(followers) if any(followers) else "no follower"

    def make_single(self, faction: int) -> Followers:
        return list_groups(1, len(self.factions))[faction]

    def name(self, region: int) -> str:
        return self.regions[region].name

    def name_disc(self, disc: int) -> str:
        """Return a faction's name, the word for a region that no faction won, or `open`."""
        return {OPEN: "open", UNSTABLE: self.terms.lost}.get(disc) or self.factions[disc].name

    def write_outcome(self, disc: int) -> str:
        """Write the outcome of a power struggle in the notation: a faction's name or `unstable` in every edition."""
        return NO_FACTION if disc == UNSTABLE else self.factions[disc].name


@lru_cache(GROUPS_REMEMBERED)
def _write_letters(letters: str, followers: Followers) -> str:
    return "".join([letter * n for letter, n in zip(letters, followers, strict=True)]) or "-"


def add_followers(a: Followers, b: Followers) -> Followers:
    return tuple(map(add, a, b))


def subtract_followers(a: Followers, b: Followers) -> Followers:
    """Return the first group without the second; counts may fall below zero, see `has_group`."""
    return tuple(map(sub, a, b))


def has_group(followers: Followers, group: Followers) -> bool:
    return all(map(int.__ge__, followers, group))


def count_followers(factions: Iterable[int], kinds: int) -> Followers:
    listed = tuple(factions)
    return tuple([listed.count(faction) for faction in range(kinds)])


@cache
def list_groups(size: int, factions: int) -> tuple[Followers, ...]:
    """Return every group of a size in canonical order (most of the first faction first)."""
    if factions == 1:
        return ((size,),)
    return tuple((n, *rest) for n in range(size, -1, -1) for rest in list_groups(size - n, factions - 1))


HIDDEN = kernel.HIDDEN
T = TypeVar("T")
Decision = Literal["play", "summon", "plot"]


@frozen
class Ban(Portable):
    """A swap that only `by` may exactly reverse next; `delta` has the two regions, each with the change of its followers."""

    card: str
    by: int
    delta: tuple[tuple[int, Followers], ...]


@frozen
class Position(Changeable):
    """A moment of a game. Regions, factions and seats are indices; per-seat tuples are in turn order.

    `discs` holds for each region OPEN, UNSTABLE or a faction; `track` the regions' cards by space (face down
    where the region has a disc); `negotiated` the regions whose card carries a negotiation disc;
    `struggles` the resolved regions in the order resolved. `last_acted` is the number of the turn in which
    a seat last played an action card, `emptied` that in which its hand ran out. `turn` counts the turns so
    far; two positions that differ only in it are equal. `plot` is the faction that the owner of a revealed Plot
    has named. `starter` is the seat that started the power struggle to come, None where that makes no difference
    to the next one. In a position as one seat may know it, hidden cards in hands and discard piles are HIDDEN.
    """

    regions: tuple[Followers, ...]
    discs: tuple[int, ...]
    supply: Followers
    track: tuple[int, ...]
    negotiated: frozenset[int]
    struggles: tuple[int, ...]
    courts: tuple[Followers, ...]
    hands: tuple[tuple[str, ...], ...]
    discards: tuple[tuple[str, ...], ...]
    negotiation_discs: tuple[int, ...]
    last_acted: tuple[int | None, ...]
    emptied: tuple[int | None, ...]
    passes: int
    banned: Ban | None
    decision: Decision | None
    to_act: int | None
    ending: str | None = None
    winners: tuple[int, ...] = ()
    plot: int | None = None
    starter: int | None = None
    turn: int = field(default=0, eq=False)

    @property
    def contested(self) -> int | None:
        """The region of the next power struggle: the face-up card on the lowest space."""
        return next((region for region in self.track if self.discs[region] == OPEN), None)

    @property
    def actor(self) -> int:
        """The seat to act in a game that is not over."""
        assert self.to_act is not None
        return self.to_act

    @property
    def unstable(self) -> int:
        return self.discs.count(UNSTABLE)

    @property
    def seats(self) -> range:
        return range(len(self.courts))


def replace_item(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    changed = list(items)
    changed[index] = value
    return tuple(changed)


View = game.View[Position]


@cites("ruling.open-record", "ruling.open-hands")
def make_struggle_view(
    position: Position, seat: int | None, *, hidden: bool, plot: str = "", own_pile: bool = True
) -> View:
    """Hide what a seat may not know: it sees the board, its own cards and the others' top discards.

    With `own_pile` it may look through its own discard pile; otherwise it sees only the top card of that too. If
    other players' hands are `hidden`, it sees the number of cards in them, and the card `plot` once it is revealed.
    """
    hands, revealed = position.hands, plot if position.decision in {"plot", None} else ""
    if hidden:
        hands = tuple([cards if owner == seat else _hide_hand(cards, revealed) for owner, cards in enumerate(hands)])
    piles = tuple(
        [
            cards if owner == seat and own_pile else (HIDDEN,) * (len(cards) - 1) + cards[-1:]
            for owner, cards in enumerate(position.discards)
        ]
    )
    return View(seat, position.replace(hands=hands, discards=piles))


def _hide_hand(cards: tuple[str, ...], revealed: str) -> tuple[str, ...]:
    known = (revealed,) * cards.count(revealed) if revealed else ()
    return (HIDDEN,) * (len(cards) - len(known)) + known


@cache
def find_leaders(followers: Followers) -> tuple[int, ...]:
    """Return the factions with the most followers: one leads, several tie, () in an empty region."""
    most = max(followers)
    return tuple([faction for faction, n in enumerate(followers) if n == most]) if most else ()


def name_factions(board: Board, factions: Sequence[int]) -> str:
    """Name the people of factions in a sentence: `the Welsh`, `Mordred`; several have no articles: `Scots and Welsh`."""
    names = [board.factions[faction].people for faction in factions]
    alone = len(factions) == 1 and factions[0] not in board.apart
    return f"the {names[0]}" if alone else list_and(names)


def say_factions(board: Board, factions: Sequence[int], verb: str, *, past: bool = False) -> str:
    """Say what factions do: `the Welsh win`, `Mordred wins`, `Scots and Welsh tied`."""
    one = len(factions) == 1 and factions[0] in board.apart
    return f"{name_factions(board, factions)} {inflect_verb(verb, one=one, past=past)}"


def describe_followers(board: Board, followers: Followers, *, again: bool = False) -> str:
    """Describe followers: `two Scots and an English follower`; `again`, after a mention of followers: `a Welsh one`."""
    present = [(faction, count) for faction, count in enumerate(followers) if count]
    single = [faction for faction, count in present if count == 1]
    noun = "one" if again else "follower"
    texts = []
    for faction, count in present:
        name = board.factions[faction].name
        if faction in board.apart:
            texts.append(f"{'a follower' if count == 1 else f'{spell_number(count)} followers'} of {name}")
        elif count > 1:
            texts.append(f"{spell_number(count)} {board.factions[faction].people}")
        else:
            texts.append(add_article(name) + (f" {noun}" if faction == single[-1] else ""))
    return list_and(texts) or "nobody"


def count_people(board: Board, faction: int, count: int) -> str:
    """Write followers with a figure: `2 Scots`, `1 Scot`."""
    people = board.factions[faction].people
    return f"{count} {people if count > 1 else people.removesuffix('s')}"


def format_score(followers: Followers) -> str:
    """Write the followers of the leader and of the next, `3 to 1`, or those of each faction that ties, `at 2`."""
    most, next_most = sorted(followers, reverse=True)[:2]
    return f"at {most}" if most == next_most else f"{most} to {next_most}"


def say_outcome(board: Board, disc: int, regions: Sequence[int], *, past: bool = False) -> str:
    """Say how regions come out that get the same disc: `the Welsh win Gwynedd and Devon`, `Warwick became unstable`."""
    names = list_and(map(board.name, regions))
    if disc != UNSTABLE:
        return f"{say_factions(board, [disc], 'win', past=past)} {names}"
    verb, _, rest = board.terms.falls.partition(" ")
    return f"{names} {inflect_verb(verb, one=len(regions) == 1, past=past)} {rest}"


def describe_struggle(board: Board, region: int, followers: Followers, *, past: bool = False) -> str:
    """Describe a power struggle: `the Welsh win Gwynedd 3 to 1`, `Warwick became unstable, as Scots and Welsh tied at 2`."""
    ahead = find_leaders(followers)
    if len(ahead) == 1:
        return f"{say_outcome(board, ahead[0], [region], past=past)} {format_score(followers)}"
    tie = f"{say_factions(board, ahead, 'tie', past=past)} {format_score(followers)}"
    empty = f"nobody {'was' if past else 'is'} there"
    return f"{say_outcome(board, UNSTABLE, [region], past=past)}, as {tie if ahead else empty}"


def describe_arrival(board: Board, faction: int, region: int, *, past: bool = False) -> str:
    """Describe a follower who comes to a region: `a follower of Mordred came to Din Eidyn`."""
    one = describe_followers(board, board.make_single(faction))
    return f"{one} {inflect_verb('come', one=True, past=past)} to {board.name(region)}"
