"""What a host keeps, and for how long: strangers do not fill its folder, and nothing is lost that anybody needs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
import sqlalchemy as sql
from attrs import evolve

from tests.host.store.postgres import server, tools
from tests.host.test_crashes import FORKING
from tests.host.year.players import HOST, NAMES, TIME, examples, game, host, letters, reply
from tests.shared.tables import each_row
from tkid.host.chores import Keeping
from tkid.host.lmtp import _Connection
from tkid.host.service import Host
from tkid.host.settings import Limits
from tkid.host.store.retention import KEYS_KEPT, LETTERS_KEPT
from tkid.host.store.schema import DONE, FILED, answered, games, incoming, keys, known, outgoing
from tkid.host.transports import TRY_AGAIN, Maildir, NoRoomError, take_piped

DAY = timedelta(days=1)
KB = 1 << 10
LIMITS = Limits(bytes=200 * KB, days=30)


def stranger(number: int, size: int = 10 * KB, sender: str = "") -> bytes:
    """A mail without a key."""
    sender = sender or f"s{number}@spam.example"
    return f"From: {sender}\nTo: {HOST}\nMessage-ID: <{number}@spam>\n\n{number}\n".encode() + b"spam " * (size // 5)


def begun(at: Host, folder: Path) -> tuple[str, bytes]:
    """A game begins; who is asked, and the answer with a turn."""
    at.store.limits = LIMITS
    at.open_game("one", game(1), TIME)
    at.send_letters(TIME)
    name, letter = next((who, mail) for who in NAMES[:2] for mail in letters(folder, who) if examples(mail))
    return name, reply(letter, examples(letter)[0], name, 1)


def kept(at: Host) -> int:
    """The bytes of mails that are kept."""
    with at.store.begin_transaction() as transaction:
        rows = transaction._connection.execute(sql.select(incoming.c.raw)).all()  # noqa: SLF001
    return sum(len(row.raw) for row in rows)


def count(at: Host, table: sql.Table) -> int:
    """How many rows there are."""
    with at.store.begin_transaction() as transaction:
        rows = transaction._connection.execute(sql.select(sql.func.count()).select_from(table))  # noqa: SLF001
        return int(rows.scalar_one())


def change(at: Host, statement: sql.Executable) -> None:
    """Change the database as a test needs it."""
    with at.store.begin_transaction() as transaction:
        transaction._connection.execute(statement)  # noqa: SLF001


def rounds(at: Host, folder: Path, keeping: Keeping, most: int = 200) -> int:
    """Rounds of the host until there is nothing left to do; the most bytes that its mails had meanwhile."""
    peak = 0
    for _ in range(most):
        done = at.fetch_mails(Maildir(folder / "in"), TIME) + at.work_on_all(TIME, 20)
        peak = max(peak, kept(at) + sum(file.stat().st_size for file in (folder / "in" / "cur").iterdir()))
        if not done + keeping(at, TIME) and not list((folder / "in" / "new").iterdir()):
            return peak
    raise AssertionError("it never ends")


def test_strangers_do_not_fill_the_folder_and_an_order_comes_through(tmp_path: Path) -> None:
    """Five times as much as there is room for; the order came last, and is carried out."""
    with host(tmp_path) as at:
        _, order = begun(at, tmp_path)
        inbox = Maildir(tmp_path / "in")
        for number in range(100):
            inbox.add_mail(stranger(number), f"{number:03d}")
        inbox.add_mail(order, "zzz")
        peak = rounds(at, tmp_path, Keeping(tmp_path / "in", LIMITS))
        assert at.store.count_mails() == {"new": 0, "done": 1, "filed": 100, "quarantined": 0, "unsent": 0} | {
            "unsent": at.store.count_mails()["unsent"]
        }
        assert LIMITS.bytes <= peak <= 2 * LIMITS.bytes + 2 * len(order)
        assert kept(at) <= LIMITS.bytes + len(order)
        assert not at.store.keep_mail(stranger(0), TIME), "its bytes are gone, and it is known all the same"
        left = [file.read_bytes() for file in (tmp_path / "in" / "cur").iterdir()]
        assert left == [order], "what was filed needs no copy"


def test_the_file_of_the_database_grows_no_more_than_the_room(tmp_path: Path) -> None:
    """SQLite uses the pages again of what was dropped."""
    with host(tmp_path) as at:
        at.store.limits = Limits(bytes=1000 * KB)
        for number in range(300):
            at.store.keep_mail(stranger(number, 20 * KB), TIME)
            at.work_on_all(TIME)
        at.store.close()
        size = (tmp_path / "host.db").stat().st_size
    assert 1000 * KB <= size <= 1500 * KB, size


def test_one_sender_has_only_a_share_and_nothing_unread_is_dropped(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        _, order = begun(at, tmp_path)
        for number in range(2):
            assert at.store.keep_mail(stranger(number, 10 * KB, "one@spam.example"), TIME)
        with pytest.raises(NoRoomError):
            at.store.keep_mail(stranger(9, 1 * KB, "one@spam.example"), TIME)
        assert at.store.keep_mail(stranger(8, 1 * KB, "two@spam.example"), TIME)
        assert at.store.keep_mail(order + b"." * 30 * KB, TIME), "a first mail is taken, however large"
        with pytest.raises(NoRoomError):
            at.store.keep_mail(order + b"another", TIME)
        assert at.store.count_mails()["new"] == 4
        at.work_on_all(TIME)
        assert at.store.keep_mail(stranger(9, 1 * KB, "one@spam.example"), TIME)
        assert at.store.keep_mail(order + b"another", TIME)


def test_when_strangers_have_filled_the_room_a_key_still_opens_it(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        _, order = begun(at, tmp_path)
        for number in range(19):
            assert at.store.keep_mail(stranger(number), TIME)
        with pytest.raises(NoRoomError):
            at.store.keep_mail(stranger(99, 15 * KB), TIME)
        assert at.store.keep_mail(order, TIME)


@each_row(
    "way, answer",
    [
        ("pipe", str(TRY_AGAIN)),
        ("lmtp", "452 4.3.1"),
        ("inbox", "left"),
    ],
)
def test_a_mail_without_room_is_refused_for_now(
    tmp_path_factory: pytest.TempPathFactory, way: str, answer: str
) -> None:
    folder = tmp_path_factory.mktemp(way)
    with host(folder) as at:
        at.store.limits = LIMITS
        for number in range(2):
            at.store.keep_mail(stranger(number, 10 * KB, "one@spam.example"), TIME)
        mail = stranger(9, KB, "one@spam.example")

        def keep(raw: bytes) -> object:
            return at.store.keep_mail(raw, TIME)

        if way == "pipe":
            assert str(take_piped(BytesIO(mail), keep)) == answer
        elif way == "lmtp":
            assert _Connection.keep_mail(_Served(keep), mail).startswith(answer)  # type: ignore[arg-type]
        else:
            inbox = Maildir(folder / "in")
            inbox.add_mail(mail)
            assert at.fetch_mails(inbox, TIME) == 0
            assert list(at.left) == [name for name, _ in inbox.list_arrived()]
            assert list(inbox.list_arrived(frozenset(at.left))) == []
            at.work_on_all(TIME)
            assert at.fetch_mails(inbox, TIME) == 1


class _Served:
    """A connection, as far as keeping a mail needs one."""

    def __init__(self, keep: Callable[[bytes], object]) -> None:
        self.keep = keep
        self.server = self


def test_what_is_forgotten_when(tmp_path: Path) -> None:
    """A stranger's mail after the days; the order and the letters only after the game; keys long after it."""
    with host(tmp_path) as at:
        _, order = begun(at, tmp_path)
        keeping = Keeping(tmp_path / "in", LIMITS)
        at.store.keep_mail(order, TIME)
        at.store.keep_mail(stranger(1), TIME)
        at.work_on_all(TIME)
        at.send_letters(TIME)
        before = kept(at)
        keeping(at, TIME + 29 * DAY)
        assert kept(at) == before
        keeping(at, TIME + 31 * DAY)
        assert kept(at) == len(order), "the game goes on"
        assert _letters(at) > 0
        later = TIME + 2 * KEYS_KEPT
        keeping(at, later)
        assert kept(at) == len(order)
        assert min(count(at, keys), count(at, known), _letters(at)) > 0, "the game goes on, for years"
        assert count(at, incoming) == 1, "the stranger's mail is forgotten altogether"
        change(at, games.update().values(over=True))
        change(at, outgoing.update().values(sent=(later - LETTERS_KEPT + DAY).isoformat()))
        keeping(at, later + DAY / 2)
        assert kept(at) == 0
        assert _letters(at) > 0, "they can still be quoted"
        keeping(at, later + 3 * DAY)
        assert _letters(at) == 0
        assert min(count(at, keys), count(at, known)) > 0, "a copy of a mail is still known"
        keeping(at, later + KEYS_KEPT)
        assert (count(at, keys), count(at, known), count(at, answered)) == (0, 0, 0)
        assert not at.store.keep_mail(order, later), "the very bytes are known for ever"
        assert at.store.keep_mail(order.replace(b"Subject:", b"Received: again\nSubject:"), later)
        at.work_on_all(later)
        assert at.store.count_mails()["filed"] == 1, "it has no key that is known"


