"""A board to click: one page of HTML, whole in itself, in which whoever is to act puts a turn together. For every family.

It loads nothing and asks nobody. Its policy lets nothing run but its own script, known by its hash; all that a player
wrote stands in it as text or as data.
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
from tkid.render.picture import Last, Picture, css, drawn
from tkid.render.plugin import render_plugin


@frozen
class Answer:
    """Where a turn is sent: the address, which may hold a key, and the subject of the mail."""

    to: str
    subject: str = ""

    @property
    def href(self) -> str:
        """A link that opens a mail; its body, percent-encoded, goes behind it."""
        subject = f"subject={quote(self.subject, safe='')}&" if self.subject else ""
        return f"mailto:{quote(self.to, safe='@')}?{subject}body="


def click_page(
    game: AnyGame,
    view: Any,
    names: Sequence[str],
    *,
    title: str,
    last: Last | None = None,
    answer: Answer | None = None,
) -> str:
    """The page for the seat whose view it is. Where it is not that seat's turn, it says so and offers nothing.

    `title` names game and turn; `last` is the turn before, marked in the picture and told; without an `answer` the
    line can be copied only.
    """
    shown = render_plugin(game)
    picture = shown.picture(game, view, names, last)
    choices = data(shown.choices(game, view, names)) | {"mail": answer.href if answer else ""}
    happened = [event.seen(view.seat).read(names) for event in last.events] if last else []
    body = f"""\
<h1>{escape(title)}</h1>
<main>
<div id="k-board">
{_board(picture)}
</div>
<section id="k-panel" aria-label="Your turn">
<p id="k-ask" role="status" aria-live="polite">{escape(choices["due"])}</p>
<noscript><p>To click a turn together, a browser has to run the script of this page. A turn can be typed as well.</p></noscript>
<div id="k-turn" hidden><code id="k-line" tabindex="0" aria-label="The turn, as it is written"></code></div>
<div id="k-does">
<button type="button" id="k-copy" disabled>Copy the line</button>
<a id="k-mail" class="k-button" href="mailto:" hidden>Answer by mail</a>
<button type="button" id="k-back" disabled>Back</button>
<button type="button" id="k-again" disabled>Start again</button>
</div>
<div id="k-list"></div>
<div id="k-rules"></div>
{_told("barred", "What cannot be played, and why", choices.pop("barred"))}
{_told("happened", "What happened before", happened)}
{_told("told", "The position in words", [picture.told] if picture.told else [])}
</section>
</main>
{embedded("k-choices", choices)}"""
    return page(title, body, style=part("click.css") + css(picture.style), script=part("click.js"))


def _board(picture: Picture) -> str:
    """The picture, as a group of things to click."""
    size = f'viewBox="0 0 {picture.width} {picture.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="{escape(picture.title)}">'
        f"{drawn(picture.parts)}</svg>"
    )


def _told(name: str, heading: str, lines: Sequence[str]) -> str:
    """Lines that are shown when they are asked for; "" for none."""
    if not lines:
        return ""
    told = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<details id="k-{name}"><summary>{heading}</summary>{told}</details>'
