"""Positions of The King is Dead as data and in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from attrs import field, frozen
from lark import Token, Tree

from tkid.games.struggle.notation.turn_builder import Lexicon
from tkid.games.struggle.rules.board import (
    HIDDEN,
    NO_FACTION,
    OPEN,
    UNSTABLE,
    Ban,
    Board,
    Decision,
    Followers,
    Position,
)
from tkid.games.struggle.rules.game import Struggle
from tkid.kernel.problems import Kind
from tkid.notation.names import Unknown, Vocabulary, list_names
from tkid.notation.position_codec import (
    Clause,
    Part,
    PositionCodec,
    find_place,
    read_number,
    read_seat_number,
    report_unknown_name,
)
from tkid.notation.position_errors import Faults, PositionDataError, PositionError, make_position_problem

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
    """Return the disc of a resolved region: a faction's letter, or `unstable`."""
    return UNSTABLE_WORD if disc == UNSTABLE else board.factions[disc].letter


def _list_resolved_regions(regions: Iterable[int], discs: Sequence[int]) -> tuple[int, ...]:
    return tuple(region for region in regions if discs[region] != OPEN)


def make_struggle_position_data(game: Struggle, position: Position, readings: Mapping[str, str]) -> PositionData:
    """Return the data of a position; `readings` are those that differ from the ruleset's defaults."""
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
        negotiation_discs=None if is_disc_count_implied(game, position) else list(position.negotiation_discs),
        rulings=dict(readings),
        plot=None if position.plot is None else letters[position.plot],
        starter=position.starter,
    )


def is_disc_count_implied(game: Struggle, position: Position) -> bool:
    """Return True if the discard piles imply the negotiation discs left. A copy may have placed another one."""
    copying = {card.name for card in game.cards.values() if card.form == "copy"}
    copied = any(card in copying for pile in position.discards for card in pile)
    return not copied and position.negotiation_discs == _count_discs_left(game, position.discards)


def _count_discs_left(game: Struggle, discards: Iterable[Iterable[str]]) -> tuple[int, ...]:
    placing = {card.name for card in game.cards.values() if card.form == "exchange"}
    return tuple(max(0, game.setup.negotiation_discs - sum(c in placing for c in pile)) for pile in discards)


def make_struggle_position(game: Struggle, data: PositionData) -> Position:
    """Return the position of some data. Raises PositionDataError with every fault found."""
    board = game.board
    codes = {region.code: index for index, region in enumerate(board.regions)}
    letters = {faction.letter: index for index, faction in enumerate(board.factions)}
    return _Reading(game, data, codes, letters).make_position()


