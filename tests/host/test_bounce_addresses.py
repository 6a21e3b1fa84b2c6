"""Bounces that say nothing but where they went, delays that are no bounces, and addresses that nobody can guess."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.host.test_bounces import bounce
from tests.host.test_smtp import ANN, BOB, MAIL, Sink, listening
from tests.host.year.players import HOST, NAMES, TIME, address, examples, game, host, letters
from tests.shared.tables import each_row
from tkid.host.settings import SmtpSettings
from tkid.host.smtp import SmtpSender
from tkid.host.store.store import MAX_BOUNCES
from tkid.mail.envelope import list_bounce_addresses, make_bounce_address, read_report

SECRET = b"s" * 32
LETTER = "<tkid.turn.1.0a1b2c.0123456789abcdef@games.example>"
TO = make_bounce_address(SECRET, HOST, LETTER)
PROOF = TO.partition("@")[0].rpartition("-")[2]
GUESSED = TO.replace(PROOF, PROOF[::-1])
DAEMON = "From: MAILER-DAEMON@mx.example\n"


@each_row(
    "message_id, sender, has_own",
    [
        (LETTER, HOST, True),
        ("<tkid.club.0123456789abcdef@games.example>", HOST, True),
        ("<tkid.notice.0123456789abcdef@games.example>", HOST, True),
        ("<tkid.turn.1.0a1b2c.0123456789abcdef@games.example>", "the-club-of-the-kings-table@games.example", False),
        ("<other@games.example>", HOST, False),
        ("<tkid.turn.1.0a1b2c.0123456789abcdef@other.example>", HOST, False),
        ("", HOST, False),
    ],
)
def test_a_letter_has_an_address_of_its_own_where_that_fits(message_id: str, sender: str, has_own: bool) -> None:  # noqa: FBT001
    made = make_bounce_address(SECRET, sender, message_id)
    assert (made != sender) == has_own
    assert len(made.partition("@")[0]) <= 64
    if has_own:
        (read,) = list_bounce_addresses([f"<{made}>"])
        assert (read.letter, read.is_ours(SECRET), read.is_ours(b"another")) == (message_id, True, False)


@each_row(
    "shape, mail, counts",
    [
        (
            "qmail, without a Message-ID",
            f"{DAEMON}To: {TO}\nSubject: failure notice\n\nHi. This is qmail-send.\n",
            True,
        ),
        ("only Delivered-To", f"{DAEMON}To: undisclosed\nDelivered-To: {TO}\nSubject: failed\n\nNo such user.\n", True),
        (
            "capitals",
            f"{DAEMON}To: {TO.upper().replace('@GAMES.EXAMPLE', '@games.example')}\nSubject: failed\n\nNo.\n",
            True,
        ),
        (
            "Exim",
            f"X-Failed-Recipients: a@b.example\nFrom: mail@mx.example\nTo: {TO}\nSubject: Mail delivery failed\n\nNo.\n",
            True,
        ),
        ("to the plain address", f"{DAEMON}To: {HOST}\nSubject: failure notice\n\nHi. This is qmail-send.\n", False),
        ("a guessed address", f"{DAEMON}To: {GUESSED}\n\nNo.\n", False),
        (
            "Exim, delayed",
            f"{DAEMON}To: {TO}\nSubject: Warning: message 1abc delayed 24 hours\n\nNo action is required on your part.\n",
            False,
        ),
        (
            "Sendmail, delayed",
            f"{DAEMON}To: {TO}\nSubject: Warning: could not send message for past 4 hours\n\n**THIS IS A WARNING MESSAGE ONLY**\n",
            False,
        ),
        (
            "Postfix, delayed",
            f"{DAEMON}To: {TO}\nSubject: Delayed Mail (still being retried)\n\nYou do not need to resend it.\n",
            False,
        ),
        (
            "Google, delayed",
            f"{DAEMON}To: {TO}\nSubject: Delivery Status Notification (Delay)\n\nThere was a problem.\n",
            False,
        ),
        (
            "Exchange, delayed",
            f"From: postmaster@mx.example\nTo: {TO}\nSubject: Delivery delayed: [tkid] your turn\n\nIt will be retried.\n",
            False,
        ),
        (
            "an automatic answer",
            f"From: ann@example.org\nAuto-Submitted: auto-replied\nTo: {TO}\nSubject: I am away\n\nUntil May.\n",
            False,
        ),
    ],
)
def test_what_counts_as_a_bounce(shape: str, mail: str, counts: bool) -> None:  # noqa: FBT001
    found = read_report(mail.encode())
    ours = bool(found and any(each.is_ours(SECRET) and each.letter == LETTER for each in found.addresses))
    assert ours == counts, shape


@each_row("action, counts", [("failed", True), ("delayed", False), ("delivered", False), ("relayed", False)])
def test_what_a_standard_report_says_counts(action: str, counts: bool) -> None:  # noqa: FBT001
    assert (read_report(bounce(LETTER, ANN, action=action).replace(HOST.encode(), TO.encode())) is not None) == counts


@pytest.mark.slow
def test_bounces_without_a_message_id_are_attributed_once_each(tmp_path: Path) -> None:
    with host(tmp_path) as at:
        at.owner = "owner@games.example"
        asked = []
        for number in range(2 * MAX_BOUNCES - 1):
            at.open_game(f"game-{number}", game(number), TIME)
            at.send_letters(TIME)
            asked += [(who, mail) for who in NAMES[:2] for mail in letters(tmp_path, who) if examples(mail)]
        often = next(name for name in NAMES[:2] if [who for who, _ in asked].count(name) >= MAX_BOUNCES)
        sent = [each for each in asked if each[0] == often][:MAX_BOUNCES]
        for number, (_, letter) in enumerate(sent):
            to = make_bounce_address(SECRET, HOST, str(letter["Message-ID"]))
            for copy in range(2):
                at.store.keep_mail(
                    f"{DAEMON}To: {to}\nSubject: failure {number} {copy}\n\nNo such user.\n".encode(), TIME
                )
        at.store.keep_mail(f"{DAEMON}To: {GUESSED}\nSubject: failure\n\nNo such user.\n".encode(), TIME)
        at.work_on_all(TIME)
        with at.store.begin_transaction() as transaction:
            assert all(transaction.find_letter(str(letter["Message-ID"])) is None for _, letter in sent)
        assert {each.address: each.bounces for each in at.store.list_unreachable()} == {address(often): MAX_BOUNCES}


@each_row(
    "answers, senders",
    [
        ({}, ["own", "own"]),
        ({"MAIL": "553 sender address rejected"}, []),
        ({"RCPT": "550 no such user"}, []),
    ],
)
def test_the_server_takes_a_bounce_address_or_the_host_uses_its_own(
    answers: dict[str, str], senders: list[str]
) -> None:
    with listening(Sink(answers=answers)) as sink:
        settings = SmtpSettings(host="127.0.0.1", port=sink.port, tls="none", seconds=5)
        sender = SmtpSender(settings, HOST, lambda _: TO)
        for to in (ANN, BOB):
            with nullcontext() if senders else pytest.raises(OSError, match="refuses"):
                sender.send_letter(to, MAIL)
        sender.close()
        assert [{TO: "own", HOST: "plain"}[each] for each, _, _ in sink.letters] == senders


def test_a_server_that_lets_the_host_send_from_its_own_address_only() -> None:
    """It is asked once for each connection; no letter is lost or doubled."""

    class Strict(Sink):
        asked = 0

        async def handle_MAIL(self, *values):  # type: ignore[no-untyped-def] # noqa: ANN002, ANN202, N802
            if "+b-" in values[3]:
                type(self).asked += 1
                return "553 5.7.1 Sender address rejected: not owned by user"
            return await super().handle_MAIL(*values)

    with listening(Strict()) as sink:
        sender = SmtpSender(SmtpSettings(host="127.0.0.1", port=sink.port, tls="none", seconds=5), HOST, lambda _: TO)
        sender.send_letter(ANN, MAIL)
        sender.send_letter(BOB, MAIL)
        sender.close()
        assert [(by, to) for by, to, _ in sink.letters] == [(HOST, ANN), (HOST, BOB)]
        assert Strict.asked == 1
