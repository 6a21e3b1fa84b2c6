"""Pages for turns: they change nothing, what is sent from them is a mail, and nobody learns more by them than by letters."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from email.message import EmailMessage
from fcntl import LOCK_EX, flock
from html import escape
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import quote
from urllib.request import urlopen

import pytest
import sqlalchemy as sql
from attrs import evolve

from tests.cli import said, tkid
from tests.club.clubs import hosted
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.host import small_club
from tests.host.small_club import REQUIRED, VOUCHED, Club
from tests.host.year.players import DATABASE, HOST, TIME, address, examples, game, host
from tests.mail.mails import body
from tests.ports import free_port, serving
from tests.shared.clicking import lines_of
from tests.shared.strategies import ADVANCED
from tests.shared.tables import sample
from tests.shared.twins import twin_of
from tkid.cli.printing import UNREADABLE
from tkid.host import page_server, web
from tkid.host.chores import TimeWatch
from tkid.host.letters import OVER
from tkid.host.log import Log
from tkid.host.page_server import MAX_TRIED
from tkid.host.settings import SettingsError, read_settings
from tkid.host.settings import Web as Settings
from tkid.host.store.connection import DatabaseError
from tkid.host.store.schema import TABLES
from tkid.host.store.store import WORKING
from tkid.host.transports import Maildir
from tkid.host.web import LIMITS, UNKNOWN, Budget, Web, make_web_server
from tkid.mail.game_service import apply_owner_note
from tkid.mail.model import ClubTerms
from tkid.record.clock_notes import StandIn
from tkid.record.format.model import Record

PLACE = "https://play.example"
NAME = "play.example"
LOOPBACK = "http://127.0.0.1:"
LINK = re.compile(rf"{PLACE}/g/([a-z2-7]{{12}})")
TOKEN = "0123456789abcdef" * 2
PASSING = "[...document.querySelectorAll('#k-list button')].find((each) => each.textContent === 'Pass').click()"
Answer = tuple[int, dict[str, str], bytes]


@contextmanager
def pages(folder: Path, record: Record | None = None, **terms: Any) -> Iterator[tuple[Club, Web]]:
    """A host at work with pages, and a game of which the first letters went out."""
    folder.mkdir(exist_ok=True)
    with small_club.club(folder, **terms) as at:
        at.at.club = evolve(ClubTerms(), web=PLACE)
        at.at.open_game("winter", record or game(7), TIME)
        at.work()
        TimeWatch(lambda: at.now).begin_round(at.at)
        yield at, Web(lambda: at.at, PLACE, lambda: at.now, Log(lambda _: None, lambda: at.now))


@pytest.fixture
def at_web(tmp_path: Path) -> Iterator[tuple[Club, Web]]:
    with pages(tmp_path) as made:
        yield made


def ask(
    served: Web | page_server.FilePages, path: str, method: str = "GET", data: bytes = b"", **headers: str
) -> Answer:
    """What a browser gets."""
    sent: list[dict[str, Any]] = []
    chunks = [data[start : start + 4096] for start in range(0, len(data), 4096)] or [b""]

    async def receive() -> dict[str, Any]:
        if not chunks:
            await asyncio.sleep(60)
        return {"type": "http.request", "body": chunks.pop(0), "more_body": bool(chunks) or "slow" in headers}

    async def send(message: Any) -> None:
        sent.append(message)
        await asyncio.sleep(0)

    asyncio.run(served.make_app()(scope_of(path, method, **headers), receive, send))
    start = next(each for each in sent if each["type"] == "http.response.start")
    shown = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], shown, b"".join(each.get("body", b"") for each in sent)


def scope_of(path: str, method: str = "GET", **headers: str) -> dict[str, Any]:
    """A request as a server gives it to the pages."""
    path, _, query = path.partition("?")
    named = {"host": NAME, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {
        "type": "http", "http_version": "1.1", "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "scheme": "https", "root_path": "", "client": ("192.0.2.1", 5), "server": (NAME, 443),
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
    }  # fmt: skip


OWN = {"origin": PLACE, "content_type": "application/json"}


def post(served: Web, key: str, text: str, token: str = TOKEN, about: str = "", **headers: str) -> tuple[int, Any]:
    """What a page gets for what it sends."""
    data = json.dumps({"text": text, "token": token, "about": about}).encode()
    status, _, answer = ask(served, f"/g/{key}", "POST", data, **{**OWN, **headers})
    return status, json.loads(answer)


def asked(at: Club, *, send: bool = False) -> tuple[str, EmailMessage, str]:
    """Who is asked for a turn, by which letter, and the key of its page; with `send`, the letters go out first."""
    if send:
        at.at.send_letters(at.now)
    played = at.games()[0].read_hosted()
    assert played.awaited is not None
    name = played.names[played.awaited]
    (letter,) = at.mails(name)
    found = LINK.search(body(letter))
    assert found
    return name, letter, found[1]


def everything(at: Club) -> dict[str, list[Any]]:
    """All rows of the database."""
    with at.at.store.engine.connect() as connection:
        return {table.name: list(map(tuple, connection.execute(sql.select(table)))) for table in TABLES.sorted_tables}


def find_page(at: Club, name: str) -> str:
    """The key of the page to which the first letter of a player leads that asks for a turn."""
    return next(found[1] for mail in at.mails(name) if (found := LINK.search(body(mail))))


def turns(at: Club) -> int:
    return at.games()[0].read_hosted().turns


# -- letters ------------------------------------------------------------------------------------------------


def test_a_letter_that_asks_leads_to_its_page(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    name, letter, key = asked(at)
    html = letter.get_body(("html",))
    assert html is not None
    assert body(letter).count(f"Open the board: {PLACE}/g/{key}") == 1
    assert html.get_content().count(f'href="{PLACE}/g/{key}"') == 1
    assert ask(served, f"/g/{key}")[0] == 200
    (told,) = at.mails("Bob" if name == "Ann" else "Ann")
    assert not LINK.search(body(told))  # it asks for nothing


def test_a_quoted_link_is_no_order_and_no_key(at_web: tuple[Club, Web]) -> None:
    at, _ = at_web
    name, letter, key = asked(at)
    at.write(name, f"Open the board: {PLACE}/g/{key}\nPass")
    at.work()
    assert turns(at) == 0
    at.write(name, f"Pass\n\n{body(letter)}", to=str(letter["Reply-To"]))
    at.work()
    assert turns(at) == 1


def test_without_the_setting_there_is_no_link(at: Club) -> None:
    at.at.open_game("winter", game(7), TIME)
    at.work()
    assert not any("/g/" in mail.as_string() for name in ("Ann", "Bob") for mail in at.mails(name))


# -- looking ------------------------------------------------------------------------------------------------


def test_a_look_changes_nothing(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    name, letter, key = asked(at)
    before = everything(at)
    for path in (
        f"/g/{key}",
        f"/g/{key}/",
        "/g/aaaaaaaaaaaa",
        "/",
        f"/g/{key}/../{key}",
        f"/G/{key}",
        f"/g/{key.upper()}",
    ):
        for method in ("GET", "HEAD", "OPTIONS", "PUT", "DELETE"):
            status, *_ = ask(served, path, method)
            assert (status == 200) == (path == f"/g/{key}" and method in {"GET", "HEAD"})
    assert everything(at) == before
    at.replies(letter, name, "Pass")
    before = everything(at)
    assert ask(served, f"/g/{key}")[0] == 410
    assert everything(at) == before


def test_every_answer_is_shut_off(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    tag = ask(served, f"/g/{key}")[1]["etag"]
    answers = [
        ask(served, f"/g/{key}"),
        ask(served, f"/g/{key}", if_none_match=tag),
        ask(served, "/g/aaaaaaaaaaaa"),
        ask(served, "/nothing"),
        ask(served, f"/g/{key}", host="elsewhere.example"),
        ask(served, f"/g/{key}", "POST", b"{}", **OWN),
        ask(served, f"/g/{key}", "POST", json.dumps({"text": "help", "token": TOKEN, "about": ""}).encode(), **OWN),
    ]
    assert [status for status, *_ in answers] == [200, 304, 404, 404, 421, 403, 200]
    for status, headers, _ in answers:
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert not {"set-cookie", "location", "access-control-allow-origin"} & headers.keys()
        if status != 304:
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'none'")
            assert policy.endswith("frame-ancestors 'none'")
            assert "unsafe" not in policy
    page = answers[0][2].decode()
    assert re.findall(r'(?:src|srcset|action|data)="', page) == []
    links = {link for link in re.findall(r'href="(.*?)"', page) if not link.startswith(("#", "?"))}
    assert all(link == "mailto:" or link.startswith("https://tkid.readthedocs.io/") for link in links), links


def test_a_page_holds_no_key(at_web: tuple[Club, Web]) -> None:
    """Who sees a page over somebody's shoulder, or in a picture of the screen, cannot use it."""
    at, served = at_web
    _, _, key = asked(at)
    post(served, key, "say to all: Hello")
    words = [row[0] for row in everything(at)["keys"]]
    page = ask(served, f"/g/{key}")[2].decode()
    assert key in words
    assert [word for word in words if word in page] == []


