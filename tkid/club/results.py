"""The results of games, and ratings: Glicko-2 for two players, Plackett-Luce for several.

The steps of Glicko-2 are those of Mark Glickman's paper "Example of the Glicko-2 system" (2022), with its letters in the comments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from math import exp, log, pi, sqrt
from typing import Any, Literal, Self

from attrs import evolve, frozen

from tkid.kernel.game import Seat
from tkid.kernel.plugins import find_plugin
from tkid.mail.model import StoredText
from tkid.mail.plugin import MailPlugin
from tkid.mail.timeline import Timeline, read_timeline
from tkid.record.clock_notes import Passed, find_noted_time, list_stand_ins, make_note_reader
from tkid.record.format.model import Record, find_bot_seats
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

How = Literal["rules", "resignation", "draw", "abandoned", "aborted"]
"""How a game ended: by its rules, as all others resigned, as a draw that was agreed, given up by all, or by the host."""
WITHOUT_RESULT: tuple[How, ...] = ("abandoned", "aborted")
Kind = Literal["two", "several"]
"""The kind of rating list on which a game counts: of two players, or of three and of teams."""


MOST_SHARED = 4096
"""Words and tables of results that are kept once."""
_share: Callable[[Any], Any] = lru_cache(MOST_SHARED)(lambda value: value)


@frozen
class Player:
    """A player: a lasting id without an address, the name to show, and that in lists (`listed`, "" for the same)."""

    id: str
    name: str
    listed: str = ""

    @property
    @cites("club.names")
    def club_name(self) -> str:
        """The one name in lists of people, also of a player with several names."""
        return self.listed or self.name


@frozen
class Result(StoredText):
    """The result of a game.

    `game` is what the club calls it. `players` are in turn order, `parties` the seats that win together. `places` lists seats
    place by place, the winners first; seats in one place are equal. It is () where the game has no result. `ending` is the
    game's own word for how its rules ended it, "" otherwise. `first` is the start player. `turns` counts the turns that
    were not taken back. `stand_ins` are the seats that a stand-in played at the end, `bots` those that a bot ever played.
    `unplayed` says that no player took a turn that stands: the host passed for them, or there is no turn.
    """

    game: str
    ruleset: str
    plays: str
    players: tuple[Player, ...]
    parties: tuple[tuple[Seat, ...], ...]
    places: tuple[tuple[Seat, ...], ...]
    how: How
    ending: str
    first: Seat
    turns: int
    began: datetime | None
    ended: datetime | None
    stand_ins: tuple[Seat, ...] = ()
    bots: tuple[Seat, ...] = ()
    unplayed: bool = False
    dealt: bool = True

    @classmethod
    def read_text(cls, text: str) -> Self:
        """Read a stored result. Results share equal words and tables, of which there are few in a club."""
        read = super().read_text(text)
        names = ("ruleset", "plays", "parties", "places", "how", "ending")
        return evolve(read, **{name: _share(getattr(read, name)) for name in names})

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that share the first place, () where the game has no result."""
        return self.places[0] if self.places else ()

    @property
    def draw(self) -> bool:
        """True if everybody shares the first place."""
        return len(self.places) == 1

    @property
    def kind(self) -> Kind:
        return "two" if len(self.players) == 2 else "several"

    @property
    @cites("club.rating.which", "club.rating.stand-in")
    def rated(self) -> bool:
        different = len({player.id for player in self.players}) == len(self.players)
        is_whole = bool(self.places) and self.dealt and self.ended is not None
        return is_whole and different and not (self.bots or self.unplayed)

    @cites("club.tournament.points")
    def get_points(self, seat: Seat) -> Fraction:
        """Return the points of a seat: one for the party that wins; parties that share the victory share the point."""
        if self.how == "aborted":
            return Fraction(1, len(self.parties))
        winning = [party for party in self.parties if party[0] in self.winners]
        return Fraction(1, len(winning)) if seat in self.winners else Fraction(0)

    @property
    def data(self) -> Mapping[str, Any]:
        seats = [
            {
                "id": player.id,
                "name": player.name,
                "place": next((number for number, place in enumerate(self.places, 1) if seat in place), None),
                "points": float(self.get_points(seat)),
                "stand_in": seat in self.stand_ins,
                "bot": seat in self.bots,
            }
            for seat, player in enumerate(self.players)
        ]
        return {
            **{name: getattr(self, name) for name in ("game", "ruleset", "how", "ending")},
            "players": seats,
            "parties": [list(party) for party in self.parties],
            "first": self.first,
            "turns": self.turns,
            "began": self.began.isoformat() if self.began else None,
            "ended": self.ended.isoformat() if self.ended else None,
            "rated": self.rated,
        }


