"""The page of a seat on the web: the board to click, the letters, and a form that sends mails.

The page knows no rule and carries out no order. It shows what the letters with its key show, and puts a mail from that player
into the store, as a mail server would. Its address holds the key, so the server logs no address and sends none to others.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from hmac import new as hmac
from html import escape
from ipaddress import ip_network
from threading import Lock

import uvicorn
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from attrs import Factory, define, evolve, field, frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tkid.club.host_time import HostTime
from tkid.host import page_server
from tkid.host.chores import is_replayed
from tkid.host.directory import HostDirectory
from tkid.host.host_time import MACHINE
from tkid.host.journal import Journal
from tkid.host.letters import MAX_HEADER_BYTES, OVER, find_letter_key
from tkid.host.log import Log
from tkid.host.loop import MAX_MAILS_PER_ROUND
from tkid.host.service import Host
from tkid.host.store.connection import DATABASE_ERRORS, GoneError
from tkid.host.store.schema import DONE, NEW
from tkid.host.store.transaction import Key, StoredGame
from tkid.kernel.game import AnyGame, AnyView
from tkid.mail import mime_writer
from tkid.mail.blocks import Paragraph
from tkid.mail.envelope import drop_reply_prefix, read_subject, read_whole
from tkid.mail.hosted_game import HostedGame
from tkid.mail.letter_html import DRAWN
from tkid.mail.letter_parts import Recipient, describe_standing, list_recent_events
from tkid.mail.message import add_key
from tkid.mail.order_machine import may_be_former_key
from tkid.notation.free_text import PASS
from tkid.notation.names import find_people
from tkid.notation.plugin import find_turn_reader
from tkid.orders.order_values import find_order_language
from tkid.rulebook import cites

KEY = re.compile(r"[a-z2-7]{12}")
MAX_LETTERS, MAX_READ, MAX_PAGES, MAX_TAGS = 30, 2000, 100, 10_000
"""Letters that are looked through for those of a page; letters, pages, and tags of pages, that are remembered."""
MAX_STREAMS = 800
"""Browsers that follow a game at once; others have to come back."""
PATIENCE, REST = 8.0, 0.05
"""Seconds for which an answer to what is sent is waited for, and between two looks."""
GLANCE, PULSE = 1.0, 25.0
"""Seconds between two looks at all games with open pages, and after which a quiet page hears that the host is still there."""
AT_WORK = timedelta(minutes=5)
"""Time after which a host that has not noted that it works is not at work."""
SWITCH = 0.0005
"""Seconds for which a page is drawn before something else gets its turn: playing a turn has many short steps."""
LIMITS = {"from": 600, "key": 120, "sent": 12}
"""Number of requests in a minute: from an address, for a key, and of texts sent with a key."""
OWN_LINES = re.compile(r'<p class="tkid-quiet">(?:--- |Ref )[^<]*</p>\n?')
"""Lines of a letter by which the host knows it again."""
TO_PAGE = re.compile(
    r'<table role="presentation">\s*<tr>\s*<td[^>]*><a[^>]*href="[^"]*/g/[a-z2-7]{12}"[^>]*>.*?</table>\n?', re.DOTALL
)
ANSWER = re.compile(r'href="mailto:[^"]*?body=([^"]*)"')
CHANGED = "data: changed\n\n"
"""Event for a page whose game has changed: the page then loads itself again."""
UNKNOWN = "There is no page here. Copy the whole link from your letter."
LATE = f"Nothing was sent. {OVER}"
KEPT = "Your text is stored. The answer comes by letter."
UNANSWERED = "Nothing was done: the same text was answered before today, or too many came today."
BUSY = "The host can't answer now. Try again in a minute: what you send counts only once."
TOO_MANY = "Too many requests. Try again in a minute."


@frozen
class ShownLetter:
    """A letter of ours on a page: a name for it, the key for its answer, its headers, its first sentence, its text as HTML."""

    name: str
    key: str
    message_id: str
    subject: str
    lead: str
    html: str

    @classmethod
    def read_mail(cls, message_id: str, mail: bytes, key: str) -> ShownLetter:
        whole = mime_writer.read_written_part(mail)
        text, page = (mime_writer.find_text(whole, kind) for kind in ("text/plain", "text/html"))
        shown = page_server.BODY.search(page)
        html = page_server.LOOKS.sub("", DRAWN.sub("", shown[1] if shown else ""))
        html = ANSWER.sub(r'href="#w-text" data-text="\1"', TO_PAGE.sub("", OWN_LINES.sub("", html)))
        html = re.sub(r"<(/?)h([12])", lambda tag: f"<{tag[1]}h{int(tag[2]) + 1}", html).replace(key, "")
        lead, name = text.partition("\n")[0], sha256(message_id.encode()).hexdigest()[:12]
        return cls(name, key, message_id, read_subject(read_whole(mail).head), lead, html)


@define
class SeatPage:
    """A page of a seat at a moment: the game, and its letters, the newest first; none if its turn is over."""

    stored: StoredGame
    hosted: HostedGame
    seat: int
    letters: tuple[ShownLetter, ...]
    now: datetime
    _written: dict[str, tuple[str, str]] = field(factory=dict)

    @property
    def player(self) -> tuple[str, str]:
        """The name and the address of the player."""
        return self.hosted.find_player(self.seat), self.hosted.find_address(self.seat)

    def write(self, artists: page_server.Artists, ahead: str = "") -> tuple[str, str]:
        """Return the page as HTML, and a tag that differs when the page does.

        `ahead` is "", `plan` to plan the next turn, or `try=` and the turns that are tried out, each on a line of its own.
        """
        if ahead in self._written:
            return self._written[ahead]
        written = page_server.tag_page(artists.draw(_write_page, self.stored, self.seat, self.letters, self.now, ahead))
        if not ahead.startswith(TRYING):
            self._written[ahead] = written
        return written


@define
class Budget:
    """Counts requests in each minute."""

    clock: Callable[[], float] = time.monotonic
    _minute: int = 0
    _counts: Counter[tuple[str, str]] = field(factory=Counter)

    def is_spent(self, **names: str) -> bool:
        """Count a request; return True if there were too many of its kind in this minute."""
        if (minute := int(self.clock() // 60)) != self._minute:
            self._minute, self._counts = minute, Counter()
        self._counts.update(names.items())
        return any(self._counts[each] > LIMITS[each[0]] for each in names.items())


@define
class Watch:
    """Tells open pages that their game has changed: one statement for all of them in each `GLANCE`."""

    open_host: Callable[[], Host]
    is_leaving: Callable[[], bool] = lambda: False
    _pages: dict[str, set[asyncio.Event]] = field(factory=dict)
    _known: dict[str, object] = field(factory=dict)
    _first: asyncio.Lock = field(factory=asyncio.Lock)
    _looking: asyncio.Task[None] | None = None

    @property
    def open_pages(self) -> int:
        return sum(map(len, self._pages.values()))

    async def follow(self, game: str) -> AsyncIterator[str]:
        """Yield an event at once, one after each change of a game, and a comment when nothing happens for a `PULSE`."""
        changed = asyncio.Event()
        self._pages.setdefault(game, set()).add(changed)
        try:
            async with self._first:
                if game not in self._known:
                    self._known |= await run_in_threadpool(self._read_stamps, [game])
            if self._looking is None or self._looking.done():
                self._looking = asyncio.create_task(self._look())
            yield CHANGED
            while not self.is_leaving():
                try:
                    async with asyncio.timeout(PULSE):
                        await changed.wait()
                    yield CHANGED
                except TimeoutError:
                    yield ":\n\n"
                changed.clear()
        finally:
            self._pages[game].discard(changed)
            if not self._pages[game]:
                del self._pages[game]
                self._known.pop(game, None)

    async def _look(self) -> None:
        while self._pages and not self.is_leaving():
            await asyncio.sleep(GLANCE)
            with suppress(*DATABASE_ERRORS):  # it looks again
                for game, stamp in (await run_in_threadpool(self._read_stamps, sorted(self._pages))).items():
                    if self._known.get(game, stamp) != stamp:
                        self._wake(game)
                    self._known[game] = stamp
        for game in self._pages:
            self._wake(game)

    def _read_stamps(self, games: Sequence[str]) -> dict[str, object]:
        return self.open_host().store.read_stamps(games)

    def _wake(self, game: str) -> None:
        for changed in self._pages.get(game, ()):
            changed.set()


@define
class Web:
    """The pages of a host. `address` is where browsers reach them; `open_host` gives the host, whose letters others send."""

    open_host: Callable[[], Host]
    address: str
    now: Callable[[], datetime]
    log: Log
    machine: str = MACHINE
    budget: Budget = field(factory=Budget)
    watch: Watch = field(default=Factory(lambda self: Watch(self.open_host), takes_self=True))
    artists: page_server.Artists = field(factory=lambda: page_server.Artists(0))
    _drawing: CapacityLimiter = field(
        default=Factory(lambda self: CapacityLimiter(1 + self.artists.count), takes_self=True)
    )
    """A process draws one page after the other, which takes no longer: so a turn that is sent waits for one of them at most."""
    _work: Lock = field(factory=Lock)
    _pages: dict[str, tuple[int, SeatPage]] = field(factory=dict)
    _tags: dict[str, tuple[int, str]] = field(factory=dict)
    _letters: dict[str, ShownLetter] = field(factory=dict)

    def make_app(self) -> Starlette:
        path = "/g/{key}"
        routes = [Route(path, self.show, methods=["GET"]), Route(path, self.take, methods=["POST"])]
        routes.append(Route(f"{path}/live", self.follow, methods=["GET"]))
        return page_server.make_app(routes, UNKNOWN)

    async def show(self, request: Request) -> Response:
        """Answer with the page of a key. Nothing changes."""
        key = request.path_params["key"]
        if refused := self._refuse(request, key):
            return page_server.answer_page(*refused)
        return await run_sync(self._answer_safely, lambda: self._show_page(request, key), limiter=self._drawing)

    async def follow(self, request: Request) -> Response:
        """Answer with an event for each change of the game of a key, as long as its page is open. Nothing changes."""
        key = request.path_params["key"]
        if refused := self._refuse(request, key):
            return page_server.answer_json(*refused)
        if self.watch.open_pages >= MAX_STREAMS:
            return page_server.answer_json(503, BUSY)
        return await run_in_threadpool(self._answer_safely, lambda: self._follow_game(key))

    def _follow_game(self, key: str) -> Response:
        host = self.open_host()
        page = self._find_page(host, host.store.find_keyed(key))
        if page is None or not page.letters:
            return page_server.answer_json(404, UNKNOWN) if page is None else page_server.answer_json(410, OVER)
        return StreamingResponse(
            self.watch.follow(page.stored.id),
            headers={**page_server.HEADERS, **page_server.SHUT},
            media_type="text/event-stream",
        )

    async def take(self, request: Request) -> Response:
        """Take a text as a mail from the player of a key, and answer with what came of it."""
        key = request.path_params["key"]
        if refused := self._refuse(request, key, sent=key):
            return page_server.answer_json(*refused)
        try:
            asked = await page_server.read_sent(request, self.address)
        except page_server.UnsentError as error:
            return page_server.answer_json(403, page_server.NOT_SENT.format(error))
        return await run_in_threadpool(self._answer_safely, lambda: self._take_text(key, *asked))

    def _refuse(self, request: Request, key: str, **more: str) -> tuple[int, str] | None:
        if not page_server.is_for(request, self.address):
            return 421, UNKNOWN
        if self.budget.is_spent(**{"from": _find_network(request)}):
            return 429, TOO_MANY
        if not KEY.fullmatch(key):
            return 404, UNKNOWN
        return (429, TOO_MANY) if self.budget.is_spent(key=key, **more) else None

    def _answer_safely(self, answer: Callable[[], Response]) -> Response:
        """Answer; of a failure, log its kind alone, as the rest may hold a key."""
        try:
            return answer()
        except Exception as error:  # noqa: BLE001 - no error stops the server
            self.log.write_line("web-failed", reason=type(error).__name__)
            return page_server.answer_json(503 if isinstance(error, DATABASE_ERRORS) else 500, BUSY)

    def _show_page(self, request: Request, key: str) -> Response:
        host, known = self.open_host(), request.headers.get("if-none-match", "")
        found, tried = host.store.find_keyed(key), request.query_params.get(page_server.TRIED)
        ahead = PLAN_QUERY if request.url.query == PLAN_QUERY else "" if tried is None else f"{TRYING}{tried}"
        name = f"{key}?{ahead}"
        if known and found and self._tags.get(name) == (self._stamp(found), known):
            return page_server.answer_unchanged(known)
        page = self._find_page(host, found)
        if page is None:
            return page_server.answer_page(404, UNKNOWN)
        if not page.letters:
            return page_server.answer_page(410, OVER)
        html, tag = page.write(self.artists, ahead)
        if tried is None:
            page_server.remember(self._tags, name, (self._stamp(found), tag), MAX_TAGS)
        return page_server.answer_tagged(html, tag, known)

    def _stamp(self, found: object) -> int:
        """Return a number that is another one when a page may be."""
        return hash((found, self.now().date()))

    @cites("mail.page")
    def _find_page(self, host: Host, found: tuple[Key, StoredGame, int] | None) -> SeatPage | None:
        """Return the page of a key; one without letters if its turn is over; None for an unknown key."""
        if found is None:
            return None
        (key, game, _), stamp = found, self._stamp(found)
        kept = self._pages.get(key.word)
        if kept and kept[0] == stamp:
            return kept[1]
        hosted = read_game(game)
        letters = self._find_letters(host, key, hosted.find_address(key.seat)) if is_open(hosted, key) else ()
        page = SeatPage(game, hosted, key.seat, letters, self.now())
        page_server.remember(self._pages, key.word, (stamp, page), MAX_PAGES)
        return page

    def _take_text(self, key: str, text: str, token: str, about: str) -> Response:
        """Put a text into the store as a mail, and answer with what came of it: the same for the same text again."""
        host = self.open_host()
        page = self._find_page(host, host.store.find_keyed(key))
        if page is None:
            return page_server.answer_json(404, UNKNOWN)
        message_id = make_message_id(host, key, text, token)
        status, said = 200, ""
        if not self._find_answer(host, page, message_id):
            status, said = self._post_mail(host, page, text, message_id, about) if page.letters else (409, LATE)
        answer = self._find_answer(host, page, message_id)
        if answer:
            return page_server.answer_json(200, answer.lead, answer.key)
        return page_server.answer_json(status, said)

    def _find_letters(self, host: Host, key: Key, address: str) -> tuple[ShownLetter, ...]:
        """Return the letters to a seat since the first one with a key, the newest first; () without such a letter."""
        mails = host.store.list_letters_to(key.game, address, MAX_LETTERS)
        keyed = [(message_id, mail, word) for message_id, mail in mails for word in find_letter_key(mail)]
        own = host.store.list_own_keys(key.game, key.seat, [word for *_, word in keyed])
        keyed = [each for each in keyed if each[2] in own]
        since = max((index for index, (*_, word) in enumerate(keyed) if word == key.word), default=-1)
        return tuple(self._read_letter(*each) for each in keyed[: since + 1])

    def _find_answer(self, host: Host, page: SeatPage, message_id: str) -> ShownLetter | None:
        line = f"In-Reply-To: {message_id}".encode()
        for each, mail in host.store.list_letters_to(page.stored.id, page.player[1], MAX_LETTERS):
            if line in mail[:MAX_HEADER_BYTES] and (words := find_letter_key(mail)):
                return self._read_letter(each, mail, words[0])
        return None

    def _read_letter(self, message_id: str, mail: bytes, key: str) -> ShownLetter:
        letter = self._letters.get(message_id) or ShownLetter.read_mail(message_id, mail, key)
        page_server.remember(self._letters, message_id, letter, MAX_READ)
        return letter

    def _post_mail(self, host: Host, page: SeatPage, text: str, message_id: str, about: str) -> tuple[int, str]:
        """Post a text as a reply to a letter; return what to say if no letter answers it."""
        letter = next((each for each in page.letters if each.name == about), page.letters[0])
        mail, now = compose_sent(host, page.player, letter, text, message_id), self.now()
        taken = host.store.take_mails([mail], now)[0]
        if taken is None:
            return 503, BUSY
        if taken:
            host.fetched(mail, now)
        state = self._wait_for_answer(host, sha256(mail).hexdigest())
        return (202, KEPT) if state == NEW else (200, "Sent." if state == DONE else UNANSWERED)

    def _wait_for_answer(self, host: Host, digest: str) -> str:
        """Carry out the waiting mails as one more worker, while the host is at work; return the state of one of them."""
        until = time.monotonic() + PATIENCE
        while (state := host.store.find_mail_state(digest)) == NEW and time.monotonic() < until:
            if not self._is_at_work(host):
                return NEW
            with self._work:
                if host.store.find_mail_state(digest) != NEW:  # somebody else has carried it out meanwhile
                    continue
                try:
                    done = host.work_on_all(self.now(), MAX_MAILS_PER_ROUND)
                except DATABASE_ERRORS:  # the mail is not to blame
                    if host.store.trying:
                        host.store.forget_attempt(host.store.trying)
                    raise
            if not done:  # another worker has it
                time.sleep(REST)
        return state

    def _is_at_work(self, host: Host) -> bool:
        """Return True if `host run` works and believes its clock: it alone knows how long the host was away."""
        known, now = host.store.find_value(HostTime), self.now()
        believed = known is not None and known.as_machine(self.machine).believed
        return known is not None and believed and abs(now - known.last_work) < AT_WORK and is_replayed(host.store)


read_game = lru_cache(MAX_PAGES)(StoredGame.read_hosted)
"""Games that were read, as the pages of all seats show the same one."""


def is_open(hosted: HostedGame, key: Key) -> bool:
    """Return True until the seat of a key takes a turn that is not before the key's, and if no other player may have it."""
    taken = any(turn.seat == key.seat and turn.number >= key.turn for turn in hosted.record.turns)
    return not taken and not may_be_former_key(hosted, key.seat, key.turn) and bool(hosted.find_address(key.seat))


