"""The pages that list games: the home page, and the archive by ruleset and by ending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from attrs import frozen

from tkid.club.pages.facts import GameFacts
from tkid.club.pages.frame import ARCHIVE, HOME, PLAYERS, RATINGS, Club, Sheet, document, to
from tkid.club.pages.parts import chips, crumbs, game_page, map_file, rows, turn_line
from tkid.club.pages.standings import RatingList, ranks
from tkid.notation.numbers import counted

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

    def pages(self) -> Iterator[ShelfPage]:
        """Its pages, the oldest games first. The last one has a name that stays, whatever is added."""
        last = max(0, (len(self.games) - 1) // ON_A_PAGE)
        for number in range(last + 1):
            games = self.games[number * ON_A_PAGE : (number + 1) * ON_A_PAGE]
            yield ShelfPage(self, number, last, games)

    def path(self, number: int, last: int) -> str:
        """The file of a page."""
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
        """Which games are on it, in words: only the last page says how many there are, so that the others stay."""
        first = self.number * ON_A_PAGE + 1
        if self.number == self.last:
            return f"{counted(len(self.shelf.games), 'game')} that ended, the last one first"
        return f"Games {first} to {first + len(self.games) - 1}, by their end"

    @property
    def path(self) -> str:
        """Its file."""
        return self.shelf.path(self.number, self.last)


def shelves(games: Sequence[GameFacts]) -> list[Shelf]:
    """The archive: all games that are over, then those of each ruleset, then those of each ending."""
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


def home(club: Club, running: Sequence[GameFacts], results: Sequence[GameFacts], lists: Sequence[RatingList]) -> str:
    """The home page: games that go on, the last results (newest first), and who leads."""
    cards = "\n".join(_card(game) for game in running)
    standings = "".join(f"<h2>{escape(each.title)}</h2>\n{ranks(each, HOME, TOP)}" for each in lists if each.ranks)
    body = f"""<h1>{escape(club.title)}</h1>
<p class="dim">{counted(len(running), "game")} going on by mail</p>
<div class="two home"><div>
<h2>Games that go on</h2>
{f'<div class="games">{cards}</div>' if cards else NOTHING_RUNS}
</div><div>
<h2>Last results</h2>
{rows(results[:LAST_RESULTS], HOME) if results else NOTHING_ENDED}
<p class="actions"><a class="btn" href="{ARCHIVE}">All games</a><a class="btn" href="{PLAYERS}">All players</a></p>
{standings}
{f'<p class="actions"><a class="btn" href="{RATINGS}">All ratings</a></p>' if standings else ""}
</div></div>"""
    description = "Games by mail: what goes on, who won, and who leads."
    return document(club, Sheet(HOME, club.title, description, body, HOME))


def _card(game: GameFacts) -> str:
    """A running game on the home page."""
    about = [game.players] if game.title else []
    return (
        f'<a class="game" href="{to(game_page(game), HOME)}">'
        f'<img src="{map_file(game)}" alt="" loading="lazy" width="104" height="130">'
        f'<span><b>{escape(game.name)}</b><span class="small">{escape(" · ".join([*about, game.rules]))}</span>'
        f'<span class="turn">{escape(game.headline)}</span><span class="small">{turn_line(game)}</span></span></a>'
    )


def shelf_page(club: Club, page: ShelfPage, all_shelves: Sequence[tuple[str, str]]) -> str:
    """A page of the archive; `all_shelves` are the names and file names of its parts."""
    here, shelf = page.path, page.shelf
    is_all = shelf.stem == "index"
    links = "\n".join(
        f'<h2 class="group">{name}</h2>\n{chips(here, own)}'
        for name, stem in KINDS.items()
        if (own := [(f"archive/{each}.html", words) for words, each in all_shelves if each.startswith(stem)])
    )
    around = ""
    if page.last:
        older = f'<a class="btn" href="{to(shelf.path(page.number - 1, page.last), here)}" rel="next">Older games</a>'
        newer = f'<a class="btn" href="{to(shelf.path(page.number + 1, page.last), here)}" rel="prev">Newer games</a>'
        around = f'<p class="pages">{newer if page.number < page.last else "<span></span>"}{older if page.number else ""}</p>'
    title = "Archive" if is_all else f"Archive: {shelf.name}"
    heading = "Archive" if is_all else shelf.name
    body = f"""{"" if is_all else crumbs(here, (ARCHIVE, "Archive"))}
<h1>{escape(heading)}</h1>
<p class="dim">{page.shown}</p>
{links}
<h2>Games</h2>
{rows(reversed(page.games), here) if page.games else NOTHING_ENDED}
{around}"""
    return document(club, Sheet(here, title, f"{heading}: {page.shown}.", body, ARCHIVE))


def missing(club: Club) -> str:
    """What a web server shows for a page that is not there. It works wherever the server shows it, if the club has an address."""
    body = (
        "<h1>This page is not here</h1>\n<p>The game may have another address now, or its page was removed.</p>\n"
        f'<p class="actions"><a class="btn main" href="{HOME}">Go to the games</a></p>'
    )
    return document(
        club, Sheet("404.html", "This page is not here", "This page is not here.", body, hidden=True, anchored=True)
    )
