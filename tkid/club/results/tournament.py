"""A tournament: who plays in it, its rounds, what counts and the table. Kept as a document; results come from the records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal

from attrs import evolve, frozen

from tkid.club.results import round_robin
from tkid.club.results.result import Result
from tkid.club.results.round_robin import Pair
from tkid.club.results.standings import BUCHHOLZ, DIRECT, SONNEBORN, WINS, Score, Scores, Standing, TieBreak, standings
from tkid.club.results.swiss import Field, pairings
from tkid.club.values import Address, Stored
from tkid.notation.vocabulary import listed
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset

KIND = "tournament"
"""The kind of its documents. Their id is its name."""
System = Literal["round-robin", "swiss"]
BREAKS: Mapping[System, tuple[TieBreak, ...]] = {
    "round-robin": (DIRECT, SONNEBORN, WINS),
    "swiss": (DIRECT, BUCHHOLZ, SONNEBORN, WINS),
}
"""The tie-breaks of each system, the first one first."""
ONE, NONE = Fraction(1), Fraction(0)


@frozen
class Entrant:
    """Somebody who plays in a tournament, or is asked to: the name, the address in lower case, and the answer.

    `silent` says that letters about the tournament are unwelcome; those of its games come all the same.
    """

    name: str
    address: Address
    answer: Literal["asked", "accepted", "declined"] = "asked"
    silent: bool = False


@frozen
class Side:
    """A player, or a team of two. `left` says that it has left the tournament."""

    people: tuple[Entrant, ...]
    left: bool = False

    @property
    def name(self) -> str:
        """Its name: those of its players."""
        return listed([each.name for each in self.people], "and")

    @property
    def accepted(self) -> bool:
        """Whether everybody in it has accepted."""
        return all(each.answer == "accepted" for each in self.people)


@frozen
class Pairing:
    """Two sides that meet, by their numbers, or a side that has a bye; and the games that have begun."""

    first: int
    second: int | None = None
    games: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides."""
        return (self.first,) if self.second is None else (self.first, self.second)


@frozen
class Leg:
    """A game that is to begin: its name, who sits where, whether the first seat starts, and which game has its deal ("" for none)."""

    pairing: int
    game: str
    seats: tuple[Entrant, ...]
    starts: bool
    deal_of: str = ""


