"""A game file in a browser: what is sent is played as `tkid play` does, nobody reaches the page from outside, and no hand is shown."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_string
from html import escape, unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, unquote
from urllib.request import urlopen

import pytest

from tests.cli import said, tkid
from tests.cli.dealers import dealt
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.host.test_web import ATTACKS, ask, try_passing
from tests.ports import free_port, serving
from tkid.cli import play
from tkid.cli.files import lock_file
from tkid.cli.play import MOVED, ServedFile
from tkid.cli.printing import UNREADABLE, WRONG
from tkid.host import page_server
from tkid.host.page_server import ELSEWHERE, FilePages, make_server

PLACE, SECRET = "http://127.0.0.1:8000", "Zq3"
OWN = {"host": "127.0.0.1:8000", "origin": PLACE, "content_type": "application/json"}
ADVANCED = "second-edition-advanced"


def serve(file: Path, me: str = "") -> FilePages:
    """The pages of a file, without a server."""
    served = ServedFile(file, me, f"/{SECRET}")
    return FilePages(PLACE, SECRET, served.show, served.play)


def look(pages: FilePages, path: str = f"/{SECRET}") -> str:
    """The page that a browser gets."""
    status, _, page = ask(pages, path, host=OWN["host"])
    assert status == 200
    return page.decode()


def about(page: str) -> str:
    """The position of a page."""
    found = re.search(r'data-about="([0-9a-f]{16})"', page)
    assert found
    return found[1]


def send(pages: FilePages, text: str, position: str, token: str = "", **headers: str) -> tuple[int, dict[str, Any]]:
    """What a page gets for what it sends."""
    data = json.dumps({"text": text, "token": token or secrets.token_hex(16), "about": position}).encode()
    status, _, answer = ask(pages, f"/{SECRET}", "POST", data, **{**OWN, **headers})
    return status, json.loads(answer)


def opened(pages: FilePages) -> str:
    """The board of the player who takes the device."""
    page = look(pages)
    assert 'id="w-side"' not in page
    found = re.search(r'href="(/[^"]*)"', page)
    assert found
    return look(pages, found[1])


def clickable(page: str, rng: Random) -> str:
    """A turn that can be clicked on a page; "" if there is none."""
    found = re.search(r'id="k-choices">(.*?)</script>', page)
    assert found
    data = json.loads(found[1])
    signs, text, ways = {sign: number for number, sign in enumerate(data["signs"])}, "", []
    for row in data["ways"]:
        same, end, _, fresh = (signs[sign] for sign in row[:4])
        text = text[:same] + row[4 + fresh :]
        ends = [signs[sign] for sign in data["ends"][end - 1][1:]] if end else []
        ways.append((text, [data["texts"][str(spot)] for spot in ends]))
    if not ways:
        return ""
    turn, ends = rng.choice(ways)
    return f"{turn}; {rng.choice(ends)}" if ends else turn


def begun(folder: Path, *options: str, name: str = "game.tkid") -> Path:
    """A new game of Ann and Bob, which Ann starts."""
    file = folder / name
    said("new", file, "Ann", "Bob", "--first", "Ann", "--entropy", "07" * 32, *options)
    return file


# -- what is sent -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Pass", "pass"])
def test_a_text_is_played_as_at_the_terminal(text: str, tmp_path: Path) -> None:
    """The files are the same, byte for byte. Cites: record.page."""
    here, there = begun(tmp_path, name="here.tkid"), begun(tmp_path, name="there.tkid")
    pages = serve(here)
    status, answer = send(pages, text, about(look(pages)))
    said("play", there, text)
    assert status == 200, answer
    assert answer["said"] == f"Played: 1. Ann {text.capitalize()}"
    assert here.read_bytes() == there.read_bytes()
    assert "<h1>Bob to play" in look(pages)


def test_the_same_text_counts_once(tmp_path: Path) -> None:
    pages = serve(file := begun(tmp_path))
    position, token = about(look(pages)), "a" * 32
    first = send(pages, "Pass", position, token)
    assert send(pages, "Pass", position, token) == first
    assert "2. " not in file.read_text("utf-8")


def test_a_text_counts_only_in_the_position_that_was_seen(tmp_path: Path) -> None:
    """Somebody else has played meanwhile, or it was sent again after the program began anew."""
    pages = serve(file := begun(tmp_path))
    position = about(look(pages))
    said("play", file, "Pass")
    before = file.read_bytes()
    assert send(pages, "Pass", position) == (409, {"said": MOVED, "next": ""})
    assert send(pages, "Pass", "") == (409, {"said": MOVED, "next": ""})
    assert file.read_bytes() == before


def test_a_file_that_another_program_writes_is_left_alone(tmp_path: Path) -> None:
    pages = serve(file := begun(tmp_path))
    position, before = about(look(pages)), file.read_bytes()
    with lock_file(file):
        status, answer = send(pages, "Pass", position)
    assert status == 422
    assert "another program is writing it right now. Nothing was played" in answer["said"]
    assert file.read_bytes() == before
    assert send(pages, "Pass", position)[0] == 200


DOUBTS = {
    "assemble S moray W devon E essex; summon W gwyned": ("Is this the turn you mean?", 1),
    "Assemble S Moray, W Devon, E Essex": ("Do you mean one of these?", 3),
    "frobnicate": ("This names no card", 0),
    "2. Bob Pass": ("The next turn is turn 1, not 2", 0),
    "resign": ("tkid resign FILE", 0),
    "Pass... or not?": ("You also wrote `or not?`", 1),
}


@pytest.mark.parametrize("text", DOUBTS)
def test_a_text_in_doubt_is_asked_about(text: str, tmp_path: Path) -> None:
    """No excerpt of a terminal is shown, and nothing is played before somebody has chosen."""
    pages = serve(file := begun(tmp_path))
    position, before = about(look(pages)), file.read_bytes()
    status, answer = send(pages, text, position)
    asked, most = DOUBTS[text]
    assert status == 422
    assert asked in answer["said"]
    assert "^" not in answer["said"]
    assert len(answer.get("turns", ())) == most
    assert file.read_bytes() == before
    for turn in answer.get("turns", ())[:1]:
        assert send(pages, turn, position)[0] == 200


def test_a_file_with_mistakes_is_not_changed(tmp_path: Path) -> None:
    pages = serve(file := begun(tmp_path))
    position = about(look(pages))
    file.write_text(f"{file.read_text('utf-8')}garbage\n", "utf-8")
    before = file.read_bytes()
    status, _, page = ask(pages, f"/{SECRET}", host=OWN["host"])
    assert status == 503
    assert b"garbage" not in page
    assert b"This text is no part of the game" in page
    assert send(pages, "Pass", position)[0] == 422
    assert file.read_bytes() == before
    file.unlink()
    assert "No such file" in send(pages, "Pass", position)[1]["said"]


# -- whose page ---------------------------------------------------------------------------------------------


def test_a_whole_game_at_one_device_shows_no_hand_of_another(tmp_path: Path) -> None:
    """Each page is what the player's own file shows, and between two turns there is a page without a hand. Cites: record.page."""
    pages, rng = serve(file := begun(tmp_path, "--ruleset", "claim")), Random(5)
    turns = 0
    while "Pass the device" in (between := look(pages)):
        assert not re.search(r"Goblin|Knight|Undead|Dwarf|Doppelganger", between)
        page, name = opened(pages), ("Ann", "Bob")["device to Bob" in between]
        if turns % 13 == 0:
            own = tmp_path / f"seen-{turns}.tkid"
            said("view", file, "--seat", name, "-o", own)
            alone = look(serve(own))
            changed = [(about(alone), about(page)), (own.stem, file.stem)]
            for mine, theirs in changed:
                alone = alone.replace(mine, theirs)
            tag = re.compile(r'data-tag="\w*"|sha256-[^\']*')
            assert tag.sub("", alone) == tag.sub("", page)
        status, answer = send(pages, clickable(page, rng), about(page))
        assert (status, answer["said"]) == (200, "")
        turns += 1
    assert turns == 52
    assert "all right, 52 turns" in said("check", file)