def make_message_id(host: Host, key: str, text: str, token: str) -> str:
    """Return the Message-ID of a text from a page: the same one for the same text with the same token."""
    name = hmac(host.secret, f"tkid web 1\n{key}\n{token}\n{text}".encode(), sha256).hexdigest()[:32]
    return f"<web.{name}@{host.address.rpartition('@')[2]}>"


def compose_sent(host: Host, player: tuple[str, str], letter: ShownLetter, text: str, message_id: str) -> bytes:
    """Compose a text as the reply of a player to a letter: always the same bytes. The host vouches for its sender."""
    passed = f"dmarc=pass header.from={player[1].rpartition('@')[2]}"
    content = mime_writer.make_text_part(f"{mime_writer.clean_text(text)}\n")
    lines = (
        *([f"Authentication-Results: {host.required.authserv}; {passed}"] if host.required else []),
        mime_writer.write_address_header("From", player),
        mime_writer.write_address_header("To", ("", add_key(host.address, letter.key))),
        mime_writer.write_header("Subject", f"Re: {mime_writer.join_lines(drop_reply_prefix(letter.subject))}"),
        mime_writer.write_ids_header("Message-ID", [message_id]),
        mime_writer.write_ids_header("In-Reply-To", [letter.message_id]),
        "MIME-Version: 1.0",
    )
    return mime_writer.Part((*lines, *content.headers), content.body).write_part()


