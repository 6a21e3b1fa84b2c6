"""How search engines and chats find and show the pages: the sitemap, a picture for links, and rules as linked data."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from attrs import evolve
from markupsafe import Markup

from docs.making.words import ROOT, page_title
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.render.picture import Part, write_text_element
from tkid.render.raster import COVER_COLOURS, COVER_WIDTH, draw_cover, draw_png
from tkid.rulebook import Rule
from tkid.rulebook.register import DEFAULT as SITE

CARD = "assets/card.png"
"""The picture that chats show beside a link to any page."""
GAME = ROOT / "fixtures" / "games" / "second-edition" / "coronation-final-tie-last-card-players.tkid"
WORDS = (("The King is Dead", 56, "700"), ("Rules you can ask, cite", 34, "400"), ("and play by mail", 34, "400"))
CANONICAL = re.compile(r'<link rel="canonical" href="(?P<address>[^"]+)"')


@cache
def card() -> bytes:
    """The picture for links: the site's name beside a board."""
    record = read_record(GAME.read_bytes()).record
    assert record is not None
    drawn = draw_cover(replay(record), 12)
    words, base = "", 220
    for line, size, weight in WORDS:
        base += size + 20
        words += write_text_element(56, base, line, class_="cover", font_size=size, font_weight=weight)
    parts = tuple(Part("words", words) if part.name == "words" else part for part in drawn.parts)
    return draw_png(evolve(drawn, parts=parts), width=COVER_WIDTH, colours=COVER_COLOURS)


def addresses(site: Path) -> Iterator[str]:
    """The address of each page that search engines may list: those that name themselves as canonical."""
    for file in sorted(site.rglob("index.html")):
        head = file.read_text("utf-8").partition("</head>")[0]
        found = CANONICAL.search(head)
        own = f"{SITE}{file.relative_to(site).as_posix().removesuffix('index.html')}"
        if found and found["address"] == own and 'name="robots" content="noindex"' not in head:
            yield own


def write_sitemap(site: Path) -> None:
    """List all pages of a built site, whatever made them."""
    lines = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses(site))
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n{lines}</urlset>\n'
    (site / "sitemap.xml").write_text(text, "utf-8")
    (site / "sitemap.xml.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def term(entry: Rule, title: str) -> dict[str, Any]:
    """A rule as schema.org knows it.

    A rule is a `DefinedTerm`: it has a name, a description, and a code that never changes, in a set of such terms.
    `Legislation` would be law, with a jurisdiction.
    """
    return {
        "@type": "DefinedTerm",
        "@id": entry.link,
        "termCode": entry.id,
        "name": title,
        "description": entry.statement,
        "url": f"{SITE}{entry.path}",
        "inDefinedTermSet": {
            "@type": "DefinedTermSet",
            "@id": f"{SITE}rules/{entry.page}/",
            "name": page_title(entry.page),
        },
    }


def questions(entry: Rule) -> dict[str, Any]:
    """What people ask about a rule, as schema.org knows pages of questions with one answer each."""
    return {
        "@type": "FAQPage",
        "mainEntity": [
            {"@type": "Question", "name": question, "acceptedAnswer": {"@type": "Answer", "text": answer}}
            for question, answer in entry.asks
        ],
    }


def linked_data(entry: Rule, title: str) -> Markup:
    """The rule of a page, and its questions, as JSON-LD."""
    graph = [term(entry, title), *([questions(entry)] if entry.asks else [])]
    text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no sign in it ends the script
