"""The pages of a club: games, players, ratings, tournaments, lists, feed; and the events for webhooks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property, partial
from hashlib import sha256
from heapq import nlargest
from html import escape
from importlib.resources import files
from itertools import chain, islice
from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Any, Protocol

from attrs import field, frozen

from tkid.club.game_facts import ABANDONED, ABORTED, COPIED, MOSTLY, GameFacts, turn_facts
from tkid.club.results import Rating, RatingList
from tkid.club.values import CALENDARS, TURNS
from tkid.notation.text import count_noun
from tkid.record.play.replay import Replay
from tkid.render.picture import write_css_variables
from tkid.rulebook import cites

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

STYLE, FEED, HOME, MISSING = "club.css", "feed.xml", "index.html", "404.html"
ARCHIVE, PLAYERS = "archive/index.html", "players/index.html"
RATINGS, TOURNAMENTS = "ratings/index.html", "tournaments/index.html"


@frozen
class Club:
    """A club as every page knows it: its name, and the address of its pages ("" for none)."""

    name: str = ""
    url: str = ""

    @property
    def title(self) -> str:
        return self.name or MOSTLY

    def make_url(self, path: str) -> str:
        """Return the whole address of a file, or "" if the club has none."""
        return f"{self.url.rstrip('/')}/{path.removesuffix('index.html')}" if self.url else ""


@frozen
class Welcome:
    """Who may join the club, as in its settings, and the address to write to."""

    who: str = "nobody"
    address: str = ""


@frozen
class Sheet:
    """A page: where it is, its title, the words that describe it, and the tab that it belongs to.

    `image` is the path of its picture for links, "" for none; `hidden` keeps it out of search engines. One that is
    `anchored` works at any address, if the club has one.
    """

    path: str
    title: str
    description: str
    tab: str = ""
    image: str = ""
    hidden: bool = False
    anchored: bool = False


TOGETHER = 500
"""Number of parts of a page that are written together: large pages are never in memory as a whole."""


@cache
def write_style() -> str:
    return write_css_variables() + "\n" + files("tkid.club").joinpath("pages", STYLE).read_text("utf-8")


def write_page(club: Club, template: str, sheet: Sheet, **facts: object) -> Iterator[str]:
    """Yield the parts of a page, an HTML document from a template in `pages`. It needs the style beside it, and no script."""
    stream = _load_templates().get_template(f"{template}.html").stream(club=club, sheet=sheet, here=sheet.path, **facts)
    stream.enable_buffering(TOGETHER)
    return stream


@cache
def _load_templates() -> Environment:
    import jinja2  # noqa: PLC0415 - only who publishes needs it

    @jinja2.pass_context
    def find_way(context: Context, path: str) -> str:
        """Return the way to a file from the page that is written."""
        return relpath(path, dirname(context["here"]) or ".")

    loader = jinja2.PackageLoader("tkid.club", "pages")
    templates = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    templates.filters |= {"to": find_way, "count_noun": count_noun, "utc": _format_time}
    templates.filters["printable"] = lambda text: "".join(c for c in text if c.isprintable() or c == " ")
    pages = {"ARCHIVE": ARCHIVE, "FEED": FEED, "HOME": HOME, "PLAYERS": PLAYERS, "RATINGS": RATINGS, "STYLE": STYLE}
    templates.globals |= pages | {"TOURNAMENTS": TOURNAMENTS, "RATED": RATED}
    templates.globals["RATING_HEADS"] = "Player", "Place", "Rating", "Range", "Games"
    for function in (find_game_file, find_player_page, list_rating_lines):
        templates.globals[function.__name__] = function
    return templates


FILES = {"page": "games/{}.html", "map": "boards/{}.map.svg", "board": "boards/{}.svg", "cover": "covers/{}.png"}
FILES |= {"replay": "replays/{}.html", "record": "records/{}.tkid"}
"""The files of a game by what they show; `map` is a small picture of the map or table of a running game, `cover` that for links."""


def find_game_file(game: GameFacts | GameKey, kind: str = "page") -> str:
    return FILES[kind].format(game.slug)


def find_player_page(player: str) -> str:
    """Return the file of a player's page; "" for somebody who has none."""
    return f"players/{player}.html" if player else ""


@frozen
class GameKey:
    """A game in lists: the name of its files, a digest of its page, and the parts of the archive that it is in."""

    slug: str
    key: str
    ruleset: str
    rules: str
    ending: str