WRITING = (
    "Write an order or a plan",
    "It is read as a mail is: a line with a turn plays it. <code>help</code> lists everything you can write.",
)
"""The heading of the field for a text, and what it is for."""
MESSAGE = """<textarea id="w-say" rows="2" maxlength="1000" aria-label="Message to the other players"
placeholder="Write to the others. This never plays a turn."></textarea>
<button type="button" id="w-tell">Send message</button>
"""
SAVE = '<button type="button" id="w-send" class="w-plan" disabled>Save plan</button>'
PLAN = "if everyone passes: ", "; else stop"
NOT_PLAYED = "If all others pass. Nothing is played now."
PLAN_QUERY, TRYING = "plan", f"{page_server.TRIED}="
"""What is behind the question mark of the address of a page on which a player plans a turn, or tries turns out."""
PLAN_LINK = '<a class="k-button w-link" href="?plan">Plan my next turn</a>\n'
NOTIFY = '<button type="button" id="w-notify" class="k-button w-link" hidden>Notify me when it is my turn</button>\n'


def _find_next_view(game: AnyGame, view: AnyView, names: tuple[str, ...]) -> AnyView | None:
    """Return what a seat sees at its next turn if all others pass; None if it is its turn, or passing is not possible."""
    read, position = find_turn_reader(game, names).read_turn(PASS), view.shown
    if position.to_act in {None, view.seat} or read.problems:
        return None
    while position.to_act not in {None, view.seat} and not game.check(position, read.moves[0]):
        position, _ = game.apply(position, read.moves[0])
    return evolve(view, shown=position) if position.to_act == view.seat else None


