"""A club that is published to a folder, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath

from attrs import define, field

from tests.club.clubs import START, hosted, keep, person
from tkid.club.members import Member
from tkid.club.site import Club
from tkid.host.page_facts import Entry, State
from tkid.host.published_folder import PublishedFolder
from tkid.host.publisher import Publisher
from tkid.host.store.store import Database, Store
from tkid.mail.hosted_game import HostedGame
from tkid.mail.model import Document

ANN, BOB, CAL, DEE = map(person, ("Ann Archer", "Bob Baker", "Cal Carter", "Dee Dyer"))
NOW = START + timedelta(days=90)
SECRET = b"a secret of thirty-two bytes, ok"


@define
class Site:
    """A club with its store and its folder."""

    folder: Path
    store: Store
    publisher: Publisher

    @property
    def www(self) -> Path:
        """Where the pages are."""
        return self.folder / "www"

    def publish(self, *, again: bool = False, every: bool = True, take_over: bool = False) -> tuple[int, int]:
        """Publish; how many files were written and removed. No game fails."""
        report = self.publisher.publish(self.store, NOW, again=again, every=every, take_over=take_over)
        assert not report.failed
        return report.written, report.removed

    def keep(self, **games: HostedGame) -> None:
        """Keep games, as they stand now."""
        keep(self.store, games)

    def member(self, member: Member) -> None:
        """Keep what a member wishes."""
        with self.store.begin_transaction() as transaction:
            transaction.documents.store_document(Document("member", member.address, member.text))

    def files(self) -> dict[str, bytes]:
        """All that is published, by path."""
        files = (file for file in self.www.rglob("*") if file.is_file())
        return {file.relative_to(self.www).as_posix(): file.read_bytes() for file in files}

    def page(self, path: str) -> str:
        """A published file."""
        return (self.www / path).read_text("utf-8")

    def entry(self, game: str) -> Entry:
        """What the publisher remembers of a game."""
        with State.open_file(self.publisher.memory) as state:
            entry = state.get_entry(game)
        assert entry is not None
        return entry


@contextmanager
def club(
    folder: Path,
    *,
    url: str = "",
    delay: int = 0,
    covers: bool = False,
    clock: Callable[[], float] | None = None,
    store_url: str = "",
) -> Iterator[Site]:
    """A club without games, in a file or in a database on a server."""
    database = Database.make_at(store_url or f"sqlite:///{folder / 'host.db'}")
    database.create_database()
    store = database.open_store()
    target = PublishedFolder(folder / "www", "owner-word")
    publisher = Publisher(target, folder / "pages.db", SECRET, Club("The Monday club", url), delay, covers)
    if clock is not None:
        publisher.clock = clock
    try:
        yield Site(folder, store, publisher)
    finally:
        store.close()


@cache
def some_games() -> dict[str, HostedGame]:
    """Games in progress and games that are over, of two games and for two to four players."""
    return {
        "winter": hosted([ANN, BOB], title="Winter crown", turns=9, start=START + timedelta(days=60)),
        "spring": hosted([BOB, CAL, DEE], "second-edition-advanced", turns=12, start=START + timedelta(days=65)),
        "over": hosted([ANN, BOB], title="An old game"),
        "tricks": hosted([CAL, DEE], "claim", start=START + timedelta(days=1)),
        "gone": hosted([ANN, CAL], seed="gone", turns=8, start=START + timedelta(days=2), resigns=True),
        "teams": hosted([ANN, BOB, CAL, DEE], seed="teams", start=START + timedelta(days=3)),
    }


@define
class Links(HTMLParser):
    """The ways out of a page, and its ids."""

    found: list[str] = field(factory=list)
    ids: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src"} and value and tag != "base":
                self.found.append(value)
            if name == "id" and value:
                self.ids.add(value)


def broken_links(files: dict[str, bytes]) -> list[str]:
    """The links that lead to no published file, and those that are not relative, without addresses to write to."""
    broken = []
    for path, content in files.items():
        if not path.endswith(".html") or path.startswith("replays/"):
            continue
        links = Links()
        links.feed(content.decode())
        for link in (each for each in links.found if not each.startswith("mailto:")):
            target = normpath(join(dirname(path), link.partition("#")[0])) if link.partition("#")[0] else path
            if "//" in link or link.startswith("/") or target not in files:
                broken.append(f"{path}: {link}")
    return broken