@frozen
class Tournament(Stored):
    """A tournament.

    `planned` is the number of rounds. `clock` are the terms as a record's header has them, "" for no clock. `played` are the
    rounds that have begun, the last one may still be going on. `over` is when it ended. While it is `open`, anybody may join.
    """

    name: str
    system: System
    planned: int
    ruleset: str
    sides: tuple[Side, ...]
    made: datetime
    clock: str = ""
    rulings: tuple[str, ...] = ()
    played: tuple[tuple[Pairing, ...], ...] = ()
    over: datetime | None = None
    open: bool = False

    @property
    def begun(self) -> bool:
        """Whether its first round has begun."""
        return bool(self.played)

    @property
    def due(self) -> datetime | None:
        """When it is to be looked at again: in each round of the host, until it is over."""
        return None if self.over else self.made

    @property
    @cites("club.tournament.deals")
    def swapped(self) -> bool:
        """Whether the second game of a pair has the deal of the first: only where no hands are secret."""
        return self.legs == 2 and not ruleset(self.ruleset).game().secret

    @property
    def legs(self) -> int:
        """How many games two sides play when they meet."""
        return 2 if self.system == "round-robin" else 1

    @property
    def breaks(self) -> tuple[TieBreak, ...]:
        """Its tie-breaks, the first one first."""
        return BREAKS[self.system]

    @property
    def people(self) -> tuple[Entrant, ...]:
        """Everybody in it."""
        return tuple(each for side in self.sides for each in side.people)

    @property
    def games(self) -> tuple[str, ...]:
        """All games that have begun."""
        return tuple(game for pairs in self.played for pair in pairs for game in pair.games)

    def side_of(self, address: str) -> int | None:
        """The side in which somebody plays."""
        address = address.lower()
        return next((n for n, side in enumerate(self.sides) if any(p.address == address for p in side.people)), None)

    # -- before it begins ---------------------------------------------------------------------------------

    @cites("club.tournament.accept")
    def answered(self, address: str, answer: Literal["accepted", "declined"]) -> Tournament:
        """With somebody's answer to the invitation."""
        return self._with(address, answer=answer)

    @cites("club.stop")
    def silenced(self, address: str) -> Tournament:
        """Without letters about the tournament to somebody who plays in it."""
        return self._with(address, silent=True)

    def _with(self, address: str, **changes: Any) -> Tournament:
        """With something changed about a person."""
        address = address.lower()
        sides = tuple(
            evolve(side, people=tuple(evolve(p, **changes) if p.address == address else p for p in side.people))
            for side in self.sides
        )
        return evolve(self, sides=sides)

    @property
    def ready(self) -> bool:
        """Whether all have answered; one that anybody may join begins when its owner says so."""
        return not self.open and all(each.answer != "asked" for each in self.people)

    @property
    def entered(self) -> tuple[Side, ...]:
        """The sides in which all have accepted."""
        return tuple(side for side in self.sides if side.accepted)

    def closed(self) -> Tournament:
        """The tournament as it begins, with those alone who have accepted. Raises ValueError where they are fewer than two."""
        if len(self.entered) < 2:
            raise ValueError("fewer than two sides have accepted")
        most = len(round_robin.rounds(range(len(self.entered))))
        planned = most if self.system == "round-robin" else min(self.planned, most)
        return evolve(self, sides=self.entered, planned=planned, open=False)

    # -- rounds -------------------------------------------------------------------------------------------

    def next_round(self, results: Mapping[str, Result]) -> Tournament:
        """With the pairings of the next round; () of them where nobody is left who could meet."""
        pairs = self._circle() if self.system == "round-robin" else self._swiss(results)
        return evolve(self, played=(*self.played, tuple(Pairing(*pair) for pair in pairs)))

    def _circle(self) -> tuple[Pair, ...]:
        return round_robin.rounds(range(len(self.sides)))[len(self.played)]

    def _swiss(self, results: Mapping[str, Result]) -> tuple[Pair, ...]:
        """The pairings of a Swiss round: from the table, without those who have left."""
        table = [line.side for line in self.table(results) if not self.sides[line.side].left]
        met = frozenset(frozenset(pair.sides) for pairs in self.played for pair in pairs if pair.second is not None)
        byes = frozenset(pair.first for pairs in self.played for pair in pairs if pair.second is None)
        balance, last = dict.fromkeys(table, 0), dict[int, bool]()
        for pair in (pair for pairs in self.played for pair in pairs if pair.second is not None):
            for side, starts in zip(pair.sides, (True, False), strict=True):
                balance[side] = balance.get(side, 0) + (1 if starts else -1)
                last[side] = starts
        points = self.scores(results).points
        return pairings(Field(tuple(table), points, met, byes, balance, last)) if len(table) > 1 else ()

    @cites("club.tournament.round", "club.tournament.deals")
    def to_begin(self, results: Mapping[str, Result]) -> Iterator[Leg]:
        """The games of this round that begin now: of a pair with one deal, the second when the first is over."""
        parties = self._parties()
        for number, pair in enumerate(self.played[-1] if self.played else ()):
            if pair.second is None or any(self.sides[side].left for side in pair.sides):
                continue
            for leg in range(len(pair.games), self.legs):
                if leg and self.swapped and not (pair.games and pair.games[0] in results):
                    break
                seats: dict[int, Entrant] = {}
                for side, party in zip(pair.sides if leg == 0 else pair.sides[::-1], parties, strict=True):
                    seats |= dict(zip(party, self.sides[side].people, strict=True))
                yield Leg(
                    number,
                    self._game_name(number, leg),
                    tuple(seats[seat] for seat in sorted(seats)),
                    starts=not self.swapped,
                    deal_of=pair.games[0] if leg and self.swapped else "",
                )

    def _parties(self) -> tuple[tuple[int, ...], ...]:
        seats = 2 * len(self.sides[0].people)
        parties: tuple[tuple[int, ...], ...] = ruleset(self.ruleset).game().parties[seats]
        return parties

    def _game_name(self, pairing: int, leg: int) -> str:
        """The name of a game: tournament, round, board, and `a` or `b` where two sides play two games."""
        return f"{self.name}-{len(self.played)}-{pairing + 1}{'ab'[leg] if self.legs > 1 else ''}"

    def with_game(self, leg: Leg) -> Tournament:
        """With a game that has begun."""
        *before, last = self.played
        changed = [evolve(p, games=(*p.games, leg.game)) if n == leg.pairing else p for n, p in enumerate(last)]
        return evolve(self, played=(*before, tuple(changed)))

    def round_over(self, results: Mapping[str, Result]) -> bool:
        """Whether every game of this round is over, and no other game of it is to begin."""
        games = (game for pair in (self.played[-1] if self.played else ()) for game in pair.games)
        return all(game in results for game in games) and not any(self.to_begin(results))

    @cites("club.tournament.withdraw")
    def without(self, side: int) -> Tournament:
        """With a side that has left."""
        return evolve(self, sides=tuple(evolve(s, left=True) if n == side else s for n, s in enumerate(self.sides)))

    @property
    def rounds_left(self) -> bool:
        """Whether there is another round: one was planned, and two sides are left to meet."""
        return len(self.played) < self.planned and sum(not side.left for side in self.sides) > 1

    # -- the table ----------------------------------------------------------------------------------------

    def table(self, results: Mapping[str, Result]) -> tuple[Standing, ...]:
        """The table, best first."""
        return standings(self.scores(results), self.breaks)

    @cites("club.tournament.points", "club.tournament.withdraw", "club.tournament.bye")
    def scores(self, results: Mapping[str, Result]) -> Scores:
        """The games that count. Where a side has left a round robin, that depends on how much of it the side has played."""
        annulled = self._annulled(results)
        counted = []
        for pair in (pair for pairs in self._all_pairs() for pair in pairs):
            if pair.second is None:
                counted += [Score(pair.first, None, (ONE, NONE))] if self.system == "swiss" else []
            elif not annulled & set(pair.sides):
                counted += self._played(pair, results)
                counted += self._forfeited(pair)
        return Scores(tuple(range(len(self.sides))), tuple(counted))

    def _all_pairs(self) -> tuple[tuple[Pairing, ...], ...]:
        """The pairs of all rounds: a round robin also knows those to come, which sides that have left forfeit."""
        if self.system == "swiss" or not self.begun:
            return self.played
        to_come = round_robin.rounds(range(len(self.sides)))[len(self.played) :]
        return (*self.played, *(tuple(Pairing(*pair) for pair in pairs) for pairs in to_come))

    def _played(self, pair: Pairing, results: Mapping[str, Result]) -> Iterator[Score]:
        """The games of a pair that are over, told from its first side."""
        assert pair.second is not None
        for leg, game in enumerate(pair.games):
            if (result := results.get(game)) is not None:
                at_first, at_second = (result.points(party[0]) for party in result.parties)
                points = (at_first, at_second) if leg == 0 else (at_second, at_first)
                yield Score(pair.first, pair.second, points)

    def _forfeited(self, pair: Pairing) -> Iterator[Score]:
        """The games of a pair that were never begun, as one of the two has left: the other wins them."""
        assert pair.second is not None
        left = [self.sides[side].left for side in pair.sides]
        if self.system == "round-robin" and left.count(True) == 1:
            for _ in range(len(pair.games), self.legs):
                yield Score(pair.first, pair.second, (NONE, ONE) if left[0] else (ONE, NONE))

    def _annulled(self, results: Mapping[str, Result]) -> set[int]:
        """The sides none of whose games count: they have left a round robin and played less than half of it."""
        if self.system == "swiss":
            return set()
        most = self.legs * (len(self.sides) - 1)
        played = dict.fromkeys(range(len(self.sides)), 0)
        for pair in (pair for pairs in self.played for pair in pairs):
            for side in pair.sides:
                played[side] += sum(game in results for game in pair.games)
        return {side for side, each in enumerate(self.sides) if each.left and 2 * played[side] < most}
