"""The frame and the parts that all pages share, and news for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from html import escape
from importlib.resources import files
from posixpath import dirname, relpath
from typing import Any

from attrs import frozen

from tkid.club.game_facts import MOSTLY, GameFacts, turn_facts
from tkid.record.play.replay import Replay
from tkid.render.picture import write_css_variables
from tkid.rulebook import cites

STYLE, FEED, HOME, MISSING = "club.css", "feed.xml", "index.html", "404.html"
ARCHIVE, PLAYERS, RATINGS, TOURNAMENTS = (
    "archive/index.html",
    "players/index.html",
    "ratings/index.html",
    "tournaments/index.html",
)
TABS = {
    HOME: ("Games", '<path d="M4 6l8-3 8 3v13l-8-3-8 3zM12 3v13"/>'),
    ARCHIVE: ("Archive", '<path d="M3 4h18v5H3zM5 9v10h14V9M10 13h4"/>'),
    PLAYERS: ("Players", '<circle cx="9" cy="8" r="4"/><path d="M2 20c1-5 13-5 14 0M16 4.500a4 4 0 0 1 0 7M18 15c2 .8 3.500 2.500 4 5"/>'),
    RATINGS: ("Ratings", '<path d="M4 20v-7h4v7M10 20V5h4v15M16 20v-10h4v10"/>'),
    TOURNAMENTS: ("Tournaments", '<path d="M7 3h10v6a5 5 0 0 1-10 0zM7 5H3c0 4 2 5 4 5M17 5h4c0 4-2 5-4 5M12 14v4M8 20h8"/>'),
}  # fmt: skip
ON_PHONES = {"Tournaments": "Events"}
"""Names of tabs that are too long for a phone."""
SIGN = (
    '<svg viewBox="0 0 50 20" aria-hidden="true">'
    '<path d="M1.300 2.300h15.500v15.500h-15.500Z" class="p0"/><text x="9" y="13.600" class="o0" font-size="10" text-anchor="middle">S</text>'
    '<path d="M25.500.8l8 4.600v9.200l-8 4.600-8-4.600v-9.200Z" class="p1"/><text x="25.500" y="13.600" class="o1" font-size="10" text-anchor="middle">W</text>'
    '<path d="M41 .1l9 9.900-9 9.900-9.900-9.900Z" class="p2"/><text x="41" y="13.600" class="o2" font-size="10" text-anchor="middle">E</text></svg>'
)


@frozen
class Club:
    """A club as every page knows it: its name, and the address of its pages ("" for none)."""

    name: str = ""
    url: str = ""

    @property
    def title(self) -> str:
        """The club's name, or a default one."""
        return self.name or MOSTLY

    def make_url(self, path: str) -> str:
        """Return the whole address of a file, or "" if the club has none."""
        return f"{self.url.rstrip('/')}/{path.removesuffix('index.html')}" if self.url else ""


@frozen
class Sheet:
    """A page: where it is, its title, the words that describe it, its body as HTML, and the tab that it belongs to.

    `image` is the path of its picture for links, "" for none; `hidden` keeps it out of search engines. One that is
    `anchored` works at any address, if the club has one.
    """

    path: str
    title: str
    description: str
    body: str
    tab: str = ""
    image: str = ""
    hidden: bool = False
    anchored: bool = False


def to(path: str, here: str) -> str:
    """The way from one file to another, as it is written in a link."""
    return relpath(path, dirname(here) or ".")


def link(path: str, here: str, words: str) -> str:
    """A link to another file, as HTML; the words alone where there is no file."""
    return f'<a href="{escape(to(path, here))}">{escape(words)}</a>' if path else escape(words)


@cache
def write_style() -> str:
    """Write the style of all pages: the colours by their roles, and the rules that use them."""
    return write_css_variables() + "\n" + files("tkid.club").joinpath(STYLE).read_text("utf-8")


