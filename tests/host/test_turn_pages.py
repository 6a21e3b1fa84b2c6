"""Published pages for turns: only the letter leads to one, it sends by mail, and it ends with the turn."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest
from attrs import define, evolve

from tests.club.clubs import hosted
from tests.host import small_club
from tests.host.small_club import Club
from tests.host.year.players import TIME, address, game
from tests.mail.mails import body
from tests.shared.strategies import ADVANCED
from tests.shared.twins import twin_of
from tkid.club import site
from tkid.host.letters import OVER
from tkid.host.published_folder import PublishedFolder
from tkid.host.publisher import Publisher
from tkid.host.settings import SettingsError, read_settings
from tkid.mail.game_service import apply_owner_note
from tkid.mail.message import add_key
from tkid.mail.model import ClubTerms
from tkid.record.clock_notes import StandIn
from tkid.record.format.model import Record

PLACE = "https://club.example/"
LINK = re.compile(rf"Open the board: {PLACE}(turns/([a-z2-7]{{12}})\.html)")


@define
class Published:
    """A club with published pages for turns."""

    at: Club
    publisher: Publisher

    def files(self) -> dict[str, str]:
        """Publish, and return all files by path."""
        self.publisher.publish(self.at.at.store, self.at.now)
        www = self.publisher.folder.path
        written = (file for file in www.rglob("*") if file.is_file())
        return {file.relative_to(www).as_posix(): file.read_bytes().decode("utf-8", "replace") for file in written}

    def link(self, name: str) -> tuple[str, str]:
        """The page in a player's letter, and its key."""
        found = [found for mail in self.at.mails(name) if (found := LINK.search(body(mail)))]
        return found[-1][1], found[-1][2]

    @property
    def asked(self) -> str:
        """The player who is to act."""
        played = self.at.games()[0].read_hosted()
        return played.names[played.awaited or 0]


@contextmanager
def published(folder: Path, record: Record | None = None, **terms: Any) -> Iterator[Published]:
    folder.mkdir(exist_ok=True)
    with small_club.club(folder) as at:
        at.at.club = evolve(ClubTerms(), pages=PLACE, turn_pages=PLACE[:-1], **terms)
        at.at.open_game("winter", record or game(7), TIME)
        at.work()
        target, club = PublishedFolder(folder / "www", "owner"), site.Club("A club", PLACE)
        yield Published(at, Publisher(target, folder / "pages.db", at.at.secret, club, turns=at.at.address))


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Published]:
    with published(tmp_path) as made:
        yield made


def test_the_letter_leads_to_a_page_that_sends_by_mail(pages: Published) -> None:
    """The mail that it writes plays the turn, and then the page is over and the next player has one. Cites: mail.page."""
    name = pages.asked
    path, key = pages.link(name)
    page = pages.files()[path]
    assert f"<h1>{name} to play" in page
    (to,) = re.findall(r'"mail":"mailto:([^?"]*)\?', page)
    assert unquote(to) == add_key(pages.at.at.address, key)
    pages.at.write(name, "Pass", to=unquote(to))
    pages.at.work()
    assert pages.at.games()[0].read_hosted().turns == 1
    files = pages.files()
    assert OVER in files[path]
    assert name not in files[path]
    other, _ = pages.link(pages.asked)
    assert other != path
    assert f"<h1>{pages.asked} to play" in files[other]


def test_no_other_page_knows_of_it(pages: Published) -> None:
    path, key = pages.link(pages.asked)
    files = pages.files()
    assert [each for each, text in files.items() if key in text or key in each] == [path]
    assert "Disallow: /turns/" in files["robots.txt"]
    assert "turns/" not in files["sitemap.xml"]
    assert "in your letter" in files["turns/index.html"]
    folder = pages.publisher.folder.path / "turns"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o711, "nobody else on the machine can list it"
    assert stat.S_IMODE((pages.publisher.memory).stat().st_mode) == 0o600


def test_twins_have_the_same_page(tmp_path: Path) -> None:
    """Deals that a seat cannot tell apart give it the same page at the same address, byte for byte."""
    people = [f"{name} <{address(name)}>" for name in ("Ann", "Bob")]
    for deal in count():
        record = hosted(people, ADVANCED.code, "A secret", str(deal), turns=4, start=TIME).record
        seat = (record.turns[-1].seat + 1) % 2
        twin = twin_of(Random(42), record, seat)
        if twin is not None:
            break
    told = []
    for number, each in enumerate((record, twin)):
        with published(tmp_path / str(number), each) as made:
            path, _ = made.link(record.names[seat])
            told.append((path, made.files()[path]))
    assert told[0] == told[1]
    assert twin is not None
    assert record.start().hands != twin.start().hands


def test_whoever_had_the_seat_before_sees_nothing(pages: Published) -> None:
    name = pages.asked
    path, _ = pages.link(name)
    assert f"<h1>{name}" in pages.files()[path]
    seat = pages.at.games()[0].read_hosted().names.index(name)
    line = StandIn(seat, "Cal", pages.at.now, address("Cal"))
    pages.at.at.change_game("winter", lambda played: apply_owner_note(played, line, pages.at.now))
    pages.at.work()
    assert OVER in pages.files()[path]


def test_without_the_setting_there_is_no_page(tmp_path: Path) -> None:
    with published(tmp_path) as made:
        made.publisher.turns = ""
        assert not [path for path in made.files() if path.startswith("turns/")]


def test_the_setting_needs_an_address(tmp_path: Path) -> None:
    text = 'address = "tkid@games.example"\n[pages]\nfolder = "www"\nturns = true\n'
    with pytest.raises(SettingsError, match="turns needs url"):
        read_settings(tmp_path, text)
    settings = read_settings(tmp_path, f'{text}url = "{PLACE}"\n')
    assert settings.club.turn_pages == PLACE[:-1]
    both = read_settings(tmp_path, f'{text}url = "{PLACE}"\n[web]\naddress = "https://play.example"\n')
    assert both.club.turn_pages == "", "a server can do more"