@frozen
class _Reading(Faults):
    game: Struggle
    data: PositionData
    codes: Mapping[str, int]
    letters: Mapping[str, int]

    def make_position(self) -> Position:
        game, data = self.game, self.data
        self.faults.extend(f"regions: {code} is not a region" for code in data.regions if code not in self.codes)
        regions = {code: data.regions.get(code) or RegionData() for code in self.codes}
        followers = tuple(
            self._read_counts(region.followers, f"regions.{code}.followers") for code, region in regions.items()
        )
        discs = tuple(self._read_disc(region.disc, f"regions.{code}.disc") for code, region in regions.items())
        courts = tuple(self._read_counts(court, f"courts.{seat}") for seat, court in enumerate(data.courts))
        seats = len(courts)
        if not courts:
            raise PositionDataError(["courts: 'courts' is missing, with an entry for each seat"])
        if seats not in game.parties:
            self.faults.append(f"courts: {seats} seats; the game is for {', '.join(map(str, game.parties))} players")
        hands = tuple(map(tuple, self._read_seats(data.hands, seats, "hands", [])))
        discards = tuple(map(tuple, self._read_seats(data.discards, seats, "discards", [])))
        self._check_cards("hands", hands)
        self._check_cards("discards", discards)
        last_acted = tuple(self._read_seats(data.last_acted, seats, "last_acted", None))
        emptied = tuple(self._read_seats(data.emptied, seats, "emptied", None))
        track, negotiated = self._read_track(discs)
        supply, struggles = self._read_counts(data.supply, "supply"), self._read_struggles(track, discs)
        left = _count_discs_left(game, discards)
        if data.negotiation_discs is not None:
            left = tuple(self._read_seats(data.negotiation_discs, seats, "negotiation_discs", 0))
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
            banned=self._read_ban(seats),
            decision=data.decision,
            to_act=data.to_act,
            ending=data.ending,
            winners=tuple(data.winners),
            plot=self._read_plot(),
            starter=self._read_starter(seats),
            turn=last - (data.decision == "summon"),
        )
        self._check_seat_numbers(position, seats)
        if not self.faults:
            self._check_ending(position)
        self.check()
        return position

    def _check_cards(self, place: str, piles: Iterable[Iterable[str]]) -> None:
        self.faults.extend(
            f"{place}.{seat}: {card} is not a card of {self.game.code}"
            for seat, pile in enumerate(piles)
            for card in pile
            if card not in self.game.cards and card != HIDDEN
        )

    def _check_ending(self, position: Position) -> None:
        if position.ending is None:
            if position.winners and position.to_act is not None:
                self.faults.append("winners: the game isn't over, so it has no winners yet")
            return
        endings = [ending.name for ending in self.game.endings]
        result = self.game.result(position)
        if position.ending not in endings:
            self.faults.append(f"ending: {position.ending} is not one of {', '.join(endings)}")
        elif result is None or result.ending != position.ending:
            self.faults.append(f"ending: with these discs no {position.ending} has come")
        if position.to_act is not None:
            self.faults.append("to_act: the game is over, so nobody acts")

    def _read_region(self, code: str, place: str) -> int:
        if code not in self.codes:
            self.faults.append(f"{place}: {code} is not a region")
        return self.codes.get(code, 0)

    def _read_counts(self, counts: Counts, place: str, *, change: bool = False) -> Followers:
        wrong = [f"{letter} is not a faction" for letter in counts if letter not in self.letters]
        if not change:
            wrong += [f"{n}{letter} is less than none" for letter, n in counts.items() if n < 0]
            wrong += [f"{letter} means more than {MOST} followers" for letter, n in counts.items() if n > MOST]
        self.faults.extend(f"{place}: {fault}" for fault in wrong)
        return tuple(counts.get(letter, 0) for letter in self.letters)

    def _read_disc(self, disc: str | None, place: str) -> int:
        if disc is None:
            return OPEN
        if disc == UNSTABLE_WORD:
            return UNSTABLE
        if disc not in self.letters:
            self.faults.append(f"{place}: {disc} is no disc: one of {', '.join(self.letters)}, {UNSTABLE_WORD}")
        return self.letters.get(disc, OPEN)

    def _read_plot(self) -> int | None:
        letter = self.data.plot
        if letter is not None and (letter not in self.letters or not self.game.plot):
            self.faults.append(f"plot: {letter} is not a faction that a card can count for")
        return None if letter is None else self.letters.get(letter)

    def _read_starter(self, seats: int) -> int | None:
        starter, rotating = self.data.starter, self.game.rotating
        if starter is None:
            return (self.data.to_act or 0) if rotating else None
        if not rotating:
            self.faults.append(f"starter: in {self.game.code} it makes no difference who started a power struggle")
        else:
            self.check_seat_number(starter, seats, "starter")
        return starter

    def _read_seats(self, values: list[T], seats: int, place: str, default: T) -> list[T]:
        return [*self.read_entries(values, seats, place, default), *[default] * seats][:seats]

    def _read_track(self, discs: tuple[int, ...]) -> tuple[tuple[int, ...], frozenset[int]]:
        """Return the track, and the regions with a disc, which come first if no track is stated."""
        cards, name = self.data.track, self.game.board.name_region
        everywhere = range(len(discs))
        if not cards:
            return tuple(sorted(everywhere, key=lambda region: discs[region] == OPEN)), frozenset()
        track = [self._read_region(card.region, f"track.{space}") for space, card in enumerate(cards)]
        self.faults.extend(f"track: {name(r)} is there twice" for r, count in Counter(track).items() if count > 1)
        self.faults.extend(f"track: {name(region)} is missing" for region in everywhere if region not in track)
        for space, (card, region) in enumerate(zip(cards, track, strict=True)):
            if card.face == "up" and discs[region] != OPEN:
                self.faults.append(f"track.{space}.face: {name(region)} has a disc, so its card is face down")
            elif card.face == "down" and discs[region] == OPEN:
                self.faults.append(f"track.{space}.face: {name(region)} has no disc, so it is face up")
        return tuple(track), frozenset(r for card, r in zip(cards, track, strict=True) if card.negotiated)

    def _read_struggles(self, track: tuple[int, ...], discs: tuple[int, ...]) -> tuple[int, ...]:
        struggles = self.data.struggles
        if struggles is None:
            return _list_resolved_regions(track, discs)
        regions = tuple([self._read_region(struggle.region, f"struggles.{n}") for n, struggle in enumerate(struggles)])
        for n, (struggle, region) in enumerate(zip(struggles, regions, strict=True)):
            if self._read_disc(struggle.outcome, f"struggles.{n}.outcome") != discs[region]:
                self.faults.append(f"struggles.{n}.outcome: not the disc that lies in {struggle.region}")
        return regions

    def _read_ban(self, seats: int) -> Ban | None:
        banned = self.data.banned
        if banned is None:
            return None
        if banned.card not in self.game.cards:
            self.faults.append(f"banned.card: {banned.card} is not a card of {self.game.code}")
        self.check_seat_number(banned.by, seats, "banned.by")
        changes = sorted(
            (self._read_region(code, "banned.delta"), self._read_counts(change, f"banned.delta.{code}", change=True))
            for code, change in banned.delta.items()
        )
        if len(changes) != 2:
            self.faults.append("banned.delta: a swap changes two regions")
            return None
        return Ban(banned.card, banned.by, tuple(changes))

    def _check_seat_numbers(self, position: Position, seats: int) -> None:
        if (position.to_act is None) != (position.decision is None):
            self.faults.append("to_act: needed exactly if there is a next decision")
        elif position.to_act is not None:
            self.check_seat_number(position.to_act, seats, "to_act")
        for winner in position.winners:
            self.check_seat_number(winner, seats, "winners")
        if not 0 <= position.passes < max(seats, 1):
            self.faults.append(f"passes: {position.passes} in a row of {seats}")


