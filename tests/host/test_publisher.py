"""A folder of pages: only what changed is made again, every link leads somewhere, and nothing is touched that is not ours."""

from __future__ import annotations

import errno
import fcntl
import os
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from tests.club.clubs import START, hosted
from tests.host.sites import ANN, BOB, CAL, NOW, Site, broken_links, club, some_games
from tkid.club.members import Member
from tkid.club.tournament import Entrant, Pairing, Side, Tournament
from tkid.host import publisher
from tkid.host import publisher as publishing
from tkid.host.published_folder import (
    MARK,
    OWN,
    PAGE,
    PUBLISHER,
    BusyError,
    FolderError,
    PublishedFolder,
    note_all_changed,
)
from tkid.host.publisher import Publisher
from tkid.mail.hosted_game import HostedGame
from tkid.mail.model import Document
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

pytestmark = pytest.mark.slow
HANDFUL = 12
"""A turn in one game rewrites at most so many files."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with club(tmp_path) as made:
        made.keep(**some_games())
        yield made


def one_turn_more() -> dict[str, HostedGame]:
    return {"winter": hosted([ANN, BOB], title="Winter crown", turns=10, start=START + timedelta(days=60))}


class TestWhatIsMade:
    """Which files there are, and when they are made again."""

    def test_every_link_leads_to_a_file(self, site: Site) -> None:
        site.publish()
        files = site.files()
        assert not broken_links(files)
        assert {path for path in files if not OWN.fullmatch(path)} == {MARK}
        assert {"games/winter.html", "boards/winter.svg", "replays/over.html", "records/over.tkid"} <= files.keys()
        assert "replays/winter.html" not in files

    def test_nothing_is_made_twice(self, site: Site) -> None:
        site.publish()
        before = {path: (site.www / path).stat().st_mtime_ns for path in site.files()}
        assert site.publish() == (0, 0)
        assert site.publisher.run_chore(site.store, NOW, 9) == 0
        assert {path: (site.www / path).stat().st_mtime_ns for path in site.files()} == before

    def test_a_turn_rewrites_a_handful_of_files(self, site: Site) -> None:
        """Those of its game, the home page, and the pages of its players; not one about another game."""
        site.publish()
        before = site.files()
        site.keep(**one_turn_more())
        written = site.publisher.run_chore(site.store, NOW, 9)
        after = site.files()
        changed = {path for path in after if after[path] != before.get(path)}
        assert 0 < written <= HANDFUL
        assert {"games/winter.html", "boards/winter.svg", "index.html"} <= changed
        assert not [path for path in changed if re.search("over|tricks|gone|teams|spring|cal-|dee-", path)]

    def test_in_a_large_club_pages_about_many_games_wait_a_little(
        self, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A turn is at once on the page of its game. Who becomes anonymous does not wait, nor does a new process."""
        monkeypatch.setattr(publishing, "MANY_GAMES", 0)
        clock = count(1)
        site.publisher.clock = lambda: next(clock)
        site.publish()
        before = site.files()
        site.keep(**one_turn_more())
        assert 0 < site.publisher.run_chore(site.store, NOW, 1e6) <= HANDFUL
        assert site.publisher.run_chore(site.store, NOW, 1e6) == 0
        after = site.files()
        changed = {path for path in after if after[path] != before[path]}
        assert changed == {"games/winter.html", "boards/winter.svg", "boards/winter.map.svg"}
        assert not broken_links(after)
        again = evolve(site.publisher, due=0)
        assert again.run_chore(site.store, NOW, 1e6) > 0
        fresh = tmp_path / "fresh"
        fresh.mkdir()
        other = Publisher(PublishedFolder(fresh / "www", "owner-word"), fresh / "pages.db", again.secret, again.club)
        other.publish(site.store, NOW)
        assert Site(fresh, site.store, other).files() == site.files()
        site.member(Member.make_new("ann@example.org", "Ann Archer").hide(b"secret", ()))
        assert again.run_chore(site.store, NOW, 1e6) > 0
        assert b"Ann Archer" not in b"".join(site.files().values())

    def test_a_game_that_ends_moves_to_the_archive(self, site: Site) -> None:
        site.publish()
        site.keep(winter=hosted([ANN, BOB], title="Winter crown", start=START + timedelta(days=60)))
        site.publish()
        files = site.files()
        assert "boards/winter.map.svg" not in files
        assert "replays/winter.html" in files
        assert "Winter crown" in site.page("archive/index.html")
        assert not broken_links(files)

    def test_a_site_that_takes_over_makes_up_for_what_it_missed(self, site: Site, tmp_path: Path) -> None:
        """Two machines publish in turn, each into a folder of its own: no turn is only on the site of the other one."""
        folder = tmp_path / "other"
        folder.mkdir()
        own = PublishedFolder(folder / "www", site.publisher.folder.owner)
        other = Site(
            folder, site.store, Publisher(own, folder / "pages.db", site.publisher.secret, site.publisher.club)
        )
        for turns, last in enumerate((site, other, other, site, other), 3):
            name = ("winter", "summer")[turns % 2]
            site.keep(**{name: hosted([ANN, BOB], title=name, turns=turns, start=START + timedelta(days=60))})
            with site.store.begin_transaction() as transaction:
                transaction.documents.store_document(Document(PAGE, name, str(turns)))
            assert last.publisher.run_chore(site.store, NOW, 99) > 0
            assert last.publisher.run_chore(site.store, NOW, 99) == 0
            found = {each: last.entry(each).facts.turns for each in ("winter", "summer") if site.store.get_game(each)}
            assert found == {("winter", "summer")[each % 2]: each for each in (turns - 1, turns) if each > 2} | (
                {"winter": 9} if turns == 3 else {}
            )
            assert not broken_links(last.files())

    def test_games_that_changed_behind_its_back_are_looked_at(self, site: Site) -> None:
        """As after a restore: a game that is gone has no page any more, one that is back to an older turn has the older page."""
        site.publish()
        assert site.publisher.run_chore(site.store, NOW, 99) == 0
        site.keep(winter=hosted([ANN, BOB], title="Winter crown", turns=3, start=START + timedelta(days=60)))
        with site.store.begin_transaction() as transaction:
            transaction.documents.drop_document("page", "winter")
            note_all_changed(transaction.documents)
        before = site.files()
        assert site.publisher.run_chore(site.store, NOW, 99) > 0
        assert site.files() != before
        assert site.entry("winter").facts.turns == 3
        with site.store.begin_transaction() as transaction:
            assert [each.id for each in transaction.documents.list_documents("page")] == [PUBLISHER]
        assert site.publisher.run_chore(site.store, NOW, 99) == 0

    def test_the_same_games_give_the_same_bytes(self, site: Site, tmp_path: Path) -> None:
        site.publish()
        other = tmp_path / "other"
        other.mkdir()
        with club(other) as again:
            again.keep(**dict(reversed(some_games().items())))
            again.publish()
            assert again.files() == site.files()

    def test_a_lost_file_is_made_again(self, site: Site) -> None:
        site.publish()
        (site.www / "games/winter.html").unlink()
        (site.www / "feed.xml").unlink()
        site.publish()
        site.publish()
        assert {"games/winter.html", "feed.xml"} <= site.files().keys()

    def test_a_published_record_is_whole(self, site: Site) -> None:
        """Its hashes are right, it has no address, and it replays to the same end."""
        site.publish()
        for game, played in some_games().items():
            if played.time.over:
                text = site.page(f"records/{site.entry(game).facts.slug}.tkid")
                read = read_record(text.encode())
                assert read.record is not None
                assert not read.problems
                again = replay(read.record)
                assert not again.problems
                assert again.position == played.replay.position
                assert "@" not in text

    def test_work_is_cut_into_pieces(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A round stops when its time is up, and leads to nothing that is not there yet."""
        monkeypatch.setattr(publishing, "AT_LEAST", 1)
        ticks = count()
        with club(tmp_path, clock=lambda: float(next(ticks))) as site:
            site.keep(**some_games())
            rounds = 0
            while site.publisher.run_chore(site.store, NOW, 1.5):
                rounds += 1
                assert not broken_links(site.files()) or "index.html" not in site.files()
            assert rounds > len(some_games()) + 10, "those of the games, and those of the pages about many games"
            assert not broken_links(site.files())
            assert "index.html" in site.files()

    def test_a_delay_holds_turns_back(self, tmp_path: Path) -> None:
        with club(tmp_path, delay=3) as site:
            site.keep(**some_games())
            site.publish()
            assert "Turn 6," in site.page("games/winter.html")
            assert "Turn 7," not in site.page("games/winter.html")

    def test_one_game_that_cannot_be_made_stops_no_other(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        make = publisher.make_game

        def fails(club: object, people: object, stored: object, *rest: object, **named: object) -> object:
            if stored.id == "winter":  # type: ignore[attr-defined]
                raise KeyError("a defect")
            return make(club, people, stored, *rest, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(publishing, "make_game", fails)
        with pytest.raises(publishing.PublishError, match="winter: KeyError"):
            site.publisher.run_chore(site.store, NOW, 99)
        assert "games/over.html" in site.files()
        assert not broken_links(site.files())
        monkeypatch.undo()
        assert site.publisher.run_chore(site.store, NOW, 99) > 0
        assert "games/winter.html" in site.files()


class TestNames:
    """Players who stay anonymous are so everywhere; addresses are nowhere."""

    HIDDEN = Member("bob@example.org", "Bob Baker", anonymous=True, pseudonym="Guest Heron", secret="w" * 26)

    def test_no_address_is_published(self, site: Site) -> None:
        site.publish()
        assert not [path for path, content in site.files().items() if b"@example" in content]

    def test_an_anonymous_player_leaves_no_trace(self, site: Site) -> None:
        """Old pages are made again, files with the name go, and the copies are whole records."""
        site.keep(**{"bob-and-ann": hosted([ANN, BOB], title="Bob against Ann", seed="titled")})
        site.publish()
        assert "players/bob-baker.html" in site.files()
        site.member(self.HIDDEN)
        assert site.publisher.run_chore(site.store, NOW, 99) > 0
        files = site.files()
        for path, content in files.items():
            assert not re.search(rb"bob|baker", content.replace(b"http", b""), re.IGNORECASE), path
            assert not re.search("bob|baker", path), path
        assert not broken_links(files)
        records = [path for path in files if path.startswith("records/")]
        copies = [path for path in records if b"X-Copy" in files[path]]
        assert len(copies) == 3
        for path in copies:
            read = read_record(files[path])
            assert read.record is not None
            assert not replay(read.record).problems
            assert b"Seal" not in files[path]
            assert b"Guest Heron" in files[path]
        again = self.HIDDEN.__class__("bob@example.org", "Bob Baker")
        site.member(again)
        site.publish()
        assert "players/bob-baker.html" in site.files()
        assert not [path for path, content in site.files().items() if b"Heron" in content]

    @pytest.mark.parametrize("before", [False, True])
    def test_no_title_names_an_anonymous_player(self, site: Site, *, before: bool) -> None:
        """Nor does the title of a tournament, or of a game that others play, whenever the player becomes anonymous."""
        if before:
            site.member(self.HIDDEN)
        site.keep(**{"bob-cup-1-1": hosted([ANN, CAL], title="bob-cup-1-1", seed="cup")})
        names = ("Ann Archer", "Cal Carter")
        sides = tuple(Side((Entrant(name, f"{name[:3].lower()}@example.org", "accepted"),)) for name in names)
        rounds = ((Pairing(0, 1, ("bob-cup-1-1",)),),)
        with site.store.begin_transaction() as transaction:
            for name in ("bob-cup", "The Baker Trophy"):
                cup = Tournament(name, "swiss", 1, "second-edition", sides, START, played=rounds)
                transaction.documents.store_document(Document("tournament", cup.name, cup.text))
        site.publish()
        assert before or "tournaments/bob-cup.html" in site.files()
        site.member(self.HIDDEN)
        assert before or site.publisher.run_chore(site.store, NOW, 99) > 0
        for path, content in site.files().items():
            assert not re.search(rb"bob|baker", content.replace(b"http", b""), re.IGNORECASE), path
            assert not re.search("bob|baker", path), path
        assert sum(path.startswith("tournaments/tournament-") for path in site.files()) == 2
        assert not broken_links(site.files())

    def test_who_has_played_nothing_yet_has_no_page_to_lead_to(self, site: Site) -> None:
        """A tournament may know people of whom no game is published."""
        people = (
            (Entrant("Ann Archer", "ann@example.org", "accepted"),),
            (Entrant("Zoe", "zoe@example.org", "accepted"),),
        )
        cup = Tournament(
            "cup", "swiss", 1, "second-edition", tuple(map(Side, people)), START, played=((Pairing(0, 1),),)
        )
        with site.store.begin_transaction() as transaction:
            transaction.documents.store_document(Document("tournament", cup.name, cup.text))
        site.publish()
        page = site.files()["tournaments/cup.html"]
        assert b'href="../players/ann-archer.html"' in page
        assert b"Zoe" in page
        assert b"zoe.html" not in page
        assert not broken_links(site.files())

    def test_a_game_that_fails_is_not_left_with_the_old_name(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        site.publish()
        site.member(self.HIDDEN)

        def fails(*_: object, **__: object) -> object:
            raise KeyError("a defect")

        monkeypatch.setattr(publishing, "make_game", fails)
        assert site.publisher.publish(site.store, NOW).failed
        assert not [path for path, content in site.files().items() if b"Baker" in content]

    def test_a_calendar_is_at_a_secret_address_and_nowhere_linked(self, site: Site) -> None:
        site.member(Member("bob@example.org", "Bob Baker", secret="s" * 26))
        site.publish()
        files = site.files()
        assert f"calendars/{'s' * 26}.ics" in files
        assert not [path for path, content in files.items() if b"s" * 26 in content]
        assert b"Disallow: /calendars/" in files["robots.txt"]


class TestTheFolder:
    """Whose folder it is, and what may go wrong with it."""

    def test_a_folder_with_other_files_is_left_alone(self, site: Site) -> None:
        site.www.mkdir()
        (site.www / "thesis.txt").write_text("mine")
        with pytest.raises(FolderError, match=r"thesis\.txt"):
            site.publish()
        assert sorted(site.files()) == ["thesis.txt"]
        site.publish(take_over=True)
        site.publish()
        assert site.page("thesis.txt") == "mine"

    def test_the_folder_of_another_host_is_left_alone(self, site: Site) -> None:
        site.publish()
        site.publisher.folder.owner = "somebody-else"
        with pytest.raises(FolderError, match="another host"):
            site.publish()

    def test_only_one_publishes_at_a_time(self, site: Site) -> None:
        site.publish()
        with (site.www / MARK).open() as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            with pytest.raises(BusyError):
                site.publish()
            site.keep(**one_turn_more())
            assert site.publisher.run_chore(site.store, NOW, 9) == 0
        assert site.publisher.run_chore(site.store, NOW, 9) > 0

    def test_two_publishers_agree(self, site: Site) -> None:
        """One reads what the other remembered."""
        site.publish()
        other = publishing.Publisher(
            site.publisher.folder, site.publisher.memory, site.publisher.secret, site.publisher.club
        )
        site.keep(**one_turn_more())
        assert 0 < other.run_chore(site.store, NOW, 9) <= HANDFUL
        assert site.publish() == (0, 0)

    def test_links_out_of_the_folder_are_not_followed(self, site: Site, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "index.html").write_text("not ours")
        site.www.mkdir()
        (site.www / "games").symlink_to(outside)
        with pytest.raises(OSError, match="games"):
            site.publish(take_over=True)
        (site.www / "games").unlink()
        (site.www / "index.html").symlink_to(outside / "index.html")
        site.publish(take_over=True)
        assert (outside / "index.html").read_text() == "not ours"
        assert sorted(path.name for path in outside.iterdir()) == ["index.html"]
        assert not (site.www / "index.html").is_symlink()

    def test_a_full_disk_leaves_the_old_pages(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whichever file it is: no page is broken, and the next run mends all."""
        site.publish()
        before = site.files()
        rename, room = os.rename, [0]

        def full(*args: Any, **named: Any) -> None:
            if not room[0]:
                raise OSError(errno.ENOSPC, "No space left on device")
            room[0] -= 1
            rename(*args, **named)

        site.keep(**one_turn_more())
        monkeypatch.setattr(os, "rename", full)
        for room[0] in (0, 1, 2):
            with pytest.raises(OSError, match="No space"):
                site.publisher.run_chore(site.store, NOW, 9)
            now = site.files()
            assert now.keys() == before.keys()
            assert not broken_links(now)
        monkeypatch.undo()
        assert site.publisher.run_chore(site.store, NOW, 9) > 0
        assert "Turn 10" in site.page("games/winter.html")
        assert site.publish() == (0, 0)

    def test_everybody_may_read_the_pages_and_nobody_the_memory(self, site: Site) -> None:
        before = os.umask(0o077)
        try:
            site.publish()
        finally:
            os.umask(before)
        assert {
            path.stat().st_mode & 0o777 for path in site.www.rglob("*.*") if path.is_file() and path.name != MARK
        } == {0o644}
        assert {path.stat().st_mode & 0o777 for path in site.www.rglob("*") if path.is_dir()} == {0o755}
        assert site.publisher.memory.stat().st_mode & 0o777 == 0o600

    def test_half_written_files_are_swept_up(self, site: Site) -> None:
        site.publish()
        (site.www / "games/.tkid-new-0123").write_text("half")
        site.publish()
        assert not list(site.www.rglob(".tkid-new-*"))

    @pytest.mark.parametrize("content", [b'{"form":1}\n', b"SQLite format 3\0" + b"?" * 5000])
    def test_a_memory_that_is_damaged_or_old_is_made_again(self, site: Site, content: bytes) -> None:
        site.publish()
        before = site.files()
        site.publisher.memory.write_bytes(content)
        site.publish()
        assert site.files() == before
        assert site.publish() == (0, 0)

    def test_without_memory_old_files_go_too(self, site: Site) -> None:
        site.publish()
        site.publisher.memory.unlink()
        (site.www / "players/somebody-else.html").write_text("old")
        site.publish()
        assert "players/somebody-else.html" not in site.files()


def test_the_players_of_a_game_have_pages(site: Site) -> None:
    site.publish()
    for name in ("ann-archer", "bob-baker", "cal-carter", "dee-dyer"):
        assert f"players/{name}.html" in site.files()
