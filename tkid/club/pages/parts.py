"""Parts that several pages of a club have in common: times, lists of games, tables, ways to other pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

from tkid.club.pages.facts import GameFacts
from tkid.club.pages.frame import link, to


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


def day(time: datetime | None) -> str:
    """A day, as HTML: `21 Nov 2026`; "" for none."""
    return f'<time datetime="{time:%Y-%m-%d}">{time.day}\u00a0{time:%b\u00a0%Y}</time>' if time else ""


def moment(time: datetime | None) -> str:
    """A day and a time, as HTML: `21 Nov 2026, 10:04 UTC`; "" for none."""
    if time is None:
        return ""
    return f'<time datetime="{time:%Y-%m-%dT%H:%MZ}">{time.day}\u00a0{time:%b\u00a0%Y, %H:%M}\u00a0UTC</time>'


def who(game: GameFacts, here: str) -> str:
    """The players with ways to their pages, as HTML."""
    names = []
    for seat in game.seats:
        played = f" (played by {escape(seat.stand_in)})" if seat.stand_in else ""
        names.append(link(player_page(seat.player), here, seat.name) + played)
    return ", ".join(names)


def turn_line(game: GameFacts) -> str:
    """Whose turn it is and since when, as HTML."""
    since = f" since {moment(game.since)}" if game.since else ""
    whose = f"{escape(game.names[game.to_act])}\u2019s turn{since}" if game.to_act is not None else ""
    return f"The game rests. {whose}" if game.resting else whose


def rows(games: Iterable[GameFacts], here: str) -> str:
    """Finished games as a list of links: what was played, who won, and when."""
    items = []
    for game in games:
        about = " \u00b7 ".join(filter(None, (game.result, game.players if game.title else "", game.rules)))
        items.append(
            f'<li><a href="{to(game_page(game), here)}"><b>{escape(game.name)}</b>'
            f"<span>{escape(about)}</span>{day(game.ended)}</a></li>"
        )
    return f'<ul class="rows">\n{_lines(items)}\n</ul>'


def crumbs(here: str, *steps: tuple[str, str]) -> str:
    """The way to a page from the top."""
    return f'<nav class="crumbs" aria-label="You are here">{"".join(link(path, here, words) for path, words in steps)}</nav>'


def table(heads: Sequence[str], lines: Iterable[Sequence[str]], caption: str, numbers: int = 1) -> str:
    """A table of HTML cells; those from the column `numbers` on are figures, and the first one heads its row."""
    top = "".join(
        f'<th scope="col"{" class=n" * (index >= numbers)}>{escape(head)}</th>' for index, head in enumerate(heads)
    )
    body = _lines(
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


def chips(here: str, links: Iterable[tuple[str, str]]) -> str:
    """Links side by side; the one that leads here is marked."""
    return (
        '<p class="chips">'
        + "".join(
            f'<a href="{to(path, here)}"{" aria-current=page" * (path == here)}>{escape(words)}</a>'
            for path, words in links
        )
        + "</p>"
    )


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)
