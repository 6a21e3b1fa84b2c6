"""Webhooks: tell other programs about turns and ends of games."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import ClassVar
from urllib.parse import SplitResult, urlsplit

from attrs import define, evolve, field, frozen

from tkid.club.game_facts import GameFacts, collect_game_facts
from tkid.club.members import Member
from tkid.club.site import END, TURN, Club, list_published_turns, write_end_event, write_turn_event
from tkid.host.page_facts import PageNames, People, Roster
from tkid.host.published_folder import CHANGED, HOOK
from tkid.host.settings import is_loopback
from tkid.host.store.store import Store
from tkid.host.store.transaction import StoredGame, Transaction
from tkid.mail.game_clock import format_moment
from tkid.mail.model import Document, Stored, StoredText
from tkid.notation.text import count_noun
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

TIMEOUT, MAX_SECONDS = 5.0, 12.0
"""Seconds for one step of sending, and for all of it."""
PREFIX = "whsec_"
MIN_SECRET_BYTES = 16
LOOPBACK = "localhost"
TUNNELS = tuple(map(ip_network, ("64:ff9b::/96", "2002::/16", "2001::/32")))
"""Addresses of IPv6 that have one of IPv4 in them, which may be private."""


CHATS = {"discord.com": "discord", "hooks.slack.com": "slack", "ntfy.sh": "ntfy"}
"""Chats by their servers. Another server is that of a chat if its address ends in `#` and the name of the chat."""
MESSAGES: dict[str, Callable[[str], bytes]] = {
    "discord": lambda text: json.dumps({"content": text, "allowed_mentions": {"parse": []}}).encode(),
    "slack": lambda text: json.dumps({"text": text.translate({38: "&amp;", 60: "&lt;", 62: "&gt;"})}).encode(),
    "mattermost": lambda text: json.dumps({"text": text}).encode(),
    "matrix": lambda text: json.dumps({"text": text}).encode(),
    "ntfy": str.encode,
}
"""Message for each chat, made from a text."""
NO_MENTION = "@\u2060"
"""An `@` that calls nobody, even before a name."""


class HookError(Exception):
    """A webhook did not arrive: why."""


@frozen
class Target:
    """The target of webhooks, and the secret that signs them."""

    url: str
    secret: bytes


@cites("club.hooks.safe")
def explain_url(url: str) -> str:
    """Explain why webhooks cannot go to an address, and what to write; "" if they can."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it checks it
    except ValueError:
        return f"{url} is not an address such as https://club.example/hook."
    if not parts.hostname or parts.username or not url.isprintable() or " " in url:
        return f"{url} is not an address such as https://club.example/hook."
    if parts.fragment and parts.fragment not in MESSAGES:
        return f"{url} ends in #{parts.fragment}, and tkid knows no such chat. It knows #{', #'.join(MESSAGES)}."
    if parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname)):
        return ""
    return f"{url} is not encrypted. Use an address that begins with https."


def read_secret(text: str) -> bytes:
    """Return the bytes of a secret: base64 after `whsec_`, or the text itself. Raises ValueError."""
    text = text.strip()
    try:
        secret = b64decode(text.removeprefix(PREFIX), validate=True) if text.startswith(PREFIX) else text.encode()
    except Base64Error:
        raise ValueError(f"what is behind {PREFIX} is not base64") from None
    if len(secret) < MIN_SECRET_BYTES:
        raise ValueError(f"the secret is too short: it needs {MIN_SECRET_BYTES} bytes")
    return secret


def write_chat_message(url: str, body: bytes) -> bytes:
    """Return a webhook as the chat at its address takes it: one sentence, and the page. Elsewhere it stays as it is."""
    parts = urlsplit(url)
    chat = parts.fragment or CHATS.get(parts.hostname or "", "")
    if not chat:
        return body
    news = json.loads(body)["data"]
    following = f" {news['next']} is next." if news.get("next") else ""
    text = f"{news['title'] or news['game']}: {news['told'].rstrip('.')}.{following} {news['page'] or ''}".strip()
    return MESSAGES[chat](text.replace("@", NO_MENTION))


def write_secret(secret: bytes) -> str:
    return PREFIX + b64encode(secret).decode()