def _write_conditions(game: AnyGame, view: AnyView, names: tuple[str, ...]) -> str:
    """Write the choice of what has to happen before a plan plays; it has every card, so it tells nothing about hands."""
    people = find_people(names, find_order_language(game).reserved)
    others = [people.write_player(seat) for seat in range(len(names)) if seat != view.seat]
    cards = [card for card in find_turn_reader(game, names).cards.names if card.casefold() != PASS.casefold()]
    happens = ["everyone passes", *(f"{who} passes" for who in others if len(others) > 1)]
    happens += [f"{who} plays {card}" for who in others for card in cards]
    choices = "".join(f'<option value="if {escape(each)}: ">Plan: if {escape(each)}</option>' for each in happens)
    return f'<select id="w-when" aria-label="When the plan plays">{choices}</select>'


def _plan_turn(recipient: Recipient) -> page_server.ShownBoard | None:
    """Return the board for a plan: as it is at the reader's next turn if all others pass. Return None if nothing can be planned."""
    record, view = recipient.known.record, page_server.see_board(recipient)
    following = _find_next_view(record.game, view, record.names)
    if following is None:
        return None
    when, headline = _write_conditions(record.game, view, record.names), ("Plan your next turn", "")
    return page_server.ShownBoard(recipient, following, None, NOT_PLAYED, headline, SAVE, PLAN, when)