def result_of(played: Replay, game: str, players: tuple[Player, ...]) -> Result | None:
    """Return the result of a game, None while it goes on, for its `players` by seat, even if a stand-in finished it."""
    time = read_timeline(played)
    if not time.over:
        return None
    record, position = played.record, played.position
    how = _find_ending(time)
    winners = position.winners if how == "rules" else time.winners
    # without winners, all share a place
    others = tuple(seat for seat in range(len(record.seats)) if seat not in winners)
    return Result(
        game=game,
        ruleset=record.ruleset.code,
        plays=record.game.name,
        players=players,
        parties=record.table.parties,
        places=() if how in WITHOUT_RESULT else tuple(filter(None, (tuple(sorted(winners)), others))),
        how=how,
        ending=(position.ending or "") if how == "rules" else "",
        first=played.moments[0].position.to_act or 0,
        turns=sum(not turn.undone for turn in record.turns),
        began=time.terms.started,
        ended=time.early.time if time.early else _find_end(record),
        stand_ins=tuple(seat for seat, each in enumerate(time.seats) if each.stand_in is not None),
        bots=_list_bot_seats(record),
        unplayed=not _is_played(record),
        dealt=record.position is None,
    )


def _find_ending(time: Timeline) -> How:
    if time.early is None:
        return "rules"
    return "resignation" if time.early.how == "resigned" else time.early.how


def _find_end(record: Record) -> datetime | None:
    """Return when a game ended by its rules, to the minute; None if its record doesn't say."""
    last = next((turn for turn in reversed(record.turns) if not turn.undone), None)
    return find_noted_time(make_note_reader(record.names), last) if last else None


@cites("club.rating.which")
def _is_played(record: Record) -> bool:
    reader = make_note_reader(record.names)
    notes = ([reader.read_note(text) for text in turn.notes] for turn in record.turns if not turn.undone)
    return any(not any(isinstance(note, Passed) for note in each) for each in notes)


@cites("club.rating.which")
def _list_bot_seats(record: Record) -> tuple[Seat, ...]:
    stood_in = {line.seat for line in list_stand_ins(record) if line.bot}
    return tuple(sorted(stood_in | set(find_bot_seats(record))))


SCALE, MIDDLE = 173.7178, 1500.0
"""Factor from a rating of the model to one of the list, and the first rating."""
SYSTEM = 0.5
"""Speed at which a player's strength may change (tau)."""
LARGEST = 350.0
"""The deviation of somebody who has played no rated game."""
EXACT = 1e-6


@frozen
class Glicko:
    """A rating: its deviation says how uncertain it is, its volatility how much the player's strength changes."""

    rating: float = MIDDLE
    deviation: float = LARGEST
    volatility: float = 0.06


def after_period(player: Glicko, scores: Sequence[tuple[Glicko, float]]) -> Glicko:
    """Compute a player's rating after a period. Without games only the deviation grows, up to that of a new player.

    `scores` are the games: the opponent as of the beginning of the period, and the points, 0, 0.5 or 1.
    """
    phi = player.deviation / SCALE
    if not scores:
        return evolve(player, deviation=min(LARGEST, SCALE * sqrt(phi**2 + player.volatility**2)))
    mu = (player.rating - MIDDLE) / SCALE
    information, surprise = 0.0, 0.0
    for opponent, points in scores:
        weight = 1 / sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / pi**2)  # g
        expected = 1 / (1 + exp(-weight * (mu - (opponent.rating - MIDDLE) / SCALE)))  # E
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (points - expected)
    variance = 1 / information  # v
    volatility = _compute_volatility(player.volatility, phi, variance, variance * surprise)
    before = sqrt(phi**2 + volatility**2)  # phi*
    deviation = 1 / sqrt(1 / before**2 + 1 / variance)  # phi'
    rating = mu + deviation**2 * surprise  # mu'
    return Glicko(SCALE * rating + MIDDLE, min(LARGEST, SCALE * deviation), volatility)