def test_a_file_of_one_player_shows_only_that_players_page(tmp_path: Path) -> None:
    file = begun(tmp_path, "--ruleset", ADVANCED)
    said("view", file, "--seat", "Bob", "-o", own := tmp_path / "bob.tkid")
    page = look(pages := serve(own))
    assert "Ann is next." in page
    assert not clickable(page, Random())
    status, answer = send(pages, "Pass", about(page))
    assert status == 422
    assert "It is Ann's turn, and this is Bob's file" in answer["said"]
    said("play", own, "Pass", "--for", "Ann")
    assert clickable(look(pages), Random())


def test_a_whole_game_against_a_program(tmp_path: Path) -> None:
    """The page is always the person's, and the program has answered when it comes."""
    pages, rng, turns = serve(file := begun(tmp_path, "--bot", "Bob=greedy")), Random(3), 0
    while turn := clickable(page := look(pages), rng):
        assert "<h1>Ann to play" in page
        status, answer = send(pages, turn, about(page))
        assert (status, answer["said"].partition(":")[0]) == (200, "Played")
        turns += 1
    assert turns > 7
    assert not list(tmp_path.glob("*.eml"))
    assert "all right" in (checked := said("check", file))
    assert "coronation" in checked or "invasion" in checked


@pytest.mark.parametrize("way", ["a file", "a link"])
def test_a_letter_is_written_after_a_turn(way: str, tmp_path: Path) -> None:
    """What the page gives to send, the other player can read."""
    file = tmp_path / "game.tkid"
    said("new", file, "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--me", "Ann")
    page = look(pages := serve(file))
    assert "Send this mail" not in page
    assert send(pages, "Pass", about(page)) == (200, {"said": "Played: 1. Ann Pass", "next": ""})
    page, letter = look(pages), tmp_path / "game-letter.eml"
    assert f"It is in <code>{letter}</code>" in page
    assert "tkid letter read" in page
    if way == "a link":
        found = re.search(r'href="mailto:bob@example.org\?subject=[^&]*&amp;body=([^"]*)"', page)
        assert found
        body = unquote(unescape(found[1])).replace("\r\n", "\n")
        letter.write_text(f"From: ann@example.org\nTo: bob@example.org\n\n{body}", "utf-8")
    assert "1 turn" in said("letter", "read", tmp_path / "bob.tkid", letter, "--begin", "--me", "Bob")
    assert message_from_string(letter.read_text("utf-8"))["To"].endswith("bob@example.org>") or way == "a link"
    assert "Others may have turn 1" in tkid("undo", file).output  # it may be on its way


