"""Players, ratings, cross-tables and tournaments as pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html import escape

from attrs import field, frozen

from tkid.club.game_facts import ABANDONED, ABORTED, GameFacts
from tkid.club.page_frame import (
    PLAYERS,
    RATINGS,
    TOURNAMENTS,
    Club,
    Sheet,
    link,
    player_page,
    to,
    write_chips,
    write_crumbs,
    write_game_rows,
    write_page,
    write_table,
    write_turn_line,
)
from tkid.club.page_frame import game_page as page_of
from tkid.notation.text import count_noun

SHOWN_GAMES = 100
"""So many finished games a player's page lists; the archive has the others."""
WIDTH, HEIGHT, SIDE, FOOT = 350, 150, 38, 22
"""The drawing of a rating, in pixels, with room for words at the left and below."""
STEP = 100
"""Points of a rating between two lines of the drawing."""
NO_RATINGS = "<p>No game has been rated yet.</p>"


@frozen
class Rank:
    """A line of a rating list: the player's page and name, the rating, how far it may be off, the games behind it.

    `place` is 0 while the rating is provisional, and for players who have not played for long.
    """

    player: str
    name: str
    rating: int
    range: int
    games: int
    provisional: bool = False
    place: int = 0


@frozen
class RatingList:
    """A rating list: its name, and its players, the best first."""

    key: str
    title: str
    ranks: tuple[Rank, ...] = ()


@frozen
class Curve:
    """A player's rating over time on one list."""

    title: str
    rank: Rank
    points: tuple[tuple[datetime, int], ...] = ()


@frozen
class Score:
    """A player's record: games that ended, of them won, drawn and lost. Games without a result are in `games` alone."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add_game(self, game: GameFacts, seat: int) -> Score:
        """Return the score with one game more."""
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
    """Facts for a player's page: name, running games, finished games (the oldest first), ratings over time.

    `names` are the names of opponents, by page, that differ from those in the games.
    """

    player: str
    name: str
    running: tuple[GameFacts, ...] = ()
    ended: tuple[GameFacts, ...] = ()
    curves: tuple[Curve, ...] = ()
    names: Mapping[str, str] = field(factory=dict)

    def find_seat(self, game: GameFacts) -> int:
        """Return the player's seat in a game."""
        return next(index for index, seat in enumerate(game.seats) if seat.player == self.player)

    @property
    def score(self) -> Score:
        """The player's wins, draws and losses."""
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


# -- players ----------------------------------------------------------------------------------------------


def player_sheet(club: Club, player: PlayerFacts) -> str:
    """The page of a player."""
    here, score = player_page(player.player), player.score
    sums = {"Games": score.games, "Won": score.won, "Drawn": score.drawn, "Lost": score.lost}
    figures = "".join(f"<div><dt>{name}</dt><dd>{number}</dd></div>" for name, number in sums.items())
    running = "".join(
        f'<li><a href="{to(page_of(game), here)}"><b>{escape(game.name)}</b><span>{write_turn_line(game)}</span></a></li>'
        for game in player.running
    )
    opponents = [
        (link(player_page(page), here, name), str(met.games), str(met.won), str(met.drawn), str(met.lost))
        for page, name, met in player.list_opponents()
    ]
    heads = ("Opponent", "Games", "Won", "Drawn", "Lost")
    body = f"""{write_crumbs(here, (PLAYERS, "Players"))}
<h1>{escape(player.name)}</h1>
<div class="two"><div>
<dl class="sum">{figures}</dl>
{"".join(_write_curve(curve) for curve in player.curves)}
{f'<h2>Games that go on</h2><ul class="rows">{running}</ul>' if running else ""}
{f"<h2>Games that ended</h2>{write_game_rows(reversed(player.ended[-SHOWN_GAMES:]), here)}" if player.ended else ""}
</div><div>
{f"<h2>Opponents</h2>{write_table(heads, opponents, f'What {player.name} did against each opponent')}" if opponents else ""}
</div></div>"""
    description = f"{player.name}: {count_noun(score.games, 'game')}, {score.won} won."
    return write_page(club, Sheet(here, player.name, description, body, PLAYERS))


def players_sheet(club: Club, players: Iterable[PlayerFacts]) -> str:
    """The page with all players."""
    lines = []
    for player in sorted(players, key=lambda each: (each.name.casefold(), each.player)):
        score = player.score
        rated = ", ".join(str(curve.rank.rating) for curve in player.curves)
        figures = (str(len(player.running)), str(score.games), str(score.won), rated)
        lines.append((link(player_page(player.player), PLAYERS, player.name), *figures))
    heads = ("Player", "Going on", "Ended", "Won", "Rating")
    body = f"<h1>Players</h1>\n<p class='dim'>{count_noun(len(lines), 'player')}</p>\n" + (
        write_table(heads, lines, "All players by name") if lines else "<p>Nobody has played yet.</p>"
    )
    return write_page(
        club, Sheet(PLAYERS, "Players", f"{count_noun(len(lines), 'player')} of the club.", body, PLAYERS)
    )


def _write_curve(curve: Curve) -> str:
    """Write a rating over time as a drawing, and in words."""
    rank = curve.rank
    parts = (
        f"{rank.rating} ± {rank.range}",
        f"place {rank.place}" if rank.place else "",
        count_noun(rank.games, "rated game"),
    )
    sentence = ", ".join(filter(None, parts))
    drawn = draw_curve(curve.points, f"Rating over time: {sentence}") if len(curve.points) > 1 else ""
    return f"<h2>{escape(curve.title)}</h2>\n<p>{escape(sentence)}{' (provisional)' if rank.provisional else ''}</p>\n{drawn}"


