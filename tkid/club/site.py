"""All pages of a club: games, lists, feed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from heapq import nlargest
from html import escape
from xml.etree import ElementTree as ET

from attrs import field, frozen

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
    board_file,
    game_page,
    link,
    link_players,
    map_file,
    player_page,
    to,
    write_chips,
    write_crumbs,
    write_day_tag,
    write_game_rows,
    write_moment_tag,
    write_page,
    write_style,
    write_turn_line,
)
from tkid.club.standings_pages import (
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
    write_ranks,
)
from tkid.notation.text import count_noun
from tkid.rulebook import cites

ON_A_PAGE = 100
"""So many games are on one page of the archive: the older pages stay as they are when a game is added."""
LAST_RESULTS, TOP = 8, 10
KINDS = {"By rules": "rules-", "By ending": "ending-"}
"""The parts of the archive, with the beginning of their file names."""
NOTHING_RUNS = "<p>No game is being played now.</p>"
NOTHING_ENDED = "<p>No game has ended yet.</p>"


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
        """Return the file of a page."""
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
            return f"{count_noun(len(self.shelf.games), 'game')} that ended, the last one first"
        return f"Games {first} to {first + len(self.games) - 1}, by their end"

    @property
    def path(self) -> str:
        """Its file."""
        return self.shelf.get_path(self.number, self.last)


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


def write_home(
    club: Club, running: Sequence[GameFacts], results: Sequence[GameFacts], lists: Sequence[RatingList]
) -> str:
    """Write the home page: running games, the last results (newest first), and the leaders."""
    cards = "\n".join(_write_card(game) for game in running)
    standings = "".join(
        f"<h2>{escape(each.title)}</h2>\n{write_ranks(each, HOME, TOP)}" for each in lists if each.ranks
    )
    body = f"""<h1>{escape(club.title)}</h1>
<p class="dim">{count_noun(len(running), "game")} going on by mail</p>
<div class="two home"><div>
<h2>Games that go on</h2>
{f'<div class="games">{cards}</div>' if cards else NOTHING_RUNS}
</div><div>
<h2>Last results</h2>
{write_game_rows(results[:LAST_RESULTS], HOME) if results else NOTHING_ENDED}
<p class="actions"><a class="btn" href="{ARCHIVE}">All games</a><a class="btn" href="{PLAYERS}">All players</a></p>
{standings}
{f'<p class="actions"><a class="btn" href="{RATINGS}">All ratings</a></p>' if standings else ""}
</div></div>"""
    description = "Games by mail: what goes on, who won, and who leads."
    return write_page(club, Sheet(HOME, club.title, description, body, HOME))


def _write_card(game: GameFacts) -> str:
    about = [game.players] if game.title else []
    return (
        f'<a class="game" href="{to(game_page(game), HOME)}">'
        f'<img src="{map_file(game)}" alt="" loading="lazy" width="104" height="130">'
        f'<span><b>{escape(game.name)}</b><span class="small">{escape(" · ".join([*about, game.rules]))}</span>'
        f'<span class="turn">{escape(game.headline)}</span><span class="small">{write_turn_line(game)}</span></span></a>'
    )


def shelf_page(club: Club, page: ShelfPage, all_shelves: Sequence[tuple[str, str]]) -> str:
    """A page of the archive; `all_shelves` are the names and file names of its parts."""
    here, shelf = page.path, page.shelf
    is_all = shelf.stem == "index"
    links = "\n".join(
        f'<h2 class="group">{name}</h2>\n{write_chips(here, own)}'
        for name, stem in KINDS.items()
        if (own := [(f"archive/{each}.html", words) for words, each in all_shelves if each.startswith(stem)])
    )
    around = ""
    if page.last:
        older = (
            f'<a class="btn" href="{to(shelf.get_path(page.number - 1, page.last), here)}" rel="next">Older games</a>'
        )
        newer = (
            f'<a class="btn" href="{to(shelf.get_path(page.number + 1, page.last), here)}" rel="prev">Newer games</a>'
        )
        around = f'<p class="pages">{newer if page.number < page.last else "<span></span>"}{older if page.number else ""}</p>'
    title = "Archive" if is_all else f"Archive: {shelf.name}"
    heading = "Archive" if is_all else shelf.name
    body = f"""{"" if is_all else write_crumbs(here, (ARCHIVE, "Archive"))}