@pytest.mark.slow
def test_a_whole_game_from_hand_to_hand(tmp_path: Path) -> None:
    """Two players who dealt together play on their own pages, and each reads the letters that the other's page wrote."""
    players, _ = dealt(tmp_path, "Ann Bob", ADVANCED)
    rng, turns, over = Random(1), 0, False
    while not over:
        over = True
        for player, other in (players, players[::-1]):
            page = look(pages := serve(player.game))
            if turn := clickable(page, rng):
                assert send(pages, turn, about(page))[1]["said"].startswith(f"Played: {turns + 1}. {player.name} ")
                page = look(pages)
                assert f"Send this mail to {other.name}" in page
                assert "mailto:" not in page.partition("Send this mail")[2].partition("</details>")[0]
                other.reads(player.folder / "winter-letter.eml")
                turns, over = turns + 1, False
    assert turns > 10
    for player in players:
        assert f"all right, {turns} turns" in said("check", player.game)


def test_a_page_says_what_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a deal without a dealer, the next card waits for a letter of who has lost a trick as the leader."""
    monkeypatch.setattr("secrets.token_bytes", Random(3).randbytes)
    players, _ = dealt(tmp_path, "Ann Bob", "claim")
    to_act = players[0].replay.position.to_act or 0
    first, second = players[to_act], players[1 - to_act]
    for player, other in ((first, second), (second, first)):
        page = look(pages := serve(player.game))
        assert send(pages, clickable(page, Random(2)), about(page))[0] == 200
        other.reads(player.folder / "winter-letter.eml")
    assert second.replay.position.to_act == 1 - to_act, "the follower has won the trick"
    assert f"{second.name} needs a mail from you" in look(serve(first.game))
    assert f"First {first.name} has to unlock the next card." in look(serve(second.game))


def test_turns_are_tried_out_for_all_players(tmp_path: Path) -> None:
    """The page shows what follows; the file stays as it is."""
    pages = serve(file := begun(tmp_path))
    before, page = file.read_bytes(), look(pages)
    assert 'href="?try="' in page
    tried = look(pages, f"/{SECRET}?try=")
    assert "<h1>Trying out<small>: your turn" in tried
    assert ">Send</button>" not in tried
    turn = clickable(tried, Random(1))
    after = look(pages, f"/{SECRET}?try={quote(turn)}%0AFrobnicate")
    assert f'data-tried="{escape(turn)}"' in after
    assert "<h1>Trying out<small>: Bob’s turn" in after
    assert clickable(after, Random(1))
    assert file.read_bytes() == before
    assert look(pages) == page


@pytest.mark.parametrize("ruleset", [ADVANCED, "claim"])
def test_nobody_tries_turns_out_with_hidden_cards(ruleset: str, tmp_path: Path) -> None:
    pages = serve(begun(tmp_path, "--ruleset", ruleset))
    path = f"/{SECRET}/{about(page := opened(pages))}"
    assert look(pages, path) == page
    assert 'href="?try="' not in page
    assert look(pages, f"{path}?try=Pass") == page
    assert "Pass the device" in look(pages, f"/{SECRET}?try=Pass")


# -- who reaches it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_from_no_page_is_refused(attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = serve(file := begun(tmp_path))
    monkeypatch.setattr(page_server, "SLOWEST", 0.2)
    before = file.read_bytes()
    status, data, headers = ATTACKS[attack]
    data = data.replace(b'"about": ""', f'"about": "{about(look(pages))}"'.encode())
    assert ask(pages, f"/{SECRET}", "POST", data, **{**OWN, **headers})[0] == status
    assert file.read_bytes() == before


def test_nothing_is_shown_without_the_token_or_under_another_name(tmp_path: Path) -> None:
    pages = serve(begun(tmp_path))
    told = set()
    for path in ("/", "/wor", "/words", f"/{SECRET}/", f"/{SECRET}/../{SECRET}", "/%00", f"/{SECRET}/a/b"):
        status, headers, page = ask(pages, path, host=OWN["host"])
        assert status == 404
        assert headers["cache-control"] == "no-store"
        told.add(page)
    for host in ("evil.example", "localhost:8000", "127.0.0.1", "127.0.0.1:8000, evil.example"):
        status, _, page = ask(pages, f"/{SECRET}", host=host)
        assert status == 421
        told.add(page)
    assert len(told) == 1
    assert ELSEWHERE.split("`", maxsplit=1)[0].encode() in told.pop()


def test_every_answer_is_shut_off(tmp_path: Path) -> None:
    pages = serve(begun(tmp_path))
    tag = ask(pages, f"/{SECRET}", host=OWN["host"])[1]["etag"]
    assert ask(pages, f"/{SECRET}", host=OWN["host"], if_none_match=tag)[0] == 304
    _, headers, page = ask(pages, f"/{SECRET}", host=OWN["host"])
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert SECRET.encode() not in page


# -- the command --------------------------------------------------------------------------------------------


@contextmanager
def running(*arguments: object, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command at work, and the address that it prints."""
    command = [sys.executable, "-m", "tkid", "serve", *map(str, arguments)]
    pipe = subprocess.PIPE
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs a job in the background turns it off
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **environment}) as process:
        try:
            assert process.stdout
            line = next((line for line in process.stdout if line.startswith("The board is at ")), "")
            yield process, line.split()[-1] if line else ""
        finally:
            process.kill()


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    file = begun(tmp_path)
    with running(file, "--no-open") as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}", address)
        with urlopen(address) as answer:  # noqa: S310 - our own
            assert b"<h1>Ann to play" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stdout
        assert process.stderr
        told, complaints = process.stdout.read(), process.stderr.read()
    assert (
        told == f"Anybody who has this address can play. Press Ctrl-C to end this.\nStopped. The turns are in {file}.\n"
    )
    assert complaints == ""


