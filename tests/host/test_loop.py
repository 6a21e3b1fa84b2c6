"""The loop of a host: what fails rests and is tried again, what works goes on, and all of it is told."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import define, field

from tests.host.looped import SEED, Boxes, Clock, begin, looped, never
from tests.host.year.players import NAMES, TIME, address, examples, letters, reply
from tests.shared.tables import sample
from tkid.host.health import LONGEST_REST, Health, Monitor
from tkid.host.log import Log
from tkid.host.loop import CLOCKS, DATABASE, ORDERS, Loop
from tkid.host.transports import Keep, Maildir, RefusedForGoodError, TransportError, Transports, Wakeup


@define
class Flaky:
    """An inbox, or a way for letters to go out, that works or fails as the test likes."""

    inner: Any
    error: Exception | None = None
    tried: int = 0
    made: int = 0
    waited: list[float] = field(factory=list)

    def make(self) -> Flaky:
        self.made += 1
        return self

    def list_arrived(self, but: frozenset[str] = frozenset()) -> Iterator[tuple[str, bytes]]:
        self._try()
        return iter(list(self.inner.list_arrived(but)))

    def mark_fetched(self, name: str) -> None:
        self.inner.mark_fetched(name)

    def list_again(self, since: datetime) -> Iterator[tuple[datetime, bytes]]:
        return iter(list(self.inner.list_again(since)))

    def wait_for_news(self, seconds: float) -> None:
        self.waited.append(seconds)

    def send_letter(self, to: str, mail: bytes) -> None:
        self._try()
        self.inner.send_letter(to, mail)

    def close(self) -> None:
        """Nothing is held open."""

    def _try(self) -> None:
        self.tried += 1
        if self.error:
            raise self.error


@define
class At:
    """A host's loop with an inbox, another one, and a sender, each of which may fail."""

    folder: Path
    clock: Clock
    mailbox: Flaky
    sender: Flaky
    loop: Loop
    log: list[Any]

    def round(self, seconds: float) -> bool:
        """A round at a time; whether something could not be done."""
        self.clock.set(seconds)
        return self.loop.run_round(never).failed

    def told(self, event: str) -> list[dict[str, Any]]:
        """What the log tells of an event."""
        return [entry for entry in self.log if entry["event"] == event]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    clock = Clock()
    mailbox, sender = Flaky(Maildir(tmp_path / "mailbox")), Flaky(Boxes(tmp_path / "out"))
    transports = Transports({"IMAP": mailbox.make, "in": lambda: Maildir(tmp_path / "in")}, ("SMTP", sender.make))
    loop, log = looped(tmp_path, clock, transports=transports)
    begin(loop)
    yield At(tmp_path, clock, mailbox, sender, loop, log)
    loop.close()


def answer(at: At, box: str, number: int = 1) -> None:
    """Whoever is asked answers, into one of the inboxes."""
    name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(at.folder, n) if examples(mail))
    Maildir(at.folder / box).add_mail(reply(letter, examples(letter)[0], name, number))


def turns(at: At) -> int:
    store = at.loop.database.open_store()
    stored = store.get_game("game")
    store.close()
    assert stored is not None
    return stored.record.count(" {at ")


