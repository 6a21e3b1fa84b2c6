"""Write and serve pages with a board to click and a button to send, for a host or one game file.

Browsers load nothing else, keep no answer and show none in a frame. The server accepts only what one of its own pages sends.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from hashlib import sha256
from html import escape
from multiprocessing import get_context, parent_process
from secrets import compare_digest
from threading import Lock, Thread
from typing import Any, Self, TypeVar, cast

import uvicorn
from attrs import define, evolve, field, frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tkid.kernel.game import HIDDEN, AnyView
from tkid.mail.blocks import Block, Events
from tkid.mail.letter_html import write_html
from tkid.mail.letter_parts import Recipient, describe_deadline_shortly
from tkid.notation.text import make_storable
from tkid.record.play.replay import append, find_shown_position
from tkid.render.click_page import Page, build_click_page, read_page_part, write_html_page
from tkid.render.frames import last_turn
from tkid.render.picture import LastTurn, write_css_variables
from tkid.rulebook import cites

T = TypeVar("T")
TOKEN = re.compile(r"[0-9a-f]{32}")
MAX_BODY, MAX_TEXT = 16 << 10, 8000
"""Bytes of what is sent at most, and characters of the text in it."""
MAX_CONNECTIONS, MAX_ANSWERS = 2000, 10_000
"""Browsers that are connected at once (others have to come back), and answers that are remembered."""
GRACE = 5
"""Seconds in which answers that are on their way are finished when the server stops: a browser that reads nothing can't hold it up."""
SLOWEST = 10.0
"""Seconds until what is sent has to be here."""
BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
LOOKS = re.compile(r'\s(?:style|cellpadding|cellspacing|border|align)="[^"]*"')
POLICY = re.compile(r'Content-Security-Policy" content="([^"]*)"')
NOT_SENT = "Nothing was sent: {}."
ELSEWHERE = "There is no page here. Copy the whole address that `tkid serve` has printed."

TAG = 'data-tag=""'
"""The place of a page's tag, until that is known. No text of a player has bare quotation marks."""
SEND = '<button type="button" id="w-send" disabled>Send</button>'
TRY = '<button type="button" id="w-send" class="w-plan" data-tried="{}" disabled>Try it</button>'
TRY_LINK = '<a class="k-button w-link" href="?try=">Try out turns</a>\n'
TRIED = "try"
"""The word in the address of a page on which a player tries turns out, before those turns."""
NEVER_SENT = "Nothing that you try out is sent."
MAX_TRIED = 40
"""Turns that are tried out one after another, at most."""
MENU = 'href="#k-more" aria-label="More about the game">☰', 'href="?" aria-label="Back to the board">✕'
LAST = re.compile(r'(?<=<p id="k-since">).*?(?=</p>)')
"""The place of the last turn on a page."""
SIDE = """<section id="w-side" data-tag="" data-about="{about}" aria-label="News and letters">
{news}{message}<details id="w-write"><summary>{summary}</summary>
<p>{hint}</p>
<textarea id="w-text" rows="4" maxlength="{most}" aria-label="What you send"></textarea>
<button type="button" id="w-post">Send this</button></details>
{letters}</section>
"""


