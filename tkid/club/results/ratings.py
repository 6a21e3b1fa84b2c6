"""Rating lists: always computed from results, in order of the ends of the games. No rating is ever stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from attrs import evolve, frozen

from tkid.club.results.glicko import LARGEST, MIDDLE, Glicko, Score, after_period
from tkid.club.results.result import Player, Result
from tkid.mail.plugin import mail_plugin
from tkid.rulebook import cites
from tkid.rulebook.rulesets import rulesets

ENOUGH = 10
"""A rating that rests on fewer rated games is provisional."""
PAUSE = 6
"""After so many months without a rated game, a player has no place in a list."""
Kind = Literal["two", "several"]
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
        """How far the rating may be off: the player's strength is within it 95 times in 100."""
        return 2 * self.deviation


@frozen
class RatingList:
    """A rating list: of which game, for two or for several players, until when; its lines from the top."""

    plays: str
    kind: Kind
    until: datetime
    ratings: tuple[Rating, ...]

    @property
    def title(self) -> str:
        """What the list is called: the game, and how many play it."""
        game = next(entry for entry in rulesets() if entry.game_name == self.plays).game()
        return f"{mail_plugin(game).title}, {KINDS[self.kind]}"

    @property
    def data(self) -> Mapping[str, Any]:
        """The list as plain values, which JSON can hold."""
        lines = [
            {
                "place": line.place,
                "id": line.player.id,
                "name": line.player.club_name,
                "rating": line.rating,
                "deviation": line.deviation,
                "change": line.change,
                "games": line.games,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "last": line.last.isoformat(),
                "provisional": line.provisional,
                "inactive": line.inactive,
            }
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
    """The rating lists of a club.

    Args:
        results: the results of games, in any order.
        now: until when; games that end later are left out.

    Returns:
        A list for each game and kind of which there are rated games, by name of the game, two players first.
    """
    sorted_results: dict[tuple[str, Kind], list[Result]] = defaultdict(list)
    for result in sorted(filter(_is_rated(now), results), key=_order):
        sorted_results[result.plays, result.kind].append(result)
    names = sorted(sorted_results, key=lambda key: (key[0], key[1] != "two"))
    return tuple(RatingList(*key, now, _lines(sorted_results[key], key[1], now)) for key in names)


def _is_rated(now: datetime) -> Any:
    return lambda result: result.rated and result.ended <= now


def _order(result: Result) -> tuple[datetime, str]:
    """Results in order of their ends; of those that end in one minute, by name."""
    assert result.ended is not None
    return result.ended, result.game


def _month(moment: datetime) -> int:
    """A month in UTC, counted on and on."""
    moment = moment.astimezone(UTC)
    return 12 * moment.year + moment.month


# -- two players, and several ---------------------------------------------------------------------------------


@cites("club.rating.two")
def _two(results: Sequence[Result], now: datetime) -> Mapping[str, _Strength]:
    """Ratings of two players: Glicko-2 month by month, until the month that goes on."""
    months: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        assert result.ended is not None
        months[_month(result.ended)].append(result)
    known: dict[str, Glicko] = {}
    before: dict[str, Glicko] = {}
    history: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
    for month in range(min(months), _month(now) + 1):
        scores: dict[str, list[Score]] = defaultdict(list)
        for result in months.get(month, ()):
            for seat, other in ((0, 1), (1, 0)):
                opponent = known.get(result.players[other].id, Glicko())
                scores[result.players[seat].id].append(Score(opponent, float(result.points(seat))))
        before, played = known, set(scores)
        known = {player: after_period(known.get(player, Glicko()), scores[player]) for player in {**known, **scores}}
        for player in played:
            history[player].append((months[month][-1].ended or now, round(known[player].rating)))
    begun = {player: before.get(player, Glicko()).rating for player in known}
    return {
        player: _Strength(each.rating, each.deviation, begun[player], history[player]) for player, each in known.items()
    }


@cites("club.rating.several")
def _several(results: Sequence[Result], now: datetime) -> Mapping[str, _Strength]:
    """Ratings of three players and of teams: OpenSkill's Plackett-Luce model on the scale of Glicko, game by game."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - only hosts have this library

    model = PlackettLuce(mu=MIDDLE, sigma=LARGEST, beta=LARGEST / 2, tau=LARGEST / 100)
    known: dict[str, tuple[float, float]] = {}
    before: dict[str, float] = {}
    history: dict[str, list[tuple[datetime, int]]] = defaultdict(list)
    for result in results:
        assert result.ended is not None
        ids = [[result.players[seat].id for seat in party] for party in result.parties]
        teams = [[model.create_rating(list(known.get(each, (MIDDLE, LARGEST)))) for each in party] for party in ids]
        ranks = [
            next(rank for rank, place in enumerate(result.places) if party[0] in place) for party in result.parties
        ]
        rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
        this_month = _month(result.ended) == _month(now)
        for party, ratings in zip(ids, rated, strict=True):
            for player, rating in zip(party, ratings, strict=True):
                if this_month:
                    before.setdefault(player, known.get(player, (MIDDLE, LARGEST))[0])
                known[player] = rating.mu, rating.sigma
                history[player].append((result.ended, round(rating.mu)))
    return {player: _Strength(*each, before.get(player, each[0]), history[player]) for player, each in known.items()}


MODELS = {"two": _two, "several": _several}


# -- lines ---------------------------------------------------------------------------------------------------


def _lines(results: Sequence[Result], kind: Kind, now: datetime) -> tuple[Rating, ...]:
    """The lines of a list, best first: ratings with a place, then provisional ones, then players who pause."""
    played: dict[str, list[tuple[Result, int]]] = defaultdict(list)
    for result in results:
        for seat, player in enumerate(result.players):
            played[player.id].append((result, seat))
    lines = [_line(played[player], strength, now) for player, strength in MODELS[kind](results, now).items()]
    lines.sort(key=lambda line: (line.inactive, line.provisional, -line.rating, line.player.club_name, line.player.id))
    return tuple(_placed(lines))


@cites("club.rating.provisional", "club.rating.inactive")
def _line(played: Sequence[tuple[Result, int]], strength: _Strength, now: datetime) -> Rating:
    """The line of a player, without a place."""
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
        inactive=_month(now) - _month(latest.ended) > PAUSE,
        change=round(strength.rating) - round(strength.before),
        history=tuple(strength.history),
    )


def _placed(lines: Sequence[Rating]) -> Iterator[Rating]:
    """The lines with places."""
    place, above = 0, None
    for number, line in enumerate(lines, 1):
        if line.provisional or line.inactive:
            yield line
            continue
        place = place if above == line.rating else number
        above = line.rating
        yield evolve(line, place=place)
