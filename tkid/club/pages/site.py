"""All pages of a club that are about more than one game: which there are, what each shows, and how it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import field, frozen

from tkid.club.pages.facts import GameFacts
from tkid.club.pages.feed import CALENDARS, entries, feed, robots, sitemap
from tkid.club.pages.frame import (
    FEED,
    HOME,
    MISSING,
    PLAYERS,
    RATINGS,
    STYLE,
    TOURNAMENTS,
    Club,
    Sheet,
    document,
    style,
)
from tkid.club.pages.lists import LAST_RESULTS, home, missing, shelf_page, shelves
from tkid.club.pages.parts import game_page, player_page
from tkid.club.pages.standings import (
    Cross,
    Curve,
    PlayerFacts,
    RatingList,
    TournamentFacts,
    cross_sheet,
    player_sheet,
    players_sheet,
    ratings_sheet,
    tournament_sheet,
    tournaments_sheet,
)
from tkid.rulebook import cites


@frozen
class Leaf:
    """A file: its path, what it shows (as values whose texts tell whether that changed), and how it is made."""

    path: str
    shows: Sequence[object]
    make: Callable[[], str]


@frozen
class Standings:
    """What results come to: rating lists, the ratings of each player over time (by page), cross-tables, tournaments."""

    lists: tuple[RatingList, ...] = ()
    curves: Mapping[str, tuple[Curve, ...]] = field(factory=dict)
    crosses: tuple[Cross, ...] = ()
    tournaments: tuple[TournamentFacts, ...] = ()


@frozen
class Site:
    """A club's games, players and standings.

    `games` are all games; `keys` stand for what is shown of each, by slug. `names` are the names of players by their pages.
    """

    club: Club
    games: Sequence[GameFacts]
    keys: Mapping[str, str]
    names: Mapping[str, str]
    standings: Standings = field(factory=Standings)

    def leaves(self) -> Iterator[Leaf]:
        """All files about more than one game, those that others lead to first."""
        ended = sorted((game for game in self.games if game.over), key=_end)
        running = sorted((game for game in self.games if not game.over), key=_start, reverse=True)
        club, of = self.club, self.standings
        yield Leaf(STYLE, (style(),), style)
        players = list(self._players(running, ended))
        for player in players:
            names = sorted(player.names.items())
            shown = (*self._keys(player.running), "|", *self._keys(player.ended), player.name, player.curves, names)
            yield Leaf(player_page(player.player), shown, lambda player=player: player_sheet(club, player))  # type: ignore[misc]
        for cross in of.crosses:
            yield Leaf(cross.path, (cross,), lambda cross=cross: cross_sheet(club, cross))  # type: ignore[misc]
        for each in of.tournaments:
            yield Leaf(each.path, (each,), lambda each=each: tournament_sheet(club, each))  # type: ignore[misc]
        yield from self._archive(ended)
        yield Leaf(PLAYERS, [_line(player) for player in players], lambda: players_sheet(club, players))
        crosses = [(cross.path, cross.title) for cross in of.crosses]
        yield Leaf(RATINGS, (of.lists, crosses), lambda: ratings_sheet(club, of.lists, crosses))
        yield Leaf(TOURNAMENTS, of.tournaments, lambda: tournaments_sheet(club, of.tournaments))
        yield Leaf(MISSING, (), lambda: missing(club))
        yield Leaf(f"{CALENDARS}/index.html", (), lambda: _no_list(club))
        results = ended[::-1][:LAST_RESULTS]
        shown = (*self._keys(running), "|", *self._keys(results), of.lists)
        yield Leaf(HOME, shown, lambda: home(club, running, results, of.lists))
        told = entries(self.games)
        yield Leaf(FEED, [(what, self.keys[game.slug]) for _, what, game in told], lambda: feed(club, told))
        yield Leaf("robots.txt", (), lambda: robots(club))
        if club.url:
            paths = [
                HOME,
                *map(game_page, [*running, *reversed(ended)]),
                *(player_page(each.player) for each in players),
            ]
            yield Leaf("sitemap.xml", paths, lambda: sitemap(club, paths))

    def _keys(self, games: Iterable[GameFacts]) -> Iterator[str]:
        return (self.keys[game.slug] for game in games)

    def _archive(self, ended: Sequence[GameFacts]) -> Iterator[Leaf]:
        """The pages of the archive, and those of its parts."""
        parts = shelves(ended)
        names = [(part.name, part.stem) for part in parts]
        for part in reversed(parts):
            for page in part.pages():
                shown = (names, page.number, page.shown, *self._keys(page.games))
                yield Leaf(page.path, shown, lambda page=page: shelf_page(self.club, page, names))  # type: ignore[misc]

    def _players(self, running: Sequence[GameFacts], ended: Sequence[GameFacts]) -> Iterator[PlayerFacts]:
        """Everybody who has played, by page."""
        games: dict[str, tuple[list[GameFacts], list[GameFacts]]] = {}
        for which, group in enumerate((running, ended)):
            for game in group:
                for player in dict.fromkeys(seat.player for seat in game.seats if seat.player):
                    games.setdefault(player, ([], []))[which].append(game)
        names = self._other_names()
        for player in sorted(games):
            running_games, ended_games = map(tuple, games[player])
            curves = self.standings.curves.get(player, ())
            yield PlayerFacts(player, self.names[player], running_games, ended_games, curves, names)

    @cites("club.names")
    def _other_names(self) -> dict[str, str]:
        """The names, by page, of those whom some game shows under another one."""
        seats = (seat for game in self.games for seat in game.seats if seat.player)
        return {seat.player: self.names[seat.player] for seat in seats if seat.name != self.names[seat.player]}


def _line(player: PlayerFacts) -> tuple[object, ...]:
    """What the list of players shows of one."""
    return player.player, player.name, len(player.running), player.score, [curve.rank.rating for curve in player.curves]


def _end(game: GameFacts) -> tuple[str, str]:
    return game.ended.isoformat() if game.ended else "", game.slug


def _start(game: GameFacts) -> tuple[str, str]:
    since = game.since or game.began
    return since.isoformat() if since else "", game.slug


def _no_list(club: Club) -> str:
    """What is where a web server would list the calendars."""
    body = "<h1>Calendars</h1>\n<p>Each player has a calendar at an address that only that player knows.</p>"
    return document(club, Sheet(f"{CALENDARS}/index.html", "Calendars", "Calendars of players.", body, hidden=True))
