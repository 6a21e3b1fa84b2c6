"""All pages of a club: games, lists, feed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from heapq import nlargest
from xml.etree import ElementTree as ET

from attrs import field, frozen

from tkid.club import standings_pages
from tkid.club.game_facts import COPIED, GameFacts
from tkid.club.page_frame import (
    ARCHIVE,
    FEED,
    HOME,
    MISSING,
    PLAYERS,
    RATINGS,
    STYLE,
    TOURNAMENTS,
    Club,
    Sheet,
    find_game_page,
    find_player_page,
    write_page,
    write_style,
)
from tkid.club.values import TURNS
from tkid.notation.text import count_noun
from tkid.rulebook import cites

ON_A_PAGE = 100
"""Games on one page of the archive: the older pages stay as they are when a game is added."""
LAST_RESULTS = 8
KINDS = {"By rules": "rules-", "By ending": "ending-"}
"""The parts of the archive, with the beginning of their file names."""


@frozen
class Shelf:
    """A part of the archive: its name, the beginning of its file names, and its games, the oldest first."""

    name: str
    stem: str
    games: Sequence[GameFacts]

    def list_pages(self) -> Iterator[ShelfPage]:
        """Yield its pages, the oldest games first. The last one keeps its name when games are added."""
        last = max(0, (len(self.games) - 1) // ON_A_PAGE)
        for number in range(last + 1):
            games = self.games[number * ON_A_PAGE : (number + 1) * ON_A_PAGE]
            yield ShelfPage(self, number, last, games)

    def get_path(self, number: int, last: int) -> str:
        return f"archive/{self.stem}.html" if number == last else f"archive/{self.stem}-{number + 1}.html"


@frozen
class ShelfPage:
    """A page of a part of the archive: its number, that of the last page, and its games, the oldest first."""

    shelf: Shelf
    number: int
    last: int
    games: Sequence[GameFacts]

    @property
    def shown(self) -> str:
        """The games on it, in words: only the last page gives their number, so that the others don't change."""
        first = self.number * ON_A_PAGE + 1
        if self.number == self.last:
            return f"{count_noun(len(self.shelf.games), 'game')} that ended, the latest first"
        return f"Games {first} to {first + len(self.games) - 1}, by their end"

    @property
    def path(self) -> str:
        return self.shelf.get_path(self.number, self.last)

    @property
    def older(self) -> str:
        """The file of the page with older games, "" for the oldest."""
        return self.shelf.get_path(self.number - 1, self.last) if self.number else ""

    @property
    def newer(self) -> str:
        """The file of the page with newer games, "" for the newest."""
        return self.shelf.get_path(self.number + 1, self.last) if self.number < self.last else ""


def build_shelves(games: Sequence[GameFacts]) -> list[Shelf]:
    """Build the archive: all finished games, then those of each ruleset, then those of each ending."""
    by_rules: dict[str, list[GameFacts]] = {}
    by_ending: dict[str, list[GameFacts]] = {}
    for game in games:
        by_rules.setdefault(game.ruleset, []).append(game)
        by_ending.setdefault(game.ending, []).append(game)
    return [
        Shelf("All games", "index", games),
        *(Shelf(by_rules[code][-1].rules, f"rules-{code}", by_rules[code]) for code in sorted(by_rules)),
        *(Shelf(ending.capitalize(), f"ending-{ending}", by_ending[ending]) for ending in sorted(by_ending)),
    ]


def write_shelf_page(club: Club, page: ShelfPage, all_shelves: Sequence[tuple[str, str]]) -> str:
    """Write a page of the archive; `all_shelves` are the names and file names of its parts."""
    is_all = page.shelf.stem == "index"
    groups = [
        (name, [(f"archive/{each}.html", words) for words, each in all_shelves if each.startswith(stem)])
        for name, stem in KINDS.items()
    ]
    heading = "Archive" if is_all else page.shelf.name
    title = "Archive" if is_all else f"Archive: {heading}"
    sheet = Sheet(page.path, title, f"{heading}: {page.shown}.", ARCHIVE)
    return write_page(club, "archive", sheet, page=page, heading=heading, groups=groups)


def find_cover_file(game: GameFacts) -> str:
    """Return the file with the picture of a game for links; "" without a picture."""
    return f"covers/{game.slug}.png" if game.cover else ""


@cites("club.pages.anonymous")
def write_game_page(club: Club, game: GameFacts) -> str:
    here, told = find_game_page(game), f"{game.rules}, {count_noun(game.turns, 'turn')}"
    if game.over:
        sheet = Sheet(here, game.name, f"{game.result}. {game.headline}. {told}.", ARCHIVE, find_cover_file(game))
    else:
        sheet = Sheet(here, game.name, f"{game.headline}. {told} so far.", HOME)
    return write_page(club, "game", sheet, game=game, copy_note=COPIED)