def test_unknown_keys_look_alike(at_web: tuple[Club, Web]) -> None:
    _, served = at_web
    answers = {
        ask(served, f"/g/{word}")[2] for word in ("aaaaaaaaaaaa", "bbbbbbbbbbbb", "short", "a" * 400, "%00", "..")
    }
    assert len(answers) == 1
    assert UNKNOWN.encode() in answers.pop()


def test_a_browser_that_asks_for_an_icon_gets_nothing(at_web: tuple[Club, Web]) -> None:
    """Or it would complain, on a page with a key in its address."""
    _, served = at_web
    status, headers, sent = ask(served, "/favicon.ico")
    assert (status, sent, headers["referrer-policy"]) == (204, b"", "no-referrer")


def test_an_old_link_shows_nothing_new(tmp_path: Path) -> None:
    """The same bytes, whatever was played, and no name of a player."""
    old = set()
    for place, order in enumerate(("Pass", "example")):
        with pages(tmp_path / str(place)) as (at, served):
            name, letter, key = asked(at)
            at.replies(letter, name, order if order == "Pass" else examples(letter)[1])
            status, _, page = ask(served, f"/g/{key}")
            assert status == 410
            assert post(served, key, "status")[0] == 409
            old.add(page)
    (page,) = old
    assert OVER.encode() in page
    assert b"Ann" not in page