def sign_webhook(secret: bytes, name: str, time: int, body: bytes) -> str:
    """Return the signature of a webhook, as Standard Webhooks has it."""
    digest = hmac(secret, f"{name}.{time}.".encode() + body, sha256).digest()
    return f"v1,{b64encode(digest).decode()}"


@cites("club.hooks.sent", "club.hooks.safe")
def send_webhook(target: Target, name: str, time: int, body: bytes) -> None:
    """Send a webhook; `name` is its id, `time` the moment of the try. Raises HookError."""
    problem = explain_url(target.url)
    if problem:
        raise HookError(problem)
    parts, sent = urlsplit(target.url), write_chat_message(target.url, body)
    headers = {
        "Content-Type": "application/json" if sent[:1] == b"{" else "text/plain; charset=utf-8",
        "User-Agent": "tkid",
        "webhook-id": name,
        "webhook-timestamp": str(time),
        "webhook-signature": sign_webhook(target.secret, name, time, sent),
    }
    try:
        status = _post(parts, headers, sent)
    except (OSError, http.client.HTTPException) as error:
        raise HookError(f"{parts.hostname}: {error or type(error).__name__}") from error
    if not 200 <= status < 300:
        raise HookError(f"{parts.hostname} answered {status}")


def _post(parts: SplitResult, headers: dict[str, str], body: bytes) -> int:
    """Post a webhook; return the server's status. Nothing else of the answer is read."""
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    connection.sock = _connect(host, port)
    watch = Timer(MAX_SECONDS, _cut_connection, (connection.sock,))
    watch.daemon = True
    watch.start()
    try:
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        where = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        default = port == (443 if parts.scheme == "https" else 80)
        named = f"[{host}]" if ":" in host else host
        connection.request("POST", where, body, headers | {"Host": named if default else f"{named}:{port}"})
        return connection.getresponse().status
    finally:
        watch.cancel()
        connection.close()


def _cut_connection(connected: socket.socket) -> None:
    """End a connection that takes too long, so that the waiting thread gets an error."""
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _connect(host: str, port: int) -> socket.socket:
    """Connect to a server at an address that webhooks may go to. Raises OSError, HookError."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    private = next((each for each in found if not _is_public(ip_address(each.partition("%")[0]))), "")
    if private and not _is_number(host) and host != LOOPBACK:
        reason = f"{host} leads to the private address {private}."
        raise HookError(f"{reason} If that is meant, write the address as a number.")
    return socket.create_connection((found[0], port), TIMEOUT)


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return True if an address is one of the public internet, and hides no other."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return _is_public(address.ipv4_mapped)
        if any(address in tunnel for tunnel in TUNNELS):
            return False
    return address.is_global and not address.is_multicast


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


EVENT, TOLD, URL = "event ", "told ", "url "
"""Prefixes of document ids: a pending message; the messages sent about a game; the address for one game."""
MAX_ON_THEIR_WAY = 4
PATIENCE = 15.0
"""Seconds for which a round that no other one follows waits for the webhooks that it has just sent."""
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 300, 600, 840, 1200))
MAX_TIME_TRIED = timedelta(days=3)
KEPT = timedelta(days=30)
"""How long the host remembers that webhooks were lost."""


@frozen
class Event(StoredText):
    """An event to report: the game, a turn (by number) or the end, and the kind of address.

    `since` is when it was noted, `tries` the number of attempts, `error` why it did not arrive.
    """

    game: str
    what: str
    turn: int
    own: bool
    since: datetime
    tries: int = 0
    error: str = ""


@frozen
class LostEvents(Stored):
    """How many webhooks never arrived; the last one's game, when it was given up, and why."""

    KIND: ClassVar[str] = HOOK
    NAME: ClassVar[str] = "lost"
    count: int
    game: str
    when: datetime
    error: str

    @property
    def due(self) -> datetime:
        """When the host forgets them."""
        return self.when + KEPT


@frozen
class Told(StoredText):
    """The events of a game that were reported: the last turn, and whether it was over."""

    turn: int = 0
    over: bool = False