ATOM, SITEMAP = "http://www.w3.org/2005/Atom", "http://www.sitemaps.org/schemas/sitemap/0.9"
MOST_ENTRIES = 40
MOST_ADDRESSES = 50_000
"""Maximum number of pages in one list of pages."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
CALENDARS = "calendars"


def list_feed_entries(games: Iterable[GameFacts]) -> list[tuple[datetime, str, GameFacts]]:
    """List the entries of the feed, the newest first: time, `began` or `ended`, and the game."""
    told = [(game.began, "began", game) for game in games] + [(game.ended, "ended", game) for game in games]
    dated = [(time, what, game) for time, what, game in told if time is not None]
    return nlargest(MOST_ENTRIES, dated, key=lambda each: (each[0], each[1], each[2].slug))


def write_feed(club: Club, told: Sequence[tuple[datetime, str, GameFacts]]) -> str:
    """Write the feed. Its ids stay the same when the pages move."""
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": "en-GB"})
    name = sha256(club.title.encode()).hexdigest()[:16]
    _add_element(root, "title", club.title)
    _add_element(root, "id", club.make_url(HOME) or f"urn:tkid:club:{name}")
    _add_element(root, "updated", _format_time(max((time for time, _, _ in told), default=LONG_AGO)))
    if club.url:
        ET.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": club.make_url(FEED)})
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": club.make_url(HOME) or HOME})
    _add_element(ET.SubElement(root, "author"), "name", club.title)
    for time, what, game in told:
        entry = ET.SubElement(root, "entry")
        path = find_game_page(game)
        title = f"{game.name}: {game.result}" if what == "ended" else f"{game.name} has begun"
        about = f"{game.headline}. {game.players}." if what == "ended" else f"{game.players} play {game.rules}."
        _add_element(entry, "title", title)
        _add_element(entry, "id", f"urn:tkid:{name}:{what}:{game.slug}")
        _add_element(entry, "updated", _format_time(time))
        _add_element(entry, "published", _format_time(time))
        ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": club.make_url(path) or path})
        _add_element(entry, "summary", about)
    return HEAD + ET.tostring(root, encoding="unicode") + "\n"


def write_sitemap(club: Club, paths: Iterable[str]) -> str:
    """List the pages for search engines; the newest first if there are too many."""
    root = ET.Element("urlset", {"xmlns": SITEMAP})
    for path in list(paths)[:MOST_ADDRESSES]:
        _add_element(ET.SubElement(root, "url"), "loc", club.make_url(path))
    return HEAD + ET.tostring(root, encoding="unicode") + "\n"


@cites("club.pages.calendar")
def _write_robots(club: Club) -> str:
    lines = ["User-agent: *", f"Disallow: /{CALENDARS}/", f"Disallow: /{TURNS}/"]
    return "\n".join([*lines, *([f"Sitemap: {club.make_url('sitemap.xml')}"] if club.url else [])]) + "\n"


def _add_element(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = "".join(c for c in text if c.isprintable() or c == " ")


def _format_time(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@frozen
class Leaf:
    """A file: its path, what it shows (as values whose texts tell whether that changed), and how it is made."""

    path: str
    shows: Sequence[object]
    make: Callable[[], str]


@frozen
class Standings:
    """Tables made from results: rating lists, each player's ratings over time (by page), cross-tables, tournaments."""

    lists: tuple[standings_pages.RatingList, ...] = ()
    curves: Mapping[str, tuple[standings_pages.Curve, ...]] = field(factory=dict)
    crosses: tuple[standings_pages.Cross, ...] = ()
    tournaments: tuple[standings_pages.TournamentFacts, ...] = ()