TURN, END = "game.turn", "game.end"


def list_published_turns(shown: Replay) -> tuple[int, ...]:
    """Return the numbers of the turns that are published, those that were taken back too."""
    return tuple(turn.number for turn in shown.record.turns)


@cites("club.hooks.sent")
def write_turn_event(club: Club, game: GameFacts, shown: Replay, number: int) -> str | None:
    """Write the text about a turn; None where there is no such turn any more."""
    index = next((n for n, moment in enumerate(shown.moments) if moment.turn and moment.turn.number == number), None)
    if index is None:
        return None
    moment = shown.moments[index]
    assert moment.turn is not None
    told = turn_facts(shown, index)
    data = {
        "turn": number,
        "player": game.names[moment.turn.seat],
        "line": moment.line,
        "told": told.told,
        "taken_back": moment.turn.undone,
        "next": None if moment.position.to_act is None else game.names[moment.position.to_act],
    }
    return _write_event(club, game, TURN, told.time, data)


def write_end_event(club: Club, game: GameFacts) -> str:
    data = {
        "turns": game.turns,
        "ending": game.ending,
        "winners": [game.names[seat] for seat in game.winners],
        "result": game.result,
        "told": game.headline,
    }
    return _write_event(club, game, END, game.ended, data)


def _write_event(club: Club, game: GameFacts, kind: str, time: datetime | None, data: dict[str, Any]) -> str:
    about: dict[str, Any] = {"game": game.slug, "title": game.title, "ruleset": game.ruleset, "players": game.names}
    about["page"] = club.make_url(find_game_file(game)) or None
    event = {"type": kind, "timestamp": time.isoformat() if time else None, "data": {**about, **data}}
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


RATED = 10
"""Players of each rating list on the home page."""
SHOWN_GAMES = 100
"""Finished games that a player's page lists; the archive has the others."""
WIDTH, HEIGHT, SIDE, FOOT = 350, 150, 38, 22
"""The drawing of a rating, in pixels, with room for words at the left and below."""
STEP = 100
"""Points of a rating between two lines of the drawing."""


def list_rating_lines(of: RatingList, most: int | None = None) -> Iterator[tuple[object, ...]]:
    """Yield the first lines of a rating list for a table, the best first: player, place, rating, range, games."""
    for line in islice(of.ratings, most):
        shown = find_player_page(line.player.id), line.player.club_name
        yield shown, line.place or "–", f"{line.rating}{'?' * line.provisional}", f"±{line.uncertainty}", line.games


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
    """A cross-table: file ("" for a part of a page), name, players (page, name), and what each did against each, "" for no game."""

    path: str
    title: str
    players: tuple[tuple[str, str], ...]
    cells: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...] = ()


@frozen
class TournamentFacts:
    """Facts for the page of a tournament: its file, its name, its system and progress, and its tables."""

    path: str
    title: str
    about: str
    state: str
    lines: tuple[tuple[object, ...], ...]
    rounds: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
    cross: Cross | None


ON_A_PAGE = 100
"""Games on one page of the archive: the older pages stay as they are when a game is added."""
LAST_RESULTS = 8
KINDS = {"By rules": "rules-", "By ending": "ending-"}
"""The parts of the archive, with the beginning of their file names."""


@frozen
class ShelfPage:
    """A page of a part of the archive: its games, the oldest first, which games these are, and the `older` and `newer` page, or ""."""

    path: str
    games: Sequence[GameKey]
    shown: str
    older: str
    newer: str