def _show_board(recipient: Recipient, title: str) -> page_server.ShownBoard:
    """Return the board as it is now, with links to what the reader may do meanwhile."""
    record, view = recipient.known.record, page_server.see_board(recipient)
    plan = PLAN_LINK if _find_next_view(record.game, view, record.names) else ""
    notify = NOTIFY if view.shown.to_act not in {None, recipient.seat} else ""
    return page_server.ShownBoard.make_board(recipient, title, f"{plan}{page_server.offer_trial(recipient)}{notify}")


def _write_page(game: StoredGame, seat: int, letters: tuple[ShownLetter, ...], now: datetime, ahead: str) -> str:
    recipient = Recipient(read_game(game), seat, now)
    board = None
    if ahead.startswith(TRYING):
        board = page_server.try_turns(recipient, ahead.removeprefix(TRYING))
    elif ahead == PLAN_QUERY:
        board = _plan_turn(recipient)
    board = board or _show_board(recipient, recipient.known.record.title or letters[-1].subject)
    news = (Paragraph(describe_standing(recipient)), *list_recent_events(recipient, recipient.round))
    shown = "".join(_write_letter(each, is_first=not index) for index, each in enumerate(letters))
    return page_server.write_seat_page(board.build_page(), news=news, writing=WRITING, letters=shown, message=MESSAGE)


