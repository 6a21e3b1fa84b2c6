"""Position data of The King is Dead: what JSON and the one-line text both state, by names and letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from attrs import field, frozen

from tkid.games.struggle.rules.board import NO_FACTION, OPEN, UNSTABLE, Board, Followers
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import HIDDEN, Ban, Decision, Position
from tkid.notation.position_errors import Faults

T = TypeVar("T")
Counts = dict[str, int]
UNSTABLE_WORD = NO_FACTION
MOST = 99
"""The most followers of a faction that one place can hold, in made-up positions too."""


@frozen
class RegionData:
    """A region: followers by letter, and its disc: a letter, `unstable`, or None."""

    followers: Counts = field(factory=dict)
    disc: str | None = None


@frozen
class CardData:
    """A region card on the track, by code."""

    region: str
    face: Literal["up", "down"] = "up"
    negotiated: bool = False


@frozen
class StruggleData:
    """A resolved power struggle."""

    region: str
    outcome: str


@frozen
class BanData:
    """A swap that may not be reversed next: the change of followers by region code."""

    card: str
    by: int
    delta: dict[str, Counts]


@frozen
class PositionData:
    """A position as outside tools see it; attributes in the order of the documented format.

    `negotiation_discs` (discs left by seat) is None where it follows from the discard piles: a player who has
    played a card that places one has none left. `rulings` holds readings that differ from the defaults, `plot` the
    letter of the faction that the owner of a revealed Plot has named, `starter` the seat that started the power struggle
    to come, where the ruleset asks for it: it is the seat to act where it is left out.
    """

    ruleset: str
    regions: dict[str, RegionData]
    supply: Counts = field(factory=dict)
    track: list[CardData] = field(factory=list)
    courts: list[Counts] = field(factory=list)
    hands: list[list[str]] = field(factory=list)
    discards: list[list[str]] = field(factory=list)
    last_acted: list[int | None] = field(factory=list)
    emptied: list[int | None] = field(factory=list)
    passes: int = 0
    banned: BanData | None = None
    decision: Decision | None = "play"
    to_act: int | None = 0
    ending: str | None = None
    winners: list[int] = field(factory=list)
    struggles: list[StruggleData] | None = None
    negotiation_discs: list[int] | None = None
    rulings: dict[str, str] = field(factory=dict)
    plot: str | None = None
    starter: int | None = None


def disc_word(board: Board, disc: int) -> str:
    """The disc of a resolved region: a faction's letter, or `unstable`."""
    return UNSTABLE_WORD if disc == UNSTABLE else board.factions[disc].letter


def resolved(regions: Iterable[int], discs: Sequence[int]) -> tuple[int, ...]:
    """Those of the regions that have a disc, in their order."""
    return tuple(region for region in regions if discs[region] != OPEN)


def write(game: Struggle, position: Position, readings: Mapping[str, str]) -> PositionData:
    """The data of a position; `readings` are those that differ from the ruleset's defaults."""
    board = game.board
    codes = [region.code for region in board.regions]
    letters = [faction.letter for faction in board.factions]

    def counts(followers: Followers) -> Counts:
        return dict(zip(letters, followers, strict=True))

    discs = [None if disc == OPEN else disc_word(board, disc) for disc in position.discs]
    banned = position.banned
    delta = {codes[r]: {f: n for f, n in counts(change).items() if n} for r, change in banned.delta} if banned else {}
    return PositionData(
        ruleset=game.code,
        regions={
            code: RegionData(counts(followers), disc)
            for code, followers, disc in zip(codes, position.regions, discs, strict=True)
        },
        supply=counts(position.supply),
        track=[CardData(codes[r], "down" if discs[r] else "up", r in position.negotiated) for r in position.track],
        courts=[counts(court) for court in position.courts],
        hands=[list(hand) for hand in position.hands],
        discards=[list(pile) for pile in position.discards],
        last_acted=list(position.last_acted),
        emptied=list(position.emptied),
        passes=position.passes,
        banned=BanData(banned.card, banned.by, delta) if banned else None,
        decision=position.decision,
        to_act=position.to_act,
        ending=position.ending,
        winners=list(position.winners),
        struggles=[StruggleData(codes[r], discs[r] or "") for r in position.struggles],
        negotiation_discs=None if discs_follow(game, position) else list(position.negotiation_discs),
        rulings=dict(readings),
        plot=None if position.plot is None else letters[position.plot],
        starter=position.starter,
    )


