"""A board to click: one page of HTML on which the next player puts a turn together.

It loads nothing, and runs only its own script, known by its hash. All that a player wrote is in it as text or data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from attrs import frozen

from tkid.kernel.game import AnyGame
from tkid.render.click_data import data
from tkid.render.clicks import Choices
from tkid.render.html import Page, page, part
from tkid.render.html import data as embedded
from tkid.render.palette import variables
from tkid.render.picture import LastTurn, Part, Picture, css, definitions, groups
from tkid.render.plugin import render_plugin

SENDING = "Send"
"""The last stage of every turn."""
JUDGED = "Verdict"
"""The last stage of a turn in an exercise."""
STALE = "If the game has gone on, you need a newer page."


@frozen
class Answer:
    """Where a turn is sent: an address, which may hold a key, and the subject of the mail."""

    to: str
    subject: str = ""

    @property
    def href(self) -> str:
        """A link that opens a mail; the body, percent-encoded, goes behind it."""
        subject = f"subject={quote(self.subject, safe='')}&" if self.subject else ""
        return f"mailto:{quote(self.to, safe='@')}?{subject}body="


@frozen
class Exercise:
    """A turn that somebody tries to find: as HTML the task above the board and the verdict on a turn; its style and script."""

    task: str
    verdict: str
    style: str
    script: str


def click_page(
    game: AnyGame,
    view: Any,
    names: Sequence[str],
    *,
    title: str,
    last: LastTurn | None = None,
    answer: Answer | None = None,
    exercise: Exercise | None = None,
) -> str:
    """The page for the seat whose view it is; if it is not that seat's turn, it says so and offers nothing.

    `title` names game and turn. The last turn is marked in the picture until the first click, and its events are listed.
    Without an `answer` the line can only be copied or shared. In an `exercise` it is judged at once.
    """
    made = unwritten(game, view, names, title=title, last=last, answer=answer, due=exercise is None)
    if exercise:
        body = made.body.replace("<main>", f"{exercise.task}\n<main>", 1)
        body = body.replace('<div id="k-turn" hidden>', f'{exercise.verdict}\n<div id="k-turn" hidden>', 1)
        body = body.replace(f"<li>{SENDING}</li>", f"<li>{JUDGED}</li>", 1)
        return page(made.title, body, style=made.style + exercise.style, script=made.script + exercise.script)
    return page(made.title, made.body, style=made.style, script=made.script)


def unwritten(
    game: AnyGame,
    view: Any,
    names: Sequence[str],
    *,
    title: str,
    last: LastTurn | None = None,
    answer: Answer | None = None,
    due: bool = True,
) -> Page:
    """The same page before it is written; a turn that is not `due` any more is tried out only."""
    render = render_plugin(game)
    picture = render.picture(game, view, names, last, layout="board")
    choices = render.choices(game, view, names)
    events = [event.seen(view.seat).read(names) for event in last.events] if last else []
    known = data(choices, render.preview(game, view, names, choices), list(_calm(game, view, names, last, picture)))
    known |= {
        "mail": answer.href if answer else "",
        "forecast": render.forecast(game, view, names) if choices.ways else "",
    }
    stages = "".join(f"<li>{stage}</li>" for stage in (*choices.stages, SENDING))
    stale = f'<p class="k-stale">This page is for turn {view.shown.turn + 1}. {STALE}</p>' if due else ""
    body = f"""\
<header>
<h1>{escape(render.headline(game, view, names))}</h1>
<p>{escape(title)}</p>
</header>
<main>
<div id="k-board">
{_board(picture)}
</div>
<div id="k-more">
{stale}
<div id="k-rules"></div>
{_details("barred", "What you cannot play, and why", _barred(choices))}
{_details("happened", "What happened before", events)}
{_details("told", "The position in words", [picture.description] if picture.description else [])}
</div>
<section id="k-panel" aria-label="Your turn">
<ol id="k-steps" hidden>{stages}</ol>
<p id="k-ask" role="status" aria-live="polite">{escape(choices.due)}</p>
<p id="k-note" aria-live="polite"></p>
<noscript><p>To build a turn by clicking, allow scripts on this page. You can also type a turn.</p></noscript>
<div id="k-list"></div>
<div id="k-send" hidden>
<div id="k-brings" hidden></div>
<div id="k-does">
<button type="button" id="k-copy">Copy the line</button>
<a id="k-mail" class="k-button" href="mailto:" hidden>Answer by mail</a>
<button type="button" id="k-share" hidden>Share</button>
</div>
{stale}
</div>
<div id="k-turn" hidden>
<code id="k-line" tabindex="0" role="textbox" aria-readonly="true" aria-label="The turn, as it is written"></code>
<button type="button" id="k-back" aria-label="Back one step" title="Back one step">\u2190</button>
<button type="button" id="k-again" aria-label="Start again" title="Start again">\u21ba</button>
</div>
</section>
</main>
{embedded("k-choices", known)}"""
    style = variables() + part("click.css") + css(picture.style)
    return Page(title, body, style, part("click.js"))


def _calm(game: AnyGame, view: Any, names: Sequence[str], last: LastTurn | None, picture: Picture) -> Iterator[Part]:
    """The parts of the picture that look otherwise without the marks of the last turn."""
    if last is not None:
        calm = render_plugin(game).picture(game, view, names, layout="board")
        yield from [now for before, now in zip(picture.parts, calm.parts, strict=True) if before != now]


def _board(picture: Picture) -> str:
    """The picture, as a group of things to click."""
    left, top = picture.corner
    size = f'viewBox="{left} {top} {picture.width} {picture.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="{escape(picture.title)}">'
        f"{definitions(picture)}{groups(picture.parts)}</svg>"
    )


def _barred(choices: Choices) -> list[str]:
    """Why cards cannot be played."""
    return [refusal.sentence for key, refusal in choices.barred.items() if key.startswith("card/")]


def _details(name: str, heading: str, lines: Sequence[str]) -> str:
    """Lines below a heading that opens them; "" for none."""
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<details id="k-{name}"><summary>{heading}</summary>{paragraphs}</details>' if lines else ""