def _compute_volatility(volatility: float, phi: float, variance: float, delta: float) -> float:
    """Compute the new volatility (sigma'), by the Illinois algorithm of step 5."""
    start = log(volatility**2)  # a

    def slope(x: float) -> float:
        left = exp(x) * (delta**2 - phi**2 - variance - exp(x)) / (2 * (phi**2 + variance + exp(x)) ** 2)
        return left - (x - start) / SYSTEM**2

    low = start  # A
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)  # B
    else:
        high = start - SYSTEM
        while slope(high) < 0:
            high -= SYSTEM
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > EXACT:
        middle = low + (low - high) * at_low / (at_high - at_low)  # C
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


ENOUGH = 10
"""A rating that rests on fewer rated games is provisional."""
PAUSE = 6
"""Months without a rated game after which a player has no place in a list."""
KINDS: Mapping[Kind, str] = {"two": "two players", "several": "three players and teams"}


@frozen
class Rating:
    """A line of a rating list.

    `deviation` says how uncertain the rating is. `place` is None while the rating is `provisional` or the player is
    `inactive`; equal ratings share a place. `change` is what this month added to the rating. `history` has the ratings so
    far: after each month with games for two players, after each game for several.
    """

    player: Player
    rating: int
    deviation: int
    games: int
    wins: int
    draws: int
    losses: int
    last: datetime
    provisional: bool
    inactive: bool
    place: int | None = None
    change: int = 0
    history: tuple[tuple[datetime, int], ...] = ()

    @property
    def uncertainty(self) -> int:
        """Half the width of the range in which the player's strength lies 95 times in 100."""
        return 2 * self.deviation


FIGURES = "rating", "deviation", "change", "games", "wins", "draws", "losses"
"""The figures of a line, as JSON names them too."""


@frozen
class RatingList:
    """A rating list: its game, for two or for several players, its date, and its lines from the top."""

    plays: str
    kind: Kind
    until: datetime
    ratings: tuple[Rating, ...]

    @property
    def title(self) -> str:
        return f"{find_plugin(self.plays, 'mail', MailPlugin).title}, {KINDS[self.kind]}"

    @property
    def data(self) -> Mapping[str, Any]:
        lines = [
            {"place": line.place, "id": line.player.id, "name": line.player.club_name}
            | {name: getattr(line, name) for name in FIGURES}
            | {"last": line.last.isoformat(), "provisional": line.provisional, "inactive": line.inactive}
            for line in self.ratings
        ]
        return {"game": self.plays, "kind": self.kind, "until": self.until.isoformat(), "ratings": lines}


@frozen
class _Strength:
    """A rating as its model computes it, now, at the beginning of this month, and so far."""

    rating: float
    deviation: float
    before: float
    history: list[tuple[datetime, int]]


@cites("club.rating.lists", "club.rating.recomputed")
def rating_lists(results: Iterable[Result], now: datetime) -> tuple[RatingList, ...]:
    """Return a club's rating lists at a time, one for each game and kind: by name of the game, two players first."""
    sorted_results: dict[tuple[str, Kind], list[Result]] = defaultdict(list)
    rated = [each for each in results if each.rated and each.ended is not None and each.ended <= now]
    for result in sorted(rated, key=lambda each: (each.ended, each.game)):
        sorted_results[result.plays, result.kind].append(result)
    names = sorted(sorted_results, key=lambda key: (key[0], key[1] != "two"))
    return tuple(RatingList(*key, now, _list_ratings(sorted_results[key], key[1], now)) for key in names)


def _count_months(moment: datetime) -> int:
    """Count the months to a moment in UTC, from the year 0."""
    moment = moment.astimezone(UTC)
    return 12 * moment.year + moment.month


