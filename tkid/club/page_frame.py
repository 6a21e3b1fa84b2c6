"""The frame and the parts that all pages share, and news for other programs."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Any

from attrs import frozen

from tkid.club.game_facts import MOSTLY, GameFacts, turn_facts
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


@cache
def write_style() -> str:
    return write_css_variables() + "\n" + files("tkid.club").joinpath("pages", STYLE).read_text("utf-8")


def write_page(club: Club, template: str, sheet: Sheet, **facts: object) -> str:
    """Write a page as an HTML document from a template in `pages`. It needs the style beside it, and no script."""
    return str(
        _load_templates().get_template(f"{template}.html").render(club=club, sheet=sheet, here=sheet.path, **facts)
    )


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
    templates.filters |= {"to": find_way, "count_noun": count_noun}
    pages = {"ARCHIVE": ARCHIVE, "FEED": FEED, "HOME": HOME, "PLAYERS": PLAYERS, "RATINGS": RATINGS, "STYLE": STYLE}
    templates.globals |= pages | {"TOURNAMENTS": TOURNAMENTS}
    for find_file in (
        *(find_game_page, find_map_file, find_board_file),
        *(find_replay_file, find_record_file, find_player_page),
    ):
        templates.globals[find_file.__name__] = find_file
    return templates


def find_game_page(game: GameFacts) -> str:
    return f"games/{game.slug}.html"


def find_map_file(game: GameFacts) -> str:
    """Return the file with a small picture of the map or table of a running game."""
    return f"boards/{game.slug}.map.svg"


def find_board_file(game: GameFacts) -> str:
    return f"boards/{game.slug}.svg"


def find_replay_file(game: GameFacts) -> str:
    return f"replays/{game.slug}.html"


def find_record_file(game: GameFacts) -> str:
    return f"records/{game.slug}.tkid"


def find_player_page(player: str) -> str:
    """Return the file of a player's page; "" for somebody who has none."""
    return f"players/{player}.html" if player else ""


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
    return _write_event(TURN, told.time.isoformat() if told.time else None, _describe_game(club, game) | data)


def write_end_event(club: Club, game: GameFacts) -> str:
    data = {
        "turns": game.turns,
        "ending": game.ending,
        "winners": [game.names[seat] for seat in game.winners],
        "result": game.result,
        "told": game.headline,
    }
    return _write_event(END, game.ended.isoformat() if game.ended else None, _describe_game(club, game) | data)


def _describe_game(club: Club, game: GameFacts) -> dict[str, Any]:
    page = club.make_url(find_game_page(game)) or None
    about = {"game": game.slug, "title": game.title, "ruleset": game.ruleset}
    return {**about, "players": list(game.names), "page": page}


def _write_event(kind: str, time: str | None, data: dict[str, Any]) -> str:
    return json.dumps({"type": kind, "timestamp": time, "data": data}, ensure_ascii=False, separators=(",", ":"))