<h1>{escape(heading)}</h1>
<p class="dim">{page.shown}</p>
{links}
<h2>Games</h2>
{write_game_rows(reversed(page.games), here) if page.games else NOTHING_ENDED}
{around}"""
    return write_page(club, Sheet(here, title, f"{heading}: {page.shown}.", body, ARCHIVE))


def write_missing_page(club: Club) -> str:
    """Write the page that a web server shows for a missing one. It works at any path, if the club has an address."""
    body = (
        "<h1>This page is not here</h1>\n<p>The game may have another address now, or its page was removed.</p>\n"
        f'<p class="actions"><a class="btn main" href="{HOME}">Go to the games</a></p>'
    )
    return write_page(
        club, Sheet("404.html", "This page is not here", "This page is not here.", body, hidden=True, anchored=True)
    )


WAITS = "<p>The first turn has not been played yet.</p>"


def replay_file(game: GameFacts) -> str:
    """The file with the replay of a game that is over."""
    return f"replays/{game.slug}.html"


def record_file(game: GameFacts) -> str:
    """The file with the record of a game that is over."""
    return f"records/{game.slug}.tkid"


def cover_file(game: GameFacts) -> str:
    """The file with the picture of a game for links; "" where there is none."""
    return f"covers/{game.slug}.png" if game.cover else ""


@cites("club.pages.anonymous")
def game_sheet(club: Club, game: GameFacts) -> str:
    """The page of a game."""
    sheet = _make_finished_sheet(game) if game.over else _make_running_sheet(game)
    return write_page(club, sheet)


def _make_running_sheet(game: GameFacts) -> Sheet:
    here = game_page(game)
    turns = "\n".join(
        f'<li>{escape(each.told)}<br><span class="dim small">Turn {each.number}'
        f"{', ' if each.time else ''}{write_moment_tag(each.time)}</span></li>"
        for each in game.told
    )
    body = f"""{write_crumbs(here, (HOME, "Games"))}
<h1>{escape(game.name)}</h1>
<p class="dim">{escape(game.rules)} · {count_noun(game.turns, "turn")}</p>
<div class="two"><div>
<div class="answer"><p class="say">{escape(game.headline)}</p><p>{write_turn_line(game)}</p></div>
{_write_board(game, here)}
</div><div>
<h2>Last turns</h2>
{f'<ol class="turns">{turns}</ol>' if turns else WAITS}
{_write_words(game)}
<h2>About this game</h2>
{_write_facts(game, here)}
</div></div>"""
    description = f"{game.headline}. {game.rules}, {count_noun(game.turns, 'turn')} so far."
    return Sheet(here, game.name, description, body, HOME)


def _make_finished_sheet(game: GameFacts) -> Sheet:
    here = game_page(game)
    decided = "".join(f"<li>{escape(each)}</li>" for each in game.decided)
    replay = to(replay_file(game), here)
    note = f'<p class="note">{COPIED}</p>' if game.copy else ""
    body = f"""{write_crumbs(here, (ARCHIVE, "Archive"), (f"archive/rules-{game.ruleset}.html", game.rules))}
