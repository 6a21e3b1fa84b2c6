"""A position in written form: what JSON and the one-line text both say, by names and letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeVar

from attrs import field, frozen

from tkid.games.struggle.rules.board import NO_FACTION, OPEN, UNSTABLE, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Ban, Decision, Position

T = TypeVar("T")
Counts = dict[str, int]
UNSTABLE_WORD = NO_FACTION
MOST = 99
"""The most followers of a faction that one place can hold, in made-up positions too."""


@frozen
class WrittenRegion:
    """A region: followers by letter, and its disc: a letter, `unstable`, or None."""

    followers: Counts = field(factory=dict)
    disc: str | None = None


@frozen
class WrittenCard:
    """A region card on the track, by code."""

    region: str
    face: Literal["up", "down"] = "up"
    negotiated: bool = False


@frozen
class WrittenStruggle:
    """A resolved power struggle."""

    region: str
    outcome: str


@frozen
class WrittenBan:
    """A swap that may not be reversed next: the change of followers by region code."""

    card: str
    by: int
    delta: dict[str, Counts]


@frozen
class WrittenPosition:
    """A position as outside tools see it; attributes in the order of the documented format.

    `negotiation_discs` (discs left by seat) is None where it follows from the discard piles: a player who has
    played a card that places one has none left. `rulings` holds readings that differ from the defaults, `plot` the
    letter of the faction that the owner of a revealed Plot has named, `starter` the seat that started the power struggle
    to come, where the ruleset asks for it: it is the seat to act where it is left out.
    """

    ruleset: str
    regions: dict[str, WrittenRegion]
    supply: Counts = field(factory=dict)
    track: list[WrittenCard] = field(factory=list)
    courts: list[Counts] = field(factory=list)
    hands: list[list[str]] = field(factory=list)
    discards: list[list[str]] = field(factory=list)
    last_acted: list[int | None] = field(factory=list)
    emptied: list[int | None] = field(factory=list)
    passes: int = 0
    banned: WrittenBan | None = None
    decision: Decision | None = "play"
    to_act: int | None = 0
    ending: str | None = None
    winners: list[int] = field(factory=list)
    struggles: list[WrittenStruggle] | None = None
    negotiation_discs: list[int] | None = None
    rulings: dict[str, str] = field(factory=dict)
    plot: str | None = None
    starter: int | None = None


class WrittenError(ValueError):
    """A written position does not describe one: each fault with the attribute where it stands."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


def write(game: Struggle, position: Position, readings: Mapping[str, str]) -> WrittenPosition:
    """The written form of a position; `readings` are those that differ from the ruleset's defaults."""
    board = game.board
    codes = [region.code for region in board.regions]
    letters = [faction.letter for faction in board.factions]

    def counts(followers: Followers) -> Counts:
        return dict(zip(letters, followers, strict=True))

    def disc(value: int) -> str | None:
        return {OPEN: None, UNSTABLE: UNSTABLE_WORD}.get(value) if value < 0 else letters[value]

    banned = position.banned
    delta = {codes[r]: {f: n for f, n in counts(change).items() if n} for r, change in banned.delta} if banned else {}
    return WrittenPosition(
        ruleset=game.code,
        regions={
            code: WrittenRegion(counts(followers), disc(value))
            for code, followers, value in zip(codes, position.regions, position.discs, strict=True)
        },
        supply=counts(position.supply),
        track=[
            WrittenCard(codes[r], "up" if position.discs[r] == OPEN else "down", r in position.negotiated)
            for r in position.track
        ],
        courts=[counts(court) for court in position.courts],
        hands=[list(hand) for hand in position.hands],
        discards=[list(pile) for pile in position.discards],
        last_acted=list(position.last_acted),
        emptied=list(position.emptied),
        passes=position.passes,
        banned=WrittenBan(banned.card, banned.by, delta) if banned else None,
        decision=position.decision,
        to_act=position.to_act,
        ending=position.ending,
        winners=list(position.winners),
        struggles=[WrittenStruggle(codes[r], disc(position.discs[r]) or "") for r in position.struggles],
        negotiation_discs=None if _discs_follow(game, position) else list(position.negotiation_discs),
        rulings=dict(readings),
        plot=None if position.plot is None else letters[position.plot],
        starter=position.starter,
    )


def _discs_follow(game: Struggle, position: Position) -> bool:
    """Whether the discard piles tell the negotiation discs left: not where a copy may have placed one."""
    copying = {card.name for card in game.cards.values() if card.form == "copy"}
    copied = any(card in copying for pile in position.discards for card in pile)
    return not copied and position.negotiation_discs == discs_left(game, position.discards)