@define
class Hooks:
    """The webhooks of a host. `target` gives the host's own address and secret, None where it has none.

    `secret` is the host's, from which the secrets of games' addresses follow; `delay` is by how many turns games are late.
    A round waits `patience` seconds for those that it has sent; with 0, `wake` is called when there is an answer.
    """

    secret: bytes
    club: Club
    delay: int = 0
    target: Callable[[], Target | None] = lambda: None
    send: Callable[[Target, str, int, bytes], None] = send_webhook
    patience: float = 0
    wake: Callable[[], None] = lambda: None
    _answers: SimpleQueue[tuple[str, str]] = field(factory=SimpleQueue)
    _on_their_way: set[str] = field(factory=set)
    _people: tuple[str, People] | None = None

    def run_chore(self, store: Store, now: datetime) -> int:
        """Note the news, and send them; return how many webhooks arrived or were given up."""
        with store.begin_transaction() as transaction:
            due = transaction.documents.list_due(HOOK, now)
            for each in due:
                if each.id.startswith(CHANGED):
                    self._note_news(transaction, each.id.removeprefix(CHANGED), now)
                if each.id.startswith(CHANGED) or each.id == LostEvents.NAME:
                    transaction.documents.drop_document(HOOK, each.id)
        done = self._note_arrived(store, now, wait=0)
        for name, letter in self._claim_due(store, now):
            self._start_thread(name, letter, now)
        return done + self._note_arrived(store, now, wait=self.patience)

    def _note_news(self, transaction: Transaction, game: str, now: datetime) -> None:
        stored = transaction.get_game(game)
        if stored is None:
            return
        kinds = [own for own in (False, True) if self._find_target(transaction, game, own=own) is not None]
        facts, shown = self._show_game(transaction, stored)
        numbers = list_published_turns(shown)
        kept = transaction.documents.get_document(HOOK, f"{TOLD}{game}")
        before = Told.read_text(kept.data) if kept else Told(numbers[-2] if len(numbers) > 1 else 0)
        told = Told(numbers[-1] if numbers else 0, facts.over)
        news = [(TURN, number) for number in numbers if number > before.turn]
        news += [(END, told.turn)] if told.over and not before.over else []
        for what, turn in news:
            for own in kinds:
                event = Event(game, what, turn, own, now)
                name = f"{EVENT}{self._make_id(event)}"
                transaction.documents.store_document(Document(HOOK, name, event.text, now))
        transaction.documents.store_document(Document(HOOK, f"{TOLD}{game}", told.text))

    @cites("club.hooks.sent")
    def _make_id(self, event: Event) -> str:
        """Return the id of a webhook: the same for each attempt."""
        named = f"tkid hook 1\n{event.game}\n{event.what}\n{event.turn}\n{event.own}"
        return f"msg_{hmac(self.secret, named.encode(), sha256).hexdigest()[:32]}"

    def _show_game(self, transaction: Transaction, stored: StoredGame) -> tuple[GameFacts, Replay]:
        word = transaction.documents.find_people_word()
        if self._people is None or self._people[0] != word:
            self._people = word, People.make_people(self.secret, transaction.documents.list_values(Member))
        people, hosted = evolve(self._people[1], pages=PageNames()), stored.read_hosted()
        cast, slug, persons = people.make_cast(stored.id, Roster.make_roster(hosted))
        return collect_game_facts(hosted.replay, cast, slug, [each.page for each in persons], self.delay)

    def _find_target(self, transaction: Transaction, game: str, *, own: bool) -> Target | None:
        if not own:
            return self.target()
        url = transaction.documents.get_document(HOOK, f"{URL}{game}")
        return Target(url.data, make_game_secret(self.secret, game, url.data)) if url else None

    def _claim_due(self, store: Store, now: datetime) -> list[tuple[str, tuple[Target, bytes]]]:
        """Return some due webhooks with their targets; note an attempt for each before it is sent."""
        claimed: list[tuple[str, tuple[Target, bytes]]] = []
        with store.begin_transaction() as transaction:
            for each in transaction.documents.list_due(HOOK, now):
                if not each.id.startswith(EVENT) or len(self._on_their_way) >= MAX_ON_THEIR_WAY:
                    continue
                event = Event.read_text(each.data)
                letter = self._write_event(transaction, event)
                if letter is None or now - event.since > MAX_TIME_TRIED:
                    transaction.documents.drop_document(HOOK, each.id)
                    if letter is not None:
                        _note_lost(transaction, event, now)
                    continue
                pause = PAUSES[min(event.tries, len(PAUSES) - 1)]
                tried = evolve(event, tries=event.tries + 1)
                transaction.documents.store_document(Document(HOOK, each.id, tried.text, now + pause))
                claimed.append((each.id, letter))
                self._on_their_way.add(each.id)
        return claimed

    def _write_event(self, transaction: Transaction, event: Event) -> tuple[Target, bytes] | None:
        stored, target = transaction.get_game(event.game), self._find_target(transaction, event.game, own=event.own)
        if stored is None or target is None:
            return None
        facts, shown = self._show_game(transaction, stored)
        if event.what == END:
            return (target, write_end_event(self.club, facts).encode()) if facts.over else None
        text = write_turn_event(self.club, facts, shown, event.turn)
        return (target, text.encode()) if text else None

    def _start_thread(self, name: str, letter: tuple[Target, bytes], now: datetime) -> None:
        """Send a webhook in its own thread, so that a slow server does not delay the host."""
        target, body = letter

        def sending() -> None:
            error = ""
            try:
                self.send(target, name.removeprefix(EVENT), int(now.timestamp()), body)
            except HookError as problem:
                error = str(problem)
            except Exception as problem:  # noqa: BLE001 - any failure is tried again
                error = f"{type(problem).__name__}: {problem}"
            self._answers.put((name, error))
            self.wake()

        Thread(target=sending, daemon=True, name=name).start()

    def _note_arrived(self, store: Store, now: datetime, wait: float) -> int:
        """Note which webhooks arrived; those that did not are tried again."""
        done = 0
        while self._on_their_way:
            try:
                name, error = self._answers.get(timeout=wait) if wait else self._answers.get_nowait()
            except Empty:
                break
            self._on_their_way.discard(name)
            with store.begin_transaction() as transaction:
                kept = transaction.documents.get_document(HOOK, name)
                if kept is None:
                    continue
                event = evolve(Event.read_text(kept.data), error=error)
                if error and now - event.since <= MAX_TIME_TRIED:
                    transaction.documents.store_document(evolve(kept, data=event.text))
                    continue
                transaction.documents.drop_document(HOOK, name)
                if error:
                    _note_lost(transaction, event, now)
                done += 1
        return done


