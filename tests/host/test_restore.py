"""A host that is restored from a backup: nothing that came since is lost where a mailbox has it, and everybody is told."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sql
from attrs import evolve

from tests.host.looped import SEED, Clock, looped, settle
from tests.host.store.databases import BOTH, needs_postgres, wipe
from tests.host.year.players import NAMES, TIME, address, examples, game, letter, letters, reply
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host.backup import BackupError, Restored, back_up, read_backup_head, read_rows, restore_backup
from tkid.host.chores import TimeWatch, tell_players_of_restore
from tkid.host.directory import HostDirectory
from tkid.host.journal import Journal
from tkid.host.loop import Loop
from tkid.host.store import schema
from tkid.host.transports import Inbox, Maildir
from tkid.mail.game_service import HostedGame
from tkid.record.format.model import Header

TURNS = 6


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=[needs_postgres, pytest.mark.exhaustive])])
def url(request: pytest.FixtureRequest) -> str:
    """Nothing for the usual file, or the address of a database on a server."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("server"))


class Played:
    """A game at a host with mailboxes, that is played turn by turn, with a clock that the test sets."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder, self.clock, self.number = folder, Clock(), 0
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "secret").write_bytes(b"s" * 32)
        (folder / "secret").chmod(0o600)
        HostDirectory.create_folder(folder, "tkid@games.example", url, "")
        self.loop = self.working()
        record = game(SEED, 2, "second-edition-advanced")
        record = evolve(record, headers=(*record.headers, Header("X-Clock", "7 days a turn, 1 day grace")))
        store = self.loop.database.open_store()
        self.loop.make(store, lambda _, __: None).open_game("game", record, TIME)
        store.close()
        settle(self.loop)

    def working(self) -> Loop:
        """The loop of the host, as it would be started anew."""
        directory = HostDirectory.read_folder(self.folder, os.environ)
        changes = {"chores": {"restored": tell_players_of_restore}, "journal": Journal(self.folder)}
        loop, _ = looped(self.folder, self.clock, directory.settings.store, **changes)
        loop.watch = TimeWatch(self.clock, lambda: ("this start", self.clock().timestamp()))
        return loop

    def turn(self, *, carry_out: bool = True) -> None:
        """The next player answers the last letter, and the host works."""
        asked = [mail for name in NAMES[:2] for mail in letters(self.folder, name) if examples(mail)]
        name = str(asked[-1]["To"]).split()[0]
        mail = reply(asked[-1], Random(self.number).choice(examples(asked[-1])), name, self.number)
        self.number += 1
        file = f"{self.number:03}.tkid"
        Maildir(self.folder / "in").add_mail(mail, file)
        came = self.clock().timestamp()
        os.utime(self.folder / "in" / "new" / file, (came, came))
        if carry_out:
            settle(self.loop)

    @property
    def game(self) -> HostedGame:
        store = self.loop.database.open_store()
        stored = store.get_game("game")
        store.close()
        assert stored is not None
        return HostedGame.read_stored(stored.record, stored.memory)

    def sent(self) -> list[str]:
        """The Message-IDs of all letters in the players' mailboxes, in whichever state they are."""
        boxes = [self.folder / "out" / address(name) / part for name in NAMES[:2] for part in ("new", "cur")]
        return sorted(str(letter(file.read_bytes())["Message-ID"]) for box in boxes for file in box.iterdir())

    def backup(self, name: str = "copy") -> Path:
        file = self.folder.parent / f"{name}.backup"
        back_up(HostDirectory.read_folder(self.folder, os.environ), file, self.clock())
        return file

    def lose_everything_since(self, file: Path) -> None:
        """Restore a backup where neither the mailbox nor the journal has what came since."""
        for mail in (self.folder / "in" / "cur").iterdir():
            mail.unlink()
        (self.folder / "sent").unlink()
        self.restore(file)
        settle(self.loop)

    def restore(self, file: Path, *, force: bool = True) -> Restored:
        return restore_backup(file, self.folder, os.environ, self.clock(), force=force)


@pytest.fixture
def played(tmp_path: Path, url: str) -> Iterator[Played]:
    at = Played(tmp_path / "games", url)
    yield at
    at.loop.close()
    if url:
        wipe(url)