def _write_letter(letter: ShownLetter, *, is_first: bool) -> str:
    opened = " open" if is_first and letter.message_id.startswith("<tkid.again.") else ""
    return (
        f'<details data-letter="{letter.name}"{opened}><summary>{escape(letter.lead)}</summary>'
        f"<article>{letter.html}</article></details>\n"
    )


def _find_network(request: Request) -> str:
    """Return the address of a browser; of one of IPv6 its network, as a browser has as many as it likes."""
    address = request.client.host if request.client else ""
    try:
        return str(ip_network(f"{address}/64", strict=False)) if ":" in address else address
    except ValueError:
        return address


def serve(directory: HostDirectory, log: Log) -> None:
    """Serve the pages of a host until the process gets a signal to stop. Raises SettingsError and the errors of the database."""
    settings, journal, lock = directory.settings.web, Journal(directory.folder), Lock()
    assert settings is not None
    opened: list[Host] = []

    def open_host() -> Host:
        """Return the host; open it again if another file has taken the place of its database."""
        with lock:
            try:
                directory.database.check_file()
            except GoneError:
                for host in opened:
                    host.store.close()
                opened.clear()
            if not opened:
                opened.append(directory.open_host(directory.database.open_store()))
                opened[0].fetched, opened[0].drawing = journal.note_mail, journal.find_drawing
            return opened[0]

    open_host()
    sys.setswitchinterval(SWITCH)
    with page_server.Artists() as artists:
        web = Web(open_host, settings.address, log.now, log, directory.machine, artists=artists)
        make_web_server(web, settings.host, settings.port).run()


def make_web_server(web: Web, host: str, port: int) -> uvicorn.Server:
    """Return a server of a host's pages. When it stops, it tells the pages that follow a game."""
    server = page_server.make_server(web.make_app(), host, port)
    web.watch.is_leaving = lambda: server.should_exit
    return server