MAX_COUNTED_SEATS = 99
"""Maximum number of seats counted at all. The number that a game is for is checked elsewhere."""


def _write_regions(game: Struggle, position: Position) -> str:
    board = game.board
    return ", ".join(
        f"{region.code} {board.write_group(followers)}" if disc == OPEN else f"{region.code} ={disc_word(board, disc)}"
        for region, followers, disc in zip(board.regions, position.regions, position.discs, strict=True)
    )


def _write_track(game: Struggle, position: Position) -> str:
    return " ".join(game.board.regions[r].code + "*" * (r in position.negotiated) for r in position.track)


def _write_discs(game: Struggle, position: Position, seat: int) -> int | None:
    return None if is_disc_count_implied(game, position) else position.negotiation_discs[seat]


def _write_plot(game: Struggle, position: Position) -> str | None:
    return None if position.plot is None else game.board.factions[position.plot].letter


def _write_starter(_: Struggle, position: Position) -> int | None:
    return None if position.starter is None else position.starter + 1


def _write_struggles(game: Struggle, position: Position) -> str | None:
    """Write the resolved regions if their order isn't that of the track."""
    if position.struggles == _list_resolved_regions(position.track, position.discs):
        return None
    return " ".join(game.board.regions[region].code for region in position.struggles)


def _write_ban(game: Struggle, position: Position) -> str | None:
    ban, board = position.banned, game.board
    if ban is None:
        return None

    def signed(change: tuple[int, ...]) -> str:
        changes = ((n, faction.letter) for n, faction in zip(change, board.factions, strict=True) if n)
        return "".join(f"{'+' if n > 0 else '-'}{abs(n) if abs(n) > 1 else ''}{letter}" for n, letter in changes)

    changes = ", ".join(f"{board.regions[region].code} {signed(change)}" for region, change in ban.delta)
    return f"{ban.card} by {ban.by + 1}: {changes}"