@frozen
class ShownBoard:
    """The board on the page of a seat: a `view` with the `last` turn marked in it, and what its button does with a turn.

    What it sends is the turn with the text `around` it. A plan chooses `when` it plays in place of the last turn. A board that
    plays has `links`, any other leads back; both are HTML, as are `send` and `when`.
    """

    recipient: Recipient
    view: AnyView
    last: LastTurn | None
    title: str
    headline: tuple[str, str]
    send: str = SEND
    around: tuple[str, str] = ("", "")
    when: str = ""
    links: str = ""

    @classmethod
    def make_board(
        cls, recipient: Recipient, title: str, links: str, headline: tuple[str, str] | None = None
    ) -> ShownBoard:
        """Return the board as it is now. Without a `headline`, it says whose turn it is, and the reader's deadline."""
        known, seat, view = recipient.known, recipient.seat, see_board(recipient)
        to_act, until = view.shown.to_act, describe_deadline_shortly(recipient).removeprefix(", ")
        headline = headline or (_describe_turn(recipient, to_act), f" {until}" if until else "")
        return cls(recipient, view, last_turn(known, -1, seat), title, headline, links=links)

    def build_page(self) -> Page:
        """Build the page, on which a seat clicks its turn if it is to act in this view."""
        record, seat, to_act = self.recipient.known.record, self.recipient.seat, self.view.shown.to_act
        made = build_click_page(
            record.game,
            self.view,
            record.names,
            title=self.title,
            last=self.last,
            due=False,
            headline=self.headline,
            send=self.send,
            around=self.around,
            reader=seat,
        )
        place = '<div id="k-send"' if to_act not in {None, seat} else '<div id="k-rules">'
        changed = (place, f"{self.links}{place}") if self.send == SEND else MENU
        body = made.body.replace(*changed, 1)
        return evolve(made, body=LAST.sub(lambda _: self.when, body, count=1) if self.when else body)


def see_board(recipient: Recipient) -> AnyView:
    return recipient.known.record.game.view(find_shown_position(recipient.known), recipient.seat)


def _describe_turn(recipient: Recipient, seat: int | None, own: str = "Your turn", end: str = "") -> str:
    """Say whose turn it is to a reader, who may have the turn of their `own`."""
    if seat is None:
        return end
    return own if seat == recipient.seat else f"{recipient.known.record.names[seat]}\u2019s turn"


def try_turns(recipient: Recipient, tried: str) -> ShownBoard | None:
    """Return the board after turns that a reader tries out for all players, each on a line of its own, to the first that can't be played.

    Return None if the reader doesn't know all that the next turns depend on.
    """
    if not offer_trial(recipient):
        return None
    known, turns = recipient.known, list[str]()
    for turn in tried.splitlines()[:MAX_TRIED]:
        longer = append(known, turn)
        if longer.problems:
            break
        known = longer
        turns.append(turn)
    after = evolve(recipient, known=known)
    actor = find_shown_position(known).to_act
    view = see_board(after if actor is None else evolve(after, seat=actor))
    whose = _describe_turn(after, actor, "your turn", "the end")
    headline, send = ("Trying out", f": {whose}"), TRY.format(escape("\n".join(turns)))
    return ShownBoard(after, view, last_turn(known, -1, recipient.seat), NEVER_SENT, headline, send)


def offer_trial(recipient: Recipient) -> str:
    """Return the link to a page to try out turns, "" if the reader doesn't know all that the next turns depend on."""
    now = see_board(recipient).shown
    return TRY_LINK if now.to_act is not None and not any(HIDDEN in hand for hand in now.hands) else ""


def write_seat_page(
    made: Page, *, news: Sequence[Block], writing: tuple[str, str], letters: str, about: str = "", message: str = ""
) -> str:
    """Write the page of a seat with its board. `writing` names the field for a text, and says in HTML what it is for.

    `letters` and `message`, a field for words to the others, are HTML too. What is sent from the page is about a letter that was
    clicked in it, or else `about` this.
    """
    shown = BODY.search(write_html([each for each in news if not isinstance(each, Events) or each.items]))
    told, (summary, hint) = LOOKS.sub("", shown[1] if shown else ""), writing
    side = SIDE.format(
        about=about, news=told, message=message, summary=summary, hint=hint, most=MAX_TEXT, letters=letters
    )
    notice = '<p id="w-news" role="status" aria-live="polite" hidden></p>\n</header>'
    body = made.body.replace("</header>", notice, 1).replace('<div id="k-rules">', f'{side}<div id="k-rules">', 1)
    style, script = made.style + read_page_part("web.css"), made.script + read_page_part("web.js")
    return write_html_page(Page(made.title, body, style, script), asks=True)


def tag_page(html: str) -> tuple[str, str]:
    """Return a page with a tag in it, and that tag as a header: it differs when the page does."""
    tag = sha256(html.encode()).hexdigest()[:16]
    return html.replace(TAG, f'data-tag="{tag}"', 1), f'"{tag}"'


HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
}
"""The headers of every answer."""
NOTHING, NOT_FRAMED = "default-src 'none'", "frame-ancestors 'none'"
"""Policies: the answer loads nothing; no page shows it in a frame."""
SHUT: Mapping[str, str] = {"Content-Security-Policy": f"{NOTHING}; {NOT_FRAMED}"}


def answer_html(status: int, html: str, **headers: str) -> Response:
    allowed = POLICY.search(html)
    rules = f"{allowed[1] if allowed else NOTHING}; {NOT_FRAMED}"
    return Response(html, status, {**HEADERS, **headers, "Content-Security-Policy": rules}, "text/html")


def answer_tagged(html: str, tag: str, known: str) -> Response:
    """Answer with a page, unless the browser has the one with its tag already."""
    return answer_unchanged(tag) if tag == known else answer_html(200, html, ETag=tag)


def answer_unchanged(tag: str) -> Response:
    return Response(status_code=304, headers={**HEADERS, "ETag": tag})


def answer_page(status: int, text: str) -> Response:
    return answer_html(status, write_notice("tkid", f'<p id="w-over">{escape(text)}</p>'))


def write_notice(title: str, body: str) -> str:
    """Write a page with a title and a few words in HTML, and without a board."""
    style = write_css_variables() + read_page_part("click.css") + read_page_part("web.css")
    return write_html_page(Page("tkid", f"<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>", style))


def answer_json(status: int, said: str, following: str = "", turns: Sequence[str] = ()) -> Response:
    """Answer what was sent: with words, the key of the next page, and turns to choose from."""
    told = json.dumps({"said": said, "next": following, **({"turns": turns} if turns else {})})
    return Response(told, status, {**HEADERS, **SHUT}, "application/json")


class UnsentError(Exception):
    """No page of ours sends this: the reason."""


async def read_sent(request: Request, address: str) -> tuple[str, str, str]:
    """Return the text, the token and what a page sends it about. Raises UnsentError for anything that no page of ours sends."""
    head = request.headers
    if head.get("origin") != address or head.get("sec-fetch-site", "same-origin") != "same-origin":
        raise UnsentError(f"it doesn't come from a page of {address}")
    if head.get("content-type") != "application/json":
        raise UnsentError("its Content-Type is not application/json")
    data = b""
    try:
        async with asyncio.timeout(SLOWEST):
            async for chunk in request.stream():
                data += chunk
                if len(data) > MAX_BODY:
                    raise UnsentError(f"it has more than {MAX_BODY:,} bytes")
        sent = json.loads(data)
        text, token, about = (sent[name] for name in ("text", "token", "about"))
    except TimeoutError:
        raise UnsentError(f"it took more than {SLOWEST:g} seconds") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnsentError("it is not a JSON object with text, token and about") from None
    if not all(isinstance(each, str) for each in (text, token, about)) or not TOKEN.fullmatch(token):
        raise UnsentError("text, token and about are texts, and the token is 32 hex digits in small letters")
    if not 0 < len(text.strip()) <= len(text) <= MAX_TEXT:
        raise UnsentError(f"its text is empty or has more than {MAX_TEXT:,} characters")
    return make_storable(text), token, about


def is_for(request: Request, address: str) -> bool:
    """Return True if a browser asked for this address, and not for another name that leads to the same machine."""
    return request.headers.get("host", "").lower() == address.partition("://")[2].lower()


def remember(known: dict[str, T], name: str, value: T, most: int) -> None:
    """Remember a value; of too many, begin again."""
    if name not in known and len(known) >= most:
        known.clear()
    known[name] = value


def make_app(routes: Sequence[Route], unknown: str) -> Starlette:
    """Make an application; every other address gets the same words."""

    async def answer_unknown(_: Request, __: Exception) -> Response:
        return answer_page(404, unknown)

    icon = Route("/favicon.ico", lambda _: Response(status_code=204, headers=HEADERS))  # browsers ask for it
    missing = {404: answer_unknown, 405: answer_unknown}
    app = Starlette(routes=[*routes, icon], exception_handlers=cast(Any, missing))
    app.router.redirect_slashes = False
    return app