@cites("club.hooks.sent")
def _note_lost(transaction: Transaction, event: Event, now: datetime) -> None:
    """Note that a webhook is not tried again, so that the owner hears of it."""
    before = transaction.documents.find_value(LostEvents)
    lost = LostEvents(before.count + 1 if before else 1, event.game, now, event.error or "the host was not running")
    transaction.documents.store_document(lost.document)


def make_game_secret(secret: bytes, game: str, url: str) -> bytes:
    return hmac(secret, f"tkid hook secret 1\n{game}\n{url}".encode(), sha256).digest()


def list_waiting(transaction: Transaction) -> list[Event]:
    documents = transaction.documents.list_documents(HOOK)
    return [Event.read_text(each.data) for each in documents if each.id.startswith(EVENT)]


def explain_hooks(store: Store) -> Iterator[str]:
    """Report the webhooks that failed, by their address, and those that were lost."""
    failing: dict[str, list[Event]] = {}
    for event in map(Event.read_text, store.list_document_texts(HOOK, EVENT)):
        if event.error:
            address = f"the address of {event.game}" if event.own else "the address in host.toml"
            failing.setdefault(address, []).append(event)
    for address, events in failing.items():
        worst = max(events, key=lambda event: event.tries)
        number, tries = count_noun(len(events), "message"), count_noun(worst.tries, "time")
        yield f"webhooks: {number} for {address} failed up to {tries}, and will be tried again: {worst.error}."
    if lost := store.find_value(LostEvents):
        number, when = count_noun(lost.count, "message"), format_moment(lost.when)
        yield f"webhooks: {number} did not arrive within three days. The last one, about {lost.game}, was given up on {when}: {lost.error}."


def list_hook_addresses(transaction: Transaction) -> dict[str, str]:
    documents = transaction.documents.list_documents(HOOK)
    return {each.id.removeprefix(URL): each.data for each in documents if each.id.startswith(URL)}
