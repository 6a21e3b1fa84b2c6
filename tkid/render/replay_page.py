"""A replay as one page of HTML: a picture of every turn to step through, and what happened."""

from __future__ import annotations

from html import escape
from typing import Any

from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.render.click_page import unwritten
from tkid.render.frames import last_turn
from tkid.render.html import Page, data, page, part
from tkid.render.palette import variables
from tkid.render.picture import Picture, css, definitions, groups
from tkid.render.plugin import render_plugin
from tkid.render.replay.data import page_data
from tkid.render.replay.facts import facts, header, result, title
from tkid.render.replay.graph import graph
from tkid.render.replay.shown import shown
from tkid.render.replay.turns import heading, told, turns
from tkid.render.replay.words import Words


def _icon(path: str, name: str = "") -> str:
    """A sign on a button."""
    return f'<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"{name}><path d="{path}"/></svg>'


ICONS = {
    "earlier": _icon("M4 5h2.6v14H4ZM19 5v14L8 12Z"),
    "back": _icon("M16 5v14L6 12Z"),
    "play": _icon("M7 4v16l12-8Z", ' id="go"') + _icon("M6 5h4v14H6ZM14 5h4v14h-4Z", ' id="halt"'),
    "next": _icon("M8 5v14l10-7Z"),
    "later": _icon("M17.4 5H20v14h-2.6ZM5 5v14l11-7Z"),
}
OF_PICTURES = "/* pictures */"
"""Behind it in the style of the page is that of the pictures, which one that is saved takes along."""


def replay_page(replay: Replay, seat: int | None = None, what_if: int | None = None) -> str:
    """A game as a page that needs no other file and no network.

    It holds what the seat may know; without a seat, what a spectator may know. Nothing is hidden when the game is over.
    `what_if` is the number of a turn, or of the next one: another turn in its place can be put together by clicks, with what
    whoever is to take it knows.
    """
    story = shown(replay, seat)
    trial = None if what_if is None else _trial(replay, what_if)
    known, last = story.known, story.frames[-1]
    picture = last.picture
    game, words = known.record.game, Words(known.record.names)
    chapters = render_plugin(game).chapters(game, [frame.moment.position for frame in story.frames])
    drawn = graph(known, words)
    body = PAGE.format(
        header=header(known.record, words),
        board=_board(picture),
        rows=_rows(picture),
        description=escape(picture.description),
        last=heading(last, words),
        told=told(last.tale, words),
        result=result(known, words),
        graph=drawn,
        turns=turns(story, chapters, words),
        facts=facts(known, seat, words),
        kind=chapters[0].kind,
        data=data("game", page_data(story, chapters) | _framed(trial, what_if, len(story.frames) - 1)),
        **ICONS,
    )
    style, script = (part(f"replay.{kind}") + (part(f"graph.{kind}") if drawn else "") for kind in ("css", "js"))
    style = variables() + style + OF_PICTURES + css(picture.style)
    return page(title(known.record), body, style=style, script=script, framed=trial)


def _trial(replay: Replay, turn: int) -> Page:
    """A board to click for the position before a turn."""
    record, index = replay.record, turn - 1
    seat = replay.moments[index].position.to_act
    known = seen(replay, seat)
    view = record.game.view(known.moments[index].position, seat)
    last = last_turn(known, index, seat)
    return unwritten(record.game, view, record.names, title=f"Another turn {turn}", last=last, due=False)


def _framed(trial: Page | None, turn: int | None, last: int) -> dict[str, Any]:
    """The board to click as data of the page, and the moment where it is offered."""
    if trial is None or turn is None:
        return {}
    written = page(trial.title, trial.body, style=trial.style, script=trial.script)
    return {"trial": {"at": min(turn, last), "turn": turn, "page": written}}


PAGE = """\
<header>
{header}
</header>
<main>
<div class="column">
<section class="board" id="board" aria-label="The board">{board}</section>
<section class="rows" id="rows">{rows}
<details><summary>The position in words</summary><p id="told">{description}</p></details>
</section>
</div>
<div class="column">
<section class="narration" id="narration" aria-label="What happened">
<div id="news" aria-live="polite"><h2 id="heading">{last}</h2>
<div id="tale">{told}</div></div>
{result}
<button type="button" id="try" hidden></button>
<noscript><p>Scripts are switched off, so you cannot step through the game. The picture shows the last position.</p></noscript>
</section>
<section class="steps" id="steps" aria-label="Go through the game" hidden>
<div class="time" id="time" role="slider" tabindex="0" aria-label="Turn" aria-valuemin="0"></div>
<div class="bar">
<button type="button" id="earlier" aria-label="Previous {kind}" title="Previous {kind} (Shift and \u2190)">{earlier}</button>
<button type="button" id="back" aria-label="Previous turn" title="Previous turn (\u2190)">{back}</button>
<button type="button" id="play" aria-label="Play" title="Play or stop (space)">{play}</button>
<button type="button" id="next" aria-label="Next turn" title="Next turn (\u2192)">{next}</button>
<button type="button" id="later" aria-label="Next {kind}" title="Next {kind} (Shift and \u2192)">{later}</button>
<p><b id="number"></b> of <span id="most"></span></p>
</div>
</section>
{graph}<section class="standing" aria-labelledby="so-far">
<h2 id="so-far">So far</h2>
<div id="tallies"></div>
</section>
<section class="all" aria-labelledby="all">
<h2 id="all">Turns</h2>
<div class="turns" id="turns" tabindex="0" role="group" aria-labelledby="all">
{turns}
</div>
</section>
<section class="share" aria-label="Share and settings">
<h2>Share <span id="shared">this turn</span></h2>
<div id="tools" hidden>
<button type="button" id="copy-link">Copy link</button>
<button type="button" id="copy-position">Copy position</button>
<button type="button" id="save-picture">Save picture</button>
<button type="button" id="save-record">Save game file</button>
<label>Speed <select id="speed"><option value="4000">slow</option><option value="2200" selected>normal</option>\
<option value="900">fast</option></select></label>
<button type="button" id="flip" aria-pressed="false">Swap seats</button>
<p id="done" role="status"></p>
</div>
<details><summary>About this game</summary>
{facts}
<p class="hint">Go from turn to turn with the arrow keys, or swipe the board. With Shift they go from {kind} to {kind}. Home and
End go to the start and the end, the space bar plays and stops.</p>
</details>
</section>
</div>
</main>
<dialog id="trial" aria-label="Another turn"><button type="button" id="leave">Back to the game</button></dialog>
{data}"""


def _board(picture: Picture) -> str:
    """All parts, of which only what is above the rows of the players is seen here."""
    left, top = picture.corner
    height = (picture.rows or picture.height + top) - top
    return (
        f'<svg viewBox="{left} {top} {picture.width} {height}" role="img" aria-labelledby="title" aria-describedby="told">'
        f'<title id="title">{escape(picture.title)}</title>{definitions(picture)}\n<g id="drawn">{groups(picture.parts)}</g>\n</svg>'
    )


def _rows(picture: Picture) -> str:
    """The rows of the players: the lower part of the same drawing; "" where they do not stand apart."""
    if not picture.rows:
        return ""
    height = picture.height - picture.rows
    return (
        f'<svg viewBox="{picture.corner[0]} {picture.rows} {picture.width} {height}" aria-hidden="true">'
        '<use href="#drawn"/></svg>'
    )