@pytest.mark.skipif(os.name == "nt", reason="the arguments of a program are not for everybody there")
def test_the_browser_is_not_told_the_address_where_others_can_read_it(tmp_path: Path) -> None:
    """The arguments of a program are for everybody on the machine: the address is in a file that only its owner can read."""
    log = tmp_path / "log"
    (browser := tmp_path / "browser").write_text(f'#!/bin/sh\necho "$@" > {log}.new\nmv {log}.new {log}\n', "utf-8")
    browser.chmod(0o700)
    with running(begun(tmp_path), BROWSER=str(browser)) as (process, address):
        while not log.exists():
            assert process.poll() is None
        opened_file = Path(log.read_text("utf-8").strip().removeprefix("file://"))
        assert address.rpartition("/")[2] not in str(opened_file)
        assert address in opened_file.read_text("utf-8")
        assert stat.S_IMODE(opened_file.stat().st_mode) == 0o600
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert not opened_file.exists()


def test_a_program_takes_a_seat_and_begins(tmp_path: Path) -> None:
    file = begun(tmp_path)
    with running(file, "--bot", "Ann=random", "--no-open") as (_, address):
        assert address
    text = file.read_text("utf-8")
    assert "X-Bot: Ann random 1000" in text
    assert "\n1. Ann " in text