@pytest.mark.parametrize(
    "url", ["sqlite", pytest.param("postgresql", marks=[needs_postgres, pytest.mark.exhaustive])], indirect=True
)
def test_every_mail_since_is_carried_out_again_and_every_letter_known(played: Played) -> None:
    """With the backup made before each turn, while the loop runs; the same game comes out, and no letter goes out twice."""
    copies: list[Path] = []
    for _ in range(TURNS):
        copies.append(played.backup(str(len(copies))))
        played.turn()
        played.clock.now += timedelta(minutes=1)
    record, sent = played.game.record_text, played.sent()
    for copy in copies:
        played.restore(copy)
        settle(played.loop)
        assert played.game.record_text == record
        new = sorted(set(played.sent()) - set(sent))
        assert len(new) == 2, "one letter to each, and no more"
        assert len(played.sent()) == len(set(played.sent()))
        sent = played.sent()
        played.clock.now += timedelta(minutes=1)
    last = [mail for name in NAMES[:2] for mail in letters(played.folder, name)][-1]
    text = " ".join(body(last).split())
    assert "The host was restored from a backup of Saturday 21 November 2026" in text
    assert "send it again" in text


def test_a_mail_that_came_in_time_is_in_time(played: Played) -> None:
    """The player answered in time; the host is restored after the time is over."""
    copy = played.backup()
    played.clock.now += timedelta(days=6)
    played.turn()
    turn = played.game.record_text.rstrip().rpartition("\n")[2].rpartition(" #")[0]
    played.clock.now = TIME + timedelta(days=9)
    played.restore(copy)
    settle(played.loop)
    assert turn in played.game.record_text
    assert played.game.turns == 1
    assert "# stood still: 2026-11-21T10:00Z to 2026-11-30T10:00Z" in played.game.record_text


def test_nobodys_time_runs_out_because_of_a_restore(played: Played) -> None:
    """The host runs on while it is restored to what it was nine days ago; nobody has written since."""
    copy = played.backup()
    for _ in range(9 * 5):
        played.clock.now += timedelta(hours=5)
        settle(played.loop)
    assert "out of time" in played.game.record_text
    played.restore(copy)
    settle(played.loop)
    assert played.game.turns == 0
    played.clock.now += timedelta(hours=5)
    settle(played.loop)
    assert played.game.turns == 0


def test_a_turn_that_is_lost_can_be_sent_again(played: Played) -> None:
    """No mailbox has the mails: a player who answers a letter that was lost is shown the game as it is."""
    copy = played.backup()
    played.turn()
    played.turn()
    lost = [mail for name in NAMES[:2] for mail in letters(played.folder, name) if examples(mail)]
    played.lose_everything_since(copy)
    assert played.game.turns == 0
    for name in NAMES[:2]:
        letters(played.folder, name)
    name = str(lost[-1]["To"]).split()[0]
    for number in (1, 2):
        mail = reply(lost[-1], Random(number).choice(examples(lost[-1])), name, 70 + number)
        Maildir(played.folder / "in").add_mail(mail)
        settle(played.loop)
        answers = letters(played.folder, name)
        assert len(answers) == (number == 1), "one answer a day"
        if answers:
            assert "It answers a letter that the host no longer has" in " ".join(body(answers[0]).split())
    assert played.game.turns == 0
    store = played.loop.database.open_store()
    assert store.count_mails()["quarantined"] == 0
    store.close()
    eve = reply(lost[-1], "Pass", "Eve", 80)
    Maildir(played.folder / "in").add_mail(eve)
    settle(played.loop)
    assert not (played.folder / "out" / address("Eve")).exists()


def test_a_turn_stands_beside_an_answer_to_a_lost_letter(played: Played) -> None:
    """Two mails are carried out together: a turn, and an answer to a letter that went out after the backup was made."""
    (asked,) = [mail for name in NAMES[:2] for mail in letters(played.folder, name) if examples(mail)]
    name = str(asked["To"]).split()[0]
    copy = played.backup()
    order = reply(asked, examples(asked)[0], name, 71)
    Maildir(played.folder / "in").add_mail(order)
    settle(played.loop)
    played.turn()
    lost = next(mail for mail in letters(played.folder, name) if examples(mail))
    played.lose_everything_since(copy)
    assert played.game.turns == 0
    Maildir(played.folder / "in").add_mail(reply(asked, examples(asked)[0], name, 72), "1")
    Maildir(played.folder / "in").add_mail(reply(lost, examples(lost)[0], name, 73), "2")
    settle(played.loop)
    answers = [" ".join(body(mail).split()) for mail in letters(played.folder, name)]
    assert any("It answers a letter that the host no longer has" in answer for answer in answers)
    assert played.game.turns == 1


def test_nothing_is_carried_out_before_every_mailbox_was_read_again(played: Played) -> None:
    copy = played.backup()
    played.clock.now += timedelta(days=4)
    played.turn()
    played.turn()
    turns = [turn.hash for turn in played.game.record.turns]

    def broken() -> Inbox:
        raise OSError("the mail server is gone")

    inboxes = dict(played.loop.transports.inboxes)
    played.loop.close()
    played.loop.transports = evolve(played.loop.transports, inboxes={**inboxes, "broken": broken})
    played.clock.now += timedelta(days=5)
    played.restore(copy)
    for _ in range(3):
        played.loop.run_once()
    assert played.game.turns == 0, "the clock went on, or a mail was carried out"
    played.loop.transports = evolve(played.loop.transports, inboxes=inboxes)
    settle(played.loop)
    assert [turn.hash for turn in played.game.record.turns] == turns