def _letters(at: Host) -> int:
    """How many letters are kept whole."""
    with at.store.begin_transaction() as transaction:
        rows = transaction._connection.execute(sql.select(outgoing.c.mail)).all()  # noqa: SLF001
    return sum(bool(row.mail) for row in rows)


def test_the_maildir_keeps_copies_of_what_a_backup_may_lack(tmp_path: Path) -> None:
    """A mail that is not in the database stays, and one that was carried out, for the days; a filed one goes at once."""
    with host(tmp_path) as at:
        _, order = begun(at, tmp_path)
        inbox = Maildir(tmp_path / "in")
        for mail in (order, stranger(1)):
            inbox.add_mail(mail)
        at.fetch_mails(inbox, TIME)
        (tmp_path / "in" / "cur" / "unknown:2,S").write_bytes(b"came after the backup")
        keeping = Keeping(tmp_path / "in", LIMITS)
        now = datetime.now(TIME.tzinfo)
        assert (keeping(at, now), len(list((tmp_path / "in" / "cur").iterdir()))) == (0, 3), "they were not read yet"
        at.work_on_all(TIME)
        assert keeping(at, now) == 1
        assert {file.read_bytes() for file in (tmp_path / "in" / "cur").iterdir()} == {order, b"came after the backup"}
        keeping(at, now + 31 * DAY)
        assert [file.read_bytes() for file in (tmp_path / "in" / "cur").iterdir()] == [b"came after the backup"]


