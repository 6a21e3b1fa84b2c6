"""The pages of games: one that goes on, as a spectator sees it, and one that is over, with its replay and its file."""

from __future__ import annotations

from html import escape

from tkid.club.pages.facts import GameFacts
from tkid.club.pages.frame import ARCHIVE, HOME, Club, Sheet, document, link, to
from tkid.club.pages.parts import board_file, crumbs, day, game_page, moment, turn_line, who
from tkid.club.pages.public import COPIED
from tkid.notation.numbers import counted
from tkid.rulebook import cites

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
    sheet = _finished(game) if game.over else _running(game)
    return document(club, sheet)


def _running(game: GameFacts) -> Sheet:
    here = game_page(game)
    turns = "\n".join(
        f'<li>{escape(each.told)}<br><span class="dim small">Turn {each.number}'
        f"{', ' if each.time else ''}{moment(each.time)}</span></li>"
        for each in game.told
    )
    body = f"""{crumbs(here, (HOME, "Games"))}
<h1>{escape(game.name)}</h1>
<p class="dim">{escape(game.rules)} · {counted(game.turns, "turn")}</p>
<div class="two"><div>
<div class="answer"><p class="say">{escape(game.headline)}</p><p>{turn_line(game)}</p></div>
{_board(game, here)}
</div><div>
<h2>Last turns</h2>
{f'<ol class="turns">{turns}</ol>' if turns else WAITS}
{_words(game)}
<h2>About this game</h2>
{_facts(game, here)}
</div></div>"""
    description = f"{game.headline}. {game.rules}, {counted(game.turns, 'turn')} so far."
    return Sheet(here, game.name, description, body, HOME)


def _finished(game: GameFacts) -> Sheet:
    here = game_page(game)
    decided = "".join(f"<li>{escape(each)}</li>" for each in game.decided)
    replay = to(replay_file(game), here)
    note = f'<p class="note">{COPIED}</p>' if game.copy else ""
    body = f"""{crumbs(here, (ARCHIVE, "Archive"), (f"archive/rules-{game.ruleset}.html", game.rules))}
<h1>{escape(game.name)}</h1>
<p class="dim">{escape(game.rules)} · {counted(game.turns, "turn")} · ended {day(game.ended)}</p>
<div class="two"><div>
<div class="answer"><p class="say">{escape(game.result)}</p><p>{escape(game.headline)}.</p>
{f"<ul>{decided}</ul>" if decided else ""}</div>
<p class="actions"><a class="btn main" href="{replay}">Play through the game</a>\
<a class="btn" href="{to(record_file(game), here)}" download>Download the game file</a></p>
{note}
{_board(game, here, replay)}
</div><div>
{_words(game)}
<h2>About this game</h2>
{_facts(game, here)}
</div></div>"""
    description = f"{game.result}. {game.headline}. {game.rules}, {counted(game.turns, 'turn')}."
    return Sheet(here, game.name, description, body, ARCHIVE, cover_file(game))


def _board(game: GameFacts, here: str, leads: str = "") -> str:
    image = (
        f'<img src="{to(board_file(game), here)}" alt="The board: {escape(game.headline)}" width="480" height="620">'
    )
    return f'<figure class="board">{f"<a href={leads!r}>{image}</a>" if leads else image}</figure>'


def _words(game: GameFacts) -> str:
    return f"<details><summary>The position in words</summary><p>{escape(game.picture)}</p></details>"


def _facts(game: GameFacts, here: str) -> str:
    rows = {
        "Players": who(game, here),
        "Rules": link(f"archive/rules-{game.ruleset}.html", here, game.rules) if game.over else escape(game.rules),
        "Began": day(game.began),
        "Ended": day(game.ended),
        "Turns": str(game.turns),
        "Ending": link(f"archive/ending-{game.ending}.html", here, game.ending.capitalize()) if game.over else "",
    }
    items = "\n".join(f"<div><dt>{name}</dt><dd>{fact}</dd></div>" for name, fact in rows.items() if fact)
    return f'<dl class="facts">\n{items}\n</dl>'
