"""One click to unsubscribe, over the web: the example of the page about the host, run by a web server as a CGI program."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.host.club.club import Club, club
from tests.host.year.players import HOST, letter
from tests.mail.mails import body
from tkid.club.lobby import Table

PAGE = Path(__file__).parents[2] / "docs" / "host.md"
PROGRAM, GAMES = "/opt/tkid/bin/tkid", "/srv/games"
"""What the example calls the program and the folder."""
SERVER = """
import http.server, os
http.server.nobody_uid = os.geteuid  # the server would become another user, who may not read the folder
http.server.test(http.server.CGIHTTPRequestHandler, port=0, bind="127.0.0.1")
"""
CLICK = "List-Unsubscribe=One-Click"
PATIENCE = 60.0


def script(folder: Path) -> str:
    """The script of the example, with the program and the folder of this test."""
    (found,) = re.findall(r"```text\n(#!/bin/sh\nexec .*host unsubscribe.*\n)```", PAGE.read_text("utf-8"))
    for name, here in ((PROGRAM, f"{sys.executable} -m tkid"), (GAMES, str(folder))):
        assert name in found
        found = found.replace(name, here)
    return str(found)


@contextmanager
def web_server(folder: Path, script: str) -> Iterator[int]:
    """A web server with the script as its program /cgi-bin/unsubscribe; its port."""
    program = folder / "web" / "cgi-bin" / "unsubscribe"
    program.parent.mkdir(parents=True)
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    command = [sys.executable, "-u", "-W", "ignore", "-c", SERVER]
    with subprocess.Popen(
        command, cwd=folder / "web", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        try:
            yield int(re.findall(r"port (\d+)", said)[0])
        finally:
            server.terminate()


def asked(port: int, method: str, key: str, posted: str = "") -> tuple[str, str]:
    """The status and the page that the program answers. The line stays open, so it may not wait for the end of what comes."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if posted else {}
    line.request(method, f"/cgi-bin/unsubscribe?{key}", posted or None, kind)
    answer = line.getresponse()
    status, page = str(answer.headers["Status"]), answer.read().decode()
    line.close()
    return status, page


def invited(at: Club) -> str:
    """Ann invites Bob; where the button of his invitation leads."""
    ann, bob = at.people
    at.deliver(ann.write(f"new game second-edition with {bob.name} <{bob.address}>", HOST))
    at.work()
    for each in at.unread.pop(ann.address):
        if "eply `yes`" in body(each):
            at.deliver(ann.reply(each, "yes"))
    at.work()
    (invitation,) = [letter(mail) for to, mail, _ in at.sent if to == bob.address]
    assert str(invitation["List-Unsubscribe-Post"]) == CLICK
    (link,) = re.findall(r"<https://club\.example/unsubscribe\?([^>]+)>", str(invitation["List-Unsubscribe"]))
    return str(link)


def gathering(at: Club) -> list[tuple[str, ...]]:
    """Whom the games that gather players wait for."""
    with at.store() as store, store.begin_transaction() as transaction:
        tables = [Table.read_text(each.data) for each in transaction.documents.list_documents("table")]
    return [tuple(place.address for place in table.places) for table in tables if table.state == "open"]


@pytest.mark.slow
def test_the_example_of_the_page_unsubscribes(tmp_path: Path) -> None:
    with club(tmp_path, 1, 2) as at:
        settings = at.home / "host.toml"
        with_button = settings.read_text("utf-8").replace(
            "[club]\n", '[club]\nunsubscribe-url = "https://club.example/unsubscribe"\n'
        )
        settings.write_text(with_button, "utf-8")
        at.stop()
        at.start()
        key, before = invited(at), gathering(at)
        assert before != []
        with web_server(tmp_path, script(at.home)) as port:
            status, page = asked(port, "GET", key)
            assert (status, 'method="post"' in page) == ("200 OK", True)
            for method, given, posted, expected in (
                ("HEAD", key, "", "200 OK"),
                ("POST", key, "something=else", "405 Method Not Allowed"),
                ("POST", "x" * len(key), CLICK, "404 Not Found"),
            ):
                assert asked(port, method, given, posted)[0] == expected, (method, given, posted)
            assert gathering(at) == before, "nothing was changed"
            for _ in range(2):
                assert asked(port, "POST", key, CLICK)[0] == "200 OK"
        assert gathering(at) != before