@cites("club.rating.two")
def _rate_two_players(results: Sequence[Result], now: datetime) -> Mapping[str, _Strength]:
    """Rate games of two players: Glicko-2 month by month, including the current one."""
    months: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        assert result.ended is not None
        months[_count_months(result.ended)].append(result)
    known: dict[str, Glicko] = {}
    before: dict[str, Glicko] = {}
    history: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
    for month in range(min(months), _count_months(now) + 1):
        scores: dict[str, list[tuple[Glicko, float]]] = defaultdict(list)
        for result in months.get(month, ()):
            for seat, other in ((0, 1), (1, 0)):
                opponent = known.get(result.players[other].id, Glicko())
                scores[result.players[seat].id].append((opponent, float(result.get_points(seat))))
        before, played = known, list(scores)
        known = {player: after_period(known.get(player, Glicko()), scores[player]) for player in {**known, **scores}}
        for player in played:
            history[player].append((months[month][-1].ended or now, round(known[player].rating)))
    return {
        player: _Strength(each.rating, each.deviation, before.get(player, Glicko()).rating, history[player])
        for player, each in known.items()
    }


@cites("club.rating.several")
def _rate_several_players(results: Sequence[Result], now: datetime) -> Mapping[str, _Strength]:
    """Rate games of three players and of teams: OpenSkill's Plackett-Luce model on the scale of Glicko, game by game."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - only hosts have this library

    model = PlackettLuce(mu=MIDDLE, sigma=LARGEST, beta=LARGEST / 2, tau=LARGEST / 100)
    known: dict[str, tuple[float, float]] = {}
    before: dict[str, float] = {}
    history: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
    for result in results:
        assert result.ended is not None
        ids = [[result.players[seat].id for seat in party] for party in result.parties]
        teams = [[model.create_rating(list(known.get(each, (MIDDLE, LARGEST)))) for each in party] for party in ids]
        firsts = [party[0] for party in result.parties]
        ranks = [next(rank for rank, place in enumerate(result.places) if seat in place) for seat in firsts]
        rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
        this_month = _count_months(result.ended) == _count_months(now)
        for party, ratings in zip(ids, rated, strict=True):
            for player, rating in zip(party, ratings, strict=True):
                if this_month:
                    before.setdefault(player, known.get(player, (MIDDLE, LARGEST))[0])
                known[player] = rating.mu, rating.sigma
                history[player].append((result.ended, round(rating.mu)))
    return {player: _Strength(*each, before.get(player, each[0]), history[player]) for player, each in known.items()}


MODELS = {"two": _rate_two_players, "several": _rate_several_players}


def _list_ratings(results: Sequence[Result], kind: Kind, now: datetime) -> tuple[Rating, ...]:
    """List the ratings, best first: those with a place, then provisional ones, then players who pause."""
    played: dict[str, list[tuple[Result, int]]] = defaultdict(list)
    for result in results:
        for seat, player in enumerate(result.players):
            played[player.id].append((result, seat))
    lines = [_make_rating(played[player], strength, now) for player, strength in MODELS[kind](results, now).items()]
    lines.sort(key=lambda line: (line.inactive, line.provisional, -line.rating, line.player.club_name, line.player.id))
    return tuple(_add_places(lines))


@cites("club.rating.provisional", "club.rating.inactive")
def _make_rating(played: Sequence[tuple[Result, int]], strength: _Strength, now: datetime) -> Rating:
    latest, seat = played[-1]
    assert latest.ended is not None
    won = sum(seat in result.winners and not result.draw for result, seat in played)
    drawn = sum(result.draw for result, _ in played)
    return Rating(
        player=latest.players[seat],
        rating=round(strength.rating),
        deviation=round(strength.deviation),
        games=len(played),
        wins=won,
        draws=drawn,
        losses=len(played) - won - drawn,
        last=latest.ended,
        provisional=len(played) < ENOUGH,
        inactive=_count_months(now) - _count_months(latest.ended) > PAUSE,
        change=round(strength.rating) - round(strength.before),
        history=tuple(strength.history),
    )


def _add_places(lines: Sequence[Rating]) -> Iterator[Rating]:
    place, above = 0, None
    for number, line in enumerate(lines, 1):
        if line.provisional or line.inactive:
            yield line
            continue
        place = place if above == line.rating else number
        above = line.rating
        yield evolve(line, place=place)
