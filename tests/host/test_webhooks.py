"""Webhooks: what they tell, how they are signed and tried again, where they may go, and that nothing waits for them."""

from __future__ import annotations

import json
import re
import socket
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import new as hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event as Flag
from threading import Thread

import pytest
from attrs import define, field

from tests.club.clubs import START, hosted
from tests.host.sites import ANN, BOB, NOW, SECRET, Site, club
from tests.host.store.databases import BOTH, wipe
from tests.shared.tables import each_row
from tkid.club.members import Member
from tkid.club.site import Club
from tkid.host.published_folder import AT_ONCE, HOOK, Watch
from tkid.host.status import describe_status
from tkid.host.webhooks import (
    KEPT,
    MAX_TIME_TRIED,
    URL,
    HookError,
    Hooks,
    Target,
    explain_hooks,
    explain_url,
    list_waiting,
    make_game_secret,
    read_secret,
    send_webhook,
    sign_webhook,
    write_chat_message,
    write_secret,
)
from tkid.mail.hosted_game import HostedGame
from tkid.mail.model import Document

KEY = b"sixteen bytes or more"


@define
class Letter:
    """A webhook as it arrived."""

    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> dict[str, object]:
        return dict(json.loads(self.body))


@define
class Receiver:
    """A program that is told; it answers each time with the next of its statuses, the last one for ever."""

    url: str
    letters: list[Letter] = field(factory=list)
    statuses: list[int] = field(factory=lambda: [204])
    headers: dict[str, str] = field(factory=dict)
    hold: Flag = field(factory=Flag)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A server on this machine."""
    told = Receiver("")
    told.hold.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told.letters.append(Letter({name.lower(): value for name, value in self.headers.items()}, body))
            told.hold.wait(20)
            status = told.statuses.pop(0) if len(told.statuses) > 1 else told.statuses[0]
            self.send_response(status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}/hook?club=monday"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield told
    finally:
        told.hold.set()
        server.shutdown()
        server.server_close()


def game(turns: int | None, ruleset: str = "second-edition", title: str = "Winter") -> HostedGame:
    return hosted([ANN, BOB], ruleset, title, turns=turns)


def changed(site: Site, played: HostedGame, name: str = "winter") -> None:
    """A change of a game, noted as the host notes it."""
    site.keep(**{name: played})
    with site.store.begin_transaction() as transaction:
        Watch(hooks=True).note_changed(transaction, name)


def left(site: Site) -> int:
    with site.store.begin_transaction() as transaction:
        return len(list_waiting(transaction))


@pytest.fixture(params=BOTH)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    url = "" if request.param == "sqlite" else str(request.getfixturevalue("server"))
    with club(tmp_path, store_url=url) as made:
        yield made
    if url:
        wipe(url)


def hooks(url: str, **changes: object) -> Hooks:
    return Hooks(SECRET, Club("The Monday club"), target=lambda: Target(url, KEY), patience=10.0, **changes)  # type: ignore[arg-type]


class TestWhatIsTold:
    """Turns and ends, once each, and nothing that a spectator may not know."""

    def test_a_turn_and_the_end(self, site: Site) -> None:
        with receiver() as told:
            own = hooks(told.url)
            changed(site, game(5))
            own.run_chore(site.store, NOW)
            changed(site, game(7))
            own.run_chore(site.store, NOW)
            over = game(None)
            changed(site, over)
            for _ in range(over.turns):
                own.run_chore(site.store, NOW)
        bodies = [letter.value for letter in told.letters]
        turns = [body["data"]["turn"] for body in bodies if body["type"] == "game.turn"]  # type: ignore[index]
        assert sorted(turns) == list(range(5, over.turns + 1))
        (end,) = (body["data"] for body in bodies if body["type"] == "game.end")
        assert end["winners"]  # type: ignore[index]
        assert end["players"] == ["Ann Archer", "Bob Baker"]  # type: ignore[index]
        assert not [letter for letter in told.letters if b"@" in letter.body or len(letter.body) > 2000]
        assert left(site) == 0
        assert own.run_chore(site.store, NOW) == 0

    def test_a_line_without_a_turn_tells_nothing(self, site: Site) -> None:
        with receiver() as told:
            own = hooks(told.url)
            for _ in range(2):
                changed(site, game(5))
                own.run_chore(site.store, NOW)
        assert len(told.letters) == 1

    def test_a_delay_holds_turns_back(self, site: Site) -> None:
        with receiver() as told:
            own = hooks(told.url, delay=2)
            changed(site, game(5))
            own.run_chore(site.store, NOW)
        (letter,) = told.letters
        assert letter.value["data"]["turn"] == 3  # type: ignore[index]

    def test_an_anonymous_player_is_not_named(self, site: Site) -> None:
        """Not even in something that waits since before."""
        site.member(Member("bob@example.org", "Bob Baker", anonymous=True, pseudonym="Guest Heron"))
        with receiver() as told:
            changed(site, game(6, title="Bob again"))
            hooks(told.url).run_chore(site.store, NOW)
        assert b"Bob" not in told.letters[0].body
        assert b"Guest Heron" in told.letters[0].body

    def test_hidden_cards_are_not_told(self, site: Site) -> None:
        played = game(6, "second-edition-advanced")
        with receiver() as told:
            changed(site, played)
            hooks(told.url).run_chore(site.store, NOW)
        held = {card for hand in played.replay.position.hands for card in hand}
        assert held
        assert not [card for card in held if card.encode() in told.letters[0].body.split(b'"line"')[0]]

    def test_a_game_may_have_an_address_of_its_own(self, site: Site) -> None:
        with receiver() as told, receiver() as both:
            site.keep(winter=game(4), other=game(4, title="Other"))
            with site.store.begin_transaction() as transaction:
                transaction.documents.store_document(Document(HOOK, f"{URL}winter", told.url))
                Watch().note_changed(transaction, "winter")
                Watch().note_changed(transaction, "other")
            Hooks(SECRET, Club(), patience=10.0).run_chore(site.store, NOW)
            assert not both.letters
        (letter,) = told.letters
        secret = make_game_secret(SECRET, "winter", told.url)
        signed = f"{letter.headers['webhook-id']}.{letter.headers['webhook-timestamp']}.".encode() + letter.body
        due = b64encode(hmac(secret, signed, sha256).digest()).decode()
        assert letter.headers["webhook-signature"] == f"v1,{due}"


class TestTrying:
    """What does not arrive is tried again, with the same id and less and less often, for three days."""

    def test_it_is_tried_again_with_the_same_id(self, site: Site) -> None:
        with receiver() as told:
            told.statuses = [500, 503, 204]
            own, now = hooks(told.url), NOW
            changed(site, game(5))
            for minutes in (0, 1, 5):
                assert len(told.letters) < 3
                now += timedelta(minutes=minutes)
                own.run_chore(site.store, now)
                assert own.run_chore(site.store, now) == 0
        assert len({letter.headers["webhook-id"] for letter in told.letters}) == 1
        assert len({letter.body for letter in told.letters}) == 1
        assert len({letter.headers["webhook-timestamp"] for letter in told.letters}) == 3
        assert left(site) == 0

    def test_it_is_given_up_after_three_days(self, site: Site) -> None:
        tries: list[datetime] = []

        def fails(*_: object) -> None:
            raise HookError("nobody is there")

        own, now = hooks("https://club.example/", send=fails), NOW
        changed(site, game(5))
        while now < NOW + MAX_TIME_TRIED + timedelta(hours=1):
            with site.store.begin_transaction() as transaction:
                before = [event.tries for event in list_waiting(transaction)]
            own.run_chore(site.store, now)
            with site.store.begin_transaction() as transaction:
                tries += [now] if [event.tries for event in list_waiting(transaction)] != before else []
            now += timedelta(minutes=30)
        assert left(site) == 0
        assert 8 < len(tries) < 16
        (lost,) = explain_hooks(site.store)
        assert lost.startswith("webhooks: 1 message did not arrive within three days. The last one, about winter, ")
        assert lost.endswith(": nobody is there.")
        assert describe_status(site.store, now)["webhooks"] == [lost]
        own.run_chore(site.store, now + KEPT)
        assert not [*explain_hooks(site.store)]

    def test_a_failure_is_reported_until_it_arrives(self, site: Site) -> None:
        with receiver() as told:
            told.statuses = [500, 500, 204]
            own = hooks(told.url)
            changed(site, game(5))
            own.run_chore(site.store, NOW)
            (failing,) = explain_hooks(site.store)
            own.run_chore(site.store, NOW + timedelta(minutes=1))
            (still,) = explain_hooks(site.store)
            own.run_chore(site.store, NOW + timedelta(minutes=10))
        text = "webhooks: 1 message for the address in host.toml failed up to {}, and will be tried again: 127.0.0.1 answered 500."
        assert (failing, still) == (text.format("1 time"), text.format("2 times"))
        assert not [*explain_hooks(site.store)]

    def test_a_redirect_is_not_followed(self, site: Site) -> None:
        with receiver() as told, receiver() as elsewhere:
            told.statuses, told.headers = [307], {"Location": elsewhere.url}
            changed(site, game(5))
            hooks(told.url).run_chore(site.store, NOW)
            assert len(told.letters) == 1
            assert not elsewhere.letters
        with site.store.begin_transaction() as transaction:
            (event,) = list_waiting(transaction)
        assert "307" in event.error

    def test_a_slow_server_keeps_nobody_waiting(self, site: Site) -> None:
        """The round goes on at once, and the answer begins another one. Only so many are on their way at once."""
        answered = Flag()
        with receiver() as told:
            told.hold.clear()
            own = Hooks(SECRET, Club(), target=lambda: Target(told.url, KEY), wake=answered.set)
            changed(site, game(1))
            begun = time.monotonic()
            own.run_chore(site.store, NOW)
            assert time.monotonic() - begun < 1
            assert not answered.is_set()
            changed(site, game(12))
            own.run_chore(site.store, NOW)
            own.run_chore(site.store, NOW)
            assert left(site) == 12
            assert len(own._on_their_way) == 4  # noqa: SLF001 - nobody else needs to know
            told.hold.set()
            while left(site):
                assert answered.wait(20)
                answered.clear()
                own.run_chore(site.store, NOW)
        assert left(site) == 0
        assert len({letter.headers["webhook-id"] for letter in told.letters}) == len(told.letters) == 12

    def test_what_was_sent_before_a_crash_has_the_same_id(self, site: Site) -> None:
        with receiver() as told:
            told.hold.clear()
            changed(site, game(5))
            Hooks(SECRET, Club(), target=lambda: Target(told.url, KEY)).run_chore(site.store, NOW)
            while not told.letters:
                time.sleep(0.01)
            told.hold.set()
            hooks(told.url).run_chore(site.store, NOW + timedelta(minutes=2))
        assert len(told.letters) == 2
        assert told.letters[0].headers["webhook-id"] == told.letters[1].headers["webhook-id"]


class TestWhereTheyGo:
    """Only to public addresses, encrypted, unless an address is written as a number."""

    def test_a_certificate_is_needed(self) -> None:
        """A server that does not speak TLS gets nothing."""
        with receiver() as told:
            with pytest.raises(HookError):
                send_webhook(Target(told.url.replace("http:", "https:"), KEY), "msg_1", 0, b"{}")
            assert not told.letters

    def test_secrets(self) -> None:
        assert read_secret(write_secret(KEY)) == KEY
        assert read_secret(f" {KEY.decode()}\n") == KEY
        for wrong in ("short", "whsec_!", "whsec_YWJj"):
            with pytest.raises(ValueError, match=r"secret|base64"):
                read_secret(wrong)

    def test_the_signature_of_the_standard(self) -> None:
        """The example of the specification of Standard Webhooks."""
        secret = read_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        body = b'{"test": 2432232314}'
        due = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        assert sign_webhook(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body) == due


@each_row(
    "url, fine",
    [
        ("https://club.example/hook", True),
        ("https://10.0.0.1/hook", True),
        ("http://127.0.0.1:80/hook", True),
        ("http://localhost/hook", True),
        ("http://club.example/hook", False),
        ("http://10.0.0.1/hook", False),
        ("https://user:word@club.example/", False),
        ("https://club.example:port/", False),
        ("file:///etc/passwd", False),
        ("https:///hook", False),
        ("https://club.example/a b", False),
        ("", False),
    ],
)
def test_addresses(url: str, fine: bool) -> None:  # noqa: FBT001 - a row of a table
    assert bool(explain_url(url)) != fine


@each_row(
    "address",
    [
        "10.0.0.1",
        "127.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - nobody listens there
        "224.0.0.1",
        "::1",
        "fe80::1%eth0",
        "fc00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
    ],
)
def test_a_name_that_leads_to_a_private_address(address: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", (address, 443))])
        with pytest.raises(HookError, match="private"):
            send_webhook(Target("https://club.example/", KEY), "msg_1", 0, b"{}")


@each_row(
    "chat, sent",
    [
        ("discord", {"content": "TEXT", "allowed_mentions": {"parse": []}}),
        ("slack", {"text": "TEXT"}),
        ("mattermost", {"text": "TEXT"}),
        ("matrix", {"text": "TEXT"}),
    ],
)
def test_a_chat_is_sent_one_sentence(chat: str, sent: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / chat).mkdir()
    with club(tmp_path / chat, store_url="") as site, receiver() as told:
        changed(site, game(6, title="Winter <!channel> @everyone"))
        hooks(f"{told.url}#{chat}").run_chore(site.store, NOW)
    (letter,) = told.letters
    title = "Winter &lt;!channel&gt;" if chat == "slack" else "Winter <!channel>"
    text = str(letter.value.get("text") or letter.value["content"])
    assert re.fullmatch(rf"{re.escape(title)} @\u2060everyone: Ann Archer plays .+\. Bob Baker is next\.", text)
    assert letter.value == {name: text if value == "TEXT" else value for name, value in sent.items()}
    signed = sign_webhook(KEY, letter.headers["webhook-id"], int(letter.headers["webhook-timestamp"]), letter.body)
    assert letter.headers["webhook-signature"] == signed


def test_a_phone_is_sent_plain_text(site: Site) -> None:
    with receiver() as told:
        changed(site, game(None))
        hooks(f"{told.url}#ntfy").run_chore(site.store, NOW)
    assert {letter.headers["content-type"] for letter in told.letters} == {"text/plain; charset=utf-8"}
    texts = [letter.body.decode() for letter in told.letters]
    assert any(re.fullmatch(r"Winter: .+ is crowned: .+ regions\.", text) for text in texts)


def test_a_chat_is_known_by_its_server() -> None:
    body = json.dumps(
        {"data": {"title": "", "game": "winter", "told": "Ann passes.", "next": "Bob", "page": "https://c.example/w"}}
    )
    text = "winter: Ann passes. Bob is next. https://c.example/w"
    for url in ("https://discord.com/api/webhooks/1/x", "https://chat.example/x#discord"):
        assert json.loads(write_chat_message(url, body.encode()))["content"] == text
    assert json.loads(write_chat_message("https://hooks.slack.com/services/x", body.encode())) == {"text": text}
    assert write_chat_message("https://ntfy.sh/monday", body.encode()) == text.encode()
    assert write_chat_message("https://club.example/hook", body.encode()) == body.encode()
    assert "It knows #discord, #slack, #mattermost, #matrix, #ntfy." in explain_url("https://club.example/hook#irc")


def test_a_change_is_noted_where_somebody_wants_to_know(site: Site) -> None:
    site.keep(winter=game(2))
    for watch, kinds in ((Watch(), ()), (Watch(pages=True), ("page",)), (Watch(hooks=True), ("hook",))):
        with site.store.begin_transaction() as transaction:
            for kind in ("page", "hook"):
                for each in transaction.documents.list_documents(kind):
                    transaction.documents.drop_document(kind, each.id)
            watch.note_changed(transaction, "winter")
            found = [kind for kind in ("page", "hook") if transaction.documents.list_documents(kind)]
            assert found == list(kinds)
            assert [each.due for each in transaction.documents.list_due("hook", START)] == [AT_ONCE] * ("hook" in kinds)