<h1>{escape(game.name)}</h1>
<p class="dim">{escape(game.rules)} · {count_noun(game.turns, "turn")} · ended {write_day_tag(game.ended)}</p>
<div class="two"><div>
<div class="answer"><p class="say">{escape(game.result)}</p><p>{escape(game.headline)}.</p>
{f"<ul>{decided}</ul>" if decided else ""}</div>
<p class="actions"><a class="btn main" href="{replay}">Play through the game</a>\
<a class="btn" href="{to(record_file(game), here)}" download>Download the game file</a></p>
{note}
{_write_board(game, here, replay)}
</div><div>
{_write_words(game)}
<h2>About this game</h2>
{_write_facts(game, here)}
</div></div>"""
    description = f"{game.result}. {game.headline}. {game.rules}, {count_noun(game.turns, 'turn')}."
    return Sheet(here, game.name, description, body, ARCHIVE, cover_file(game))


def _write_board(game: GameFacts, here: str, leads: str = "") -> str:
    image = (
        f'<img src="{to(board_file(game), here)}" alt="The board: {escape(game.headline)}" width="480" height="620">'
    )
    return f'<figure class="board">{f"<a href={leads!r}>{image}</a>" if leads else image}</figure>'


def _write_words(game: GameFacts) -> str:
    return f"<details><summary>The position in words</summary><p>{escape(game.picture)}</p></details>"


def _write_facts(game: GameFacts, here: str) -> str:
    rows = {
        "Players": link_players(game, here),
        "Rules": link(f"archive/rules-{game.ruleset}.html", here, game.rules) if game.over else escape(game.rules),
        "Began": write_day_tag(game.began),
        "Ended": write_day_tag(game.ended),
        "Turns": str(game.turns),
        "Ending": link(f"archive/ending-{game.ending}.html", here, game.ending.capitalize()) if game.over else "",
    }
    items = "\n".join(f"<div><dt>{name}</dt><dd>{fact}</dd></div>" for name, fact in rows.items() if fact)
    return f'<dl class="facts">\n{items}\n</dl>'


ATOM, SITEMAP = "http://www.w3.org/2005/Atom", "http://www.sitemaps.org/schemas/sitemap/0.9"
MOST_ENTRIES = 40
MOST_ADDRESSES = 50_000
"""So many pages one list of pages may have."""
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
        path = game_page(game)
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
def write_robots(club: Club) -> str:
    """Write the rules for search engines: they may read everything but calendars."""
    lines = ["User-agent: *", f"Disallow: /{CALENDARS}/"]
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

    def list_leaves(self) -> Iterator[Leaf]:
        """Yield all files about more than one game, linked ones first."""
        ended = sorted((game for game in self.games if game.over), key=_end)
        running = sorted((game for game in self.games if not game.over), key=_start, reverse=True)
        club, of = self.club, self.standings
        yield Leaf(STYLE, (write_style(),), write_style)
        players = list(self._list_players(running, ended))
        for player in players:
            names = sorted(player.names.items())
            shown = (
                *self._list_keys(player.running),
                "|",
                *self._list_keys(player.ended),
                player.name,
                player.curves,
                names,
            )
            yield Leaf(player_page(player.player), shown, lambda player=player: player_sheet(club, player))  # type: ignore[misc]
        for cross in of.crosses:
            yield Leaf(cross.path, (cross,), lambda cross=cross: cross_sheet(club, cross))  # type: ignore[misc]
        for each in of.tournaments:
            yield Leaf(each.path, (each,), lambda each=each: tournament_sheet(club, each))  # type: ignore[misc]
        yield from self._list_archive(ended)
        yield Leaf(PLAYERS, [_summarize_player(player) for player in players], lambda: players_sheet(club, players))
        crosses = [(cross.path, cross.title) for cross in of.crosses]
        yield Leaf(RATINGS, (of.lists, crosses), lambda: ratings_sheet(club, of.lists, crosses))
        yield Leaf(TOURNAMENTS, of.tournaments, lambda: tournaments_sheet(club, of.tournaments))
        yield Leaf(MISSING, (), lambda: write_missing_page(club))
        yield Leaf(f"{CALENDARS}/index.html", (), lambda: _write_no_list(club))
        results = ended[::-1][:LAST_RESULTS]
        shown = (*self._list_keys(running), "|", *self._list_keys(results), of.lists)
        yield Leaf(HOME, shown, lambda: write_home(club, running, results, of.lists))
        told = list_feed_entries(self.games)
        yield Leaf(FEED, [(what, self.keys[game.slug]) for _, what, game in told], lambda: write_feed(club, told))
        yield Leaf("robots.txt", (), lambda: write_robots(club))
        if club.url:
            paths = [
                HOME,
                *map(game_page, [*running, *reversed(ended)]),
                *(player_page(each.player) for each in players),
            ]
            yield Leaf("sitemap.xml", paths, lambda: write_sitemap(club, paths))

    def _list_keys(self, games: Iterable[GameFacts]) -> Iterator[str]:
        return (self.keys[game.slug] for game in games)

    def _list_archive(self, ended: Sequence[GameFacts]) -> Iterator[Leaf]:
        parts = build_shelves(ended)
        names = [(part.name, part.stem) for part in parts]
        for part in reversed(parts):
            for page in part.list_pages():
                shown = (names, page.number, page.shown, *self._list_keys(page.games))
                yield Leaf(page.path, shown, lambda page=page: shelf_page(self.club, page, names))  # type: ignore[misc]

    def _list_players(self, running: Sequence[GameFacts], ended: Sequence[GameFacts]) -> Iterator[PlayerFacts]:
        """Yield everybody who has played, by page."""
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
        """Return the names, by page, of players whom some game shows under another one."""
        seats = (seat for game in self.games for seat in game.seats if seat.player)
        return {seat.player: self.names[seat.player] for seat in seats if seat.name != self.names[seat.player]}


def _summarize_player(player: PlayerFacts) -> tuple[object, ...]:
    return player.player, player.name, len(player.running), player.score, [curve.rank.rating for curve in player.curves]


def _end(game: GameFacts) -> tuple[str, str]:
    return game.ended.isoformat() if game.ended else "", game.slug


def _start(game: GameFacts) -> tuple[str, str]:
    since = game.since or game.began
    return since.isoformat() if since else "", game.slug


def _write_no_list(club: Club) -> str:
    """Write the page that a web server shows instead of a list of calendars."""
    body = "<h1>Calendars</h1>\n<p>Each player has a calendar at an address that only that player knows.</p>"
    return write_page(club, Sheet(f"{CALENDARS}/index.html", "Calendars", "Calendars of players.", body, hidden=True))