def discs_follow(game: Struggle, position: Position) -> bool:
    """Whether the discard piles tell the negotiation discs left: not where a copy may have placed one."""
    copying = {card.name for card in game.cards.values() if card.form == "copy"}
    copied = any(card in copying for pile in position.discards for card in pile)
    return not copied and position.negotiation_discs == discs_left(game, position.discards)


def discs_left(game: Struggle, discards: Iterable[Iterable[str]]) -> tuple[int, ...]:
    """The negotiation discs left by seat, as far as the discard piles tell."""
    placing = {card.name for card in game.cards.values() if card.form == "exchange"}
    return tuple(max(0, game.setup.negotiation_discs - sum(c in placing for c in pile)) for pile in discards)


def read(game: Struggle, data: PositionData) -> Position:
    """The position of some data. Raises PositionDataError with every fault found."""
    board = game.board
    codes = {region.code: index for index, region in enumerate(board.regions)}
    letters = {faction.letter: index for index, faction in enumerate(board.factions)}
    return _Reading(game, data, codes, letters).position()


@frozen
class _Reading(Faults):
    game: Struggle
    data: PositionData
    codes: Mapping[str, int]
    letters: Mapping[str, int]

    def position(self) -> Position:
        game, data = self.game, self.data
        self.faults.extend(f"regions: {code} is not a region" for code in data.regions if code not in self.codes)
        regions = {code: data.regions.get(code) or RegionData() for code in self.codes}
        followers = tuple(
            self._counts(region.followers, f"regions.{code}.followers") for code, region in regions.items()
        )
        discs = tuple(self._disc(region.disc, f"regions.{code}.disc") for code, region in regions.items())
        courts = tuple(self._counts(court, f"courts.{seat}") for seat, court in enumerate(data.courts))
        seats = len(courts)
        if seats not in game.parties:
            self.faults.append(f"courts: {seats} seats; the game is for {', '.join(map(str, game.parties))} players")
        hands = tuple(map(tuple, self._seats(data.hands, seats, "hands", [])))
        discards = tuple(map(tuple, self._seats(data.discards, seats, "discards", [])))
        self._cards("hands", hands)
        self._cards("discards", discards)
        last_acted = tuple(self._seats(data.last_acted, seats, "last_acted", None))
        emptied = tuple(self._seats(data.emptied, seats, "emptied", None))
        track, negotiated = self._track(discs)
        supply, struggles = self._counts(data.supply, "supply"), self._struggles(track, discs)
        left = discs_left(game, discards)
        if data.negotiation_discs is not None:
            left = tuple(self._seats(data.negotiation_discs, seats, "negotiation_discs", 0))
        last = max((turn for turn in (*last_acted, *emptied) if turn is not None), default=0)
        position = Position(
            regions=followers,
            discs=discs,
            supply=supply,
            track=track,
            negotiated=negotiated,
            struggles=struggles,
            courts=courts,
            hands=hands,
            discards=discards,
            negotiation_discs=left,
            last_acted=last_acted,
            emptied=emptied,
            passes=data.passes,
            banned=self._ban(seats),
            decision=data.decision,
            to_act=data.to_act,
            ending=data.ending,
            winners=tuple(data.winners),
            plot=self._plot(),
            starter=self._starter(seats),
            turn=last - (data.decision == "summon"),
        )
        self._seat_numbers(position, seats)
        if not self.faults:
            self._over(position)
        self.check()
        return position

    def _cards(self, place: str, piles: Iterable[Iterable[str]]) -> None:
        """Note the cards that the game does not have."""
        self.faults.extend(
            f"{place}.{seat}: {card} is not a card of {self.game.code}"
            for seat, pile in enumerate(piles)
            for card in pile
            if card not in self.game.cards and card != HIDDEN
        )

    def _over(self, position: Position) -> None:
        """Note an ending that the game does not have, or that has not been reached."""
        if position.ending is None:
            if position.winners and position.to_act is not None:
                self.faults.append("winners: the game goes on, so nobody has won")
            return
        endings = [ending.name for ending in self.game.endings]
        result = self.game.result(position)
        if position.ending not in endings:
            self.faults.append(f"ending: {position.ending} is none of {', '.join(endings)}")
        elif result is None or result.ending != position.ending:
            self.faults.append(f"ending: with these discs no {position.ending} has come")
        if position.to_act is not None:
            self.faults.append("to_act: the game is over, so nobody acts")

    def _region(self, code: str, place: str) -> int:
        if code not in self.codes:
            self.faults.append(f"{place}: {code} is not a region")
        return self.codes.get(code, 0)

    def _counts(self, counts: Counts, place: str, *, change: bool = False) -> Followers:
        wrong = [f"{letter} is not a faction" for letter in counts if letter not in self.letters]
        if not change:
            wrong += [f"{n}{letter} is less than none" for letter, n in counts.items() if n < 0]
            wrong += [f"{letter} stands for more than {MOST} followers" for letter, n in counts.items() if n > MOST]
        self.faults.extend(f"{place}: {fault}" for fault in wrong)
        return tuple(counts.get(letter, 0) for letter in self.letters)

    def _disc(self, disc: str | None, place: str) -> int:
        if disc is None:
            return OPEN
        if disc == UNSTABLE_WORD:
            return UNSTABLE
        if disc not in self.letters:
            self.faults.append(f"{place}: {disc} is no disc: one of {', '.join(self.letters)}, {UNSTABLE_WORD}")
        return self.letters.get(disc, OPEN)

    def _plot(self) -> int | None:
        letter = self.data.plot
        if letter is not None and (letter not in self.letters or not self.game.plot):
            self.faults.append(f"plot: {letter} is not a faction that a card can count for")
        return None if letter is None else self.letters.get(letter)

    def _starter(self, seats: int) -> int | None:
        starter, rotating = self.data.starter, self.game.rotating
        if starter is None:
            return (self.data.to_act or 0) if rotating else None
        if not rotating:
            self.faults.append(f"starter: in {self.game.code} it makes no difference who started a power struggle")
        else:
            self.seat(starter, seats, "starter")
        return starter

    def _seats(self, values: list[T], seats: int, place: str, default: T) -> list[T]:
        return [*self.entries(values, seats, place, default), *[default] * seats][:seats]

    def _track(self, discs: tuple[int, ...]) -> tuple[tuple[int, ...], frozenset[int]]:
        """The track, and the regions with a negotiation disc; the regions with discs come first where none is stated."""
        cards, name = self.data.track, self.game.board.name
        everywhere = range(len(discs))
        if not cards:
            return tuple(sorted(everywhere, key=lambda region: discs[region] == OPEN)), frozenset()
        track = [self._region(card.region, f"track.{space}") for space, card in enumerate(cards)]
        self.faults.extend(f"track: {name(r)} is there twice" for r, count in Counter(track).items() if count > 1)
        self.faults.extend(f"track: {name(region)} is missing" for region in everywhere if region not in track)
        for space, (card, region) in enumerate(zip(cards, track, strict=True)):
            if card.face == "up" and discs[region] != OPEN:
                self.faults.append(f"track.{space}.face: {name(region)} has a disc, so its card is face down")
            elif card.face == "down" and discs[region] == OPEN:
                self.faults.append(f"track.{space}.face: {name(region)} has no disc, so it is face up")
        return tuple(track), frozenset(r for card, r in zip(cards, track, strict=True) if card.negotiated)

    def _struggles(self, track: tuple[int, ...], discs: tuple[int, ...]) -> tuple[int, ...]:
        struggles = self.data.struggles
        if struggles is None:
            return resolved(track, discs)
        regions = tuple([self._region(struggle.region, f"struggles.{n}") for n, struggle in enumerate(struggles)])
        for n, (struggle, region) in enumerate(zip(struggles, regions, strict=True)):
            if self._disc(struggle.outcome, f"struggles.{n}.outcome") != discs[region]:
                self.faults.append(f"struggles.{n}.outcome: not the disc that lies in {struggle.region}")
        return regions

    def _ban(self, seats: int) -> Ban | None:
        banned = self.data.banned
        if banned is None:
            return None
        if banned.card not in self.game.cards:
            self.faults.append(f"banned.card: {banned.card} is not a card of {self.game.code}")
        self.seat(banned.by, seats, "banned.by")
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
            self.faults.append("to_act: needed exactly if there is a next decision")
        elif position.to_act is not None:
            self.seat(position.to_act, seats, "to_act")
        for winner in position.winners:
            self.seat(winner, seats, "winners")
        if not 0 <= position.passes < max(seats, 1):
            self.faults.append(f"passes: {position.passes} in a row of {seats}")
