"""Mails fetched by IMAP from a server that misbehaves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from attrs import evolve

from tests.host.fake_imap import CUT, HANG, NO, Mailbox, fake_imap
from tests.ports import free_port
from tests.shared.tables import each_row
from tkid.host.imap import READ_FOLDER, ImapInbox
from tkid.host.settings import ImapSettings
from tkid.host.transports import TransportError, Wakeup
from tkid.mail.envelope import MOST_BYTES

FIRST, SECOND = b"Subject: one\r\n\r\none\r\n", b"Subject: two\r\n\r\ntwo\r\n"
LONG = 60.0
"""Seconds that nothing in these tests takes: who waits so long was not told."""


def settings(mailbox: Mailbox, **changes: Any) -> ImapSettings:
    usual: dict[str, Any] = {"host": "127.0.0.1", "port": mailbox.port, "user": "tkid", "password": "secret"}
    return ImapSettings(**usual | {"tls": "none"} | changes)


@contextmanager
def opened(mailbox: Mailbox, wakeup: Wakeup | None = None, **changes: Any) -> Iterator[ImapInbox]:
    inbox = ImapInbox(settings(mailbox, **changes), wakeup)
    try:
        yield inbox
    finally:
        inbox.close()


def fetch(inbox: ImapInbox) -> None:
    """Fetch all mails, as a host does."""
    for name, _ in inbox.list_arrived():
        inbox.mark_fetched(name)


def mend(mailbox: Mailbox, inbox: ImapInbox) -> None:
    """A server without faults, and an inbox that has all the patience it needs."""
    mailbox.faults.clear()
    inbox._settings = evolve(inbox._settings, seconds=LONG)  # noqa: SLF001


def test_mails_are_moved_when_they_are_kept() -> None:
    with fake_imap(Mailbox({5: FIRST, 12: SECOND})) as mailbox, opened(mailbox) as inbox:
        found: list[bytes] = []
        for name, raw in inbox.list_arrived():
            assert mailbox.moved == [(uid, READ_FOLDER) for uid in (5, 12)[: len(found)]], "moved before it was kept"
            found.append(raw)
            inbox.mark_fetched(name)
        assert found == [FIRST, SECOND]
        assert mailbox.moved == [(5, READ_FOLDER), (12, READ_FOLDER)]
        assert list(inbox.list_arrived()) == []
        assert not any("BODY[" in told for told in mailbox.told), "that would mark a mail as seen"


@pytest.mark.parametrize(
    "mailbox",
    [
        Mailbox({5: FIRST, 12: SECOND}, can="IDLE"),
        Mailbox({5: FIRST, 12: SECOND}, faults={"MOVE": NO}),
        Mailbox({5: FIRST, 12: SECOND}, faults={"CREATE": NO}),
    ],
    ids=["no MOVE", "MOVE fails", "no folder"],
)
def test_mails_are_marked_where_they_cannot_be_moved(mailbox: Mailbox) -> None:
    with fake_imap(mailbox), opened(mailbox) as inbox:
        fetch(inbox)
        assert mailbox.seen == {5, 12}
        assert list(inbox.list_arrived()) == []
        assert not any(told.startswith("EXPUNGE") for told in mailbox.told), "that would delete mails"


def test_a_server_that_keeps_folders_below_inbox() -> None:
    mailbox = Mailbox({5: FIRST}, unwanted=frozenset({READ_FOLDER}))
    with fake_imap(mailbox), opened(mailbox) as inbox:
        fetch(inbox)
    assert mailbox.moved == [(5, f"INBOX.{READ_FOLDER}")]


def test_the_folder_for_mails_that_were_read_is_not_moved_into_itself() -> None:
    with fake_imap(Mailbox({5: FIRST})) as mailbox, opened(mailbox, folder=READ_FOLDER) as inbox:
        fetch(inbox)
    assert (mailbox.moved, mailbox.seen) == ([], {5})


def test_no_more_is_fetched_than_is_needed_to_judge_a_mail() -> None:
    with fake_imap(Mailbox({5: b"x" * (MOST_BYTES + 5000)})) as mailbox, opened(mailbox) as inbox:
        assert [len(raw) for _, raw in inbox.list_arrived()] == [MOST_BYTES + 1]


def test_a_mail_of_nothing_and_one_that_is_gone() -> None:
    with fake_imap(Mailbox({5: b"", 6: FIRST, 7: SECOND})) as mailbox, opened(mailbox) as inbox:
        found = []
        for _, raw in inbox.list_arrived():
            found.append(raw)
            mailbox.mails.pop(6, None)
        assert found == [b"", SECOND]


def test_a_mail_that_the_server_does_not_give_out_keeps_no_other_waiting() -> None:
    mailbox = Mailbox({5: FIRST, 6: SECOND}, refused=frozenset({5}))
    with fake_imap(mailbox), opened(mailbox) as inbox:
        arriving = inbox.list_arrived()
        assert next(arriving)[1] == SECOND
        with pytest.raises(TransportError, match=r"IMAP 127.0.0.1:\d+: the server does not deliver mail 5"):
            next(arriving)


@pytest.mark.slow
@each_row("fault", [CUT, HANG])
@each_row("command", ["LOGIN", "SELECT", "SEARCH", "FETCH", "MOVE"])
def test_a_connection_that_dies_is_noticed_and_the_next_try_works(command: str, fault: str) -> None:
    mailbox = Mailbox({5: FIRST}, faults={command: fault})
    with fake_imap(mailbox), opened(mailbox, seconds=0.2 if fault == HANG else LONG) as inbox:
        told = "does not answer" if fault == HANG else "the connection was lost"
        with pytest.raises(TransportError, match=rf"IMAP 127.0.0.1:\d+: .*{told}"):
            fetch(inbox)
        mend(mailbox, inbox)
        fetch(inbox)
    assert mailbox.moved == [(5, READ_FOLDER)]


def test_numbers_of_another_time_are_not_believed() -> None:
    mailbox = Mailbox({5: FIRST}, faults={"MOVE": CUT})
    with fake_imap(mailbox), opened(mailbox) as inbox:
        ((name, _),) = inbox.list_arrived()
        with pytest.raises(TransportError):
            inbox.mark_fetched(name)
        mailbox.faults.clear()
        mailbox.validity, mailbox.mails = 2, {5: SECOND}
        inbox.mark_fetched(name)
        assert mailbox.moved == [], "mail 5 is another now"
        ((another, raw),) = inbox.list_arrived()
        assert (another != name, raw) == (True, SECOND)


def test_a_wrong_password_is_told_without_the_password() -> None:
    mailbox = Mailbox({}, faults={"LOGIN": NO})
    with fake_imap(mailbox), opened(mailbox) as inbox:
        with pytest.raises(TransportError, match="the server refuses the user or the password: not login") as refused:
            list(inbox.list_arrived())
        assert "secret" not in str(refused.value)
        assert "secret" not in repr(settings(mailbox))


def test_a_password_that_is_not_ascii() -> None:
    with fake_imap(Mailbox({5: FIRST}, can="IDLE MOVE AUTH=PLAIN")) as mailbox:
        with opened(mailbox, password="señal") as inbox:  # noqa: S106
            assert len(list(inbox.list_arrived())) == 1
        assert "AHRraWQAc2XDsWFs" in mailbox.told


def test_nobody_is_there() -> None:
    with pytest.raises(TransportError, match=r"IMAP 127.0.0.1:\d+: Connection refused"):
        list(ImapInbox(settings(Mailbox({}, port=free_port()))).list_arrived())


# -- waiting ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "news",
    [
        {"early": "* 1 EXISTS"},
        {"late": "* 1 EXISTS"},
        {"pushed": ("* 1 EXISTS",)},
        {"pushed": ("* OK Still here",)},
    ],
    ids=["before the consent", "with the consent", "later", "a sign of life"],
)
def test_waiting_ends_when_the_server_says_anything(news: dict[str, Any]) -> None:
    with fake_imap(Mailbox({}, **news)) as mailbox, opened(mailbox) as inbox:
        assert list(inbox.list_arrived()) == []
        mailbox.mails[5] = FIRST
        began = time.monotonic()
        inbox.wait_for_news(LONG)
        assert time.monotonic() - began < LONG
        assert [raw for _, raw in inbox.list_arrived()] == [FIRST]


def test_news_during_the_round_is_not_slept_over() -> None:
    with fake_imap(Mailbox({5: FIRST})) as mailbox, opened(mailbox) as inbox:
        inbox.wait_for_news(LONG)
        assert "IDLE" not in mailbox.told, "there were mails when it logged in"
        assert [raw for _, raw in inbox.list_arrived()] == [FIRST]


def test_waiting_ends_when_the_bell_rings() -> None:
    wakeup = Wakeup()
    with fake_imap(Mailbox({})) as mailbox, opened(mailbox, wakeup) as inbox:
        assert list(inbox.list_arrived()) == []
        began = time.monotonic()

        def ring() -> None:
            mailbox.idled.wait(LONG)
            wakeup.wake_up()

        ringing = Thread(target=ring)
        ringing.start()
        inbox.wait_for_news(LONG)
        ringing.join()
        assert time.monotonic() - began < LONG
        assert list(inbox.list_arrived()) == [], "the connection goes on"
    wakeup.close()


def test_waiting_ends_when_the_time_is_over() -> None:
    with fake_imap(Mailbox({})) as mailbox, opened(mailbox) as inbox:
        assert list(inbox.list_arrived()) == []
        inbox.wait_for_news(0.05)
        assert mailbox.idled.is_set()
    with fake_imap(Mailbox({}, can="MOVE")) as mailbox, opened(mailbox) as inbox:
        assert list(inbox.list_arrived()) == []
        inbox.wait_for_news(0.05)
        assert "IDLE" not in mailbox.told


def test_a_server_that_does_not_let_itself_be_waited_for() -> None:
    with fake_imap(Mailbox({}, faults={"IDLE": NO})) as mailbox, opened(mailbox) as inbox:
        assert list(inbox.list_arrived()) == []
        with pytest.raises(TransportError, match="the server refuses: not idle"):
            inbox.wait_for_news(LONG)


@pytest.mark.parametrize("fault", [CUT, HANG])
def test_a_connection_that_dies_while_waiting_is_noticed(fault: str) -> None:
    with fake_imap(Mailbox({}, faults={"IDLE": fault})) as mailbox, opened(mailbox) as inbox:
        assert list(inbox.list_arrived()) == []
        if fault == HANG:
            inbox._box.client.socket().settimeout(0.2)  # type: ignore[union-attr] # noqa: SLF001
        with pytest.raises(TransportError):
            inbox.wait_for_news(LONG)
        mend(mailbox, inbox)
        mailbox.mails[5] = FIRST
        assert [raw for _, raw in inbox.list_arrived()] == [FIRST]