@frozen
class Site:
    """A club's games, players and standings; `keys` of the pages go by slug, `names` by the player's page."""

    club: Club
    games: Sequence[GameFacts]
    keys: Mapping[str, str]
    names: Mapping[str, str]
    standings: Standings = field(factory=Standings)

    def list_leaves(self) -> Iterator[Leaf]:
        """Yield all files about more than one game, linked ones first."""
        over = (game for game in self.games if game.over)
        ended = sorted(over, key=lambda game: (game.ended.isoformat() if game.ended else "", game.slug))
        running = sorted((game for game in self.games if not game.over), key=_start, reverse=True)
        club, of = self.club, self.standings
        yield Leaf(STYLE, (write_style(),), write_style)
        players = list(self._list_players(running, ended))
        for player in players:
            names = sorted(player.names.items())
            keys = (*self._list_keys(player.running), "|", *self._list_keys(player.ended))
            shown = (*keys, player.name, player.curves, names)
            write = partial(standings_pages.write_player_page, club, player)
            yield Leaf(find_player_page(player.player), shown, write)
        for cross in of.crosses:
            sheet = Sheet(cross.path, cross.title, f"{cross.title}: the results between the players.", RATINGS)
            yield self._make_leaf("cross", sheet, (cross,), cross=cross)
        for each in of.tournaments:
            yield Leaf(each.path, (each,), partial(standings_pages.write_tournament_page, club, each))
        yield from self._list_archive(ended)
        known = [
            (each.player, each.name, len(each.running), each.score, [curve.rating for curve in each.curves])
            for each in players
        ]
        yield Leaf(PLAYERS, known, lambda: standings_pages.write_player_list(club, players))
        crosses = [(cross.path, cross.title) for cross in of.crosses]
        sheet = Sheet(RATINGS, "Ratings", "The ratings of the club's players.", RATINGS)
        yield self._make_leaf("ratings", sheet, (of.lists, crosses), lists=of.lists, crosses=crosses)
        sheet = Sheet(TOURNAMENTS, "Tournaments", "The club's tournaments.", TOURNAMENTS)
        yield self._make_leaf("tournaments", sheet, of.tournaments, tournaments=of.tournaments)
        title, message = "This page is not here", "The game may have another address now, or its page was removed."
        sheet = Sheet(MISSING, title, f"{title}.", hidden=True, anchored=True)
        yield self._make_leaf("message", sheet, (), message=message, leads_home=True)
        yield make_no_list(club, CALENDARS)
        results = ended[::-1][:LAST_RESULTS]
        shown = (*self._list_keys(running), "|", *self._list_keys(results), of.lists)
        sheet = Sheet(HOME, club.title, "Games by mail: current games, winners and standings.", HOME)
        yield self._make_leaf("home", sheet, shown, running=running, results=results, lists=of.lists)
        told = list_feed_entries(self.games)
        yield Leaf(FEED, [(what, self.keys[game.slug]) for _, what, game in told], lambda: write_feed(club, told))
        yield Leaf("robots.txt", (), lambda: _write_robots(club))
        if club.url:
            paths = [
                HOME,
                *map(find_game_page, [*running, *reversed(ended)]),
                *(find_player_page(each.player) for each in players),
            ]
            yield Leaf("sitemap.xml", paths, lambda: write_sitemap(club, paths))

    def _make_leaf(self, template: str, sheet: Sheet, shows: Sequence[object], **facts: object) -> Leaf:
        return Leaf(sheet.path, shows, partial(write_page, self.club, template, sheet, **facts))

    def _list_keys(self, games: Iterable[GameFacts]) -> Iterator[str]:
        return (self.keys[game.slug] for game in games)

    def _list_archive(self, ended: Sequence[GameFacts]) -> Iterator[Leaf]:
        parts = build_shelves(ended)
        names = [(part.name, part.stem) for part in parts]
        for part in reversed(parts):
            for page in part.list_pages():
                shown = (names, page.number, page.shown, *self._list_keys(page.games))
                yield Leaf(page.path, shown, lambda page=page: write_shelf_page(self.club, page, names))  # type: ignore[misc]

    def _list_players(
        self, running: Sequence[GameFacts], ended: Sequence[GameFacts]
    ) -> Iterator[standings_pages.PlayerFacts]:
        games: dict[str, tuple[list[GameFacts], list[GameFacts]]] = {}
        for which, group in enumerate((running, ended)):
            for game in group:
                for player in dict.fromkeys(seat.player for seat in game.seats if seat.player):
                    games.setdefault(player, ([], []))[which].append(game)
        for player in sorted(games):
            running_games, ended_games = map(tuple, games[player])
            curves, names = self.standings.curves.get(player, ()), self._find_other_names(ended_games)
            yield standings_pages.PlayerFacts(player, self.names[player], running_games, ended_games, curves, names)

    @cites("club.names")
    def _find_other_names(self, games: Iterable[GameFacts]) -> dict[str, str]:
        """Return the names, by page, of players whom one of some games shows under another one."""
        seats = (seat for game in games for seat in game.seats if seat.player)
        return {seat.player: self.names[seat.player] for seat in seats if seat.name != self.names[seat.player]}


def _start(game: GameFacts) -> tuple[str, str]:
    since = game.since or game.began
    return since.isoformat() if since else "", game.slug


NO_LISTS = {
    CALENDARS: "Each player has a calendar at an address that only that player knows.",
    TURNS: "The link to your turn is in your letter.",
}
"""What folders with secret addresses say instead of listing them."""


def make_no_list(club: Club, folder: str) -> Leaf:
    """Return the page that a web server shows instead of a list of secret addresses."""
    sheet = Sheet(f"{folder}/index.html", folder.capitalize(), f"{folder.capitalize()} of players.", hidden=True)
    message = NO_LISTS[folder]
    return Leaf(sheet.path, (), lambda: write_page(club, "message", sheet, message=message, leads_home=False))