def test_a_letter_that_went_out_since_does_not_go_out_again(played: Played) -> None:
    """The backup has a letter that waits, and it went out afterwards."""
    played.turn(carry_out=False)
    store = played.loop.database.open_store()
    host = played.loop.make(store, lambda _, __: None)
    host.fetch_mails(Maildir(played.folder / "in"), played.clock())
    host.work_on_all(played.clock())
    store.close()
    copy = played.backup()
    settle(played.loop)
    for name in NAMES[:2]:
        letters(played.folder, name)
    box = played.folder / "out" / address("Bob") / "cur"
    for file in box.iterdir():
        file.unlink()  # the player has deleted everything: what comes now is new
    played.restore(copy)
    settle(played.loop)
    subjects = [str(mail["Subject"]) for mail in letters(played.folder, "Bob")]
    assert len(subjects) == 1, subjects


def test_it_can_be_restored_into_the_other_kind_of_database(played: Played, tmp_path: Path) -> None:
    played.turn()
    copy = played.backup()
    other = tmp_path / "other"
    settings = read_backup_head(copy).settings
    store = f"sqlite:///{tmp_path / 'elsewhere.db'}" if "postgresql" in settings else ""
    done = restore_backup(copy, other, {}, played.clock(), store)
    assert done.rows == sum(1 for _ in read_rows(copy))
    with HostDirectory.read_folder(other, {}).open_store() as at:
        stored = at.get_game("game")
    assert stored is not None
    assert HostedGame.read_stored(stored.record, stored.memory).record_text == played.game.record_text
    assert (other / "secret").read_bytes() == b"s" * 32
    modes = {
        path.name: path.stat().st_mode & 0o77 for path in (other, *other.rglob("*")) if path.name != "elsewhere.db"
    }
    assert set(modes.values()) == {0}, modes


def test_backups_of_changes_restore_the_same_rows(played: Played, tmp_path: Path) -> None:
    """One in full and two of changes have the rows of another full one, with those that are gone; each needs the others."""

    def back_up_since(name: str, since: Path) -> Path:
        file = tmp_path / f"{name}.backup"
        back_up(HostDirectory.read_folder(played.folder, os.environ), file, played.clock(), since=since)
        return file

    def list_rows(file: Path) -> list[tuple[str, dict[str, Any]]]:
        """The rows but for that which says when the last backup was made."""
        rows = ((row.table, row.values) for row in read_rows(file))
        return [(table, values) for table, values in rows if values.get("id") != "backup"]

    played.turn()
    full = played.backup()
    played.turn()
    first = back_up_since("first", full)
    played.turn()
    store = played.loop.database.open_store()
    with store.engine.begin() as connection:
        connection.execute(sql.delete(schema.keys))
    store.close()
    second = back_up_since("second", first)
    whole = list_rows(played.backup("whole"))
    assert 0 < len([row for row in read_rows(second) if not row.gone]) < len(whole) / 2
    other = tmp_path / "other"
    done = restore_backup(second, other, {}, played.clock(), f"sqlite:///{tmp_path / 'other.db'}")
    with closing(sqlite3.connect(tmp_path / "other.db")) as restored:
        for table in {table for table, _ in whole} - {"documents"}:
            assert restored.execute(f"SELECT count(*) FROM {table}").fetchone() == (  # noqa: S608 - our own names
                sum(each == table for each, _ in whole),
            )
    again = tmp_path / "again.backup"
    back_up(HostDirectory.read_folder(other, {}), again, played.clock())
    assert [row for row in list_rows(again) if row[0] != "documents"] == [row for row in whole if row[0] != "documents"]
    assert done.rows == sum(1 for _ in read_rows(tmp_path / "whole.backup")), "the second one counts as one document"
    with pytest.raises(BackupError, match="same folder"):
        back_up(HostDirectory.read_folder(other, {}), other / "third.backup", played.clock(), since=again)
    with pytest.raises(BackupError, match="choose another file"):
        back_up(HostDirectory.read_folder(other, {}), full, played.clock(), since=first, replace=True)
    first.rename(tmp_path / "moved.backup")
    with pytest.raises(BackupError, match="has only what changed since"):
        played.restore(second)
    shutil.copy(full, first)
    with pytest.raises(BackupError, match="as it was made"):
        played.restore(second)