def write_page(club: Club, sheet: Sheet) -> str:
    """Write a page as an HTML document. It needs the style beside it, and no script."""
    here = sheet.path
    whole = sheet.title if sheet.path == HOME else f"{sheet.title}: {club.title}"
    address = club.make_url(here)
    base = f'<base href="{escape(club.make_url(HOME))}">\n' if sheet.anchored and club.url else ""
    head = "\n".join(
        (
            f'<meta name="description" content="{escape(sheet.description)}">',
            *(['<meta name="robots" content="noindex">'] if sheet.hidden else []),
            *([f'<link rel="canonical" href="{escape(address)}">'] if address and not sheet.hidden else []),
            *_list_link_tags(club, sheet, address),
        )
    )
    menu = "\n".join(_write_tab(path, words, here, sheet.tab) for path, (words, _) in TABS.items())
    tabs = "\n".join(
        _write_tab(path, ON_PHONES.get(words, words), here, sheet.tab, icon) for path, (words, icon) in TABS.items()
    )
    return (
        '<!doctype html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"{base}<title>{escape(whole)}</title>\n{head}\n"
        f'<link rel="stylesheet" href="{to(STYLE, here)}">\n'
        f'<link rel="alternate" type="application/atom+xml" title="{escape(club.title)}" href="{to(FEED, here)}">\n'
        f'</head>\n<body>\n<a class="skip" href="#main">Skip to the text</a>\n'
        f'<header class="bar"><div>\n<a class="brand" href="{to(HOME, here)}">{SIGN}<span>{escape(club.title)}</span></a>\n'
        f'<nav aria-label="Main">\n{menu}\n</nav>\n</div></header>\n'
        f'<main id="main">\n{sheet.body}\n</main>\n'
        f"<footer>{link(FEED, here, 'News feed')}{link(ARCHIVE, here, 'All games')}"
        f"<p>A club that plays by mail. Running games are shown as a spectator may see them.</p></footer>\n"
        f'<nav class="tabs" aria-label="Main, phone">\n{tabs}\n</nav>\n</body>\n</html>\n'
    )


def _write_tab(path: str, words: str, here: str, current: str, icon: str = "") -> str:
    drawn = f'<svg viewBox="0 0 24 22" aria-hidden="true">{icon}</svg>' if icon else ""
    mark = ' aria-current="page"' if path == current else ""
    return f'<a href="{to(path, here)}"{mark}>{drawn}{words}</a>'


def _list_link_tags(club: Club, sheet: Sheet, address: str) -> Iterable[str]:
    rows = {
        "og:type": "website",
        "og:site_name": club.title,
        "og:title": sheet.title,
        "og:description": sheet.description,
        "og:url": address,
        "og:image": (club.make_url(sheet.image) or to(sheet.image, sheet.path)) if sheet.image else "",
        "og:image:width": "1200" if sheet.image else "",
        "og:image:height": "630" if sheet.image else "",
        "og:image:alt": sheet.description if sheet.image else "",
    }
    return [f'<meta property="{name}" content="{escape(value)}">' for name, value in rows.items() if value]


def game_page(game: GameFacts) -> str:
    """The file of a game's page."""
    return f"games/{game.slug}.html"


def map_file(game: GameFacts) -> str:
    """The file with a small picture of the map or table of a running game."""
    return f"boards/{game.slug}.map.svg"


def board_file(game: GameFacts) -> str:
    """The file with the picture of a game's board."""
    return f"boards/{game.slug}.svg"


def player_page(player: str) -> str:
    """The file of a player's page; "" for somebody who has none."""
    return f"players/{player}.html" if player else ""


def write_day_tag(time: datetime | None) -> str:
    """Write a day as HTML: `21 Nov 2026`; "" for none."""
    return f'<time datetime="{time:%Y-%m-%d}">{time.day}\u00a0{time:%b\u00a0%Y}</time>' if time else ""


def write_moment_tag(time: datetime | None) -> str:
    """Write a day and a time as HTML: `21 Nov 2026, 10:04 UTC`; "" for none."""
    if time is None:
        return ""
    return f'<time datetime="{time:%Y-%m-%dT%H:%MZ}">{time.day}\u00a0{time:%b\u00a0%Y, %H:%M}\u00a0UTC</time>'


