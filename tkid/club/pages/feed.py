"""What programs read of a club: the feed of games that began or ended (Atom), the list of pages, and rules for search engines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from heapq import nlargest
from xml.etree import ElementTree as ET

from tkid.club.pages.facts import GameFacts
from tkid.club.pages.frame import FEED, HOME, Club
from tkid.club.pages.parts import game_page
from tkid.rulebook import cites

ATOM, SITEMAP = "http://www.w3.org/2005/Atom", "http://www.sitemaps.org/schemas/sitemap/0.9"
MOST_ENTRIES = 40
MOST_ADDRESSES = 50_000
"""So many pages one list of pages may have."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
CALENDARS = "calendars"


def entries(games: Iterable[GameFacts]) -> list[tuple[datetime, str, GameFacts]]:
    """What the feed tells, the newest first: when, `began` or `ended`, and the game."""
    told = [(game.began, "began", game) for game in games] + [(game.ended, "ended", game) for game in games]
    dated = [(time, what, game) for time, what, game in told if time is not None]
    return nlargest(MOST_ENTRIES, dated, key=lambda each: (each[0], each[1], each[2].slug))


def feed(club: Club, told: Sequence[tuple[datetime, str, GameFacts]]) -> str:
    """The feed. Its ids stay the same wherever the pages are moved to."""
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": "en-GB"})
    name = sha256(club.title.encode()).hexdigest()[:16]
    _element(root, "title", club.title)
    _element(root, "id", club.address(HOME) or f"urn:tkid:club:{name}")
    _element(root, "updated", _time(max((time for time, _, _ in told), default=LONG_AGO)))
    if club.url:
        ET.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": club.address(FEED)})
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": club.address(HOME) or HOME})
    _element(ET.SubElement(root, "author"), "name", club.title)
    for time, what, game in told:
        entry = ET.SubElement(root, "entry")
        path = game_page(game)
        title = f"{game.name}: {game.result}" if what == "ended" else f"{game.name} has begun"
        about = f"{game.headline}. {game.players}." if what == "ended" else f"{game.players} play {game.rules}."
        _element(entry, "title", title)
        _element(entry, "id", f"urn:tkid:{name}:{what}:{game.slug}")
        _element(entry, "updated", _time(time))
        _element(entry, "published", _time(time))
        ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": club.address(path) or path})
        _element(entry, "summary", about)
    return HEAD + ET.tostring(root, encoding="unicode") + "\n"


def sitemap(club: Club, paths: Iterable[str]) -> str:
    """The list of pages, for search engines; the newest first where there are too many."""
    root = ET.Element("urlset", {"xmlns": SITEMAP})
    for path in list(paths)[:MOST_ADDRESSES]:
        _element(ET.SubElement(root, "url"), "loc", club.address(path))
    return HEAD + ET.tostring(root, encoding="unicode") + "\n"


@cites("club.pages.calendar")
def robots(club: Club) -> str:
    """What search engines may read: everything but calendars."""
    lines = ["User-agent: *", f"Disallow: /{CALENDARS}/"]
    return "\n".join([*lines, *([f"Sitemap: {club.address('sitemap.xml')}"] if club.url else [])]) + "\n"


def _element(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = "".join(c for c in text if c.isprintable() or c == " ")


def _time(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