def draw_curve(points: Sequence[tuple[datetime, int]], label: str) -> str:
    """Draw a line over time, as SVG for a page."""
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


# -- ratings ----------------------------------------------------------------------------------------------


def write_ranks(of: RatingList, here: str, most: int = 0) -> str:
    """Write a rating list as a table; `most` limits its lines."""
    lines = [
        (
            link(player_page(rank.player), here, rank.name),
            str(rank.place or "–"),
            f"{rank.rating}{'?' * rank.provisional}",
            f"±{rank.range}",
            str(rank.games),
        )
        for rank in of.ranks[: most or None]
    ]
    return write_table(("Player", "Place", "Rating", "Range", "Games"), lines, of.title)


def ratings_sheet(club: Club, lists: Sequence[RatingList], crosses: Iterable[tuple[str, str]]) -> str:
    """The page with all rating lists; `crosses` are the files and names of the cross-tables."""
    crosses = list(crosses)
    tables = "\n".join(
        f'<h2 id="{each.key}">{escape(each.title)}</h2>\n{write_ranks(each, RATINGS)}' for each in lists if each.ranks
    )
    why = '<p class="dim small">Ratings are worked out from the games each time. A question mark means that few games are behind a rating.</p>'
    body = f"<h1>Ratings</h1>\n{tables + why if tables else NO_RATINGS}\n" + (
        f"<h2>Cross-tables</h2>\n{write_chips(RATINGS, crosses)}" if crosses else ""
    )
    return write_page(club, Sheet(RATINGS, "Ratings", "The ratings of the club's players.", body, RATINGS))


@frozen
class Cross:
    """A cross-table: its file's name, its name, its players (page and name), what each did against each (by place), and a sum.

    A cell is a text such as `2`, "" for no game.
    """

    key: str
    title: str
    players: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Its file."""
        return f"ratings/cross-{self.key}.html"


def cross_table(of: Cross, here: str) -> str:
    """A cross-table, as HTML."""
    heads = "".join(
        f'<th scope="col"><abbr title="{escape(name)}">{n}</abbr></th>' for n, (_, name) in enumerate(of.players, 1)
    )
    lines = []
    for row, (page, name) in enumerate(of.players):
        cells = "".join(
            '<td class="self"></td>' if row == column else f"<td>{escape(cell)}</td>"
            for column, cell in enumerate(of.cells[row])
        )
        total = f"<td><b>{escape(of.sums[row])}</b></td>" if of.sums else ""
        lines.append(f'<tr><th scope="row">{row + 1}. {link(player_page(page), here, name)}</th>{cells}{total}</tr>')
    last = '<th scope="col">Points</th>' if of.sums else ""
    body = "\n".join(lines)
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{escape(of.title)}"><table class="cross"><caption>Each row is '
        f'one player\u2019s points against each other player</caption><thead><tr><th scope="col">Player</th>{heads}{last}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def cross_sheet(club: Club, of: Cross) -> str:
    """The page of a cross-table."""
    body = f"{write_crumbs(of.path, (RATINGS, 'Ratings'))}\n<h1>{escape(of.title)}</h1>\n{cross_table(of, of.path)}"
    return write_page(club, Sheet(of.path, of.title, f"{of.title}: who did what against whom.", body, RATINGS))


# -- tournaments ------------------------------------------------------------------------------------------


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
        """Its file."""
        return f"tournaments/{self.key}.html"


def tournament_sheet(club: Club, of: TournamentFacts) -> str:
    """The page of a tournament: its table, and its pairings round by round."""
    here = of.path
    lines = [
        (link(player_page(page), here, line[0]), *map(escape, line[1:]))
        for page, line in zip(of.players, of.lines, strict=True)
    ]
    rounds = "".join(
        f"<h2>{escape(name)}</h2>\n<ul class='rows'>"
        + "".join(_write_pairing(each, here) for each in pairings)
        + "</ul>"
        for name, pairings in of.rounds
    )
    body = f"""{write_crumbs(here, (TOURNAMENTS, "Tournaments"))}
<h1>{escape(of.title)}</h1>
<p class="dim">{escape(of.about)}</p>
<div class="answer"><p class="say">{escape(of.state)}</p></div>
{write_table(of.heads, lines, "Standings") if lines else ""}
{f"<h2>Cross-table</h2>{cross_table(of.cross, here)}" if of.cross else ""}
{rounds}"""
    return write_page(club, Sheet(here, of.title, f"{of.title}: {of.state}.", body, TOURNAMENTS))


def _write_pairing(pairing: tuple[str, str, str], here: str) -> str:
    """Write a game of a round: its page ("" for none), its players, and its state."""
    page, players, state = pairing
    words = f"<b>{escape(players)}</b><span>{escape(state)}</span>"
    target = f"games/{page}.html" if page else ""
    return f'<li><a href="{to(target, here)}">{words}</a></li>' if page else f'<li class="plain">{words}</li>'


def tournaments_sheet(club: Club, tournaments: Sequence[TournamentFacts]) -> str:
    """The page with all tournaments, the last one first."""
    items = "".join(
        f'<li><a href="{each.key}.html"><b>{escape(each.title)}</b><span>{escape(each.about)} · {escape(each.state)}</span></a></li>'
        for each in tournaments
    )
    body = "<h1>Tournaments</h1>\n" + (
        f'<ul class="rows">{items}</ul>' if items else "<p>No tournament has been announced yet.</p>"
    )
    return write_page(club, Sheet(TOURNAMENTS, "Tournaments", "The club's tournaments.", body, TOURNAMENTS))
