"""A board to click: one page of HTML on which the next player puts a turn together.

It loads nothing, and runs only its own script, known by its hash. All that a player wrote is in it as text or data.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from attrs import frozen

from tkid.kernel.game import AnyGame
from tkid.render.clicks import data
from tkid.render.html import data as embedded
from tkid.render.html import page, part
from tkid.render.picture import LastTurn, Picture, css, groups
from tkid.render.plugin import render_plugin


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


def click_page(
    game: AnyGame,
    view: Any,
    names: Sequence[str],
    *,
    title: str,
    last: LastTurn | None = None,
    answer: Answer | None = None,
) -> str:
    """The page for the seat whose view it is; if it is not that seat's turn, it says so and offers nothing.

    `title` names game and turn. The last turn is marked in the picture, and its events are listed. Without an `answer`
    the line can only be copied.
    """
    render = render_plugin(game)
    picture = render.picture(game, view, names, last)
    choices = data(render.choices(game, view, names)) | {"mail": answer.href if answer else ""}
    events = [event.seen(view.seat).read(names) for event in last.events] if last else []
    body = f"""\
<h1>{escape(title)}</h1>
<main>
<div id="k-board">
{_board(picture)}
</div>
<section id="k-panel" aria-label="Your turn">
<p id="k-ask" role="status" aria-live="polite">{escape(choices["due"])}</p>
<noscript><p>To build a turn by clicking, allow scripts on this page. You can also type a turn.</p></noscript>
<div id="k-turn" hidden><code id="k-line" tabindex="0" aria-label="The turn, as it is written"></code></div>
<div id="k-does">
<button type="button" id="k-copy" disabled>Copy the line</button>
<a id="k-mail" class="k-button" href="mailto:" hidden>Answer by mail</a>
<button type="button" id="k-back" disabled>Back</button>
<button type="button" id="k-again" disabled>Start again</button>
</div>
<div id="k-list"></div>
<div id="k-rules"></div>
{_details("barred", "What cannot be played, and why", choices.pop("barred"))}
{_details("happened", "What happened before", events)}
{_details("told", "The position in words", [picture.description] if picture.description else [])}
</section>
</main>
{embedded("k-choices", choices)}"""
    return page(title, body, style=part("click.css") + css(picture.style), script=part("click.js"))


def _board(picture: Picture) -> str:
    """The picture, as a group of things to click."""
    size = f'viewBox="0 0 {picture.width} {picture.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="{escape(picture.title)}">'
        f"{groups(picture.parts)}</svg>"
    )


def _details(name: str, heading: str, lines: Sequence[str]) -> str:
    """Lines below a heading that opens them; "" for none."""
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<details id="k-{name}"><summary>{heading}</summary>{paragraphs}</details>' if lines else ""