def test_a_link_ends_with_whoever_had_the_seat(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    name, _, key = asked(at)
    seat = at.games()[0].read_hosted().names.index(name)
    line = StandIn(seat, "Cal", at.now, address("Cal"))
    at.at.change_game("winter", lambda played: apply_owner_note(played, line, at.now))
    assert ask(served, f"/g/{key}")[0] == 410
    assert post(served, key, "Pass")[0] == 409
    at.work()
    found = next(found for mail in at.mails("Cal") if (found := LINK.search(body(mail))))
    assert found[1] != key or ask(served, f"/g/{found[1]}")[0] == 410  # a key that two had is good for neither page


def test_a_page_follows_the_game(at_web: tuple[Club, Web]) -> None:
    """What others play shows without a letter to click, and the page that played is still good for the next turn."""
    at, served = at_web
    name, _, key = asked(at)
    status, answer = post(served, key, "Pass")
    assert status == 200
    own, tag = answer["next"], ask(served, f"/g/{answer['next']}")[1]["etag"]
    assert ask(served, f"/g/{own}", if_none_match=tag)[0] == 304
    at.work()
    assert post(served, find_page(at, "Bob" if name == "Ann" else "Ann"), "Pass")[0] == 200
    status, headers, page = ask(served, f"/g/{own}", if_none_match=tag)
    assert status == 200
    assert headers["etag"] != tag
    assert "<h1>Your turn</h1>" in page.decode()
    assert post(served, own, "Pass", "f" * 32)[0] == 200
    assert turns(at) == 3


# -- plans --------------------------------------------------------------------------------------------------


def test_a_plan_is_clicked_in_the_position_after_the_others_pass(at_web: tuple[Club, Web]) -> None:
    """The page of who waits leads to it, what it sends is a plan, and the plan plays."""
    at, served = at_web
    name, _, key = asked(at)
    assert ask(served, f"/g/{key}?plan")[2] == ask(served, f"/g/{key}")[2], "nobody plans while it is their turn"
    own = post(served, key, "Pass")[1]["next"]
    assert b'href="?plan"' in ask(served, f"/g/{own}")[2]
    page = ask(served, f"/g/{own}?plan")[2].decode()
    assert "Save plan" in page
    choices = json.loads(re.findall(r'id="k-choices">(.*?)</script>', page)[0])
    turn = min(lines_of(choices))
    before, behind = choices["around"]
    rival = "Bob" if name == "Ann" else "Ann"
    conditions = re.findall(r'<option value="(.*?)"', page)
    assert conditions[:2] == [before, f"if {rival} plays Scottish Support: "]
    for number, condition in enumerate(conditions):
        answer = post(served, own, f"{condition}{turn}{behind}", f"{number:032x}")[1]
        assert answer["said"] == "Your plan is saved. Only you can see it."
    post(served, own, "cancel all", "e" * 32)
    assert (
        post(served, own, f"{before}{turn}{behind}", "a" * 32)[1]["said"] == "Your plan is saved. Only you can see it."
    )
    assert turns(at) == 1
    at.at.send_letters(at.now)
    assert post(served, find_page(at, rival), "Pass")[0] == 200
    at.work()
    assert turns(at) == 3
    assert at.games()[0].read_hosted().record.turns[-1].seat == at.games()[0].read_hosted().names.index(name)


# -- live ---------------------------------------------------------------------------------------------------

OPEN = 100
"""So many pages are open at once."""


def test_a_hundred_open_pages_cost_one_statement_a_look(
    at_web: tuple[Club, Web], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them hears of a move, and of nothing else."""
    at, served = at_web
    name, letter, key = asked(at)
    monkeypatch.setattr(web, "GLANCE", 0.1)
    statements: list[str] = []
    sql.event.listen(at.at.store.engine, "before_cursor_execute", lambda *told: statements.append(told[2]))
    heard = [b""] * OPEN

    def read() -> int:
        return sum(each.startswith("SELECT") for each in statements)

    async def wait(until: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not until():  # noqa: ASYNC110 - it waits for what a page hears
                await asyncio.sleep(0.01)

    def count_looks(begun: float) -> int:
        return int((time.monotonic() - begun) / web.GLANCE) + 1

    async def follow() -> tuple[int, int, int]:
        leaving = asyncio.Event()
        app, begun = served.make_app(), time.monotonic()
        pages = [asyncio.create_task(app(scope_of(f"/g/{key}/live"), quiet(leaving), hear(n))) for n in range(OPEN)]
        await wait(lambda: all(heard))
        opened = read()
        beside, begun = opened - count_looks(begun), time.monotonic()
        await asyncio.sleep(10 * web.GLANCE)
        rested = read() - opened - count_looks(begun)
        assert set(heard) == {web.CHANGED.encode()}, "all pages ask once for what they may have missed"
        await asyncio.to_thread(at.replies, letter, name, "Pass")
        await wait(lambda: all(each == 2 * web.CHANGED.encode() for each in heard))
        left = served.watch.open_pages
        leaving.set()
        await asyncio.gather(*pages)
        await wait(lambda: not served.watch.open_pages)
        return beside, rested, left

    def hear(page: int) -> Callable[[Any], Any]:
        async def send(message: Any) -> None:
            heard[page] += message.get("body", b"")

        return send

    opened, rested, left = asyncio.run(follow())
    print(f"{opened} statements for {OPEN} pages that open, {rested} more than looks while they rest")  # noqa: T201 - for people
    assert opened <= OPEN + 10
    assert rested <= 1
    assert left == OPEN


def quiet(leaving: asyncio.Event) -> Callable[[], Any]:
    """What a browser says that only listens, until it leaves."""
    asked_for = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        for message in asked_for:
            return message
        await leaving.wait()
        return {"type": "http.disconnect"}

    return receive


def test_only_an_open_turn_is_followed(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    name, letter, key = asked(at)
    assert ask(served, "/g/aaaaaaaaaaaa/live")[0] == 404
    at.replies(letter, name, "Pass")
    assert ask(served, f"/g/{key}/live")[0] == 410


# -- sending ------------------------------------------------------------------------------------------------

TEXTS: dict[str, Callable[[EmailMessage], str]] = {
    "a turn": lambda letter: examples(letter)[1],
    "a wrong turn": lambda _: "Negotiate Moray <> Moray",
    "a turn with a question": lambda letter: f"{examples(letter)[1]}\nOr is that too early, what do you think?",
    "nearly a turn": lambda letter: examples(letter)[1].replace("Support", "Suport").partition(";")[0],
    "a pass and words": lambda _: "Pass\nsay to all: Good evening!",
    "no order": lambda _: "What a lovely evening",
    "a resignation": lambda _: "resign",
    "many orders": lambda _: "help\nstatus\nlegal\nwhy\nhistory",
    "other letters": lambda _: "say to all: Grüße – «ça va?» \u2026\n=E4 .\n.\nFrom me",
    "a plan": lambda _: "pass until struggle",
}


@pytest.mark.parametrize("what", sample(TEXTS, 2))
def test_what_is_sent_does_what_a_reply_does(what: str, tmp_path: Path) -> None:
    """The game file, the memory, and all letters are the same, to the others byte for byte. Cites: mail.page."""
    told = []
    for way in ("mail", "page"):
        with pages(tmp_path / way) as (at, served):
            name, letter, key = asked(at)
            text = TEXTS[what](letter)
            if way == "mail":
                head = f"From: {name} <{address(name)}>\nTo: {letter['Reply-To']}\nSubject: Re: {letter['Subject']}\n"
                head += f"In-Reply-To: {letter['Message-ID']}\nMessage-ID: <m1@example.org>\nContent-Type: text/plain; charset=utf-8\n"
                Maildir(at.folder / "in").add_mail(f"{head}\n{text}\n".encode())
            else:
                status, answer = post(served, key, text)
                assert status == 200
            at.work()
            (reply,) = at.mails(name)
            if way == "page":
                assert answer["said"] == body(reply).partition("\n")[0]
                assert f"+{answer['next']}@" in str(reply["Reply-To"])
                assert ask(served, f"/g/{answer['next']}")[0] == 200
            stored = at.games()[0]
            others = [bytes(mail) for mail in at.mails("Bob" if name == "Ann" else "Ann")]
            told.append((stored.record, stored.memory, body(reply), str(reply["Subject"]), others))
    assert told[0] == told[1]


def test_a_question_is_answered_on_its_page(at_web: tuple[Club, Web]) -> None:
    """The page of the question shows the words of the letter, and `yes` there answers that letter."""
    at, served = at_web
    name, letter, key = asked(at)
    text = f"{examples(letter)[1]}\nOr is that too early, what do you think?"
    _, first = post(served, key, text)
    assert turns(at) == 0
    page = ask(served, f"/g/{first['next']}")[2].decode()
    assert f"<summary>{first['said']}".replace("'", "&#x27;") in page
    assert 'data-text="yes"' in page
    shown = re.findall(r'data-letter="(\w+)" open', page)
    assert len(shown) == 1
    status, second = post(served, first["next"], "yes", "a" * 32, shown[0])
    assert (status, turns(at)) == (200, 1), second
    at.work()
    letters = list(map(body, at.mails(name)))
    assert [each.partition("\n")[0] for each in letters] == [first["said"], second["said"]]
    assert [LINK.findall(each) for each in letters] == [[first["next"]], []]  # the question asks for a turn too


def test_the_same_again_is_answered_as_before(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    first = post(served, key, "Pass")
    rows = everything(at)
    again = Web(served.open_host, PLACE, served.now, served.log)  # as after a new start
    assert [post(each, key, "Pass") for each in (served, again)] == [first, first]
    assert everything(at) == rows
    assert post(served, key, "Pass", "b" * 32)[0] == 409  # another tab
    assert turns(at) == 1
    assert everything(at) == rows


def test_a_mail_in_flight_comes_first(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    name, letter, key = asked(at)
    at.answer(letter, name, "Pass")
    at.at.fetch_mails(Maildir(at.folder / "in"), at.now)
    status, answer = post(served, key, examples(letter)[1])
    assert (status, turns(at)) == (200, 1)
    assert at.games()[0].read_hosted().replay.moments[1].line == f"1. {name} Pass"
    at.work()
    assert [body(mail).partition("\n")[0] for mail in at.mails(name)][-1] == answer["said"]


def test_two_tabs_at_once_play_one_turn(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    found: list[tuple[int, Any]] = []
    tabs = [Thread(target=lambda token=each * 32: found.append(post(served, key, "Pass", token))) for each in "abc"]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert turns(at) == 1
    assert len(found) == 3
    assert any(answer["said"].startswith("You passed.") for _, answer in found)


@pytest.mark.parametrize("why", ["the host is not at work", "another worker has it"])
def test_what_waits_is_stored_and_played_later(
    why: str, at_web: tuple[Club, Web], monkeypatch: pytest.MonkeyPatch
) -> None:
    at, served = at_web
    name, _, key = asked(at)
    monkeypatch.setattr(web, "PATIENCE", 0.2)
    with (at.folder / f"{DATABASE}{WORKING}").open("wb") as lock:
        if why == "the host is not at work":
            at.now += timedelta(hours=1)
        else:
            flock(lock, LOCK_EX)
        status, answer = post(served, key, "Pass")
    assert (status, answer) == (202, {"said": web.KEPT, "next": ""})
    assert turns(at) == 0
    at.work()
    assert turns(at) == 1
    status, answer = post(served, key, "Pass")  # the page asks again
    assert (status, answer["said"]) == (200, body(at.mails(name)[-1]).partition("\n")[0])


def test_the_same_mistake_again_is_not_answered_twice(at_web: tuple[Club, Web]) -> None:
    """As by mail: a page that sends it again is told so."""
    at, served = at_web
    _, _, key = asked(at)
    assert "Not played" in post(served, key, "Negotiate Moray <> Moray")[1]["said"]
    assert post(served, key, "Negotiate Moray <> Moray", "c" * 32) == (200, {"said": web.UNANSWERED, "next": ""})
    assert turns(at) == 0


def test_no_room_is_said(at_web: tuple[Club, Web], monkeypatch: pytest.MonkeyPatch) -> None:
    at, served = at_web
    _, _, key = asked(at)
    monkeypatch.setattr(at.at.store, "take_mails", lambda *_: [None])
    assert post(served, key, "Pass") == (503, {"said": web.BUSY, "next": ""})


def test_a_host_that_wants_proof_of_the_sender_believes_its_own_page(tmp_path: Path) -> None:
    with pages(tmp_path, required=REQUIRED) as (at, served):
        name, letter, key = asked(at)
        at.replies(letter, name, "Pass")
        assert turns(at) == 0
        assert post(served, key, "Pass")[0] == 200
        assert turns(at) == 1
        assert VOUCHED.encode() in everything(at)["incoming"][-1][-1].replace(b"\r\n", b"\n")


def test_headers_cannot_be_written_from_a_page(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    name, _, key = asked(at)
    post(served, key, "\r\n\r\nPass\r\n--\r\nBcc: eve@example.org\0\r\n.\r\n")
    raw = everything(at)["incoming"][-1][-1]
    head = raw.partition(b"\r\n\r\n")[0].decode()
    assert re.findall(r"^[\w-]+", head, re.MULTILINE) == [
        "From", "To", "Subject", "Message-ID", "In-Reply-To", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
    ]  # fmt: skip
    assert f"<{address(name)}>" in head


@pytest.mark.slow
def test_a_page_of_a_host_on_postgresql(server: str, tmp_path: Path) -> None:
    with host(tmp_path, server) as at:
        at.club = evolve(ClubTerms(), web=PLACE)
        at.open_game("winter", game(7), TIME)
        TimeWatch(lambda: TIME).begin_round(at)
        served = Web(lambda: at, PLACE, lambda: TIME, Log(lambda _: None, lambda: TIME))
        _, _, key = asked(Club(tmp_path, at), send=True)
        assert ask(served, f"/g/{key}")[0] == 200
        first = post(served, key, "Pass")
        assert first[0] == 200
        assert post(served, key, "Pass") == first
        assert at.store.list_games()[0].read_hosted().turns == 1


# -- attacks ------------------------------------------------------------------------------------------------

GOOD = json.dumps({"text": "Pass", "token": TOKEN, "about": ""}).encode()
ATTACKS: dict[str, tuple[int, bytes, dict[str, str]]] = {
    "no origin": (403, GOOD, {"origin": ""}),
    "another origin": (403, GOOD, {"origin": "https://evil.example"}),
    "an origin that begins alike": (403, GOOD, {"origin": f"{PLACE}.evil.example"}),
    "no encryption": (403, GOOD, {"origin": "http://play.example"}),
    "an origin of null": (403, GOOD, {"origin": "null"}),
    "another site": (403, GOOD, {"sec_fetch_site": "cross-site"}),
    "a neighbour": (403, GOOD, {"sec_fetch_site": "same-site"}),
    "a form": (403, GOOD, {"content_type": "text/plain"}),
    "another host": (421, GOOD, {"host": "evil.example"}),
    "two hosts": (421, GOOD, {"host": f"{NAME}, evil.example"}),
    "too large": (403, GOOD + b" " * page_server.MAX_BODY, {}),
    "too long": (403, GOOD.replace(b"Pass", b"Pass" * 2001), {}),
    "no text": (403, GOOD.replace(b"Pass", b" "), {}),
    "no token": (403, GOOD.replace(TOKEN.encode(), b""), {}),
    "a number": (403, GOOD.replace(b'"Pass"', b"1"), {}),
    "no JSON": (403, b"Pass", {}),
    "a list": (403, b"[]", {}),
    "deep": (403, b"[" * 9000, {}),
    "half a character": (403, b"\xff", {}),
    "slow": (403, GOOD, {"slow": "yes"}),
}


@pytest.mark.parametrize("attack", sample(ATTACKS, 2))
def test_what_is_from_no_page_is_refused(
    attack: str, at_web: tuple[Club, Web], monkeypatch: pytest.MonkeyPatch
) -> None:
    at, served = at_web
    _, _, key = asked(at)
    monkeypatch.setattr(page_server, "SLOWEST", 0.2)
    before = everything(at)
    status, data, headers = ATTACKS[attack]
    assert ask(served, f"/g/{key}", "POST", data, **{**OWN, **headers})[0] == status
    assert everything(at) == before
    assert ask(served, f"/g/{key}", "POST", GOOD, **OWN)[0] == 200  # nothing else was wrong


@pytest.mark.parametrize(
    ("attack", "why"),
    [
        ("another origin", f"it doesn't come from a page of {PLACE}"),
        ("a form", "its Content-Type is not application/json"),
        ("too large", "it has more than 16,384 bytes"),
        ("too long", "its text is empty or has more than 8,000 characters"),
        ("no token", "the token is 32 hex digits"),
        ("no JSON", "it is not a JSON object with text, token and about"),
    ],
)
def test_the_answer_says_why_nothing_was_sent(attack: str, why: str, at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    _, data, headers = ATTACKS[attack]
    answer = ask(served, f"/g/{key}", "POST", data, **{**OWN, **headers})
    assert why in json.loads(answer[2])["said"]


def test_halves_of_characters_are_taken(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    assert post(served, key, "Pass\nsay to all: \ud800")[0] == 200
    assert turns(at) == 1


@pytest.mark.parametrize("kind", LIMITS)
def test_too_many_requests_are_refused(kind: str, at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    now = [0.0]
    served.budget = Budget(lambda: now[0])
    names = {"from": "192.0.2.1"} if kind == "from" else {kind: key}
    for _ in range(LIMITS[kind]):
        assert not served.budget.is_spent(**names)
    assert post(served, key, "Pass", TOKEN)[0] == 429 if kind == "sent" else ask(served, f"/g/{key}")[0] == 429
    now[0] = 60.0
    assert ask(served, f"/g/{key}")[0] == 200


def test_a_failure_says_nothing(at_web: tuple[Club, Web]) -> None:
    """Neither the browser nor the log gets a key, not even that of an error of the database."""
    at, served = at_web
    _, _, key = asked(at)
    lines: list[str] = []

    def fail() -> Any:
        raise DatabaseError(f"key {key}")

    failing = Web(fail, PLACE, served.now, Log(lines.append, lambda: at.now))
    for status, _, data in (ask(failing, f"/g/{key}"), ask(failing, f"/g/{key}", "POST", GOOD, **OWN)):
        assert status == 503
        assert key.encode() not in data
    assert lines
    assert not any(key in line for line in lines)


@pytest.mark.parametrize(
    "address",
    [
        "http://play.example",
        "https://play.example/path",
        "https://ann@play.example",
        "https://play.example?key",
        "https://münchen.example",
        "play.example",
        "",
    ],
)
def test_an_address_that_cannot_be_is_refused(address: str, tmp_path: Path) -> None:
    text = f'address = "tkid@games.example"\n[web]\naddress = "{address}"\n'
    with pytest.raises(SettingsError, match=r"\[web\] address is one such as"):
        read_settings(tmp_path, text)


def test_the_settings_of_pages_are_read(tmp_path: Path) -> None:
    text = 'address = "tkid@games.example"\n[web]\naddress = "https://Play.Example/"\nlisten = "[::1]:8000"\n'
    settings = read_settings(tmp_path, text)
    assert settings.web == Settings(PLACE, "::1", 8000)
    assert settings.club.web == PLACE


def test_a_host_without_the_setting_says_what_to_write(tmp_path: Path) -> None:
    said("host", "init", tmp_path / "games", "--address", HOST)
    answer = tkid("host", "web", tmp_path / "games")
    assert answer.exit_code == UNREADABLE
    assert "Write [web] into host.toml" in answer.output


# -- secrets ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_twins_have_the_same_pages(tmp_path: Path) -> None:
    """Deals that a seat cannot tell apart give it the same pages and answers, byte for byte."""
    rng, compared = Random(42), 0
    people = [f"{name} <{address(name)}>" for name in ("Ann", "Bob")]
    while compared < 2:
        record = hosted(people, ADVANCED.code, "A secret", str(compared), turns=4 + compared, start=TIME).record
        seat = (record.turns[-1].seat + 1 + compared) % 2  # whoever is asked, and whoever is not
        twin = twin_of(rng, record, seat)
        if twin is None:
            continue
        told = []
        for number, each in enumerate((record, twin)):
            with pages(tmp_path / f"{compared} {number}", each) as (at, served):
                (letter,) = at.mails(record.names[seat])
                found = re.search(r"\+([a-z2-7]{12})@", str(letter["Reply-To"]))
                assert found
                looked = ask(served, f"/g/{found[1]}")
                sent = post(served, found[1], "status\nhistory\nlegal\ndraft Pass")
                own = f"/g/{sent[1]['next']}"
                told.append((looked, sent, ask(served, own), ask(served, f"{own}?plan")))
        assert told[0][0][0] == 200
        assert told[0] == told[1]
        compared += 1


# -- trying out ---------------------------------------------------------------------------------------------


def test_turns_are_tried_out_for_everybody(at_web: tuple[Club, Web]) -> None:
    """Whoever waits and whoever is to act see what follows; nothing is played, and nothing can be sent by the board."""
    at, served = at_web
    name, _, key = asked(at)
    rival = "Bob" if name == "Ann" else "Ann"
    before = ask(served, f"/g/{key}")
    assert b'href="?try="' in before[2]
    page = ask(served, f"/g/{key}?try=")[2].decode()
    assert "<h1>Trying out" in page
    assert ">Send</button>" not in page
    turn = min(lines_of(json.loads(re.findall(r'id="k-choices">(.*?)</script>', page)[0])))
    after = ask(served, f"/g/{key}?try={quote(turn)}")[2].decode()
    assert f'data-tried="{escape(turn)}"' in after
    assert f"{name} " in re.findall(r'<p id="k-since">(.*?)</p>', after)[0]
    assert lines_of(json.loads(re.findall(r'id="k-choices">(.*?)</script>', after)[0])), f"a turn of {rival} can follow"
    again = ask(served, f"/g/{key}?try={quote(f'{turn}{chr(10)}Pass{chr(10)}Nonsense{chr(10)}Pass')}")[2].decode()
    assert f'data-tried="{escape(turn)}\nPass"' in again, "what can't be played ends it"
    assert ask(served, f"/g/{key}") == before
    own = post(served, key, "Pass")[1]["next"]
    assert b'href="?try="' in ask(served, f"/g/{own}")[2]
    assert b"Trying out" in ask(served, f"/g/{own}?try=Pass")[2]
    assert turns(at) == 1


def test_a_whole_game_is_tried_out(at_web: tuple[Club, Web]) -> None:
    at, served = at_web
    _, _, key = asked(at)
    page = ask(served, f"/g/{key}?try={quote(chr(10).join(['Pass'] * 1000))}")[2].decode()
    tried = re.findall(r'data-tried="(.*?)"', page, re.DOTALL)[0].splitlines()
    assert tried == ["Pass"] * len(tried)
    assert len(tried) in range(2, MAX_TRIED + 1)
    assert turns(at) == 0


def test_tried_out_pages_are_not_remembered(at_web: tuple[Club, Web]) -> None:
    """Or somebody with a key fills the memory; a page that is the same is still not sent twice."""
    at, served = at_web
    _, _, key = asked(at)
    ask(served, f"/g/{key}")
    before = len(served._tags)  # noqa: SLF001 - nobody else can tell
    for number in range(3):
        path = f"/g/{key}?try={quote(f'Nonsense {number}')}"
        tag = ask(served, path)[1]["etag"]
        assert ask(served, path, if_none_match=tag)[0] == 304
    assert len(served._tags) == before  # noqa: SLF001 - as above


def test_hidden_cards_are_not_tried_out(tmp_path: Path) -> None:
    people = [f"{name} <{address(name)}>" for name in ("Ann", "Bob")]
    with pages(tmp_path, hosted(people, ADVANCED.code, "A secret", "1", turns=2, start=TIME).record) as (at, served):
        _, _, key = asked(at)
        plain = ask(served, f"/g/{key}")[2]
        assert b'href="?try="' not in plain
        assert ask(served, f"/g/{key}?try=Pass")[2] == plain


# -- processes that draw ------------------------------------------------------------------------------------


def test_another_process_draws_the_same_page(at_web: tuple[Club, Web]) -> None:
    """If it is killed, the page is drawn all the same, and the next one beside the server again."""
    at, served = at_web
    path = f"/g/{asked(at)[2]}"
    shown = ask(served, path)
    with page_server.Artists(1) as artists:
        again = [Web(served.open_host, PLACE, served.now, served.log, artists=artists) for _ in range(2)]
        assert ask(again[0], path) == shown
        other = artists.draw(os.getpid)
        assert other != os.getpid()
        os.kill(other, signal.SIGKILL)
        assert ask(again[1], path) == shown
        assert artists.draw(os.getpid) not in {other, os.getpid()}


def test_a_process_that_draws_ends_with_a_server_that_is_killed() -> None:
    lines = (
        "import os, time",
        "from tkid.host.page_server import Artists",
        "with Artists(1) as artists: print(artists.draw(os.getpid), flush=True); time.sleep(60)",
    )
    with subprocess.Popen([sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        other = int(server.stdout.readline())
        server.kill()
    until = time.monotonic() + 20
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.kill(other, 0)
            time.sleep(0.05)
        pytest.fail("it goes on")


# -- a browser ----------------------------------------------------------------------------------------------


ON_A_PHONE = pytest.mark.parametrize("width", [pytest.param(390, marks=IN_A_BROWSER)])
CLICKABLE = "!!document.querySelector('#k-list button')"


class Opened(NamedTuple):
    """A page in a browser: its host, its player and the other one, its key, and the address of its server."""

    at: Club
    served: Web
    name: str
    rival: str
    key: str
    place: str

    def post(self, key: str, text: str) -> None:
        """Send a text from another page."""
        assert post(self.served, key, text, host=self.place.partition("//")[2], origin=self.place)[0] == 200


@contextmanager
def opened(
    folder: Path, chromium: Chromium, width: int, query: str = "", record: Record | None = None, *, waits: bool = False
) -> Iterator[Opened]:
    """Open the page of the player to act on a phone, or that of one who has passed and waits."""
    with pages(folder, record) as (at, served):
        name, _, key = asked(at, send=True)
        if waits:
            key = post(served, key, "Pass")[1]["next"]
            at.work()
        port = free_port()
        served.address = place = f"{LOOPBACK}{port}"
        with serving(make_web_server(served, "127.0.0.1", port)):
            chromium.screen(width, 664)
            chromium.open(f"{place}/g/{key}{query}")
            chromium.wait("document.getElementById('k-ask')?.textContent")
            yield Opened(at, served, name, "Bob" if name == "Ann" else "Ann", key, place)


@pytest.mark.guard
@ON_A_PHONE
def test_a_turn_is_clicked_and_sent(
    width: int, tmp_path: Path, chromium: Chromium, capfd: pytest.CaptureFixture[str]
) -> None:
    """A board in a browser: a click, a tap on Send, and the answer; then what the other plays shows by itself."""
    chromium.complaints.clear()
    chromium.requests.clear()
    with opened(tmp_path, chromium, width) as page:
        chromium.run(PASSING)
        time.sleep(0.6)  # a press that comes too soon is none
        chromium.tap("#w-send")
        chromium.wait(f"location.pathname !== '/g/{page.key}'")
        chromium.wait("document.querySelector('#w-news').textContent.startsWith('You passed.')")
        page.at.work()
        page.post(find_page(page.at, page.rival), "Pass")
        chromium.wait("document.querySelector('h1').textContent === 'Your turn'")
        chromium.wait(CLICKABLE)
        # the page of an earlier test may still ask its own server, which is gone
        assert not [each for each in chromium.complaints if "127.0.0.1:" not in each or f"{page.place}/" in each]
        asked_of = [each for each in chromium.requests if not each.startswith(LOOPBACK)]  # or of an earlier page
        assert all(each.startswith("about:") for each in asked_of), "nothing is asked of other servers"
    assert page.key not in "".join(capfd.readouterr())


@ON_A_PHONE
def test_a_message_is_no_turn_and_leaves_one_in_the_making(width: int, tmp_path: Path, chromium: Chromium) -> None:
    """Whatever it says, in however many lines; the turn that was begun is still there."""
    with opened(tmp_path, chromium, width) as page:
        chromium.run("document.querySelector('#k-list [data-spot]').click()")
        line = chromium.run("document.getElementById('k-line').textContent")
        chromium.run("document.getElementById('w-say').value = 'Good evening!\\nPass'")
        chromium.run("document.getElementById('w-tell').click()")
        chromium.wait("!document.getElementById('w-say').value")
        assert chromium.run("document.getElementById('k-line').textContent") == line != "…"
        page.at.work()
        assert turns(page.at) == 0
        assert any("Good evening! Pass" in body(mail) for mail in page.at.mails(page.rival))


@pytest.mark.parametrize("code", [pytest.param(code, marks=IN_A_BROWSER) for code in ("second-edition-advanced", "claim")])  # fmt: skip
def test_a_turn_comes_to_a_slow_phone(code: str, tmp_path: Path, chromium: Chromium) -> None:
    """It has less than 250 kB, and its choices appear. `pytest -s` prints how soon it is seen at a quarter of the speed, with 1.6 Mbit/s."""
    with opened(tmp_path, chromium, 390, record=game(7, 2, code)) as page:
        with urlopen(f"{page.place}/g/{page.key}") as answer:  # noqa: S310 - our own
            assert len(answer.read()) < 250_000
        chromium.slow_down(cpu=4, bytes_a_second=200_000, latency=150)
        try:
            seen = []
            for _ in range(3):
                chromium.open(f"{page.place}/g/{page.key}")
                chromium.wait(CLICKABLE)
                seen.append(chromium.wait("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"))
        finally:
            chromium.slow_down(cpu=1, bytes_a_second=-1, latency=0)
    print(f"{code}: seen after {', '.join(f'{each / 1000:.1f}' for each in seen)} s")  # noqa: T201 - a figure to be read


@ON_A_PHONE
def test_turns_are_tried_out_by_clicking(width: int, tmp_path: Path, chromium: Chromium) -> None:
    with opened(tmp_path, chromium, width, "?try=") as page:
        try_passing(chromium, page.name, page.rival)
        chromium.tap("#k-menu")
        chromium.wait("document.querySelector('h1').textContent.startsWith('Your turn')")
        assert turns(page.at) == 0


def try_passing(chromium: Chromium, *players: str) -> None:
    """Try out a pass of each player, one after the other, on a page in a browser."""
    for number, player in enumerate(players, 1):
        chromium.wait(CLICKABLE)
        chromium.run(PASSING)
        time.sleep(0.6)
        chromium.tap("#w-send")
        chromium.wait(f"document.querySelector('#w-send')?.dataset.tried.split('\\n').length === {number}")
        chromium.wait("document.getElementById('k-since').textContent.includes('pass')")
        assert player in chromium.run("document.getElementById('k-since').textContent")


NOTIFYING = """
globalThis.seen = [];
globalThis.Notification = class {
  static permission = "default";
  static requestPermission = async () => (this.permission = "granted");
  constructor(title, { body }) { seen.push(`${title}: ${body}`); }
};
Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
"""
"""A browser that notes what it would show, and whose page is behind another one."""
SEEN = """
Object.defineProperty(document, "hidden", { get: () => false });
document.dispatchEvent(new Event("visibilitychange"));
"""
"""The page is seen again."""


@pytest.mark.parametrize("asks", [pytest.param(asks, marks=IN_A_BROWSER) for asks in (True, False)])
def test_a_hidden_page_notifies_who_asked_for_it(asks: bool, tmp_path: Path, chromium: Chromium) -> None:  # noqa: FBT001
    """Any other page is up to date when it is seen."""
    with opened(tmp_path, chromium, 390, waits=True) as page:
        chromium.run(NOTIFYING)
        if asks:
            chromium.run("document.querySelector('#w-notify').click()")
            chromium.wait("Notification.permission === 'granted'")
        page.post(find_page(page.at, page.rival), "Pass")
        if not asks:
            chromium.run(SEEN)
        chromium.wait("document.querySelector('h1').textContent.startsWith('Your turn')")
        told = chromium.run("seen")
        assert len(told) == asks
        assert all(each.startswith(f"game-7: Just now: {page.rival} passes") for each in told)


@ON_A_PHONE
def test_a_plan_for_a_card_is_clicked(width: int, tmp_path: Path, chromium: Chromium) -> None:
    """The player chooses what has to happen, then the turn; the plan that is saved says both."""
    with opened(tmp_path, chromium, width, "?plan", waits=True) as page:
        chromium.run(
            f"""(() => {{ const when = document.getElementById("w-when");
            when.value = "if {page.rival} plays Negotiate: ";
            when.dispatchEvent(new Event("change")); }})()"""
        )
        chromium.run(PASSING)
        line = chromium.run("document.getElementById('k-line').textContent")
        assert line == f"if {page.rival} plays Negotiate: Pass; else stop"
        time.sleep(0.6)
        chromium.tap("#w-send")
        chromium.wait("document.querySelector('#w-news').textContent.startsWith('Your plan is saved.')")
        assert turns(page.at) == 1
        assert line in page.at.games()[0].memory