@pytest.mark.slow
@pytest.mark.parametrize("url", [BOTH[1]], indirect=True)
def test_sqlite_to_postgresql_and_back(played: Played, tmp_path: Path) -> None:
    """Every row is the same after both ways."""
    played.turn()
    rows = list(read_rows(played.backup()))
    file = tmp_path / "file"
    restore_backup(tmp_path / "copy.backup", file, {}, played.clock(), f"sqlite:///{tmp_path / 'file.db'}")
    back_up(HostDirectory.read_folder(file, {}), tmp_path / "second.backup", played.clock())
    restore_backup(tmp_path / "second.backup", played.folder, {}, played.clock(), force=True)
    back_up(HostDirectory.read_folder(played.folder, {}), tmp_path / "third.backup", played.clock())
    third = [row for row in read_rows(tmp_path / "third.backup") if row.table != "documents"]
    assert third == [row for row in rows if row.table != "documents"]
    played.turn()
    assert played.game.turns == 2, "its rows are numbered on"


# -- what is not overwritten, and what is no backup ------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Played:
    return Played(tmp_path / "games")


def test_a_host_that_is_there_is_replaced_by_force_only(small: Played) -> None:
    copy = small.backup()
    small.turn()
    before = small.game.record_text
    with pytest.raises(BackupError, match=r"There is a host already: 1 games, .* With --force it is replaced"):
        small.restore(copy, force=False)
    assert small.game.record_text == before
    small.restore(copy)
    assert small.game.turns == 0


def test_what_was_damaged_is_kept_beside(small: Played) -> None:
    copy = small.backup()
    small.loop.close()
    file = small.folder / "host.db"
    file.write_bytes(b"SQLite format 3\0" + b"?" * 5000)
    with pytest.raises(BackupError, match="does not work"):
        small.restore(copy, force=False)
    kept = small.restore(copy).kept
    assert kept is not None
    assert kept.read_bytes().endswith(b"?" * 100)
    assert small.game.turns == 0
    file.unlink()
    small.restore(copy, force=False)
    file.write_bytes(b"")
    small.restore(copy, force=False)
    settle(small.loop)
    small.turn()
    assert small.game.turns == 1


def test_a_backup_is_whole_private_and_not_overwritten(small: Played) -> None:
    copy = small.backup()
    assert copy.stat().st_mode & 0o777 == 0o600
    with pytest.raises(BackupError, match="exists already"):
        small.backup()
    head = read_backup_head(copy)
    assert head.secret == (b"s" * 32).hex()
    assert head.address == "tkid@games.example"
    assert [file.name for file in copy.parent.iterdir() if "tmp" in file.name] == []
    store = small.loop.database.open_store()
    assert json.loads(store.get_document_text("host", "backup") or "{}")["file"] == str(copy)
    store.close()


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@each_row(
    ("damaged", "reason"),
    [
        (cut, "is truncated"),
        (flipped, "The backup is damaged"),
        (lambda _: b"", "is not a backup|is a backup|not a backup"),
        (lambda _: b"no backup", "This is not a backup of a host"),
    ],
)
def test_a_damaged_backup_restores_nothing(
    tmp_path_factory: pytest.TempPathFactory, damaged: Callable[[bytes], bytes], reason: str
) -> None:
    at = Played(tmp_path_factory.mktemp("host") / "games")
    copy = at.backup()
    at.turn()
    copy.write_bytes(damaged(copy.read_bytes()))
    before = at.game.record_text
    with pytest.raises(BackupError) as raised:
        at.restore(copy)
    assert any(each in str(raised.value) for each in (*reason.split("|"), "damaged"))
    assert at.game.record_text == before
    at.loop.close()


def test_a_checksum_covers_every_row(small: Played) -> None:
    import gzip  # noqa: PLC0415

    copy = small.backup()
    lines = gzip.decompress(copy.read_bytes()).split(b"\n")
    index = next(number for number, line in enumerate(lines) if line.startswith(b'["game"'))
    for changed in (
        lines[:index] + lines[index + 1 :],
        [*lines[:index], lines[index].replace(b"Ann", b"Eve"), *lines[index + 1 :]],
    ):
        copy.write_bytes(gzip.compress(b"\n".join(changed)))
        with pytest.raises(BackupError, match="checksum"):
            small.restore(copy)


def test_another_host_is_not_replaced(small: Played, tmp_path: Path) -> None:
    copy = small.backup()
    other = tmp_path / "other"
    HostDirectory.create_folder(other, "club@games.example", "", "")
    with pytest.raises(BackupError, match="Restore it into another folder"):
        restore_backup(copy, other, {}, datetime.now().astimezone(), force=True)