def test_one_transport_fails_and_the_other_goes_on(at: At) -> None:
    at.mailbox.error = TransportError("IMAP mail.example:993: the server refuses the user or the password")
    answer(at, "in")
    assert at.round(0)
    assert turns(at) == 1
    part = Health.read_file(at.folder / "status.json").parts["IMAP"]
    assert part.error == "IMAP mail.example:993: the server refuses the user or the password"
    assert part.next_try is not None
    assert TIME < part.next_try <= TIME + timedelta(seconds=1)
    at.mailbox.error = None
    answer(at, "mailbox", 2)
    assert not at.round(2)
    assert turns(at) == 2
    assert [(entry["part"], entry["event"]) for entry in at.log if entry.get("part") == "IMAP"] == [
        ("IMAP", "works"),
        ("IMAP", "fails"),
        ("IMAP", "works"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("each", sample([20, 1], 2))
def test_what_fails_rests_longer_each_time(at: At, each: int) -> None:
    """An hour, looked at every second, or after three minutes at one second of so many."""
    at.mailbox.error = TransportError("no")
    at.mailbox.tried = 0
    for second in (*range(180), *range(180, 3600, each)):
        at.round(second)
    fails = at.told("fails")
    assert at.mailbox.tried == len(fails) <= 9 + 3600 / 150
    rests = [
        (at.told("fails")[n + 1]["time"], each["next_try"])
        for n, each in enumerate(fails[:-1])
        if at.told("fails")[n + 1]["time"][:19] < each["next_try"][:19]
    ]
    assert rests == [], "tried before its time"
    at.mailbox.error = None
    at.clock.now += LONGEST_REST
    assert not at.loop.run_round(never).failed


def test_rests_double_up_to_five_minutes() -> None:
    clock, lines, lengths = Clock(TIME), list[str](), []
    monitor = Monitor(Health(), None, Log(lines.append, clock), clock, Random(SEED))
    part = monitor.health.find_part("a part")
    for _ in range(12):
        monitor.note_failure("a part", OSError("no"))
        assert part.next_try is not None
        lengths.append((part.next_try - TIME).total_seconds())
    for number, length in enumerate(lengths):
        longest = min(300, 2**number)
        assert longest / 2 <= length <= longest
    assert monitor.is_resting("a part")
    clock.now = TIME - timedelta(hours=1)
    assert not monitor.is_resting("a part"), "a clock that was set back does not make it longer"
    assert (part.failures, part.failed, part.error) == (12, 12, "no")
    for _ in range(2):
        monitor.note_success("a part")
    assert (part.failures, part.failed, part.error, part.since) == (0, 12, "", clock.now)
    assert ["works" in line for line in lines].count(True) == 1, "it is logged once"


def test_a_sender_that_fails_is_not_asked_for_each_letter(at: At) -> None:
    answer(at, "in")
    at.sender.error, at.sender.tried = TransportError("SMTP mail.example:465: the server does not answer"), 0
    assert at.round(0)
    assert at.sender.tried == 1, "two letters wait, and one was tried"
    assert turns(at) == 1
    at.round(0.1)
    assert at.sender.tried == 1
    at.sender.error = None
    assert not at.round(5)
    assert sum(len(letters(at.folder, name)) for name in NAMES[:2]) == 2


def refused(code: int, kind: type[TransportError]) -> TransportError:
    """What a transport raises where a server refuses one letter."""
    error = kind("ann@example.org: SMTP mail.example:465: no")
    error.__cause__ = smtplib.SMTPRecipientsRefused({"ann@example.org": (code, b"no")})
    return error


@pytest.mark.parametrize("error", [refused(550, RefusedForGoodError), refused(451, TransportError)])
def test_a_letter_that_is_refused_does_not_stop_the_others(at: At, error: TransportError) -> None:
    """The mail server works: nothing rests."""
    answer(at, "in")
    at.sender.error, at.sender.tried = error, 0
    assert at.round(0)
    assert at.sender.tried == 2
    assert at.loop.health.find_part("SMTP").error == ""
    assert {each["to"] for each in at.told("letter-refused")} == {address("Ann"), address("Bob")}


def test_no_error_of_the_program_ends_the_loop(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object) -> int:
        raise KeyError("what the mail said")

    answer(at, "in")
    monkeypatch.setattr("tkid.host.service.Host.work_on_all", defect)
    monkeypatch.setattr("tkid.host.service.Host.run_clocks", defect)
    assert at.round(0)
    assert [(each["part"], each["reason"]) for each in at.told("fails")] == [(ORDERS, "KeyError"), (CLOCKS, "KeyError")]
    monkeypatch.undo()
    assert not at.round(2)


@pytest.mark.slow
def test_it_stops_between_two_steps(at: At) -> None:
    """A stop that comes while mails are fetched: they are kept, and carried out when the host works again."""
    answer(at, "in")
    stop: list[bool] = []
    at.mailbox.inner = Stopping(stop)
    at.loop.run_until_stopped(lambda: bool(stop), 1)
    assert turns(at) == 0
    assert [each["event"] for each in at.log][-1] == "end"
    stop.clear()
    at.mailbox.inner = Maildir(at.folder / "mailbox")
    assert at.loop.run_round(never).worked == 1
    assert turns(at) == 1


@define
class Stopping:
    """An inbox during whose fetching the loop is told to stop."""

    stop: list[bool]

    def list_arrived(self, _: frozenset[str] = frozenset()) -> list[tuple[str, bytes]]:
        self.stop.append(True)
        return []


class Waits(list[float]):
    """For how long was waited; then the loop is told to stop."""

    def __init__(self, stop: list[bool]) -> None:
        super().__init__()
        self.stop = stop

    def append(self, seconds: float) -> None:
        super().append(seconds)
        self.stop.append(True)


def test_waiting(at: At) -> None:
    """It waits at an inbox that works, and no longer than until what rests is tried again."""
    stop: list[bool] = []
    at.mailbox.waited = Waits(stop)
    elsewhere = Waits(stop)
    at.loop.transports = Transports({"IMAP": at.mailbox.make}, at.loop.transports.sender)
    at.loop.wait = elsewhere.append
    at.loop.run_until_stopped(lambda: bool(stop), 7)
    assert (at.mailbox.waited, elsewhere) == ([7], [])
    stop.clear()
    at.mailbox.error = TransportError("no")
    at.loop.run_until_stopped(lambda: bool(stop), 7)
    assert len(elsewhere) == 1
    assert 0.5 <= elsewhere[0] <= 1, "until the mailbox is tried again"


def test_it_does_not_wait_at_an_inbox_while_the_database_fails(tmp_path: Path) -> None:
    """A Maildir with mails in it would not let it wait at all."""
    clock, stop = Clock(), []
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        stop.append(True)

    loop, _ = looped(tmp_path, clock, wait=wait)
    begin(loop)
    (tmp_path / "host.db").rename(tmp_path / "away")
    Maildir(tmp_path / "in").add_mail(b"a mail")
    loop.run_until_stopped(lambda: bool(stop), 60)
    assert len(waits) == 1
    assert 0 < waits[0] <= 1
    assert "is missing" in loop.health.find_part(DATABASE).error


class Listening:
    """Somebody who brings mails, as a mail server does by LMTP."""

    def __init__(self, keep: Keep) -> None:
        self.keep = keep

    def close(self) -> None:
        """Nothing is held open."""


def test_mails_that_are_brought(tmp_path: Path) -> None:
    """They are accepted only when they are on disk; the loop wakes up for them."""
    clock, wakeup, made = Clock(), Wakeup(), []
    failing = [True]

    def listen(keep: Keep) -> Listening:
        if failing:
            raise TransportError("LMTP 127.0.0.1:2424: Address already in use")
        made.append(Listening(keep))
        return made[-1]

    transports = Transports({}, ("out", lambda: Boxes(tmp_path / "out")), ("LMTP", listen))
    loop, log = looped(tmp_path, clock, transports=transports, wake=wakeup.wake_up)
    begin(loop)
    assert loop.health.find_part("LMTP").error.endswith("Address already in use")
    failing.clear()
    clock.set(2)
    loop.run_round(never)
    made[0].keep(b"no mail")
    assert wakeup.wait_for_news(0)
    assert loop.run_round(never).worked == 1
    (filed,) = [entry for entry in log if entry["event"] == "mail"]
    assert (filed["mail"], filed["state"]) == (1, "filed")
    assert filed["reason"].endswith("[mail.unreadable]")
    (tmp_path / "host.db").rename(tmp_path / "away")
    with pytest.raises(OSError, match="is missing"):
        made[0].keep(b"another")
    loop.close()
    with pytest.raises(TransportError):
        made[0].keep(b"another")
    wakeup.close()


def test_the_log_holds_no_text_of_a_mail_and_no_key(at: At) -> None:
    """Whatever came in: a mail that is carried out, one of a stranger, one that cannot be read, one from a program."""
    name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(at.folder, n) if examples(mail))
    key = str(letter["Reply-To"]).partition("+")[2].partition("@")[0]
    words = "xyzzy-plugh"
    good = reply(letter, f"Pass\nsay to all: {words}", name, 1)
    for number, mail in enumerate(
        (good, good.replace(address(name).encode(), b"eve@example.org"), f"{words}\n\n{words}".encode(), b"\0")
    ):
        Maildir(at.folder / "in").add_mail(mail, str(number))
    assert not at.round(0)
    assert [each["state"] for each in at.told("mail")] == ["done", "settled", "filed", "filed"]
    lines = "\n".join(map(str, at.log))
    assert len(key) > 5
    assert key not in lines
    assert words not in lines
    assert "73" * 32 not in lines
    assert all(set(each) >= {"time", "event"} for each in at.log)


def test_health_that_cannot_be_written_or_read(at: At, change: Callable[[Path], None]) -> None:
    change(at.folder / "status.json")
    assert not at.round(5)
    Health.read_file(at.folder / "status.json")


@pytest.fixture(params=["a folder", "not JSON", "another form", "of another kind"])
def change(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    def changed(file: Path) -> None:
        file.unlink()
        match request.param:
            case "a folder":
                (file / "inside").mkdir(parents=True)
            case "not JSON":
                file.write_text("{", "utf-8")
            case "another form":
                file.write_text('{"form": 99}', "utf-8")
            case _:
                file.write_text('{"form": 1, "parts": [], "counts": {}, "last_round": 7}', "utf-8")
        assert Health.read_file(file) == Health()

    return changed