class _Names:
    """The names in the clauses of a line: regions, cards, factions and seats; and the regions described so far."""

    def __init__(self, game: Struggle) -> None:
        self.board = game.board
        self.vocabulary, self.cards = Lexicon(game.board).regions, Vocabulary(game.cards, {HIDDEN: HIDDEN})
        self.codes = {region.name: region.code for region in game.board.regions}
        self.letters = [faction.letter for faction in game.board.factions]
        self.described: dict[str, RegionData] = {}

    def find_region(self, name: Part) -> str:
        region = self.vocabulary.find(str(name))
        if isinstance(region, Unknown):
            raise report_unknown_name(region, "region", name, self.vocabulary)
        return self.codes[region]

    def read_regions(self, *regions: Tree[Token]) -> dict[str, RegionData]:
        for region in regions:
            name, value = region.children
            code = self.find_region(name)
            if code in self.described:
                raise PositionError(make_position_problem(f"{code} is stated twice", *find_place(name)))
            if isinstance(value, Tree):
                self.described[code] = RegionData(self.read_followers(value))
            else:
                self.described[code] = RegionData(disc=self._find_disc(value))
        return self.described

    def read_track(self, *cards: Tree[Token]) -> list[tuple[str, bool]]:
        """Read the region cards by code, each with True if it has a negotiation disc."""
        return [(self.find_region(region), star is not None) for region, star in (card.children for card in cards)]

    def read_struggles(self, *regions: Token) -> list[str]:
        return [self.find_region(region) for region in regions]

    def read_hand(self, names: Tree[Token]) -> list[str]:
        return [self._find_card(name) for name in names.children if isinstance(name, Tree)]

    def read_ban(self, card: Tree[Token], seat: Token, *changes: Tree[Any]) -> BanData:
        delta = {}
        for change in changes:
            region, *signed = change.children
            total: Counter[str] = Counter()
            for sign, *followers in (each.children for each in signed):
                counts = self.read_followers(Tree("followers", followers))
                total.update({letter: n if sign == "+" else -n for letter, n in counts.items()})
            delta[self.find_region(region)] = dict(total)
        return BanData(self._find_card(card), self.read_seat(seat), delta)

    def read_seat(self, seat: Token) -> int:
        return read_seat_number(seat, MAX_COUNTED_SEATS)

    def read_followers(self, tree: Tree[Token]) -> Counts:
        counts = dict.fromkeys(self.letters, 0)
        multiple = 1
        for token in tree.children:
            assert isinstance(token, Token)
            if token.type == "INT":
                multiple = int(token)
                continue
            digits = "".join(c for c in token if c.isdecimal())
            multiple = int(digits) if digits else multiple
            for letter in token[len(digits) :].upper().replace("-", ""):
                if letter not in counts:
                    message = f"`{token}`: {letter} is not a faction's letter"
                    hint = f"The letters are {list_names(self.letters, 'and')}."
                    raise PositionError(make_position_problem(message, *find_place(token), hint, Kind.NAME))
                counts[letter] += multiple
            multiple = 1
        return counts

    def _find_card(self, name: Tree[Token]) -> str:
        card = self.cards.find(" ".join(map(str, name.children)).replace(" - ", "-"))
        if isinstance(card, Unknown):
            raise report_unknown_name(card, "card", name, self.cards)
        return card

    def _find_disc(self, part: Part) -> str:
        word = str(part).lower()
        if UNSTABLE_WORD.startswith(word) or word == self.board.terms.lost.lower():
            return UNSTABLE_WORD
        for faction in self.board.factions:
            if word in {faction.letter.lower(), faction.name.lower()}:
                return faction.letter
        known = list_names([*self.letters, UNSTABLE_WORD])
        raise PositionError(make_position_problem(f"`{part}` is not a disc: {known}", *find_place(part)))


def _make_data(game: Struggle, stated: dict[str, Any]) -> PositionData:
    """Return the position data of a line. Faces of the track and outcomes of struggles follow from the discs."""
    discs = {code: region.disc for code, region in stated.setdefault("regions", {}).items()}
    track, struggles, left = (stated.get(name) for name in ("track", "struggles", "negotiation_discs"))
    if track:
        stated["track"] = [CardData(code, "down" if discs.get(code) else "up", star) for code, star in track]
    if struggles:
        stated["struggles"] = [StruggleData(code, discs.get(code) or "") for code in struggles]
    if left:
        stated["negotiation_discs"] = [number or 0 for number in left]
    return PositionData(game.code, **stated)


CODEC = PositionCodec(
    grammar="struggle_position",
    first=(
        Clause("regions", "regions", _write_regions, _Names.read_regions, marked=None, opening=""),
        Clause("supply", "supply", lambda game, now: game.board.format_counts(now.supply), _Names.read_followers),
        Clause("track", "track", _write_track, _Names.read_track),
    ),
    of_seat=(
        Clause(
            "court",
            "courts",
            lambda game, now, seat: game.board.write_group(now.courts[seat]),
            _Names.read_followers,
            {},
        ),
        Clause("hand", "hands", lambda _, now, seat: ", ".join(now.hands[seat]) or "-", _Names.read_hand, []),
        Clause("played", "discards", lambda _, now, seat: ", ".join(now.discards[seat]) or None, _Names.read_hand, []),
        Clause("acted", "last_acted", lambda _, now, seat: now.last_acted[seat], read_number),
        Clause("emptied", "emptied", lambda _, now, seat: now.emptied[seat], read_number),
        Clause("discs", "negotiation_discs", _write_discs, read_number),
    ),
    last=(
        Clause("struggles", "struggles", _write_struggles, _Names.read_struggles),
        Clause("passes", "passes", lambda _, now: now.passes or None, read_number),
        Clause("banned", "banned", _write_ban, _Names.read_ban, marked=1),
        Clause("plot", "plot", _write_plot, lambda _, faction: faction.upper()),
        Clause("starter", "starter", _write_starter, _Names.read_seat, opening="started "),
    ),
    names=_Names,
    data=_make_data,
    position=make_struggle_position,
    decisions=("play", "summon", "plot"),
    most_seats=MAX_COUNTED_SEATS,
    numbered="seats and spaces",
)