WRONGS: dict[str, tuple[Callable[[Path], list[object]], int, str]] = {
    "no file": (lambda folder: [folder / "none.tkid"], UNREADABLE, "No such file"),
    "no game": (lambda _: [__file__], UNREADABLE, "tkid"),
    "no player": (lambda folder: [begun(folder), "--me", "Eve"], UNREADABLE, "There is no player Eve"),
    "no program": (lambda folder: [begun(folder), "--bot", "Bob=deep"], UNREADABLE, "There is no player deep"),
    "another program": (
        lambda folder: [begun(folder, "--bot", "Bob=greedy"), "--bot", "Bob=random"],
        WRONG,
        "game.tkid has programs already",
    ),
    "a position": (lambda _: ["second-edition; MOR S"], UNREADABLE, "needs a game file"),
}


@pytest.mark.parametrize("what", WRONGS)
def test_a_wrong_call_is_explained(what: str, tmp_path: Path) -> None:
    arguments, code, words = WRONGS[what]
    answer = tkid("serve", *arguments(tmp_path))
    assert answer.exit_code == code, answer.output
    assert words in answer.output


def test_a_program_cannot_take_a_seat_later(tmp_path: Path) -> None:
    said("play", file := begun(tmp_path), "Pass")
    before = file.read_bytes()
    answer = tkid("serve", file, "--bot", "Bob")
    assert answer.exit_code == WRONG
    assert "tkid new again.tkid --from" in answer.output
    assert file.read_bytes() == before


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with running(begun(tmp_path), "--no-open") as (_, address):
        port = address.split(":")[2].partition("/")[0]
        answer = tkid("serve", tmp_path / "game.tkid", "--port", port)
    assert answer.exit_code == UNREADABLE
    assert f"Port {port} can't be used" in answer.output


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "find_spec", lambda _: None)
    answer = tkid("serve", begun(tmp_path))
    assert answer.exit_code == UNREADABLE
    assert "pip install '.[web]'" in answer.output


# -- a browser ----------------------------------------------------------------------------------------------


@pytest.mark.guard
@pytest.mark.parametrize("width", [pytest.param(390, marks=IN_A_BROWSER)])
def test_a_turn_is_clicked_and_the_device_passed_on(width: int, tmp_path: Path, chromium: Chromium) -> None:
    port = free_port()
    served = ServedFile(begun(tmp_path, "--ruleset", ADVANCED), "", f"/{SECRET}")
    pages = FilePages(place := f"http://127.0.0.1:{port}", SECRET, served.show, served.play)
    with serving(make_server(pages.make_app(), "127.0.0.1", port)):
        chromium.screen(width, 664)
        chromium.open(f"{place}/{SECRET}")
        for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
            chromium.wait(f"document.querySelector('h1').textContent === 'Pass the device to {name}'")
            chromium.tap(".k-button")
            chromium.wait("!!document.querySelector('#k-list button')")
            assert chromium.run("document.querySelector('h1').textContent").startswith(f"{name} to play")
            chromium.run("document.querySelector('#w-write').open = true")
            chromium.run("document.querySelector('#w-text').value = 'pas'; document.querySelector('#w-post').click()")
            chromium.wait("document.querySelector('#w-news button')?.textContent === 'Pass'")
            chromium.run("document.querySelector('#w-news button').click()")
            chromium.wait(f"document.querySelector('h1').textContent === 'Pass the device to {other}'")
    assert [turn for turn in (tmp_path / "game.tkid").read_text("utf-8").split("\n") if " Pass" in turn][1:2]


@pytest.mark.parametrize("width", [pytest.param(390, marks=IN_A_BROWSER)])
def test_turns_are_tried_out_by_clicking(width: int, tmp_path: Path, chromium: Chromium) -> None:
    port = free_port()
    served = ServedFile(file := begun(tmp_path), "", f"/{SECRET}")
    pages = FilePages(place := f"http://127.0.0.1:{port}", SECRET, served.show, served.play)
    with serving(make_server(pages.make_app(), "127.0.0.1", port)):
        chromium.screen(width, 664)
        chromium.open(f"{place}/{SECRET}?try=")
        try_passing(chromium, "Ann", "Bob")
        chromium.tap("#k-menu")
        chromium.wait("document.querySelector('h1').textContent.startsWith('Ann to play')")
    assert "1. Ann" not in file.read_text("utf-8")