def make_server(app: Starlette, host: str, port: int) -> uvicorn.Server:
    """Return a server of pages, which logs no address. It believes what a proxy on this machine says about a browser's."""
    config = uvicorn.Config(
        app,
        host,
        port,
        access_log=False,
        log_level="warning",
        server_header=False,
        lifespan="off",
        ws="none",
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=MAX_BODY,
    )
    return uvicorn.Server(config)


CORES = os.cpu_count() or 1
MAX_PROCESSES = 2
"""Processes that draw pages, at most."""


@define
class Artists:
    """Processes that draw pages beside the server, which meanwhile answers others; without any, it draws them itself."""

    count: int = field(factory=lambda: min(CORES, MAX_PROCESSES) if CORES > 1 else 0)
    _pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self.count:
            self._pool = self._open_pool()
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def _open_pool(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(self.count, get_context("spawn"), _begin_drawing, gc.get_threshold())
        for _ in range(self.count):
            pool.submit(int)  # so that they are ready before the first page
        return pool

    def draw(self, write: Callable[..., T], *given: Any) -> T:
        """Return what a function returns. If a process was ended, draw here, and start others."""
        if (pool := self._pool) is None:
            return write(*given)
        try:
            return pool.submit(write, *given).result()
        except BrokenExecutor:
            self._pool = self._open_pool()
            return write(*given)


def _begin_drawing(*threshold: int) -> None:
    """Look for garbage as rarely as the server does, leave signals from the keyboard to it, and end with it."""
    gc.set_threshold(*threshold)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    if server := parent_process():
        server.join()
    os._exit(1)


@frozen
class Played:
    """The result of a sent text: the status of the answer, its words, and turns to choose from."""

    status: int
    said: str
    turns: tuple[str, ...] = ()


@define
class FilePages:
    """The pages of a game file, for browsers on this machine that know the token.

    `show` writes the page, given the position that the player to act has opened (""), in a game with secret hands at one
    device, and the turns that are tried out (None: it plays). `play` plays a text in a position; each returns a status first. Only one of them is at work at a time.
    """

    address: str
    token: str
    show: Callable[[str, str | None], tuple[int, str]]
    play: Callable[[str, str], Played]
    _answers: dict[str, Played] = field(factory=dict)
    _work: Lock = field(factory=Lock)

    def make_app(self) -> Starlette:
        paths = ("/{token}", "/{token}/{opened}")
        shown = [Route(path, self.answer_look, methods=["GET"]) for path in paths]
        return make_app([*shown, *(Route(path, self.answer_text, methods=["POST"]) for path in paths)], ELSEWHERE)

    def _refuse(self, request: Request) -> int:
        """Return the status for a request that is not for these pages, else 0."""
        if not is_for(request, self.address):
            return 421
        return 0 if compare_digest(request.path_params["token"].encode(), self.token.encode()) else 404

    async def answer_look(self, request: Request) -> Response:
        """Answer with the page of the file. Nothing changes."""
        if refused := self._refuse(request):
            return answer_page(refused, ELSEWHERE)
        return await run_in_threadpool(self._show, request)

    def _show(self, request: Request) -> Response:
        with self._work:
            status, shown = self.show(request.path_params.get("opened", ""), request.query_params.get(TRIED))
        if status != 200:
            return answer_page(status, shown)
        return answer_tagged(*tag_page(shown), request.headers.get("if-none-match", ""))

    async def answer_text(self, request: Request) -> Response:
        """Play a text, and answer with what came of it: the same for the same text again."""
        if refused := self._refuse(request):
            return answer_json(refused, ELSEWHERE)
        try:
            sent = await read_sent(request, self.address)
        except UnsentError as error:
            return answer_json(403, NOT_SENT.format(error))
        return await run_in_threadpool(self._play, *sent)

    @cites("record.page")
    def _play(self, text: str, token: str, position: str) -> Response:
        name = sha256(f"{token}\n{text}".encode()).hexdigest()
        with self._work:
            played = self._answers.get(name) or self.play(text, position)
        if played.status == 200:
            remember(self._answers, name, played, MAX_ANSWERS)
        return answer_json(played.status, played.said, turns=played.turns)