@frozen
class Shelf:
    """A part of the archive: its name, the beginning of its file names, and its games, the oldest first."""

    name: str
    stem: str
    games: Sequence[GameKey]

    def list_pages(self) -> Iterator[ShelfPage]:
        """Yield its pages, the oldest games first. The last one keeps its name, and alone gives the number of games."""
        last = max(0, (len(self.games) - 1) // ON_A_PAGE)
        numbered = (f"archive/{self.stem}-{number + 1}.html" for number in range(last))
        paths = ["", *numbered, f"archive/{self.stem}.html", ""]
        for number in range(last + 1):
            first = number * ON_A_PAGE
            games = self.games[first : first + ON_A_PAGE]
            shown = f"Games {first + 1} to {first + len(games)}, by their end"
            if number == last:
                shown = f"{count_noun(len(self.games), 'game')} that ended, the latest first"
            yield ShelfPage(paths[number + 1], games, shown, paths[number], paths[number + 2])


def build_shelves(games: Sequence[GameKey]) -> list[Shelf]:
    """Build the archive: all finished games, then those of each ruleset, then those of each ending."""
    by_rules: dict[str, list[GameKey]] = {}
    by_ending: dict[str, list[GameKey]] = {}
    for game in games:
        by_rules.setdefault(game.ruleset, []).append(game)
        by_ending.setdefault(game.ending, []).append(game)
    return [
        Shelf("All games", "index", games),
        *(Shelf(by_rules[code][-1].rules, f"rules-{code}", by_rules[code]) for code in sorted(by_rules)),
        *(Shelf(ending.capitalize(), f"ending-{ending}", by_ending[ending]) for ending in sorted(by_ending)),
    ]


@cites("club.pages.anonymous")
def write_game_page(club: Club, game: GameFacts) -> str:
    here, told = find_game_file(game), f"{game.rules}, {count_noun(game.turns, 'turn')}"
    if game.over:
        cover = find_game_file(game, "cover") if game.cover else ""
        sheet = Sheet(here, game.name, f"{game.result}. {game.headline}. {told}.", ARCHIVE, cover)
    else:
        sheet = Sheet(here, game.name, f"{game.headline}. {told} so far.", HOME)
    return "".join(write_page(club, "game", sheet, game=game, copy_note=COPIED))


SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
MOST_ENTRIES = 40
MOST_ADDRESSES = 50_000
"""Maximum number of pages in one list of pages."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def list_feed_entries(games: Iterable[GameFacts]) -> list[tuple[datetime, str, GameFacts]]:
    """List the entries of the feed, the newest first: time, `began` or `ended`, and the game."""
    told = [(game.began, "began", game) for game in games] + [(game.ended, "ended", game) for game in games]
    dated = [(time, what, game) for time, what, game in told if time is not None]
    return nlargest(MOST_ENTRIES, dated, key=lambda each: (each[0], each[1], each[2].slug))


def write_feed(club: Club, told: Sequence[tuple[datetime, str, GameFacts]]) -> str:
    """Write the feed. Its ids stay the same when the pages move."""
    name = sha256(club.title.encode()).hexdigest()[:16]
    updated = max((time for time, _, _ in told), default=LONG_AGO)
    return _load_templates().get_template(FEED).render(club=club, told=told, name=name, updated=updated)


def write_sitemap(club: Club, paths: Iterable[str]) -> Iterator[str]:
    """List the pages for search engines, in parts; the newest first if there are too many."""
    lines = (f"<url><loc>{escape(club.make_url(path))}</loc></url>" for path in islice(paths, MOST_ADDRESSES))
    return chain([f'{HEAD}<urlset xmlns="{SITEMAP}">'], lines, ["</urlset>\n"])


@cites("club.pages.calendar")
def _write_robots(club: Club) -> str:
    lines = ["User-agent: *", f"Disallow: /{CALENDARS}/", f"Disallow: /{TURNS}/"]
    return "\n".join([*lines, *([f"Sitemap: {club.make_url('sitemap.xml')}"] if club.url else [])]) + "\n"


def _format_time(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@frozen
class Leaf:
    """A file: its path, what it shows (as values whose texts tell whether that changed), and how it or its parts are made."""

    path: str
    shows: Iterable[object]
    make: Callable[[], str | Iterable[str]]


@frozen
class Standings:
    """Tables made from results: rating lists, cross-tables, tournaments."""

    lists: tuple[RatingList, ...] = ()
    crosses: tuple[Cross, ...] = ()
    tournaments: tuple[TournamentFacts, ...] = ()

    @cached_property
    def ratings(self) -> Mapping[str, tuple[tuple[str, Rating], ...]]:
        """The ratings of each player, by page: the title of the list, and the line."""
        found: dict[str, tuple[tuple[str, Rating], ...]] = {}
        for of in self.lists:
            title = of.title
            for line in of.ratings:
                found[line.player.id] = (*found.get(line.player.id, ()), (title, line))
        return found


@frozen
class PlayerGames:
    """The games of a player's page, running ones with the latest first, and finished ones with the oldest first.

    `others` are the pages of those who play in finished ones.
    """

    player: str
    running: Sequence[GameKey]
    ended: Sequence[GameKey]
    others: Sequence[str]
    score: Score


class Games(Protocol):
    """The published games: running ones with the latest first, and finished ones with the oldest first.

    `list_latest` returns those that began last and those that ended last: `most` of each, or some more. `list_players` returns
    the players who have a page. The facts of games are read when a page needs them.
    """

    def list_running(self) -> Sequence[GameKey]: ...
    def list_ended(self) -> Sequence[GameKey]: ...
    def list_latest(self, most: int) -> Sequence[GameKey]: ...
    def list_players(self) -> Iterable[PlayerGames]: ...
    def read_facts(self, games: Sequence[GameKey]) -> Iterator[GameFacts]: ...


@frozen
class Site:
    """A club's games, players and standings, and how to join; `names` go by the player's page."""

    club: Club
    games: Games
    names: Mapping[str, str]
    standings: Standings = field(factory=Standings)
    welcome: Welcome = Welcome()

    def list_leaves(self) -> Iterator[Leaf]:
        """Yield all files about more than one game, linked ones first."""
        running, ended = self.games.list_running(), self.games.list_ended()
        club, of = self.club, self.standings
        yield Leaf(STYLE, (write_style(),), write_style)
        counts = list[tuple[str, int, Score]]()
        for player in self.games.list_players():
            path, name = find_player_page(player.player), self.names[player.player]
            ratings = of.ratings.get(player.player, ())
            others = [(other, self.names[other]) for other in player.others if other in self.names]
            shown = (*_list_digests(player.running), "|", *_list_digests(player.ended), name, ratings, others)
            yield Leaf(path, shown, partial(self._write_player, player))
            counts.append((player.player, len(player.running), player.score))
        for cross in of.crosses:
            sheet = Sheet(cross.path, cross.title, f"{cross.title}: the results between the players.", RATINGS)
            yield self._make_leaf("cross", sheet, (cross,), cross=cross)
        for each in of.tournaments:
            sheet = Sheet(each.path, each.title, f"{each.title}: {each.state}.", TOURNAMENTS)
            yield self._make_leaf("tournament", sheet, (each,), tournament=each)
        yield from self._list_archive(ended)
        counts.sort(key=lambda each: (self.names[each[0]].casefold(), find_player_page(each[0])))
        sheet = Sheet(PLAYERS, "Players", f"{count_noun(len(counts), 'player')} of the club.", PLAYERS)
        lines = partial(map, self._make_player_line, counts)
        yield Leaf(sheet.path, lines(), lambda: write_page(club, "players", sheet, count=len(counts), lines=lines()))
        crosses = [(cross.path, cross.title) for cross in of.crosses]
        sheet = Sheet(RATINGS, "Ratings", "The ratings of the club's players.", RATINGS)
        rows = chain(chain.from_iterable(map(list_rating_lines, of.lists)), [crosses])
        yield self._make_leaf("ratings", sheet, rows, lists=of.lists, crosses=crosses)
        sheet = Sheet(TOURNAMENTS, "Tournaments", "The club's tournaments.", TOURNAMENTS)
        yield self._make_leaf("tournaments", sheet, of.tournaments, tournaments=of.tournaments)
        title, message = "This page is not here", "The game may have another address now, or its page was removed."
        sheet = Sheet(MISSING, title, f"{title}.", hidden=True, anchored=True)
        yield self._make_leaf("message", sheet, (), message=message, leads_home=True)
        yield make_no_list(club, CALENDARS)
        latest = self.games.list_latest(MOST_ENTRIES)
        keys = {game.slug: game.key for game in latest}
        told = list_feed_entries(self.games.read_facts(latest))
        yield Leaf(FEED, [(what, keys[game.slug]) for _, what, game in told], lambda: write_feed(club, told))
        results = ended[: -LAST_RESULTS - 1 : -1]
        best = [list(list_rating_lines(each, RATED)) for each in of.lists]
        at_home = (*_list_digests(running), "|", *_list_digests(results), best, self.welcome)
        yield Leaf(HOME, at_home, partial(self._write_home, running, results))
        yield Leaf("robots.txt", (), lambda: _write_robots(club))
        if club.url:
            players = sorted(find_player_page(player) for player, *_ in counts)

            def list_paths() -> Iterable[str]:
                return chain([HOME], map(find_game_file, chain(running, reversed(ended))), players)

            yield Leaf("sitemap.xml", list_paths(), lambda: write_sitemap(club, list_paths()))

    def _make_player_line(self, counted: tuple[str, int, Score]) -> tuple[object, ...]:
        """Make the line of a player for a table: page and name, games in progress, ended and won, and ratings."""
        player, running, score = counted
        rated = ", ".join(str(line.rating) for _, line in self.standings.ratings.get(player, ()))
        return (find_player_page(player), self.names[player]), running, score.games, score.won, rated

    def _make_leaf(self, template: str, sheet: Sheet, shows: Iterable[object], **facts: object) -> Leaf:
        return Leaf(sheet.path, shows, partial(write_page, self.club, template, sheet, **facts))

    def _write_home(self, running: Sequence[GameKey], results: Sequence[GameKey]) -> Iterator[str]:
        sheet = Sheet(HOME, self.club.title, "Games by mail: current games, winners and standings.", HOME)
        facts = {"running": self.games.read_facts(running), "results": list(self.games.read_facts(results))}
        texts = {"count": len(running), "lists": self.standings.lists, "welcome": self.welcome}
        return write_page(self.club, "home", sheet, **facts, **texts)

    def _list_archive(self, ended: Sequence[GameKey]) -> Iterator[Leaf]:
        parts = build_shelves(ended)
        names = [(part.name, part.stem) for part in parts]
        for part in reversed(parts):
            for page in part.list_pages():
                shown = (names, page.shown, page.older, page.newer, *_list_digests(page.games))
                yield Leaf(page.path, shown, partial(self._write_shelf_page, part, page, names))

    def _write_shelf_page(self, shelf: Shelf, page: ShelfPage, all_shelves: Sequence[tuple[str, str]]) -> Iterator[str]:
        """Write a page of the archive with its games; `all_shelves` are the names and file names of its parts."""
        games, is_all = list(self.games.read_facts(page.games)), shelf.stem == "index"
        groups = [
            (name, [(f"archive/{each}.html", words) for words, each in all_shelves if each.startswith(stem)])
            for name, stem in KINDS.items()
        ]
        heading, title = ("Archive", "Archive") if is_all else (shelf.name, f"Archive: {shelf.name}")
        sheet = Sheet(page.path, title, f"{heading}: {page.shown}.", ARCHIVE)
        facts = {"games": games, "heading": heading, "is_all": is_all, "groups": groups}
        return write_page(self.club, "archive", sheet, page=page, **facts)

    def _write_player(self, of: PlayerGames) -> Iterator[str]:
        running, ended = (tuple(self.games.read_facts(keys)) for keys in (of.running, of.ended))
        name, score = self.names[of.player], of.score
        description = f"{name}: {count_noun(score.games, 'game')}, {score.won} won."
        sheet = Sheet(find_player_page(of.player), name, description, PLAYERS)
        facts = {"name": name, "running": running, "ended": ended[-SHOWN_GAMES:][::-1], "score": score}
        facts |= {
            "ratings": self.standings.ratings.get(of.player, ()),
            "opponents": self._list_opponents(of.player, ended),
        }
        return write_page(self.club, "player", sheet, **facts, draw_curve=draw_curve)

    @cites("club.names")
    def _list_opponents(self, player: str, ended: Iterable[GameFacts]) -> list[tuple[object, ...]]:
        """List the opponents: page and name, and the player's score against each; most games first."""
        met: dict[str, Score] = {}
        for game in ended:
            own = next(index for index, seat in enumerate(game.seats) if seat.player == player)
            for index, seat in enumerate(game.seats):
                if game.party[index] != game.party[own] and seat.player not in {"", player}:
                    met[seat.player] = met.get(seat.player, Score()).add_game(game, own)
        pages = sorted(met, key=lambda page: (-met[page].games, self.names[page].casefold(), page))
        scores = [(find_player_page(page), self.names[page], met[page]) for page in pages]
        return [((file, name), each.games, each.won, each.drawn, each.lost) for file, name, each in scores]


def _list_digests(games: Iterable[GameKey]) -> Iterator[str]:
    return (game.key for game in games)


NO_LISTS = {
    CALENDARS: "Each player has a calendar at an address that only that player knows.",
    TURNS: "The link to your turn is in your letter.",
}
"""Page of folders with secret addresses, which takes the place of a list of them."""


def make_no_list(club: Club, folder: str) -> Leaf:
    """Return the page that a web server shows instead of a list of secret addresses."""
    sheet = Sheet(f"{folder}/index.html", folder.capitalize(), f"{folder.capitalize()} of players.", hidden=True)
    message = NO_LISTS[folder]
    return Leaf(sheet.path, (), lambda: write_page(club, "message", sheet, message=message, leads_home=False))