def link_players(game: GameFacts, here: str) -> str:
    """Write the players with links to their pages, as HTML."""
    names = []
    for seat in game.seats:
        played = f" (played by {escape(seat.stand_in)})" if seat.stand_in else ""
        names.append(link(player_page(seat.player), here, seat.name) + played)
    return ", ".join(names)


def write_turn_line(game: GameFacts) -> str:
    """Write whose turn it is and since when, as HTML."""
    since = f" since {write_moment_tag(game.since)}" if game.since else ""
    whose = f"{escape(game.names[game.to_act])}\u2019s turn{since}" if game.to_act is not None else ""
    return f"The game rests. {whose}" if game.resting else whose


def write_game_rows(games: Iterable[GameFacts], here: str) -> str:
    """Write finished games as a list of links with the rules, the winners and the day."""
    items = []
    for game in games:
        about = " \u00b7 ".join(filter(None, (game.result, game.players if game.title else "", game.rules)))
        items.append(
            f'<li><a href="{to(game_page(game), here)}"><b>{escape(game.name)}</b>'
            f"<span>{escape(about)}</span>{write_day_tag(game.ended)}</a></li>"
        )
    return f'<ul class="rows">\n{_join_lines(items)}\n</ul>'


def write_crumbs(here: str, *steps: tuple[str, str]) -> str:
    """Write the path to a page from the top."""
    return f'<nav class="crumbs" aria-label="You are here">{"".join(link(path, here, words) for path, words in steps)}</nav>'


def write_table(heads: Sequence[str], lines: Iterable[Sequence[str]], caption: str, numbers: int = 1) -> str:
    """Write a table of HTML cells. Columns from `numbers` on are figures, and the first cell heads its row."""
    top = "".join(
        f'<th scope="col"{" class=n" * (index >= numbers)}>{escape(head)}</th>' for index, head in enumerate(heads)
    )
    body = _join_lines(
        "<tr>"
        + "".join(
            f'<th scope="row">{cell}</th>' if not index else f"<td{' class=n' * (index >= numbers)}>{cell}</td>"
            for index, cell in enumerate(line)
        )
        + "</tr>"
        for line in lines
    )
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{escape(caption)}"><table><caption class=vh>{escape(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def write_chips(here: str, links: Iterable[tuple[str, str]]) -> str:
    """Write links side by side; the one to this page is marked."""
    return (
        '<p class="chips">'
        + "".join(
            f'<a href="{to(path, here)}"{" aria-current=page" * (path == here)}>{escape(words)}</a>'
            for path, words in links
        )
        + "</p>"
    )


def _join_lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)


TURN, END = "game.turn", "game.end"


def turns_of(shown: Replay) -> tuple[int, ...]:
    """The numbers of the turns that are published, those that were taken back too."""
    return tuple(turn.number for turn in shown.record.turns)


@cites("club.hooks.sent")
def turn_event(club: Club, game: GameFacts, shown: Replay, number: int) -> str | None:
    """The text about a turn; None where there is no such turn any more."""
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
    return _write_event(TURN, told.time.isoformat() if told.time else None, _describe_game(club, game) | data)


def end_event(club: Club, game: GameFacts) -> str:
    """The text about the end of a game."""
    data = {
        "turns": game.turns,
        "ending": game.ending,
        "winners": [game.names[seat] for seat in game.winners],
        "result": game.result,
        "told": game.headline,
    }
    return _write_event(END, game.ended.isoformat() if game.ended else None, _describe_game(club, game) | data)


def _describe_game(club: Club, game: GameFacts) -> dict[str, Any]:
    return {
        "game": game.slug,
        "title": game.title,
        "ruleset": game.ruleset,
        "players": list(game.names),
        "page": club.make_url(game_page(game)) or None,
    }


def _write_event(kind: str, time: str | None, data: dict[str, Any]) -> str:
    return json.dumps({"type": kind, "timestamp": time, "data": data}, ensure_ascii=False, separators=(",", ":"))