def _keep_until(folder: Path, last: int) -> None:
    """Room is made and old mails are forgotten, and the process dies at a step; in a process that is there for nothing else."""
    from sqlalchemy.engine import Engine  # noqa: PLC0415

    from tests.host.killed import Steps  # noqa: PLC0415

    steps = Steps(last)
    with host(folder) as at:
        at.store.limits = LIMITS
        sql.event.listen(Engine, "before_cursor_execute", steps.statement)
        sql.event.listen(Engine, "commit", lambda _: steps.step())
        Path.rename = steps.around(Path.rename)  # type: ignore[method-assign]
        Path.unlink = steps.around(Path.unlink)  # type: ignore[method-assign]
        rounds(at, folder, Keeping(folder / "in", evolve(LIMITS, days=1)))


@pytest.mark.slow
def test_killed_while_it_makes_room_it_loses_no_mail(tmp_path: Path) -> None:
    before, points = tmp_path / "before", 0
    before.mkdir()
    with host(before) as at:
        _, order = begun(at, before)
        for number in range(8):
            Maildir(before / "in").add_mail(stranger(number, 60 * KB), f"{number:03d}")
        Maildir(before / "in").add_mail(order, "zzz")
    for step in range(1, 400, 12):
        disturbed = tmp_path / "disturbed"
        shutil.copytree(before, disturbed)
        process = FORKING.Process(target=_keep_until, args=(disturbed, step))
        process.start()
        process.join()
        with host(disturbed) as at:
            at.store.limits = LIMITS
            rounds(at, disturbed, Keeping(disturbed / "in", LIMITS))
            counts = at.store.count_mails()
            assert (counts[DONE], counts[FILED], counts["new"]) == (1, 8, 0), step
            assert kept(at) <= LIMITS.bytes + len(order)
        shutil.rmtree(disturbed)
        if process.exitcode == 0:
            break
        points += 1
    assert points > 5


@pytest.mark.slow
@pytest.mark.skipif(tools() is None, reason="PostgreSQL is not installed")
def test_the_same_with_postgres(tmp_path: Path) -> None:
    with server() as url, host(tmp_path, url) as at:
        _, order = begun(at, tmp_path)
        for number in range(40):
            Maildir(tmp_path / "in").add_mail(stranger(number), f"{number:03d}")
        Maildir(tmp_path / "in").add_mail(order, "zzz")
        keeping = Keeping(tmp_path / "in", LIMITS)
        assert rounds(at, tmp_path, keeping) <= 2 * LIMITS.bytes + 2 * len(order)
        assert (at.store.count_mails()[DONE], at.store.count_mails()[FILED]) == (1, 40)
        at.send_letters(TIME)
        change(at, games.update().values(over=True))
        for after in (31 * DAY, LETTERS_KEPT + DAY, KEYS_KEPT + DAY):
            keeping(at, TIME + after)
        assert (kept(at), _letters(at), count(at, keys), count(at, known)) == (0, 0, 0, 0)