def discs_left(game: Struggle, discards: Iterable[Iterable[str]]) -> tuple[int, ...]:
    """The negotiation discs left by seat, as far as the discard piles tell."""
    placing = {card.name for card in game.cards.values() if card.form == "exchange"}
    return tuple(max(0, game.setup.negotiation_discs - sum(c in placing for c in pile)) for pile in discards)


def read(game: Struggle, written: WrittenPosition) -> Position:
    """The position that is written. Raises WrittenError with every fault found."""
    return _Reading(game, written).position()


@frozen
class _Reading:
    game: Struggle
    written: WrittenPosition
    faults: list[str] = field(factory=list)

    def position(self) -> Position:
        game, written = self.game, self.written
        board = game.board
        self._names(written.regions, "regions")
        regions = [written.regions.get(region.code, WrittenRegion()) for region in board.regions]
        followers = tuple(
            self._counts(region.followers, f"regions.{r.code}.followers")
            for region, r in zip(regions, board.regions, strict=True)
        )
        discs = tuple(
            self._disc(region.disc, f"regions.{r.code}.disc") for region, r in zip(regions, board.regions, strict=True)
        )
        courts = tuple(self._counts(court, f"courts.{seat}") for seat, court in enumerate(written.courts))
        seats = len(courts)
        if seats not in game.parties:
            self.faults.append(f"courts: {seats} seats; the game is for {', '.join(map(str, game.parties))} players")
        hands = tuple(map(tuple, self._seats(written.hands, seats, "hands", [])))
        discards = tuple(map(tuple, self._seats(written.discards, seats, "discards", [])))
        for place, piles in (("hands", hands), ("discards", discards)):
            for seat, pile in enumerate(piles):
                self.faults.extend(
                    f"{place}.{seat}: {card} is no card of {game.code}"
                    for card in pile
                    if card not in game.cards and card != HIDDEN
                )
        last_acted = tuple(self._seats(written.last_acted, seats, "last_acted", None))
        emptied = tuple(self._seats(written.emptied, seats, "emptied", None))
        track, negotiated = self._track(discs)
        position = Position(
            regions=followers,
            discs=discs,
            supply=self._counts(written.supply, "supply"),
            track=track,
            negotiated=negotiated,
            struggles=self._struggles(track, discs),
            courts=courts,
            hands=hands,
            discards=discards,
            negotiation_discs=(
                tuple(self._seats(written.negotiation_discs, seats, "negotiation_discs", 0))
                if written.negotiation_discs is not None
                else discs_left(game, discards)
            ),
            last_acted=last_acted,
            emptied=emptied,
            passes=written.passes,
            banned=self._ban(seats),
            decision=written.decision,
            to_act=written.to_act,
            ending=written.ending,
            winners=tuple(written.winners),
            plot=self._plot(),
            starter=self._starter(seats),
            turn=max((turn for turn in (*last_acted, *emptied) if turn is not None), default=0)
            - (written.decision == "summon"),
        )
        self._seat_numbers(position, seats)
        if not self.faults:
            self._over(position)
        if self.faults:
            raise WrittenError(self.faults)
        return position

    def _over(self, position: Position) -> None:
        """What a position says of its ending is one of the endings, and one that has been reached."""
        if position.ending is None:
            return
        endings = [ending.name for ending in self.game.endings]
        result = self.game.result(position)
        if position.ending not in endings:
            self.faults.append(f"ending: {position.ending} is none of {', '.join(endings)}")
        elif result is None or result.ending != position.ending:
            self.faults.append(f"ending: with these discs no {position.ending} has come")
        if position.to_act is not None:
            self.faults.append("to_act: the game is over, so nobody acts")

    def _names(self, codes: Iterable[str], place: str) -> None:
        known = {region.code for region in self.game.board.regions}
        self.faults.extend(f"{place}: {code} is no region" for code in codes if code not in known)

    def _region(self, code: str, place: str) -> int:
        for index, region in enumerate(self.game.board.regions):
            if region.code == code:
                return index
        self.faults.append(f"{place}: {code} is no region")
        return 0

    def _counts(self, counts: Counts, place: str, *, change: bool = False) -> Followers:
        letters = [faction.letter for faction in self.game.board.factions]
        self.faults.extend(f"{place}: {letter} is no faction" for letter in counts if letter not in letters)
        if not change:
            self.faults.extend(f"{place}: {n}{letter} is less than none" for letter, n in counts.items() if n < 0)
            self.faults.extend(
                f"{place}: {letter} stands for more than {MOST} followers" for letter, n in counts.items() if n > MOST
            )
        return tuple(counts.get(letter, 0) for letter in letters)

    def _disc(self, disc: str | None, place: str) -> int:
        if disc is None:
            return OPEN
        if disc == UNSTABLE_WORD:
            return UNSTABLE
        letters = [faction.letter for faction in self.game.board.factions]
        if disc not in letters:
            self.faults.append(f"{place}: {disc} is no disc: one of {', '.join(letters)}, {UNSTABLE_WORD}")
            return OPEN
        return letters.index(disc)

    def _plot(self) -> int | None:
        letters = [faction.letter for faction in self.game.board.factions]
        letter = self.written.plot
        if letter is not None and (letter not in letters or not self.game.plot):
            self.faults.append(f"plot: {letter} is no faction that a card could count for")
            return None
        return None if letter is None else letters.index(letter)

    def _starter(self, seats: int) -> int | None:
        starter = self.written.starter
        if starter is not None and not self.game.rotating:
            self.faults.append(f"starter: in {self.game.code} it makes no difference who started a power struggle")
        elif starter is not None and starter not in range(seats):
            self.faults.append(f"starter: there is no seat {starter}")
        return (self.written.to_act or 0) if starter is None and self.game.rotating else starter

    def _seats(self, values: list[T], seats: int, place: str, default: T) -> Iterator[T]:
        if values and len(values) != seats:
            self.faults.append(f"{place}: {len(values)} entries for {seats} seats")
        return iter([*values, *[default] * seats][:seats])

    def _track(self, discs: tuple[int, ...]) -> tuple[tuple[int, ...], frozenset[int]]:
        cards = self.written.track
        everywhere = range(len(discs))
        if not cards:
            return tuple(sorted(everywhere, key=lambda region: discs[region] == OPEN)), frozenset()
        track = [self._region(card.region, f"track.{space}") for space, card in enumerate(cards)]
        names = self.game.board.name
        twice = [names(region) for region, count in Counter(track).items() if count > 1]
        missing = [names(region) for region in everywhere if region not in track]
        self.faults.extend(f"track: {name} lies there twice" for name in twice)
        self.faults.extend(f"track: {name} is missing" for name in missing)
        for space, (card, region) in enumerate(zip(cards, track, strict=True)):
            if (card.face == "up") != (discs[region] == OPEN):
                told = (
                    "has a disc, so its card lies face down" if card.face == "up" else "has no disc, so it lies face up"
                )
                self.faults.append(f"track.{space}.face: {names(region)} {told}")
        return tuple(track), frozenset(r for card, r in zip(cards, track, strict=True) if card.negotiated)

    def _struggles(self, track: tuple[int, ...], discs: tuple[int, ...]) -> tuple[int, ...]:
        written = self.written.struggles
        if written is None:
            return tuple(region for region in track if discs[region] != OPEN)
        resolved = [self._region(struggle.region, f"struggles.{at}") for at, struggle in enumerate(written)]
        for at, (struggle, region) in enumerate(zip(written, resolved, strict=True)):
            if self._disc(struggle.outcome, f"struggles.{at}.outcome") != discs[region]:
                self.faults.append(f"struggles.{at}.outcome: not the disc that lies in {struggle.region}")
        return tuple(resolved)

    def _ban(self, seats: int) -> Ban | None:
        banned = self.written.banned
        if banned is None:
            return None
        if banned.card not in self.game.cards:
            self.faults.append(f"banned.card: {banned.card} is no card of {self.game.code}")
        if banned.by not in range(seats):
            self.faults.append(f"banned.by: there is no seat {banned.by}")
        changes = sorted(
            (self._region(code, "banned.delta"), self._counts(change, f"banned.delta.{code}", change=True))
            for code, change in banned.delta.items()
        )
        if len(changes) != 2:
            self.faults.append("banned.delta: a swap changes two regions")
            return None
        return Ban(banned.card, banned.by, tuple(changes))

    def _seat_numbers(self, position: Position, seats: int) -> None:
        if (position.to_act is None) != (position.decision is None):
            self.faults.append("to_act: somebody acts exactly where a decision is due")
        elif position.to_act is not None and position.to_act not in range(seats):
            self.faults.append(f"to_act: there is no seat {position.to_act}")
        self.faults.extend(f"winners: there is no seat {seat}" for seat in position.winners if seat not in range(seats))
        if not 0 <= position.passes < max(seats, 1):
            self.faults.append(f"passes: {position.passes} in a row of {seats}")
