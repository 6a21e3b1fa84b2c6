"""What transports have in common: settings, being woken; and the small ones, Maildir and pipe."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from tests.shared.tables import each_row
from tkid.host.settings import ImapSettings, LmtpSettings, SmtpSettings, is_loopback
from tkid.host.store.store import Store
from tkid.host.transports import KEPT, NO_MAIL, TRY_AGAIN, Maildir, Wakeup, take_piped
from tkid.mail.envelope import MOST_BYTES

HOST = "tkid@games.example"
TIME = datetime(2026, 11, 21, 10, tzinfo=UTC)
MAIL = b"From: ann@example.org\r\n\r\nPass\r\n"
LONG = 60.0


# -- settings -----------------------------------------------------------------------------------------------------


@each_row(
    ("make", "told"),
    [
        (lambda: ImapSettings("", "tkid", "x"), "host is missing"),
        (lambda: ImapSettings("imap.example", "", "x"), "user is missing"),
        (lambda: ImapSettings("imap.example", "tkid", ""), "password is missing"),
        (lambda: ImapSettings("imap.example", "tkid", "x", folder=""), "folder is missing"),
        (lambda: ImapSettings("imap.example", "tkid", "x", port=0), "port: 0 is not a port"),
        (lambda: ImapSettings("imap.example", "tkid", "x", port=65536), "port: 65536 is not a port"),
        (lambda: ImapSettings("imap.example", "a\r\nb", "x"), r"user: 'a\\r\\nb' has a character that cannot"),
        (lambda: ImapSettings("imap.example", "tkid", "x", tls="ssl"), "tls: `ssl` is not known. Choose one of implicit"),  # type: ignore[arg-type]
        (lambda: ImapSettings("imap.example", "tkid", "x", tls="none"), "`none` is for a server on this machine only"),
        (lambda: SmtpSettings("10.0.0.1", tls="none"), "and 10.0.0.1 is another"),
        (lambda: SmtpSettings("localhost.example", tls="none"), "and localhost.example is another"),
        (lambda: SmtpSettings("smtp.example", "tkid"), "password is missing: give both, or neither"),
        (lambda: SmtpSettings("smtp.example", "", "x"), "user is missing: give both, or neither"),
        (lambda: LmtpSettings.read_listening("2424", HOST), "listen: `2424` is not an address and a port"),
        (lambda: LmtpSettings.read_listening("127.0.0.1:lmtp", HOST), "is not an address and a port"),
        (lambda: LmtpSettings.read_listening("127.0.0.1:0", HOST), "listen: 0 is not a port"),
        (lambda: LmtpSettings.read_listening("mail.example:2424", HOST), "`mail.example` is not an IP address"),
        (lambda: LmtpSettings.read_listening("127.0.0.1:2424", "tkid+x@games.example"), "is not a plain address"),
    ],
)  # fmt: skip
def test_settings_that_are_wrong(make: Callable[[], object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        make()


def test_a_password_is_never_shown() -> None:
    for settings in (ImapSettings("imap.example", "tkid", "geheim"), SmtpSettings("smtp.example", "tkid", "geheim")):
        assert "geheim" not in repr(settings)
    with pytest.raises(ValueError, match="password: it has a character that cannot be printed") as refused:
        ImapSettings("imap.example", "tkid", "geheim\n")
    assert "geheim" not in str(refused.value)


def test_settings_that_are_right() -> None:
    assert ImapSettings("imap.example", "tkid", "x").port == 993
    assert SmtpSettings("smtp.example").tls == "implicit"
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "LOCALHOST")] == [True] * 4
    assert LmtpSettings.read_listening("[::1]:2424", HOST) == LmtpSettings("::1", 2424, HOST)
    assert LmtpSettings.read_listening("127.0.0.1:2424", HOST) == LmtpSettings("127.0.0.1", 2424, HOST)


# -- waiting ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_bell() -> None:
    wakeup = Wakeup()
    assert not wakeup.wait_for_news(0.01)
    for _ in range(100_000):
        wakeup.wake_up()
    assert wakeup.wait_for_news(LONG), "it rang before"
    assert not wakeup.wait_for_news(0.01), "however often it rang"
    ringing = Thread(target=wakeup.wake_up)
    ringing.start()
    assert wakeup.wait_for_news(LONG)
    ringing.join()
    wakeup.close()
    wakeup.wake_up()


@pytest.mark.parametrize("news", ["a mail", "the wakeup", "nothing"])
def test_waiting_for_a_maildir(tmp_path: Path, news: str) -> None:
    wakeup = Wakeup()
    inbox = Maildir(tmp_path / "in", wakeup)
    bringing = Thread(
        target={"a mail": lambda: inbox.add_mail(MAIL), "the wakeup": wakeup.wake_up, "nothing": lambda: None}[news]
    )
    bringing.start()
    began = time.monotonic()
    inbox.wait_for_news(0.05 if news == "nothing" else LONG)
    assert time.monotonic() - began < LONG
    bringing.join()
    assert len(list(inbox.list_arrived())) == (news == "a mail")
    wakeup.close()


# -- a pipe -------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path):  # type: ignore[no-untyped-def] # noqa: ANN201
    made = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")
    yield made
    made.close()


def test_a_mail_on_a_pipe_is_kept(store: Store) -> None:
    assert take_piped(io.BytesIO(MAIL), lambda raw: store.keep_mail(raw, TIME)) == KEPT
    assert take_piped(io.BytesIO(MAIL), lambda raw: store.keep_mail(raw, TIME)) == KEPT
    assert store.count_mails()["new"] == 1
    with store.begin_transaction() as writing:
        kept = writing.get_mail(1)
    assert kept is not None
    assert kept.raw == MAIL


def test_no_mail_on_a_pipe(store: Store) -> None:
    assert take_piped(io.BytesIO(b""), lambda raw: store.keep_mail(raw, TIME)) == NO_MAIL
    assert store.count_mails()["new"] == 0


def test_a_large_mail_on_a_pipe_is_read_to_its_end(store: Store) -> None:
    source = io.BytesIO(b"x" * (3 * MOST_BYTES))
    assert take_piped(source, lambda raw: store.keep_mail(raw, TIME)) == KEPT
    assert source.read() == b""
    with store.begin_transaction() as writing:
        kept = writing.get_mail(1)
    assert kept is not None
    assert len(kept.raw) == MOST_BYTES + 1


def test_a_mail_that_cannot_be_kept_is_asked_for_again() -> None:
    def gone(raw: bytes) -> bool:
        raise RuntimeError(raw)

    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError("input/output error")

    assert take_piped(io.BytesIO(MAIL), gone) == TRY_AGAIN == 75
    assert take_piped(Broken(), gone) == TRY_AGAIN
