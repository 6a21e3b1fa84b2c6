"""Players, ratings, cross-tables and tournaments as pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html import escape

from attrs import field, frozen

from tkid.club.game_facts import ABANDONED, ABORTED, GameFacts
from tkid.club.page_frame import PLAYERS, TOURNAMENTS, Club, Sheet, find_player_page, write_page
from tkid.notation.text import count_noun

SHOWN_GAMES = 100
"""Finished games that a player's page lists; the archive has the others."""
WIDTH, HEIGHT, SIDE, FOOT = 350, 150, 38, 22
"""The drawing of a rating, in pixels, with room for words at the left and below."""
STEP = 100
"""Points of a rating between two lines of the drawing."""


@frozen
class RatingList:
    """A rating list as a table: its name, and a line for each player, the best first: player, place, rating, range, games."""

    key: str
    title: str
    lines: tuple[tuple[object, ...], ...] = ()


@frozen
class Curve:
    """A player's rating over time on one list."""

    title: str
    rating: int
    sentence: str
    provisional: bool
    points: tuple[tuple[datetime, int], ...] = ()


@frozen
class Score:
    """A player's record: games that ended, of them won, drawn and lost. Games without a result are in `games` alone."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add_game(self, game: GameFacts, seat: int) -> Score:
        won, drawn, lost = judge_game(game, seat)
        return Score(self.games + 1, self.won + won, self.drawn + drawn, self.lost + lost)


def judge_game(game: GameFacts, seat: int) -> tuple[bool, bool, bool]:
    """Return whether a seat won a game, drew it, and lost it."""
    if game.ending in {ABANDONED, ABORTED}:
        return False, False, False
    everybody = not game.winners or len(game.winners) == len(game.seats)
    return seat in game.winners and not everybody, everybody, seat not in game.winners and not everybody


@frozen
class PlayerFacts:
    """Facts for a player's page; `names` are those of opponents, by page, that differ from those in the games."""

    player: str
    name: str
    running: tuple[GameFacts, ...] = ()
    ended: tuple[GameFacts, ...] = ()
    curves: tuple[Curve, ...] = ()
    names: Mapping[str, str] = field(factory=dict)

    def find_seat(self, game: GameFacts) -> int:
        return next(index for index, seat in enumerate(game.seats) if seat.player == self.player)

    @property
    def score(self) -> Score:
        score = Score()
        for game in self.ended:
            score = score.add_game(game, self.find_seat(game))
        return score

    def list_opponents(self) -> list[tuple[str, str, Score]]:
        """List the opponents: page, name, and the player's score against each; most games first."""
        met: dict[str, tuple[str, Score]] = {}
        for game in self.ended:
            own = self.find_seat(game)
            for index, seat in enumerate(game.seats):
                if game.party[index] != game.party[own] and seat.player not in {"", self.player}:
                    score = met.get(seat.player, ("", Score()))[1]
                    met[seat.player] = (self.names.get(seat.player, seat.name), score.add_game(game, own))
        lines = [(player, name, score) for player, (name, score) in met.items()]
        return sorted(lines, key=lambda line: (-line[2].games, line[1].casefold(), line[0]))


def write_player_page(club: Club, player: PlayerFacts) -> str:
    score = player.score
    opponents = [
        ((find_player_page(page), name), met.games, met.won, met.drawn, met.lost)
        for page, name, met in player.list_opponents()
    ]
    description = f"{player.name}: {count_noun(score.games, 'game')}, {score.won} won."
    sheet = Sheet(find_player_page(player.player), player.name, description, PLAYERS)
    ended = player.ended[-SHOWN_GAMES:][::-1]
    facts = {"player": player, "score": score, "ended": ended, "opponents": opponents, "draw_curve": draw_curve}
    return write_page(club, "player", sheet, **facts)


def write_player_list(club: Club, players: Iterable[PlayerFacts]) -> str:
    lines = []
    for player in sorted(players, key=lambda each: (each.name.casefold(), each.player)):
        score = player.score
        rated = ", ".join(str(curve.rating) for curve in player.curves)
        lines.append(
            ((find_player_page(player.player), player.name), len(player.running), score.games, score.won, rated)
        )
    description = f"{count_noun(len(lines), 'player')} of the club."
    return write_page(club, "players", Sheet(PLAYERS, "Players", description, PLAYERS), lines=lines)


def draw_curve(points: Sequence[tuple[datetime, int]], label: str) -> str:
    first, last = points[0][0], points[-1][0]
    low = min(rating for _, rating in points) // STEP * STEP
    high = -(-max(rating for _, rating in points) // STEP) * STEP
    high += STEP * (high == low)
    span = max(1.0, (last - first).total_seconds())
    deep = HEIGHT - FOOT

    def place(time: datetime, rating: int) -> tuple[float, float]:
        return (
            SIDE + (WIDTH - SIDE - 8) * (time - first).total_seconds() / span,
            6 + (deep - 12) * (high - rating) / (high - low),
        )

    skip = STEP * max(1, (high - low) // STEP // 4)
    grid = "".join(
        f'<path class="grid" d="M{SIDE} {y:.1f}H{WIDTH}"/><text x="0" y="{y + 4:.1f}">{rating}</text>'
        for rating in range(low, high + 1, skip)
        for y in (place(first, rating)[1],)
    )
    spots = [place(time, rating) for time, rating in points]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    ends = (
        f'<text x="{SIDE}" y="{HEIGHT - 3}">{first.day} {first:%b %Y}</text>'
        f'<text x="{WIDTH}" y="{HEIGHT - 3}" text-anchor="end">{last.day} {last:%b %Y}</text>'
    )
    dot = f'<circle class="dot" cx="{spots[-1][0]:.1f}" cy="{spots[-1][1]:.1f}" r="4"/>'
    return (
        f'<figure class="graph"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f'{grid}<path class="line" d="{line}"/>{dot}{ends}</svg></figure>'
    )


@frozen
class Cross:
    """A cross-table: file, name, players (page, name), and what each did against each, "" for no game."""

    key: str
    title: str
    players: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return f"ratings/cross-{self.key}.html"


@frozen
class TournamentFacts:
    """Facts for the page of a tournament: its file's name, its name, its system and progress, and its tables."""

    key: str
    title: str
    about: str
    state: str
    heads: tuple[str, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()
    players: tuple[str, ...] = ()
    rounds: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = ()
    cross: Cross | None = None

    @property
    def path(self) -> str:
        return f"tournaments/{self.key}.html"


def write_tournament_page(club: Club, tournament: TournamentFacts) -> str:
    lines = [
        ((find_player_page(page), line[0]), *line[1:])
        for page, line in zip(tournament.players, tournament.lines, strict=True)
    ]
    description = f"{tournament.title}: {tournament.state}."
    sheet = Sheet(tournament.path, tournament.title, description, TOURNAMENTS)
    return write_page(club, "tournament", sheet, tournament=tournament, lines=lines)
